"""Pairs that are no duplicates, as the program's own file keeps them."""

from pathlib import Path

import pysqlite3

from core.appdata.database import FILE_NAME, AppDatabase
from core.appdata.duplicate_marks import DuplicateMarks
from core.appdata.schema import STEPS
from core.duplicates.keys import MemoryKey, pair_of
from tests.support.writing import SetClock

_ONE = pair_of(MemoryKey("s", "a"), MemoryKey("s", "b"))
_ODD = pair_of(MemoryKey("s", "half \ud800"), MemoryKey("other", "b\x00"))


async def test_marks_outlive_the_program_and_can_be_withdrawn(tmp_path: Path) -> None:
    database = await AppDatabase.open(tmp_path, SetClock())
    marks = DuplicateMarks(database, SetClock())
    await marks.mark([_ONE, _ODD])
    await marks.mark([(_ONE[1], _ONE[0])])
    assert await marks.all() == {_ONE, _ODD}
    await database.close()
    database = await AppDatabase.open(tmp_path, SetClock())
    marks = DuplicateMarks(database, SetClock())
    assert await marks.all() == {_ONE, _ODD}
    await marks.withdraw([(_ODD[1], _ODD[0])])
    assert await marks.all() == {_ONE}
    await marks.clear()
    assert await marks.all() == frozenset()
    await database.close()


async def test_a_file_from_before_gets_the_table_and_keeps_its_notes(tmp_path: Path) -> None:
    raw = pysqlite3.connect(str(tmp_path / FILE_NAME), isolation_level=None)
    for step in STEPS[:3]:
        for statement in step:
            raw.execute(statement)
    raw.execute("INSERT INTO inbox_mark VALUES ('s', 7)")
    raw.execute("PRAGMA user_version = 3")
    raw.close()
    database = await AppDatabase.open(tmp_path, SetClock())
    marks = DuplicateMarks(database, SetClock())
    assert await marks.all() == frozenset()
    await marks.mark([_ONE])
    assert await marks.all() == {_ONE}
    async with database.reading() as connection:
        assert await connection.rows("SELECT store_id, event_id FROM inbox_mark") == [("s", 7)]
    await database.close()
