"""Which stores `store:` names."""

import pytest

from core.filters.parsing import parse
from core.filters.stores import is_named


@pytest.mark.parametrize(
    ("text", "is_kept"),
    [
        ("tide", True),
        ("is:retired tide", True),
        ("store:quay", True),
        ("store:QUAY", True),
        ("store:harbour/quay", True),
        ("store:qua", False),
        ("store:pier", False),
        ("store:pier,quay", True),
        ("-store:quay", False),
        ("-store:pier", True),
        ("store:quay -store:quay", False),
        ("store:quay store:pier", False),
    ],
)
def test_a_store_is_kept_where_every_filter_about_stores_keeps_it(text: str, is_kept: bool) -> None:
    assert is_named(parse(text).filters, {"quay", "harbour/quay"}) is is_kept
