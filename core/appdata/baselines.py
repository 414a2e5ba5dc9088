"""Named baselines: a search's pool as it was, with everything that produced it.

A stored baseline that is not understood counts as not there.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields

from core.appdata.database import AppDatabase
from core.clock import Clock
from core.readmodels import State
from core.retrieval.outcome import SearchOutcome
from core.settings import RetrievalSettings
from core.store.connection import Row
from core.store.text import is_blank, well_formed


@dataclass(frozen=True, slots=True)
class BaselineRow:
    """One row of the pool; its place is its place in the list."""

    uuid: str
    state: State
    dense_rank: int | None
    lexical_rank: int | None
    fused_score: float


@dataclass(frozen=True, slots=True)
class Baseline:
    """One search as it was. `data_version` is comparable on the connection that read it only.

    `at` is when it was saved, empty before that.
    """

    name: str
    text: str
    include_retired: bool
    settings: RetrievalSettings
    store_id: str
    data_version: int
    pool: tuple[BaselineRow, ...]
    at: str = ""

    def __post_init__(self) -> None:
        if is_blank(self.name):
            raise ValueError("a baseline has a name")

    @property
    def ranking(self) -> tuple[str, ...]:
        """Return the uuids in their final order."""
        return tuple(row.uuid for row in self.pool)


def baseline_of(name: str, outcome: SearchOutcome, store_id: str) -> Baseline:
    """Take a baseline of a search by text. Raises ValueError for a search by a memory."""
    if outcome.query.text is None:
        raise ValueError("a baseline is of a search by text")
    return Baseline(
        name=name,
        text=outcome.query.text,
        include_retired=outcome.scope.include_retired,
        settings=outcome.settings,
        store_id=store_id,
        data_version=outcome.data_version,
        pool=tuple(
            BaselineRow(
                uuid=hit.uuid,
                state=hit.state,
                dense_rank=None if hit.dense is None else hit.dense.rank,
                lexical_rank=None if hit.lexical is None else hit.lexical.rank,
                fused_score=hit.fused_score,
            )
            for hit in outcome.hits
        ),
    )


class Baselines:
    """Keep baselines by name."""

    def __init__(self, database: AppDatabase, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def all(self) -> tuple[Baseline, ...]:
        """Return the baselines, the one saved last first."""
        async with self._database.reading() as connection:
            rows = await connection.rows(
                "SELECT name, text, include_retired, settings, store_id, data_version, pool, at "
                "FROM baseline ORDER BY id DESC"
            )
        found = (_understood(row) for row in rows)
        return tuple(baseline for baseline in found if baseline is not None)

    async def save(self, baseline: Baseline) -> None:
        """Keep a baseline; one of the same name is replaced."""
        async with self._database.writing() as connection:
            await connection.rows(
                "INSERT OR REPLACE INTO baseline"
                "(name, text, include_retired, settings, store_id, data_version, pool, at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    well_formed(baseline.name),
                    well_formed(baseline.text),
                    int(baseline.include_retired),
                    json.dumps(asdict(baseline.settings)),
                    well_formed(baseline.store_id),
                    baseline.data_version,
                    json.dumps([asdict(row) for row in baseline.pool]),
                    self._clock.now().isoformat(),
                ),
            )

    async def drop(self, name: str) -> None:
        """Forget one baseline."""
        async with self._database.writing() as connection:
            await connection.rows("DELETE FROM baseline WHERE name = ?", (well_formed(name),))


def _understood(row: Row) -> Baseline | None:
    name, text, retired, settings, store_id, version, pool, at = row
    try:
        rows = json.loads(str(pool))
        return Baseline(
            name=str(name),
            text=str(text),
            include_retired=retired == 1,
            settings=_settings(json.loads(str(settings))),
            store_id=str(store_id),
            data_version=version if isinstance(version, int) else 0,
            pool=tuple(_row(raw) for raw in rows),
            at=str(at),
        )
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _settings(raw: Mapping[str, object]) -> RetrievalSettings:
    """Build the settings from JSON. Raises ValueError or KeyError for what does not fit."""
    known = {f.name: getattr(RetrievalSettings(), f.name) for f in fields(RetrievalSettings)}
    values = {name: raw[name] for name in known}
    if any(type(values[name]) is not type(default) for name, default in known.items()):
        raise ValueError("a setting has another type")
    return RetrievalSettings(**values)  # type: ignore[arg-type]  # each type was compared above


def _row(raw: Mapping[str, object]) -> BaselineRow:
    uuid, score = raw["uuid"], raw["fused_score"]
    if not isinstance(uuid, str) or not isinstance(score, float):
        raise TypeError("a row has a uuid and a score")
    return BaselineRow(
        uuid, State(str(raw["state"])), _rank(raw["dense_rank"]), _rank(raw["lexical_rank"]), score
    )


def _rank(value: object) -> int | None:
    if value is None or (type(value) is int and value >= 1):
        return value
    raise TypeError("a rank counts from 1")
