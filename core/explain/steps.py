"""An explanation as steps in pipeline order, each a few lines of label and value. Pure.

Plain data in English with floats by repr; stored text is as stored: who writes it makes it safe.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from core.explain.explanation import Explanation, Margin
from core.explain.provenance import Injection
from core.explain.standing import Arm, Neighbour, Standing
from core.explain.ties import arm_ties
from core.readmodels import State
from core.retrieval.arms import ArmReport
from core.retrieval.bm25 import TermShare
from core.retrieval.ranking import penalty_of

_ARM_WORDS = {Arm.DENSE: "meaning", Arm.LEXICAL: "words"}
_NEWEST = 10


@dataclass(frozen=True, slots=True)
class Step:
    """One step: its title and (label, value) lines, at least one."""

    title: str
    lines: tuple[tuple[str, str], ...]


def steps_of(e: Explanation) -> tuple[Step, ...]:
    """Return every step that applies: those of the pool only for a memory of the pool."""
    found = [
        ("Query", _query(e)),
        ("Snapshot", _snapshot(e)),
        ("Eligibility", _eligibility(e)),
    ]
    if e.head is not None:
        found += [("Meaning arm", _dense(e)), ("Word arm", _lexical(e))]
    if e.standing is not None:
        found += [
            ("Fusion", _fusion(e.standing)),
            ("Demotion", _demotion(e, e.standing)),
            ("Order", _order(e.standing)),
            ("Repair", _repair(e.standing)),
            ("Cut", _cut(e.standing)),
        ]
    if e.margins:
        found.append(("Margins", (_margin(m) for m in e.margins)))
    if e.provenance is not None:
        found.append(("Provenance", _provenance(e)))
    return tuple(Step(title, tuple(lines)) for title, lines in found)


def _query(e: Explanation) -> Iterator[tuple[str, str]]:
    query = e.outcome.query
    yield ("by memory", query.uuid) if query.uuid is not None else ("as typed", query.text or "")
    if query.dense is not None and query.dense.tokens is not None:
        cut = ", cut to the model's window" if query.dense.truncated else ""
        yield "tokens", f"{query.dense.tokens}{cut}"
    yield "terms", ", ".join(query.lexical.terms) or "none"
    if query.lexical.dropped:
        yield "dropped terms", ", ".join(query.lexical.dropped)


def _snapshot(e: Explanation) -> Iterator[tuple[str, str]]:
    settings = e.outcome.settings
    yield "store", e.store_id
    yield "memories, chunks", f"{e.outcome.memories}, {e.outcome.chunks}"
    yield "depth, rrf_k", f"{settings.fusion_depth}, {settings.rrf_k}"


def _eligibility(e: Explanation) -> Iterator[tuple[str, str]]:
    was_in = e.head is not None
    for rung in e.ladder:
        out = " (this memory falls out here)" if was_in and not rung.holds else ""
        was_in = rung.holds
        yield rung.stage, f"{rung.remaining}{out}"


def _stop(report: ArmReport, e: Explanation, doublings: int | None) -> str:
    if report.stop_reason is None:
        return f"did not run: {report.reason}"
    wider = "" if doublings is None else f", widened {doublings} times"
    return f"{report.stop_reason.value} (keeps {e.outcome.settings.fusion_depth}{wider})"


def _rank(rank: int | None, ranked: int) -> str:
    return f"none of {ranked}" if rank is None else f"#{rank} of {ranked}"


def _tied(e: Explanation, arm: str) -> Iterator[tuple[str, str]]:
    hit = e.outcome.hit(e.uuid)
    if hit is None:
        return
    ties = arm_ties(e.outcome, hit)
    equal = ties.dense if arm == Arm.DENSE else ties.lexical
    if equal:
        who = ", ".join(other.uuid for other in equal)
        yield "equal to", f"{who}: the uuid decides the rank among these"


def _dense(e: Explanation) -> Iterator[tuple[str, str]]:
    side = e.dense
    yield "stopped", _stop(e.outcome.dense, e, e.outcome.doublings)
    if e.outcome.dense.ran:
        yield "rank", _rank(side.rank, side.ranked)
        yield "distance", "none" if side.distance is None else repr(side.distance)
        if side.cosine is not None:
            yield "cosine", repr(side.cosine)
        for chunk in side.chunks:
            span = "" if chunk.start is None else f", characters {chunk.start} to {chunk.end}"
            yield f"chunk {chunk.part_index}", f"{chunk.distance!r}{span}"
        yield from _tied(e, Arm.DENSE)


def _lexical(e: Explanation) -> Iterator[tuple[str, str]]:
    side = e.lexical
    yield "stopped", _stop(e.outcome.lexical, e, None)
    if e.outcome.lexical.ran:
        yield "rank", _rank(side.rank, side.ranked)
        yield "bm25", "no word of the query occurs in it" if side.bm25 is None else repr(side.bm25)
        for share in side.terms:
            yield f"term {share.term}", _share(share)
        yield from _tied(e, Arm.LEXICAL)


def _share(share: TermShare) -> str:
    if not share.tf_gist and not share.tf_content:
        return f"0.0 (not in this memory; in {share.df} of {share.rows})"
    common = ", too common to count" if share.is_clamped else ""
    return (
        f"{share.contribution!r} ({share.tf_gist} in gist, {share.tf_content} in content, "
        f"idf {share.idf!r}, in {share.df} of {share.rows}{common})"
    )


def _fusion(standing: Standing) -> Iterator[tuple[str, str]]:
    shares = [f"1/({standing.rrf_k}+{t.rank})" for t in standing.terms]
    values = [repr(t.value) for t in standing.terms]
    arms = " + ".join(f"{_ARM_WORDS[t.arm]} #{t.rank}" for t in standing.terms)
    total = f" = {standing.rrf_score!r}" if len(values) > 1 else ""
    yield arms, f"{' + '.join(shares)} = {' + '.join(values)}{total}"
    for arm in (Arm.DENSE, Arm.LEXICAL):
        if all(t.arm != arm for t in standing.terms):
            yield _ARM_WORDS[arm], "absent"


def _demotion(e: Explanation, standing: Standing) -> Iterator[tuple[str, str]]:
    demotion = standing.demotion
    factor = penalty_of(demotion.state, e.outcome.settings)
    yield demotion.state.value, f"{demotion.before!r} * {factor!r} = {demotion.after!r}"
    if demotion.state is not State.LIVE:
        live = demotion.position_if_live
        yield "places lost", f"{demotion.places_lost} (#{live} if it were live)"


def _beside(neighbour: Neighbour | None) -> str:
    if neighbour is None:
        return "nothing"
    return f"{neighbour.uuid}, decided by {neighbour.key.value}"


def _order(standing: Standing) -> Iterator[tuple[str, str]]:
    yield "position", f"#{standing.position} of {standing.pool_size}"
    yield "above", _beside(standing.above)
    yield "below", _beside(standing.below)


def _repair(standing: Standing) -> Iterator[tuple[str, str]]:
    repair = standing.repair
    who = "" if repair.because_of is None else f", because of {repair.because_of}"
    places = f"{standing.position_before_repair} to {standing.position}"
    yield "moved", "no" if repair.moved == 0 else f"#{places} ({repair.moved:+d}{who})"


def _cut(standing: Standing) -> Iterator[tuple[str, str]]:
    cut = standing.cut
    yield f"limit {cut.limit}", "inside" if cut.inside else "below"
    if cut.gap is not None:
        yield "gap to the last inside", repr(cut.gap)


def _margin(margin: Margin) -> tuple[str, str]:
    if margin.after is None:
        return margin.kind.value, "no value takes it across the cut"
    if not margin.verified:
        return margin.kind.value, f"{margin.after} (advice, not verified)"
    place = "out of the pool" if margin.position is None else f"#{margin.position}"
    return margin.kind.value, f"{margin.before} to {margin.after}: {place}"


def _provenance(e: Explanation) -> Iterator[tuple[str, str]]:
    head, told = e.head, e.provenance
    assert head is not None and told is not None, "a memory that exists has both"
    yield "tier, version", f"{head.tier}, {head.version}"
    yield "created", f"{head.created_at}, session {head.session_id or 'unknown'}"
    yield "events", str(len(told.events))
    yield "injected", f"{len(told.injections)} times"
    for one in told.injections[:_NEWEST]:
        yield one.at, _injected(one)


def _injected(one: Injection) -> str:
    rank = "at an unknown rank" if one.rank is None else f"at #{one.rank}"
    then = [
        words
        for happened, words in (
            (one.fetched_after, "fetched afterwards"),
            (one.changed_after, "changed afterwards"),
        )
        if happened
    ]
    return ", ".join([rank, *then])
