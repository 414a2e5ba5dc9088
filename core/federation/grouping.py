"""Which stores are searched as one, which stand apart, which are copies of another. Pure.

Stores whose queries are embedded alike form one group. A store that holds memories of one before
it is not added to it: an equal copy is not searched, any other stands apart.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.federation.identity import Identity
from core.federation.member import ModelKey


@dataclass(frozen=True, slots=True)
class GroupKey:
    """What all stores of a group have in common. `refusal` rules the meaning arm out for them."""

    model: ModelKey
    refusal: str | None
    index_form: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A store that can be searched: its place, its path, what it holds, what it is grouped by."""

    index: int
    path: str
    identity: Identity
    key: GroupKey


@dataclass(frozen=True, slots=True)
class PlannedGroup:
    """The places of the stores of one group, and why it is not the first one."""

    stores: tuple[int, ...]
    reason: str | None


@dataclass(frozen=True, slots=True)
class Plan:
    """The groups in order, and for each copy the place of the store that stands for it."""

    groups: tuple[PlannedGroup, ...]
    copies: Mapping[int, int]


@dataclass(slots=True)
class _Open:
    """A group that is being filled; `apart` lets nobody in."""

    first: Candidate
    stores: list[int]
    apart: Candidate | None = None


def plan(
    candidates: Sequence[Candidate],
    overlap: Callable[[Candidate, Candidate], bool],
    is_copy: Callable[[Candidate, Candidate], bool],
) -> Plan:
    """Put the stores into groups, in their order.

    `is_copy` is asked only of two that overlap; the earlier one is named first.
    """
    groups: list[_Open] = []
    copies: dict[int, int] = {}
    searched: list[Candidate] = []
    for one in candidates:
        earlier = [other for other in searched if overlap(other, one)]
        original = next((other for other in earlier if is_copy(other, one)), None)
        if original is not None:
            copies[one.index] = original.index
            continue
        searched.append(one)
        if earlier:
            groups.append(_Open(one, [one.index], apart=earlier[0]))
            continue
        fitting = next((g for g in groups if g.apart is None and g.first.key == one.key), None)
        if fitting is None:
            groups.append(_Open(one, [one.index]))
        else:
            fitting.stores.append(one.index)
    return Plan(tuple(PlannedGroup(tuple(g.stores), _reason(g, groups[0])) for g in groups), copies)


def _reason(group: _Open, first: _Open) -> str | None:
    if group is first:
        return None
    here, there = group.first.key, first.first.key
    if group.apart is not None:
        share = group.apart.identity.shares_with(group.first.identity)
        common = (
            "hold memories in common but are not equal" if share else "are one store by their id"
        )
        return f"{group.first.path} and {group.apart.path} {common}: a copy that went its own way."
    if (here.model.model, here.model.width) != (there.model.model, there.model.width):
        return f"Another model: {here.model.model}, {here.model.width} wide."
    if here.model != there.model:
        return f"Queries are embedded with another prefix: {here.model.prefix!r}."
    if here.refusal is not None:
        return f"By words only: {here.refusal}"
    if here.refusal != there.refusal:
        return "Searched by meaning too."
    return "The word index is built in another way."
