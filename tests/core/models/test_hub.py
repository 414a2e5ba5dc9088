"""Fetching from a stand-in for the hub: whole, or a sentence that says what is in the way."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPMessage
from pathlib import Path
from urllib.error import URLError
from urllib.request import Request

import pytest

from core.errors import ErrorCode, GenizahError
from core.models.hub import Hub, _SafeRedirects
from core.models.library import ModelLibrary
from core.progress import unreported
from tests.support.small_model import FILES, REVISION, small_model
from tests.support.stand_in_hub import stand_in_hub

_DIRECT: dict[str, str] = {}
_PATH = f"/Quay/Small-onnx/resolve/{REVISION}/"


def _refusal(hub: Hub, folder: Path) -> GenizahError:
    with pytest.raises(GenizahError) as refusal:
        ModelLibrary(folder).install(small_model(), hub, unreported)
    assert refusal.value.code is ErrorCode.DOWNLOAD_FAILED
    assert not folder.exists() or list(folder.iterdir()) == []
    return refusal.value


def test_every_file_is_asked_for_once_in_the_pinned_revision(tmp_path: Path) -> None:
    library = ModelLibrary(tmp_path)
    with stand_in_hub(FILES) as hub:
        library.install(small_model(), Hub(hub.url, _DIRECT), unreported)
        assert hub.asked == [_PATH + name for name in FILES]
        assert hub.agents == {"genizah"}
    place = library.place(small_model())
    assert {name: (place / name).read_bytes() for name in FILES} == FILES


def test_a_redirect_to_a_file_server_is_followed(tmp_path: Path) -> None:
    with stand_in_hub(FILES) as hub:
        hub.sent_on = {_PATH + "model.onnx": f"{hub.url}/elsewhere/model.onnx"}
        ModelLibrary(tmp_path).install(small_model(), Hub(hub.url, _DIRECT), unreported)
        assert "/elsewhere/model.onnx" in hub.asked


def test_nobody_is_sent_on_from_an_encrypted_connection_to_an_open_one() -> None:
    follow = _SafeRedirects().redirect_request
    asked = Request("https://hub.invalid/a")
    onward = follow(asked, None, 302, "Found", HTTPMessage(), "https://files.invalid/a")
    assert onward is not None
    assert onward.full_url == "https://files.invalid/a"
    with pytest.raises(URLError, match="not encrypted"):
        follow(asked, None, 302, "Found", HTTPMessage(), "http://files.invalid/a")


def test_other_bytes_than_the_pinned_ones_are_refused(tmp_path: Path) -> None:
    with stand_in_hub({**FILES, "model.onnx": FILES["model.onnx"][::-1]}) as hub:
        error = _refusal(Hub(hub.url, _DIRECT), tmp_path)
    assert error.reason == "wrong_file"
    assert "model.onnx" in error.message


def test_a_body_that_breaks_off_is_refused_with_both_sizes(tmp_path: Path) -> None:
    with stand_in_hub(FILES) as hub:
        hub.cut_after = 1024
        error = _refusal(Hub(hub.url, _DIRECT), tmp_path)
    assert error.reason == "cut_short"
    assert "1,024 of 10,240 bytes" in error.message


def test_a_file_that_is_not_there_is_named_with_the_answer(tmp_path: Path) -> None:
    with stand_in_hub({}) as hub:
        error = _refusal(Hub(hub.url, _DIRECT), tmp_path)
    assert error.reason == "refused"
    assert "answered 404 when asked for config.json" in error.message


def test_a_server_that_is_not_there_is_said_at_once(tmp_path: Path) -> None:
    with stand_in_hub({}) as hub:
        gone = hub.url
    error = _refusal(Hub(gone, _DIRECT), tmp_path)
    assert error.reason == "no_network"
    assert "Connection refused" in error.message
    assert "use a folder" in error.message


def test_a_name_that_cannot_be_looked_up_is_no_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object, **_options: object) -> None:
        raise socket.gaierror(-3, "Temporary failure in name resolution")

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    error = _refusal(Hub("https://hub.invalid", _DIRECT), tmp_path)
    assert error.reason == "no_network"
    assert "hub.invalid could not be found: there is no network" in error.message


@contextmanager
def _silent_server() -> Iterator[str]:
    """Accept connections and never say a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"127.0.0.1:{server.getsockname()[1]}"


def test_a_server_that_says_nothing_is_left_after_the_limit(tmp_path: Path) -> None:
    with _silent_server() as address:
        error = _refusal(Hub(f"http://{address}", _DIRECT, answer_limit_s=0.2), tmp_path)
    assert error.reason == "timed_out"


@pytest.mark.parametrize("base", ["http://hub.invalid", "https://hub.invalid"])
def test_a_proxy_that_hangs_is_named_without_its_password(base: str, tmp_path: Path) -> None:
    with _silent_server() as address:
        proxy = f"http://kay:secret@{address}"
        hub = Hub(base, {"http": proxy, "https": proxy}, answer_limit_s=0.2)
        error = _refusal(hub, tmp_path)
    assert error.reason == "timed_out"
    assert f"The proxy {address} that the environment names for hub.invalid" in error.message
    assert "secret" not in error.message


def test_a_proxy_that_refuses_is_named(tmp_path: Path) -> None:
    with _silent_server() as address:
        pass
    error = _refusal(Hub("https://hub.invalid", {"https": f"http://{address}"}), tmp_path)
    assert error.reason == "proxy"
    assert f"The proxy {address}" in error.message


def test_the_environments_proxy_is_used_and_its_exceptions_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with stand_in_hub(FILES) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        ModelLibrary(tmp_path).install(small_model(), Hub("http://hub.invalid"), unreported)
        assert proxy.asked[0] == f"http://hub.invalid{_PATH}config.json"
        before = len(proxy.asked)
        monkeypatch.setenv("no_proxy", "hub.invalid")
        monkeypatch.setattr(socket, "getaddrinfo", _nobody)
        with pytest.raises(GenizahError, match=r"The server hub\.invalid"):
            ModelLibrary(tmp_path).install(small_model(), Hub("http://hub.invalid"), unreported)
        assert len(proxy.asked) == before


def _nobody(*_args: object, **_options: object) -> None:
    raise socket.gaierror(-2, "Name or service not known")


def test_a_proxy_of_another_kind_is_said_and_not_gone_around(tmp_path: Path) -> None:
    error = _refusal(Hub("https://hub.invalid", {"all": "socks5://127.0.0.1:9"}), tmp_path)
    assert error.reason == "proxy"
    assert "speaks socks5" in error.message
