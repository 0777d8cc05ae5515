"""Edit alignment: a claim that repeats a sentence word for word, but for a few that turn it.

Claim and sentence are laid beside each other as words, amounts and dates counting as one word each
(other detectors compare these). Where nearly all of the claim is held, what differs at one place is
told by a small table: a "not" too many or too few, "must" for "may", "always" for "usually",
a word for its opposite, two names in each other's places. This needs no parse, so it sees what
comparing predicates misses in long or unusual sentences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from math import inf

from halgo.facts.words import words
from halgo.protocols import Lexicon
from halgo.signals.matching import opposites
from halgo.signals.passages import ByIdentity, OfPassage
from halgo.signals.relations.role_reversal import SYMMETRIC
from halgo.signals.relations.substitution import exclusive
from halgo.types import Facts, Pair, Signal, Span, Stance

_DENIED, _TURNED, _OPPOSED, _SURER = 0.7, 0.75, 0.65, 0.6
# Share of the claim's words that the sentence has to hold in the same order, and of the sentence's
# that a claim has to repeat where it affirms what the sentence denies: a denial of more says less.
_HELD, _REPEATED = 0.7, 0.6
_FEWEST, _MOST = 4, 80  # words of a claim
_AMOUNT = "#"
_TOKEN = re.compile(r"[^\W\d_]+(?=n['’]t\b)|n['’]t\b|[^\W_]+(?:[.,]\d+)*", re.IGNORECASE)
_SENTENCE = re.compile(r"\S.*?(?:[.!?](?=\s+[A-Z])|$)", re.DOTALL)
_LONGEST = 4_000  # characters of a passage
_SPLIT = {"cannot": ("can", "not"), "n't": ("not",), "n’t": ("not",)}
_LEMMAS = {"ca": "can", "wo": "will", "sha": "shall", "an": "a"}
_SILENT = words("do does did")  # what a negation brings along
_ENDINGS = words("ed d ing s es")
_NEGATORS = words("not never no")
_LIGHT = words("a the any some be is are was were been have has had that also") | {_AMOUNT}
_IDENTITY = _LIGHT | words("and or as with against between both nor to vs versus")

# From what leaves much open to what leaves nothing open. A claim may leave more open than its
# source, not less.
_SCALES = (
    ("modality", words("may might can"), words("should ought"), words("will"), words("must shall")),
    ("modality", words("allow permit entitle"), words("advise recommend"), words("require oblige")),
    ("modality", words("try attempt seek hope aim plan intend"), words("manage succeed")),
    ("modality", words("suggest hint"), words("prove confirm establish demonstrate")),
    ("quantifier", words("rarely seldom"), words("sometimes occasionally"),
     words("often frequently"), words("usually generally normally typically mostly commonly"),
     words("always invariably")),
    ("quantifier", words("some several few"), words("many half"), words("most"),
     words("all every each")),
)  # fmt: skip
_CERTAIN = words("certainly definitely undoubtedly")
_WHOLE = words("all every everyone everybody everything always")
_IN_PART = words("all every each both always only just merely necessarily until quite")
_NOT_QUITE = words("nearly almost virtually practically")
_TURNS = (
    ("before", "after"), ("above", "below"), ("over", "under"), ("inside", "outside"),
    ("more", "less"), ("more", "fewer"), ("least", "most"), ("up", "down"), ("with", "without"),
    ("maximum", "minimum"),
)  # fmt: skip
_OPPOSED_PAIRS = frozenset(_TURNS) | frozenset((b, a) for a, b in _TURNS)


@dataclass(frozen=True, slots=True)
class _Word:
    lemma: str
    span: Span
    name: bool = False


@dataclass(frozen=True, slots=True)
class _Difference:
    """Words of the claim from the one at `at`, and those of the sentence in their place."""

    at: int
    ours: tuple[_Word, ...]
    theirs: tuple[_Word, ...]

    @property
    def added(self) -> frozenset[str]:
        """The lemmas that the claim alone has here."""
        return _lemmas(self.ours) - _lemmas(self.theirs)

    @property
    def left_out(self) -> frozenset[str]:
        """The lemmas that the sentence alone has here."""
        return _lemmas(self.theirs) - _lemmas(self.ours)


def _lemmas(some: Sequence[_Word]) -> frozenset[str]:
    return frozenset(word.lemma for word in some) - _LIGHT


def signals(pair: Pair, lexicon: Lexicon) -> list[Signal]:
    """What the few words that differ say, at most one signal a place; [] for another wording."""
    if not _shares(pair):
        return []
    claim, facts = pair.claim, pair.claim_facts
    ours = _read_claim.get((claim, facts), lambda: _Words(claim.text, facts)).of(
        Span(0, len(claim.text))
    )
    if not _FEWEST <= len(ours) <= _MOST:
        return []
    theirs = _nearest(pair, ours)
    if not theirs:
        return []
    beside = _beside(ours, theirs, lexicon)
    if beside is None:
        return []
    view = _View(pair, lexicon, ours, theirs, beside)
    return [*view.turned(), *view.denied(), *view.surer(), *view.opposed(), *view.limits()]


def _shares(pair: Pair) -> bool:
    """Whether the passage has enough of the claim's content words to repeat it; cheap to ask."""
    wanted = {term.lemma for term in pair.claim_facts.terms}
    held = {term.lemma for term in pair.evidence_facts.terms}
    return 3 * len(wanted & held) >= len(wanted)


def _nearest(pair: Pair, ours: Sequence[_Word]) -> list[_Word]:
    """The sentence of the passage that has most of the claim's words; of equals its best one."""
    text, best = pair.evidence.reading.text, pair.evidence.best
    others = (Span(*found.span()) for found in _SENTENCE.finditer(text[:_LONGEST]))
    spans = list(dict.fromkeys([best, *others]))
    wanted = {word.lemma for word in ours}
    words = _read_passage(pair.evidence, pair.evidence_facts)
    found = map(words.of, spans)
    return max(found, key=lambda some: len(wanted & {word.lemma for word in some}))


class _Words:
    """The words of stretches of a text by their lemmas; amounts and dates as `_AMOUNT`."""

    def __init__(self, text: str, facts: Facts) -> None:
        self.text = text
        self._lemmas = {term.span.start: term.lemma for term in facts.terms}
        # "The first scan": a rank in words is a word, which the parse does not always take for one.
        self._amounts = [
            q.span for q in facts.quantities if q.unit != "ordinal" or q.span.of(text)[0].isdigit()
        ]
        self._amounts += [date.span for date in facts.dates]
        self._names = {at for name in facts.names for at in range(name.span.start, name.span.end)}
        self._found: dict[Span, list[_Word]] = {}

    def of(self, within: Span) -> list[_Word]:
        """The words of a stretch, in order."""
        if within not in self._found:
            self._found[within] = list(self._read(within))
        return self._found[within]

    def _read(self, within: Span) -> Iterator[_Word]:
        amounts = sorted(span for span in self._amounts if span.overlaps(within))
        told: Span | None = None  # the amount that was told last
        first = 0  # the amounts before this one end before the word
        for match in _TOKEN.finditer(self.text, within.start, within.end):
            span = Span(*match.span())
            while first < len(amounts) and amounts[first].end <= span.start:
                first += 1
            amount = _overlapping(amounts, first, span)
            if amount is not None:
                if told != amount:
                    yield _Word(_AMOUNT, amount)
                told = amount
                continue
            low = match.group().lower()
            for part in _SPLIT.get(low, (_LEMMAS.get(low, low),)):
                lemma = self._lemmas.get(span.start, part) if part == low else part
                if lemma not in _SILENT:
                    named = not self._names.isdisjoint(range(span.start, span.end))
                    told = None
                    yield _Word(lemma.lower(), span, named)


_read_claim = ByIdentity[_Words]()
_read_passage = OfPassage(lambda evidence, facts: _Words(evidence.reading.text, facts))


def _overlapping(spans: Sequence[Span], at: int, span: Span) -> Span | None:
    """The first of these, which ascend, from number `at` on that overlaps a stretch."""
    while at < len(spans) and spans[at].start < span.end:
        if spans[at].overlaps(span):
            return spans[at]
        at += 1
    return None


@dataclass(frozen=True, slots=True)
class _Beside:
    """Claim and sentence beside each other: where they differ, and how much is repeated."""

    different: tuple[_Difference, ...]
    repeated: float  # share of the sentence's words
    amounts: tuple[tuple[_Word, _Word], ...]  # at the same place in both


def _beside(ours: Sequence[_Word], theirs: Sequence[_Word], lexicon: Lexicon) -> _Beside | None:
    """Claim and sentence laid beside each other; None where they share too little.

    What the sentence says before the first shared word and after the last is no difference: a
    claim may say less.
    """
    held = {word.lemma for word in theirs}
    left = [_as_in(word.lemma, held, lexicon) for word in ours]
    matcher = SequenceMatcher(None, left, [word.lemma for word in theirs], autojunk=False)
    blocks = [block for block in matcher.get_matching_blocks() if block.size]
    shared = sum(block.size for block in blocks)
    if not blocks or shared < _HELD * len(ours):
        return None
    first, last = blocks[0].b, blocks[-1].b + blocks[-1].size
    found = [
        _Difference(a, tuple(ours[a:b]), tuple(theirs[c:d]))
        for tag, a, b, c, d in matcher.get_opcodes()
        if tag != "equal" and not (a == b and (d <= first or c >= last))
    ]
    before = theirs[first - 1] if first else None
    if before is not None and before.lemma in _NOT_QUITE and blocks[0].a == 0:
        found.insert(0, _Difference(0, (), (before,)))  # "nearly every boat"
    amounts = tuple(
        (ours[block.a + k], theirs[block.b + k])
        for block in blocks
        for k in range(block.size)
        if ours[block.a + k].lemma == _AMOUNT
    )
    return _Beside(tuple(found), shared / len(theirs), amounts)


def _as_in(lemma: str, held: set[str], lexicon: Lexicon) -> str:
    """The sentence's own word for it, if it has a synonym, or another form of it."""
    if lemma in held or lemma == _AMOUNT:
        return lemma
    forms = {other for other in held if _form_of(lemma, other) or _form_of(other, lemma)}
    return min(forms or lexicon.synonyms(lemma) & held, default=lemma)


def _form_of(long: str, short: str) -> bool:
    """Whether a word is another with a verb's ending that the tagger has left there."""
    return len(short) > 2 and long.startswith(short) and long[len(short) :] in _ENDINGS


class _View:
    """A claim beside a sentence, and where they differ."""

    def __init__(
        self,
        pair: Pair,
        lexicon: Lexicon,
        ours: Sequence[_Word],
        theirs: Sequence[_Word],
        beside: _Beside,
    ) -> None:
        self.pair, self.lexicon, self.ours, self.theirs = pair, lexicon, ours, theirs
        self.different, self.repeated = beside.different, beside.repeated
        self.amounts = beside.amounts

    def turned(self) -> Iterator[Signal]:
        """Two names in each other's places, and nothing else that matters."""
        for at, one in enumerate(self.different):
            for two in self.different[at + 1 :]:
                if not _exchanged(one, two) or not self._capital(one, two):
                    continue
                between = {w.lemma for w in self.ours[one.at + len(one.ours) : two.at]}
                rest = [d for d in self.different if d not in (one, two)]
                if between <= _IDENTITY or between & SYMMETRIC or any(d.added for d in rest):
                    continue
                yield self._signal(
                    "swapped_names", Stance.CONTRADICTS, _TURNED, one,
                    'The source says "{1}" where the claim says "{0}", and the other way round.',
                )  # fmt: skip
                return

    def denied(self) -> Iterator[Signal]:
        """A "not" on one side only."""
        denies = [any(w.lemma in _NEGATORS for w in side) for side in (self.ours, self.theirs)]
        if all(denies):  # "not all have" beside "some have not"
            return
        for place in self.different:
            mine, other = place.added, place.left_out
            if (mine, other) == (frozenset(), frozenset()) or not (mine | other) <= _NEGATORS:
                continue
            if bool(mine) == bool(other) or self._in_part(place):
                continue
            rest = [d for d in self.different if d is not place]
            if any(d.added or _amounts(d) for d in rest):
                continue
            # What the sentence denies of less than the claim says, it does not deny of the claim.
            if other and (any(d.left_out for d in rest) or self.repeated < _REPEATED):
                continue
            message = (
                "The claim denies what the source says." if mine else "The source denies this."
            )
            yield self._signal("negation", Stance.CONTRADICTS, _DENIED, place, message)
            return

    def _in_part(self, place: _Difference) -> bool:
        """Whether only what comes next is denied: "not all", "not only"."""
        after = place.at + len(place.ours)
        return after < len(self.ours) and self.ours[after].lemma in _IN_PART

    def limits(self) -> Iterator[Signal]:
        """One limit from both sides, and nothing else that matters: more than 40, fewer than 40."""
        if any(place.added or place.left_out for place in self.different):
            return
        mine = {q.span: q for q in self.pair.claim_facts.quantities}
        theirs = {q.span: q for q in self.pair.evidence_facts.quantities}
        for ours, other in self.amounts:
            one, two = mine.get(ours.span), theirs.get(other.span)
            if one is None or two is None or (one.high == inf) == (two.high == inf):
                continue
            low, high = (one.low, two.high) if one.high == inf else (two.low, one.high)
            if one.unit == two.unit and low == high != inf and one.low != one.high:
                place = _Difference(0, (ours,), (other,))
                message = 'The source says "{1}" where the claim says "{0}".'
                yield self._signal("number_conflict", Stance.CONTRADICTS, _OPPOSED, place, message)

    def surer(self) -> Iterator[Signal]:
        """More than the sentence says: of all, always or certainly."""
        for place in self.different:
            kind = self._surer(place)
            if kind:
                message = 'The claim says "{0}"; the source says "{1}".'
                if not place.theirs:
                    message = 'The source does not say "{0}".'
                elif not place.ours:
                    message = 'The source says "{1}".'
                yield self._signal(kind, Stance.UNSUPPORTED, _SURER, place, message)

    def _surer(self, place: _Difference) -> str:
        mine = {word.lemma for word in place.ours}
        other = {word.lemma for word in place.theirs}
        if mine & _CERTAIN and not other & _CERTAIN:
            return "modality"
        after = place.at + len(place.ours)
        if not mine and other and other <= _NOT_QUITE and after < len(self.ours):
            return "quantifier" if self.ours[after].lemma in _WHOLE else ""
        if len(mine) != 1 or not other:
            return ""
        for kind, *steps in _SCALES:
            ours = _step(mine, steps)
            theirs = _step(other, steps)
            if theirs and ours > theirs and (kind, theirs) != ("modality", 3):
                return kind
        return ""

    def opposed(self) -> Iterator[Signal]:
        """A word for its opposite, and nothing else that matters."""
        for place in self.different:
            mine, other = place.added, place.left_out
            if len(mine) != 1 or len(other) != 1:
                continue
            rest = [d for d in self.different if d is not place]
            # "Not above" is no opposite of "below".
            if any(d.added or d.left_out & _NEGATORS for d in rest):
                continue
            (ours,), (theirs,) = mine, other
            if any(word.lemma == ours for word in self.theirs):
                continue  # "1.1 kg without the keyboard and 1.4 kg with it"
            named = any(w.name for w in (*place.ours, *place.theirs))
            if theirs in exclusive(ours):
                kind = "word_conflict"
            elif named:
                continue
            elif (ours, theirs) in _OPPOSED_PAIRS or opposites(ours, theirs, self.lexicon):
                kind = "antonym"
            else:
                continue
            message = 'The source says "{1}" where the claim says "{0}".'
            yield self._signal(kind, Stance.CONTRADICTS, _OPPOSED, place, message)

    def _capital(self, *places: _Difference) -> bool:
        """Whether all words of these places are written as names."""
        claim = self.pair.claim.text
        told = [word for place in places for word in place.ours]
        return all(word.span.of(claim)[:1].isupper() for word in told)

    def _signal(
        self, kind: str, stance: Stance, weight: float, place: _Difference, message: str
    ) -> Signal:
        claim, source = self.pair.claim.text, self.pair.evidence.reading.text
        mine, other = _hull(place.ours), _hull(place.theirs)
        shown = mine.of(claim) if mine else "", other.of(source) if other else ""
        # What stands on one side only is shown beside the word that follows there on the other.
        mine = mine or _hull(self.ours[place.at : place.at + 1] or self.ours[-1:])
        return Signal(kind, stance, weight, message.format(*shown), mine, other, shown)


def _exchanged(one: _Difference, two: _Difference) -> bool:
    a, b = ([w.lemma for w in one.ours], [w.lemma for w in one.theirs])
    c, d = ([w.lemma for w in two.ours], [w.lemma for w in two.theirs])
    return bool(a) and bool(b) and a == d and b == c


def _step(said: set[str], steps: Sequence[frozenset[str]]) -> int:
    """The place on a scale, from 1, of the one word that is on it; 0 for none."""
    return next((at for at, step in enumerate(steps, 1) if said & step), 0)


def _amounts(place: _Difference) -> bool:
    """Whether the claim alone has an amount here."""
    return any(w.lemma == _AMOUNT for w in place.ours) and not any(
        w.lemma == _AMOUNT for w in place.theirs
    )


def _hull(some: Sequence[_Word]) -> Span | None:
    return Span(some[0].span.start, some[-1].span.end) if some else None
