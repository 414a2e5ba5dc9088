"""What the message bar says, and what its buttons do; errors come here in the presenter's words."""

from collections.abc import Callable

from app.arguments import program_version
from app.error_presenter import Move, machine_line, move_text, present
from core.errors import GenizahError
from widgets.message_bar import Message, MessageBar, MessageKind
from widgets.state_content import StateAction

_FAULT_CODE = "bug"
_FAULT = (
    "Something in Genizah broke, and what is shown may be incomplete. Nothing in the store was "
    "changed. Please report it with the details."
)


class MessageController:
    """Show messages under keys: a later one replaces the one before it."""

    def __init__(self, bar: MessageBar, move: Callable[[str], None]) -> None:
        self._bar = bar
        self._move = move
        self.cancel_wanted: Callable[[str], None] = lambda _key: None
        """Called with the key of the work that is to be cancelled."""
        self.served: dict[str, Callable[[str], None]] = {}
        """Who acts on the buttons of the message of a key, where the window does not."""
        bar.action_wanted.connect(self._act)

    def _act(self, key: str, name: str) -> None:
        if name == Move.CANCEL_WORK:
            self.cancel_wanted(key)
        else:
            self.served.get(key, self._move)(name)

    def show_error(self, key: str, error: GenizahError) -> None:
        """Say what failed, with what can be done and details to copy."""
        shown = present(error, program_version())
        actions = tuple(StateAction(name, label) for name, label in shown.moves)
        self._bar.show_message(
            Message(key, MessageKind.ERROR, shown.sentence, shown.code, shown.details, actions)
        )

    def show_waiting(self, key: str, error: GenizahError, delay_s: float) -> None:
        """Say what is in the way and when it is tried again, with a way to stop that."""
        shown = present(error, program_version())
        text = f"{shown.sentence} {trying_again(delay_s)}"
        actions = tuple(StateAction(m, move_text(m)) for m in (Move.TRY_NOW, Move.STOP_TRYING))
        self._bar.show_message(
            Message(key, MessageKind.WORKING, text, shown.code, shown.details, actions)
        )

    def show_work(self, key: str, text: str, amount: tuple[int, int]) -> None:
        """Say how far long work is, with a way to cancel it; (0, 0) while nothing is known."""
        actions = (StateAction(Move.CANCEL_WORK, move_text(Move.CANCEL_WORK)),)
        self._bar.show_message(
            Message(key, MessageKind.WORKING, text, actions=actions, amount=amount)
        )

    def show_given_up(self, key: str, error: GenizahError) -> None:
        """Say what is in the way; it is tried again only when asked for."""
        shown = present(error, program_version())
        actions = (StateAction(Move.TRY_NOW, move_text(Move.TRY_NOW)),)
        self._bar.show_message(
            Message(key, MessageKind.ERROR, shown.sentence, shown.code, shown.details, actions)
        )

    def show_fault(self, trace: str) -> None:
        """Say that the program itself broke; the traceback is in the details."""
        details = f"{machine_line(program_version())}\ncode: {_FAULT_CODE}\n{trace}"
        self._bar.show_message(
            Message(_FAULT_CODE, MessageKind.ERROR, _FAULT, _FAULT_CODE, details)
        )

    def tell(
        self, key: str, text: str, code: str, actions: tuple[StateAction, ...] = ()
    ) -> None:
        """Say news that stays until it is dismissed."""
        self._bar.show_message(Message(key, MessageKind.NEWS, text, code, actions=actions))

    def confirm(self, text: str) -> None:
        """Confirm what was done; goes away by itself."""
        self._bar.show_message(Message("done", MessageKind.DONE, text))

    def end(self, key: str) -> None:
        """Take back what was said under a key."""
        self._bar.end_message(key)

    def clear(self) -> None:
        """Take everything back."""
        self._bar.clear()


def trying_again(delay_s: float) -> str:
    """Say when it is tried again: 'Trying again in 2 s…'."""
    return f"Trying again in {delay_s:.0f} s…"
