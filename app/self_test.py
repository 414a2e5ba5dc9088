"""`genizah --self-test`: whether every part of the program works on this machine, a line each.

Works on a private copy of the demo store in a folder of its own that is removed afterwards; the
person's stores and data are not touched. The window is in app/self_test_window.
"""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from dataclasses import replace

from app.bootstrap import Services
from app.demo import prepare_demo
from app.open_store import OpenStore
from app.output import Output
from app.self_test_window import SelfTestFailedError, check_window
from core import chunking
from core.commands.preparation import unit_vector
from core.errors import GenizahError
from core.readmodels import State
from core.retrieval.encoder import Encoder
from core.retrieval.query import DenseQuery
from core.retrieval.searcher import MeaningSide
from core.settings import CHUNK_MAX_TOKENS
from core.store import memories
from core.store.connection import sqlite_version

QUERY = "boarding pass base45"
_FAILED = 1
# The stored vector was computed with the same model, on another processor perhaps; the next
# memory lies at 0.5 and more.
_SAME_VECTOR = 0.05


def run_self_test(services: Services, output: Output) -> int:
    """Check one part after another, say what was found; return 0, or 1 where one has failed."""
    with tempfile.TemporaryDirectory(prefix="genizah-self-test-") as folder:
        environ = {**services.environ, "GENIZAH_DATA_DIR": folder}
        return asyncio.run(_Run(replace(services, environ=environ), output).all())


class _Run:
    """The checks of one run, in order; a failed one does not keep the rest from running."""

    def __init__(self, services: Services, output: Output) -> None:
        self._services = services
        self._output = output
        self._failed = False

    async def all(self) -> int:
        async with self._part("store"):
            project = prepare_demo(self._services, None)
            store = await self._services.open_store(project)
            async with aclosing(store):
                await self._check_store(store)
        async with self._part("window"):
            self._say("window", await check_window(self._services.environ, QUERY))
        return _FAILED if self._failed else 0

    async def _check_store(self, store: OpenStore) -> None:
        self._say("store", f"the demo store is open, SQLite {sqlite_version()}")
        async with self._part("words"):
            self._say("words", await _words(store))
        async with self._part("meaning"):
            model = store.facts.meta.embed_model
            encoder = await asyncio.to_thread(self._services.load_encoder, model)
            self._say("model", f"{model} is loaded, {encoder.facts.width} numbers a text")
            self._say("meaning", await _meaning(store, encoder))

    @asynccontextmanager
    async def _part(self, name: str) -> AsyncIterator[None]:
        try:
            yield
        except (GenizahError, SelfTestFailedError) as error:
            self._failed = True
            self._output.text(f"failed {name}: {error}")

    def _say(self, name: str, found: str) -> None:
        self._output.text(f"ok {name}: {found}")


async def _words(store: OpenStore) -> str:
    """Search by words, in SQLite's FTS5 table."""
    outcome = await store.searcher.search(QUERY, MeaningSide(None))
    found = sum(1 for hit in outcome.hits if hit.lexical is not None)
    if not found:
        raise SelfTestFailedError(f"The word search found nothing for {QUERY!r}.")
    return f"{found} of {outcome.memories} memories found by FTS5"


async def _meaning(store: OpenStore, encoder: Encoder) -> str:
    """Embed a stored memory again, and find it by that vector as vec0's nearest neighbour."""
    async with store.database.browse.snapshot() as connection:
        rowids = await memories.rowids_newest_first(connection)
        heads = await memories.heads_by_rowid(connection, rowids)
        newest = next(head for head in heads if head.state is State.LIVE)
        detail = await memories.detail(connection, newest.uuid)
    assert detail is not None, "read in the same snapshot"
    vector = await asyncio.to_thread(
        _first_vector,
        newest.gist,
        detail.content,
        encoder,
        store.settings.integer(CHUNK_MAX_TOKENS),
    )
    # The vectors in memory are read later than this: the search goes through vec0.
    outcome = await store.searcher.search(newest.gist, MeaningSide(DenseQuery(vector)))
    if not outcome.dense.ran:
        reason = outcome.query.dense_reason
        raise SelfTestFailedError(f"The meaning search did not run ({reason}).")
    hit = outcome.hit(newest.uuid)
    if hit is None or hit.dense is None or hit.dense.rank > 1 or hit.dense.distance > _SAME_VECTOR:
        raise SelfTestFailedError("A stored memory is not its own nearest neighbour in vec0.")
    return f"a memory found by vec0 at {hit.dense.distance:.4f} from its stored vector"


def _first_vector(gist: str, content: str, encoder: Encoder, most_tokens: int) -> bytes:
    first = chunking.cut(gist, content, encoder, most_tokens)[0]
    return unit_vector(encoder.embed(f"{gist}\n{first.text}"), encoder.facts.width)
