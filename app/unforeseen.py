"""An error nobody foresaw: what is on screen is put right before the fault reporter hears of it."""

from collections.abc import Callable
from types import TracebackType

from core.errors import ErrorCode, GenizahError


class PutRight:
    """Tell `act` of an error that leaves the body, and let it go on; a cancellation is none."""

    def __init__(self, act: Callable[[GenizahError], None]) -> None:
        self._act = act

    def __enter__(self) -> None:
        """Begin the body."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Call `act` where the body failed; the error is never kept back."""
        if isinstance(error, GenizahError):
            self._act(error)
        elif isinstance(error, Exception):
            self._act(_in_words(error))


def _in_words(error: Exception) -> GenizahError:
    kind = type(error).__name__
    what = f"{kind}: {error}" if str(error) else kind
    return GenizahError(
        ErrorCode.STORE_FAILED, f"An error that the program did not foresee ended this ({what})."
    )
