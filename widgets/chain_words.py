"""What replaced a memory and where its chain ends, on one line. Pure."""

from core.readmodels import ChainEnd, MemoryHead, State
from core.words import STATE_WORDS
from widgets.text_marks import isolated, one_line
from widgets.texts import stub

_LONGEST = 60


def chain_words(chain: ChainEnd) -> str:
    """Write 'replaced by 5d81… the gist (live)', and after several steps the end of the chain."""
    if chain.replacement is None:
        return "replaced by a record that is missing"
    if chain.end is not None and chain.steps == 1:
        if chain.end.state is State.RETIRED:
            return f"replaced by a memory that is itself retired: {_named(chain.end)}"
        return f"replaced by {_named(chain.end)} ({STATE_WORDS[chain.end.state]})"
    first = f"replaced by {_named(chain.replacement)}"
    if chain.end is None:
        return f"{first}; the chain has no end that can be found"
    return f"{first}; the chain ends at {_named(chain.end)} ({STATE_WORDS[chain.end.state]})"


def chain_line(chain: ChainEnd) -> str:
    """Write the same with what tells most first, for a line that is cut where the room ends."""
    if chain.replacement is None or chain.end is None:
        return chain_words(chain)
    steps = [chain.replacement] if chain.steps == 1 else [chain.replacement, chain.end]
    way = " → ".join(stub(head.uuid) for head in steps)
    gist = isolated(one_line(chain.end.gist, _LONGEST))
    return f"replaced by {way} ({STATE_WORDS[chain.end.state]}) {gist}"


def _named(head: MemoryHead) -> str:
    return f"{stub(head.uuid)} {isolated(one_line(head.gist, _LONGEST))}"
