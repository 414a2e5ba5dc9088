"""Stored and typed text on one line of plain text or Markdown: it stays text, whatever it holds."""

import re
import unicodedata

_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_MARKUP = re.compile(r"[\\`*_\[\]<>&|~#$@:^=]|(?<=www)\.", re.IGNORECASE)


def stored_line(text: str) -> str:
    """Return the text on one line: white space as single spaces, unseen characters by number."""
    line = " ".join(text.split())
    if line.isascii() and line.isprintable():
        return line
    return "".join(
        f"⟨U+{ord(c):04X}⟩" if unicodedata.category(c) in _UNSEEN else c for c in line
    )


def markdown_line(text: str) -> str:
    """Return the text on one line with everything escaped that Markdown would act on.

    For the middle of a line: what acts only at its beginning is left as it is.
    """
    return _MARKUP.sub(r"\\\g<0>", stored_line(text))
