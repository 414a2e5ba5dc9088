"""Several stores in one window: a change goes to the store that its row came from."""

import shutil
from pathlib import Path

from tests.support.digests import all_digests
from tests.support.open_window import OpenWindow, open_window
from tests.support.several import front, lines, store_of, tide_stores, tides
from tests.support.stores import uuid_of, writing
from tests.support.wait import until
from tests.support.window_stores import stub, stub_services
from tests.support.write_window import Writer, stored
from tests.support.writing import problems_of


def pending(opened: OpenWindow) -> list[str]:
    """Return what waits in the bar."""
    return Writer(opened).entries()


async def test_what_is_staged_in_one_store_waits_while_another_is_in_front(
    tmp_path: Path,
) -> None:
    first, second = (store_of(tmp_path / name, tides(name)) for name in ("quay", "pier"))
    before = all_digests(first), all_digests(second)
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        opened.controller.open_paths([first, second])
        await opened.settled()
        await opened.search("tide")
        writer = Writer(opened)
        await writer.retire("quay0")
        await opened.select(uuid_of("pier0"))
        assert front(opened) == "pier"
        assert pending(opened) == []
        assert lines(opened)["quay"].staged == 1
        assert "1 staged" in lines(opened)["quay"].spoken
        await writer.retire("pier0")
        title = opened.window.pending_bar.title()
        assert title == "1 change staged in pier; nothing is written yet"
        assert pending(opened) == ["Retire: tide pier 0, can be committed"]
        assert (all_digests(first), all_digests(second)) == before, "nothing is written yet"
        assert "Retire 1 memory in pier?" in await writer.commit()
        assert stored(second)[uuid_of("pier0")][:3] == (0, None, 2)
        assert all_digests(first) == before[0]
        await opened.select(uuid_of("quay1"))
        assert pending(opened) == ["Retire: tide quay 0, can be committed"]
        await writer.commit()
        assert stored(first)[uuid_of("quay0")][:3] == (0, None, 2)
        assert stored(first)[uuid_of("quay1")][0] == 1
    for number, project in enumerate((first, second)):
        assert problems_of(project, tmp_path / f"scratch{number}") == []


async def test_closing_a_store_says_what_is_staged_for_it_and_loses_nothing(
    tmp_path: Path,
) -> None:
    async with tide_stores(tmp_path, "quay", "pier") as opened:
        await opened.search("tide")
        writer = Writer(opened)
        await writer.retire("quay0")
        await opened.select(uuid_of("pier0"))
        opened.window.sidebar.stores.close_wanted.emit(lines(opened)["quay"].key)
        await opened.settled()
        assert "1 staged change of quay waits for it to be opened again." in writer.said()
        await writer.retire("pier0")
        opened.window.actions_by_name["close_store"].trigger()
        assert "1 staged change of pier waits for it to be opened again." in writer.said()
        await opened.settled()
        await opened.add(tmp_path / "quay")
        assert [entry.split(",")[0] for entry in pending(opened)] == ["Retire: tide quay 0"]
        await opened.add(tmp_path / "pier")
        assert [entry.split(",")[0] for entry in pending(opened)] == ["Retire: tide pier 0"]


async def test_a43_an_amend_goes_to_the_copy_that_the_row_came_from(tmp_path: Path) -> None:
    first = store_of(tmp_path / "work" / "notes", tides("notes"))
    second = tmp_path / "home" / "notes"
    shutil.copytree(first, second)
    with writing(second) as raw:
        raw.execute("UPDATE memory SET version = 2 WHERE uuid = ?", [uuid_of("notes0")])
    before = all_digests(first)
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        opened.controller.open_paths([first, second])
        await opened.settled()
        await opened.search("tide notes")
        opened.window.results_page.group_bar.tabs.setCurrentIndex(1)
        await opened.settled()
        await opened.select(uuid_of("notes0"))
        assert front(opened) == "home/notes"
        writer = Writer(opened)
        await writer.open_editor("amend")
        opened.window.results_page.group_bar.tabs.setCurrentIndex(0)
        await opened.settled()
        await opened.select(uuid_of("notes0"))
        assert front(opened) == "work/notes"
        dialog = writer.writing.editors.open[-1].dialog
        dialog.put("tide notes anew", "the quay at home")
        assert not dialog.stage.isEnabled(), "its store is not in front"
        opened.window.results_page.group_bar.tabs.setCurrentIndex(1)
        await opened.settled()
        await opened.select(uuid_of("notes0"))
        await until(dialog.stage.isEnabled)
        await writer.stage_text("tide notes anew", "the quay at home")
        await writer.commit()
    assert stored(second)[uuid_of("notes0")][2] == 3
    assert stored(first)[uuid_of("notes0")][2] == 1
    assert all_digests(first) == before


async def test_memories_of_two_stores_are_never_changed_together(tmp_path: Path) -> None:
    async with tide_stores(tmp_path, "quay", "pier") as opened:
        await opened.search("tide")
        view = opened.window.hit_view.list
        view.selectAll()
        view.setFocus()
        await opened.settled()
        in_front = front(opened)
        Writer(opened).trigger("retire")
        await until(lambda: len(pending(opened)) == 3)
        assert all(f"tide {in_front}" in entry for entry in pending(opened))


async def test_a_commit_of_an_agent_in_any_checked_store_shows(tmp_path: Path) -> None:
    second = tmp_path / "pier"
    async with tide_stores(tmp_path, "quay", "pier") as opened:
        await opened.search("tide")
        await opened.select(uuid_of("quay2"))
        with writing(second) as raw:
            raw.execute("UPDATE memory SET active = 0 WHERE uuid = ?", [uuid_of("pier1")])
        await until(lambda: uuid_of("pier1") not in opened.rows())
        await opened.settled()
        assert len(opened.rows()) == 5
        assert opened.window.hit_view.selected_uuid() == uuid_of("quay2")
        assert "6 memories: 5 live · 0 replaced · 1 retired" in opened.window.status_strip.words()


async def test_a_replaced_file_of_a_store_beside_the_front_one_is_opened_anew(
    tmp_path: Path,
) -> None:
    first, second = (store_of(tmp_path / name, tides(name)) for name in ("quay", "pier"))
    made = store_of(tmp_path / "made", tides("made", 2))
    async with open_window(stub_services(stub(), tmp_path)) as opened:
        opened.controller.open_paths([first, second])
        await opened.settled()
        await opened.search("tide")
        await opened.select(uuid_of("quay2"))
        (made / ".zikaron" / "memory.db").replace(second / ".zikaron" / "memory.db")
        await until(lambda: uuid_of("made0") in opened.rows())
        await opened.settled()
        assert front(opened) == "quay"
        assert opened.window.hit_view.selected_uuid() == uuid_of("quay2")
        assert len(opened.rows()) == 5
