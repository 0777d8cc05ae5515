"""The fields of what an agent is about to write -> each checked, with its path.

    report = check_payload(checker, {"order": {"id": 1042, "total": "£310"}})
    report.grounded, report.by_path["/order/total"].verdict

Every leaf is a claim about its key path: "Order 1042: total £310", in the form in which records of
the sources are read (sources/records.py), an amount with the currency or unit beside it. Prose is
split into sentences. Addresses are looked up letter by letter. What asserts nothing is skipped:
ids, true and false, null, what is empty.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from unicodedata import category

from halgo.printable import printable
from halgo.report.sections import require_checker
from halgo.sources.records import amount_of, statements, with_units
from halgo.sources.sentences import split
from halgo.types import ClaimResult, Verdict

if TYPE_CHECKING:
    from halgo.checker import Checker

DEEPEST = 20
MOST_LEAVES = 1_000
MOST_CHARACTERS = 200_000

_WORST = (Verdict.SUPPORTED, Verdict.WEAK_SUPPORT, Verdict.HALLUCINATION, Verdict.CONTRADICTION)
_ID_KEY = re.compile(
    r"(?:^|[_\W])(?:id|ids|uuid|guid|key|token|hash|etag|checksum)$|[a-z](?:Id|ID|Uuid|Key)$"
    r"|^(?:id|ID|uuid|guid)$"
)
_ADDRESS = re.compile(r"(?:mailto:)?[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+|(?:https?|ftp)://\S+")
_SENTENCE = re.compile(r"[.!?\u2026][\"')\]]*\s*$")
_UNITS = ("currency", "currency_code", "unit")
_NAMING = re.compile(r"(?:^|[_\W])(?:id|name|title|number|code|sku)$|^(?:id|name|title|number)$")


@dataclass(frozen=True, slots=True)
class Field:
    """One leaf: its path as a JSON pointer, its value as text, and what the sources say of it.

    kind: "value", "text" (prose, a result a sentence), "address", or why it is skipped: "id",
    "boolean", "null", "empty", "not a number", "unit" (or a currency, told with the amount beside
    it), "no claim" (prose that asserts nothing).
    claim: the words that were checked, "" when skipped.
    """

    path: str
    value: str
    kind: str
    claim: str = ""
    results: tuple[ClaimResult, ...] = ()
    found: bool | None = None  # an address: whether a source holds it

    __hash__ = None  # type: ignore[assignment]

    @property
    def verdict(self) -> Verdict | None:
        """The worst verdict of its claims; None when it was skipped."""
        if self.found is not None:
            return Verdict.SUPPORTED if self.found else Verdict.HALLUCINATION
        verdicts = [result.verdict for result in self.results]
        return max(verdicts, key=_WORST.index, default=None)

    @property
    def message(self) -> str:
        """Why it is not supported; "" when it is or was skipped."""
        if self.found is False:
            return f"No source holds {self.value!r:.200}."
        bad = [r for r in self.results if r.verdict is self.verdict is not Verdict.SUPPORTED]
        return bad[0].message if bad else ""

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON."""
        worst = max(self.results, key=lambda r: _WORST.index(r.verdict), default=None)
        evidence = worst.evidence if worst else None
        return {
            "path": self.path,
            "value": self.value,
            "kind": self.kind,
            "claim": self.claim,
            "verdict": self.verdict.value if self.verdict else None,
            "score": round(worst.score, 4) if worst else None,
            "message": self.message,
            "source": evidence.source if evidence else None,
            "excerpt": evidence.best.of(evidence.reading.text) if evidence else None,
        }


@dataclass(frozen=True, slots=True)
class PayloadReport:
    """What the sources say about a payload: its fields in order, the skipped ones included."""

    fields: tuple[Field, ...]
    warnings: tuple[str, ...] = ()

    __hash__ = None  # type: ignore[assignment]

    @property
    def by_path(self) -> dict[str, Field]:
        """The fields by JSON pointer: "/order/items/0/price"."""
        return {found.path: found for found in self.fields}

    @property
    def grounded(self) -> bool | None:
        """Whether every checked field is SUPPORTED; None when none was checked."""
        verdicts = [found.verdict for found in self.fields if found.verdict is not None]
        return all(verdict is Verdict.SUPPORTED for verdict in verdicts) if verdicts else None

    @property
    def bad(self) -> tuple[Field, ...]:
        """The fields that are not SUPPORTED, the worst first."""
        found = [f for f in self.fields if f.verdict not in (None, Verdict.SUPPORTED)]
        return tuple(sorted(found, key=lambda f: -_WORST.index(f.verdict)))

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON."""
        return {
            "grounded": self.grounded,
            "fields": [found.to_dict() for found in self.fields],
            "warnings": list(self.warnings),
        }


@dataclass(frozen=True, slots=True)
class _Leaf:
    """A value and its place. told: an amount with the currency or unit beside it, which is_unit."""

    pointer: str
    keys: tuple[str, ...]
    value: Any
    record: tuple[tuple[str, str], ...]  # the records it lies in: name, pointer of the leaf with it
    told: str = ""
    is_unit: bool = False


def check_payload(
    checker: Checker, payload: object, *, paths: Sequence[str] | None = None
) -> PayloadReport:
    """What the sources say about every leaf of a dict or list.

    paths: only these leaves, as JSON pointers; "*" stands for any key, and a path takes in all
    that lies under it. A leaf named by its own whole path is checked even if it would be skipped.
    Raises TypeError for what is no dict or list or holds what JSON has not, ValueError when it is
    too deep or too large, or when a path fits no leaf.
    """
    require_checker(checker)
    if not isinstance(payload, (Mapping, list, tuple)):
        raise TypeError(
            f"a payload is a dict or a list, not {type(payload).__name__}: {payload!r:.80}"
        )
    leaves = list(_leaves(payload))
    named: set[str] = set()
    if paths is not None:
        leaves, named = _chosen(leaves, paths)
    kinds = [_kind(leaf, leaf.pointer in named) for leaf in leaves]
    claims = [
        _statement(leaf) if kind == "value" else ""
        for leaf, kind in zip(leaves, kinds, strict=True)
    ]
    stated = [claim for claim in claims if claim]
    texts = [_shown(leaf.value) for leaf, kind in zip(leaves, kinds, strict=True) if kind == "text"]
    values = iter(checker.check_claims(stated).results if stated else ())
    proses = iter(checker.check_many(texts) if texts else ())
    held = [document.text.casefold() for document in checker.index.documents]
    fields = []
    for leaf, kind, claim in zip(leaves, kinds, claims, strict=True):
        shown = _shown(leaf.value)
        if kind == "value":
            fields.append(Field(leaf.pointer, shown, kind, claim, (next(values),)))
        elif kind == "text":
            report = next(proses)
            told = "text" if report.results else "no claim"
            fields.append(
                Field(leaf.pointer, shown, told, shown if report.results else "", report.results)
            )
        elif kind == "address":
            found = any(_holds(text, shown.removeprefix("mailto:")) for text in held)
            fields.append(Field(leaf.pointer, shown, kind, shown, (), found))
        else:
            fields.append(Field(leaf.pointer, shown, kind))
    return PayloadReport(tuple(fields), checker.warnings)


# --- what is in it --------------------------------------------------------------------------------


def _leaves(payload: object) -> Iterator[_Leaf]:
    """The leaves in order; raises when there are too many, or they lie too deep."""
    count = size = 0
    waiting = [(_Leaf("", (), payload, ()), 0)]
    while waiting:
        leaf, depth = waiting.pop()
        pointer, keys, value, record = leaf.pointer, leaf.keys, leaf.value, leaf.record
        if depth > DEEPEST:
            raise ValueError(
                f"the payload is more than {DEEPEST} levels deep at {printable(pointer[:80])}...; "
                "check the part that is written"
            )
        if isinstance(value, Mapping) and value:
            own = _named(value, keys[-1] if keys else "", pointer)
            inner = (*record[-1:], own) if own else record
            parts = _told(value, _Leaf(pointer, keys, value, inner))
            waiting += ((part, depth + 1) for part in reversed(parts))
            size += sum(len(str(key)) for key in value)
        elif isinstance(value, (list, tuple)) and value:
            waiting += (
                (_Leaf(f"{pointer}/{at}", keys, value[at], record), depth + 1)
                for at in reversed(range(len(value)))
            )
        else:
            count += 1
            size += len(_shown(value, pointer))
            yield leaf
        if count + len(waiting) > MOST_LEAVES or size > MOST_CHARACTERS:
            raise ValueError(
                f"the payload has more than {MOST_LEAVES:,} values or {MOST_CHARACTERS:,} "
                "characters; check it in parts"
            )


def _told(value: Mapping[Any, Any], within: _Leaf) -> list[_Leaf]:
    """What an object at `within` holds, amounts told with their unit as those of documents are.

    One that is nothing but an amount goes by the key of the object: "total" of {"amount": 310,
    "currency": "GBP"}.
    """
    told = {key: item for key, item in with_units(value).items() if item is not value[key]}
    units = {item.rpartition(" ")[2] for item in told.values()}
    alone = bool(within.keys and amount_of(value))
    return [
        _Leaf(
            f"{within.pointer}/{_escaped(str(key))}",
            within.keys if alone and key in told else (*within.keys, str(key)),
            item,
            within.record,
            told.get(key, ""),
            str(key).lower() in _UNITS and str(item) in units,
        )
        for key, item in value.items()
    ]


def _named(value: Mapping[Any, Any], key: str, pointer: str) -> tuple[str, str] | None:
    """What a record is called, "order 1042", and the pointer of the leaf that says so."""
    for own, item in value.items():
        if isinstance(item, (str, int)) and not isinstance(item, bool):
            told = " ".join(str(item).split())
            naming = str(own).lower() not in _UNITS and _NAMING.search(str(own).lower())
            if naming and 0 < len(told) <= 60:
                thing = _thing(key) if key else ""
                name = f"{thing} {told}".strip()
                return name, f"{pointer}/{_escaped(str(own))}"
    return None


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def _words(key: str) -> str:
    """A key as words: "unitPrice" and "unit_price" are "unit price"."""
    apart = re.sub(r"(?<=[a-z0-9])[A-Z](?=[a-z])", lambda found: f" {found[0].lower()}", key)
    return " ".join(apart.replace("_", " ").replace("-", " ").split())


def _chosen(leaves: Sequence[_Leaf], paths: Sequence[str]) -> tuple[list[_Leaf], set[str]]:
    """The leaves under the paths, and the pointers of those that a path names in full."""
    if isinstance(paths, (str, bytes)):
        raise TypeError(f"paths is a list of JSON pointers, not one string: {paths!r:.80}")
    chosen: set[str] = set()
    named: set[str] = set()
    for path in paths:
        if not isinstance(path, str) or not path.startswith("/"):
            raise ValueError(
                f"a path begins with '/', as '/order/total' does; given was {path!r:.80}"
            )
        wanted = path.rstrip("/").split("/")
        fits = [
            leaf.pointer
            for leaf in leaves
            if all(
                want in ("*", part)
                for want, part in zip(wanted, leaf.pointer.split("/"), strict=False)
            )
            and len(leaf.pointer.split("/")) >= len(wanted)
        ]
        if not fits:
            there = ", ".join(printable(leaf.pointer[:80]) for leaf in leaves[:10])
            raise ValueError(f"no value lies at {path!r:.80}; there are {there}")
        chosen |= set(fits)
        named |= {pointer for pointer in fits if len(pointer.split("/")) == len(wanted)}
    return [leaf for leaf in leaves if leaf.pointer in chosen], named


def _kind(leaf: _Leaf, named: bool) -> str:
    value = leaf.value
    if value is None:
        return "null"
    if isinstance(value, (Mapping, list, tuple)) or (isinstance(value, str) and _is_blank(value)):
        return "empty"
    if isinstance(value, bool):
        return "value" if named else "boolean"
    if leaf.is_unit and not named:
        return "unit"
    if isinstance(value, float) and not math.isfinite(value):
        return "not a number"
    if isinstance(value, str):
        if _ADDRESS.fullmatch(value.strip()):
            return "address"
        if _is_prose(value):
            return "text"
    if leaf.keys and _ID_KEY.search(leaf.keys[-1]) and not named:
        return "id"
    return "value"


def _is_blank(value: str) -> bool:
    """Whether a text has marks and spaces alone ("-", "...", half of a pair of surrogates).

    "\N{CHECK MARK}" and "\N{BLACK STAR}" are symbols, which may mean something.
    """
    return all(category(letter)[0] in "PZCM" for letter in value)


def _is_prose(value: str) -> bool:
    """Whether a text holds sentences rather than a value."""
    words = len(value.split())
    if words < 3:
        return False
    return bool(_SENTENCE.search(value)) or "\n" in value.strip() or len(split(value)) > 1


def _statement(leaf: _Leaf) -> str:
    """A leaf in words: "Order 1042: total £310".

    Of four forms tried against prose and records of the same facts this one had all true values
    of records SUPPORTED and no false one of either; "The total of order 1042 is £310." was next.
    """
    value = leaf.value
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # 310.0 is 310 where nothing says how exact it is
    value = leaf.told or statements(value)
    told = f"{_words(leaf.keys[-1])} {value}" if leaf.keys else _shown(leaf.value)
    names = [name for name, own in leaf.record if own != leaf.pointer]
    label = ", ".join(names) or (_thing(leaf.keys[-2]) if len(leaf.keys) > 1 else "")
    if names and len(names) < len(leaf.record):
        told = f"{_thing(leaf.keys[-2])} {told}"  # what names this record says which of them it is
    if not label and leaf.keys:
        label, told = _words(leaf.keys[-1]), value
    text = f"{label}: {told}" if label else told
    return text[:1].upper() + text[1:]


def _thing(key: str) -> str:
    """A container's key as the name of one of its things: of "orders" each one is an "order"."""
    words = _words(key)
    plural = len(words) > 3 and words.endswith("s") and not words.endswith(("ss", "us", "is"))
    return words[:-1] if plural else words


def _holds(text: str, value: str) -> bool:
    """Whether a text in lower case holds a value, not as part of a longer one."""
    wanted = re.escape(value.casefold())
    return re.search(rf"(?<![\w@.+/-]){wanted}(?![\w@/-]|\.\w)", text) is not None


def _shown(value: Any, pointer: str = "") -> str:
    if isinstance(value, (date, time)):
        return value.isoformat()
    if value is None or isinstance(value, (str, int, float, Decimal, Mapping, list, tuple)):
        return " ".join(statements(value).split()) if not isinstance(value, str) else value
    raise TypeError(
        f"{printable(pointer[:80]) or '/'}: a payload holds what JSON can, "
        f"not {type(value).__name__}: {value!r:.80}"
    )
