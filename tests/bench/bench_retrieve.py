"""retrieve() beside the peer's retrieve() on the same stores in the same run.

Prints a table: median and p95 in ms, the ratio of medians (above 1: we are faster), once for whole
searches and once for the dense arm alone (a query without a letter or digit skips the words).
"""

import asyncio
import base64
import json
import shutil
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from core.retrieval.query import DenseQuery
from core.retrieval.searcher import MeaningSide, Searcher
from core.settings import RetrievalSettings
from core.store.database import Database
from core.store.location import locate
from tests.bench.generated_store import generate, query_vectors
from tests.peer.client import Encoder, Peer
from tests.peer.environment import prepare

_ROOT = Path(__file__).resolve().parents[2]
_ORACLE = _ROOT.parent / "shared" / "oracle" / "single"
_NO_WORDS = "!"
_WARM = 3


@dataclass(frozen=True, slots=True)
class Case:
    """One query: its text and its vector."""

    text: str
    vector: bytes


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the table, times in seconds."""

    name: str
    ours: Sequence[float]
    peers: Sequence[float]

    def __str__(self) -> str:
        ours, peers = statistics.median(self.ours), statistics.median(self.peers)
        return (
            f"{self.name:28} ours {ours * 1e3:7.1f} / {_p95(self.ours) * 1e3:7.1f} ms   "
            f"peer {peers * 1e3:7.1f} / {_p95(self.peers) * 1e3:7.1f} ms   {peers / ours:5.2f}x"
        )


def _p95(times: Sequence[float]) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * 0.95))]


async def _ours(searcher: Searcher, case: Case, text: str) -> float:
    side = MeaningSide(DenseQuery(case.vector))
    start = time.perf_counter()
    await searcher.search(text, side)
    return time.perf_counter() - start


async def _compare(name: str, folder: Path, cases: Sequence[Case], peer: Peer) -> None:
    database = await Database.open(locate(folder))
    searcher = Searcher(database, RetrievalSettings(embed_prefix_query=""))
    before = psutil.Process().memory_info().rss
    start = time.perf_counter()
    await searcher.refresh_matrix()
    built = time.perf_counter() - start
    grown = (psutil.Process().memory_info().rss - before) / 1e6
    peer.open(folder, Encoder.STUB)
    for whole in (True, False):
        ours: list[float] = []
        peers: list[float] = []
        for i, case in enumerate(cases):  # in turn, so that both see the same machine
            text = case.text if whole else _NO_WORDS
            theirs = peer.time_retrieve(text, case.vector, 1)[0]
            mine = await _ours(searcher, case, text)
            if i >= _WARM:
                ours.append(mine)
                peers.append(theirs)
        print(Line(f"{name} {'search' if whole else 'dense arm'}", ours, peers), flush=True)
    print(
        f"{name:28} matrix {searcher.matrix_bytes / 1e6:.1f} MB, built in {built * 1e3:.0f} ms, "
        f"resident memory +{grown:.0f} MB",
        flush=True,
    )
    peer.close()
    await database.close()


def _oracle(work: Path) -> tuple[Path, list[Case]]:
    folder = work / "oracle"
    shutil.copytree(_ORACLE, folder)
    for path in folder.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)
    recorded = json.loads((folder / "expected.json").read_text())["external"]
    return folder, [Case(c["query"], base64.b64decode(c["vector"])) for c in recorded[:60]]


async def run() -> None:
    """Run every size; the oracle is left out, and said so, where it is not at hand."""
    work = Path(tempfile.mkdtemp(prefix="genizah-bench-"))
    try:
        with Peer(prepare()) as peer:
            if _ORACLE.exists():
                folder, cases = _oracle(work)
                await _compare("1,479 (oracle)", folder, cases, peer)
            else:
                print("the oracle is not here: its row is left out")
            for count in (10_000, 100_000):
                folder = work / str(count)
                texts = generate(folder, count)
                cases = [
                    Case(t, v) for t, v in zip(texts, query_vectors(len(texts)), strict=True)
                ]
                await _compare(f"{count:,} (generated)", folder, cases, peer)
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    asyncio.run(run())
