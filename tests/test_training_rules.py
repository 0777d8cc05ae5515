"""Training pairs by rule: what a sentence entails, its rewordings and its false variants."""

from __future__ import annotations

from functools import lru_cache
from random import Random

import pytest
from spacy.tokens import Span

from halgo.facts.parse import pipeline
from models.entailment.training.rules import (
    Altered,
    Pool,
    alterations,
    article,
    cut_short,
    reductions,
    rewordings,
    spliced,
    verb_form,
)

pytestmark = pytest.mark.models

TEXT = (
    "Ada Morris, a marine engineer, founded Northwind Systems in Leeds in 2011. "
    "The council approved the plan, and the mayor signed the contract on 3 May 2021. "
    "The pump moves 450 litres of water and runs for 12 hours. "
    "Peter Hall did not sign the lease. "
    "However, the company sold 40 boats to Harbour Trust in March 2019. "
    "Some members may leave the club before Friday. "
    "Most patients recovered after at least two weeks. "
    "Revenue rose by 12% to $3 million in 2020. "
    "The ferry, which carries 80 cars, is larger than the barge. "
    "Northwind Systems acquired Harbour Trust in 2015. "
    "Maria Lopez runs the yard."
)


@lru_cache(maxsize=1)
def sentences() -> tuple[Span, ...]:
    return tuple(pipeline()(TEXT).sents)


def sentence(text: str) -> Span:
    return next(iter(pipeline()(text).sents))


def pool() -> Pool:
    made = Pool()
    made.add(sentences()[0].doc)
    return made


def altered(text: str, seeds: int = 12) -> list[Altered]:
    parsed = sentence(text)
    return [a for seed in range(seeds) for a in alterations(parsed, pool(), Random(seed))]


@pytest.mark.parametrize(
    "text, shorter",
    [
        (
            "Ada Morris, a marine engineer, founded Northwind Systems.",
            "Ada Morris founded Northwind Systems.",
        ),
        ("Ada Morris, a marine engineer, founded the firm.", "Ada Morris was a marine engineer."),
        ("The ferry, which carries 80 cars, left the port.", "The ferry left the port."),
        ("However, the company sold 40 boats.", "The company sold 40 boats."),
        (
            "The council approved the plan, and the mayor signed the contract.",
            "The mayor signed the contract.",
        ),
        ("The company sold 40 boats in March 2019.", "The company sold 40 boats."),
    ],
)
def test_a_sentence_entails_its_reduction(text, shorter):
    assert shorter in reductions(sentence(text))


@pytest.mark.parametrize(
    "text",
    [
        "The company did not sell boats in 2019.",
        "Only one company sold boats in 2019.",
        "The company sold the most boats in 2019.",
        "All companies sold boats in 2019.",
        "The company may sell boats in 2019.",
    ],
)
def test_what_restricts_a_sentence_is_not_dropped(text):
    assert reductions(sentence(text)) == []


@pytest.mark.parametrize(
    "text, same",
    [
        ("The mayor signed the lease on 3 May 2021.", "The mayor signed the lease on May 3, 2021."),
        ("The pump runs for 12 hours every day.", "The pump runs for 720 minutes every day."),
        ("The club has three boats in the port.", "The club has 3 boats in the port."),
        ("The mayor did not sign the lease.", "The mayor didn't sign the lease."),
        ("The mayor signed the lease.", "The lease was signed by the mayor."),
        ("In 2011, the mayor signed the lease.", "The mayor signed the lease in 2011."),
        ("Revenue rose by 12% last spring.", "Revenue rose by 12 percent last spring."),
    ],
)
def test_a_rewording_says_the_same(text, same):
    assert same in rewordings(sentence(text), Random(0))


@pytest.mark.parametrize(
    "text, false, kind, stance",
    [
        ("The mayor signed the lease.", "The mayor did not sign the lease.", "negation_in",
         "contradicted"),
        ("Peter Hall did not sign the lease.", "Peter Hall signed the lease.", "negation_out",
         "contradicted"),
        ("The pump can lift the boat.", "The pump cannot lift the boat.", "negation_in",
         "contradicted"),
        ("Revenue rose by 12% in 2020.", "Revenue fell by 12% in 2020.", "antonym", "contradicted"),
        ("The ferry is larger than the barge.", "The ferry is smaller than the barge.",
         "comparison", "contradicted"),
        ("Most patients recovered in May.", "Few patients recovered in May.", "quantifier",
         "contradicted"),
        ("Some members left the club.", "All members left the club.", "quantifier", "unsupported"),
        ("The treatment may cause a rash.", "The treatment will cause a rash.", "hedge",
         "unsupported"),
        ("It costs at least 20 euros.", "It costs at most 20 euros.", "quantifier",
         "contradicted"),
    ],
)  # fmt: skip
def test_a_false_variant(text, false, kind, stance):
    found = {a.text: a for a in altered(text, 1)}
    assert false in found
    assert (found[false].kind, found[false].stance) == (kind, stance)


def test_a_greater_bound_is_never_given_a_weaker_number():
    """ "More than 100" entails "more than 80", so only greater numbers are false or unknown."""
    numbers = [
        int(a.text.split()[6].replace(",", ""))
        for a in altered("The club now has more than 100 members.")
        if a.kind.startswith("number")
    ]
    assert numbers and all(number > 100 for number in numbers)


def test_a_change_under_negation_or_condition_is_not_called_a_contradiction():
    for text in ("The firm did not sell 40 boats.", "If it rains, the firm sells 40 boats."):
        found = [a for a in altered(text) if a.kind.startswith("number")]
        assert found and {a.stance for a in found} == {"unsupported"}


def test_a_name_is_replaced_by_one_of_its_type():
    texts = {a.text for a in altered("Peter Hall signed the lease.") if a.kind == "entity"}
    assert texts == {"Maria Lopez signed the lease."}


def test_an_alteration_points_at_the_words_that_changed():
    for parsed in sentences():
        for seed in range(6):
            for made in alterations(parsed, pool(), Random(seed)):
                assert made.text != parsed.text
                assert made.spans
                for start, end in made.spans:
                    assert 0 <= start < end <= len(made.text)
                    assert made.text[start:end].strip() == made.text[start:end]
                kept = made.text
                for start, end in reversed(made.spans):
                    kept = kept[:start] + kept[end:]
                known = {token.text.lower() for token in parsed} | {"a", "an"}
                words = [word.strip(".,") for word in kept.lower().split()]
                assert all(
                    word in known or any(word in one for one in parsed.text.lower().split())
                    for word in words
                )


def splices(text: str) -> set[str]:
    """What may be said of another subject of the text."""
    told = list(pipeline()(text).sents)
    return {altered.text for one in told for altered, _ in spliced(one, told)}


def test_what_one_did_is_said_of_another_that_the_text_names():
    text = "Maria Lopez signed the lease in May. Peter Hall has run the yard since 1998."
    assert splices(text) == {
        "Peter Hall signed the lease in May.",
        "Maria Lopez has run the yard since 1998.",
    }


@pytest.mark.parametrize(
    "text",
    [
        # Who the company is, and who she, the text may say elsewhere.
        "Maria Lopez signed the lease. She has run the yard since 1998.",
        "Northwind Systems signed the lease. The company has run the yard since 1998.",
        # One of several, or many instead of one.
        "Maria Lopez and Peter Hall signed the lease. Ada Morris has run the yard since 1998.",
        "Three young pilots signed the lease. The old harbour master has run the yard since 1998.",
        # Said of both already.
        "Maria Lopez signed the lease. Peter Hall told Maria Lopez about the yard.",
    ],
)
def test_who_may_be_the_same_or_share_the_deed_is_left_alone(text):
    assert splices(text) == set()


def test_a_sentence_is_cut_inside_a_phrase():
    (found,) = cut_short(
        sentence("The council approved the repair of the stadium roof last night.")
    )
    assert found.text == "The council approved the repair of the stadium."
    (span,) = found.spans
    assert found.text[slice(*span)] == "stadium"
    # The police force is the police: cut there, hardly less is said.
    assert not list(cut_short(sentence("He joined the city police force in 1990.")))


def test_same_seed_same_result():
    for parsed in sentences():
        runs = [
            (alterations(parsed, pool(), Random(7)), rewordings(parsed, Random(7)))
            for _ in range(2)
        ]
        assert runs[0] == runs[1]


def test_every_kind_of_text_begins_in_upper_case_and_ends_with_a_stop():
    made = [text for parsed in sentences() for text in reductions(parsed)]
    assert made
    assert all(text[0].isupper() and text[-1] == "." for text in made)


def test_a_question_or_a_heading_yields_nothing():
    for text in ("Did the mayor sign the lease?", "Terms of the lease"):
        parsed = sentence(text)
        assert reductions(parsed) == []
        assert rewordings(parsed, Random(0)) == []
        assert alterations(parsed, pool(), Random(0)) == []


@pytest.mark.parametrize(
    "lemma, tag, form",
    [("go", "VBD", "went"), ("carry", "VBZ", "carries"), ("stop", "VBG", "stopping"),
     ("visit", "VBD", "visited"), ("write", "VBN", "written")],
)  # fmt: skip
def test_verb_forms(lemma, tag, form):
    assert verb_form(lemma, tag) == form


@pytest.mark.parametrize("word, fits", [("hour", "an"), ("union", "a"), ("unhappy", "an"),
                                        ("18", "an"), ("NGO", "an"), ("boat", "a")])  # fmt: skip
def test_articles(word, fits):
    assert article(word) == fits
