"""Rules and the entailment model at the same time: other claims' reports stay what they are."""

import threading
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from halgo import Checker, Config, Halgorithm, process

TEXT = "The ferry leaves at nine. Tickets cost 12 euros. Dogs travel free. The bar opens at ten."
ANSWER = (
    "The ferry leaves at nine. Tickets cost 13 euros. Dogs pay half. The bar opens at noon. "
    "Bicycles travel free. The crossing takes an hour."
)


class Says:
    """An entailment model that tells pairs apart by their letters, and remembers who asked."""

    name = "says"

    def __init__(self, *, parallel: bool = False, fails: str = "") -> None:
        self.parallel, self.fails = parallel, fails
        self.threads: set[str] = set()
        self.calls = 0

    def predict(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray[Any, Any]:
        self.threads.add(threading.current_thread().name)
        self.calls += 1
        if any(self.fails and self.fails in claim for _, claim in pairs):
            raise RuntimeError("the model is out of order")
        entailed = np.array([[len(premise + claim) % 10 / 10] for premise, claim in pairs])
        return np.hstack([entailed, 1 - entailed, 0 * entailed]).astype(np.float32)


def checked(model: Says, threads: int, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(process, "_threads", threads)
    halgorithm = Halgorithm(Config(cascade=False), embedder="lexical", entailment=model)
    return Checker.from_docs(TEXT, halgorithm=halgorithm).check(ANSWER).to_json()


def test_a_report_does_not_depend_on_the_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    alone, shared = Says(parallel=True), Says(parallel=True)
    assert checked(alone, 1, monkeypatch) == checked(shared, 3, monkeypatch)
    assert alone.threads == {threading.current_thread().name}
    assert all(name.startswith("halgo-read") for name in shared.threads)


def test_a_model_that_does_not_say_it_may_is_called_for_all_claims_by_the_caller(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = Says()
    assert checked(model, 3, monkeypatch) == checked(Says(parallel=True), 3, monkeypatch)
    assert (model.calls, model.threads) == (2, {threading.current_thread().name})


def test_what_a_model_raises_in_a_thread_of_its_own_reaches_the_caller(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(RuntimeError, match="out of order"):
        checked(Says(parallel=True, fails="Bicycles"), 3, monkeypatch)
    assert not [one for one in threading.enumerate() if one.name.startswith("halgo-read")]
