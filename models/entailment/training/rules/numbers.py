"""False numbers: near, far, tenfold, with digits swapped; never one that the bound allows."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

from spacy.tokens import Span, Token

from .edits import Change, Stance, cased_like, replace_tokens
from .numerals import DIGITS, SCALES, VALUES, WORD_OF, bound_on, tells_amount


def number_edits(sentence: Span, rng: Random) -> Iterator[Change]:
    """Another number, or another scale ("million" -> "billion"), in place of each amount."""
    for token in sentence:
        if token.lower_ in SCALES and token.i > sentence.start and token.nbor(-1).like_num:
            others = [word for word in SCALES if word != token.lower_]
            stance: Stance = "contradicted"
            if not bound_on(token.nbor(-1)) or bound_on(token.nbor(-1)) == "about":
                yield replace_tokens(token, token, rng.choice(others)), "magnitude", stance
            continue
        if DIGITS.fullmatch(token.text) and tells_amount(token):
            yield from _digit_edits(token, rng)
        elif (
            token.lower_ in VALUES and tells_amount(token) and token.dep_ in ("nummod", "compound")
        ):
            value = VALUES[token.lower_]
            head_plural = token.head.tag_ in ("NNS", "NNPS") or token.head.lower_ in SCALES
            if value < 2 or (not head_plural and value != 1):
                continue
            bound = bound_on(token)
            step = [v for v in WORD_OF if v > 1 and v != value and _fits(v, value, bound)]
            if step:
                near = sorted(step, key=lambda v: abs(v - value))[:6]
                new = cased_like(WORD_OF[rng.choice(near)], token)
                loose: Stance = "unsupported" if bound in ("up", "down") else "contradicted"
                yield replace_tokens(token, token, new), "number", loose


def _fits(new: float, old: float, bound: str) -> bool:
    if bound == "up":
        return new > old
    if bound == "down":
        return new < old
    if bound == "about":
        return new >= old * 1.6 or new <= old * 0.55
    return new != old


def _digit_edits(token: Token, rng: Random) -> Iterator[Change]:
    text = token.text
    value = float(text.replace(",", ""))
    if value == 0 or value >= 1e12 or (len(text) > 1 and text[0] == "0" and "." not in text):
        return
    if 1900 <= value <= 2100 and len(text) == 4:
        return  # a year the parser did not see
    bound = bound_on(token)
    places = len(text.partition(".")[2])
    unit = 10.0**-places
    percent = token.i + 1 < len(token.doc) and token.nbor(1).lower_ in ("%", "percent", "per")
    stance: Stance = "unsupported" if bound in ("up", "down") else "contradicted"
    nearer = [value + rng.choice((-1, 1)) * rng.randint(1, 3) * unit,
              value * rng.choice((0.8, 0.9, 1.1, 1.2))]  # fmt: skip
    farther = [value * rng.choice((0.25, 0.4, 0.5, 2, 2.5, 3, 5))]
    tenfold = [value * rng.choice((0.1, 10))]
    digits = [i for i, c in enumerate(text) if c.isdigit()]
    swaps = [
        (a, b) for a, b in pairwise(digits)
        if text[a] != text[b] and not (a == 0 and text[b] == "0")
    ]  # fmt: skip
    made: list[tuple[str, str]] = []
    for kind, values in (("number_near", nearer), ("number_far", farther), ("magnitude", tenfold)):
        new = rng.choice(values)
        if places == 0:
            new = float(round(new))
        if kind == "magnitude" and new * 10 != value and new != value * 10:
            continue
        made.append((_written(new, text), kind))
    if swaps:
        a, b = rng.choice(swaps)
        chars = list(text)
        chars[a], chars[b] = chars[b], chars[a]
        made.append(("".join(chars), "number_digits"))
    head = token.head
    plural = head.tag_ in ("NNS", "NNPS") and token.dep_ == "nummod"
    for new_text, kind in made:
        new = float(new_text.replace(",", ""))
        if new <= 0 or new_text == text or not _fits(new, value, bound):
            continue
        if (percent and value <= 100 < new) or (plural and new == 1) or value == 1:
            continue
        if bound == "" and abs(new - value) / value < 0.004:
            continue
        yield replace_tokens(token, token, new_text), kind, stance


def _written(value: float, like: str) -> str:
    """The value in the style of `like`: thousands separators and decimals."""
    places = len(like.partition(".")[2])
    comma = "," in like or (value >= 10_000 and len(like.partition(".")[0]) < 5)
    text = f"{value:,.{places}f}" if comma else f"{value:.{places}f}"
    return text
