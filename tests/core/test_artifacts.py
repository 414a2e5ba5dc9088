"""Models on disk: found without a network, checked before use, and named when damaged (A66)."""

import math
import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.errors import ErrorCode, GenizahError
from core.retrieval import artifacts, fastembed_encoder
from core.retrieval.artifacts import (
    BGE_DIGESTS,
    EMBEDDED_MODEL,
    Artifact,
    StandardModel,
    cached_artifacts,
    embedded_artifact,
    sha256,
    verify,
)
from core.retrieval.embedder import QueryEmbedder
from core.retrieval.fastembed_encoder import FastembedEncoder, load_encoder
from tests.support.stub_encoder import StubEncoder, unpacked

_BGE = StandardModel(
    "BAAI/bge-small-en-v1.5", "qdrant/bge-small-en-v1.5-onnx-q", "model_optimized.onnx"
)
_OTHER = StandardModel("some/model", "Some/Model-onnx", "model.onnx")


def _copy_of_embedded(folder: Path) -> Artifact:
    whole = embedded_artifact()
    shutil.copytree(whole.tokenizer_folder, folder, dirs_exist_ok=True)
    shutil.copyfile(whole.model_file, folder / "model.onnx")
    return replace(whole, model_file=folder / "model.onnx", tokenizer_folder=folder)


def test_the_embedded_model_is_whole_and_its_fingerprint_is_the_files() -> None:
    artifact = embedded_artifact()
    assert verify(artifact) == sha256(artifact.model_file) == artifact.digests["model.onnx"]
    assert artifact.is_embedded


@pytest.mark.parametrize("size", [0, 1024])
def test_a_cut_model_file_is_named_with_its_size_a66(tmp_path: Path, size: int) -> None:
    artifact = _copy_of_embedded(tmp_path)
    with artifact.model_file.open("r+b") as file:
        file.truncate(size)
    with pytest.raises(GenizahError) as refusal:
        verify(artifact)
    assert refusal.value.code is ErrorCode.ARTIFACT_DAMAGED
    assert str(artifact.model_file) in refusal.value.message
    assert f"{size} bytes" in refusal.value.message
    assert "Install the program again" in refusal.value.message


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "tokenizer_config.json"])
def test_a_missing_or_changed_file_is_named_a66(tmp_path: Path, name: str) -> None:
    artifact = _copy_of_embedded(tmp_path)
    verify(artifact)
    path = artifact.file(name)
    path.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(GenizahError, match=name):
        verify(artifact)
    path.unlink()
    with pytest.raises(GenizahError, match=name) as refusal:
        verify(artifact)
    assert refusal.value.code is ErrorCode.ARTIFACT_DAMAGED


def test_a_damaged_model_is_not_loaded_a66(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    artifact = _copy_of_embedded(tmp_path / "copy")
    with artifact.model_file.open("r+b") as file:
        file.truncate(1024)
    monkeypatch.setattr(fastembed_encoder, "embedded_artifact", lambda: artifact)
    with pytest.raises(GenizahError) as refusal:
        load_encoder(EMBEDDED_MODEL, dict(os.environ), tmp_path / "work")
    assert refusal.value.code is ErrorCode.ARTIFACT_DAMAGED


def test_without_the_models_package_the_message_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(artifacts, "_EMBEDDED_PACKAGE", "no_such_package")
    with pytest.raises(GenizahError, match="no_such_package") as refusal:
        embedded_artifact()
    assert refusal.value.code is ErrorCode.NO_ARTIFACT


def _cache(folder: Path, model: StandardModel, repository: str) -> Path:
    snapshot = folder / repository / "snapshots" / "a1b2c3"
    snapshot.mkdir(parents=True)
    names = {"tokenizer.json", "tokenizer_config.json", "config.json", model.model_file}
    for name in names | {"special_tokens_map.json"}:
        (snapshot / name).write_text(f"stand-in for {name}")
    return snapshot


@pytest.mark.parametrize(
    ("variable", "below"),
    [
        ("FASTEMBED_CACHE_PATH", ""),
        ("XDG_CACHE_HOME", "zikaron/models"),
        ("HOME", ".cache/zikaron/models"),
        ("HOME", "Library/Caches/zikaron/models"),
    ],
)
@pytest.mark.parametrize(
    "repository",
    ["models--Qdrant--bge-small-en-v1.5-onnx-Q", "models--qdrant--bge-small-en-v1.5-onnx-q"],
)
def test_a_standard_model_is_found_in_the_users_and_the_agents_cache(
    variable: str, below: str, repository: str, tmp_path: Path
) -> None:
    environ = {"HOME": str(tmp_path / "nobody"), variable: str(tmp_path / "x")}
    snapshot = _cache(tmp_path / "x" / below, _BGE, repository)
    (found,) = cached_artifacts(_BGE, environ)
    assert found.model_file == snapshot / "model_optimized.onnx"
    assert found.tokenizer_folder == snapshot
    assert found.digests == BGE_DIGESTS
    (snapshot / "config.json").unlink()
    assert list(cached_artifacts(_BGE, environ)) == [], "a cut download does not count"


def test_a_cached_file_with_another_digest_is_named_and_to_be_removed(tmp_path: Path) -> None:
    _cache(tmp_path, _BGE, "models--qdrant--bge-small-en-v1.5-onnx-q")
    (found,) = cached_artifacts(_BGE, {"FASTEMBED_CACHE_PATH": str(tmp_path)})
    with pytest.raises(GenizahError, match=r"model_optimized\.onnx") as refusal:
        verify(found)
    assert "Remove it from the cache" in refusal.value.message


def test_a_model_without_a_pin_is_taken_as_it_is(tmp_path: Path) -> None:
    snapshot = _cache(tmp_path, _OTHER, "models--Some--Model-onnx")
    (found,) = cached_artifacts(_OTHER, {"FASTEMBED_CACHE_PATH": str(tmp_path)})
    assert verify(found) == sha256(snapshot / "model.onnx")


@pytest.mark.parametrize(
    ("model", "reason"),
    [("BAAI/bge-small-en-v1.5", "not_cached"), ("nobody/knows-this", "unknown_model")],
)
def test_a_model_that_is_not_here_is_refused_at_once(
    model: str, reason: str, tmp_path: Path, private_home: Path
) -> None:
    environ = {"HOME": str(private_home)}
    with pytest.raises(GenizahError) as refusal:
        load_encoder(model, environ, tmp_path / "work")
    assert (refusal.value.code, refusal.value.reason) == (ErrorCode.NO_ARTIFACT, reason)
    assert model in refusal.value.message


_UNPINNED = "sentence-transformers/all-MiniLM-L6-v2"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("model.onnx", b"garbage"),
        ("model.onnx", b""),
        ("tokenizer.json", b'{"a":'),
        ("tokenizer.json", b"{}"),
    ],
)
def test_a_broken_file_in_the_cache_is_an_error_that_names_it(
    name: str, content: bytes, tmp_path: Path
) -> None:
    snapshot = tmp_path / "models--qdrant--all-MiniLM-L6-v2-onnx" / "snapshots" / "a1"
    artifact = _copy_of_embedded(snapshot)
    (snapshot / "config.json").write_text('{"pad_token_id": 0}')
    (snapshot / "special_tokens_map.json").write_text("{}")
    artifact.file(name).write_bytes(content)
    with pytest.raises(GenizahError) as refusal:
        load_encoder(_UNPINNED, {"FASTEMBED_CACHE_PATH": str(tmp_path)}, tmp_path / "work")
    assert refusal.value.code is ErrorCode.ENCODER_FAILED
    assert str(snapshot / name) in refusal.value.message
    assert refusal.value.path == str(snapshot / name)


def test_a_model_that_fails_on_a_text_is_an_error_in_words(tmp_path: Path) -> None:
    class Broken:
        def embed(self, *_args: object, **_options: object) -> Iterator[list[float]]:
            raise RuntimeError("no such input")
            yield []

        def encode(self, *_args: object, **_options: object) -> None:
            raise Exception("[UNK] is missing")  # as tokenizers raises it

    artifact = _copy_of_embedded(tmp_path)
    broken: Any = Broken()
    encoder = FastembedEncoder(broken, broken, StubEncoder(8).facts, artifact)
    with pytest.raises(GenizahError, match="no such input") as refusal:
        encoder.embed("quay")
    assert refusal.value.code is ErrorCode.ENCODER_FAILED
    for ask in (encoder.count, encoder.spans):
        with pytest.raises(GenizahError, match=r"tokenizer\.json.*UNK") as refusal:
            ask("quay")
        assert refusal.value.code is ErrorCode.ENCODER_FAILED


def test_the_live_model_answers_unit_vectors_bit_for_bit(real_encoder: FastembedEncoder) -> None:
    texts = ["", "a", "the quay is closed", "设备清单", "word " * 200]
    first = [real_encoder.embed(t) for t in texts]
    assert [real_encoder.embed(t) for t in texts] == first
    for vector in first:
        assert len(vector) == 384 * 4
        assert math.hypot(*unpacked(vector)) == pytest.approx(1.0, abs=1e-5)
    facts = real_encoder.facts
    assert (facts.name, facts.width, facts.window) == (EMBEDDED_MODEL, 384, 256)
    assert facts.fingerprint == embedded_artifact().digests["model.onnx"]


def test_a_text_asked_for_again_is_not_embedded_again() -> None:
    encoder = StubEncoder(8)
    embedder = QueryEmbedder(encoder)
    assert embedder.cached("quay", "") is None
    first = embedder.query("quay", "")
    assert embedder.query("quay", "") is first is embedder.cached("quay", "")
    embedder.query("quay", "ask: ")
    assert encoder.embedded == ["quay", "ask: quay"]
    for n in range(64):
        embedder.query(f"other {n}", "")
    assert embedder.cached("quay", "") is None, "the cache is small"
