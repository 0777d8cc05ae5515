"""Event links: what came before what in a text, what caused what, and what did not.

Discourse relations as the Penn Discourse Treebank has them (Prasad et al. 2008): a connective and
the two stretches that it joins, here for the temporal and the causal senses. They are read off
connectives ("after", "because", "led to": `data/links.txt`), adverbs that look back ("then",
"earlier"), the past perfect, "first", and the steps of instructions.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import combinations, islice, pairwise

from halgo.facts.words import lines, words
from halgo.signals.segments import GLUED, covering, split
from halgo.types import Facts, Span


class Kind(Enum):
    """How two events hang together."""

    BEFORE = "before"
    CAUSES = "causes"
    DENIED = "denied"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Link:
    """Two stretches and how they are joined; `first` came first, or is the cause.

    cue: the words that say so. listed: no word says so, the two are steps of instructions.
    """

    kind: Kind
    first: Span
    second: Span
    cue: Span
    listed: bool = False

    @property
    def causal(self) -> bool:
        """Whether it says something of cause and effect, be it that there is none."""
        return self.kind is not Kind.BEFORE


_LEFT, _RIGHT = "left", "right"
_BREAK = re.compile(
    r"[;:]\s|\s[-–—]\s|,?\s\b(?:but|while|whereas|although|though)\b|,\s+(?:and|or)\b|[()]",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(
    rf"{_BREAK.pattern}|,\s+(?:when|where|which|who|so|then)\b|\s(?=which is why\b)", re.IGNORECASE
)
_PART = re.compile(r"[;:,]\s+(?:and\s+|but\s+)?|\s(?:and|but)\s|\s[-–—]\s", re.IGNORECASE)
# Stands before a cue that is a noun where something is said to be one: "the flood was largely the
# effect of rain", not "milk reduces the effect of rain", "they found the cause of the flood".
_IS = re.compile(
    r"(?:(?:\b(?:is|are|was|were|be|been|being|becomes?|became|remain(?:s|ed)?|as)|['’]s)"
    r"(?:\s+(?:\w+ly|not|also|only|just|often|perhaps|in (?:part|fact)))*|[,:(–—-])\s*$",
    re.IGNORECASE,
)
# Before the first event of a sentence: "It was after the leak that the valve was closed."
_CLEFT = re.compile(r"\s*it (?:is|was) (?:only |just |shortly |soon )?$", re.IGNORECASE)
# Behind what the sentence begins with: "After the leak, ...", "Before the scan: ...".
_THAT, _COMMA = re.compile(r"\bthat\b", re.IGNORECASE), re.compile(r"[,:]\s")
_PRONOUN = re.compile(r"\b(?:it|this|that|he|she|they|we|you|all)\b", re.IGNORECASE)
_LEADING = re.compile(r"\s*(?:(?:and|but|even|just|soon|long|\w+ly)\b,?\s*)*$", re.IGNORECASE)
_REPORTED = re.compile(
    r"(?:according to [^,]{1,60},|.{0,80}?\b(?:sa(?:y|ys|id)|f(?:ind|inds|ound)|show(?:s|ed)?"
    r"|h(?:old|olds|eld)|report(?:s|ed)?|conclude[sd]?|believe[sd]?)\b(?:\s+that\b)?)\s*",
    re.IGNORECASE,
)
_SINCE = re.compile(r"\b(?:has|have|had) since\b|\bsince then\b", re.IGNORECASE)
_NEXT = re.compile(
    r"(?<!\bby )(?<!\bsince )(?<!\buntil )(?<!\bback )(?<!\bfrom )(?<!\bbefore )"
    r"\b(?:then|afterwards?|after (?:that|this)|subsequently|later(?! than\b)"
    # "Promote the standby, and once it is serving, fence the old one."
    r"|(?:once|as soon as) (?:it|they|this|that) (?:is|are|was|were|has|have|had)\b)",
    re.IGNORECASE,
)
_EARLIER = re.compile(
    r"\b(?:before (?:that|this|then)|beforehand|earlier(?! than\b)|previously)\b", re.IGNORECASE
)
_PERFECT = re.compile(r"\b(?:had|having)\s+(?:(?:just|already|been|\w+ly)\s+){0,2}(?=\w)", re.I)
_WHEN = re.compile(
    r"\b(?:only )?when\b(?=[^,.;]{0,60}?\b(?:has|have|had) (?!an? |the |no |to ))", re.IGNORECASE
)
_FIRST = re.compile(
    r"(?<!\bthe )(?<!\bat )(?<!\ba )(?<!\bin )\bfirst\b(?! (?:of|time|in|aid)\b)", re.IGNORECASE
)
_NOT = re.compile(
    r"\b(?:not|never|cannot|nor)\s(?!only\b|just\b|merely\b|solely\b|simply\b|necessarily\b)|n['’]t\s",
    re.IGNORECASE,
)
# What came of it is nothing: "caused no drowsiness", "no death was caused by".
_NOTHING = re.compile(r"\s*(?:no|none|nothing|neither)\b", re.IGNORECASE)
_NO_EVIDENCE = re.compile(r"\bno (?:evidence|proof|sign|indication|suggestion) (?:that|of)\b", re.I)
_RULED_OUT = re.compile(r"\b(?:rul(?:e|es|ed|ing) out|exclud(?:e|es|ed|ing))\b", re.IGNORECASE)
_NO_LINK = re.compile(
    r"\b(?:no|not an?y?) (?:\w+ )?(?:link|connection|relation(?:ship)?|association|correlation)\b"
    r"[^.;]{0,20}?\bbetween\b(?P<one>[^.;]{1,120}?)\band\b(?P<other>[^.;]{1,120})",
    re.IGNORECASE,
)
_THEREFORE = re.compile(
    r"\b(?:therefore|thus|hence|consequently|as a (?:result|consequence)(?! of\b))\b"
    r"|(?<=[,;] )so\b(?! (?:that|far|much|long|as|called)\b)",
    re.IGNORECASE,
)
# A reason that is an aim: "because the body has to adjust", "because he wanted to save power".
_AIM = re.compile(
    r"\b(?:(?:has|have|had) to|must|should|need(?:s|ed)?|want(?:s|ed)?|(?:would|could)(?! not))\b",
    re.IGNORECASE,
)
_IF = re.compile(r"\bif\b", re.IGNORECASE)
_STEP = re.compile(
    r"\s*(?:(?:first|then|next|now|finally|always|lastly|afterwards|step)\b[,:]?\s*|\d+[.):]?\s+)*"
    r"(?P<verb>[a-z]+)\b",
    re.IGNORECASE,
)
_DETERMINED = re.compile(r"\s+(?:the|an?|your|it|them|its|each|all|both|in the|\d+)\b", re.I)
# What may stand between "not" and a cause: "is not thought to have caused".
_OPEN = words(
    "think believe judge consider deem find show know prove say report regard suspect play"
)
_SENTENCE = re.compile(rf"{GLUED.pattern}|\n")
_MOST_SENTENCES, _MOST_CUES, _MOST_STEPS, _MOST_PARTS, _MOST_LINKS = 60, 12, 12, 12, 300
_LOOKS_BACK = 3  # sentences
_NEAR = 80  # characters before a cue
_ORDERED = ("must", "may", "can")


class Told:
    """A text as its sentences and its content words by place. `start`: what precedes is heading."""

    def __init__(self, text: str, facts: Facts, start: int = 0) -> None:
        self.text, self.start = text, start
        self._dated = covering(found.span for found in facts.dates)
        found = {
            (term.span.start, term.lemma)
            for term in facts.terms
            if term.pos != "NUM" and not self._dated(term.span)
        }
        self._said = sorted(facts.predicates, key=lambda said: said.span)
        self._verbs = {said.span.start for said in facts.predicates}
        self._verbs |= {term.span.start for term in facts.terms if term.pos == "VERB"}
        self._telling = [
            term.span.start
            for term in facts.terms
            if term.pos == "VERB" and term.lemma not in _OPEN
        ]
        self._all_verbs = sorted(self._verbs)
        self._bare = {said.span.start for said in facts.predicates if not said.subject}
        self._lemmas = {term.span.start: term.lemma for term in facts.terms}
        self._lemmas |= {said.span.start: said.lemma for said in facts.predicates}
        self._words = sorted(found)
        self._starts = [start for start, _ in self._words]
        sentences = split(_SENTENCE, Span(start, len(text)), text)
        self.sentences = list(islice(sentences, _MOST_SENTENCES))

    def words(self, part: Span) -> list[str]:
        """The content lemmas of a stretch, its dates and numbers left out."""
        first, last = bisect_left(self._starts, part.start), bisect_left(self._starts, part.end)
        return [lemma for _, lemma in self._words[first:last]]

    def step(self, part: Span) -> bool:
        """Whether a stretch tells somebody to do something: "Rinse the filter"."""
        match = _STEP.match(self.text, part.start, part.end)
        if match is None:
            return False
        at = match.start("verb")
        if self._lemmas.get(at) != match["verb"].lower():  # not "Cleaning the mill"
            return False
        return bool(at in self._bare or _DETERMINED.match(self.text, match.end(), part.end))

    def forbids(self, part: Span, last: bool) -> bool:
        """Whether the first predicate of a stretch, or its last one, must or may not be."""
        inside = [said for said in self._said if part.start <= said.span.start < part.end]
        main = inside[-last] if inside else None
        return main is not None and main.negated and main.frame in _ORDERED

    def verbal(self, part: Span) -> bool:
        """Whether a stretch tells of itself what happened: "fares rose", not "the fares"."""
        return _any_within(self._telling, part)

    def says(self, part: Span) -> bool:
        """Whether a stretch holds a content word or a verb."""
        return bool(self.words(part)) or _any_within(self._all_verbs, part)

    def begins_verb(self, at: int) -> bool:
        """Whether a verb begins at a place."""
        return at in self._verbs


def _any_within(places: list[int], part: Span) -> bool:
    return bisect_left(places, part.start) < bisect_left(places, part.end)


def links(told: Told) -> list[Link]:
    """The links of a text, those that no word tells last; at most some dozens a sentence."""
    found: list[Link] = []
    steps: list[Span] = []
    for at, sentence in enumerate(told.sentences):
        before = told.sentences[max(0, at - _LOOKS_BACK) : at]
        here = [*_by_cue(told, sentence), *_no_link(told, sentence)]
        here += _looking_back(told, sentence, before)
        if not any(link.kind is not Kind.DENIED for link in here):
            here += _by_tense(told, sentence, before)
        found += here[: _MOST_LINKS - len(found)]
        steps += _steps(told, sentence)
    return found + [
        Link(Kind.BEFORE, one, other, one, listed=True)
        for one, other in combinations(steps[:_MOST_STEPS], 2)
    ]


# -- connectives -----------------------------------------------------------------------------------


def _by_cue(told: Told, sentence: Span) -> Iterator[Link]:
    text = told.text
    cues = [
        (match, *_wordings()[" ".join(match[0].lower().split())])
        for match in islice(_cues().finditer(text, sentence.start, sentence.end), 2 * _MOST_CUES)
    ]
    whens = [(match, Kind.BEFORE, _RIGHT) for match in _WHEN.finditer(text, *_ends(sentence))]
    for match, kind, side in [cue for cue in cues + whens if cue[1] is not Kind.NONE][:_MOST_CUES]:
        cue = Span(match.start(), match.end())
        joined = _around(told, sentence, cue)
        if joined is None:
            continue
        left, right, fronted = joined
        noun = match[0].lower().startswith(("the ", "a ", "an "))
        if noun and not _IS.search(text, max(left.start, cue.start - _NEAR), cue.start):
            continue
        if match[0].lower().startswith("mak") and not _makes(told, right):
            continue
        if match[0].lower() == "due to" and told.begins_verb(cue.end + 1):
            continue  # "a refund due to arrive"
        if kind is Kind.BEFORE and _IF.search(text, left.start, left.end):
            continue
        if kind is Kind.BEFORE and told.forbids(left, last=not fronted):
            side = _LEFT if side == _RIGHT else _RIGHT  # what must not begin before comes after
        if kind is Kind.CAUSES and not fronted:
            kind, left = _denied(told, sentence, left, cue)
            effect = left if side == _RIGHT else right
            if _NOTHING.match(text, effect.start, effect.end):
                kind = Kind.DENIED
        if side == _RIGHT:
            if kind is Kind.CAUSES and _AIM.search(text, right.start, right.end):
                continue
            left, right = right, left
        yield Link(kind, left, right, cue)


def _around(told: Told, sentence: Span, cue: Span) -> tuple[Span, Span, bool] | None:
    """What stands on either side of a cue, and whether the cue opens the sentence; else None."""
    text = told.text
    start = sentence.start
    for ended in _BREAK.finditer(text, sentence.start, cue.start):
        start = ended.end()
    behind = _CLAUSE_END.search(text, cue.end, sentence.end)
    end = behind.start() if behind else sentence.end
    left, right = Span(start, cue.start), Span(cue.end, end)
    if not _said(told, right):
        return None
    cleft = _CLEFT.match(text, left.start, left.end)
    mark = _THAT.search(text, cue.end, sentence.end) if cleft else None
    if mark is None and not _said(told, left):
        mark = _COMMA.search(text, cue.end, sentence.end)  # "After the leak, the valve was closed."
        if mark is None:
            return None
    if mark:
        return Span(mark.end(), sentence.end), Span(cue.end, mark.start()), True
    reported = _REPORTED.match(text, left.start, left.end)
    if reported and told.words(Span(reported.end(), left.end)):
        left = Span(reported.end(), left.end)
    return left, right, False


def _said(told: Told, part: Span) -> bool:
    """Whether a stretch tells of anything, be it by a pronoun."""
    if _LEADING.match(told.text, part.start, part.end):
        return False
    return told.says(part) or bool(_PRONOUN.search(told.text, part.start, part.end))


def _makes(told: Told, right: Span) -> bool:
    """Whether something is made to be or do something: "makes the skin dry", no thing made."""
    return len(told.words(right)) > 1


def _denied(told: Told, sentence: Span, left: Span, cue: Span) -> tuple[Kind, Span]:
    """Whether a cause is denied, and what it is said of."""
    text = told.text
    mark = _NO_EVIDENCE.search(text, sentence.start, cue.start)
    if mark:
        return Kind.DENIED, Span(max(mark.end(), left.start), left.end)
    if _RULED_OUT.search(text, left.start, left.end):
        return Kind.DENIED, left
    for no in _NOT.finditer(text, left.start, cue.start):
        between = told.words(Span(no.end(), cue.start))
        if all(word in _OPEN for word in between):
            return Kind.DENIED, Span(left.start, no.start())
    return Kind.CAUSES, left


def _no_link(told: Told, sentence: Span) -> Iterator[Link]:
    for match in _NO_LINK.finditer(told.text, sentence.start, sentence.end):
        cue = Span(match.start(), match.start("one"))
        yield Link(Kind.DENIED, Span(*match.span("one")), Span(*match.span("other")), cue)


# -- adverbs, tenses, steps ------------------------------------------------------------------------


def _looking_back(told: Told, sentence: Span, before: list[Span]) -> Iterator[Link]:
    """Links by a word that takes up what stands before it: "then", "has since", "earlier"."""
    text = told.text
    parts = list(islice(_parts(told, sentence), _MOST_PARTS))
    for pattern in (_SINCE, _NEXT, _THEREFORE, _EARLIER, _FIRST):
        for match in islice(pattern.finditer(text, sentence.start, sentence.end), _MOST_CUES):
            cue = Span(match.start(), match.end())
            part = next((part for part in parts if part.overlaps(cue)), sentence)
            if _IF.search(text, sentence.start, cue.start):
                continue
            if pattern is _FIRST:
                behind = text[cue.end : cue.end + 1]
                verb = told.begins_verb(cue.end + 1) or cue.start == part.start
                if verb or behind in (",", ".", ";") or cue.end == part.end:
                    for other in parts:
                        if other != part:
                            yield Link(Kind.BEFORE, part, other, cue)
                continue
            kind = Kind.CAUSES if pattern is _THEREFORE else Kind.BEFORE
            # "Has since changed the lock and put up a light"; "once it is up, fence the old one"
            if pattern is _SINCE or match[0].lower().startswith(("once", "as soon")):
                part = Span(part.start, sentence.end)
            rest = [other for other in parts if other.start < part.start]
            if pattern is _EARLIER and not rest:
                rest = [other for other in parts if other != part]
            for other in rest or (before[-1:] if pattern is _THEREFORE else before):
                if pattern is _EARLIER:
                    yield Link(Kind.BEFORE, part, other, cue)
                else:
                    yield Link(kind, other, part, cue)


def _by_tense(told: Told, sentence: Span, before: list[Span]) -> Iterator[Link]:
    """Links by the past perfect: what had happened came before what the text is telling."""
    parts = list(islice(_parts(told, sentence), _MOST_PARTS))
    marked = [(part, _PERFECT.search(told.text, *_ends(part))) for part in parts]
    had = [(part, match) for part, match in marked if match and told.begins_verb(match.end())]
    rest = [part for part, match in marked if match is None]
    if not rest:
        rest = [other for other in before[-1:] if not _PERFECT.search(told.text, *_ends(other))]
    for part, match in had:
        for other in rest:
            yield Link(Kind.BEFORE, part, other, Span(match.start(), match.end()))


def _steps(told: Told, sentence: Span) -> Iterator[Span]:
    parts = [part for part in islice(_parts(told, sentence), _MOST_PARTS)]
    if any(told.step(part) for part in parts[:2]) and not _FIRST.search(
        told.text, parts[0].end, sentence.end
    ):
        yield from (part for part in parts if told.step(part))


def _parts(told: Told, sentence: Span) -> Iterator[Span]:
    """The parts of a sentence that hold a word, by its marks and its "and"."""
    ends = [match.end() for match in _PART.finditer(told.text, sentence.start, sentence.end)]
    start = sentence.start
    for _, end in pairwise([sentence.start, *ends, sentence.end]):
        if told.says(Span(start, end)):
            yield Span(start, end)
            start = end


def _ends(span: Span) -> tuple[int, int]:
    return span.start, span.end


# -- the table -------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _wordings() -> Mapping[str, tuple[Kind, str]]:
    """Wording without what must follow -> its kind, and where the first event stands."""
    return {wording.partition(" ... ")[0]: (kind, side) for wording, kind, side in _table()}


@lru_cache(maxsize=1)
def _cues() -> re.Pattern[str]:
    """Any wording, the longest first; one may be split by an adverb: "caused mainly by"."""
    found = []
    for wording, _, _ in sorted(_table(), key=lambda one: -len(one[0])):
        head, _, tail = wording.partition(" ... ")
        pattern = r"\s+".join(map(re.escape, head.split()))
        found.append(pattern + (rf"(?=(?:\s+\S+){{0,5}}?\s+{tail}\b)" if tail else ""))
    return re.compile(rf"\b(?:{'|'.join(found)})\b", re.IGNORECASE)


@lru_cache(maxsize=1)
def _table() -> tuple[tuple[str, Kind, str], ...]:
    """(wording, kind, side) from `data/links.txt`."""
    found = []
    for line in lines("links"):
        kind, side, wordings = (part.strip() for part in line.split("|"))
        found += [(wording.strip(), Kind(kind), side) for wording in wordings.split(",")]
    return tuple(found)
