"""An open store with everything that serves it: database, settings, searcher, notices."""

import os
from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Self

from core.documents.search_document import StoreLine
from core.notices import Notice, NoticeCode
from core.retrieval.searcher import Searcher
from core.settings import BGE_PREFIX, EMBED_DIM, EMBED_MODEL, EMBED_PREFIX, StoreSettings
from core.settings_layers import resolve_settings, user_config_path
from core.store.database import Database
from core.store.location import StoreLocation
from core.store.opening import StoreFacts


def _differs(settings: StoreSettings, facts: StoreFacts) -> Notice | None:
    model, width = settings.text(EMBED_MODEL), settings.integer(EMBED_DIM)
    meta = facts.meta
    if (model, width) == (meta.embed_model, meta.embed_dim):
        return None
    return Notice(
        NoticeCode.SETTINGS_DIFFER_FROM_META,
        f"The settings name the model {model} ({width} wide), the store was made with "
        f"{meta.embed_model} ({meta.embed_dim} wide). The agent's own service refuses this store "
        "until they agree.",
    )


def _foreign_prefix(settings: StoreSettings, facts: StoreFacts) -> Notice | None:
    prefix = settings.text(EMBED_PREFIX)
    if prefix != BGE_PREFIX or "bge" in facts.meta.embed_model.casefold():
        return None
    return Notice(
        NoticeCode.PREFIX_OF_OTHER_MODEL,
        "The query prefix in force is the one of the BGE models, but the store was made with "
        f"{facts.meta.embed_model}. The agent searches this way; set {EMBED_PREFIX} in its "
        "settings to change it.",
    )


@dataclass(frozen=True, slots=True)
class OpenStore:
    """One store, open for reading. Close it with `close`."""

    database: Database
    settings: StoreSettings
    searcher: Searcher
    notices: tuple[Notice, ...]

    @classmethod
    async def open(
        cls,
        location: StoreLocation,
        environ: Mapping[str, str] = os.environ,
        executor: Executor | None = None,
    ) -> Self:
        """Check, open and read the settings layers. Raises GenizahError; leaves nothing open."""
        database = await Database.open(location)
        try:
            settings = resolve_settings(location.config, user_config_path(environ))
        except BaseException:
            await database.close()
            raise
        facts = database.facts
        extra = (_differs(settings, facts), _foreign_prefix(settings, facts))
        notices = (*facts.notices, *(n for n in extra if n is not None))
        searcher = Searcher(database, settings.retrieval, executor)
        return cls(database, settings, searcher, notices)

    @property
    def facts(self) -> StoreFacts:
        """Return what opening found."""
        return self.database.facts

    @property
    def line(self) -> StoreLine:
        """Return what the JSON objects say of the store."""
        meta = self.facts.meta
        path = str(self.facts.location.database)
        return StoreLine(path, meta.store_id, meta.schema_version, meta.embed_model)

    async def aclose(self) -> None:
        """Close both readers."""
        await self.database.close()
