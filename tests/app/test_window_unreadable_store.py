"""Pages over several stores one of which cannot be read: it is named, the others are shown."""

from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from app.duplicates_controller import DuplicatesController
from tests.support import health_window
from tests.support.browsing import audit_page, contents, harbour
from tests.support.duplicates_window import (
    ALONE,
    PAIR,
    groups,
    members,
    named,
    serving,
    set_threshold,
    words,
)
from tests.support.faulty_driver import DAMAGED, READ_FAILED, Driver, install
from tests.support.open_window import OpenWindow, open_window
from tests.support.several import check, store_of
from tests.support.stores import Memory, uuid_of
from tests.support.window_stores import stub, stub_services
from tests.widgets.keys import press
from widgets.audit_content import AuditList

TEXTS = "content FROM memory"
"""Within the statement that reads whole texts, page by page."""
HEADS = "json_each"
"""Within those that read the heads of rows."""


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> Driver:
    """Give the driver of every connection opened from now on."""
    return install(monkeypatch)


def break_store(driver: Driver, folder: Path, within: str) -> None:
    driver.folder, driver.within, driver.fault = folder, within, READ_FAILED


@asynccontextmanager
async def window_on(
    folder: Path, stores: Mapping[str, Iterable[Memory]]
) -> AsyncIterator[OpenWindow]:
    async with open_window(stub_services(stub(), folder)) as opened:
        opened.controller.open_paths([store_of(folder / n, rows) for n, rows in stores.items()])
        await opened.settled()
        yield opened


async def trigger(opened: OpenWindow, action: str) -> None:
    opened.window.actions_by_name[action].trigger()
    await opened.controller.settled()


async def test_the_groups_of_the_other_stores_stand_and_the_missing_one_is_named(
    tmp_path: Path, driver: Driver
) -> None:
    async with window_on(tmp_path, {"quay": ALONE, "harbour": PAIR}) as opened:
        break_store(driver, tmp_path / "quay", TEXTS)
        await trigger(opened, "duplicates")
        assert driver.raised, "the store was asked"
        assert len(groups(opened)) == 1
        assert members(opened) == named("ferry", "boat")
        assert "1 group: 2 of 2 memories" in words(opened)
        assert "Incomplete: quay (store_io) could not be read." in words(opened)
        await set_threshold(opened, 99)
        assert groups(opened) == []
        assert "Incomplete: quay (store_io) could not be read." in words(opened)
        driver.fault = None
        serving(opened).page.compare.click()
        await opened.controller.settled()
        assert "Incomplete" not in words(opened)
        assert "no two of 3 memories" in words(opened)


async def test_a_store_that_fails_half_way_leaves_none_of_its_vectors_behind(
    tmp_path: Path, driver: Driver
) -> None:
    async with window_on(tmp_path, {"quay": PAIR, "harbour": PAIR}) as opened:
        break_store(driver, tmp_path / "quay", "memory_vec")
        await trigger(opened, "duplicates")
        assert driver.raised, "its texts were read, its vectors were not"
        assert "1 group: 2 of 2 memories" in words(opened)
        assert "Incomplete: quay (store_io)" in words(opened)
        assert [row for row in groups(opened) if "2 memories, nearest 0.978" in row]


async def test_rows_that_cannot_be_listed_are_said_to_be_missing(
    tmp_path: Path, driver: Driver
) -> None:
    async with window_on(tmp_path, {"quay": PAIR, "harbour": PAIR}) as opened:
        await trigger(opened, "duplicates")
        assert members(opened) == named("ferry", "boat")
        break_store(driver, tmp_path / "harbour", HEADS)
        controller = opened.controller.pages.of("duplicates")
        assert isinstance(controller, DuplicatesController)
        controller.page.groups.list.selectionModel().clearSelection()
        controller.page.groups.select_first()
        await opened.controller.settled()
        assert "Incomplete: harbour (store_io)" in controller.page.sentence.text()


async def test_where_every_store_fails_the_error_is_shown_and_nothing_is_claimed(
    tmp_path: Path, driver: Driver
) -> None:
    async with window_on(tmp_path, {"quay": ALONE, "harbour": PAIR}) as opened:
        break_store(driver, tmp_path, TEXTS)
        await trigger(opened, "duplicates")
        assert groups(opened) == []
        assert words(opened) == "The memories could not be compared (store_io)."


async def test_findings_of_the_other_stores_stand_and_the_missing_one_is_named(
    tmp_path: Path, driver: Driver
) -> None:
    mute = Memory("mute", "no chunk", vectors=())
    async with window_on(tmp_path, {"quay": ALONE, "harbour": [mute]}) as opened:
        break_store(driver, tmp_path / "quay", "FROM")
        await trigger(opened, "health")
        (found,) = health_window.findings(opened)
        assert "no chunk" in found
        said = health_window.words(opened)
        assert said.startswith("1 found in quay, harbour (all 2 open stores).")
        assert "Incomplete: quay (store_io) could not be read." in said


async def test_a_damaged_file_is_the_first_finding_of_all_and_says_what_can_be_done(
    tmp_path: Path, driver: Driver
) -> None:
    mute = Memory("mute", "no chunk", vectors=())
    async with window_on(tmp_path, {"quay": ALONE, "harbour": [mute]}) as opened:
        break_store(driver, tmp_path / "quay", TEXTS)
        driver.fault = DAMAGED
        await trigger(opened, "health")
        worst, other = health_window.findings(opened)
        assert worst.startswith("broken: The database") and "is damaged" in worst
        assert "restore a backup of the store" in worst and worst.endswith("in quay")
        assert "no chunk" in other
        assert "Incomplete: quay (damaged) could not be read." in health_window.words(opened)
        check(opened, "harbour", False)
        await opened.controller.settled()
        (only,) = health_window.findings(opened)
        assert "is damaged" in only


async def test_a_list_of_the_log_shows_the_rows_that_can_be_read(
    tmp_path: Path, driver: Driver
) -> None:
    async with harbour(tmp_path, with_garden=True) as opened:
        page = audit_page(opened)
        page.often.setValue(1)
        break_store(driver, tmp_path / "harbour", HEADS)
        await trigger(opened, "audit")
        page.show_lists(AuditList.IGNORED)
        await opened.controller.settled()
        assert [c.uuid for c in contents(page.listed)] == [uuid_of("rose")]
        assert "store_io" in page.head.state.text()


async def test_a_session_that_cannot_be_read_leaves_no_prompts_of_another(
    tmp_path: Path, driver: Driver
) -> None:
    async with harbour(tmp_path) as opened:
        await trigger(opened, "audit")
        page = audit_page(opened)
        assert len(page.prompts.lines.lines) == 3
        break_store(driver, tmp_path, "session_id IN (")
        press(page.sessions, Qt.Key.Key_Down)
        await opened.controller.settled()
        assert driver.raised
        assert "store_io" in page.head.state.text()
        assert len(page.prompts.lines.lines) == 0
        assert contents(page.shown) == [] and page.words.text() == ""
        driver.fault = None
        page.head.again.click()
        await opened.controller.settled()
        assert len(page.prompts.lines.lines) == 3
        assert "Session morning" in page.words.text()
