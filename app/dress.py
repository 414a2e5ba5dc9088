"""The window's look as the person left it: theme, font, layout; done before it is shown."""

from app.own_data import FirstLook
from widgets.main_window import MainWindow
from widgets.theme import Scheme, ThemeFollower
from widgets.window_layout import restore_layout


def dress(window: MainWindow, theme: ThemeFollower, look: FirstLook) -> None:
    """Give a window that is not shown yet its theme, font and layout."""
    theme.choose(Scheme(look.preferences.theme.value))
    theme.set_font_points(look.preferences.font_points)
    restore_layout(window, look.geometry)
