"""Ten cases for every framework, each through the framework itself.

A framework is a file `drive_<name>.py` beside this one: `make()` gives the object of
`halgo.integrations` that its users make, `run(made, answer, contexts, question)` has the framework
use it and gives what its users see of it, and `arun` does the same in the framework's asynchronous
way.
"""

from __future__ import annotations

import asyncio
import math
import pickle
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from seen import Seen
from texts import CONTRADICTED, GROUNDED, LEASE, QUESTION, REFUSAL, SHORT, SOURCES

DRIVERS = sorted(path.stem for path in Path(__file__).parent.glob("drive_*.py"))


@pytest.fixture(scope="module", params=DRIVERS, ids=lambda name: name.removeprefix("drive_"))
def driver(request: pytest.FixtureRequest) -> ModuleType:
    return import_module(request.param)


def seen(driver: ModuleType, answer: str, contexts: list[str]) -> Seen:
    found: Seen = driver.run(driver.make(), answer, contexts)
    return found


def assert_not_assessed(found: Seen) -> None:
    assert found.score is None  # neither 1, nor 0 for what was never judged, nor NaN
    assert found.passed is not True
    assert found.reason


def test_a_grounded_answer_passes(driver: ModuleType) -> None:
    found = seen(driver, GROUNDED, SOURCES)
    assert found.passed is True
    assert found.score is not None
    assert 0.5 < found.score <= 1


def test_a_contradiction_fails_and_names_both_values(driver: ModuleType) -> None:
    found = seen(driver, CONTRADICTED, SOURCES)
    assert found.passed is False
    assert found.score is not None
    assert not math.isnan(found.score)
    assert found.score <= 0.5
    if getattr(driver, "NAMES_VALUES", True):
        assert "5%" in found.reason
        assert "1.5%" in found.reason


def test_a_refusal_is_not_assessed(driver: ModuleType) -> None:
    assert_not_assessed(seen(driver, REFUSAL, SOURCES))


def test_an_empty_answer_is_not_assessed(driver: ModuleType) -> None:
    assert_not_assessed(seen(driver, "", SOURCES))


def test_an_answer_without_sources_is_not_assessed(driver: ModuleType) -> None:
    assert_not_assessed(seen(driver, GROUNDED, []))


def test_each_claim_is_shown_with_its_place_in_answer_and_source(driver: ModuleType) -> None:
    if not getattr(driver, "SHOWS_CLAIMS", True):
        pytest.skip("this seam of the framework has no place for claims")
    first, second = seen(driver, CONTRADICTED, SOURCES).records
    for record in (first, second):
        start, end = record["span"]
        assert CONTRADICTED[start:end] == record["claim"]
    assert (first["verdict"], second["verdict"]) == ("SUPPORTED", "CONTRADICTION")
    assert second["passage"] == SOURCES[0]
    start, end = second["source_span"]
    assert SOURCES[0][start:end] == second["passage"]


def test_a_short_answer_is_checked_with_its_question(driver: ModuleType) -> None:
    if not getattr(driver, "TELLS_QUESTION", True):
        pytest.skip("the framework does not hand over the question")
    assert seen(driver, SHORT, LEASE).passed is True
    assert driver.run(driver.make(), SHORT, LEASE, QUESTION).passed is False


def test_it_works_while_an_event_loop_is_running(driver: ModuleType) -> None:
    arun = getattr(driver, "arun", None)

    async def within() -> Seen:
        if arun is None:
            return seen(driver, CONTRADICTED, SOURCES)
        found: Seen = await arun(driver.make(), CONTRADICTED, SOURCES)
        return found

    assert asyncio.run(within()) == seen(driver, CONTRADICTED, SOURCES)


def test_threads_do_not_mix_up_answers(driver: ModuleType) -> None:
    answers = [GROUNDED, CONTRADICTED] * 2
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda answer: seen(driver, answer, SOURCES), answers))
    assert [one.passed for one in found] == [True, False] * 2


def test_it_can_be_pickled(driver: ModuleType) -> None:
    made = pickle.loads(pickle.dumps(driver.make()))
    assert driver.run(made, CONTRADICTED, SOURCES) == seen(driver, CONTRADICTED, SOURCES)
