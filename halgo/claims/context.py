"""Claims in order -> each with what its "It", "They" or "The company" refers to put in its place.

Only backward, so that a longer answer resolves its beginning alike. The referent is the nearest
earlier subject that fits in number and kind, else another noun of that sentence; it is carried
along a chain of pronouns. Where nothing fits, or "it" refers to nothing ("it is important to"),
the text stays. A bare list item is put behind the heading or sentence that leads in to it.

A guess is tolerable here: resolved text is used to find passages and to read roles, never shown
as the claim.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from halgo.claims import phrases
from halgo.claims.phrases import words
from halgo.types import Span

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

# A pronoun seldom reaches further back than this, in sentences.
_REACH = 4
_LONGEST_REFERENT = 12  # tokens
_LONGEST_LEAD = 120  # characters

_SUBJECTS = ("nsubj", "nsubjpass", "csubj", "csubjpass")
_SINGULAR = frozenset({"it", "its"})
_PLURAL = frozenset({"they", "their", "these", "those"})
_PERSONAL = frozenset({"he", "his", "she", "her"})
_POSSESSIVE = frozenset({"its", "their", "his", "her"})
_SHORT = {"have": "has", "be": "is"}  # what "'s" stands for behind "it"
_POINTING = frozenset({"the", "this", "these", "that", "those"})
_PLEONASTIC_VERBS = words("seem appear rain snow turn happen take follow depend")

_ORGANISATIONS = words(
    "company firm organization organisation business corporation startup agency bank group "
    "retailer manufacturer airline brand university school club team party band institution "
    "association"
)
_PLACES = words("city town country state region village province capital island county")
_PEOPLE = words(
    "man woman person author actor actress singer president scientist doctor director writer poet "
    "artist player footballer politician researcher founder ceo king queen lawyer engineer "
    "inventor chairman minister judge composer painter musician architect boy girl mother father "
    "daughter son child baby wife husband partner sister brother friend colleague employee "
    "customer patient tenant manager neighbour neighbor guest student member"
)
_THINGS = words(
    "agreement contract drug medication medicine trial study treaty law act plan product device "
    "film movie book novel song album app software tool program language vaccine disease bridge "
    "building tower museum river mountain ship car game series policy service project"
)


_Fits = Callable[["Referent"], bool]


@dataclass(frozen=True, slots=True)
class Referent:
    """A noun that a later sentence may mean. `kind`: person, organisation, place, thing or "".

    asked: whether the question names it, not the answer.
    """

    text: str
    head: str
    kind: str
    plural: bool
    proper: bool
    asked: bool = False


class References:
    """What has been spoken of so far, for texts that are given one after the other."""

    def __init__(self) -> None:
        self.recent: deque[list[Referent]] = deque(maxlen=_REACH)
        self.heading = ""
        self.lead = ""
        # Where the last text's reference stood, and what of the question was put in its place.
        self.of_question: tuple[Span, str] | None = None

    def ask(self, docs: Sequence[Doc]) -> None:
        """The sentences of the question that the texts answer: what they name is spoken of."""
        for doc in docs:
            found = [replace(referent, asked=True) for referent in _mentioned(doc, whole=True)]
            if found:
                self.recent.append(found)

    def step(self, text: str, block: str, doc: Doc | None, *, repeats: bool = False) -> str:
        """The next text with its leading reference replaced; equal where there is none.

        doc is its parse, None for a text that asserts nothing and is left as it is. repeats:
        whether it has the question's words alone, so that nothing new is spoken of.
        """
        self.of_question = None
        if block == "heading":
            self.heading, self.lead = _lead(text), ""
        elif text.rstrip().endswith(":"):
            self.lead = _lead(text)
        elif block != "item":
            self.lead = ""
        if doc is None or not len(doc) or block in ("row", "code"):
            return text
        if block == "heading" or text.rstrip().endswith(":"):
            topic = _topic(doc)
            if topic is not None:
                self.recent.append([topic])
            if block == "heading":
                return text
        resolved, referent = self._replaced(text, doc)
        found = _mentioned(doc)
        if referent is not None:
            found = [referent, *(other for other in found if other.text != referent.text)]
        if found and not repeats:
            self.recent.append(found)
        lead = (self.lead or self.heading) if block == "item" else ""
        if lead and not text.rstrip().endswith(":") and not _has_subject(doc):
            return f"{lead}: {resolved}"
        return resolved

    def _replaced(self, text: str, doc: Doc) -> tuple[str, Referent | None]:
        """The text with its first subject's reference replaced, and what was put there."""
        subject = _first_subject(doc)
        if subject is None:
            return text, None
        mention = subject
        possessive = next((t for t in subject.lefts if t.dep_ == "poss"), None)
        if possessive is not None:
            mention = possessive
        referent = self._referent(mention, doc)
        if referent is None:
            return text, None
        first = mention.left_edge if mention.pos_ in ("NOUN", "PROPN") else mention
        start, end = first.idx, mention.idx + len(mention.text)
        put = referent.text
        if start and re.match(r"(?:The|An?|This|These|Its|Their|His|Her) ", put):
            put = put[0].lower() + put[1:]
        elif not start and not referent.proper:
            put = put[0].upper() + put[1:]
        if mention.lower_ in _POSSESSIVE:
            put += "'" if put.endswith("s") else "'s"
        if text[end : end + 2] in ("'s", "\u2019s") and mention.lower_ not in _POSSESSIVE:
            put, end = f"{put} {_SHORT.get(mention.nbor().lemma_, 'is')}", end + 2
        if referent.asked:
            self.of_question = Span(start, end), put
        return text[:start] + put + text[end:], (None if possessive is not None else referent)

    def _referent(self, mention: Token, doc: Doc) -> Referent | None:
        word = mention.lower_
        if mention.pos_ == "NOUN":
            return self._of_noun(mention)
        if word in _SINGULAR:
            if word == "it" and (_is_pleonastic(mention) or _has_object_before(mention)):
                return None
            return self._nearest(
                lambda r: not r.plural and r.kind != "person",
            )
        if word in ("this", "that") and mention.dep_ in _SUBJECTS:
            # What has happened is seldom a noun; only "This is a ..." points to one.
            if mention.head.lemma_ != "be" or not any(
                t.dep_ == "attr" for t in mention.head.rights
            ):
                return None
            return self._nearest(lambda r: not r.plural and r.kind != "person", subjects_only=True)
        if word in _PLURAL:
            # "They" may be a company; "these" is always several.
            several = word in ("these", "those")
            return self._nearest(
                lambda r: r.plural,
                lambda r: not several and r.proper and r.kind in ("organisation", "person"),
            )
        if word in _PERSONAL:
            return self._nearest(lambda r: r.kind == "person" and not r.plural) or self._nearest(
                lambda r: r.proper and not r.plural and r.kind != "place"
            )
        return None

    def _of_noun(self, noun: Token) -> Referent | None:
        """What "the company" means: a fuller noun phrase with that head, or a name of that kind."""
        words = [token for token in noun.subtree if not token.is_punct and token.dep_ != "case"]
        if len(words) != 2 or words[0].lower_ not in _POINTING or words[1] != noun:
            return None
        head, plural = noun.lemma_.lower(), noun.tag_ == "NNS"
        fuller = self._nearest(
            lambda r: r.head == head and r.plural == plural and len(r.text.split()) > 2
        )
        if fuller is not None or plural:
            return fuller
        kinds = (
            ("organisation", _ORGANISATIONS),
            ("place", _PLACES),
            ("person", _PEOPLE),
            ("thing", _THINGS),
        )
        kind = next((name for name, nouns in kinds if head in nouns), None)
        if kind is None:
            return None
        return self._nearest(
            lambda r: r.proper and not r.plural and r.kind == kind
        ) or self._nearest(lambda r: r.proper and not r.plural and r.kind == "", subjects_only=True)

    def _nearest(self, *wishes: _Fits, subjects_only: bool = False) -> Referent | None:
        """The nearest referent that fits: the last sentence first, there the first wish first."""
        for found in reversed(self.recent):
            for fits in wishes:
                for referent in found[:1] if subjects_only else found:
                    if fits(referent):
                        return referent
        return None


_ANNOUNCED = re.compile(
    r"here(?:'s| is| are)(?: (?:the|some|a|an|my|your|few|brief|short|several|possible|main|key))* "
)
_ON_WHAT = re.compile(rf"\s*\b(?:based|according|depending) (?:on|to) {phrases.SOURCES}\W*$")
_EMPTY_ANNOUNCEMENT = re.compile(
    r"(?:\w+ )?(?:answers?|summary|list|overview|steps|points|response)\b"
)


def _lead(text: str) -> str:
    """What a heading or a lead-in says its items are about; "" when it says nothing."""
    said = " ".join(text[: 4 * _LONGEST_LEAD].strip().strip(":*#_ ").split())
    low = said.lower().replace("\u2019", "'")
    while (found := phrases.LEAD_IN.match(low)) is not None and found.end():
        said, low = said[found.end() :], low[found.end() :]
    source = _ON_WHAT.search(low)
    if source is not None:
        said, low = said[: source.start()], low[: source.start()]
    announced = _ANNOUNCED.match(low)
    if announced is not None:
        said, low = said[announced.end() :], low[announced.end() :]
    if announced is not None and _EMPTY_ANNOUNCEMENT.match(low):
        about = re.search(r"\b(?:about|regarding|of|for|on) (?:the )?(?!question)(.{3,100})$", said)
        return about[1] if about else ""
    return said if len(said) <= _LONGEST_LEAD and not phrases.META.match(low) else ""


def _topic(doc: Doc) -> Referent | None:
    """The name that a heading or a label puts in front of what follows."""
    root = next((token for token in doc if token.dep_ == "ROOT"), None)
    if root is None or root.pos_ != "PROPN" or len(doc) > _LONGEST_REFERENT:
        return None
    return _referent_of(root)


def _mentioned(doc: Doc, *, whole: bool = False) -> list[Referent]:
    """The nouns of a sentence that a later one may mean: subjects, then objects and names.

    whole: with all that stands behind them, "the fee for late payment".
    """
    subjects = [token for token in doc if token.dep_ in _SUBJECTS and _is_main(token.head)]
    others = [
        token
        for token in doc
        if (token.dep_ in ("dobj", "attr") and _is_main(token.head))
        or (token.dep_ == "pobj" and token.head.dep_ == "agent")
        or (token.pos_ == "PROPN" and token.dep_ in ("dobj", "pobj", "appos", "conj"))
    ]
    if whole:  # "May I fly business?": "it" is none of what is meant in general
        others = [token for token in others if token.tag_ != "NN" or _is_particular(token)]
    found: dict[str, Referent] = {}
    for token in [*subjects[:3], *others[:6]]:
        referent = _referent_of(token, whole=whole)
        if referent is not None:
            found.setdefault(referent.text, referent)
    return list(found.values())


def _is_particular(noun: Token) -> bool:
    return any(token.dep_ in ("det", "poss", "nummod") for token in noun.lefts)


def _is_main(verb: Token) -> bool:
    return verb.dep_ in ("ROOT", "conj", "ccomp", "parataxis")


def _referent_of(head: Token, *, whole: bool = False) -> Referent | None:
    if head.pos_ not in ("NOUN", "PROPN"):
        return None
    doc = head.doc
    end = head.i + 1
    joined = False
    for child in head.rights:
        keeps = child.dep_ in ("conj", "cc", "nummod", "case", "compound") or (
            child.dep_ == "prep" and (whole or child.lower_ == "of")
        )
        comma = child.text == "," and any(t.dep_ == "conj" for t in head.rights)
        if not keeps and not comma:
            break
        joined = joined or child.dep_ == "conj"
        end = child.right_edge.i + 1
    start = head.left_edge.i
    if end - start > _LONGEST_REFERENT:
        return None
    text = doc[start:end].text
    if doc[end - 1].dep_ == "case" or text.endswith("'s"):
        text = text.removesuffix("'s").removesuffix("'").rstrip()
    if head.ent_type_ in ("DATE", "TIME", "PERCENT", "MONEY", "QUANTITY", "CARDINAL", "ORDINAL"):
        return None
    return Referent(
        text,
        head.lemma_.lower(),
        _kind(head),
        joined or head.tag_ in ("NNS", "NNPS"),
        head.pos_ == "PROPN",
    )


def _kind(head: Token) -> str:
    lemma, label = head.lemma_.lower(), head.ent_type_
    if lemma in _PEOPLE or label == "PERSON":
        return "person"
    if any(t.lower_ in ("mr.", "mrs.", "ms.", "dr.", "prof.", "sir") for t in head.lefts):
        return "person"
    if lemma in _ORGANISATIONS:
        return "organisation"
    if lemma in _PLACES or label in ("GPE", "LOC"):
        return "place"
    if label == "ORG":
        return "organisation"
    if lemma in _THINGS or label in ("PRODUCT", "WORK_OF_ART", "LAW", "EVENT", "LANGUAGE", "FAC"):
        return "thing"
    return "" if head.pos_ == "PROPN" else "thing"


def _has_subject(doc: Doc) -> bool:
    root = next((token for token in doc if token.dep_ == "ROOT"), None)
    subjects = (*_SUBJECTS, "expl")
    return root is not None and any(token.dep_ in subjects for token in root.children)


def _first_subject(doc: Doc) -> Token | None:
    """The first subject of the sentence, where it opens a clause that can refer back."""
    return next((token for token in doc if token.dep_ in _SUBJECTS), None)


def _has_object_before(pronoun: Token) -> bool:
    """Whether its own sentence names what it may be: "Promote the standby; once it is up, ..."."""
    before = (token for token in pronoun.doc[: pronoun.i] if token.dep_ == "dobj")
    return any(t.pos_ == "NOUN" and t.tag_ == "NN" and _is_main(t.head) for t in before)


def _is_pleonastic(pronoun: Token) -> bool:
    """Whether "it" refers to nothing: "it is important to", "it seems that", "it takes ... to"."""
    verb = pronoun.head
    if pronoun.dep_ not in _SUBJECTS:
        return False
    clause = any(child.dep_ in ("ccomp", "xcomp", "advcl", "csubj") for child in verb.rights)
    nested = any(
        child.dep_ in ("acomp", "attr")
        and any(t.dep_ in ("ccomp", "xcomp", "relcl", "acl", "advcl") for t in child.rights)
        for child in verb.rights
    )
    if verb.lemma_ == "be":
        return (clause and any(t.dep_ in ("acomp", "attr", "prep") for t in verb.rights)) or (
            nested and any(t.dep_ == "acomp" for t in verb.rights)
        )
    return verb.lemma_ in _PLEONASTIC_VERBS and (clause or verb.lemma_ in ("rain", "snow"))
