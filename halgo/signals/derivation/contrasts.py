"""Contrasts: "the Heron is lighter than the Falcon" beside what each of them weighs.

The passages tell a figure of either thing, in one table or text or each in a document of its own.
Which figure is meant is told by what the claim compares: its unit, and the words that the claim
has beside the two names. Where either side may be another figure too, nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, replace

from halgo.facts.units import CURRENCIES
from halgo.protocols import Lexicon
from halgo.signals.derivation.fitting import Sources
from halgo.signals.derivation.operands import STEM, Operand, words_of
from halgo.signals.matching import alike
from halgo.signals.polarity.comparisons import (
    NAMED,
    UNITS,
    Comparison,
    comparisons_of,
    measures,
)
from halgo.types import Facts, Pair, Signal, Span, Stance

_WRONG, _RIGHT = 0.7, 0.6
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|does|do|did|will|would|can|could|may|might|must|should)\b"
)
_MOST = re.compile(r"\b(?:(most|least) ([a-z]{3,15})|[a-z]{3,12}est)\b", re.IGNORECASE)
# "Of the three, the Corso is"; of another clause the subject is another.
_CLAUSE = re.compile(r",|;|\b(?:and|but|although|though|while|whereas|because|since|which)\b")
_OTHER_VERB = re.compile(r"\b(?:costs?|weighs?|takes?|offers?|charges?|lasts?|runs?)\b")
_THAN_OTHERS = re.compile(
    r"\bthan (?:in |at |for )?(?:all|any|either|both|every|the)\b.{0,12}\bothers?\b"
)
_LINK = re.compile(r" than (in|at|on|for|to|from|with|by)\b")
_WITH = re.compile(r"\b(?:in|at|on|for|with|under|among)\s([^,;]{2,60})")
_PART = re.compile(r"\w{2,}")
_OF_TIME = ("second",)  # who needs fewer of them is the faster


@dataclass(frozen=True, slots=True)
class _Sides:
    """The two sides of a comparison, and the other words of it, as operands have theirs.

    are_names: whether both are names, which a text may give once and mean all along.
    """

    ours: frozenset[str]
    theirs: frozenset[str]
    aspect: frozenset[str]
    are_names: bool = True


def signals(pairs: Sequence[Pair], lexicon: Lexicon) -> list[tuple[Signal, ...]]:
    """For each passage of one claim what the figures in them say of its comparison."""
    found: list[list[Signal]] = [[] for _ in pairs]
    if not pairs:
        return []
    claim, facts = pairs[0].claim.text, pairs[0].claim_facts
    asked = [
        (one, sides)
        for one in comparisons_of(pairs[0], lexicon)
        if one.left
        and one.right
        and not _THAN_OTHERS.search(claim, one.span.end)
        and (sides := _sides(claim, facts, one)) is not None
    ]
    most = (_than_others(pairs[0], lexicon) or _superlative(claim, facts)) if not asked else None
    beside = _beside(pairs[0], lexicon) if not asked and not most else None
    sources = Sources(pairs) if asked or most or beside else None
    if sources is None:
        return [tuple(some) for some in found]
    held = [(one, _held(one, sides, sources)) for one, sides in asked]
    held += [(most[0], _first(*most, sources))] if most is not None else []
    held += [(beside[0], _other_cell(*beside, sources))] if beside is not None else []
    for one, told in held:
        for row, signal in sources.spread(_signal(one, *told), told) if told is not None else ():
            found[row].append(signal)
    return [tuple(some) for some in found]


def _sides(claim: str, facts: Facts, made: Comparison) -> _Sides | None:
    """Whom the comparison names, on either side of its "than".

    "The charge at Linden Court is lower than at Mill Quay": names where there are any, behind the
    same preposition; the words before the verb else, and times where these are what is compared.
    """
    than = claim.find(" than ", made.span.end)
    if than < 0:
        return None
    placed = {term.lemma.lower(): term for term in sorted(facts.terms, key=lambda t: t.span)[::-1]}
    times = [one.span for one in facts.dates]
    named = {word for word in made.left | made.right if word in placed
             and placed[word].pos == "PROPN"}  # fmt: skip
    ours: Set[str] = made.left & named
    theirs: Set[str] = (made.right & named) or made.right
    if (link := _LINK.match(claim, than)) is not None:
        # "With amber glasses than with clear ones": what the same preposition has before it.
        links = [one.end() for one in re.finditer(rf"\b{link[1]}\s", claim[:than], re.IGNORECASE)]
        begins = links[-1] if links else than
        behind = {w for w in made.left if w in placed and begins <= placed[w].span.start < than}
        ours = behind or ours
    if not ours:
        verbs = [term.span.start for term in facts.terms if term.pos == "VERB"]
        verbs += [match.start() for match in _VERB.finditer(claim)]
        ends = min(verbs, default=0)
        ours = {word for word in made.left if word in placed and placed[word].span.start < ends}
    aspect = (made.left | made.right) - ours - theirs
    before, after = (
        {word for at in times if (at.start < than) == first for word in _PART.findall(at.of(claim))}
        for first in (True, False)
    )
    if after and all(word in after for word in _PART.findall(" ".join(theirs))):
        # "Revenue was higher in 2023 than in 2022": the times are the sides.
        aspect = (aspect | ours) - before - after
        ours, theirs = before - after, after - before
    if not ours or not theirs:
        return None
    # The 15 of "the iPhone 15", which operands have as "iphone 15".
    numbers = {
        found.span.of(claim).lower(): f"{found.noun[:STEM]} {found.unit.partition(':')[2]}"
        for found in facts.quantities
        if found.unit.startswith("identifier") and found.noun
    }
    one, other, rest = (
        frozenset(numbers.get(word, word[:STEM]) for word in some)
        for some in (ours, theirs, aspect)
    )
    named |= numbers.keys()
    return _Sides(one, other, rest, are_names=ours <= named and theirs <= named)


def _than_others(pair: Pair, lexicon: Lexicon) -> tuple[Comparison, _Sides] | None:
    """What is said to have more than all others: "shorter than either of the other two"."""
    claim, facts = pair.claim.text, pair.claim_facts
    for made in comparisons_of(pair, lexicon):
        if made.left and _THAN_OTHERS.search(claim, made.span.end):
            names = {t.lemma.lower() for t in facts.terms if t.pos == "PROPN"}
            if ours := made.left & names:
                own, aspect = (
                    frozenset(word[:STEM] for word in some) for some in (ours, made.left - ours)
                )
                return replace(made, right=frozenset()), _Sides(own, frozenset(), aspect)
    return None


def _superlative(claim: str, facts: Facts) -> tuple[Comparison, _Sides] | None:
    """What is called the cheapest or the most expensive, as a comparison with all others."""
    for match in _MOST.finditer(claim):
        said = match.group().lower()
        word = NAMED.get(match[2].lower(), "") if match[1] else f"{said[:-3]}er"
        more = {name: way != (match[1] == "least") for name, way in measures(word).items()}
        begins = max((one.end() for one in _CLAUSE.finditer(claim, 0, match.start())), default=0)
        verb = _VERB.search(claim, begins) or _OTHER_VERB.search(claim, begins)
        if not more or verb is None or verb.start() > match.start():
            continue
        words = words_of(claim, facts)
        names = [term.span for term in facts.terms if term.pos == "PROPN"]
        subject = [one for one in words if begins <= one.start < verb.start()]
        ours = [one for one in subject if any(at.start <= one.start < at.end for at in names)]
        aspect = frozenset(one.key for one in words if one.start >= match.end())
        if not subject:
            continue
        sides = _Sides(frozenset(one.key for one in ours or subject), frozenset(), aspect)
        return Comparison(
            frozenset(more), more, sides.ours, frozenset(), Span(*match.span())
        ), sides
    return None


def _beside(pair: Pair, lexicon: Lexicon) -> tuple[Comparison, _Sides] | None:
    """What is compared without "than", by the column it names: "less frequent with the drug"."""
    claim = pair.claim.text
    for made in comparisons_of(pair, lexicon, than=False):
        link = _WITH.search(claim, made.span.end)
        ours = made.left & set(_PART.findall(link[1].lower())) if link else frozenset[str]()
        if ours:
            own, aspect = (
                frozenset(word[:STEM] for word in some) for some in (ours, made.left - ours)
            )
            return made, _Sides(own, frozenset(), aspect)
    return None


def _other_cell(
    made: Comparison, sides: _Sides, sources: Sources
) -> tuple[Operand, Operand] | None:
    """The cell of the column that is named and the only other one of its row."""
    fitting = [one for one in sources.known if one.in_row and _is_of(made, sides, one)]
    some = _nearest(made, sides, fitting) if fitting else []
    mine = [one for one in some if all(alike(word, one.own) for word in sides.ours)]
    if len(some) != 2 or len(mine) != 1 or len({(o.sentence, o.unit, o.rate) for o in some}) != 1:
        return None
    if 2 * sum(alike(word, mine[0].own) for word in sides.aspect) < len(sides.aspect):
        return None
    return mine[0], next(one for one in some if one is not mine[0])


def _first(made: Comparison, sides: _Sides, sources: Sources) -> tuple[Operand, Operand] | None:
    """The figure of a thing and the best of the others, each in a document or cell of its own."""
    best: dict[str, list[Operand]] = {}
    for one in sources.known:
        if not one.is_moment and _is_of(made, sides, one):
            best.setdefault(one.sentence[0], []).append(one)
    if len(best) == 1:
        return _first_of_cells(made, sides, *best.values())
    told: dict[str, Operand] = {}
    for document, some in best.items():
        some = _nearest(made, sides, some)
        if len({(one.value, one.unit, one.rate) for one in some}) == 1:
            told[document] = some[0]
    mine = [one for one in told.values() if all(alike(w, sources.subject(one)) for w in sides.ours)]
    if len(mine) != 1:
        return None
    return _beside_best(made, mine[0], told.values())


def _first_of_cells(
    made: Comparison, sides: _Sides, some: Sequence[Operand]
) -> tuple[Operand, Operand] | None:
    """The same of a row of a table whose columns are the things; `row_order` has the others."""
    cells = [one for one in _nearest(made, sides, list(some)) if one.in_row]
    if len({one.sentence for one in cells}) != 1:
        return None
    mine = [one for one in cells if all(alike(word, one.own) for word in sides.ours)]
    return _beside_best(made, mine[0], cells) if len(mine) == 1 else None


def _beside_best(
    made: Comparison, own: Operand, told: Iterable[Operand]
) -> tuple[Operand, Operand] | None:
    """A figure and the one of the others that goes furthest; None where these are not as many."""
    others = [o for o in told if o is not own and (o.unit, o.rate) == (own.unit, own.rate)]
    if not others:
        return None
    way = _way(made, own)
    rival = max(others, key=lambda one: way * one.value)
    return (own, rival) if rival.value != own.value else None


def _held(made: Comparison, sides: _Sides, sources: Sources) -> tuple[Operand, Operand] | None:
    """The figures of the two sides; None where they are not told beyond doubt."""
    fitting = [one for one in sources.known if not one.is_moment and _is_of(made, sides, one)]
    near: list[Callable[[Operand], frozenset[str]]] = [lambda o: o.own, lambda o: o.near]
    if sides.are_names:
        near.append(sources.subject)
    ours = _nearest(made, sides, _of_thing(fitting, sides.ours, sides.theirs, near))
    theirs = _nearest(made, sides, _of_thing(fitting, sides.theirs, sides.ours, near))
    for some in (ours, theirs):
        if len({(one.value, one.unit, one.rate) for one in some}) != 1:
            return None
    one, other = ours[0], theirs[0]
    # "48 litres per cycle" of the one may be "48 litres" of the other.
    alike_in = one.unit == other.unit and (one.rate == other.rate or not (one.rate and other.rate))
    if one.value == other.value and not _is_all_of(one, sides, sources):
        return None
    return (one, other) if alike_in else None


def _is_all_of(one: Operand, sides: _Sides, sources: Sources) -> bool:
    """Whether a figure is of all that a claim without figures compares two things in.

    That both wore glasses for four weeks does not say that they slept as well.
    """
    if sources.pairs[0].claim_facts.quantities:
        return False
    return all(alike(word, one.own | one.near) for word in sides.aspect)


def _is_of(made: Comparison, sides: _Sides, one: Operand) -> bool:
    """Whether a figure is of the measure that is compared."""
    measure = min(made.measures)
    units = UNITS.get(measure.split()[0])
    if measure.startswith("dearer"):
        return one.unit in CURRENCIES
    if units is not None and one.unit not in units and (one.unit or measure.startswith("faster")):
        return False  # of "37" nobody knows whether more of it is faster
    if measure.startswith("much "):
        counted = {name[5:][:STEM] for name in made.measures}
        return one.noun[:STEM] in counted or any(alike(word, one.own) for word in counted)
    said = one.own if one.in_row else one.own | one.near
    if any(alike(word, said) or word == one.noun[:STEM] for word in sides.aspect):
        return True
    return units is not None and bool(one.unit) and measure.split()[0] not in ("higher", "larger")


def _of_thing(
    fitting: Iterable[Operand],
    mine: Set[str],
    others: Set[str],
    near: Iterable[Callable[[Operand], frozenset[str]]],
) -> list[Operand]:
    """The figures that are said of one thing and not of the other: as near to its name as any."""
    for told_of in near:
        some = [
            one
            for one in fitting
            if all(alike(word, told_of(one)) for word in mine)
            and not all(alike(word, told_of(one)) for word in others)
        ]
        if some:
            return some
    return []


def _nearest(made: Comparison, sides: _Sides, some: list[Operand]) -> list[Operand]:
    """Those that most of the other words of the claim are said of, and that count what it does."""
    counted = {name[5:][:STEM] for name in made.measures if name.startswith("much ")}
    some = [one for one in some if one.noun[:STEM] in counted] or some
    hits = {id(one): sum(alike(word, one.own) for word in sides.aspect) for one in some}
    some = [one for one in some if hits[id(one)] == max(hits.values())]
    return [one for one in some if one.unit] or some


def _way(made: Comparison, one: Operand) -> int:
    """1 where the first side has to have the larger figure, -1 where the smaller."""
    measure = min(made.measures)
    return (
        1 if made.more[measure] != (measure.startswith("faster") and one.unit in _OF_TIME) else -1
    )


def _signal(made: Comparison, one: Operand, other: Operand) -> Signal:
    values = one.written, other.written
    if (one.value - other.value) * _way(made, one) > 0:
        message = f"The sources have {values[0]} and {values[1]}."
        return Signal("comparison_agrees", Stance.SUPPORTS, _RIGHT, message, made.span)
    how = "it is the other way round" if made.right else "it is not the first"
    if one.value == other.value:
        how = "neither is more"
    message = f"The sources have {values[0]} and {values[1]}: {how}."
    return Signal("not_derivable", Stance.CONTRADICTS, _WRONG, message, made.span, None, values)
