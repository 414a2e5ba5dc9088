"""What the window says where there is no list: told apart, in words, as data. No Qt."""

from dataclasses import dataclass
from enum import StrEnum

from core.retrieval.outcome import SearchOutcome
from widgets.text_marks import one_line
from widgets.texts import counted, memories

OPEN = "open"
DEMO = "demo"
FIND = "find_stores"
PRIVATE_COPY = "private_copy"
SAVE_ROWS = "save_rows"
WITH_RETIRED = "with_retired"
SEARCH_ALL = "search_all_stores"
WITHOUT_FILTERS = "clear_filters"
_LONGEST_QUERY = 80
_MOST_NAMED = 3


class StateKind(StrEnum):
    """Why there is no list."""

    WELCOME = "welcome"
    EMPTY_STORE = "empty_store"
    NO_MATCH = "no_match"
    LOADING = "loading"
    CANCELLED = "cancelled"
    UNSEARCHED = "unsearched"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class StateAction:
    """A button: `name` is what action_wanted carries, `label` what it says."""

    name: str
    label: str


INCLUDE_RETIRED = StateAction(WITH_RETIRED, "Search retired ones, too")
NO_FILTERS = StateAction(WITHOUT_FILTERS, "Take the filters out")
OPEN_STORE = StateAction(OPEN, "Open store…")
FIND_STORES = StateAction(FIND, "Find stores…")
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
    return StateContent(StateKind.WELCOME, "Open a memory store", text, (OPEN_STORE, OPEN_DEMO))


def loading(what: str, actions: tuple[StateAction, ...] = ()) -> StateContent:
    """Return the page of work under way, `what` as in 'Opening demo'."""
    return StateContent(StateKind.LOADING, f"{one_line(what)}…", "", actions)


def busy(
    title: str, sentence: str, code: str, details: str, actions: tuple[StateAction, ...]
) -> StateContent:
    """Return the page of an error that is being waited out."""
    return StateContent(StateKind.LOADING, title, sentence, actions, code, details)


def search_all(number: int) -> StateAction:
    """Return the button that searches every open store."""
    return StateAction(SEARCH_ALL, f"0 here – search all {number} open stores")


def nothing_searched(more: StateAction | None) -> StateContent:
    """Return the page of open stores none of which is searched."""
    text = "Check a store in the list at the left to browse and search it."
    actions = () if more is None else (StateAction(more.name, "Search all open stores"),)
    return StateContent(StateKind.UNSEARCHED, "No store is searched", text, actions)


def empty_store(*names: str, more: StateAction | None = None) -> StateContent:
    """Return the page of stores without a single memory; `more` searches others, too."""
    if len(names) > 1:
        told = [one_line(name) for name in names[:_MOST_NAMED]]
        left = [f"{len(names) - len(told)} more"] if len(told) < len(names) else []
        title = "These stores are empty"
        text = f"No memory has been written yet to {', '.join([*told, *left])}."
    else:
        title = "This store is empty"
        name = one_line(names[0]) if names else "This"
        text = f"{name} is a memory store, but no memory has been written to it yet."
    actions = (OPEN_STORE,) if more is None else (more, OPEN_STORE)
    return StateContent(StateKind.EMPTY_STORE, title, text, actions)


def no_match(
    outcome: SearchOutcome, retired: int = 0, more: StateAction | None = None
) -> StateContent:
    """Return the page of a search that found nothing: what was searched, and how.

    `retired` is how many memories the search left out because they are retired; `more` searches
    other open stores, too.
    """
    asked = one_line(outcome.query.text or outcome.query.uuid or "", _LONGEST_QUERY)
    kind = "of any state" if outcome.scope.lets_retired_in else "live and replaced"
    narrowed = outcome.scope.narrowed
    how = " · ".join(
        f"{name}: searched" if report.ran else f"{name}: {one_line(report.reason or 'off')}"
        for name, report in (("Words", outcome.lexical), ("Meaning", outcome.dense))
    )
    nothing = "There is nothing to search by words." if not outcome.lexical.ran else ""
    where = f"Looked through {memories(outcome.memories - retired)} ({kind})."
    left_out = f"Left out: {counted(retired, 'retired memory', 'retired memories')}."
    passing = "" if narrowed is None else f"Only what passes: {_cut(narrowed.description)}"
    lines = (where, left_out if retired else "", passing, nothing, how)
    text = "\n".join(line for line in lines if line)
    actions = (() if more is None else (more,)) + ((INCLUDE_RETIRED,) if retired else ())
    if narrowed is not None:
        actions = (NO_FILTERS, *actions)
    return StateContent(StateKind.NO_MATCH, f"Nothing found for “{asked}”", text, actions)


def _cut(text: str) -> str:
    return one_line(text, _LONGEST_QUERY)


def filtered_out(filters: str, total: int, more: StateAction | None = None) -> StateContent:
    """Return the page of a list that filters leave nothing of; `total` memories are there."""
    text = f"None of {memories(total)} passes: {_cut(filters)}"
    actions = (NO_FILTERS,) if more is None else (NO_FILTERS, more)
    return StateContent(StateKind.NO_MATCH, "The filters leave nothing", text, actions)


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
