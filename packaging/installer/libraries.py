"""What the compiled files of a folder need of a Linux system, read from the files themselves."""

import re
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

_ELF = b"\x7fELF"
_NEEDED = re.compile(r"^ +NEEDED +(\S+)$", re.M)
_GLIBC = re.compile(r"\bGLIBC_(\d+)\.(\d+)")
#: The C library's own, in every Linux.
_C_LIBRARY = {
    *("libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libutil.so.1"),
    *("libresolv.so.2", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"),
}
_COMPILERS = {"libstdc++.so.6", "libgcc_s.so.1"}


@dataclass(frozen=True, slots=True)
class Needs:
    """The system libraries of a folder's files, and the C library they were built against."""

    libraries: frozenset[str]
    glibc: tuple[int, int]

    def undeclared(self, declared: Iterable[str]) -> list[str]:
        """Return the libraries that nothing promises to be there."""
        return sorted(self.libraries - set(declared) - _C_LIBRARY - _COMPILERS)


def compiled_files(folder: Path) -> Iterator[Path]:
    """Yield the ELF files below a folder, links left out."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                if file.read(len(_ELF)) == _ELF:
                    yield path


def needs_of(folder: Path) -> Needs:
    """Return what the folder needs beside its own files. Raises CalledProcessError."""
    own = {path.name for path in folder.rglob("*")}
    wanted: set[str] = set()
    glibc = (2, 0)
    for path in compiled_files(folder):
        said = subprocess.run(
            ["objdump", "-p", path], capture_output=True, text=True, check=True
        ).stdout
        wanted.update(_NEEDED.findall(said))
        versions = ((int(major), int(minor)) for major, minor in _GLIBC.findall(said))
        glibc = max(glibc, *versions, (2, 0))
    return Needs(frozenset(wanted - own), glibc)
