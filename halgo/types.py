"""The nouns of halgo, in the order in which they come to be. Read this file first.

All are frozen values: made once, compared by content, never changed by a later stage.

Offsets are characters. Two strings have to be told apart everywhere:

* the *original*: a document or an answer exactly as the caller gave it, never edited;
* a *reading* of a part of it: the words a model gets to see, with markdown marks gone, white
  space single, table cells named by their column. A `Reading` knows where each of its
  characters stood in the original, so a finding in the reading can be shown in the original.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING, Any, NoReturn

from halgo.printable import printable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    FloatMatrix = NDArray[np.float32]
    FloatVector = NDArray[np.float32]
else:  # names for annotations: who reads values only does not wait for numpy
    FloatMatrix = FloatVector = Any


_SHOWN = 60  # characters of a claim in the repr of its result


class Verdict(StrEnum):
    """What the sources say about one claim."""

    SUPPORTED = "SUPPORTED"
    WEAK_SUPPORT = "WEAK_SUPPORT"
    CONTRADICTION = "CONTRADICTION"
    HALLUCINATION = "HALLUCINATION"


BAD = (Verdict.CONTRADICTION, Verdict.HALLUCINATION)


class ClaimKind(StrEnum):
    """What a sentence of the answer is. Only FACT and ARITHMETIC are checked."""

    FACT = "fact"
    ARITHMETIC = "arithmetic"
    OPINION = "opinion"
    QUESTION = "question"
    INSTRUCTION = "instruction"
    GREETING = "greeting"
    META = "meta"  # about the answering itself: "I searched the contract."
    REFUSAL = "refusal"  # "I don't have enough information to answer."
    HEADING = "heading"
    FRAGMENT = "fragment"  # no predicate and nothing to check: a rule, a lone mark, "Sources:"

    @property
    def checked(self) -> bool:
        """Whether sentences of this kind are held against the sources."""
        return self in (ClaimKind.FACT, ClaimKind.ARITHMETIC)

    @property
    def category(self) -> Category:
        """Which of the four categories the kind belongs to."""
        return _CATEGORIES.get(self, Category.META)


class Category(StrEnum):
    """What a sentence is to a reader who verifies an answer; only the first is verified."""

    VERIFIABLE_FACT = "VERIFIABLE_FACT"
    OPINION = "OPINION"
    PROCEDURAL = "PROCEDURAL"  # what the reader is told or offered to do
    META = "META"  # the conversation and the answering: greetings, questions, headings, refusals


_CATEGORIES = {
    ClaimKind.FACT: Category.VERIFIABLE_FACT,
    ClaimKind.ARITHMETIC: Category.VERIFIABLE_FACT,
    ClaimKind.OPINION: Category.OPINION,
    ClaimKind.INSTRUCTION: Category.PROCEDURAL,
}


class SourceKind(StrEnum):
    """Where a document comes from."""

    DOCUMENT = "document"
    CHUNK = "chunk"  # a passage that a retriever found
    TOOL = "tool"  # what a tool call returned
    ROW = "row"  # of a database
    TURN = "turn"  # what was said earlier in the conversation


class Stance(StrEnum):
    """Which way a signal points."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    UNSUPPORTED = "unsupported"
    NEUTRAL = "neutral"


class State(StrEnum):
    """What kind of answer a report is about, so that nothing passes or fails silently."""

    ASSESSED = "assessed"  # at least one claim was checked
    NO_CLAIMS = "no_claims"  # the answer asserts nothing checkable
    REFUSAL = "refusal"  # the answer declines to answer, and asserts nothing else
    NO_SOURCES = "no_sources"  # no document holds any text, so there was nothing to check against
    EMPTY = "empty"  # the answer is empty or white space


class FrozenDict(dict[str, Any]):
    """A dict that is not changed once it is made, and else as any; `dict(it)` may be changed."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("a value of halgo is not changed; make another with dataclasses.replace")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Characters [start, end) of an unchanged string."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The characters of `text` that the span covers."""
        return text[self.start : self.end]

    def shift(self, by: int) -> Span:
        """The same stretch, `by` characters further on."""
        return Span(self.start + by, self.end + by)

    def overlaps(self, other: Span) -> bool:
        """Whether the two share at least one character."""
        return self.start < other.end and other.start < self.end

    def __len__(self) -> int:
        return self.end - self.start

    @staticmethod
    def joined(spans: Iterable[Span]) -> list[Span]:
        """The spans in order, those that overlap or touch as one."""
        found: list[Span] = []
        for span in sorted(spans):
            if found and span.start <= found[-1].end:
                found[-1] = Span(found[-1].start, max(found[-1].end, span.end))
            else:
                found.append(span)
        return found


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of a reading that stands in the original as it is: reading[at:] starts at `span`.

    code: whether it stands between backticks there; an index on disk does not keep it.
    """

    at: int
    span: Span
    code: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Reading:
    """Words as they are read, and where each stood in the original.

    `pieces` are in order of `at`; a character of `text` that lies in no piece is glue (a space
    that stands for a line break, "; " between table cells). A piece has the length of its span.
    """

    text: str
    pieces: tuple[Piece, ...]

    @classmethod
    def verbatim(cls, text: str, start: int = 0) -> Reading:
        """A reading that is the original's own words, which begin there at `start`."""
        return cls(text, (Piece(0, Span(start, start + len(text))),))

    @classmethod
    def joined(cls, readings: Iterable[Reading], glue: str = " ") -> Reading:
        """Several readings of one original, one after the other."""
        texts: list[str] = []
        pieces: list[Piece] = []
        at = 0
        for reading in readings:
            if texts:
                at += len(glue)
            pieces += (Piece(at + piece.at, piece.span, piece.code) for piece in reading.pieces)
            texts.append(reading.text)
            at += len(reading.text)
        return cls(glue.join(texts), tuple(pieces))

    def cut(self, part: Span) -> Reading:
        """Characters `part` of it."""
        pieces: list[Piece] = []
        for piece in self.pieces:
            start = max(part.start, piece.at)
            end = min(part.end, piece.at + len(piece.span))
            if start < end:
                origin = piece.span.start + start - piece.at
                place = Span(origin, origin + end - start)
                pieces.append(Piece(start - part.start, place, piece.code))
        return Reading(part.of(self.text), tuple(pieces))

    def locate(self, span: Span) -> Span | None:
        """Where characters `span` of the reading stand in the original.

        The hull of the pieces it touches when these follow each other; of its last piece when
        they do not (a cell and its column name). None when it touches glue only.
        """
        found: Span | None = None
        first = bisect_right(self.pieces, span.start, key=lambda piece: piece.at) - 1
        for piece in islice(self.pieces, max(0, first), None):
            if piece.at >= span.end:
                break
            start = max(span.start, piece.at)
            end = min(span.end, piece.at + len(piece.span))
            if start >= end:
                continue
            offset = piece.span.start - piece.at
            here = Span(start + offset, end + offset)
            follows = found is not None and 0 <= here.start - found.end <= 8
            found = Span(found.start, here.end) if found is not None and follows else here
        return found


@dataclass(frozen=True, slots=True)
class Location:
    """Where in its file a passage stands, as its readers count, from 1.

    `unit` is "page", "slide", "row" or "line"; `first` and `last` are their numbers, equal for one.
    `sheet` is the name of the sheet that rows are of, "" where there is none.
    """

    unit: str
    first: int
    last: int
    sheet: str = ""

    def __str__(self) -> str:
        """In words: "page 12", "rows 13-14", "sheet Prices, row 5"."""
        sheet = f"sheet {self.sheet}, " if self.sheet else ""
        if self.first == self.last:
            return f"{sheet}{self.unit} {self.first}"
        return f"{sheet}{self.unit}s {self.first}-{self.last}"

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON; `text` is the location in words."""
        return {
            "unit": self.unit,
            "first": self.first,
            "last": self.last,
            "sheet": self.sheet or None,
            "text": str(self),
        }


@dataclass(frozen=True, slots=True)
class Document:
    """A text that the user declares true.

    `id` is unique within an index; `source` is what a reader is shown (a path, a title).
    """

    id: str
    text: str
    source: str
    metadata: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "metadata", FrozenDict(self.metadata))

    def __hash__(self) -> int:
        return hash((self.id, self.text, self.source))

    @property
    def kind(self) -> SourceKind:
        """Where it comes from, as its metadata say under "kind"; else a plain document."""
        named = self.metadata.get("kind", "")
        return SourceKind(named) if named in tuple(SourceKind) else SourceKind.DOCUMENT

    @property
    def revision(self) -> str:
        """Which version of the text this is: its metadata's "revision", else its digest.

        The digest is the first 16 hex digits of the SHA-256 of the text as UTF-8.
        """
        given = self.metadata.get("revision")
        if given:
            return given
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, list item, heading or table row of a text; `span` in the original."""

    span: Span
    reading: Reading
    block: str = "paragraph"  # paragraph, heading, item, row, code; of answers also source


@dataclass(frozen=True, slots=True)
class Chunk:
    """A window of consecutive sentences of one document, the unit that is embedded.

    `row` is its row in the index's matrix; `sentences` are positions [start, end) in the index's
    list of sentences; `span.of(document.text) == text`, always.
    """

    row: int
    doc_id: str
    span: Span
    text: str
    sentences: Span


@dataclass(frozen=True, slots=True)
class Claim:
    """A stretch of the answer that asserts something, at most a sentence.

    `id` counts from 1 in order. `text` is the reading's text: a plain sentence as it stands; for
    an atomic claim the subject and its clause, the pieces pointing to both. `span` is the claim's
    own place in the answer. `resolved` is `text` with a leading "It", "They", "The company"
    replaced by what it refers to; equal to `text` where nothing needs replacing. `before` is what
    the answer says just before it: the question, the heading it stands under and the two sentences
    ahead of it. `case` is what the question tells of the user's own case ("you are on the Free
    plan"), under which the claim is said; "" for nothing. `given` are the amounts of that case,
    which no source has to have; their spans are of the question. `code`: whether it is a block of
    code, whose literals are looked for even where it is a FRAGMENT. `unheld`: whether it is a
    question with an amount or a date that no source has.
    """

    id: int
    text: str
    span: Span
    kind: ClaimKind
    reading: Reading
    resolved: str
    before: str = ""
    given: tuple[Quantity, ...] = ()
    case: str = ""
    code: bool = False
    unheld: bool = False

    @property
    def in_case(self) -> str:
        """The claim as it is looked up and read: `resolved`, behind the user's own case."""
        return f"If {self.case}, {self.resolved}" if self.case else self.resolved

    @property
    def category(self) -> Category:
        """VERIFIABLE_FACT, OPINION, PROCEDURAL or META."""
        return self.kind.category


# --- facts: what one text asserts; spans are characters of the text they were read from -------


@dataclass(frozen=True, slots=True)
class Quantity:
    """An amount as a range in a base unit: one value has low == high, "at least 40" high = inf.

    `unit` is the base unit's name (facts/units.py): "metre", "second", "gram", "dollar",
    "fraction" for percentages, "percentage point", "" for a bare count. `noun` is the lemma of
    what is counted or measured ("office" in "three offices", "fee" in "a fee of 5%"), or "".
    `context` are the content lemmas that the amount belongs to in its clause (its verb, that
    verb's subject, the nouns it hangs from): two amounts in the same role share some of them.
    `step` is what its last written place is worth in the base unit ("$4.2 billion": 100 million),
    so that a rounded amount agrees with what it was rounded from; 0 when not known. `supposed`:
    whether it belongs to the case that its sentence is about ("a parcel of 45 kg goes by
    freight"), which no source has to have.
    """

    low: float
    high: float
    unit: str
    span: Span
    approximate: bool = False
    noun: str = ""
    context: frozenset[str] = frozenset()
    step: float = 0.0
    supposed: bool = False


@dataclass(frozen=True, slots=True)
class Date:
    """A day or a period, both ends included: 1969 is 1969-01-01 to 1969-12-31.

    `context`, `supposed`: as in `Quantity`. `approximate`: "circa 1850", "late 1990s", "03/04/2021"
    (day or month first). `year_known` is False for "12 March": its days are then those of year 4, a
    leap year that stands for none, and only month and day may be compared.
    """

    first: date
    last: date
    span: Span
    context: frozenset[str] = frozenset()
    approximate: bool = False
    year_known: bool = True
    supposed: bool = False


@dataclass(frozen=True, slots=True)
class Name:
    """A person, place, organisation, product or other proper name.

    `key` is the folded form that is compared (lower case, no possessive, no title, no full
    stops); `label` is spaCy's entity label, "" for a proper noun that no entity covers. `role` is
    the part the name plays: "subject", "object", "agent" (of a passive), "modifier" or "".
    """

    text: str
    label: str
    key: str
    span: Span
    role: str = ""


@dataclass(frozen=True, slots=True)
class Predicate:
    """A verb, or an adjective or noun said of something, and whether it is negated.

    `subject` and `object` are the lemmas of their heads, logical rather than grammatical (the
    agent of a passive is its subject), "" where there is none. `context` are the other content
    lemmas of its clause: modifiers, and what its prepositions bring. `frame` says how it is
    said when it is not plainly asserted: "can", "may", "must", "will", "if", "plan", "ask".
    `quantifier` says of how many subjects (objects of a passive without agent): "all", "most",
    "many", "some", "few", "not all", "no" or "". `particle`: "down" of "turned the offer down".
    """

    lemma: str
    negated: bool
    span: Span
    subject: str = ""
    object: str = ""
    context: tuple[str, ...] = ()
    frame: str = ""
    quantifier: str = ""
    particle: str = ""


@dataclass(frozen=True, slots=True)
class Term:
    """A content word: its lemma in lower case and its part of speech (PROPN, NOUN, VERB ...)."""

    lemma: str
    pos: str
    span: Span


@dataclass(frozen=True, slots=True)
class Facts:
    """What one text asserts, read once. `relations` are (head lemma, kind, dependent lemma)."""

    quantities: tuple[Quantity, ...] = ()
    dates: tuple[Date, ...] = ()
    names: tuple[Name, ...] = ()
    predicates: tuple[Predicate, ...] = ()
    terms: tuple[Term, ...] = ()
    relations: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Corpus:
    """What all the documents together mention, for saying that something stands nowhere.

    `names` are `Name.key`s with their aliases; `terms` lemmas and lower-case tokens; `amounts`
    (low, high, unit) of every quantity; `aliases` maps a folded term that a document defines
    ("client") to the key of its name ("acme"). Of a large index the sets stay on disk: to ask
    whether they hold something is quick, to go through them is not.
    """

    names: Set[str] = frozenset()
    terms: Set[str] = frozenset()
    amounts: Set[tuple[float, float, str]] = frozenset()
    dates: Set[tuple[date, date]] = frozenset()
    aliases: Mapping[str, str] = field(default_factory=dict)

    __hash__ = None  # type: ignore[assignment]


# --- evidence and what is made of it -----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage that is about a claim, whatever it says of it.

    `span` is its best sentence, in the document; `similarity` the cosine of claim and chunk;
    `lexical` the share of the claim's tokens that the chunk holds, weighted by rarity, in [0, 1].
    `reading` is the whole chunk as it was read, `best` the best sentence within `reading.text`;
    `kind` and `revision` are the document's. `heading` is what the chunk stands under ("" where
    there is none), `headings` those of the whole document; `sections` are the headings of known
    level over the chunk, the outermost first, each with those beside it; `another` is what its
    document is about, what else the claim names, and the words of that, None where the document
    has them; `lead_in` is what its best
    sentence is an item of ("Not accepted:"), or the line over the table that it is a row of, ""
    where there is none; `numbers` are those of what it stands in, the innermost first ("4.2", "4"),
    looked up for a claim that speaks of one; `opening` is the first sentence of its document, where
    there are several, which often names what all of it is about. `locations` are the parts of the
    chunk, each with its page, slide, row or line; empty where nothing is known of them.
    """

    chunk: Chunk
    source: str
    span: Span
    similarity: float
    lexical: float
    reading: Reading
    best: Span
    kind: SourceKind = SourceKind.DOCUMENT
    revision: str = ""
    heading: str = ""
    headings: tuple[str, ...] = ()
    sections: tuple[tuple[str, tuple[str, ...]], ...] = ()
    another: tuple[str, str, frozenset[str]] | None = None
    lead_in: str = ""
    numbers: tuple[str, ...] = ()
    opening: str = ""
    locations: tuple[tuple[Span, Location], ...] = ()

    @property
    def location(self) -> Location | None:
        """Where in its file the best sentence stands; None where that is not known."""
        return self.located(self.span)

    def located(self, stretch: Span) -> Location | None:
        """The same of a stretch of the chunk, in characters of the document."""
        found = [where for part, where in self.locations if part.overlaps(stretch)]
        if not found:
            return None
        first, last = found[0], found[-1]
        goes_on = first.sheet == last.sheet and first.first < last.last
        return replace(first, last=last.last) if goes_on else first

    @property
    def over(self) -> frozenset[str]:
        """The headings that say what the passage is about: those above it, and the document's."""
        above = {own for own, _ in self.sections} | {self.heading, *self.headings[:1]}
        return frozenset(above - {""})


@dataclass(frozen=True, slots=True)
class Cell:
    """What a row of a table has under a column, and the amount or the day that this is.

    A value that only holds an amount among other words ("from 9 to 17") is none.
    """

    column: str
    text: str
    amount: Quantity | None = None
    day: Date | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells under one header, in order; `whole` where none of them had to be left out.

    `name` is what the rows are called where that is told ("orders[]"), `above` the heading over
    them and the source of their document, `about` the sentences right before them and the first of
    the document, which often says what all of it is about.
    """

    name: str
    above: tuple[str, ...]
    about: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Pair:
    """A claim beside one passage: what detectors compare.

    Spans in `claim_facts` are characters of `claim.text`, those in `evidence_facts` characters of
    `evidence.reading.text` (the whole chunk; `evidence.best` marks its best sentence). `table` is
    the one that the passage's best sentence is a row of, for claims that may speak of several rows.
    """

    claim: Claim
    claim_facts: Facts
    evidence: Evidence
    evidence_facts: Facts
    table: Table | None = None


@dataclass(frozen=True, slots=True)
class Signal:
    """What one detector saw: `kind` names it, `weight` in [0, 1] says how sure it is.

    `message` is a sentence for the reader. Spans are what to underline: a detector gives them in
    `claim.text` and `evidence.reading.text`; in a report they are characters of the answer and
    of the document. `values` holds both sides as shown to the reader ("5%", "1.5%"). `detector`
    is the name of what gave it: a rule of `halgo.signals.registry`, or a detector from outside.
    """

    kind: str
    stance: Stance
    weight: float
    message: str
    claim_span: Span | None = None
    evidence_span: Span | None = None
    values: tuple[str, str] | None = None
    detector: str = ""


@dataclass(frozen=True, slots=True)
class Assessment:
    """One passage judged for one claim; `score` in [0, 1], before any calibration.

    `about`, in [0, 1], says how much the passage is about what the claim is about, its amounts
    aside: of two passages that disagree over an amount, the one nearer the subject counts.
    """

    evidence: Evidence
    score: float
    signals: tuple[Signal, ...]
    about: float = 0.0


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """One claim, judged: its verdict, why, and its passages, those that decide first.

    `signals` belong to the claim as a whole (a name that stands nowhere, a sum);
    `unsupported_terms` are its proper nouns and numbers that no source holds. With a calibration
    `score` is its probability, and `raw_score` what it was made of; else that is None. `parts`
    are its clauses, each judged by itself, where its facts stand in several passages, or the items
    that it lists where the sources contradict one of them. `rests_on` says how many of the first
    passages the verdict rests on together.
    """

    claim: Claim
    verdict: Verdict
    reason: str
    message: str
    score: float
    assessments: tuple[Assessment, ...]
    signals: tuple[Signal, ...] = ()
    unsupported_terms: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)
    raw_score: float | None = None
    parts: tuple[ClaimResult, ...] = ()
    rests_on: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "details", FrozenDict(self.details))

    def __repr__(self) -> str:
        text = self.claim.text
        text = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}\u2026"
        told = f"score={self.score:.2f}, reason={self.reason!r}, claim={printable(repr(text))}"
        return f"<ClaimResult {self.verdict.value}, {told}>"

    @property
    def assessment(self) -> Assessment | None:
        """The passage the verdict rests on: the one with the signal that decided, else the best."""
        for part in self.parts:
            if part.verdict is Verdict.CONTRADICTION and part.message == self.message:
                return part.assessment
        for found in self.assessments if self.verdict is Verdict.CONTRADICTION else ():
            if any(s.kind == self.reason and s.message == self.message for s in found.signals):
                return found
            if self.reason == "superseded" and any(
                s.message and self.message.endswith(s.message) for s in found.signals
            ):
                return found
        return self.assessments[0] if self.assessments else None

    @property
    def evidence(self) -> Evidence | None:
        """That passage; None when nothing was found."""
        return None if self.assessment is None else self.assessment.evidence

    @property
    def source_kind(self) -> SourceKind | None:
        """What kind of source that passage is from; None when nothing was found."""
        return None if self.evidence is None else self.evidence.kind

    __hash__ = None  # type: ignore[assignment]
