"""Claims whose facts stand in several passages: their parts, and the verdict of all together."""

from __future__ import annotations

import pytest

from halgo import Config, Halgorithm, Verdict
from halgo.claims.extract import as_claims, extract
from halgo.claims.parts import parts_of
from halgo.facts import extract as facts_of
from halgo.facts.parse import parse
from halgo.verdict.pooling import amounts_of, pooled

pytestmark = pytest.mark.models

PLANS = ["The Basic plan costs 9 EUR a month.", "The Pro plan costs 19 EUR a month."]
BOTH = "The Basic plan costs 9 EUR a month and the Pro plan 19 EUR a month."
SWAPPED = "The Basic plan costs 19 EUR a month and the Pro plan 9 EUR a month."


def parts(text: str) -> list[str]:
    (claim,) = as_claims([text])
    (doc,), (facts,) = parse([text]), facts_of([text])
    return [part.text for part in parts_of(claim, doc, amounts_of(facts))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (BOTH, ["The Basic plan costs 9 EUR a month", "the Pro plan costs 19 EUR a month"]),
        (
            "The small hall seats 80 people, the large hall 450.",
            ["The small hall seats 80 people", "the large hall seats 450"],
        ),
        (
            "The agreement limits liability to $2M and requires 30-day notice.",
            ["The agreement limits liability to $2M", "The agreement requires 30-day notice"],
        ),
        ("The Basic plan costs 9 EUR.", []),
        ("It sold 300 copies in Vienna and 40 in Graz.", []),
        ("The fee is between 9 EUR and 19 EUR.", []),
        ("Rain fell on 3 May, 5 May and 9 May.", []),
        ("9 EUR and 19 EUR.", []),
    ],
)
def test_a_claim_is_divided_where_each_part_stands_by_itself(
    text: str, expected: list[str]
) -> None:
    assert parts(text) == expected


def test_parts_point_into_the_answer_and_keep_what_it_refers_to() -> None:
    answer = "Acme is a firm. It limits liability to $2M and requires 30-day notice."
    claim = extract(answer)[1]
    (doc,), (facts,) = parse([claim.text]), facts_of([claim.text])
    first, second = parts_of(claim, doc, amounts_of(facts))
    assert first.resolved.startswith("Acme") and second.resolved.startswith("Acme")
    for part in (first, second):
        for piece in part.reading.pieces:
            assert piece.span.of(answer) in part.text


@pytest.fixture(scope="module")
def halgorithm() -> Halgorithm:
    return Halgorithm(embedder="lexical", entailment=None)


def test_a_claim_is_contradicted_when_a_part_is(halgorithm: Halgorithm) -> None:
    checker = halgorithm.checker(PLANS)
    (whole,) = checker.check(BOTH)
    parts = checker.check_claims([PLANS[0].replace("9", "8"), PLANS[1]]).results
    assert whole.verdict is Verdict.SUPPORTED
    assert [part.verdict for part in parts] == [Verdict.CONTRADICTION, Verdict.SUPPORTED]
    result = pooled(whole, parts)
    assert result.verdict is Verdict.CONTRADICTION and len(result.parts) == 2
    assert (result.reason, result.message) == (parts[0].reason, parts[0].message)
    assert result.evidence is not None and result.evidence in [
        found.evidence for found in parts[0].assessments
    ]


def test_other_thresholds_judge_the_parts_again(halgorithm: Halgorithm) -> None:
    checker = halgorithm.checker(PLANS)
    for answer in (BOTH, SWAPPED):
        report = checker.check(answer)
        assert report.rethreshold(0.30) == report
        strict = report.rethreshold(0.98, support_threshold=1.0)
        config = Config(threshold=0.98, support_threshold=1.0)
        assert not any(result.verdict is Verdict.SUPPORTED for result in strict)
        assert [r.verdict for r in strict] == [
            r.verdict for r in checker.with_config(config).check(answer)
        ]


def test_a_claim_that_one_passage_holds_is_not_divided(halgorithm: Halgorithm) -> None:
    (result,) = halgorithm.checker([BOTH, *PLANS]).check(BOTH)
    assert result.verdict is Verdict.SUPPORTED and result.parts == ()
