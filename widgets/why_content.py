"""What the Why panel gets: one explanation with the search it belongs to, all of it data."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.explain.standing import Standing
from core.retrieval.ladder import Rung
from core.retrieval.outcome import SearchOutcome


@dataclass(frozen=True, slots=True)
class WhyContent:
    """One hit explained.

    `ladder` is None while its counts have not been read. `settings` are (key, value, source);
    `store_lines` say which store and model, one fact a line.
    """

    explanation: Standing
    sentence: str
    outcome: SearchOutcome
    ladder: tuple[Rung, ...] | None
    settings: Sequence[tuple[str, str, str]]
    store_lines: Sequence[str]
