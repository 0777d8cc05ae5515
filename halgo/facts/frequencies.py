"""How often: "every month", "quarterly", "semi-annually", "on alternate days", "every other week".

The time between one and the next, at the rate "every".
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from halgo.facts import units
from halgo.facts.amounts import AmountReader
from halgo.facts.numbers import Amount
from halgo.facts.roles import Locator
from halgo.facts.words import WEEKDAYS

_BETWEEN = {"other": Fraction(2), "second": Fraction(2), "half": Fraction(1, 2)}
_MORE = ("and", "or", ",")  # "every other Monday and Friday" is twice in two weeks
_SPOKEN = {
    "fortnightly": (Fraction(2), "week"),
    "semiannually": (Fraction(1, 2), "year"),
    "biannually": (Fraction(1, 2), "year"),
    "biennially": (Fraction(2), "year"),
}


def read(reader: AmountReader, where: Locator, at: int) -> Amount | None:
    """The time between that is told at a piece; None where none is."""
    word, last = reader.word(at), at + 1
    token = where.doc[where.index(reader.pieces[at].start)]
    number, per = Fraction(1), ""
    if word == "every":
        if reader.word(last) in _BETWEEN:
            number, last = _BETWEEN[reader.word(last)], last + 1
        last += reader.word(last) == "-"
        per, last = reader.word(last), last + 1
        if number == 2 and per in WEEKDAYS and reader.word(last) not in _MORE:
            per = "week"  # "every other Thursday"
    elif word in ("semi", "half") and reader.word(last) == "-":
        number, per, last = (
            Fraction(1, 2),
            units.RATE_ADVERBS.get(reader.word(last + 1), ""),
            last + 2,
        )
    elif word in units.RATE_ADJECTIVES and reader.word(last) == "basis":
        per, last = units.RATE_ADJECTIVES[word], last + 1
    elif word == "alternate" and reader.word(last).endswith("s"):
        number, per, last = Fraction(2), reader.word(last).removesuffix("s"), last + 1
    elif word in _SPOKEN:
        number, per = _SPOKEN[word]
    elif token.pos_ == "ADV" or (token.dep_ == "advmod" and token.head.pos_ in ("VERB", "AUX")):
        per = units.RATE_ADVERBS.get(word, "")
    unit = units.find("trimester" if per == "quarter" else units.TIME_UNITS.get(per, ""))
    if unit is None or unit.factor < units.DAY:
        return None  # what is more often is told by how many times
    return replace(reader.worded(at, number, unit, last), rate="every")
