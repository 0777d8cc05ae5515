"""Claims of absence that the words leave open -> what the entailment model says of them.

That no sentence has the words of a topic does not show that none speaks of it: logs are "kept" in
the claim and "retained" in the source. So the model is asked of the sentences nearest to the topic,
twice: whether what the topic takes for given holds ("Logs are kept on the Team plan.") and whether
they tell of it ("There is information about how long logs are kept on the Team plan."). The one
alone is true of what has no answer there, the other of what is only like it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from halgo.evidence.lexical import content_stems, stems
from halgo.protocols import EntailmentModel
from halgo.signals.polarity.silence import PERHAPS, SURE, Topic, has_value, mentioned, topics_of
from halgo.signals.segments import SENTENCE, split
from halgo.types import Pair, Signal, Span, Stance

# How sure the model has to be of both, of what is asked with a question word and of a bare noun: on
# 100 claims ("do not say how long recordings are kept" of a tier that is told, and of one that is
# not) wrong ones had at most 0.53, and most right ones more than this.
_ASKED, _NAMED, _MAY_SAY = 0.55, 0.7, 0.55
_FEWEST = 4  # words of what tells anything: no heading
_MOST = 8  # sentences that are read for a claim
_LONGEST = 600  # characters of one
_MEASURED = ("amount", "time")
_OPENS = re.compile(r"^(?:an?|the|any|its|their|your|our|some)\s+", re.IGNORECASE)
_CLOSES = re.compile(r"\s+(?:is|are|was|were)\W*$", re.IGNORECASE)


def reread(
    pairs: Sequence[Pair], found: Sequence[tuple[Signal, ...]], model: EntailmentModel | None
) -> tuple[tuple[Signal, ...], ...]:
    """The signals of a claim's passages, with `mentioned` where one tells what it says is missing.

    found: those of the rules, a tuple for each of the pairs.
    """
    told = [signal for some in found for signal in some if signal.detector == "silence"]
    told_so = any(s.weight >= SURE and s.stance is Stance.CONTRADICTS for s in told)
    if model is None or not told or told_so:
        return tuple(found)
    nearest = _nearest(pairs)
    asked = [
        (at, topic, sentence)
        for topic in topics_of(pairs[0])
        if topic.asked != "who"  # whoever is named there does something
        for at, sentence in nearest
    ]
    read = [
        (sentence.of(pairs[at].evidence.reading.text), hypothesis)
        for at, topic, sentence in asked
        for hypothesis in _hypotheses(pairs[at].claim.text, topic)
    ]
    if not read:
        return tuple(found)
    entailed = model.predict(read)[:, 0].reshape(-1, 2).min(axis=1).tolist()
    chances = [
        0.0 if _lacks(pairs[at], topic, sentence) else chance
        for chance, (at, topic, sentence) in zip(entailed, asked, strict=True)
    ]
    best = max(range(len(asked)), key=lambda k: (chances[k], -k))
    if chances[best] < _MAY_SAY:
        return tuple(found)
    at, topic, sentence = asked[best]
    weight = SURE if chances[best] >= (_ASKED if topic.question else _NAMED) else PERHAPS
    new = replace(mentioned(pairs[at], topic, sentence, weight), detector="silence")
    kept = [tuple(s for s in some if s.detector != "silence") for some in found]
    kept[at] = (*kept[at], new)
    return tuple(kept)


def _nearest(pairs: Sequence[Pair]) -> list[tuple[int, Span]]:
    """The best sentence of each passage, and those that share most words with the claim."""
    wanted = content_stems(pairs[0].claim.text)
    found: dict[str, tuple[tuple[bool, int, int], int, Span]] = {}
    for at, pair in enumerate(pairs):
        text = pair.evidence.reading.text
        for sentence in _sentences(pair):
            shared = len(wanted & content_stems(sentence.of(text)))
            best = sentence.overlaps(pair.evidence.best)
            key = sentence.of(text)
            if key not in found and len(key) <= _LONGEST and len(key.split()) >= _FEWEST:
                found[key] = ((not best, -shared, at), at, sentence)
    ranked = sorted(found.values(), key=lambda one: (one[0], one[2]))
    return [(at, sentence) for _, at, sentence in ranked[:_MOST]]


def _sentences(pair: Pair) -> Iterator[Span]:
    text = pair.evidence.reading.text
    best = pair.evidence.best
    yield best
    for sentence in split(SENTENCE, Span(0, len(text)), text):
        if not sentence.overlaps(best) and sentence.of(text).strip():
            yield sentence


def _hypotheses(claim: str, topic: Topic) -> tuple[str, str]:
    """What holds where the topic is told, and that it is told."""
    said = topic.span.of(claim).strip().rstrip(".!")
    whole = f"{topic.question} {said}".strip()
    noun = _CLOSES.sub("", said)
    if topic.question and noun == said:
        given = f"{said[:1].upper()}{said[1:]}."
    else:
        # "There is the rate limit" takes it for known.
        bare = _OPENS.sub("", noun)
        given = f"There is {noun if bare == noun else _article(bare)}."
        whole = noun
    return given, f"There is information about {whole}."


def _article(noun: str) -> str:
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def _lacks(pair: Pair, topic: Topic, sentence: Span) -> bool:
    """Whether a sentence has no time or amount that is asked for, or not a name of the topic.

    To the model one plan is much like another, and no other words stand for a name.
    """
    if topic.asked in _MEASURED and not has_value(pair, topic, sentence):
        return True
    read = pair.evidence.reading.text
    there = set(stems(f"{pair.evidence.heading} {sentence.of(read)}"))
    written = (term.span.of(pair.claim.text) for term in topic.terms)
    names = (word for word in written if not word.islower())
    return any(there.isdisjoint(stems(name)) for name in names)
