"""Asking the stores of a search over several again, each in the very state that was searched.

Every question has a short snapshot of its own; what holds them together is that no store has moved.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from core.federation.member import Member
from core.retrieval.searcher import HeldVectors
from core.retrieval.union import StorePart, Union
from core.store.connection import Connection


class StoreMovedError(Exception):
    """A store is no longer in the state that was searched."""


@dataclass(frozen=True, slots=True)
class PartView:
    """A snapshot of one part of a union, with its vectors in memory if there are any."""

    connection: Connection
    member: Member
    part: StorePart
    held: HeldVectors


type Question[T] = Callable[[PartView], Awaitable[T]]


class SearchedStores:
    """The open stores of a union, in the order of its parts."""

    def __init__(self, members: Sequence[Member], union: Union) -> None:
        self._stores = tuple(zip(members, union.parts, strict=True))

    async def ask[T](self, place: int, question: Question[T]) -> T:
        """Ask one store. Raises StoreMovedError, GenizahError."""
        member, part = self._stores[place]
        async with member.database.search.snapshot() as connection:
            if await connection.data_version() != part.data_version:
                raise StoreMovedError(part.path)
            held = member.searcher.held_vectors(part.data_version)
            return await question(PartView(connection, member, part, held))

    async def ask_all[T](self, question: Question[T]) -> list[T]:
        """Ask all stores side by side, answers in their order. Raises as `ask`; ends them all."""
        try:
            async with asyncio.TaskGroup() as group:
                asked = [
                    group.create_task(self.ask(place, question))
                    for place in range(len(self._stores))
                ]
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from failed
        return [task.result() for task in asked]
