"""What a search over several stores needs of each: an open store, or why there is none."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

from core.errors import ErrorCode, GenizahError
from core.notices import Notice
from core.retrieval.artifacts import BGE_DIGESTS, EMBEDDED_DIGESTS, EMBEDDED_MODEL
from core.retrieval.searcher import Searcher
from core.settings import BGE_MODEL, EMBED_PREFIX, StoreSettings
from core.store.database import Database

_PINNED: Mapping[str, str] = MappingProxyType(
    {
        EMBEDDED_MODEL: EMBEDDED_DIGESTS["model.onnx"],
        BGE_MODEL: BGE_DIGESTS["model_optimized.onnx"],
    }
)


class Member(Protocol):
    """An open store with what serves it."""

    @property
    def database(self) -> Database:
        """Return its handles."""
        ...

    @property
    def settings(self) -> StoreSettings:
        """Return its effective settings, its own file's among them."""
        ...

    @property
    def searcher(self) -> Searcher:
        """Return what searches it alone."""
        ...

    @property
    def notices(self) -> tuple[Notice, ...]:
        """Return what a person must know of it."""
        ...


@dataclass(frozen=True, slots=True)
class FailedMember:
    """A store that could not be opened: it is listed with its error and never searched."""

    path: str
    name: str
    error: GenizahError


@dataclass(frozen=True, slots=True)
class ModelKey:
    """What stores share whose vectors may be compared with each other and with one query.

    `artifact` is the checksum that the model's file must have, None where none is known.
    `prefix` is what the store's settings put before a query.
    """

    model: str
    width: int
    artifact: str | None
    prefix: str


def model_key(member: Member) -> ModelKey:
    """Return by what a store's queries are embedded."""
    meta = member.database.facts.meta
    prefix = member.settings.text(EMBED_PREFIX)
    return ModelKey(meta.embed_model, meta.embed_dim, _PINNED.get(meta.embed_model), prefix)


def path_of(member: Member | FailedMember) -> str:
    """Return the database file."""
    if isinstance(member, FailedMember):
        return member.path
    return str(member.database.facts.location.database)


def name_of(member: Member | FailedMember) -> str:
    """Return the short name for people."""
    return member.name if isinstance(member, FailedMember) else member.database.facts.location.name


def names_of(members: Sequence[Member | FailedMember]) -> list[str]:
    """Return the short name of each, or its path where another one is called the same."""
    names = [name_of(member) for member in members]
    return [
        path_of(member) if names.count(name) > 1 else name
        for member, name in zip(members, names, strict=True)
    ]


def index_out_of_step(member: Member) -> GenizahError:
    """Make the error of a word index that contradicts itself."""
    return GenizahError(
        ErrorCode.DAMAGED,
        f"The word index of {path_of(member)} does not agree with itself; nothing was written. "
        "The agent can build it anew.",
        path=path_of(member),
        reason="index_out_of_step",
    )
