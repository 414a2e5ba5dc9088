"""Which stores hold the same memories, looked up again only for stores that have changed."""

from collections.abc import Mapping, Sequence

from core.errors import GenizahError
from core.federation.grouping import Candidate
from core.federation.identity import rows_digest
from core.federation.member import Member
from core.federation.patience import StoresFailedError, in_time

type _State = tuple[int, int]


def _state(one: Candidate) -> _State:
    return one.index, one.identity.data_version


class Copies:
    """Compare stores two by two, and remember the answers for the states they were given for."""

    def __init__(self, time_limit_s: float) -> None:
        self._time_limit_s = time_limit_s
        self._overlaps: dict[tuple[_State, _State], bool] = {}
        self._digests: dict[_State, str] = {}

    async def compare(self, members: Mapping[int, Member], candidates: Sequence[Candidate]) -> None:
        """Find out everything about these stores in the state they are in.

        Rows are read only of stores with the very same memories. Raises StoresFailedError.
        """
        pairs = [(one, other) for at, other in enumerate(candidates) for one in candidates[:at]]
        known, self._overlaps = self._overlaps, {}
        for one, other in pairs:
            key = (_state(one), _state(other))
            found = known.get(key)
            self._overlaps[key] = one.identity.overlaps(other.identity) if found is None else found
        alike = [
            candidate
            for one, other in pairs
            if self.overlap(one, other) and one.identity.uuids == other.identity.uuids
            for candidate in (one, other)
        ]
        digests, self._digests = self._digests, {}
        for candidate in alike:
            digest = digests.get(_state(candidate)) or self._digests.get(_state(candidate))
            if digest is None:
                digest = await self._digest(members[candidate.index], candidate.index)
            self._digests[_state(candidate)] = digest

    async def _digest(self, member: Member, index: int) -> str:
        try:
            return await in_time(member, rows_digest(member), self._time_limit_s)
        except GenizahError as error:
            raise StoresFailedError({index: error}) from error

    def overlap(self, one: Candidate, other: Candidate) -> bool:
        """Tell whether two stores hold a memory in common, or are one store by their id."""
        return self._overlaps[(_state(one), _state(other))]

    def is_copy(self, one: Candidate, other: Candidate) -> bool:
        """Tell whether two stores hold the very same rows."""
        mine, others = self._digests.get(_state(one)), self._digests.get(_state(other))
        return mine is not None and mine == others
