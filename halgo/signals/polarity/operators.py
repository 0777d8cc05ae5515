"""Natural logic: what a claim says of all, always or everywhere beside what its source restricts.

Claim and sentence are aligned by their content words; on the aligned pair an edit that drops a
restriction makes a statement wider, and under a word such as "every" or "at any time" what is
wider need not be true (MacCartney and Manning 2009). Both sides are read as operators: the claim's
universal words by what they range over (things, times, places, amounts, cases), the sentence's
restrictions by what they narrow. A restriction counts as dropped where the claim has neither its
words nor an amount like its own; who speaks of a case that meets it uses no universal word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import astuple, dataclass
from functools import cached_property, lru_cache
from itertools import islice, takewhile

from halgo.facts.words import lines, words
from halgo.protocols import Lexicon
from halgo.signals.matching import derived, said_alike, within
from halgo.signals.segments import GLUED, split
from halgo.types import Facts, Pair, Signal, Span, Stance, Term

_WIDER, _EXCEPTED = 0.6, 0.6
# Share of the claim's words that a sentence has to hold, and of a restriction's that the claim has.
_ALIGNED, _KEPT = 0.75, 0.5
# ... and of one that says outright that nothing matters: "no matter how old it is".
_ALIGNED_OUTRIGHT = 0.45
_FEWEST = 2  # words of the claim beside the universal one
_LONGEST, _MOST_SENTENCES, _MOST_MARKS = 4_000, 40, 12
_MOST_PREDICATES = 160
_MOST_WORDS = 60  # of a claim; a longer one makes more than one statement
_FEW = 3  # words by which a restriction is known
_NOUNS = ("NOUN", "PROPN")
_NEXT = re.compile(r"\s+(?:of\s+)?(?:the\s+)?(\w+)")
# Between "every" and its noun stands nothing of this.
_BREAKS = re.compile(
    r"[,;.]|\b(?:is|are|was|were|may|can|must|will|of)\b(?! (?:the|its|our))", re.IGNORECASE
)

# What narrows any statement.
_CONDITION = re.compile(
    r"\b(?:unless|(?<!not )(?<!the )only|provided (?:that|the|an?|it|they|you|he|she|we)"
    # What refers to the document itself, or to the law, takes nothing from what it goes on to say.
    r"|on condition|(?:as|so) long as|(?<!even )if|by default"
    r"|subject to(?! (?:the |these |all |any )?(?:other )?(?:terms|provisions|conditions|this"
    r"|section|clause|article|applicable)\b))\b",
    re.IGNORECASE,
)
_EXCEPTION = re.compile(
    r"\b(?:except(?:ing)?|apart from|other than|save for|but not"
    r"|(?:all|every\w*|any\w*|nobody|no one|none|nothing)\b[^,.;]{0,30}?\bbut(?! also))\b",
    re.IGNORECASE,
)
# A claim that leaves something out in its own words; and what only seems to be an exception.
_SPARED = re.compile(
    rf"{_EXCEPTION.pattern}|\b(?:excluding|excepted|unless|outside|barring)\b", re.IGNORECASE
)
_NO_EXCEPTION = re.compile(r"\s+(?:that(?! of\b)|necessarily|always|only|yet)\b", re.IGNORECASE)
# What narrows it to times, to places, to amounts.
_TIME = re.compile(
    r"\b(?:after|before|until|till|between|during|within|while|when|once)\b"
    r"|\b(?:at|in|on|from)\b(?= (?:the )?(?:night|noon|day|morning|evening|afternoon|week"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|spring|summer|autumn|winter|\d))",
    re.IGNORECASE,
)
_PLACE = re.compile(r"\b(?:in|within|inside|at|of)(?= )", re.IGNORECASE)
_BOUND = re.compile(
    r"\b(?:up to|at (?:most|least)|(?:no |not )?(?:more|less|fewer) than|a maximum of|limited to"
    r"|over|under|above|below|aged|between|\w+er than|within|from(?= (?:\w+ )?\d))(?= )",
    re.IGNORECASE,
)
_MUCH = re.compile(rf"{_BOUND.pattern}|\b(?:once|twice)\b|\b(?:for|until)(?= )", re.IGNORECASE)
_NARROWING = {
    "time": (_EXCEPTION, _CONDITION, _TIME),
    "place": (_EXCEPTION, _CONDITION, _PLACE),
    "amount": (_EXCEPTION, _CONDITION, _MUCH),
    "case": (_EXCEPTION, _CONDITION, _BOUND),
    "never": (_EXCEPTION, _CONDITION),
    "of": (_EXCEPTION, _CONDITION),
    "anyone": (_EXCEPTION, _CONDITION),
}
_BARE = ("once", "twice", "by default")  # say all by themselves
# What narrows the noun it stands behind, if need be behind another phrase; "with" and the like
# only where the noun is what the sentence speaks of: else they may belong to the verb.
_PHRASE = r"(?: (?:of|in|at|from|for)(?: [\w'’-]+){1,4}?)?"
_WHO = re.compile(
    rf"{_PHRASE} (?:who|that|which|whose|aged|(?:more|less|fewer|\w+er) than)(?= )", re.IGNORECASE
)
_WITH = re.compile(r" (?:with|without|over|under|above|below|between)(?= )", re.IGNORECASE)
_OF = re.compile(r" (?:of|in|at|from)(?= )", re.IGNORECASE)
_ENDS = re.compile(r"[,;:.!?](?=\s|$)|\s[–—]\s")
_VERB = re.compile(r"\b(?:may|can|must|shall|should|will|would)\b", re.IGNORECASE)
_TAKEN_UP = re.compile(r"\W*(?:it|they|he|she|this|these|those|.{0,40}\b(?:they|it))\b", re.I)
_DENIED = re.compile(r"\b(?:not|no|never|nobody|none|cannot|neither|nor)\b|n['’]t\b", re.I)
_NOT_QUITE = re.compile(r"\b(?:almost|nearly|virtually|practically|not|n['’]t|hardly)\s+$", re.I)
# Where another part of a sentence begins, which is about something else.
_PARTS = re.compile(r"[;:]\s|\n|\s[–—(]|,\s(?=(?:and|while|whereas)\s)")
_NONE = ("no", "nobody", "no one")
_MAY = re.compile(r"\s(?:can|may|must|shall|(?:is|are) (?:allowed|entitled|required))\b", re.I)
_IDLE = words("have be do make get take use")


@dataclass(frozen=True, slots=True)
class _Universal:
    """A word that leaves nothing out: of what kind, all that it says, the noun it is about.

    outright: whether it says that nothing matters: "no matter how old it is".
    """

    kind: str
    span: Span
    noun: str = ""
    outright: bool = False

    @property
    def aligned(self) -> float:
        """The share of the claim's words that a sentence has to hold to be its source."""
        return _ALIGNED_OUTRIGHT if self.outright else _ALIGNED


@dataclass(frozen=True)
class _Lists:
    """data/universals.txt: its phrases, longest first, the kind of each, and two lists of nouns."""

    phrases: tuple[str, ...]
    kinds: tuple[str, ...]
    general: frozenset[str]
    others: frozenset[str]

    @cached_property
    def begin(self) -> frozenset[str]:
        """The first words of the phrases."""
        return frozenset(phrase.split()[0] for phrase in self.phrases)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """A pattern of all phrases, each in a group "p" with its place."""
        parts = [rf"(?P<p{at}>\b{_written(phrase)})" for at, phrase in enumerate(self.phrases)]
        return re.compile("|".join(parts), re.IGNORECASE)


def wider(pairs: Sequence[Pair], lexicon: Lexicon) -> list[tuple[Signal, ...]]:
    """For each passage of one claim at most one signal: the claim is wider than its source.

    Its source is the sentence of all passages that has most of its words; those that have fewer
    do not say it either.
    """
    if not pairs or len(pairs[0].claim_facts.terms) > _MOST_WORDS:
        return [() for _ in pairs]
    if _EXCEPTION.search(pairs[0].claim.text):  # "all but three": it leaves something out itself
        return [() for _ in pairs]
    for said in _universals(pairs[0].claim.text, pairs[0].claim_facts):
        beside = [_Beside(pair, said, lexicon) for pair in pairs]
        top = max(view.share for view in beside)
        if top < said.aligned or len(beside[0].words) < _FEWEST:
            continue
        found = [view.narrower() if view.share == top else None for view in beside]
        narrower = next((span for span in found if span is not None), None)
        free = any(
            view.share == top and span is None for view, span in zip(beside, found, strict=True)
        )
        if narrower is None or free:
            continue
        shown = narrower.of(beside[found.index(narrower)].text)
        return [(_wider(pair, said, shown, span),) for pair, span in zip(pairs, found, strict=True)]
    return [() for _ in pairs]


def _wider(pair: Pair, said: _Universal, narrower: str, where: Span | None) -> Signal:
    shown = said.span.of(pair.claim.text), " ".join(narrower.split())
    kind = "quantifier" if said.kind in ("of", "anyone") else "limited"
    message = f'The claim says "{shown[0]}"; the source limits it: "{shown[1]}".'
    return Signal(kind, Stance.UNSUPPORTED, _WIDER, message, said.span, where, shown)


# -- what the sentence excepts --------------------------------------------------------------------


def excepted(pair: Pair, lexicon: Lexicon) -> Signal | bool:
    """What an exception says of a claim about the very thing that it excepts.

    A contradiction where the claim says of it what is said of the others; True where it says the
    opposite, or what the sentence goes on to say of it, so that no denial of the others speaks
    against it; False where it is about others.
    """
    claim, text, facts = pair.claim.text, pair.evidence.reading.text, pair.evidence_facts
    if _SPARED.search(claim) or len(pair.claim_facts.terms) > _MOST_WORDS:
        return False
    view = _Beside(pair, _Universal("case", Span(0, 0)), lexicon)
    if view.share < _ALIGNED:
        return False
    for sentence in view.sentences:
        for mark in islice(_EXCEPTION.finditer(view.text, *astuple(sentence)), _MOST_MARKS):
            span = view.phrase(mark, sentence)
            if span is None or not view.names(Span(mark.end(), span.end)):
                continue
            if _NO_EXCEPTION.match(view.text, mark.end()):
                continue
            said = within(facts.predicates[:_MOST_PREDICATES], sentence)
            others, rest = Span(sentence.start, mark.start()), Span(span.end, sentence.end)
            if not within(tuple(said), others):  # "Except for Ann, all agreed"
                others, rest = rest, Span(rest.end, rest.end)
            if view.nearer(rest, others):
                return True
            denied = _DENIED.search(view.text, others.start, others.end) is not None
            if denied != (_DENIED.search(claim) is not None):
                return True
            for mine in pair.claim_facts.predicates[:_MOST_WORDS]:
                if any(said_alike(mine, other, lexicon) == 1 for other in said):
                    shown = claim, span.of(text)
                    message = f'The source rules this out: "{shown[1]}".'
                    return Signal(
                        "negation", Stance.CONTRADICTS, _EXCEPTED, message, mine.span, span, shown
                    )
    return False


# -- the claim's universal words ------------------------------------------------------------------


def _universals(claim: str, facts: Facts) -> Iterator[_Universal]:
    lists = _lists()
    if lists.begin.isdisjoint(re.findall(r"\w+", claim[:_LONGEST].lower())):
        return
    for match in islice(lists.pattern.finditer(claim[:_LONGEST]), _MOST_MARKS):
        span, kind = Span(*match.span()), lists.kinds[int(str(match.lastgroup)[1:])]
        if _weakened(match.group().lower(), claim[: span.start], claim[span.end :]):
            continue
        if kind != "of":
            yield _Universal(kind, span, outright=kind in ("case", "amount"))
            continue
        following = _NEXT.match(claim, span.end)
        noun = next((t for t in facts.terms if t.span.start >= span.end and t.pos in _NOUNS), None)
        if following is None or following[1].lower() in lists.others or noun is None:
            continue
        whole = Span(span.start, noun.span.end)
        if _BREAKS.search(claim, span.end, noun.span.start):
            continue
        if noun.lemma in lists.others and span.of(claim).lower() != "all":
            continue  # "every year", "every thirty minutes"
        if noun.lemma in lists.general or noun.lemma in lists.others:
            yield _Universal("case", whole)
        if noun.lemma not in lists.others:
            yield _Universal("of", whole, noun.lemma)


def _weakened(said: str, before: str, behind: str) -> bool:
    """Whether a word is less than universal where it stands.

    "Almost all", "not any", "had no sense of music", "no one more often than she".
    """
    if _NOT_QUITE.search(before) or (said == "any" and _DENIED.search(before)):
        return True
    return said in _NONE and (bool(before.strip()) or " than " in behind)


@lru_cache(maxsize=1)
def _lists() -> _Lists:
    told: dict[str, str] = {}
    nouns: dict[str, set[str]] = {"general": set(), "not": set()}
    for line in lines("universals"):
        kind, _, some = line.partition("|")
        phrases = [" ".join(phrase.split()) for phrase in some.split(",") if phrase.strip()]
        if kind.strip() in nouns:
            nouns[kind.strip()].update(phrases)
        else:
            told.update(dict.fromkeys(phrases, kind.strip()))
    # The longest first, so that "at any time" is not read as "any".
    ranked = sorted(told, key=lambda phrase: (-len(phrase), phrase))
    return _Lists(
        tuple(ranked),
        tuple(told[phrase] for phrase in ranked),
        frozenset(nouns["general"]),
        frozenset(nouns["not"]),
    )


def _written(phrase: str) -> str:
    """The pattern of a phrase of the file."""
    parts = [
        {"*": r"\w+(?:\s\w+){0,2}?", "...": r"[^,.;]*"}.get(word, re.escape(word) + r"\b")
        for word in phrase.split()
    ]
    return r"\s".join(parts)


# -- the sentence that says the same, and what it restricts ---------------------------------------


class _Beside:
    """A claim with one universal word beside the sentences of a passage."""

    def __init__(self, pair: Pair, said: _Universal, lexicon: Lexicon) -> None:
        self.said, self.lexicon = said, lexicon
        self.text, self.facts = pair.evidence.reading.text[:_LONGEST], pair.evidence_facts
        claim = pair.claim_facts
        self.over = {
            word for over in pair.evidence.over for word in re.findall(r"\w+", over.lower())
        }
        measured = [q.span for q in claim.quantities] + [date.span for date in claim.dates]
        self.amounts = [found for found in claim.quantities if not found.span.overlaps(said.span)]
        self.claim = pair.claim.text.lower()
        self.dated = any(not found.span.overlaps(said.span) for found in claim.dates)
        self.words = {
            term.lemma
            for term in claim.terms
            if not any(term.span.overlaps(span) for span in measured)
            and (not term.span.overlaps(said.span) or term.lemma == said.noun)
        } - _IDLE
        shares = list(self._shares())
        self.share = max((share for share, _ in shares), default=0.0)
        self.sentences = [sentence for share, sentence in shares if share == self.share]

    def narrower(self) -> Span | None:
        """The restriction that the claim drops; None if a sentence has its words and none."""
        told = [self._restricted(sentence) for sentence in self.sentences]
        return None if None in told else told[0]

    def _shares(self) -> Iterator[tuple[float, Span]]:
        """For each sentence the share of the claim's words that it holds, in [0, 1]."""
        before: set[str] = set()
        for sentence in islice(split(GLUED, Span(0, len(self.text)), self.text), _MOST_SENTENCES):
            held = {term.lemma for term in self._terms(sentence)}
            taken_up = _TAKEN_UP.match(self.text, sentence.start, sentence.end)
            known = (held | before if taken_up else held) | self.over
            count = sum(self._among(word, known) for word in self.words)
            yield count / max(len(self.words), 1), self._part(sentence, count)
            before = held

    def _part(self, sentence: Span, count: int) -> Span:
        """The first part of a sentence that holds as much of the claim as the whole, or that."""
        for part in split(_PARTS, sentence, self.text):
            held = {term.lemma for term in self._terms(part)}
            if count and sum(self._among(word, held | self.over) for word in self.words) == count:
                return part
        return sentence

    def _among(self, word: str, held: Set[str]) -> bool:
        if word in held or not self.lexicon.synonyms(word).isdisjoint(held):
            return True
        return not derived(word, self.lexicon).isdisjoint(held)

    def _terms(self, part: Span) -> list[Term]:
        return [t for t in self.facts.terms if part.start <= t.span.start < part.end]

    def _restricted(self, sentence: Span) -> Span | None:
        """The first restriction of a sentence that the claim drops."""
        for pattern in _NARROWING[self.said.kind]:
            if pattern is _CONDITION and pattern.search(self.claim):
                continue  # it may say the same in other words
            marks = pattern.finditer(self.text, sentence.start, sentence.end)
            told = [
                (self.phrase(mark, sentence), mark.end()) for mark in islice(marks, _MOST_MARKS)
            ]
            dropped = [self._drops(span, end) for span, end in told if span is not None]
            if dropped and all(dropped):  # "if it rains or if it snows": one of them is enough
                return next(span for span, _ in told if span is not None)
        if self.said.kind in ("of", "anyone"):
            return next(self._narrowed(sentence), None)
        return None

    def phrase(self, mark: re.Match[str], sentence: Span) -> Span | None:
        """A restriction from its first word on, as far as it is looked at."""
        end = _ENDS.search(self.text, mark.end(), sentence.end)
        terms = self._terms(Span(mark.end(), end.start() if end else sentence.end))[:_FEW]
        if mark.group().lower() in _BARE:
            return Span(*mark.span())
        verb = _VERB.search(self.text, terms[0].span.end, sentence.end) if terms else None
        terms = [term for term in terms if verb is None or term.span.start < verb.start()]
        if mark.re is _PLACE and (not terms or terms[0].pos not in (*_NOUNS, "ADJ")):
            return None
        if mark.re in (_EXCEPTION, _WITH, _OF):  # "everyone except Mette agreed"
            terms = list(takewhile(lambda term: term.pos != "VERB", terms)) or terms
        if not terms and mark.group().lower() == "only":
            before = self._terms(Span(sentence.start, mark.start()))[-2:]
            return Span(before[0].span.start, mark.end()) if before else None
        if not terms:
            return None
        whole = Span(mark.start(), terms[-1].span.end)
        if mark.re in (_BOUND, _MUCH, _TIME):  # "over 60 pay half": the bound is the first amount
            amounts = [q.span for q in self.facts.quantities] + [d.span for d in self.facts.dates]
            ends = [span.end for span in amounts if span.overlaps(whole)]
            if mark.group().lower() == "for" and not ends:
                return None
            return Span(whole.start, min((*ends, whole.end)))
        return whole

    def names(self, part: Span) -> bool:
        """Whether the claim has most words of a stretch, and the stretch has some."""
        said = [term.lemma for term in self._terms(part)]
        return 2 * sum(self._among(word, self.words) for word in said) > len(said)

    def nearer(self, part: Span, other: Span) -> bool:
        """Whether the claim has more words of one stretch alone than of another alone.

        "The atlas is Karin's": of "except the atlas, which is Karin's already".
        """
        mine, others = ({t.lemma for t in self._terms(span)} for span in (part, other))
        own = sum(self._among(word, mine - others) for word in self.words)
        return own > sum(self._among(word, others - mine) for word in self.words)

    def _drops(self, span: Span, start: int) -> bool:
        """Whether the claim has neither the words of a restriction nor an amount like its own."""
        text = span.of(self.text).lower()
        if text in _BARE:
            return text not in self.claim
        counted = [found for found in self.facts.quantities if found.span.overlaps(span)]
        dated = [found for found in self.facts.dates if found.span.overlaps(span)]
        # An amount that the sentence has elsewhere stands for that one.
        elsewhere = {
            (q.low, q.high, q.unit) for q in self.facts.quantities if not q.span.overlaps(span)
        }
        own = any((q.low, q.high, q.unit) not in elsewhere for q in self.amounts)
        if (counted and own) or (dated and (own or self.dated)):
            return False
        if counted or dated:
            return True
        inner = Span(start, span.end) if start < span.end else span
        said = [term.lemma for term in self._terms(inner)]
        # "Allowed" stands for the sentence's own "allowed", and not for its "permit".
        outside = {t.lemma for t in self.facts.terms if not t.span.overlaps(span)}
        spare = self.words - outside
        kept = sum(word in self.words or self._among(word, spare) for word in said)
        return bool(said) and kept < _KEPT * len(said)

    def _narrowed(self, sentence: Span) -> Iterator[Span]:
        """What narrows the noun that the claim speaks of all of."""
        terms = self._terms(sentence)
        for at, noun in enumerate(terms):
            if noun.pos not in _NOUNS:
                continue
            if self.said.noun and not self._among(self.said.noun, {noun.lemma}):
                continue
            first = not any(term.pos == "VERB" for term in terms[:at])
            if not self.said.noun and not first:
                return
            if not self.said.noun and self._others(Span(sentence.start, noun.span.end), noun):
                yield noun.span
            for pattern in (_WHO, _WITH, _OF) if first else (_WHO,):
                mark = pattern.match(self.text, noun.span.end, sentence.end)
                span = self.phrase(mark, sentence) if mark else None
                if mark is None or span is None or not self._drops(span, mark.end()):
                    continue
                if pattern is not _OF or self._tells_apart(span):
                    yield span
            before = terms[at - 1] if at else noun
            near = before.span.end + 1 == noun.span.start and before.span.of(self.text).islower()
            described = first and near and before.pos in ("ADJ", "VERB")
            if described and not self._among(before.lemma, self.words):
                yield Span(before.span.start, noun.span.end)

    def _others(self, before: Span, noun: Term) -> bool:
        """Whether only some may who are named otherwise: "photographers can", "anyone can"."""
        if noun.lemma in _lists().general or self._among(noun.lemma, self.words):
            return False
        allowed = _MAY.match(self.text, noun.span.end) is not None
        return allowed and not _lists().pattern.search(self.text, before.start, before.end)

    def _tells_apart(self, span: Span) -> bool:
        """Whether "of the free plan" tells some from others; "of the club" only says of which."""
        terms = self._terms(span)[:2]
        if len(terms) < 2 or any(term.pos not in ("ADJ", "NOUN") for term in terms):
            return False
        everywhere = [term.lemma for term in self.facts.terms]
        return all(everywhere.count(term.lemma) == 1 for term in terms)
