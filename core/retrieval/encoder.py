"""What retrieval needs of an embedding model, and cutting a query text to its window.

Implementations live in core/retrieval/fastembed_encoder; tests bring a deterministic one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from core.errors import ErrorCode, GenizahError
from core.retrieval.query import DenseQuery
from core.settings import EMBED_PREFIX
from core.store.text import well_formed


@dataclass(frozen=True, slots=True)
class EncoderFacts:
    """The loaded artifact: its name, vector width, token window, special tokens, fingerprint.

    `window` counts tokens including the specials; `fingerprint` is the model file's sha256.
    """

    name: str
    width: int
    window: int
    special_tokens: int
    fingerprint: str


class Encoder(Protocol):
    """A loaded model with its tokenizer. Calls block; never call it on the event loop."""

    @property
    def facts(self) -> EncoderFacts:
        """Describe the artifact."""
        ...

    def count(self, text: str) -> int:
        """Count the tokens of `text` without specials, truncation or padding."""
        ...

    def spans(self, text: str) -> Sequence[tuple[int, int]]:
        """Return each token's (start, end) as character offsets into `text`, in order."""
        ...

    def embed(self, text: str) -> bytes:
        """Embed one text in one forward pass; little-endian float32, as the model returns it."""
        ...


def _prefix_too_long(facts: EncoderFacts, prefix: str) -> GenizahError:
    return GenizahError(
        ErrorCode.BAD_CONFIG,
        f"The setting {EMBED_PREFIX} leaves no room for a query: the model {facts.name} takes "
        f"{facts.window} tokens. Shorten the prefix.",
        fields={
            "source": None,
            "file": None,
            "key": EMBED_PREFIX,
            "value": prefix,
            "expected": f"a prefix that leaves room within {facts.window} tokens",
        },
    )


def _cut(text: str, encoder: Encoder, prefix: str, budget: int, count: int) -> str:
    spans = encoder.spans(text)
    if len(spans) != count:
        raise GenizahError(
            ErrorCode.ENCODER_FAILED,
            f"The tokenizer of {encoder.facts.name} counts {count} tokens but marks {len(spans)}; "
            "the query could not be cut to its window.",
        )
    limit = encoder.facts.window - encoder.facts.special_tokens
    for last in range(min(budget, count), 0, -1):
        kept = text[spans[0][0] : spans[last - 1][1]]
        if encoder.count(prefix + kept) <= limit:
            return kept
    raise _prefix_too_long(encoder.facts, prefix)


def fit_query(text: str, encoder: Encoder, prefix: str) -> tuple[str, int]:
    """Return the part of `text` that fits the window behind `prefix`, and the text's own count.

    A text that fits is never sliced. Raises GenizahError(BAD_CONFIG) naming the prefix setting
    when not even one token fits.
    """
    facts = encoder.facts
    limit = facts.window - facts.special_tokens
    budget = limit - encoder.count(prefix)
    if budget < 1:
        raise _prefix_too_long(facts, prefix)
    count = encoder.count(text)
    if encoder.count(prefix + text) <= limit:
        return text, count
    return _cut(text, encoder, prefix, budget, count), count


def dense_query(text: str, encoder: Encoder, prefix: str) -> DenseQuery:
    """Embed an external query. Blocks for the length of one forward pass.

    Lone surrogates, which no tokenizer takes, are embedded as U+FFFD.
    """
    safe = well_formed(text)
    kept, tokens = fit_query(safe, encoder, prefix)
    return DenseQuery(
        vector=encoder.embed(prefix + kept),
        tokens=tokens,
        kept=text if kept == safe else kept,
        truncated=kept != safe,
        prefix=prefix,
    )
