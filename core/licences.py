"""The licences of all that is shipped, as they were collected when the packages were locked."""

import json
from dataclasses import dataclass
from pathlib import Path

from resources import RESOURCES

LICENCES_FILE = RESOURCES / "licences" / "licences.json"


@dataclass(frozen=True, slots=True)
class Licensed:
    """One part of the program: what it is, its licence in a word, and the texts in full."""

    name: str
    version: str
    licence: str
    texts: tuple[tuple[str, str], ...]

    @property
    def title(self) -> str:
        """Return name and version."""
        return f"{self.name} {self.version}".rstrip()

    @property
    def whole(self) -> str:
        """Return everything there is to read about it."""
        head = f"{self.title}\nLicence: {self.licence}\n"
        return "\n".join([head, *(f"{name}\n\n{text}".lstrip() for name, text in self.texts)])


def load_licences(path: Path = LICENCES_FILE) -> tuple[Licensed, ...]:
    """Return every part of the program, in the order they were collected.

    Raises OSError or ValueError where the file is not there or not what it should be.
    """
    return tuple(
        Licensed(
            part["name"],
            part["version"],
            part["licence"],
            tuple((text["name"], text["text"]) for text in part["texts"]),
        )
        for part in json.loads(path.read_text(encoding="utf-8"))
    )
