"""One step of many stores at once: a store that fails or is too slow is named, never waited for."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Protocol

from core.errors import ErrorCode, GenizahError
from core.federation.member import Member, path_of


class Placed(Protocol):
    """A store with its place among all that a search was given."""

    @property
    def index(self) -> int:
        """Return its place."""
        ...

    @property
    def member(self) -> Member:
        """Return the open store."""
        ...


class StoresFailedError(Exception):
    """Some of the stores of a step failed: their places and errors."""

    def __init__(self, errors: Mapping[int, GenizahError]) -> None:
        super().__init__(f"{len(errors)} stores failed")
        self.errors = dict(errors)


def too_slow(member: Member, limit_s: float) -> GenizahError:
    """Make the error of a store that did not answer in time."""
    path = path_of(member)
    return GenizahError(
        ErrorCode.STORE_BUSY,
        f"The store {path} did not answer within {limit_s:g} s; try again in a moment.",
        path=path,
        reason="time_limit",
        fields={"limit_s": limit_s},
    )


async def in_time[T](member: Member, step: Awaitable[T], limit_s: float) -> T:
    """Await one store's step; interrupt it after its time. Raises GenizahError."""
    try:
        async with asyncio.timeout(limit_s):
            return await step
    except TimeoutError as error:
        raise too_slow(member, limit_s) from error


async def each[P: Placed, T](
    parts: Sequence[P], step: Callable[[P], Awaitable[T]], limit_s: float
) -> list[T]:
    """Do a step for all stores at once; return the answers in order.

    All have ended when it returns, also when it is cancelled. Raises StoresFailedError.
    """
    answers: dict[int, T] = {}
    errors: dict[int, GenizahError] = {}

    async def one(part: P) -> None:
        try:
            answers[part.index] = await in_time(part.member, step(part), limit_s)
        except GenizahError as error:
            errors[part.index] = error

    async with asyncio.TaskGroup() as group:
        for part in parts:
            group.create_task(one(part))
    if errors:
        raise StoresFailedError(errors)
    return [answers[part.index] for part in parts]
