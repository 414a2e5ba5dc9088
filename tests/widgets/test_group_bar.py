"""The bar above a list: a tab for each group of stores, told apart in little room."""

from pytestqt.qtbot import QtBot

from widgets.group_bar import GroupBar, GroupTab

_WIDTH = 360


def test_tabs_of_many_groups_show_the_beginning_of_their_names_and_scroll(qtbot: QtBot) -> None:
    bar = GroupBar()
    qtbot.addWidget(bar)
    bar.resize(_WIDTH, 60)
    names = [f"project{n}/a rather long name" for n in range(8)]
    bar.show_groups([GroupTab(name, 3, "Another model.", (name,)) for name in names], 0)
    bar.show()
    bar.grab()  # laid out
    tabs = bar.tabs
    start = tabs.fontMetrics().horizontalAdvance("3 · project0")
    assert all(tabs.tabRect(at).width() > start for at in range(8))
    assert tabs.tabRect(7).right() > _WIDTH, "the last ones are scrolled to"
    tabs.setCurrentIndex(7)
    assert tabs.tabRect(7).right() <= _WIDTH


def test_a_short_name_takes_no_more_room_than_it_needs(qtbot: QtBot) -> None:
    bar = GroupBar()
    qtbot.addWidget(bar)
    bar.resize(_WIDTH, 60)
    bar.show_groups([GroupTab(name, 3, "", (name,)) for name in ("a", "b")], 0)
    bar.show()
    bar.grab()  # laid out
    assert bar.tabs.tabRect(0).width() == bar.tabs.tabSizeHint(0).width()
