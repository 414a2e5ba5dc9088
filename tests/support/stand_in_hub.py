"""A stand-in for the model hub on the loopback: serves bytes, breaks off, stalls, counts."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from socketserver import ThreadingMixIn
from typing import override

_STEP = 1024


@dataclass
class StandInHub:
    """What the server has and does; `asked` lists the paths in the order they were asked for.

    `cut_after` ends each body after so many bytes; a file in `held` stops after its first bytes
    until `release` is set, and `holding` says that it has; `sent_on` answers with a redirect to
    another address.
    """

    files: Mapping[str, bytes]
    cut_after: int | None = None
    held: frozenset[str] = frozenset()
    sent_on: Mapping[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    agents: set[str] = field(default_factory=set)
    release: threading.Event = field(default_factory=threading.Event)
    holding: threading.Event = field(default_factory=threading.Event)
    url: str = ""

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        """Serve one request."""
        self.asked.append(request.path)
        self.agents.add(request.headers.get("User-Agent", ""))
        name = request.path.rpartition("/")[2]
        if request.path in self.sent_on:
            request.send_response(302)
            request.send_header("Location", self.sent_on[request.path])
            request.end_headers()
        elif name not in self.files:
            request.send_error(404)
        else:
            self._send(request, name)

    def _send(self, request: BaseHTTPRequestHandler, name: str) -> None:
        body = self.files[name]
        request.send_response(200)
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        sent = body if self.cut_after is None else body[: self.cut_after]
        if name in self.held:
            request.wfile.write(sent[:_STEP])
            request.wfile.flush()
            self.holding.set()
            self.release.wait(20)
            sent = sent[_STEP:]
        request.wfile.write(sent)


class _Server(ThreadingMixIn, HTTPServer):
    """One thread a request, all of them joined when the server is closed."""

    @override
    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a client that hangs up is what is tested."""


@contextmanager
def stand_in_hub(files: Mapping[str, bytes]) -> Iterator[StandInHub]:
    """Serve files under any folder, each by its name."""
    hub = StandInHub(files)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            hub.answer(self)

        @override
        def log_message(self, format: str, *args: object) -> None:
            pass

    server = _Server(("127.0.0.1", 0), Handler)
    hub.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), name="hub")
    thread.start()
    try:
        yield hub
    finally:
        hub.release.set()
        server.shutdown()
        server.server_close()
        thread.join()
