"""Several stores in one window: how tests make them, and what a person sees of them."""

import uuid
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from PySide6.QtCore import Qt

from tests.support.open_window import OpenWindow, open_window
from tests.support.stores import STUB_MODEL, WIDTH, Memory, build_store
from tests.support.window_stores import stub, stub_services
from widgets.row_content import RowContent
from widgets.row_model import ROW_ROLE
from widgets.store_list import StoreLine

_IDS = uuid.UUID("5f3a7f0e-21c1-4a7e-9c52-6d1f0a9b8c7d")


def store_of(
    folder: Path, memories: Iterable[Memory], *, width: int = WIDTH, model: str = STUB_MODEL
) -> Path:
    """Make a store with an id of its own."""
    made = uuid.uuid5(_IDS, str(folder))
    store_id = str(uuid.UUID(bytes=made.bytes, version=4))
    return build_store(folder, memories, width=width, model=model, meta={"store_id": store_id})


def tides(name: str, count: int = 3) -> list[Memory]:
    """Return memories that a search for 'tide' finds, told apart by the name of their store."""
    return [Memory(f"{name}{n}", f"tide {name} {n}", f"the {name} quay") for n in range(count)]


@asynccontextmanager
async def tide_stores(folder: Path, *names: str) -> AsyncIterator[OpenWindow]:
    """Open a window on a store of tides for each name, the first in front."""
    paths = [store_of(folder / name, tides(name)) for name in names]
    async with open_window(stub_services(stub(), folder)) as opened:
        opened.controller.open_paths(paths)
        await opened.settled()
        yield opened


def lines(opened: OpenWindow) -> dict[str, StoreLine]:
    """Return the lines of the list of stores by label."""
    return {line.label: line for line in opened.window.sidebar.stores.lines()}


def check(opened: OpenWindow, label: str, is_checked: bool) -> None:
    """Check or uncheck a store as a click on its box does."""
    stores = opened.window.sidebar.stores
    row = next(row for row, line in enumerate(stores.lines()) if line.label == label)
    state = Qt.CheckState.Checked if is_checked else Qt.CheckState.Unchecked
    stores.item(row).setCheckState(state)


def badges(opened: OpenWindow) -> list[str]:
    """Return what the rows of the ranked list call their stores."""
    model = opened.window.hit_view.list.model()
    found = [model.data(model.index(row, 0), ROW_ROLE) for row in range(model.rowCount())]
    return [content.badge for content in found if isinstance(content, RowContent)]


def front(opened: OpenWindow) -> str:
    """Return the label of the store in front, empty while another one takes its place."""
    return next((label for label, line in lines(opened).items() if line.is_front), "")
