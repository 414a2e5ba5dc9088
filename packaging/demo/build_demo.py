"""Make the demo store: play the story into a fresh store through the reference peer.

usage: PYTHONPATH=. python packaging/demo/build_demo.py [OUT]      (default: resources/demo)
Then run record_demo.py. The same story gives the same store, but for the last bits of vectors.
"""

import shutil
import sys
import tempfile
from pathlib import Path

from narrator import Narrator
from story import read_story

from tests.peer.client import Peer
from tests.peer.environment import ROOT, prepare

_SEED = 20260608


def build(out: Path) -> None:
    """Write `out`/.zikaron/{memory.db,config.toml}, replacing what is there."""
    with tempfile.TemporaryDirectory() as scratch, Peer(prepare()) as peer:
        peer.seed_ids(_SEED)
        story_dir, plain_dir = Path(scratch) / "story", Path(scratch) / "plain"
        # Serving a group once keeps the log short; the published settings are the plain ones.
        peer.create(story_dir, {"consolidation.max_group_serves": 1})
        narrator = Narrator(peer, _SEED)
        for session in read_story():
            narrator.tell(session)
        peer.create(plain_dir)
        peer.close()
        target = out / ".zikaron"
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        shutil.copyfile(story_dir / ".zikaron" / "memory.db", target / "memory.db")
        shutil.copyfile(plain_dir / ".zikaron" / "config.toml", target / "config.toml")


if __name__ == "__main__":
    build(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "resources" / "demo")
