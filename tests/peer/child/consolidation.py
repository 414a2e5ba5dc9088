"""The peer's clean-up verbs: plan groups, serve one, then merge, promote or discard its members."""

from collections.abc import Sequence
from typing import Any

from tests.peer.child.answers import plain, unless_conflict
from tests.peer.child.stores import OpenStore
from tests.peer.child.worlds import peer_module

type Named = Sequence[tuple[str, int]]

# A run belongs to a session and a process; one made-up process id serves every run of the harness.
_PID = 4242


async def plan_groups(opened: OpenStore) -> object:
    """Start a consolidation run over the journal."""
    planning = peer_module("core.consolidation.planning")
    return plain(await planning.plan_groups(_db(opened), call=_call(opened), pool=_pool(opened)))


async def next_group(opened: OpenStore) -> object:
    """Serve the next group, or null when the run has none left."""
    serving = peer_module("core.consolidation.serving")
    served = await serving.next_group(_db(opened), call=_call(opened), pool=_pool(opened))
    if isinstance(served, peer_module("core.consolidation.payload").RunDone):
        return None
    return plain(served)


async def merge(
    opened: OpenStore, group_id: str, target: tuple[str, int], gist: str, content: str, rows: Named
) -> object:
    """Rewrite a long-term record of the group's to absorb these members."""
    payload = peer_module("core.consolidation.payload")
    outcome = await peer_module("core.consolidation.verbs").merge(
        _db(opened),
        group_id=group_id,
        target=payload.MergeTarget(row=_named(target), rewrite=_rewrite(gist, content)),
        absorb=[_named(row) for row in rows],
        call=_call(opened),
    )
    return plain(unless_conflict(outcome))


async def promote(
    opened: OpenStore, group_id: str, gist: str, content: str, rows: Named
) -> object:
    """Make a long-term record of these members, or lift the one whose text this is."""
    outcome = await peer_module("core.consolidation.verbs").promote(
        _db(opened),
        group_id=group_id,
        rewrite=_rewrite(gist, content),
        absorb=[_named(row) for row in rows],
        call=_call(opened),
    )
    return plain(unless_conflict(outcome))


async def discard(opened: OpenStore, group_id: str, reason: str, rows: Named) -> object:
    """Retire these members outright."""
    outcome = await peer_module("core.consolidation.verbs").discard(
        _db(opened),
        group_id=group_id,
        absorb=[_named(row) for row in rows],
        reason=reason,
        call=_call(opened),
    )
    return plain(unless_conflict(outcome))


def _call(opened: OpenStore) -> Any:
    context = peer_module("core.consolidation.context")
    return context.ConsolidationCall(
        ctx=opened.params(),
        pid=_PID,
        settings=context.ConsolidationSettings.from_config(opened.config),
        retrieval=opened.retrieval,
        index=opened.index,
    )


def _named(row: tuple[str, int]) -> Any:
    uuid, version = row
    return peer_module("core.consolidation.payload").NamedRow(uuid=uuid, expected_version=version)


def _rewrite(gist: str, content: str) -> Any:
    return peer_module("core.records.memory").Rewrite(gist=gist, content=content)


def _db(opened: OpenStore) -> Any:
    return opened.store.connection


def _pool(opened: OpenStore) -> Any:
    return opened.store.pool
