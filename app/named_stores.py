"""The stores that a command line names, and memories named in any of them."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from app.bootstrap import Services
from app.open_store import OpenStore
from core.errors import ErrorCode, GenizahError
from core.federation.member import FailedMember
from core.store import memories


async def open_named(
    services: Services, named: Sequence[Path | None], stack: AsyncExitStack
) -> list[OpenStore]:
    """Open stores until the stack ends, each once however often it is named. Raises GenizahError.

    None names the current folder's.
    """
    found: dict[Path, OpenStore] = {}
    for path in named:
        database = services.locate(path).database.resolve()
        if database not in found:
            found[database] = await services.open_store(path)
            stack.push_async_callback(found[database].aclose)
    return list(found.values())


async def open_each(
    services: Services, named: Sequence[Path | None], stack: AsyncExitStack
) -> list[OpenStore | FailedMember]:
    """Open stores as `open_named` does, but keep going: one that cannot be opened says why.

    A single one that cannot be is the error itself. Raises GenizahError.
    """
    found: dict[Path, OpenStore | FailedMember] = {}
    for path in named:
        asked = Path() if path is None else path
        place = asked.resolve()
        try:
            place = services.locate(path).database.resolve()
            if place not in found:
                store = await services.open_store(path)
                stack.push_async_callback(store.aclose)
                found[place] = store
        except GenizahError as error:
            found[place] = FailedMember(error.path or str(asked), asked.name, error)
    members = list(found.values())
    if len(members) == 1 and isinstance(members[0], FailedMember):
        raise members[0].error
    return members


@dataclass(frozen=True, slots=True)
class NamedMemory:
    """A memory in full, and the places of the stores that hold it; none where no store does."""

    uuid: str
    places: tuple[int, ...]


async def memory_in(
    stores: Sequence[OpenStore], named: str, *, skips_unread: bool = False
) -> NamedMemory:
    """Resolve a full uuid or a prefix that is unique over all stores.

    A text that names no memory is returned as it is. Raises GenizahError(AMBIGUOUS), and for a
    store that cannot be read; with `skips_unread` only where no other one has the memory.
    """
    found: dict[int, str] = {}
    unread: list[GenizahError] = []
    for place, store in enumerate(stores):
        try:
            async with store.database.browse.snapshot() as connection:
                found[place] = await memories.resolve_uuid(connection, named)
        except GenizahError as error:
            if error.code is ErrorCode.NOT_FOUND:
                continue
            if not skips_unread or error.code is ErrorCode.AMBIGUOUS:
                raise
            unread.append(error)
    if unread and not found:
        raise unread[0]
    uuids = sorted(set(found.values()))
    uuid = named if named in uuids or not uuids else uuids[0]
    if len(uuids) > 1 and uuid != named:
        raise GenizahError(
            ErrorCode.AMBIGUOUS,
            f"More than one memory begins with {named}; give more characters.",
            fields={"uuid": named, "matches": [*uuids]},
        )
    return NamedMemory(uuid, tuple(place for place, whole in found.items() if whole == uuid))
