"""The stores of the window on screen: their list, what is searched, the groups of a search.

Of several groups one list is shown; what became of each store in the search stands beside it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from app.browse_order import Unread
from app.model_shelf import LOADING
from app.open_store import OpenStore
from app.open_stores import OpenStores, StoreEntry, StoreState
from app.search_scope import SearchScope
from app.shown_scope import ShownScope, shown_scope
from app.window_view import WindowView
from core.federation.outcome import FederatedOutcome, Group, Searched, StoreStatus
from core.federation.statuses import failed_notices
from core.notices import Notice, NoticeCode
from core.retrieval.outcome import SearchOutcome
from widgets.group_bar import GroupTab
from widgets.main_window import MainWindow
from widgets.store_labels import StoreLabel
from widgets.store_list import StoreLine

_LOCKED = "locked; it is tried again"


@dataclass(frozen=True, slots=True)
class _ListStores:
    """Which stores a list on screen comes from; other ones may be searched already."""

    outcome: SearchOutcome | None = None
    stores: tuple[OpenStore, ...] = ()
    labels: Mapping[str, StoreLabel] = field(default_factory=dict)


class StoresView:
    """Keep list, bar and words in step with the open stores and the search over them."""

    def __init__(self, window: MainWindow, view: WindowView, stores: OpenStores) -> None:
        self._window = window
        self._view = view
        self._stores = stores
        self._scope = SearchScope(())
        self._found: FederatedOutcome | None = None
        self._group = 0
        self._chosen: str | None = None
        self._unread: tuple[Unread, ...] = ()
        self._listed = ShownScope()
        self._list = _ListStores()
        self.staged_in: Callable[[StoreEntry], int] = lambda _entry: 0
        """Says how many changes wait for a store."""
        self.loads_model: Callable[[OpenStore], bool] = lambda _store: False
        """Says whether the model of a store is on its way."""
        self.group_shown: Callable[[Sequence[str]], None] = lambda _keys: None
        """Called when another group's list was chosen, with the keys of its stores."""
        view.labels_of, view.put_found = self._labels_of, self._put_found
        view.counted_names, view.why.stores = self._counted_names, self._listed_stores
        view.looked_through, view.is_of_scope = self._looked_through, self._is_of_scope
        window.results_page.group_bar.group_wanted.connect(self._choose)

    # Which stores

    def use(self, scope: SearchScope) -> None:
        """Show that other stores are searched from now on."""
        self._scope = scope
        self._found, self._group = None, 0
        if scope.alone is not None:
            self._window.results_page.group_bar.show_groups((), 0)
        self._listed = shown_scope(self._stores)
        self.update()

    def update_list(self) -> None:
        """Say of every store what there is to say."""
        labels = self._stores.labels()
        lines = [self._line(entry, labels) for entry in self._stores.entries]
        self._window.sidebar.show_stores(lines if len(lines) > 1 else ())

    def update(self) -> None:
        """Say of every store what there is to say, and what the lists are about.

        A store that was opened just now is listed once it is read.
        """
        self.update_list()
        listed = self._listed
        scope = replace(
            shown_scope(self._stores),
            labels=listed.labels,
            by_key=listed.by_key,
            unread=self._missing(),
        )
        if self._found is not None:
            notices = (*failed_notices(self._found.stores), *self._found.notices)
            scope = replace(scope, found=notices, has_groups=_has_lists(self._found))
        self._view.show_scope(scope)

    def note_unread(self, unread: Sequence[Unread]) -> None:
        """Note which stores the list that nothing ranks lacks."""
        if tuple(unread) != self._unread:
            self._unread = tuple(unread)
            self.update()

    def _counted_names(self) -> Sequence[str]:
        """Name the stores that the list that nothing ranks has; one may be on its way still."""
        unread, labels = {one.store for one in self._unread}, self._stores.labels()
        searched = self._stores.open_and_checked
        read = [e for e in searched if e.counts is not None and e.store not in unread]
        return [labels[entry.key].badge for entry in read]

    def _missing(self) -> tuple[Notice, ...]:
        """Say which of the stores that are checked the list that nothing ranks lacks."""
        errors = {one.store: one.error for one in self._unread}
        searched, labels = self._stores.searched, self._stores.labels()
        failed = [
            (labels[entry.key].badge, error)
            for entry in searched
            if (error := entry.error if entry.store is None else errors.get(entry.store))
        ]
        if not failed or len(searched) < 2:
            return ()
        names = "; ".join(f"{name}: {error.message}" for name, error in failed)
        text = f"Incomplete: {len(failed)} of {len(searched)} stores could not be read. {names}"
        return (Notice(NoticeCode.STORES_FAILED, text),)

    def _line(self, entry: StoreEntry, labels: Mapping[str, StoreLabel]) -> StoreLine:
        status, details = self._status_of(entry, labels)
        return StoreLine(
            entry.key,
            labels[entry.key].badge,
            entry.path,
            entry.is_checked,
            is_front=entry is self._stores.front,
            memories=None if entry.counts is None else entry.counts.total,
            status=status,
            details=details,
            staged=0 if entry is self._stores.front else self.staged_in(entry),
            may_try_again=entry.state in (StoreState.LOCKED, StoreState.FAILED),
        )

    def _status_of(self, entry: StoreEntry, labels: Mapping[str, StoreLabel]) -> tuple[str, str]:
        """Return what is odd about a store in few words, and in a sentence."""
        error = entry.error
        match entry.state:
            case StoreState.OPENING:
                return "opening…", ""
            case StoreState.LOCKED if error is not None:
                return _LOCKED, error.message
            case StoreState.FAILED if error is not None:
                return f"not open ({error.code.value})", error.message
        if entry.is_checked and entry.store is not None and self.loads_model(entry.store):
            return LOADING, ""
        status = self._searched(entry) if entry.is_checked else None
        if status is None or self._found is None:
            return "", ""
        if status.error is not None:
            return f"not searched ({status.error.code.value})", status.error.message
        if status.copy_of is not None:
            original = self._scope.members[status.copy_of]
            name = labels[original.key].badge if original.key in labels else original.name
            return f"copy of {name}", f"The same memories as {original.path}."
        if status.searched is Searched.LEXICAL and not self._view.is_refining:
            return "by words only", status.reason or ""
        return "", ""

    def _searched(self, entry: StoreEntry) -> StoreStatus | None:
        """Return what became of a store in the search on screen."""
        if self._found is None or self._view.outcome is None:
            return None
        places = [at for at, m in enumerate(self._scope.members) if m.key == entry.key]
        return self._found.stores[places[0]] if places else None

    # What was found

    def forget_choice(self) -> None:
        """Show of the next search the first list that found something, whichever was chosen."""
        self._chosen = None

    @property
    def group(self) -> Group | None:
        """Return the group whose list is shown, None for the list of one store."""
        return None if self._found is None else self._found.groups[self._group]

    def _put_found(self, found: FederatedOutcome, refining: bool) -> None:
        self._found = found
        self._group = self._place_of_group(found)
        self._view.is_refining = refining
        self.update()
        self._show_bar(found)
        self._view.show_outcome(found.groups[self._group].outcome, refining=refining)

    def _place_of_group(self, found: FederatedOutcome) -> int:
        """Return the group that was chosen, else the first that found something."""
        keys = [self._key_of(group) for group in found.groups]
        if self._chosen in keys:
            return keys.index(self._chosen)
        return next((at for at, g in enumerate(found.groups) if g.outcome.hits), 0)

    def _key_of(self, group: Group) -> str:
        return self._scope.members[group.stores[0]].key

    def _show_bar(self, found: FederatedOutcome) -> None:
        labels = self._stores.labels()
        tabs = []
        for group in found.groups:
            members = [self._scope.members[at] for at in group.stores]
            names = ", ".join(labels[m.key].badge for m in members if m.key in labels)
            paths = tuple(member.path for member in members)
            reason = self._with_labels(group.reason or "", labels)
            tabs.append(GroupTab(names, len(group.outcome.hits), reason, paths))
        self._window.results_page.group_bar.show_groups(tabs, self._group)

    def _with_labels(self, reason: str, labels: Mapping[str, StoreLabel]) -> str:
        """Return a sentence with the stores' labels in place of their paths."""
        for label in sorted(labels.values(), key=lambda one: -len(one.path)):
            reason = reason.replace(label.path, label.badge)
        return reason

    def _choose(self, at: int) -> None:
        found = self._found
        if found is None or at == self._group or not 0 <= at < len(found.groups):
            return
        self._group, self._chosen = at, self._key_of(found.groups[at])
        group = found.groups[at]
        self._view.show_outcome(group.outcome, refining=self._view.is_refining)
        self.group_shown([self._scope.members[place].key for place in group.stores])

    def stores_of(self, _outcome: SearchOutcome) -> Sequence[OpenStore]:
        """Return the stores that the list on screen comes from, in the order of its parts.

        None of them where one was closed meanwhile: another list is on its way.
        """
        return self._listed_stores()

    def _listed_stores(self) -> Sequence[OpenStore]:
        are_open = all(self._stores.of(store) is not None for store in self._list.stores)
        return self._list.stores if are_open else ()

    def _is_of_scope(self) -> bool:
        searched = {member.path for member in self._scope.members}
        return all(str(s.facts.location.database) in searched for s in self._list.stores)

    def _labels_of(self, outcome: SearchOutcome) -> Mapping[str, StoreLabel]:
        """Note which stores a list comes from that is put on screen, and return them by uuid."""
        if outcome is not self._list.outcome:
            group = self.group
            places = (0,) if group is None else group.stores
            members = [self._scope.members[at] for at in places]
            stores = tuple(m.store for m in members if m.store is not None)
            self._list = _ListStores(outcome, stores, self._labelled(outcome, group))
            self._window.hit_view.set_borrowed(_is_borrowed(outcome, stores))
        return self._list.labels

    def _looked_through(self, outcome: SearchOutcome) -> tuple[SearchOutcome, int]:
        """Return a search that found nothing with the memories of all its groups, and how many it
        left out because they are retired.

        Of several it is one that lacks the meaning arm, where there is one.
        """
        groups = () if self._found is None else self._found.groups
        places = [at for group in groups for at in group.stores] or range(len(self._scope.members))
        stores = [self._scope.members[at].store for at in places]
        counted = [
            e.counts for e in self._stores.open if e.store in stores and e.counts is not None
        ]
        retired = 0 if outcome.scope.lets_retired_in else sum(c.retired for c in counted)
        if not groups:
            return outcome, retired
        told = next((g.outcome for g in groups if not g.outcome.dense.ran), outcome)
        return replace(told, memories=sum(g.outcome.memories for g in groups)), retired

    def _labelled(self, outcome: SearchOutcome, group: Group | None) -> dict[str, StoreLabel]:
        labels = self._view.scope.by_key
        if not labels:
            return {}
        if group is None:
            label = next(iter(labels.values()))
            return {hit.uuid: label for hit in outcome.hits}
        members, is_several = self._scope.members, len(group.stores) > 1
        found = {h.uuid: labels.get(members[group.store_of(h.uuid)].key) for h in outcome.hits}
        return {
            uuid: label if is_several else replace(label, badge="")
            for uuid, label in found.items()
            if label is not None
        }


def _has_lists(found: FederatedOutcome) -> bool:
    """Tell whether there are lists to choose from: several groups, and one of them found some."""
    return len(found.groups) > 1 and any(group.outcome.hits for group in found.groups)


def _is_borrowed(outcome: SearchOutcome, stores: Sequence[OpenStore]) -> bool:
    """Tell whether a list of one store was ranked by the settings of another one."""
    if outcome.union is not None or len(stores) != 1:
        return False
    return outcome.settings != stores[0].settings.retrieval
