"""False units, currencies, and percentage points for per cent."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from spacy.tokens import Span

from .edits import Change, Edit, Stance, replace_tokens
from .numerals import SCALES, bound_on
from .tables import rows

# A unit and what may stand for it in false text.
_UNIT_SWAPS = {
    unit: tuple(others)
    for unit, *others in rows(
        """
        km m miles, kilometers miles meters, kilometres miles metres, miles kilometers yards,
        kilometer mile meter, mile kilometer, meters feet kilometers centimeters,
        metres feet kilometres, feet meters inches yards, foot meter inch, inches feet yards,
        kg g pounds, kilograms grams pounds, grams kilograms ounces, pounds kilograms,
        ounces pounds, tonnes kilograms, mg g mcg, tons pounds, liters milliliters gallons,
        litres millilitres gallons, ml l, gallons liters, acres hectares, hectares acres,
        seconds minutes hours, minutes hours seconds days, hours days minutes weeks,
        hour day minute, days weeks months, day week month, weeks months days, week month day,
        months years weeks days, month week year, years months decades, year month decade,
        decades years centuries, mm cm m, cm mm m, mph km/h, watts kilowatts,
        megawatts kilowatts gigawatts, MW kW GW, GB MB TB, dollars euros pounds, euros dollars,
        cents dollars
        """
    )
}

_SIGNS = {"$": ("€", "£"), "€": ("$", "£"), "£": ("$", "€")}


def unit_edits(sentence: Span, rng: Random) -> Iterator[Change]:
    """Another unit or currency beside the same number."""
    for token in sentence:
        previous = token.nbor(-1) if token.i > sentence.start else None
        if token.text in _UNIT_SWAPS and previous is not None:
            number = previous.like_num or previous.lower_ in SCALES
            if not number or previous.text == "May" or previous.lower_.endswith(("th", "st", "rd")):
                continue
            if token.i + 1 < len(token.doc) and (
                token.nbor(1).text in ("a", "per", "each", "/")
                or token.nbor(1).text in ("old", "'", "’", "-", "'s", "’s")
                or token.nbor(1).pos_ == "NUM"
            ):
                continue
            new = rng.choice(_UNIT_SWAPS[token.text])
            if any(t.lower_ == new for t in sentence):
                continue
            bound = bound_on(previous)
            stance: Stance = "unsupported" if bound in ("up", "down") else "contradicted"
            yield replace_tokens(token, token, new), "unit", stance
        elif token.text in _SIGNS and token.i + 1 < sentence.end and token.nbor(1).like_num:
            sign = Edit(token.idx, token.idx + 1, rng.choice(_SIGNS[token.text]))
            yield [sign], "currency", "contradicted"
        elif token.text == "%" and previous is not None and previous.like_num:
            before = previous.nbor(-1).lower_ if previous.i > sentence.start else ""
            after = token.nbor(1).text if token.i + 1 < sentence.end else "."
            if before == "by" and after in (".", ",", "in", "on", "since", "from", "over"):
                points = Edit(token.idx, token.idx + 1, " percentage points")
                yield [points], "percent", "contradicted"
