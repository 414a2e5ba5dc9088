"""What rows say and speak, and the shapes that tell states apart."""

import re
from collections.abc import Callable
from functools import partial

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QImage, QPainter
from PySide6.QtWidgets import QApplication, QStyle, QStyleOptionViewItem

from core.readmodels import State, Tier
from tests.widgets.builders import Found, head, literal, outcome, pool, uuid_of
from widgets.row_content import browse_row, hit_rows, literal_row
from widgets.row_delegate import RowDelegate, row_height
from widgets.row_marks import draw_bar, draw_state, draw_tier
from widgets.row_model import ROW_ROLE, FixedRows


def _image(draw: Callable[[QPainter], None]) -> QImage:
    image = QImage(32, 32, QImage.Format.Format_ARGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    draw(painter)
    painter.end()
    return image


def _draw_state(box: QRectF, state: State, colour: QColor, painter: QPainter) -> None:
    draw_state(painter, box, state, colour)


def _draw_tier(box: QRectF, tier: Tier, colour: QColor, painter: QPainter) -> None:
    draw_tier(painter, box, tier, colour)


def test_states_and_tiers_differ_by_shape_in_one_colour(qapp: QApplication) -> None:
    box, black = QRectF(8, 8, 16, 16), QColor("black")
    states = [_image(partial(_draw_state, box, state, black)) for state in State]
    tiers = [_image(partial(_draw_tier, box, tier, black)) for tier in Tier]
    for images in (states, tiers):
        assert all(a != b for i, a in enumerate(images) for b in images[:i])


def test_the_bar_is_as_long_as_its_share(qapp: QApplication) -> None:
    def dark_pixels(share: float) -> int:
        box = QRectF(1, 10, 30, 4)
        black, white = QColor("black"), QColor("white")
        image = _image(lambda p: draw_bar(p, box, share, black, white))
        return sum(image.pixelColor(x, 12).lightness() < 128 for x in range(32))

    assert dark_pixels(0.0) == 0
    assert dark_pixels(0.5) == pytest.approx(15, abs=1)
    assert dark_pixels(1.0) == pytest.approx(30, abs=1)
    assert dark_pixels(0.001) > 0


def test_a14_a_row_shows_ranks_and_a_bar_and_no_score() -> None:
    rows = hit_rows(outcome([Found(head(1), 1, 1), Found(head(2), None, 4)]), 5)
    assert [r.detail for r in rows] == ["words #1 · meaning #1", "words – · meaning #4"]
    assert rows[0].share == 1.0
    assert rows[1].share == (1 / 64) / (2 / 61)
    for row in rows:
        words = " ".join((row.gist, row.detail, row.aside, row.spoken, row.tip))
        assert not re.search(r"\d\.\d|bm25|score", words)


def test_a15_the_replacement_comes_first_and_the_old_row_says_by_what_it_was_replaced() -> None:
    old = head(0xA, "ssh port is 22", active=False, by=uuid_of(0xB))
    new = head(0xB, "we moved the shell service to 49222")
    rows = hit_rows(outcome([Found(old, 1, 1), Found(new, 40, 45)]), 1)
    assert [r.gist for r in rows] == [new.gist, old.gist]
    assert rows[1].aside == "replaced by 0000…"
    assert (rows[0].position, rows[1].position) == (1, 2)
    assert "seen by the agent" in rows[0].spoken
    assert "below the cut" in rows[1].spoken


def test_a_row_speaks_gist_state_and_rank() -> None:
    rows = hit_rows(outcome([Found(head(1, "use make", tier="long_term"), 2, None)]), 5)
    assert rows[0].spoken == (
        "use make, live, rank 1 of 1, seen by the agent, words 2, not found by meaning, long-term"
    )


def test_a33_a_damaged_row_is_marked_and_the_others_are_not() -> None:
    gists = ["hi\udced\udca0\udcbd", *(f"row {n}" for n in range(9))]
    rows = [browse_row(head(n, gist)) for n, gist in enumerate(gists)]
    assert rows[0].gist == "hi\ufffd\ufffd\ufffd"
    assert rows[0].warning == "damaged text"
    assert [r.warning for r in rows[1:]] == [""] * 9


def test_a42_an_odd_version_is_said_and_a_blank_gist_can_be_selected() -> None:
    row = browse_row(head(1, "\n\t", version=None))
    assert row.gist == "(blank)"
    assert "read-only row" in row.warning
    assert row.uuid == uuid_of(1)


def test_a50_a_row_with_hidden_characters_is_marked() -> None:
    row = browse_row(head(1, "pay\u200bpal"))
    assert (row.gist, row.warning) == ("pay⟨U+200B⟩pal", "hidden characters")
    assert "hidden characters" in row.spoken


def test_a_browse_row_says_when_and_a_literal_row_where() -> None:
    assert browse_row(head(1)).detail == "2026-03-04 10:20"
    assert browse_row(head(1, created_at="yesterday\n")).detail == "yesterday"
    assert literal_row(literal([1]).matches[0]).detail == "in the text · 2026-03-04 10:20"


@pytest.mark.parametrize("role", [Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole])
def test_a49_lists_show_markup_as_text(qapp: QApplication, role: Qt.ItemDataRole) -> None:
    model = FixedRows()
    model.set_rows([browse_row(head(1, "Use List<String> & &lt;b"))])
    shown = model.index(0).data(role)
    if role == Qt.ItemDataRole.DisplayRole:
        assert shown == "Use List<String> & &lt;b"
    else:
        assert "Use List&lt;String&gt; &amp; &amp;lt;b" in shown


def test_every_row_has_the_same_height(qapp: QApplication) -> None:
    height = row_height(qapp.font())
    assert height >= 2 * QFontMetrics(qapp.font()).height()


def test_a_cut_gist_ends_between_characters_as_read(qapp: QApplication) -> None:
    text = "e\u0301" * 200
    shown = QFontMetrics(qapp.font()).elidedText(text, Qt.TextElideMode.ElideRight, 150)
    assert shown.endswith("…")
    assert len(shown) % 2 == 1, "pairs of letter and accent, then the ellipsis"


def test_rows_of_every_kind_paint_without_a_warning(qapp: QApplication) -> None:
    model = FixedRows()
    heads = [
        head(1, "שלום (123) test", tier="long_term"),
        head(2, "x" * 3000, active=False, by=uuid_of(1)),
        head(3, "hi\udced", active=False, version=None),
        head(4, "e" + "\u0301" * 500),
    ]
    model.set_rows([browse_row(h) for h in heads])
    for state in (QStyle.StateFlag.State_None, QStyle.StateFlag.State_Selected):
        for row in range(len(heads)):
            image = QImage(300, 50, QImage.Format.Format_ARGB32)
            image.fill(QColor("white"))
            painter = QPainter(image)
            option = QStyleOptionViewItem()
            option.rect = image.rect()
            option.state = state | QStyle.StateFlag.State_Enabled
            RowDelegate().paint(painter, option, model.index(row))
            painter.end()
            ink = {image.pixel(x, y) for x in range(300) for y in range(50)}
            assert len(ink) > 1, "something was drawn"
    assert model.index(0).data(ROW_ROLE).uuid == uuid_of(1)


def test_a_pool_keeps_its_order_and_every_row(qapp: QApplication) -> None:
    rows = hit_rows(pool(70), 5)
    assert [r.position for r in rows] == list(range(1, 71))
    assert [r.uuid for r in rows] == [uuid_of(n) for n in range(1, 71)]
