"""Verbs with particles, read by the real parser: "turn down" is "reject", not "turn"."""

import pytest
from small_rules import Family
from small_values import pair_of

from halgo import facts
from halgo.facts.lexicon import default_lexicon
from halgo.types import Corpus, Stance

pytestmark = pytest.mark.models


@pytest.mark.parametrize(
    ("claim", "source", "kind"),
    [
        ("The board turned the offer down.", "The board accepted the offer.", "antonym"),
        ("The board turned the offer down.", "The board did not reject the offer.", "negation"),
        ("Sales went up in May.", "Sales went down in May.", "antonym"),
        ("The pump is switched on at night.", "The pump is switched off at night.", "antonym"),
        ("The board turned the offer down.", "The board rejected the offer.", ""),
        ("The race was called off.", "The race was cancelled.", ""),
        ("She took off her coat.", "She did not take over the firm.", ""),
    ],
)
def test_a_verb_is_read_with_its_particle(claim, source, kind):
    ours, theirs = facts.extract([claim, source])
    pair = pair_of(claim, ours, source, theirs)
    (found,) = Family("negation", default_lexicon()).compare([pair], Corpus())
    conflicts = [signal.kind for signal in found if signal.stance is Stance.CONTRADICTS]
    assert conflicts == ([kind] if kind else [])
