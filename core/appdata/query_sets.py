"""A query set: saved searches with their grades, to and from a judgments file. Pure.

Reading and writing the tables is in queries and judgments, the file in core/documents.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from core.appdata.judgments import GradedSearch
from core.appdata.queries import SavedSearch
from core.documents.judgments_file import JudgedQuery
from core.store.text import is_blank, well_formed

_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Imported:
    """What a file adds: searches to save, and grades to keep."""

    saved: tuple[SavedSearch, ...]
    graded: tuple[GradedSearch, ...]


def exported(
    saved: Sequence[SavedSearch], graded: Sequence[GradedSearch]
) -> tuple[JudgedQuery, ...]:
    """Return the graded saved searches, then the searches that are graded only (without a name).

    A saved search without a grade is left out: there is nothing to judge it by.
    """
    grades = {(g.text, g.include_retired): g.grades for g in graded if g.grades}
    named = [
        JudgedQuery(s.text, grades[s.text, s.include_retired], s.include_retired, s.name)
        for s in saved
        if (s.text, s.include_retired) in grades
    ]
    told = {(q.text, q.include_retired) for q in named}
    rest = [JudgedQuery(text, g, retired) for (text, retired), g in grades.items()]
    return (*named, *(q for q in rest if (q.text, q.include_retired) not in told))


def imported(queries: Sequence[JudgedQuery], saved: Sequence[SavedSearch]) -> Imported:
    """Return what a file adds to the saved searches: none is replaced, a taken name is numbered.

    A query that is saved already is not saved again, one without a name takes its text. Grades of
    the same search come together, the later one winning. Left out are a query's vector, for the
    window embeds the text, and a blank query, which the window does not search.
    """
    known = {(s.text, s.include_retired) for s in saved}
    names = {s.name for s in saved}
    added: list[SavedSearch] = []
    grades: dict[tuple[str, bool], dict[str, int]] = {}
    for query in (q for q in queries if not is_blank(q.text)):
        text = well_formed(query.text)
        search = (text, query.include_retired)
        grades.setdefault(search, {}).update(query.grades)
        if search not in known:
            name = _free(well_formed(query.name or _name_of(text)), names)
            known.add(search)
            names.add(name)
            added.append(SavedSearch(name, *search))
    kept = tuple(GradedSearch(*search, found) for search, found in grades.items() if found)
    return Imported(tuple(added), kept)


def _name_of(text: str) -> str:
    return " ".join(text.split())[:_LONGEST_NAME]


def _free(name: str, taken: set[str]) -> str:
    if name not in taken:
        return name
    number = 2
    while f"{name} ({number})" in taken:
        number += 1
    return f"{name} ({number})"
