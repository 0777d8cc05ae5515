"""False years, months, days and weekdays."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from spacy.tokens import Span, Token

from .edits import Change, Stance, replace_tokens
from .tables import word_list

MONTHS = word_list(
    """
    January February March April May June July August September October November December
    """
)

_WEEKDAYS = word_list("Monday Tuesday Wednesday Thursday Friday Saturday Sunday")


def date_edits(sentence: Span, rng: Random) -> Iterator[Change]:
    """Another weekday, month, year, day or decade."""
    for token in sentence:
        text = token.text
        following = token.nbor(1) if token.i + 1 < sentence.end else None
        dated = token.ent_type_ == "DATE"
        if text in _WEEKDAYS and dated and sum(t.text in _WEEKDAYS for t in sentence) == 1:
            new = rng.choice([day for day in _WEEKDAYS if day != text])
            yield replace_tokens(token, token, new), "weekday", "contradicted"
        elif text in MONTHS and dated and sum(t.text in MONTHS for t in sentence) == 1:
            new = rng.choice([month for month in MONTHS if month != text])
            if _day_fits(token, new):
                yield replace_tokens(token, token, new), "month", _by_bound(token)
        elif re.fullmatch(r"1[0-9]{3}|20[0-9]{2}", text) and dated:
            if following is not None and (
                following.text in ("-", "–", "—", "/") or following.pos_ == "PROPN"
            ):
                continue
            if token.i > sentence.start and token.nbor(-1).text in ("-", "–", "—", "/"):
                continue
            bound = _time_bound(token)
            far = rng.choice((rng.randint(1, 3), rng.randint(4, 25)))
            year = int(text) + (far if bound in ("", "up") else -far)
            if not bound and rng.random() < 0.5:
                year = int(text) - far
            if 1000 <= year <= 2025 and not any(t.text == str(year) for t in sentence):
                stance: Stance = "unsupported" if bound else "contradicted"
                yield replace_tokens(token, token, str(year)), "year", stance
        elif re.fullmatch(r"[12]?\d|3[01]", text) and dated and _beside_month(token):
            new = str(rng.choice([day for day in range(1, 29) if day != int(text)]))
            yield replace_tokens(token, token, new), "day", _by_bound(token)
        elif re.fullmatch(r"(1[0-9]|20)\d0s", text) and dated:
            decade = int(text[:4]) + rng.choice((-20, -10, 10, 20))
            if decade <= 2020:
                yield replace_tokens(token, token, f"{decade}s"), "year", "contradicted"


def _by_bound(token: Token) -> Stance:
    return "unsupported" if _time_bound(token) else "contradicted"


def _time_bound(token: Token) -> str:
    words = [t.lower_ for t in token.doc[max(token.sent.start, token.i - 5) : token.i]]
    if any(word in ("before", "by", "until", "till") for word in words):
        return "down"
    return "up" if any(word in ("after", "since", "from") for word in words) else ""


def _beside_month(token: Token) -> bool:
    sent = token.sent
    before = token.i > sent.start and token.nbor(-1).text in MONTHS
    after = token.i + 1 < sent.end and token.nbor(1).text in MONTHS
    return before or after


def _day_fits(token: Token, month: str) -> bool:
    near = [t.text for t in token.sent if abs(t.i - token.i) == 1]
    days = [int(text) for text in near if text.isdigit() and len(text) < 3]
    return all(day <= 28 for day in days)
