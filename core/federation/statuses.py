"""The line of every store of a search, what is said beside the lists, and when it is incomplete."""

from collections.abc import Collection, Mapping, Sequence

from core.errors import GenizahError
from core.federation.identity import Identity
from core.federation.member import FailedMember, Member, name_of, names_of, path_of
from core.federation.outcome import Group, Searched, StoreStatus
from core.notices import Notice, NoticeCode
from core.retrieval.arms import StopReason

type AnyMember = Member | FailedMember


def statuses(
    members: Sequence[AnyMember],
    failed: Mapping[int, GenizahError],
    groups: Sequence[Group],
    copies: Mapping[int, int],
    identities: Mapping[int, Identity],
    left_out: Collection[int] = (),
) -> tuple[StoreStatus, ...]:
    """Return every store's line, in the order of the stores; `left_out` are the places of those
    that the search was not about.
    """
    group_of = {at: group for group in groups for at in group.stores}
    found: list[StoreStatus] = []
    for at, member in enumerate(members):
        if at in group_of:
            found.append(_searched(at, member, group_of[at]))
        elif at in copies:
            same = path_of(members[copies[at]])
            sizes = (identities[at].memories, identities[at].chunks)
            reason = f"It holds the same memories as {same}."
            found.append(_line(member, sizes, Searched.COPY_OF, reason, copy_of=copies[at]))
        elif at in left_out:
            found.append(_line(member, None, Searched.LEFT_OUT, "It is not one of those named."))
        else:
            error = failed[at]
            found.append(_line(member, None, Searched.FAILED, error.message, error=error))
    return tuple(found)


def _searched(at: int, member: AnyMember, group: Group) -> StoreStatus:
    outcome = group.outcome
    source = outcome if outcome.union is None else outcome.union.parts[group.stores.index(at)]
    how = Searched.HYBRID if outcome.dense.ran else Searched.LEXICAL
    return _line(member, (source.memories, source.chunks), how, outcome.dense.reason)


def _line(
    member: AnyMember,
    sizes: tuple[int, int] | None,
    searched: Searched,
    reason: str | None,
    *,
    error: GenizahError | None = None,
    copy_of: int | None = None,
) -> StoreStatus:
    meta = None if isinstance(member, FailedMember) else member.database.facts.meta
    memories, chunks = sizes or (None, None)
    return StoreStatus(
        path=path_of(member),
        name=name_of(member),
        store_id=None if meta is None else meta.store_id,
        schema_version=None if meta is None else meta.schema_version,
        memories=memories,
        chunks=chunks,
        embed_model=None if meta is None else meta.embed_model,
        searched=searched,
        reason=reason,
        error=error,
        copy_of=copy_of,
    )


def notices_of(
    members: Sequence[AnyMember], groups: Sequence[Group], shared: Notice | None
) -> tuple[Notice, ...]:
    """Return the one about all stores, and those of each store that was searched: with its name,
    where there are several. Those of a list are the list's own.
    """
    searched = sorted(at for group in groups for at in group.stores)
    found = [] if shared is None else [shared]
    names = names_of(members)
    for at in searched:
        member = members[at]
        own = () if isinstance(member, FailedMember) else member.notices
        name = f"{names[at]}: " if len(members) > 1 else ""
        found += [Notice(n.code, name + n.text) for n in own]
    return tuple(found)


def failed_notices(stores: Sequence[StoreStatus]) -> tuple[Notice, ...]:
    """Say that stores could not be searched, each named with the reason, where that is so."""
    failed = [status for status in stores if status.error is not None]
    if not failed:
        return ()
    names = "; ".join(f"{s.path}: {s.error.message}" for s in failed if s.error is not None)
    text = f"Incomplete: {len(failed)} of {len(stores)} stores could not be searched. {names}"
    return (Notice(NoticeCode.STORES_FAILED, text),)


def is_incomplete(
    groups: Sequence[Group], failed: Mapping[int, GenizahError], *, meaning_asked: bool
) -> bool:
    """Tell whether something is missing that was asked for."""
    dense = [group.outcome.dense for group in groups]
    return (
        bool(failed)
        or (meaning_asked and not all(arm.ran for arm in dense))
        or any(arm.stop_reason is StopReason.PROBE_CAP_HIT for arm in dense)
    )


def all_failed(errors: Mapping[int, GenizahError], members: Sequence[AnyMember]) -> GenizahError:
    """Make the error of a search without any store left: the first store's, and how many."""
    first = errors[min(errors)]
    if len(errors) == 1:
        return first
    return GenizahError(
        first.code,
        f"None of the {len(errors)} stores could be searched. {first.message}",
        path=first.path,
        reason=first.reason,
        fields={
            **first.fields,
            "stores": [
                {"path": path_of(members[at]), "code": e.code.value, "message": e.message}
                for at, e in sorted(errors.items())
            ],
        },
    )
