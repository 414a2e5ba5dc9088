"""The Pending list: what a person staged, edited, took back; a commit is final."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.commands import staging
from core.commands.changes import Amend, Change, Remember, Retire, Supersede
from core.commands.staging import Entries, PendingList, Staged, into_one
from core.readmodels import MemoryDetail
from tests.support.properties import PROPERTY
from tests.support.staged import changes, seen
from tests.support.stores import uuid_of

A, B, C = (uuid_of(name) for name in "abc")


def staged(pending: PendingList) -> list[Change]:
    return list(pending.changes)


def retire(name: str) -> Retire:
    return Retire(uuid_of(name), 1)


def amend(name: str, text: str, version: int = 1) -> Amend:
    return Amend(uuid_of(name), version, "gist", text)


def test_two_retirements_are_both_staged_and_both_undone() -> None:
    pending = PendingList()
    pending.stage(retire("a"), seen("a"))
    pending.stage(retire("b"), seen("b"))
    assert staged(pending) == [retire("a"), retire("b")]
    assert [e.number for e in pending.entries] == [1, 2]
    assert pending.undo()
    assert staged(pending) == [retire("a")]
    assert pending.undo()
    assert staged(pending) == []
    assert not pending.undo()


def test_another_change_of_the_same_memory_takes_the_place_of_the_first() -> None:
    pending = PendingList()
    pending.stage(retire("a"), seen("a"))
    pending.stage(retire("b"), seen("b"))
    pending.stage(amend("a", "new"), seen("a"))
    assert staged(pending) == [amend("a", "new"), retire("b")]
    pending.undo()
    assert staged(pending) == [retire("a"), retire("b")]


def test_new_memories_stand_beside_each_other() -> None:
    pending = PendingList()
    pending.stage(Remember("g", "c"))
    pending.stage(Remember("g", "c"))
    assert len(pending.entries) == 2


def test_what_was_seen_stays_through_every_edit() -> None:
    pending = PendingList()
    base = seen("a", 4, "the text I started from")
    entry = pending.stage(amend("a", "one", 4), base)
    for text in ("two", "three"):
        pending.edit(entry.number, amend("a", text, 4))
    assert pending.entries == (Staged(1, amend("a", "three", 4), base),)


def test_a_conflict_is_staged_again_from_the_text_that_is_stored_now() -> None:
    pending = PendingList()
    pending.stage(amend("a", "mine"), seen("a"))
    now = seen("a", 2, "the agent's")
    pending.stage(amend("a", "merged", 2), now)
    assert pending.entries == (Staged(1, amend("a", "merged", 2), now),)


@pytest.mark.parametrize("base", [seen("a", 2), seen("b"), seen("a", None)])
def test_a_change_names_what_was_seen(base: MemoryDetail) -> None:
    pending = PendingList()
    with pytest.raises(ValueError, match="that was seen"):
        pending.stage(retire("a"), base)
    assert staged(pending) == []
    assert not pending.can_undo


def test_an_edit_stays_with_its_memory_and_its_version() -> None:
    pending = PendingList()
    number = pending.stage(retire("a"), seen("a")).number
    with pytest.raises(ValueError, match="its memory"):
        pending.edit(number, retire("b"))
    with pytest.raises(ValueError, match="version that was seen"):
        pending.edit(number, amend("a", "x", 2))
    with pytest.raises(KeyError):
        pending.edit(9, retire("a"))
    assert staged(pending) == [retire("a")]


def test_several_changes_are_staged_and_discarded_in_one_step() -> None:
    pending = PendingList()
    pending.stage_all([(retire(name), seen(name)) for name in "abc"])
    pending.discard(1, 3)
    assert staged(pending) == [retire("b")]
    pending.undo()
    assert len(staged(pending)) == 3
    pending.discard_all()
    assert staged(pending) == []
    pending.undo()
    pending.undo()
    assert staged(pending) == []
    assert not pending.can_undo


def test_the_same_change_twice_is_one_step() -> None:
    pending = PendingList()
    pending.stage(retire("a"), seen("a"))
    pending.stage(retire("a"), seen("a"))
    pending.undo()
    assert staged(pending) == []


def test_a_new_step_ends_what_could_be_made_again() -> None:
    pending = PendingList()
    pending.stage(retire("a"), seen("a"))
    pending.undo()
    assert pending.can_redo
    pending.stage(retire("b"), seen("b"))
    assert not pending.redo()
    assert staged(pending) == [retire("b")]


def test_numbers_are_never_given_twice() -> None:
    pending = PendingList()
    pending.stage(retire("a"), seen("a"))
    pending.undo()
    assert pending.stage(retire("b"), seen("b")).number == 2
    assert PendingList([Staged(7, retire("a"))]).stage(retire("b")).number == 8


def test_a_list_holds_each_memory_once() -> None:
    with pytest.raises(ValueError, match="of its own"):
        PendingList([Staged(1, retire("a")), Staged(2, amend("a", "x"))])
    with pytest.raises(ValueError, match="of its own"):
        PendingList([Staged(1, retire("a")), Staged(1, retire("b"))])


def test_the_last_two_hundred_steps_can_be_taken_back() -> None:
    assert staging.UNDO_STEPS == 200
    pending = PendingList()
    for number in range(203):
        pending.stage(amend("a", str(number)), seen("a"))
    while pending.undo():
        pass
    assert staged(pending) == [amend("a", "2")]


def test_what_was_committed_is_gone_for_good() -> None:
    pending = PendingList()
    pending.stage(retire("a"), seen("a"))
    pending.stage(retire("b"), seen("b"))
    pending.undo()
    pending.committed(pending.entries)
    assert staged(pending) == []
    assert not pending.can_undo
    assert pending.redo()
    assert staged(pending) == [retire("b")]


def test_what_is_staged_while_a_commit_runs_stays_and_can_be_undone() -> None:
    pending = PendingList()
    pending.stage(retire("a"), seen("a"))
    running = pending.entries
    pending.stage(retire("b"), seen("b"))
    pending.committed(running)
    assert staged(pending) == [retire("b")]
    assert pending.undo()
    assert staged(pending) == []
    assert not pending.undo()


def test_an_edit_made_while_a_commit_runs_is_not_lost() -> None:
    pending = PendingList()
    pending.stage(amend("a", "first"), seen("a"))
    running = pending.entries
    pending.edit(1, amend("a", "second"))
    pending.committed(running)
    assert staged(pending) == [amend("a", "second")]


def test_an_entry_discarded_while_it_was_committed_does_not_come_back() -> None:
    pending = PendingList()
    pending.stage(amend("a", "first"), seen("a"))
    pending.edit(1, amend("a", "second"))
    running = pending.entries
    pending.discard(1)
    pending.committed(running)
    assert staged(pending) == []
    assert not pending.can_undo


def test_of_three_duplicates_exactly_one_stays_live() -> None:
    rows = [seen("a"), seen("b", 3), seen("c"), seen("c")]
    pending = PendingList()
    pending.stage_into_one(rows, B)
    assert staged(pending) == [Supersede(A, 1, B), Supersede(C, 1, B)]
    assert [e.seen for e in pending.entries] == [seen("a"), seen("c")]
    pending.undo()
    assert staged(pending) == []


def test_the_one_that_stays_is_not_retired_by_an_earlier_entry() -> None:
    pending = PendingList()
    pending.stage(retire("b"), seen("b"))
    pending.stage(amend("a", "x"), seen("a"))
    pending.stage_into_one([seen("a"), seen("b")], B)
    assert staged(pending) == [Supersede(A, 1, B)]
    pending.undo()
    assert staged(pending) == [retire("b"), amend("a", "x")]


def test_a_new_text_of_the_one_that_stays_is_kept() -> None:
    pending = PendingList()
    pending.stage(amend("b", "x"), seen("b"))
    pending.stage_into_one([seen("a"), seen("b")], B)
    assert staged(pending) == [amend("b", "x"), Supersede(A, 1, B)]


def test_rows_that_are_not_live_or_only_readable_are_left_out_of_a_merge() -> None:
    rows = [seen("a", active=False), seen("b", None), seen("c")]
    assert into_one(rows, uuid_of("d")) == (Supersede(C, 1, uuid_of("d")),)


type Step = Callable[[PendingList], object]


@dataclass(frozen=True)
class _Discard:
    at: int

    def __call__(self, pending: PendingList) -> object:
        if pending.entries:
            pending.discard(pending.entries[self.at % len(pending.entries)].number)
        return None


@dataclass(frozen=True)
class _Edit:
    at: int
    text: str

    def __call__(self, pending: PendingList) -> object:
        if not pending.entries:
            return None
        entry = pending.entries[self.at % len(pending.entries)]
        new: Change = Remember("g", self.text)
        if entry.subject is not None:
            new = Amend(entry.subject, 1, "g", self.text)
        return pending.edit(entry.number, new)


@dataclass(frozen=True)
class _Stage:
    change: Change

    def __call__(self, pending: PendingList) -> object:
        return pending.stage(self.change)


_edits: st.SearchStrategy[Step] = st.one_of(
    st.builds(_Stage, changes),
    st.builds(_Discard, st.integers(0, 9)),
    st.builds(_Edit, st.integers(0, 9), st.sampled_from(["one", "two"])),
    st.just(PendingList.discard_all),
)
_steps: st.SearchStrategy[list[Step]] = st.lists(
    st.one_of(_edits, st.just(PendingList.undo), st.just(PendingList.redo)), max_size=25
)


def after(steps: list[Step]) -> PendingList:
    pending = PendingList()
    for step in steps:
        step(pending)
    return pending


@PROPERTY
@given(_steps, _edits)
def test_undo_takes_back_exactly_one_step_and_redo_makes_it_again(
    steps: list[Step], last: Step
) -> None:
    pending = after(steps)
    before = pending.entries
    last(pending)
    now = pending.entries
    if now == before:
        return
    assert pending.undo()
    assert pending.entries == before
    assert pending.redo()
    assert pending.entries == now
    assert not pending.can_redo


@PROPERTY
@given(_steps)
def test_undoing_everything_and_redoing_it_passes_the_same_lists_backwards(
    steps: list[Step],
) -> None:
    pending = after(steps)
    while pending.redo():
        pass
    down: list[Entries] = [pending.entries]
    while pending.undo():
        down.append(pending.entries)
    up = [pending.entries]
    while pending.redo():
        up.append(pending.entries)
    assert up == down[::-1]
    assert down[-1] == ()


@PROPERTY
@given(_steps)
def test_every_memory_and_every_number_stands_once(steps: list[Step]) -> None:
    entries = after(steps).entries
    subjects = [e.subject for e in entries if e.subject is not None]
    assert len(subjects) == len(set(subjects))
    assert len({e.number for e in entries}) == len(entries)


@PROPERTY
@given(_steps, st.lists(_edits, max_size=4), st.integers(0, 60))
def test_no_way_leads_back_to_what_was_committed(
    steps: list[Step], meanwhile: list[Step], moves: int
) -> None:
    pending = after(steps)
    written = pending.entries
    for step in meanwhile:
        step(pending)
    now = pending.entries
    pending.committed(written)
    assert pending.entries == tuple(e for e in now if e not in written)
    for _ in range(moves):
        pending.undo()
    while True:
        assert not set(pending.entries) & set(written)
        if not pending.redo():
            break


@PROPERTY
@given(_steps)
def test_a_commit_of_nothing_changes_nothing(steps: list[Step]) -> None:
    pending = after(steps)
    other = after(steps)
    pending.committed(())
    assert pending.entries == other.entries
    while other.undo():
        assert pending.undo()
        assert pending.entries == other.entries
    assert not pending.can_undo


def test_an_entry_counts_from_one() -> None:
    with pytest.raises(ValueError, match="from 1"):
        replace(Staged(1, retire("a")), number=0)
