"""A facet one of whose values is chosen still offers the others."""

from datetime import date

from core.filters.alternatives import is_chosen, with_alternatives
from core.filters.facets import Facet, FacetGroup, FacetValue
from core.filters.filter import Days, Filter, FilterKey, Word


def word(key: FilterKey, *values: str, negated: bool = False) -> Filter:
    return Filter(key, tuple(map(Word, values)), negated)


def group(facet: Facet, *values: tuple[Filter, int]) -> FacetGroup:
    return FacetGroup(facet, tuple(FacetValue(f, n) for f, n in values))


LIVE, OLD, GONE = (word(FilterKey.IS, name) for name in ("live", "superseded", "retired"))
A, B, C = (word(FilterKey.SESSION, name) for name in "abc")
WHOLE = (
    group(Facet.STATE, (LIVE, 5), (OLD, 3), (GONE, 1)),
    group(Facet.SESSION, (A, 5), (B, 4)),
)


def counts(groups: tuple[FacetGroup, ...]) -> dict[Facet, list[tuple[Filter, int]]]:
    return {g.facet: [(v.filter, v.count) for v in g.values] for g in groups}


def test_other_values_of_a_chosen_facet_count_nothing_and_stand_where_they_stood() -> None:
    listed = (group(Facet.STATE, (OLD, 3)), group(Facet.SESSION, (A, 3)))
    assert counts(with_alternatives(listed, WHOLE, [OLD])) == {
        Facet.STATE: [(LIVE, 0), (OLD, 3), (GONE, 0)],
        Facet.SESSION: [(A, 3)],
    }


def test_a_value_that_the_first_of_the_stores_do_not_have_is_kept() -> None:
    listed = (group(Facet.SESSION, (C, 2)),)
    assert counts(with_alternatives(listed, WHOLE, [C])) == {
        Facet.SESSION: [(A, 0), (B, 0), (C, 2)]
    }


def test_a_list_without_rows_offers_what_would_bring_some() -> None:
    assert counts(with_alternatives((), WHOLE, [GONE, A])) == {
        Facet.STATE: [(LIVE, 0), (OLD, 0), (GONE, 0)],
        Facet.SESSION: [(A, 0), (B, 0)],
    }


def test_a_minus_and_a_value_of_no_facet_choose_nothing() -> None:
    listed = (group(Facet.STATE, (LIVE, 5)),)
    days = Filter(FilterKey.CREATED, (Days(date(2026, 3, 1), None),))
    assert with_alternatives(listed, WHOLE, [word(FilterKey.IS, "retired", negated=True)]) == listed
    assert with_alternatives(listed, WHOLE, [days]) == listed


def test_a_value_is_chosen_among_others_but_not_where_it_is_left_out() -> None:
    assert is_chosen(LIVE, [word(FilterKey.IS, "retired", "live")])
    assert not is_chosen(LIVE, [word(FilterKey.IS, "live", negated=True)])
    assert not is_chosen(LIVE, [word(FilterKey.TIER, "live")])
