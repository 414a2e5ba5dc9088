"""Preflights of staged changes: the same ladder as a commit, on a reader; nothing is logged."""

from collections.abc import Sequence

from app.open_store import OpenStore
from app.write_session import WriteContext
from core.commands.changes import Change
from core.commands.preflight import try_change, try_text
from core.commands.refusals import Refused
from core.commands.staging import Staged
from core.errors import ErrorCode, GenizahError
from widgets.pending_content import FITS, Verdict, VerdictKind

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
