"""What a search marks in list and text: matched words, the part found by meaning, dead heads."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor

from tests.support.open_window import OpenWindow, open_window, spoken_rows
from tests.support.stores import Memory, build_store, distractors, uuid_of, writing
from tests.support.window_stores import stub, stub_services
from widgets.row_content import RowContent
from widgets.row_model import ROW_ROLE
from widgets.stored_text_view import StoredTextView


def marked_gists(opened: OpenWindow) -> dict[str, list[str]]:
    """Return what is marked in each row of the ranked list, by uuid."""
    model = opened.window.hit_view.list.model()
    rows = [model.data(model.index(row, 0), ROW_ROLE) for row in range(model.rowCount())]
    return {row.uuid: marked_of(row) for row in rows}


def marked_of(row: RowContent) -> list[str]:
    raw = row.gist.encode("utf-16-le")
    return [raw[2 * s : 2 * (s + n)].decode("utf-16-le") for s, n in row.matches]


def marked_text(view: StoredTextView) -> list[str]:
    selections = view.extraSelections()
    return [s.cursor.selectedText() for s in selections if s.format.fontUnderline()]


async def test_a09_accented_letters_are_marked_for_a_query_without_accents(
    tmp_path: Path,
) -> None:
    rows = [Memory("cv", "un café résumé", "le RÉSUMÉ\n\nrésumé"), *distractors(200)]
    project = build_store(tmp_path / "p", rows)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        for query in ("resume", "RÉSUMÉ", "cafe"):
            outcome = await opened.search(query)
            hit = outcome.hit(uuid_of("cv"))
            assert hit is not None and hit.lexical is not None, "matched by its words"
            expected = ["café"] if query == "cafe" else ["résumé"]
            assert marked_gists(opened)[uuid_of("cv")] == expected
        await opened.search("resume")
        await opened.select(uuid_of("cv"))
        assert marked_text(opened.window.detail_panel.title) == ["résumé"]
        assert marked_text(opened.window.detail_panel.text) == ["RÉSUMÉ", "résumé"]


async def test_marks_go_with_their_query(tmp_path: Path) -> None:
    rows = [Memory("a", "the ferry and the tide"), *distractors(200)]
    project = build_store(tmp_path / "p", rows)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("ferry")
        await opened.select(uuid_of("a"))
        assert marked_gists(opened)[uuid_of("a")] == ["ferry"]
        await opened.search("tide")
        assert marked_gists(opened)[uuid_of("a")] == ["tide"]
        assert marked_text(opened.window.detail_panel.title) == ["tide"]
        opened.type("")
        await opened.settled()
        opened.window.browse_view.select(uuid_of("a"))
        await opened.controller.settled()
        assert opened.window.detail_panel.shown_uuid == uuid_of("a")
        assert marked_text(opened.window.detail_panel.title) == []


async def test_a08_a_thai_word_inside_a_sentence_is_found_by_the_literal_list(
    tmp_path: Path,
) -> None:
    thai = "ฉันชอบกินข้าวเช้าทุกวัน"
    rows = [Memory("thai", thai, "x", vectors=()), *distractors(200)]
    project = build_store(tmp_path / "p", rows)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        outcome = await opened.search("ข้าว")
        assert outcome.hit(uuid_of("thai")) is None, "the agent's own search does not find it"
        assert opened.literal_rows() == [uuid_of("thai")]
        model = opened.window.literal_list.list.model()
        assert marked_of(model.data(model.index(0, 0), ROW_ROLE)) == ["ข้าว"]
        opened.window.literal_list.select(uuid_of("thai"))
        await opened.controller.settled()
        assert marked_text(opened.window.detail_panel.title) == ["ข้าว"]


async def test_a52_a_mark_never_cuts_a_character_as_read(tmp_path: Path) -> None:
    gist = "cafe\u0301s and 👨‍👩‍👧‍👦tide🇺🇸🇸🇪"
    project = build_store(tmp_path / "p", [Memory("a", gist, vectors=()), *distractors(200)])
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("cafes")
        assert marked_gists(opened)[uuid_of("a")] == ["cafe\u0301s"]


async def test_the_part_found_by_meaning_is_marked_and_can_be_gone_to(tmp_path: Path) -> None:
    # The stub's window of 32 leaves 28 tokens: paragraphs of 20 and 15 words do not go together.
    first, second = " ".join(["harbour"] * 20), " ".join(["lighthouse"] * 15)
    near = stub().embed(second)
    rows = [
        Memory("long", "gist", f"{first}\n\n{second}", vectors=[stub().embed("x"), near]),
        *distractors(20),
    ]
    project = build_store(tmp_path / "p", rows)
    set_sizes(project, (20, 15))
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search(second)
        await opened.select(uuid_of("long"))
        panel = opened.window.detail_panel
        assert panel._part_row.isVisible()
        assert panel._part.text().endswith("part 2 of 2")
        assert panel.text._part == (len(first) + 2, len(first) + 2 + len(second))
        panel._go_to_part.click()
        assert panel.text.hasFocus()
        assert panel.text.textCursor().position() == len(first) + 2


async def test_no_part_is_marked_where_the_stored_sizes_do_not_agree(tmp_path: Path) -> None:
    first, second = " ".join(["harbour"] * 20), " ".join(["lighthouse"] * 15)
    rows = [
        Memory(
            "long",
            "gist",
            f"{first}\n\n{second}",
            vectors=[stub().embed("x"), stub().embed(second)],
        ),
        *distractors(20),
    ]
    project = build_store(tmp_path / "p", rows)
    set_sizes(project, (20, 14))
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search(second)
        await opened.select(uuid_of("long"))
        assert not opened.window.detail_panel._part_row.isVisible()
        assert opened.window.detail_panel.text._part is None


def set_sizes(project: Path, sizes: tuple[int, ...]) -> None:
    with writing(project) as raw:
        for part, size in enumerate(sizes):
            raw.execute(
                "UPDATE memory_chunk SET token_count = ? WHERE memory_uuid = ? AND part_index = ?",
                (size, uuid_of("long"), part),
            )


async def test_a_dead_head_is_warned_of_in_every_list_and_in_the_detail(tmp_path: Path) -> None:
    rows = [
        Memory("head", "the pier was closed", active=False),
        Memory("old", "the pier is open", by="head"),
        Memory("gone", "the pier is long", active=False),
        *distractors(20),
    ]
    project = build_store(tmp_path / "p", rows)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.controller.settled()
        await opened.settled()
        browse = by_uuid(opened, opened.window.browse_view.table)
        assert "dead head" in browse[uuid_of("head")].warning
        assert "ends in a retired" in browse[uuid_of("old")].warning
        assert browse[uuid_of("gone")].warning == ""
        opened.window.search_bar.include_retired.setChecked(True)
        await opened.search("pier")
        ranked = by_uuid(opened, opened.window.hit_view.list)
        assert "dead head" in ranked[uuid_of("head")].warning
        spoken = spoken_rows(opened.window.hit_view.list)
        assert any("dead head" in words for words in spoken)
        await opened.select(uuid_of("head"))
        assert opened.window.detail_panel.badges.badges == ("dead head: retired, nothing newer",)
        await opened.select(uuid_of("old"))
        assert opened.window.detail_panel.badges.badges == ("chain ends in a retired memory",)


def by_uuid(opened: OpenWindow, view: object) -> dict[str, RowContent]:
    model = view.model()  # type: ignore[attr-defined]
    rows = [model.data(model.index(row, 0), ROW_ROLE) for row in range(model.rowCount())]
    return {row.uuid: row for row in rows if row is not None}


async def test_what_is_marked_is_copied_as_it_is_stored(tmp_path: Path) -> None:
    rows = [Memory("a", "gist", "the ti\u200bde and the tide"), *distractors(200)]
    project = build_store(tmp_path / "p", rows)
    async with open_window(stub_services(stub(), tmp_path), project) as opened:
        await opened.search("tide")
        await opened.select(uuid_of("a"))
        view = opened.window.detail_panel.text
        assert marked_text(view) == ["tide"]
        view.moveCursor(QTextCursor.MoveOperation.Start)
        view.selectAll()
        assert view.createMimeDataFromSelection().text() == "the ti\u200bde and the tide"
        assert view.textInteractionFlags() & Qt.TextInteractionFlag.LinksAccessibleByMouse == (
            Qt.TextInteractionFlag.NoTextInteraction
        )
