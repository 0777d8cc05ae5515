"""What holds for every test: no network, no hub, the same random cases on every run."""

from __future__ import annotations

import gc
import importlib.util
import os
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# Needs the frameworks, in an environment of their own: make test-ecosystem.
collect_ignore = ["ecosystem"]

# Before any test imports a library that reads them.
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TRANSFORMERS_OFFLINE"] = "1"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"
# The cascade takes twice the time of the small model; tests of verdicts and of the documents ask
# for it.
os.environ["HALGO_ENTAILMENT"] = "small"
# `make test` runs two workers, each with models of its own: one thread each serves best.
if "PYTEST_XDIST_WORKER" in os.environ:
    os.environ.setdefault("HALGO_THREADS", "1")

# The first call of a test may load a model, and machines differ: no deadline, no slowness check.
settings.register_profile(
    "halgo",
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("halgo")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Nothing shipped needs torch, so a set-up goes without it; so do the tests that need it."""
    if item.get_closest_marker("torch") and importlib.util.find_spec("torch") is None:
        pytest.skip("torch is not installed; make torch brings it")


@pytest.fixture(scope="module", autouse=True)
def _left_by_others() -> None:
    """What earlier tests hold is no business of the garbage collector while this one is timed."""
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _no_network() -> Iterator[None]:
    """Any connection but to a socket file of this machine fails, names are not looked up."""
    connect = socket.socket.connect

    def refuse(self: socket.socket, address: Any) -> None:
        if self.family == getattr(socket, "AF_UNIX", None):
            return connect(self, address)
        raise OSError(f"a test tried to open a connection to {address!r}")

    def refuse_name(host: Any, *rest: Any, **options: Any) -> Any:
        raise OSError(f"a test tried to look up {host!r}")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", refuse)
        patch.setattr(socket.socket, "connect_ex", refuse)
        patch.setattr(socket, "getaddrinfo", refuse_name)
        yield
