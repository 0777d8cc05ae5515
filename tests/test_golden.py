"""Golden cases, end to end with the real models: the verdict a careful reader gives.

Each line of tests/golden/*.jsonl is a case; a fixed bug leaves its sentence there. One that is
judged wrong as yet says why (`missed`), and fails once it is judged right: the word can go then.
"""

import json
import multiprocessing
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
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
Judged = tuple[str, str]  # the verdict, and it with its grounds
_FEW = 40  # cases that are judged in less time than a process takes to begin


def _of_case(checker: Checker, case: Case) -> ClaimResult:
    """The result of a case; of a short answer to a question, its worst claim's."""
    if "question" not in case:
        (result,) = checker.check_claims([case["claim"]]).results
        return result
    results = checker.check(case["claim"], case["question"]).results
    return min(results, key=lambda one: (one.verdict.value == "SUPPORTED", one.score))


def judged(cases: Sequence[Case]) -> list[Judged]:
    halgorithm = Halgorithm(entailment="cascade")
    found = []
    for case in cases:
        checker = Checker.from_docs(case["docs"], halgorithm=halgorithm)
        result = _of_case(checker, case)
        said = f"{result.verdict.value} ({result.reason}, score {result.score:.2f})"
        found.append((result.verdict.value, f"{said}: {result.message}"))
    return found


@pytest.fixture(scope="module")
def verdicts(request: pytest.FixtureRequest) -> dict[str, Judged]:
    """What is said of each case that was asked for, two processes at work."""
    asked = [
        item.callspec.params["case"]
        for item in request.session.items
        if item.path == request.path and hasattr(item, "callspec")
    ]
    if len(asked) < _FEW:
        return dict(zip(map(json.dumps, asked), judged(asked), strict=True))
    parts = [asked[0::2], asked[1::2]]
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        found = list(pool.map(judged, parts))
    return {
        json.dumps(case): said
        for part, some in zip(parts, found, strict=True)
        for case, said in zip(part, some, strict=True)
    }


@pytest.mark.parametrize("case", cases())
def test_the_verdict_is_the_one_a_careful_reader_gives(
    case: Case, verdicts: dict[str, Judged]
) -> None:
    expected = case["verdict"] if isinstance(case["verdict"], list) else [case["verdict"]]
    verdict, said = verdicts[json.dumps(case)]
    assert verdict in expected, (
        f"{said}\nclaim: {case['claim']}\ndocs: {case['docs']}\nbecause: {case.get('note', '')}"
    )


def test_there_are_as_many_cases_as_were_promised() -> None:
    assert len(cases()) >= 150


def test_every_case_is_a_claim_that_is_checked() -> None:
    claims = [param.values[0]["claim"] for param in cases()]
    report = Checker.from_docs("x").check_claims(claims)
    assert len(report.results) == len(claims)
    assert {r.claim.kind for r in report.results} <= {ClaimKind.FACT, ClaimKind.ARITHMETIC}
