"""Record fields: keys and values of the record that a passage is, and what a claim says of them.

What a record gives under a key is all that it says of it; who compares them with a claim is beside
this (`statuses.py`, `field_values.py`, `yes_no.py`, `other_rows.py`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from halgo.evidence.lexical import stems
from halgo.evidence.tables import cells
from halgo.signals.passages import ByIdentity
from halgo.sources import drawn_tables, plain_tables
from halgo.sources.records import outer
from halgo.types import Evidence, Pair, SourceKind, Span

_LONGEST = 60  # characters of a value
LIVE = frozenset({SourceKind.TOOL, SourceKind.ROW})  # sources that are records
# Last words of the keys that name a record.
NAMING = frozenset({"id", "name", "title", "number", "code", "key", "sku", "ref", "reference"})
IDS = NAMING - {"name", "title"}
# What a cell has where the thing holds, and where it does not.
YES = frozenset({"yes", "true", "y", "\u2713", "\u2714", "included", "supported", "available", "on",
                 "enabled"})  # fmt: skip
NO = frozenset({"no", "false", "n", "\u2717", "\u2718", "off", "disabled", "not included",
                "unsupported", "not supported", "unavailable", "not available"})  # fmt: skip
# What a field without a value has.
NO_VALUE = frozenset({"", "null", "none", "empty", "n/a", "na", "-", "--", "\u2013", "\u2014"})
NOTHING = frozenset({"", "null", "none", "true", "false", "yes", "no", "empty", "n/a", "-"})
# With its unit, "780 W": numbers are compared elsewhere.
NUMBER = re.compile(r"[-+]?[$€£]?\d[\d,]*(?:\.\d+)?(?:\s?(?:[^\W\d]{1,3}|%|°\w))?|\d{4}-\d\d.*")
_MOST = 60
FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?")  # the digits of an amount
_WORDS = re.compile(r"[a-z_ ]+")
_WORD = re.compile(r"[\w'\u2019-]+")


def of_record(pair: Pair) -> list[tuple[str, str]]:
    """Keys and values of the record that the best sentence is; none where it is prose.

    A record is a line of JSON's or of a database row's, or the row of a table with a header.
    """
    return record_of(pair)[1]


def record_of(pair: Pair) -> tuple[str, list[tuple[str, str]]]:
    """The same with what it is a record of: "orders[]", or of a table its document and columns.

    Only the name of a table has a "|" in it.
    """
    return record_in(pair.evidence)


def record_in(evidence: Evidence) -> tuple[str, list[tuple[str, str]]]:
    """`record_of` a passage."""
    return _kept.get((evidence,), lambda: _record(evidence))


_kept = ByIdentity[tuple[str, list[tuple[str, str]]]](kept=256)  # several rules ask for each


def _record(evidence: Evidence) -> tuple[str, list[tuple[str, str]]]:
    line = _line(evidence)
    if not line or ("\n" in line and not (drawn_tables.is_row(line) or plain_tables.is_told(line))):
        return "", []
    name, found = cells(line, evidence.best.of(evidence.reading.text))
    if name:
        return name, found[:_MOST]
    told = len(found) > 1 or (not drawn_tables.is_row(line) and evidence.kind in LIVE)
    found = found[:_MOST] if told else []
    return "|".join([evidence.chunk.doc_id, "", *(key for key, _ in found)]), _once(found)


def own_of(pair: Pair) -> list[tuple[str, str]]:
    """The fields of a record itself, without what it repeats of the records that it lies in."""
    return of_record(pair)[outer(_line(pair.evidence)) :]


def _line(evidence: Evidence) -> str:
    return evidence.span.shift(-evidence.chunk.span.start).of(evidence.chunk.text).strip()


def _once(found: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The fields without those of a name that others have with another value; the first stays.

    Of columns "Single | Double | Single | Double" none has the last word on what a double costs.
    """
    values: dict[str, set[str]] = {}
    for key, value in found:
        values.setdefault(key, set()).add(value)
    return [one for at, one in enumerate(found) if not at or len(values[one[0]]) == 1]


def differs(pair: Pair, key: str, value: str, said: Span) -> tuple[str, str]:
    """The message that a field holds another value than the claim says, and what that says.

    Of a phrase with one amount only the amount: "160 kg" of "to carry up to 160 kg".
    """
    text = pair.claim.text
    amounts = [a.span.of(text) for a in pair.claim_facts.quantities if a.span.overlaps(said)]
    claimed = amounts[0] if len(amounts) == 1 and any(map(str.isdigit, value)) else said.of(text)
    field = key.replace(" \N{EM DASH} ", ", ")
    return f'For {field} the source gives "{value}"; the claim says "{claimed}".', claimed


def telling(value: str) -> bool:
    """Whether a value tells which record it is: a name or a code, and no plain word or number."""
    letters, digits = any(map(str.isalpha, value)), any(map(str.isdigit, value))
    long_enough = len(value) > (1 if digits else 2)
    return long_enough and len(value) <= _LONGEST and letters and not _WORDS.fullmatch(value)


def place_of(text: str, value: str) -> Span | None:
    """Where a value stands in a text, as whole words whatever their case."""
    if value.lower() not in text.lower():
        return None
    found = re.search(rf"(?<![\w.,-]){re.escape(value)}(?!\w|[.,-]\w)", text, re.IGNORECASE)
    return Span(*found.span()) if found else None


def words_in(text: str, wanted: Set[str]) -> Span | None:
    """From the first word of a text that is one of these stems to the last such."""
    spots = [m.span() for m in _WORD.finditer(text) if not wanted.isdisjoint(stems(m[0]))]
    return Span(spots[0][0], spots[-1][1]) if spots else None


def figure_in(text: str) -> float | None:
    """The first number of a text in figures, whatever its unit."""
    digits = FIGURE.search(text)
    return float(digits[0].replace(",", "")) if digits else None


def is_naming(key: str) -> bool:
    """Whether a key is that of a name or an id."""
    return key.rpartition(" ")[2] in NAMING


def naming(fields: Sequence[tuple[str, str]]) -> frozenset[str]:
    """The keys of a record's names and ids; of a row with a mere id, what it has behind that."""
    found = {key for key, _ in fields if is_naming(key)}
    first = fields[0][0] if fields else ""
    if len(fields) > 2 and found == {first} and first.rpartition(" ")[2] in IDS:
        key, value = fields[1]
        if telling(value) and not any(map(str.isdigit, value)):  # "sku: B-20; product: Bar stool"
            found.add(key)
    return frozenset(found)


def called(claim: str, value: str) -> Span | None:
    """Where a claim has a name, or several of the kind: "bar stools" of "Bar stool"."""
    return place_of(claim, value) or (
        place_of(claim, f"{value}s") if value[-1:].isalpha() else None
    )


def begins_word(start: str, text: str) -> bool:
    """Whether a word of a text begins so; both in lower case."""
    return start in text and re.search(rf"\b{re.escape(start)}", text) is not None
