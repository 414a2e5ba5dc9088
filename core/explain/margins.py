"""How much would have to change for a memory to cross the cut: into the list, or out of it. Pure.

Every value is tried by fusing and ranking again, nearest to the present first; the first that
takes the memory across is the margin. Nothing is interpolated, for the order may jump: a row that
moves takes others with it, and replacements go first.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.explain.explanation import Margin, MarginKind
from core.explain.pool import Pool
from core.explain.standing import Arm
from core.readmodels import MemoryHead, State
from core.retrieval.eligibility import Consumer
from core.retrieval.outcome import SearchOutcome
from core.settings import RetrievalSettings

#: The agent's search takes 1 to 50.
WIDEST_LIMIT = 50
RRF_KS = range(1, 1001)
PENALTIES = tuple(round(step * 0.05, 2) for step in range(1, 21))


def _is_eligible(outcome: SearchOutcome, head: MemoryHead) -> bool:
    scope = outcome.scope
    if scope.consumer is Consumer.SIMILAR:
        return head.state is State.LIVE and head.uuid != scope.exclude_uuid
    return scope.lets_retired_in or head.state is not State.RETIRED


@dataclass(frozen=True, slots=True)
class _Case:
    """One memory, one search, one cut; `ranks` hold the memory's true rank in each arm that ran."""

    pool: Pool
    settings: RetrievalSettings
    uuid: str
    state: State
    limit: int
    ranks: dict[str, int | None]
    is_eligible: bool
    position: int | None

    @property
    def is_inside(self) -> bool:
        return self.position is not None and self.position <= self.limit

    def crosses(self, position: int | None) -> bool:
        """Tell whether a memory that stands at `position` is on the other side of the cut."""
        return (position is not None and position <= self.limit) != self.is_inside

    def rank_margin(self, kind: MarginKind, arm: str) -> Margin:
        """Try better ranks for a memory outside, worse ones within the arm for one inside.

        Beyond the last rank of the arm the row that would follow it in is not known.
        """
        before = self.ranks.get(arm)
        for rank in self._ranks_to_try(arm, before):
            moved = self.pool.with_rank(arm, self.uuid, rank, self.settings.fusion_depth)
            position = moved.position(self.uuid, self.settings)
            if self.crosses(position):
                return Margin(kind, before, rank, position, True)
        return Margin(kind, before, None, None, True)

    def _ranks_to_try(self, arm: str, before: int | None) -> Iterable[int]:
        if arm not in self.ranks or not self.is_eligible:
            return ()
        order = self.pool.arm(arm)
        if self.is_inside:
            return range(order.index(self.uuid) + 2, len(order) + 1) if self.uuid in order else ()
        last = len(order) if self.uuid in order else len(order) + 1
        worst = min(last, self.settings.fusion_depth)
        return range(worst if before is None else min(before - 1, worst), 0, -1)

    def state_margin(self) -> Margin:
        """Try the memory as live, at the ranks it then has where the search left it out."""
        none = Margin(MarginKind.STATE, self.state.value, None, None, True)
        if self.state is State.LIVE:
            return none
        pool, depth = self.pool.as_live(self.uuid), self.settings.fusion_depth
        if not self.is_eligible:
            for arm, rank in self.ranks.items():
                if rank is not None and rank <= min(depth, len(pool.arm(arm)) + 1):
                    pool = pool.with_rank(arm, self.uuid, rank, depth)
        position = pool.position(self.uuid, self.settings)
        if position is None or self.is_inside or not self.crosses(position):
            return none
        return Margin(MarginKind.STATE, self.state.value, State.LIVE.value, position, True)

    def rrf_k_margin(self) -> Margin:
        before = self.settings.rrf_k
        if self.position is not None:
            ks = sorted((k for k in RRF_KS if k != before), key=lambda k: abs(k - before))
            for k, order in zip(ks, self.pool.orders(self.settings, ks), strict=True):
                if self.crosses(order.index(self.uuid) + 1):
                    position = self.pool.position(self.uuid, replace(self.settings, rrf_k=k))
                    return Margin(MarginKind.RRF_K, before, k, position, True)
        return Margin(MarginKind.RRF_K, before, None, None, True)

    def penalty_margin(self, kind: MarginKind, state: State) -> Margin:
        """Try the steps of one penalty; it counts only where the pool has a row of that state."""
        before = self._with_penalty(kind, None)[1]
        demoted = any(self.pool.heads[u].state is state for u in self.pool.uuids)
        if self.position is not None and demoted:
            steps = (p for p in PENALTIES if p != before)
            for penalty in sorted(steps, key=lambda p: abs(p - before)):
                position = self.pool.position(self.uuid, self._with_penalty(kind, penalty)[0])
                if self.crosses(position):
                    return Margin(kind, before, penalty, position, True)
        return Margin(kind, before, None, None, True)

    def _with_penalty(
        self, kind: MarginKind, penalty: float | None
    ) -> tuple[RetrievalSettings, float]:
        """Return the settings with one penalty replaced where one is given, and its value."""
        own = self.settings
        if kind is MarginKind.SUPERSESSION_PENALTY:
            value = own.supersession_penalty if penalty is None else penalty
            return replace(own, supersession_penalty=value), value
        value = own.retired_penalty if penalty is None else penalty
        return replace(own, retired_penalty=value), value

    def limit_margin(self) -> Margin:
        after = None
        if self.position is not None:
            after = self.position - 1 if self.is_inside else self.position
        if after is None or not 1 <= after <= WIDEST_LIMIT:
            return Margin(MarginKind.LIMIT, self.limit, None, None, True)
        return Margin(MarginKind.LIMIT, self.limit, after, self.position, True)


def margins(
    outcome: SearchOutcome,
    uuid: str,
    limit: int,
    *,
    lexical_rank: int | None,
    dense_rank: int | None,
    head: MemoryHead,
    passes_filters: bool = True,
) -> tuple[Margin, ...]:
    """Return one margin a kind, QUERY_TERM excepted, in the order of `MarginKind`.

    The ranks are true ones among the eligible memories, also beyond the depth; for a memory that
    is not eligible those it would have if it were. `head` is the memory's own. Where a kind takes
    the memory nowhere, `after` is None.
    """
    ran = ((Arm.LEXICAL, outcome.lexical.ran), (Arm.DENSE, outcome.dense.ran))
    given = {Arm.LEXICAL: lexical_rank, Arm.DENSE: dense_rank}
    hit = outcome.hit(uuid)
    # A search by a memory leaves that memory out whatever its state, and so do filters what does
    # not pass them: no arm takes it in.
    may_enter = passes_filters and outcome.scope.exclude_uuid != uuid
    case = _Case(
        pool=Pool.of(outcome.hits, outcome.settings.fusion_depth).with_head(head),
        settings=outcome.settings,
        uuid=uuid,
        state=head.state,
        limit=limit,
        ranks={arm: given[arm] for arm, did in ran if did and may_enter},
        is_eligible=_is_eligible(outcome, head),
        position=None if hit is None else hit.position,
    )
    return (
        case.state_margin(),
        case.rank_margin(MarginKind.LEXICAL_RANK, Arm.LEXICAL),
        case.rank_margin(MarginKind.DENSE_RANK, Arm.DENSE),
        case.rrf_k_margin(),
        case.penalty_margin(MarginKind.SUPERSESSION_PENALTY, State.SUPERSEDED),
        case.penalty_margin(MarginKind.RETIRED_PENALTY, State.RETIRED),
        case.limit_margin(),
    )


def term_advice(terms: Sequence[tuple[str, int]]) -> Margin | None:
    """Advise a word of the memory that the query lacks: the one in the fewest memories.

    `terms` are (term, how many memories hold it); one that none holds is no advice, nor is a
    number or a letter alone where there is a word. Ties: the longest, then the first. Not
    verified: a changed query is another search.
    """
    held = [term for term in terms if term[1] > 0]
    words = [t for t in held if len(t[0]) > 1 and not t[0].isnumeric()] or held
    if not words:
        return None
    term, _ = min(words, key=lambda t: (t[1], -len(t[0])))
    return Margin(MarginKind.QUERY_TERM, None, term, None, False)
