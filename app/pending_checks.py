"""Preflights of staged changes: the same ladder as a commit, on a reader; nothing is logged."""

from collections.abc import Sequence

from app.open_store import OpenStore
from app.write_session import WriteContext
from core.commands.changes import Change, Remember
from core.commands.preflight import try_change, try_text
from core.commands.refusals import Refused
from core.commands.staging import Staged
from core.errors import ErrorCode, GenizahError
from core.store import memories
from core.store.connection import Connection
from widgets.pending_content import FITS, OTHER_TEXT, TWICE, Verdict, VerdictKind

_KEPT = 64


class PendingChecks:
    """Try changes; a text that was cut and embedded once is not embedded again."""

    def __init__(self, context: WriteContext) -> None:
        self._context = context
        self._texts: dict[Change, Refused | None] = {}

    def forget(self) -> None:
        """Forget the texts: another store or another model judges them now."""
        self._texts.clear()

    async def verdicts(self, store: OpenStore, entries: Sequence[Staged]) -> dict[int, Verdict]:
        """Return what the store says of each entry by its number. Raises GenizahError."""
        found: dict[int, Verdict] = {}
        for entry in entries:
            said = await self._text(store, entry.change)
            if said is not None:
                found[entry.number] = said
        author = await self._context.author(store)
        async with store.database.browse.snapshot() as connection:
            for entry in entries:
                if entry.number not in found:
                    refused = await try_change(
                        connection, entry.change, author, self._context.settings
                    )
                    found[entry.number] = verdict_of(refused)
                    if refused is None:
                        found[entry.number] = await _second_look(connection, entry)
        return found

    async def _text(self, store: OpenStore, change: Change) -> Verdict | None:
        """Return what is against a change's text, None where nothing is."""
        if change not in self._texts:
            context = self._context
            try:
                tried = await try_text(
                    change, context.settings, context.text_model, store.facts.meta
                )
            except GenizahError as error:
                return Verdict(VerdictKind.REFUSED, error.message, error.code.value)
            if len(self._texts) >= _KEPT:
                self._texts.clear()
            self._texts[change] = tried if isinstance(tried, Refused) else None
        refused = self._texts[change]
        return None if refused is None else verdict_of(refused)


async def _second_look(connection: Connection, entry: Staged) -> Verdict:
    """Look for what versions do not tell; where nothing is found the change fits."""
    if await _is_stored(connection, entry.change):
        return Verdict(VerdictKind.FITS, TWICE)
    if entry.subject is not None and entry.seen is not None:
        # A store put back from a backup, or a row written by a tool that counts no versions.
        now = await memories.detail(connection, entry.subject)
        read = (entry.seen.head.gist, entry.seen.content)
        if now is not None and (now.head.gist, now.content) != read:
            return Verdict(VerdictKind.CONFLICT, OTHER_TEXT, ErrorCode.VERSION_CONFLICT.value)
    return Verdict(VerdictKind.FITS, FITS)


async def _is_stored(connection: Connection, change: Change) -> bool:
    """Tell whether a new memory is there already: of another window, or of a run that died."""
    if not isinstance(change, Remember):
        return False
    same = await memories.same_text(connection, change.gist, change.content)
    return any(head.active for head in same)


def verdict_of(refused: Refused | None) -> Verdict:
    """Put what the ladder said into a verdict."""
    if refused is None:
        return Verdict(VerdictKind.FITS, FITS)
    sentence = refused.message
    if refused.uuid is not None:  # the line names the memory already
        sentence = sentence.replace(f"The memory {refused.uuid}", "It", 1)
    target = refused.fields.get("target")
    if isinstance(target, str):
        sentence = sentence.replace(target, "that one")
    is_conflict = refused.code is ErrorCode.VERSION_CONFLICT
    kind = VerdictKind.CONFLICT if is_conflict else VerdictKind.REFUSED
    return Verdict(kind, sentence, refused.code.value)
