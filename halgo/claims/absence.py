"""Claims of absence: "the lease does not mention pets" -> what sources are said to be silent about.

Read like any other sentence such a claim comes out the wrong way round: the more a source says of
pets, the better it seems to support that it says nothing. So it is read by its frame: who is
silent, and about what.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from halgo.claims.phrases import LEAD_IN, SOURCES
from halgo.types import Span

# What is silent. A plan or a store is none of these: "The plan does not include support" is a fact.
_TEXTS = (
    r"(?:(?:the|this|these|our|your|their|either|any)\s(?:[\w&'’-]{1,30}\s){0,3}?)?"
    r"(?:polic(?:y|ies)|terms(?: and conditions| of (?:use|service))?|rules?|leaflet|minutes|lease"
    r"|agreement|contract|report|handbook|manual|guide(?:lines?)?|docs|documentation|paper|article"
    r"|page|faqs?|notice|label|listing|letter|e-?mail|statement|summary|abstract|review|brochure"
    r"|instructions|regulations?|statute|study|story|transcript|readme|press release|release notes"
    r"|changelog|table|specification|passages?|documents?|context|text|sources?|excerpts?|clauses?)"
)
_DOCUMENTATION = r"(?:(?:the|these|this|our|your) )?(?:docs|documentation|manual|readme|faqs?)"
_SILENT = rf"(?:{SOURCES}|{_TEXTS})"
_HOW = r"(?:explicitly |directly |specifically |clearly |actually |ever |also |even |otherwise )?"
_NOT = r"(?:(?:do|does|did)(?: not|n['’]t)|never|nowhere)"
_INFORMATION = r"(?:information|details?|mentions?|references?|indications?|guidance)"
_ON = r"(?:about|on|of|to|regarding|concerning|as to|for)"
_HAS = r"(?:contains?|provides?|gives?|includes?|offers?|has|have|makes?)"
_SPEAKS = (
    r"(?:mentions?|discuss(?:es)?|refers? to|speaks? of|talks? about|touch(?:es)? (?:up)?on"
    r"|address(?:es)?|says? (?:anything|a word) (?:about|on|of)"
    rf"|{_HAS} (?:any )?{_INFORMATION} {_ON})"
)
_STATES = (
    r"(?:states?|specif(?:y|ies)|says?|indicates?|tells?(?: us)?|discloses?|gives?|reveals?"
    r"|names?|lists?)"
)
_SPOKEN_OF = r"(?:mentioned|discussed|addressed|referred to|spoken of|brought up)"
_STATED = r"(?:stated|specified|said|given|indicated|disclosed|named|listed)"
_AT_ALL = r"(?:\s(?:anywhere|at all))?"
_IN = rf"{_AT_ALL}(?:\s(?:in|by|within|from)\s{_SILENT})"
_TOPIC = r"(?P<topic>\S.{1,240}?)"
_CLAUSE = r"(?P<topic>(?:that|who|whom|whether|if|when|how|what|which|where|why|by|at)\b.{2,240}?)"
_NOT_DONE = rf"(?:is|are|was|were) (?:not|never|nowhere) {_HOW}"

# The frames; of those with `asked` it is a value that is said to be missing, not a subject.
_FRAMES = tuple(
    re.compile(rf"{frame}{_AT_ALL}[\s.!\"'”’)]*$", re.IGNORECASE)
    for frame in (
        rf"{_SILENT} (?:also |simply )?{_NOT} {_HOW}"
        rf"(?:{_SPEAKS}|(?P<asked>{_STATES})) {_TOPIC}{_IN}?",
        # A policy that does not cover water damage is no such text.
        rf"(?:{SOURCES}|{_DOCUMENTATION}) {_NOT} {_HOW}"
        rf"(?:covers?|describes?|documents?|explains?|contains?|provides?) {_TOPIC}{_IN}?",
        rf"{_SILENT} {_HAS} no {_INFORMATION} {_ON} {_TOPIC}",
        rf"{_SILENT} (?:says?|tells?(?: us)?) nothing (?:about|of|on) {_TOPIC}",
        rf"{_SILENT} (?:is|are) silent (?:about|on|as to) {_TOPIC}",
        rf"nothing is (?:said|stated|mentioned) (?:about|on|of) {_TOPIC}{_IN}?",
        rf"(?:there (?:is|are) )?no {_INFORMATION}(?:{_IN}| is (?:made|given|provided))?"
        rf" {_ON} {_TOPIC}"
        rf"(?: (?:is|are) (?:made|given|provided|found))?{_IN}?",
        rf"(?:it is|it['’]s) (?:not|never|nowhere) {_HOW}"
        rf"(?:{_SPOKEN_OF}|(?P<asked>{_STATED})){_AT_ALL} {_CLAUSE}{_IN}?",
        rf"{_TOPIC} {_NOT_DONE}(?:{_SPOKEN_OF}{_IN}?|(?P<asked>{_STATED}){_IN})",
    )
)
_DENIED = re.compile(r"\b(?:not|never|no|nothing|nowhere|silent)\b|n['’]t\b", re.IGNORECASE)
_LONGEST = 400  # characters of such a claim
_LEADS = 4  # "Unfortunately, based on the documents, "
_PARTS = re.compile(r",?\s+(?:or|nor)\s+(?:of |about |on )?|,\s+", re.IGNORECASE)
# Whatever follows is more than a topic.
_MORE = re.compile(
    r"[;:]\s|\b(?:but|however|although|though|because|since|while|so (?:it|you|i|we)\b|except)\b",
    re.IGNORECASE,
)
# Who asks for more than a mention asks for what no passage can be seen to lack.
_HALF = re.compile(
    r"^(?:an?y?\s|the\s)?(?:other|further|additional|more|all|every|full|complete|comprehensive"
    r"|detailed|sufficient|enough|clear|explicit|much)\b",
    re.IGNORECASE,
)
_EXACT = re.compile(r"\b(?:specific|exact|precise|particular)\b", re.IGNORECASE)
_ASKED = (
    ("yes_no", r"(?:whether|if)\b"),
    ("said", r"that\b"),
    ("time", r"(?:by |since |until |from )?when\b|(?:on|at|by) what (?:date|day|time|hour)\b"),
    (
        "amount",
        r"(?:by |for |to )?how (?:long|much|many|often|far|old|large|big|high|few)\b"
        r"|(?:at|for|below|above|by|to) what \w+|what\b(?=.{1,200}\bcosts?\W*$)",
    ),
    ("who", r"(?:by |to )?whom?\b"),
    ("way", r"how\b"),
    # "what the limit in Berlin is", which may be an amount, and may be a text.
    ("what", r"what\b(?= (?:the|an?|its|their|your|our)\b.{1,200}\b(?:is|are|was|were)\W*$)"),
    ("open", r"(?:what|which|where|why|in what|for what|under what)\b"),
)


@dataclass(frozen=True, slots=True)
class Absence:
    """What the sources are said not to speak of.

    topics: stretches of the claim, each said to be missing. asked: what about them: "" that they
    are spoken of at all; "yes_no" or "said", what a clause says; "amount", "time" or "who", a value
    of that kind, "value", one of any kind; "what", a value or a text; "way", how something is
    done; "open", a reason. question: the words that ask it, "how long", or "".
    """

    topics: tuple[Span, ...]
    asked: str = ""
    question: str = ""


@lru_cache(maxsize=4096)
def absence(claim: str) -> Absence | None:
    """What a claim says that the sources do not speak of; None where it says nothing of the kind.

    None as well for what no text can be seen to lack: "further details".
    """
    found = _framed(claim) if len(claim) <= _LONGEST else None
    if found is None:
        return None
    at, match = found
    start, end = (at + place for place in match.span("topic"))
    topic = claim[start:end]
    if _MORE.search(topic) or _HALF.match(topic):
        return None
    for asked, words in _ASKED:
        question = re.match(words, topic, re.IGNORECASE)
        if question is not None:
            return Absence((Span(start + question.end(), end),), asked, question[0])
    stated = match.groupdict().get("asked") or _EXACT.search(topic)
    parts, at = [], start
    for comma in [*_PARTS.finditer(claim, start, end), None]:
        until = comma.start() if comma else end
        if claim[at:until].strip():
            parts.append(Span(at, until))
        at = comma.end() if comma else end
    return Absence(tuple(parts), "value" if stated else "")


def _framed(claim: str) -> tuple[int, re.Match[str]] | None:
    """Where the sentence proper begins, and the frame that it has; None without one."""
    at = 0
    for _ in range(_LEADS if _DENIED.search(claim) else 0):
        rest = claim[at:]
        match = next(filter(None, (frame.match(rest) for frame in _FRAMES)), None)
        lead = LEAD_IN.match(rest.replace("’", "'").lower())
        if match is not None or lead is None or not lead.end():
            return None if match is None else (at, match)
        at += lead.end()
    return None
