"""Doc -> Quantities: every amount of a text as a range in a base unit, with what it counts.

A range keeps both ends ("3 to 5 million": 3,000,000 to 5,000,000). "at least 40" is open above.
Numbers that name rather than count are identifiers: "Section 8.2" has the unit "identifier:8.2"
and the noun "section", so it equals nothing but another section 8.2. A score is one as well
("3-1": "identifier:1-3", noun "score", the same whoever is named first). Ranks ("third") have the
unit "ordinal", ages "year of age", times of day "clock" (seconds since midnight) or "clock12"
(since midnight or noon, where the text does not tell). A rate joins the unit: "fraction/month".
"(12.6)" in a row of profits is below nothing, of the unit "signed:pound": a loss of 12.6 and a
profit of -12.6, as a claim has it.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from halgo.facts import cells, frequencies, numberwords, numerals, ranges, units
from halgo.facts.amounts import AmountReader
from halgo.facts.bounds import LOOK, Found, bounded, span_of
from halgo.facts.described_units import with_described
from halgo.facts.grammar import lemma
from halgo.facts.numbers import Amount
from halgo.facts.roles import Locator, context, noun
from halgo.facts.supposed import is_supposed
from halgo.types import Quantity, Span

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

SIGNED = "signed:"  # before the unit of a loss that is told as a profit below nothing

_words = str.split
_FROM = re.compile(r"\bfrom\s(?:about\s|around\s)?$", re.IGNORECASE)
_BC = re.compile(r"\s?(?:BCE?\b|B\.\s?C\.)")
_DASHES = frozenset("-–—‒~")
_CHANGES = frozenset(
    _words(
        "rise fall increase decrease grow drop decline jump climb reduce cut raise change surge "
        "expand shrink go move up down double slash lower slip slide plunge soar improve widen"
    )
)
# Fields whose number is an amount: "qty 3" is no name of the third.
_COUNTS = frozenset({"qty", "quantity", "count", "amount", "total", "price"})
_WEAK = frozenset({"one", "a", "an"})
_OF_ALL = frozenset(_words("the these those its their our all"))
_AFTER_ONE_DAY = frozenset({"before", "after", "ahead", "early", "earlier", "late", "later", "off"})
_BEFORE_ONE_DAY = frozenset(
    _words("for in within by of than least after per about every only just under over")
)
_BEFORE_AN_HOUR = frozenset(
    _words(
        "for in within after by take takes took taking last lasts lasted lasting least most than "
        "about under over around roughly approximately nearly almost exactly only just is was be"
    )
)
# Behind these, "of a month" is how long: "a notice of a month".
_LENGTHS = frozenset(
    _words(
        "period term notice delay duration maximum minimum limit length warranty guarantee validity"
    )
)
_AFTER_AN_HOUR = frozenset(_words("late early longer sooner ahead"))
# What is paid once is no rate, whatever it is.
_ONE_OFF = re.compile(r"\b(?:one-off|one-time|lump[- ]sum)\b[^.;]{0,40}$", re.IGNORECASE)
# "Annual salary: 42,000 EUR".
_LABEL = re.compile(r"(?:^|[.;\n])\s*(?P<label>[^:.;\n]{2,60}):\s*$")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+")
_ONCE = re.compile(r"(?:\s[\w'’-]+){0,4}\s(?:once|one time only)(?=\s*(?:[.,;)]|$))", re.IGNORECASE)
_LIST_GLUE = re.compile(r"\s?(?:,|,?\s(?:and|or)|&)\s")
_AGAINST = re.compile(
    r",?\s(?:(?:up|down|rising|falling)\s)?(?:against|from|compared (?:with|to)|versus|"
    r"instead of|rather than|more than|less than)\s(?:about\s|just\s|only\s)?"
)
# Beyond this a float is inf; nobody counts so far.
_LARGEST = Fraction(10) ** 200


class _Small(NamedTuple):
    value: int
    labels: tuple[str, ...]  # of the word in the parse
    tag: str  # of its noun


_SMALL_COUNTS = {
    "no": _Small(0, ("det",), "NNS"),
    "single": _Small(1, ("amod",), "NN"),
    "both": _Small(2, ("det", "predet"), "NNS"),
}


# "The over-65s", "under-16s".
_AGES = ("over", "under")
_ARTICLES, _LONGEST_NAME = frozenset({"the", "a", "an", "this", "each", "every"}), 5


def read(
    doc: Doc, masked: Sequence[Span] = (), row: Sequence[cells.Cell] | None = None
) -> tuple[Quantity, ...]:
    """The amounts of a parsed text, in order, none inside a `masked` span (the dates).

    row: its cells, where they have been read.

    Spans cover number and unit, not the noun: "thirty (30) days", "$4.2B", "three".
    """
    text = doc.text
    pieces = numerals.pieces(text)
    if not pieces:
        return ()
    spans = sorted([*masked, *numerals.masked(text)])
    reader = AmountReader(text, _blocked([piece.start for piece in pieces], spans), pieces)
    where = Locator(doc)
    found = _scan(reader, where)
    found = _listed(found, text)
    quantities = [_quantity(item, where, text) for item in found]
    placed = _in_cells(
        [q for q in quantities if q is not None],
        cells.read(doc) if row is None else row,
        text,
    )
    return tuple(with_described(placed, text))


def _blocked(starts: list[int], spans: Sequence[Span]) -> list[bool]:
    blocked = [False] * len(starts)
    for span in spans:
        at = bisect_right(starts, span.start - 1)
        while at < len(starts) and starts[at] < span.end:
            blocked[at] = True
            at += 1
    return blocked


def _scan(reader: AmountReader, where: Locator) -> list[Found]:
    found: list[Found] = []
    at = 0
    while at < len(reader.pieces):
        items = _at(reader, where, at)
        if items and items[0].amount.rate == "every" and found and _is_rate_of(found[-1], at):
            items = []  # "€5 every month" is read already
        if items:
            found += items
            at = max(at + 1, items[-1].amount.last)
        else:
            at += 1
    return found


def _is_rate_of(before: Found, at: int) -> bool:
    """Whether a piece begins the rate of the amount before it, or of what that counts."""
    return bool(before.amount.rate) and at - before.amount.last <= 1


def _at(reader: AmountReader, where: Locator, at: int) -> list[Found]:
    """What stands at a piece: an amount, a range, or two amounts that were joined by "to"."""
    if reader.blocked[at]:
        return []
    piece = reader.pieces[at]
    group = _age_group(reader, at) if piece.kind == "number" else None
    if group is not None:
        return [group]
    named = _named(reader, where, at)
    if named is not None:
        return [Found(named, span_of(reader, named))] if named.unit else []
    if piece.kind == "word":
        small = _small_count(reader, where, at)
        if small is not None:
            rough = reader.word(at) == "couple" and bool(small.unit)
            told = (
                bounded(reader, small)
                if small.unit == "second"
                else Found(small, span_of(reader, small))
            )
            return [replace(told, approximate=rough or told.approximate)]
        often = frequencies.read(reader, where, at)
        if often is not None:
            return [Found(often, span_of(reader, often))]
    first = reader.read(at)
    if first is None or _is_no_count(reader, where, first):
        return []
    if first.vague and first.unit in units.CURRENCIES and reader.word(at - 1) == "in":
        return []  # "in millions of euros" is the scale of a table
    if first.unit == "":
        first = _age(reader, where, first)
    elif first.unit == "second" and not first.rate and reader.word(at - 1) == "every":
        first = replace(first, rate="every")
    if _BC.match(reader.text, reader.pieces[first.last - 1].end):
        return []  # a year
    around = ranges.tolerance(reader, first)
    if around is not None:
        return [Found(around, span_of(reader, around))]
    before = reader.text[max(0, piece.start - LOOK) : piece.start]
    second = ranges.other_end(reader, first, before)
    if second is None:
        return [bounded(reader, first)]
    if second.label == "score":
        return [Found(second, span_of(reader, second))]
    if first.unit in units.CURRENCIES and ranges.in_same_money(reader, where, second):
        second = replace(second, unit=first.unit, rate=second.rate or first.rate)
    if first.unit == "year of age" and not second.unit:  # "aged 6 to 12"
        second = replace(second, unit=first.unit)
    first = ranges.share(first, second)
    if first.unit != second.unit and first.rate != second.rate:
        return [bounded(reader, first)]
    if first.unit != second.unit:
        return [bounded(reader, first), bounded(reader, second)]
    changes = _FROM.search(before) is not None and _has_near(reader, where, at, _CHANGES)
    if changes or first.low > second.high:
        return [Found(first, span_of(reader, first)), Found(second, span_of(reader, second))]
    both = replace(second, low=first.low, high=second.high, first=first.first,
                   step=max(first.step, second.step))  # fmt: skip
    if both.unit == "second" and not both.rate and reader.word(at - 1) == "every":
        both = replace(both, rate="every")
    return [bounded(reader, both)]


# -- names and small words ----------------------------------------------------------------------


def _named(reader: AmountReader, where: Locator, at: int) -> Amount | None:
    """An identifier at this piece; one without unit where digits are part of a name."""
    label = reader.label(at)
    if label is not None:
        plain = reader.read(at)
        measured = plain is not None and plain.unit not in ("", "ordinal")
        return None if measured or label.last == at else label
    if not reader.is_number(at) or at == 0 or reader.attached(at):
        return None
    before = reader.pieces[at - 1]
    if before.kind != "word" or _GROUPED.fullmatch(reader.pieces[at].text):
        return None  # "and Enterprise 6,000" counts
    if reader.word(at + 1) in _DASHES and reader.is_number(at + 2):
        return None  # "a walk 3–5 km long", "Leeds 3-1 Hull"
    token = where.doc[where.index(before.start)]
    number = where.doc[where.index(reader.pieces[at].start)]
    if before.lower == "top":
        return reader.identifier(at, "top")
    if before.lower in _COUNTS:
        return None
    if _is_between(token, number):
        plain = reader.read(at)
        bare = plain is not None and not plain.unit and not plain.rate and plain.scale == 1
        return reader.identifier(at, before.lower) if bare else None
    if token.pos_ in ("NOUN", "ADJ"):  # "Home 100 has", "the Basic 10", but "fees 5%"
        plain = reader.read(at)
        bare = plain is not None and not plain.unit and not plain.rate and plain.scale == 1
        return reader.identifier(at, before.lower) if bare and _is_name(token, number) else None
    if token.pos_ != "PROPN" or token.ent_type_ == "DATE":
        return None
    if token.ent_type_ in ("GPE", "PERSON", "NORP") and not _is_determined(token):
        return None
    plain = reader.read(at)
    if plain is not None and (plain.unit or plain.scale != 1):
        return None
    counts_next = number.head.i > number.i and number.head.pos_ == "NOUN" and not _is_verb(number)
    plural = number.head.tag_ in ("NNS", "NNPS")
    if counts_next and (plural or token.head is not number.head):
        return None
    return reader.identifier(at, before.lower)


def _is_between(token: Token, number: Token) -> bool:
    """Whether a name and its number stand before what they are of: "the Aurora 13 laptop".

    Of "In Ulm 13 laptops were stolen" the name is no part of what is counted.
    """
    noun = number.head
    return (
        token.text[:1].isupper()
        and token.dep_ in ("nmod", "compound")
        and token.head.i == noun.i > number.i
        and token.ent_type_ != "DATE"
        and number.text.isdigit()
    )


def _is_determined(token: Token) -> bool:
    """Whether an article stands before a name, as none does before a town or a person."""
    for before in reversed(token.doc[max(0, token.i - _LONGEST_NAME) : token.i]):
        if before.lower_ in _ARTICLES:
            return True
        if not before.text[:1].isupper():
            return False
    return False


def _is_name(token: Token, number: Token) -> bool:
    """Whether a common word with a capital and the number behind it are a name: "Home 100 has".

    "Attendance 300" that is no part of a sentence may be a heading, "Distinction 70, Merit 60" a
    list of values; "Yesterday" tells when.
    """
    following = number.doc[number.i + 1 : number.i + 2]
    if not any(one.pos_ in ("VERB", "AUX", "CCONJ") for one in following) and not _is_verb(number):
        return False
    written = number.text.replace(".", "", 1)  # "Python 3.8"
    capital = token.text[:1].isupper() and token.tag_ in ("NN", "JJ") and written.isdigit()
    timed = token.dep_ in ("ROOT", "npadvmod") or token.ent_type_ in ("DATE", "TIME")
    own = (number.dep_ == "nummod" and number.head.i == token.i) or _is_verb(number)
    return capital and not timed and own


def _is_verb(number: Token) -> bool:
    """Whether what the parse has a number count says what comes next: "Giga 900 costs €55"."""
    counted = number.head
    following = counted.doc[counted.i + 1 : counted.i + 2]
    said = any(token.is_currency or token.like_num for token in following)
    return counted.i == number.i + 1 and counted.tag_ == "NNS" and said


def _small_count(reader: AmountReader, where: Locator, at: int) -> Amount | None:
    """Reads "a single car", "both doors", "no cars", "first prize", "a couple of"."""
    word = reader.word(at)
    token = where.doc[where.index(reader.pieces[at].start)]
    head = token.head
    right_noun = head.i > token.i and head.pos_ in ("NOUN", "PROPN")
    unit, last = "", at + 1
    counted = _SMALL_COUNTS.get(word)
    if counted and right_noun and token.dep_ in counted.labels and head.tag_ == counted.tag:
        value = counted.value
    elif word in ("couple", "pair") and reader.word(at + 1) == "of":
        value = 2
        measured = reader.unit_after(at + 2)
        if measured is not None:  # "a couple of days"
            return reader.worded(at, Fraction(2), *measured)
    elif word == "once" and reader.word(at + 1) in ("a", "per", "every", "each"):
        if reader.word(at + 1) == "every" and reader.word(at + 2) not in units.TIME_UNITS:
            return None  # "once every two days": the days tell it
        value, unit = 1, "times"
    elif word in ("a", "an") and (more := _and_a_half(reader, at)) is not None:
        return more
    elif word in ("a", "an"):
        measured = reader.unit_after(at + 1)
        if measured is None or measured[0].base != "second":
            return None
        after = reader.word(measured[1])
        if after == "or":  # "a day or two"
            return None
        if not (_says_how_long(reader, at) or after in _AFTER_AN_HOUR):
            return None
        return reader.with_remainder(reader.worded(at, Fraction(1), *measured), measured[0])
    else:
        rank = numberwords.ordinal(reader.lower[at : at + 4])
        if rank is None:
            return None
        if rank[1] > 1:  # "twenty-fifth": its last word is what a noun has
            token = where.doc[where.index(reader.pieces[at + rank[1] - 1].start)]
            head = token.head
            right_noun = head.i > token.i and head.pos_ in ("NOUN", "PROPN")
        if not right_noun or token.pos_ not in ("ADJ", "NUM"):
            return None
        if head.pos_ == "PROPN" or any(reader.blocked[at : at + rank[1]]):
            return None  # "First Street", "the first quarter of 2024"
        value, unit, last = rank[0], "ordinal", at + rank[1]
    number = Fraction(value)
    found = Amount(number, number, unit, Fraction(0), at, last, number, worded=True)
    return reader.rated(found) if unit == "times" else found


def _says_how_long(reader: AmountReader, at: int) -> bool:
    """Whether the words ahead of the "an" at `at` make "an hour" an amount, and no rate."""
    before = reader.word(at - 1)
    if before in ("is", "was", "be") and reader.word(at + 2) in ("of", "that", "when"):
        return False  # "It was a year of change"
    if before in ("to", "of"):
        return reader.word(at - 2) in (("up",) if before == "to" else _LENGTHS)
    return before in _BEFORE_AN_HOUR


def _age_group(reader: AmountReader, at: int) -> Found | None:
    """Reads "over-65s" and "under-16s", of people, at the number."""
    side = reader.word(at - 2)
    if side not in _AGES or reader.word(at - 1) != "-" or reader.word(at + 1) != "s":
        return None
    value = numerals.numeral(reader.pieces[at].text) if reader.is_number(at) else None
    if value is None or not reader.attached(at + 1):
        return None
    number = value.value
    amount = Amount(number, number, "year of age", Fraction(1), at, at + 2, number)
    return Found(
        amount, span_of(reader, amount), open_above=side == "over", open_below=side == "under"
    )


def _and_a_half(reader: AmountReader, at: int) -> Amount | None:
    """Reads "an hour and a half", "a mile and three quarters" that begin at an article."""
    measured = reader.unit_after(at + 1)
    if measured is None:
        return None
    unit, last = measured
    part = numberwords.PARTS.get(reader.word(last + 2), 0)
    top = {"a": 1, "three": 3}.get(reader.word(last + 1), 0)
    if reader.word(last) != "and" or not top or part not in (2, 3, 4) or top >= part:
        return None
    return reader.worded(at, 1 + Fraction(top, part), unit, last + 3, Fraction(1, 10))


def _is_no_count(reader: AmountReader, where: Locator, found: Amount) -> bool:
    """Whether "one" is a pronoun, "one day" a day in a story, "a hundred" part of a name."""
    piece = reader.pieces[found.first]
    words = [reader.word(at) for at in range(found.first, found.last)]
    if words[0] not in _WEAK and words[0] != "half" and found.unit != "ordinal":
        return False
    token = where.doc[where.index(piece.start)]
    if found.unit == "ordinal":
        return token.head.pos_ == "PROPN" and token.head.i != token.i
    if words[0] == "half" or found.unit == "fraction" or len(words) > 2:
        return reader.word(found.first - 1) in ("first", "second", "other", "-", "the", "one")
    if words[0] in ("a", "an"):
        return False
    previous = reader.word(found.first - 1)
    if found.unit:
        a_day = words[1:] in (["day"], ["night"], ["time"])
        after = [reader.word(found.last), reader.word(found.last + 1)]
        counted = after[0] in _AFTER_ONE_DAY or after == ["in", "advance"]
        return a_day and not counted and previous not in _BEFORE_ONE_DAY
    if previous in ("no", "any", "every", "each", "another", "this", "that", "which", "number"):
        return True
    if len(words) > 1:
        return False
    if _is_of_so_many(reader, found.last):
        return False
    counts = token.dep_ in ("nummod", "compound") and token.head.i > token.i
    return not counts or token.head.pos_ not in ("NOUN", "PROPN", "NUM")


def _is_of_so_many(reader: AmountReader, at: int) -> bool:
    """Whether the piece at `at` begins "of the three plans", of which "one" is a count."""
    at += reader.word(at) == "out"
    if reader.word(at) != "of":
        return False
    at += 1 + (reader.word(at + 1) in _OF_ALL)
    number = reader.is_number(at) or reader.word(at) in numberwords.SMALL.keys() | numberwords.TENS
    return number and reader.word(at + 1) not in _DASHES


def _age(reader: AmountReader, where: Locator, found: Amount) -> Amount:
    """Reads "aged 64", "at the age of 64" and "Ann Lee, 64, said" as ages."""
    words = [reader.word(found.first - back) for back in (1, 2, 3)]
    said = words[0] in ("aged", "age") or words[:2] == ["of", "age"]
    after = [reader.word(found.last), reader.word(found.last + 1)]
    said = said or (after[0] in ("or", "and") and after[1] in ("older", "younger"))
    if not said and words[0] == "," and reader.word(found.last) in (",", ")", "."):
        before = where.doc[where.index(reader.pieces[found.first - 2].start)]
        person = before.ent_type_ == "PERSON"
        said = person and 1 <= found.number <= 120 and found.number.denominator == 1
    return replace(found, unit="year of age") if said and found.scale == 1 else found


# -- what the words around an amount say --------------------------------------------------------


def _has_near(reader: AmountReader, where: Locator, at: int, lemmas: frozenset[str]) -> bool:
    position = where.index(reader.pieces[at].start)
    return any(lemma(token) in lemmas for token in where.doc[max(0, position - 8) : position])


def _listed(found: list[Found], text: str) -> list[Found]:
    """In "3, 4 and 5 km" all three are kilometres; in "Sections 3 and 4" both are sections."""
    for at in range(1, len(found)):
        before, here = found[at - 1], found[at]
        glue = text[before.span.end : here.span.start]
        plain = here.amount.unit == "" and here.amount.scale == 1 and not here.amount.worded
        if before.amount.label not in ("", "score") and plain and _LIST_GLUE.fullmatch(glue):
            named = f"identifier:{here.span.of(text).lower()}"
            label = before.amount.label
            found[at] = replace(here, amount=replace(here.amount, unit=named, label=label))
        money = before.amount.unit in units.CURRENCIES and before.amount.factor == 1
        scaled = here.amount.unit == "" and here.amount.scale >= 1000
        if money and scaled and _AGAINST.fullmatch(glue):  # "2 billion euros, against 1.9 billion"
            rated = replace(here.amount, unit=before.amount.unit, rate=before.amount.rate)
            found[at] = replace(here, amount=rated)
    for at in range(len(found) - 2, -1, -1):
        amount, following = found[at].amount, found[at + 1].amount
        if amount.unit or not following.unit or following.unit == "times":
            continue
        if following.unit.startswith(("ordinal", "identifier", "clock", "year of")):
            continue
        glue = text[found[at].span.end : found[at + 1].span.start]
        if _LIST_GLUE.fullmatch(glue) and text[found[at + 1].span.start].isdigit():
            shared = ranges.share(amount, replace(following, scale=Fraction(1)))
            found[at] = replace(found[at], amount=shared)
    return found


# -- out ----------------------------------------------------------------------------------------


def _quantity(found: Found, where: Locator, text: str) -> Quantity | None:
    amount = found.amount
    if max(abs(amount.low), abs(amount.high)) > _LARGEST:
        return None
    low, high = float(amount.low), float(amount.high)
    if found.open_above:
        high = math.inf
    if found.open_below:
        low = -math.inf if amount.unit in units.TEMPERATURES or low < 0 else 0.0
    root = where.root(found.span)
    rate = amount.rate or _rate_of_money(amount, found.span, root, text)
    unit = f"{amount.unit}/{rate}" if rate else amount.unit
    counted = amount.label or (_noun(root, amount, found.span, where) if root is not None else "")
    around = context(root, found.span) if root is not None else frozenset()
    supposed = root is not None and is_supposed(root)
    return Quantity(low, high, unit, found.span, found.approximate, counted, around,
                    float(amount.step), supposed)  # fmt: skip


def _rate_of_money(amount: Amount, span: Span, root: Token | None, text: str) -> str:
    """The rate of money that other words tell: "the monthly rent is €850", "a one-off €50"."""
    if amount.unit not in units.CURRENCIES:
        return ""
    before = text[max(0, span.start - LOOK) : span.start]
    if _ONE_OFF.search(before) or _ONCE.match(text, span.end):
        return "once"
    counted = noun(root, measured=True) if root is not None else None
    for word in counted.lefts if counted is not None else ():
        if per := units.RATE_ADJECTIVES.get(word.lower_):
            return per
    label = _LABEL.search(before)
    return units.rate_told(label["label"]) if label else ""


def _in_cells(found: list[Quantity], row: Sequence[cells.Cell], text: str) -> list[Quantity]:
    """Amounts that are values of a row, with the unit, the noun and the context of their key."""
    if not row:
        return found
    starts = [cell.value.start for cell in row]
    placed = []
    for quantity in found:
        at = bisect_right(starts, quantity.span.start) - 1
        cell = row[at] if at >= 0 else None
        if cell is None or quantity.span.end > cell.value.end:
            placed.append(quantity)
            continue
        if cell.names:  # "Home 100"
            unit = f"identifier:{quantity.span.of(text).lower()}"
            named_so = replace(quantity, unit=unit, noun=cell.noun, context=cell.context, step=0.0)
            placed.append(named_so)
            continue
        quantity = _signed(quantity, cell, text)
        whole = quantity.span == cell.value
        named = quantity.unit.startswith("identifier")
        if whole and named and cell.unit is not None:  # "latency ms 20"
            quantity, named = replace(quantity, unit="", step=1.0), False
        if whole and not quantity.unit and cell.noun == "id":
            quantity = replace(quantity, unit=f"identifier:{quantity.low:g}", noun="id")
        elif whole and not named:
            quantity = _with_unit(quantity, cell)
            quantity = replace(quantity, noun=cell.noun, context=cell.context)
        else:
            quantity = replace(quantity, context=quantity.context | cell.context)
        placed.append(quantity)
    return placed


def _signed(quantity: Quantity, cell: cells.Cell, text: str) -> Quantity:
    """An amount with its brackets where it is all of a cell; below nothing in a row of profits."""
    told = cells.negative(cell.value.of(text))
    if told is None or quantity.span != told[0].shift(cell.value.start) or ":" in quantity.unit:
        return quantity
    _, unit, scale = told
    told_by_key = scale == 1 and unit in (None, cell.unit)
    own = cell if told_by_key else replace(cell, unit=unit, scale=scale)
    whole = _with_unit(replace(quantity, span=cell.value), own)
    if not cell.gains:
        return whole
    return replace(whole, low=-whole.high, high=-whole.low, unit=f"{SIGNED}{whole.unit}")


def _with_unit(quantity: Quantity, cell: cells.Cell) -> Quantity:
    if quantity.unit in units.CURRENCIES and cell.rate:
        return replace(quantity, unit=f"{quantity.unit}/{cell.rate}")
    if quantity.unit or (cell.unit is None and cell.scale == 1):
        return quantity
    factor = float(cell.scale * (cell.unit.factor if cell.unit else 1))
    base = cell.unit.base if cell.unit else ""
    unit = f"{base}/{cell.rate}" if cell.rate else base
    return replace(quantity, low=quantity.low * factor, high=quantity.high * factor, unit=unit,
                   step=quantity.step * factor)  # fmt: skip


def _noun(root: Token, amount: Amount, span: Span, where: Locator) -> str:
    bare = amount.unit in ("", "ordinal", "times")
    named = noun(root, measured=not bare)
    counted = lemma(named) if named is not None else ""
    if units.find(counted):  # "3, 4 and 5 km" count no kilometres
        return ""
    if counted or not bare:
        return counted
    # The parse has lost it: the noun within the next three words, if nothing else comes between.
    position = where.index(max(span.start, span.end - 1)) + 1
    for token in where.doc[position : position + 3]:
        if token.pos_ == "NOUN":
            return lemma(token)
        if token.pos_ not in ("ADJ", "PROPN"):
            break
    return ""
