"""The program's own commits in a process that can be killed at any moment.

usage: python -m tests.support.committing_child PROJECT LABEL
Commits batches of three changes without end, saying each one once it is committed.
"""

import asyncio
import sys
from itertools import count
from pathlib import Path

from core.commands.changes import Amend, Change, Remember, Retire
from core.commands.commit import Committed, commit_batch
from tests.support.stub_encoder import StubEncoder
from tests.support.writing import Hand


async def _main(project: Path, label: str) -> None:
    hand = await Hand.open(project, StubEncoder(), wait_s=30.0)
    hand.ids.source.seed(label)
    for number in count():
        name = f"{label}-{number}"
        new: list[Change] = [Remember(f"{name} first", "pier"), Remember("x", "y")]
        made = await commit_batch(hand.gate, new)
        assert isinstance(made, Committed)
        first, second = (w.uuid for w in made.written)
        changes: list[Change] = [
            Amend(first, 1, f"{name} amended", "quay\n\n" * 3 + "winter"),
            Remember(f"{name} beside", "ferry"),
            Retire(second, 1),
        ]
        assert isinstance(await commit_batch(hand.gate, changes), Committed)
        sys.stdout.write(f"{name}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(_main(Path(sys.argv[1]), sys.argv[2]))
