"""What tests of filters do and see in a window."""

from core.filters.facets import Facet
from core.filters.filter import Filter, FilterKey, StateWord, Word
from tests.support.open_window import OpenWindow
from tests.support.wait import until


def is_(word: StateWord) -> Filter:
    """Return the filter of a state."""
    return Filter(FilterKey.IS, (Word(word.value),))


def chips(opened: OpenWindow) -> list[str]:
    """Return the chips as typed."""
    return [chip.text for chip in opened.window.chip_bar.contents()]


def said(opened: OpenWindow) -> str:
    """Return what is said of the text."""
    bar = opened.window.chip_bar
    return bar.said() if bar.isVisible() else ""


async def listed(opened: OpenWindow, text: str) -> list[str]:
    """Type filters without words and return the rows."""
    opened.type(text)
    await opened.controller.settled()
    await until(lambda: opened.window.browse_view._asked == [])
    return opened.browse_rows() if opened.page() == "browse" else []


async def counted(opened: OpenWindow) -> dict[Facet, dict[str, int]]:
    """Wait for the facets and return what stands in them."""
    await opened.controller.filtering.facets.settled()
    shown = opened.window.sidebar.facets.groups()
    return {
        group.facet: {asked_of(value.filter): value.count for value in group.values}
        for group in shown
    }


def asked_of(filter_: Filter) -> str:
    """Write a filter of a facet in a word."""
    sign = "-" if filter_.negated else ""
    value = filter_.values[0]
    return sign + (value.text if isinstance(value, Word) else str(filter_.key))
