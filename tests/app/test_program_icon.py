"""The icon of windows and task bars is there in every size that is used."""

import pytest
from PySide6.QtWidgets import QApplication

from app.program_icon import program_icon


@pytest.mark.parametrize("size", [16, 32, 48, 128])
def test_the_icon_is_a_picture_of_its_own_in_each_size(qapp: QApplication, size: int) -> None:
    icon = program_icon()
    assert sorted(s.width() for s in icon.availableSizes()) == [16, 32, 48, 128]
    image = icon.pixmap(size, size).toImage()
    # The jar of the drawing stands in the middle: light where the niche around it is dark.
    assert image.pixelColor(size // 2, size * 11 // 16).lightness() > 100
    assert image.pixelColor(size * 7 // 32, size * 7 // 8).lightness() < 60
