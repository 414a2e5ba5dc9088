"""Counting tokens with the embedded model's tokenizer alone: no model, no onnxruntime."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from core.errors import ErrorCode, GenizahError
from core.retrieval.artifacts import (
    EMBEDDED_MODEL,
    EMBEDDED_WIDTH,
    TOKENIZER_FOLDER,
)
from core.retrieval.encoder import EncoderFacts

if TYPE_CHECKING:  # imported where it is used: not before the first paint
    from tokenizers import Encoding, Tokenizer

LONG_TEXT = 20_000
"""Characters from which a text is read as a batch of one, for other threads' sake."""


def untruncated(tokenizer: "Tokenizer") -> "Tokenizer":
    """Return a copy that neither cuts nor pads."""
    from tokenizers import Tokenizer

    copy: Tokenizer = Tokenizer.from_str(tokenizer.to_str())
    copy.no_truncation()
    copy.no_padding()
    return copy


def special_tokens(tokenizer: "Tokenizer") -> int:
    """Return how many special tokens the tokenizer adds to a text."""
    bare = len(tokenizer.encode("probe", add_special_tokens=False).ids)
    return len(tokenizer.encode("probe").ids) - bare


class TokenCounter:
    """The counting half of an encoder; `embed` is refused."""

    def __init__(self, tokenizer: "Tokenizer", facts: EncoderFacts) -> None:
        self._tokenizer = tokenizer
        self._facts = facts

    @property
    def facts(self) -> EncoderFacts:
        """Describe the artifact whose tokenizer this is."""
        return self._facts

    def count(self, text: str) -> int:
        """Count the tokens of `text` without specials."""
        return len(self._encoded(text).ids)

    def spans(self, text: str) -> Sequence[tuple[int, int]]:
        """Return each token's (start, end) as character offsets into `text`."""
        found: list[tuple[int, int]] = self._encoded(text).offsets
        return found

    def _encoded(self, text: str) -> "Encoding":
        """Read a text. Only a batch lets other threads run meanwhile: megabytes take seconds."""
        if len(text) < LONG_TEXT:
            return self._tokenizer.encode(text, add_special_tokens=False)
        (encoding,) = self._tokenizer.encode_batch([text], add_special_tokens=False)
        return encoding

    def embed(self, text: str) -> bytes:
        """Refuse: there is no model here. Raises GenizahError(NO_ARTIFACT)."""
        raise GenizahError(
            ErrorCode.NO_ARTIFACT, f"Only the tokenizer is loaded; {len(text)} characters stay."
        )


def load_token_counter(model: str) -> TokenCounter | None:
    """Load the tokenizer of a store's model (about 20 ms), or None where it is not embedded."""
    if model != EMBEDDED_MODEL:
        return None
    from tokenizers import Tokenizer

    counting = untruncated(Tokenizer.from_file(str(TOKENIZER_FOLDER / "tokenizer.json")))
    declared = json.loads((TOKENIZER_FOLDER / "tokenizer_config.json").read_text(encoding="utf-8"))
    facts = EncoderFacts(
        model, EMBEDDED_WIDTH, int(declared["model_max_length"]), special_tokens(counting), ""
    )
    return TokenCounter(counting, facts)
