"""Addresses in stored text: found only where a person asks, opened only by three schemes. Pure."""

import re

from PySide6.QtCore import QUrl

_LINK = re.compile(r"(?:https?://|mailto:)[^\s<>\"'`\x00-\x20]+", re.IGNORECASE)
_AFTER = ".,;:!?*_~"
_PAIRS = {")": "(", "]": "[", "}": "{"}
_LONGEST = 2000
_WEB = ("http", "https")


def link_at(text: str, at: int) -> str | None:
    """Return the openable address that a character of a text belongs to, or None."""
    low = max(0, at - _LONGEST)
    for match in _LINK.finditer(text, low, at + _LONGEST):
        link = _without_punctuation(match[0])
        if match.start() <= at <= match.start() + len(link):
            return link if target_of(link) is not None else None
    return None


def _without_punctuation(link: str) -> str:
    """Return an address without what belongs to the sentence around it."""
    while link:
        last = link[-1]
        is_closing = last in _PAIRS and link.count(last) > link.count(_PAIRS[last])
        if last not in _AFTER and not is_closing:
            break
        link = link[:-1]
    return link


def target_of(link: str) -> QUrl | None:
    """Return what an address would open: http, https or mailto alone; None for anything else."""
    url = QUrl(link, QUrl.ParsingMode.StrictMode)
    if not url.isValid():
        return None
    if url.scheme() in _WEB:
        return url if url.host() else None
    return url if url.scheme() == "mailto" and url.path() else None


def shown_target(url: QUrl) -> str:
    """Return the whole target as it would be opened, in ASCII: no look-alike letter hides in it."""
    return bytes(url.toEncoded().data()).decode("ascii")
