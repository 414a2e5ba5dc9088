"""Texts told apart by digests: equal ones, and twins that are equal but for what they name. Pure.

A word is taken for an identifier when it holds a digit, one of / \\ _ @ # = at a letter, a capital
after a small letter, or . : - between letters, or is all capitals: numbers, paths, names of files,
settings, dates, versions. Names of people and places are not told from other words, so twins are a
part of what differs in a detail only, never all of it.
"""

import hashlib
import re
from dataclasses import dataclass

_DIGEST_BYTES = 16
_SIGNS = re.compile(r"\d|\w[/\\_@#=]|[/\\@#=]\w|[a-z][A-Z]|\w[.:\-]\w")
_EDGES = ".,;:!?()[]{}<>\"'`“”‘’"
_FEWEST_WORDS = 3
_GAP = "\x00"


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Digests of a memory's gist and content.

    `text` is equal for equal texts. `shape` leaves out identifiers and the kind of white space;
    it is None for texts of too few other words. `names` is the digest of the identifiers in order.
    """

    text: bytes
    shape: bytes | None
    names: bytes

    def is_twin_of(self, other: "Fingerprint") -> bool:
        """Tell whether both texts are equal but for identifiers, at least one of which differs."""
        same = self.shape is not None and self.shape == other.shape
        return same and self.names != other.names


def fingerprint(gist: str, content: str) -> Fingerprint:
    """Make the digests; one pass, whatever the text."""
    parts: list[str] = []
    names: list[str] = []
    words = 0
    for text in (gist, content):
        for token in text.split():
            core = token.strip(_EDGES)
            if is_identifier(core):
                names.append(core)
                parts.append(token.replace(core, _GAP, 1))
            else:
                words += 1
                parts.append(token)
        parts.append("\n")
    enough = words >= max(_FEWEST_WORDS, len(names))
    return Fingerprint(
        text=_digest(f"{len(gist)} {gist}{content}"),
        shape=_digest(" ".join(parts)) if enough else None,
        names=_digest(" ".join(names)),
    )


def is_identifier(word: str) -> bool:
    """Tell whether a word, without the punctuation around it, names something."""
    return _SIGNS.search(word) is not None or (len(word) > 1 and word.isupper())


def differing_names(one: str, other: str) -> tuple[tuple[str, str], ...]:
    """Return the identifiers in which two twin texts differ, each pair once, in order."""
    pairs = zip(_names_of(one), _names_of(other), strict=False)
    return tuple(dict.fromkeys(pair for pair in pairs if pair[0] != pair[1]))


def _names_of(text: str) -> list[str]:
    return [core for token in text.split() if is_identifier(core := token.strip(_EDGES))]


def _digest(text: str) -> bytes:
    raw = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(raw, digest_size=_DIGEST_BYTES).digest()
