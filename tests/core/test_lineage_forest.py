"""The forest: components, heads, depths, fan-in, cycles, missing rows; who made an edge, when."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given

from core.lineage.building import forest_of
from core.lineage.forest import NOBODY, Edge, Forest, NodeState, near
from core.lineage.records import LineageRow, Role, StoreLineage, Verb
from tests.support.lineage import (
    DAY,
    chain,
    depths,
    forest,
    merged,
    names,
    random_rows,
    retired,
    row,
)
from tests.support.properties import PROPERTY


def _edge(found: Forest, name: str) -> Edge:
    place = found.find(name)
    assert place is not None
    edge = found.edges[place]
    assert edge is not None
    return edge


def _told(edge: Edge) -> tuple[str | None, str | None, str | None]:
    return edge.verb, edge.at, edge.session_id


def test_a_chain_is_one_component_that_ends_in_its_head() -> None:
    found = forest([*chain("abcd"), row("x")])
    (tree,) = found.related()
    assert names(found, [tree.head]) == ["d"]
    assert names(found, tree.members) == ["d", "c", "b", "a"]
    assert (tree.size, tree.height, tree.is_cyclic) == (4, 3, False)
    assert depths(found) == {"a": 3, "b": 2, "c": 1, "d": 0, "x": 0}
    assert len(found.components) == 2


def test_a_merge_of_twelve_has_a_fan_in_of_twelve_in_the_order_of_time_then_uuid() -> None:
    rows = [row(f"r{n:02}", "h", day=1 + n % 3) for n in range(12)]
    found = forest([row("h", day=9), *reversed(rows)])
    head = found.find("h")
    assert head is not None
    assert found.fan_in(head) == 12
    assert names(found, found.before[head]) == [
        r.uuid for r in sorted(rows, key=lambda r: (r.created_at, r.uuid))
    ]


def test_a_missing_replacement_is_a_node_that_says_so_a17() -> None:
    found = forest([row("a", "gone"), row("b", "gone"), row("c")])
    (tree,) = found.related()
    head = found.nodes[tree.head]
    assert (head.uuid, head.state, head.gist) == ("gone", NodeState.MISSING, "")
    assert sorted(names(found, tree.members)) == ["a", "b", "gone"]


def test_a_circle_is_cut_behind_its_newest_row_and_what_leads_into_it_hangs_on() -> None:
    rows = [row("a", "b", day=1), row("b", "c", day=3), row("c", "a", day=2), row("in", "a", day=9)]
    found = forest(rows)
    (tree,) = found.components
    assert tree.is_cyclic
    assert names(found, [tree.head]) == ["b"]
    assert names(found, found.cut) == ["b"]
    assert depths(found) == {"b": 0, "a": 1, "c": 2, "in": 2}
    start = found.find("in")
    assert start is not None
    assert names(found, found.path(start)) == ["in", "a", "b"]


def test_a_row_that_replaced_itself_is_a_circle_of_one() -> None:
    found = forest([row("a", "a")])
    (tree,) = found.related()
    assert (tree.size, tree.is_cyclic, tree.height) == (1, True, 0)


def test_a_chain_of_fifty_thousand_is_built_walked_and_measured() -> None:
    count = 50_000
    rows = [row(f"{n:05}", f"{n + 1:05}" if n + 1 < count else None) for n in range(count)]
    found = forest(rows)
    (tree,) = found.components
    assert (tree.size, tree.height) == (count, count - 1)
    first = found.find("00000")
    assert first is not None
    assert sum(1 for _ in found.path(first)) == count
    assert len(near(found, first, None)) == count


def test_an_edge_knows_verb_time_and_session_from_its_own_event() -> None:
    rows = [*chain("ab"), row("m1", "t"), row("m2", "t"), row("t", day=5)]
    events = [
        retired(1, "a", "b", day=2),
        merged(2, "t", Role.TARGET, day=6),
        merged(3, "m1", Role.ABSORBED, day=6),
        merged(4, "m2", Role.ABSORBED, day=6),
    ]
    found = forest(rows, events)
    assert _told(_edge(found, "a")) == (Verb.RETIRE, DAY.format(2), "s1")
    for name in ("m1", "m2"):
        assert _told(_edge(found, name)) == (Verb.MERGE, DAY.format(6), "s2")


def test_without_an_event_of_its_own_an_edge_is_unknown() -> None:
    events = [
        retired(1, "a", "x", day=2),  # another replacement than the row's
        merged(2, "x", Role.TARGET, day=3, op="other"),
        merged(3, "c", Role.ABSORBED, day=3, op="other"),  # absorbed by another row
        merged(4, "e", Role.FLIPPED, day=3),  # promoted in place, not replaced
    ]
    found = forest([*chain("ab"), *chain("cd"), *chain("ef")], events)
    for name in "ace":
        assert _told(_edge(found, name)) == (None, None, None)


def test_the_newest_event_that_agrees_with_the_row_tells() -> None:
    events = [retired(1, "a", "b", day=2), retired(7, "a", "b", day=4)]
    assert _edge(forest(chain("ab"), events), "a").at == DAY.format(4)


@pytest.mark.parametrize("verb", [Verb.RETIRE, Verb.DISCARD])
def test_a_row_retired_outright_knows_when(verb: Verb) -> None:
    event = retired(1, "b", None, day=8)
    event = type(event)(event.id, event.at, event.session_id, event.op_id, verb, event.uuid)
    found = forest(chain("ab", last_is_live=False), [event])
    place = found.find("b")
    assert place is not None
    assert (found.nodes[place].state, found.nodes[place].ended_at) == (
        NodeState.RETIRED,
        DAY.format(8),
    )


def test_two_stores_with_the_same_uuids_stay_apart() -> None:
    found = forest_of([StoreLineage(tuple(chain("ab"))), StoreLineage(tuple(chain("abc")))])
    assert sorted(tree.size for tree in found.components) == [2, 3]
    for tree in found.components:
        assert len({found.nodes[n].store for n in tree.members}) == 1
    assert found.find("c", store=0) is None
    assert found.find("c", store=1) is not None


def test_what_is_near_a_node_goes_both_ways_and_grows_to_the_whole_tree() -> None:
    found = forest([*chain("abcd"), row("x", "c"), row("y", "x"), row("z")])
    place = found.find("c")
    assert place is not None
    assert sorted(names(found, near(found, place, 0))) == ["c"]
    assert sorted(names(found, near(found, place, 1))) == ["b", "c", "d", "x"]
    assert sorted(names(found, near(found, place, 2))) == ["a", "b", "c", "d", "x", "y"]
    assert near(found, place, 2) == near(found, place, None)


@PROPERTY
@given(random_rows(cycles=True))
def test_every_node_is_in_one_component_one_edge_nearer_to_its_head_than_what_it_replaced(
    rows: Sequence[LineageRow],
) -> None:
    found = forest(rows)
    members = [n for tree in found.components for n in tree.members]
    assert sorted(members) == list(range(len(found.nodes)))
    for node in range(len(found.nodes)):
        after = found.after(node)
        if after == NOBODY or node in found.cut:
            assert found.depth[node] == 0
            assert found.head_of(node) == node
        else:
            assert found.depth[node] == found.depth[after] + 1
            assert found.component[node] == found.component[after]
    order = [(n.created_at, n.uuid) for n in found.nodes]
    assert order == sorted(order)


@PROPERTY
@given(random_rows(cycles=True))
def test_the_order_of_the_rows_does_not_matter(rows: Sequence[LineageRow]) -> None:
    mixed = list(rows)
    random.Random(1).shuffle(mixed)
    assert forest(rows) == forest(mixed)
