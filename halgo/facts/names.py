"""Doc -> names: entities that the pipeline finds, and runs of proper nouns that it missed.

The comparison of two names is in `halgo.facts.aliases`; `folded`, `same_name` and
`defined_terms` can be had from here too.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from halgo.facts import grammar
from halgo.facts.aliases import TITLES, defined_terms, folded, same_name
from halgo.facts.words import MONTHS, WEEKDAYS, words
from halgo.types import Name, Span

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

__all__ = ["defined_terms", "folded", "read", "same_name"]

LABELS = words("PERSON ORG GPE LOC NORP FAC PRODUCT EVENT WORK_OF_ART LAW LANGUAGE")
_TIMES = frozenset({*MONTHS, *(month[:3] for month in MONTHS), "sept", *WEEKDAYS})
_ROLES = {
    "nsubj": "subject",
    "nsubjpass": "object",
    "dobj": "object",
    "dative": "object",
    "poss": "modifier",
    "compound": "modifier",
    "amod": "modifier",
    "nmod": "modifier",
}
_EDGES = words("the a an this that these those its his her their our my your and or of")
_BREAKS = words("before after than while when because if until since")
_LONGEST = 12  # tokens; a longer run is a shouted sentence or a list without commas


def read(doc: Doc, masked: tuple[Span, ...]) -> tuple[Name, ...]:
    """The names in order, none of them in a masked stretch; each with its part in the clause."""
    case = _case(doc)
    taken = _masked_tokens(doc, masked)
    found: list[Name] = []
    for entity in doc.ents:
        if entity.label_ not in LABELS:
            continue
        stretch = _trimmed(doc, entity.start, entity.end, taken)
        if stretch is None or any(i in taken for i in range(*stretch)):
            continue
        if not _plausible(doc, *stretch, case=case):
            continue
        start, end = _with_titles(doc, *stretch, taken)
        broken = end < entity.end and _breaks(doc[end])  # what follows may be another name
        taken.update(range(start, end if broken else max(end, entity.end)))
        found.append(_name(doc, start, end, label=entity.label_))
    if case == "mixed":
        found += (_name(doc, start, end, label="") for start, end in _runs(doc, taken))
    found.sort(key=lambda name: (name.span.start, name.span.end))
    return tuple(name for name in found if name.key)


def _name(doc: Doc, start: int, end: int, *, label: str) -> Name:
    span = doc[start:end]
    text = span.text
    return Name(
        sys.intern(text),
        label,
        sys.intern(folded(text)),
        Span(span.start_char, span.end_char),
        _role(span.root),
    )


def _role(root: Token) -> str:
    for token in (root, *grammar.chain(root)):
        if token.dep_ in _ROLES:
            return _ROLES[token.dep_]
        if token.dep_ == "pobj" and token.head.dep_ == "agent":
            return "agent"
        if token.dep_ not in ("conj", "appos"):
            return ""
    return ""


def _case(doc: Doc) -> str:
    """Either "lower" or "upper" when the whole text is in one case, else "mixed"."""
    text = doc.text
    if not any(character.isupper() for character in text):
        return "lower"
    words = [token.text for token in doc if token.is_alpha and len(token) > 1]
    shouted = sum(word.isupper() for word in words)
    return "upper" if len(words) >= 3 and shouted >= 0.8 * len(words) else "mixed"


def _masked_tokens(doc: Doc, masked: tuple[Span, ...]) -> set[int]:
    """Positions of the tokens that lie in a masked stretch or in an amount or a time."""
    taken = {
        i
        for entity in doc.ents
        if entity.label_ not in LABELS
        for i in range(entity.start, entity.end)
    }
    for span in masked:
        covered = doc.char_span(span.start, span.end, alignment_mode="expand")
        if covered is not None:
            taken.update(range(covered.start, covered.end))
    return taken


def _with_titles(doc: Doc, start: int, end: int, taken: set[int]) -> tuple[int, int]:
    """The stretch with the titles just before it: "Dr.", "President"."""
    while start > 0 and start - 1 not in taken and _is_title(doc[start - 1]):
        start -= 1
    return start, end


def _is_title(token: Token) -> bool:
    return token.text[:1].isupper() and token.lower_.rstrip(".") in TITLES


def _trimmed(doc: Doc, start: int, end: int, taken: set[int]) -> tuple[int, int] | None:
    """An entity without the articles, marks or possessive at its edges; None if all goes.

    What no name has ends it: "Vireo £25,000", "Inma before Paz".
    """
    end = next((i for i in range(start + 1, end) if _breaks(doc[i])), end)
    while start < end and (
        start in taken or doc[start].lower_ in _EDGES or doc[start].is_punct or doc[start].is_space
    ):
        start += 1
    while start < end:
        last = doc[end - 1]
        abbreviated = last.text == "." and end - 1 > start and not doc[end - 2].whitespace_
        loose = last.is_punct and not abbreviated and last.text != ")"
        dated = end - 1 in taken
        if not (dated or last.tag_ == "POS" or last.is_space or last.lower_ in _EDGES or loose):
            break
        end -= 1
    return (start, end) if start < end else None


def _breaks(token: Token) -> bool:
    return token.is_currency or token.text in _BREAKS


def _plausible(doc: Doc, start: int, end: int, *, case: str) -> bool:
    """Whether an entity of the small model can be a name at all."""
    words = [token for token in doc[start:end] if any(map(str.isalpha, token.text))]
    if not words or end - start > _LONGEST:
        return False
    if case == "lower":
        return any(token.pos_ == "PROPN" for token in words)
    if not any(character.isupper() for token in words for character in token.text):
        return False
    if len(words) > 1:
        return True
    if case == "upper" and words[0].ent_type_ not in ("PERSON", "GPE"):
        return False  # in shouted text any noun passes for an organisation
    return not _is_time(words[0]) and not _opening_word(words[0])


def _is_time(token: Token) -> bool:
    """Whether it is a month or a day of the week: "May", "Tuesdays"."""
    days = token.lower_.endswith("days")  # "Mars" is no plural of "Mar"
    return token.lower_ in _TIMES or (days and token.lower_[:-1] in _TIMES)


def _opening_word(token: Token) -> bool:
    """A capital that the sentence's beginning explains: "Patients", "However"."""
    opens = token.i == 0 or token.doc[token.i - 1].text in {"-", "*", "•", ":", '"', "“", "."}
    return opens and token.text.istitle() and token.pos_ not in ("PROPN", "ADJ") and len(token) > 1


def _runs(doc: Doc, taken: set[int]) -> list[tuple[int, int]]:
    """Runs of capitalised proper nouns outside entities, joined over hyphens and "of"."""
    found: list[tuple[int, int]] = []
    i = 0
    while i < len(doc):
        if not _is_proper(doc[i]) or i in taken:
            i += 1
            continue
        end = i + 1
        while end < len(doc) and end not in taken:
            if _is_proper(doc[end]):
                end += 1
            elif end + 1 < len(doc) and end + 1 not in taken and _joins(doc, end):
                end += 2
            else:
                break
        stretch = _trimmed(doc, i, end, taken)
        if stretch is not None and end - i <= _LONGEST and _names_something(doc, *stretch):
            found.append(stretch)
        i = end
    return found


def _is_proper(token: Token) -> bool:
    if _is_time(token):
        return False
    return token.pos_ == "PROPN" and any(character.isupper() for character in token.text)


def _joins(doc: Doc, i: int) -> bool:
    if not _is_proper(doc[i + 1]):
        return False
    if doc[i].text in ("-", "–", "'", "’"):
        return not doc[i - 1].whitespace_ and not doc[i].whitespace_
    return doc[i].lower_ in ("of", "de", "van", "von", "al", "bin", "da", "del", "la", "le", "&")


def _names_something(doc: Doc, start: int, end: int) -> bool:
    words = [
        token for token in doc[start:end] if token.is_alpha or any(map(str.isalpha, token.text))
    ]
    if all(_is_title(word) for word in words):
        return False
    return len(words) > 1 or (len(words[0]) > 1 and not _opening_word(words[0]))
