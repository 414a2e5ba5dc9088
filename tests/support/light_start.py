"""A start of the program beside a window that takes its wish; a process.

Says so, and which of the window's modules were imported for it all the same.
"""

import sys

from app import cli
from app.single_instance import SingleInstance


def _taken(_instance: SingleInstance, _wish: object) -> bool:
    return True


def main() -> None:
    """Run the command line with a first that is always there."""
    name = "hand_over"
    setattr(SingleInstance, name, _taken)
    code = cli.run(sys.argv[1:])
    heavy = [n for n in ("PySide6.QtWidgets", "PySide6.QtGui", "numpy") if n in sys.modules]
    print("handed over", *heavy)  # noqa: T201
    sys.exit(code)


if __name__ == "__main__":
    main()
