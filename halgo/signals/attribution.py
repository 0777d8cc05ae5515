"""Misattribution: what the sources say of one subject, told of another.

"The Alpha trial reached an 81% success rate" beside "The Beta trial enrolled 95 patients. It
reached a success rate of 81%". Each clause of the claim is aligned with the clauses, rows and items
of all its passages without one of its things: where these say the rest of it of another thing of
the same kind, and nowhere of this one or of somebody who may be it, the claim has the wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from halgo.evidence import lexical
from halgo.facts.aliases import PARTIAL, TITLES, same_name
from halgo.facts.words import words
from halgo.protocols import Lexicon
from halgo.signals.matching import broader, derived, lemmas_match, said_alike
from halgo.signals.mentions import Clause, Thing, claimed, number, told
from halgo.types import Pair, Predicate, Signal, Span, Stance

WEIGHT = 0.7
# Share of the words of the claim's clause that another's clause has to hold; and of a clause by
# which the sources may say it of the claim's own subject.
ALIKE, PERHAPS = 0.75, 0.5
_NEGATOR = re.compile(r"\b(?:not|no|never|cannot)\b|n['\u2019]t\b")
_AGAIN = re.compile(r"\b(?:it|them|they|this|that|these|so|there)\b", re.IGNORECASE)
_UNSAID = ("if", "ask")
_PRONOUNS = words("it he she they who which that this")
_IDLE = words(
    "be have do also only more most less very code error mode type kind case number apart aside"
)
_PERSON, _PROPER = frozenset({"PERSON"}), frozenset({"PERSON", "GPE"})
_PARTIES, _ABOVE = frozenset({"person", "organization", "social group"}), 6
_NEAR_KIND = 3  # steps up to what two things have in common
_MOST_CLAUSES, _MOST_THINGS, _MOST_TOLD = 12, 24, 400


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the claim's clause, and the words that may stand for it. strict: only itself."""

    key: str
    others: frozenset[str]
    strict: bool
    verb: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """A clause of the claim without one of its things."""

    clause: Clause
    thing: Thing
    rest: tuple[Word, ...]
    said: Predicate | None  # of which the thing is the logical subject
    leads: bool  # whether it stands first


def signals(pairs: Sequence[Pair], lexicon: Lexicon) -> list[list[Signal]]:
    """For each of one claim's passages a name_conflict for what is said of another thing."""
    found: list[list[Signal]] = [[] for _ in pairs]
    if not pairs:
        return found
    view: _Sources | None = None
    taken: set[str] = set()
    for clause in claimed(pairs[0])[:_MOST_CLAUSES]:
        if any(p.frame in _UNSAID for p in clause.predicates):
            continue
        view = view or _Sources(told(pairs)[:_MOST_TOLD], lexicon)
        for asked in _asked(clause, lexicon):
            rival = view.another(asked)
            if rival is None or asked.thing.text in taken:
                continue
            taken.add(asked.thing.text)
            where, other = rival
            for at, pair in enumerate(pairs):
                found[at].append(_signal(pair, asked.thing, other, where, at))
            break
    return found


def _asked(clause: Clause, lexicon: Lexicon) -> Iterator[Asked]:
    """The clause without each of its things that may be another's: subjects first, then names."""
    agents = {p.subject: p for p in reversed(clause.predicates) if p.subject}
    for place, thing in enumerate(clause.things[:_MOST_THINGS]):
        said = next((p for word, p in agents.items() if word in thing.words), None)
        if not (said or place == 0 or thing.named or len(thing.words) > 1):
            continue
        rest = tuple(_rest(clause, thing, lexicon))
        others = {p.subject for p in clause.predicates if p.subject} - thing.words
        if said is not None and others:  # "went over the survey that Raeburn led"
            own = {said.lemma, said.object, *said.context}
            own = {stem for word in own for stem in lexical.stems(word)}
            rest = tuple(word for word in rest if word.key in own)
            if len(rest) < 2:
                continue
        if rest:
            yield Asked(clause, thing, rest, said, place == 0)


def _rest(clause: Clause, thing: Thing, lexicon: Lexicon) -> Iterator[Word]:
    """The words of a clause but for those of one thing and what names its kind."""
    names = [other.span for other in clause.things if other.named]
    seen: set[str] = set()
    for term in clause.terms:
        if term.span.overlaps(thing.span) or term.lemma in _IDLE:
            continue
        written = term.lemma.lower()
        counted = term.pos == "NUM" or any(map(str.isdigit, written))
        keys = {number(stem) for stem in lexical.stems(written)} or {written}
        key = min(keys)
        if key in seen:
            continue
        seen.add(key)
        strict = counted or any(term.span.overlaps(span) for span in names)
        others = frozenset(keys)
        if not strict:
            near = lexicon.synonyms(written) | derived(written, lexicon)
            others |= {stem for word in near for stem in lexical.stems(word.replace("_", " "))}
        yield Word(key, others, strict, term.pos == "VERB")


class _Sources:
    """The clauses of all passages of one claim."""

    def __init__(self, clauses: Sequence[Clause], lexicon: Lexicon) -> None:
        self.clauses, self.lexicon = clauses, lexicon

    def another(self, asked: Asked) -> tuple[Clause, Thing] | None:
        """Of whom else the sources say it, and where; None where they may say it of this one."""
        found: tuple[Clause, Thing] | None = None
        before = None
        for clause in self.clauses:
            share = self._share(asked, clause)
            # "She led the office until her pupil took it over".
            if _AGAIN.search(clause.text) and before is not None:
                both = clause.stems | before.stems
                if (
                    self._may_be_of(asked.thing, clause)
                    and self._held(asked, clause, both) > PERHAPS
                ):
                    return None
            before = clause
            if share <= PERHAPS and not (share == PERHAPS and found is None):
                continue
            if self._may_be_of(asked.thing, clause):
                if share > PERHAPS:
                    return None
                continue
            if share < ALIKE or _denied(asked.clause) != _denied(clause):
                continue
            other = self._instead(asked, clause)
            if other is None:
                if share > ALIKE and not clause.keyed and clause.subject is None:
                    return None
                continue
            found = found or (clause, other)
        return found

    def _share(self, asked: Asked, clause: Clause) -> float:
        """Which share of the rest of the claim's clause stands here; 0 where a value does not."""
        return self._held(asked, clause, clause.stems)

    def _held(self, asked: Asked, clause: Clause, stems: Set[str]) -> float:
        # "Is permitted to carry up to 160 kg" beside "Load: 160 kg".
        rest = [word for word in asked.rest if not (clause.keyed and word.verb)]
        held = [not word.others.isdisjoint(stems) for word in rest]
        if not held or any(w.strict and not has for w, has in zip(rest, held, strict=True)):
            return 0.0
        if clause.keyed:
            return sum(held) / len(held)
        if sum(held) < 2 and not (len(held) == 1 and self._same_deed(asked, clause)):
            return 0.0
        return sum(held) / len(held)

    def _same_deed(self, asked: Asked, clause: Clause) -> bool:
        return asked.said is not None and self._alike(asked.said, clause) is not None

    def _alike(self, said: Predicate, clause: Clause) -> Predicate | None:
        alike = (p for p in clause.predicates if said_alike(said, p, self.lexicon) == 1)
        return next(alike, None)

    # -- whether it may be the claim's own --------------------------------------------------------

    def _may_be_of(self, thing: Thing, clause: Clause) -> bool:
        if thing.words <= set(re.findall(r"\w+", clause.above.lower())):
            return True
        if thing.words <= {word for t in clause.things for word in t.words}:
            return True
        if any(_same_name(thing, other) for other in clause.things):
            return True
        if clause.subject is None:
            return not clause.perhaps or any(_may_be(thing, other) for other in clause.perhaps)
        return any(_may_be(thing, other) for other in clause.perhaps)

    # -- whom else --------------------------------------------------------------------------------

    def _instead(self, asked: Asked, clause: Clause) -> Thing | None:
        """What stands in the clause where the claim has its thing, if it is surely another."""
        claimed_words = _lemmas(asked.clause)
        others = [
            other
            for other in self._in_its_place(asked, clause)
            if not other.words <= claimed_words and self._apart(asked.thing, other, clause)
        ]
        return others[0] if len({other.words for other in others}) == 1 else None

    def _in_its_place(self, asked: Asked, clause: Clause) -> Sequence[Thing]:
        subject = [clause.subject] if clause.subject is not None else []
        mine = _lemmas(asked.clause)
        things = [t for t in (*clause.things, *subject) if not t.words <= mine]
        of_its_noun = [t for t in things if asked.thing.words & t.words and _like(asked.thing, t)]
        if of_its_noun:
            return of_its_noun
        if not (asked.said or asked.leads or asked.thing.named):
            return []
        theirs = self._alike(asked.said, clause) if asked.said is not None else None
        if theirs is not None and theirs.subject and theirs.subject not in _PRONOUNS:
            agents = _agents(theirs, clause)
            if agents and not agents[0].words <= mine:
                return agents
        if asked.said is not None and theirs is None and not clause.keyed:
            return []
        turned = not subject or subject[0].words <= mine
        if (asked.said or asked.leads) and not turned:
            passive = (
                theirs is not None and not theirs.subject and theirs.object in subject[0].words
            )
            return [] if passive and not clause.keyed else subject
        if clause.keyed and self._is_key(asked.thing, clause):
            return subject
        if clause.keyed or not (asked.said or asked.leads):
            return []
        # "The capital of Velmora is Onsel": a name of its kind, wherever it stands.
        return [t for t in things if _like(asked.thing, t)]

    def _apart(self, thing: Thing, other: Thing, clause: Clause) -> bool:
        """Whether two things are surely not the same, nor one a part of the other."""
        if _may_be(thing, other):
            return False
        known = self._known(thing, other, clause)
        if thing.words & other.words:
            return thing.head == other.head and known and not self._tied(thing, other)
        keys = clause.keyed or (thing.named and other.named)
        if keys and self._is_party(thing) != self._is_party(other):
            return False  # "the Client" may be defined as Acme
        if clause.keyed and self._is_key(thing, clause):
            return True
        if thing.named and other.named:
            ours, theirs = self._labels(thing), self._labels(other)
            if ours and theirs and ours.isdisjoint(theirs):
                return known and not _PERSON & (ours | theirs)
            return known or bool(ours & theirs & _PROPER)
        if not known or lemmas_match(thing.head, other.head, self.lexicon):
            return False
        return self._of_one_kind(thing.head, other.head)

    def _labels(self, thing: Thing) -> Set[str]:
        """What the parser takes a name for, here and wherever else it stands."""
        same = (t for clause in self.clauses for t in clause.things if _same_name(thing, t))
        labels = {t.label for t in (thing, *same) if t.label}
        return _PERSON if thing.text.lower().split(".")[0].split()[0] in TITLES else labels

    def _is_party(self, thing: Thing) -> bool:
        """Whether a name is nothing but a party's part: "the Client"."""
        kinds = broader(thing.head, self.lexicon, _ABOVE)
        ordinary = len(thing.words) == 1 and thing.label not in _PROPER
        return ordinary and not _PARTIES.isdisjoint(kinds)

    def _of_one_kind(self, one: str, other: str) -> bool:
        a, b = (broader(word, self.lexicon, 2) for word in (one, other))
        if one in b or other in a:
            return False
        far = [broader(word, self.lexicon, _ABOVE) for word in (one, other)]
        if all(not _PARTIES.isdisjoint(kinds) for kinds in far):
            return True
        near = [broader(word, self.lexicon, _NEAR_KIND) for word in (one, other)]
        return not near[0].isdisjoint(near[1])

    def _known(self, thing: Thing, other: Thing, clause: Clause) -> bool:
        """Whether the document tells of the thing itself, a name anywhere, a noun as a subject."""
        for own in self.clauses:
            if own is clause or (own.document != clause.document and not thing.named):
                continue
            some = own.things if thing.named or thing.words & other.words else ()
            agents = [t for p in own.predicates for t in _agents(p, own)]
            subject = [own.subject] if own.subject is not None and not own.taken_up else []
            for same in (*some, *agents, *subject):
                if thing.words <= same.words or (same.named and _same_name(thing, same)):
                    return True
        return False

    def _tied(self, thing: Thing, other: Thing) -> bool:
        """Whether some clause has both as one: "the second group had a placebo"."""
        a, b = thing.words - other.words, other.words - thing.words
        for clause in self.clauses:
            held = {word for each in clause.things for word in each.words}
            apart = any(a <= t.words for t in clause.things) and any(
                b <= t.words and thing.head in t.words for t in clause.things
            )
            if a <= held and b <= held and not apart:
                return True
        return False

    def _is_key(self, thing: Thing, clause: Clause) -> bool:
        """Whether the thing is a key of the same table or list."""
        return any(
            own.keyed
            and own is not clause
            and own.document == clause.document
            and own.subject is not None
            and _may_be(thing, own.subject)
            for own in self.clauses
        )


def _agents(predicate: Predicate, clause: Clause) -> list[Thing]:
    if not predicate.subject:
        return []
    return [thing for thing in clause.things if predicate.subject in thing.words][:1]


def _lemmas(clause: Clause) -> frozenset[str]:
    return frozenset(word for thing in clause.things for word in thing.words) | {
        term.lemma.lower() for term in clause.terms
    }


def _like(one: Thing, other: Thing) -> bool:
    """Whether a thing is of another's kind by its name, or by its noun."""
    if one.words & other.words:
        return one.head == other.head
    return (
        one.named and other.named and (one.label == other.label or not (one.label and other.label))
    )


def _same_name(one: Thing, other: Thing) -> bool:
    return one.named and other.named and same_name(one.text, other.text) >= PARTIAL


def _may_be(one: Thing, other: Thing) -> bool:
    return one.words <= other.words or other.words <= one.words or _same_name(one, other)


def _denied(clause: Clause) -> bool:
    return len(_NEGATOR.findall(clause.text.lower())) % 2 == 1


def _signal(pair: Pair, thing: Thing, other: Thing, where: Clause, at: int) -> Signal:
    message = f'The source says this of "{other.text}", not of "{thing.text}".'
    place: Span | None = where.span if where.at == at else None
    values = (thing.text, other.text)
    return Signal("name_conflict", Stance.CONTRADICTS, WEIGHT, message, thing.span, place, values)
