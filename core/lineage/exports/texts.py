"""What both picture files share: stored text on one safe line, and the words of each mark."""

import re
from collections.abc import Iterable

from core.documents.stored_line import stored_line
from core.lineage.problems import LineageProblem
from core.lineage.words import PROBLEM_WORDS

# XML has no way to write these, not even by number.
_NEVER_XML = re.compile("[\ufffe\uffff]")


def file_line(text: str) -> str:
    """Return stored text on one line, what cannot be seen or written by its number."""
    return _NEVER_XML.sub(lambda found: f"⟨U+{ord(found[0]):04X}⟩", stored_line(text))


def marks_of(problems: Iterable[LineageProblem]) -> dict[int, list[str]]:
    """Return the words of each marked node, in the order of the problems."""
    marks: dict[int, list[str]] = {}
    for problem in problems:
        for node in problem.marked:
            marks.setdefault(node, []).append(PROBLEM_WORDS[problem.kind])
    return marks
