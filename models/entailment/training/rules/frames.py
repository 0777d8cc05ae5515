"""How a word stands in its sentence: what a word that replaces it must share."""

from __future__ import annotations

from spacy.tokens import Token

from .grammar import REPORT
from .tables import word_set

_LIGHT = word_set(
    """
    be have do say get make take go come give use let keep become seem need want know think see
    include put try show tell ask call work help start begin continue cause involve mean follow
    base regard accord concern contain consist remain
    """
)

_THIN = word_set(
    """
    thing way lot number part one kind sort time year day month week percent person people fact
    case example point place rest member type group amount other something anything everything
    someone end side area level order use name term mr mrs ms dr half majority minority variety
    series range set pair couple total average rate share percentage proportion today yesterday
    tomorrow hour minute second decade century result reason
    """
)

_THIN_ADJECTIVES = word_set(
    """
    other same such many much several few own more most certain various different last next first
    second third new due able likely possible available similar further additional entire whole
    main chief major good former late recent current early total full only very
    """
)


def noun_frame(token: Token) -> str | None:
    """How the noun is determined, None for one that no other noun may stand for."""
    if token.tag_ not in ("NN", "NNS") or token.ent_type_ or token.lemma_.lower() in _THIN:
        return None
    if not token.text.isalpha() or not token.is_lower or len(token) < 3:
        return None
    if token.dep_ not in ("dobj", "nsubj", "pobj", "nsubjpass", "attr", "conj"):
        return None
    if any(
        t.dep_ in ("compound", "nmod", "relcl", "acl", "ccomp", "amod", "appos")
        for t in token.children
    ):
        return None
    if any(t.dep_ == "prep" and t.i > token.i for t in token.children):
        return None
    if token.i > 0 and token.nbor(-1).text == "-":
        return None
    determiners = [t.lower_ for t in token.children if t.dep_ in ("det", "poss", "nummod")]
    if token.tag_ == "NNS":
        return "plural"
    if not determiners:
        return None if token.dep_ == "pobj" else "bare"
    return "a" if determiners[0] in ("a", "an", "one", "each", "every", "another") else "the"


def verb_frame(token: Token) -> str | None:
    """What the verb takes, None for one that no other verb may stand for."""
    if token.pos_ != "VERB" or token.tag_ not in ("VBD", "VBZ", "VBP", "VB", "VBN", "VBG"):
        return None
    if token.lemma_ in _LIGHT or token.lemma_ in REPORT or not token.text.isalpha():
        return None
    deps = {t.dep_ for t in token.children}
    if deps & {"prt", "xcomp", "ccomp", "dative", "oprd", "acomp", "attr", "expl", "conj", "pcomp"}:
        return None
    if token.dep_ not in ("ROOT", "advcl", "relcl", "ccomp") or not token.is_lower:
        return None
    if "dobj" in deps and "nsubj" in deps:
        return "transitive"
    if "nsubjpass" in deps and "auxpass" in deps:
        return "passive " + "".join(sorted(t.lower_ for t in token.children if t.dep_ == "agent"))
    return None


def adjective_frame(token: Token) -> str | None:
    """The frame "amod" of an adjective before its noun, None for one that must stay."""
    if token.tag_ != "JJ" or token.dep_ != "amod" or token.ent_type_ or not token.is_lower:
        return None
    if token.lower_ in _THIN_ADJECTIVES or not token.text.isalpha() or list(token.children):
        return None
    if token.i + 1 < len(token.doc) and token.nbor(1).tag_ not in ("NN", "NNS"):
        return None
    if token.i > 0 and token.nbor(-1).text == "-":
        return None
    return "amod"
