"""Copies and files of rows say how far they are; one that is cancelled leaves nothing behind."""

from pathlib import Path

import pytest

from core.progress import Progress, WorkCancelledError
from core.store.location import DATABASE_NAME, STORE_FOLDER, StoreLocation, locate
from core.store.private_copy import copy_files
from core.store.salvage import save_readable_rows
from tests.support.digests import all_digests
from tests.support.stores import build_store, distractors


@pytest.fixture
def store(tmp_path: Path) -> StoreLocation:
    return locate(build_store(tmp_path / "p", distractors(25)))


def cancelled_after(number: int) -> Progress:
    """Return a progress that is cancelled once it has heard this many reports."""

    class Counting(Progress):
        heard = 0

        def report(self, done: int, total: int) -> None:
            super().report(done, total)
            self.heard += 1
            if self.heard == number:
                self.cancel()

    return Counting()


def below(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*"))


def test_a_progress_never_says_more_than_all() -> None:
    progress = Progress()
    assert progress.amount == (0, 0)
    progress.report(7, 5)  # the file grew while it was copied
    assert progress.amount == (7, 7)


def test_a_copy_reports_the_bytes_of_all_its_files(store: StoreLocation, tmp_path: Path) -> None:
    heard: list[tuple[int, int]] = []
    copy_files(store, tmp_path / "copy", lambda done, total: heard.append((done, total)))
    size = store.database.stat().st_size + store.config.stat().st_size
    assert heard[0] == (0, size)
    assert heard[-1] == (size, size)
    assert heard == sorted(heard)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_copy_that_is_cancelled_leaves_neither_files_nor_folders(
    number: int, store: StoreLocation, tmp_path: Path
) -> None:
    before = all_digests(tmp_path / "p")
    (tmp_path / "own").mkdir()
    with pytest.raises(WorkCancelledError):
        copy_files(store, tmp_path / "own" / "copies" / "x", cancelled_after(number).report)
    assert below(tmp_path / "own") == []
    assert all_digests(tmp_path / "p") == before


def test_a_copy_onto_a_store_is_refused_and_that_store_stays(
    store: StoreLocation, tmp_path: Path
) -> None:
    build_store(tmp_path / "other", distractors(3))
    before = all_digests(tmp_path / "other")
    with pytest.raises(FileExistsError):
        copy_files(store, tmp_path / "other")
    assert all_digests(tmp_path / "other") == before
    assert (tmp_path / "other" / STORE_FOLDER / DATABASE_NAME).exists()


async def test_saving_rows_reports_the_rows_asked_for(store: StoreLocation, tmp_path: Path) -> None:
    heard: list[tuple[int, int]] = []
    target = tmp_path / "rows.jsonl"
    await save_readable_rows(store, target, lambda done, total: heard.append((done, total)))
    assert heard == [(done, 25) for done in range(26)]


@pytest.mark.parametrize("number", [1, 10, 25])
async def test_saving_that_is_cancelled_leaves_no_file(
    number: int, store: StoreLocation, tmp_path: Path
) -> None:
    target = tmp_path / "own" / "rows.jsonl"
    with pytest.raises(WorkCancelledError):
        await save_readable_rows(store, target, cancelled_after(number).report)
    assert below(tmp_path / "own") == []


async def test_saving_that_is_cancelled_leaves_an_earlier_file_as_it_was(
    store: StoreLocation, tmp_path: Path
) -> None:
    target = tmp_path / "own" / "rows.jsonl"
    target.parent.mkdir()
    target.write_text("of before")
    with pytest.raises(WorkCancelledError):
        await save_readable_rows(store, target, cancelled_after(9).report)
    assert target.read_text() == "of before"
    assert below(target.parent) == [target]
