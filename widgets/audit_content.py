"""What the audit page says of sessions, prompts and memories, made from the replay. Pure."""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import groupby

from core.audit.demoted import ShownAbove
from core.audit.payloads import Shown
from core.audit.replay import Action, MemoryInSession, Prompt, Replay, Verb
from widgets.found_rows import FoundRow
from widgets.line_list import Line
from widgets.text_marks import one_line
from widgets.texts import counted, grouped, minute, second, stub

_VERB_WORDS = {
    Verb.FETCHED: "fetched",
    Verb.SEARCHED: "searched",
    Verb.REMEMBERED: "remembered",
    Verb.AMENDED: "amended",
    Verb.RETIRED: "retired",
    Verb.SUPERSEDED: "replaced",
    Verb.MERGED: "merged",
    Verb.PROMOTED: "promoted",
    Verb.DISCARDED: "discarded",
}
_MOST_RANKS = 8
_NOTHING_SHOWN = "Nothing was shown with this prompt."


class AuditList(StrEnum):
    """The lists of memories that the log tells of."""

    IGNORED = "ignored"
    MISLEADING = "misleading"
    NEVER = "never"
    ABOVE = "above"


LIST_NAMES = {
    AuditList.IGNORED: "Injected often, never fetched",
    AuditList.MISLEADING: "Injected, then amended or retired",
    AuditList.NEVER: "Never injected",
    AuditList.ABOVE: "Replaced, shown above its replacement",
}
LIST_MEANINGS = {
    AuditList.IGNORED: "Shown with a prompt {often} times or more, and no agent ever fetched it.",
    AuditList.MISLEADING: "A session was shown it and amended or retired it afterwards: it may "
    "have misled the agent.",
    AuditList.NEVER: "Live, and no prompt was ever shown it.",
    AuditList.ABOVE: "Logged as superseded, and shown above what replaced it, or without it.",
}
LIST_EMPTY = {
    AuditList.IGNORED: "There is none: whatever was shown so often was fetched.",
    AuditList.MISLEADING: "There is none: no session changed what it was shown.",
    AuditList.NEVER: "There is none: every live memory was shown at least once.",
    AuditList.ABOVE: "There is none: no prompt was shown a replaced memory above its replacement.",
}


def session_line(key: str, session_id: str, last_at: str, prompts: int, badge: str) -> Line:
    """Say when a session wrote last, how many prompts it had, which it is."""
    name = one_line(session_id)
    told = f"{minute(last_at)} · {counted(prompts, 'prompt')}"
    store = f" · {one_line(badge)}" if badge else ""
    spoken_store = f", in {one_line(badge)}" if badge else ""
    return Line(
        key,
        f"{told}{store} · {name}",
        f"session {name}, last event {minute(last_at)}, {counted(prompts, 'prompt')}{spoken_store}",
    )


def prompt_lines(replay: Replay) -> list[Line]:
    """Return the whole session, then its prompts in order."""
    prompts = counted(len(replay.prompts), "prompt")
    shown = counted(len(replay.memories()), "memory", "memories")
    spoken = f"the whole session, {prompts}, {shown} shown"
    whole = Line("0", f"Whole session: {shown} shown", spoken)
    return [whole, *(_prompt_line(prompt) for prompt in replay.prompts)]


def _prompt_line(prompt: Prompt) -> Line:
    told = [f"{grouped(len(prompt.shown))} shown", *_done(prompt.actions)]
    time = second(prompt.at).removesuffix(" UTC")
    return Line(
        str(prompt.number),
        f"{prompt.number} · {time} · {', '.join(told)}",
        f"prompt {prompt.number}, {second(prompt.at)}, {', '.join(told)}",
    )


def _done(actions: Sequence[Action]) -> list[str]:
    """Return how often what was done: '2 fetched', 'none' where nothing was."""
    times: dict[Verb, int] = {}
    for action in actions:
        times[action.verb] = times.get(action.verb, 0) + 1
    return [f"{grouped(number)} {_VERB_WORDS[verb]}" for verb, number in times.items()]


def whole_words(session_id: str, replay: Replay) -> str:
    """Say what a session was."""
    said = [
        f"Session {one_line(session_id)}: {counted(len(replay.prompts), 'prompt')}; of each memory "
        "shown, how often, at which ranks, and what was done to it afterwards."
    ]
    if replay.before:
        said.append(f"Before its first prompt: {', '.join(_done(replay.before))}.")
    if replay.strays:
        number = counted(len(replay.strays), "memory", "memories")
        said.append(f"The log has {number} shown without a prompt.")
    return " ".join([*said, *_unreadable(replay.unreadable)])


def prompt_words(prompt: Prompt, total: int) -> str:
    """Say what one prompt was, as far as the log tells."""
    said = [f"Prompt {prompt.number} of {grouped(total)}, {second(prompt.at)}"]
    if prompt.prompt_chars is not None:
        said.append(f"{counted(prompt.prompt_chars, 'character')} (the log keeps no text)")
    if prompt.n_returned is not None:
        said.append(f"{grouped(prompt.n_returned)} returned")
    if prompt.n_demoted:
        said.append(f"{grouped(prompt.n_demoted)} ranked lower")
    done = ", ".join(_done(prompt.actions)) or "nothing"
    return f"{', '.join(said)}. Done next: {done}."


def _unreadable(number: int) -> list[str]:
    return [f"{counted(number, 'entry', 'entries')} could not be read."] if number else []


def prompt_rows(place: int, prompt: Prompt) -> list[FoundRow]:
    """Return what a prompt was shown by rank, then what was done next."""
    rows = [FoundRow(place, uuid=s.uuid, words=_shown_words(s, prompt)) for s in prompt.shown]
    return [*rows, *_action_rows(place, prompt.actions)] or [FoundRow(place, words=_NOTHING_SHOWN)]


def _shown_words(shown: Shown, prompt: Prompt) -> str:
    said = ["rank not logged" if shown.rank is None else f"#{shown.rank}"]
    if shown.score is not None:
        said.append(f"score {shown.score:.4f}")
    if shown.demotion is not None:
        said.append(f"ranked lower: {shown.demotion.value}")
    elif shown.is_demoted:
        said.append("ranked lower")
    done = ", ".join(_VERB_WORDS[verb] for verb in prompt.done_to(shown.uuid))
    return " · ".join([*said, *([f"then {done}"] if done else [])])


def _action_rows(place: int, actions: Iterable[Action]) -> list[FoundRow]:
    return [_action_row(place, action, "then", _shown_before(action)) for action in actions]


def _action_row(place: int, action: Action, when: str, shown: str = "") -> FoundRow:
    by = f" by {stub(action.by)}" if action.by is not None else ""
    done, at = f"{when} {_VERB_WORDS[action.verb]}{by}", second(action.at)
    if action.uuid is None:
        return FoundRow(place, words=f"{done}, {at}")
    words = " · ".join(part for part in (done, at, shown) if part)
    return FoundRow(place, uuid=action.uuid, words=words)


def _shown_before(action: Action) -> str:
    if not action.was_shown:
        return "not shown with it"
    return "was shown" if action.rank is None else f"was shown #{action.rank}"


def whole_rows(place: int, replay: Replay) -> list[FoundRow]:
    """Return every memory a session was shown, most often first, then what was done before."""
    rows = [FoundRow(place, uuid=m.uuid, words=_memory_words(m)) for m in replay.memories()]
    rows += [
        FoundRow(place, uuid=s.uuid, words="shown without a prompt in the log")
        for s in replay.strays
    ]
    rows = rows or [FoundRow(place, words="Nothing was shown in this session.")]
    return rows + [_action_row(place, a, "before the first prompt:") for a in replay.before]


def _memory_words(memory: MemoryInSession) -> str:
    said = [f"shown {counted(memory.injected, 'time')} at {_rank_words(memory.ranks)}"]
    said.append(f"fetched {counted(memory.fetched, 'time')}" if memory.fetched else "not fetched")
    said += [_VERB_WORDS[verb] for verb in memory.verbs if verb is not Verb.FETCHED]
    return " · ".join(said)


def _rank_words(ranks: Iterable[int | None]) -> str:
    """Name ranks in the order of the prompts; those in a row that are equal once: '#1 ×12, #3'."""
    said: list[str] = []
    for rank, same in groupby(ranks):
        times = sum(1 for _ in same)
        name = "?" if rank is None else f"#{rank}"
        said.append(name if times == 1 else f"{name} ×{grouped(times)}")
    more = "…" if len(said) > _MOST_RANKS else ""
    return f"{', '.join(said[:_MOST_RANKS])}{more}"


# Lists


def changed_words(kind: str, changed_at: str, shown_at: str) -> str:
    """Say that a memory was changed after it was shown, by what was done."""
    verbs = {"amend": "amended", "retire": "retired", "supersede": "replaced"}
    verb = verbs.get(kind, one_line(kind))
    return f"{verb} {minute(changed_at)}, shown {minute(shown_at)}"


def above_words(above: ShownAbove) -> str:
    """Say where a replaced memory stood, and where what replaced it."""
    if above.by is None or above.by_rank is None:
        return f"shown #{above.rank}, its replacement not at all · {minute(above.at)}"
    return f"shown #{above.rank}, {stub(above.by)} #{above.by_rank} · {minute(above.at)}"


def times_words(injected: int, fetched: int, amended: int) -> str:
    """Say how often a memory was shown, fetched and amended, over the whole log."""
    return f"shown {grouped(injected)} · fetched {grouped(fetched)} · amended {grouped(amended)}"


def list_words(which: AuditList, number: int, often: int, unreadable: int) -> str:
    """Say what a list holds, and how much."""
    meaning = LIST_MEANINGS[which].format(often=often)
    found = LIST_EMPTY[which] if not number else f"{counted(number, 'row')}."
    return " ".join([meaning, found, *_unreadable(unreadable)])
