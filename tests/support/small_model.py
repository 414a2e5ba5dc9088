"""A model of a few bytes, pinned as a real one is, and a real one for whole windows."""

import hashlib
from collections.abc import Mapping

from core.models.catalogue import ModelFile, NamedModel
from core.retrieval.artifacts import embedded_artifact

FILES: Mapping[str, bytes] = {
    "config.json": b"{}",
    "model.onnx": bytes(range(256)) * 40,
    "tokenizer.json": b'{"a": 1}',
    "tokenizer_config.json": b'{"b": 2}',
}
STANDARD = "sentence-transformers/all-MiniLM-L6-v2"
REVISION = "a" * 40


def pinned(files: Mapping[str, bytes], name: str, repository: str) -> NamedModel:
    """Pin a model to what its files are."""
    return NamedModel(
        name,
        repository,
        REVISION,
        tuple(
            ModelFile(file, hashlib.sha256(content).hexdigest(), len(content))
            for file, content in files.items()
        ),
    )


def small_model() -> NamedModel:
    """Return the model of a few bytes."""
    return pinned(FILES, "quay/small", "Quay/Small-onnx")


def real_files() -> dict[str, bytes]:
    """Return files with which fastembed loads a standard model: those of the embedded one."""
    whole = embedded_artifact()
    files = {p.name: p.read_bytes() for p in whole.tokenizer_folder.glob("*.json")}
    return {**files, "model.onnx": whole.model_file.read_bytes()}


def real_model(files: Mapping[str, bytes]) -> NamedModel:
    """Pin the standard model that has the embedded one's vectors."""
    return pinned(files, STANDARD, "qdrant/all-MiniLM-L6-v2-onnx")
