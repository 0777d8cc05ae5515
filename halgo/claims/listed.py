"""A claim that lists -> one claim for each of what it lists, which has to be true by itself.

"Norway and Denmark have free returns" says so of each, and so do "monthly and annual plans" and "in
winter as well as in summer"; one wrong item among right ones hardly moves the reading of the whole
sentence. Nor does "even in an emergency", which says so of emergencies too. What is said of the
items only together ("between Monday and Friday", "A and B merged") is not divided.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from halgo.claims.clause_splitting import Clause
from halgo.claims.parts import part, trimmed
from halgo.claims.phrases import words
from halgo.facts.grammar import FINITE
from halgo.types import Claim, Span

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_JOINED = re.compile(r"\b(?:and|or|as well as|even)\b|&")
_AS_WELL = re.compile(r"\bas well as\b")
_MOST = 8  # items that are read one by one
_ITEMS = ("NOUN", "PROPN")
_PLURAL = ("NNS", "NNPS")
# Words beside which what is said holds of the items together, not of each.
_TOGETHER = words(
    "altogether average between both combination combine combined compare compared difference each "
    "either every five four from jointly marry meet merge mix mixture neither only other "
    "respective respectively same share sum than three together total two versus vs"
)
_ALLOWS = words("can could may might")  # "You may bring A or B" allows each


def may_list(claim: Claim) -> bool:
    """Whether anything in the claim joins items; without it no parse is needed."""
    return _JOINED.search(claim.text) is not None


def to_parse(text: str) -> str:
    """A text as it is parsed for its lists: "as well as", which parsers misread, as "and"."""
    return _AS_WELL.sub("and", text)


def _places(text: str) -> Callable[[int], int]:
    """Where in a text a character of `to_parse` stands."""
    saved = len("as well as") - len("and")
    starts = [found.start() - saved * at for at, found in enumerate(_AS_WELL.finditer(text))]
    return lambda place: place + saved * sum(start < place for start in starts)


def items_of(claim: Claim, doc: Doc, amounts: Sequence[Span]) -> list[Claim]:
    """The claim once for each item of its longest list, in order; [] where it lists nothing.

    doc: the parse of its text as of `to_parse`; amounts: where its amounts and dates stand.
    """
    if not any(token.tag_ in FINITE for token in doc):
        return []
    at, text = _places(claim.text), claim.text
    end = len(text.rstrip(" .!"))
    if added := _even(doc, text, at):
        return [part(claim, added)]
    if any(token.lemma_.lower() in _TOGETHER or token.lower_ in _TOGETHER for token in doc):
        return []
    allows = any(token.lower_ in _ALLOWS for token in doc)
    lists = [_joined(token) for token in doc if _opens(token)]
    whole = [items for items in lists if _is_list(items, amounts, allows, at)]
    found = max(whole, key=len, default=[])
    if not found or len(found) > _MOST:
        return []
    start = at(found[0].left_edge.idx)
    last = found[-1].right_edge
    before, behind = (
        trimmed(text, Span(*ends)) for ends in ((0, start), (at(last.idx + len(last)), end))
    )
    return [
        part(claim, Clause(tuple(span for span in (before, own, behind) if len(span)), own))
        for own in (_own(text, item, at) for item in found)
    ]


def _even(doc: Doc, text: str, at: Callable[[int], int]) -> Clause | None:
    """The claim said of the case that it adds, which is put first: "even in an emergency"."""
    for token in doc[1:]:
        if token.lower_ != "even" or token.nbor(-1).lemma_ == "break":  # "breaks even in May"
            continue
        if token.head.pos_ == "ADP" and token.head.i == token.i + 1:
            last = token.head.right_edge
            case = Span(at(token.head.idx), at(last.idx + len(last)))
            rest = (text[: at(token.idx)].rstrip(" ,"), text[case.end :].rstrip(" .!"))
            spans = (Span(0, len(rest[0])), Span(case.end, case.end + len(rest[1])))
            return Clause((case, *(span for span in spans if len(span))), case)
    return None


def _opens(token: Token) -> bool:
    return _kind(token) != "" and not (token.dep_ == "conj" and _kind(token.head) == _kind(token))


def _kind(token: Token) -> str:
    """What a token can be one of several of: things, their kinds, or circumstances."""
    if token.pos_ in _ITEMS:
        return "NOUN"
    if token.pos_ == "ADP":
        return "ADP" if any(child.dep_ == "pobj" for child in token.children) else ""
    return "ADJ" if token.pos_ == "ADJ" else ""


def _joined(first: Token) -> list[Token]:
    """An item and those that are joined to it: each hangs from the one before it."""
    items = [first]
    while True:
        more = [t for t in items[-1].children if t.dep_ == "conj" and _kind(t) == _kind(first)]
        if not more:
            return items
        items.append(more[0])


def _is_list(
    items: Sequence[Token], amounts: Sequence[Span], allows: bool, at: Callable[[int], int]
) -> bool:
    marks = {t.lower_ for item in items for t in item.children if t.dep_ == "cc"}
    if len(items) < 2 or not marks or not marks <= ({"and", "&", "or"} if allows else {"and", "&"}):
        return False
    if marks == {"&"} or items[0].head.lower_ == "per":
        return False  # "Holm & Sohn", "€6 per metre and day"
    if items[0].pos_ == "ADJ" and (items[0].dep_ != "amod" or items[0].head.tag_ not in _PLURAL):
        return False  # "is safe and effective", "a black and white photo"
    if any(token.dep_ == "neg" for token in items[0].doc[items[0].i : items[-1].i]):
        return False  # "with a fine and not with prison"
    if any(_is_named(item) for item in items[1:]) and not _is_named(items[0]):
        return False  # "Mr Toll was elected treasurer and Ms Rahm chair"
    if _is_gapped(items):
        return False
    first, last = at(items[0].idx), at(items[-1].idx)
    return not any(one.start <= first and last < one.end for one in amounts)  # "an hour and a half"


def _is_gapped(items: Sequence[Token]) -> bool:
    """Whether the last begins a clause without its verb: "Ada on Mondays and Ben on Fridays".

    Such a clause repeats the preposition of the first item (gapping, Ross 1970).
    """
    before, after = items[0].head, items[-1].i + 1
    if items[0].dep_ != "pobj" or before.lower_ == "of" or after >= len(before.doc):
        return False
    return bool(before.doc[after].lower_ == before.lower_)


def _is_named(item: Token) -> bool:
    return item.pos_ == "NOUN" and any(token.pos_ == "PROPN" for token in item.lefts)


def _own(text: str, item: Token, at: Callable[[int], int]) -> Span:
    """An item without those that are joined to it."""
    after = [t.left_edge.idx for t in item.children if t.i > item.i and t.dep_ in ("conj", "cc")]
    commas = [t.idx for t in item.children if t.i > item.i and t.text == ","]
    last = item.right_edge
    end = min([*after, *(commas if after else ()), last.idx + len(last)])
    return trimmed(text, Span(at(item.left_edge.idx), at(end)))
