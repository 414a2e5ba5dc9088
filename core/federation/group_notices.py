"""What a person must know of one list over several stores, beside the list.

No agent searches several stores at once: where its search of one of them would fail, that store is
named. A circle is told for the list as it stands here.
"""

from collections.abc import Sequence

from core.notices import Notice, NoticeCode
from core.retrieval.arms import PEER_K_LIMIT, DenseArm
from core.retrieval.outcome import Hit
from core.words import vectors_left_out


def group_notices(
    arms: Sequence[tuple[str, DenseArm]], hits: Sequence[Hit], *, is_filtered: bool
) -> list[Notice]:
    """Return the notices of the stores' own meaning arms, by name, and of the ranked list."""
    found: list[Notice] = []
    refused = [name for name, arm in arms if max(arm.probes, default=0) > PEER_K_LIMIT]
    if refused and not is_filtered:
        found.append(
            Notice(
                NoticeCode.PEER_FAILS_K_LIMIT,
                f"The agent's own search fails in {_named(refused)}: it would ask the vector "
                f"index for more than {PEER_K_LIMIT} neighbours, and that refuses.",
            )
        )
    without = [name for name, arm in arms if arm.not_ranked]
    if without:
        left_out = sum(arm.not_ranked for _, arm in arms)
        found.append(
            Notice(
                NoticeCode.PEER_FAILS_VECTOR,
                f"The agent's own search fails in {_named(without)}: {vectors_left_out(left_out)}",
            )
        )
    stuck = sum(1 for hit in hits if hit.on_cycle)
    if stuck:
        found.append(
            Notice(
                NoticeCode.PEER_FAILS_CYCLE,
                f"{stuck} result(s) replace each other in a circle or wait on one: the agent's own "
                "search of a store that holds such a circle fails. They keep the order of their "
                "scores.",
            )
        )
    return found


def _named(names: Sequence[str]) -> str:
    return ", ".join(names)
