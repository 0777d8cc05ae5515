"""A Ray Data job over two workers, one of which is killed in the middle: each id once."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import halgo

ray = pytest.importorskip("ray", reason="the extra ray")

CONTRACT = ["A late fee of 1.5% per month applies.", "Payment is due within 30 days."]
ROWS = 60


class Killed(halgo.TableChecker):
    """A checker that notes which process it is in, and dies over the row q25, once."""

    def __init__(self, folder: str, **columns: Any) -> None:
        super().__init__(**columns)
        self.folder = Path(folder)

    def __call__(self, table: Any) -> Any:
        (self.folder / f"pid-{os.getpid()}").touch()
        dead = self.folder / f"killed-{os.getpid()}"
        if "q25" in set(table["id"]) and not any(self.folder.glob("killed-*")):
            dead.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().__call__(table)


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two workers on this machine."""
    path = os.pathsep.join([str(Path(halgo.__file__).parent.parent), str(Path(__file__).parent)])
    monkeypatch.setenv("PYTHONPATH", path)  # the workers need this module
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")  # nobody reaches it from elsewhere
    monkeypatch.setenv("RAY_raylet_start_wait_time_s", "300")  # for a machine that is busy
    try:
        ray.init(
            num_cpus=2,
            include_dashboard=False,
            _node_ip_address="127.0.0.1",
            object_store_memory=100_000_000,
            log_to_driver=False,
        )
    except Exception as error:  # its own agents get a fixed 15 s to start, on any machine
        pytest.skip(f"no node of Ray's came up here: {error!r:.200}")
    yield
    ray.shutdown()


@pytest.mark.usefixtures("cluster")
def test_a_job_outlives_one_of_its_two_workers(tmp_path: Path) -> None:
    rows = [
        {"id": f"q{at}", "answer": f"The late fee is {at}% per month.", "contexts": CONTRACT}
        for at in range(ROWS)
    ]
    table = ray.data.from_items(rows, override_num_blocks=6)
    found = table.map_batches(
        Killed,
        fn_constructor_kwargs={"folder": str(tmp_path), "documents": "contexts"},
        batch_format="pandas",
        batch_size=10,
        concurrency=2,
    )
    told = found.take_all()
    assert sorted(row["id"] for row in told) == sorted(row["id"] for row in rows)  # each once
    verdicts = {row["id"]: row for row in told}
    killed = [path.name.partition("-")[2] for path in tmp_path.glob("killed-*")]
    processes = [path.name.partition("-")[2] for path in tmp_path.glob("pid-*")]
    assert len(killed) == 1 and len(set(processes) - set(killed)) >= 2
    assert verdicts["q5"]["grounded"] is False and verdicts["q5"]["contradiction"] == 1
    assert [row["error"] for row in verdicts.values()].count(None) == ROWS
