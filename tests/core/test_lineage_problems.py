"""Problems of the lineage: each kind by its definition, and nothing in a sound store."""

from dataclasses import replace

from core.lineage.building import forest_of
from core.lineage.forest import Forest
from core.lineage.problems import LineageProblem, ProblemKind, problems_of, problems_within
from core.lineage.records import LineageRow, Role, StoreLineage
from core.lineage.words import problem_sentence
from tests.support.lineage import chain, forest, merged, names, row

_CAP = 32


def _found(found: Forest, cap: int = _CAP) -> list[tuple[ProblemKind, list[str]]]:
    return [(p.kind, names(found, p.nodes)) for p in problems_of(found, cap)]


def test_a_sound_store_has_no_problem() -> None:
    assert _found(forest([*chain("abcdef"), *chain("xy"), row("z"), row("r", active=False)])) == []


def test_all_that_name_one_missing_record_are_one_problem_a17() -> None:
    found = forest([row("a", "gone"), row("b", "a"), row("c", "gone"), row("d", "lost")])
    assert _found(found) == [
        (ProblemKind.DANGLING, ["a", "c", "gone"]),
        (ProblemKind.DANGLING, ["d", "lost"]),
    ]


def test_a_circle_is_told_from_the_row_after_the_cut_and_has_no_other_problem() -> None:
    rows = [row("a", "b", day=1), row("b", "c", day=3), row("c", "a", day=2), row("in", "a", day=1)]
    assert _found(forest(rows), 1) == [(ProblemKind.CYCLE, ["c", "a", "b"])]
    assert _found(forest([row("s", "s")])) == [(ProblemKind.CYCLE, ["s"])]


def test_only_rows_further_than_the_cap_are_over_it() -> None:
    rows = [row(f"{n:02}", f"{n + 1:02}" if n < 33 else None) for n in range(34)]
    assert _found(forest(rows)) == [(ProblemKind.DEPTH_CAP, ["00"])]
    assert _found(forest(rows[1:])) == []


def test_a_chain_that_ends_in_a_retired_row_is_a_dead_head() -> None:
    found = forest([*chain("abc", last_is_live=False), row("x", "c", day=2)])
    assert _found(found) == [(ProblemKind.DEAD_HEAD, ["c", "b", "x", "a"])]
    (problem,) = problems_of(found, _CAP)
    assert names(found, problem.marked) == ["c"]


def test_a_replacement_that_is_older_is_told_but_for_a_merge() -> None:
    rows = [row("new", "old", day=5), row("old", day=2)]
    assert _found(forest(rows)) == [(ProblemKind.OLDER_HEAD, ["new", "old"])]
    events = [merged(1, "old", Role.TARGET, day=6), merged(2, "new", Role.ABSORBED, day=6)]
    assert _found(forest(rows, events)) == []


def test_times_that_are_no_times_make_no_replacement_older() -> None:
    rows = [row("new", "old", day=5), replace(row("old"), created_at="1999")]
    assert _found(forest(rows)) == []


def test_two_live_memories_of_one_gist_are_twins_where_one_replaced_something() -> None:
    twin = row("t", day=7, gist="GIST  b\n")
    assert _found(forest([*chain("ab"), twin])) == [(ProblemKind.TWIN_HEADS, ["b", "t"])]
    retired_twin = replace(twin, active=False)
    assert _found(forest([*chain("ab"), retired_twin])) == []
    assert _found(forest([row("b"), replace(row("t"), gist="gist b")])) == []


def _stores(*stores: list[LineageRow]) -> Forest:
    return forest_of([StoreLineage(tuple(rows)) for rows in stores])


def test_a_memory_that_ends_differently_in_two_stores_has_twin_heads() -> None:
    found = _stores(chain("ab"), [row("a", "c"), row("c", day=4)])
    assert _found(found) == [(ProblemKind.TWIN_HEADS, ["b", "c"])]
    assert _found(_stores(chain("ab"), chain("ab"))) == []


def test_problems_of_one_component_are_told_apart() -> None:
    found = forest([row("a", "gone"), row("d", "lost")])
    problems = problems_of(found, _CAP)
    place = found.find("d")
    assert place is not None
    (only,) = problems_within(problems, found, found.component[place])
    assert names(found, only.nodes) == ["d", "lost"]
    assert problem_sentence(only, found) == "replaced by a record that is missing: d, lost"


def test_a_sentence_names_three_and_counts_the_rest() -> None:
    found = forest([row(name, "gone") for name in "abcd"])
    problem = LineageProblem(ProblemKind.DANGLING, tuple(range(len(found.nodes))))
    assert problem_sentence(problem, found).endswith(" and 2 more")
