"""What a person can choose, as data that checks itself; core/appdata/preferences keeps it."""

from dataclasses import dataclass
from enum import StrEnum

MIN_LIMIT, MAX_LIMIT = 1, 50
MIN_FONT, MAX_FONT = 7, 32


class ThemeChoice(StrEnum):
    """The look: the desktop's own, or one that is chosen."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class Preferences:
    """What a person can choose. `font_points` 0 follows the desktop."""

    theme: ThemeChoice = ThemeChoice.SYSTEM
    font_points: int = 0
    limit: int = 5
    meaning_search: bool = True
    query_history: bool = True
    text_history: bool = True
    first_steps: bool = True

    def __post_init__(self) -> None:
        if not MIN_LIMIT <= self.limit <= MAX_LIMIT:
            raise ValueError(f"limit is {MIN_LIMIT} to {MAX_LIMIT}")
        if self.font_points and not MIN_FONT <= self.font_points <= MAX_FONT:
            raise ValueError(f"font_points is 0 or {MIN_FONT} to {MAX_FONT}")
