"""The composition root: what the commands and the window are built from. No Qt."""

import os
from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from core.clock import Clock, SystemClock
from core.datadir import data_dir
from core.store.location import StoreLocation, locate, locate_upwards

if TYPE_CHECKING:  # imported on first use: the window paints before
    from app.open_store import OpenStore
    from core.models.catalogue import NamedModel
    from core.retrieval.encoder import Encoder


@dataclass(frozen=True)
class Services:
    """Everything that comes from outside the program, handed down from here."""

    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    clock: Clock = field(default_factory=SystemClock)
    working_folder: Path = field(default_factory=Path.cwd)
    hub_url: str | None = None
    """Where models are fetched from, None for the catalogue's own hub."""
    pinned_models: "Mapping[str, NamedModel]" = field(default_factory=dict)
    """Models that can be fetched beside the catalogue's, by their names in small letters."""

    @property
    def data_dir(self) -> Path:
        """Return the program's own data folder."""
        return data_dir(self.environ)

    @property
    def models_folder(self) -> Path:
        """Return the folder in which models are kept that do not come with the program."""
        return self.data_dir / "models"

    def load_encoder(self, model: str) -> "Encoder":
        """Load a model; blocks. Raises GenizahError."""
        from core.retrieval.fastembed_encoder import load_encoder

        work_folder = self.data_dir / "model-cache"
        return load_encoder(model, self.environ, work_folder, self.models_folder)

    def locate(self, path: Path | None) -> StoreLocation:
        """Resolve a named store, or look upwards from the working folder."""
        return locate_upwards(self.working_folder) if path is None else locate(path)

    async def open_store(self, path: Path | None, executor: Executor | None = None) -> "OpenStore":
        """Open a store by path, or the nearest one above. Raises GenizahError."""
        from app.open_store import OpenStore

        return await OpenStore.open(self.locate(path), self.environ, executor)
