"""Open a store as a user without rights; run as a process of its own, answers one JSON object.

usage: python -m tests.support.nobody_child WARM_UP_PROJECT BODY FOLDER
Root becomes `nobody` after a first opening, which has loaded whatever lies where only root reads.
"""

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from app.bootstrap import Services
from app.demo import prepare_demo
from core.errors import GenizahError
from core.store.finder import StoreFinder
from core.store.location import locate, locate_upwards
from core.store.private_copy import copy_files
from tests.support.engine import open_engine

type Answer = dict[str, object]

_NOBODY = 65534
_HANG_S = 10.0


async def _opened(folder: Path) -> Answer:
    async with open_engine(folder) as engine:
        outcome = await engine.by_words("remark zarquon")
        facts = engine.database.facts
        return {
            "access": facts.access.value,
            "notices": [n.code.value for n in facts.notices],
            "gists": sorted(h.head.gist for h in outcome.hits),
        }


async def _copied(folder: Path) -> Answer:
    copy = folder / "mine"
    copy_files(locate(folder / "project"), copy)
    modes = {p.name: oct(p.stat().st_mode & 0o777) for p in (copy / ".zikaron").iterdir()}
    return {**await _opened(copy), "modes": modes}


async def _watched(folder: Path) -> Answer:
    """Open, then look at the file again and again while the parent writes."""
    async with open_engine(folder) as engine:
        engine.database.check_still_there()
        sys.stdout.write("opened\n")
        sys.stdout.flush()
        async with asyncio.timeout(_HANG_S):
            while True:
                engine.database.check_still_there()
                await asyncio.sleep(0.01)


async def _looked_upwards(folder: Path) -> Answer:
    return {"database": str(locate_upwards(folder / "src").database)}


async def _demo(folder: Path) -> Answer:
    return {"folder": str(prepare_demo(Services(), str(folder)))}


async def _find(folder: Path) -> Answer:
    finder = StoreFinder(folder)
    found = [str(store.database) for store in finder.find()]
    return {"found": found, "unreadable": finder.unreadable}


_BODIES: dict[str, Callable[[Path], Awaitable[Answer]]] = {
    "open": _opened,
    "copy": _copied,
    "watch": _watched,
    "upwards": _looked_upwards,
    "demo": _demo,
    "find": _find,
}


async def _answer(body: str, folder: Path) -> Answer:
    try:
        return await _BODIES[body](folder)
    except GenizahError as error:
        return {"code": error.code.value, "message": error.message}


def become_nobody() -> None:
    """Give up root's rights for good."""
    os.environ.update(HOME="/nonexistent", XDG_CONFIG_HOME="")
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(_NOBODY, _NOBODY, _NOBODY)
        os.setresuid(_NOBODY, _NOBODY, _NOBODY)


async def _main(warm_up: Path, body: str, folder: Path) -> None:
    await _opened(warm_up)
    await asyncio.to_thread(int)
    become_nobody()
    sys.stdout.write(json.dumps(await _answer(body, folder)) + "\n")


if __name__ == "__main__":
    asyncio.run(_main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])))
