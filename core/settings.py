"""The store settings: one table of keys, defaults and ranges, and the typed values of a store.

Layers are read in core/settings_layers.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType

type SettingValue = str | int | float


class SettingSource(StrEnum):
    """Where the winning value of a key came from."""

    DEFAULT = "default"
    USER_FILE = "user_file"
    STORE_FILE = "store_file"


@dataclass(frozen=True, slots=True)
class SettingSpec:
    """One declared key: its exact type, default and inclusive range (None: unbounded).

    `above` is an exclusive lower bound. Text has no range but may be required not to be empty.
    """

    key: str
    default: SettingValue
    low: float | None = None
    high: float | None = None
    above: float | None = None
    may_be_empty: bool = True

    @property
    def kind(self) -> type[SettingValue]:
        """Return the exact type of the value: str, int or float."""
        return type(self.default)

    def accepts_type(self, value: object) -> bool:
        """Tell whether `value` has exactly the declared type (a bool is no integer)."""
        return type(value) is self.kind

    def in_range(self, value: SettingValue) -> bool:
        """Tell whether a value of the right type lies in the declared range."""
        if isinstance(value, str):
            return self.may_be_empty or bool(value)
        if self.above is not None and not value > self.above:
            return False
        if self.low is not None and not value >= self.low:
            return False
        return self.high is None or value <= self.high

    @property
    def expected(self) -> str:
        """Say in words what the key takes."""
        if self.kind is str:
            return "text" if self.may_be_empty else "text that is not empty"
        noun = "a whole number" if self.kind is int else "a number with a decimal point"
        if self.above is not None and self.high is not None:
            return f"{noun} above {self.above:g} and at most {self.high:g}"
        if self.high is None:
            return f"{noun} of at least {self.low:g}"
        return f"{noun} from {self.low:g} to {self.high:g}"


def _int(key: str, default: int, low: int, high: int | None = None) -> SettingSpec:
    return SettingSpec(key, default, low, high)


def _unit(key: str, default: float) -> SettingSpec:
    return SettingSpec(key, default, 0, 1)


EMBED_MODEL = "embedding.embed_model"
EMBED_DIM = "embedding.embed_dim"
EMBED_PREFIX = "embedding.embed_prefix_query"
CHUNK_MAX_TOKENS = "indexing.chunk_max_tokens"
BGE_PREFIX = "Represent this sentence for searching relevant passages: "
BGE_MODEL = "BAAI/bge-small-en-v1.5"

_SPECS = (
    SettingSpec(EMBED_MODEL, BGE_MODEL, may_be_empty=False),
    _int(EMBED_DIM, 384, 1),
    SettingSpec(EMBED_PREFIX, BGE_PREFIX),
    _int(CHUNK_MAX_TOKENS, 450, 64, 8192),
    _int("indexing.gist_max_tokens", 64, 8, 256),
    _int("indexing.knowledge_max_file_bytes", 1_048_576, 1, 67_108_864),
    _int("indexing.knowledge_embed_batch", 32, 1, 256),
    _int("retrieval.fusion_depth", 50, 1, 500),
    _int("retrieval.chunk_overfetch", 8, 1, 64),
    _int("retrieval.rrf_k", 60, 1),
    SettingSpec("retrieval.supersession_penalty", 0.5, above=0, high=1),
    SettingSpec("retrieval.retired_penalty", 0.5, above=0, high=1),
    _int("retrieval.supersession_max_depth", 32, 1, 1024),
    _int("retrieval.fts_query_max_terms", 64, 1, 512),
    _int("retrieval.knowledge_max_chunks_per_file", 2, 1, 20),
    _int("retrieval.knowledge_snippet_max_chars", 1200, 80, 24_000),
    _int("retrieval.knowledge_reminder_interval", 300, 0, 86_400),
    _unit("dedup.dedup_threshold", 0.80),
    _int("dedup.dedup_max", 3, 0, 20),
    _int("consolidation.mutual_k", 5, 2, 50),
    _unit("consolidation.orphan_edge_cutoff", 0.65),
    _unit("consolidation.anchor_cutoff", 0.65),
    _int("consolidation.group_max", 12, 2, 64),
    _int("consolidation.max_group_serves", 3, 1, 16),
    _int("consolidation.run_lease", 1800, 60, 86_400),
    _int("consolidation.spill_threshold", 27_000, 4096, 1_048_576),
    _int("service.idle_timeout", 1800, 60, 86_400),
    _int("signals.signal_horizon_days", 30, 1, 3650),
)
SETTING_TABLE: Mapping[str, SettingSpec] = MappingProxyType({s.key: s for s in _SPECS})
SECTIONS: frozenset[str] = frozenset(s.key.split(".")[0] for s in _SPECS)

#: The keys this program reads; the others are the agent's own and only checked.
USED_KEYS: tuple[str, ...] = tuple(
    s.key
    for s in _SPECS
    if s.key.split(".")[0] in {"embedding", "indexing", "retrieval", "dedup"}
    and ".knowledge_" not in s.key
)


@dataclass(frozen=True, slots=True)
class Setting:
    """One effective value and where it came from; `file` is None for a default."""

    value: SettingValue
    source: SettingSource
    file: str | None = None


@dataclass(frozen=True, slots=True)
class RetrievalSettings:
    """The numbers that shape a ranking; defaults as the store format declares them."""

    fusion_depth: int = 50
    chunk_overfetch: int = 8
    rrf_k: int = 60
    supersession_penalty: float = 0.5
    retired_penalty: float = 0.5
    supersession_max_depth: int = 32
    fts_query_max_terms: int = 64
    embed_prefix_query: str = BGE_PREFIX


class StoreSettings:
    """All effective settings of one store with their provenance."""

    def __init__(self, values: Mapping[str, Setting]) -> None:
        if set(values) != set(SETTING_TABLE):
            raise ValueError("settings must cover the whole table")
        self._values = MappingProxyType(dict(values))

    def __getitem__(self, key: str) -> Setting:
        return self._values[key]

    def items(self) -> list[tuple[str, Setting]]:
        """Return the keys this program uses with their settings, in the table's order."""
        return [(key, self._values[key]) for key in USED_KEYS]

    def text(self, key: str) -> str:
        """Return a text value."""
        value = self._values[key].value
        if not isinstance(value, str):
            raise TypeError(key)
        return value

    def integer(self, key: str) -> int:
        """Return an integer value."""
        value = self._values[key].value
        if not isinstance(value, int):
            raise TypeError(key)
        return value

    def number(self, key: str) -> float:
        """Return a floating-point value."""
        value = self._values[key].value
        if not isinstance(value, float):
            raise TypeError(key)
        return value

    @cached_property
    def retrieval(self) -> RetrievalSettings:
        """Return the settings that shape a ranking."""
        return RetrievalSettings(
            fusion_depth=self.integer("retrieval.fusion_depth"),
            chunk_overfetch=self.integer("retrieval.chunk_overfetch"),
            rrf_k=self.integer("retrieval.rrf_k"),
            supersession_penalty=self.number("retrieval.supersession_penalty"),
            retired_penalty=self.number("retrieval.retired_penalty"),
            supersession_max_depth=self.integer("retrieval.supersession_max_depth"),
            fts_query_max_terms=self.integer("retrieval.fts_query_max_terms"),
            embed_prefix_query=self.text(EMBED_PREFIX),
        )
