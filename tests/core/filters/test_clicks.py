"""Choosing one value of a key: it takes the place of those of its key and of nothing else."""

from datetime import date

import pytest

from core.filters.clicks import in_place_of_its_key
from core.filters.filter import Days, Filter, FilterKey

_MARCH = Filter(FilterKey.CREATED, (Days(date(2026, 3, 1), date(2026, 3, 31)),))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "created:2026-03"),
        ("ferry  tide", "created:2026-03 ferry  tide"),
        ("created:2026-02 ferry", "created:2026-03 ferry"),
        ("created:7d is:live created:2025-01..", "is:live created:2026-03"),
        ("-created:2026-03-05 ferry", "-created:2026-03-05 created:2026-03 ferry"),
        ("edited:3d", "edited:3d created:2026-03"),
        ("created:soon", "created:2026-03 created:soon"),
    ],
)
def test_other_filters_words_and_what_is_left_out_stay(before: str, after: str) -> None:
    assert in_place_of_its_key(before, _MARCH) == after
