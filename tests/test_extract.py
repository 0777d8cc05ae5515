"""Answers as claims: nothing is lost, all can be shown, no part says more than the whole."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halgo.claims.extract import as_claims, extract, is_refusal
from halgo.sources.inline import plain
from halgo.sources.sentences import split
from halgo.types import ClaimKind, Span

pytestmark = pytest.mark.models


def texts(answer: str, granularity: str = "atomic") -> list[str]:
    return [claim.text for claim in extract(answer, granularity)]


TRIAL = (
    "The Phase 2 trial showed an 81% success rate with 340 participants across 12 sites. "
    "The trial was led by Dr. Smith and received FDA fast-track designation in March 2024."
)


def test_the_trial_answer_holds_five_claims():
    assert texts(TRIAL) == [
        "The Phase 2 trial showed an 81% success rate",
        "The Phase 2 trial with 340 participants",
        "The Phase 2 trial across 12 sites",
        "The trial was led by Dr. Smith",
        "The trial received FDA fast-track designation in March 2024",
    ]
    assert len(texts(TRIAL, "sentence")) == 2


@pytest.mark.parametrize(
    "sentence, parts",
    [
        (
            "The agreement limits liability to $2M and requires 30-day notice.",
            ["The agreement limits liability to $2M", "The agreement requires 30-day notice"],
        ),
        (
            "The trial was led by Smith and managed by Jones.",
            ["The trial was led by Smith", "The trial was managed by Jones"],
        ),
        (
            "The plan may raise taxes and cut spending.",
            ["The plan may raise taxes", "The plan may cut spending"],
        ),
        (
            "Sales rose 10% in 2020 but fell 5% in 2021.",
            ["Sales rose 10% in 2020", "Sales fell 5% in 2021"],
        ),
        (
            "The treaty was signed in 1990; it took effect in 1992.",
            ["The treaty was signed in 1990", "it took effect in 1992"],
        ),
        (
            "The drug is cheap, works quickly, and has few side effects.",
            ["The drug is cheap", "The drug works quickly", "The drug has few side effects"],
        ),
        (
            "Acme, which was founded in 1998, has 300 employees.",
            ["Acme has 300 employees", "Acme was founded in 1998"],
        ),
        (
            "In 2020, Acme opened an office and hired 50 people.",
            ["In 2020, Acme opened an office", "In 2020, Acme hired 50 people"],
        ),
        (
            "If the tenant leaves early, the deposit is lost and the landlord may sue.",
            [
                "If the tenant leaves early, the deposit is lost",
                "If the tenant leaves early, the landlord may sue",
            ],
        ),
        (
            "He was born in Paris and she was born in Rome.",
            ["He was born in Paris", "she was born in Rome"],
        ),
    ],
)
def test_a_compound_sentence_is_split_at_its_clauses(sentence, parts):
    assert texts(sentence) == parts


@pytest.mark.parametrize(
    "sentence",
    [
        "The drug does not cause drowsiness or nausea.",
        "The agreement does not limit liability or require notice.",
        "The company neither confirmed nor denied the report.",
        "The company either closes the plant or sells it.",
        "Neither party signed the contract and paid the fee.",
        "No customer complained and asked for a refund.",
        "Smith said that the plan failed and the company lost money.",
        "The plan failed and the company lost money, according to Smith.",
        "The fee is waived and the deposit returned if you cancel early.",
        "The landlord keeps the deposit and may sue unless the tenant pays.",
        "The company never signed the contract and paid the fee.",
        "Acme allegedly bribed officials and hid the payments.",
        "The company plans to open a store and hire 20 people.",
        "Acme designed and built the bridge.",
        "The agent sold a plan which covers theft, and costs $9 a month.",
        "The crumbs are removed from the oven and allowed to cool.",
        'The sign says "the pool is closed and the bar is open".',
        "The fee is 5%.",
        "Paris, France and Rome, Italy are old cities.",
        "The team that built the bridge won a prize.",
    ],
)
def test_a_sentence_whose_parts_hang_together_stays_whole(sentence):
    assert texts(sentence) == [sentence]


def test_a_clause_points_to_its_own_place_and_to_its_subject():
    answer = "The **agreement** limits liability to $2M and requires 30-day notice."
    first, second = extract(answer, "atomic")
    assert first.span.of(answer) == "The **agreement** limits liability to $2M"
    assert second.span.of(answer) == "requires 30-day notice"
    assert second.text == "The agreement requires 30-day notice"
    at = second.text.index("agreement")
    place = second.reading.locate(Span(at, at + 9))
    assert place is not None and place.of(answer) == "agreement"


def test_what_is_not_checkable_is_listed_with_its_kind():
    answer = (
        "Hello!\n\n# Fees\n\nI searched the contract. The fee is 5%. Contact us. Anything else?"
    )
    assert [claim.kind for claim in extract(answer)] == [
        ClaimKind.GREETING,
        ClaimKind.HEADING,
        ClaimKind.META,
        ClaimKind.FACT,
        ClaimKind.INSTRUCTION,
        ClaimKind.QUESTION,
    ]
    assert [claim.id for claim in extract(answer)] == [1, 2, 3, 4, 5, 6]


def test_a_bold_line_above_text_is_a_heading_and_alone_is_an_answer():
    assert extract("**Late fee**\n\nThe fee is 5%.")[0].kind is ClaimKind.HEADING
    assert extract("**Paris**")[0].kind is ClaimKind.FACT


@pytest.mark.parametrize(
    "answer, refuses",
    [
        ("I don't have enough information to answer.", True),
        ("I'm sorry, but the documents do not mention a late fee. Please contact support.", True),
        ("I don't have enough information about 2021. The fee was 5% in 2020.", False),
        ("Hello! How can I help?", False),
        ("The fee is 5%.", False),
        ("", False),
    ],
)
def test_an_answer_refuses_when_it_asserts_nothing_else(answer, refuses):
    assert is_refusal(extract(answer)) is refuses


def test_the_callers_claims_are_taken_as_they_are():
    given_ = ["The *fee* is 5%. It is due monthly.", "Hello!", "2 + 2 = 5", "- one\n- two", ""]
    claims = as_claims(given_)
    assert [claim.text for claim in claims] == [
        "The fee is 5%. It is due monthly.",
        "Hello!",
        "2 + 2 = 5",
        "one two",
        "",
    ]
    assert [claim.kind for claim in claims] == ["fact", "fact", "arithmetic", "fact", "fact"]
    assert [claim.id for claim in claims] == [1, 2, 3, 4, 5]
    assert all(c.span == Span(0, len(text)) for c, text in zip(claims, given_, strict=True))


def test_wrong_arguments_are_named():
    with pytest.raises(ValueError, match="'clause'"):
        extract("The fee is 5%.", "clause")
    with pytest.raises(TypeError, match="int"):
        extract(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="sequence"):
        as_claims("The fee is 5%.")
    with pytest.raises(TypeError, match="None"):
        as_claims(["The fee is 5%.", None])  # type: ignore[list-item]


LINES = st.sampled_from(
    [
        TRIAL,
        "# Fees",
        "- The fee is **5%** and the term is two years.",
        "1. Founded in 1998",
        "| Plan | Price |\n|---|---|\n| Basic | $10 |",
        "It “holds”\u00a0a quote, and it\u2019s odd…",
        "---",
        "Hello! Is it 5%?",
        "Acme, which was founded in 1998, sells shoes;  it has 3 shops.",
        "```\nx = 1\n```",
        "2 + 2 = 5",
        "\u05e9\u05dc\u05d5\u05dd \ud800 \x00 ok.",
        "[1]",
        "**Key points:**",
    ]
)


@pytest.mark.parametrize("granularity", ["sentence", "atomic"])
@settings(max_examples=40, deadline=None)
@given(lines=st.lists(LINES, max_size=6), glue=st.sampled_from(["\n", "\n\n", " "]))
def test_nothing_disappears_and_every_word_comes_from_the_answer(granularity, lines, glue):
    answer = glue.join(lines)
    claims = extract(answer, granularity)
    assert claims == extract(answer, granularity)
    starts = [claim.span.start for claim in claims]
    assert starts == sorted(starts)
    assert [claim.id for claim in claims] == list(range(1, len(claims) + 1))
    for sentence in split(answer):
        assert any(sentence.span.overlaps(claim.span) for claim in claims)
    for claim in claims:
        assert 0 <= claim.span.start < claim.span.end <= len(answer)
        assert claim.text == claim.reading.text
        covered = 0
        for piece in claim.reading.pieces:
            shown = claim.text[piece.at : piece.at + len(piece.span)]
            assert plain(piece.span.of(answer)) == plain(shown)
            covered += len(piece.span)
        assert covered > 0


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80))
def test_odd_text_never_raises(text):
    for claim in [*extract(text, "atomic"), *as_claims([text])]:
        assert claim.text == claim.reading.text


@pytest.mark.parametrize("granularity", ["sentence", "atomic"])
def test_a_long_answer_takes_time_in_proportion(granularity):
    def seconds(count: int) -> float:
        # Sentences that no call has seen before, for parses are kept.
        name = f"{granularity.title()}{count}"
        answer = " ".join(f"{name} {k} sells {k} shoes and opens at 9." for k in range(count))
        started = time.process_time()
        assert len(extract(answer, granularity)) >= count
        return time.process_time() - started

    seconds(50)
    assert seconds(600) < 8 * max(seconds(200), 0.2)


def test_a_sentence_of_many_clauses_stays_whole():
    answer = "Acme " + ", ".join(f"bought firm {k}" for k in range(300)) + " and sold it."
    assert len(extract(answer, "atomic")) <= len(split(answer))


@pytest.mark.models
@pytest.mark.parametrize(
    "answer, text",
    [
        ("**Pricing:** The plan costs €59 a month.", "The plan costs €59 a month."),
        ("Note: Prices exclude VAT.", "Prices exclude VAT."),
        ("- **Refunds:** Refunds take 30 days.", "Refunds take 30 days."),
        ("Germany: Delivery takes 5 days.", "Germany: Delivery takes 5 days."),
        ("Students: Tickets cost €5 each.", "Students: Tickets cost €5 each."),
        ("Warranty: It covers water damage.", "Warranty: It covers water damage."),
        ("Price: Fifty euros a month.", "Price: Fifty euros a month."),
    ],
)
def test_a_label_before_a_whole_sentence_is_no_part_of_the_claim(answer: str, text: str) -> None:
    (claim,) = extract(answer)
    assert claim.text == text
    assert claim.span == Span(answer.index("Refunds:") - 2 if answer[0] == "-" else 0, len(answer))
