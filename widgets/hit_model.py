"""The model of the ranked list: the whole pool of one search, and where the agent's list is cut."""

from core.retrieval.outcome import SearchOutcome
from widgets.row_content import hit_rows
from widgets.row_model import FixedRows


class HitModel(FixedRows):
    """The hits of one outcome in final order; never cut, never sorted here."""

    limit = 0
    """How many rows the agent sees; the cut is below that row."""

    def show_outcome(self, outcome: SearchOutcome, limit: int) -> None:
        """Show the pool of `outcome`."""
        self.limit = limit
        self.set_rows(hit_rows(outcome, limit))

    def clear(self) -> None:
        """Show nothing."""
        self.limit = 0
        self.set_rows([])

    @property
    def cut_row(self) -> int | None:
        """Return the last row inside the cut, or None where the pool is too short to be cut."""
        return self.limit - 1 if 0 < self.limit <= self.count() else None
