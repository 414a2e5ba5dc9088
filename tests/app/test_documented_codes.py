"""docs/notices.md describes every code of the program, and the exit code of each error."""

import re
from collections.abc import Iterator

from core.errors import ErrorCode, GenizahError
from core.notices import NoticeCode
from tests.support.child import ROOT


def _rows(heading: str) -> Iterator[tuple[list[str], str]]:
    """Return the codes and the second cell of each row of the table under a heading."""
    text = (ROOT / "docs" / "notices.md").read_text("utf-8")
    part = text.split(f"## {heading}\n")[1].split("\n## ")[0]
    for codes, second in re.findall(r"^\| ([a-z_, ]+) \| ([^|]+) \|", part, re.MULTILINE):
        if codes != "code":
            yield codes.split(", "), second


def test_every_notice_has_its_row() -> None:
    documented = [code for codes, _ in _rows("Notices") for code in codes]
    assert sorted(documented) == sorted(NoticeCode)


def test_every_error_has_its_row_with_its_exit_code() -> None:
    documented = {code: int(exit_) for codes, exit_ in _rows("Errors") for code in codes}
    assert documented == {c.value: GenizahError(c, "").exit_code for c in ErrorCode}
