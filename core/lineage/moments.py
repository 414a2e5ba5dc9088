"""Stored times as moments that can be compared; what is no time with an offset is no moment."""

from datetime import datetime


def moment(stored: str | None) -> float | None:
    """Return seconds since 1970 in UTC, None for anything but an ISO time with its offset."""
    if stored is None:
        return None
    try:
        read = datetime.fromisoformat(stored)
    except ValueError:
        return None
    return None if read.tzinfo is None else read.timestamp()
