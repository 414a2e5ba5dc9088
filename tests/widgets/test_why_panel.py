"""The Why panel: what it says is what it copies."""

from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QToolButton
from pytestqt.qtbot import QtBot

from tests.widgets.builders import Found, head, outcome, pool
from tests.widgets.explanations import why
from widgets.fitted_area import FittedArea
from widgets.theme import Scheme, apply_theme, palette_of
from widgets.why_panel import WhyPanel


def _panel(qtbot: QtBot) -> WhyPanel:
    panel = WhyPanel()
    qtbot.addWidget(panel)
    panel.show()
    return panel


def _headline(panel: WhyPanel) -> str:
    return panel.findChildren(QLabel)[0].text()


def test_the_sentence_comes_first_and_the_numbers_below(qtbot: QtBot) -> None:
    panel = _panel(qtbot)
    why(pool(3), 2).show_in(panel)
    assert _headline(panel).startswith(
        "Second because both arms found it (words #2, meaning #2); #1 stands above it by its score"
    )
    shown = panel.lines.toPlainText()
    assert shown.startswith("Query\n")
    assert "1/(60+2) + 1/(60+2) = " in shown


def test_copy_gives_sentence_and_numbers_as_plain_text(qtbot: QtBot) -> None:
    panel = _panel(qtbot)
    why(pool(3), 2).show_in(panel)
    panel.findChildren(QToolButton)[0].click()
    copied = QGuiApplication.clipboard().text()
    assert copied == panel.text()
    assert copied.startswith("Second because")
    assert "limit 5: inside, #2 of 3" in copied


def test_a_selection_is_copied_as_text_only(qtbot: QtBot) -> None:
    panel = _panel(qtbot)
    why(pool(3), 2).show_in(panel)
    panel.lines.selectAll()
    panel.lines.copy()
    assert QGuiApplication.clipboard().mimeData().formats() == ["text/plain"]
    assert "Fusion\n" in QGuiApplication.clipboard().text()


def test_a49_markup_in_stored_text_is_text(qtbot: QtBot) -> None:
    panel = _panel(qtbot)
    found = outcome([Found(head(1, "<b>bold</b>"), 1, 1), Found(head(2), 2, 2)], "<i>x</i> &amp;")
    why(found, 2).show_in(panel)
    shown = panel.lines.toPlainText()
    assert "“<i>x</i> &amp;”" in shown and "“<b>bold</b>”" in shown


def test_a_memory_outside_the_ranking_says_so_and_has_nothing_to_copy(qtbot: QtBot) -> None:
    panel = _panel(qtbot)
    why(pool(3), 2).show_in(panel)
    panel.show_outside("This memory is not in the pool <b>.")
    assert _headline(panel) == "This memory is not in the pool <b>."
    assert panel.lines.toPlainText() == ""
    assert not panel.findChildren(QToolButton)[0].isEnabled()
    panel.clear()
    assert "Select a ranked memory" in _headline(panel)


def test_the_colours_follow_the_theme(qtbot: QtBot, qapp: QApplication) -> None:
    apply_theme(qapp, Scheme.LIGHT)
    panel = _panel(qtbot)
    why(pool(3), 2).show_in(panel)
    apply_theme(qapp, Scheme.DARK)

    def colour() -> QColor:
        cursor = panel.lines.textCursor()
        cursor.setPosition(1)
        return cursor.charFormat().foreground().color()

    dark = palette_of(Scheme.DARK).text().color()
    qtbot.waitUntil(lambda: colour() == dark, timeout=1000)
    apply_theme(qapp, Scheme.LIGHT)


def test_a_long_sentence_in_a_low_panel_is_scrolled_and_not_cut(qtbot: QtBot) -> None:
    panel = WhyPanel()
    qtbot.addWidget(panel)
    panel.resize(300, 140)
    panel.show()
    panel.show_outside("Fourth because only the meaning search found it. " * 12)
    area = panel.findChild(FittedArea)
    assert isinstance(area, FittedArea)
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() > 0)
    assert area.height() <= panel.height() // 2
    panel.resize(900, 600)
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() == 0)


def test_a_sentence_with_more_room_than_it_needs_stands_at_its_top(qtbot: QtBot) -> None:
    label = _panel(qtbot)._headline
    label.setGeometry(0, 0, 400, 3 * label.fontMetrics().height())  # its area shows the first line
    drawn = label.fontMetrics().boundingRect(
        label.contentsRect(), label.alignment(), label.text()
    )
    assert drawn.bottom() <= label.fontMetrics().height()
