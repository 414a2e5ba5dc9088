"""Several stores opened the way the program opens them, and searched as one."""

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from app.open_store import OpenStore
from core.errors import GenizahError
from core.federation.member import FailedMember, Member, ModelKey
from core.federation.searcher import FederatedSearcher
from core.retrieval.encoder import Encoder, dense_query
from core.retrieval.query import DenseQuery
from core.retrieval.searcher import MeaningSide
from core.store.location import locate
from tests.support.stores import Memory, build_store

WORDS_ONLY = MeaningSide(None, "words only")


def store_id_of(number: int) -> str:
    """Return the id of the numbered store of a test."""
    return f"7b1c8f2e-93d4-4c55-a6b7-{number:012x}"


def numbered_store(
    folder: Path, number: int, memories: Iterable[Memory], config: str | None = None
) -> Path:
    """Make a store with an id of its own in a folder named by its number."""
    project = folder / f"store{number}"
    return build_store(project, memories, meta={"store_id": store_id_of(number)}, config=config)


def opened(members: Iterable[Member | FailedMember]) -> list[Member]:
    """Return the stores, all of which are open."""
    return [m for m in members if not isinstance(m, FailedMember)]


@asynccontextmanager
async def open_stores(folders: Sequence[Path]) -> AsyncIterator[list[Member | FailedMember]]:
    """Open the stores of some project folders; one that cannot be opened becomes a failed one."""
    async with AsyncExitStack() as stack:
        members: list[Member | FailedMember] = []
        for folder in folders:
            try:
                store = await OpenStore.open(locate(folder))
            except GenizahError as error:
                members.append(FailedMember(str(folder), folder.name, error))
            else:
                stack.push_async_callback(store.aclose)
                members.append(store)
        yield members


@asynccontextmanager
async def open_several(
    folders: Sequence[Path], time_limit_s: float = 10.0
) -> AsyncIterator[FederatedSearcher]:
    """Open the stores of some project folders and give what searches them as one."""
    async with open_stores(folders) as members:
        yield FederatedSearcher(members, time_limit_s=time_limit_s)


@dataclass
class Asked:
    """The dense side of a search; `keys` lists what it was asked for, in order."""

    text: str = ""
    encoder: Encoder | None = None
    vector: bytes | None = None
    keys: list[ModelKey] = field(default_factory=list)

    async def __call__(self, key: ModelKey) -> MeaningSide:
        """Return the given vector, that of the encoder, or that there is none."""
        self.keys.append(key)
        if self.vector is not None:
            return MeaningSide(DenseQuery(self.vector))
        if self.encoder is not None:
            return MeaningSide(dense_query(self.text, self.encoder, key.prefix))
        return WORDS_ONLY
