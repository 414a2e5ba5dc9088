"""Cheap deterministic vectors in place of a model: a bag of hashed words, unit length.

Texts that share words come out near each other, so generated stores have real near-duplicates.
Standard library only: both sides of the harness use it.
"""

import hashlib
import math
import re

_WORD = re.compile(r"\w+")
_TEXT_WEIGHT = 0.05


def stub_vector(text: str, dim: int) -> tuple[float, ...]:
    """Return the unit vector of `text`, `dim` wide; equal texts give equal vectors."""
    total = [0.0] * dim
    for word in _WORD.findall(text.casefold()):
        _add(total, word, 1.0)
    # The whole text as well: two orders of the same words are near, not equal.
    _add(total, f"\0{text}", _TEXT_WEIGHT)
    norm = math.sqrt(math.fsum(value * value for value in total))
    if norm == 0.0:
        return (1.0, *[0.0] * (dim - 1))
    return tuple(value / norm for value in total)


def _add(total: list[float], token: str, weight: float) -> None:
    digest = hashlib.blake2b(token.encode("utf-8", "surrogatepass"), digest_size=32).digest()
    for start in range(0, len(digest), 4):
        position = int.from_bytes(digest[start : start + 3], "big") % len(total)
        total[position] += weight if digest[start + 3] & 1 else -weight
