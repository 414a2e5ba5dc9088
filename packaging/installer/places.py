"""Where the installer's parts lie, and the error that all its steps raise."""

from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
ICONS = ROOT / "resources" / "icons"
OUTPUT = ROOT / "build" / "installer"
FROZEN = OUTPUT / "dist" / "genizah"


class PackingFailedError(Exception):
    """Say in words what keeps the installer from being made."""


def icon_sizes() -> Iterator[tuple[int, Path]]:
    """Yield every size that the icon is drawn in, with its picture."""
    for picture in ICONS.glob("genizah-*.png"):
        yield int(picture.stem.rpartition("-")[2]), picture
