"""Amounts as a reader is told of them: the signals of compared amounts, with their messages."""

from __future__ import annotations

import re

from halgo.signals.quantities.relation import Relation, relation, unit_and_rate
from halgo.signals.segments import shown
from halgo.types import Pair, Quantity, Signal, Stance

_STANCES = {
    "number_conflict": Stance.CONTRADICTS,
    "number_agrees": Stance.SUPPORTS,
    "number_other_role": Stance.UNSUPPORTED,
    "unsupported_number": Stance.UNSUPPORTED,
}
_AFTER = re.compile(r"(?:\s[^\W\d][\w'’-]*){1,3}")  # the words in which its noun may follow
_KEY = re.compile(r"(?:^|[;—\n]\s?)([^:;—\n]{1,40}):\s?$")
_LOOK_KEY = 48


def compared(
    kind: str, weight: float, claim: Quantity, truth: Quantity | None, pair: Pair
) -> Signal:
    """The signal that an amount of the claim was compared with one of the passage, or with none."""
    said = shown(pair.claim.text, claim.span)
    given = shown(pair.evidence.reading.text, truth.span) if truth else ""
    if truth and said == given and kind == "number_conflict":
        said, given = (
            f"{value} per {rate}"
            if (rate := unit_and_rate(amount)[1]) not in ("", "once")
            else value
            for value, amount in ((said, claim), (given, truth))
        )
    mine, theirs = said, given
    if kind == "number_conflict" or truth is None:
        mine = counted(pair.claim.text, claim)
        theirs = counted(pair.evidence.reading.text, truth) if truth else ""
        mine, theirs = (said, given) if mine == theirs else (mine, theirs)
    message = {
        "number_conflict": f"The claim says {mine}; the source says {theirs}."
        if mine != theirs
        else f"The claim and the source set different limits at {mine}.",
        "number_agrees": f"The source gives {given or said} as well."
        if said == given or not given
        else f"The source says {given}, which agrees with {said}."
        if relation(claim, truth or claim) is not Relation.COMPATIBLE
        else f"The source says {given}, which leaves room for {said}.",
        "number_other_role": f"The source says {said} of something else.",
        "unsupported_number": f"The source says {given}, not {said} exactly."
        if truth
        else f"The passage does not mention {named(mine)}.",
    }[kind]
    return Signal(
        kind,
        _STANCES[kind],
        round(weight, 3),
        message,
        claim.span,
        truth.span if truth else None,
        (said, given) if truth else (said, ""),
    )


def counted(text: str, amount: Quantity) -> str:
    """An amount with what it counts: "three divisions", or in a row its key, "size (MB): 2048".

    A bare figure tells a reader little, and a rate without its unit something wrong.
    """
    said = shown(text, amount.span)
    if not said.replace(",", "").replace(".", "").isalnum() or len(said.split()) > 1:
        return said  # it has a sign or a unit
    if key := _KEY.search(text[max(0, amount.span.start - _LOOK_KEY) : amount.span.start]):
        return f"{key[1]}: {said}"
    after = _AFTER.match(text, amount.span.end)
    following = after[0].split() if after and amount.noun else []
    stem = amount.noun[: max(3, len(amount.noun) - 2)]
    at = next((at for at, word in enumerate(following) if word.lower().startswith(stem)), -1)
    return " ".join((said, *following[: at + 1]))


def named(amount: str) -> str:
    """An amount as a message names it: in quotation marks where it is a word, as "doubled" is."""
    return amount if any(map(str.isdigit, amount)) else f'"{amount}"'
