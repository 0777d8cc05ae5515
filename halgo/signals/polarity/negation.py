"""Polarity: the claim affirms what the passage denies, or says the opposite word.

A predicate of the claim is held against the predicates of the passage's best sentence. Both must
have the same arguments, as far as these are known, and whatever narrows the denial ("no *severe*
fever", "not *in children*") must narrow the assertion too. A text that also says what the claim
says does not contradict it.
"""

from __future__ import annotations

import re
from functools import cached_property
from operator import itemgetter

from halgo.facts.words import words
from halgo.signals.matching import Match, opposites, within
from halgo.signals.polarity import focus
from halgo.signals.quantities.situations import lies_outside
from halgo.signals.relations.converse import converse
from halgo.signals.segments import CLAUSE, quoted
from halgo.signals.texts import Texts
from halgo.types import Pair, Predicate, Signal, Span, Stance

# Verbs that say too little for a mismatch of polarity to mean anything without an object.
_LIGHT = words(
    "be have do get make take go come say tell know think see use want need try let seem keep "
    "give put mean like find look include involve state note mention report add call begin start "
    "continue become work provide"
)
_DENIAL = re.compile(r"\b(?:not|never|no|hardly|scarcely|cannot)\b|n['’]t\b")
_BEFORE = 3  # words before a predicate by which it is known to be the same
_NEAR = 60  # characters before a predicate in which its auxiliaries stand
_EVEN_IF = re.compile(r"\b(?:even|whether)\b", re.IGNORECASE)
_WEAK = ("may", "if", "plan", "ask")
# What the source says of what it does not say to be so; the last only beside a claim that says
# that it must be, or will.
_SAID = {
    "may": "only says that it may be so",
    "plan": "only speaks of a plan",
    "can": "only says that it can be so",
}
_TO = re.compile(r"(?<!\bgoing )\bto\s+$", re.IGNORECASE)
_WILL = re.compile(r"\b(?:will|shall|is going to|are going to)\b|['’]ll\b", re.IGNORECASE)
# How surely a hedge makes the claim wrong.
SURE, UNSURE = 0.5, 0.3
# The least certainty of a denial in another than the best sentence, and what that makes of it.
_FAR = 0.8
# "Days that were carried over expire": that any were is not what the claim says.
_GIVEN = re.compile(
    r"[^\s,]\s+(?:that|who|which)\s+"
    r"(?:(?:is|are|was|were|has|have|had|been|being|do|does|did)\s+)*$"
)
_DONE = re.compile(r"\b(?:did|has since|have since)\b(?! not|n['’]t)", re.IGNORECASE)
# "Must not take more than two": two may be taken.
_LIMIT = re.compile(
    r"(?:\bnot|n['\u2019]t|\bnever|\bno)\b.{0,40}\b(?:more|less|fewer|longer|later|over|above|exceed)"
)
_WORD = re.compile(r"\w+")
_LONGEST = 20_000  # characters of one text
_MOST_PREDICATES = 40  # of one text; a longer one is compared by its first


def polarity(texts: Texts) -> list[Signal]:
    """What the passage's predicates say against the claim's, at most one signal for each."""
    view, pair = _View(texts), texts.pair
    found: dict[Span, Signal] = {}
    outside = lies_outside(pair)
    for mine in pair.claim_facts.predicates[:_MOST_PREDICATES]:
        if mine.frame == "ask" or mine.span in found:
            continue
        if mine.frame == "if" and _EVEN_IF.search(pair.claim.text, 0, mine.span.start):
            continue
        if mine.negated and _GIVEN.search(pair.claim.text[: mine.span.start]):
            continue  # "citizens who do not vote" denies nothing
        if mine.negated and outside:
            continue  # "At 84 °C it is not done" beside what is so from 92 °C on
        signal = _opposition(mine, view) or _hedged(mine, view)
        if signal is not None:
            found[mine.span] = signal
    return list(found.values())


def _opposition(mine: Predicate, view: _View) -> Signal | None:
    """The surest opposition to one predicate of the claim; None if the passage agrees."""
    best: Signal | None = None
    told = [(view.relation(mine, theirs), theirs) for theirs in view.everywhere]
    # "The US signed it, China did not": what is said of the very subject comes first.
    ranked = [(not view.of_the_same(mine, p), r, p) for r, p in told if r != 0]
    for of_another, relation, theirs in sorted(ranked, key=itemgetter(0)):
        if of_another and best is not None and best.kind == "negation":
            break
        agrees = relation == (1 if mine.negated == theirs.negated else -1)
        certainty = view.certainty(mine, theirs)
        if agrees:
            if certainty > 0 or view.loosely(mine, theirs):
                return _quantified(mine, theirs, view) if certainty > 0 else None
            continue
        if certainty <= 0 or not _exclude(mine, theirs) or view.is_purpose(theirs):
            continue
        if relation != 1 and converse(mine.lemma, theirs.lemma):
            continue  # what is sold is bought
        if theirs not in view.best:
            # Another sentence has to deny this very thing: "Old coins cannot be changed."
            if certainty < _FAR or relation != 1 or mine.negated or not theirs.context:
                continue
            certainty *= _FAR
        if relation == 1 and (view.repeats(mine) or view.leaves_room(mine, theirs)):
            continue
        kind = "negation" if relation == 1 else "antonym"
        if kind == "antonym" and mine.negated and theirs.negated:
            certainty *= 0.6  # neither rose nor fell: both can be true
        signal = _opposed(kind, certainty, mine, theirs, view.pair)
        if best is None or signal.weight > best.weight:
            best = signal
    return best


def _quantified(mine: Predicate, theirs: Predicate, view: _View) -> Signal | None:
    if mine.negated or mine.quantifier not in ("all", "most", "many"):
        return None
    if mine.quantifier != "all" and theirs.quantifier != "few":
        return None
    if not view.same_ones(mine, theirs):
        return None
    if theirs.quantifier in ("not all", "few"):
        weight, stance = 0.7, Stance.CONTRADICTS
    elif theirs.quantifier in ("some", "many", "most"):
        weight, stance = 0.5, Stance.UNSUPPORTED
    else:
        return None
    return Signal(
        "quantifier",
        stance,
        weight,
        f'The claim speaks of {mine.quantifier}; the source says "{theirs.quantifier}".',
        mine.span,
        theirs.span,
        (mine.quantifier, theirs.quantifier),
    )


def _hedged(mine: Predicate, view: _View) -> Signal | None:
    """A claim that is surer than its source, or laxer: "causes" against "may cause"."""
    if mine.frame == "may":
        return _lax(mine, view)
    if mine.frame in _WEAK or mine.frame == "can":
        return None
    signal = _surer(mine, view)
    if signal is None:
        return None
    before = view.pair.claim.text[: mine.span.start]
    # "to leave, they need a note" does not say that they leave
    given = _GIVEN.search(before) or (not mine.frame and _TO.search(before))
    return None if given else signal


def _surer(mine: Predicate, view: _View) -> Signal | None:
    """A claim that says plainly what its source hedges."""
    hedged: Predicate | None = None
    for theirs in view.everywhere:
        if view.relation(mine, theirs) != 1 or mine.negated != theirs.negated:
            continue
        if view.certainty(mine, theirs, strict=False) <= 0:
            continue
        if not _stronger(mine, theirs, view):
            return None
        if theirs in view.best:
            hedged = theirs
    if hedged is None:
        return None
    sure = view.same_event(mine, hedged) and not view.is_carried_out(hedged)
    return _too_sure(mine, hedged, _SAID[hedged.frame], SURE if sure else UNSURE)


def _lax(mine: Predicate, view: _View) -> Signal | None:
    """What the claim leaves open and the source demands: "may wear", "must wear"."""
    bound: Predicate | None = None
    if _LIMIT.search(view.sentence):
        return None
    for theirs in view.everywhere:
        if view.relation(mine, theirs) != 1 or mine.negated != theirs.negated:
            continue
        if theirs.frame != "must":
            return None
        if theirs in view.best and view.same_throughout(mine, theirs):
            bound = theirs
    return _too_sure(mine, bound, "says that it must be so", SURE) if bound else None


class _View:
    """One claim beside one passage, with what comparing their predicates needs."""

    def __init__(self, texts: Texts) -> None:
        pair = self.pair = texts.pair
        self.lexicon = texts.lexicon
        self.everywhere = pair.evidence_facts.predicates[: 4 * _MOST_PREDICATES]
        self.best = within(self.everywhere, pair.evidence.best)
        self.relation, self._compare = texts.said, texts.match
        self._claim_words = {term.lemma for term in pair.claim_facts.terms}
        best = pair.evidence.best
        self._best_words = {
            term.lemma for term in pair.evidence_facts.terms if term.span.overlaps(best)
        }
        self._texts = (
            pair.claim.text.lower()[:_LONGEST],
            best.of(pair.evidence.reading.text).lower()[:_LONGEST],
        )
        self.sentence = self._texts[1]

    @cached_property
    def _spoken(self) -> tuple[frozenset[str], frozenset[str]]:
        """All words of the claim and of the best sentence.

        Those that stand for too little to be terms ("such") may still narrow a denial.
        """
        said, best_said = (frozenset(_WORD.findall(text)) for text in self._texts)
        return said, best_said

    def subject(self, mine: Predicate, theirs: Predicate) -> Match:
        return self._compare(mine.subject, theirs.subject)

    def object(self, mine: Predicate, theirs: Predicate) -> Match:
        return self._compare(mine.object, theirs.object)

    def same_ones(self, mine: Predicate, theirs: Predicate) -> bool:
        """Whether both speak of so many of the same: of their subjects, or a passive's objects."""
        if mine.subject or theirs.subject:
            a, b = mine.subject, theirs.subject
        else:
            a, b = mine.object, theirs.object
        return self._compare(a, b) is Match.SAME or (a == b and self.aligned)

    def of_the_same(self, mine: Predicate, theirs: Predicate) -> bool:
        """Whether both are said of one thing; of the passive's that is the object."""
        if mine.subject:
            return self.subject(mine, theirs) is Match.SAME
        return bool(mine.object) and mine.object == theirs.object

    @cached_property
    def aligned(self) -> bool:
        """Whether the best sentence has nearly all that the claim says."""
        content = self._claim_words
        held = sum(self._stands(word, self._best_words) for word in content)
        if len(content) < 2:  # "Many of them had been damaged."
            said, best = self._spoken
            return bool(content) and len(said) >= 4 and len(said & best) >= 0.8 * len(said)
        return held >= 0.75 * len(content)

    def same_throughout(self, mine: Predicate, theirs: Predicate) -> bool:
        """Whether all arguments are known to be the same, and there are some."""
        compared = [
            self._compare(a, b)
            for a, b in ((mine.subject, theirs.subject), (mine.object, theirs.object))
            if a or b
        ]
        return bool(compared) and all(match is Match.SAME for match in compared) and self.aligned

    def same_event(self, mine: Predicate, theirs: Predicate) -> bool:
        """Whether nothing known differs, one argument is the same, and so is most of the rest."""
        compared = (self.subject(mine, theirs), self.object(mine, theirs))
        return Match.SAME in compared and Match.DIFFERENT not in compared and self.aligned

    def says_will(self, mine: Predicate) -> bool:
        """Whether a predicate of the claim is told of what is to come, "would" left out."""
        text, end = self.pair.claim.text, mine.span.end
        return _WILL.search(text, max(0, end - _NEAR), end) is not None

    def is_carried_out(self, theirs: Predicate) -> bool:
        """Whether the best sentence goes on to say that it was done: "..., and he did"."""
        text, best = self.pair.evidence.reading.text, self.pair.evidence.best
        return _DONE.search(text, theirs.span.end, best.end) is not None

    def is_purpose(self, theirs: Predicate) -> bool:
        """Whether the passage does not say that something is so: "to enrol, ...", "a way to do"."""
        text, start = self.pair.evidence.reading.text, theirs.span.start
        plain = not theirs.negated and not theirs.frame
        return plain and _TO.search(text, max(0, start - _NEAR), start) is not None

    def repeats(self, mine: Predicate) -> bool:
        """Whether the passage has the very denial of the claim, however it was parsed."""
        claim, best = self._texts
        head = claim[: mine.span.start].split()[-_BEFORE:]
        said = " ".join([*head, *claim[mine.span.start : mine.span.end].split()])
        return _DENIAL.search(said) is not None and f" {said} " in f" {' '.join(best.split())} "

    def loosely(self, mine: Predicate, theirs: Predicate) -> bool:
        """Whether both may say the same, seen generously: nothing known differs.

        Where only a synonym is shared, something has to be the same: "fall asleep" is no decrease.
        """
        if mine.lemma != theirs.lemma and Match.SAME not in (
            self.subject(mine, theirs),
            self.object(mine, theirs),
        ):
            return False
        return (
            self.subject(mine, theirs) is not Match.DIFFERENT
            and self._compare(mine.object, theirs.object) is not Match.DIFFERENT
        )

    def leaves_room(self, mine: Predicate, theirs: Predicate) -> bool:
        """Whether what is denied is something beside the event, which may be all the same."""
        texts = self.pair.claim.text, self.pair.evidence.reading.text
        ours, others = focus.Said(mine, texts[0]), focus.Said(theirs, texts[1])
        denied, said = (ours, others) if mine.negated else (others, ours)
        return focus.denies_more(denied, said, self.subject(mine, theirs) is Match.SAME)

    def certainty(self, mine: Predicate, theirs: Predicate, *, strict: bool = True) -> float:
        """How sure it is that both speak of the same event, in [0, 1]; 0 if it is not."""
        subject = self.subject(mine, theirs)
        object_ = self._compare(mine.object, theirs.object)
        if Match.DIFFERENT in (subject, object_):
            return 0.0
        echoed = (
            (bool(mine.subject) and mine.subject == theirs.subject)
            or (bool(mine.object) and mine.object == theirs.object)
        ) and self.aligned
        # "Guests may swim, but they do not swim with dogs": all that the claim says of it is there.
        taken_up = theirs.subject in ("they", "it") and theirs.negated and not mine.negated
        if taken_up and mine.context and self.aligned:
            echoed = echoed or {*mine.context} <= {*theirs.context}
        if Match.SAME not in (subject, object_) and not echoed:
            return 0.0
        if mine.lemma in _LIGHT and object_ is not Match.SAME and not echoed:
            return 0.0
        if not strict:
            return 1.0
        # One condition, turned round: "if there is no train", "if there is a train".
        supposed = theirs.frame == mine.frame == "if" and self.aligned
        if not supposed and (theirs.frame in ("if", "ask", "plan") or mine.frame == "if"):
            return 0.0
        if mine.frame == "plan":
            return 0.0
        if any(opposites(a, b, self.lexicon) for a in mine.context for b in theirs.context):
            return 0.0
        # What narrows the denied side has to stand on the other side too.
        denied, affirmed = (mine, theirs) if mine.negated else (theirs, mine)
        if any(f"not {word}" in affirmed.context for word in denied.context):
            return 0.0  # "is not leaving on Friday", "is leaving on Saturday, not on Friday"
        denied, other_words = (
            (mine, self._best_words) if mine.negated else (theirs, self._claim_words)
        )
        missing = [word for word in denied.context if not self._stands(word, other_words)]
        share = len(missing) / max(len(denied.context) + 1, 2)
        certainty = 0.95 if subject is object_ is Match.SAME else 0.85
        if Match.UNKNOWN in (subject, object_) and (mine.subject and theirs.subject):
            certainty = 0.75
        if Match.SAME not in (subject, object_):  # "he" in both, and nearly all the other words
            certainty = 0.65
        if theirs.frame == "may":  # "vans may enter, taxis may not" is no guess
            certainty *= 0.8 if mine.frame in ("may", "can") else 0.6
        if missing:
            certainty *= 0.0 if share >= 0.4 or len(missing) > 2 else 0.7
        return certainty

    def _stands(self, word: str, others: set[str]) -> bool:
        if word in others or not self.lexicon.synonyms(word).isdisjoint(others):
            return True
        return word in self._spoken[1 if others is self._best_words else 0]


def _exclude(a: Predicate, b: Predicate) -> bool:
    """Whether two opposite statements cannot both be true, by what they say of how many.

    "Some did not recover" and "most recovered" can; "some recovered" and "none did" cannot.
    """
    partial = ("some", "many", "most", "few", "not all")
    if a.quantifier not in partial and b.quantifier not in partial:
        return True
    other = b.quantifier if a.quantifier in partial else a.quantifier
    return other in ("all", "no")


def _stronger(mine: Predicate, theirs: Predicate, view: _View) -> bool:
    """Whether the claim stands higher on the ladder of modality: must, or has, for may."""
    if theirs.frame == "may":
        return mine.frame != "will" or view.says_will(mine)
    if theirs.frame == "can":  # what can be done is done now and then, and need not be
        return mine.frame == "must" or (mine.frame == "will" and view.says_will(mine))
    return theirs.frame == "plan"


def _too_sure(mine: Predicate, theirs: Predicate, said: str, weight: float = 0.5) -> Signal:
    message = f"The source {said}."
    return Signal("modality", Stance.UNSUPPORTED, weight, message, mine.span, theirs.span)


def _opposed(kind: str, certainty: float, mine: Predicate, theirs: Predicate, pair: Pair) -> Signal:
    said = (
        f"{mine.span.of(pair.claim.text)} {mine.particle}".rstrip(),
        f"{theirs.span.of(pair.evidence.reading.text)} {theirs.particle}".rstrip(),
    )
    if kind == "negation":
        denies = "does say" if mine.negated else "denies"
        message = f"The source {denies} this: “{quoted(pair, theirs.span, CLAUSE)}”."
    else:
        clause = quoted(pair, theirs.span, CLAUSE)
        message = f'The claim says "{said[0]}"; the source says the opposite: “{clause}”.'
    return Signal(
        kind, Stance.CONTRADICTS, round(certainty, 3), message, mine.span, theirs.span, said
    )
