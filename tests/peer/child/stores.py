"""The one store a child holds open, with the call objects that the peer's code wants."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from tests.peer.child.encoders import (
    ARTIFACT_MODEL,
    HarnessEncoder,
    artifact_encoder,
    stub_encoder,
    unpacked,
)
from tests.peer.child.worlds import World, peer_module

_NO_SYSTEM_SETTINGS = Path("/nonexistent/zikaron/config.toml")
_OUR_MODEL = {"embedding.embed_model": ARTIFACT_MODEL, "embedding.embed_prefix_query": ""}


class EncoderKind(StrEnum):
    """Where vectors come from."""

    ARTIFACT = "artifact"
    STUB = "stub"


@dataclass(slots=True)
class OpenStore:
    """A store of the peer, open for writing, and everything its verbs hold constant."""

    store: Any
    config: Any
    encoder: HarnessEncoder
    world: World
    index: Any = field(init=False)
    retrieval: Any = field(init=False)
    latest: Any = None

    def __post_init__(self) -> None:
        writes = peer_module("core.indexing.writes")
        self.index = writes.IndexingContext.for_store(self.store, self.config, self.encoder)
        settings = peer_module("core.retrieval.retrieve").RetrievalSettings
        self.retrieval = settings.from_config(self.config)

    def params(self) -> Any:
        """Make the identity of the next call, its operation id new, and keep it as `latest`."""
        self.latest = peer_module("core.records.memory").CallParams(
            session_id=self.world.session_id,
            client_kind=self.world.client_kind,
            op_id=self.world.op_id(),
            max_depth=self.config.get_int("supersession_max_depth"),
        )
        return self.latest

    def indexed_call(self) -> Any:
        """Make what the peer's index-writing layer is called with."""
        writes = peer_module("core.indexing.writes")
        return writes.IndexedCall(ctx=self.params(), index=self.index)

    def write_call(self) -> Any:
        """Make what the peer's write verbs are called with."""
        return peer_module("core.write.tools").WriteCall(
            ctx=self.params(),
            index=self.index,
            retrieval=self.retrieval,
            dedup_threshold=self.config.get_float("dedup_threshold"),
            dedup_max=self.config.get_int("dedup_max"),
        )

    def read_call(self) -> Any:
        """Make what the peer's read verbs are called with."""
        return peer_module("core.retrieval.reads").ReadCall(
            ctx=self.params(), settings=self.retrieval, encoder=self.encoder
        )

    @contextmanager
    def given(self, vectors: Sequence[bytes] | None) -> Iterator[None]:
        """Replace the model by these little-endian float32 vectors for the time of one verb."""
        self.encoder.given = [unpacked(vector) for vector in vectors or ()]
        try:
            yield
        finally:
            self.encoder.given = ()

    async def close(self) -> None:
        """Write the log back into the database file, then close every connection."""
        await self.store.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        await self.store.close()


class StoreMaker:
    """Creates and opens stores; loads the model at most once."""

    def __init__(self, model_dir: Path, world: World) -> None:
        self._model_dir = model_dir
        self._world = world
        self._artifact: HarnessEncoder | None = None

    async def create(
        self, folder: Path, settings: Mapping[str, object], kind: EncoderKind
    ) -> OpenStore:
        """Create `folder`/.zikaron with its config.toml and an empty memory.db."""
        store_dir = folder / ".zikaron"
        store_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        (store_dir / "config.toml").write_text(_toml({**_OUR_MODEL, **settings}), "utf-8")
        config, encoder = self._configured(store_dir, kind)
        store = await peer_module("core.store.store").Store.create(store_dir, config, encoder)
        return OpenStore(store, config, encoder, self._world)

    async def open(self, folder: Path, kind: EncoderKind) -> OpenStore:
        """Open `folder`/.zikaron with the settings its own config.toml states."""
        store_dir = folder / ".zikaron"
        config, encoder = self._configured(store_dir, kind)
        store = await peer_module("core.store.store").Store.open(store_dir, config)
        return OpenStore(store, config, encoder, self._world)

    def _configured(self, store_dir: Path, kind: EncoderKind) -> tuple[Any, HarnessEncoder]:
        resolve = peer_module("core.config.resolution").resolve
        config = resolve(_NO_SYSTEM_SETTINGS, store_dir / "config.toml")
        return config, self._encoder(config, kind)

    def _encoder(self, config: Any, kind: EncoderKind) -> HarnessEncoder:
        if kind is EncoderKind.STUB:
            name, dim = config.get_str("embed_model"), config.get_int("embed_dim")
            return stub_encoder(self._model_dir, str(name), int(dim))
        if self._artifact is None:
            self._artifact = artifact_encoder(self._model_dir)
        return self._artifact


def _toml(settings: Mapping[str, object]) -> str:
    sections: dict[str, list[str]] = {}
    for key, value in settings.items():
        section, name = key.split(".")
        # A JSON string, number or boolean is written the same way in TOML.
        sections.setdefault(section, []).append(f"{name} = {json.dumps(value)}")
    return "\n".join(f"[{name}]\n" + "\n".join(lines) + "\n" for name, lines in sections.items())
