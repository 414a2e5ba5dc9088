"""Recent stores: in the menu, on the first page and in the sidebar; one can be forgotten."""

from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton

from tests.support.digests import all_digests
from tests.support.personal_window import PersonalWindow, personal_window
from tests.support.window_stores import ferry_store, stub, stub_services
from widgets.plain import LinkButton


def entries(menu: QMenu) -> list[QAction]:
    return [a for a in menu.actions() if a.menu() is None and not a.isSeparator()]


def menu_words(one: PersonalWindow) -> list[str]:
    return [action.text() for action in entries(one.personal.recents.menu)]


def forget_menu(one: PersonalWindow) -> QMenu:
    (menu,) = one.personal.recents.menu.findChildren(QMenu)
    return menu


def first_page(one: PersonalWindow) -> list[str]:
    """Return the names in the list of the first page, as far as it is shown."""
    listed = one.window.state_page.recents
    return [b.text() for b in listed.findChildren(LinkButton) if b.isVisible()]


async def test_a_store_opened_once_is_offered_at_the_next_start(tmp_path: Path) -> None:
    project = ferry_store(tmp_path / "quay & co #1 %41 ø")
    given = stub_services(stub(), tmp_path)
    async with personal_window(given, project) as one:
        await one.settled()
    async with personal_window(given) as one:
        assert first_page(one) == ["quay & co #1 %41 ø"]
        (words,) = menu_words(one)
        assert words.startswith("quay && co #1 %41 ø – ")
        assert words.endswith("/quay && co #1 %41 ø")  # the end tells two of one name apart
        assert one.window.menus["&File"].actions()[1].text() == "Open &recent"
        entries(one.personal.recents.menu)[0].trigger()
        await one.settled()
        assert one.window.windowTitle() == "quay & co #1 %41 ø – Genizah"


async def test_the_newest_store_comes_first_and_the_open_one_is_not_in_the_sidebar(
    tmp_path: Path,
) -> None:
    given = stub_services(stub(), tmp_path)
    async with personal_window(given) as one:
        for name in ("first", "second"):
            await one.opened.open(ferry_store(tmp_path / name))
            await one.settled()
        assert [w.split(" ")[0] for w in menu_words(one)] == ["second", "first"]
        sidebar = one.window.sidebar.recent
        assert [sidebar.item(row).text() for row in range(sidebar.count())] == ["first"]
        sidebar.itemActivated.emit(sidebar.item(0))
        await one.settled()
        assert one.window.windowTitle() == "first – Genizah"


async def test_a_store_is_opened_from_the_first_page(tmp_path: Path) -> None:
    given = stub_services(stub(), tmp_path)
    async with personal_window(given, ferry_store(tmp_path / "quay")) as one:
        await one.settled()
    async with personal_window(given) as one:
        (link,) = one.window.state_page.recents.findChildren(LinkButton)
        link.click()
        await one.settled()
        assert one.window.windowTitle() == "quay – Genizah"
        assert first_page(one) == []


async def test_one_store_is_forgotten_and_the_store_itself_is_not_touched(tmp_path: Path) -> None:
    given = stub_services(stub(), tmp_path)
    projects = [ferry_store(tmp_path / name) for name in ("a", "b")]
    async with personal_window(given) as one:
        for project in projects:
            await one.opened.open(project)
            await one.settled()
    before = all_digests(projects[1])
    async with personal_window(given) as one:
        assert first_page(one) == ["b", "a"]
        buttons = one.window.state_page.recents.findChildren(QPushButton)
        (button,) = [b for b in buttons if b.accessibleName() == "Forget b"]
        button.click()
        await one.own.settled()
        assert first_page(one) == ["a"]
    async with personal_window(given) as one:
        assert first_page(one) == ["a"]
        entries(forget_menu(one))[0].trigger()
        await one.own.settled()
        assert first_page(one) == []
        assert not one.personal.recents.menu.menuAction().isEnabled()
    assert all_digests(projects[1]) == before


async def test_all_stores_are_forgotten_at_once(tmp_path: Path) -> None:
    given = stub_services(stub(), tmp_path)
    async with personal_window(given) as one:
        for name in ("a", "b"):
            await one.opened.open(ferry_store(tmp_path / name))
        await one.settled()
        entries(forget_menu(one))[-1].trigger()
        await one.own.settled()
        assert menu_words(one) == []


async def test_the_demo_and_a_store_that_did_not_open_are_not_listed(tmp_path: Path) -> None:
    async with personal_window(stub_services(stub(), tmp_path)) as one:
        one.opened.press("Open the demo store")
        await one.settled()
        await one.opened.open(tmp_path / "nothing there")
        await one.own.settled()
        assert menu_words(one) == []


async def test_a_recent_store_that_is_gone_says_so_and_can_be_forgotten(tmp_path: Path) -> None:
    given = stub_services(stub(), tmp_path)
    project = ferry_store(tmp_path / "quay")
    async with personal_window(given, project) as one:
        await one.settled()
    project.rename(tmp_path / "moved")
    async with personal_window(given) as one:
        entries(one.personal.recents.menu)[0].trigger()
        await one.opened.controller.settled()
        assert str(project) in one.opened.page_text()
        entries(forget_menu(one))[0].trigger()
        await one.own.settled()
        assert menu_words(one) == []


async def test_what_another_window_opened_is_there_when_one_comes_back(tmp_path: Path) -> None:
    given = stub_services(stub(), tmp_path)
    async with personal_window(given) as one:
        async with personal_window(given, ferry_store(tmp_path / "quay")) as other:
            await other.settled()
        assert menu_words(one) == []
        one.personal.reload()
        await one.own.settled()
        assert first_page(one) == ["quay"]
