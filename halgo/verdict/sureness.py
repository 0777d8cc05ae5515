"""How sure a score or a signal has to be for a verdict, and what each kind of signal can tell.

The numbers that `verdict/rules.py` decides by, each with what it was found by.
"""

from __future__ import annotations

from collections.abc import Mapping

from halgo.config import Config
from halgo.types import SourceKind, Span

# A signal at least this sure decides by itself; weaker ones only move the score.
DECIDES = 0.5
# The highest score of a claim that a signal has decided against; below `support_threshold`.
DOUBTED = 0.60
# The least similarity or lexical score of a passage that supports a claim: of what has nothing to
# do with a text the models are undecided, and "blah blah" would pass. Of our true claims none is
# below but where something surely agrees (a long record has few of a claim's words).
NOT_ABOUT = 0.2
# By how much a contradicting passage must be nearer the subject than a supporting one to win.
NEARER = 0.05
# By how much it may be nearer than one that confirms its very words: what is further off lacks
# words of the claim. "The Pro plan costs 19 EUR" does not confirm what is said of the Basic plan.
FAR_NEARER = 0.10
# The most that a bound tells for an amount that it leaves room for.
ROOM = 0.3
# ... and to make a support of other passages none at all, where it only says less than the claim.
OUTSHONE = 0.25
# The kind of the entailment model's signal. It has its say in the score, with all else that speaks
# for or against the claim, so here it only tells a contradiction from a lack of support.
MODEL = "entailment"
# Its kind where it says of cases on one side of a limit what the claim says of one on the other.
OTHER_CASE = "other_case"
# The kind that tells of a passage in a section on something else than the claim's.
ELSEWHERE = "other_section"
# The name of what tells which record a claim is about.
RECORDS = "records"
# How sure the model has to be of that: short of it, what it doubts is only not supported.
MODEL_DECIDES = 0.75
# How surely the model contradicts a claim of which a passage has so large a share of the words for
# none to support it: of such claims, with nothing else that agrees, most are false.
TURNED, COPIED = 0.55, 0.7
# How surely for what no source mentions to be another value of a field.
TELLS_OTHERWISE = 0.97
# ... and for none to support one in other words; and one with an amount that agrees.
DENIES, SURE_OF_DENIAL = 0.65, 0.8
OF_FIELDS = (SourceKind.TOOL, SourceKind.ROW)
# What agrees in what a claim names, or in the order of its events, and not in what it says of them.
NAMED = frozenset({"identifier_agrees", "order_agrees"})
# Whether the sources speak of what the claim says they do not; its own words in them say nothing.
SILENCE = frozenset({"mentioned", "not_mentioned"})
# What is worked out exactly and agrees: the model errs more often than these do.
WORKED_OUT = frozenset({"comparison_agrees", "yes_no_agrees", "schedule_agrees", "rows_agree"})
# What shows that the claim's own number is the one that follows from the passage.
FOLLOWS = frozenset({"derived", "schedule_agrees", "rows_agree"})
# What does not stand against a claim that the model has read, does not surely doubt, and supports
# at least so surely, where the score is high enough with it: texts call by another word ("the
# virus", "he") what the claim names, and amounts can be told without a figure ("about a third was
# left", "two years after").
# Where a passage does tell the figure, or another in its stead, there is nothing to forgive.
FORGIVEN: Mapping[str, float] = {
    "unsupported_name": 0.0,
    "unsupported_number": MODEL_DECIDES,
    "unsupported_date": MODEL_DECIDES,
    "unsupported_link": MODEL_DECIDES,
    "unanswered": MODEL_DECIDES,
}
# ... unless it lacks more surely than this: what is told to three digits is told with a figure.
MOST_FORGIVEN = 0.8
# Rules about wording that say nothing where the model is so sure that the sources say the claim:
# there they are wrong more often than it is.
YIELDING, SURE_OF_SUPPORT = frozenset({"polarity", "coordinated_amounts"}), 0.8
STRENGTH = "strength"  # the name of what tells how strong an operator is
Forgiven = tuple[str, Span | None]  # a kind of signal, and its place in the claim
FIGURES = frozenset({"number_agrees", "number_conflict", "date_agrees", "date_conflict"})
# A value in the place of another, which is compared exactly.
VALUES = frozenset({"number_conflict", "word_conflict", "rows_conflict"})
# What the record of another thing is known by.
OTHER_NAME = "unsupported_name"
# How near a passage must be to be about a claim, with a calibration; else it is `threshold`.
ABOUT = Config().threshold
USUAL = Config().support_threshold
# By how much more the odds of a claim have to be whose every content word one passage has, where no
# rule surely agrees: 0.78 instead of 0.65. It is what the passage says, or that with one thing
# changed; cosine and shared words are as high for both. Between the two most claims are false.
STRICTER = 1.9
