"""Claims that repeat a sentence but for a few words: no model, words read by their spelling."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest
from small_values import pair_of

from halgo.signals.polarity import edit_alignment
from halgo.types import Facts, Name, Quantity, Span, Stance, Term

OPPOSITE = {"rise": "fall", "fall": "rise"}
LEMMAS = {"rose": "rise", "fell": "fall", "caused": "cause"}


class Words:
    def synonyms(self, lemma):
        return frozenset({"often"} if lemma == "frequently" else ())

    def antonyms(self, lemma):
        return frozenset({OPPOSITE[lemma]} if lemma in OPPOSITE else ())


def facts(text: str) -> Facts:
    words = [(m.group(), Span(*m.span())) for m in re.finditer(r"[A-Za-z]+", text)]
    return Facts(
        quantities=tuple(
            Quantity(float(m.group(2)), float(m.group(2)), "", Span(*m.span()), bool(m.group(1)))
            for m in re.finditer(r"((?:about|About) )?(\d+)", text)
        ),
        names=tuple(
            Name(word, "ORG", word.lower(), span)
            for word, span in words
            if word[0].isupper() and span.start
        ),
        terms=tuple(
            Term(LEMMAS.get(word.lower(), word.lower()), "NOUN", span) for word, span in words
        ),
    )


def signals(claim: str, passage: str, best: str = ""):
    pair = pair_of(claim, facts(claim), passage, facts(passage), best)
    return edit_alignment.signals(pair, Words())


@pytest.mark.parametrize(
    "claim, source, kind, stance",
    [
        ("We deliver by courier.", "We do not deliver by courier.", "negation", "contradicts"),
        ("Rents did not rise in May.", "Rents rose in May.", "negation", "contradicts"),
        ("A guest can't bring a dog.", "A guest can bring a dog.", "negation", "contradicts"),
        ("A guest must bring a dog.", "A guest may bring a dog.", "modality", "unsupported"),
        ("Boats always lie in the bay.", "Boats often lie in the bay.", "quantifier",
         "unsupported"),
        ("All boats lie in the bay.", "Most boats lie in the bay.", "quantifier", "unsupported"),
        ("Every boat lies in the bay.", "Nearly every boat lies in the bay.", "quantifier",
         "unsupported"),
        ("Rents in the town fell by 4.", "Rents in the town rose by 4.", "antonym", "contradicts"),
        ("They ate after the long walk.", "They ate before the long walk.", "antonym",
         "contradicts"),
        ("It opens on every Friday.", "It opens on every Sunday.", "word_conflict", "contradicts"),
        ("The Buyer pays what the Seller asks.", "The Seller pays what the Buyer asks.",
         "swapped_names", "contradicts"),
    ],
)  # fmt: skip
def test_one_word_turns_a_sentence(claim, source, kind, stance):
    (signal,) = signals(claim, source)
    assert (signal.kind, signal.stance) == (kind, Stance(stance))
    assert signal.weight >= 0.5 and signal.claim_span is not None


@pytest.mark.parametrize(
    "claim, source",
    [
        ("A guest can bring a dog.", "A guest may bring a dog."),
        ("A guest may bring a dog.", "A guest must bring a dog."),
        ("Boats often lie in the bay.", "Boats always lie in the bay."),
        ("Boats frequently lie in the bay.", "Boats often lie in the bay."),
        ("We don't deliver by courier.", "We do not deliver by courier."),
        ("The syrup caused a rash in adults.", "The syrup did not cause a rash in infants."),
        ("Anna and Boris sang in the church.", "Boris and Anna sang in the church."),
        ("The mill burned down.", "He did not say that the mill burned down."),
        ("Rents fell in the town.", "The mayor asked what had become of the old rents."),
        ("About 40 boats lie there.", "40 boats lie there."),
        ("Not all boats lie in the bay.", "All boats lie in the bay."),
    ],
)
def test_other_differences_say_nothing(claim, source):
    assert signals(claim, source) == []


def test_the_sentence_that_is_repeated_counts_not_the_one_beside_it():
    passage = "The syrup did not cause a rash in infants. The syrup caused a rash in adults."
    claim = "The syrup caused a rash in adults."
    assert signals(claim, passage, best="The syrup did not cause a rash in infants.") == []


@pytest.mark.parametrize("high, kinds", [(40.0, ["number_conflict"]), (60.0, [])])
def test_one_limit_from_both_sides_is_a_conflict(high, kinds):
    claim, source = "Fewer than 40 boats lie in the bay.", "More than 40 boats lie in the bay."
    span, place = (Span(0, text.index("40") + 2) for text in (claim, source))
    ours = replace(facts(claim), quantities=(Quantity(0.0, high, "", span),))
    theirs = replace(facts(source), quantities=(Quantity(40.0, math.inf, "", place),))
    found = edit_alignment.signals(pair_of(claim, ours, source, theirs), Words())
    assert [signal.kind for signal in found] == kinds
