"""One store's arms as branches of the window kernel: their scores, and what places equal ones.

The kernel looks at an arm's candidates in place and returns the very tuple it was given.
"""

import re
import sys
from collections.abc import Callable, Sequence

from core.errors import ErrorCode, GenizahError
from core.retrieval.arms import DenseCandidate, LexicalCandidate
from core.windows.errors import WindowError
from core.windows.local import local_branch

_MOST = sys.float_info.max
_PLAIN_UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def _higher_is_better(measured: float) -> float:
    """Turn a distance or a bm25 around. An infinite one (a vector may hold infinity) keeps its
    place at the end as the outermost finite number; a NaN stays one.
    """
    return min(max(-measured, -_MOST), _MOST)


def _dense_score(candidate: DenseCandidate) -> float:
    return _higher_is_better(candidate.distance)


def _lexical_score(candidate: LexicalCandidate) -> float:
    return _higher_is_better(candidate.bm25)


def _dense_reference(candidate: DenseCandidate) -> str | None:
    """Return the uuid where code points, UTF-8 bytes and UTF-16 units give one order."""
    return candidate.uuid if candidate.uuid.isascii() else None


def _lexical_reference(candidate: LexicalCandidate) -> str | None:
    """Return the uuid where the text tells how SQLite sorted it: a blob goes after every text, a
    broken text by bytes that are gone, an odd one by the column's collation.
    """
    plain = candidate.stored_as_text and _PLAIN_UUID.fullmatch(candidate.uuid) is not None
    return candidate.uuid if plain else None


def dense_branch(candidates: Sequence[DenseCandidate]) -> Sequence[DenseCandidate]:
    """Return these candidates: nearest first, then by uuid. Raises GenizahError if they are not."""
    return _looked_at(candidates, "meaning", _dense_score, _dense_reference)


def lexical_branch(candidates: Sequence[LexicalCandidate]) -> Sequence[LexicalCandidate]:
    """Return these candidates: by bm25, then by uuid. Raises GenizahError if they are not."""
    return _looked_at(candidates, "word", _lexical_score, _lexical_reference)


def _looked_at[C](
    candidates: Sequence[C],
    name: str,
    score: Callable[[C], float],
    reference: Callable[[C], str | None],
) -> Sequence[C]:
    try:
        return local_branch(candidates, score=score, reference=reference)
    except WindowError as error:
        raise GenizahError(
            ErrorCode.STORE_FAILED,
            f"The {name} search of the store gave no usable order. {error.message}",
            reason="branch_order",
        ) from error
