"""The verdict table, row by row, on hand-made findings; no model."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halgo.config import Config
from halgo.types import (
    Assessment,
    Chunk,
    Claim,
    ClaimKind,
    Evidence,
    Reading,
    Signal,
    Span,
    Stance,
    Verdict,
)
from halgo.verdict.rules import decide

ORDER = [Verdict.SUPPORTED, Verdict.WEAK_SUPPORT, Verdict.HALLUCINATION]


def a_claim(kind: ClaimKind = ClaimKind.FACT) -> Claim:
    text = "The fee is 5%."
    return Claim(1, text, Span(0, 14), kind, Reading.verbatim(text), text)


def a_passage(
    score: float,
    *signals: Signal,
    similarity: float = 0.8,
    lexical: float = 0.5,
    row: int = 0,
    text: str = "The fee is 1.5%.",
) -> Assessment:
    whole = Span(0, len(text))
    chunk = Chunk(row, "doc1", whole, text, Span(0, 1))
    reading = Reading.verbatim(text)
    evidence = Evidence(chunk, "doc1", whole, similarity, lexical, reading, whole)
    return Assessment(evidence, score, signals)


def conflict(weight: float = 0.9) -> Signal:
    return Signal("number_conflict", Stance.CONTRADICTS, weight, "5% against 1.5%")


def invented(weight: float = 0.8, kind: str = "unsupported_name") -> Signal:
    return Signal(kind, Stance.UNSUPPORTED, weight, "nowhere", Span(0, 3))


def the_sum(right: bool) -> Signal:
    stance = Stance.SUPPORTS if right else Stance.CONTRADICTS
    return Signal("arithmetic", stance, 0.95, "2 + 2 = 4")


@pytest.mark.parametrize(
    ("passages", "verdict", "reason"),
    [
        ([a_passage(0.9)], Verdict.SUPPORTED, "supported"),
        ([a_passage(0.9, conflict())], Verdict.CONTRADICTION, "number_conflict"),
        ([a_passage(0.9, conflict(0.3))], Verdict.SUPPORTED, "supported"),
        ([a_passage(0.7), a_passage(0.6, conflict(), row=1)], Verdict.SUPPORTED, "supported"),
        ([a_passage(0.5), a_passage(0.2, conflict())], Verdict.CONTRADICTION, "number_conflict"),
        ([a_passage(0.7, invented())], Verdict.HALLUCINATION, "unsupported_name"),
        ([a_passage(0.5, invented()), a_passage(0.4)], Verdict.WEAK_SUPPORT, "weak_support"),
        ([a_passage(0.5)], Verdict.WEAK_SUPPORT, "weak_support"),
        ([a_passage(0.2)], Verdict.HALLUCINATION, "no_evidence"),
        ([a_passage(0.4, similarity=0.1, lexical=0.1)], Verdict.HALLUCINATION, "no_evidence"),
        ([a_passage(0.4, similarity=0.1, lexical=0.4)], Verdict.WEAK_SUPPORT, "weak_support"),
        ([], Verdict.HALLUCINATION, "no_evidence"),
    ],
)
def test_the_first_row_that_holds_is_the_verdict(
    passages: Sequence[Assessment], verdict: Verdict, reason: str
) -> None:
    decision = decide(a_claim(), passages, (), Config())
    assert (decision.verdict, decision.reason) == (verdict, reason)


@pytest.mark.parametrize(
    ("text", "score", "cut", "verdict"),
    [
        ("The fee is 1.5%.", 0.7, 0.65, Verdict.SUPPORTED),  # one word of the claim is not there
        ("The fee is 5% of the rent.", 0.7, 0.65, Verdict.WEAK_SUPPORT),
        ("The fee is 5% of the rent.", 0.8, 0.65, Verdict.SUPPORTED),
        ("The fee is 5% of the rent.", 0.7, 0.55, Verdict.SUPPORTED),
        ("The fee is 5% of the rent.", 1.0, 1.0, Verdict.SUPPORTED),
        ("The fee is 5% of the rent.", 0.0, 0.0, Verdict.SUPPORTED),
    ],
)
def test_a_claim_that_has_all_its_words_from_one_passage_needs_a_higher_score(
    text: str, score: float, cut: float, verdict: Verdict
) -> None:
    config = Config(threshold=min(cut, 0.3), support_threshold=cut)
    assert decide(a_claim(), [a_passage(score, text=text)], (), config).verdict is verdict


def said(stance: Stance, weight: float) -> Signal:
    return Signal("entailment", stance, weight, "what the model makes of it")


@pytest.mark.parametrize(
    ("score", "signals", "verdict"),
    [
        (0.7, (invented(), said(Stance.SUPPORTS, 0.9)), Verdict.SUPPORTED),
        (
            0.7,
            (invented(kind="unsupported_number"), said(Stance.SUPPORTS, 0.9)),
            Verdict.SUPPORTED,
        ),
        (
            0.7,
            (invented(kind="unsupported_term"), said(Stance.SUPPORTS, 0.9)),
            Verdict.HALLUCINATION,
        ),
        (0.7, (invented(), said(Stance.SUPPORTS, 0.6)), Verdict.SUPPORTED),
        (
            0.7,
            (invented(kind="unsupported_number"), said(Stance.SUPPORTS, 0.6)),
            Verdict.HALLUCINATION,
        ),
        (0.6, (invented(), said(Stance.SUPPORTS, 0.9)), Verdict.HALLUCINATION),
        (0.7, (invented(), said(Stance.UNSUPPORTED, 0.9)), Verdict.HALLUCINATION),
        (0.7, (conflict(), said(Stance.SUPPORTS, 0.9)), Verdict.CONTRADICTION),
    ],
)
def test_a_missing_name_or_number_is_forgiven_where_model_and_score_are_sure(
    score: float, signals: tuple[Signal, ...], verdict: Verdict
) -> None:
    assert decide(a_claim(), [a_passage(score, *signals)], (), Config()).verdict is verdict


@pytest.mark.parametrize("kind", ["number_agrees", "number_conflict"])
def test_a_figure_that_another_passage_tells_is_not_forgiven(kind: str) -> None:
    """The price of Silver, said of Bronze: the model is sure, and no row of Bronze has it."""
    bronze = a_passage(0.7, invented(kind="unsupported_number"), said(Stance.SUPPORTS, 0.9))
    told = Signal(kind, Stance.SUPPORTS, 0.4, "that of Silver", Span(0, 3))
    silver = a_passage(0.5, told, invented(), row=1)
    assert decide(a_claim(), [bronze], (), Config()).verdict is Verdict.SUPPORTED
    assert decide(a_claim(), [bronze, silver], (), Config()).verdict is not Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("kinds", "verdict"),
    [
        ((), Verdict.CONTRADICTION),
        (("order_agrees",), Verdict.CONTRADICTION),
        (("comparison_agrees",), Verdict.WEAK_SUPPORT),
    ],
)
def test_what_is_worked_out_and_agrees_stands_against_the_model(
    kinds: tuple[str, ...], verdict: Verdict
) -> None:
    agreeing = [Signal(kind, Stance.SUPPORTS, 0.6, "before, by the dates") for kind in kinds]
    passage = a_passage(0.6, said(Stance.CONTRADICTS, 0.9), *agreeing)
    assert decide(a_claim(), [passage], (), Config()).verdict is verdict


AGREES = Signal("number_agrees", Stance.SUPPORTS, 0.9, "5% is 5%")
NAMED = Signal("identifier_agrees", Stance.SUPPORTS, 0.9, "the same option")


@pytest.mark.parametrize(
    ("text", "signals", "verdict"),
    [
        ("Of 5% the fee never is.", [said(Stance.CONTRADICTS, 0.6)], Verdict.WEAK_SUPPORT),
        ("Of 5% the fee never is.", [said(Stance.CONTRADICTS, 0.8)], Verdict.CONTRADICTION),
        ("Of 5% the fee never is.", [said(Stance.CONTRADICTS, 0.5)], Verdict.SUPPORTED),
        ("Of 5% the fee never is.", [said(Stance.UNSUPPORTED, 0.6)], Verdict.SUPPORTED),
        ("Of 5% the fee never is.", [said(Stance.CONTRADICTS, 0.6), AGREES], Verdict.SUPPORTED),
        ("Of 5% the late fee never is.", [said(Stance.CONTRADICTS, 0.6)], Verdict.SUPPORTED),
        ("They charge a twentieth.", [said(Stance.CONTRADICTS, 0.6)], Verdict.SUPPORTED),
        ("They charge a twentieth.", [said(Stance.CONTRADICTS, 0.8)], Verdict.CONTRADICTION),
        ("They charge a twentieth.", [said(Stance.CONTRADICTS, 0.8), NAMED], Verdict.CONTRADICTION),
        ("They charge a twentieth.", [said(Stance.CONTRADICTS, 0.7)], Verdict.WEAK_SUPPORT),
        ("They charge a twentieth.", [said(Stance.CONTRADICTS, 0.78), AGREES], Verdict.SUPPORTED),
        (
            "They charge a twentieth.",
            [said(Stance.CONTRADICTS, 0.9), AGREES],
            Verdict.CONTRADICTION,
        ),
    ],
)
def test_what_the_model_contradicts_is_not_supported_unless_something_agrees(
    text: str, signals: Sequence[Signal], verdict: Verdict
) -> None:
    claim = replace(a_claim(), text="The late fee is 5%.")
    passage = a_passage(0.8, *signals, text=text)
    assert decide(claim, [passage], (), Config()).verdict is verdict


def test_a_passage_about_something_else_cannot_contradict() -> None:
    chunk = Chunk(0, "doc1", Span(0, 1), "x", Span(0, 1))
    far = Evidence(chunk, "doc1", Span(0, 1), 0.1, 0.1, Reading.verbatim("x"), Span(0, 1))
    decision = decide(a_claim(), [Assessment(far, 0.2, (conflict(),))], (), Config())
    assert decision.verdict is Verdict.HALLUCINATION and decision.reason == "no_evidence"


def test_what_is_too_unsure_to_contradict_is_not_told_as_if_it_did() -> None:
    signal = replace(conflict(0.4), message="The claim says 5%.", values=("5%", "1.5%"))
    decision = decide(a_claim(), [a_passage(0.2, signal)], (), Config())
    assert (decision.verdict, decision.reason) == (Verdict.HALLUCINATION, "no_evidence")
    assert decision.message == (
        'No passage of the sources says this; of something like it one says "1.5%", not "5%".'
    )


def test_a_wrong_sum_is_a_contradiction_whatever_the_passages_say() -> None:
    decision = decide(a_claim(ClaimKind.ARITHMETIC), [a_passage(0.9)], [the_sum(False)], Config())
    assert decision.verdict is Verdict.CONTRADICTION and decision.score <= 0.06
    decision = decide(a_claim(ClaimKind.ARITHMETIC), [], [the_sum(True)], Config())
    assert decision.verdict is Verdict.SUPPORTED


signals = st.lists(
    st.builds(
        Signal,
        st.sampled_from(["number_conflict", "unsupported_name", "agrees"]),
        st.sampled_from(list(Stance)),
        st.floats(0, 1),
        st.just("m"),
        st.just(Span(0, 3)),
    ),
    max_size=3,
)
passages_st = st.lists(st.builds(lambda score, s: a_passage(score, *s), st.floats(0, 1), signals))


@given(passages_st, st.floats(0.3, 1), st.floats(0.3, 1))
def test_asking_for_more_support_never_moves_a_verdict_towards_supported(
    passages: list[Assessment], one: float, other: float
) -> None:
    passages.sort(key=lambda found: -found.score)
    low, high = sorted((one, other))
    strict = decide(a_claim(), passages, (), Config(support_threshold=high)).verdict
    lenient = decide(a_claim(), passages, (), Config(support_threshold=low)).verdict
    assert strict == lenient or lenient is Verdict.SUPPORTED


@given(passages_st, st.floats(0.65, 1))
def test_asking_for_more_support_than_usual_only_makes_supported_claims_weak(
    passages: list[Assessment], least: float
) -> None:
    passages.sort(key=lambda found: -found.score)
    usual = decide(a_claim(), passages, (), Config()).verdict
    strict = decide(a_claim(), passages, (), Config(support_threshold=least)).verdict
    weaker = usual is Verdict.SUPPORTED and strict is Verdict.WEAK_SUPPORT
    assert strict is usual or weaker


@given(passages_st)
def test_scores_stay_between_0_and_1_and_a_bad_verdict_never_looks_supported(
    passages: list[Assessment],
) -> None:
    passages.sort(key=lambda found: -found.score)
    decision = decide(a_claim(), passages, (), Config())
    assert 0 <= decision.score <= 1
    if decision.verdict is Verdict.CONTRADICTION:
        assert decision.score < Config().support_threshold


def test_a_score_that_only_the_settings_find_too_low_is_told_as_such() -> None:
    decision = decide(a_claim(), [a_passage(0.98)], (), Config(support_threshold=0.99))
    assert decision.verdict is Verdict.WEAK_SUPPORT
    assert decision.message == "The score of 0.98 is below the 0.99 that the settings ask for."
    for passage in (a_passage(0.5), a_passage(0.98, invented(0.3))):
        decision = decide(a_claim(), [passage], (), Config(support_threshold=0.99))
        assert "settings" not in decision.message
