"""The object genizah.judge/1: how well a store's searches match a file of judgments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.documents.judgments_file import JudgedQuery
from core.documents.search_document import StoreLine, notice_documents, settings_document
from core.errors import JsonValue
from core.explain.judging import Check, MeasureAt
from core.explain.metrics import DEFINITIONS
from core.notices import Notice
from core.settings import StoreSettings

JUDGE_SCHEMA = "genizah.judge/1"

type Values = Mapping[MeasureAt, float | None]


@dataclass(frozen=True, slots=True)
class QueryResult:
    """One query's values.

    `unknown` are graded uuids that the store does not hold; `dense_reason` tells why the meaning
    search did not run, None where it did.
    """

    query: JudgedQuery
    values: Values
    unknown: tuple[str, ...]
    dense_reason: str | None

    @property
    def relevant(self) -> int:
        """Return how many memories are graded 1 or higher."""
        return sum(1 for grade in self.query.grades.values() if grade > 0)


@dataclass(frozen=True, slots=True)
class JudgeReport:
    """All queries of a file on one store, the means and the floors that were asked for."""

    file: str
    results: tuple[QueryResult, ...]
    means: Values
    checks: tuple[Check, ...]
    notices: tuple[Notice, ...]

    @property
    def passed(self) -> bool:
        """Tell whether every floor is reached; so also without any."""
        return all(check.passed for check in self.checks)


def _values(values: Values) -> dict[str, JsonValue]:
    return {measure.name: value for measure, value in values.items()}


def _query(result: QueryResult) -> JsonValue:
    query = result.query
    return {
        "name": query.name,
        "text": query.text,
        "include_retired": query.include_retired,
        "relevant": result.relevant,
        "unknown": list(result.unknown),
        "searched": "hybrid" if result.dense_reason is None else "lexical",
        "reason": result.dense_reason,
        "values": _values(result.values),
    }


def _checks(checks: Sequence[Check]) -> list[JsonValue]:
    return [
        {
            "measure": check.floor.measure.name,
            "at_least": check.floor.at_least,
            "value": check.value,
            "passed": check.passed,
        }
        for check in checks
    ]


def judge_document(
    report: JudgeReport, store: StoreLine, settings: StoreSettings
) -> dict[str, JsonValue]:
    """Build the object: every key present, null where there is nothing to find."""
    return {
        "schema": JUDGE_SCHEMA,
        "file": report.file,
        "path": store.path,
        "store_id": store.store_id,
        "schema_version": store.schema_version,
        "settings": settings_document(settings),
        "queries": [_query(result) for result in report.results],
        "mean": _values(report.means),
        "checks": _checks(report.checks),
        "passed": report.passed,
        "definitions": {measure.value: text for measure, text in DEFINITIONS.items()},
        "notices": notice_documents(report.notices),
    }
