"""Names in a sentence: which are whole, and which may stand for one another."""

from __future__ import annotations

import re

from spacy.tokens import Span

from halgo.facts.aliases import same_name

from .tables import word_set

NAMES = word_set("PERSON ORG GPE LOC NORP FAC PRODUCT EVENT WORK_OF_ART LANGUAGE")


def entities_of(sentence: Span) -> list[Span]:
    """The entities that begin in the sentence; kept by sentence, for spaCy reads all tokens."""
    doc = sentence.doc
    found = doc.user_data.get("halgo_entities")
    if not isinstance(found, dict):
        found = doc.user_data["halgo_entities"] = {}
        for entity in doc.ents:
            # Places, no spans: a span in its own document's data would keep both alive for ever.
            place = entity.start, entity.end, entity.label_
            found.setdefault(entity.sent.start, []).append(place)
    return [Span(doc, a, b, label=label) for a, b, label in found.get(sentence.start, ())]


def is_whole_name(entity: Span) -> bool:
    """Whether the entity looks like a whole name: title case, no stray marks, 1 to 5 words."""
    text = entity.text
    if not 1 <= len(entity) <= 5 or len(text) < 3 or not re.fullmatch(r"[\w.&'’ -]+", text):
        return False
    if any(t.pos_ not in ("PROPN", "ADJ", "NOUN", "ADP", "DET", "CCONJ", "PUNCT", "PART")
           for t in entity):  # fmt: skip
        return False
    if entity.label_ == "NORP":
        return text[0].isupper() and entity[-1].tag_ in ("JJ", "NNPS")
    if any(t.is_digit for t in entity) or any(t.pos_ == "NOUN" for t in entity[-1:]):
        return False
    return all(t.text[0].isupper() for t in entity if t.pos_ in ("PROPN", "NOUN", "ADJ"))


def entity_key(entity: Span) -> str:
    """The type, and what else a replacement must share: the tag of "German", the article."""
    if entity.label_ == "NORP":
        return "NORP " + entity[-1].tag_
    the = entity.start > 0 and entity.doc[entity.start - 1].lower_ == "the"
    return f"the {entity.label_}" if the else str(entity.label_)


def stripped(entity: Span) -> Span | None:
    """The entity without a leading "the" and a closing "'s"."""
    first, last = 0, len(entity)
    while first < last and entity[first].lower_ in ("the", "a", "an"):
        first += 1
    while last > first and entity[last - 1].text in ("'s", "’s", "'", "’", "."):
        last -= 1
    if first >= last:
        return None
    return Span(entity.doc, entity.start + first, entity.start + last, label=entity.label_)


def names_in(sentence: Span) -> list[Span]:
    """Entities that may be replaced: whole names that occur once in the sentence."""
    found = []
    text = sentence.text
    for entity in entities_of(sentence):
        if entity.label_ not in NAMES:
            continue
        name = stripped(entity)
        if name is None or not is_whole_name(name):
            continue
        end = name.end
        if end < sentence.end and sentence.doc[end].text in ("-", "–", "/", "(", "&"):
            continue
        before = sentence.doc[name.start - 1] if name.start > sentence.start else None
        if before is not None and before.text in ("-", "–", "/", "(", '"', "“", "'", "‘"):
            continue  # a title in quotes is often read as a name of another type
        if end < len(sentence.doc) and sentence.doc[end].pos_ == "PROPN":
            continue  # part of a longer name
        titles = ("Mr.", "Mrs.", "Ms.", "Dr.")
        if before is not None and before.pos_ == "PROPN" and before.text not in titles:
            continue
        if text.count(name.text) == 1 and not any(
            len(t) > 3 and text.count(t.text) > 1 for t in name
        ):
            found.append(name)
    return found


def is_other_name(name: str, own: str, avoid: str) -> bool:
    """Whether the name means another than `own` and shares no word with the text around."""
    words = set(re.findall(r"\w+", name.lower()))
    around = set(re.findall(r"\w+", avoid.lower()))
    return not (words & around) and same_name(name, own) == 0.0 and not _initials(name, own)


def _initials(a: str, b: str) -> bool:
    def short(text: str) -> str:
        return "".join(word[0] for word in text.split() if word[0].isupper())

    return short(a) == b or short(b) == a


def alike_in_length(a: str, b: str) -> bool:
    """Whether the two differ by at most two words."""
    return abs(len(a.split()) - len(b.split())) <= 2
