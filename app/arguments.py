"""The command line's grammar: commands, flags, and turning a bad line into one clear sentence."""

import argparse
import sys
from collections.abc import Sequence
from typing import NoReturn, override

from core.errors import ErrorCode, GenizahError

COMMANDS = ("demo", "search", "similar", "show", "check")
DEFAULT_LIMIT = 5
MAX_LIMIT = 50


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
        raise GenizahError(ErrorCode.USAGE, f"{self.prog}: {message}. See {self.prog} --help.")


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


def _search(commands: "argparse._SubParsersAction[_Parser]") -> None:
    p = commands.add_parser("search", help="search a store as the agent does")
    p.add_argument("store", nargs="*", metavar="STORE")
    p.add_argument("--query", metavar="TEXT", help="the text to search; - reads it from stdin")
    p.add_argument("--queries", metavar="FILE", help="one JSON query a line, one answer a line")
    p.add_argument("--vector", metavar="B64", help="little-endian float32 instead of embedding")
    p.add_argument("--limit", type=_limit, default=DEFAULT_LIMIT, metavar="N")
    p.add_argument("--include-retired", action="store_true")
    p.add_argument("--lexical-only", action="store_true", help="search by words only")
    p.add_argument("--strict", action="store_true", help="an incomplete result is an error")
    p.add_argument("--json", action="store_true")


def parser() -> argparse.ArgumentParser:
    """Build the parser of the subcommands."""
    top = _Parser(
        prog="genizah",
        description="Read, check and search the memories of coding agents.",
        epilog="genizah [STORE...] opens the window. A STORE is a project folder, a .zikaron "
        "folder or a memory.db; one named like a command needs ./NAME.",
    )
    top.add_argument("--version", action=_Version, nargs=0, help="say the version and end")
    commands = top.add_subparsers(dest="command", required=True, parser_class=_Parser)
    demo = commands.add_parser("demo", help="open a private copy of the demo store")
    demo.add_argument("folder", nargs="?", metavar="DIR")
    demo.add_argument("--query", metavar="TEXT", help="have this text typed already")
    demo.add_argument("--screenshot", metavar="PNG", help="save a picture of the window and quit")
    _search(commands)
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
    return top


def window_parser() -> argparse.ArgumentParser:
    """Build the parser of `genizah [STORE...]`."""
    p = _Parser(prog="genizah", add_help=False)
    p.add_argument("stores", nargs="*", metavar="STORE")
    return p


def is_command(argv: Sequence[str]) -> bool:
    """Tell whether the line names a subcommand (or asks for help), not stores for the window."""
    return bool(argv) and (argv[0] in COMMANDS or argv[0] in ("--help", "-h", "--version"))
