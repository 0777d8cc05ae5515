"""Source authority: of two passages that disagree, which one has the last word.

A later revision of a source outranks an earlier one, and what a tool or a database says of a record
now outranks what a text says of it. Where neither holds the two are of equal rank, and nobody but a
reader can tell which is right.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from halgo.signals.disputes import KIND as DISPUTE
from halgo.signals.disputes import OF_RECORDS
from halgo.signals.records.fields import LIVE, NAMING, record_in
from halgo.types import Assessment, Document, Evidence, Signal, SourceKind, Stance

_VERSION = re.compile(r"(?:[vV]|rev(?:ision)?\.? ?|version )?(\d{1,6}(?:\.\d{1,6}){0,4})")
_DAY = re.compile(r"(\d{4}-\d\d(?:-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?Z?)?)?)")
# By how much an overruling passage may be further off the subject than what it overrules.
_FURTHER = 0.25


def is_later(one: str, other: str) -> bool:
    """Whether a revision comes after another: "2.10" after "2.9", "2024-06-01" after "2023-12-31".

    False where the two are not of one form, or are nothing that has an order (a digest).
    """
    for form in (_DAY, _VERSION):
        found, before = form.fullmatch(one.strip()), form.fullmatch(other.strip())
        if found and before:
            ours, theirs = (
                [int(number) for number in re.findall(r"\d+", match[1])]
                for match in (found, before)
            )
            same = len(ours) == len(theirs) or form is _VERSION
            return same and ours > theirs
    return False


def outranks(one: Evidence | Document, other: Evidence | Document) -> bool:
    """Whether one text has the last word over another, by where the two come from."""
    if one.source == other.source and one.kind == other.kind:
        return is_later(one.revision, other.revision)
    return one.kind in LIVE and other.kind not in LIVE


def in_force(evidence: Sequence[Evidence]) -> list[Evidence]:
    """The passages but for records that a later revision of their source tells anew.

    A record is told anew where the field that names it is the same, and has the same value: of an
    order asked for twice the first answer is no source any more.
    """
    live = [found for found in evidence if found.kind in LIVE]
    if len({found.revision for found in live}) < 2:
        return list(evidence)
    told = [(found, _identity(found)) for found in live]
    outdated = {
        id(found)
        for found, which in told
        if which and any(which == other and outranks(later, found) for later, other in told)
    }
    return [found for found in evidence if id(found) not in outdated]


def _identity(evidence: Evidence) -> tuple[object, ...]:
    """What a record is of: its source, and the field that names it; () of what has no name."""
    kind, fields = record_in(evidence)
    name = next((field for field in fields if field[0].rpartition(" ")[2] in NAMING), None)
    return (evidence.source, "" if "|" in kind else kind, name) if name else ()


def overruling(
    assessments: Sequence[Assessment], supporting: Assessment, least: float
) -> tuple[Assessment, Signal] | None:
    """The passage that outranks a supporting one and says otherwise, with what it says.

    least: the weight from which on a signal is sure.
    """
    found = [
        (other, signal)
        for other in assessments
        if outranks(other.evidence, supporting.evidence)
        and (other.evidence.kind in LIVE or other.about > supporting.about - _FURTHER)
        and (signal := _against(other.signals, other.evidence.kind, least)) is not None
    ]
    return max(found, key=lambda told: told[1].weight, default=None)


def told_apart(one: Evidence, other: Evidence) -> str:
    """In words why `one` has the last word over `other`."""
    if one.source == other.source and one.kind == other.kind:
        return f'Revision {one.revision} of "{one.source}" is later than {other.revision}'
    ours, theirs = named(one, other)
    return f"{ours}, a live result, outranks {theirs}"


def named(one: Evidence, other: Evidence) -> tuple[str, str]:
    """What messages call two passages: their sources, and '"Terms" (t1)' where these are one."""
    if one.source != other.source:
        return f'"{one.source}"', f'"{other.source}"'
    return f'"{one.source}" ({one.chunk.doc_id})', f'"{other.source}" ({other.chunk.doc_id})'


def disputed(
    assessments: Sequence[Assessment], supporting: Sequence[Assessment]
) -> tuple[Assessment, Assessment, Signal] | None:
    """A supporting passage, one of another document and of equal rank that says otherwise, and how.

    None where nothing disagrees that surely.
    """
    for found in assessments:
        marks = [signal for signal in found.signals if signal.kind == DISPUTE]
        for other in supporting if marks else ():
            ours, theirs = other.evidence, found.evidence
            ranked = outranks(ours, theirs) or outranks(theirs, ours)
            if ours.chunk.doc_id != theirs.chunk.doc_id and not ranked:
                return other, found, marks[0]
    return None


def says_otherwise(signals: Sequence[Signal], kind: SourceKind, least: float) -> Signal | None:
    """The surest contradiction that leaves no doubt of what it is about; None without one.

    signals: those beside one passage; kind: that of its source; least: the weight of a sure one.
    """
    if any(signal.kind == DISPUTE for signal in signals):
        return _against(signals, SourceKind.DOCUMENT, least)
    return _against(signals, kind, least) if kind in LIVE else None


def _against(signals: Sequence[Signal], kind: SourceKind, least: float) -> Signal | None:
    sure = [signal for signal in signals if signal.weight >= least]
    if any(signal.stance is Stance.UNSUPPORTED for signal in sure):
        return None  # it is about something else
    against = [
        signal
        for signal in sure
        if signal.stance is Stance.CONTRADICTS
        and signal.claim_span is not None
        and (kind not in LIVE or signal.detector in OF_RECORDS)
    ]
    return max(against, key=lambda signal: signal.weight, default=None)
