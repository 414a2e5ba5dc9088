"""The file under an open window is replaced, restored or taken away: recognised, said, followed."""

import shutil
from pathlib import Path

import pytest

from app import store_watcher
from core.store import files
from tests.support.open_window import OpenWindow, open_window
from tests.support.stores import Memory, build_store, uuid_of, writing
from tests.support.wait import until
from tests.support.window_stores import FERRY, ferry_store, stub, stub_services

_OTHER_ID = "1f2e3d4c-5b6a-4788-9900-aabbccddeeff"


@pytest.fixture(autouse=True)
def _looks_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_watcher, "POLL_S", 0.05)


def database_of(project: Path) -> Path:
    return project / ".zikaron" / "memory.db"


def another(folder: Path, *more: Memory) -> Path:
    rows = (*FERRY, Memory("other", "a new tide"), *more)
    return build_store(folder, rows, meta={"store_id": _OTHER_ID})


def told(opened: OpenWindow) -> str:
    return "\n".join(message.text for message in opened.window.message_bar.messages())


def codes(opened: OpenWindow) -> list[str]:
    return [message.code for message in opened.window.message_bar.messages()]


async def test_a32_a_new_file_at_the_path_is_opened_and_the_box_is_kept(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    other = another(tmp_path / "other")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        opened.window.search_bar.include_retired.setChecked(True)
        await opened.search("tide")
        assert uuid_of("other") not in opened.rows()
        await opened.select(uuid_of("ferry"))
        database_of(project).rename(tmp_path / "away.db")
        database_of(other).rename(database_of(project))
        await until(lambda: uuid_of("other") in opened.rows())
        await opened.settled()
        assert opened.window.search_bar.text() == "tide"
        assert opened.window.search_bar.includes_retired()
        assert "taken the place" in told(opened)
        assert str(database_of(project)) in told(opened)
        assert codes(opened) == ["store_changed"]
        assert opened.window.hit_view.selected_uuid() == uuid_of("ferry")
        assert opened.window.detail_panel.shown_uuid == uuid_of("ferry")
        assert opened.window.windowTitle() == "p – Genizah"
        assert "7 memories" in opened.window.status_strip.words()


async def test_a32_refresh_sees_a_replaced_file_at_once(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    other = another(tmp_path / "other")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        database_of(project).rename(tmp_path / "away.db")
        database_of(other).rename(database_of(project))
        opened.window.actions_by_name["refresh"].trigger()
        await until(lambda: "7 memories" in opened.window.status_strip.words())
        assert "disk I/O error" not in told(opened)


async def test_a32_typing_after_the_file_was_replaced_searches_the_new_one(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path / "p")
    other = another(tmp_path / "other")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("tide")
        database_of(other).replace(database_of(project))
        opened.type("new tide")
        await until(lambda: uuid_of("other") in opened.rows())
        assert codes(opened) == ["store_changed"]


@pytest.mark.parametrize("same_store", [True, False])
async def test_a32_a_backup_copied_over_the_file_is_shown(
    same_store: bool, tmp_path: Path
) -> None:
    project = ferry_store(tmp_path / "p")
    backup = tmp_path / "backup.db"
    if same_store:
        shutil.copyfile(database_of(project), backup)
        with writing(project) as raw:
            raw.execute("UPDATE memory SET active = 0")
    else:
        database_of(another(tmp_path / "other")).rename(backup)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        live = "24 live" if same_store else "5 live"
        assert live not in opened.window.status_strip.words()
        shutil.copyfile(backup, database_of(project))
        await until(lambda: live in opened.window.status_strip.words())
        assert codes(opened) == ([] if same_store else ["store_changed"])


async def test_a32_a_file_that_is_gone_is_said_and_opened_once_it_is_back(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path / "p")
    away = tmp_path / "away.db"
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("tide tables")
        shown = opened.rows()
        database_of(project).rename(away)
        await until(lambda: "no_store" in opened.page_text())
        assert "is gone" in told(opened)
        assert "Open again" in opened.page_text()
        assert opened.rows() == []
        assert opened.window.search_bar.text() == "tide tables"
        away.rename(database_of(project))
        await until(lambda: opened.rows() == shown)
        assert "is back" in told(opened)


async def test_a32_open_again_opens_a_file_that_is_back(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    away = tmp_path / "away.db"
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        database_of(project).rename(away)
        await until(lambda: "no_store" in opened.page_text())
        away.rename(database_of(project))
        opened.press("Open again")
        await opened.settled()
        assert opened.page() == "browse"
        assert told(opened) == ""


async def test_a_file_that_is_put_back_in_two_steps_is_opened_when_it_is_whole(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path / "p")
    whole = database_of(project).read_bytes()
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        database_of(project).rename(tmp_path / "away.db")
        database_of(project).touch()
        await until(lambda: "empty_file" in opened.page_text())
        database_of(project).write_bytes(whole)
        await until(lambda: opened.page() == "browse" and len(opened.browse_rows()) == 26)


async def test_another_store_opened_meanwhile_is_not_left_for_the_one_that_comes_back(
    tmp_path: Path,
) -> None:
    project, second = ferry_store(tmp_path / "p"), another(tmp_path / "second")
    away = tmp_path / "away.db"
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        database_of(project).rename(away)
        await until(lambda: "no_store" in opened.page_text())
        await opened.open(second)
        assert told(opened) == ""
        assert opened.controller.live._waiting == {}
        away.rename(database_of(project))
        await opened.settled()
        assert opened.window.windowTitle() == "second – Genizah"


async def test_a_store_that_is_being_reindexed_is_closed_and_its_page_says_so(
    tmp_path: Path,
) -> None:
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        with writing(project) as raw:
            raw.execute("INSERT INTO meta VALUES ('reindexing', '2026-11-30T10:00:00+00:00')")
        await until(lambda: "reindexing" in opened.page_text())
        assert opened.controller.opening.store is None
        with writing(project) as raw:
            raw.execute("DELETE FROM meta WHERE key = 'reindexing'")
        await until(lambda: opened.page() == "browse")


async def test_a_store_made_over_for_another_model_is_opened_anew(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        assert "settings_differ_from_meta" not in opened.banners()
        with writing(project) as raw:
            raw.execute("UPDATE meta SET value = 'another/model' WHERE key = 'embed_model'")
        await until(lambda: "settings_differ_from_meta" in opened.banners())
        assert "made over" in told(opened)


async def test_a_static_view_is_left_once_the_store_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = ferry_store(tmp_path / "p")
    access = [files.Access.IMMUTABLE]
    monkeypatch.setattr(files, "choose_access", lambda _path: access[0])
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        assert "static_view" in opened.banners()
        with writing(project) as raw:
            raw.execute("UPDATE memory SET active = 0")
        access[0] = files.Access.READ_ONLY
        await until(lambda: "0 live" in opened.window.status_strip.words())
        assert "static_view" not in opened.banners()
        assert "written meanwhile" in told(opened)


async def test_the_list_by_time_comes_back_as_it_was_left(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    away = tmp_path / "away.db"
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        view = opened.window.browse_view
        chosen = opened.browse_rows()[12]
        assert view.select(chosen)
        await opened.settled()
        at = 9 * view.table.rowHeight(0) + 5
        view.table.verticalScrollBar().setValue(at)
        assert view.table.verticalScrollBar().value() == at, "the list is long enough"
        database_of(project).rename(away)
        await until(lambda: "no_store" in opened.page_text())
        away.rename(database_of(project))
        await until(lambda: opened.page() == "browse" and view.selected_uuid() == chosen)
        await opened.settled()
        assert view.table.verticalScrollBar().value() == at
        assert opened.window.detail_panel.shown_uuid == chosen


async def test_another_store_a_person_opens_is_shown_from_its_top(tmp_path: Path) -> None:
    project, twin = ferry_store(tmp_path / "p"), ferry_store(tmp_path / "twin")
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        view = opened.window.browse_view
        assert view.select(opened.browse_rows()[20])
        database_of(project).rename(tmp_path / "away.db")
        await until(lambda: "no_store" in opened.page_text())
        await opened.open(twin)
        assert view.selected_uuid() is None
        assert view.table.verticalScrollBar().value() == 0
