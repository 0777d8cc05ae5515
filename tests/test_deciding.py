"""Which sentences a reader is shown beside a verdict, and in which words the verdict is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from halgo import Config, Halgorithm, Verdict
from halgo.report.marks import missing, passages, why
from halgo.report.quotes import quotes
from halgo.report.text import render as as_text
from halgo.types import ClaimResult

LEAFLET = """Velormin treats acute migraine in adults. It does not prevent attacks.

Take one tablet when the headache begins. Keep the tablets below 25 degrees.

The tablets also contain lactose."""
STORE = """A press of the two keys locks the panel. It stays locked when the machine is off.

The company lends a laptop and a monitor. Equipment is returned within ten days."""


@pytest.fixture(scope="module")
def halgorithm() -> Halgorithm:
    return Halgorithm(Config(), embedder="lexical", entailment=None)


def judged(halgorithm: Halgorithm, document: str, claim: str) -> ClaimResult:
    (result,) = halgorithm.checker(document).check_claims([claim]).results
    return result


def shown(result: ClaimResult) -> str:
    return " ".join("".join(run.text for run in one.runs) for one in passages(result))


@pytest.mark.parametrize(
    ("document", "claim", "sentences"),
    [
        # Two sentences that stand side by side are shown as one passage.
        (
            LEAFLET,
            "Velormin treats acute migraine, but it is not made to prevent attacks.",
            ["treats acute migraine", "does not prevent attacks"],
        ),
        # What stands far apart is shown one after the other.
        (
            STORE,
            "The company lends a monitor, and the two keys lock the panel.",
            ["lends a laptop", "two keys locks the panel"],
        ),
        (LEAFLET, "The tablets contain lactose.", ["contain lactose"]),
    ],
)
def test_each_clause_of_a_claim_has_its_sentence(
    document: str, claim: str, sentences: list[str], halgorithm: Halgorithm
) -> None:
    told = shown(judged(halgorithm, document, claim))
    for sentence in sentences:
        assert sentence in told


BIKES = """Take your bike on the tram as long as you observe the following rules:

- Bikes may board the tram at any time.
- No more than two bikes are allowed in each tram.
- Riders under 16 are with an adult."""


def test_neither_a_lead_in_nor_what_all_say_is_shown_first(halgorithm: Halgorithm) -> None:
    claim = "A rider of 14 may take a bike on the tram only with an adult."
    first = judged(halgorithm, BIKES, claim).assessments[0].evidence
    assert "with an adult" in first.span.of(BIKES)


def test_a_sentence_that_adds_nothing_is_not_shown(halgorithm: Halgorithm) -> None:
    result = judged(halgorithm, LEAFLET, "The tablets also contain lactose.")
    assert shown(result) == "The tablets also contain lactose."
    assert result.rests_on == 1


def test_the_passage_that_is_shown_comes_first_and_is_quoted(halgorithm: Halgorithm) -> None:
    checker = halgorithm.checker(LEAFLET)
    (result,) = checker.check_claims(["The tablets are kept below 30 degrees."]).results
    first = result.assessments[0].evidence
    assert "below 25 degrees" in first.span.of(LEAFLET)
    assert first.best.of(first.reading.text) == first.span.of(LEAFLET)
    assert [quote.text for quote in quotes(result, checker.index)] == [first.span.of(LEAFLET)]


def test_the_order_of_display_changes_no_verdict(halgorithm: Halgorithm) -> None:
    claim = "The company lends a monitor, and the two keys lock the panel."
    report = halgorithm.checker(STORE).check_claims([claim])
    again = report.rethreshold()
    assert again.results == report.results
    turned = replace(report.results[0], assessments=report.results[0].assessments[::-1])
    (other,) = replace(report, results=(turned,)).rethreshold().results
    assert (other.verdict, other.score) == (turned.verdict, turned.score)


def test_a_report_shows_all_that_a_verdict_rests_on(halgorithm: Halgorithm) -> None:
    claim = "The company lends a monitor, and the two keys lock the panel."
    report = halgorithm.checker(STORE).check_claims([claim])
    told = as_text(report, color=False)
    assert "lends a laptop" in told and "the two keys locks the panel" in told


@pytest.mark.parametrize(
    ("document", "claim", "message"),
    [
        ("The bill was 118 pounds.", "The bill was 54 pounds.", "The claim says 54 pounds;"),
        (
            "The fee is 0.40 crowns per litre.",
            "The fee is 4,000 crowns per litre.",
            "The claim says 4,000 crowns; the source says 0.40 crowns.",
        ),
        (
            "Treat the burn at once. The drug does not cause drowsiness.",
            "The drug causes drowsiness.",
            "The source denies this: “The drug does not cause drowsiness”.",
        ),
        (
            "The door alarm rang before the guard left.",
            "The door alarm rang after the guard left.",
            "“The door alarm rang before the guard left”",
        ),
    ],
)
def test_a_message_has_the_words_that_a_reader_needs(
    document: str, claim: str, message: str, halgorithm: Halgorithm
) -> None:
    told = why(judged(halgorithm, document, claim))
    assert message in told
    assert "(claim:" not in told


def test_numbers_and_months_are_not_listed_as_words_that_are_missing() -> None:
    from halgo.claims.extract import as_claims

    (claim,) = as_claims(["In April Zed Corp paid 54 million and eight euros."])
    terms = ("54", "april", "corp", "eight", "million", "zed")
    result = ClaimResult(claim, Verdict.HALLUCINATION, "", "", 0.1, (), unsupported_terms=terms)
    assert missing(result) == ["Corp", "Zed"]
    assert missing(replace(result, verdict=Verdict.WEAK_SUPPORT)) == []


def test_a_sum_over_the_words_of_a_sentence_does_not_depend_on_their_order() -> None:
    from halgo.types import Reading, Sentence, Span
    from halgo.verdict.deciding import Place, _Aligned

    # A set of strings has another order in each process, and 0.1 + 0.2 + 0.3 another sum.
    place = Place("a", Sentence(Span(0, 1), Reading.verbatim("a")))
    rarity = {"cat": 0.1, "dog": 0.2, "eel": 0.3}
    one, other = (
        _Aligned(place, dict.fromkeys(words, 1.0))
        for words in (sorted(rarity), ["eel", "dog", "cat"])
    )
    assert one.of_rare(rarity) == other.of_rare(rarity)
