"""The preferences: applied while the window is used, kept, and taken over from another window."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox, QPushButton

from app.history_controller import STAY_S
from core.appdata.choices import Preferences, ThemeChoice
from core.retrieval.encoder import Encoder
from tests.support.open_window import services
from tests.support.personal_window import PersonalWindow, personal_window
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services
from widgets.main_window import MainWindow
from widgets.name_dialog import NameDialog
from widgets.preferences_dialog import PreferencesDialog
from widgets.theme import is_dark


def open_dialogs(one: PersonalWindow) -> list[PreferencesDialog]:
    return [d for d in one.window.findChildren(PreferencesDialog) if d.isVisible()]


async def dialog_of(one: PersonalWindow) -> PreferencesDialog:
    one.trigger("preferences")
    await until(lambda: open_dialogs(one))
    (dialog,) = open_dialogs(one)
    return dialog


async def close(one: PersonalWindow, dialog: PreferencesDialog) -> None:
    dialog.reject()
    await until(lambda: not open_dialogs(one))
    await one.settled()


async def test_the_dialog_shows_what_is_in_force_and_opens_once(tmp_path: Path) -> None:
    async with personal_window(stub_services(stub(), tmp_path)) as one:
        dialog = await dialog_of(one)
        assert dialog.chosen() == Preferences()
        assert dialog.font_size.text() == "As the desktop"
        assert (dialog.limit.minimum(), dialog.limit.maximum()) == (1, 50)
        one.trigger("preferences")
        assert open_dialogs(one) == [dialog]
        await close(one, dialog)


async def test_every_choice_is_there_again_at_the_next_start(tmp_path: Path) -> None:
    given = stub_services(stub(), tmp_path)
    async with personal_window(given) as one:
        dialog = await dialog_of(one)
        dialog.theme.setCurrentText("Dark")
        dialog.font_size.setValue(14)
        dialog.limit.setValue(12)
        dialog.meaning.setChecked(False)
        dialog.history.setChecked(False)
        await close(one, dialog)
    expected = Preferences(ThemeChoice.DARK, 14, 12, False, False)
    async with personal_window(given) as one:
        assert one.personal.preferences.chosen == expected
        dialog = await dialog_of(one)
        assert dialog.chosen() == expected
        await close(one, dialog)


async def test_the_defaults_come_back_with_one_button(tmp_path: Path) -> None:
    async with personal_window(stub_services(stub(), tmp_path)) as one:
        one.personal.preferences.choose(Preferences(ThemeChoice.DARK, 20, 50, False, False))
        dialog = await dialog_of(one)
        (box,) = dialog.findChildren(QDialogButtonBox)
        box.button(QDialogButtonBox.StandardButton.RestoreDefaults).click()
        assert dialog.chosen() == one.personal.preferences.chosen == Preferences()
        await close(one, dialog)


async def test_the_theme_changes_at_once_and_back(tmp_path: Path) -> None:
    async with personal_window(stub_services(stub(), tmp_path)) as one:
        dialog = await dialog_of(one)
        panel = one.window.detail_panel
        dialog.theme.setCurrentText("Dark")
        assert is_dark(QApplication.palette())
        await until(lambda: is_dark(panel.palette()))
        dialog.theme.setCurrentText("Light")
        await until(lambda: not is_dark(panel.palette()))
        await close(one, dialog)


async def test_the_dark_theme_is_there_before_the_window_is_shown(tmp_path: Path) -> None:
    given = stub_services(stub(), tmp_path)
    async with personal_window(given) as one:
        one.personal.preferences.choose(Preferences(theme=ThemeChoice.DARK))
        await one.own.settled()
    QApplication.setPalette(QPalette())
    async with personal_window(given) as one:
        assert is_dark(one.window.palette())


def sizes(window: MainWindow) -> list[float]:
    """Return the font sizes of widgets that inherit theirs and of some with their own."""
    widgets = (
        window,
        window.search_bar.box,
        window.hit_view.list,
        window.detail_panel.title,
        window.detail_panel.text,
        window.status_strip,
    )
    return [widget.font().pointSizeF() for widget in widgets]


async def test_the_font_size_changes_at_once_everywhere_and_back(tmp_path: Path) -> None:
    given = stub_services(stub(), tmp_path)
    async with personal_window(given, ferry_store(tmp_path / "p")) as one:
        await one.opened.search("tide")
        window = one.window
        before = sizes(window)
        dialog = await dialog_of(one)
        dialog.font_size.setValue(18)
        wanted = pytest.approx([size * 18 / before[0] for size in before], rel=0.03)
        await until(lambda: sizes(window) == wanted)
        dialog.font_size.setValue(dialog.font_size.minimum())
        await until(lambda: sizes(window) == pytest.approx(before, rel=0.03))
        await close(one, dialog)


async def test_the_limit_moves_the_cut_in_the_list_on_screen(tmp_path: Path) -> None:
    given = stub_services(stub(), tmp_path)
    async with personal_window(given, ferry_store(tmp_path / "p")) as one:
        await one.opened.search("tide")
        rows = one.opened.rows()
        assert len(rows) > 6
        await one.opened.select(rows[1])
        model = one.window.hit_view._model
        assert (model.limit, model.cut_row) == (5, 4)
        dialog = await dialog_of(one)
        dialog.limit.setValue(1)
        await one.settled()
        assert (model.limit, model.cut_row) == (1, 0)
        assert "below by 1 place" in one.opened.why()
        assert one.window.hit_view.selected_uuid() == rows[1]
        assert one.opened.rows() == rows
        await close(one, dialog)


async def test_without_meaning_search_words_alone_are_searched_and_it_is_said(
    tmp_path: Path,
) -> None:
    given = stub_services(stub(), tmp_path)
    async with personal_window(given, ferry_store(tmp_path / "p")) as one:
        outcome = await one.opened.search("tide tables")
        assert outcome.dense.ran
        dialog = await dialog_of(one)
        dialog.meaning.setChecked(False)
        await one.settled()
        by_words = one.opened.outcome
        assert by_words is not None
        assert (by_words.lexical.ran, by_words.dense.ran) == (True, False)
        assert "meaning_switched_off" in one.opened.banners()
        assert "switched off in the preferences" in one.window.status_strip.words()
        dialog.meaning.setChecked(True)
        await one.settled()
        by_both = one.opened.outcome
        assert by_both is not None
        assert by_both.dense.ran
        assert "meaning_switched_off" not in one.opened.banners()
        await close(one, dialog)


async def test_with_meaning_search_off_no_model_is_loaded(tmp_path: Path) -> None:
    loads: list[str] = []

    def load(model: str) -> Encoder:
        loads.append(model)
        return stub()

    given = services(load, stub_services(stub(), tmp_path).environ, tmp_path)
    project = ferry_store(tmp_path / "p")
    async with personal_window(given) as one:
        one.personal.preferences.choose(Preferences(meaning_search=False))
        await one.own.settled()
    async with personal_window(given, project) as one:
        outcome = await one.opened.search("tide")
        assert outcome.hits
        assert loads == []
        one.personal.preferences.choose(Preferences())
        await one.settled()
        assert len(loads) == 1


async def test_with_the_history_off_nothing_is_noted_and_on_request_all_is_forgotten(
    tmp_path: Path,
) -> None:
    given = stub_services(stub(), tmp_path)
    async with personal_window(given, stay_s=STAY_S) as one:
        one.opened.type("tide")
        one.window.search_bar.submitted.emit()
        dialog = await dialog_of(one)
        dialog.history.setChecked(False)
        one.opened.type("ferry")
        one.window.search_bar.submitted.emit()
        await one.own.settled()
        assert list(one.personal.history.queries) == ["tide"]
        dialog.forget.click()
        await one.own.settled()
        assert list(one.personal.history.queries) == []
        await close(one, dialog)


async def test_what_another_window_chose_is_taken_over(tmp_path: Path) -> None:
    given = stub_services(stub(), tmp_path)
    async with personal_window(given) as one, personal_window(given) as other:
        other.personal.preferences.choose(Preferences(limit=9))
        await other.own.settled()
        one.personal.reload()
        await one.own.settled()
        assert one.personal.preferences.chosen.limit == 9


async def test_a_choice_made_while_the_file_is_read_is_not_undone(tmp_path: Path) -> None:
    async with personal_window(stub_services(stub(), tmp_path)) as one:
        one.personal.reload()
        one.personal.preferences.choose(Preferences(limit=9))
        await one.own.settled()
        assert one.personal.preferences.chosen.limit == 9
        assert one.opened.controller.view.limit == 9


@pytest.mark.parametrize(
    ("key", "modifiers", "kind"),
    [
        (Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier, PreferencesDialog),
        (
            Qt.Key.Key_B,
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
            NameDialog,
        ),
    ],
)
async def test_the_keys_work_while_somebody_types(
    key: Qt.Key, modifiers: Qt.KeyboardModifier, kind: type[QDialog], tmp_path: Path
) -> None:
    async with personal_window(stub_services(stub(), tmp_path)) as one:
        one.opened.type("tide")
        one.window.activateWindow()
        one.window.search_bar.focus_box()
        await until(one.window.isActiveWindow)
        QTest.keyClick(one.window.search_bar.box, key, modifiers)
        await until(lambda: any(d.isVisible() for d in one.window.findChildren(kind)))
        (dialog,) = one.window.findChildren(kind)
        dialog.reject()
        await until(lambda: not dialog.isVisible())
        assert one.window.search_bar.text() == "tide"


async def test_the_keyboard_reaches_every_choice(tmp_path: Path) -> None:
    async with personal_window(stub_services(stub(), tmp_path)) as one:
        dialog = await dialog_of(one)
        choices = (dialog.theme, dialog.font_size, dialog.limit, dialog.meaning, dialog.history)
        named = [w.accessibleName() or w.property("text") for w in choices]
        assert all(named)
        reached, widget = set(), dialog.nextInFocusChain()
        while widget is not dialog and widget is not None:
            reached.add(widget)
            widget = widget.nextInFocusChain()
        assert set(choices) <= reached
        assert all(not button.autoDefault() for button in [dialog.forget])
        assert isinstance(dialog.forget, QPushButton)
        await close(one, dialog)
