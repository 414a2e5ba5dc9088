"""A deterministic encoder in place of a model: hashed words, words as tokens, calls counted."""

import re
import struct
from collections.abc import Sequence

from core.retrieval.encoder import EncoderFacts
from tests.peer.stub_vectors import stub_vector

_TOKEN = re.compile(r"\S+")


def packed(numbers: Sequence[float]) -> bytes:
    """Return little-endian float32."""
    return struct.pack(f"<{len(numbers)}f", *numbers)


def unpacked(vector: bytes) -> tuple[float, ...]:
    """Return the numbers of little-endian float32."""
    return struct.unpack(f"<{len(vector) // 4}f", vector)


def axis(width: int, at: int, length: float = 1.0) -> bytes:
    """Return a vector along one axis."""
    return packed([length if i == at else 0.0 for i in range(width)])


class StubEncoder:
    """Texts that share words come out near each other; `embedded` lists what was asked for."""

    def __init__(self, width: int = 16, window: int = 32, special_tokens: int = 2) -> None:
        self._facts = EncoderFacts("stub/words", width, window, special_tokens, "stub")
        self.embedded: list[str] = []

    @property
    def facts(self) -> EncoderFacts:
        """Describe the stub."""
        return self._facts

    def count(self, text: str) -> int:
        """Count the words."""
        return len(_TOKEN.findall(text))

    def spans(self, text: str) -> Sequence[tuple[int, int]]:
        """Return each word's place."""
        return [m.span() for m in _TOKEN.finditer(text)]

    def embed(self, text: str) -> bytes:
        """Hash the words into a unit vector."""
        self.embedded.append(text)
        return packed(stub_vector(text, self._facts.width))
