"""Answer -> Claims: its sentences or their clauses, each with its place; nothing is dropped.

A sentence that asserts nothing is a Claim too, with a kind that is not checked; the caller lists
it as skipped. Every claim's text is made of stretches of the answer, which its reading points to.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from halgo.arithmetic.notation import is_equation
from halgo.claims import asked
from halgo.claims.context import References
from halgo.claims.kinds import by_parse, by_wording, is_whole, label_end
from halgo.claims.normal import normal, spliced
from halgo.claims.phrases import LONE_MARK
from halgo.claims.short_answers import statements
from halgo.claims.unmark import unmarked
from halgo.facts import SLAB
from halgo.sources.blocks import BOLD_LINE
from halgo.sources.sentences import LONGEST, split
from halgo.types import Claim, ClaimKind, Quantity, Reading, Sentence, Span

if TYPE_CHECKING:
    from spacy.tokens import Doc

_AHEAD = 2  # sentences that a claim is told to stand behind
_LONGEST_MARK = 300  # characters; longer ones are no marks
_LONGEST_QUESTION = 1000  # characters of it that stand before a claim
_BEFORE_AN_ANSWER = frozenset({ClaimKind.GREETING, ClaimKind.META, ClaimKind.HEADING})


@dataclass(frozen=True, slots=True)
class _Draft:
    """A claim before it is numbered and resolved."""

    reading: Reading
    span: Span
    kind: ClaimKind
    block: str
    doc: Doc | None
    label: str = ""


def extract(answer: str, granularity: str = "sentence", question: str = "") -> list[Claim]:
    """The claims of an answer in order, those of unchecked kinds included, ids from 1.

    granularity: "sentence", or "atomic" to split compound sentences at their clauses. question:
    what the answer is given to; "30 days." is then a claim about what was asked.
    Raises TypeError for an answer that is no string, ValueError for an unknown granularity.
    """
    if not isinstance(answer, str):
        raise TypeError(f"an answer is a string, not {type(answer).__name__}")
    sentences = unmarked(answer, split(answer))
    return Extraction(granularity, question).claims(sentences, blocks_of(answer, sentences))


class Extraction:
    """The extraction of one answer, which may come sentence by sentence.

    Nothing looks ahead: sentences handed over in several calls give the claims of a single one.
    question: what the answer is given to.
    """

    def __init__(self, granularity: str = "sentence", question: str = "") -> None:
        if granularity not in ("sentence", "atomic"):
            raise ValueError(f"granularity must be 'sentence' or 'atomic', not {granularity!r}")
        self._atomic = granularity == "atomic"
        self._references = References()
        self._count = 0
        self._heading = ""
        self._ahead: deque[str] = deque(maxlen=_AHEAD)
        self._question = question[:_LONGEST_QUESTION]
        self._given: tuple[Quantity, ...] = ()
        self._case = ""
        self._frame: asked.Frame | None = None  # until the question has its answer
        if question.strip():
            read = asked.read(question)
            self._frame, self._given, self._case = read.frame, read.given, read.case
            self._references.ask(read.told)

    def claims(self, sentences: Sequence[Sentence], blocks: Sequence[str]) -> list[Claim]:
        """The claims of the sentences that come next; ids go on from those before."""
        found: list[Claim] = []
        for start in range(0, len(sentences), SLAB):  # a parse is large, so few live at a time
            some = slice(start, start + SLAB)
            drafts = self._answering(_drafts(sentences[some], blocks[some]))
            if self._atomic:
                drafts = _atomic(drafts)
            found += [self._claim(draft) for draft in drafts]
        return found

    def _answering(self, drafts: Sequence[_Draft]) -> list[_Draft]:
        """The drafts, with what answers the question in few words put as a statement."""
        found: list[_Draft] = []
        for draft in drafts:
            if self._frame is None or draft.kind in _BEFORE_AN_ANSWER:
                found.append(draft)
                continue
            told = _answers(draft, self._frame)
            found += told or [draft]
            if not (told and draft.block == "item"):
                self._frame = None
        return found

    def _claim(self, draft: _Draft) -> Claim:
        text = draft.reading.text
        repeats = not draft.reading.pieces  # the question's words alone
        resolved = self._references.step(text, draft.block, draft.doc, repeats=repeats)
        if self._references.of_question is not None and draft.kind.checked:
            # The answer itself says nowhere what it speaks of.
            draft = replace(draft, reading=spliced(draft.reading, [self._references.of_question]))
            text = resolved
        self._count += 1
        before = (self._question, self._heading, *self._ahead, draft.label)
        if draft.block == "heading":
            self._heading = text
            self._ahead.clear()
        else:
            self._ahead.append(text)
        return Claim(
            id=self._count,
            text=text,
            span=draft.span,
            kind=draft.kind,
            reading=draft.reading,
            resolved=resolved if draft.kind.checked else text,
            before=" ".join(filter(None, before)),
            given=self._given,
            case=self._case if draft.kind.checked and not text.lower().startswith("if ") else "",
            code=draft.block == "code",
        )


def blocks_of(answer: str, sentences: Sequence[Sentence]) -> list[str]:
    """Each sentence's block; a line all in bold, with text after it, is read as a heading."""
    return [_block(answer, sentences, at) for at in range(len(sentences))]


def may_head(answer: str, sentence: Sentence) -> bool:
    """Whether a sentence is a heading or not by what comes after the sentence next to it."""
    return bool(BOLD_LINE.fullmatch(sentence.span.of(answer)))


def as_claims(texts: Sequence[str]) -> list[Claim]:
    """The caller's own claims, taken as they are: none is split, none skipped; ids from 1.

    A claim's span is the whole of its own text. Raises TypeError for a lone string or an item
    that is no string.
    """
    if isinstance(texts, (str, bytes)):
        raise TypeError("claims are a sequence of strings, not one string")
    return [_own_claim(number, text) for number, text in enumerate(texts, start=1)]


def is_refusal(claims: Sequence[Claim]) -> bool:
    """Whether an answer declines to answer: a refusal is among its claims, and nothing checked."""
    checked = any(claim.kind.checked for claim in claims)
    return not checked and any(claim.kind is ClaimKind.REFUSAL for claim in claims)


def _own_claim(number: int, text: str) -> Claim:
    if not isinstance(text, str):
        raise TypeError(f"a claim is a string, not {type(text).__name__}: {text!r}")
    sentences = unmarked(text, split(text))
    said = [sentence for sentence in sentences if not _is_mark(sentence)] or sentences
    reading = Reading.joined(sentence.reading for sentence in said)
    if not reading.text:
        reading = Reading.verbatim(text)
    kind = ClaimKind.ARITHMETIC if is_equation(normal(reading).text) else ClaimKind.FACT
    return Claim(number, reading.text, Span(0, len(text)), kind, reading, reading.text)


def _is_mark(sentence: Sentence) -> bool:
    """Whether a sentence of a claim is nothing but citation marks, or a line of sources."""
    text = sentence.reading.text
    return sentence.block == "source" or (
        len(text) <= _LONGEST_MARK and LONE_MARK.match(text.lower()) is not None
    )


def _drafts(sentences: Sequence[Sentence], blocks: Sequence[str]) -> list[_Draft]:
    """One draft per sentence; only what the wording leaves open is parsed, in one batch."""
    from halgo.facts.parse import parse

    labels = _labels(sentences)
    sentences = [
        replace(one, reading=one.reading.cut(Span(len(label), len(one.reading.text))))
        if label
        else one
        for one, label in zip(sentences, labels, strict=True)
    ]
    read = [
        _as_read(sentence.reading, block) for sentence, block in zip(sentences, blocks, strict=True)
    ]
    worded = [by_wording(text, block) for text, block in zip(read, blocks, strict=True)]
    open_ = [at for at, kind in enumerate(worded) if kind is None]
    # References and clauses are told in the words as they stand, kinds in the form that is read.
    texts = [sentences[at].reading.text for at in open_] + [read[at] for at in open_]
    parsed = parse(texts) if texts else []
    docs = dict(zip(open_, parsed[: len(open_)], strict=True))
    told = dict(zip(open_, parsed[len(open_) :], strict=True))
    drafts: list[_Draft] = []
    for at, (sentence, block) in enumerate(zip(sentences, blocks, strict=True)):
        kind = worded[at]
        if kind is None:
            kind = by_parse(read[at], block, told[at])
        label = labels[at].strip()
        drafts.append(_Draft(sentence.reading, sentence.span, kind, block, docs.get(at), label))
    return drafts


def _answers(draft: _Draft, frame: asked.Frame) -> list[_Draft]:
    """A draft as the statements that it and its question make; [] where it is one by itself."""
    from halgo.facts.parse import parse

    if draft.kind not in (ClaimKind.FACT, ClaimKind.FRAGMENT) or draft.block == "row":
        return []
    text = draft.reading.text
    if len(text) > LONGEST or not any(map(str.isalnum, text)):
        return []
    readings = statements(frame, draft.reading, draft.doc or parse([text])[0])
    own = [draft.span] * len(readings)
    if len(own) == 2:  # the yes or no, and what follows it
        own[1] = _hull(draft, readings[1])
        own[0] = Span(draft.span.start, max(draft.span.start + 1, own[1].start))
    docs = parse([reading.text for reading in readings]) if readings else []
    return [
        replace(draft, reading=reading, span=span, kind=ClaimKind.FACT, doc=doc)
        for reading, span, doc in zip(readings, own, docs, strict=True)
    ]


def _labels(sentences: Sequence[Sentence]) -> list[str]:
    """What stands before each sentence and is no part of what it says: "Pricing: "; mostly ""."""
    from halgo.facts.parse import parse

    prose = ("paragraph", "item")
    ends = [label_end(one.reading.text) if one.block in prose else 0 for one in sentences]
    some = [at for at, end in enumerate(ends) if end]
    docs = parse([sentences[at].reading.text[ends[at] :] for at in some]) if some else []
    whole = {at for at, doc in zip(some, docs, strict=True) if is_whole(doc)}
    return [one.reading.text[: ends[at]] if at in whole else "" for at, one in enumerate(sentences)]


def _as_read(reading: Reading, block: str) -> str:
    """The words by which a sentence's kind is told; what is no sentence as it stands."""
    return normal(reading).text if block == "paragraph" else reading.text


def _block(answer: str, sentences: Sequence[Sentence], at: int) -> str:
    sentence = sentences[at]
    if sentence.block != "paragraph" or at + 1 == len(sentences) or len(sentence.span) > 120:
        return sentence.block
    alone = answer[sentence.span.end : sentences[at + 1].span.start].count("\n") > 0
    bold = BOLD_LINE.fullmatch(sentence.span.of(answer))
    open_end = not sentence.reading.text.rstrip().endswith((".", "!"))
    return "heading" if alone and bold and open_end else "paragraph"


def _atomic(drafts: Sequence[_Draft]) -> list[_Draft]:
    """The drafts with compound sentences split; the new texts are parsed in one batch."""
    from halgo.claims.clause_splitting import clauses
    from halgo.facts.parse import parse

    parts: list[_Draft] = []
    for draft in drafts:
        found = clauses(draft.doc) if draft.doc is not None and _is_prose(draft) else []
        for clause in found:
            reading = glued(draft.reading, clause.parts)
            span = _hull(draft, draft.reading.cut(clause.own))
            parts.append(_Draft(reading, span, draft.kind, draft.block, None, draft.label))
        if not found:
            parts.append(draft)
    new = [at for at, part in enumerate(parts) if part.doc is None and _is_prose(part)]
    docs = dict(zip(new, parse([parts[at].reading.text for at in new]) if new else [], strict=True))
    return [replace(part, doc=docs.get(at, part.doc)) for at, part in enumerate(parts)]


def _is_prose(draft: _Draft) -> bool:
    return draft.kind is ClaimKind.FACT and draft.block in ("paragraph", "item")


def glued(reading: Reading, parts: Sequence[Span]) -> Reading:
    """Stretches of a reading one after the other, single spaces between them."""
    return Reading.joined([reading.cut(part) for part in parts])


def _hull(draft: _Draft, reading: Reading) -> Span:
    """Where the own words of a claim stand in the answer."""
    if not reading.pieces:
        return draft.span
    spans = [piece.span for piece in reading.pieces]
    return Span(min(span.start for span in spans), max(span.end for span in spans))
