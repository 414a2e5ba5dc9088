"""Searching one open store: owns the vector matrix and keeps it in step with the store.

Embedding is the caller's: a search takes the prepared query vector or the reason there is none.
"""

import asyncio
import importlib
import os
from collections.abc import Awaitable, Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.errors import ErrorCode, GenizahError
from core.notices import Notice
from core.retrieval.eligibility import Consumer, Narrowing, Scope
from core.retrieval.outcome import SearchOutcome
from core.retrieval.query import DenseQuery, PreparedQuery, lexical_query
from core.retrieval.retrieve import retrieve
from core.settings import RetrievalSettings
from core.store import memories, vectors
from core.store.connection import Connection
from core.store.database import Database

if TYPE_CHECKING:
    from core.retrieval.matrix import Scan, VectorMatrix

_FLOAT_BYTES = 4
_INLINE_SCAN_NUMBERS = 1_000_000
_MATRIX_ATTEMPTS = 3


def _import_matrix() -> None:
    """Import numpy where it does not hold up the event loop (60 to 130 ms).

    One thread for its products: a scan is bound by memory, and a second thread that spins for a
    busy core makes a small one twenty times slower. Read by numpy when it is first imported.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    importlib.import_module("core.retrieval.matrix")


@dataclass(frozen=True, slots=True)
class HeldVectors:
    """The vectors in memory, if there are any of the state asked for, and where to work on them."""

    matrix: "VectorMatrix | None" = None
    executor: Executor | None = None


@dataclass(frozen=True, slots=True)
class MeaningSide:
    """The dense side of a search: a query vector, or why there is none."""

    dense: DenseQuery | None
    reason: str | None = None


def plain_refusal(refusal: Notice) -> str:
    """Return a refusal's reason without the words that every place puts before it."""
    return refusal.text.removeprefix("Meaning search off: ")


class Searcher:
    """Run searches on one store's search connection, one at a time."""

    def __init__(
        self, database: Database, settings: RetrievalSettings, executor: Executor | None = None
    ) -> None:
        self._database = database
        self._settings = settings
        self._executor = executor
        self._matrix: VectorMatrix | None = None

    @property
    def settings(self) -> RetrievalSettings:
        """Return the settings every search uses."""
        return self._settings

    @property
    def matrix_bytes(self) -> int:
        """Return the memory the matrix takes; 0 while there is none."""
        return 0 if self._matrix is None else self._matrix.size_bytes

    def held_vectors(self, data_version: int) -> HeldVectors:
        """Return the vectors in memory, where they belong to that state of the store."""
        fresh = self._matrix is not None and self._matrix.data_version == data_version
        return HeldVectors(self._matrix if fresh else None, self._executor)

    def forget_matrix(self) -> None:
        """Drop the vectors in memory, for a file that changed without a commit."""
        self._matrix = None

    async def search(
        self,
        text: str,
        meaning: MeaningSide,
        *,
        include_retired: bool = False,
        settings: RetrievalSettings | None = None,
        narrowed: Narrowing | None = None,
    ) -> SearchOutcome:
        """Search with a text from outside the store; any text is a safe query.

        `narrowed` are the person's filters: they hold inside both arms.
        Raises GenizahError, BAD_VECTOR among them where the vector has another width.
        """
        used = settings or self._settings
        refusal = self._database.facts.dense_refusal
        dense = None if refusal else meaning.dense
        reason = (plain_refusal(refusal) if refusal else meaning.reason) if dense is None else None
        if dense is not None:
            self.check_width(dense.vector)
        query = PreparedQuery(
            text=text,
            uuid=None,
            lexical=lexical_query(text, used.fts_query_max_terms),
            dense=dense,
            dense_reason=reason or (None if dense else "no query vector"),
        )
        scope = Scope(include_retired=include_retired, narrowed=narrowed)
        async with self._database.search.snapshot() as connection:
            return await self._retrieve(connection, query, scope, used)

    async def similar(self, uuid: str, narrowed: Narrowing | None = None) -> SearchOutcome:
        """Search the live memories with one memory of the store; needs no model.

        By words only where the store rules the dense arm out.
        Raises GenizahError(NOT_FOUND) for an unknown uuid or a memory without a first chunk.
        """
        refusal = self._database.facts.dense_refusal
        async with self._database.search.snapshot() as connection:
            found = await memories.detail(connection, uuid)
            vector = None
            if found is not None and refusal is None:
                vector = await vectors.first_vector(connection, uuid)
            if found is None or (vector is None and refusal is None):
                what = "memory" if found is None else "stored vector for"
                raise GenizahError(
                    ErrorCode.NOT_FOUND,
                    f"There is no {what} {uuid} in {connection.path}.",
                    path=connection.path,
                    fields={"uuid": uuid},
                )
            text = found.head.gist + "\n" + found.content
            query = PreparedQuery(
                text=None,
                uuid=uuid,
                lexical=lexical_query(text, self._settings.fts_query_max_terms),
                dense=None if vector is None else DenseQuery(vector),
                dense_reason=None if refusal is None else plain_refusal(refusal),
            )
            scope = Scope(Consumer.SIMILAR, exclude_uuid=uuid, narrowed=narrowed)
            return await self._retrieve(connection, query, scope, self._settings)

    async def _retrieve(
        self,
        connection: Connection,
        query: PreparedQuery,
        scope: Scope,
        settings: RetrievalSettings,
    ) -> SearchOutcome:
        return await retrieve(
            connection, query, scope, settings, matrix=self._matrix, start_scan=self.start_scan
        )

    async def start_scan(self, matrix: "VectorMatrix", query: bytes) -> "Scan":
        """Scan here where it is short, else where it does not hold up the event loop."""
        if matrix.rows * len(query) < _INLINE_SCAN_NUMBERS * _FLOAT_BYTES:
            return matrix.scan(query)
        return await self._run(lambda: matrix.scan(query))

    async def _run[T](self, work: Callable[[], T]) -> T:
        loop = asyncio.get_running_loop()
        running: Awaitable[T] = loop.run_in_executor(self._executor, work)
        return await running

    def check_width(self, vector: bytes) -> None:
        """Refuse a query vector of another width. Raises GenizahError(BAD_VECTOR)."""
        width = self._database.facts.meta.embed_dim
        if len(vector) != width * _FLOAT_BYTES:
            found = len(vector) // _FLOAT_BYTES
            raise GenizahError(
                ErrorCode.BAD_VECTOR,
                f"The query vector has {found} numbers, the store's vectors have {width} "
                f"({found} ≠ {width}).",
                fields={"found": found, "expected": width},
            )

    async def refresh_matrix(self) -> bool:
        """Read all stored vectors into memory; tell whether the matrix is in step afterwards.

        Pages of storage blocks, each in a short snapshot; a store that moves meanwhile is read
        again, at most three times. Over the memory bound, or with unknown storage, there is no
        matrix and searches go through vec0. Raises GenizahError.
        """
        for _ in range(_MATRIX_ATTEMPTS):
            done = await self._read_matrix()
            if done is not None:
                return done
        return False

    async def _read_matrix(self) -> bool | None:
        await self._run(_import_matrix)
        from core.retrieval.matrix import BOUND_BYTES, build_matrix

        width = self._database.facts.meta.embed_dim
        async with self._database.search.snapshot() as connection:
            version = await connection.data_version()
            if self._matrix is not None and self._matrix.data_version == version:
                return True
            rows = await vectors.count(connection)
            ids = await vectors.block_ids(connection)
        self._matrix = None
        if rows * width * _FLOAT_BYTES > BOUND_BYTES:
            return False
        blocks: list[vectors.VectorBlock] = []
        for at in range(0, len(ids), vectors.PAGE_BLOCKS):
            async with self._database.search.snapshot() as connection:
                if await connection.data_version() != version:
                    return None
                page = await vectors.read_blocks(
                    connection, ids[at : at + vectors.PAGE_BLOCKS], width * _FLOAT_BYTES
                )
            if page is None:
                return False
            blocks += page
        self._matrix = await self._run(
            lambda: build_matrix(blocks, rows=rows, width=width, data_version=version)
        )
        return self._matrix is not None
