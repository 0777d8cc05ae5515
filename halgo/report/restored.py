"""The JSON form of a report and its answer -> a Report, as far as tables and pages show it.

What the JSON form leaves out is not there: of each claim's passages there is the one that it rests
on, and no report can be judged again with other cut points.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any

from halgo.config import Config
from halgo.report.report import Engine, Report
from halgo.types import (
    Assessment,
    Chunk,
    Claim,
    ClaimKind,
    ClaimResult,
    Evidence,
    Location,
    Piece,
    Reading,
    Signal,
    SourceKind,
    Span,
    Stance,
    State,
    Verdict,
)

_UNREADABLE = "ERROR"  # the status of a formula that classic mode cannot read
# A word, or one sign that belongs to none.
_TOKENS = re.compile(r"[^\W_]+|[\W_]")
# Signs between two words that a reading may leave out and still be told to follow the original.
_SKIPPED = 8


@dataclass(frozen=True, slots=True)
class _Restored(Report):
    """A report whose probability is as it was told: scores in JSON are rounded."""

    told: float | None = None

    __hash__ = None

    @property
    def probability(self) -> float | None:
        return self.told


def restored(values: Mapping[str, Any], answer: str) -> Report:
    """The report that `Report.to_dict()` gave these values of, on that answer.

    Raises ValueError when they are no such values, or of an earlier version or another answer.
    """
    try:
        return _Restored(
            answer,
            State(values["state"]),
            tuple(_result(claim, answer) for claim in values["claims"]),
            tuple(_skipped(claim, answer) for claim in values["skipped"]),
            tuple(map(str, values["warnings"])),
            _config(json.dumps(values["config"], sort_keys=True)),
            _engine(values["engine"]),
            told=_number(values["probability"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise ValueError(f"no report of halgo ({type(error).__name__}: {error})") from error


@lru_cache(maxsize=8)
def _config(text: str) -> Config:
    """The settings, which the reports of a batch share."""
    values = json.loads(text)
    if isinstance(values.get("calibration"), str):
        raise ValueError("a calibration in a report is a table, never the path of a file")
    return Config.from_dict(values)


def _engine(values: Mapping[str, Any]) -> Engine:
    known: dict[str, Any] = {
        one.name: values[one.name] for one in fields(Engine) if one.name in values
    }
    return Engine(**known)


def _result(values: Mapping[str, Any], answer: str) -> ClaimResult:
    status = str(values["status"])
    wrong = status == _UNREADABLE
    details = {key: values[key] for key in ("expected", "got") if values[key] is not None}
    signals = tuple(_signal(signal, answer) for signal in values["signals"])
    passage = _passage(values, signals)
    whole = ClaimResult(
        claim=_claim(values["claim_id"], values["claim"], values["claim_span"], values, answer),
        verdict=Verdict.HALLUCINATION if wrong else Verdict(status),
        reason=values["reason"] or "",
        message=str(values["message"] or ""),
        score=float(values["score"]),
        assessments=() if passage is None else (passage,),
        # Those of the claim and those of its passage stand in one list; what has no place in a
        # passage is held to be of the claim, which makes no difference to what is shown.
        signals=tuple(one for one in signals if passage is None or one.evidence_span is None),
        unsupported_terms=tuple(map(str, values["unsupported_terms"])),
        details={**details, "status": status} if wrong else details,
        raw_score=_number(values["raw_score"]),
    )
    parts = tuple(_part(part, whole) for part in values["parts"])
    return replace(whole, parts=parts) if parts else whole


def _skipped(values: Mapping[str, Any], answer: str) -> Claim:
    return _claim(values["claim_id"], values["text"], values["span"], values, answer)


def _claim(
    number: int, text: str, ends: Sequence[int], values: Mapping[str, Any], answer: str
) -> Claim:
    span = _span(ends, len(answer))
    reading = read_as(text, span.of(answer), span.start)
    return Claim(int(number), reading.text, span, ClaimKind(values["kind"]), reading, reading.text)


def _passage(values: Mapping[str, Any], signals: Sequence[Signal]) -> Assessment | None:
    """The passage that the claim rests on, with the signals that point into it."""
    if values["chunk_text"] is None:
        return None
    text, chunk_span = str(values["chunk_text"]), _span(values["chunk_span"])
    span = _span(values["evidence_span"], chunk_span.end)
    if len(text) != len(chunk_span) or span.start < chunk_span.start:
        raise ValueError("a passage and its place do not fit")
    inside = span.shift(-chunk_span.start)
    # The best sentence as it was read, what stands around it as it is.
    before, behind = text[: inside.start], text[inside.end :]
    sentence = read_as(str(values["evidence_text"]), inside.of(text), span.start)
    around = (Reading.verbatim(before, chunk_span.start), Reading.verbatim(behind, span.end))
    reading = Reading.joined((around[0], sentence, around[1]), glue="")
    best = Span(len(before), len(before) + len(sentence.text))
    chunk = Chunk(
        values["matched_chunk_id"] or 0, str(values["matched_doc_id"]), chunk_span, text, Span(0, 1)
    )
    evidence = Evidence(
        chunk,
        str(values["matched_source"]),
        span,
        float(values["similarity"] or 0.0),
        0.0,
        reading,
        best,
        SourceKind(values["source_kind"]),
        str(values["source_revision"] or ""),
        locations=_locations(values, chunk_span),
    )
    pointing = tuple(signal for signal in signals if signal.evidence_span is not None)
    return Assessment(evidence, float(values["score"]), pointing)


def _part(values: Mapping[str, Any], whole: ClaimResult) -> ClaimResult:
    """A clause, of which is told its verdict and where its passage is from, and no more."""
    verdict, said = Verdict(values["status"]), str(values["message"] or "")
    text = str(values["claim"])
    claim = replace(whole.claim, text=text, reading=Reading(text, ()), resolved=text)
    if verdict is Verdict.CONTRADICTION and said == whole.message:
        return replace(whole, claim=claim, verdict=verdict)  # what the whole is contradicted by
    if values["matched_source"] is None:
        return ClaimResult(claim, verdict, "", said, 0.0, ())
    nowhere = Span(0, 1)
    evidence = Evidence(
        Chunk(0, "", nowhere, " ", Span(0, 1)),
        str(values["matched_source"]),
        nowhere,
        0.0,
        0.0,
        Reading(" ", ()),
        nowhere,
        locations=_locations(values, nowhere),
    )
    return ClaimResult(claim, verdict, "", said, 0.0, (Assessment(evidence, 0.0, ()),))


def _signal(values: Mapping[str, Any], answer: str) -> Signal:
    ends, there = values["claim_span"], values["evidence_span"]
    ours = values["values"]
    return Signal(
        str(values["kind"]),
        Stance(values["stance"]),
        float(values["weight"]),
        str(values["message"]),
        None if ends is None else _span(ends, len(answer)),
        None if there is None else _span(there),
        None if ours is None else (str(ours[0]), str(ours[1])),
        str(values["detector"]),
    )


def _locations(values: Mapping[str, Any], span: Span) -> tuple[tuple[Span, Location], ...]:
    told = values["source_location"]
    if told is None:
        return ()
    first, last = int(told["first"]), int(told["last"])
    return ((span, Location(str(told["unit"]), first, last, str(told["sheet"] or ""))),)


def _span(ends: Sequence[int], most: int | None = None) -> Span:
    """A span of characters. Raises ValueError for one that is none, or ends behind `most`."""
    start, end = ends
    if type(start) is not int or type(end) is not int or not 0 <= start <= end:
        raise ValueError(f"{ends!r} is no span")
    if most is not None and end > most:
        raise ValueError(f"a place ({start}, {end}) lies behind the end of its text ({most})")
    return Span(start, end)


def _number(value: Any) -> float | None:
    return None if value is None else float(value)


def read_as(text: str, original: str, start: int) -> Reading:
    """A text as the reading of another, which begins at `start` and may have more signs.

    Without pieces where it is not told in the original's words, one after the other.
    """
    if text == original:
        return Reading.verbatim(text, start)
    pieces: list[Piece] = []
    at = 0  # of the original, from where on nothing is taken yet
    for token in _TOKENS.finditer(text):
        word = token[0]
        found = _next(word, original, at)
        if found is None:
            if word.isalnum():
                return Reading(text, ())
            continue
        span = Span(start + found, start + found + len(word))
        last = pieces[-1] if pieces else None
        if last is not None and last.span.end == span.start and _ends_at(last) == token.start():
            pieces[-1] = Piece(last.at, Span(last.span.start, span.end))
        else:
            pieces.append(Piece(token.start(), span))
        at = found + len(word)
    return Reading(text, tuple(pieces))


def _ends_at(piece: Piece) -> int:
    return piece.at + len(piece.span)


def _next(word: str, original: str, at: int) -> int | None:
    """Where a word or a sign stands next, with no letter or digit between."""
    most = len(original) if word.isalnum() else min(at + _SKIPPED, len(original))
    while at < most and not original.startswith(word, at):
        if original[at].isalnum():
            return None
        at += 1
    return at if at < most else None
