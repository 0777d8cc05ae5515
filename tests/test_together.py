"""Callers that share the calls of models: each gets what it would have got alone."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from benchmarks import soak
from halgo import Checker, ConfigError, Halgorithm, process
from halgo.facts import parse
from halgo.together import Together

# Long and short, repeated, odd and empty: what callers bring at the same time.
TEXTS = [
    "The pump was sold in May 2021.",
    "Anna Costa has led the plant since 1987, and nobody else has.",
    "It weighs 40 kg.",
    "",
    "Revenue grew from $8 million to $10 million, which is 25% more than the board had planned.",
    "naïve café — 3,5 € ***",
    "Either party may end the agreement with sixty (60) days' notice; fees that are due stay due.",
    "It weighs 40 kg.",
]


@pytest.fixture(autouse=True)
def _waiting(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Long enough that callers of a test meet on a busy machine."""
    monkeypatch.setattr(process, "_wait_ms", 200.0)
    yield


class Counting:
    """Doubles numbers, and remembers what each call was given."""

    def __init__(self, *, takes_s: float = 0.02) -> None:
        self.calls: list[list[int]] = []
        self.takes_s = takes_s

    def __call__(self, items: Sequence[int]) -> list[int]:
        self.calls.append(list(items))
        time.sleep(self.takes_s)
        if 13 in items:
            raise ValueError("thirteen")
        return [2 * item for item in items]


def _at_once(together: Together[int, int], lists: Sequence[list[int]]) -> list[object]:
    """What each of several threads gets that call at the same time: results or the error."""
    barrier = threading.Barrier(len(lists))

    def call(items: list[int]) -> object:
        barrier.wait()
        try:
            return together(items)
        except ValueError as error:
            return str(error)

    with ThreadPoolExecutor(len(lists)) as pool:
        return list(pool.map(call, lists))


def test_callers_that_come_together_share_calls_and_get_their_own_results() -> None:
    work = Counting()
    lists = [[n, n + 1] for n in range(20, 36)]
    assert _at_once(Together(work, most=100), lists) == [[2 * n, 2 * n + 2] for n in range(20, 36)]
    assert len(work.calls) < len(lists) / 2
    assert sorted(item for call in work.calls for item in call) == sorted(
        item for some in lists for item in some
    )


def test_a_caller_that_is_alone_never_waits() -> None:
    together = Together(Counting(takes_s=0), most=100)
    start = time.monotonic()
    for n in range(20, 120):
        assert together([n]) == [2 * n]
    assert time.monotonic() - start < 5  # where each would wait, 20 s


def test_an_error_meets_the_caller_that_caused_it_and_no_other() -> None:
    work = Counting()
    together = Together(work, most=100)
    assert _at_once(together, [[1], [13], [2, 3]]) == [[2], "thirteen", [4, 6]]
    assert together([5]) == [10]


def test_a_long_list_goes_alone_and_a_round_takes_so_many_at_most() -> None:
    work = Counting()
    together = Together(work, most=4)
    lists = [[1, 2], [3, 4], [5, 6], list(range(20, 60))]
    assert _at_once(together, lists) == [[2 * n for n in some] for some in lists]
    assert lists[3] in work.calls
    assert all(len(call) <= 4 for call in work.calls if call != lists[3])


def test_an_interrupted_leader_leaves_nobody_waiting() -> None:
    entered = threading.Event()

    def work(items: Sequence[int]) -> list[int]:
        if threading.current_thread().name == "interrupted":
            entered.set()
            time.sleep(0.1)
            raise KeyboardInterrupt
        return [2 * item for item in items]

    together = Together(work, most=100)

    def call() -> None:
        with pytest.raises(KeyboardInterrupt):
            together([1])

    first = threading.Thread(target=call, name="interrupted")
    first.start()
    assert entered.wait(5)
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(together, [[2], [3], [4]])) == [[4], [6], [8]]
    first.join()


def test_without_a_wait_every_caller_calls_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_wait_ms", 0.0)
    work = Counting()
    _at_once(Together(work, most=100), [[1], [2], [3]])
    assert sorted(work.calls) == [[1], [2], [3]]


@pytest.mark.parametrize("setting", [{"threads": 0}, {"wait_ms": -1}, {"wait_ms": float("nan")}])
def test_settings_that_make_no_sense_are_told(setting: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match=next(iter(setting))):
        process.configure(**setting)  # type: ignore[arg-type]


def test_settings_come_from_the_environment_where_none_are_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(process, "_wait_ms", None)
    assert process.wait_s() == 0.002
    monkeypatch.setenv("HALGO_WAIT_MS", "0")
    monkeypatch.setenv("HALGO_THREADS", "3")
    assert (process.wait_s(), process.threads()) == (0.0, 3)
    monkeypatch.setenv("HALGO_THREADS", "many")
    with pytest.raises(ConfigError, match="HALGO_THREADS is a whole number"):
        process.threads()


@pytest.mark.models
def test_a_vector_is_the_same_bit_for_bit_whoever_calls_beside_it() -> None:
    embedder = Halgorithm().embedder
    alone = np.concatenate([embedder.embed([text]) for text in TEXTS])
    with ThreadPoolExecutor(len(TEXTS)) as pool:
        beside = list(pool.map(lambda text: embedder.embed([text, *TEXTS[:2]])[0], TEXTS))
    assert np.array_equal(alone, np.array(beside))


@pytest.mark.models
@pytest.mark.parametrize("size", [2, 5, 8])
def test_a_parse_is_the_same_bit_for_bit_whatever_is_parsed_beside_it(size: int) -> None:
    def parsed(texts: Sequence[str]) -> list[tuple[bytes, bytes]]:
        found = parse._parsed(texts)
        return [(doc.tensor.tobytes(), doc.to_bytes(exclude=["tensor"])) for doc in found]

    alone = [parsed([text])[0] for text in TEXTS]
    for start in range(len(TEXTS)):
        some = [(start + step) % len(TEXTS) for step in range(size)]
        assert parsed([TEXTS[at] for at in some]) == [alone[at] for at in some]


@pytest.mark.models
def test_reports_of_eight_threads_are_those_of_one() -> None:
    halgorithm = Halgorithm()
    checker = Checker.from_docs(
        ["The pump was sold in May 2020 for $8 million.", "Costa has led the plant since 1987."],
        halgorithm=halgorithm,
    )
    answers = [
        f"The pump was sold in May 20{year} for ${year} million. Costa has led it since 19{year}."
        for year in range(20, 36)
    ]
    parse._recent.clear()
    alone = [checker.check(answer).to_json() for answer in answers]
    parse._recent.clear()
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda a: checker.check(a).to_json(), answers)) == alone


@pytest.mark.models
def test_threads_of_several_processes_on_one_index_give_equal_reports() -> None:
    """The same for ten minutes, with four processes, and their memory: make soak."""
    found = {one["what"]: one for one in soak.run(2, 8, seconds=1, chunks=20, answers=4)}
    assert all(one["ok"] for what, one in found.items() if "grew" not in what), found
    assert found["2 processes with 8 threads each, checks"]["value"] >= 2 * 8 * 2
