"""A claim with one detail missing is supported in part: the detail is named, the sentence shown."""

from __future__ import annotations

from typing import Any

import pytest

from halgo import Halgorithm
from halgo.report.details import rests
from halgo.report.verification import SelfVerifier

pytestmark = pytest.mark.models

LIND = (
    "Dr. Mara Lind joined the institute in 2019 as a chemist. "
    "She leads the coatings group. "
    "The group has nine members."
)
BRIDGE = (
    "The Tarn bridge was opened in 1968. "
    "It carries two lanes of traffic. "
    "It was painted green in 2004."
)
SHOES = (
    "Customers may return shoes within 30 days. "
    "The shop refunds the price to the card that was used. "
    "Sale items are excluded."
)
MUSEUM = (
    "The Orla museum sold 48,000 tickets in 2023. "
    "Most visitors came from abroad. "
    "The café was enlarged."
)
DAIRY = (
    "Kestrel Foods bought the dairy in Lund. "
    "The price was not disclosed. "
    "The dairy employs 140 people."
)
DRUG = "The patient was given 5 mg of the drug. The fever fell after two days. No rash was seen."
TRAM = (
    "The council approved the tram line on 4 March. "
    "Work is to begin in autumn. "
    "The line has 14 stops."
)
PHONE = (
    "The phone has a 6.1 inch screen and weighs 170 g. "
    "The battery lasts a day. "
    "It is sold in black."
)
HOLIDAY = (
    "Employees get 28 days of holiday a year. "
    "Unused days expire in March. "
    "Part-time staff get a share."
)
PROBE = (
    "The Vega probe was launched in 2011 from Kourou. "
    "It reached Ceres in 2015. "
    "Its camera failed in 2018."
)
BRAKES = (
    "The factory in Brno makes brake discs. It was founded in 1954. It exports to nine countries."
)
FESTIVAL = "The festival drew 20,000 visitors. It lasted three days. Rain spoiled the last evening."
SURVEY = (
    "The survey asked 1,200 voters. "
    "54% were in favour of the law. "
    "The rest were undecided or against."
)
THEFT = (
    "The insurance covers theft of bicycles. "
    "The claim must be filed within 14 days. "
    "Police must be told."
)
THERAPY = (
    "The therapy received approval in Q1 2024. It is given once a week. It costs 900 euros a month."
)
PART, NONE, ALL = "PARTIALLY_SUPPORTED", "NOT_SUPPORTED", "SUPPORTED"
_MODEL = "the entailment model takes the whole claim for supported"
MISSED = {
    "The patient was given 5 mg of the drug intravenously.": _MODEL,
    "Kestrel Foods bought the brewery in Lund.": "a wrong object counts as a missing detail",
}

# document, claim, verdict, a word of the note, the beginning of the sentence that is shown
# fmt: off
CASES = [
    (LIND, "Mara Lind joined the institute in 2019 as a chemist from Oslo.", PART,
     "Oslo", "Dr. Mara Lind joined"),
    (BRIDGE, "The Tarn bridge was opened in 1968 by Queen Astrid.", PART,
     "Astrid", "The Tarn bridge was opened"),
    (SHOES, "Customers may return shoes within 30 days with the original receipt.", PART,
     "receipt", "Customers may return shoes"),
    (MUSEUM, "The Orla museum sold 48,000 tickets in 2023, most of them online.", PART,
     "online", "The Orla museum sold"),
    (DAIRY, "Kestrel Foods bought the dairy in Lund for 12 million euros.", PART,
     "12 million", "Kestrel Foods bought"),
    (DRUG, "The patient was given 5 mg of the drug intravenously.", PART,
     "intravenously", "The patient was given"),
    (TRAM, "The council approved the tram line on 4 March by a large majority.", PART,
     "majority", "The council approved"),
    (PHONE, "The phone has a 6.1 inch screen and a titanium frame.", PART,
     "titanium", "The phone has a 6.1"),
    (HOLIDAY, "Employees get 28 days of holiday a year and a free gym membership.", PART,
     "gym", "Employees get 28 days"),
    (PROBE, "The Vega probe was launched in 2011 from Kourou on an Ariane rocket.", PART,
     "Ariane", "The Vega probe was launched"),
    (BRAKES, "The factory in Brno makes carbon brake discs.", PART,
     "carbon", "The factory in Brno"),
    (FESTIVAL, "The festival in Malmö drew 20,000 visitors.", PART,
     "Malmö", "The festival drew"),
    (SURVEY, "The survey, carried out by Norstat, found that 54% were in favour of the law.", PART,
     "Norstat", "54% were in favour"),
    (THEFT, "The insurance covers theft of bicycles and laptops.", PART,
     "laptops", "The insurance covers"),
    (THERAPY, "The therapy received approval in March 2024.", NONE,
     "Q1 2024", "The therapy received"),
    (MUSEUM, "The Orla museum sold 84,000 tickets in 2023.", NONE,
     "48,000", "The Orla museum sold"),
    (BRIDGE, "The Tarn bridge was opened in 1986.", NONE,
     "1968", "The Tarn bridge was opened"),
    (SHOES, "Customers may return shoes within 60 days.", NONE,
     "30 days", "Customers may return"),
    (DAIRY, "Kestrel Foods bought the brewery in Lund.", NONE,
     "brewery", "Kestrel Foods bought"),
    (BRAKES, "Mario Rossi was elected mayor of Brno.", NONE,
     "", ""),
    (LIND, "In 2019 the chemist Mara Lind joined the institute.", ALL,
     "", "Dr. Mara Lind"),
    (TRAM, "The tram line was approved by the council on 4 March.", ALL,
     "", "The council approved"),
    (PHONE, "The phone weighs 170 g and has a 6.1 inch screen.", ALL,
     "", "The phone has"),
    (THEFT, "Theft of bicycles is covered by the insurance.", ALL,
     "", "The insurance covers"),
]
# fmt: on


@pytest.fixture(scope="module")
def halgorithm() -> Halgorithm:
    return Halgorithm()


def cases() -> list[Any]:
    return [
        pytest.param(
            *case,
            id=case[1],
            marks=[pytest.mark.xfail(reason=MISSED[case[1]], strict=True)]
            if case[1] in MISSED
            else [],
        )
        for case in CASES
    ]


@pytest.mark.parametrize(("document", "claim", "verdict", "word", "shown"), cases())
def test_a_missing_detail_is_named_and_a_wrong_one_is_no_support(
    document: str, claim: str, verdict: str, word: str, shown: str, halgorithm: Halgorithm
) -> None:
    (found,) = SelfVerifier(halgorithm.checker(document)).verify_claims([claim])
    assert found.verdict.value == verdict, found.note
    assert word in (found.note or "")
    assert (found.sources[0].text if found.sources else "").startswith(shown)


def test_what_is_left_of_a_claim_still_stands_in_the_answer(halgorithm: Halgorithm) -> None:
    answer = "Hello! Mara Lind joined the institute in 2019 as a chemist from Oslo."
    report = halgorithm.checker(LIND).check(answer)
    (some,) = rests(report.results)
    assert some[0].detail == "from Oslo"
    left: Any = some[0].claim
    assert left.text == "Mara Lind joined the institute in 2019 as a chemist"
    for piece in left.reading.pieces:
        assert piece.span.of(answer) == left.text[piece.at : piece.at + len(piece.span)]


def test_a_long_claim_without_end_is_left_out_of_only_so_often(halgorithm: Halgorithm) -> None:
    claim = "The bridge of " + "the mayor of " * 800 + "Oslo was opened in 1968."
    report = halgorithm.checker(BRIDGE).check_claims([claim])
    assert all(len(some) <= 3 for some in rests(report.results))
