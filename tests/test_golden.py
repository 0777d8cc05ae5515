"""Golden cases, end to end with the real models: the verdict a careful reader gives.

Each line of tests/golden/*.jsonl is a case; a fixed bug leaves its sentence there. One that is
judged wrong as yet says why (`missed`), and fails once it is judged right: the word can go then.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from halgo import Checker, ClaimKind, ClaimResult, Halgorithm

pytestmark = pytest.mark.models

GOLDEN = Path(__file__).parent / "golden"


def cases() -> list[Any]:
    found = []
    for path in sorted(GOLDEN.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            missed = pytest.mark.xfail(reason=case.get("missed", ""), strict=True)
            marks = [missed] if "missed" in case else []
            found.append(pytest.param(case, id=f"{path.stem}-{case['id']}", marks=marks))
    return found


Case = dict[str, Any]


class Checkers:
    """The checker of a case's documents; neighbours have the same."""

    def __init__(self) -> None:
        self.halgorithm = Halgorithm(entailment="cascade")
        self._last: tuple[Any, Checker] | None = None

    def of(self, docs: Any) -> Checker:
        if self._last is None or self._last[0] != docs:
            self._last = docs, Checker.from_docs(docs, halgorithm=self.halgorithm)
        return self._last[1]


@pytest.fixture(scope="module")
def checkers() -> Checkers:
    return Checkers()


def judged(case: Case, checker: Checker) -> ClaimResult:
    """The result of a case; of a short answer to a question, its worst claim's."""
    if "question" not in case:
        (result,) = checker.check_claims([case["claim"]]).results
        return result
    results = checker.check(case["claim"], case["question"]).results
    return min(results, key=lambda one: (one.verdict.value == "SUPPORTED", one.score))


@pytest.mark.parametrize("case", cases())
def test_the_verdict_is_the_one_a_careful_reader_gives(case: Case, checkers: Checkers) -> None:
    expected = case["verdict"] if isinstance(case["verdict"], list) else [case["verdict"]]
    result = judged(case, checkers.of(case["docs"]))
    assert result.claim.kind in (ClaimKind.FACT, ClaimKind.ARITHMETIC)
    assert result.verdict.value in expected, (
        f"{result.verdict.value} ({result.reason}, score {result.score:.2f}): {result.message}\n"
        f"claim: {case['claim']}\ndocs: {case['docs']}\nbecause: {case.get('note', '')}"
    )


def test_there_are_as_many_cases_as_were_promised() -> None:
    assert len(cases()) >= 150
