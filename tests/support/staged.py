"""Memories as a person saw them, and any change of them, for tests of what is staged."""

from hypothesis import strategies as st

from core.commands.changes import Amend, Change, Remember, Retire, Supersede, SupersedeWithText
from core.readmodels import MemoryDetail, MemoryHead
from tests.support.properties import any_texts
from tests.support.stores import uuid_of

_AT = "2026-03-01T12:00:00+00:00"
NAMES = ("a", "b", "c", "d")


def seen(
    name: str,
    version: int | None = 1,
    content: str = "as it was",
    *,
    active: bool = True,
    gist: str | None = None,
) -> MemoryDetail:
    """Return a memory as it stood on the screen."""
    head = MemoryHead(
        rowid=1,
        uuid=uuid_of(name),
        tier="journal",
        gist=f"gist of {name}" if gist is None else gist,
        active=active,
        superseded_by=None,
        version=version,
        created_at=_AT,
        updated_at=_AT,
        session_id=None,
        token_count=5,
    )
    return MemoryDetail(head, content, False)


_uuids = st.sampled_from(NAMES).map(uuid_of)
_versions = st.just(1)
#: Any change of four memories in their first version, or a new one.
changes: st.SearchStrategy[Change] = st.one_of(
    st.builds(Retire, _uuids, _versions),
    st.builds(Supersede, _uuids, _versions, _uuids),
    st.builds(Amend, _uuids, _versions, any_texts, any_texts),
    st.builds(Remember, any_texts, any_texts),
    st.builds(SupersedeWithText, _uuids, _versions, any_texts, any_texts),
)
