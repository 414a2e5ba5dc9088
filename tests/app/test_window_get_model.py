"""The model of a store is got only after consent: fetched, taken from a folder, or left alone."""

import socket
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton

from app.bootstrap import Services
from app.model_controller import ModelState
from core.models.library import ModelLibrary
from core.models.picked_folder import PickedFolder
from core.progress import unreported
from tests.support.accessibility import nameless
from tests.support.modelless import QUERY, hub_with, services_of, store_of_another_model
from tests.support.open_window import OpenWindow, open_window
from tests.support.small_model import STANDARD, real_files, real_model
from tests.support.wait import until
from widgets.model_dialog import ModelChoice, ModelDialog

_GET = "Get the model…"


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    """Return the files of a model that loads."""
    return real_files()


async def _words_only(opened: OpenWindow) -> None:
    """Search: words answer, meaning is off, and the notice offers a way."""
    outcome = await opened.search(QUERY)
    assert outcome.lexical.ran
    assert outcome.hits
    assert not outcome.dense.ran
    assert "no_artifact" in opened.banners() or "encoder_failed" in opened.banners()


def _offers(opened: OpenWindow) -> list[QPushButton]:
    buttons = opened.window.notice_bar.findChildren(QPushButton)
    return [b for b in buttons if b.text() == _GET and b.isVisible()]


async def _consent_page(opened: OpenWindow) -> ModelDialog:
    await opened.controller.model.settled()
    (offer,) = _offers(opened)
    offer.click()
    assert _offers(opened) == []
    await until(lambda: opened.window.findChildren(ModelDialog))
    (dialog,) = opened.window.findChildren(ModelDialog)
    return dialog


def _says(opened: OpenWindow) -> str:
    return "\n".join(m.text for m in opened.window.message_bar.messages())


async def _choose(opened: OpenWindow, choice: ModelChoice) -> None:
    dialog = await _consent_page(opened)
    dialog.buttons[choice].click()


async def _hybrid(opened: OpenWindow) -> None:
    """Wait until the list on screen comes from both searches."""
    await until(lambda: opened.outcome is not None and opened.outcome.dense.ran)
    assert opened.controller.model.state is ModelState.READY
    assert "meaning ✓" in opened.window.status_strip.words()
    assert opened.banners() == ""


def _kept(given: Services) -> list[Path]:
    return sorted(p for p in given.models_folder.rglob("*.onnx"))


async def test_looking_at_such_a_store_asks_nobody(
    files: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    with hub_with(files, tmp_path) as (hub, given):
        for name in ("connect", "connect_ex", "sendto"):
            monkeypatch.setattr(socket.socket, name, lambda _self, *to: asked.append(to))
        monkeypatch.setattr(socket, "getaddrinfo", lambda *to, **_more: asked.append(to))
        async with open_window(given, store_of_another_model(tmp_path)) as opened:
            await _words_only(opened)
            dialog = await _consent_page(opened)
            dialog.reject()
            await until(lambda: not opened.controller.download.is_busy)
        assert (asked, hub.asked) == ([], [])
    assert _kept(given) == []


async def test_the_consent_page_says_which_how_large_from_where_and_what_comes_after(
    files: dict[str, bytes], tmp_path: Path
) -> None:
    with hub_with(files, tmp_path) as (hub, given):
        async with open_window(given, store_of_another_model(tmp_path)) as opened:
            dialog = await _consent_page(opened)
            text = "\n".join(label.text() for label in dialog.findChildren(QLabel))
            assert STANDARD in text
            assert "about 23 MB in 5 files" in text
            assert f"{hub.url.removeprefix('http://')}, repository qdrant/" in text
            assert str(given.models_folder) in text
            assert "works without a network" in text
            assert nameless(dialog) == []
            assert dialog.focusWidget() is dialog.buttons[ModelChoice.NOT_NOW]
            dialog.buttons[ModelChoice.NOT_NOW].click()
            await until(lambda: not opened.controller.download.is_busy)
        assert hub.asked == []


async def test_after_consent_the_open_store_is_searched_by_meaning_also_offline(
    files: dict[str, bytes], tmp_path: Path
) -> None:
    project = store_of_another_model(tmp_path)
    with hub_with(files, tmp_path) as (hub, given):
        async with open_window(given, project) as opened:
            await _words_only(opened)
            await _choose(opened, ModelChoice.DOWNLOAD)
            await _hybrid(opened)
            assert _offers(opened) == []
            assert len(hub.asked) == len(files)
            first = opened.rows()
    async with open_window(given, project) as opened:  # the hub is gone
        assert (await opened.search(QUERY)).dense.ran
        assert opened.rows() == first


async def test_a_download_can_be_cancelled_and_leaves_nothing(
    files: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.patience.PATIENCE_S", 0.01)
    with hub_with(files, tmp_path) as (hub, given):
        hub.held = frozenset({"model.onnx"})
        async with open_window(given, store_of_another_model(tmp_path)) as opened:
            await _choose(opened, ModelChoice.DOWNLOAD)
            await until(lambda: "Downloading the model… 0 of 23 MB" in _says(opened))
            await _words_only(opened)
            opened.window.message_bar.action_wanted.emit("model", "cancel_work")
            hub.release.set()
            await until(lambda: "cancelled" in _says(opened))
            await until(lambda: not list(given.models_folder.glob(".part-*")))
            await until(lambda: len(_offers(opened)) == 1)
    assert _kept(given) == []


async def test_a_wrong_file_is_refused_in_words_and_can_be_tried_again(
    files: dict[str, bytes], tmp_path: Path
) -> None:
    with hub_with(files, tmp_path) as (hub, given):
        hub.files = {**files, "tokenizer.json": b"{}"}
        async with open_window(given, store_of_another_model(tmp_path)) as opened:
            await _choose(opened, ModelChoice.DOWNLOAD)
            await until(lambda: "tokenizer.json that came is not the one" in _says(opened))
            (message,) = opened.window.message_bar.messages()
            assert message.code == "download_failed"
            assert [action.label for action in message.actions] == [_GET]
            assert _kept(given) == []
            hub.files = files
            await opened.search(QUERY)
            opened.window.message_bar.action_wanted.emit(message.key, message.actions[0].name)
            await until(lambda: opened.window.findChildren(ModelDialog))
            (dialog,) = opened.window.findChildren(ModelDialog)
            dialog.buttons[ModelChoice.DOWNLOAD].click()
            await _hybrid(opened)


async def test_a_network_that_never_answers_is_given_up(
    files: dict[str, bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        given = services_of(f"http://127.0.0.1:{silent.getsockname()[1]}", files, tmp_path)
        async with open_window(given, store_of_another_model(tmp_path)) as opened:
            opened.controller.download.answer_limit_s = 0.1
            await _choose(opened, ModelChoice.DOWNLOAD)
            await until(lambda: "Nothing answered within" in _says(opened))
            await _words_only(opened)
            silent.close()  # or the thread that still asks would be waited for
    await until(lambda: not list(given.models_folder.glob(".part-*")))


async def test_a_folder_with_the_files_is_taken_over_without_a_network(
    files: dict[str, bytes], tmp_path: Path
) -> None:
    picked = tmp_path / "stick"
    picked.mkdir()
    for name, content in files.items():
        (picked / name).write_bytes(content)
    with hub_with(files, tmp_path) as (hub, given):
        async with open_window(given, store_of_another_model(tmp_path)) as opened:
            await _words_only(opened)
            await _choose(opened, ModelChoice.FOLDER)
            await until(lambda: opened.window.findChildren(QFileDialog))
            (dialog,) = opened.window.findChildren(QFileDialog)
            dialog.fileSelected.emit(str(picked))
            dialog.done(QFileDialog.DialogCode.Accepted)
            await _hybrid(opened)
            assert _kept(given)
        assert hub.asked == []


async def test_files_that_the_agent_has_got_meanwhile_are_used_and_nothing_is_offered(
    files: dict[str, bytes], tmp_path: Path, private_home: Path
) -> None:
    with hub_with(files, tmp_path) as (hub, given):
        async with open_window(given, store_of_another_model(tmp_path)) as opened:
            await _words_only(opened)
            agents = ModelLibrary(private_home / ".cache" / "zikaron" / "models")
            folder = tmp_path / "f"
            folder.mkdir()
            for name, content in files.items():
                (folder / name).write_bytes(content)
            agents.install(real_model(files), PickedFolder(folder), unreported)
            (offer,) = _offers(opened)
            offer.click()
            await _hybrid(opened)
            assert opened.window.findChildren(ModelDialog) == []
        assert hub.asked == []
