"""Where an amount or a date stands in its sentence: what it counts, and what it is said of.

Two amounts can only disagree when they play the same part, so each carries the lemmas that tell
its part: the verb it belongs to, that verb's subject and object, and the nouns it hangs from.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from halgo.facts import units
from halgo.facts.grammar import SUBJECTS, chain, lemma

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

from halgo.types import Span

_CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ"})
_CLAUSE_HEADS = frozenset({"ROOT", "relcl", "advcl", "ccomp", "acl", "parataxis", "csubj", "pcomp"})
_EMPTY = frozenset(
    str.split(
        "be have do say tell report state accord include total number amount make get that which "
        "who it they he she this these those more less than other new same such many much few "
        "approximately about only up least most per cent percent year-old old"
    )
)
_DIGITS = re.compile(r"\d|^\W*$").search
_MODIFIERS = ("compound", "amod", "nmod", "poss")
_LABEL = re.compile(r"\W*([^\W\d][\w '-]*):\s*")
_LONGEST_LABEL = 60  # characters
_MOST_CHILDREN = 40  # looked at per head: a list of thousands stays cheap
_MOST_LEMMAS = 24


class Locator:
    """Finds the tokens of a span of characters; made once per Doc, each look-up is a bisection."""

    def __init__(self, doc: Doc) -> None:
        self.doc = doc
        self._starts = [token.idx for token in doc]

    def index(self, char: int) -> int:
        """The position of the token that holds or precedes a character."""
        return max(0, bisect_right(self._starts, char) - 1)

    def root(self, span: Span) -> Token | None:
        """The token of the span that the others in it depend on; None in an empty Doc."""
        if not self._starts:
            return None
        first, last = self.index(span.start), self.index(max(span.start, span.end - 1))
        token = self.doc[last]
        for _ in range(last - first + 1):
            if not first <= token.head.i <= last or token.head is token:
                break
            token = token.head
        return token


def noun(root: Token, measured: bool) -> Token | None:
    """What an amount counts or measures, None when the parse does not tell.

    `root` is the amount's outermost token; `measured` says that it carries a unit ("5%"), so
    that its own head may be what is measured ("a fee of 5%", "a 5% fee", "the fee is 5%").
    """
    for of in root.children:
        if of.dep_ == "prep" and of.lower_ == "of":
            for child in of.children:
                if child.dep_ != "pobj" or child.pos_ not in ("NOUN", "PROPN"):
                    continue
                if not measured or not units.find(child.lower_):  # "a quarter of a year"
                    return child
    token = root
    if token.dep_ == "appos" and token.head.pos_ == "NUM":
        token = token.head
    for _ in range(4):
        label, head = token.dep_, token.head
        if head is token:
            return None
        if label in ("nummod", "amod", "compound", "nmod", "quantmod", "npadvmod", "det", "poss"):
            if head.pos_ in ("NOUN", "PROPN"):
                return head
        elif label in ("pobj", "prep"):
            if label == "prep" and head.pos_ in ("NOUN", "PROPN"):
                return head if measured else None
            if label == "pobj" and not measured:
                return None
            if label == "prep" and head.pos_ in ("VERB", "AUX", "ADJ"):
                return _subject(head)
        elif label == "attr":
            return _subject(head)
        elif label in ("dobj", "acomp", "oprd", "ccomp"):
            return _subject(head) if measured else None
        elif label not in ("conj", "appos", "dep"):
            return None
        if label == "npadvmod" and head.pos_ in ("VERB", "AUX", "ADJ"):
            return _subject(head) if measured else None
        token = head
    return None


def _subject(verb: Token) -> Token | None:
    token = verb
    for _ in range(3):
        for child in token.children:
            if child.dep_ in SUBJECTS and child.pos_ in ("NOUN", "PROPN"):
                return child
        if token.head is token or token.dep_ not in ("xcomp", "conj", "acomp", "prep", "advmod"):
            return None
        token = token.head
    return None


def context(root: Token, span: Span) -> frozenset[str]:
    """Lemmas of the words an amount or date belongs to, up to the verb of its clause.

    `root` is its outermost token and `span` its characters, which are not part of its context.
    """
    found: dict[str, None] = {}

    def add(token: Token) -> None:
        word = lemma(token)
        own = span.start <= token.idx < span.end or (
            token.ent_type_ in ("DATE", "TIME") and token.pos_ not in ("VERB", "ADJ")
        )
        if token.pos_ in _CONTENT and not own and word not in _EMPTY and not _DIGITS(word):
            found[word] = None

    def add_phrase(token: Token) -> None:
        add(token)
        for child in _some_children(token):
            if child.dep_ in _MODIFIERS and child is not root:
                add(child)
            elif child.dep_ == "prep" and child.lower_ in ("of", "for", "in", "by"):
                for inner in _some_children(child):
                    if inner.dep_ == "pobj" and inner is not root:
                        add(inner)

    add_phrase(root)
    borrowing = False  # the verb is found, and its subject stands with a verb further up
    label = root.dep_
    for head in chain(root):
        listed = label == "conj" and head.pos_ not in ("VERB", "AUX")  # its neighbour in a list
        label = head.dep_
        if not borrowing and not listed:
            add_phrase(head)
        if head.pos_ in ("VERB", "AUX"):
            has_subject = False
            for child in _some_children(head):
                if child.dep_ in SUBJECTS:
                    has_subject = True
                    add_phrase(child)
                elif borrowing or child is root:
                    continue
                elif child.dep_ in ("dobj", "attr", "agent", "acomp", "oprd", "xcomp", "dative"):
                    add_phrase(child)
                elif child.dep_ in ("neg", "prt"):
                    add(child)
                elif child.dep_ == "prep":
                    for inner in _some_children(child):
                        if inner.dep_ == "pobj" and inner is not root:
                            add_phrase(inner)
            if head.dep_ == "relcl" or (head.dep_ == "acl" and not has_subject):
                add_phrase(head.head)
                break
            if has_subject or head.dep_ in _CLAUSE_HEADS:
                break
            borrowing = True
    if not found and (named := _label(root.doc, span.start)):
        # "Fee: 5% per month" has no verb, and parts of speech are told by guess.
        found = {lemma(t): None for t in named if t.is_alpha and lemma(t) not in _EMPTY}
    return frozenset(list(found)[:_MOST_LEMMAS])


def _label(doc: Doc, start: int) -> list[Token]:
    """The words that a text opens with before a colon, where the colon stands right before here."""
    if not 0 < start <= _LONGEST_LABEL:
        return []
    head = doc[:_MOST_CHILDREN]  # the text of a whole document takes long to put together
    before = head.text_with_ws[:start]
    opening = _LABEL.fullmatch(before) if len(before) == start else None
    return [token for token in head if token.idx < opening.end(1)] if opening else []


def _some_children(token: Token) -> list[Token]:
    children = []
    for child in token.children:
        children.append(child)
        if len(children) == _MOST_CHILDREN:
            break
    return children
