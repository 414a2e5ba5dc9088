"""What the Pending bar and the question before a commit say, in words."""

import pytest

from core.commands.changes import Amend, Change, Remember, Retire, Supersede, SupersedeWithText
from widgets.pending_content import commit_words, done_words, question_of, warnings_of

_RETIRE, _SUPERSEDE = Retire("a", 1), Supersede("b", 1, "c")
_AMEND, _NEW = Amend("d", 1, "g", "c"), Remember("g", "c")
_TEXT = SupersedeWithText("e", 1, "g", "c")


@pytest.mark.parametrize(
    ("changes", "button", "done"),
    [
        ([_RETIRE], "Retire 1 memory", "Retired 1 memory."),
        ([_RETIRE] * 3, "Retire 3 memories", "Retired 3 memories."),
        ([_SUPERSEDE] * 2, "Replace 2 memories", "Replaced 2 memories."),
        ([_TEXT], "Replace 1 memory with a new text", "Replaced 1 memory with a new text."),
        ([_NEW], "Write 1 new memory", "Wrote 1 new memory."),
        ([_NEW] * 2, "Write 2 new memories", "Wrote 2 new memories."),
        ([_RETIRE, _AMEND], "Commit 2 changes", "Retired 1 memory and amended 1 memory."),
        (
            [_RETIRE, _SUPERSEDE, _AMEND, _NEW],
            "Commit 4 changes",
            "Retired 1 memory, replaced 1 memory, amended 1 memory and wrote 1 new memory.",
        ),
    ],
)
def test_the_button_says_what_it_does_and_success_what_was_done(
    changes: list[Change], button: str, done: str
) -> None:
    assert commit_words(changes) == button
    assert done_words(changes) == done
    assert question_of(changes).endswith("?")


def test_only_steps_that_are_final_are_warned_of() -> None:
    assert warnings_of([_NEW]) == []
    final, overwritten = warnings_of([_RETIRE, _TEXT, _AMEND])
    assert final.startswith("Final for 2 memories")
    assert "overwritten" in overwritten and "1 memory" in overwritten
