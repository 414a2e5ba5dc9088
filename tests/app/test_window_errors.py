"""A store that cannot be opened has a page: what happened, its code, what can be done."""

import json
import stat
from collections.abc import Callable
from pathlib import Path

import pysqlite3
import pytest
from PySide6.QtWidgets import QApplication, QMessageBox

from core.errors import ErrorCode, GenizahError
from core.store import files, opening
from core.store.location import StoreLocation
from tests.support.digests import all_digests
from tests.support.open_window import OpenWindow, open_window
from tests.support.stores import STUB_MODEL, WIDTH, Memory, build_store, uuid_of, writing
from tests.support.wait import until
from tests.support.window_stores import FERRY, ferry_store, stub, stub_services
from widgets.row_content import RowContent


def database_of(project: Path) -> Path:
    return project / ".zikaron" / "memory.db"


def bare(folder: Path, content: bytes) -> Path:
    (folder / ".zikaron").mkdir(parents=True)
    database_of(folder).write_bytes(content)
    return folder


def absent(folder: Path) -> Path:
    return folder / "nowhere"


def a_folder(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


def empty_file(folder: Path) -> Path:
    return bare(folder, b"")


def a_text(folder: Path) -> Path:
    return bare(folder, b"dear diary, " * 20)


def another_database(folder: Path) -> Path:
    bare(folder, b"")
    raw = pysqlite3.connect(str(database_of(folder)))
    raw.execute("CREATE TABLE songs (title)")
    raw.commit()
    raw.close()
    return folder


def being_reindexed(folder: Path) -> Path:
    return build_store(folder, FERRY, meta={"reindexing": "2026-11-01T10:00:00+00:00"})


def without_store_id(folder: Path) -> Path:
    return build_store(folder, FERRY, meta={"store_id": None})


def odd_schema(folder: Path) -> Path:
    return build_store(folder, FERRY, meta={"schema_version": "abc"})


def bad_settings(folder: Path) -> Path:
    return build_store(folder, FERRY, config="[retrieval]\nrrf_k = 60.5\n")


def cut_in_half(folder: Path) -> Path:
    rows = [Memory(f"m{n}", f"gist {n}", "text " * 300) for n in range(200)]
    build_store(folder, rows)
    content = database_of(folder).read_bytes()
    database_of(folder).write_bytes(content[: len(content) // 2])
    return folder


_PAGES: list[tuple[Callable[[Path], Path], str, str]] = [
    (absent, "no_store", "Nothing there"),
    (a_folder, "not_a_file", "Not a store"),
    (empty_file, "empty_file", "Empty file"),
    (a_text, "not_a_database", "Not a database"),
    (another_database, "not_a_store", "Another kind of database"),
    (being_reindexed, "reindexing", "2026-11-01T10:00:00+00:00"),
    (without_store_id, "bad_meta", "store_id"),
    (odd_schema, "bad_meta", "schema_version is 'abc'"),
    (bad_settings, "bad_config", "retrieval.rrf_k"),
    (cut_in_half, "damaged", "Damaged store"),
]


@pytest.mark.parametrize(("make", "code", "says"), _PAGES, ids=lambda v: getattr(v, "__name__", v))
async def test_a29_each_opening_error_has_its_page(
    make: Callable[[Path], Path], code: str, says: str, tmp_path: Path
) -> None:
    project = make(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        assert opened.page() == "state"
        shown = opened.page_text().splitlines()
        assert code in shown
        assert says in opened.page_text()
        assert str(project) in opened.page_text()
        assert "Open store…" in shown
        assert opened.window.windowTitle() == "Genizah"
        assert "no store open" in opened.window.status_strip.words()
        assert opened.controller.opening.store is None
        opened.press("Copy details")
        copied = QApplication.clipboard().text()
        assert f"code: {code}" in copied
        assert "SQLite 3." in copied
        assert not opened.window.reading_pane.isVisible()


async def test_the_pages_of_different_faults_say_different_things(tmp_path: Path) -> None:
    texts = []
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        for make, _, _ in _PAGES:
            await opened.open(make(tmp_path / make.__name__))
            texts.append(opened.page_text().replace(make.__name__, ""))
    assert len(set(texts)) == len(_PAGES)


async def test_opening_again_works_once_the_fault_is_mended(tmp_path: Path) -> None:
    project = bad_settings(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        opened.type("tide tables")
        opened.press("Open again")
        await opened.settled()
        assert "bad_config" in opened.page_text()
        (project / ".zikaron" / "config.toml").write_text('[embedding]\nembed_prefix_query = ""\n')
        opened.press("Open again")
        await opened.settled()
        assert opened.page() == "results"
        assert opened.rows()[0] == uuid_of("tide")


async def test_a27_unread_changes_are_read_from_a_private_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = ferry_store(tmp_path / "quay")
    before = all_digests(project)
    writer = pysqlite3.connect(str(database_of(project)), isolation_level=None)
    try:
        change = "UPDATE memory SET gist = 'only in the log' WHERE uuid = ?"
        writer.execute(change, [uuid_of("bus")])
        assert database_of(project).with_name("memory.db-wal").stat().st_size > 0
        given = stub_services(stub(), tmp_path)
        refuse_unwritable(monkeypatch, database_of(project))
        async with open_window(given, project) as opened:
            assert "wal_needs_copy" in opened.page_text()
            opened.press("Open a private copy")
            await until(lambda: opened.page() == "browse")
            await opened.settled()
            opened.window.browse_view.select(uuid_of("bus"))
            await opened.settled()
            assert opened.window.detail_panel.title.toPlainText() == "only in the log"
            assert opened.window.windowTitle() == "quay – Genizah"
            assert_private_copy(given.data_dir)
    finally:
        writer.close()
    assert before.mode == all_digests(project).mode


def refuse_unwritable(monkeypatch: pytest.MonkeyPatch, database: Path) -> None:
    """Let one store lie in a folder that cannot be written and lack its -shm (root may do all)."""
    choose = files.choose_access

    def choose_for(path: Path) -> files.Access:
        if path != database:
            return choose(path)
        raise GenizahError(
            ErrorCode.WAL_NEEDS_COPY, f"{path} has changes that cannot be read.", path=str(path)
        )

    monkeypatch.setattr(files, "choose_access", choose_for)


def assert_private_copy(data_dir: Path) -> None:
    (copy,) = data_dir.glob("copies/*/quay/.zikaron/memory.db")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert stat.S_IMODE(copy.parent.stat().st_mode) == 0o700


async def test_a_copy_that_cannot_be_made_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = ferry_store(tmp_path / "quay")
    given = stub_services(stub(), tmp_path)
    refuse_unwritable(monkeypatch, database_of(project))
    given.data_dir.write_text("a file where the folder should be")
    async with open_window(given, project) as opened:
        opened.press("Open a private copy")
        await until(lambda: "store_io" in opened.page_text())
        assert "The copy could not be made" in opened.page_text()


async def saved_rows_box() -> QMessageBox:
    def boxes() -> list[QMessageBox]:
        widgets = QApplication.topLevelWidgets()
        return [w for w in widgets if isinstance(w, QMessageBox) and w.isVisible()]

    await until(boxes)
    return boxes()[0]


async def test_a28_readable_rows_are_saved_to_a_private_file(tmp_path: Path) -> None:
    project = cut_in_half(tmp_path / "p")
    damaged = database_of(project).read_bytes()
    given = stub_services(stub(), tmp_path)
    async with open_window(given, project) as opened:
        opened.press("Save readable rows…")
        box = await saved_rows_box()
        (saved,) = (given.data_dir / "salvaged").iterdir()
        assert str(saved) in box.text()
        lines = [json.loads(line) for line in saved.read_text().splitlines()]
        assert f"{len(lines)} memories" in box.text()
        box.accept()
        await opened.settled()
    assert 0 < len(lines) < 200
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600
    assert all(line["gist"] == f"gist {line['rowid'] - 1}" for line in lines)
    assert database_of(project).read_bytes() == damaged


async def test_a28_other_stores_open_after_a_damaged_one(tmp_path: Path) -> None:
    async with open_window(stub_services(stub(), tmp_path), cut_in_half(tmp_path / "p")) as opened:
        await opened.open(ferry_store(tmp_path / "sound"))
        assert opened.page() == "browse"
        assert opened.window.windowTitle() == "sound – Genizah"


async def test_a_busy_store_can_be_opened_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = ferry_store(tmp_path / "p")
    inspect = opening.inspect
    answers = [ErrorCode.STORE_BUSY, ErrorCode.STORE_IO]

    async def inspect_later(location: StoreLocation) -> opening.StoreFacts:
        if answers:
            raise GenizahError(answers.pop(0), "Not now.")
        return await inspect(location)

    monkeypatch.setattr("core.store.database.inspect", inspect_later)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        for code in ("store_busy", "store_io"):
            assert code in opened.page_text()
            opened.press("Open again")
            await opened.settled()
        assert opened.page() == "browse"


async def test_a_prefix_without_room_for_a_query_names_its_setting(tmp_path: Path) -> None:
    long_prefix = "word " * 40
    config = (
        f'[embedding]\nembed_model = "{STUB_MODEL}"\nembed_dim = {WIDTH}\n'
        f'embed_prefix_query = "{long_prefix}"\n'
    )
    project = build_store(tmp_path / "p", FERRY, config=config)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        opened.type("tide")
        await opened.settled()
        assert opened.rows()[0] == uuid_of("tide"), "the list by words stays"
        (message,) = opened.window.message_bar.messages()
        assert message.code == "bad_config"
        assert "embedding.embed_prefix_query" in message.text
        assert "meaning off" in opened.window.status_strip.words()


async def test_one_damaged_text_leaves_the_other_rows_as_they_are(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    with writing(project) as raw:
        raw.execute(
            "UPDATE memory SET gist = CAST(x'6869eda0bd' AS TEXT) WHERE uuid = ?",
            [uuid_of("bus")],
        )
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        assert len(opened.browse_rows()) == 26
        await opened.search("pier")
        assert page_of(opened, "bus").warning == "damaged text"
        assert page_of(opened, "tide").warning == ""


def page_of(opened: OpenWindow, name: str) -> RowContent:
    model = opened.window.hit_view._model
    row = model.row_of(uuid_of(name))
    assert row is not None
    content = model.content_at(row)
    assert content is not None
    return content
