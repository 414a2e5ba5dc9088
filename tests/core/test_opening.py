"""Opening a store: every check in its order, each with a message of its own; nothing is changed."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import ErrorCode, GenizahError
from core.notices import NoticeCode
from core.readmodels import StateCounts
from core.store import memories
from core.store.database import Database
from core.store.location import locate, locate_upwards
from core.store.opening import StoreFacts
from core.store.salvage import save_readable_rows
from tests.support.digests import all_digests
from tests.support.engine import open_engine
from tests.support.stores import STORE_ID, Memory, build_store, distractors, uuid_of, writing


async def _refusal(path: Path) -> GenizahError:
    with pytest.raises(GenizahError) as refusal:
        await Database.open(locate(path))
    return refusal.value


async def _facts(path: Path) -> StoreFacts:
    database = await Database.open(locate(path))
    await database.close()
    return database.facts


def _codes(facts: StoreFacts) -> list[str]:
    return [n.code.value for n in facts.notices]


def _not_ours(path: Path) -> None:
    import sqlite3

    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE shopping (item TEXT)")
    connection.commit()
    connection.close()


_WRONG: dict[str, tuple[Callable[[Path], object], ErrorCode, str]] = {
    "empty": (Path.touch, ErrorCode.EMPTY_FILE, "is an empty file"),
    "text": (
        lambda p: p.write_text("memories are made of this"),
        ErrorCode.NOT_A_DATABASE,
        "is not a SQLite database",
    ),
    "other": (_not_ours, ErrorCode.NOT_A_STORE, "not a memory store: it has no table memory"),
    "folder": (Path.mkdir, ErrorCode.NOT_A_FILE, "is a folder without a memory store"),
}


@pytest.mark.parametrize("kind", _WRONG)
async def test_four_things_that_are_no_store_get_four_plain_messages_a29(
    kind: str, tmp_path: Path
) -> None:
    make, code, says = _WRONG[kind]
    path = tmp_path / "memory.db"
    make(path)
    before = path.read_bytes() if path.is_file() else None
    refusal = await _refusal(path)
    assert refusal.code is code
    assert says in refusal.message
    assert str(path) in refusal.message
    assert sorted(p.name for p in tmp_path.iterdir()) == ["memory.db"], "nothing was created"
    assert (path.read_bytes() if path.is_file() else None) == before


async def test_nothing_there_is_said_with_the_path(tmp_path: Path) -> None:
    refusal = await _refusal(tmp_path / "nowhere")
    assert refusal.code is ErrorCode.NO_STORE
    assert str(tmp_path / "nowhere") in refusal.message
    with pytest.raises(GenizahError) as upwards:
        locate_upwards(tmp_path)
    assert upwards.value.code is ErrorCode.NO_STORE


async def test_a_store_that_is_being_reindexed_is_refused_before_its_meta_is_judged(
    tmp_path: Path,
) -> None:
    since = "2026-03-01T12:00:00+00:00"
    build_store(tmp_path, distractors(3), meta={"reindexing": since, "embed_dim": "nonsense"})
    refusal = await _refusal(tmp_path)
    assert (refusal.code, refusal.exit_code) == (ErrorCode.REINDEXING, 3)
    assert since in refusal.message


_BAD_META = [
    ("schema_version", [None, "abc", "", "0", "-1", "1.5", "４"]),
    ("store_id", [None, "", "x" * 36, STORE_ID[:-1], "12345678-1234-1234-8234-123456789012"]),
    ("embed_model", [None, ""]),
    ("embed_dim", [None, "0", "384.0", "many"]),
    ("chunk_max_tokens", [None, "63", "8193", "x"]),
]


@pytest.mark.parametrize(("key", "values"), _BAD_META)
async def test_a_fault_in_meta_names_its_key_a30(
    key: str, values: list[str | None], tmp_path: Path
) -> None:
    for number, value in enumerate(values):
        folder = build_store(tmp_path / str(number), distractors(2), meta={key: value})
        before = all_digests(folder)
        refusal = await _refusal(folder)
        assert (refusal.code, refusal.exit_code) == (ErrorCode.BAD_META, 4), value
        assert f"meta key {key} " in refusal.message
        assert refusal.fields["key"] == key
        assert all_digests(folder) == before


async def test_of_several_faults_in_meta_the_first_in_the_contracts_order_is_named(
    tmp_path: Path,
) -> None:
    keys = [key for key, _ in _BAD_META]
    for number in range(len(keys)):
        faults: dict[str, str | None] = dict.fromkeys(keys[number:])
        folder = build_store(tmp_path / str(number), distractors(1), meta=faults)
        assert (await _refusal(folder)).fields["key"] == keys[number]


async def test_without_a_meta_table_every_key_is_missing(tmp_path: Path) -> None:
    build_store(tmp_path, distractors(1))
    with writing(tmp_path) as raw:
        raw.execute("DROP TABLE meta")
    refusal = await _refusal(tmp_path)
    assert (refusal.code, refusal.fields["key"]) == (ErrorCode.BAD_META, "schema_version")


async def test_limits_of_meta_are_inside_and_unknown_keys_are_ignored(tmp_path: Path) -> None:
    for chunk in ("64", "8192"):
        folder = build_store(
            tmp_path / chunk, distractors(1), meta={"chunk_max_tokens": chunk, "colour": "red"}
        )
        assert (await _facts(folder)).meta.chunk_max_tokens == int(chunk)


@pytest.mark.parametrize("version", ["1", "2", "3", "4"])
async def test_every_known_schema_version_opens_without_a_banner(
    version: str, tmp_path: Path
) -> None:
    build_store(tmp_path, distractors(1), meta={"schema_version": version})
    assert _codes(await _facts(tmp_path)) == []


async def test_a_newer_schema_is_shown_with_a_banner_and_never_stamped_a30(
    tmp_path: Path,
) -> None:
    build_store(tmp_path, distractors(30), meta={"schema_version": "99"})
    before = all_digests(tmp_path)
    async with open_engine(tmp_path) as engine:
        facts = engine.database.facts
        outcome = await engine.by_words("remark")
    assert _codes(facts) == [NoticeCode.NEWER_SCHEMA]
    assert "99" in facts.notices[0].text
    assert facts.meta.is_newer
    assert len(outcome.hits) == 30
    assert all_digests(tmp_path) == before


async def test_a_newer_schema_without_a_table_we_read_is_refused_as_newer_a30(
    tmp_path: Path,
) -> None:
    build_store(tmp_path, distractors(1), meta={"schema_version": "99"})
    with writing(tmp_path) as raw:
        raw.execute("DROP TABLE event")
    refusal = await _refusal(tmp_path)
    assert (refusal.code, refusal.exit_code) == (ErrorCode.SCHEMA_INCOMPATIBLE, 3)
    assert "99" in refusal.message
    assert "table event" in refusal.message


@pytest.mark.parametrize("table", ["memory_fts", "memory_chunk", "memory_vec", "event"])
async def test_a_store_without_one_of_its_tables_is_none(table: str, tmp_path: Path) -> None:
    build_store(tmp_path, distractors(1))
    with writing(tmp_path) as raw:
        raw.execute(f"DROP TABLE {table}")
    refusal = await _refusal(tmp_path)
    assert (refusal.code, refusal.exit_code) == (ErrorCode.NOT_A_STORE, 4)
    assert f"no table {table}" in refusal.message


async def test_a_store_cut_to_half_is_named_and_its_readable_rows_are_saved_a28(
    tmp_path: Path,
) -> None:
    build_store(tmp_path, [Memory(f"m{n}", f"note {n}", "word " * 250) for n in range(1000)])
    database = tmp_path / ".zikaron" / "memory.db"
    whole = database.read_bytes()
    assert len(whole) > 2_000_000
    database.write_bytes(whole[: len(whole) // 2])
    refusal = await _refusal(tmp_path)
    assert (refusal.code, refusal.exit_code) == (ErrorCode.DAMAGED, 4)
    assert str(database) in refusal.message
    saved = tmp_path / "saved.jsonl"
    count = await save_readable_rows(locate(tmp_path), saved)
    lines = saved.read_text().splitlines()
    assert count == len(lines)
    assert 100 <= count < 1000
    assert f'"gist": "note {count // 2}"' in saved.read_text()
    assert saved.stat().st_mode & 0o777 == 0o600
    assert database.read_bytes() == whole[: len(whole) // 2]


async def test_a_sound_store_is_saved_whole(tmp_path: Path) -> None:
    build_store(tmp_path, distractors(25))
    assert await save_readable_rows(locate(tmp_path), tmp_path / "saved.jsonl") == 25


async def test_one_damaged_text_leaves_nine_rows_as_they_are_a33(tmp_path: Path) -> None:
    build_store(tmp_path, [Memory(f"m{n}", f"note {n}", f"about {n}") for n in range(10)])
    with writing(tmp_path) as raw:
        raw.execute(
            "UPDATE memory SET gist = CAST(x'6869eda0bd' AS TEXT) WHERE uuid = ?", (uuid_of("m4"),)
        )
    async with open_engine(tmp_path) as engine:
        async with engine.database.browse.snapshot() as connection:
            rowids = await memories.rowids_newest_first(connection)
            heads = await memories.heads_by_rowid(connection, rowids)
            details = [await memories.detail(connection, h.uuid) for h in heads]
        outcome = await engine.by_words("about")
        literal = await engine.literal("note")
    gists = {h.uuid: h.gist for h in heads}
    assert [gists[uuid_of(f"m{n}")] for n in range(10) if n != 4] == [
        f"note {n}" for n in range(10) if n != 4
    ]
    assert gists[uuid_of("m4")].startswith("hi")
    assert [d.head.uuid for d in details if d is not None and d.is_damaged] == [uuid_of("m4")]
    assert len(outcome.hits) == 10
    assert literal.total == 9


async def test_a_text_stored_as_a_blob_reads_as_its_text(tmp_path: Path) -> None:
    build_store(tmp_path, [Memory("a", "first"), Memory("b", "second")])
    with writing(tmp_path) as raw:
        blob = "UPDATE memory SET gist = CAST('naïve' AS BLOB) WHERE uuid = ?"
        raw.execute(blob, (uuid_of("a"),))
    async with open_engine(tmp_path) as engine, engine.database.browse.snapshot() as connection:
        found = await memories.detail(connection, uuid_of("a"))
    assert found is not None
    assert found.head.gist == "naïve"
    assert await save_readable_rows(locate(tmp_path), tmp_path / "saved.jsonl") == 2
    assert '"gist": "na\\u00efve"' in (tmp_path / "saved.jsonl").read_text()


async def test_a_row_with_an_odd_version_is_read_only_and_readable(tmp_path: Path) -> None:
    build_store(tmp_path, [Memory("a", "first"), Memory("b", "second")])
    with writing(tmp_path) as raw:
        raw.execute("PRAGMA ignore_check_constraints = ON")
        raw.execute("UPDATE memory SET version = 'abc' WHERE uuid = ?", (uuid_of("a"),))
    async with open_engine(tmp_path) as engine, engine.database.browse.snapshot() as connection:
        found = await memories.heads_by_uuid(connection, [uuid_of("a"), uuid_of("b")])
    assert (found[uuid_of("a")].version, found[uuid_of("b")].version) == (None, 1)


async def test_a_store_reached_through_a_link_is_said_so(tmp_path: Path) -> None:
    build_store(tmp_path / "real", distractors(1))
    (tmp_path / "link").symlink_to(tmp_path / "real")
    facts = await _facts(tmp_path / "link")
    assert _codes(facts) == [NoticeCode.SYMLINK]
    assert str(tmp_path / "real" / ".zikaron" / "memory.db") in facts.notices[0].text
    assert _codes(await _facts(tmp_path / "real")) == []


_PATHS = (
    *("a#b", "a?mode=rwc", "100%25", "with space", "קובץ ñ 设备", "a;b&c"),
    *("it's \"quoted\"", "%2e"),
)


@pytest.mark.parametrize("name", _PATHS)
async def test_any_path_is_an_ordinary_path(name: str, tmp_path: Path) -> None:
    build_store(tmp_path / name, distractors(3))
    async with open_engine(tmp_path / name) as engine, engine.database.browse.snapshot() as reader:
        assert await memories.counts(reader) == StateCounts(3, 0, 0)
    beside = {p.name for p in tmp_path.iterdir()}
    assert beside == {name}, "nothing was made under another name"


async def test_a_path_that_is_not_utf8_is_an_ordinary_path(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9 \xff")
    build_store(tmp_path / "plain", distractors(3))
    (tmp_path / "plain").rename(tmp_path / name)
    async with open_engine(tmp_path / name) as engine:
        assert len((await engine.by_words("remark")).hits) == 3


@pytest.mark.parametrize("named", ["", ".zikaron", ".zikaron/memory.db"])
async def test_project_folder_store_folder_and_file_name_the_same_store(
    named: str, tmp_path: Path
) -> None:
    build_store(tmp_path, distractors(1))
    facts = await _facts(tmp_path / named)
    assert facts.location.database == tmp_path / ".zikaron" / "memory.db"
    assert facts.location.config == tmp_path / ".zikaron" / "config.toml"
    assert facts.meta.store_id == STORE_ID


async def test_the_nearest_store_above_is_found(tmp_path: Path) -> None:
    build_store(tmp_path, distractors(1))
    build_store(tmp_path / "inner", distractors(1))
    deep = tmp_path / "inner" / "a" / "b"
    deep.mkdir(parents=True)
    assert locate_upwards(deep).database == tmp_path / "inner" / ".zikaron" / "memory.db"
    assert locate_upwards(tmp_path).database == tmp_path / ".zikaron" / "memory.db"


async def test_every_refusal_is_one_sentence_about_one_file(tmp_path: Path) -> None:
    for kind, (make, _, _) in _WRONG.items():
        folder = tmp_path / kind
        folder.mkdir()
        make(folder / "memory.db")
        refusal = await _refusal(folder / "memory.db")
        assert "\n" not in refusal.message
        assert re.search(r"[.]$", refusal.message)
        assert refusal.path == str(folder / "memory.db")


async def test_a_path_too_long_for_the_system_is_an_error_of_the_path(tmp_path: Path) -> None:
    for look in (locate, locate_upwards):
        with pytest.raises(GenizahError) as refusal:
            look(tmp_path / ("x" * 5000))
        assert (refusal.value.code, refusal.value.exit_code) == (ErrorCode.NOT_READABLE, 4)


async def test_a_link_that_leads_to_itself_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert (await _refusal(tmp_path / "loop")).code is ErrorCode.NO_STORE


@pytest.mark.timeout(30)
async def test_a_row_number_beyond_the_files_size_does_not_make_the_saving_endless(
    tmp_path: Path,
) -> None:
    build_store(tmp_path, distractors(25))
    with writing(tmp_path) as raw:
        raw.execute(
            "UPDATE memory SET rowid = 4611686018427387904 WHERE rowid = "
            "(SELECT max(rowid) FROM memory)"
        )
    assert await save_readable_rows(locate(tmp_path), tmp_path / "saved.jsonl") == 24
