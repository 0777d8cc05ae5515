"""What the entailment model's judgements become: features, a signal, and the words it doubts."""

from dataclasses import replace

import numpy as np
import pytest

from halgo import Checker, Config, Halgorithm, Verdict
from halgo.claims.extract import as_claims, extract
from halgo.entailment import readings
from halgo.entailment.judgement import Judgement, Piece
from halgo.entailment.premises import Premise
from halgo.types import Facts, Quantity, Span, Stance, Term

NO_FACTS = Facts()


class Says:
    """An entailment model that gives one answer and remembers what it was asked."""

    name = "says"

    def __init__(self, *probabilities):
        self.probabilities = probabilities
        self.asked = []

    def predict(self, pairs):
        self.asked += pairs
        return np.tile(np.array(self.probabilities, dtype=np.float32), (len(pairs), 1))


def checker(model, text="The ferry leaves at nine. Tickets cost 12 euros. Dogs travel free."):
    halgorithm = Halgorithm(Config(cascade=False), embedder="lexical", entailment=model)
    return Checker.from_docs(text, halgorithm=halgorithm)


def pieces(text, *doubts):
    found, at = [], 0
    for word, doubt in zip(text.split(), doubts, strict=True):
        start = text.index(word, at)
        at = start + len(word)
        found.append(Piece(Span(start, at), doubt))
    return tuple(found)


def judgement_of(claim, judgement, facts=NO_FACTS, agreed=()):
    from halgo.entailment.premises import Part
    from halgo.types import Chunk, Reading, Sentence

    text = "The ferry leaves at nine."
    sentence = Sentence(Span(0, len(text)), Reading.verbatim(text))
    chunk = Chunk(0, "a", Span(0, len(text)), text, Span(0, 1))
    premise = Premise(text, (Part(chunk, sentence, Span(0, len(text))),))
    judged = readings.Judged(premise, judgement)
    return readings.signal(claim, judged, facts, agreed=agreed)[0]


def test_the_model_does_not_judge_whether_values_conflict():
    otherwise = Judgement((0.05, 0.05, 0.9))
    claim = as_claims(["The ferry leaves at ten."])[0]
    at = Span(20, 23)
    number = Quantity(10.0, 10.0, "clock12", at)
    assert judgement_of(claim, otherwise).stance is Stance.CONTRADICTS
    told = judgement_of(claim, otherwise, Facts(quantities=(number,)))
    assert (told.stance, told.weight) == (Stance.UNSUPPORTED, 0.9)
    denied = as_claims(["The ferry never leaves at ten."])[0]
    number = replace(number, span=Span(26, 29))
    told = judgement_of(denied, otherwise, Facts(quantities=(number,)))
    assert told.stance is Stance.CONTRADICTS


class Reads:
    """An entailment model that gives each premise with certain words an answer of its own."""

    name = "reads"

    def __init__(self, otherwise, **answers):
        self.otherwise, self.answers = otherwise, answers

    def predict(self, pairs):
        found = [
            next((a for word, a in self.answers.items() if word in premise), self.otherwise)
            for premise, _ in pairs
        ]
        return np.array(found, dtype=np.float32)


@pytest.mark.parametrize(
    ("together", "singly", "counts"),
    [
        ((0.1, 0.8, 0.1), (0.9, 0.05, 0.05), (0.9, 0.05, 0.05)),  # what supports it most
        ((0.1, 0.1, 0.8), (0.7, 0.2, 0.1), (0.7, 0.2, 0.1)),  # though another contradicts it
        ((0.1, 0.05, 0.85), (0.3, 0.6, 0.1), (0.1, 0.05, 0.85)),  # silence is no excuse
        ((0.1, 0.45, 0.45), (0.3, 0.6, 0.1), (0.3, 0.6, 0.1)),  # where it is sure
    ],
)
def test_which_of_two_readings_counts(together, singly, counts):
    text = "Cats travel in a box. The ferry leaves at nine. Dogs travel free on the ferry."
    model = Reads(singly, Cats=together)  # in all passages together alone
    (result,) = checker(model, text).check_claims(["Dogs never travel free on the ferry."]).results
    heard = next(s for one in result.assessments for s in one.signals if s.kind == "entailment")
    assert heard.weight == pytest.approx(max(counts[0] if counts[0] >= 0.5 else max(counts[1:]), 0))


def test_a_sentence_of_the_documents_is_not_read_but_a_part_of_one_is():
    model = Says(0.1, 0.1, 0.8)
    halgorithm = Halgorithm(Config(), embedder="lexical", entailment=model)
    text = "Dogs travel free on all of the ferries. Mr Berg denied that cats travel free."
    ferries = Checker.from_docs(text, halgorithm=halgorithm)
    (whole,) = ferries.check_claims(["Dogs travel free on all of the ferries."]).results
    assert not model.asked and whole.verdict is Verdict.SUPPORTED
    (part,) = ferries.check_claims(["Cats travel free."]).results
    assert model.asked and part.score < whole.score - 0.1
    # On the scale of what the model has read: another that it agrees with comes no higher.
    sure = Halgorithm(
        Config(cascade=False), embedder="lexical", entailment=Says(0.99, 0.005, 0.005)
    )
    (read,) = Checker.from_docs(text, halgorithm=sure).check_claims([whole.claim.text]).results
    assert abs(read.score - whole.score) < 0.05


def test_a_pair_is_read_once_whatever_asks_for_it():
    model = Says(0.9, 0.05, 0.05)
    checker(model).check_claims(["Dogs are carried for nothing.", "Dogs are carried for nothing."])
    assert len(model.asked) == len(set(model.asked))


def test_a_model_that_says_otherwise_makes_a_contradiction():
    report = checker(Says(0.02, 0.08, 0.9)).check_claims(["Dogs are left at home today."])
    (result,) = report.results
    assert result.verdict is Verdict.CONTRADICTION
    assert result.reason == "entailment"
    assert "otherwise" in result.message


def test_no_model_no_signal_of_one():
    report = checker(None).check_claims(["Dogs must stay at home."])
    found = [s for a in report.results[0].assessments for s in a.signals]
    assert all(signal.kind != readings.KIND for signal in found)


def test_support_raises_and_contradiction_lowers_the_score():
    claim = ["Dogs are carried for nothing."]
    scores = [
        checker(Says(*row)).check_claims(claim).results[0].score
        for row in ((0.97, 0.02, 0.01), (0.4, 0.3, 0.3), (0.01, 0.04, 0.95))
    ]
    assert scores[0] > scores[1] > scores[2]


def test_the_words_in_doubt_are_underlined():
    (claim,) = as_claims(["The ferry leaves at noon today."])
    told = Judgement((0.1, 0.1, 0.8), pieces(claim.text, 0.0, 0.0, 0.1, 0.2, 0.9, 0.7))
    signal = judgement_of(claim, told)
    assert signal.stance is Stance.CONTRADICTS
    assert signal.claim_span.of(claim.text) == "noon today."


def test_words_of_a_resolved_claim_are_found_in_its_own_text():
    claim = extract("The Ferry Company grew. It sold boats.")[1]
    assert claim.resolved != claim.text
    doubts = [0.0] * (len(claim.resolved.split()) - 1) + [0.9]
    told = Judgement((0.1, 0.8, 0.1), pieces(claim.resolved, *doubts))
    assert judgement_of(claim, told).claim_span.of(claim.text) == "boats."


def test_a_word_is_underlined_whole():
    (claim,) = as_claims(["The ferry leaves at noonday."])
    start = claim.text.index("day")
    told = Judgement((0.1, 0.8, 0.1), (Piece(Span(start, start + 3), 0.9),))
    assert judgement_of(claim, told).claim_span.of(claim.text) == "noonday"


def test_rows_that_are_no_probabilities_are_an_error():
    with pytest.raises(ValueError, match="sum to 1"):
        checker(Says(0.9, 0.9, 0.9)).check_claims(["Dogs are carried for nothing."])


def test_a_full_stop_is_no_word_in_doubt():
    (claim,) = as_claims(["The ferry leaves ."])
    told = Judgement((0.1, 0.8, 0.1), pieces(claim.text, 0.0, 0.0, 0.0, 0.9))
    assert judgement_of(claim, told).claim_span is None


@pytest.mark.parametrize(
    ("doubtful", "message"),
    [
        (("The",), "It is not certain that the sources say this"),
        (("at",), "It is not certain that the sources say this"),
        (("1985",), "It is not certain that the sources say this"),
        (("ferry",), "It is not certain that the sources say this"),  # the sentence has it
        (("a", "stolen"), "The sources may not say “stolen bike”"),
    ],
)
def test_a_message_quotes_no_bare_article_or_digit_as_missing(doubtful, message):
    text = "The ferry leaves in 1985 at ten with a stolen bike."
    doubts = [0.9 if word in doubtful else 0.1 for word in text.split()]
    unsure = Judgement((0.1, 0.8, 0.1), pieces(text, *doubts))
    at = text.index("stolen"), text.index("bike")
    terms = (
        Term("stolen", "ADJ", Span(at[0], at[0] + 6)),
        Term("bike", "NOUN", Span(at[1], at[1] + 4)),
    )
    told = judgement_of(as_claims([text])[0], unsure, Facts(terms=terms)).message
    assert told == f"{message}; the nearest passage: “The ferry leaves at nine”."


def test_what_a_rule_found_is_not_said_to_be_missing():
    text = "The ferry runs since October 2014."
    doubts = [0.9 if word in ("October", "2014.") else 0.1 for word in text.split()]
    unsure = Judgement((0.1, 0.8, 0.1), pieces(text, *doubts))
    (claim,) = as_claims([text])
    assert "“October 2014”" in judgement_of(claim, unsure).message
    found = Span(text.index("October"), len(text) - 1)  # as "2014-10-01"
    assert "October" not in judgement_of(claim, unsure, agreed=[found]).message


def test_of_a_long_record_only_its_name_and_the_fields_in_question_are_quoted():
    from halgo.entailment.readings import _short

    fields = "; ".join(f"field_{at}: {at}0" for at in range(20))
    record = f"station: B07; {fields}; max_wave_date: 2024-12-14"
    claim = as_claims(["The highest wave was measured in December."])[0]
    assert _short(claim, record) == "station: B07; max_wave_date: 2024-12-14"


@pytest.mark.parametrize(
    ("claim", "sure", "message"),
    [
        ("The ferry stays at home.", 0.9, "The sources say otherwise"),
        ("Dogs must stay at home.", 0.9, "It is not certain that the sources say this"),
        (
            "The ferry stays at home.",
            0.6,
            "It is not certain that the sources say this; the nearest passage",
        ),
        (
            "The ferry leaves at nine.",
            0.9,
            "The nearest passage has these words, but seems to say something else",
        ),
    ],
)
def test_no_reader_is_told_otherwise_over_a_sentence_that_may_agree(claim, sure, message):
    against = Judgement((0.0, 1.0 - sure, sure), ())
    told = judgement_of(as_claims([claim])[0], against).message
    assert told.startswith(message) and told.endswith(": “The ferry leaves at nine”.")
