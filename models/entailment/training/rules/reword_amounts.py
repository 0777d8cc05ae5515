"""Numbers, units and dates written another way, with the same value."""

from __future__ import annotations

import re
from collections.abc import Iterator

from spacy.tokens import Span, Token

from .dates import MONTHS
from .edits import Edit, replace_tokens
from .numerals import DIGITS, VALUES, WORD_OF, bound_on, tells_amount
from .text import bounds_of, source_text

_EXACT = {
    "hours": (60, "minutes"), "weeks": (7, "days"), "minutes": (60, "seconds"),
    "kilometers": (1000, "meters"), "kilometres": (1000, "metres"), "km": (1000, "m"),
    "kilograms": (1000, "grams"), "kg": (1000, "g"), "decades": (10, "years"),
    "feet": (12, "inches"), "days": (24, "hours"), "years": (12, "months"),
    "tonnes": (1000, "kilograms"), "cm": (10, "mm"), "grams": (1000, "milligrams"),
}  # fmt: skip

_ROUNDED = {
    "km": (0.621371, "miles"), "kilometers": (0.621371, "miles"), "miles": (1.609344, "km"),
    "kilometres": (0.621371, "miles"), "meters": (3.28084, "feet"), "metres": (3.28084, "feet"),
    "kg": (2.204623, "pounds"), "kilograms": (2.204623, "pounds"), "acres": (0.404686, "hectares"),
    "hectares": (2.471054, "acres"), "inches": (2.54, "centimeters"), "feet": (0.3048, "meters"),
}  # fmt: skip

_DMY = re.compile(rf"\b(\d{{1,2}}) ({'|'.join(MONTHS)}) (\d{{4}})\b")
_MDY = re.compile(rf"\b({'|'.join(MONTHS)}) (\d{{1,2}}), (\d{{4}})\b,?")


def reworded_numbers(sentence: Span) -> Iterator[list[Edit]]:
    """Numbers in words or figures, "%" and "percent", millions written out."""
    for token in sentence:
        if token.lower_ in VALUES and token.dep_ == "nummod" and tells_amount(token):
            if token.is_title or token.nbor(1).is_title or token.ent_type_ == "WORK_OF_ART":
                continue
            value = VALUES[token.lower_]
            # "one" is no plain number, and a numeral does not open a sentence.
            if value >= 2 and token.i > sentence.start and token.nbor(1).text not in "-(":
                yield replace_tokens(token, token, str(value), False)
        elif token.text.isdigit() and int(token.text) in WORD_OF and tells_amount(token):
            after = token.nbor(1) if token.i + 1 < sentence.end else None
            before = token.nbor(-1).text if token.i > sentence.start else ""
            if token.text[0] == "0" or after is None or before in ("$", "£", "€"):
                continue
            if int(token.text) >= 2 and after.tag_ in ("NNS",) and len(after.text) > 3:
                yield replace_tokens(
                    token, token, _cased_first(WORD_OF[int(token.text)], token), False
                )
        elif token.lower_ == "percent" and token.i > sentence.start:
            if token.nbor(-1).text.replace(".", "").isdigit():
                left = token.nbor(-1)
                yield [Edit(left.idx, token.idx + len(token), f"{left.text}%", False)]
        elif token.text == "%" and token.i > sentence.start and token.nbor(-1).like_num:
            yield [Edit(token.idx, token.idx + 1, " percent", False)]
        if token.lower_ in ("million", "billion") and token.i > sentence.start:
            left = token.nbor(-1)
            if re.fullmatch(r"\d{1,3}(\.\d{1,2})?", left.text) and left.whitespace_:
                scale = 1_000_000 if token.lower_ == "million" else 1_000_000_000
                value = round(float(left.text) * scale)
                if scale == 1_000_000:
                    yield replace_tokens(left, token, f"{value:,}", False)
        elif re.fullmatch(r"\d{1,3}(,\d{3}){2}", token.text) and token.text.endswith("00,000"):
            value = int(token.text.replace(",", ""))
            yield replace_tokens(token, token, f"{value / 1_000_000:g} million", False)


def _cased_first(word: str, token: Token) -> str:
    return word.capitalize() if token.i == token.sent.start else word


def reworded_units(sentence: Span) -> Iterator[list[Edit]]:
    """Amounts in another unit: exact ones as they are, rounded ones with "about"."""
    for token in sentence:
        if (token.text not in _EXACT and token.text not in _ROUNDED) or token.i == sentence.start:
            continue
        left = token.nbor(-1)
        if not (DIGITS.fullmatch(left.text) or left.lower_ in VALUES) or _glued(left, token):
            continue
        value = float(VALUES.get(left.lower_, 0) or left.text.replace(",", ""))
        after = token.nbor(1).text if token.i + 1 < sentence.end else ""
        if (
            value <= 1
            or after in ("old", "-", "'", "’", "per", "/", "(", ",", "and", "of")
            or left.i == sentence.start
        ):
            continue
        if token.text in _EXACT:
            factor, unit = _EXACT[token.text]
            most = {"years": 5, "days": 4, "feet": 10, "decades": 9, "hours": 24, "weeks": 8}
            if value <= most.get(token.text, 1e4) and (value * factor) % 1 == 0:
                yield replace_tokens(left, token, f"{value * factor:,.0f} {unit}", False)
        if token.text in _ROUNDED and not bound_on(left):
            factor, unit = _ROUNDED[token.text]
            made = value * factor
            shown = f"{made:,.0f}" if made >= 20 else f"{made:.1f}"
            yield replace_tokens(left, token, f"about {shown} {unit}", False)


def _glued(left: Token, token: Token) -> bool:
    if left.i == left.sent.start:
        return False
    before = left.nbor(-1)
    return before.text in ("-", "–", "to", "and", "or", "/", "by", "a", "an", "the") or (
        before.like_num
    )


def reworded_dates(sentence: Span) -> Iterator[list[Edit]]:
    """Dates as "3 May 2021" or "May 3, 2021"."""
    start, end = bounds_of(sentence)
    text = source_text(sentence.doc)[start:end]
    for match in _DMY.finditer(text):
        day, month, year = match.groups()
        after = text[match.end() : match.end() + 1]
        comma = "," if after == " " else ""
        yield [Edit(start + match.start(), start + match.end(),
                    f"{month} {day}, {year}{comma}", False)]  # fmt: skip
    for match in _MDY.finditer(text):
        month, day, year = match.groups()
        opens = match.start() == 0 or text[: match.start()].count(" ") < 2
        comma = "," if match.group().endswith(",") and opens else ""
        yield [Edit(start + match.start(), start + match.end(),
                    f"{day} {month} {year}{comma}", False)]  # fmt: skip
