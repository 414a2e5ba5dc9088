"""Running one command: dispatch, exit code, errors in words. Only the window imports Qt."""

import asyncio
import logging
import signal
import sys
from argparse import Namespace
from collections.abc import Awaitable, Callable, Sequence

from app.arguments import SELF_TEST, is_command, mistyped, parser, window_parser
from app.bootstrap import Services
from app.display_check import missing_library
from app.output import Output
from app.write_arguments import WRITE_COMMANDS
from core.errors import ErrorCode, GenizahError

type Command = Callable[[Services, Namespace, Output], Awaitable[int]]

OUR_BUG = 70
INTERRUPTED = 130


def _commands() -> dict[str, Command]:
    """Return the commands that need no window; imported here, as the window needs none of them."""
    from app import (
        cli_explain,
        cli_export,
        cli_judge,
        cli_lineage,
        cli_read,
        cli_search,
        cli_write,
    )

    return {
        "search": cli_search.search,
        "similar": cli_search.similar,
        "explain": cli_explain.explain,
        "show": cli_read.show,
        "check": cli_read.check,
        "judge": cli_judge.run,
        "lineage": cli_lineage.lineage,
        "export": cli_export.export,
        **dict.fromkeys(WRITE_COMMANDS, cli_write.write),
    }


def _run_command(arguments: Namespace, output: Output) -> int:
    command = _commands()[arguments.command]
    return asyncio.run(_awaited(command(Services(), arguments, output)))


async def _awaited(command: Awaitable[int]) -> int:
    return await command


def _window(arguments: Namespace) -> int:
    services = Services()
    try:
        from app.window_claim import claim, wish_of  # imports Qt's core

        instance = claim(services, arguments)
        if instance is not None and instance.hand_over(wish_of(services, arguments)):
            return 0
        from app.window import run_window  # imports Qt
    except ImportError as error:
        missing = missing_library(str(error))
        if missing is None:
            raise
        raise missing from error
    return run_window(services, arguments, instance)


def _demo(arguments: Namespace) -> int:
    from app.demo import prepare_demo

    folder = prepare_demo(Services(), arguments.folder)
    arguments.stores = [str(folder)]
    return _window(arguments)


def _self_test(output: Output) -> int:
    from app.self_test import run_self_test

    return run_self_test(Services(), output)


def _dispatch(argv: Sequence[str], output: Output) -> int:
    if list(argv[:1]) == [SELF_TEST]:
        if len(argv) > 1:
            raise GenizahError(ErrorCode.USAGE, f"{SELF_TEST} stands alone.")
        return _self_test(output)
    meant = mistyped(argv[0]) if argv else None
    if meant is not None:
        said = f"There is nothing at {argv[0]}; did you mean genizah {meant}?"
        raise GenizahError(ErrorCode.USAGE, said)
    if not is_command(argv):
        return _window(window_parser().parse_args(argv))
    arguments = parser().parse_args(argv)
    if arguments.command == "demo":
        return _demo(arguments)
    return _run_command(arguments, output)


def run(argv: Sequence[str]) -> int:
    """Run one command line; return the exit code of the contract (cli.md)."""
    # Ctrl+C must end a command even where Python was started with the signal ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    output = Output.standard(as_json="--json" in argv)
    try:
        return _dispatch(argv, output)
    except GenizahError as error:
        output.error(error)
        return error.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        if sys.stderr is not None:
            sys.stderr.close()  # whoever read the result has gone; nothing to say to anyone
        return INTERRUPTED
    except Exception:  # the last boundary: a bug of ours has an exit code of its own
        logging.getLogger(__name__).exception("This is a bug in genizah; please report it.")
        return OUR_BUG
