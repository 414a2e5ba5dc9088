"""Record what the reference peer retrieves from the demo store, for the tests of a plain clone.

usage: PYTHONPATH=. python packaging/demo/record_demo.py      (writes tests/data/demo_expected.json)
Works on a private copy; retrieving logs nothing. Distances are those of the machine it ran on.
"""

import base64
import json
import shutil
import sqlite3
import tempfile
import tomllib
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from story import read_story, written

from tests.peer.answers import ArmReport, RankedRow, Retrieval
from tests.peer.client import Peer
from tests.peer.environment import ROOT, prepare

_HERE = Path(__file__).resolve().parent
_STORE = ROOT / "resources" / "demo"
_OUT = ROOT / "tests" / "data" / "demo_expected.json"
_SETTINGS = {
    "fusion_depth": 50,
    "rrf_k": 60,
    "chunk_overfetch": 8,
    "superseded_penalty": 0.5,
    "retired_penalty": 0.5,
    "fts_query_max_terms": 64,
    "embed_prefix_query": "",
}


def record() -> dict[str, object]:
    """Ask every query and every row of queries.toml; the answer has the oracle's format."""
    asked = tomllib.loads((_HERE / "queries.toml").read_text("utf-8"))
    with tempfile.TemporaryDirectory() as scratch, Peer(prepare()) as peer:
        copy = Path(scratch) / "demo"
        shutil.copytree(_STORE, copy)
        uuids = _uuids(copy, asked["similar"])
        peer.open(copy)
        return {
            "peer": "zikaron 0.4.0",
            "settings": _SETTINGS,
            "external": [
                _external(peer, one["text"], one.get("include_retired", False))
                for one in asked["external"]
            ],
            "internal": [_internal(peer, uuid) for uuid in uuids],
        }


def _uuids(folder: Path, keys: Iterable[str]) -> list[str]:
    """Find the rows of story keys by their gists: the story itself knows no uuids."""
    gists = {memory.key: memory.gist for memory in written(read_story())}
    with closing(sqlite3.connect(folder / ".zikaron" / "memory.db")) as connection:
        known: dict[str, str] = dict(connection.execute("SELECT gist, uuid FROM memory"))
    return [known[gists[key]] for key in keys]


def _external(peer: Peer, text: str, include_retired: bool) -> dict[str, object]:
    found = peer.retrieve(text, include_retired=include_retired)
    return {
        "query": text,
        "include_retired": include_retired,
        "vector": base64.b64encode(found.vector).decode("ascii"),
        "query_tokens": found.query_tokens,
        "query_truncated": found.query_truncated,
        "terms": list(found.terms or ()),
        "expression": found.expression,
        "dense": _arm(found.dense),
        "lexical": _arm(found.lexical),
        "pool": [_row(row) for row in found.pool],
    }


def _internal(peer: Peer, uuid: str) -> dict[str, object]:
    found: Retrieval = peer.retrieve_internal(uuid)
    pool = [
        {
            "uuid": row.uuid,
            "fused_score": row.fused_score,
            "dense_rank": row.dense_rank,
            "lexical_rank": row.lexical_rank,
        }
        for row in found.pool
    ]
    return {"uuid": uuid, "expression": found.expression, "pool": pool}


def _arm(report: ArmReport) -> dict[str, object]:
    return {"depth_reached": report.depth_reached, "stop_reason": report.stop_reason}


def _row(row: RankedRow) -> dict[str, object]:
    return {
        "uuid": row.uuid,
        "fused_score": row.fused_score,
        "dense_rank": row.dense_rank,
        "lexical_rank": row.lexical_rank,
        "best_distance": row.best_distance,
        "state": row.state,
    }


def _one_case_a_line(recorded: dict[str, object]) -> str:
    """Write JSON that a diff can be read of."""
    parts = []
    for key, value in recorded.items():
        text = json.dumps(value)
        if isinstance(value, list):
            text = "[\n" + ",\n".join(json.dumps(case) for case in value) + "\n]"
        parts.append(f"{json.dumps(key)}: {text}")
    return "{" + ",\n".join(parts) + "}\n"


if __name__ == "__main__":
    _OUT.parent.mkdir(parents=True, exist_ok=True)
    _OUT.write_text(_one_case_a_line(record()), "utf-8")
