"""What holds for every framework: its telemetry is off, and no test opens a connection."""

from __future__ import annotations

import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

# Frameworks write into the user's home, and Guardrails AI can be told only there to send nothing.
_HOME = tempfile.TemporaryDirectory()
Path(_HOME.name, ".guardrailsrc").write_text("enable_metrics=false\n", encoding="utf-8")

# Before any test imports a framework that reads them.
os.environ |= {
    "HOME": _HOME.name,
    "HF_HUB_OFFLINE": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "DO_NOT_TRACK": "true",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "DEEPEVAL_TELEMETRY_OPT_OUT": "YES",
    "DEEPEVAL_UPDATE_WARNING_OPT_IN": "NO",
    "RAGAS_DO_NOT_TRACK": "true",
    "HAYSTACK_TELEMETRY_ENABLED": "False",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "LANGSMITH_TRACING": "false",
    "LANGFUSE_TRACING_ENABLED": "false",
    "PROMPTFOO_DISABLE_TELEMETRY": "1",
    "PROMPTFOO_DISABLE_UPDATE": "1",
}


@pytest.fixture(scope="session", autouse=True)
def _no_network() -> Iterator[None]:
    """Any connection but within this machine fails, and so does looking up a name."""
    connect, connect_ex, look_up = (
        socket.socket.connect,
        socket.socket.connect_ex,
        socket.getaddrinfo,
    )
    ours = ("127.0.0.1", "localhost", "::1", None)

    def checked(do: Any) -> Any:
        def call(self: socket.socket, address: Any) -> Any:
            if isinstance(address, tuple) and address[0] not in ours:
                raise OSError(f"a test tried to open a connection to {address!r}")
            return do(self, address)

        return call

    def named(host: Any, *rest: Any, **options: Any) -> Any:
        if host not in ours:
            raise OSError(f"a test tried to look up {host!r}")
        return look_up(host, *rest, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", checked(connect))
        patch.setattr(socket.socket, "connect_ex", checked(connect_ex))
        patch.setattr(socket, "getaddrinfo", named)
        yield


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some frameworks write files where they are run."""
    monkeypatch.chdir(tmp_path)
