"""The models that can be fetched, pinned to one revision and to the sha256 of each file.

A model that is not pinned here is never fetched: nothing would tell whether it came whole.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from core.retrieval.artifacts import BGE_DIGESTS, StandardModel, needed_files
from core.settings import BGE_MODEL

HUB_URL = "https://huggingface.co"
_CHOSEN = "chosen"
_SMALL_BYTES = 1_000


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file: its sha256, None where nobody has pinned it, and about how large it is."""

    name: str
    sha256: str | None
    about_bytes: int = _SMALL_BYTES


@dataclass(frozen=True, slots=True)
class NamedModel:
    """A model in one revision of its repository, with the files that make it."""

    name: str
    repository: str
    revision: str
    files: tuple[ModelFile, ...]

    @property
    def about_bytes(self) -> int:
        """Return about how large all files are together."""
        return sum(file.about_bytes for file in self.files)

    @property
    def is_pinned(self) -> bool:
        """Tell whether every file is known by its sha256."""
        return all(file.sha256 is not None for file in self.files)


_BGE_SIZES = {"model_optimized.onnx": 66_500_000, "tokenizer.json": 710_000}
_PINNED: Mapping[str, NamedModel] = MappingProxyType(
    {
        BGE_MODEL.casefold(): NamedModel(
            BGE_MODEL,
            "qdrant/bge-small-en-v1.5-onnx-q",
            "52398278842ec682c6f32300af41344b1c0b0bb2",
            tuple(
                ModelFile(name, digest, _BGE_SIZES.get(name, _SMALL_BYTES))
                for name, digest in BGE_DIGESTS.items()
            ),
        )
    }
)


def pinned_model(name: str) -> NamedModel | None:
    """Return the model that can be fetched under this name, or None."""
    return _PINNED.get(name.casefold())


def model_of(standard: StandardModel) -> NamedModel:
    """Return a standard model: pinned where it is, else as whatever a person has of it."""
    known = pinned_model(standard.name)
    if known is not None:
        return known
    files = tuple(ModelFile(name, None) for name in sorted(needed_files(standard)))
    return NamedModel(standard.name, standard.repository, _CHOSEN, files)
