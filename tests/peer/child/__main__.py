"""Answer one JSON object a line on stdin with one JSON object a line on stdout, until stdin ends.

A request is {"verb", "params"}; an answer is {"ok"} or {"error": {"code", "message", "fields"}}.
"""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import TextIO

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # read when the runtime is imported

from tests.peer.child.answers import error_object
from tests.peer.child.verbs import Verbs
from tests.peer.child.worlds import World, install


async def _serve(verbs: Verbs, answers: TextIO) -> None:
    while line := await asyncio.to_thread(sys.stdin.readline):
        request = json.loads(line)
        answer = await _answer(verbs, str(request["verb"]), request["params"])
        answers.write(json.dumps(answer) + "\n")
        answers.flush()
    await verbs.close()


async def _answer(verbs: Verbs, name: str, params: dict[str, object]) -> dict[str, object]:
    verb = verbs.table().get(name)
    if verb is None:
        return {"error": {"code": "unknown_verb", "message": name, "fields": {}}}

    async def call() -> object:
        return await verb(**params)

    # A task keeps its exception: whatever the peer raises becomes an answer and the child goes on.
    task = asyncio.create_task(call())
    await asyncio.wait({task})
    error = task.exception()
    return {"ok": task.result()} if error is None else {"error": error_object(error)}


def _reserved_stdout() -> TextIO:
    """Keep stdout for answers alone: whatever a library prints goes to stderr instead."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return answers


def _main() -> None:
    answers = _reserved_stdout()
    world = World()
    install(world)
    asyncio.run(_serve(Verbs(Path(sys.argv[1]), world), answers))


_main()
