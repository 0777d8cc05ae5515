"""Entries: what a manual tells of the option `-C`, said of the option `-f`; who said what.

A manual, a list of parameters or of settings has an entry for each name: an option, a word in
backquotes, an identifier, at the beginning of a line or an item; minutes and chats have one for
each speaker. A claim that gives one name what another's entry says, and its own does not, has the
wrong one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from halgo.evidence.lexical import content_stems, stems
from halgo.protocols import Lexicon
from halgo.signals.matching import alike
from halgo.types import Pair, Signal, Span, Stance

_WRONG = 0.75
# Share of the claim's words that the other entry holds, at least, and its own of these, at most;
# more where the other holds all of them.
_TOLD, _OWN, _OWN_OF_ALL = 0.6, 0.5, 0.7
_FEWEST = 2  # words of the claim beside the name
_LONGEST, _MOST = 4_000, 40  # characters of a passage, entries of it
_OPTION = r"-{1,2}[A-Za-z0-9?][\w-]*"
_TYPE = r"(?:\([^()\n]{0,40}\))?"  # "timeout (float): ..."
_HEAD = re.compile(
    r"^[ \t]*(?:[-*+][ \t]+|\d{1,3}[.)][ \t]+)?(?:\*\*)?(?:"
    rf"(?P<options>{_OPTION}(?:[ =\[][A-Z<\[][\w\]=>-]*)?"
    rf"(?:,[ \t]+{_OPTION}(?:[ =\[][A-Z<\[][\w\]=>-]*)?){{0,4}})(?=\s|$|:)"
    r"|(?:\[[\d:. ]{4,20}\][ \t]+)?"
    r"(?P<speaker>[^\W\d_][\w.'-]*(?: [A-Z][\w.'-]*){0,3}):(?:\*\*)?[ \t]"
    r"|`(?P<code>[^`\n]{1,40})`"
    r"|(?P<command>[a-z][\w:.-]{1,30})(?:[ \t]{2,}(?=[A-Z])|[ \t]{4,}(?=[a-z]))(?=\S{1,40} \S)"
    r"|(?P<name>[A-Za-z]\w*[_.]\w[\w.]*|[A-Z][A-Z0-9]{2,})"
    rf"(?=[ \t]*{_TYPE}[ \t]*[:=]))",
    re.MULTILINE,
)
_NAMES = re.compile(rf"(?<![\w-]){_OPTION}")
# Words for an entry itself.
_IDLE = frozenset(stems("option flag parameter argument setting variable command switch field"))


@dataclass(frozen=True, slots=True)
class _Entry:
    """The names of an entry, and the words that tell of it."""

    at: int  # the passage
    names: tuple[str, ...]
    words: frozenset[str]


def signals(pairs: Sequence[Pair], _: Lexicon) -> list[list[Signal]]:
    """For each of one claim's passages at most one name_conflict."""
    found: list[list[Signal]] = [[] for _ in pairs]
    entries = [entry for at, pair in enumerate(pairs) for entry in _entries(at, pair)]
    if len(entries) < 2:
        return found
    claim = pairs[0].claim.text
    named = {name: span for entry in entries for name in entry.names
             if (span := _place(claim, name)) is not None}  # fmt: skip
    mine = [entry for entry in entries if not named.keys().isdisjoint(entry.names)]
    if not mine or len({entry.names for entry in mine}) > 1:
        return found  # none, or several that the claim compares
    known = frozenset[str]().union(*(stems(name) for name in named))
    said = content_stems(claim) - known - _IDLE
    others = [entry for entry in entries if entry.names != mine[0].names]
    if len(said) < _FEWEST or not others:
        return found
    own = max(_share(said, entry.words) for entry in mine)
    rival = max(others, key=lambda entry: _share(said, entry.words))
    told = _share(said, rival.words)
    if told < _TOLD or own > (_OWN_OF_ALL if told == 1 else _OWN * told):
        return found
    name, span = next((name, named[name]) for name in mine[0].names if name in named)
    theirs = frozenset[str]().union(*(o.words for o in others if o.names == rival.names))
    parts = {part for part in stems(name) if part in theirs}
    if parts and (name.replace(" ", "").isalpha() or parts == set(stems(name))):
        return found  # "Ann: Ben proposed it" is told of Ben
    message = f'The source says this of "{rival.names[0]}", not of "{name}".'
    values, document = (name, rival.names[0]), pairs[rival.at].evidence.chunk.doc_id
    for at, pair in enumerate(pairs):  # what is wrong is so beside every passage of the reference
        if pair.evidence.chunk.doc_id == document:
            place = _place(pair.evidence.reading.text, rival.names[0])
            found[at].append(
                Signal("name_conflict", Stance.CONTRADICTS, _WRONG, message, span, place, values)
            )
    return found


def _entries(at: int, pair: Pair) -> Iterator[_Entry]:
    text = pair.evidence.chunk.text[:_LONGEST]
    heads = list(_HEAD.finditer(text))[:_MOST]
    over = _NAMES.findall(pair.evidence.heading) if not heads else []
    if over:  # what comes further down in the entry of an option
        yield _Entry(at, tuple(over), frozenset(stems(text)))
    ends = [*(head.start() for head in heads[1:]), len(text)]
    for head, end in zip(heads, ends, strict=False):
        body = text[head.end() : end]
        options = head["options"]
        name = head["code"] or head["speaker"] or head["command"] or head["name"]
        names = _NAMES.findall(options) if options else [name]
        if content_stems(body):  # else it is only listed
            yield _Entry(at, tuple(names), frozenset(stems(body)))


def _place(text: str, name: str) -> Span | None:
    if name not in text:
        return None
    found = re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)
    return Span(*found.span()) if found else None


def _share(wanted: Set[str], held: frozenset[str]) -> float:
    """The share of the words that are among these, or begin one of them."""
    return sum(alike(word, held) for word in wanted) / len(wanted)
