"""Made-up answers, half of each false -> what a stream lets out, and how soon.

Answers of true and false sentences about made-up documents are cut into random pieces and shown
through `Release`: no word that stands in false sentences alone may come out, and what came out is
to equal what the gate leaves of the whole. Then the answers are fed word by word, as a model
writes them: how long after its full stop is the first sentence shown?
"""

from __future__ import annotations

import argparse
import random
import re
import statistics
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from benchmarks import corpus, runs
from benchmarks.texts import sentences
from halgo import Checker, Release, gate

OUT = runs.RESULTS / "leak.json"
LATEST_S = 0.150  # from its full stop to the showing of the first sentence
# One other word, so that the sentence is no document's own and the entailment model reads it.
_RETOLD = (
    ("office sold", "branch sold"),
    ("reported that", "said that"),
    ("does not cover", "excludes"),
    ("employs about", "has about"),
    ("receive a discount", "get a discount"),
)
_GLUE = (" ", " ", " ", "\n\n", "\n- ", "\n1. ", "\n\n## Further\n\n", "\n\nHere is more:\n\n- ")


def main(argv: Sequence[str]) -> int:
    """The exit code: 1 when anything leaked, differed or came late."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks leak", description=__doc__)
    parser.add_argument("--answers", type=int, default=40, help="answers of up to ten sentences")
    parser.add_argument("--cuts", type=int, default=5, help="random cuts of each")
    parser.add_argument("--timed", type=int, default=30, help="answers fed word by word")
    parser.add_argument("--words", type=float, default=50.0, help="words a second")
    parser.add_argument("--out", type=Path, help="JSON file (default: benchmarks/results)")
    options = parser.parse_args(argv)
    docs = corpus.documents(100, seed=1)
    checker = Checker.from_docs(docs)
    drawn = random.Random(7)
    true = [text for doc in docs for text in sentences(doc) if re.search(r"\d{2}", text)]
    texts = [answer(drawn, true, number) for number in range(options.answers)]
    leaked = differed = hidden = 0
    for text in texts:
        whole = gate.apply(checker.check(text), gate.STRIP_UNSUPPORTED).text
        secret = [word for word in re.findall(r"X\d+", text) if word not in whole]
        hidden += len(secret)
        for _ in range(options.cuts):
            parts = list(Release(checker).stream(pieces(drawn, text)))
            shown = "".join(parts)
            leaked += sum(word in shown for word in secret)
            differed += shown != whole
    timed = [wait(checker, true, drawn, 1 / options.words) for _ in range(options.timed)]
    waits = sorted(whole_s for whole_s, _ in timed)
    figures = {
        "answers": len(texts),
        "streams": len(texts) * options.cuts,
        "false_sentences": hidden,
        "leaked": leaked,
        "other_than_the_gate": differed,
        "first_sentence_p50_ms": round(statistics.median(waits) * 1000, 1),
        "first_sentence_p95_ms": round(waits[int(len(waits) * 0.95)] * 1000, 1),
        "first_sentence_worst_ms": round(waits[-1] * 1000, 1),
        "processor_p50_ms": round(statistics.median(cpu_s for _, cpu_s in timed) * 1000, 1),
        "word_ms": 1000 / options.words,
    }
    print(f"{figures['streams']} streams of {len(texts)} answers, {hidden} false sentences in them")
    print(f"false sentences of which anything was shown: {leaked}   at most 0")
    print(f"streams that ended otherwise than the gate: {differed}   at most 0")
    print(
        f"from its full stop to the first sentence shown: median "
        f"{figures['first_sentence_p50_ms']} ms, 95 % {figures['first_sentence_p95_ms']} ms, "
        f"worst {figures['first_sentence_worst_ms']} ms   95 % at most {LATEST_S * 1000:.0f} ms"
    )
    print(
        f"(the word that follows it comes after {figures['word_ms']:.0f} ms; "
        f"median processor time {figures['processor_p50_ms']} ms)"
    )
    runs.write({"schema": 1, **runs.origin("leak", argv), "figures": figures}, options.out or OUT)
    late = figures["first_sentence_p95_ms"] > LATEST_S * 1000
    return 1 if leaked or differed or late else 0


def answer(drawn: random.Random, true: Sequence[str], number: int) -> str:
    """True sentences, and others with a name that no document has, in paragraphs and lists."""
    parts: list[str] = []
    for at in range(drawn.randint(2, 10)):
        text = drawn.choice(true)
        if drawn.random() < 0.5:
            text = f"According to Xavier X{number}0{at}, the X{number}0{at} plan costs {at}77 EUR."
        parts += (drawn.choice(_GLUE) if at else "", text)
    return "".join(parts)


def pieces(drawn: random.Random, text: str) -> Iterator[str]:
    """The text cut at random places, as tokens or as larger stretches."""
    count = drawn.choice((len(text) // 4, len(text) // 20, 3))
    places = sorted({0, len(text), *(drawn.randrange(len(text)) for _ in range(count))})
    yield from (text[a:b] for a, b in pairwise(places))


def retold(text: str) -> str:
    """A sentence of a document in slightly other words."""
    for words, others in _RETOLD:
        text = text.replace(words, others)
    return text


def wait(
    checker: Checker, true: Sequence[str], drawn: random.Random, word_s: float
) -> tuple[float, float]:
    """Seconds from the full stop of the first sentence until it is shown: in all, of processors."""
    first = retold(drawn.choice(true))
    release = Release(checker, gate.AUDIT_ONLY)  # shows what it has checked, whatever the verdict
    fed, at, busy, due = 0, 0.0, 0.0, time.perf_counter()
    for word in re.findall(r"\s*\S+", f"{first} {drawn.choice(true)} {drawn.choice(true)}"):
        due += word_s  # a model writes on while a sentence is checked
        time.sleep(max(0.0, due - time.perf_counter()))
        fed += len(word)
        if not at and fed >= len(first):
            at, busy = due, time.process_time()
        if release.feed(word):
            break
    else:
        release.finish()
    return time.perf_counter() - at, time.process_time() - busy
