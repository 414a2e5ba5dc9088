"""What the window says where there is no list: told apart, in words, as data. No Qt."""

from dataclasses import dataclass
from enum import StrEnum

from core.retrieval.outcome import SearchOutcome
from widgets.text_marks import one_line
from widgets.texts import counted, memories

OPEN = "open"
DEMO = "demo"
PRIVATE_COPY = "private_copy"
SAVE_ROWS = "save_rows"
WITH_RETIRED = "with_retired"
_LONGEST_QUERY = 80


class StateKind(StrEnum):
    """Why there is no list."""

    WELCOME = "welcome"
    EMPTY_STORE = "empty_store"
    NO_MATCH = "no_match"
    LOADING = "loading"
    CANCELLED = "cancelled"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class StateAction:
    """A button: `name` is what action_wanted carries, `label` what it says."""

    name: str
    label: str


INCLUDE_RETIRED = StateAction(WITH_RETIRED, "Search retired ones, too")
OPEN_STORE = StateAction(OPEN, "Open store…")
OPEN_DEMO = StateAction(DEMO, "Open the demo store")
OPEN_COPY = StateAction(PRIVATE_COPY, "Open a private copy")
SAVE_READABLE = StateAction(SAVE_ROWS, "Save readable rows…")


@dataclass(frozen=True, slots=True)
class StateContent:
    """One page: a title, a sentence, and for an error its code and the details to copy."""

    kind: StateKind
    title: str
    text: str
    actions: tuple[StateAction, ...] = ()
    code: str = ""
    details: str = ""


def welcome() -> StateContent:
    """Return the first page: no store is open."""
    text = (
        "See what a coding agent remembers, search it as the agent does, and see why each "
        "result ranks where it does. Nothing in the store is changed by looking."
    )
    return StateContent(
        StateKind.WELCOME, "Open a memory store", text, (OPEN_STORE, OPEN_DEMO)
    )


def loading(what: str, actions: tuple[StateAction, ...] = ()) -> StateContent:
    """Return the page of work under way, `what` as in 'Opening demo'."""
    return StateContent(StateKind.LOADING, f"{one_line(what)}…", "", actions)


def busy(
    title: str, sentence: str, code: str, details: str, actions: tuple[StateAction, ...]
) -> StateContent:
    """Return the page of an error that is being waited out."""
    return StateContent(StateKind.LOADING, title, sentence, actions, code, details)


def empty_store(name: str) -> StateContent:
    """Return the page of a store without a single memory."""
    text = f"{one_line(name)} is a memory store, but no memory has been written to it yet."
    return StateContent(StateKind.EMPTY_STORE, "This store is empty", text, (OPEN_STORE,))


def no_match(outcome: SearchOutcome, retired: int = 0) -> StateContent:
    """Return the page of a search that found nothing: what was searched, and how.

    `retired` is how many memories the search left out because they are retired.
    """
    asked = one_line(outcome.query.text or "", _LONGEST_QUERY)
    kind = "of any state" if outcome.scope.include_retired else "live and replaced"
    how = " · ".join(
        f"{name}: searched" if report.ran else f"{name}: {one_line(report.reason or 'off')}"
        for name, report in (("Words", outcome.lexical), ("Meaning", outcome.dense))
    )
    nothing = "There is nothing to search by words." if not outcome.lexical.ran else ""
    where = f"Looked through {memories(outcome.memories - retired)} ({kind})."
    left_out = f"Left out: {counted(retired, 'retired memory', 'retired memories')}."
    text = "\n".join(
        line for line in (where, left_out if retired else "", nothing, how) if line
    )
    actions = (INCLUDE_RETIRED,) if retired else ()
    return StateContent(StateKind.NO_MATCH, f"Nothing found for “{asked}”", text, actions)


def cancelled(query: str, actions: tuple[StateAction, ...]) -> StateContent:
    """Return the page of a search that was ended before there was a list for it."""
    asked = one_line(query, _LONGEST_QUERY)
    text = f"There is no list for “{asked}”: the store was not searched to the end."
    return StateContent(StateKind.CANCELLED, "Search cancelled", text, actions)


def failure(
    title: str, sentence: str, code: str, details: str, actions: tuple[StateAction, ...] = ()
) -> StateContent:
    """Return the page of an error: what happened, what to do, its code, and details to copy."""
    return StateContent(StateKind.ERROR, title, sentence, actions, code, details)
