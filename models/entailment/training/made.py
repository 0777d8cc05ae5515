"""Claims and documents -> training pairs made by rule (`rules/`).

* *altered*: a supported claim with one thing made wrong.
* *varied*: the same with more alterations a claim, rare ones first, beside true rewordings.
* *made*: a sentence of a document, or what it entails by construction; the same with one thing
  made wrong; the same with its sentence cut out of the premise.
* *short*: a sentence alone or among few others, true and made wrong; and the altered sentence as
  the premise, which turns the labels round. Which word decides is plainest here.
* *spliced*: what one sentence says, said of the subject of another, or cut inside a phrase, beside
  what does follow from it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from halgo.entailment.premises import select
from training import rules
from training.data import SETS
from training.examples import CONTRADICTED, ENTAILED, NEUTRAL, Example

# How much more often than another a kind of alteration is chosen where a sentence allows several:
# what most sentences allow is taken less often, what few do whenever it can be.
RARE = {
    "negation_out": 3.0,
    "roles": 4.0,
    "entity_swap": 3.0,
    "comparison": 4.0,
    "quantifier": 4.0,
    "antonym": 2.0,
    "hedge": 3.0,
    "number": 1.5,
    "number_near": 2.0,
    "number_far": 2.0,
    "magnitude": 2.0,
    "unit": 2.0,
    "added_source": 0.3,
}


def altered_pairs(pairs: Iterable[Example], seed: int, each: int = 2) -> Iterator[Example]:
    """Supported claims of `pairs` with one thing made wrong, against the same premise."""
    kept = _supported(pairs)
    parsed, pool = _read([pair.claim for pair in kept])
    rng = random.Random(seed)
    for pair, doc in zip(kept, parsed, strict=True):
        options = rules.alterations(doc[:], pool, rng)
        for option in _spread(options, each, rng):
            if not _stands_in(option.text, pair.premise):
                yield _wrong(pair.premise, option, "altered")


def made_pairs(texts: Sequence[str], seed: int, sentences: int = 6) -> Iterator[Example]:
    """Pairs made of the documents themselves, of at most `sentences` sentences of each."""
    rng = random.Random(seed)
    # Only what is read is parsed: the beginning of a long document serves as well as the whole.
    parsed, pool = _read([" ".join(text.split()[:450]) for text in texts])
    for doc in parsed:
        told = [sent for sent in doc.sents if _plain(sent)]
        rng.shuffle(told)
        all_texts = [sent.text.strip() for sent in doc.sents]
        for sent in told[:sentences]:
            own = sent.text.strip()
            words = rng.choice((40, 100, 100, 130))

            true = [*rules.reductions(sent), *rules.rewordings(sent, rng)]
            claim = rng.choice(true) if true and rng.random() < 0.75 else own
            yield Example(_premise(all_texts, claim, words), claim, ENTAILED, "made", ())
            for option in _spread(rules.alterations(sent, pool, rng), 2, rng):
                text = _premise(all_texts, option.text, words)
                if own in text and not _stands_in(option.text, text):
                    yield _wrong(text, option, "made")
            if rng.random() < 0.5:
                text = _premise(all_texts, claim, words, own)
                if text and _shared(claim, text) < 0.8:
                    yield Example(text, claim, NEUTRAL, "cut out")


def varied_pairs(pairs: Iterable[Example], seed: int, each: int = 3) -> Iterator[Example]:
    """Supported claims of `pairs`, reworded, and with `each` things made wrong in turn."""
    kept = _supported(pairs)
    parsed, pool = _read([pair.claim for pair in kept])
    rng = random.Random(seed)
    for pair, doc in zip(kept, parsed, strict=True):
        wrong = _rare_first(rules.alterations(doc[:], pool, rng), each, rng)
        for option in wrong:
            if not _stands_in(option.text, pair.premise):
                yield _wrong(pair.premise, option, "altered")
        sentences = list(doc.sents)
        true = _true(sentences[0], rng) if len(sentences) == 1 else []
        for claim in true[: 1 + (rng.random() < 0.5)]:
            yield Example(pair.premise, claim, ENTAILED, "altered", ())


def short_pairs(texts: Sequence[str], seed: int, sentences: int = 6) -> Iterator[Example]:
    """Pairs of at most `sentences` sentences of each document, with premises of 0 to 90 words."""
    rng = random.Random(seed)
    parsed, pool = _read([" ".join(text.split()[:350]) for text in texts])
    for doc in parsed:
        told = [sent for sent in doc.sents if _plain(sent)]
        rng.shuffle(told)
        texts_of = [sent.text.strip() for sent in doc.sents if sent.text.strip()]
        for sent in told[:sentences]:
            true = _true(sent, rng)
            options = rules.alterations(sent, pool, rng)
            if not options:
                continue
            own = sent.text.strip()
            premise = _around(own, texts_of, rng.choice((0, 30, 45, 60, 90)))
            for claim in true[:2] or [own]:
                yield Example(premise, claim, ENTAILED, "made", ())
            wrong = _rare_first(options, 3, rng)
            for option in wrong:
                if not _stands_in(option.text, premise):
                    yield _wrong(premise, option, "made")
            turned = wrong[0]
            if turned.stance == "contradicted" and rng.random() < 0.5:
                premise = premise.replace(own, turned.text)
                yield Example(premise, own, CONTRADICTED, f"made: turned {turned.kind}")
                yield Example(premise, turned.text, ENTAILED, "made", ())


def spliced_pairs(texts: Sequence[str], seed: int, sentences: int = 6) -> Iterator[Example]:
    """Pairs of at most `sentences` sentences of each document that a wrong summary may come of."""
    rng = random.Random(seed)
    parsed, _ = _read([" ".join(text.split()[:450]) for text in texts])
    for doc in parsed:
        told = [sent for sent in doc.sents if _plain(sent)]
        texts_of = [sent.text.strip() for sent in doc.sents if sent.text.strip()]
        left = sentences
        for sent in rng.sample(told, len(told)):
            wrong = list(rules.spliced(sent, told))
            options = [rng.choice(wrong)] if wrong else []
            options += [(option, sent) for option in rules.cut_short(sent)][:1]
            true = _true(sent, rng)
            for option, other in options:
                own = sent.text.strip()
                words = rng.choice((0, 45, 90, 110))
                premise = _around(own, texts_of, words, other.text.strip())
                if _stands_in(option.text, premise):
                    continue
                yield _wrong(premise, option, "made")
                yield Example(premise, true.pop() if true else own, ENTAILED, "made", ())
            left -= bool(options)
            if not left:
                break


def _true(sentence: Any, rng: random.Random) -> list[str]:
    """What a sentence entails by construction, in random order."""
    try:
        found = [*rules.reductions(sentence), *rules.rewordings(sentence, rng)]
    except IndexError:
        return []
    rng.shuffle(found)
    return found


def _around(own: str, texts: Sequence[str], words: int, other: str = "") -> str:
    """`own` among the sentences nearest to it, so many words together; 0: alone.

    other: a sentence that is there in any case.
    """
    picked = {own, other}
    if words:
        near = sorted(texts, key=lambda text: -_shared(own, text))[:8]
        order = [own, *(text for text in near if text != own)]
        picked |= {order[at] for at in select(own, order, [""] * len(order), words)}
    return " ".join(text for text in texts if text in picked)


def _rare_first(options: Sequence[Any], count: int, rng: random.Random) -> list[Any]:
    """At most `count` alterations of different kinds, rare kinds more likely."""
    by_kind: dict[str, list[Any]] = {}
    for option in options:
        by_kind.setdefault(option.kind, []).append(option)
    drawn = {kind: rng.random() ** (1 / RARE.get(kind, 1.0)) for kind in sorted(by_kind)}
    kinds = sorted(drawn, key=lambda kind: (-drawn[kind], kind))
    return [rng.choice(by_kind[kind]) for kind in kinds[:count]]


def _premise(texts: Sequence[str], claim: str, words: int, without: str = "") -> str:
    """The sentences of a document that a check would read for `claim`, in their order."""
    others = [text for text in texts if text and text != without]
    order = sorted(others, key=lambda text: -_shared(claim, text))[:10]
    picked = [order[at] for at in select(claim, order, [""] * len(order), words)]
    return " ".join(text for text in others if text in picked)


def _wrong(premise: str, option: Any, source: str) -> Example:
    label = CONTRADICTED if option.stance == "contradicted" else NEUTRAL
    return Example(premise, option.text, label, f"{source}: {option.kind}", option.spans)


def _spread(options: Sequence[Any], count: int, rng: random.Random) -> list[Any]:
    """At most `count` alterations, of different kinds while there are."""
    by_kind: dict[str, list[Any]] = {}
    for option in options:
        by_kind.setdefault(option.kind, []).append(option)
    kinds = sorted(by_kind)
    rng.shuffle(kinds)
    return [rng.choice(by_kind[kind]) for kind in kinds[:count]]


def _supported(pairs: Iterable[Example]) -> list[Example]:
    """The entailed pairs of the sets whose claims may be altered."""
    chosen = {source.name for source in SETS if source.alter}
    return [pair for pair in pairs if pair.label == ENTAILED and pair.source in chosen]


def _read(texts: Sequence[str]) -> tuple[list[Any], rules.Pool]:
    """The parses of texts, and the pool of all that can be put in place of something in them."""
    from halgo.facts import parse

    parsed = list(parse.pipeline().pipe(texts, batch_size=64))
    pool = rules.Pool()
    for doc in parsed:
        pool.add(doc)
    return parsed, pool


def _plain(sentence: Any) -> bool:
    """Whether a sentence can stand as a claim: a whole one, no question, no fragment."""
    text = sentence.text.strip()
    return (
        6 <= len(sentence) <= 45
        and text[-1] in ".!\"'”"
        and text[0].isupper()
        and "?" not in text
        and "\n" not in text
        and any(token.dep_ in ("nsubj", "nsubjpass") for token in sentence)
    )


def _shared(claim: str, text: str) -> float:
    from halgo.evidence.lexical import is_common, tokens

    wanted = {token for token in tokens(claim) if not is_common(token)}
    return len(wanted & set(tokens(text))) / max(len(wanted), 1)


def _stands_in(claim: str, premise: str) -> bool:
    """Whether the premise holds the claim's very words: an alteration that is true by chance."""

    def bare(text: str) -> str:
        return re.sub(r"\W+", " ", text.lower()).strip()

    return bare(claim) in bare(premise)
