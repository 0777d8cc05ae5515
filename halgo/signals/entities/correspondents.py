"""Correspondents: what the writer of a letter says of themselves, told of its reader, and back.

"Hi Mark, I have signed the contract. Priya" says that Priya has, and nothing of Mark; "You owe me
50 euros" says it of Mark. "I" and "you" name nobody, so every word of the wrong claim stands there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from halgo.evidence.lexical import content_stems
from halgo.evidence.open_questions import restates
from halgo.protocols import Lexicon
from halgo.signals.segments import CLAUSE, SENTENCE, split
from halgo.types import Pair, Signal, Span, Stance

_WEIGHT = 0.75
_SHARED = 0.6  # share of the claim's other words that a sentence has
_LONGEST = 8_000  # characters of a passage
_WORD = r"(?!(?:You|Your|I|We|My|Our|The|Please|Thank|Thanks|From|To|Subject)\b)[A-Z][\w'\u2019-]+"
_NAME = rf"(?:(?:Mr|Mrs|Ms|Dr|Prof)\.? )?({_WORD}(?: {_WORD}){{0,2}})"
_GREETING = r"(?:Hi|Hello|Hey|Dear|Good (?:morning|afternoon|evening))"
_READER = re.compile(rf"(?<!\S)(?:{_GREETING} {_NAME}(?=\s?[,!.\n-])|To: {_NAME})[,!]?")
_CLOSING = r"(?i:regards|wishes|best|thanks|cheers|sincerely|yours|love)"
_WRITER = re.compile(rf"(?<!\S)(?:From: {_NAME}|{_CLOSING},?\s+{_NAME}\s*$)|[.!?]\s+{_NAME}\s*$")
_PERSON = re.compile(r"\b(?:(?P<writer>I|we)|(?P<reader>you))\b(?!['\u2019]s)", re.IGNORECASE)
_ASKED = re.compile(r"\W*please\b", re.IGNORECASE)
_PART = re.compile(rf"{SENTENCE.pattern}|{CLAUSE.pattern}")
_CLAIMED = re.compile(rf"^{_NAME}\s")


def signals(pairs: Sequence[Pair], _: Lexicon) -> list[list[Signal]]:
    """Beside each passage of one claim at most one `name_role`: said of the other of the two."""
    found: list[list[Signal]] = [[] for _ in pairs]
    match = _CLAIMED.match(pairs[0].claim.text) if pairs else None
    if match is None or restates(pairs[0].claim.text):
        return found  # "Anna asked Tom to bring them" is what "please bring them" says of Anna
    name, claim = match[1], pairs[0].claim.text
    said = content_stems(claim) - content_stems(claim[: match.end()])
    for doc_id in dict.fromkeys(pair.evidence.chunk.doc_id for pair in pairs):
        mine = [at for at, pair in enumerate(pairs) if pair.evidence.chunk.doc_id == doc_id]
        texts = [pairs[at].evidence.reading.text[:_LONGEST] for at in mine]
        own = "writer" if _is_one(name, _WRITER, texts) else "reader"
        other = "reader" if own == "writer" else "writer"
        if own == "reader" and not _is_one(name, _READER, texts):
            continue
        told = [(at, place, who) for at, text in zip(mine, texts, strict=True)
                for place, who in _told(text, said, name)]  # fmt: skip
        if not told or any(who != other for _, _, who in told):
            continue
        shown = told[0][1].of(texts[mine.index(told[0][0])])
        message = f"The {other} of the letter is meant, not {name}: “{shown.strip()}”."
        signal = Signal("name_role", Stance.CONTRADICTS, _WEIGHT, message, Span(0, match.end(1)))
        places = {at: place for at, place, _ in reversed(told)}
        for at in mine:
            found[at].append(replace(signal, evidence_span=places.get(at)))
    return found


def _told(text: str, said: frozenset[str], name: str) -> Iterator[tuple[Span, str]]:
    """The clauses that have most of a claim's words, and of whom each is: "writer", "reader"."""
    for clause in split(_PART, Span(0, len(text)), text):
        one = _READER.sub(" ", clause.of(text))
        if not said or len(said & content_stems(one)) < _SHARED * len(said):
            continue
        who = {match.lastgroup or "" for match in _PERSON.finditer(one)}
        if _ASKED.match(one):
            yield clause, "reader"
        elif len(who) == 1 and name not in one:
            yield clause, who.pop()
        else:
            yield clause, ""  # of both, or of somebody by name


def _is_one(name: str, pattern: re.Pattern[str], texts: Sequence[str]) -> bool:
    """Whether a name is that of the writer, or of the reader, told in full or by a part."""
    wanted = set(name.split())
    known = (
        group for text in texts for match in pattern.finditer(text) for group in match.groups()
    )
    return any(wanted & set(group.split()) for group in known if group)
