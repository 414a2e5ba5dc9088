"""Exports of hostile texts: JSON loses nothing, no CSV cell is a formula, Markdown stays text."""

import csv
import io
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given

from core.documents.export_content import Export, ExportedMemory, ExportFormat
from core.documents.export_csv import COLUMNS, export_csv, safe_cell
from core.documents.export_file import export_bytes, write_export
from core.documents.export_markdown import fenced, memory_markdown
from core.documents.search_document import StoreLine
from core.errors import ErrorCode, GenizahError
from core.progress import WorkCancelledError
from core.readmodels import MemoryDetail, MemoryHead
from core.store.text import well_formed
from tests.support.properties import PROPERTY, any_texts

_STORE = StoreLine("/p/.zikaron/memory.db", "store", 4, "stub/words")


def _memory(gist: str = "quay", content: str = "opens at six", uuid: str = "u1") -> ExportedMemory:
    times = ("2026-03-01T12:00:00+00:00", "2026-03-02T09:30:15.5+00:00")
    head = MemoryHead(1, uuid, "journal", gist, True, None, 2, *times, "s1", 7)
    return ExportedMemory(0, MemoryDetail(head, content, False))


def _export(*memories: ExportedMemory) -> Export:
    return Export((_STORE,), memories)


def _cells(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


@given(any_texts, any_texts)
@PROPERTY
def test_json_gives_back_the_very_texts(gist: str, content: str) -> None:
    raw = b"".join(export_bytes(_export(_memory(gist, content)), ExportFormat.JSON))
    assert raw.isascii()
    assert raw.count(b"\n") == 1
    (told,) = json.loads(raw)["memories"]
    assert (told["gist"], told["content"]) == (gist, content)


@given(any_texts, any_texts)
@PROPERTY
def test_every_csv_row_is_read_back_and_none_begins_as_a_formula(gist: str, content: str) -> None:
    (row,) = _cells("".join(export_csv(_export(_memory(gist, content)))))
    assert tuple(row) == COLUMNS
    for told, stored in ((row["gist"], gist), (row["content"], content)):
        assert told.removeprefix("'") == well_formed(stored).removeprefix("'")
        assert not told.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r"))


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+49 30 1234",
        "-2",
        "@SUM(A1)",
        "\tx",
        "\rx",
        "\nx",
        "  =1",
        "\x00=1",
        "＝1",
        '=cmd|" /C calc"!A0',
    ],
)
def test_a_text_that_a_spreadsheet_would_calculate_gets_an_apostrophe(text: str) -> None:
    assert safe_cell(text) == f"'{text}"


@pytest.mark.parametrize("text", ["quay", "a=b", "1-2", "'tis", "mail@quay", "", " "])
def test_any_other_text_stays_as_it_is(text: str) -> None:
    assert safe_cell(text) == text


def test_every_text_of_a_row_is_made_safe_and_numbers_stay_numbers() -> None:
    hostile = MemoryHead(1, "=u", "+t", "-g", False, "@b", 3, "=c", "=d", "=s", -4)
    memory = ExportedMemory(0, MemoryDetail(hostile, "=x", False), 5)
    (row,) = _cells("".join(export_csv(_export(memory))))
    assert [c for c in row.values() if c.startswith(("=", "+", "-", "@"))] == ["-4"]
    assert (row["version"], row["token_count"], row["position"]) == ("3", "-4", "5")


def test_a_csv_file_begins_with_the_mark_and_quotes_as_rfc_4180_says() -> None:
    raw = b"".join(export_bytes(_export(_memory('say "six", please', "a\nb")), ExportFormat.CSV))
    assert raw.startswith(b"\xef\xbb\xbfposition,group,store,")
    assert raw.endswith(b"\r\n")
    assert b'"say ""six"", please","a\nb",' in raw


@pytest.mark.parametrize("content", ["```", "a\n````\n# b", "`" * 2000, "~~~", "a\r````\rb", "\\`"])
def test_the_fence_is_longer_than_any_run_of_backticks_inside(content: str) -> None:
    told = fenced(content)
    fence = re.match("`+", told)
    assert fence is not None
    longest = max((len(run) for run in re.findall("`+", content)), default=0)
    assert len(fence[0]) > max(longest, 2)
    assert told == f"{fence[0]}text\n{content}\n{fence[0]}"


def test_markdown_outside_the_fence_is_escaped_and_each_fact_has_its_line() -> None:
    head = _memory("<b>*quay*</b>\n# `x` [a](http://b)").detail.head
    told = memory_markdown(ExportedMemory(0, MemoryDetail(head, "opens", False), 3))
    heading, _, uuid, facts, session, *_ = told.split("\n")
    assert heading == r"## 3. \<b\>\*quay\*\</b\> \# \`x\` \[a\](http\://b)"
    assert (uuid, session) == ("- uuid u1", "- session s1")
    assert facts == (
        "- live, journal, version 2, created 2026-03-01 12:00:00 UTC, "
        "changed 2026-03-02 09:30:15 UTC"
    )


@given(any_texts)
@PROPERTY
def test_any_text_can_be_written_in_any_form(text: str) -> None:
    for form in ExportFormat:
        raw = b"".join(export_bytes(_export(_memory(text, text, text)), form))
        assert raw.decode("utf-8").endswith("\n")


def test_a_file_is_for_its_owner_alone_and_holds_exactly_the_bytes(tmp_path: Path) -> None:
    target = tmp_path / "out.json"
    write_export(target, [b"whole"])
    assert target.read_bytes() == b"whole"
    assert target.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [target]


def test_a_file_that_is_there_stays_and_so_does_a_broken_link(tmp_path: Path) -> None:
    there, link = tmp_path / "there.csv", tmp_path / "link.csv"
    there.write_bytes(b"mine")
    link.symlink_to(tmp_path / "nowhere")
    for target in (there, link):
        with pytest.raises(GenizahError) as refusal:
            write_export(target, [b"new"])
        assert (refusal.value.code, refusal.value.exit_code) == (ErrorCode.USAGE, 2)
    assert there.read_bytes() == b"mine"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link.csv", "there.csv"]
    write_export(there, [b"new"], overwrite=True)
    assert there.read_bytes() == b"new"


def test_a_file_that_appears_while_we_write_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, flush = tmp_path / "out.md", os.fsync

    def someone_else(descriptor: int) -> None:
        target.write_bytes(b"theirs")
        flush(descriptor)

    monkeypatch.setattr(os, "fsync", someone_else)
    with pytest.raises(GenizahError, match="is there already"):
        write_export(target, [b"ours"])
    assert target.read_bytes() == b"theirs"
    assert list(tmp_path.iterdir()) == [target]


def test_no_piece_of_an_export_is_more_than_one_memory_and_the_whole_is_one_object() -> None:
    many = [_memory(f"quay {n}", "opens" * n, f"u{n}") for n in range(50)]
    for form in ExportFormat:
        pieces = list(export_bytes(_export(*many), form))
        assert all(piece.count(b"quay ") <= 1 for piece in pieces)
    raw = b"".join(export_bytes(_export(*many), ExportFormat.JSON)).decode()
    assert raw == json.dumps(json.loads(raw)) + "\n"
    assert list(json.loads(raw)) == ["schema", "stores", "query", "memories", "notices"]


def test_what_ends_the_writing_leaves_nothing_or_the_old_file(tmp_path: Path) -> None:
    def broken() -> Iterator[bytes]:
        yield b"half of "
        raise WorkCancelledError

    def unwanted() -> None:
        raise WorkCancelledError

    there, new = tmp_path / "there.md", tmp_path / "new.md"
    there.write_bytes(b"mine")
    for target in (there, new):
        overwrite = target is there
        with pytest.raises(WorkCancelledError):
            write_export(target, broken(), overwrite=overwrite)
        with pytest.raises(WorkCancelledError):
            write_export(target, [b"whole"], overwrite=overwrite, before_end=unwanted)
    assert there.read_bytes() == b"mine"
    assert list(tmp_path.iterdir()) == [there]


@pytest.mark.parametrize("fails_at", [1, 2])
def test_a_disk_that_is_full_leaves_nothing(
    fails_at: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def full(descriptor: int) -> None:
        asked.append(descriptor)
        if len(asked) == fails_at:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(GenizahError) as failure:
        write_export(tmp_path / "out.md", [b"ours"])
    assert failure.value.code is ErrorCode.STORE_IO
    assert list(tmp_path.iterdir()) == []


def test_folders_that_are_missing_or_a_stores_are_refused(tmp_path: Path) -> None:
    (tmp_path / ".zikaron").mkdir()
    for target in (
        tmp_path / "missing" / "out.md",
        tmp_path / ".zikaron" / "out.md",
        tmp_path,
    ):
        with pytest.raises(GenizahError) as refusal:
            write_export(target, [b"x"], overwrite=True)
        assert refusal.value.code is ErrorCode.USAGE
    assert [p.name for p in tmp_path.iterdir()] == [".zikaron"]
    assert list((tmp_path / ".zikaron").iterdir()) == []


def test_a_memory_names_a_store_of_the_export() -> None:
    memory = _memory()
    with pytest.raises(ValueError, match="one of the stores"):
        Export((_STORE,), (ExportedMemory(1, memory.detail),))
