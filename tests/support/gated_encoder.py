"""An encoder whose answers a test holds back, lets through or makes fail; calls are noted."""

import threading
from collections.abc import Sequence

from core.errors import ErrorCode, GenizahError
from core.retrieval.encoder import Encoder, EncoderFacts

_HANG_S = 10.0


class GatedEncoder:
    """Wrap another encoder. Texts named to `hold` wait for their gate; those to `fail` fail."""

    def __init__(self, inner: Encoder) -> None:
        self._inner = inner
        self._gates: dict[str, threading.Event] = {}
        self._failing: set[str] = set()
        self.calls: list[str] = []
        """Texts given to the model, in order."""
        self.threads: set[str] = set()
        """Names of the threads that called it, counting included."""

    def hold(self, text: str) -> threading.Event:
        """Hold back the vector of `text` until the returned gate is set."""
        return self._gates.setdefault(text, threading.Event())

    def fail(self, text: str) -> None:
        """Let the model fail on `text`."""
        self._failing.add(text)

    @property
    def facts(self) -> EncoderFacts:
        """Describe the inner encoder."""
        return self._inner.facts

    def count(self, text: str) -> int:
        """Count with the inner encoder."""
        self.threads.add(threading.current_thread().name)
        return self._inner.count(text)

    def spans(self, text: str) -> Sequence[tuple[int, int]]:
        """Return the inner encoder's spans."""
        self.threads.add(threading.current_thread().name)
        return self._inner.spans(text)

    def embed(self, text: str) -> bytes:
        """Answer as the inner encoder, once the gate is open."""
        self.threads.add(threading.current_thread().name)
        self.calls.append(text)
        gate = self._gates.get(text)
        if gate is not None:
            assert gate.wait(_HANG_S), f"nobody let {text!r} through"
        if text in self._failing:
            raise GenizahError(ErrorCode.ENCODER_FAILED, f"The model failed on {text!r}.")
        return self._inner.embed(text)
