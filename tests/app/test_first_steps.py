"""The first steps in the demo: shown with the demo alone, ticked by doing, put away for good."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from core.appdata.choices import Preferences
from tests.support.accessibility import nameless
from tests.support.personal_window import PersonalWindow, personal_window
from tests.support.wait import until
from tests.support.window_stores import ferry_store, stub, stub_services
from widgets.first_steps import FirstStep


def _says(window: PersonalWindow) -> list[str]:
    return [button.text()[:3] for button in window.window.first_steps.buttons.values()]


async def _open_demo(window: PersonalWindow) -> None:
    window.trigger("demo")
    await until(lambda: window.window.windowTitle().startswith("demo"))
    await window.settled()


async def _stage_a_replacement(window: PersonalWindow) -> None:
    """Replace the selected memory by another through the picker, as a person does."""
    window.trigger("supersede")
    staging = window.opened.controller.writing.staging
    await until(staging.picker.dialog.isVisible)
    staging.picker.dialog.box.setText("refund")
    await until(lambda: staging.picker.dialog.view.model().rowCount() > 0)
    QTest.keyClick(staging.picker.dialog.box, Qt.Key.Key_Return)
    await until(lambda: window.window.pending_bar.rows)


async def test_each_step_is_ticked_when_it_is_done_and_then_the_strip_goes_for_good(
    tmp_path: Path,
) -> None:
    given = stub_services(stub(), tmp_path)
    async with personal_window(given) as window:
        strip = window.window.first_steps
        assert not strip.isVisible()
        await _open_demo(window)
        assert strip.isVisible()
        assert _says(window) == ["1 F", "2 E", "3 S"]
        await window.opened.search("refund ferry ticket")
        assert _says(window) == ["✓ F", "2 E", "3 S"]
        window.window.hit_view.select_first()
        await window.settled()
        window.trigger("explain")
        assert _says(window) == ["✓ F", "✓ E", "3 S"]
        await _stage_a_replacement(window)
        assert _says(window) == ["✓ F", "✓ E", "✓ S"]
        assert strip.isVisible()
        strip.dismiss.click()
        await window.settled()
        assert not strip.isVisible()
    async with personal_window(given) as window:
        await _open_demo(window)
        assert not window.window.first_steps.isVisible()


async def test_dismissed_at_once_it_stays_away_until_the_preferences_bring_it_back(
    tmp_path: Path,
) -> None:
    given = stub_services(stub(), tmp_path)
    async with personal_window(given) as window:
        await _open_demo(window)
        window.window.first_steps.dismiss.click()
        await window.settled()
    async with personal_window(given) as window:
        await _open_demo(window)
        assert not window.window.first_steps.isVisible()
        window.personal.preferences.choose(Preferences())
        assert window.window.first_steps.isVisible()
        await window.settled()


async def test_the_steps_stand_beside_the_demo_and_no_other_store(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "p")
    async with personal_window(stub_services(stub(), tmp_path), project) as window:
        assert not window.window.first_steps.isVisible()
        await window.opened.search("tide")
        await _open_demo(window)
        assert window.window.first_steps.isVisible()
        await window.opened.open(project)
        assert not window.window.first_steps.isVisible()


async def test_where_nothing_can_be_remembered_nobody_is_asked_every_time(
    tmp_path: Path,
) -> None:
    given = stub_services(stub(), tmp_path)
    given.data_dir.mkdir(parents=True)
    (given.data_dir / "genizah.db").mkdir()  # no file can be opened there
    async with personal_window(given) as window:
        await _open_demo(window)
        assert "not_remembered" in window.opened.banners()
        assert not window.window.first_steps.isVisible()


async def test_the_steps_can_be_reached_and_pressed_by_keyboard(tmp_path: Path) -> None:
    async with personal_window(stub_services(stub(), tmp_path)) as window:
        await _open_demo(window)
        strip = window.window.first_steps
        find, explain, supersede = (strip.buttons[step] for step in FirstStep)
        assert find.accessibleName() == "Find, to do: search for something"
        assert "Ctrl+E" in explain.text()
        assert "Ctrl+Shift+U" in supersede.text()
        assert nameless(strip) == []
        find.setFocus()
        QTest.keyClick(find, Qt.Key.Key_Space)
        await window.settled()
        assert window.window.search_bar.box.hasFocus()
        assert window.opened.rows()
        assert _says(window)[0] == "✓ F"
        assert find.accessibleName().startswith("Find, done")
        window.window.search_bar.box.clearFocus()
        explain.setFocus()
        QTest.keyClick(explain, Qt.Key.Key_Space)
        await window.settled()
        assert window.window.why_panel.lines.hasFocus()
        assert _says(window)[1] == "✓ E"


async def test_the_next_pane_key_comes_by_the_strip(tmp_path: Path) -> None:
    async with personal_window(stub_services(stub(), tmp_path)) as window:
        await _open_demo(window)
        window.window.activateWindow()
        window.window.detail_panel.text.setFocus()
        seen = set()
        for _ in range(12):
            window.trigger("next_pane")
            seen.add(window.window.focusWidget())
        assert window.window.first_steps.buttons[FirstStep.FIND] in seen
