"""The stores searched as one: each one's part, the numbers they share, the merges. Pure."""

from collections.abc import Sequence

from core.explain.steps.lines import Line, Step, absent, fact, sums
from core.retrieval.outcome import SearchOutcome
from core.retrieval.union import StorePart, Union, WindowFlags
from core.words import counted, grouped, memories

_MOST_STORES = 50
_MOST_TERMS = 100
_MOST_ADDED = 8
_EPOCH = 12


def stores_step(outcome: SearchOutcome, uuid: str | None = None) -> tuple[Step, ...]:
    """Tell what the stores of a search over several gave and share; nothing over one store.

    The store of the memory `uuid` is named as its own where it is a hit.
    """
    union = outcome.union
    if union is None:
        return ()
    home = None if uuid is None else union.home.get(uuid)
    shown = [
        line
        for place, part in enumerate(union.parts[:_MOST_STORES])
        for line in _part(place, part, outcome, is_home=place == home)
    ]
    left = len(union.parts) - _MOST_STORES
    more = [] if left <= 0 else [fact("", f"and {counted(left, 'store')} more")]
    merges = (
        _merge("merge by meaning", union.meaning, outcome.dense.reason),
        _merge("merge by words", union.words, outcome.lexical.reason),
    )
    return (Step("Stores", (*shown, *more, *_shared(union, outcome), *merges)),)


def over_stores(union: Union | None) -> str:
    """Say over how many stores a search went: ' of 3 stores'; nothing for one."""
    return "" if union is None else f" of {counted(len(union.parts), 'store')}"


def _part(place: int, part: StorePart, outcome: SearchOutcome, *, is_home: bool) -> list[Line]:
    handed_in = [
        f"{counted(number, 'candidate')} {how}"
        for ran, number, how in (
            (outcome.dense.ran, part.meaning, "by meaning"),
            (outcome.lexical.ran, part.words, "by words"),
        )
        if ran
    ]
    size = f"{memories(part.memories)}, {counted(part.chunks, 'chunk')}"
    window = f"handed in {' and '.join(handed_in)}" if handed_in else "was asked for nothing"
    own = ", the store of this memory" if is_home else ""
    return [
        fact(f"store {place + 1}", f"{part.path}{own}"),
        fact("", f"{size}; {window}"),
    ]


def _shared(union: Union, outcome: SearchOutcome) -> list[Line]:
    """Say the numbers of the word arm as sums over the stores, in the order of the stores."""
    shared, parts = union.statistics, union.parts
    if not outcome.lexical.ran:
        return [fact("the numbers", f"are shared: {_statistics(shared.epoch)}")]
    terms = outcome.query.lexical.terms
    lines = [
        fact("the numbers", "are shared: every store's words are scored with the sums below"),
        sums("N", _added([p.rows for p in parts], shared.rows), "memories in the word indexes"),
        sums("tokens", _added([p.tokens for p in parts], shared.tokens), "their words in all"),
    ]
    lines += [
        sums(term, _added([p.dfs[at] for p in parts], df), "memories that hold the word")
        for at, (term, df) in enumerate(
            zip(terms[:_MOST_TERMS], shared.dfs[:_MOST_TERMS], strict=True)
        )
    ]
    left = len(terms) - _MOST_TERMS
    more = [] if left <= 0 else [fact("", f"and {counted(left, 'word')} more")]
    return [*lines, *more, fact("statistics", _statistics(shared.epoch))]


def _statistics(epoch: str) -> str:
    return f"epoch {epoch[:_EPOCH]}…"


def _added(numbers: Sequence[int], total: int) -> str:
    shown = [grouped(number) for number in numbers[:_MOST_ADDED]]
    if len(numbers) > _MOST_ADDED:
        shown.append("…")
    return f"{' + '.join(shown)} = {grouped(total)}"


def _merge(label: str, flags: WindowFlags | None, reason: str | None) -> Line:
    if flags is None:
        return absent(label, f"did not run: {reason or ''}")
    told = [
        "complete: every store handed in what it was asked for"
        if flags.window_complete
        else "not complete: a store did not hand in what it was asked for"
    ]
    if flags.approximate:
        told.append("approximate: a store did not look at every candidate")
    if flags.truncated:
        told.append("truncated: more was handed in than the arm looks at")
    told.append(
        "exhaustive: nothing else matches in any store"
        if flags.exhaustive
        else "not exhaustive: a store may hold more that matches"
    )
    return fact(label, f"{'; '.join(told)} ({counted(flags.examined, 'candidate')} examined)")
