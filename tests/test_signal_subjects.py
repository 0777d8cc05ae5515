"""What the passage says of another than the claim's subject."""

import pytest
from small_values import pair_of

from halgo import facts
from halgo.facts.lexicon import default_lexicon
from halgo.signals.relations import misattribution
from halgo.signals.texts import Texts

pytestmark = pytest.mark.models


def texts_of(claim, source):
    mine, theirs = facts.extract([claim, source])
    return Texts(pair_of(claim, mine, source, theirs), default_lexicon())


@pytest.mark.parametrize(
    "claim, source, whose",
    [
        ("Ito left in March.", "Ms Ito stayed, but Mr Okafor left in March.", "Mr Okafor"),
        ("Tom Reyes won it in May.", "Ann Moss coached Tom Reyes and won it in May.", "Ann Moss"),
        ("Tom Reyes won it.", "Tom Reyes lost. When Ann Moss ran, she won it.", "Ann Moss"),
        ("Tom Reyes won it.", "Tom Reyes lost. The captain, Ann Moss, won it.", "Ann Moss"),
        (
            "The guests signed the lease in May.",
            "After the guests had left, the tenant signed the lease in May.",
            "tenant",
        ),
        ("Ann Moss said the bank would close.", "Tom Reyes reported that the bank would close, "
         "and Ann Moss left.", "Tom Reyes"),
    ],
)  # fmt: skip
def test_the_passage_says_it_of_another(claim, source, whose):
    (signal,) = misattribution.of_another(texts_of(claim, source))
    assert signal.kind == "name_conflict" and signal.weight > 0.5
    assert signal.values[1] == whose and signal.evidence_span.of(source) == whose
    assert signal.claim_span.of(claim) == signal.values[0]


@pytest.mark.parametrize(
    "claim, source",
    [
        ("Ito left in March.", "Okafor left in March, and so did Ito, who left in March too."),
        ("Ann Moss signed the lease.", "Tom Reyes signed the lease with Ann Moss."),
        ("Ann and Tom Moss signed the lease.", "Tom Moss signed the lease, Ann Moss paid it."),
        ("Ann Moss led the survey.", "Ann Moss spoke. Tom Reyes led the survey of 2016."),
        ("Ann Moss won the cup.", "Tom Reyes met Ann Moss. They won the cup."),
        ("Ann Moss won the cup.", "When Tom Reyes met Ann Moss, she had won the cup."),
        ("Moss won the cup.", "Moss coached Albion. The manager won the cup."),
        (
            "A guest signed the lease in May.",
            "Ann Moss, whom a guest saw, signed the lease in May.",
        ),
        ("Acme said sales rose.", "Ann Moss of Acme said that sales rose. Acme grew."),
        ("An American won the cup.", "Ann Moss won the cup. An American came second."),
        ("The Book of Hours was lost.", "Hours was lost in a fire."),
        ("Ann Moss did not sign the lease.", "Tom Reyes signed the lease. Ann Moss left."),
    ],
)
def test_what_may_be_said_of_the_same_is_no_conflict(claim, source):
    assert not misattribution.of_another(texts_of(claim, source))


def test_a_passage_of_nothing_but_deeds_costs_no_more_than_its_first(monkeypatch):
    def compared(many):
        asked = []
        share = misattribution._share
        monkeypatch.setattr(misattribution, "_share", lambda *of: asked.append(of) or share(*of))
        source = " ".join(f"Ann{at} Moss signed the lease in May." for at in range(many))
        misattribution.of_another(texts_of(source.replace("Ann", "Tom"), source))
        monkeypatch.undo()
        return len(asked)

    assert 0 < compared(10) < compared(200) == compared(400)
