"""A process that fetches the model of a few bytes: `downloading_child HUB_URL FOLDER`."""

import sys
from pathlib import Path

from core.models.hub import Hub
from core.models.library import ModelLibrary
from core.progress import unreported
from tests.support.small_model import small_model


def main() -> None:
    """Fetch it."""
    ModelLibrary(Path(sys.argv[2])).install(small_model(), Hub(sys.argv[1], {}), unreported)


if __name__ == "__main__":
    main()
