"""Nested values (JSON, database rows, tool results) -> statements that keep their path.

One line per record, that is, per object in an array, its leaves side by side, so that what is
said of one order stands in one sentence:

    orders[3].id: 1042; orders[3].status: shipped; orders[3].customer.name: Ann Lee

A record within a record repeats what its parent is called, and the names beside that. (Of 30 claims
about five such, true and false, the default entailment model judges 29 rightly with them, 21 where
only one key is repeated, and 7 without its parent.) `reading` gives such a line the words
a model gets to see, "order: id 1042; status shipped; customer name Ann Lee": of ten forms tried
with all-MiniLM-L6-v2 the ones with array positions in them found the wrong order now and then.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from halgo.errors import DocumentError
from halgo.sources.ceilings import ELLIPSIS, LONGEST_PATH, allowed, shortened
from halgo.types import Reading, Span

# A line of a record stays within what an encoder reads at once.
_LONGEST_LINE = 500
# Longer values are prose and stand in paragraphs of their own.
_LONGEST_VALUE = 160
_DEEPEST = 100
# Share of the objects under one that have a key in common with another, where they are a list.
_ALIKE = 0.75
# Keys whose number is in the currency, or in the unit, that a key beside them names.
_MONEY = ("amount", "price", "total", "subtotal", "cost", "fee", "balance", "tax", "net", "gross")
_NUMBER = re.compile(r"-?\d[\d,]{0,20}(?:\.\d{1,20})?")
_MEASURED = ("value", "quantity", "reading", "measurement")
_NAMING = ("id", "name", "title", "number", "code", "key", "sku", "date", "type")

# What a record's own records repeat of it beside its name: "customer: Ann Lee", in capitals as
# names are, for "status: shipped" is not said of each item.
_A_NAME = re.compile(r": (?:[A-Z][\w.'\u2019&-]{1,40}(?: |$)){1,6}$")
_LONGEST_TOLD = 200

# "Price (€)", "Share %": all but what parts a path's keys and a key from its value.
_KEY = r"[^\W\d][^.:;\[\]\n]{0,60}"
_PATH = rf"(?:{_KEY}|\[\d{{1,9}}\])(?:\.{_KEY}|\[\d{{1,9}}\]){{0,100}}"
_RECORD = re.compile(rf"(?=[^:;\n]{{0,300}}\[\d{{1,9}}\]\.\w){_PATH}: \S")
_LEAF = re.compile(rf"(?:^|; )({_PATH}): ")
_KEYS = re.compile(_KEY)
_CAMEL = re.compile(r"(?<=[a-z\d])(?=[A-Z])")
# Where a word begins in "unitPrice" and "baseURL", not so in "iPhone".
_WORDS = re.compile(r"(?<=[a-z][a-z\d])(?=[A-Z])")
# Read as "no": of eleven words the one by which most claims about such records came out right.
_NO_VALUE = frozenset(("null", "-", "--", "\u2013", "\u2014", "n/a", "N/A"))
_ALONE = re.compile(r"[\w.-]+: \S{1,60}$")
_ENDS = re.compile(r"[.!?\u2026]\S{0,8}\s")
_INDEXED = re.compile(r"\[\d{1,9}\]\.\w")
# A path into an object or an array, and no name of a file: "setup.py".
_NESTED = re.compile(
    r"\[\d{1,9}\]\.\w"
    r"|\.(?!(?:c|cfg|com|conf|css|csv|html?|ini|io|js|json|md|net|org|php|py|rs|sh|sql"
    r"|toml|ts|txt|xml|ya?ml)$)[^\W\d]"
)
# A record without array positions: keys that are no words of prose, or begin like none.
_PLAIN_LEAF = re.compile(r"(?:^|; )([^\W\dA-Z][\w.-]{0,60}): ")


def statements(value: Any) -> str:
    """Text that states every leaf of `value` with its path, records parted by blank lines."""
    return stated(value)[0]


def stated(value: Any, name: str = "a record") -> tuple[str, list[str]]:
    """The `statements` of a value, and warnings of what in them is not whole.

    Raises DocumentError, which calls the value by its `name`, when its paths, told before each leaf
    and at the most LONGEST_PATH characters long, would make much more text than there is.
    """
    if not isinstance(value, (Mapping, list, tuple)):
        return _scalar(value), []
    size, deepest, longest = _measured(value)
    lines: list[str] = []
    made = 0
    for line in _records(value, "", "", 0):
        lines.append(line)
        made += len(line) + 2
        if made > allowed(size):
            raise DocumentError(
                f"{name} has paths so long that its {size:,} characters would become more than "
                f"{allowed(size):,}. Shorten the keys of what holds many values, or split it.",
                name,
            )
    warnings = []
    if deepest > _DEEPEST:
        warnings.append(f"{name}: what is nested deeper than {_DEEPEST} levels was left out")
    if longest > LONGEST_PATH:
        warnings.append(
            f"{name}: paths longer than {LONGEST_PATH} characters are shortened in the middle"
        )
    return "\n\n".join(lines), warnings


def _measured(value: Any) -> tuple[int, int, int]:
    """How many characters a value is written with, its levels, and its longest path's length."""
    size = deepest = longest = 0
    waiting = [(value, 0, 0)]
    while waiting:
        item, depth, path = waiting.pop()
        deepest, longest = max(deepest, depth), max(longest, path)
        if depth > _DEEPEST:
            continue
        if isinstance(item, Mapping):
            size += 2 + sum(len(str(key)) + 4 for key in item)
            waiting += ((each, depth + 1, path + len(str(key)) + 1) for key, each in item.items())
        elif isinstance(item, (list, tuple)):
            size += 2 + len(item)
            if any(isinstance(each, (Mapping, list, tuple)) for each in item):
                at = path + 2 + len(str(len(item)))
                waiting += ((each, depth + 1, at) for each in item)
            else:
                size += sum(len(_scalar(each)) for each in item)
        else:
            size += len(_scalar(item))
    return size, deepest, longest


def _below(path: str, key: object) -> str:
    """The path of what an object at `path` has under `key`."""
    name = str(key).strip() or "value"
    return shortened(f"{path}.{name}" if path else name, LONGEST_PATH)


def is_record(line: str) -> bool:
    """Whether a line is a record as written above: of an array, or with keys within an object.

    "orders[3].id: 1042; orders[3].status: shipped", "id: 7; customer.name: Ann Lee". So is one with
    a key of several words or without a value: "port: 80; targetPort: 8080; host: null".
    """
    if _RECORD.match(line):
        return True
    if not _PLAIN_LEAF.match(line):
        return False
    paths = [leaf[1] for leaf in _LEAF.finditer(line)]
    worded = any(map(_WORDS.search, paths)) or any(
        value.of(line).strip(" .") in _NO_VALUE for _, _, value in _leaves(line)
    )
    if len(paths) == 1 and not _ALONE.match(line):
        return False
    if worded and not _ENDS.search(line):
        return True
    return len(paths) > 1 and any(map(_NESTED.search, paths))


def is_nested(line: str) -> bool:
    """Whether a record's line tells of an array, or of an object within another."""
    return any(_NESTED.search(path) for path, _, _ in _leaves(line))


def in_words(key: str) -> str:
    """A key as words in lower case: "tracking number" of "trackingNumber", "unit price"."""
    return " ".join(_CAMEL.sub(" ", key).replace("_", " ").lower().split())


def fields(line: str) -> tuple[str, list[tuple[str, str]]] | None:
    """What a record's line is a record of, and its keys with their values; None for other lines.

    The key of "orders[3].customer.name" is "customer name"; a record of it is one of "orders[]",
    and one of its own records, told behind it, one of "orders[].items[]". None too where no array
    is told of.
    """
    if not is_record(line) or not _INDEXED.search(line):
        return None
    found: list[tuple[str, str]] = []
    kind = ""
    for path, _, value in _leaves(line):
        indexed = path.rfind("]") + 1
        kind = max(kind, re.sub(r"\[\d+\]", "[]", path[:indexed]), key=len)
        key = in_words(" ".join(_KEYS.findall(path, indexed)))
        found.append((key, value.of(line).strip()))
    return kind, found


def _leaves(line: str) -> Iterator[tuple[str, int, Span]]:
    """The path, its place, and the place of the value of each leaf of a record's line."""
    leaves = list(_LEAF.finditer(line))
    stops = [*(leaf.start() for leaf in leaves[1:]), len(line)]
    for leaf, stop in zip(leaves, stops, strict=False):  # one stop more where there is no leaf
        yield leaf[1], leaf.start(1), Span(leaf.end(), stop)


def leaves(line: str) -> list[tuple[str, str]]:
    """The path of each leaf of a record's line, "orders[3].customer.name", and its value."""
    return [(path, value.of(line).strip()) for path, _, value in _leaves(line)]


def outer(line: str) -> int:
    """How many leaves at the head of a record's line are told of the records that it lies in."""
    inside = [path[: path.rfind("]") + 1] for path, _, _ in _leaves(line)]
    own = max(inside, key=len, default="")
    return next((at for at, one in enumerate(inside) if one == own), 0)


def value_as_read(value: str) -> str:
    """How a value of a record is read: "no" where there is none, as it stands else."""
    bare = value.rstrip(" .") or value
    return "no" + value[len(bare) :] if bare in _NO_VALUE else value


def plain_fields(line: str) -> list[tuple[str, str]]:
    """Keys and values of a record without array positions, "id: 7; status: open"; none of prose."""
    leaves = list(_PLAIN_LEAF.finditer(line)) if _PLAIN_LEAF.match(line) else []
    if not leaves:
        return []
    stops = [*(leaf.start() for leaf in leaves[1:]), len(line)]
    return [
        (in_words(leaf[1].replace(".", " ")), line[leaf.end() : stop].strip())
        for leaf, stop in zip(leaves, stops, strict=True)
    ]


def reading(line: str, start: int) -> Reading:
    """How a record is read: what it is, then each key with its value; `line` stands at `start`.

    "order: id 1042; item: sku X1; unit price 9.50" of an item of an order; what is in no array is
    read as a row of a table is, "id: 7; customer name: Ann Lee". What has no value is "no".
    """
    readings: list[Reading] = []
    within = ""
    for path, at, where in _leaves(line):
        inside = path[: path.rfind("]") + 1]
        leaf = Reading.joined(_key(key, start + at) for key in _KEYS.finditer(path, len(inside)))
        value = where.of(line)
        if stripped := value.strip():
            lead = len(value) - len(value.lstrip())
            if (said := value_as_read(stripped)) != stripped:
                told = Reading(said, ())
            else:
                told = Reading.verbatim(stripped, start + where.start + lead)
            leaf = Reading.joined([leaf, told] if leaf.text else [told], " " if inside else ": ")
        if inside != within and (label := _label(path, inside, start + at)):
            leaf = Reading.joined([label, leaf], ": ")
        within = inside
        readings.append(leaf)
    return Reading.joined(readings, "; ")


def _label(path: str, inside: str, start: int) -> Reading | None:
    """What a record at `inside` is called, "order" of "orders[3]"; None where it has no name."""
    names = list(_KEYS.finditer(path, 0, max(0, inside.rfind("["))))
    return _key(names[-1], start, singular=True) if names else None


def _key(key: re.Match[str], start: int, singular: bool = False) -> Reading:
    """A key as words: "unitPrice" is "unit price", as "unit_price" is; of "orders" an "order"."""
    word = key.group().rstrip()
    if singular and len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        if word.endswith("ies") and len(word) > 5:
            word = word[:-3] + "y"
        else:
            word = word[: -2 if word.endswith(("shes", "ches", "sses", "xes", "zzes")) else -1]
    parts: list[Reading] = []
    at = start + key.start()
    for part in _WORDS.split(word):
        told = part if part.isupper() or not parts else part.lower()
        parts.append(Reading.verbatim(told.replace("_", " "), at))
        at += len(part)
    return Reading.joined(parts)


def _records(value: Any, path: str, parent: str, depth: int) -> Iterator[str]:
    """The lines of one object or array at `path`; `parent` names what it lies in."""
    leaves: list[str] = []
    prose: list[tuple[str, str]] = []
    inner: list[tuple[str, Any]] = []
    _collect(value, path, leaves, prose, inner, depth)
    own = _name_leaf(value, path) if isinstance(value, Mapping) else ""
    yield from _lines(leaves, own or parent, parent if own != parent else "")
    for at, text in prose:
        yield f"{at}:\n{text}"
    told = _told_below(own, leaves, path)
    for at, element in inner:
        yield from _records(element, at, told or parent, depth + 1)


def _told_below(own: str, leaves: Sequence[str], path: str) -> str:
    """What the records within one repeat of it: its name, and the names beside that.

    "orders[0].id: B-1; orders[0].customer: Lumen" of an order, one of several in a list.
    """
    told = own
    if own and path.endswith("]"):
        for leaf in leaves:
            if leaf != own and _A_NAME.search(leaf) and len(told) + len(leaf) < _LONGEST_TOLD:
                told += f"; {leaf}"
    return told


def _collect(
    value: Any,
    path: str,
    leaves: list[str],
    prose: list[tuple[str, str]],
    inner: list[tuple[str, Any]],
    depth: int,
) -> None:
    """Sort what lies at `path` into leaves, long texts, and records of their own."""
    if depth > _DEEPEST:
        leaves.append(f"{path}: {ELLIPSIS}")
    elif isinstance(value, Mapping) and path and (amount := amount_of(value)):
        _leaf(path, amount, leaves, prose)
    elif isinstance(value, Mapping) and _is_keyed(value):
        named = (_named_by(str(key), item) for key, item in value.items())
        inner += ((shortened(f"{path}[{k}]", LONGEST_PATH), item) for k, item in enumerate(named))
    elif isinstance(value, Mapping) and value:
        for key, item in with_units(value).items():
            _collect(item, _below(path, key), leaves, prose, inner, depth + 1)
    elif isinstance(value, (list, tuple)) and value and (told := _told_by_name(value)):
        for key, item in told.items():
            _collect(item, _below(path, key), leaves, prose, inner, depth + 1)
    elif isinstance(value, (list, tuple)) and value:
        if any(isinstance(item, (Mapping, list, tuple)) for item in value):
            inner += (
                (shortened(f"{path}[{k}]", LONGEST_PATH), item) for k, item in enumerate(value)
            )
        else:
            listed = ", ".join(map(_scalar, value))
            _leaf(path, listed, leaves, prose)
    else:
        _leaf(path, _scalar(value), leaves, prose)


def _is_keyed(value: Mapping[Any, Any]) -> bool:
    """Whether an object is a list whose records stand under their names: {"web": {...}, "db": ...}.

    Of several objects, and nothing else, most of which have a key in common with another.
    """
    if len(value) < 2 or not all(isinstance(item, Mapping) and item for item in value.values()):
        return False
    if sum(map(len, value.values())) < 2 * len(value):
        return False  # "depends_on: {db: {condition: healthy}}" has one value each
    often = Counter(str(key) for item in value.values() for key in item)
    alike = sum(any(often[str(key)] > 1 for key in item) for item in value.values())
    return alike >= _ALIKE * len(value)


def _told_by_name(value: Sequence[Any]) -> dict[str, Any] | None:
    """[{"name": "LEVEL", "value": "debug"}] as {"LEVEL": "debug"}; None of other lists."""
    found: dict[str, Any] = {}
    for item in value:
        if not isinstance(item, Mapping) or not 2 <= len(item) <= 3:
            return None
        name = next((item[key] for key in ("name", "key") if key in item), None)
        told = next((item[key] for key in ("value", "text") if key in item), None)
        unit = item.get("unit") if len(item) == 3 else ""
        plain = all(isinstance(one, (str, int, float)) for one in (name, told, unit))
        if not plain or str(name) in found:
            return None
        found[str(name)] = f"{_scalar(told)} {unit}".strip()
    return found


def _named_by(key: str, record: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """A record with its key as its name, or beside one that it has."""
    known = {str(one).lower() for one in record}
    return {next(one for one in ("name", "key", "") if one not in known): key, **record}


def amount_of(value: Mapping[Any, Any]) -> str:
    """What an object is that is one amount: {"amount": 5, "currency": "EUR"} is 5 EUR; else ""."""
    told = with_units(value)
    stated = [told[key] for key in value if told[key] is not value[key]]
    return str(stated[0]) if len(value) == 2 and len(stated) == 1 else ""


def with_units(value: Mapping[Any, Any]) -> Mapping[Any, Any]:
    """The object with its amounts beside their unit: {"amount": 5, "currency": "EUR"} has 5 EUR."""
    folded = {str(key).lower(): item for key, item in value.items()}
    currency, unit = folded.get("currency", folded.get("currency_code")), folded.get("unit")
    of_money = isinstance(currency, str) and re.fullmatch(
        r"[A-Z]{3}|[$\u00a3\u20ac\u00a5]", currency
    )
    measured = isinstance(unit, str) and re.fullmatch(r"\S{1,12}", unit)
    if not of_money and not measured:
        return value
    told = dict(value)
    for key, item in value.items():
        if not _is_number(item):
            continue
        last = re.split(r"[\W_]", str(key).lower())[-1]
        if of_money and last in _MONEY:
            written = f"{item:.2f}" if isinstance(item, float) else _scalar(item)
            told[key] = f"{written} {currency}"
        elif measured and last in _MEASURED:
            told[key] = f"{_scalar(item)} {unit}"
    return told


def _is_number(item: Any) -> bool:
    """Whether a value is a number, or one as it is written in a file."""
    if isinstance(item, str):
        return _NUMBER.fullmatch(item) is not None
    return isinstance(item, (int, float, Decimal)) and not isinstance(item, bool)


def _leaf(path: str, text: str, leaves: list[str], prose: list[tuple[str, str]]) -> None:
    if len(text) > _LONGEST_VALUE or "\n" in text.strip():
        prose.append((path, text.strip()))
    else:
        text = " ".join(text.split())
        leaves.append(f"{path}: {text}" if path else text)


def _lines(leaves: Sequence[str], own: str, parent: str) -> Iterator[str]:
    """The leaves side by side; a line that continues a record begins with its name again."""
    line = parent
    for leaf in leaves:
        if line and len(line) + len(leaf) > _LONGEST_LINE:
            yield line
            line = own if own != leaf else ""
        if leaf == line:
            continue
        line = f"{line}; {leaf}" if line else leaf
    if line and leaves:
        yield line


def _name_leaf(value: Mapping[Any, Any], path: str) -> str:
    """The leaf that says which one a record is; "" when it has none.

    Where no key says so it is the first of a list's record: {"team": "Red", "members": [...]}.
    """
    short = {
        str(key): item
        for key, item in value.items()
        if isinstance(item, (str, int)) and len(str(item)) <= 60 and str(item).strip()
    }
    worded = {key: in_words(key) for key in sorted(short)}
    matches = [
        key
        for name in _NAMING
        for exact in (True, False)
        for key, words in worded.items()
        if (words == name if exact else words.endswith(" " + name))
    ]
    if not matches and path.endswith("]"):
        matches = list(short)
    if not matches:
        return ""
    told = f"{path}.{matches[0]}" if path else matches[0]
    return f"{shortened(told, LONGEST_PATH)}: {short[matches[0]]}"


def _scalar(value: Any) -> str:
    """A leaf as JSON would write it, without quotation marks."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (Mapping, list, tuple)):
        return "empty" if not value else ELLIPSIS
    if isinstance(value, (bytes, bytearray)):
        value = bytes(value).decode("utf-8", "replace")
    return str(value) if str(value).strip() else "empty"
