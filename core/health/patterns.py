"""Looking through texts for shapes: what a shape is and where a text has it. The lists are beside.

No shape that is missing means that a text is harmless, and a match is no judgement. A text is
searched for a few literal parts first, so that the expressions run on hardly any; every repetition
in them is bounded or possessive, so that no text makes them slow.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

MOST_MATCHES = 20
"""Matches told of one shape in one text."""


class Suspicion(StrEnum):
    """What a shape is one of."""

    LIKELY_SECRET = "likely_secret"
    INSTRUCTION = "instruction_shaped"


class Field(StrEnum):
    """Which text of a memory."""

    GIST = "gist"
    CONTENT = "content"


@dataclass(frozen=True, slots=True)
class Shape:
    """One shape: its name in words, lower-case parts of which a text has one, the expression.

    Without parts it is looked for in every text that is not plain ASCII.
    """

    suspicion: Suspicion
    name: str
    parts: tuple[str, ...]
    expression: re.Pattern[str]

    def may_be_in(self, text: str, lowered: str) -> bool:
        """Tell whether the expression has to be tried."""
        if not self.parts:
            return not text.isascii()
        return any(part in lowered for part in self.parts)


@dataclass(frozen=True, slots=True)
class Match:
    """A place in a text, by characters, and the shape it has."""

    suspicion: Suspicion
    name: str
    field: Field
    start: int
    end: int


def matches_in(gist: str, content: str, shapes: Sequence[Shape]) -> tuple[Match, ...]:
    """Return the matches of some shapes, gist first, by place."""
    found = [*_in_text(Field.GIST, gist, shapes), *_in_text(Field.CONTENT, content, shapes)]
    return tuple(sorted(found, key=lambda m: (m.field is Field.CONTENT, m.start, m.end, m.name)))


def _in_text(field: Field, text: str, shapes: Sequence[Shape]) -> Iterator[Match]:
    lowered = text.lower()
    for shape in shapes:
        if not shape.may_be_in(text, lowered):
            continue
        for number, found in enumerate(shape.expression.finditer(text)):
            if number == MOST_MATCHES:
                break
            yield Match(shape.suspicion, shape.name, field, found.start(), found.end())
