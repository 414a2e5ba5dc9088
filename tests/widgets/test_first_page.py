"""The first page: ways to begin, and finding stores once there is somebody to find them."""

from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from widgets.main_window import MainWindow
from widgets.state_content import empty_store, welcome


def _buttons(window: MainWindow) -> list[str]:
    found = window.state_page.findChildren(QPushButton)
    return [b.text() for b in found if b.isVisible() and b.text() != "Copy details"]


def test_finding_stores_is_offered_only_where_it_can_be_done(qtbot: QtBot) -> None:
    window = MainWindow()
    qtbot.addWidget(window)
    window.show()
    assert _buttons(window) == ["Open store…", "Open the demo store"]
    window.offer_finding()
    whole = ["Open store…", "Find stores…", "Open the demo store"]
    assert sorted(_buttons(window)) == sorted(whole)
    window.show_state(empty_store("quay"))
    assert _buttons(window) == ["Open store…"]
    window.show_state(welcome())
    assert sorted(_buttons(window)) == sorted(whole)
    buttons = window.state_page.findChildren(QPushButton)
    (find,) = [b for b in buttons if "Find" in b.text() and b.isVisible()]
    with qtbot.waitSignal(window.find_wanted, timeout=1000):
        find.click()
