"""The other values of a facet one of whose values is chosen: what Shift could add to it. Pure.

A list holds only what was chosen, so its own facets would never offer a second value.
"""

from collections.abc import Iterable, Sequence

from core.filters.facets import Facet, FacetGroup, FacetValue
from core.filters.filter import Filter


def is_chosen(offered: Filter, active: Iterable[Filter]) -> bool:
    """Tell whether a facet's filter is one of the filters in force, or among the values of one."""
    return any(
        f.key is offered.key
        and f.negated is offered.negated
        and set(offered.values) <= set(f.values)
        for f in active
    )


def with_alternatives(
    listed: Sequence[FacetGroup], whole: Sequence[FacetGroup], active: Sequence[Filter]
) -> tuple[FacetGroup, ...]:
    """Return a list's facets; one of which a value is chosen has all values of the stores.

    `whole` are the facets of all rows. Values that the list does not have count 0.
    """
    shown = {group.facet: group for group in listed}
    for group in whole:
        mine = shown.get(group.facet, FacetGroup(group.facet, ()))
        offered = (*mine.values, *group.values)
        if any(not v.filter.negated and is_chosen(v.filter, active) for v in offered):
            shown[group.facet] = _joined(mine, group)
    return tuple(shown[facet] for facet in Facet if facet in shown)


def _joined(mine: FacetGroup, whole: FacetGroup) -> FacetGroup:
    counts = {value.filter: value.count for value in mine.values}
    values = [FacetValue(v.filter, counts.pop(v.filter, 0)) for v in whole.values]
    more = [FacetValue(filter_, count) for filter_, count in counts.items()]
    return FacetGroup(mine.facet, (*values, *more), mine.other_values, mine.other_rows)
