"""A store whose model is not on this machine, and a window on it with a stand-in for the hub."""

import os
import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from app.bootstrap import Services
from tests.support.small_model import STANDARD, real_model
from tests.support.stand_in_hub import StandInHub, stand_in_hub
from tests.support.window_stores import demo_project

QUERY = "test hang"


def store_of_another_model(folder: Path, model: str = STANDARD) -> Path:
    """Return a copy of the demo store that says it was made with another model."""
    project = demo_project(folder)
    connection = sqlite3.connect(project / ".zikaron" / "memory.db")
    connection.execute("UPDATE meta SET value = ? WHERE key = 'embed_model'", (model,))
    connection.commit()
    connection.close()
    settings = project / ".zikaron" / "config.toml"
    named = f'embed_model = "{model}"'
    text = re.sub(r'embed_model = "[^"]*"', named, settings.read_text(encoding="utf-8"))
    settings.write_text(text, encoding="utf-8")
    return project


def services_of(hub_url: str, files: Mapping[str, bytes], folder: Path) -> Services:
    """Return the program's own services, for whom the stand-in has the model's files."""
    return Services(
        environ=dict(os.environ),
        working_folder=folder,
        hub_url=hub_url,
        pinned_models={STANDARD.casefold(): real_model(files)},
    )


@contextmanager
def hub_with(
    files: Mapping[str, bytes], folder: Path
) -> Iterator[tuple[StandInHub, Services]]:
    """Serve the model's files to a window that is given these services."""
    with stand_in_hub(files) as hub:
        yield hub, services_of(hub.url, files, folder)
