"""Polarity signals on facts written by hand: no model, a lexicon of a few words."""

import pytest
from small_rules import Family
from small_values import pair_of

from halgo.protocols import Detector
from halgo.types import Corpus, Facts, Name, Predicate, Span, Stance, Term

OPPOSITE = {"rise": "fall", "fall": "rise", "safe": "unsafe", "unsafe": "safe"}
SAME = {"doctor": "physician", "physician": "doctor", "buy": "purchase", "purchase": "buy"}


class Words:
    """A lexicon of a few words."""

    def synonyms(self, lemma):
        return frozenset({SAME[lemma]} if lemma in SAME else ())

    def antonyms(self, lemma):
        return frozenset({OPPOSITE[lemma]} if lemma in OPPOSITE else ())


def said(lemma, subject="", object_="", negated=False, context=(), frame="", quantifier=""):
    return Predicate(lemma, negated, Span(0, 5), subject, object_, context, frame, quantifier)


def pair(mine, theirs, *, words=(), claim_names=(), names=()):
    """A claim and a passage that each hold the given predicates; `words` stand in both."""
    texts = "claim text of some length", "evidence text of some length"
    facts = [
        Facts(
            predicates=tuple(predicates),
            terms=tuple(Term(word, "NOUN", Span(0, 5)) for word in words),
            names=tuple(Name(key, "ORG", key, Span(10, 15)) for key in keys),
        )
        for predicates, keys in zip((mine, theirs), (claim_names, names), strict=True)
    ]
    return pair_of(texts[0], facts[0], texts[1], facts[1])


def signals(mine, theirs, **more):
    (found,) = Family("negation", Words()).compare([pair([mine], theirs, **more)], Corpus())
    return found


def test_it_is_a_detector():
    assert isinstance(Family("negation", Words()), Detector)
    assert Family("negation", Words()).compare([], Corpus()) == []


def test_a_denied_predicate_contradicts_the_same_one_affirmed():
    (signal,) = signals(
        said("cause", "drug", "fever"), [said("cause", "drug", "fever", negated=True)]
    )
    assert (signal.kind, signal.stance) == ("negation", Stance.CONTRADICTS)
    assert signal.weight >= 0.9
    assert signal.claim_span and signal.evidence_span


def test_the_same_polarity_is_no_signal():
    denied = said("cause", "drug", "fever", negated=True)
    assert signals(denied, [denied]) == ()


@pytest.mark.parametrize(
    "theirs",
    [
        said("cause", "vaccine", "fever", negated=True),
        said("cause", "drug", "nausea", negated=True),
        said("cause", negated=True),
        said("cause", "drug", "fever", negated=True, context=("severe",)),
        said("cause", "drug", "fever", negated=True, frame="if"),
    ],
    ids=["other subject", "other object", "no arguments", "narrower", "conditional"],
)
def test_a_denial_of_something_else_does_not_contradict(theirs):
    assert signals(said("cause", "drug", "fever"), [theirs]) == ()


def test_what_narrows_the_denial_may_stand_in_the_claim_too():
    denied = said("cause", "drug", "fever", negated=True, context=("infant",))
    assert signals(said("cause", "drug", "fever"), [denied], words=["infant"])


def test_a_passage_that_also_affirms_does_not_contradict():
    denied = said("cause", "drug", "fever", negated=True)
    assert signals(said("cause", "drug", "fever"), [denied, said("cause", "drug", "fever")]) == ()


def test_opposite_words_contradict_and_a_negated_opposite_agrees():
    (signal,) = signals(said("rise", "price"), [said("fall", "price")])
    assert signal.kind == "antonym"
    assert signals(said("safe", "toy"), [said("unsafe", "toy", negated=True)]) == ()


def test_synonyms_count_as_the_same_predicate_and_the_same_argument():
    (signal,) = signals(
        said("buy", "doctor", "house"), [said("purchase", "physician", "house", negated=True)]
    )
    assert signal.kind == "negation"


def test_names_are_compared_as_names():
    denied = [said("sign", "ltd", "treaty", negated=True)]
    mine = said("sign", "acme", "treaty")
    assert signals(mine, denied, claim_names=["acme"], names=["acme ltd"])
    assert signals(mine, denied, claim_names=["acme"], names=["zenith ltd"]) == ()


@pytest.mark.parametrize(
    "mine, theirs, contradicts",
    [
        ("all", "not all", True),
        ("all", "few", True),
        ("some", "all", False),
        ("all", "all", False),
        ("most", "some", False),
    ],
)
def test_a_claim_about_all_needs_a_source_about_all(mine, theirs, contradicts):
    found = signals(
        said("vote", "member", quantifier=mine), [said("vote", "member", quantifier=theirs)]
    )
    assert [signal.kind for signal in found] == (["quantifier"] if contradicts else [])


def test_some_did_and_some_did_not_can_both_be_true():
    denied = said("recover", "patient", negated=True, quantifier="some")
    assert signals(said("recover", "patient", quantifier="most"), [denied]) == ()
    assert signals(said("recover", "patient", quantifier="all"), [denied])


def test_a_claim_surer_than_its_source_is_noted_with_a_low_weight():
    (signal,) = signals(
        said("cause", "drug", "fever"), [said("cause", "drug", "fever", frame="may")]
    )
    assert (signal.kind, signal.stance) == ("modality", Stance.UNSUPPORTED)
    assert signal.weight < 0.5


def test_questions_and_conditions_in_the_claim_are_not_held_against_it():
    denied = [said("cause", "drug", "fever", negated=True)]
    assert signals(said("cause", "drug", "fever", frame="if"), denied) == ()


def test_one_tuple_comes_back_per_pair_in_order():
    wrong = pair([said("rise", "price")], [said("fall", "price")])
    right = pair([said("rise", "price")], [said("rise", "price")])
    found = Family("negation", Words()).compare([right, wrong, right], Corpus())
    assert [len(signals) for signals in found] == [0, 1, 0]
