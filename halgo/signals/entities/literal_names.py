"""Names that a program takes literally, as a claim has them in backticks or calls them.

`client.get_services()`, `X-Tide-Signature`, `billing-admin`: what the sources do not have as it
stands is another name, however alike. Words of prose in backticks are compared as words. Of a
command ("pip install tidegate-sdk") only what has an own name is: the rest may be the reader's,
unless the passage has the same word ahead of a name that is a part of it, or it of that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from halgo.evidence.lexical import stems
from halgo.facts.identifiers import identifiers
from halgo.types import Corpus, Pair, Signal, Span, Stance

_NOWHERE, _ELSEWHERE, _APART, _OTHER = 0.8, 0.5, 0.4, 0.75
_LONGEST = 200  # characters between backticks that are looked at
_SHORTEST = 3  # letters of a part by which two names are alike
_NAME = r"[\w@./:-]*\w"
_ATOM = re.compile(rf"(?<![\w@./:-]){_NAME}")
_CALL = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?:(?:\.\w+)*(?=\(\))|(?:\.\w+)+(?=\([\w\"']))")
_WORD = re.compile(r"[A-Za-z]?[a-z]+")
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_DENIED = re.compile(
    r"\b(?:not|no|never|nor|neither|cannot|without|instead|rather|unlike)\b|n['’]t\b", re.IGNORECASE
)
_PLAIN = frozenset(("true", "false", "null", "none", "yes", "no", "on", "off"))  # of any program


@dataclass(frozen=True, slots=True)
class Name:
    """A name with its place in the claim.

    ahead: "" of what stands by itself, is called or set; of another word of a command the one
    before it.
    """

    written: str
    span: Span
    ahead: str = ""

    @property
    def parts(self) -> frozenset[str]:
        """Its words in lower case: list, services of `listServices`."""
        return frozenset(part.lower() for part in _PARTS.findall(self.written))


def signals(pair: Pair, corpus: Corpus) -> list[Signal]:
    """Of each name that the passage lacks that it does, or has another."""
    if _DENIED.search(_ATOM.sub(_bare, pair.claim.text)):
        return []
    found: list[Signal] = []
    texts = (pair.evidence.reading.text, pair.evidence.chunk.text, pair.evidence.lead_in)
    text = "\n".join((*texts, *sorted(pair.evidence.over)))
    for one in _named(pair):
        if not _is_held(one, text) and (signal := _lacking(pair, one, corpus)):
            found.append(signal)
    return found


def _bare(atom: re.Match[str]) -> str:
    """A word of prose as it is, "" for "--no-cache"."""
    return atom.group() if atom.group().isalpha() else ""


def _named(pair: Pair) -> Iterator[Name]:
    """The names of a claim, but for those that are read as identifiers of another kind."""
    text = pair.claim.text
    exact = [one.span for one in identifiers(text)]
    code = [Span(piece.at, piece.at + len(piece.span))
            for piece in pair.claim.reading.pieces if piece.code]  # fmt: skip
    found = [one for span in code if len(span) <= _LONGEST for one in _of_code(text, span)]
    found += (
        Name(call.group(), Span(*call.span()))
        for call in _CALL.finditer(text)
        if not any(span.overlaps(Span(*call.span())) for span in code)
    )
    for one in found:
        plain = not one.written[0].isdigit() and any(map(str.isalpha, one.written))
        if plain and one.written.lower() not in _PLAIN and not any(map(one.span.overlaps, exact)):
            yield one


def _of_code(text: str, span: Span) -> Iterator[Name]:
    atoms = [Span(*atom.span()) for atom in _ATOM.finditer(text, span.start, span.end)]
    for at, atom in enumerate(atoms):
        behind = text[atom.end : min(atom.end + 1, span.end)]
        own = len(atoms) == 1 or behind == "(" or (at == 0 and behind == "=")
        if own or at:
            yield Name(atom.of(text), atom, "" if own else atoms[at - 1].of(text))


def _is_held(one: Name, text: str) -> bool:
    """Whether a text has a name: as it stands, behind a longer path, or as a word."""
    name = one.written
    if _WORD.fullmatch(name):  # "email" for "e-mail", "int" for "integer"
        joined = f"{text}\n{text.replace('-', '')}"
        begun = len(name) >= _SHORTEST and re.search(rf"\b{name}", joined, re.IGNORECASE)
        if begun or set(stems(name)) <= set(stems(joined)):
            return True
    if _stands(name, text, re.IGNORECASE):
        return True
    # "cache.ttl" of a section "[cache]"
    within = re.split(r"\.|:(?=\d)", name)
    return len(within) > 1 and not one.ahead and all(_stands(part, text) for part in within if part)


def _stands(name: str, text: str, flags: int = 0) -> bool:
    """Whether it stands there and not within another name; a hyphen is also a blank."""
    form = re.sub(r"(?<=\w)\\-(?=\w)", "[- ]", re.escape(name))
    ahead = r"(?<![\w-])" if name[0] == "-" else r"(?<!\w)(?<!\w-)"
    behind = "" if name[-1] == "_" else r"(?!-?\w)"  # "tgp_" is what others begin with
    return re.search(f"{ahead}{form}{behind}", text, flags) is not None


def _lacking(pair: Pair, one: Name, corpus: Corpus) -> Signal | None:
    """What is told of a name that the passage lacks."""
    word = _WORD.fullmatch(one.written) is not None
    low = one.written.lower()
    known = low in corpus.terms or set(re.findall(r"\w+", low)) <= corpus.terms
    rival = _rival(pair, one)
    if rival is not None and low not in corpus.terms and (one.ahead or not known):
        values = (one.written, rival.of(pair.evidence.reading.text))
        message = f"The claim says {values[0]}; the source says {values[1]}."
        return Signal(
            "identifier_conflict", Stance.CONTRADICTS, _OTHER, message, one.span, rival, values
        )
    if one.ahead or (word and known):
        return None
    where = "This passage does not mention" if known else "No source mentions"
    weight = _ELSEWHERE if known or word else _NOWHERE
    if low in corpus.terms:  # the rest of the claim may stand here, and the name beside another
        weight = _APART
    message = f'{where} "{one.written}".'
    return Signal("unsupported_identifier", Stance.UNSUPPORTED, weight, message, one.span)


def _rival(pair: Pair, one: Name) -> Span | None:
    """The name in the passage that is most like it, where one is: a part of both is the same."""
    text = pair.evidence.reading.text
    told = {name.lower() for name in _ATOM.findall(pair.claim.text)}
    likeness: dict[str, tuple[float, Span]] = {}
    for atom in _ATOM.finditer(text):
        other = Name(atom.group(), Span(*atom.span()))
        if one.ahead:
            behind = text[: atom.start()].rstrip().endswith(one.ahead)
            alike = behind and (one.parts < other.parts or other.parts < one.parts)
        else:
            alike = _WORD.fullmatch(other.written) is None
        shared = {
            part for part in one.parts & other.parts if len(part) >= _SHORTEST and part.isalpha()
        }
        if alike and shared and other.written.lower() not in told:
            share = len(shared) / len(one.parts | other.parts)
            likeness.setdefault(other.written, (share, other.span))
    best = max((share for share, _ in likeness.values()), default=0.0)
    most = [span for share, span in likeness.values() if share == best]
    return most[0] if len(most) == 1 else None
