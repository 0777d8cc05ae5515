"""Comparisons: a claim that compares two things the other way round than its source.

"The old pump was louder than the new one" is wrong beside "The new pump is louder than the old
one" and beside "The old pump is quieter than the new one". What is compared is told by the words
that stand on one side of "than" only; a comparison of another measure says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from functools import lru_cache

from halgo.facts.units import CURRENCIES
from halgo.facts.words import words
from halgo.protocols import Lexicon
from halgo.signals.passages import ByIdentity
from halgo.signals.segments import quoted, read_passage
from halgo.types import Facts, Pair, Quantity, Signal, Span, Stance, Term

_SURE, _LIKELY = 0.75, 0.6
# Share of a side's words in the clause of its figure; the left side has the predicate's as well.
_LEFT, _RIGHT = 0.25, 0.5
# Measures: the words for more of it, and for less.
_MEASURES = (
    ("larger bigger greater", "smaller"),
    ("higher", "lower"),
    ("longer", "shorter briefer"),
    ("taller", "shorter"),
    ("faster quicker swifter", "slower"),
    ("heavier", "lighter"),
    ("dearer costlier pricier", "cheaper"),
    ("older elder", "younger newer"),
    ("earlier sooner", "later"),
    ("stronger", "weaker"),
    ("louder noisier", "quieter softer"),
    ("warmer hotter", "cooler colder"),
    ("wider broader", "narrower"),
    ("deeper", "shallower"),
    ("thicker", "thinner"),
    ("better", "worse"),
    ("easier simpler", "harder"),
    ("closer nearer", "farther further"),
    ("richer wealthier", "poorer"),
    ("brighter", "darker dimmer"),
    ("commoner likelier", "rarer"),
    ("safer", "riskier"),
    ("wetter", "drier dryer"),
    ("steeper", "flatter gentler"),
    ("softer", "harder"),
)
_MORE, _LESS = words("more"), words("less fewer")
NAMED = {  # "more expensive" is "dearer"
    "expensive": "dearer", "costly": "dearer", "quickly": "faster", "slowly": "slower",
    "rapidly": "faster", "quietly": "quieter", "loudly": "louder", "noisy": "louder",
    "frequent": "commoner", "frequently": "commoner", "common": "commoner", "often": "commoner",
    "likely": "commoner", "prevalent": "commoner", "widespread": "commoner",
    "heavily": "heavier", "powerful": "stronger", "difficult": "harder", "distant": "farther",
}  # fmt: skip
COST = words("cost costs costing")
_GROWN = words("grow grows grew grown rise rises rose risen fall fell falls increased declined")
_MONEY = words("money cash fund funding")
# What a measure is told in.
UNITS: dict[str, Set[str]] = {
    "dearer": CURRENCIES,
    "heavier": {"gram"},
    "longer": {"metre", "second"},
    "taller": {"metre"},
    "deeper": {"metre"},
    "wider": {"metre"},
    "thicker": {"metre"},
    "faster": {"second", "metre/second", "bit/second"},
    "louder": {"decibel"},
    "warmer": {"degree Celsius"},
    "higher": {*CURRENCIES, "metre", "fraction", "degree Celsius"},
    "larger": {"square metre", *CURRENCIES},
    "commoner": {"fraction"},
}
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*|\d[\w.,]*\w|\d")
_IN_NAME = re.compile(r"\)?:\s")  # behind an amount in a column's name: "Placebo (n=156): 4%"
_THAN = re.compile(r"\bthan\b", re.IGNORECASE)
_TURN = re.compile(r"[;:]|\b(?:but|while|whereas|although|though|however)\b", re.IGNORECASE)
_NEGATOR = re.compile(r"\b(?:no|not|never|nor|neither|hardly)\b|n['’]t\b", re.IGNORECASE)
_IDLE = words(
    "a an the of in on at to for with by from and or than that those these this it its their our "
    "one ones was were is are be been being had has have did do does which who as any other all "
    "much far even slightly somewhat still also there they he she his her we i you would will "
    "but while whereas although though however"
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sides and what they are compared in; a word of both sides is of neither."""

    measures: frozenset[str]  # what is compared, "+" or "-" left out
    more: dict[str, bool]  # measure -> whether the left side has more of it
    left: frozenset[str]
    right: frozenset[str]
    span: Span


def signals(pair: Pair, lexicon: Lexicon) -> list[Signal]:
    """Antonym, swapped_names and comparison_agrees signals, at most one."""
    ours = [mine for mine in comparisons_of(pair, lexicon) if mine.right]
    if not ours:
        return []
    text, best = pair.evidence.reading.text, pair.evidence.best
    theirs = list(_read(text, pair.evidence_facts, best, lexicon))
    for mine in ours:
        judged = [(_way(mine, other), other) for other in theirs]
        right = [other for way, other in judged if way > 0]
        if right:
            return [_agreement(pair, mine, right[0])]
        wrong = [other for way, other in judged if way < 0]
        if wrong:
            return [_signal(pair, mine, wrong[0])]
        if not any(way for way, _ in judged):
            signal = _by_figures(pair, mine)
            if signal is not None:
                return [signal]
    return []


def agrees(pair: Pair, lexicon: Lexicon) -> bool:
    """Whether the source makes the claim's comparison, perhaps from the other side."""
    ours, best = comparisons_of(pair, lexicon), pair.evidence.best
    if not ours or not _THAN.search(best.of(pair.evidence.reading.text)):
        return False
    theirs = list(_read(pair.evidence.reading.text, pair.evidence_facts, best, lexicon))
    return any(_way(mine, other) > 0 for mine in ours for other in theirs)


_kept = ByIdentity[list[Comparison]](kept=64)


def comparisons_of(pair: Pair, lexicon: Lexicon, *, than: bool = True) -> list[Comparison]:
    """The comparisons of a claim, which stands beside several passages.

    than: whether it has to have this word, or must not.
    """
    text, facts = pair.claim.text, pair.claim_facts
    if (_THAN.search(text) is not None) != than:
        return []
    whole = Span(0, len(text))
    made_of = (text, facts, lexicon)
    return _kept.get(made_of, lambda: list(_read(text, facts, whole, lexicon)))


def _read(text: str, facts: Facts, within: Span, lexicon: Lexicon) -> Iterator[Comparison]:
    """The comparisons of one sentence; none where it denies something."""
    if _NEGATOR.search(within.of(text)):
        return
    tokens = _tokens(text, within)
    turns = [match.start() for match in _TURN.finditer(text, within.start, within.end)]
    lemmas = {term.span.start: term for term in facts.terms}
    for at, (word, span) in enumerate(tokens):
        following = tokens[at + 1][0] if at + 1 < len(tokens) else ""
        more = _more(word, following, tokens, at, lemmas, lexicon)
        if not more:
            continue
        grown = {t for t, _ in tokens[max(0, at - 2) : at]} & _GROWN
        if grown and word in ("faster", "quicker"):  # "grew faster" is "grew more"
            more |= {"much": True}
        if grown and word == "slower":
            more |= {"much": False}
        start = max((turn for turn in turns if turn < span.start), default=within.start)
        end = min((turn for turn in turns if turn > span.start), default=within.end)
        than = _THAN.search(text, span.end, end)
        middle = than.start() if than else end
        before = _content(tokens, lemmas, start, middle)
        if not before - _content(tokens, lemmas, span.start, middle):
            before |= _content(tokens, lemmas, within.start, start)
        after = _content(tokens, lemmas, than.end(), end) if than else frozenset()
        before -= {measure[5:] for measure in more if measure.startswith("much ")}
        term = lemmas.get(span.start)
        before -= {word, term.lemma.lower()} if term is not None else {word}
        before -= {following} if word in _MORE | _LESS else set()
        yield Comparison(frozenset(more), more, before - after, after - before, span)


def _more(
    word: str,
    following: str,
    tokens: list[tuple[str, Span]],
    at: int,
    lemmas: dict[int, Term],
    lexicon: Lexicon,
) -> dict[str, bool]:
    """Measure -> whether the word says more of it; empty where it compares nothing."""
    if word in _MORE | _LESS:
        up = word in _MORE
        if at and tokens[at - 1][0] in COST:  # "costs less" is "is cheaper"
            return measures("dearer" if up else "cheaper")
        if following in NAMED:
            found = measures(NAMED[following])
            return {measure: way == up for measure, way in found.items()}
        term = lemmas.get(tokens[at + 1][1].start) if at + 1 < len(tokens) else None
        if term is not None and term.pos in ("NOUN", "ADJ", "ADV"):
            same = {term.lemma} | lexicon.synonyms(term.lemma)
            return {f"much {lemma}": up for lemma in same}
        return {"much": up}
    return measures(word)


def measures(word: str) -> dict[str, bool]:
    """The measures that a comparative compares, each with whether it says more of it."""
    return dict(_by_word().get(word, {}))


@lru_cache(maxsize=1)
def _by_word() -> dict[str, dict[str, bool]]:
    """Word -> its measures, and whether it says more of each."""
    found: dict[str, dict[str, bool]] = {}
    for more, less in _MEASURES:
        for word in less.split():
            found.setdefault(word, {})[more] = False
        for word in more.split():
            found.setdefault(word, {})[more] = True
    return found


def _tokens(text: str, within: Span) -> list[tuple[str, Span]]:
    return [
        (match.group().lower(), Span(match.start(), match.end()))
        for match in _WORD.finditer(text, within.start, within.end)
    ]


def _content(
    tokens: list[tuple[str, Span]], lemmas: dict[int, Term], start: int, end: int
) -> frozenset[str]:
    """What a stretch speaks of: lemmas of its content words, and its numerals and letters."""
    found = set()
    for word, span in tokens:
        if not start <= span.start < end or word in _IDLE:
            continue
        term = lemmas.get(span.start)
        found.add(term.lemma.lower() if term is not None else word.removesuffix("'s"))
    return frozenset(found)


def _way(mine: Comparison, other: Comparison) -> int:
    """1 where both say the same, -1 where one denies the other, 0 where they may differ."""
    shared = mine.measures & other.measures
    if not shared:
        return 0
    measure = min(shared)
    same = mine.more[measure] == other.more[measure]
    left, right = mine.left & other.left, mine.right & other.right
    crossed = mine.left & other.right, mine.right & other.left
    if not other.right:  # "Klara was faster": than what, the sentence does not say here
        return (1 if same else -1) if left and not crossed[1] else 0
    if left and right and not (crossed[0] or crossed[1]):
        return 1 if same else -1
    if crossed[0] and crossed[1] and not right:
        return -1 if same else 1
    return 0


def _by_figures(pair: Pair, mine: Comparison) -> Signal | None:
    """A comparison of two things whose figures the passage gives: "A has 27 ships, B 14".

    Each figure is told by its clause, which has to hold words of one thing and none of the other.
    """
    if not mine.left:
        return None
    facts = pair.evidence_facts
    passage = read_passage(pair.evidence, facts)
    terms = {term.span.start: term for term in facts.terms}
    given: dict[bool, list[Quantity]] = {True: [], False: []}
    for sentence in passage.sentences():
        for clause in passage.clauses(sentence):
            held = _content(_tokens(passage.text, clause), terms, clause.start, clause.end)
            sides = (
                len(held & mine.left) >= _LEFT * len(mine.left),
                len(held & mine.right) >= _RIGHT * len(mine.right),
            )
            amounts = [
                found
                for found in facts.quantities
                if clause.start <= found.span.start < clause.end
                and found.low == found.high
                and not _IN_NAME.match(passage.text, found.span.end)
            ]
            fitting = [found for found in amounts if _fits(found, mine, held)]
            if sides[0] != sides[1] and len(fitting) == 1:
                given[sides[0]] += fitting
    ours = {(found.low, _unit(found)): found for found in given[True]}
    theirs = {(found.low, _unit(found)): found for found in given[False]}
    if len(ours) != 1 or len(theirs) != 1:
        return None
    (left,), (right,) = ours.values(), theirs.values()
    if _unit(left) != _unit(right):
        return None
    measure = min(mine.measures)
    # Who needs fewer seconds is the faster.
    more = mine.more[measure] != (measure.startswith("faster") and left.unit == "second")
    if left.low != right.low and (left.low > right.low) == more:
        return None
    first, second = sorted((left, right), key=lambda found: found.span)
    span = Span(first.span.start, second.span.end)
    return _made(pair, mine, span, "antonym", _LIKELY)


def _fits(found: Quantity, mine: Comparison, held: frozenset[str]) -> bool:
    """Whether a figure is one of the measure: grams of weight, ships of "more ships"."""
    if found.unit.startswith(("ordinal", "clock")):
        return False
    for measure in mine.measures:
        unit = UNITS.get(measure.split()[0])
        if unit is not None and found.unit in unit:
            return True
        if measure.startswith("much "):
            counted = measure[5:]
            if counted in _MONEY and found.unit in CURRENCIES:
                return True
            # "Acme has 27 vans, Bolt 14": the second figure is read as one of Bolts, or as a name.
            if _unit(found) == "" and (found.noun in ("", counted) or found.noun in held):
                return True
    return False


def _agreement(pair: Pair, mine: Comparison, other: Comparison) -> Signal:
    said = mine.span.of(pair.claim.text), other.span.of(pair.evidence.reading.text)
    message = f'The source compares them alike: "{said[1]}".'
    return Signal(
        "comparison_agrees", Stance.SUPPORTS, _LIKELY, message, mine.span, other.span, said
    )


def _unit(found: Quantity) -> str:
    return "" if found.unit.startswith("identifier") else found.unit


def _signal(pair: Pair, mine: Comparison, other: Comparison) -> Signal:
    crossed = bool(mine.left & other.right)
    return _made(pair, mine, other.span, "swapped_names" if crossed else "antonym", _SURE)


def _made(pair: Pair, mine: Comparison, span: Span, kind: str, weight: float) -> Signal:
    said = mine.span.of(pair.claim.text), span.of(pair.evidence.reading.text)
    message = f"The source compares them the other way round: “{quoted(pair, span)}”."
    return Signal(kind, Stance.CONTRADICTS, weight, message, mine.span, span, said)
