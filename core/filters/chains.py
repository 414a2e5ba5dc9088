"""Where the chains of replaced rows lead, of all rows of a store at once, by number. Pure."""

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Chains:
    """The rows that a chain's fate marks, as the filters of these names mean it.

    `dangling`: the replacement is not there; `dead`: retired rows that replaced others, and all
    that lead to them; `circling`: the chain never ends.
    """

    dangling: frozenset[int]
    dead: frozenset[int]
    circling: frozenset[int]


def chains_of(links: Mapping[int, int | None], retired: Set[int]) -> Chains:
    """Follow every chain from its end.

    `links` are the replaced rows and their replacements, None for one that is not there; `retired`
    are the rows that are neither live nor replaced.
    """
    before: dict[int, list[int]] = {}
    dangling: list[int] = []
    for row, by in links.items():
        if by is None:
            dangling.append(row)
        else:
            before.setdefault(by, []).append(row)
    ends = before.keys() - links.keys()
    dead = _leading_to(ends & retired, before)
    ended = dead | _leading_to(ends - retired, before) | _leading_to(dangling, before)
    return Chains(frozenset(dangling), frozenset(dead), frozenset(links.keys() - ended))


def _leading_to(ends: Iterable[int], before: Mapping[int, list[int]]) -> set[int]:
    """Return rows at which chains end, and all before them: no circle leads to an end."""
    found = list(ends)
    for row in found:
        found += before.get(row, ())
    return set(found)
