"""The program's icon for windows and task bars, drawn beforehand in the sizes that are used."""

from PySide6.QtGui import QIcon

from resources import RESOURCES

_SIZES = (16, 32, 48, 128)


def program_icon() -> QIcon:
    """Return the icon; each picture is read when it is first needed."""
    icon = QIcon()
    for size in _SIZES:
        icon.addFile(str(RESOURCES / "icons" / f"genizah-{size}.png"))
    return icon
