"""A text -> its clauses, rows and items, each with the things in it and whom it is said of.

Whom a clause is said of is its subject, a row's first cell, the head of an item ("Quick: washes for
30 minutes"), or the heading; a pronoun, or "the company", stands for the subject of the clause
before. Where that is not sure, all that it could be is kept in `perhaps`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import islice, pairwise

from halgo.evidence.lexical import stems
from halgo.facts.aliases import TITLES
from halgo.facts.words import words
from halgo.signals.matching import TAKING_UP
from halgo.signals.stretches import SENTENCE, Passage, covering, split
from halgo.types import Evidence, Facts, Pair, Predicate, Quantity, Span, Term

_PRONOUNS = words("it he she they this that these those we you i who which")
_ONE_OF = words("it he she its his her")
_SUBJECTS = words("it he she")
_OF_ONE = words("its his her their")
_ALL = words("both all each every either neither any no some most many they their these those")
_CUT = re.compile(
    r"(?:[,;]\s+)?\b(?:and|but|while|whereas|after|before|when|because|although|though)\s|[,;]\s"
)
# A line of a list, a table or a heading ends a sentence though it has no full stop.
_NEW_LINE = re.compile(r"\n\s*(?:\n|[-*+|#\u2022]|\d{1,3}[.)]\s)")
_CELL = re.compile(
    r"(?:^|; | \u2014 )([^:;\n]{1,60}): ([^;\n]{1,200}?)(?=; [^:;\n]{1,60}: | \u2014 |$)"
)
_HEAD = re.compile(r"^(?=[^\W\d_])([^:.;!?\n]{1,60}?)(?::| [-\u2013\u2014]) (?=\S)")
_ORDINAL = re.compile(r"\b(first|second|third|last|next|other|top|bottom|front|back|side)\s$", re.I)
_COUNTS = " one two three four five six seven eight nine ten eleven twelve"
_NOUNS, _IN_NAME = ("NOUN", "PROPN"), ("NOUN", "PROPN", "ADJ", "NUM")
_MOST_SENTENCES, _MOST_CUTS, _MOST_WORDS = 60, 24, 6
_NEAR = 4  # characters between two sentences that follow each other


@dataclass(frozen=True, slots=True)
class Thing:
    """A noun with what stands before it, or a name; `head` and `words` are lemmas in lower case.

    label: what the parser takes the name for, "" for what is no name or of an unknown kind.
    """

    text: str
    words: frozenset[str]
    head: str
    span: Span
    named: bool = False
    label: str = ""


@dataclass(frozen=True)
class Clause:
    """One clause of a text, a row or an item. `span`: in the reading of passage `at`.

    subject: whom it is said of; None where it is not known. perhaps: all it may be said of.
    above: words of what it stands under. keyed: whether the subject is a key, of a row or an item.
    """

    text: str
    at: int
    span: Span
    terms: tuple[Term, ...]
    things: tuple[Thing, ...]
    predicates: tuple[Predicate, ...]
    quantities: tuple[Quantity, ...] = ()
    subject: Thing | None = None
    perhaps: tuple[Thing, ...] = ()
    above: str = ""
    keyed: bool = False
    row: bool = False
    document: str = ""
    taken_up: bool = False  # the subject stands for one of the clause before

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems and numbers of all its words, and of those above it."""
        return frozenset(_stems(f"{self.above} {self.text}"))


def claimed(pair: Pair) -> list[Clause]:
    """The clauses of a claim, in order."""
    text, facts = pair.claim.text, pair.claim_facts
    return _clauses(_Text(facts, text), Span(0, len(text)), 0)


def told(pairs: Sequence[Pair]) -> list[Clause]:
    """The clauses of all passages, each once, in the order of the documents."""
    found: dict[tuple[str, str], tuple[tuple[str, int, int], int, _Text, Span]] = {}
    for at, pair in enumerate(pairs):
        own = pair.evidence
        starts = _starts(own)
        text = _Text(pair.evidence_facts, own.reading.text, frozenset(starts))
        for span in islice(_sentences(pair, starts, text.things), _MOST_SENTENCES):
            where = own.reading.locate(span) or own.span
            place = own.chunk.doc_id, where.start, where.end
            found.setdefault((own.chunk.doc_id, span.of(text.text)), (place, at, text, span))
    clauses: list[Clause] = []
    before: list[Clause] = []
    end: tuple[str, int] = ("", 0)
    for place, at, text, span in sorted(found.values(), key=lambda one: (one[0], one[1])):
        own = pairs[at].evidence
        follows = place[0] == end[0] and place[1] <= end[1] + _NEAR
        some = _of_passage(_clauses(text, span, at), own, before if follows else [])
        clauses += some
        before, end = some, (place[0], place[2])
    return clauses


class _Text:
    """The facts of a text by where they stand. starts: where a line of it begins."""

    def __init__(self, facts: Facts, text: str, starts: Set[int] = frozenset()) -> None:
        self.facts, self.text = facts, text
        self.things = tuple(_things(facts, text, starts))


def _starts(own: Evidence) -> list[int]:
    """Where in the reading a row, an item or what follows a heading begins."""
    starts, chunk = [], own.chunk
    for before, after in pairwise(own.reading.pieces):
        glue = own.reading.text[before.at + len(before.span) : after.at]
        ahead = before.span.start < chunk.span.start <= after.span.start  # a lead-in, a heading
        gap = Span(before.span.end, after.span.start).shift(-chunk.span.start)
        back = after.span.start < before.span.start
        if not glue.strip() and (ahead or back or _NEW_LINE.search(gap.of(chunk.text))):
            starts.append(after.at)
    return starts


def _sentences(pair: Pair, starts: Sequence[int], things: Sequence[Thing]) -> Iterator[Span]:
    """The sentences of a passage, and its lines where those are rows or items."""
    passage = Passage(pair)
    in_name = covering(thing.span for thing in things)
    inside = [at for at in starts if passage.above.end < at < len(passage.text)]
    for start, end in pairwise([passage.above.end, *inside, len(passage.text)]):
        whole = Span(start, end)
        if is_row(whole.of(passage.text)):
            yield whole
        else:
            first = whole.start
            for part in split(SENTENCE, whole, passage.text):
                at = Span(max(first, part.end - 1), part.end + 1)
                if part.end < end and all(map(in_name, (Span(at.start - 1, at.start), at))):
                    continue  # "Dr. Fiona Raeburn"
                yield Span(first, part.end)
                first = part.end


def is_row(text: str) -> bool:
    """Whether a text is a row of cells behind their columns' names."""
    return len(_CELL.findall(text)) > 1 and _CELL.match(text) is not None


# -- things ---------------------------------------------------------------------------------------


def _things(facts: Facts, text: str, starts: Set[int]) -> Iterator[Thing]:
    """The nouns and names of a text with what stands before them, in order."""
    dated = {at for date in facts.dates for at in range(date.span.start, date.span.end)}
    labels = {at: n.label for n in facts.names for at in range(n.span.start, n.span.end)}
    run: list[Term] = []
    for term in (*facts.terms, None):
        fits = term is not None and term.pos in _IN_NAME and term.span.start not in dated
        between = text[run[-1].span.end : term.span.start] if run and term else ""
        again = term is not None and term.span.start in starts
        if run and not (fits and between in (" ", "-") and not again):
            thing = _thing(run, text, labels)
            if thing:
                yield thing
            run = []
        if fits and term and not (term.pos == "NUM" and not run):
            run.append(term)


def _thing(run: list[Term], text: str, labels: dict[int, str]) -> Thing | None:
    while run and not (run[-1].pos in _NOUNS or (run[-1].pos == "NUM" and len(run) > 1)):
        run.pop()
    nouns = [term for term in run if term.pos in _NOUNS]
    if not nouns:
        return None
    held = [t for t in run if t.lemma.rstrip(".") not in TITLES or len(run) == 1][-_MOST_WORDS:]
    before = _ORDINAL.search(text[max(0, run[0].span.start - 8) : run[0].span.start])
    start = run[0].span.start - (len(before[0]) if before else 0)
    span = Span(start, run[-1].span.end)
    lemmas = {term.lemma.lower() for term in held} | ({before[1].lower()} if before else set())
    given = [labels[at] for at in range(span.start, span.end) if at in labels]
    first = re.search(r"(?:^|[.!?:]\s+)$", text[max(0, span.start - 3) : span.start]) is not None
    capital = any(t.pos == "PROPN" and text[t.span.start].isupper() for t in nouns)
    coded = any(map(str.isdigit, nouns[-1].lemma))
    known = any(given)
    named = coded or known or (capital and not (first and len(run) == 1))
    label = next((label for label in given if label), "")
    titled = run[0].lemma.lower().rstrip(".") in TITLES and len(run) > 1
    label = "PERSON" if titled else label
    return Thing(span.of(text), frozenset(lemmas), nouns[-1].lemma.lower(), span, named, label)


# -- clauses --------------------------------------------------------------------------------------


def _clauses(text: _Text, sentence: Span, at: int) -> list[Clause]:
    """The clauses of a sentence; cut only where either side has a predicate of its own subject."""
    whole = _clause(text, sentence, at)
    starts = [sentence.start]
    if not is_row(sentence.of(text.text)):
        marks = list(islice(_CUT.finditer(text.text, sentence.start, sentence.end), _MOST_CUTS))
        for mark in marks:
            left, right = Span(starts[-1], mark.start()), Span(mark.end(), sentence.end)
            if any(p.span.overlaps(left) for p in whole.predicates) and _opens(text, whole, right):
                starts.append(mark.end())
    parts = [Span(a, b) for a, b in pairwise([*starts, sentence.end])]
    return [_clause(text, part, at) for part in parts] if len(parts) > 1 else [whole]


def _opens(text: _Text, whole: Clause, right: Span) -> bool:
    """Whether a clause begins here: its subject stands before its first predicate."""
    first = next((p for p in whole.predicates if p.span.start >= right.start), None)
    if first is None:
        return False
    between = text.text[right.start : first.span.start]
    if re.search(r"[,;]\s", between):
        return False
    heads = {
        word
        for thing in whole.things
        if right.start <= thing.span.start < first.span.start
        for word in thing.words
    }
    pronoun = {first.subject, first.object} & {*between.lower().split()} & _PRONOUNS
    return bool(pronoun or {first.subject, first.object} & heads)


def _clause(text: _Text, span: Span, at: int) -> Clause:
    def inside(place: Span) -> bool:
        return span.start <= place.start < span.end

    facts = text.facts
    return Clause(
        span.of(text.text),
        at,
        span,
        tuple(term for term in facts.terms if inside(term.span)),
        tuple(thing for thing in text.things if inside(thing.span)),
        tuple(found for found in facts.predicates if inside(found.span)),
        tuple(found for found in facts.quantities if inside(found.span)),
    )


# -- whom a clause is said of ---------------------------------------------------------------------


def _of_passage(clauses: Sequence[Clause], own: Evidence, before: Sequence[Clause]) -> list[Clause]:
    """The clauses of one sentence with whom each is said of. before: those of the one before."""
    found: list[Clause] = []
    for clause in clauses:
        above = own.lead_in or own.heading if own.best.overlaps(clause.span) else own.heading
        placed = replace(clause, above=above, document=own.chunk.doc_id)
        found.append(_said_of(placed, own, found or before))
    return found


def _said_of(clause: Clause, own: Evidence, before: Sequence[Clause]) -> Clause:
    cell, head = _CELL.match(clause.text), _HEAD.match(clause.text)
    if cell and is_row(clause.text):
        key = _written(cell[2], clause, cell.start(2))
        return replace(clause, subject=key, perhaps=(key,), keyed=True, row=True)
    if head:
        key = _written(head[1], clause, head.start(1))
        if len(key.words) <= _MOST_WORDS:
            return replace(clause, subject=key, perhaps=(key,), keyed=True)
    verb = next((p.span.start for p in clause.predicates), clause.span.end)
    ahead = [thing for thing in clause.things if thing.span.start < verb]
    opening = clause.text[: max(0, verb - clause.span.start)].lower().split()
    if _ALL.intersection(opening):
        return replace(clause, perhaps=_spoken_of(before))
    ahead = [] if _ONE_OF.intersection(opening) & _SUBJECTS else ahead  # "today it houses"
    told_of = {w for p in clause.predicates[:1] for w in (p.subject, p.object)}
    first = next((thing for thing in ahead if told_of & thing.words), ahead[0] if ahead else None)
    again = first is not None and not first.named and first.words <= TAKING_UP
    of_one = bool(_OF_ONE.intersection(opening))
    named = next((thing for thing in ahead if thing.named), None)
    if of_one and named:  # "its rival, the Brisa, ..."
        return replace(clause, subject=named, perhaps=(named,))
    if again or not first or of_one:
        one = again or not opening or bool(_ONE_OF.intersection(opening))
        earlier = [other.subject for other in before if other.subject is not None]
        if earlier and one:
            return replace(clause, subject=earlier[0], perhaps=_spoken_of(before), taken_up=True)
        if not before and own.heading and not opening:
            title = _written(own.heading, clause, 0)
            return replace(clause, subject=title, perhaps=(title,), keyed=True)
        return replace(clause, perhaps=(*_spoken_of(before), *ahead))
    return replace(clause, subject=first, perhaps=(first,))


def _spoken_of(before: Sequence[Clause]) -> tuple[Thing, ...]:
    """All that a pronoun may stand for."""
    return tuple(thing for other in before for thing in (*other.things, *other.perhaps))


def _written(text: str, clause: Clause, start: int) -> Thing:
    """A key as a thing, with the parser's label where it has one."""
    lemmas = [word for word in re.findall(r"[\w.]+", text.lower()) if word not in _IDLE_WORDS]
    span = Span(clause.span.start + start, clause.span.start + start + len(text))
    label = next((t.label for t in clause.things if t.span.overlaps(span) and t.label), "")
    lemmas = [word for word in lemmas if word.rstrip(".") not in TITLES] or lemmas
    head = lemmas[-1] if lemmas else ""
    return Thing(text, frozenset(lemmas), head, span, True, label)


_IDLE_WORDS = words("the a an of and for in on at to")


@lru_cache(maxsize=4096)
def _stems(text: str) -> tuple[str, ...]:
    return tuple(number(found) for found in stems(text))


def number(word: str) -> str:
    """A number in figures, without the commas of thousands; any other word as it is."""
    plain = word.replace(",", "")
    before, found, _ = f"{_COUNTS} ".partition(f" {plain} ")
    return str(before.count(" ") + 1) if found and plain else plain
