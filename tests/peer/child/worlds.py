"""What the peer takes from the world around it, made settable: sqlite3, the clock, uuid4.

`install` must run before the first module of the peer is imported.
"""

import importlib
import random
import sys
import uuid
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from types import ModuleType

_real_uuid4 = uuid.uuid4


def peer_module(name: str) -> ModuleType:
    """Import a module of the peer by its name below the package."""
    return importlib.import_module(f"zikaron.{name}")


@dataclass(slots=True)
class Clock:
    """The peer's clock: the real one, or one that starts where it was set and ticks per reading."""

    at: datetime | None = None
    tick: timedelta = timedelta(0)

    def now(self, tz: tzinfo | None = None) -> datetime:
        """Return the present instant and move a set clock on by its tick."""
        if self.at is None:
            return datetime.now(tz)
        reading = self.at
        self.at = reading + self.tick
        return reading

    @staticmethod
    def fromisoformat(text: str) -> datetime:
        """Parse as datetime does: this object stands where the peer expects the class."""
        return datetime.fromisoformat(text)


@dataclass(slots=True)
class Ids:
    """The source of every uuid4: the real one until it is seeded."""

    source: random.Random | None = None

    def seed(self, seed: int | None) -> None:
        """Draw uuids from `seed` on, or from the system again for None."""
        self.source = None if seed is None else random.Random(seed)

    def uuid4(self) -> uuid.UUID:
        """Return the next uuid of version 4."""
        if self.source is None:
            return _real_uuid4()
        return uuid.UUID(int=self.source.getrandbits(128), version=4)


@dataclass(slots=True)
class World:
    """Everything about a call that the test chooses: when it happens and who makes it."""

    clock: Clock = field(default_factory=Clock)
    ids: Ids = field(default_factory=Ids)
    session_id: str = "peer-session"
    client_kind: str = "mcp"

    def op_id(self) -> str:
        """Return a fresh operation id."""
        return str(self.ids.uuid4())


def install(world: World) -> None:
    """Put our sqlite3, uuid4 and clock where the peer will find them."""
    # Interpreters are commonly built without extension loading; this module always has it.
    driver = importlib.import_module("pysqlite3")
    sys.modules["sqlite3"] = driver
    sys.modules["sqlite3.dbapi2"] = importlib.import_module("pysqlite3.dbapi2")
    vars(uuid)["uuid4"] = world.ids.uuid4
    vars(peer_module("core.clock"))["datetime"] = world.clock
