"""An X server without a screen, and pictures of what is on it."""

import struct
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Self

from PIL import Image

_SIZE = "1280x1024x24"
_HEADER = struct.Struct(">25I")  # of the X window dump that the server keeps its picture in
_COLOUR_BYTES, _PIXEL_BYTES = 12, 4


class Screen:
    """One X server; `with` starts and ends it."""

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory(prefix="genizah-screen-")
        command = ["Xvfb", "-displayfd", "1", "-screen", "0", _SIZE, "-nolisten", "tcp", "-ac"]
        self._server = subprocess.Popen(
            [*command, "-fbdir", self._folder.name],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._server.stdout is not None
        self.name = f":{self._server.stdout.readline().strip()}"
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.terminate()
        self._server.wait()
        self._folder.cleanup()

    def picture(self) -> Image.Image:
        """Return what is on the screen now."""
        dump = (Path(self._folder.name) / "Xvfb_screen0").read_bytes()
        header = _HEADER.unpack_from(dump)
        start, width, height, line = header[0], header[4], header[5], header[12]
        pixels = dump[start + header[19] * _COLOUR_BYTES :]
        return Image.frombytes("RGB", (width, height), pixels, "raw", "BGRX", line, 1)

    def pixel(self, x: int, y: int) -> bytes:
        """Return one point's bytes, read quickly enough to be asked again and again."""
        with (Path(self._folder.name) / "Xvfb_screen0").open("rb") as dump:
            header = _HEADER.unpack(dump.read(_HEADER.size))
            start = header[0] + header[19] * _COLOUR_BYTES
            dump.seek(start + y * header[12] + x * _PIXEL_BYTES)
            return dump.read(_PIXEL_BYTES)


def colours(picture: Image.Image) -> int:
    """Return the number of different colours."""
    found = picture.getcolors(picture.width * picture.height)
    return len(found or ())
