"""Claims of absence beside the sources: whether these speak of what is said to be missing.

A sentence that has all the words of a topic speaks of it, and the claim is wrong; where none does
the claim is right. One that has them by synonyms only, or all but one and a value, may speak of it
in other words, so neither is sure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from halgo.claims.absence import absence
from halgo.evidence.lexical import content_stems, is_common, stems
from halgo.facts.identifiers import identifiers
from halgo.facts.words import words
from halgo.protocols import Lexicon
from halgo.signals.matching import derived, said_alike
from halgo.signals.records.fields import of_record
from halgo.signals.records.yes_no import DENIED
from halgo.signals.segments import SENTENCE, shown, split
from halgo.sources.ceilings import shortened
from halgo.types import Pair, Signal, Span, Stance, Term

SURE, PERHAPS = 0.75, 0.4
_MOST = 12  # words of a topic
_QUOTED = 160  # characters of a sentence in a message
_LONGEST = 20_000  # characters of a passage
# "The date of the hearing" asks for a time.
_VALUES = dict.fromkeys(words("price cost amount number duration length"), "amount")
_VALUES |= dict.fromkeys(words("date time deadline"), "time") | {"name": "who"}
# Words of a question, not of what is asked about.
_IDLE = _VALUES.keys() | words(
    "information detail topic subject matter fact word term use possible possibility specific "
    "exact precise particular any anything way charge take last place happen long many much people "
    "value actually also get be due"
)
_OPEN = ("open", "way", "what")  # what a text may tell without a value
_MEASURED = frozenset({"time", "amount", "value", "what"})
# Words for an amount that the name of a column leaves out: "Hotel: $190" is a hotel limit.
_LIMITS = words("limit maximum minimum cap ceiling allowance rate budget fee price cost amount")
_SILENT = re.compile(
    r"(?:not|n['’]t|never|no|nothing)\s(?:\w+\s){0,3}?"
    r"(?:mention|stat|specif|said|say|discuss|inform|address|indicat)",
    re.IGNORECASE,
)
_DAY = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b"
    r"|\b(?:daily|minute|hour|day|week|month|year)s?\b",
    re.IGNORECASE,
)
_WAY = re.compile(
    r"\b(?:via|through|using|online|by (?:e-?mail|post|phone|\w+ing))\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Topic:
    """What is said to be missing: its words, and what is asked about them (`Absence.asked`).

    named: whether a noun asks it ("the date of"); denied: whether the topic itself denies.
    question: the words that ask, "how long", or "".
    """

    span: Span
    terms: tuple[Term, ...]
    asked: str
    named: bool
    denied: bool
    question: str = ""


def signals(pairs: Sequence[Pair], lexicon: Lexicon) -> list[list[Signal]]:
    """Beside one of a claim's passages `mentioned`, the surest; else beside all `not_mentioned`."""
    topics = topics_of(pairs[0]) if pairs else ()
    if not topics:
        return [[] for _ in pairs]
    spoken = [
        (0 if plainly else 1, at, -len(sentence), topic, sentence)
        for at, pair in enumerate(pairs)
        for topic in topics
        for plainly, sentence in _speaking(pair, topic, lexicon)
    ]
    if not spoken:
        return [[_not_mentioned(pairs[0], topics)] for _ in pairs]
    perhaps, where, _, topic, sentence = min(spoken, key=lambda found: found[:3])
    told = mentioned(pairs[where], topic, sentence, PERHAPS if perhaps else SURE)
    return [[told] if at == where else [] for at in range(len(pairs))]


def topics_of(pair: Pair) -> tuple[Topic, ...]:
    """The topics of a claim of absence; none where one of them has no word to look for."""
    text = pair.claim.text
    said = absence(text)
    found: list[Topic] = []
    if said is None:
        return ()
    for span in said.topics:
        inside = [term for term in pair.claim_facts.terms if span.overlaps(term.span)]
        named = [one.span for one in identifiers(text) if span.overlaps(one.span)]
        # "The --quiet option", "the LOOM_TOKEN variable": the noun says what kind of name it is.
        kinds = {one.end + 1 for one in named}
        telling = tuple(
            term for term in inside if term.lemma not in _IDLE and term.span.start not in kinds
        )
        if not telling or len(telling) > _MOST:
            return ()
        values = (_VALUES[term.lemma] for term in inside if term.lemma in _VALUES)
        asked = next(values, "") if said.asked in ("", "value") else ""
        denied = bool(DENIED.search(span.of(text)))
        found.append(Topic(span, telling, asked or said.asked, bool(asked), denied, said.question))
    return tuple(found)


def _speaking(pair: Pair, topic: Topic, lexicon: Lexicon) -> Iterator[tuple[bool, Span]]:
    """The sentences of a passage that speak of a topic, each with whether it does so plainly."""
    text = pair.evidence.reading.text[:_LONGEST]
    if not topic.asked and _lacking(pair, topic, pair.evidence.heading) == []:
        yield True, pair.evidence.best
        return
    if _in_a_cell(pair, topic):
        yield True, pair.evidence.best
        return
    for sentence in split(SENTENCE, Span(0, len(text)), text):
        missing = _lacking(pair, topic, sentence.of(text))
        if len(missing) == len(topic.terms):
            continue
        valued = has_value(pair, topic, sentence)
        denied = bool(DENIED.search(sentence.of(text)))
        opposed = topic.asked == "said" and denied != topic.denied
        tells = not _SILENT.search(sentence.of(text))
        if not missing and (valued or topic.asked in ("", "yes_no", *_OPEN)):
            sure = valued or topic.asked not in _OPEN
            if not opposed:
                yield sure and tells and (not topic.named or len(topic.terms) > 1), sentence
        elif missing and _in_other_words(pair, missing, sentence, lexicon):
            asked = topic.asked in ("yes_no", "said") and not opposed
            sure = asked and tells and len(missing) == 1
            yield sure and _said_of_the_same(pair, missing[0], sentence, lexicon), sentence
        elif len(missing) == 1 and topic.asked in _MEASURED and valued:
            yield False, sentence


def _in_a_cell(pair: Pair, topic: Topic) -> bool:
    """Whether a row has the words of a topic and, under the name of a column, the amount asked for.

    A word for the amount itself may be missing: "Berlin — Hotel: $190" has a hotel limit.
    """
    text, read = pair.claim.text, pair.evidence.reading.text
    missing = {term.lemma for term in _lacking(pair, topic, pair.evidence.best.of(read))}
    if topic.asked in ("yes_no", "said") or not missing <= _LIMITS or not missing:
        return False
    said = content_stems(" ".join(t.span.of(text) for t in topic.terms if t.lemma not in missing))
    amounts = [a.span.of(read) for a in pair.evidence_facts.quantities if a.unit]
    return any(
        (named := content_stems(key)) and named <= said and any(one in value for one in amounts)
        for key, value in of_record(pair)
    )


def _lacking(pair: Pair, topic: Topic, sentence: str) -> list[Term]:
    """The words of a topic that a sentence does not have."""
    held = set(stems(sentence))
    return [
        term
        for term in topic.terms
        if not held.issuperset(
            stem for stem in stems(term.span.of(pair.claim.text)) if not is_common(stem)
        )
    ]


def _in_other_words(pair: Pair, missing: Sequence[Term], sentence: Span, lexicon: Lexicon) -> bool:
    """Whether a sentence has a synonym or a derived word of each of these."""
    held = {term.lemma for term in pair.evidence_facts.terms if sentence.overlaps(term.span)}
    return all(
        not held.isdisjoint(lexicon.synonyms(term.lemma) | derived(term.lemma, lexicon))
        for term in missing
    )


def _said_of_the_same(pair: Pair, verb: Term, sentence: Span, lexicon: Lexicon) -> bool:
    """Whether a sentence says by a synonym of a verb what is asked: that receipts are required."""
    return any(
        mine.span.overlaps(verb.span)
        and sentence.overlaps(theirs.span)
        and said_alike(mine, theirs, lexicon) == 1
        and (mine.subject, mine.object) == (theirs.subject, theirs.object)
        for mine in pair.claim_facts.predicates
        for theirs in pair.evidence_facts.predicates
    )


def has_value(pair: Pair, topic: Topic, sentence: Span) -> bool:
    """Whether a sentence has what is asked for: a time, an amount, somebody."""
    facts = pair.evidence_facts
    units = [amount.unit for amount in facts.quantities if sentence.overlaps(amount.span)]
    timed = (
        any(sentence.overlaps(date.span) for date in facts.dates)
        or any(unit.startswith("clock") for unit in units)
        or _DAY.search(sentence.of(pair.evidence.reading.text)) is not None
    )
    counted = bool(units)
    lemmas = {term.lemma for term in topic.terms}
    others = (
        term
        for term in facts.terms
        if sentence.overlaps(term.span) and term.pos in ("PROPN", "NOUN")
    )
    return {
        "time": timed,
        "amount": counted,
        "value": counted or timed,
        "who": any(term.lemma not in lemmas for term in others),
        "what": counted or timed,
        "way": _WAY.search(sentence.of(pair.evidence.reading.text)) is not None,
        "said": True,
    }.get(topic.asked, False)


def mentioned(pair: Pair, topic: Topic, sentence: Span, weight: float) -> Signal:
    """That a sentence of the passage speaks of what is said to be missing, or may."""
    said = shown(pair.evidence.reading.text, sentence)
    short = shortened(said, _QUOTED)
    asked = shown(pair.claim.text, topic.span)
    speaks = "does speak" if weight == SURE else "may speak"
    message = f"The source {speaks} of this: “{short.rstrip('.')}”."
    return Signal(
        "mentioned", Stance.CONTRADICTS, weight, message, topic.span, sentence, (asked, short)
    )


def _not_mentioned(pair: Pair, topics: Sequence[Topic]) -> Signal:
    whole = replace(topics[0].span, end=topics[-1].span.end)
    message = f"No passage speaks of “{shown(pair.claim.text, whole)}”."
    return Signal("not_mentioned", Stance.SUPPORTS, SURE, message, whole)
