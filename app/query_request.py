"""What a searching command was asked: one store, one query or a file of them, in which model.

Input is read when this is made, before there is a loop: Ctrl+C must end a wait for it.
"""

from argparse import Namespace
from dataclasses import dataclass
from pathlib import Path

from app.bootstrap import Services
from app.meaning import Meaning
from app.open_store import OpenStore
from app.query_input import QueryLine, query_text, read_lines
from core.documents.vector_text import decode_vector
from core.errors import ErrorCode, GenizahError
from core.settings import EMBED_PREFIX

_MATRIX_PAYS_FROM = 4


@dataclass(frozen=True, slots=True)
class QueryRequest:
    """The store named, None for the current folder's; `line` for --query, else `lines`."""

    named: Path | None
    line: QueryLine | None
    lines: tuple[str, ...]


def one_store(named: list[str]) -> Path | None:
    """Return the one store named, or None for the current folder's. Raises USAGE for several."""
    if len(named) > 1:
        raise GenizahError(
            ErrorCode.USAGE, f"One store at a time for now; {len(named)} were named."
        )
    return Path(named[0]) if named else None


def _single(arguments: Namespace) -> QueryLine:
    vector = None if arguments.vector is None else decode_vector(arguments.vector)
    text = query_text(arguments.query)
    return QueryLine(text, arguments.include_retired, vector, arguments.limit)


def query_request(arguments: Namespace, *, several: bool = False) -> QueryRequest:
    """Read the queries that a command line names. Raises GenizahError.

    `several` leaves the stores, any number of them, to the caller.
    """
    if (arguments.query is None) == (arguments.queries is None):
        raise GenizahError(ErrorCode.USAGE, "Give either --query TEXT or --queries FILE.")
    if arguments.queries is not None and arguments.vector is not None:
        raise GenizahError(
            ErrorCode.USAGE, "--vector goes with --query; in a file each line has its own."
        )
    named = None if several else one_store(arguments.store)
    line = None if arguments.query is None else _single(arguments)
    lines = [] if arguments.queries is None else read_lines(Path(arguments.queries))
    return QueryRequest(named, line, tuple(lines))


def meaning_of(services: Services, store: OpenStore, *, lexical_only: bool) -> Meaning:
    """Return what makes the dense side of queries for one store."""
    return Meaning(
        store.facts.meta.embed_model,
        store.facts.meta.embed_dim,
        store.settings.text(EMBED_PREFIX),
        services.load_encoder,
        lexical_only=lexical_only,
    )


async def read_ahead(store: OpenStore, queries: int) -> None:
    """Read the vectors into memory where that is faster for so many queries."""
    if queries >= _MATRIX_PAYS_FROM and store.facts.dense_refusal is None:
        await store.searcher.refresh_matrix()
