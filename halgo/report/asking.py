"""A text model asked for claims or verdicts -> its reply, read strictly, or a Malformed error.

A model that reads an answer may leave a claim out, or put one in. So what it extracts is held
against the answer in both directions, by numbers and words: every claim has to stand there, and
everything that halgo would check has to be among the claims. What fails is malformed, and the
caller goes on without the model.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from halgo.errors import HalgoError
from halgo.protocols import TextModel
from halgo.report.safe import bare

_EXTRACT = """\
Below is an answer. Write down every factual claim it makes, one claim a line, in the order of
the answer. A claim is one short sentence that can be verified by itself: put names in the place
of pronouns, and change no number, name or date. Leave out questions, greetings and page numbers.
Write nothing but the claims. When there are none, write NONE.

Answer:
<answer>
{answer}
</answer>
"""
_VERIFY = """\
Below are sources and a claim. Go by the sources alone: do they support the claim?
The first word of your reply is one of
SUPPORTED: the sources say so, or it follows plainly from them
PARTIALLY_SUPPORTED: a part is in the sources, a detail of weight is not
NOT_SUPPORTED: the sources do not say so, or say otherwise
Behind it, on the same line and in at most twenty words, say which detail is missing.

Sources:
<sources>
{sources}
</sources>

Claim: {claim}
"""

_THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"^\s*```.*$", re.MULTILINE)
_BULLET = re.compile(
    r"^\s*(?:[-*+\u2022]\s+|\(?\d{1,3}[.):]\s+)?(?:claim\s*\d*\s*:\s*)?", re.IGNORECASE
)
_LABEL = re.compile(
    r"^\W*(?:(?:final\s+)?verdict\W+)?"
    r"(?P<label>partially[\s_-]*supported|not[\s_-]*supported|unsupported|supported)\b"
    r"(?P<note>.*)$",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[^\W\d_]{4,}")
_STEM = 5  # letters: "received" and "receives" are one word here
_SHARE = 0.5
_LONGEST_NOTE = 300
_MOST_CLAIMS = 500
_LONGEST_REPLY = 200_000


class Support(StrEnum):
    """How far the sources support a claim."""

    SUPPORTED = "SUPPORTED"
    PARTIALLY_SUPPORTED = "PARTIALLY_SUPPORTED"
    NOT_SUPPORTED = "NOT_SUPPORTED"

    @property
    def weight(self) -> float:
        """What the claim adds to the confidence, in [0, 1]."""
        return {"SUPPORTED": 1.0, "PARTIALLY_SUPPORTED": 0.5, "NOT_SUPPORTED": 0.0}[self.value]


class Malformed(HalgoError):
    """A reply that does not say what was asked for; the message holds nothing of its text."""


def ask_claims(model: TextModel, answer: str, own: Sequence[str]) -> list[str]:
    """The claims that a model finds in an answer, in order; `own` are those that halgo checks.

    Raises Malformed, and whatever the model raises.
    """
    reply = _asked(model, _EXTRACT.format(answer=bare(answer)))
    claims = [claim for line in reply.splitlines() if (claim := _claim_of(line))]
    if [claim.strip(" .*").upper() for claim in claims] == ["NONE"]:
        claims = []
    if len(claims) > _MOST_CLAIMS:
        raise Malformed(f"it gave {len(claims)} claims")
    strange = sum(not _says(answer, claim) for claim in claims)
    if strange:
        raise Malformed(f"{strange} of its {len(claims)} claims do not stand in the answer")
    whole = " ".join(claims)
    left_out = sum(not _says(whole, claim) for claim in own)
    if left_out:
        raise Malformed(f"it left out {left_out} of {len(own)} claims of the answer")
    return claims


def ask_verdict(model: TextModel, claim: str, sources: str) -> tuple[Support, str | None]:
    """What a model says of a claim, and the detail it misses, if it names one.

    Raises Malformed, and whatever the model raises.
    """
    lines = _asked(model, _VERIFY.format(claim=claim, sources=sources)).splitlines()
    lines = [line for line in lines if line.strip()]
    found = _LABEL.match(lines[0]) if lines else None
    if found is None:
        raise Malformed("its reply does not begin with a verdict")
    label = re.sub(r"[\s_-]", "", found["label"].lower())
    support = {
        "supported": Support.SUPPORTED,
        "partiallysupported": Support.PARTIALLY_SUPPORTED,
    }.get(label, Support.NOT_SUPPORTED)
    note = found["note"].strip(" \t:.*_-\u2013\u2014\"'`")
    if not note and len(lines) > 1:
        note = lines[1].strip()
    return support, note[:_LONGEST_NOTE] or None


def _asked(model: TextModel, prompt: str) -> str:
    """The model's reply, without what it thought aloud and without marks around code."""
    reply = model(prompt)
    if not isinstance(reply, str):
        raise Malformed(f"its reply is no string but {type(reply).__name__}")
    if len(reply) > _LONGEST_REPLY:
        raise Malformed(f"its reply has {len(reply):,} characters")
    reply = _FENCE.sub("", _THOUGHT.sub("", reply)).strip()
    if not reply:
        raise Malformed("its reply is empty")
    return reply


def _claim_of(line: str) -> str:
    """A line without its bullet; "" for one that is no claim, such as "Here are the claims:"."""
    claim = _BULLET.sub("", line, count=1).strip().strip('"').strip()
    return "" if claim.endswith(":") or not any(map(str.isalpha, claim)) else claim


def _says(whole: str, part: str) -> bool:
    """Whether a text has all numbers of another, and at least half of its words."""
    if not set(_NUMBER.findall(part)) <= set(_NUMBER.findall(whole)):
        return False
    words = _stems(part)
    return len(words & _stems(whole)) >= _SHARE * len(words)


def _stems(text: str) -> set[str]:
    return {word[:_STEM].lower() for word in _WORD.findall(text)}
