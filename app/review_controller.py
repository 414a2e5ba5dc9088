"""After a replacement or an amendment: live memories near the old text, offered for review.

Nothing is staged by itself: a claim may stand in several memories, or only look like it.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.ask import ask
from app.open_store import OpenStore
from app.pending_controller import PendingController
from app.write_session import WriteContext
from core.commands.changes import Change, Remember, Retire, Supersede
from core.commands.commit import Committed
from core.commands.near_duplicates import near_duplicates
from core.commands.outcome import NearDuplicate, Written
from core.commands.preparation import Prepared, prepare
from core.commands.refusals import Refused
from core.commands.staging import Staged
from core.diff import diff
from core.errors import GenizahError
from core.readmodels import MemoryDetail
from core.store import memories, vectors
from core.store.chunk_rows import NewChunk
from widgets.history_dialog import HistoryButton, HistoryDialog
from widgets.state_content import StateAction
from widgets.text_marks import one_line
from widgets.texts import counted

REVIEW_KEY = "review"
_SHOW = "show"
_MOST = 20
_NEAR_CHARACTERS = 6000
_SEPARATOR = "\n\n"
_BUTTONS = (
    HistoryButton("replace", "&Replace by the new one (stage)"),
    HistoryButton("retire", "Re&tire (stage)"),
    HistoryButton("go", "&Go to this memory"),
)


@dataclass(frozen=True, slots=True)
class Offer:
    """A live memory near a text that was replaced or written, and what stands for that now."""

    near: NearDuplicate
    by: str


class ReviewController:
    """Look for what else says the same, and offer it."""

    def __init__(self, context: WriteContext, pending: PendingController) -> None:
        self._context = context
        self._pending = pending
        self.offers: tuple[Offer, ...] = ()
        self._texts: dict[str, MemoryDetail] = {}
        self.dialog: HistoryDialog | None = None
        """The page, while it is open."""
        context.messages.served[REVIEW_KEY] = lambda _name: self.open()

    def drop(self) -> None:
        """Offer nothing any more."""
        self.offers = ()
        self._context.messages.end(REVIEW_KEY)

    def committed(
        self, store: OpenStore, entries: Sequence[Staged], done: Committed
    ) -> None:
        """Look for memories near the old texts of what was written."""
        tasks = self._context.store_tasks
        if tasks is not None:
            pairs = list(zip(entries, done.written, strict=True))
            tasks.spawn(self._look(store, pairs), name="look for duplicates")

    async def _look(self, store: OpenStore, pairs: Sequence[tuple[Staged, Written]]) -> None:
        offers: dict[str, Offer] = {}
        touched = {w.uuid for _, w in pairs} | {w.new_uuid for _, w in pairs}
        try:
            for entry, written in pairs[:_MOST]:
                for near in await self._near(store, entry, written):
                    if near.uuid not in touched:
                        offers.setdefault(near.uuid, Offer(near, _stands_for(entry, written)))
            uuids = {*offers, *(offer.by for offer in offers.values())}
            async with store.database.browse.snapshot() as connection:
                found = [await memories.detail(connection, uuid) for uuid in uuids]
        except GenizahError:
            return  # an offer is not owed: the change itself was made
        self._texts = {row.head.uuid: row for row in found if row is not None}
        self.offers = tuple(offers.values())
        if self.offers and store is self._context.store:
            number = counted(len(self.offers), "live memory", "live memories")
            verb, question = ("is", "Does it") if len(self.offers) == 1 else ("are", "Do they")
            self._context.messages.tell(
                REVIEW_KEY,
                f"{number} {verb} near a text that was just changed. {question} still hold?",
                "",
                (StateAction(_SHOW, "Review"),),
            )

    async def _near(
        self, store: OpenStore, entry: Staged, written: Written
    ) -> tuple[NearDuplicate, ...]:
        if isinstance(entry.change, Remember):
            return written.near_duplicates
        if isinstance(entry.change, Retire) or entry.seen is None:
            return ()
        text = await self._old_text(store, entry.seen)
        if text is None:
            return ()
        async with store.database.search.snapshot() as connection:
            uuid = entry.seen.head.uuid
            found = await near_duplicates(connection, uuid, text, self._context.settings)
        return found.found

    async def _old_text(self, store: OpenStore, seen: MemoryDetail) -> Prepared | None:
        """Return the old text with its vector: of the model, or the one that is stored."""
        model, settings = self._context.text_model, self._context.settings
        gist, content, encoder = seen.head.gist, seen.content, model.encoder
        if encoder is not None:
            head = content[:_NEAR_CHARACTERS]
            found = await model.run(lambda: prepare(gist, head, encoder, settings))
            return None if isinstance(found, Refused) else replace(found, content=content)
        async with store.database.browse.snapshot() as connection:
            vector = await vectors.first_vector(connection, seen.head.uuid)
        if vector is None:
            return None
        return Prepared(gist, content, 0, 0, (NewChunk(0, False, vector),))

    # The page

    def open(self) -> None:
        """Show what is near, beside the text that stands now."""
        self._context.messages.end(REVIEW_KEY)
        if self.dialog is not None or not self.offers:
            return
        self.dialog = HistoryDialog(
            self._context.window,
            "Near the old text",
            "Live memories near the old text",
            _BUTTONS,
            picks_two=True,
        )
        self.dialog.picked.connect(self._picked)
        self.dialog.pressed.connect(self._pressed)
        self.dialog.show_rows(
            "These live memories stand near a text that was just changed. What you stage "
            "waits for your commit as ever.",
            [_row(offer) for offer in self.offers],
        )
        self._context.tasks.spawn(self._show(self.dialog), name="review")

    async def _show(self, dialog: HistoryDialog) -> None:
        try:
            await ask(dialog)
        finally:
            self.dialog = None

    def _picked(self, places: list[int]) -> None:
        self._context.tasks.spawn(self._compare(self.offers[places[0]]), name="compare texts")

    async def _compare(self, offer: Offer) -> None:
        theirs, by = self._texts.get(offer.near.uuid), self._texts.get(offer.by)
        if theirs is None or by is None:
            return
        texts = [_SEPARATOR.join((d.head.gist, d.content)) for d in (theirs, by)]
        found = await asyncio.to_thread(diff, *texts)
        if self.dialog is not None:
            self.dialog.caption.setText(
                f"From this memory to the one that stands now: {one_line(by.head.gist, 80)}"
            )
            self.dialog.view.show_diff(found)

    def _pressed(self, name: str) -> None:
        if self.dialog is None:
            return
        chosen = [self.offers[place] for place in self.dialog.places()]
        if not chosen:
            return
        self.dialog.accept()
        if name == "go":
            self._context.go_to(chosen[0].near.uuid)
            return
        self._stage(name, chosen)

    def _stage(self, name: str, chosen: Sequence[Offer]) -> None:
        staged: list[tuple[Change, MemoryDetail | None]] = []
        for offer in chosen:
            seen = self._texts.get(offer.near.uuid)
            if seen is None or seen.head.version is None or not seen.head.active:
                continue
            uuid, version = seen.head.uuid, seen.head.version
            by = self._texts.get(offer.by)
            if name == "replace" and by is not None:
                self._pending.gists[offer.by] = by.head.gist
                staged.append((Supersede(uuid, version, offer.by), seen))
            elif name == "retire":
                staged.append((Retire(uuid, version), seen))
        if staged:
            self._pending.stage(*staged)


def _stands_for(entry: Staged, written: Written) -> str:
    """Return the memory that says now what the old text said."""
    if written.new_uuid is not None:
        return written.new_uuid
    return entry.change.by if isinstance(entry.change, Supersede) else written.uuid


def _row(offer: Offer) -> tuple[str, str]:
    gist = one_line(offer.near.gist, 80)
    return f"{offer.near.cosine:.2f}  {gist}", gist
