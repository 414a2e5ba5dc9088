"""A damaged model: fetched anew once where a person agreed to fetch it, else a clear sentence."""

from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton

from app.bootstrap import Services
from core.models.library import ModelLibrary
from core.models.picked_folder import PickedFolder
from core.progress import unreported
from tests.support.modelless import QUERY, hub_with, store_of_another_model
from tests.support.open_window import OpenWindow, open_window
from tests.support.small_model import real_files, real_model
from tests.support.stand_in_hub import StandInHub
from tests.support.wait import until


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    """Return the files of a model that loads."""
    return real_files()


def _keep_damaged(given: Services, files: dict[str, bytes], folder: Path, *, agreed: bool) -> Path:
    """Put the model into the program's own folder and cut its .onnx to 1 kB; return that file."""
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    library, model = ModelLibrary(given.models_folder), real_model(files)
    library.install(model, PickedFolder(folder), unreported)
    if agreed:
        library.agree(model)
    onnx = library.place(model) / "model.onnx"
    with onnx.open("r+b") as file:
        file.truncate(1024)
    return onnx


async def _by_words(opened: OpenWindow) -> None:
    outcome = await opened.search(QUERY)
    assert outcome.hits
    assert outcome.lexical.ran


def _messages(opened: OpenWindow) -> str:
    return "\n".join(message.text for message in opened.window.message_bar.messages())


async def test_a_damaged_model_that_was_fetched_with_consent_is_fetched_once_more(
    files: dict[str, bytes], tmp_path: Path
) -> None:
    with hub_with(files, tmp_path) as (hub, given):
        onnx = _keep_damaged(given, files, tmp_path / "f", agreed=True)
        async with open_window(given, store_of_another_model(tmp_path)) as opened:
            opened.type(QUERY)
            await until(lambda: opened.outcome is not None and opened.outcome.dense.ran)
            assert onnx.stat().st_size == len(files["model.onnx"])
            assert len(hub.asked) == len(files)


async def test_a_repair_that_fails_is_not_tried_over_and_over(
    files: dict[str, bytes], tmp_path: Path
) -> None:
    with hub_with(files, tmp_path) as (hub, given):
        _keep_damaged(given, files, tmp_path / "f", agreed=True)
        hub.files = {}
        project = store_of_another_model(tmp_path)
        async with open_window(given, project) as opened:
            await until(lambda: "answered 404" in _messages(opened))
            await opened.open(project)
            await opened.controller.model.settled()
            await _by_words(opened)
            assert len(hub.asked) == 1
            assert "model.onnx is not the one" in opened.banners()
            assert "1024 bytes" in opened.banners()


async def test_a_damaged_model_without_consent_is_said_and_offered_only(
    files: dict[str, bytes], tmp_path: Path
) -> None:
    with hub_with(files, tmp_path) as (hub, given):
        onnx = _keep_damaged(given, files, tmp_path / "f", agreed=False)
        async with open_window(given, store_of_another_model(tmp_path)) as opened:
            await _by_words(opened)
            await opened.controller.model.settled()
            await until(lambda: not opened.controller.download.is_busy)
            _assert_offered(opened, onnx)
            _assert_unasked(hub)


def _assert_offered(opened: OpenWindow, onnx: Path) -> None:
    assert str(onnx) in opened.banners()
    buttons = opened.window.notice_bar.findChildren(QPushButton)
    assert [b.text() for b in buttons if b.isVisible()] == ["Get the model…"]


def _assert_unasked(hub: StandInHub) -> None:
    assert hub.asked == []
