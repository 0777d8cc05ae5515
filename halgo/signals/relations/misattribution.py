"""Misattribution: the passage has what the claim says, of someone else whom it names.

"Ms Ito resigned in March" beside "Mr Okafor resigned in March after Ms Ito had asked him to": every
word of the claim stands there, but it was not Ito who resigned. The clause has to be the same but
for its subject, the two have to be of one kind or told apart by the passage itself, and nowhere may
the passage say it of the claim's own subject, or of nobody in particular.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import islice

from halgo.facts.aliases import TITLES
from halgo.facts.words import words
from halgo.protocols import Lexicon
from halgo.signals.matching import Arguments, Match, arguments_of, broader, lemmas_match
from halgo.signals.passages import OfPassage
from halgo.signals.relations.role_reversal import SYMMETRIC
from halgo.signals.segments import SENTENCE, split
from halgo.signals.texts import Places, Texts, places_of
from halgo.types import Evidence, Facts, Name, Predicate, Signal, Span, Stance

WEIGHT = 0.6
# Share of the words of the claim's clause that another's has to hold, less where the object is the
# same; and of a clause by which the passage may say it of the claim's own subject.
ALIKE, SAME_OBJECT, PERHAPS = 0.75, 0.5, 0.5
_UNSAID = ("if", "ask")
_HE, _IT = words("he she"), words("it him her them this that")
# Verbs by which somebody says something; one may stand for another.
_SAYING = words(
    "say state claim tell announce argue report add insist explain note believe think admit warn "
    "suggest confirm declare reveal allege testify maintain assert remark comment"
)
_TOGETHER = ("prep:with", "prep:alongside", "prep:like")
# What can do something and be held to it, as broader words and how far above they may be.
_PERSON = frozenset({"person"})
_GROUPS = frozenset({"organization", "social group"})
_PARTIES, _ABOVE = _PERSON | _GROUPS, 6
# Labels of names that are hardly ever those of a role, as "the Receiving Party" is.
_PROPER = frozenset({"PERSON", "GPE"})
_SOME = re.compile(r"\b(?:an?|one|some|another)\s+(?:[\w-]+\s+)?$", re.IGNORECASE)
_MOST, _MOST_CLAIMED = 160, 40  # predicates of a passage, and of a claim
_MOST_WORDS = 24  # of a clause
_CLOSE = 30  # characters before a subject in which the same may be named otherwise


@dataclass(frozen=True, slots=True)
class Told:
    """A predicate, the lemmas of whom it is said of, and those of its clause's other words.

    who: "he" and "she" resolved where they can be, with what stands in apposition; () for nobody.
    kinds: what modifies a subject without a name, "admin" of "admin keys".
    """

    predicate: Predicate
    who: tuple[str, ...]
    kinds: frozenset[str]
    words: frozenset[str]
    sentence: int


@dataclass(frozen=True, slots=True)
class Passage:
    """What a passage tells, and the (head, kind, dependent) by which things are the same or one."""

    told: Sequence[Told]
    ties: Sequence[tuple[str, str, str]]

    @classmethod
    def of(cls, evidence: Evidence, facts: Facts) -> Passage:
        """The passage with these facts."""
        kinds = ("appos", "is", *_TOGETHER)
        ties = (tie for tie in facts.relations if tie[1] in kinds or tie[2].isdigit())
        return cls(tuple(_told(facts, evidence.reading.text)), tuple(islice(ties, _MOST)))


read_passage = OfPassage(Passage.of)


def of_another(texts: Texts) -> list[Signal]:
    """A name_conflict signal for each subject of the claim of whom another's deeds are told."""
    pair = texts.pair
    claimed = tuple(islice(_told(pair.claim_facts, pair.claim.text), _MOST_CLAIMED))
    found: dict[str, Signal] = {}
    passage: Passage | None = None
    for said in claimed:
        if said.predicate.frame in _UNSAID or said.predicate.lemma in SYMMETRIC:
            continue
        if not said.who or not (said.words or said.kinds) or said.who[0] in found:
            continue
        passage = passage or read_passage(pair.evidence, pair.evidence_facts)
        # "Ann and Bob paid": that Bob paid speaks not against Ann.
        both = {word for t in claimed if t.predicate.span == said.predicate.span for word in t.who}
        alike = [
            other
            for other in passage.told
            if (both - {*said.who}).isdisjoint(other.who) and _alike(said, other, texts)
        ]
        signal = _judged(texts, said, alike, passage)
        if signal is not None:
            found[said.who[0]] = signal
    return list(found.values())


# -- what a text tells of whom --------------------------------------------------------------------


def _told(facts: Facts, text: str) -> Iterator[Told]:
    """The predicates of a text, in order."""
    places, arguments = places_of(facts), arguments_of(facts)
    starts = [part.start for part in split(SENTENCE, Span(0, len(text)), text)]
    brought = _brought(facts, starts)
    people = [name for name in facts.names[:_MOST] if name.label == "PERSON"]
    before: dict[str, tuple[str, int]] = {}  # name -> its lemma, and where it is a subject
    current = -1
    for predicate in facts.predicates[:_MOST]:
        sentence = bisect_right(starts, predicate.span.start)
        if sentence != current:
            before, current = {}, sentence
        subject = predicate.subject
        if subject in _HE:
            subject = _he(subject, before, people, text[: predicate.span.start])
        who = _who(subject, places, arguments)
        names = [name for lemma in who for name in _names(arguments, (lemma,))[:1]]
        if names and predicate.subject not in _HE:
            before.setdefault(names[0].key, (subject, predicate.span.start))
        own = {word for name in names for word in name.key.split()} | set(who) | TITLES
        kinds = frozenset(() if names else places.modifiers(subject)) & {*predicate.context}
        own |= kinds
        clause = {predicate.object, *predicate.context, *brought[predicate.lemma, sentence]}
        if predicate.lemma in _SAYING:
            clause |= _what(facts, predicate)
        rest = frozenset(sorted(clause - own - {""})[:_MOST_WORDS])
        yield Told(predicate, who, kinds, rest, sentence)


def _who(subject: str, places: Places, arguments: Arguments) -> tuple[str, ...]:
    """The lemmas of a subject; of "present: Ida, Tom, Raj" each name is somebody else."""
    if not subject:
        return ()
    named = bool(arguments.names(subject))
    also = places.with_apposed(subject)[1:]
    return (subject, *(word for word in also if not (named and arguments.names(word))))


def _he(word: str, before: Mapping[str, tuple[str, int]], people: Sequence[Name], text: str) -> str:
    """The lemma of the one subject of its sentence that "he" can be, standing before it; else "".

    before: the names that are subjects there; text: up to the predicate.
    """
    if len(before) != 1:
        return ""
    ((key, (lemma, start)),) = before.items()
    if any(start <= name.span.start < len(text) and name.key != key for name in people):
        return ""  # "when Reyes met Ann Moss, she ..."
    return lemma if word in text[start:].lower().split() else ""


def _brought(facts: Facts, starts: Sequence[int]) -> dict[tuple[str, int], set[str]]:
    """(predicate's lemma, sentence) -> what its prepositions bring: both of "in May and June"."""
    stands: dict[str, set[int]] = defaultdict(set)
    for term in facts.terms:
        stands[term.lemma].add(bisect_right(starts, term.span.start))
    found: dict[tuple[str, int], set[str]] = defaultdict(set)
    for head, kind, word in facts.relations:
        if kind.startswith("prep:"):
            for sentence in stands[word] & stands[head]:
                found[head, sentence].add(word)
    return found


def _what(facts: Facts, saying: Predicate) -> set[str]:
    """The words of what is said: "she would leave" of "Ann said that she would leave"."""
    verbs = {word for head, kind, word in facts.relations if (head, kind) == (saying.lemma, "comp")}
    later = (p for p in facts.predicates if p.span.start > saying.span.start and p.lemma in verbs)
    said = next(later, None)
    return {said.lemma, said.subject, said.object, *said.context} - _HE if said else set()


# -- whether it is the same, of another -----------------------------------------------------------


def _alike(said: Told, other: Told, texts: Texts) -> bool:
    mine, theirs = said.predicate, other.predicate
    both_say = mine.lemma in _SAYING and theirs.lemma in _SAYING
    return mine.negated == theirs.negated and (both_say or texts.said(mine, theirs) == 1)


def _judged(texts: Texts, said: Told, alike: Sequence[Told], passage: Passage) -> Signal | None:
    rivals, known = [], False
    for other in alike:
        if _is_one_of(said, other, passage):
            continue
        share, match = _share(texts, said, other), _match(texts, said, other)
        if match is not Match.DIFFERENT and share >= PERHAPS:
            return None
        known = known or match is Match.SAME
        enough = SAME_OBJECT if said.predicate.object else ALIKE
        if match is not Match.DIFFERENT or share < enough or said.words & {*other.who}:
            continue  # who is in the claim in another part may have changed places with it
        if _same_object(texts, said, other):
            rivals.append(other)
    rival = next((other for other in rivals if _told_apart(texts, said, other, passage)), None)
    if rival is None:
        return None
    # Word for word it may stand there too, parsed in another way.
    if not known and not _of_other_kind(texts, said, rival) and _copied(texts, said):
        return None
    return _signal(texts, said, rival)


def _match(texts: Texts, said: Told, other: Told) -> Match:
    if _of_other_kind(texts, said, other):
        return Match.DIFFERENT
    return _same(texts, said.who, other.who)


def _of_other_kind(texts: Texts, said: Told, other: Told) -> bool:
    """Whether both are of one noun, in two kinds that the passage has: basic and admin keys."""
    return (
        said.who == other.who
        and bool(other.kinds)
        and bool(said.kinds & {*texts.their_places.modifiers(said.who[0])})
        and said.kinds.isdisjoint(other.kinds)
    )


def _same(texts: Texts, ours: Sequence[str], theirs: Sequence[str]) -> Match:
    if not set(ours).isdisjoint(theirs):
        return Match.SAME
    # Of "the nurse, Adaeze Obi," only her name tells whether she is Brandt.
    mine = [word for word in ours if texts.mine.names(word)]
    others = [word for word in theirs if texts.theirs.names(word)]
    if mine and others:
        ours, theirs = mine, others
    return max((texts.match(a, b) for a in ours for b in theirs), default=Match.UNKNOWN)


def _is_one_of(said: Told, other: Told, passage: Passage) -> bool:
    """Whether the passage says which thing it is, as the claim does not: "the survey of 2016"."""
    return any(
        head == other.predicate.object
        and word.isdigit()
        and word in other.words
        and word not in said.words
        for head, _, word in passage.ties
    )


def _share(texts: Texts, said: Told, other: Told) -> float:
    held = sum(
        any(lemmas_match(word, another, texts.lexicon) for another in other.words)
        for word in said.words
    )
    # "Blocked it": what "it" is may be what the claim says.
    if other.words & _IT and (held or said.words == {said.predicate.object}):
        held = min(held + 1, len(said.words))
    return held / len(said.words) if said.words else 1.0


def _same_object(texts: Texts, said: Told, other: Told) -> bool:
    ours, theirs = said.predicate.object, other.predicate.object
    if not ours or ours in other.words:
        return True
    if theirs in _IT:  # it has to be spoken of, at least
        return any(term.lemma == ours for term in texts.pair.evidence_facts.terms)
    return texts.match(ours, theirs) is Match.SAME


def _copied(texts: Texts, said: Told) -> bool:
    """Whether the passage has the claim's words from the subject to the predicate."""
    end = said.predicate.span.end
    wanted = "".join(texts.pair.claim.text[_start(texts, said) : end].lower().split())
    return bool(wanted) and wanted in "".join(texts.pair.evidence.reading.text.lower().split())


def _start(texts: Texts, said: Told) -> int:
    """Where the subject nearest before the claim's predicate starts; its end where none does."""
    starts = (
        term.span.start
        for term in texts.pair.claim_facts.terms
        if term.lemma in said.who and term.span.start < said.predicate.span.start
    )
    return max(starts, default=said.predicate.span.end)


# -- whether it is another ------------------------------------------------------------------------


def _told_apart(texts: Texts, said: Told, other: Told, passage: Passage) -> bool:
    """Whether the two subjects are surely not the same, nor one a part of the other."""
    if _of_other_kind(texts, said, other):
        return True
    if any(
        head == other.predicate.lemma and kind in _TOGETHER and word in said.who
        for head, kind, word in passage.ties
    ):
        return False  # "won it with Henri Becquerel"
    start = _start(texts, said)
    close = texts.pair.claim.text[max(0, start - _CLOSE) : said.predicate.span.start].lower()
    if any(word in close for word in other.who):
        return False  # "Bucharest, Romania, has"
    ours, theirs = _names(texts.mine, said.who), _names(texts.theirs, other.who)
    own = [
        third
        for third in passage.told
        if third.predicate.span != other.predicate.span and _match(texts, said, third) is Match.SAME
    ]
    if any(name.label == "NORP" for name in (*ours, *theirs)):
        return False  # "an American" may be anybody
    if ours and theirs:
        mine, its = set(ours[0].key.split()), set(theirs[0].key.split())
        if mine <= its or its <= mine:  # "the Book of Leviticus", "Leviticus"
            return False
        a, b = _kinds(texts, said.who, ours), _kinds(texts, other.who, theirs)
        if a and b and a.isdisjoint(b):
            # A firm may have said what its head said, but what it sold it did not underwrite.
            thing = other.predicate.object
            return any(thing and third.predicate.object == thing for third in own)
        mentioned = own or _names(texts.theirs, said.who)
        return bool(own or (a & b and (mentioned or a & b & _PROPER)))
    if not ours and _SOME.search(texts.pair.claim.text[:start]):
        return False  # "an officer" may be whom the passage names
    sides = ((ours, said.who), (theirs, other.who))
    if not all(names or _is_any(who, _PARTIES, texts.lexicon) for names, who in sides):
        return False
    if any(
        kind in ("appos", "is")
        and not {head, word}.isdisjoint(other.who)
        and _same(texts, said.who, (head, word)) is not Match.DIFFERENT
        for head, kind, word in passage.ties
    ):
        return False  # "the auditor is Mr Okafor"
    # Different things are told of the two in one sentence, or this very thing is denied of ours:
    # "Okafor resigned after the auditors had asked".
    return any(third.sentence == other.sentence or _denies(said, third) for third in own)


def _denies(said: Told, third: Told) -> bool:
    mine, theirs = said.predicate, third.predicate
    return mine.lemma == theirs.lemma and mine.negated != theirs.negated


def _names(arguments: Arguments, who: Sequence[str]) -> list[Name]:
    return [name for lemma in who for name in arguments.names(lemma) if name.key]


def _kinds(texts: Texts, who: Sequence[str], names: Sequence[Name]) -> Set[str]:
    """What the parser takes a name for, in the claim and in the passage."""
    last = names[0].key.split()[-1]
    same = [n for arguments in (texts.mine, texts.theirs) for n in arguments.names(last)]
    # "Nurse Adaeze Obi" and "the nurse, Adaeze Obi" are taken for firms.
    callings = [word for word in who if word not in names[0].key.split()]
    for name in same:
        first, *rest = name.text.lower().split()
        if first.rstrip(".") in TITLES:
            return {"PERSON"}
        if len(rest) > 1 and not _is_any(rest, _GROUPS, texts.lexicon):
            callings.append(first)
    if _is_any(callings, _PERSON, texts.lexicon):
        return {"PERSON"}
    return {n.label for n in same if n.label}


def _is_any(who: Sequence[str], kinds: Set[str], lexicon: Lexicon) -> bool:
    return any(not kinds.isdisjoint(broader(lemma, lexicon, _ABOVE)) for lemma in who)


def _signal(texts: Texts, said: Told, other: Told) -> Signal:
    pair = texts.pair
    ours, mine = _written(said, texts.mine, pair.claim_facts, pair.claim.text)
    text = pair.evidence.reading.text
    theirs, its = _written(other, texts.theirs, pair.evidence_facts, text)
    message = f'The source says this of "{theirs}", not of "{ours}".'
    return Signal("name_conflict", Stance.CONTRADICTS, WEIGHT, message, mine, its, (ours, theirs))


def _written(told: Told, arguments: Arguments, facts: Facts, text: str) -> tuple[str, Span]:
    """A subject as the text has it, with what tells it from others of its noun, and where."""
    names = _names(arguments, told.who)
    if names:
        return names[0].text, names[0].span
    before = [t.span for t in facts.terms if t.lemma in told.kinds]
    spans = []
    for term in facts.terms:
        if term.lemma in told.who:
            ahead = (s.start for s in before if 0 < term.span.start - s.end <= 2)
            spans.append(Span(min(ahead, default=term.span.start), term.span.end))
    # Of several the one with its kind before it, else the first.
    span = max(spans, key=lambda span: span.end - span.start, default=told.predicate.span)
    return span.of(text), span
