"""The program's own folder of models: a model is in it whole and checked, or not at all.

Laid out like the caches of others, so that core/retrieval/artifacts finds a model in it the same
way. Where files come from is in core/models/hub and core/models/picked_folder.
"""

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from core.datadir import private_folder, write_private, writing_private
from core.errors import ErrorCode, GenizahError
from core.models.catalogue import ModelFile, NamedModel
from core.progress import Report
from core.retrieval.artifacts import DIGESTS_NAME, repository_folder

_AGREED_NAME = "agreed.json"
_PART = ".part-"
_ABANDONED_S = 60.0  # a live one is written to more often than that, or has failed


@dataclass(frozen=True, slots=True)
class Incoming:
    """A file on its way: its blocks, and its length where that is known beforehand."""

    blocks: Iterator[bytes]
    length: int | None


class Source(Protocol):
    """Where the files of a model come from."""

    def open(self, model: NamedModel, file: ModelFile) -> AbstractContextManager[Incoming]:
        """Begin one file. Raises GenizahError(DOWNLOAD_FAILED), also while it is read."""
        ...


class ModelLibrary:
    """Keep models in `folder`. Its methods block."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def place(self, model: NamedModel) -> Path:
        """Return where a model lies, or would."""
        return self._folder / repository_folder(model.repository) / "snapshots" / model.revision

    def agree(self, model: NamedModel) -> None:
        """Note that a person has agreed to fetch this model. Raises GenizahError."""
        text = json.dumps({"model": model.name, "revision": model.revision})
        try:
            write_private(self._agreed(model), text.encode())
        except OSError as error:
            raise _not_kept(self._folder, error) from error

    def is_agreed(self, model: NamedModel) -> bool:
        """Tell whether a person has agreed to fetch this model."""
        return self._agreed(model).is_file()

    def _agreed(self, model: NamedModel) -> Path:
        return self._folder / repository_folder(model.repository) / _AGREED_NAME

    def install(self, model: NamedModel, source: Source, report: Report) -> None:
        """Take every file from a source, check it, and put the model in place in one step.

        `report` is told bytes and raises WorkCancelledError to end it; then, and after an error,
        nothing of it is left and what was in place before stays. Raises GenizahError.
        """
        try:
            private_folder(self._folder)
            part = Path(tempfile.mkdtemp(prefix=_PART, dir=self._folder))
            try:
                self._sweep(part)
                digests = _take_all(model, source, part, report)
                write_private(part / DIGESTS_NAME, json.dumps(digests, indent=1).encode())
                self._put_in_place(part, self.place(model))
            finally:
                shutil.rmtree(part, ignore_errors=True)
        except OSError as error:
            raise _not_kept(self._folder, error) from error

    def _put_in_place(self, part: Path, place: Path) -> None:
        private_folder(place.parent)
        _sync_folder(part)
        if place.exists():
            before = Path(tempfile.mkdtemp(prefix=_PART, dir=self._folder))
            place.rename(before / place.name)
            part.rename(place)
            shutil.rmtree(before, ignore_errors=True)
        else:
            part.rename(place)
        _sync_folder(place.parent)

    def _sweep(self, mine: Path) -> None:
        """Remove what a process that was killed has left."""
        now = mine.stat().st_mtime
        for other in self._folder.glob(f"{_PART}*"):
            if now - _last_written(other) > _ABANDONED_S:
                shutil.rmtree(other, ignore_errors=True)


def _last_written(folder: Path) -> float:
    return max(path.stat().st_mtime for path in (folder, *folder.rglob("*")))


def _take_all(
    model: NamedModel, source: Source, part: Path, report: Report
) -> Mapping[str, str]:
    sizes = {file.name: file.about_bytes for file in model.files}
    taken, digests = 0, {}
    for file in model.files:
        with source.open(model, file) as incoming:
            sizes[file.name] = incoming.length or file.about_bytes
            total, before = sum(sizes.values()), taken
            report(before, total)
            digest = hashlib.sha256()
            with writing_private(part / file.name) as target:
                for block in incoming.blocks:
                    target.write(block)
                    digest.update(block)
                    taken += len(block)
                    _refuse_endless(file, taken - before)
                    report(taken, total)
                _check(file, taken - before, incoming.length, digest.hexdigest())
        digests[file.name] = digest.hexdigest()
    return digests


def _refuse_endless(file: ModelFile, size: int) -> None:
    """Stop a file that can no longer be the pinned one, before it fills the disk."""
    if file.sha256 is not None and size > 2 * file.about_bytes + 1_000_000:
        raise GenizahError(
            ErrorCode.DOWNLOAD_FAILED,
            f"The file {file.name} that came is larger than the one expected; nothing was kept.",
            reason="wrong_file",
        )


def _check(file: ModelFile, size: int, length: int | None, digest: str) -> None:
    """Raise unless the whole of the right file has come; inside the writing, so it is not kept."""
    if length is not None and size < length:
        raise GenizahError(
            ErrorCode.DOWNLOAD_FAILED,
            f"The file {file.name} broke off after {size:,} of {length:,} bytes; nothing was "
            "kept. Try again.",
            reason="cut_short",
        )
    if file.sha256 is not None and digest != file.sha256:
        raise GenizahError(
            ErrorCode.DOWNLOAD_FAILED,
            f"The file {file.name} that came is not the one expected ({size:,} bytes, sha256 "
            f"{digest[:12]}…); nothing was kept. Something on the way may have put another in "
            "its place.",
            reason="wrong_file",
        )


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return  # folders cannot be synced there
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _not_kept(folder: Path, error: OSError) -> GenizahError:
    return GenizahError(
        ErrorCode.DOWNLOAD_FAILED,
        f"The model could not be kept in {folder} ({error.strerror or error}). Make room there, "
        "or set GENIZAH_DATA_DIR to a folder that can be written.",
        path=str(folder),
        reason="not_kept",
    )
