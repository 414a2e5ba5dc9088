"""The settings of a search over several stores: those of the first, and how the others differ."""

from collections.abc import Sequence
from dataclasses import fields

from core.federation.member import Member, names_of
from core.notices import Notice, NoticeCode
from core.settings import EMBED_PREFIX, RetrievalSettings

_SECTION = "retrieval."
_OWN = EMBED_PREFIX.rpartition(".")[2]  # each store's own: it is part of the model key
_SHARED = tuple(f.name for f in fields(RetrievalSettings) if f.name != _OWN)


def settings_notice(members: Sequence[Member]) -> Notice | None:
    """Name the ranking settings in which stores differ from the first, with all values."""
    if len(members) < 2:
        return None
    first, names = members[0].settings.retrieval, names_of(members)
    told: list[str] = []
    for name in _SHARED:
        ours = getattr(first, name)
        others = [
            f"{getattr(m.settings.retrieval, name)} in {called}"
            for m, called in zip(members[1:], names[1:], strict=True)
            if getattr(m.settings.retrieval, name) != ours
        ]
        if others:
            told.append(f"{_SECTION}{name} is {ours} in {names[0]}, {', '.join(others)}")
    if not told:
        return None
    return Notice(
        NoticeCode.SETTINGS_DIFFER,
        f"The stores have different ranking settings: {'; '.join(told)}. Those of "
        f"{names[0]} hold for all.",
    )
