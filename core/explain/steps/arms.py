"""What each arm saw of a memory: its rank, its parts or words, and why the arm stopped. Pure."""

from core.explain.explanation import ChunkDistance, Explanation, LexicalSide, Verdict
from core.explain.steps.lines import Line, Step, absent, fact, sums
from core.explain.ties import arm_ties
from core.retrieval.arms import ArmReport, StopReason
from core.retrieval.bm25 import TermShare
from core.retrieval.outcome import Hit
from core.words import counted, grouped, memories, short

_MOST_PARTS = 50
_MOST_TERMS = 100
_MOST_TIES = 5
_ABSENT = "absent: this arm did not return the memory"
_FORMULA = "-idf × tf × 2.2 / (tf + 1.2 × (0.25 + 0.75 × length / average))"

_STOP_WORDS = {
    StopReason.DEPTH_REACHED: "it had found enough: more memories match than are ranked",
    StopReason.INDEX_EXHAUSTED: "nothing was left to look at",
    StopReason.PROBE_CAP_HIT: "four doublings were spent: whether more match is unknown",
}


def dense_step(e: Explanation) -> Step:
    """Say the rank by meaning, the distance of every part, and how far the arm looked."""
    report = e.outcome.dense
    end = stopped(report, doublings=e.outcome.doublings)
    if not report.ran:
        return Step("Meaning arm", (end,))
    lines = [_rank(e, e.dense.rank, e.dense.ranked, _no_meaning_rank(e))]
    if e.dense.distance is not None:
        lines.append(sums("distance", f"{e.dense.distance!r}", "L2, smaller is nearer"))
    if e.dense.cosine is not None:
        lines.append(sums("cosine", f"{e.dense.cosine!r}", "1 - d²/2, both of unit length"))
    lines += _parts(e)
    lines += _ties(e, is_dense=True)
    return Step("Meaning arm", (*lines, end))


def lexical_step(e: Explanation) -> Step:
    """Say the rank by words, what every word adds to the score, and how far the arm looked."""
    report = e.outcome.lexical
    end = stopped(report)
    if not report.ran:
        return Step("Word arm", (end,))
    lines = [_rank(e, e.lexical.rank, e.lexical.ranked, _no_word_rank(e))]
    lines += _shares(e.lexical)
    lines += _ties(e, is_dense=False)
    return Step("Word arm", (*lines, end))


def stopped(report: ArmReport, label: str = "stopped", *, doublings: int | None = None) -> Line:
    """Say why an arm stopped looking, or why it did not run."""
    if report.stop_reason is None or report.depth_reached is None:
        return absent("" if label == "stopped" else label, f"did not run: {report.reason or ''}")
    found = f"{memories(report.depth_reached)} found"
    widened = "" if doublings is None else f", widened {counted(doublings, 'time')}"
    return fact(label, f"{_STOP_WORDS[report.stop_reason]} ({found}{widened})")


def _rank(e: Explanation, rank: int | None, ranked: int, otherwise: str) -> Line:
    if rank is None:
        return absent("", otherwise)
    depth = e.outcome.settings.fusion_depth
    value = f"#{grouped(rank)} of {grouped(ranked)}" if e.is_whole else f"#{grouped(rank)}"
    if rank > depth:
        return fact("rank", f"{value}, but the arm keeps the first {depth}: it adds nothing")
    return fact("rank", value)


def _no_meaning_rank(e: Explanation) -> str:
    if not e.is_whole:
        return _ABSENT
    if e.verdict is Verdict.NOT_ELIGIBLE:
        return "no rank: it is not eligible"
    if not e.dense.chunks:
        return "no rank: the store holds no vector of it"
    return "no rank: none of its vectors has a distance"


def _no_word_rank(e: Explanation) -> str:
    if not e.is_whole:
        return _ABSENT
    if e.verdict is Verdict.NOT_ELIGIBLE:
        return "no rank: it is not eligible"
    return "no rank: no word of the query occurs in it"


def _parts(e: Explanation) -> list[Line]:
    dense = e.dense
    if not e.is_whole:
        return [
            fact("nearest part", f"{c.part_index + 1} (chunk {c.chunk_id})") for c in dense.chunks
        ]
    nearest = min(
        (c for c in dense.chunks if c.distance is not None),
        key=lambda c: (c.distance or 0.0, c.part_index),
        default=None,
    )
    lines = [_part(c, len(dense.chunks), c is nearest) for c in dense.chunks[:_MOST_PARTS]]
    left = len(dense.chunks) - _MOST_PARTS
    return lines if left <= 0 else [*lines, fact("", f"and {counted(left, 'part')} more")]


def _part(chunk: ChunkDistance, count: int, is_nearest: bool) -> Line:
    where = [f"chunk {chunk.chunk_id}"]
    if chunk.start is not None and chunk.end is not None:
        where.append(f"characters {grouped(chunk.start + 1)} to {grouped(chunk.end)}")
    if is_nearest:
        where.insert(0, "the nearest")
    label = f"part {chunk.part_index + 1} of {count}"
    if chunk.distance is None:
        return Line(label, "has no distance (its vector is missing or not made of numbers)")
    return sums(label, f"{chunk.distance!r}", ", ".join(where))


def _shares(lexical: LexicalSide) -> list[Line]:
    if lexical.bm25 is None:
        return [_absent_term(share) for share in lexical.terms[:_MOST_TERMS]]
    lines = [sums("bm25 in all", f"{lexical.bm25!r}", "more negative is better")]
    if lexical.terms:
        first = lexical.terms[0]
        lines.append(
            sums(
                "each word",
                _FORMULA,
                f"this memory has {counted(first.length, 'word')}, "
                f"the average is {first.average_length!r}",
            )
        )
    lines += [_share(share) for share in lexical.terms[:_MOST_TERMS]]
    left = len(lexical.terms) - _MOST_TERMS
    return lines if left <= 0 else [*lines, fact("", f"and {counted(left, 'word')} more")]


def _share(share: TermShare) -> Line:
    if not share.tf_gist and not share.tf_content:
        return _absent_term(share)
    places = [
        f"{grouped(times)}× in the {place}"
        for times, place in ((share.tf_gist, "gist"), (share.tf_content, "text"))
        if times
    ]
    common = "; too common: counts ~0" if share.is_clamped else ""
    note = f"{' and '.join(places)}; {_in_rows(share)}{common}"
    return sums(share.term, f"{share.contribution!r}", note)


def _absent_term(share: TermShare) -> Line:
    return absent(share.term, "0.0, not in it", _in_rows(share))


def _in_rows(share: TermShare) -> str:
    return f"in {grouped(share.df)} of {memories(share.rows)}, idf {share.idf!r}"


def _ties(e: Explanation, *, is_dense: bool) -> list[Line]:
    hit = e.outcome.hit(e.uuid)
    if hit is None:
        return []
    ties = arm_ties(e.outcome, hit)
    equals = ties.dense if is_dense else ties.lexical
    if not equals:
        return []
    named = ", ".join(_named(h, is_dense=is_dense) for h in equals[:_MOST_TIES])
    left = len(equals) - _MOST_TIES
    more = f" and {grouped(left)} more" if left > 0 else ""
    what = "distance" if is_dense else "bm25"
    return [fact("tie", f"same {what} as {named}{more}: the uuid decided, the rank is arbitrary")]


def _named(hit: Hit, *, is_dense: bool) -> str:
    evidence = hit.dense if is_dense else hit.lexical
    return short(hit.uuid) if evidence is None else f"{short(hit.uuid)} (#{evidence.rank})"
