"""A .deb, an .rpm and an archive from the program's folder; what they declare to need."""

import gzip
import json
import subprocess
import sys
import tarfile
from pathlib import Path

from libraries import Needs, needs_of
from places import ICONS, OUTPUT, PACKAGING, ROOT, PackingFailedError, icon_sizes

sys.path.insert(0, str(PACKAGING / "setup"))

from system_libs import NEEDS, RENAMED, Kind, Need, Part

_SUMMARY = "browse the memories of coding agents\n"
_DESCRIPTION = """\
Coding agents keep what they learn in a local SQLite store and are shown a few
headlines of it before every prompt. Genizah lets a person read such a store,
search it exactly as the agent does, and see why a memory ranked where it did.
Everything it runs with is inside; nothing leaves the machine.
"""
# Any of these has the letters that the window shows.
_FONTS = "fonts-dejavu-core | fonts-noto-core | fonts-liberation | fonts-freefont-ttf"
_GZIP_LEVEL = 6


def declared_needs() -> list[Need]:
    """Return the libraries that the window's plugins need, from the one table of them."""
    parts = (Part.OFFSCREEN, Part.NETWORK, Part.XCB, Part.WAYLAND)
    return [need for part in parts for need in NEEDS[part] if need.kind is Kind.LIBRARY]


def debian_depends(needs: Needs) -> list[str]:
    """Return the Depends of the .deb."""
    names = sorted({need.package for need in declared_needs()})
    both = [f"{RENAMED[name]} | {name}" if name in RENAMED else name for name in names]
    major, minor = needs.glibc
    return [f"libc6 (>= {major}.{minor})", "libgcc-s1", "libstdc++6", *both, _FONTS]


def rpm_requires(needs: Needs) -> list[str]:
    """Return the Requires of the .rpm: libraries by their own names, which all systems share."""
    major, minor = needs.glibc
    names = sorted({need.name for need in declared_needs()} | {"libstdc++.so.6", "libgcc_s.so.1"})
    return [f"libc.so.6(GLIBC_{major}.{minor})(64bit)", *(f"{name}()(64bit)" for name in names)]


def pack(folder: Path, version: str) -> list[Path]:
    """Write the packages and return them. Raises PackingFailedError."""
    needs = needs_of(folder)
    undeclared = needs.undeclared(need.name for need in declared_needs())
    if undeclared:
        raise PackingFailedError(
            f"Needed, but neither in the folder nor declared: {', '.join(undeclared)}."
        )
    recipe = OUTPUT / "nfpm.json"  # JSON is YAML, too
    recipe.write_text(json.dumps(_recipe(folder, version, needs), indent=1), encoding="utf-8")
    made = [_nfpm(recipe, kind) for kind in ("deb", "rpm")]
    return [*made, _archive(folder, version)]


def _recipe(folder: Path, version: str, needs: Needs) -> dict[str, object]:
    return {
        "name": "genizah",
        "arch": "amd64",
        "platform": "linux",
        "version": version,
        "section": "devel",
        "priority": "optional",
        "maintainer": "Genizah contributors <contributors@genizah.invalid>",
        "description": _SUMMARY + _DESCRIPTION,
        "license": "MIT",
        "contents": _contents(folder),
        "overrides": {
            "deb": {
                "depends": debian_depends(needs),
                "recommends": ["xdg-desktop-portal"],
                "suggests": ["fonts-noto-cjk", "fonts-noto-color-emoji"],
            },
            "rpm": {"depends": rpm_requires(needs)},
        },
        "deb": {"compression": "zstd"},
        "rpm": {"compression": "zstd"},
    }


def _contents(folder: Path) -> list[dict[str, str]]:
    share, linux = "/usr/share", PACKAGING / "linux"
    files = {
        linux / "genizah.desktop": f"{share}/applications/genizah.desktop",
        linux / "zz-genizah-open.desktop": f"{share}/applications/zz-genizah-open.desktop",
        linux / "genizah.metainfo.xml": f"{share}/metainfo/io.github.genizah.Genizah.metainfo.xml",
        ROOT / "LICENSE": f"{share}/doc/genizah/copyright",
        ICONS / "genizah.svg": f"{share}/icons/hicolor/scalable/apps/genizah.svg",
    }
    for size, picture in icon_sizes():
        files[picture] = f"{share}/icons/hicolor/{size}x{size}/apps/genizah.png"
    link = {"src": "../lib/genizah/genizah", "dst": "/usr/bin/genizah", "type": "symlink"}
    tree = {"src": str(folder), "dst": "/usr/lib/genizah", "type": "tree"}
    return [tree, link, *({"src": str(src), "dst": dst} for src, dst in files.items())]


def _nfpm(recipe: Path, kind: str) -> Path:
    """Pack one kind of package; the packer chooses its name."""
    for old in OUTPUT.glob(f"*.{kind}"):
        old.unlink()
    tool = Path(sys.executable).with_name("nfpm")
    command = [str(tool), "package", "--config", str(recipe), "--packager", kind]
    command += ["--target", str(OUTPUT)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    made = list(OUTPUT.glob(f"*.{kind}"))
    if done.returncode != 0 or len(made) != 1:
        raise PackingFailedError(f"The .{kind} could not be made: {done.stdout}{done.stderr}")
    return made[0]


def _archive(folder: Path, version: str) -> Path:
    """Write the folder as one file that needs no installing."""
    name = f"genizah-{version}-linux-x86_64"
    target = OUTPUT / f"{name}.tar.gz"
    with (
        gzip.GzipFile(target, "wb", compresslevel=_GZIP_LEVEL, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w") as archive,
    ):
        archive.add(folder, name, filter=_nobody_s)
        for file in (ROOT / "LICENSE", PACKAGING / "linux" / "genizah.desktop"):
            archive.add(file, f"{name}/{file.name}", filter=_nobody_s)
    return target


def _nobody_s(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = "root"
    return member
