"""Grades given to memories for a search: 0 of no use, 1 to 3 ever better.

A search is its text and whether retired memories were included; grades hold for one store. Files
of graded searches are in core/documents/judgments_file.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeGuard

from core.appdata.database import AppDatabase
from core.clock import Clock
from core.explain.metrics import HIGHEST_GRADE
from core.store.connection import SqlValue
from core.store.text import decode, well_formed


@dataclass(frozen=True, slots=True)
class GradedSearch:
    """One search with its grades by uuid."""

    text: str
    include_retired: bool
    grades: Mapping[str, int]


class Judgments:
    """Remember grades. A uuid is kept byte by byte; a half surrogate of a text becomes U+FFFD."""

    def __init__(self, database: AppDatabase, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def grades(self, text: str, include_retired: bool, store_id: str) -> dict[str, int]:
        """Return the grades of one search by uuid, in the order they were first given."""
        async with self._database.reading() as connection:
            rows = await connection.rows(
                "SELECT uuid, grade FROM grade WHERE text = ? AND include_retired = ? "
                "AND store_id = ? ORDER BY id",
                (well_formed(text), int(include_retired), well_formed(store_id)),
            )
        return {_uuid(uuid): grade for uuid, grade in rows if _is_grade(grade)}

    async def give(
        self, text: str, include_retired: bool, store_id: str, uuid: str, grade: int
    ) -> None:
        """Grade one memory for a search; an earlier grade is replaced."""
        await self.give_all(store_id, GradedSearch(text, include_retired, {uuid: grade}))

    async def give_all(self, store_id: str, graded: GradedSearch) -> None:
        """Keep all grades of one search, in one step; those of other memories stay."""
        if not all(_is_grade(grade) for grade in graded.grades.values()):
            raise ValueError(f"a grade is a whole number from 0 to {HIGHEST_GRADE}")
        search = (well_formed(graded.text), int(graded.include_retired), well_formed(store_id))
        now = self._clock.now().isoformat()
        async with self._database.writing() as connection:
            for uuid, grade in graded.grades.items():
                await connection.rows(
                    "INSERT INTO grade(text, include_retired, store_id, uuid, grade, at) "
                    "VALUES (?1, ?2, ?3, ?4, ?5, ?6) "
                    "ON CONFLICT(store_id, text, include_retired, uuid) "
                    "DO UPDATE SET grade = ?5, at = ?6",
                    (*search, _stored(uuid), grade, now),
                )

    async def withdraw(self, text: str, include_retired: bool, store_id: str, uuid: str) -> None:
        """Take one grade back."""
        async with self._database.writing() as connection:
            await connection.rows(
                "DELETE FROM grade WHERE text = ? AND include_retired = ? AND store_id = ? "
                "AND uuid = ?",
                (well_formed(text), int(include_retired), well_formed(store_id), _stored(uuid)),
            )

    async def graded(self, store_id: str) -> tuple[GradedSearch, ...]:
        """Return every graded search of a store, in the order of their first grades."""
        async with self._database.reading() as connection:
            rows = await connection.rows(
                "SELECT text, include_retired, uuid, grade FROM grade WHERE store_id = ? "
                "ORDER BY id",
                (well_formed(store_id),),
            )
        found: dict[tuple[str, bool], dict[str, int]] = {}
        for text, retired, uuid, grade in rows:
            if _is_grade(grade):
                found.setdefault((str(text), retired == 1), {})[_uuid(uuid)] = grade
        return tuple(GradedSearch(*search, grades) for search, grades in found.items())

    async def clear(self, store_id: str) -> None:
        """Forget all grades of a store."""
        async with self._database.writing() as connection:
            await connection.rows("DELETE FROM grade WHERE store_id = ?", (well_formed(store_id),))


def _stored(uuid: str) -> bytes:
    return uuid.encode("utf-8", "surrogatepass")


def _uuid(stored: SqlValue) -> str:
    return decode(stored) if isinstance(stored, bytes) else str(stored)


def _is_grade(value: object) -> TypeGuard[int]:
    """Tell whether a stored value is a grade; another counts as not given."""
    return type(value) is int and 0 <= value <= HIGHEST_GRADE
