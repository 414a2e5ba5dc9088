"""How states, edges and problems of the lineage are said in English. Pure.

Uuids in what is returned are as stored: who shows it makes it safe.
"""

from collections.abc import Mapping
from types import MappingProxyType

from core.lineage.forest import Edge, Forest, NodeState
from core.lineage.problems import LineageProblem, ProblemKind
from core.lineage.records import Verb
from core.words import grouped, second, short

NODE_STATE_WORDS: Mapping[NodeState, str] = MappingProxyType(
    {
        NodeState.LIVE: "live",
        NodeState.SUPERSEDED: "replaced",
        NodeState.RETIRED: "retired",
        NodeState.MISSING: "missing",
    }
)
PROBLEM_WORDS: Mapping[ProblemKind, str] = MappingProxyType(
    {
        ProblemKind.DANGLING: "replaced by a record that is missing",
        ProblemKind.CYCLE: "replaces itself through a circle",
        ProblemKind.DEPTH_CAP: "further from its head than the agent follows",
        ProblemKind.DEAD_HEAD: "dead head: retired, nothing newer",
        ProblemKind.OLDER_HEAD: "replaced by a memory that is older",
        ProblemKind.TWIN_HEADS: "two live memories answer for this",
    }
)
_VERB_WORDS: Mapping[Verb, str] = MappingProxyType(
    {
        Verb.RETIRE: "replaced",
        Verb.MERGE: "merged",
        Verb.PROMOTE: "promoted",
        Verb.DISCARD: "discarded",
    }
)


def edge_words(edge: Edge) -> str:
    """Say a replacement: 'merged 2026-03-01 12:00:00 UTC, session abc'."""
    if edge.verb is None or edge.at is None:
        return "replaced; when and by whom is not known"
    session = "no session" if edge.session_id is None else f"session {edge.session_id}"
    return f"{_VERB_WORDS[edge.verb]} {second(edge.at)}, {session}"


def problem_sentence(problem: LineageProblem, forest: Forest) -> str:
    """Say a problem with the uuids concerned, shortened, at most three."""
    nodes = problem.nodes
    names = ", ".join(short(forest.nodes[n].uuid) for n in nodes[:3])
    if len(nodes) > 3:
        names += f" and {grouped(len(nodes) - 3)} more"
    return f"{PROBLEM_WORDS[problem.kind]}: {names}"
