"""Text cells as stored: valid UTF-8 as it is, anything else kept reversibly and marked damaged."""

import re
import unicodedata

_SURROGATE = re.compile("[\ud800-\udfff]")  # found many times faster than one by one


def decode(raw: bytes) -> str:
    """Decode one text cell without ever failing.

    Encoded half surrogates come back as themselves, other invalid bytes as U+DC80..U+DCFF; both
    are lone surrogates, so `is_damaged` tells them from every well-formed text.
    """
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        pass
    try:
        return raw.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return raw.decode("utf-8", "surrogateescape")


def encodings(text: str) -> tuple[bytes, ...]:
    """Return every row of bytes that `decode` makes this text of: one for a well-formed text."""
    found: dict[bytes, None] = {}
    for errors in ("surrogatepass", "surrogateescape"):
        try:
            raw = text.encode("utf-8", errors)
        except UnicodeEncodeError:
            continue
        if decode(raw) == text:
            found[raw] = None
    return tuple(found)


def is_damaged(text: str) -> bool:
    """Tell whether the stored bytes were not valid UTF-8."""
    return not text.isascii() and _SURROGATE.search(text) is not None


def well_formed(text: str) -> str:
    """Return `text` with every lone surrogate replaced by U+FFFD, length unchanged."""
    return text if text.isascii() else _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


def is_blank(text: str) -> bool:
    """Tell whether nothing is left without white space and format characters (category Cf)."""
    return all(c.isspace() or unicodedata.category(c) == "Cf" for c in text)
