"""Argument swap (PAWS, Zhang et al. 2019): of A what is said of B, and of B what is said of A.

"The rent is settled every March, the service charges may be raised once a year" beside "The rent
may be raised once a year; the service charges are settled every March": every word of the claim
stands in one sentence of the source, so overlap sees nothing. There are two ways to see it: by the
relations of both texts, where two words have exchanged what hangs from them; and by order, where
just two like things of a sentence have changed sides.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice

from halgo.facts.words import words
from halgo.signals.relations.role_reversal import SYMMETRIC
from halgo.signals.segments import GLUED, covering, read_passage
from halgo.types import Facts, Pair, Signal, Span, Stance

WEIGHT = 0.65
_PART = re.compile(
    r"[;:,]|\b(?:and|but|while|whereas|after|before|because|plus|versus|than)\b|\s[-–—]\s",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r";|\b(?:but|while|whereas|after|before|because)\b", re.IGNORECASE)
_IDLE = words(
    "be have do not will shall can may must should would could it this that they he she them "
    "also only more less very"
)
_LOOSE = frozenset({"mod", "appos"})  # a first name hangs so from the last name of another
_NOUN, _NOUNS = "NOUN", ("NOUN", "PROPN")
# Share of the claim's words that the sentence has to hold, by relations and by order.
_HELD, _NEARLY_ALL = 0.7, 0.75
_FEWEST, _MOST = 4, 40  # words of a claim
_MOST_CHANGED = 2  # words of what has changed sides: a first name and a last name
_MOST_PARTS = 24
_MOST_SENTENCES, _MOST_PREDICATES = 40, 160

Role = tuple[str, str]  # a kind of relation, and the word at its other end


@dataclass(frozen=True, slots=True)
class _Item:
    """A content word, amount or date where it stands; `kind`: only of one kind may two change.

    name: the label of the name that it is a part of.
    """

    key: str
    kind: str
    span: Span
    name: str = ""


@dataclass(frozen=True, slots=True)
class _Exchanged:
    """Two stretches of the claim that stand in each other's places in the sentence."""

    one: Span
    other: Span
    source: Span


class _Text:
    """A sentence as its items in order, with the relations of the text that it stands in."""

    def __init__(self, relations: _Relations, items: Sequence[_Item], text: str, span: Span):
        self.relations, self.items, self.text, self.span = relations, items, text, span
        self.count = Counter(item.key for item in items)

    @cached_property
    def once(self) -> dict[str, _Item]:
        """The items that stand here just once."""
        return {item.key: item for item in self.items if self.count[item.key] == 1}

    @cached_property
    def parts(self) -> list[int]:
        """Where a part of the sentence may end."""
        found = _PART.finditer(self.text, self.span.start, self.span.end)
        return [match.start() for match in islice(found, _MOST_PARTS)]

    def apart(self, one: _Item, other: _Item) -> bool:
        """Whether two items stand in different clauses, not in one list."""
        start, end = sorted((one.span.start, other.span.start))
        if _CLAUSE.search(self.text, start, end):
            return True
        return any(item.kind == "VERB" and start < item.span.start < end for item in self.items)


class _Relations:
    """What hangs from what in a text, by either end."""

    def __init__(self, facts: Facts) -> None:
        self.above: dict[str, set[Role]] = {}
        self.below: dict[str, set[Role]] = {}
        for head, kind, dependent in facts.relations:
            self.above.setdefault(dependent, set()).add((kind, head))
            self.below.setdefault(head, set()).add((kind, dependent))
        # "Upgrades take effect": relations leave the lightest verbs out.
        for told in facts.predicates[:_MOST_PREDICATES]:
            for kind, word in (("subject", told.subject), ("object", told.object)):
                self.above.setdefault(word, set()).add((kind, told.lemma))

    def joined(self, head: str, dependent: str) -> bool:
        return any(word == dependent for _, word in self.below.get(head, ()))


def signals(pair: Pair) -> list[Signal]:
    """A swapped_names signal where a sentence has what the claim says crosswise; at most one."""
    dated = covering(given.span for given in pair.claim_facts.dates)
    wanted = {term.lemma for term in pair.claim_facts.terms if not dated(term.span)}
    passage = read_passage(pair.evidence, pair.evidence_facts)
    spans = [
        span
        for span in islice(passage.sentences(GLUED), _MOST_SENTENCES)
        if len(wanted & passage.lemmas(span)) >= _HELD * len(wanted)
    ]
    if not wanted or not spans:
        return []
    claim = pair.claim.text
    mine = _text(pair.claim_facts, claim, _Relations(pair.claim_facts), Span(0, len(claim)))
    if not _FEWEST <= len(mine.items) <= _MOST:
        return []
    relations, found = _Relations(pair.evidence_facts), None
    for span in spans:
        theirs = _text(pair.evidence_facts, passage.text, relations, span)
        shared = sum(item.key in theirs.count for item in mine.items) / len(mine.items)
        if shared == 1 and _in_order(mine, theirs):
            return []  # the sentence says just this
        if found is None and shared >= _HELD:
            found = _by_relations(mine, theirs)
        if found is None and shared >= _NEARLY_ALL:
            found = _by_order(mine, theirs)
    if found is None:
        return []
    one, other = found.one.of(claim), found.other.of(claim)
    message = f'The source has "{one}" and "{other}" in each other\'s places.'
    values = f"{one}, {other}", found.source.of(passage.text)
    return [
        Signal(
            "swapped_names", Stance.CONTRADICTS, WEIGHT, message, found.one, found.source, values
        )
    ]


def _text(facts: Facts, text: str, relations: _Relations, span: Span) -> _Text:
    return _Text(relations, _items(facts, text, span), text, span)


def _items(facts: Facts, text: str, within: Span) -> list[_Item]:
    """The amounts, dates and content words of a stretch, in order."""
    found: list[_Item] = []
    taken: list[Span] = []
    for amount in facts.quantities:
        if _inside(amount.span, within) and _free(amount.span, taken):
            key = f"# {amount.unit} {amount.low:g} {amount.high:g}"
            found.append(_Item(key, f"# {amount.unit}", amount.span))
    for given in facts.dates:
        if _inside(given.span, within) and _free(given.span, taken):
            found.append(_Item(f"# {given.span.of(text).lower()}", "DATE", given.span))
    valued = covering(taken)
    labels: dict[int, tuple[int, str]] = {}  # where a name stands -> which, and its label
    for number, name in enumerate(facts.names):
        if _inside(name.span, within):
            for at in range(name.span.start, name.span.end):
                labels.setdefault(at, (number, name.label))
    for term in facts.terms:
        lemma = term.lemma.lower()
        if lemma not in _IDLE and _inside(term.span, within) and not valued(term.span):
            kind = _NOUN if term.pos in _NOUNS else term.pos
            places = range(term.span.start, term.span.end)
            _, label = min((labels[at] for at in places if at in labels), default=(0, ""))
            found.append(_Item(lemma, kind, term.span, label))
    return sorted(found, key=lambda item: item.span)


def _inside(span: Span, within: Span) -> bool:
    return within.start <= span.start < within.end


def _free(span: Span, taken: list[Span]) -> bool:
    """Whether a stretch overlaps none of those that are taken, which are in order; it is now."""
    at = bisect_left(taken, span)
    before, after = taken[max(0, at - 1) : at], taken[at : at + 1]
    if any(span.overlaps(other) for other in (*before, *after)):
        return False
    taken.insert(at, span)
    return True


def _in_order(mine: _Text, theirs: _Text) -> bool:
    """Whether the sentence has the claim's items one after the other."""
    keys = iter(item.key for item in theirs.items)
    return all(item.key in keys for item in mine.items)


# -- by relations ---------------------------------------------------------------------------------


def _by_relations(mine: _Text, theirs: _Text) -> _Exchanged | None:
    """Two words of which each has in the sentence what hangs from the other in the claim."""
    ours, source = mine.relations, theirs.relations
    once = mine.once.keys() & theirs.once.keys()
    hanging = [
        (head, kind, word)
        for head, roles in ours.below.items()
        if head in once and head in source.below and head not in SYMMETRIC
        for kind, word in sorted(roles)
        if word in once and kind not in _LOOSE and not source.joined(head, word)
    ]
    for (one, kind, first), (second, other_kind, last) in combinations(hanging, 2):
        four = {one, second, first, last}
        if len(four) < 4 or ours.joined(one, last) or ours.joined(second, first):
            continue
        if (kind, last) not in source.below[one] or (other_kind, first) not in source.below[second]:
            continue
        if _sorted(mine, four) != _sorted(theirs, four):  # else one of them is parsed amiss
            return _exchanged(mine, theirs, [mine.once[first]], [mine.once[last]])
    return None


def _sorted(text: _Text, keys: Iterable[str]) -> list[str]:
    return sorted(keys, key=lambda key: text.once[key].span)


# -- by order -------------------------------------------------------------------------------------


def _by_order(mine: _Text, theirs: _Text) -> _Exchanged | None:
    """Two like things that stand on different sides of a mark in claim and sentence, alone."""
    shared = [item for item in mine.once.values() if item.key in theirs.once]
    if len(shared) < _FEWEST:
        return None
    for here in mine.parts:
        before = [item for item in shared if item.span.start < here]
        after = [item for item in shared if item.span.start >= here]
        if min(len(before), len(after)) < 2:
            continue
        for there in theirs.parts:
            for one, other in _changed(before, after, theirs, there):
                if not _alike(one, other) or not _takes_over(mine, theirs, one, other):
                    continue
                if not _reordered(mine, theirs, one, other):
                    return _exchanged(mine, theirs, one, other)
    return None


def _changed(
    before: Sequence[_Item], after: Sequence[_Item], theirs: _Text, there: int
) -> Iterator[tuple[list[_Item], list[_Item]]]:
    """Items before and after a mark of the claim that are the other way round in the sentence.

    A claim that has the two parts of the sentence in the other order has all but a few so.
    """

    def ahead(items: Sequence[_Item], first: bool) -> list[_Item]:
        return [item for item in items if (theirs.once[item.key].span.start < there) == first]

    stayed = ahead(before, True), ahead(after, False)
    moved = ahead(before, False), ahead(after, True)
    for (one, other), rest in ((moved, stayed), (stayed, moved)):
        few = all((one, other, *rest)) and len(one) == len(other) <= _MOST_CHANGED
        if few and len(rest[0]) + len(rest[1]) >= len(one) + len(other):
            yield one, other


def _reordered(mine: _Text, theirs: _Text, one: Sequence[_Item], other: Sequence[_Item]) -> bool:
    """Whether what stands beside them has changed places as well: "Ann, 25, and Eva, 21"."""

    def beside(some: Sequence[_Item]) -> list[_Item]:
        start, end = mine.items.index(some[0]), mine.items.index(some[-1])
        near = [*mine.items[max(0, start - 2) : start], *mine.items[end + 1 : end + 3]]
        others = [item for item in near if item not in (*one, *other)]
        return [item for item in others if item.key in mine.once and item.key in theirs.once]

    return any(
        first.kind == second.kind
        and first.span < second.span
        and theirs.once[second.key].span < theirs.once[first.key].span
        for first in beside(one)
        for second in beside(other)
    )


def _alike(one: Sequence[_Item], other: Sequence[_Item]) -> bool:
    """Whether both are nouns, a name or a phrase, or both an amount of one unit."""
    kinds = [item.kind for item in one]
    amount = len(kinds) == 1 and kinds[0].startswith("#")
    return (amount or set(kinds) == {_NOUN}) and kinds == [item.kind for item in other]


def _takes_over(mine: _Text, theirs: _Text, one: Sequence[_Item], other: Sequence[_Item]) -> bool:
    """Whether either has in the claim the place that the other has in the sentence.

    Amounts and names need not; of two in one list neither has.
    """
    if any(item.kind.startswith("#") for item in one):
        return True
    ours, source = mine.relations.above, theirs.relations.above
    for first in one:
        for second in other:
            alike = source.get(first.key, set()) & source.get(second.key, set())
            if alike and not theirs.apart(theirs.once[first.key], theirs.once[second.key]):
                return False
    if one[-1].name and one[-1].name == other[-1].name:
        return True
    return any(
        ours.get(first.key, set()) & source.get(second.key, set())
        or ours.get(second.key, set()) & source.get(first.key, set())
        for first in one
        for second in other
    )


def _hull(items: Sequence[_Item]) -> Span:
    return Span(items[0].span.start, items[-1].span.end)


def _exchanged(
    mine: _Text, theirs: _Text, one: Sequence[_Item], other: Sequence[_Item]
) -> _Exchanged:
    source = sorted((theirs.once[item.key] for item in (*one, *other)), key=lambda item: item.span)
    return _Exchanged(_hull(one), _hull(other), _hull(source))
