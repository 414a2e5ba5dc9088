"""The model hub over plain HTTPS: one request a file, an answer in seconds, failures in words.

Proxies are those of the environment. The hub's own client library is not used: it retries for
half a minute behind a dead proxy, checks no digest and sends facts about the machine.
"""

import http.client
import socket
import ssl
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import override

import certifi

from core.errors import ErrorCode, GenizahError
from core.models.catalogue import HUB_URL, ModelFile, NamedModel
from core.models.library import Incoming

ANSWER_LIMIT_S = 10.0
_BLOCK = 256 * 1024
_FOLDER = "or use a folder that holds the model's files."


class Hub:
    """Fetch files of pinned models from `base_url`.

    `proxies` maps schemes to addresses; the environment's where None is given.
    """

    def __init__(
        self,
        base_url: str = HUB_URL,
        proxies: Mapping[str, str] | None = None,
        answer_limit_s: float = ANSWER_LIMIT_S,
    ) -> None:
        self._base_url = base_url
        self._limit_s = answer_limit_s
        found = urllib.request.getproxies() if proxies is None else dict(proxies)
        scheme, self._host = _scheme_and_host(base_url)
        self._proxy = found.get(scheme) or found.get("all")
        if self._proxy and urllib.request.proxy_bypass(self._host):
            self._proxy = None

    @contextmanager
    def open(self, model: NamedModel, file: ModelFile) -> Iterator[Incoming]:
        """Ask for one file; its blocks are read while the context is open."""
        quoted = urllib.parse.quote(f"{model.repository}/resolve/{model.revision}/{file.name}")
        request = urllib.request.Request(
            f"{self._base_url}/{quoted}",
            headers={"User-Agent": "genizah", "Accept-Encoding": "identity"},
        )
        try:
            response = self._opener.open(request, timeout=self._limit_s)
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise self._in_words(error, file) from error
        with response:
            length = response.headers.get("Content-Length")
            known = int(length) if length is not None and length.isdecimal() else None
            yield Incoming(self._blocks(response, file), known)

    def _blocks(self, response: http.client.HTTPResponse, file: ModelFile) -> Iterator[bytes]:
        try:
            while block := response.read1(_BLOCK):
                yield block
        except (OSError, http.client.HTTPException) as error:
            raise self._failed(
                f"The file {file.name} broke off on its way from {self._host} "
                f"({_cause(error)}); nothing was kept. Try again, {_FOLDER}",
                "cut_short",
            ) from error

    @cached_property
    def _opener(self) -> urllib.request.OpenerDirector:
        context = ssl.create_default_context()
        context.load_verify_locations(certifi.where())  # a packed program may miss the system's
        proxies = {} if self._proxy is None else self._usable_proxy(self._proxy)
        return urllib.request.build_opener(
            urllib.request.ProxyHandler(proxies),
            urllib.request.HTTPSHandler(context=context),
            _SafeRedirects(),
        )

    def _usable_proxy(self, proxy: str) -> dict[str, str]:
        address = proxy if "://" in proxy else f"http://{proxy}"
        scheme, host = _scheme_and_host(address)
        if scheme not in ("http", "https"):
            raise self._failed(
                f"The proxy {host} that the environment names speaks {scheme}, which Genizah does "
                f"not. Set HTTPS_PROXY to an HTTP proxy, {_FOLDER}",
                "proxy",
            )
        return {"http": address, "https": address}

    def _in_words(self, error: Exception, file: ModelFile) -> GenizahError:
        if isinstance(error, urllib.error.HTTPError):
            with error:
                return self._of_status(error.code, file)
        cause = error.reason if isinstance(error, urllib.error.URLError) else error
        way = self._way()
        match cause:
            case TimeoutError():
                sentence = f"{way} did not answer within {self._limit_s:.0f} s."
                return self._failed(f"{sentence} Look at the network, {_FOLDER}", "timed_out")
            case ssl.SSLCertVerificationError():
                sentence = (
                    f"The certificate of {self._host} cannot be trusted ({cause.verify_message}). "
                    "A company's network may put in its own: name it in SSL_CERT_FILE,"
                )
                return self._failed(f"{sentence} {_FOLDER}", "certificate")
            case socket.gaierror():
                sentence = f"{way} could not be found: there is no network, or no name service."
                return self._failed(f"{sentence} Try again with a network, {_FOLDER}", "no_network")
            case _:
                sentence = f"{way} could not be reached ({_cause(cause)})."
                reason = "proxy" if self._proxy else "no_network"
                return self._failed(f"{sentence} Look at the network, {_FOLDER}", reason)

    def _of_status(self, status: int, file: ModelFile) -> GenizahError:
        sentence = f"{self._way()} answered {status} when asked for {file.name}."
        reason = "proxy" if status == http.HTTPStatus.PROXY_AUTHENTICATION_REQUIRED else "refused"
        return self._failed(f"{sentence} Try again later, {_FOLDER}", reason)

    def _way(self) -> str:
        if self._proxy is None:
            return f"The server {self._host}"
        _scheme, proxy = _scheme_and_host(self._proxy)
        return f"The proxy {proxy} that the environment names for {self._host}"

    def _failed(self, sentence: str, reason: str) -> GenizahError:
        return GenizahError(
            ErrorCode.DOWNLOAD_FAILED, sentence, reason=reason, fields={"host": self._host}
        )


class _SafeRedirects(urllib.request.HTTPRedirectHandler):
    """Follow the hub to its file servers, but never off an encrypted connection."""

    @override
    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: "object",
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request | None:
        if req.type == "https" and not newurl.startswith("https://"):
            raise urllib.error.URLError(f"sent on to {newurl[:80]}, which is not encrypted")
        return super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]  # a file


def _scheme_and_host(url: str) -> tuple[str, str]:
    """Return scheme, and host with its port; never the name and password before them."""
    parts = urllib.parse.urlsplit(url if "://" in url else f"http://{url}")
    return parts.scheme, parts.netloc.rpartition("@")[2]


def _cause(error: object) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__
