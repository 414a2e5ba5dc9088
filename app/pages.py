"""State pages made from errors and moves, in the presenter's words: what the window shows where
there is no list. Pages that need no error are widgets/state_content's own.
"""

from app.arguments import program_version
from app.error_presenter import Move, move_text, present
from app.message_controller import trying_again
from core.errors import GenizahError
from widgets.state_content import StateAction, StateContent, busy, cancelled, failure


def _offered(*moves: Move) -> tuple[StateAction, ...]:
    return tuple(StateAction(move, move_text(move)) for move in moves)


def busy_page(error: GenizahError, delay_s: float) -> StateContent:
    """Return the page of a locked store that is tried again after `delay_s`."""
    shown = present(error, program_version())
    return busy(
        shown.title,
        f"{shown.sentence}\n{trying_again(delay_s)}",
        shown.code,
        shown.details,
        _offered(Move.OPEN_AGAIN, Move.STOP_TRYING),
    )


def failure_page(error: GenizahError, *more: StateAction) -> StateContent:
    """Return the page of an error with its own moves, and `more` behind them."""
    shown = present(error, program_version())
    actions = (*(StateAction(name, label) for name, label in shown.moves), *more)
    return failure(shown.title, shown.sentence, shown.code, shown.details, actions)


def cancelled_page(query: str) -> StateContent:
    """Return the page of a search that was cancelled before there was a list."""
    return cancelled(query, _offered(Move.SEARCH_AGAIN))
