"""The grammar of the commands that change a store: retire, supersede, amend, remember."""

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import ArgumentParser

WRITE_COMMANDS = ("retire", "supersede", "amend", "remember")


def _version(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 0 < int(text[:19]) < 1 << 63):
        raise argparse.ArgumentTypeError(f"{text!r} is no version; it is a whole number from 1")
    return int(text)


def _command[P: "ArgumentParser"](
    commands: "argparse._SubParsersAction[P]", name: str, help_text: str
) -> P:
    p = commands.add_parser(name, help=help_text)
    p.add_argument("store", metavar="STORE")
    if name != "remember":
        p.add_argument("uuid", metavar="UUID", help="the memory's whole uuid")
        p.add_argument(
            "--version",
            type=_version,
            metavar="N",
            help="the version whose text was read; without it the current one",
        )
    p.add_argument("--dry-run", action="store_true", help="say what would be done; write nothing")
    p.add_argument("--json", action="store_true")
    return p


def _texts(p: "ArgumentParser", *, required: bool) -> None:
    p.add_argument("--gist", metavar="T", required=required)
    p.add_argument("--content", metavar="T", required=required, help="- reads it from stdin")


def add_write_commands[P: "ArgumentParser"](commands: "argparse._SubParsersAction[P]") -> None:
    """Add the commands to the parser of subcommands."""
    _command(commands, "retire", "let a memory count no more; there is no way back")
    supersede = _command(commands, "supersede", "replace a memory; there is no way back")
    supersede.add_argument("--by", metavar="U2", help="the memory that replaces it")
    _texts(supersede, required=False)
    _texts(_command(commands, "amend", "give a memory a new text"), required=False)
    _texts(_command(commands, "remember", "write a new memory"), required=True)
