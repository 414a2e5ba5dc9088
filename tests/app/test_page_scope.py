"""Reading several stores for a page: one that fails is named, all that fail are an error."""

from pathlib import Path

import pytest

from app.open_store import OpenStore
from app.page_scope import PageScope, PageStore, Unread, incomplete, read_each
from core.errors import ErrorCode, GenizahError
from core.progress import Progress, WorkCancelledError
from core.store import memories
from core.store.database import Reader
from core.store.location import locate
from tests.support.stores import Memory, build_store
from widgets.store_labels import StoreLabel


async def open_stores(folder: Path) -> list[PageStore]:
    found = []
    for number in range(3):
        rows = [Memory(f"{number}.{n}", "a pier") for n in range(number + 1)]
        store = await OpenStore.open(locate(build_store(folder / str(number), rows)), {})
        found.append(PageStore(store, StoreLabel(str(number), str(number), str(number))))
    return found


def failing(*broken: Reader) -> GenizahError:
    return GenizahError(ErrorCode.STORE_BUSY, f"{len(broken)} stores are locked.")


async def test_what_can_be_read_is_read_and_what_cannot_is_said(tmp_path: Path) -> None:
    stores = await open_stores(tmp_path)
    broken, progress = [stores[1].reader], Progress()

    async def count(reader: Reader) -> int:
        if reader in broken:
            raise failing(*broken)
        async with reader.snapshot() as connection:
            return (await memories.counts(connection)).total

    try:
        found = await read_each(stores, progress, count)
        assert found.parts == (1, None, 3)
        assert found.words == "Incomplete: 1 (store_busy) could not be read."
        assert progress.amount == (2, 3)
        broken.clear()
        assert (await read_each(stores, progress, count)).words == ""
        broken += [one.reader for one in stores]
        with pytest.raises(GenizahError, match="3 stores are locked"):
            await read_each(stores, progress, count)
        many = [Unread(one, failing()) for one in (*stores, *stores)]
        assert incomplete(many).startswith("Incomplete: 0 (store_busy), 1 (store_busy), 2 (")
        progress.cancel()
        with pytest.raises(WorkCancelledError):
            await read_each(stores, progress, count)
        assert PageScope(tuple(stores)).has_same_stores(PageScope(tuple(stores), "in all"))
        assert not PageScope(tuple(stores)).has_same_stores(PageScope(tuple(stores[:2])))
    finally:
        for one in stores:
            await one.store.aclose()
