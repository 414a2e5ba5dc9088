"""Explanations for the widgets' tests, made of outcomes that were put together by hand."""

from dataclasses import dataclass, replace

from core.explain.explanation import Explanation
from core.explain.first_look import first_look
from core.explain.margins import margins
from core.explain.provenance import Provenance
from core.explain.sentence import sentence_of
from core.explain.steps.explanation import Snapshot, steps_of
from core.explain.steps.lines import Step
from core.retrieval.ladder import Rung
from core.retrieval.outcome import SearchOutcome
from tests.widgets.builders import uuid_of
from widgets.why_panel import WhyPanel

STORE_ID = "d9428888-122b-4e1f-9b3c-2f0f7a5d1c11"
LADDER = (Rung("all rows", 1300, True), Rung("after state", 1234, True))
SNAPSHOT = Snapshot(["/home/x/.zikaron/memory.db"], [("retrieval.rrf_k", "60", "default")])


@dataclass(frozen=True, slots=True)
class Told:
    """What the panel is given."""

    sentence: str
    steps: tuple[Step, ...]

    def show_in(self, panel: WhyPanel) -> None:
        """Put it into a panel."""
        panel.show_steps(self.sentence, self.steps)


def looked_at(found: SearchOutcome, number: int, limit: int = 5) -> Explanation:
    """Take a first look at a row of an outcome."""
    hit = found.hit(uuid_of(number))
    assert hit is not None
    return first_look(found, hit, limit, LADDER, STORE_ID)


def whole(found: SearchOutcome, number: int, limit: int = 5) -> Explanation:
    """Explain a row of an outcome; 900 memories were ranked by each arm."""
    e = looked_at(found, number, limit)
    dense = replace(e.dense, ranked=900)
    lexical = replace(e.lexical, ranked=900)
    assert e.head is not None
    words, meaning = lexical.rank, dense.rank
    return replace(
        e,
        dense=dense,
        lexical=lexical,
        margins=margins(
            found, e.uuid, limit, head=e.head, lexical_rank=words, dense_rank=meaning
        ),
        provenance=Provenance((), ()),
        is_whole=True,
    )


def told(e: Explanation) -> Told:
    """Tell an explanation as the window does."""
    return Told(sentence_of(e), steps_of(e, SNAPSHOT))


def why(found: SearchOutcome, number: int, limit: int = 5) -> Told:
    """Explain a row of an outcome and tell it."""
    return told(whole(found, number, limit))
