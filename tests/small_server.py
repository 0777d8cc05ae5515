"""A server on a free port of this machine, with the real models, for tests that ask it."""

from __future__ import annotations

import io
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

for _name in ("fastapi", "uvicorn", "python_multipart", "prometheus_client", "httpx"):
    pytest.importorskip(_name, reason=f"needs {_name}, of the extra serve or for its tests")

import httpx  # noqa: E402

from halgo import Checker, Halgorithm  # noqa: E402
from halgo.server.logs import Log  # noqa: E402
from halgo.server.refusals import STATUS  # noqa: E402
from halgo.server.run import Server, server  # noqa: E402
from halgo.server.service import Service  # noqa: E402

CONTRACT = "A late fee of 1.5% per month applies. Payment is due within thirty (30) days."
ANSWER = "The late fee is 5% per month. Payment is due within 30 days."


@dataclass
class Running:
    """A server on a free port, and a client of it."""

    service: Service
    client: Any
    url: str
    log: io.StringIO
    server: Server

    def check(self, answer: str, **more: Any) -> Any:
        return self.client.post("/v1/check", json={"answer": answer, **more})


def wait(condition: Callable[[], object], seconds: float = 60) -> None:
    """Until something is so; fails when it never is."""
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it never came to that"
        time.sleep(0.02)


@contextmanager
def started(halgorithm: Halgorithm, **options: Any) -> Iterator[Running]:
    """A server on a thread of its own, stopped at the end as by a signal that comes twice."""
    log = io.StringIO()

    def load(made: Halgorithm, corpora: Any) -> None:
        corpora.add("default", Checker.from_docs(CONTRACT, halgorithm=made))

    options = {"load": load, "log": Log(log), **options}
    service = Service(halgorithm, **options)
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    running = server(service, grace_s=5)
    service.start()
    thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    with httpx.Client(base_url=url, timeout=30) as client:
        if service.load is load:
            wait(lambda: service.ready or service.failure is not None)
            if service.failure is not None:
                raise service.failure
        yield Running(service, client, url, log, running)
    running.should_exit = True
    thread.join(10)
    service.stop()


def refused(answer: Any, error_type: str) -> str:
    """That an answer is this refusal; its sentence."""
    assert answer.json()["error_type"] == error_type, answer.text
    assert answer.status_code == STATUS[error_type]
    return str(answer.json()["error"])
