"""What the model reads of a claim: amounts as the passages write them, no value changed."""

import numpy as np
import pytest

from halgo import Checker, Config, Halgorithm
from halgo.claims.extract import as_claims
from halgo.entailment.hypothesis import Hypothesis
from halgo.entailment.judgement import Judgement, Piece
from halgo.types import Span


def span_of(text, part):
    return Span(text.index(part), text.index(part) + len(part))


def test_what_is_written_otherwise_stands_in_its_place():
    text = "The rated power is 0.78 kilowatts and the hose has 12 metres."
    (claim,) = as_claims([text])
    written = [(span_of(text, "12 metres"), "12 m"), (span_of(text, "0.78 kilowatts"), "780 W")]
    found = Hypothesis.of(claim, written)
    assert found.text == "The rated power is 780 W and the hose has 12 m."
    told = [(was.of(text), now.of(found.text)) for was, now in found.moved]
    assert told == [("0.78 kilowatts", "780 W"), ("12 metres", "12 m")]
    assert Hypothesis.of(claim) == Hypothesis(text)


def test_stretches_that_overlap_are_written_once():
    text = "The walk takes 20 minutes."
    (claim,) = as_claims([text])
    written = [(span_of(text, "20 minutes"), "1/3 h"), (span_of(text, "minutes"), "min")]
    assert Hypothesis.of(claim, written).text == "The walk takes 1/3 h."


def test_pieces_of_what_was_read_are_placed_in_the_claim():
    text = "It takes 200 minutes to wash."
    (claim,) = as_claims([text])
    found = Hypothesis.of(claim, [(span_of(text, "200 minutes"), "3 h 20")])
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


TEXT = (
    "The heater of the cabin draws 780 W. It takes 1.5 hours to warm the cabin. Some 300 guests "
    "came in May. The mast is 12 metres high. Dogs travel free. The inspection is due on "
    "2026-03-04. The fair opens on 5 July. The lease began on 4 March 2019. The audit "
    "ends on 2024-06-30."
)


@pytest.mark.parametrize(
    ("claim", "read"),
    [
        ("The heater draws 0.78 kilowatts.", "The heater draws 780 W."),
        ("The heater draws 0.87 kilowatts.", "The heater draws 870 W."),  # another value, in watts
        ("The heater draws 780 W.", "The heater draws 780 W."),  # as the passage writes it
        ("It takes 90 minutes to warm the cabin.", "It takes 1.5 hours to warm the cabin."),
        ("In May 304 guests came.", "In May 304 guests came."),  # no other writing of "some 300"
        ("The mast is 1200 cm high.", "The mast is 12 metres high."),
        ("The inspection is due on March 4, 2026.", "The inspection is due on 2026-03-04."),
        ("The audit ends on 30 June.", "The audit ends on 2024-06-30."),
        ("The audit ends on 29 June.", "The audit ends on 29 June."),
        ("The inspection is due on 4 March.", "The inspection is due on 4 March."),  # 2019 or 2026
        # A year that the passage does not tell, and the same words in another order.
        ("The fair opens on July 5, 2026.", "The fair opens on July 5, 2026."),
        ("The lease began on March 4, 2019.", "The lease began on March 4, 2019."),
    ],
)
def test_a_check_has_the_model_read_amounts_as_a_passage_writes_them(claim, read):
    model = Reads()
    halgorithm = Halgorithm(Config(cascade=False), embedder="lexical", entailment=model)
    Checker.from_docs(TEXT, halgorithm=halgorithm).check_claims([claim])
    assert {asked for _, asked in model.asked} == {read}
