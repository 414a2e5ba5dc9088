"""A search's pool as the two arms' orders: what fusion and ranking start from, to be run again.

Ranks in an arm have no gaps, so an arm is the order of its uuids. Pure.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from core.explain.standing import Arm
from core.readmodels import MemoryHead, State
from core.retrieval import fusion, ranking
from core.retrieval.fusion import FusedRow
from core.retrieval.outcome import Hit
from core.retrieval.ranking import Placed, Rankable
from core.settings import RetrievalSettings


def _ranks(order: Sequence[str]) -> dict[str, int]:
    return {uuid: rank for rank, uuid in enumerate(order, 1)}


@dataclass(frozen=True, slots=True)
class Pool:
    """The arms' orders, best first, and the rows; `live` are ranked as if they were live."""

    dense: tuple[str, ...]
    lexical: tuple[str, ...]
    heads: Mapping[str, MemoryHead]
    live: frozenset[str] = frozenset()

    @classmethod
    def of(cls, hits: Sequence[Hit], depth: int) -> "Pool":
        """Take the arms' orders from the hits' evidence, down to `depth`."""
        dense = {h.dense.rank: h.uuid for h in hits if h.dense is not None}
        lexical = {h.lexical.rank: h.uuid for h in hits if h.lexical is not None}
        return cls(
            tuple(dense[rank] for rank in sorted(dense) if rank <= depth),
            tuple(lexical[rank] for rank in sorted(lexical) if rank <= depth),
            {h.uuid: h.head for h in hits},
        )

    @property
    def uuids(self) -> tuple[str, ...]:
        """Return the rows that an arm holds."""
        return tuple(dict.fromkeys((*self.dense, *self.lexical)))

    def arm(self, name: str) -> tuple[str, ...]:
        """Return one arm's order."""
        return self.dense if name == Arm.DENSE else self.lexical

    def with_head(self, head: MemoryHead) -> "Pool":
        """Return the pool with a row that an arm may be given."""
        return replace(self, heads={**self.heads, head.uuid: head})

    def with_rank(self, arm: str, uuid: str, rank: int, depth: int) -> "Pool":
        """Return the pool with a row moved to `rank` in one arm; the rows between shift by one.

        A row that enters pushes the last one out of `depth`.
        """
        order = [u for u in self.arm(arm) if u != uuid]
        order.insert(rank - 1, uuid)
        kept = tuple(order[:depth])
        return replace(self, dense=kept) if arm == Arm.DENSE else replace(self, lexical=kept)

    def as_live(self, uuid: str) -> "Pool":
        """Return the pool with a row that counts as live: not demoted, not replaced."""
        return replace(self, live=self.live | {uuid})

    def scores(self, rrf_k: int) -> dict[str, FusedRow]:
        """Fuse the arms."""
        return fusion.fuse(_ranks(self.dense), _ranks(self.lexical), rrf_k)

    def rows(self, rrf_k: int) -> list[Rankable]:
        """Return what the order depends on, for every row that an arm holds."""
        return [self.row(fused) for fused in self.scores(rrf_k).values()]

    def placed(self, settings: RetrievalSettings) -> list[Placed]:
        """Fuse and rank: every row's place, in final order."""
        return ranking.rank(self.rows(settings.rrf_k), settings)

    def position(self, uuid: str, settings: RetrievalSettings) -> int | None:
        """Return a row's final position, None where no arm holds it."""
        return next((p.position for p in self.placed(settings) if p.uuid == uuid), None)

    def orders(self, settings: RetrievalSettings, rrf_ks: Iterable[int]) -> Iterator[list[str]]:
        """Yield the uuids in final order at each rrf_k, all else as in `settings`.

        The score is the first key of the order and the only one that rrf_k changes: the rows are
        put in order by the other keys once, and each k is one stable sort.
        """
        unscored = [replace(row, rrf_score=0.0) for row in self.rows(settings.rrf_k)]
        base = ranking.total_order(unscored, settings)
        stuck = ranking.on_cycles(base)
        shares = self._shares(base, settings)
        deepest = max(len(self.dense), len(self.lexical))
        before: list[int] = []
        final: list[str] = []
        for k in rrf_ks:
            terms = [0.0, *(fusion.rrf_term(rank, k) for rank in range(1, deepest + 1))]
            scores = [-((terms[d] + terms[w]) * penalty) for d, w, penalty in shares]
            order = sorted(range(len(base)), key=scores.__getitem__)
            if order != before:
                before = order
                final = [r.uuid for r in ranking.repair([base[at] for at in order], stuck)]
            yield final

    def _shares(
        self, rows: Sequence[Rankable], settings: RetrievalSettings
    ) -> list[tuple[int, int, float]]:
        """Return each row's rank in the two arms (0: absent, it adds nothing) and its factor."""
        dense, lexical = _ranks(self.dense), _ranks(self.lexical)
        return [
            (
                dense.get(row.uuid, 0),
                lexical.get(row.uuid, 0),
                ranking.penalty_of(row.state, settings),
            )
            for row in rows
        ]

    def row(self, fused: FusedRow) -> Rankable:
        """Return what the order of one fused row depends on."""
        head = self.heads[fused.uuid]
        is_live = fused.uuid in self.live
        return Rankable(
            uuid=fused.uuid,
            rrf_score=fused.rrf_score,
            best_rank=fused.best_rank,
            state=State.LIVE if is_live else head.state,
            tier=head.tier,
            created_at=head.created_at,
            superseded_by=None if is_live else head.superseded_by,
        )
