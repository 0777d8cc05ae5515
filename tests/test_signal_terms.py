"""Names, roles and terms, from real sentences: documents in, signals out."""

from dataclasses import replace

import pytest
from small_rules import Family
from small_values import pair_of

from halgo import facts
from halgo.facts.corpus import corpus_of
from halgo.facts.lexicon import default_lexicon
from halgo.protocols import Detector
from halgo.signals.entities.mentioned import unsupported_terms
from halgo.signals.records import other_sections
from halgo.signals.relations.substitution import exclusive
from halgo.types import Corpus, Facts, Span, Stance, Term

pytestmark = pytest.mark.models


def signals(claim, passage, *others):
    """The signals of a claim beside a passage, in a corpus of the passage and other texts."""
    texts = [passage, *others]
    mine, *theirs = facts.extract([claim, *texts])
    detector = Family("terms", default_lexicon())
    assert isinstance(detector, Detector)
    (found,) = detector.compare(
        [pair_of(claim, mine, passage, theirs[0])], corpus_of(theirs, texts)
    )
    for signal in found:
        assert signal.claim_span is None or signal.claim_span.of(claim)
        assert signal.evidence_span is None or signal.evidence_span.of(passage)
    return {signal.kind: signal for signal in found}


def test_a_name_that_stands_nowhere_is_unsupported():
    found = signals("The bridge was opened by Wilhelm Strasser.", "The bridge was opened in June.")
    signal = found["unsupported_name"]
    assert signal.stance is Stance.UNSUPPORTED
    assert signal.weight >= 0.5
    assert "Wilhelm Strasser" in signal.message


def test_a_name_that_stands_in_another_document_weighs_little():
    found = signals(
        "The bridge was opened by Wilhelm Strasser.",
        "The bridge was opened in June.",
        "Wilhelm Strasser is the mayor.",
    )
    assert found["unsupported_name"].weight < 0.5


@pytest.mark.parametrize(
    "claim, passage",
    [
        ("The U.S. signed the treaty.", "The United States signed the treaty."),
        ("Keller leads the institute.", "Dr. Maria Keller leads the institute."),
        ("The IRC met in Oslo.", "The International Reef Council (IRC) met in Oslo."),
        ("Acme pays the rent.", 'Acme Ltd (the "Client") pays the rent.'),
        ("The French parliament agreed.", "The parliament of France agreed."),
        ("Brazil's parliament agreed.", "The parliament of Brazil agreed."),
        ("The SHP-2 pathway is blocked.", "The SHP2 pathway is blocked."),
    ],
)
def test_a_name_under_another_form_is_no_signal(claim, passage):
    found = signals(claim, passage)
    assert not {"unsupported_name", "partial_name", "name_conflict"} & set(found)


def test_a_name_that_agrees_in_part_says_what_the_source_says():
    found = signals(
        "Mike Johnson sent the letter.", "Mike sent the letter to the water board in the morning."
    )
    assert found["partial_name"].values == ("Mike Johnson", "Mike")
    assert found["partial_name"].weight < 0.5


@pytest.mark.parametrize(
    "claim, passage, kind",
    [
        (
            "Brightsea acquired Norvale for two billion euros.",
            "Norvale acquired Brightsea for two billion euros.",
            "swapped_names",
        ),
        (
            "Anna Berg defeated Lucia Conti in the final.",
            "Anna Berg was defeated by Lucia Conti in the final.",
            "swapped_names",
        ),
        (
            "The treaty was signed in Vienna by eleven states.",
            "The treaty was signed in Geneva by eleven states.",
            "name_conflict",
        ),
        (
            "The painter was born in Naples.",
            "The painter was born in Lisbon and died in Naples.",
            "name_role",
        ),
        (
            "The green lamp means that the battery is empty.",
            "The red lamp means that the battery is empty.",
            "word_conflict",
        ),
        (
            "The study found a negative effect of sleep on memory.",
            "The study found a positive effect of sleep on memory.",
            "antonym",
        ),
    ],
)
def test_what_stands_in_the_wrong_place_contradicts(claim, passage, kind):
    found = signals(claim, passage)
    assert found[kind].stance is Stance.CONTRADICTS
    assert found[kind].weight >= 0.5


@pytest.mark.parametrize(
    "claim, passage",
    [
        ("Brightsea was acquired by Norvale.", "Norvale acquired Brightsea in March."),
        ("The green lamp means full.", "The red lamp means empty, the green lamp means full."),
        ("Emil Brandt wrote the manual.", "Clara Voss and Emil Brandt wrote the manual."),
        ("The choir sang in Bergen.", "The choir sang in Oslo and Bergen."),
        ("Hallmoor bought Norvale.", "Norvale bought Brightsea and Hallmoor bought Norvale."),
    ],
)
def test_what_stands_in_its_own_place_does_not(claim, passage):
    assert not any(s.stance is Stance.CONTRADICTS for s in signals(claim, passage).values())


def test_only_words_of_a_closed_group_exclude_each_other():
    assert "blue" in exclusive("red")
    assert exclusive("nonsense") == frozenset()
    assert "red" not in exclusive("red")


class NoWords:
    """A lexicon that knows nothing."""

    def synonyms(self, lemma):
        return frozenset({"britain"}) if lemma == "uk" else frozenset()

    def antonyms(self, lemma):
        return frozenset()


def test_unsupported_terms_are_the_proper_nouns_and_numbers_no_source_holds():
    words = [("strasser", "PROPN"), ("45", "NUM"), ("1987", "NUM"), ("open", "VERB")]
    words += [("uk", "PROPN"), ("oslo", "PROPN"), ("abba", "PROPN")]
    claim = Facts(terms=tuple(Term(lemma, pos, Span(0, 1)) for lemma, pos in words))
    corpus = Corpus(terms=frozenset({"britain", "oslo"}))
    assert unsupported_terms(claim, corpus, NoWords()) == ("45", "abba", "strasser")


def test_unsupported_terms_of_nothing_are_none():
    assert unsupported_terms(Facts(), Corpus(), NoWords()) == ()


@pytest.mark.parametrize(
    "claim, heading, others, told",
    [
        ("The Pro plan has 10 GB.", "Basic plan", ("Basic plan", "Pro plan"), True),
        ("The Basic plan has 10 GB.", "Basic plan", ("Basic plan", "Pro plan"), False),
        ("Pro, unlike Basic, has 10 GB.", "Basic plan", ("Basic plan", "Pro plan"), False),
        ("In 2021 there were 10 GB.", "2019", ("2019", "2021"), True),
        # Any claim may have a word of some other heading.
        ("Refunds come with 10 GB.", "Storage", ("Storage", "Refunds"), False),
        ("The Pro plan has 10 GB.", "", ("Basic plan", "Pro plan"), False),
    ],
)
def test_what_stands_under_the_heading_of_another_is_not_about_the_claim(
    claim, heading, others, told
):
    pair = pair_of(claim, Facts(), f"{heading} Storage: 10 GB".strip(), Facts())
    placed = replace(pair, evidence=replace(pair.evidence, heading=heading, headings=others))
    found = other_sections.signals(placed)
    assert bool(found) is told
    if told:
        (signal,) = found
        assert signal.claim_span.of(claim) in ("Pro", "2021")
        assert signal.evidence_span.of(placed.evidence.reading.text) == heading
