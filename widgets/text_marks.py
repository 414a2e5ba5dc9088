"""Showing hostile text: what would not be seen as it is becomes a visible mark. Pure functions.

Stored text is never changed; widgets/stored_text keeps the way back from the shown to the stored.
"""

import html
import re
import unicodedata
from collections.abc import Iterator

from widgets.graphemes import cut_head

BLANK = "(blank)"
LIST_LONGEST = 400
_COUNTED_FROM = 4
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

# Controls, direction overrides, zero-width spaces, fillers, tags: never needed by any writing.
_NEVER = (
    "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u17b4\u17b5\u200b\u202a-\u202e\u2060-\u206f\u3164"
    "\ufdd0-\ufdef\ufeff\uffa0\ufff0-\ufffc\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
)
# Joiners, direction hints, selectors: some writing needs them in the right place.
_SOMETIMES = (
    "\u034f\u061c\u115f\u1160\u180b-\u180f\u200c-\u200f\ufe00-\ufe0f\U000e0100-\U000e01ef"
)
_SUSPECT = re.compile(
    f"(?P<never>([{_NEVER}])\\2*)|(?P<damage>[\ud800-\udfff]+)|(?P<sometimes>[{_SOMETIMES}])"
)
# The same characters as one class: found many times faster than by the alternatives above.
_ANY_SUSPECT = re.compile(f"[{_NEVER}\ud800-\udfff{_SOMETIMES}]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u0605\u0608-\u061b\u061d-\u08ff\ufb1d-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc"
    "\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
# Scripts whose spelling needs the joiners: Arabic to Sinhala, Tibetan, Myanmar, Khmer, Mongolian.
_JOINED_SCRIPT = re.compile(
    "[\u0600-\u0dff\u0f00-\u109f\u1780-\u18af\ua840-\uabff\ufb50-\ufdcf\ufe70-\ufefc]"
)
_SELECTOR = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_IDEOGRAPH = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_JOINERS = frozenset("\u200c\u200d")
_DIRECTION_HINTS = frozenset("\u200e\u200f\u061c")


def _joins(before: str, character: str, after: str) -> bool:
    if _JOINED_SCRIPT.match(before):
        return True
    pictures = ("So", "Sk")
    is_picture = before == "\ufe0f" or unicodedata.category(before) in pictures
    return character == "\u200d" and is_picture and unicodedata.category(after) == "So"


def _selects(before: str, selector: str) -> bool:
    if selector > "\U000e00ff":
        return _IDEOGRAPH.match(before) is not None
    plain = before.isspace() or (before.isascii() and before.isalpha())
    return not plain and not _SELECTOR.match(before)


def _has_a_use(text: str, at: int) -> bool:
    """Tell whether an invisible character does what its script or emoji needs it for."""
    character, before = text[at], text[at - 1] if at else ""
    after = text[at + 1] if at + 1 < len(text) else " "
    if character == "\u115f":  # stands in for a missing first letter of a Korean syllable
        return "\u1161" <= after <= "\u11a7"
    if not before:
        return False
    if character in _JOINERS:
        return _joins(before, character, after)
    if _SELECTOR.match(character):
        return _selects(before, character)
    if "\u180b" <= character <= "\u180f":
        return "\u1820" <= before <= "\u18af"
    if character == "\u1160":
        return "\u1100" <= before <= "\u115e"
    return character == "\u034f" and unicodedata.combining(before) > 0


def hidden_runs(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and length of every run of one character that is not seen as it is, in order.

    Lone surrogates side by side are one run. Invisible characters that Arabic, Hebrew, Indic
    scripts or emoji need are in none.
    """
    for start, length, _ in _hidden(text):
        yield start, length


def _suspects(text: str) -> Iterator[re.Match[str]]:
    at = 0
    while (near := _ANY_SUSPECT.search(text, at)) is not None:
        match = _SUSPECT.match(text, near.start())
        if match is None:
            return
        yield match
        at = match.end()


def _hidden(text: str) -> Iterator[tuple[int, int, bool]]:
    """Yield the runs, each with whether it stands for damage."""
    reads_rightwards: bool | None = None
    for match in _suspects(text):
        start, end = match.span()
        if match["sometimes"] in _DIRECTION_HINTS:
            if reads_rightwards is None:
                reads_rightwards = _RIGHT_TO_LEFT.search(text) is None
            if not reads_rightwards:
                continue
        elif match["sometimes"] and _has_a_use(text, start):
            continue
        yield start, end - start, match["damage"] is not None


def mark_of(run: str) -> str:
    """Return the visible mark of a run of one character, '⟨U+202E⟩' or '⟨U+200B ×12⟩'.

    Lone surrogates become one U+FFFD each.
    """
    if _SURROGATE.match(run):
        return _REPLACEMENT * len(run)
    name = f"U+{ord(run[0]):04X}"
    return f"⟨{name}⟩" * len(run) if len(run) < _COUNTED_FROM else f"⟨{name} ×{len(run)}⟩"


def marked(text: str, longest: int | None = None) -> str:
    """Return `text` with hidden characters as marks, its lines kept; cut with a note if longer."""
    head = text if longest is None else cut_head(text, longest)
    parts: list[str] = []
    done = 0
    for start, length in hidden_runs(head):
        parts += [head[done:start], mark_of(head[start : start + length])]
        done = start + length
    parts.append(head[done:])
    left = len(text) - len(head)
    return "".join(parts) + (f"… ({left:,} more characters)" if left else "")


def shows_nothing(text: str) -> bool:
    """Tell whether a text has only white space and format characters."""
    return all(c.isspace() or unicodedata.category(c) == "Cf" for c in text)


def one_line(text: str, longest: int = LIST_LONGEST) -> str:
    """Return the list form: marks, each run of white space one space, '(blank)' for nothing.

    Looks at the first `longest` characters only and adds an ellipsis where there are more.
    """
    head = cut_head(text, longest)
    if shows_nothing(head):
        return BLANK if len(head) == len(text) else BLANK + "…"
    line = " ".join(marked(head).split())
    return line if len(head) == len(text) else line + "…"


def reads_from_right(text: str) -> bool:
    """Tell whether the first letter with a direction of its own is Arabic, Hebrew or the like."""
    for character in text[:LIST_LONGEST]:
        direction = unicodedata.bidirectional(character)
        if direction in ("L", "R", "AL"):
            return direction != "L"
    return False


def is_read_from_right_somewhere(text: str) -> bool:
    """Tell whether a text has any Arabic, Hebrew or like letter."""
    return not text.isascii() and _RIGHT_TO_LEFT.search(text) is not None


def isolated(safe: str) -> str:
    """Return a piece of our own sentence that does not turn its neighbours around.

    `safe` is a text whose hidden characters are marks already; one without a letter that is read
    from the right is returned as it is.
    """
    return f"\u2068{safe}\u2069" if is_read_from_right_somewhere(safe) else safe


def is_damaged(text: str) -> bool:
    """Tell whether the stored bytes were no valid UTF-8 (lone surrogates stand for them)."""
    return not text.isascii() and _SURROGATE.search(text) is not None


def needs_badge(text: str) -> bool:
    """Tell whether the text shows differently from what the agent reads; damage has its own."""
    return any(not is_damage for _, _, is_damage in _hidden(text))


def representable(text: str) -> str:
    """Return `text` as Qt can hold it: lone surrogates, which it drops, as U+FFFD."""
    return _SURROGATE.sub(_REPLACEMENT, text)


def plain_tooltip(text: str) -> str:
    """Return a tooltip that shows every character: Qt would guess at markup in it otherwise."""
    return safe_tooltip(marked(text, 2000))


def safe_tooltip(safe: str) -> str:
    """Return a tooltip of a text in which hidden characters are marks already."""
    lines = html.escape(safe).split("\n")
    # Each line has a direction of its own, as each paragraph of a text has.
    return "".join(f'<div style="white-space:pre-wrap">{line or " "}</div>' for line in lines)


def button_text(text: str) -> str:
    """Return the one-line form for a button, where an ampersand would become a mnemonic."""
    return one_line(text).replace("&", "&&")


def menu_text(safe: str) -> str:
    """Return a line of ours for a menu or a button; hidden characters in it are marks already."""
    return safe.replace("&", "&&")
