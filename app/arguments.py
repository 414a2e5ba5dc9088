"""The command line's grammar: commands, flags, and turning a bad line into one clear sentence."""

import argparse
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NoReturn, override

from app.write_arguments import WRITE_COMMANDS, add_write_commands
from core.errors import ErrorCode, GenizahError

if TYPE_CHECKING:
    from core.explain.judging import Floor

COMMANDS = (
    *("demo", "search", "similar", "explain", "show", "check", "judge", "lineage", "export"),
    *WRITE_COMMANDS,
)
SELF_TEST = "--self-test"
DEFAULT_LIMIT = 5
MAX_LIMIT = 50
_ALIKE = 0.8


def program_version() -> str:
    """Return the installed version of the program."""
    from importlib.metadata import PackageNotFoundError, version  # 20 ms: not before the paint

    try:
        return version("genizah")
    except PackageNotFoundError:
        return "0+unknown"


class _Parser(argparse.ArgumentParser):
    @override
    def error(self, message: str) -> NoReturn:
        raise GenizahError(ErrorCode.USAGE, f"{message}. See {self.prog} --help.")


class _Version(argparse.Action):
    """Look the version up only when it is asked for."""

    @override
    def __call__(self, parser: argparse.ArgumentParser, *_rest: object) -> None:
        if sys.stdout is not None:
            sys.stdout.write(f"genizah {program_version()}\n")
        parser.exit()


def _limit(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if not 1 <= number <= MAX_LIMIT:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to {MAX_LIMIT}")
    return number


def _searching(
    commands: "argparse._SubParsersAction[_Parser]", name: str, help_text: str
) -> _Parser:
    """Add a command with the flags of every search with a text."""
    p = commands.add_parser(name, help=help_text)
    p.add_argument("store", nargs="*", metavar="STORE")
    p.add_argument("--query", metavar="TEXT", help="the text to search; - reads it from stdin")
    p.add_argument("--queries", metavar="FILE", help="one JSON query a line, one answer a line")
    p.add_argument("--vector", metavar="B64", help="little-endian float32 instead of embedding")
    p.add_argument("--limit", type=_limit, default=DEFAULT_LIMIT, metavar="N")
    p.add_argument("--include-retired", action="store_true")
    p.add_argument("--lexical-only", action="store_true", help="search by words only")
    p.add_argument("--json", action="store_true")
    return p


def _floor(text: str) -> "Floor":
    from core.explain.judging import LARGEST_K, parse_floor  # the window needs neither

    try:
        return parse_floor(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not like ndcg@10=0.8: recall, mrr or ndcg, a k from 1 to {LARGEST_K}, "
            "a number from 0 to 1"
        ) from error


def _judge(commands: "argparse._SubParsersAction[_Parser]") -> None:
    judge = commands.add_parser("judge", help="measure a store's searches by grades")
    steps = judge.add_subparsers(dest="step", required=True, parser_class=_Parser)
    p = steps.add_parser("run", help="search with the queries of a judgments file")
    p.add_argument("file", metavar="FILE.json")
    p.add_argument("store", nargs="?", metavar="STORE")
    p.add_argument(
        "--fail-under",
        action="append",
        default=[],
        type=_floor,
        metavar="MEASURE@K=FLOOR",
        help="exit with 1 where the mean is below, as ndcg@10=0.8; may be given again",
    )
    p.add_argument("--lexical-only", action="store_true", help="search by words only")
    p.add_argument("--json", action="store_true")


def _search(commands: "argparse._SubParsersAction[_Parser]") -> None:
    p = _searching(commands, "search", "search a store as the agent does")
    p.add_argument("--strict", action="store_true", help="an incomplete result is an error")


def _explain(commands: "argparse._SubParsersAction[_Parser]") -> None:
    p = _searching(commands, "explain", "why a memory ranks where it does, or is not found")
    p.add_argument("--uuid", metavar="U", help="the memory; the first four characters or more")


def _lineage(commands: "argparse._SubParsersAction[_Parser]") -> None:
    p = commands.add_parser("lineage", help="what replaced what, as a graph")
    p.add_argument("store", nargs="*", metavar="STORE")
    p.add_argument("--uuid", metavar="U", help="the tree of one memory; four characters or more")
    p.add_argument("--format", choices=("json", "dot", "svg"), default="json")
    p.add_argument("--json", action="store_const", const="json", dest="format")
    p.add_argument("--problems", action="store_true", help="exit with 1 where there are any")


def _export(commands: "argparse._SubParsersAction[_Parser]") -> None:
    p = commands.add_parser("export", help="write memories whole: JSON, CSV or Markdown")
    p.add_argument("store", nargs="*", metavar="STORE")
    p.add_argument("--query", metavar="TEXT", help="what a search finds, in its order")
    p.add_argument("--lexical-only", action="store_true", help="search by words only")
    p.add_argument(
        "--uuid",
        action="append",
        default=[],
        metavar="U",
        help="one memory, in any state; four characters or more; may be given again",
    )
    p.add_argument("--include-retired", action="store_true", help="retired memories too")
    p.add_argument(
        "--format", choices=("json", "csv", "md"), help="else as the file is called, or JSON"
    )
    p.add_argument("--json", action="store_const", const="json", dest="format")
    p.add_argument("--output", metavar="FILE", help="a new file instead of standard output")


def parser() -> argparse.ArgumentParser:
    """Build the parser of the subcommands."""
    top = _Parser(
        prog="genizah",
        description="Read, check and search the memories of coding agents.",
        epilog="genizah [STORE...] opens the window. A STORE is a project folder, a .zikaron "
        "folder or a memory.db; one named like a command needs ./NAME.",
    )
    top.add_argument("--version", action=_Version, nargs=0, help="say the version and end")
    top.add_argument(
        SELF_TEST, action="store_true", help="check that every part works on this machine"
    )
    commands = top.add_subparsers(dest="command", required=True, parser_class=_Parser)
    demo = commands.add_parser("demo", help="open a private copy of the demo store")
    demo.add_argument("folder", nargs="?", metavar="DIR")
    demo.add_argument("--query", metavar="TEXT", help="have this text typed already")
    demo.add_argument("--screenshot", metavar="PNG", help="save a picture of the window and quit")
    _search(commands)
    _explain(commands)
    for name, text in (
        ("similar", "live memories similar to one"),
        ("show", "one memory, its lineage and events"),
    ):
        p = commands.add_parser(name, help=text)
        p.add_argument("store", metavar="STORE")
        p.add_argument("uuid", metavar="UUID")
        p.add_argument("--json", action="store_true")
        if name == "similar":
            p.add_argument("--limit", type=_limit, default=DEFAULT_LIMIT, metavar="N")
    check = commands.add_parser("check", help="look for problems in a store")
    check.add_argument("store", nargs="?", metavar="STORE")
    check.add_argument("--deep", action="store_true", help="also check a private copy's indexes")
    check.add_argument("--json", action="store_true")
    _judge(commands)
    _lineage(commands)
    _export(commands)
    add_write_commands(commands)
    return top


def window_parser() -> argparse.ArgumentParser:
    """Build the parser of `genizah [STORE...]`."""
    p = _Parser(prog="genizah", add_help=False)
    p.add_argument("stores", nargs="*", metavar="STORE")
    return p


def mistyped(word: str) -> str | None:
    """Return the command that a word was meant for; None where it is one, or names a file."""
    if word in COMMANDS or os.path.lexists(word):
        return None
    from difflib import get_close_matches  # not on the way of a start that names a store

    return next(iter(get_close_matches(word.casefold(), COMMANDS, 1, _ALIKE)), None)


def is_command(argv: Sequence[str]) -> bool:
    """Tell whether the line names a subcommand (or asks for help), not stores for the window."""
    return bool(argv) and (
        argv[0] in COMMANDS or argv[0] in ("--help", "-h", "--version", SELF_TEST)
    )
