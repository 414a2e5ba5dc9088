"""Looking through texts for shapes: ordinary ones, and texts of 2 MB made to be slow.

Prints ms a MB of ordinary text, and for the slowest hostile texts the same and how many times as
long ten times the text takes (10 is in proportion; 100 would be a bad expression).
"""

import random
import time

from core.health.instruction_shapes import INSTRUCTIONS
from core.health.patterns import matches_in
from core.health.secret_shapes import SECRETS

_SHAPES = (*SECRETS, *INSTRUCTIONS)
_SIZE = 2_000_000
_TOLD = 5
# Every literal part that lets an expression be tried.
_PREFIX = "".join(f"{part} " for shape in _SHAPES for part in shape.parts)
_UNITS = (
    *("a", "-", " ", "\n", "eyJ", "eyJa.", "sk-", "sk-a", "x1-", "AKIA", "://a:", "://", "a:b@"),
    *("password=", "password = ", "bearer ", "ignore the ", "ignore all of the previous a b ", "#"),
    *("system", "\nsystem", "<|", "<|a", "do not tell ", "do not tell a", "-----BEGIN A ", "< "),
    *("</invoke:", "<a:", "\U000e0061", "token:\"'", "ghp_a", "xoxb-", "pypi-", "\t>", "a."),
)


def _ms(text: str, runs: int = 2) -> float:
    best = float("inf")
    for _ in range(runs):
        start = time.process_time()
        matches_in("gist", text, _SHAPES)
        best = min(best, time.process_time() - start)
    return best * 1000


def _ordinary() -> float:
    rng = random.Random(4)
    words = ["".join(rng.choices("etaoinshrdlu", k=rng.randint(2, 9))) for _ in range(5000)]
    texts = [" ".join(rng.choices(words, k=70)) for _ in range(5000)]
    start = time.process_time()
    for text in texts:
        matches_in("gist", text, _SHAPES)
    took = (time.process_time() - start) * 1000
    return took / (sum(map(len, texts)) / 1_000_000)


def main() -> None:
    """Measure and print."""
    print(f"ordinary memories {_ordinary():8.1f} ms a MB")
    found = []
    for unit in _UNITS:
        whole = _ms(_PREFIX + unit * (_SIZE // len(unit)))
        tenth = _ms(_PREFIX + unit * (_SIZE // 10 // len(unit)))
        found.append((whole / 2, whole / tenth, unit))
    for per_mb, ratio, unit in sorted(found, reverse=True)[:_TOLD]:
        print(f"{unit!a:17} {per_mb:8.1f} ms a MB, ten times the text: {ratio:5.1f} times")


if __name__ == "__main__":
    main()
