"""Try to change a store as a user without rights; run as a process of its own, answers one JSON.

usage: python -m tests.support.nobody_writes_child WARM_UP_PROJECT PROJECT UUID
"""

import asyncio
import json
import sys
from pathlib import Path

from core.commands.changes import Retire
from core.commands.commit import commit_one
from core.errors import GenizahError
from tests.support.nobody_child import become_nobody
from tests.support.writing import Hand


async def _retired(project: Path, uuid: str) -> dict[str, object]:
    try:
        hand = await Hand.open(project, None)
        done = await commit_one(hand.gate, Retire(uuid, 1))
        await hand.close()
    except GenizahError as error:
        return {"code": error.code.value, "reason": error.reason, "message": error.message}
    return {"code": type(done).__name__}


async def _main(warm_up: Path, project: Path, uuid: str) -> None:
    await _retired(warm_up, uuid)  # loads what lies where only root reads
    await asyncio.to_thread(int)
    become_nobody()
    sys.stdout.write(json.dumps(await _retired(project, uuid)) + "\n")


if __name__ == "__main__":
    asyncio.run(_main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]))
