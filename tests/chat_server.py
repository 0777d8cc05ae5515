"""A chat endpoint on this machine that answers as real ones do: by a list of replies, in order."""

from __future__ import annotations

import _socket
import json
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

# As they are before conftest.py refuses connections.
_lookup = socket.getaddrinfo


@dataclass
class Reply:
    """One answer of the server; `drip_s` sends it byte by byte, `hang_s` waits before it."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    hang_s: float = 0.0
    drip_s: float = 0.0


def said(text: Any, **choice: Any) -> Reply:
    """What a chat endpoint sends for a reply of this text."""
    message = {"role": "assistant", "content": text}
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": "small",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", **choice}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }
    return Reply(body=json.dumps(body).encode(), headers={"Content-Type": "application/json"})


def error(status: int, code: str = "", **headers: str) -> Reply:
    """An error as such an endpoint reports it; its message holds what a log must not show."""
    body = {"error": {"message": "secret words of the prompt", "type": "an_error", "code": code}}
    told = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply(status, json.dumps(body).encode(), told)


class ChatServer(ThreadingHTTPServer):
    """Gives `replies` in order, the last one again and again; `requests` is what it was sent."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.replies: list[Reply] = [said("")]
        self.requests: list[dict[str, Any]] = []
        self.closing = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ChatServer

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        seen = {"path": self.path, "headers": dict(self.headers), "body": json.loads(body)}
        self.server.requests.append(seen)
        replies = self.server.replies
        reply = replies.pop(0) if len(replies) > 1 else replies[0]
        self.server.closing.wait(reply.hang_s)
        try:
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            if not reply.drip_s:
                self.wfile.write(reply.body)
                return
            for byte in reply.body:
                if self.server.closing.is_set():
                    return
                self.wfile.write(bytes([byte]))
                time.sleep(reply.drip_s)
        except OSError:
            pass  # the client has gone

    def log_message(self, *arguments: Any) -> None:
        pass


def allow_this_machine(patch: pytest.MonkeyPatch) -> None:
    """Allows connections to this machine, which conftest.py refuses as all others."""

    def connect(self: socket.socket, address: Any) -> None:
        if address[0] != "127.0.0.1":
            raise OSError(f"a test tried to open a connection to {address!r}")
        _socket.socket.connect(self, address)

    def lookup(host: Any, *rest: Any, **options: Any) -> Any:
        if host != "127.0.0.1":
            raise OSError(f"a test tried to look up {host!r}")
        return _lookup(host, *rest, **options)

    patch.setattr(socket.socket, "connect", connect)
    patch.setattr(socket, "getaddrinfo", lookup)


@pytest.fixture(name="chat")
def running(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    """A running server; for this test connections to this machine are allowed."""
    allow_this_machine(monkeypatch)
    server = ChatServer()
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield server
    server.closing.set()
    server.shutdown()
    server.server_close()
    thread.join(5)
