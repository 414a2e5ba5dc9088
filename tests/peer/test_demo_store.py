"""The bundled demo store: sound, as rich as it claims, and retrieved by the peer as recorded."""

import base64
import json
import os
import shutil
import sqlite3
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.peer.answers import Retrieval
from tests.peer.client import Peer
from tests.peer.environment import ROOT

pytestmark = pytest.mark.peer

_BUNDLE = ROOT / "resources" / "demo"
_RECORDED = ROOT / "tests" / "data" / "demo_expected.json"
# What was injected may differ where a rank hangs on the last bit of a vector; these may not.
_TABLES = (
    "SELECT uuid, gist, content, tier, active, superseded_by, version, created_at, session_id"
    " FROM memory ORDER BY rowid",
    "SELECT kind, client_kind, count(*) FROM event GROUP BY kind, client_kind",
    "SELECT memory_uuid, part_index, token_count, truncated FROM memory_chunk ORDER BY chunk_id",
)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Give a private copy: the bundle itself is never opened."""
    return Path(shutil.copytree(_BUNDLE, tmp_path / "demo"))


@pytest.fixture
def demo(peer: Peer, copy: Path) -> Peer:
    """Give the peer with a copy of the demo store open."""
    peer.open(copy)
    return peer


@pytest.fixture(scope="module")
def recorded() -> dict[str, Any]:
    """Give the recorded retrievals."""
    decoded: dict[str, Any] = json.loads(_RECORDED.read_text("utf-8"))
    return decoded


@pytest.fixture
def rows(copy: Path) -> Iterator[sqlite3.Connection]:
    """Give a plain connection to the copy's ordinary tables."""
    with closing(sqlite3.connect(copy / ".zikaron" / "memory.db")) as connection:
        yield connection


def _external_as_recorded(found: Retrieval) -> dict[str, object]:
    return {
        "query_tokens": found.query_tokens,
        "query_truncated": found.query_truncated,
        "terms": list(found.terms or ()),
        "expression": found.expression,
        "dense": (found.dense.depth_reached, found.dense.stop_reason),
        "lexical": (found.lexical.depth_reached, found.lexical.stop_reason),
        "pool": [
            (row.uuid, row.fused_score, row.dense_rank, row.lexical_rank, row.state)
            for row in found.pool
        ],
    }


def _external_expected(case: dict[str, Any]) -> dict[str, object]:
    names = ("query_tokens", "query_truncated", "terms", "expression")
    return {
        **{name: case[name] for name in names},
        "dense": (case["dense"]["depth_reached"], case["dense"]["stop_reason"]),
        "lexical": (case["lexical"]["depth_reached"], case["lexical"]["stop_reason"]),
        "pool": [
            (row["uuid"], row["fused_score"], row["dense_rank"], row["lexical_rank"], row["state"])
            for row in case["pool"]
        ],
    }


def test_the_demo_store_is_sound(demo: Peer) -> None:
    assert demo.problems() == ()


def test_the_peer_retrieves_what_was_recorded(demo: Peer, recorded: dict[str, Any]) -> None:
    for case in recorded["external"]:
        vector = base64.b64decode(case["vector"])
        found = demo.retrieve(
            case["query"], include_retired=case["include_retired"], vector=vector
        )
        assert _external_as_recorded(found) == _external_expected(case), case["query"]
        distances = [row["best_distance"] for row in case["pool"]]
        assert [row.best_distance for row in found.pool] == pytest.approx(distances, abs=1e-6)


def test_the_peer_finds_the_recorded_neighbours(demo: Peer, recorded: dict[str, Any]) -> None:
    for case in recorded["internal"]:
        found = demo.retrieve_internal(case["uuid"])
        assert found.expression == case["expression"]
        assert [
            (row.uuid, row.fused_score, row.dense_rank, row.lexical_rank) for row in found.pool
        ] == [
            (row["uuid"], row["fused_score"], row["dense_rank"], row["lexical_rank"])
            for row in case["pool"]
        ]


def test_the_live_model_makes_the_recorded_vectors(demo: Peer, recorded: dict[str, Any]) -> None:
    for case in recorded["external"]:
        live = struct.unpack("<384f", demo.retrieve(case["query"]).vector)
        then = struct.unpack("<384f", base64.b64decode(case["vector"]))
        assert live == pytest.approx(then, abs=1e-5), case["query"]


def test_the_demo_store_shows_every_state_and_both_tiers(rows: sqlite3.Connection) -> None:
    kinds = set(
        rows.execute("SELECT tier, active, superseded_by IS NOT NULL FROM memory").fetchall()
    )
    live = {("journal", 1, 0), ("long_term", 1, 0)}
    assert kinds >= live | {("journal", 0, 1), ("long_term", 0, 1), ("journal", 0, 0)}
    assert rows.execute("SELECT count(*) FROM memory").fetchone() == (150,)
    assert (_BUNDLE / ".zikaron" / "memory.db").stat().st_size < 4_000_000


def test_the_demo_store_has_long_chains_merges_and_a_retired_head(
    rows: sqlite3.Connection,
) -> None:
    edges = dict(rows.execute("SELECT uuid, superseded_by FROM memory"))
    retired = {
        uuid
        for (uuid,) in rows.execute(
            "SELECT uuid FROM memory WHERE active = 0 AND superseded_by IS NULL"
        )
    }
    chains = []
    for uuid in edges:
        chain = [uuid]
        while (following := edges[chain[-1]]) is not None:
            chain.append(following)
        chains.append(chain)
    assert max(len(chain) for chain in chains) == 6
    assert any(len(chain) == 3 and chain[-1] in retired for chain in chains)
    absorbed = [target for target in edges.values() if target is not None]
    assert max(absorbed.count(target) for target in absorbed) >= 4


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.usefixtures("peer_environment")
def test_the_story_makes_the_bundled_store_again(tmp_path: Path) -> None:
    builder = ROOT / "packaging" / "demo" / "build_demo.py"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(builder), str(tmp_path / "again")]
    subprocess.run(command, check=True, env=environment)
    bundle = Path(shutil.copytree(_BUNDLE, tmp_path / "bundle"))
    for sql in _TABLES:
        made = []
        for folder in (bundle, tmp_path / "again"):
            with closing(sqlite3.connect(folder / ".zikaron" / "memory.db")) as connection:
                made.append(connection.execute(sql).fetchall())
        assert made[0] == made[1], sql
