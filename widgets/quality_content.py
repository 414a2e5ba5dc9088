"""How good lists are by a person's grades, as a line and as pages with the definitions. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.explain.judging import DEFAULT_MEASURES, MeasureAt, means_of, values_of
from core.explain.metrics import DEFINITIONS, Measure
from widgets.table_content import TableContent, TableFact
from widgets.text_marks import one_line
from widgets.texts import counted, stub

_LONGEST = 120
_DEFINITIONS = "\n".join(DEFINITIONS.values())
_NOTHING = "nothing is graded 1 or higher yet, so there is nothing to find"
_FIRM = "No place among the first five is decided by uuid or date alone."
_NAMES = {Measure.RECALL: "recall", Measure.MRR: "MRR", Measure.NDCG: "nDCG"}
LINE_MEASURES = (
    MeasureAt(Measure.RECALL, 5),
    MeasureAt(Measure.RECALL, 10),
    MeasureAt(Measure.MRR, 10),
    MeasureAt(Measure.NDCG, 10),
)


@dataclass(frozen=True, slots=True)
class JudgedSearch:
    """One graded search with the list that was found for it; `reason` tells why words only."""

    name: str
    grades: Mapping[str, int]
    ranking: Sequence[str]
    reason: str | None = None


def measure_name(measure: MeasureAt) -> str:
    """Write 'nDCG@10'."""
    return f"{_NAMES[measure.measure]}@{measure.k}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def metrics_line(grades: Mapping[str, int], ranking: Sequence[str]) -> str:
    """Write the measures of the list on screen on one line, empty without grades."""
    if not grades:
        return ""
    graded = f"{len(grades)} graded"
    values = values_of(grades, ranking, LINE_MEASURES)
    if all(value is None for value in values.values()):
        return f"{graded}: {_NOTHING}"
    words = [f"{measure_name(m)} {_number(value)}" for m, value in values.items()]
    return " · ".join([*words, graded])


def definitions() -> str:
    """Return the definitions, one a line."""
    return _DEFINITIONS


def quality_page(
    search: JudgedSearch,
    gists: Mapping[str, str],
    place_words: str,
    fragile: Sequence[str] | None = None,
) -> TableContent:
    """Return the page of one search: its measures with definitions, and what was graded.

    `fragile` are the sentences about what its first places rest on, None where that is not asked.
    """
    places = {uuid: place for place, uuid in enumerate(search.ranking, 1)}
    values = values_of(search.grades, search.ranking, DEFAULT_MEASURES)
    order = sorted(search.grades, key=lambda u: (-search.grades[u], places.get(u, 10**9), u))
    rows = tuple(
        (
            str(search.grades[uuid]),
            f"#{places[uuid]}" if uuid in places else "not found",
            one_line(gists[uuid], _LONGEST) if uuid in gists else stub(uuid),
        )
        for uuid in order
    )
    graded = counted(len(search.grades), "memory", "memories")
    headline = f"{graded} graded for “{one_line(search.name, _LONGEST)}”{place_words}."
    if not any(search.grades.values()):
        headline += f" So far {_NOTHING}."
    if fragile is not None:
        headline = " ".join((headline, *(fragile or (_FIRM,))))
    return TableContent(
        "Quality of this search", headline, _facts(values), ("grade", "place", "memory"), rows
    )


def _facts(values: Mapping[MeasureAt, float | None]) -> tuple[TableFact, ...]:
    """Return the measures, the definition beside the first of its kind."""
    facts: list[TableFact] = []
    told: set[Measure] = set()
    for measure, value in values.items():
        meaning = "" if measure.measure in told else DEFINITIONS[measure.measure]
        told.add(measure.measure)
        facts.append(TableFact(measure_name(measure), _number(value), meaning))
    return tuple(facts)


def query_set_page(done: Sequence[JudgedSearch], total: int, numbers: str) -> TableContent:
    """Return the page of a query set, as far as it has been run; `numbers` say what is tried."""
    values = [values_of(s.grades, s.ranking, DEFAULT_MEASURES) for s in done]
    means = means_of(values, DEFAULT_MEASURES)
    rows = [
        (one_line(s.name, _LONGEST), *(_number(v[m]) for m in DEFAULT_MEASURES), _notes(s))
        for s, v in zip(done, values, strict=True)
    ]
    columns = ("search", *map(measure_name, DEFAULT_MEASURES), "notes")
    ran = f"{len(done)} of {counted(total, 'graded search', 'graded searches')}"
    headline = f"{ran} run{numbers}. The means leave out searches with nothing to find."
    if len(done) < total:
        headline = f"Running… {headline}"
    return TableContent("Graded searches", headline, _facts(means), columns, tuple(rows))


def _notes(search: JudgedSearch) -> str:
    notes = [counted(len(search.grades), "grade")]
    if search.reason is not None:
        notes.append(f"words only: {one_line(search.reason)}")
    return " · ".join(notes)
