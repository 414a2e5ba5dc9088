"""What the lists on screen are about, in words and labels: which of the open stores. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from app.literal_union import LiteralUnion
from app.open_stores import OpenStores, StoreEntry
from core.notices import Notice
from core.retrieval.literal import LiteralMatches
from core.retrieval.outcome import SearchOutcome
from widgets.state_content import StateAction, search_all
from widgets.store_labels import StoreLabel


@dataclass(frozen=True, slots=True)
class ShownScope:
    """The stores of the lists. Without fields: one store, and no other is open.

    `labels` are those of the stores that are listed together, in order; `words` say the scope,
    empty where only one store is open. `notices` are those of all the stores, each with its name;
    None where there is only one.
    """

    labels: tuple[StoreLabel, ...] = ()
    words: str = ""
    names: str = ""
    offer: StateAction | None = None
    notices: tuple[Notice, ...] | None = None
    unread: tuple[Notice, ...] = ()
    """What is missing of a list that no search made."""
    found: tuple[Notice, ...] | None = None
    """Those of a search of several stores, while its list is shown."""
    has_groups: bool = False
    front: str = ""
    """What the store in front is called, empty where no other is open."""
    by_key: Mapping[str, StoreLabel] = field(default_factory=lambda: MappingProxyType({}))

    def notices_of(self, outcome: SearchOutcome | None) -> tuple[Notice, ...] | None:
        """Return the notices of the stores while a list of a search is shown, or another one."""
        if outcome is not None:
            return self.notices if self.found is None else self.found
        if not self.unread:
            return self.notices
        return (*self.unread, *(self.notices or ()))

    def labels_of(self, matches: LiteralMatches) -> Sequence[StoreLabel | None]:
        """Return the store of each row that contains a text."""
        if not isinstance(matches, LiteralUnion) or not self.labels:
            return ()
        return [self.by_key.get(key) for key in matches.keys]


def shown_scope(stores: OpenStores) -> ShownScope:
    """Return what is searched of the stores of a window."""
    if len(stores) < 2:
        return ShownScope()
    searched, opened = stores.open_and_checked, stores.open
    labels = stores.labels()
    mine = [labels[entry.key] for entry in searched]
    if len(mine) < 2:  # a badge on every row would say the same
        mine = [replace(label, badge="") for label in mine]
    by_key = {label.key: label for label in mine}
    names = ", ".join(labels[entry.key].badge for entry in searched) or "no store"
    is_part = len(searched) < len(opened)
    count = _count_words(len(searched), len(opened))
    return ShownScope(
        labels=tuple(mine),
        words=f"in {names} ({count})" if len(searched) < 4 else f"in {count}",
        names=names,
        offer=search_all(len(opened)) if is_part else None,
        notices=_notices_of(searched, labels),
        by_key=by_key,
        front=_badge_of(stores.front, labels),
    )


def _count_words(searched: int, opened: int) -> str:
    stores = "open store" if opened == 1 else "open stores"
    if searched < opened:
        return f"{searched} of {opened} {stores}"
    return f"the only {stores}" if opened == 1 else f"all {opened} {stores}"


def _badge_of(front: StoreEntry | None, labels: Mapping[str, StoreLabel]) -> str:
    """Return what the store in front is called; nothing for one that is being closed."""
    label = None if front is None else labels.get(front.key)
    return "" if label is None else label.badge


def _notices_of(
    entries: Sequence[StoreEntry], labels: Mapping[str, StoreLabel]
) -> tuple[Notice, ...]:
    """Return the notices of the stores that are searched, each with its name."""
    return tuple(
        Notice(notice.code, f"{labels[entry.key].badge}: {notice.text}")
        for entry in entries
        if entry.store is not None
        for notice in entry.store.notices
    )
