"""The plain sentence that comes before the numbers. English; every word of it comes from data.

Memories that are not in the pool are in core/explain/why_not.
"""

from core.explain.explanation import Explanation, Verdict
from core.explain.margin_words import best_margin
from core.explain.standing import Neighbour, Standing
from core.explain.why_not import no_such_memory, not_eligible, outside_pool
from core.readmodels import State
from core.retrieval.ranking import OrderKey
from core.words import short

_ORDINALS = (
    "First",
    "Second",
    "Third",
    "Fourth",
    "Fifth",
    "Sixth",
    "Seventh",
    "Eighth",
    "Ninth",
    "Tenth",
)
#: How each key is named, for what stands above by it.
KEY_WORDS = {
    OrderKey.SCORE: "by its score",
    OrderKey.BEST_RANK: "by its better single rank (the scores are equal)",
    OrderKey.TIER: "because long-term memories come before journal ones (scores and ranks equal)",
    OrderKey.CREATED_AT: "by its newer date (scores, ranks and tiers equal)",
    OrderKey.UUID: "by uuid alone (everything else is equal)",
    OrderKey.REPAIR: "because a replacement always comes before what it replaced",
}


def ordinal(position: int) -> str:
    """Return 'Third' for 3, '#23' beyond the tenth."""
    return _ORDINALS[position - 1] if position <= len(_ORDINALS) else f"#{position}"


def _found(e: Standing) -> str:
    if e.dense is not None and e.lexical is not None:
        return f"both arms found it (words #{e.lexical.rank}, meaning #{e.dense.rank})"
    if e.lexical is not None:
        if e.dense_reason is not None:
            return f"the word search found it (#{e.lexical.rank}); the meaning search did not run"
        return f"only the word search found it (#{e.lexical.rank})"
    rank = e.dense.rank if e.dense is not None else 0
    if e.lexical_reason is not None:
        return f"the meaning search found it (#{rank}); the word search did not run"
    return f"only the meaning search found it (#{rank})"


def _factor(e: Standing) -> str:
    half = 0.5
    return "halved" if e.demotion.factor == half else f"multiplied by {e.demotion.factor!r}"


def _demoted(e: Standing) -> str | None:
    if e.demotion.state is State.LIVE:
        return None
    if e.demotion.state is State.SUPERSEDED:
        cause = f"it was replaced by {short(e.superseded_by or '')}"
    else:
        cause = "it was retired"
    would = ordinal(e.demotion.position_if_live).lower()
    if e.demotion.position_if_live == e.position:
        return f"{cause} and its score is {_factor(e)}, which costs it no place"
    return f"it would be {would} if it were live, but {cause} and its score is {_factor(e)}"


def _moved(e: Standing) -> str | None:
    if e.repair.moved == 0:
        return None
    places = abs(e.repair.moved)
    noun = "place" if places == 1 else "places"
    if e.repair.moved > 0:
        who = f" it overtook {short(e.repair.because_of)}" if e.repair.because_of else ""
        return f"putting replacements first moved it up {places} {noun}:{who}".rstrip(":")
    who = f" below its replacement {short(e.repair.because_of)}" if e.repair.because_of else ""
    return f"putting replacements first moved it down {places} {noun}{who}"


def _key(e: Standing) -> str | None:
    """Name the key that decided against the row above, for the first row against the one below."""
    if e.above is not None:
        return f"#{e.above.position} stands above it {_words(e.above)}"
    return None if e.below is None else f"it stands above #{e.below.position} {_words(e.below)}"


def _words(neighbour: Neighbour) -> str:
    return KEY_WORDS[neighbour.key]


def _cut(e: Standing) -> str | None:
    if e.cut.inside:
        return None
    return f"it is below the cut of {e.cut.limit}, so a search for {e.cut.limit} does not return it"


def plain_sentence(e: Standing, margin: str | None = None) -> str:
    """Say in one sentence why the row stands where it does; `margin` adds what would move it."""
    parts = [_demoted(e), _moved(e), _key(e), _cut(e), margin]
    rest = "; ".join(p for p in parts if p)
    head = f"{ordinal(e.position)} because {_found(e)}"
    return f"{head}; {rest}." if rest else f"{head}."


def sentence_of(e: Explanation) -> str:
    """Say in one sentence what became of a memory in a search, and the least that changes it."""
    if e.standing is not None:
        return plain_sentence(e.standing, best_margin(e))
    if e.verdict is Verdict.NO_SUCH_MEMORY:
        return no_such_memory(e)
    told = not_eligible(e) if e.verdict is Verdict.NOT_ELIGIBLE else outside_pool(e)
    margin = best_margin(e)
    return f"{told}; {margin}." if margin else f"{told}."
