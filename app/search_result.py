"""A search of the command line in words, what it lacks, and the rows that hold its text."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.open_store import OpenStore
from core.documents.search_document import StoreMatch, StoresLiteral
from core.errors import ErrorCode, GenizahError
from core.federation.member import FailedMember
from core.federation.outcome import FederatedOutcome, Group, Searched
from core.readmodels import State
from core.retrieval.arms import StopReason
from core.retrieval.literal import LITERAL_LIMIT, LiteralMatches, literal_matches
from core.retrieval.outcome import Hit, SearchOutcome

_FEW = 5


async def all_literal(
    members: Sequence[OpenStore | FailedMember], found: FederatedOutcome
) -> StoresLiteral:
    """Look every store that was searched through for the query's own text.

    A search by a memory has none. Raises GenizahError for a single store; of several, one that
    fails is named and makes the result incomplete.
    """
    text = found.first.outcome.query.text
    rows: list[StoreMatch] = []
    failed: list[str] = []
    total = 0
    for at, member in enumerate(members):
        skipped = found.stores[at].searched in (Searched.FAILED, Searched.COPY_OF)
        if text is None or skipped or isinstance(member, FailedMember):
            continue
        try:
            matches = await _of_one(member, text, _pool(at, found))
        except GenizahError as error:
            if len(members) == 1:
                raise
            failed.append(f"{found.stores[at].path}: {error.message}")
        else:
            rows += [StoreMatch(at, match) for match in matches.matches]
            total += matches.total
    rows.sort(key=lambda row: row.match.head.uuid)
    rows.sort(key=lambda row: row.match.head.created_at, reverse=True)
    return StoresLiteral(tuple(rows[:LITERAL_LIMIT]), total, tuple(failed))


async def _of_one(store: OpenStore, text: str, pool: set[str]) -> LiteralMatches:
    reports = literal_matches(store.database.browse, text, pool)
    return [report async for report in reports][-1]


def _pool(at: int, found: FederatedOutcome) -> set[str]:
    (group,) = [group for group in found.groups if at in group.stores]
    return {hit.uuid for hit in group.outcome.hits if group.store_of(hit.uuid) == at}


def _mark(hit: Hit) -> str:
    match hit.state:
        case State.LIVE:
            return "live"
        case State.SUPERSEDED:
            return f"replaced by {(hit.head.superseded_by or '')[:8]}"
        case State.RETIRED:
            return "retired"


def _ranks(hit: Hit) -> str:
    words = f"words #{hit.lexical.rank}" if hit.lexical else "words -"
    meaning = f"meaning #{hit.dense.rank}" if hit.dense else "meaning -"
    return f"{words} · {meaning}"


def as_text(found: FederatedOutcome, literal: StoresLiteral, limit: int) -> str:
    """Return the result in words, each list cut at `limit`; several stores with their marks."""
    several = len(found.stores) > 1
    lines = _stores(found) if several else []
    for group in found.groups:
        lines += _list(found, group, limit, several=several)
    if literal.total:
        lines.append(f"Contains this text - not ranked by the agent's search: {literal.total} more")
        for row in literal.matches[:_FEW]:
            mark = f"[{row.store + 1}]  " if several else ""
            gist = " ".join(row.match.head.gist.split())
            lines.append(f"     {mark}{row.match.head.uuid}  {gist}")
    return "\n".join(lines)


def _stores(found: FederatedOutcome) -> list[str]:
    """Return a line for each store: its mark, its path, how it was searched."""
    lines: list[str] = []
    for at, status in enumerate(found.stores, 1):
        how = "" if status.reason is None else f" ({status.reason})"
        lines.append(f"[{at}] {status.path}: {_HOW[status.searched]}{how}")
    return lines


_HOW = {
    Searched.HYBRID: "searched",
    Searched.LEXICAL: "searched by words only",
    Searched.FAILED: "FAILED",
    Searched.COPY_OF: "a copy, not searched",
    Searched.LEFT_OUT: "not searched",
}


def _list(found: FederatedOutcome, group: Group, limit: int, *, several: bool) -> list[str]:
    outcome = group.outcome
    shown = outcome.hits[:limit]
    head = f"{len(shown)} of {len(outcome.hits)} found in {outcome.memories} memories"
    if several:
        marks = " ".join(f"[{at + 1}]" for at in group.stores)
        head = f"{marks}  {head}" + ("" if group.reason is None else f" - apart: {group.reason}")
    lines = [head]
    for hit in shown:
        mark = f"[{group.store_of(hit.uuid) + 1}]  " if several else ""
        gist = " ".join(hit.head.gist.split()) or "(blank)"
        lines.append(f"{hit.position:3}. {mark}{gist}")
        lines.append(f"     {hit.uuid}  {_mark(hit)}  {_ranks(hit)}")
    return lines


@dataclass(frozen=True, slots=True)
class Gap:
    """What keeps a result from being complete: a word for machines and one for people."""

    reason: str
    text: str


def gap_of(found: FederatedOutcome, *, meaning_asked: bool) -> Gap | None:
    """Return the first thing that is missing: a store, the meaning arm where it was asked for, or
    the depth that it owed.
    """
    failed = [status for status in found.stores if status.searched is Searched.FAILED]
    if failed:
        return Gap(
            "store_failed",
            f"{len(failed)} of {len(found.stores)} stores could not be searched "
            f"({(failed[0].reason or '').rstrip('.')})",
        )
    gaps = (_arm_gap(group.outcome, meaning_asked=meaning_asked) for group in found.groups)
    return next((gap for gap in gaps if gap is not None), None)


def literal_gap(found: FederatedOutcome, literal: StoresLiteral) -> Gap | None:
    """Return what is missing where a store could not be looked through to its end."""
    if not literal.unread:
        return None
    return Gap(
        "store_failed",
        f"{len(literal.unread)} of {len(found.stores)} stores could not be looked through for the "
        f"text itself ({literal.unread[0].rstrip('.')})",
    )


def _arm_gap(outcome: SearchOutcome, *, meaning_asked: bool) -> Gap | None:
    if meaning_asked and not outcome.dense.ran:
        why = (outcome.dense.reason or "").rstrip(".")
        return Gap("dense_arm_off", f"the meaning search did not run ({why})")
    if outcome.dense.stop_reason is StopReason.PROBE_CAP_HIT:
        return Gap(
            StopReason.PROBE_CAP_HIT.value,
            "the meaning search stopped at its widest probe, before it had enough memories",
        )
    return None


def refuse(gap: Gap) -> GenizahError:
    """Make the error of a result that is incomplete where a whole one was asked for."""
    return GenizahError(
        ErrorCode.INCOMPLETE,
        f"The result is incomplete: {gap.text}; leave --strict out to take it as it is.",
        reason=gap.reason,
    )
