"""Golden cases, end to end with the real models: the verdict a careful reader gives.

Each line of tests/golden/*.jsonl is a case; a fixed bug leaves its sentence there. One that is
judged wrong as yet says why (`missed`), and fails once it is judged right: the word can go then.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from halgo import Checker, ClaimKind, Halgorithm

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


@pytest.fixture(scope="module")
def halgorithm() -> Halgorithm:
    return Halgorithm()


@pytest.mark.parametrize("case", cases())
def test_the_verdict_is_the_one_a_careful_reader_gives(
    case: dict[str, Any], halgorithm: Halgorithm
) -> None:
    expected = case["verdict"] if isinstance(case["verdict"], list) else [case["verdict"]]
    report = Checker.from_docs(case["docs"], halgorithm=halgorithm).check_claims([case["claim"]])
    (result,) = report.results
    assert result.verdict.value in expected, (
        f"{result.verdict.value} ({result.reason}, score {result.score:.2f}): {result.message}\n"
        f"claim: {case['claim']}\ndocs: {case['docs']}\nbecause: {case.get('note', '')}"
    )


def test_there_are_as_many_cases_as_were_promised() -> None:
    assert len(cases()) >= 150


def test_every_case_is_a_claim_that_is_checked(halgorithm: Halgorithm) -> None:
    claims = [param.values[0]["claim"] for param in cases()]
    report = Checker.from_docs("x", halgorithm=halgorithm).check_claims(claims)
    assert len(report.results) == len(claims)
    assert {r.claim.kind for r in report.results} <= {ClaimKind.FACT, ClaimKind.ARITHMETIC}
