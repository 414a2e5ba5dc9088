"""The files of the source tree, without what git ignores, and what a rule found in them.

Walks the folders itself: a copied tree has no git to ask.
"""

import ast
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PRODUCT = ("app", "widgets", "core", "resources")
EVERYWHERE = (*PRODUCT, "tests", "packaging")


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule objects to, and the line it stands in."""

    line: int
    what: str


@dataclass(frozen=True, slots=True)
class Source:
    """One Python file: its path below the root, with slashes, and its parsed text."""

    path: str
    text: str
    tree: ast.Module


def files() -> Iterator[Path]:
    """Yield every file that git does not ignore."""
    ignored = _ignored_folders()
    for folder, below, names in os.walk(ROOT):
        below[:] = sorted(name for name in below if not _matches(name, ignored))
        yield from (Path(folder) / name for name in sorted(names))


def sources(tops: Iterable[str]) -> list[Source]:
    """Return the Python files below these folders of the root; stubs are none."""
    wanted = set(tops)
    found: list[Source] = []
    for file in files():
        path = file.relative_to(ROOT)
        if file.suffix == ".py" and path.parts[0] in wanted:
            text = file.read_text(encoding="utf-8")
            found.append(Source(path.as_posix(), text, ast.parse(text)))
    return found


def complaints(
    found: Mapping[str, list[Finding]], exempt: Mapping[str, str] | None = None
) -> list[str]:
    """Return the findings outside the exempt files, and the exemptions nobody needs any more.

    `exempt` maps a path, or a folder's path with a slash at its end, to the reason.
    """
    exempt = exempt or {}
    used: set[str] = set()
    lines: list[str] = []
    for path, findings in found.items():
        keys = [key for key in exempt if path == key or (key[-1] == "/" and path.startswith(key))]
        if findings and keys:
            used.update(keys)
        else:
            lines += [f"{path}:{finding.line}: {finding.what}" for finding in findings]
    return lines + [f"{key}: needs no exemption" for key in exempt if key not in used]


def _ignored_folders() -> list[str]:
    lines = (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    return [".git", *(line.strip("/") for line in lines if line.endswith("/"))]


def _matches(name: str, patterns: list[str]) -> bool:
    return any(fnmatch(name, pattern) for pattern in patterns)
