"""What may name a thing: a text that is not blank, of at most 256 bytes, no control characters.

Nothing is trimmed or normalised: what differs in one code point is another name.
"""

import re
from collections.abc import Sequence
from typing import TypeGuard

MAX_BYTES = 256

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")  # category Cc, whole


def is_bounded(value: object) -> TypeGuard[str]:
    """Tell whether `value` is a text of at most 256 UTF-8 bytes."""
    if not isinstance(value, str) or len(value) > MAX_BYTES:
        return False
    return value.isascii() or len(value.encode("utf-8", "surrogatepass")) <= MAX_BYTES


def is_blank(text: str) -> bool:
    """Tell whether there is nothing but white space (U+200B is none)."""
    return not text or text.isspace()


def is_identifier(value: object) -> TypeGuard[str]:
    """Tell whether `value` may name something."""
    return is_bounded(value) and not is_blank(value) and _CONTROL.search(value) is None


def are_plain(texts: Sequence[str]) -> bool:
    """Tell whether several texts are sure to be identifiers that sort as they are, at one look.

    Visible ASCII, none empty, and no longer together than each may be; others may be names, too.
    """
    together = "".join(texts)
    return (
        len(together) <= MAX_BYTES
        and together.isascii()
        and together.isprintable()
        and " " not in together
        and "" not in texts
    )


def are_bounded(texts: Sequence[str]) -> bool:
    """Tell whether each of several texts is of at most 256 UTF-8 bytes."""
    return all(map(is_bounded, texts))


def are_identifiers(texts: Sequence[str]) -> bool:
    """Tell whether each of several texts may name something."""
    return all(map(is_identifier, texts))
