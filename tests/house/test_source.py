"""The rules over the files of the house. An exemption carries its reason, and ends with it."""

import ast
from collections.abc import Callable, Iterable, Mapping

import pytest

from tests.house import rules
from tests.house.tree import EVERYWHERE, PRODUCT, ROOT, Finding, complaints, files, sources

_MAX_LINES = 400


def _found(
    rule: Callable[[ast.Module], list[Finding]], tops: Iterable[str]
) -> dict[str, list[Finding]]:
    return {source.path: rule(source.tree) for source in sources(tops)}


def _expect_none(
    found: Mapping[str, list[Finding]], exempt: Mapping[str, str] | None = None
) -> None:
    if lines := complaints(found, exempt):
        pytest.fail("\n".join(lines), pytrace=False)


def test_only_the_transactions_module_begins_and_ends_transactions() -> None:
    exempt = {"core/store/transactions.py": "the one place"}
    _expect_none(_found(rules.transactions, PRODUCT), exempt)


def test_sql_is_found_in_store_retrieval_and_appdata_alone() -> None:
    homes = ("core/store/", "core/retrieval/", "core/appdata/", "core/appdata.py")
    found = _found(rules.sql, PRODUCT)
    _expect_none({p: f for p, f in found.items() if not p.startswith(homes)})


def test_a24_no_vector_search_is_bounded_by_limit_instead_of_k() -> None:
    found = _found(rules.unbounded_vector_searches, EVERYWHERE)
    _expect_none(found)


def test_a24_the_rule_has_a_vector_search_to_watch() -> None:
    assert any(rules.vector_searches(source.tree) for source in sources(PRODUCT))


def test_no_handler_catches_everything() -> None:
    exempt = {
        "app/cli.py": "the outermost boundary: what nobody foresaw is our bug, exit code 70",
        "core/retrieval/fastembed_encoder.py": "tokenizers raises nothing narrower",
    }
    _expect_none(_found(rules.broad_catches, EVERYWHERE), exempt)


def test_nothing_waits_by_sleeping_or_by_running_the_event_loop_inside_itself() -> None:
    exempt = {
        "app/loop.py": "at the very end of the process, when no loop is left to block",
        "tests/app/test_loop_run.py": "handled events between two runs are what is tested",
        "tests/app/test_loop_nested.py": "nested event loops are what is tested",
        "tests/support/closing_app.py": "a thread that cannot be stopped is what is tested",
    }
    _expect_none(_found(rules.waits, EVERYWHERE), exempt)


def test_no_file_is_longer_than_400_lines() -> None:
    lengths = {source.path: source.text.count("\n") for source in sources(EVERYWHERE)}
    too_long = {
        path: [Finding(_MAX_LINES, f"goes on to line {lines}")]
        for path, lines in lengths.items()
        if lines > _MAX_LINES
    }
    _expect_none(too_long)


def test_no_function_is_longer_than_40_lines() -> None:
    _expect_none(_found(rules.long_functions, EVERYWHERE))


def test_no_file_names_a_package_registry_or_an_index() -> None:
    # Put together here, or this file would be the first to name one.
    names = [".".join(parts) for parts in (("pypi", "org"), ("pythonhosted", "org"))]
    names += [".".join(parts) for parts in (("npmjs", "org"), ("debian", "org"), ("crates", "io"))]
    options = ["--" + name for name in ("index-url", "extra-index-url", "trusted-host")]
    found: dict[str, list[Finding]] = {}
    for file in files():
        text = file.read_bytes()
        named = [name for name in (*names, *options) if name.encode() in text]
        found[file.relative_to(ROOT).as_posix()] = [Finding(1, f"names {name}") for name in named]
    _expect_none(found)


def test_packaging_is_no_package_that_would_hide_the_library_of_that_name() -> None:
    assert list((ROOT / "packaging").rglob("__init__.py")) == []


def test_every_module_says_what_lives_in_it() -> None:
    silent = [s.path for s in sources(EVERYWHERE) if s.text and not ast.get_docstring(s.tree)]
    assert silent == []
