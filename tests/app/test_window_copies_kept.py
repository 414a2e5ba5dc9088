"""Two copies of one store have one id: what is kept for one is not lost, nor the other's."""

import json
import shutil
from pathlib import Path

from core.appdata.database import AppDatabase
from core.appdata.pending import Pending
from core.appdata.places import StorePlace
from core.commands.changes import Change, Remember, Retire
from core.commands.staging import Staged
from core.readmodels import MemoryDetail
from tests.support.child import child, end_of, run_child
from tests.support.digests import all_digests
from tests.support.personal_window import personal_window
from tests.support.staged import seen
from tests.support.stores import STORE_ID, place_of, uuid_of, writing
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services
from tests.support.write_window import Writer, stored

_APP = "tests.support.killed_window"
_RETIRES_FERRY = "Retire: the ferry waits for the tide, can be committed"


def _copies(folder: Path) -> tuple[Path, Path]:
    first = ferry_store(folder / "p")
    return first, Path(shutil.copytree(first, folder / "copy"))


async def _keep(
    folder: Path, place: StorePlace, *changes: tuple[Change, MemoryDetail | None]
) -> None:
    """Leave in the program's own file what an earlier run had staged for a file."""
    given = stub_services(stub(), folder)
    database = await AppDatabase.open(given.data_dir, given.clock)
    numbered = [Staged(number, *change) for number, change in enumerate(changes, 1)]
    await Pending(database, given.clock).save(place, numbered)
    await database.close()


async def test_a_copy_in_which_nothing_is_staged_takes_nothing_from_the_other(
    tmp_path: Path,
) -> None:
    first, second = _copies(tmp_path)
    async with personal_window(stub_services(stub(), tmp_path), first) as personal:
        writer = Writer(personal.opened)
        await personal.opened.search("tide tables")
        await writer.retire("ferry")
        await personal.opened.add(second)
        assert writer.entries() == []
        await writer.open_editor("new_memory")
        await writer.stage_text("of the copy", "only there")
        await personal.settled()
    async with personal_window(stub_services(stub(), tmp_path), first) as again:
        writer = Writer(again.opened)
        await until(lambda: writer.entries() == [_RETIRES_FERRY])
        await again.opened.add(second)
        await until(lambda: writer.entries() == ["New memory: of the copy, can be committed"])
        await again.settled()
        await again.opened.add(first)
        await until(lambda: writer.entries() == [_RETIRES_FERRY])
        await writer.commit()
        await again.settled()
    assert stored(first)[uuid_of("ferry")][0] == 0
    assert stored(second)[uuid_of("ferry")][0] == 1


def test_two_copies_in_a_killed_window_each_have_their_own_again(tmp_path: Path) -> None:
    first, second = _copies(tmp_path)
    before = all_digests(first), all_digests(second)
    with child(_APP, "copies", str(first), str(second)) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.kill()
        assert end_of(process).code == -9
    assert (all_digests(first), all_digests(second)) == before
    ended = run_child(_APP, "look_at_copies", str(first), str(second))
    assert (ended.code, ended.err) == (0, "")
    of_first, of_second = json.loads(ended.out)
    assert of_first == [_RETIRES_FERRY]
    assert len(of_second) == 4
    assert "New memory: a new fact, can be committed" in of_second
    assert of_second[-1] == "1 draft of this store is not staged yet."


async def test_what_was_staged_for_a_project_that_was_moved_is_offered_and_staged_again(
    tmp_path: Path,
) -> None:
    first, second = _copies(tmp_path)
    await _keep(tmp_path, place_of(first), (Retire(uuid_of("ferry"), 1), seen("ferry")))
    moved = first.rename(tmp_path / "moved")
    async with personal_window(stub_services(stub(), tmp_path), moved) as personal:
        writer = Writer(personal.opened)
        await until(lambda: "1 staged change of this store was made for" in writer.said())
        assert str(first) in writer.said()
        assert writer.entries() == []
        await personal.opened.add(second)
        await until(lambda: "1 staged change of this store" in writer.said())
        await personal.opened.add(moved)
        personal.window.message_bar.action_wanted.emit("strays", "adopt")
        await until(lambda: len(writer.entries()) == 1)
        await personal.settled()
        assert "1 staged change of this store" not in writer.said()
    async with personal_window(stub_services(stub(), tmp_path), moved) as again:
        writer = Writer(again.opened)
        await until(lambda: len(writer.entries()) == 1)
        await again.opened.add(second)
        await again.settled()
        assert writer.entries() == []
        assert "staged change of this store" not in writer.said()


async def test_what_is_taken_over_comes_beside_what_is_staged_already(tmp_path: Path) -> None:
    first = ferry_store(tmp_path / "p")
    gone = StorePlace(STORE_ID, str(tmp_path / "gone" / "memory.db"))
    await _keep(
        tmp_path,
        gone,
        (Retire(uuid_of("ferry"), 1), seen("ferry")),
        (Remember("from before", "the move"), None),
    )
    async with personal_window(stub_services(stub(), tmp_path), first) as personal:
        writer = Writer(personal.opened)
        await until(lambda: "2 staged changes of this store were made for" in writer.said())
        await writer.open_editor("new_memory")
        await writer.stage_text("after", "the move")
        personal.window.message_bar.action_wanted.emit("strays", "adopt")
        await until(lambda: len(writer.entries()) == 3)
        await personal.settled()
    async with personal_window(stub_services(stub(), tmp_path), first) as again:
        writer = Writer(again.opened)
        await until(lambda: len(writer.entries()) == 3)
        await again.settled()
        assert [entry.split(",")[0] for entry in writer.entries()] == [
            "New memory: after",
            "Retire: gist of ferry",
            "New memory: from before",
        ]


async def test_each_copy_tells_of_what_others_wrote_in_it(tmp_path: Path) -> None:
    first, second = _copies(tmp_path)
    async with personal_window(stub_services(stub(), tmp_path), first) as personal:
        await personal.opened.add(second)
        await personal.settled()
    for project, number in ((first, 3), (second, 1)):
        with writing(project) as raw:
            for op in range(number):
                raw.execute(
                    "INSERT INTO event(at, session_id, client_kind, op_id, kind, memory_uuid) "
                    "VALUES ('2026-01-01T00:00:00+00:00', 'other', 'mcp', ?, 'amend', ?)",
                    (f"op{op}", uuid_of("ferry")),
                )
    async with personal_window(stub_services(stub(), tmp_path), first) as again:
        writer = Writer(again.opened)
        await until(lambda: "3 changes by others" in writer.said())
        writer.writing.inbox.open()
        await until(lambda: writer.writing.inbox.dialog is not None)
        assert writer.writing.inbox.dialog is not None
        writer.writing.inbox.dialog.reject()
        await again.settled()
        await again.opened.add(second)
        await until(lambda: "1 change by others" in writer.said())
        await again.settled()
