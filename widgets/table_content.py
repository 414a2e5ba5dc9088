"""A page of facts with their meaning and a table, as data; and how it is copied. Pure."""

from dataclasses import dataclass

from widgets.texts import counted


@dataclass(frozen=True, slots=True)
class TableFact:
    """One number with the definition that stands beside it."""

    label: str
    value: str
    meaning: str = ""

    def as_text(self) -> str:
        """Write 'Jaccard at 5: 0.67 (definition)'."""
        value = f"{self.label}: {self.value}" if self.value else self.label
        return f"{value} ({self.meaning})" if self.meaning else value


@dataclass(frozen=True, slots=True)
class TableContent:
    """A headline, facts, and rows of as many cells as there are columns.

    Texts are marked already: nothing in them is hidden or reorders what stands beside it.
    `chosen` is the row that the headline speaks of.
    """

    title: str
    headline: str
    facts: tuple[TableFact, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    chosen: int | None = None

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError("a row has a cell for every column")

    def as_markdown(self) -> str:
        """Write all of it as Markdown."""
        head = [f"## {self.title}", "", self.headline, ""]
        facts = [f"- {fact.as_text()}" for fact in self.facts]
        table = [_line(self.columns), _line(("---",) * len(self.columns))]
        table += [_line(row) for row in self.rows]
        return "\n".join([*head, *facts, *([""] if facts else []), *table]) + "\n"

    def spoken(self) -> str:
        """Describe the table for those who cannot see it."""
        return f"{self.headline} {counted(len(self.rows), 'row')}."


def _line(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
