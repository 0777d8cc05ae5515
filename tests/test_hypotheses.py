"""What the model reads of a claim: amounts as the passages write them, no value changed."""

import numpy as np
import pytest

from halgo import Checker, Config, Halgorithm
from halgo.claims.extract import as_claims
from halgo.entailment.hypotheses import Hypothesis, hypothesis
from halgo.entailment.judgement import Judgement, Piece
from halgo.types import Signal, Span, Stance


def agrees(claim, said, given, weight=0.9, kind="number_agrees"):
    start = claim.index(said)
    span = Span(start, start + len(said))
    return Signal(kind, Stance.SUPPORTS, weight, "", span, None, (said, given))


def read_of(text, *signals):
    return hypothesis(as_claims([text])[0], [signals])


def test_an_amount_is_read_as_the_passage_writes_it():
    claim = "The rated power is 0.78 kilowatts and the hose has 12 metres."
    found = read_of(
        claim, agrees(claim, "0.78 kilowatts", "780 W"), agrees(claim, "12 metres", "12 m")
    )
    assert found.text == "The rated power is 780 W and the hose has 12 m."
    for was, now in found.moved:
        assert (was.of(claim), now.of(found.text)) in {
            ("0.78 kilowatts", "780 W"),
            ("12 metres", "12 m"),
        }


@pytest.mark.parametrize(
    "signal",
    [
        lambda claim: agrees(claim, "20 minutes", "20 Minutes"),  # as the claim writes it
        lambda claim: agrees(claim, "20 minutes", "20"),  # a cell, which has lost its unit
        lambda claim: agrees(claim, "20 minutes", ""),
        lambda claim: agrees(claim, "20 minutes", "up to half an hour", weight=0.4),  # leaves room
        lambda claim: agrees(claim, "20 minutes", "30 minutes", kind="number_conflict"),
    ],
)
def test_what_is_no_other_writing_of_the_same_amount_stays(signal):
    claim = "The walk takes 20 minutes."
    assert read_of(claim, signal(claim)) == Hypothesis(claim)


def test_a_passage_that_writes_it_as_the_claim_does_comes_before_one_that_does_not():
    claim = as_claims(["The walk takes 20 minutes."])[0]
    other, same = (agrees(claim.text, "20 minutes", given) for given in ("1/3 h", "20 minutes"))
    assert hypothesis(claim, [(other,), (same,)]).text == claim.text


def test_pieces_of_what_was_read_are_placed_in_the_claim():
    text = "It takes 200 minutes to wash."
    found = read_of(text, agrees(text, "200 minutes", "3 h 20"))
    read = "It takes 3 h 20 to wash."
    assert found.text == read
    words, at = [], 0
    for word in read.split():
        at = read.index(word, at)
        words.append(Piece(Span(at, at + len(word)), 0.1))
        at += len(word)
    placed = found.told_of_claim(Judgement((0.8, 0.1, 0.1), tuple(words))).pieces
    assert [piece.span.of(text) for piece in placed] == [
        *("It", "takes", "200 minutes", "200 minutes", "200 minutes", "to", "wash."),
    ]


class Reads:
    """An entailment model that remembers what it was asked."""

    name = "reads"

    def __init__(self):
        self.asked = []

    def predict(self, pairs):
        self.asked += pairs
        return np.tile(np.array((0.9, 0.05, 0.05), dtype=np.float32), (len(pairs), 1))


@pytest.mark.parametrize(
    ("claim", "read"),
    [
        ("The heater draws 0.78 kilowatts.", "The heater draws 780 W."),
        ("The heater draws 0.87 kilowatts.", "The heater draws 0.87 kilowatts."),  # another value
        ("The heater draws 780 W.", "The heater draws 780 W."),
    ],
)
def test_a_check_has_the_model_read_it(claim, read):
    model = Reads()
    halgorithm = Halgorithm(Config(cascade=False), embedder="lexical", entailment=model)
    text = "The heater of the cabin draws 780 W. It has two settings. Dogs travel free."
    Checker.from_docs(text, halgorithm=halgorithm).check_claims([claim])
    assert {asked for _, asked in model.asked} == {read}
