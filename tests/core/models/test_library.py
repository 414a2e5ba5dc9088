"""The folder of models: a model is in it whole and checked, or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import ErrorCode, GenizahError
from core.models.catalogue import ModelFile, NamedModel, model_of, pinned_model
from core.models.library import Incoming, ModelLibrary
from core.models.picked_folder import PickedFolder
from core.progress import Progress, WorkCancelledError, unreported
from core.retrieval.artifacts import BGE_DIGESTS, StandardModel, cached_artifacts, verify
from tests.support.small_model import FILES, small_model

_STANDARD = StandardModel("quay/small", "Quay/Small-onnx", "model.onnx")


def _filled(folder: Path, **other: bytes) -> PickedFolder:
    folder.mkdir(exist_ok=True)
    for name, content in {**FILES, **other}.items():
        (folder / name).write_bytes(content)
    return PickedFolder(folder)


def _everything_in(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def test_a_model_taken_over_is_found_and_whole(tmp_path: Path) -> None:
    library, model = ModelLibrary(tmp_path / "models"), small_model()
    told: list[tuple[int, int]] = []
    library.install(
        model, _filled(tmp_path / "picked"), lambda done, total: told.append((done, total))
    )
    (found,) = cached_artifacts(_STANDARD, {"HOME": str(tmp_path)}, tmp_path / "models")
    assert found.is_ours
    assert found.tokenizer_folder == library.place(model)
    assert {n: found.file(n).read_bytes() for n in FILES} == FILES
    assert verify(found) == model.files[1].sha256
    whole = sum(map(len, FILES.values()))
    assert told[-1] == (whole, whole)
    assert (found.model_file.stat().st_mode & 0o777) == 0o600


@pytest.mark.parametrize("name", sorted(FILES))
def test_a_file_with_another_digest_leaves_nothing_behind(name: str, tmp_path: Path) -> None:
    library = ModelLibrary(tmp_path / "models")
    source = _filled(tmp_path / "picked", **{name: FILES[name] + b"!"})
    with pytest.raises(GenizahError, match=name) as refusal:
        library.install(small_model(), source, unreported)
    assert (refusal.value.code, refusal.value.reason) == (ErrorCode.DOWNLOAD_FAILED, "wrong_file")
    assert list((tmp_path / "models").iterdir()) == []


def test_a_missing_file_is_named_with_all_that_are_needed(tmp_path: Path) -> None:
    source = _filled(tmp_path / "picked")
    (tmp_path / "picked" / "tokenizer.json").unlink()
    with pytest.raises(GenizahError, match=r"tokenizer\.json cannot be read") as refusal:
        ModelLibrary(tmp_path / "models").install(small_model(), source, unreported)
    assert "model.onnx" in refusal.value.message
    assert refusal.value.reason == "not_there"


def test_a_cancelled_one_leaves_nothing_behind(tmp_path: Path) -> None:
    progress = Progress()

    def report(done: int, total: int) -> None:
        if done > len(FILES["config.json"]):
            progress.cancel()
        progress.report(done, total)

    with pytest.raises(WorkCancelledError):
        ModelLibrary(tmp_path / "models").install(
            small_model(), _filled(tmp_path / "picked"), report
        )
    assert list((tmp_path / "models").iterdir()) == []


def test_a_new_copy_takes_the_place_of_a_damaged_one(tmp_path: Path) -> None:
    library, model = ModelLibrary(tmp_path / "models"), small_model()
    source = _filled(tmp_path / "picked")
    library.install(model, source, unreported)
    damaged = library.place(model) / "model.onnx"
    damaged.write_bytes(b"x")
    library.install(model, source, unreported)
    assert damaged.read_bytes() == FILES["model.onnx"]
    assert len(list((tmp_path / "models").iterdir())) == 1


def test_a_failure_leaves_the_one_before_in_place(tmp_path: Path) -> None:
    library, model = ModelLibrary(tmp_path / "models"), small_model()
    library.install(model, _filled(tmp_path / "picked"), unreported)
    before = _everything_in(tmp_path / "models")
    with pytest.raises(GenizahError):
        library.install(model, _filled(tmp_path / "other", **{"model.onnx": b"x"}), unreported)
    assert _everything_in(tmp_path / "models") == before


def test_what_a_killed_process_left_is_removed_and_what_one_at_work_holds_is_not(
    tmp_path: Path,
) -> None:
    old, live = (tmp_path / "models" / f".part-{name}" for name in ("old", "live"))
    for folder in (old, live):
        folder.mkdir(parents=True)
        (folder / ".model.onnx.7.tmp").write_bytes(b"half")
    for path in (old, old / ".model.onnx.7.tmp"):
        os.utime(path, (1, 1))
    ModelLibrary(tmp_path / "models").install(
        small_model(), _filled(tmp_path / "picked"), unreported
    )
    assert not old.exists()
    assert live.exists()


def test_a_model_without_pins_is_known_again_by_what_it_was_when_taken_over(
    tmp_path: Path,
) -> None:
    model = model_of(_STANDARD)
    assert not model.is_pinned
    assert {f.name for f in model.files} == set(FILES)
    library = ModelLibrary(tmp_path / "models")
    library.install(model, _filled(tmp_path / "picked"), unreported)
    (found,) = cached_artifacts(_STANDARD, {"HOME": str(tmp_path)}, tmp_path / "models")
    verify(found)
    found.file("tokenizer.json").write_bytes(b"{}")
    with pytest.raises(GenizahError, match=r"tokenizer\.json") as refusal:
        verify(found)
    assert refusal.value.reason == "kept_here"


def test_a_file_that_never_ends_is_stopped(tmp_path: Path) -> None:
    class Endless:
        @contextmanager
        def open(self, _model: NamedModel, _file: ModelFile) -> Iterator[Incoming]:
            yield Incoming(iter(lambda: bytes(1 << 20), b""), None)

    with pytest.raises(GenizahError, match="larger than the one expected"):
        ModelLibrary(tmp_path / "models").install(small_model(), Endless(), unreported)
    assert list((tmp_path / "models").iterdir()) == []


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    with pytest.raises(GenizahError, match="could not be kept") as refusal:
        ModelLibrary(blocked / "models").install(
            small_model(), _filled(tmp_path / "picked"), unreported
        )
    assert refusal.value.reason == "not_kept"


def test_consent_is_remembered_for_that_model(tmp_path: Path) -> None:
    library, model = ModelLibrary(tmp_path / "models"), small_model()
    assert not library.is_agreed(model)
    library.agree(model)
    assert ModelLibrary(tmp_path / "models").is_agreed(model)
    assert not library.is_agreed(replace(model, repository="Quay/Other"))


def test_the_agents_default_model_is_pinned_to_the_agents_own_digests() -> None:
    model = pinned_model("baai/BGE-small-en-v1.5")
    assert model is not None
    assert {f.name: f.sha256 for f in model.files} == BGE_DIGESTS
    assert model.revision == "52398278842ec682c6f32300af41344b1c0b0bb2"
    assert pinned_model("nobody/knows-this") is None
