"""The rules themselves: each finds what it is for and lets its harmless neighbour pass."""

import ast
from collections.abc import Callable

import pytest

from tests.house import rules
from tests.house.tree import Finding, complaints

type Rule = Callable[[ast.Module], list[Finding]]

# Joined when it runs: as one literal it would be a finding of its own.
_KNN = " ".join(["SELECT rowid FROM memory_vec WHERE embedding", "MATCH ?"])

_FOUND: list[tuple[Rule, str]] = [
    (rules.transactions, 'await connection.rows("BEGIN IMMEDIATE")'),
    (rules.transactions, 'connection.execute("begin")'),
    (rules.transactions, 'connection.execute(f"SAVEPOINT {name}")'),
    (rules.transactions, "await connection.commit()"),
    (rules.transactions, "self.inner.rollback()"),
    (rules.transactions, 'cursor.executescript("DROP TABLE x")'),
    (rules.transactions, 'SQL = ("DELETE FROM x;" " COMMIT")'),
    (rules.sql, 'rows("SELECT 1")'),
    (rules.sql, 'rows(f"{head} UPDATE x SET y = 1")'),
    (rules.sql, 'rows("select a from b")'),
    (rules.sql, 'rows("pragma query_only = on")'),
    (rules.unbounded_vector_searches, f"x = '{_KNN}'"),
    (rules.unbounded_vector_searches, f"x = ('{_KNN} AND k = ? ' + 'LIMIT 5')"),
    (rules.unbounded_vector_searches, f"x = '{_KNN} LIMIT ?'"),
    (rules.unbounded_vector_searches, f"x = f'{_KNN} AND k = {{k}}'"),
    (rules.broad_catches, "try:\n    pass\nexcept:\n    pass"),
    (rules.broad_catches, "try:\n    pass\nexcept Exception:\n    pass"),
    (rules.broad_catches, "try:\n    pass\nexcept (OSError, Exception) as e:\n    pass"),
    (rules.broad_catches, "with contextlib.suppress(Exception):\n    pass"),
    (rules.waits, "time.sleep(1)"),
    (rules.waits, "from time import sleep"),
    (rules.waits, "QApplication.processEvents()"),
    (rules.waits, "qtbot.wait(100)"),
    (rules.long_functions, "def f():\n" + "    x = 1\n" * 40),
]

_PASSED: list[tuple[Rule, str]] = [
    (rules.transactions, 'def f():\n    """Not a COMMIT."""\n    say("begin here")'),
    (rules.transactions, 'rows("SELECT 1")'),
    (rules.sql, 'def f():\n    """SELECT nothing."""'),
    (rules.sql, 'say("Select a memory from the list")'),
    (rules.unbounded_vector_searches, f"x = '{_KNN} AND k = ?'"),
    (rules.unbounded_vector_searches, "x = 'SELECT 1 FROM f WHERE f MATCH ? LIMIT 5'"),
    (rules.broad_catches, "try:\n    pass\nexcept (OSError, ValueError):\n    pass"),
    (rules.waits, "await asyncio.sleep(0)"),
    (rules.waits, "qtbot.waitSignal(done)"),
    (rules.long_functions, 'def f():\n    """A.\n\n    B.\n    """\n' + "    x = 1\n" * 39),
]


@pytest.mark.parametrize(("rule", "text"), _FOUND)
def test_a_rule_finds_what_it_is_for(rule: Rule, text: str) -> None:
    assert len(rule(ast.parse(text))) == 1


@pytest.mark.parametrize(("rule", "text"), _PASSED)
def test_a_rule_lets_the_harmless_neighbour_pass(rule: Rule, text: str) -> None:
    assert rule(ast.parse(text)) == []


def test_a_text_in_pieces_is_read_as_one_with_gaps_for_what_is_unknown() -> None:
    tree = ast.parse('x = "a" f"b{c}" + d + "e" + f("g")')
    assert list(rules.literals(tree)) == [(1, "ab{}{}e{}"), (1, "g")]


def test_an_exempt_file_is_passed_over_until_it_needs_no_exemption() -> None:
    found = {"a.py": [Finding(3, "bad")], "b/c.py": [Finding(1, "bad")], "d.py": []}
    assert complaints(found) == ["a.py:3: bad", "b/c.py:1: bad"]
    assert complaints(found, {"b/": "reason"}) == ["a.py:3: bad"]
    assert complaints(found, {"a.py": "reason", "b/": "reason", "d.py": "reason"}) == [
        "d.py: needs no exemption"
    ]
