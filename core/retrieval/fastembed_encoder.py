"""The encoder over fastembed: loading a model off the event loop, embedding one text a pass.

Importing this module is cheap; loading imports fastembed, onnxruntime and numpy (about 0.6 s).
"""

import importlib
import math
import os
import socket
import struct
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, override

from core.datadir import private_folder
from core.errors import ErrorCode, GenizahError
from core.retrieval.artifacts import (
    EMBEDDED_MODEL,
    EMBEDDED_WIDTH,
    Artifact,
    StandardModel,
    cached_artifacts,
    embedded_artifact,
    verify,
)
from core.retrieval.encoder import EncoderFacts
from core.retrieval.token_counter import TokenCounter, special_tokens, untruncated

if TYPE_CHECKING:
    from fastembed import TextEmbedding
    from tokenizers import Tokenizer

#: Set before the first import of onnxruntime, or it writes a device id and looks up its server.
QUIET_ENVIRONMENT: Mapping[str, str] = {
    "ORT_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_OFFLINE": "1",
}
_LOCAL_NAME = "local/genizah-minilm-l6-v2-int8"
_registered = threading.Lock()


class FastembedEncoder(TokenCounter):
    """A loaded model and its own untruncated copy of the tokenizer. Thread-safe; calls block."""

    def __init__(
        self,
        model: "TextEmbedding",
        tokenizer: "Tokenizer",
        facts: EncoderFacts,
        artifact: Artifact,
    ) -> None:
        super().__init__(tokenizer, facts)
        self._model = model
        self._artifact = artifact

    @override
    def count(self, text: str) -> int:
        """Count the tokens of `text` without specials. Raises GenizahError(ENCODER_FAILED)."""
        with _failing_in_words("failed", self._artifact):
            return super().count(text)

    @override
    def spans(self, text: str) -> Sequence[tuple[int, int]]:
        """Return each token's (start, end) in `text`. Raises GenizahError(ENCODER_FAILED)."""
        with _failing_in_words("failed", self._artifact):
            return super().spans(text)

    @override
    def embed(self, text: str) -> bytes:
        """Embed one text, batch size 1; little-endian float32 as the model returns it.

        Raises GenizahError(ENCODER_FAILED) for a model that fails on it, and for an output of
        another width or not finite.
        """
        with _failing_in_words("failed", self._artifact):
            output = next(iter(self._model.embed([text], batch_size=1)))
            numbers = [float(x) for x in output]
        if len(numbers) != self.facts.width or not all(map(math.isfinite, numbers)):
            raise GenizahError(
                ErrorCode.ENCODER_FAILED,
                f"The model {self.facts.name} answered with {len(numbers)} numbers that are not "
                f"all finite; expected {self.facts.width}.",
            )
        return struct.pack(f"<{len(numbers)}f", *numbers)


def load_encoder(
    name: str, environ: Mapping[str, str], work_folder: Path, own: Path | None = None
) -> FastembedEncoder:
    """Find, verify and load the model that a store names; blocks for about a second.

    `work_folder` is a folder of ours that fastembed insists on creating, `own` our folder of
    models. Never touches the network. Raises GenizahError: NO_ARTIFACT, ARTIFACT_DAMAGED or
    ENCODER_FAILED.
    """
    import_libraries()
    _make(work_folder)
    if name == EMBEDDED_MODEL:
        artifact = embedded_artifact()
        fingerprint = verify(artifact)
        model = _load(_register_embedded(artifact), artifact, work_folder)
        return _encoder(model, artifact, EMBEDDED_WIDTH, fingerprint)
    standard, width = standard_model(name)
    found, fingerprint = find_whole(standard, environ, own)
    return _encoder(_load(name, found, work_folder), found, width, fingerprint)


def find_whole(
    model: StandardModel, environ: Mapping[str, str], own: Path | None
) -> tuple[Artifact, str]:
    """Return the first place where a standard model lies undamaged, and its file's digest.

    Raises GenizahError: NO_ARTIFACT, or ARTIFACT_DAMAGED where none of several is whole.
    """
    damaged: GenizahError | None = None
    for found in cached_artifacts(model, environ, own):
        try:
            return found, verify(found)
        except GenizahError as error:
            damaged = damaged or error
    raise damaged or GenizahError(
        ErrorCode.NO_ARTIFACT,
        f"The store's model {model.name} is not on this machine. The window can get it; the agent "
        "puts it into its own cache when it runs.",
        reason="not_cached",
        fields={"model": model.name},
    )


def import_libraries() -> None:
    """Import fastembed and what it brings (half a second); for a worker, once a model is wanted."""
    os.environ.update(QUIET_ENVIRONMENT)
    _import_urllib3()
    importlib.import_module("fastembed")


def _make(work_folder: Path) -> None:
    try:
        private_folder(work_folder)
    except OSError as error:
        raise GenizahError(
            ErrorCode.ENCODER_FAILED,
            f"The model needs the folder {work_folder}, which could not be made "
            f"({error.strerror}); set GENIZAH_DATA_DIR to a folder that can be written.",
            path=str(work_folder),
        ) from error


def _import_urllib3() -> None:
    """Import what fastembed brings along without letting it open a socket.

    WORKAROUND for https://github.com/urllib3/urllib3/blob/main/src/urllib3/util/connection.py:
    at import it binds a socket to see whether IPv6 works. Nothing here ever connects.
    """
    had = socket.has_ipv6
    socket.has_ipv6 = False
    try:
        importlib.import_module("urllib3.util.connection")
    finally:
        socket.has_ipv6 = had


def standard_model(name: str) -> tuple[StandardModel, int]:
    """Return what fastembed knows of a model, and its width. Raises GenizahError(NO_ARTIFACT)."""
    from fastembed import TextEmbedding

    for known in TextEmbedding.list_supported_models():
        if known["model"].casefold() == name.casefold() and known["sources"].get("hf"):
            model = StandardModel(name, str(known["sources"]["hf"]), str(known["model_file"]))
            return model, int(known["dim"])
    raise GenizahError(
        ErrorCode.NO_ARTIFACT,
        f"The store's model {name} is not known to this program, so only the word search runs.",
        reason="unknown_model",
        fields={"model": name},
    )


def _register_embedded(artifact: Artifact) -> str:
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    with _registered:  # the registry belongs to the class and refuses a name twice
        if not any(m["model"] == _LOCAL_NAME for m in TextEmbedding.list_supported_models()):
            TextEmbedding.add_custom_model(
                model=_LOCAL_NAME,
                pooling=PoolingType.MEAN,
                normalization=True,
                sources=ModelSource(hf="local/none"),  # required, never used with a local folder
                dim=EMBEDDED_WIDTH,
                model_file=str(artifact.model_file),
            )
    return _LOCAL_NAME


def _load(name: str, artifact: Artifact, work_folder: Path) -> "TextEmbedding":
    from fastembed import TextEmbedding

    with _failing_in_words("could not be loaded", artifact):
        return TextEmbedding(
            name,
            specific_model_path=str(artifact.tokenizer_folder),
            cache_dir=str(work_folder),
            threads=1,
        )


def _encoder(
    model: "TextEmbedding", artifact: Artifact, width: int, fingerprint: str
) -> FastembedEncoder:
    from tokenizers import Tokenizer

    name = artifact.name
    deployed = vars(model.model).get("tokenizer")
    limits = deployed.truncation if isinstance(deployed, Tokenizer) else None
    if not isinstance(deployed, Tokenizer) or limits is None:
        raise GenizahError(
            ErrorCode.ENCODER_FAILED, f"The tokenizer of {name} has no window; it cannot be used."
        )
    with _failing_in_words("could not be loaded", artifact):
        counting = untruncated(deployed)
        specials = special_tokens(counting)
    facts = EncoderFacts(name, width, int(limits["max_length"]), specials, fingerprint)
    return FastembedEncoder(model, counting, facts, artifact)


@contextmanager
def _failing_in_words(what: str, artifact: Artifact) -> Iterator[None]:
    """Turn whatever the libraries raise into GenizahError(ENCODER_FAILED) that names a file."""
    try:
        yield
    except Exception as error:  # tokenizers raises nothing narrower
        culprit = _culprit(error, artifact)
        raise GenizahError(
            ErrorCode.ENCODER_FAILED,
            f"The model {artifact.name} {what} ({culprit}): {error}",
            path=str(culprit),
        ) from error


def _culprit(error: Exception, artifact: Artifact) -> Path:
    """Return the file an error is about as far as its kind tells, else the folder of them all."""
    if type(error) is Exception:  # that is how tokenizers says it
        return artifact.file("tokenizer.json")
    if type(error).__module__.startswith("onnxruntime"):
        return artifact.model_file
    return artifact.tokenizer_folder
