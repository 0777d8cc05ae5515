"""Documents of the labelled sets -> how often something changes a verdict that must not.

For a sample of each set: the documents' own sentences are SUPPORTED; a document of another set,
drawn at random, takes no support away and brings none; the order of documents changes nothing in
a result; the same input gives the same bytes in another process; and slips of the keyboard change
no verdict (`noise.py`). `tests/test_invariants.py` and `tests/test_noise.py` hold the same, and
more, over a few documents of our own.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np

from benchmarks import data, noise, runs
from benchmarks.provenance import say
from halgo.checker import Checker
from halgo.claims.extract import extract
from halgo.halgorithm import Halgorithm
from halgo.report.report import Report
from halgo.sources.sentences import split
from halgo.types import Document, Verdict

_Found = TypeVar("_Found")

SCHEMA = 1
LIMIT = 20  # rows a set, unless told otherwise
_OWN = 5  # sentences of a document that are asked about
_LONG = 400  # words; a document that is added is at most so long
_PLACES = ("matched_doc_id", "matched_source", "matched_chunk_id")
_PROCESSES = 40  # answers that are checked in two processes

OWN, TAKEN, BROUGHT, ORDER = "own", "taken", "brought", "order"
# What is counted: (title, share at least or at most, bound).
BOUNDS = {
    OWN: ("the documents' own sentences that are SUPPORTED", "at least", 0.995),
    TAKEN: ("SUPPORTED claims that an unrelated document turns", "at most", 0.005),
    BROUGHT: ("other claims that an unrelated document makes SUPPORTED", "at most", 0.005),
    ORDER: ("results that differ when documents are turned round", "at most", 0.0),
}


@dataclass
class Counts:
    """How many were asked and how many of them are counted, by what is asked; and the breaches."""

    asked: dict[str, int] = field(default_factory=lambda: dict.fromkeys(BOUNDS, 0))
    found: dict[str, int] = field(default_factory=lambda: dict.fromkeys(BOUNDS, 0))
    breaches: list[dict[str, str]] = field(default_factory=list)

    def add(self, what: str, counted: bool) -> None:
        """One more was asked."""
        self.asked[what] += 1
        self.found[what] += counted

    def join(self, other: Counts) -> None:
        """What another part of the sets gave."""
        for what in BOUNDS:
            self.asked[what] += other.asked[what]
            self.found[what] += other.found[what]
        self.breaches += other.breaches


def main(argv: Sequence[str]) -> int:
    """The exit code: 1 when something is beyond its bound."""
    options = _options(argv)
    chosen = data.chosen(options.sets)
    if options.child:
        print(_digest(chosen, options))
        return 0
    counts = Counts()
    for name, found in zip(chosen, _all(measure, chosen, options), strict=True):
        counts.join(found)
        say(f"{name}: {found.asked[OWN]} own sentences, {len(found.breaches)} breaches")
    typed = noise.Counts()
    noisy = [name for name in chosen if name in noise.SETS and options.noise_limit]
    for name, changed in zip(noisy, _all(measure_noise, noisy, options), strict=True):
        typed.join(changed)
        say(f"{name}: {len(changed.breaches)} verdicts changed by noise")
    breaches = counts.breaches + typed.breaches
    figures = summary(counts) + noise.summary(typed)
    if options.bytes:
        figures.append(_same_bytes(argv))
    _print(figures)
    if options.show:
        for breach in breaches:
            print("\n" + "\n".join(f"{key}: {value}" for key, value in breach.items()))
    result = {
        "schema": SCHEMA,
        **runs.origin("invariants", argv),
        "settings": {
            "share": options.share,
            "limit": options.limit,
            "sets": chosen,
            "noise": {"limit": options.noise_limit, "sample": options.noise_sample},
        },
        "figures": figures,
        # Without the texts, which are not ours.
        "breaches": [{key: b[key] for key in ("what", "set", "row", "reason")} for b in breaches],
    }
    runs.write(result, options.out)
    return 0 if all(figure["ok"] for figure in figures) else 1


def summary(counts: Counts) -> list[dict[str, Any]]:
    """Each figure beside its bound: {"what", "count", "value", "bound", "ok"}; value is a share."""
    figures = []
    for key, (what, kind, bound) in BOUNDS.items():
        asked, found = counts.asked[key], counts.found[key]
        value = found / asked if asked else float(kind == "at least")
        ok = value >= bound if kind == "at least" else value <= bound
        text = f"{kind} {100 * bound:g} %"
        figures.append(
            {"what": what, "count": asked, "value": round(value, 5), "bound": text, "ok": ok}
        )
    return figures


def measure(name: str, options: argparse.Namespace) -> Counts:
    """One set."""
    rows = _rows(name, options)
    others = strangers(name, rows)
    generator = np.random.default_rng(0)
    counts = Counts()
    with ExitStack() as stack:
        halgorithm = _halgorithm(options, stack)
        for docs, positions in data.by_documents(rows).items():
            group = [rows[position] for position in positions]
            texts = [text for text in docs if text.strip()]
            if texts:
                stranger = others[int(generator.integers(len(others)))]
                examine(halgorithm, texts, group, stranger, counts)
    return counts


def measure_noise(name: str, options: argparse.Namespace) -> noise.Counts:
    """What noise does to the verdicts on one set."""
    share = data.load(name) if options.share == runs.ALL else data.kept_out(data.load(name))
    # So many of each set that all sets together make the sample.
    mine = noise.rows(name, share, -(-options.noise_limit // len(noise.SETS)), options.noise_sample)
    with ExitStack() as stack:
        return noise.measure(_halgorithm(options, stack), mine)


def examine(
    halgorithm: Halgorithm,
    texts: Sequence[str],
    rows: Sequence[data.Row],
    stranger: str,
    counts: Counts,
) -> None:
    """Counts what holds for rows about the documents `texts`, when `stranger` is added to them."""
    documents = [Document(f"d{number}", text, f"d{number}") for number, text in enumerate(texts)]
    more = [*documents, Document("stranger", stranger, "stranger")]
    alone = Checker.of(halgorithm, documents)
    beside = Checker.of(halgorithm, more, previous=alone.index)
    turned = Checker.of(halgorithm, more[::-1], previous=beside.index)

    def breach(what: str, row: data.Row, claim: str, after: Any) -> None:
        counts.breaches.append(
            {
                "what": what,
                "set": row.dataset,
                "row": row.id,
                "reason": f"{after.verdict.value} ({after.reason})",
                "claim": claim,
                "message": after.message,
            }
        )

    sentences = own_sentences(texts)
    claims = [claim.text for row in rows for claim in _claims(row)]
    asked = list(dict.fromkeys([*sentences, *claims]))
    if not asked:
        return
    before, after, again = (c.check_claims(asked) for c in (alone, beside, turned))
    own = set(sentences)
    for claim, old, new in zip(asked, before, after, strict=True):
        supported = old.verdict is Verdict.SUPPORTED
        if claim in own:
            counts.add(OWN, supported)
            if not supported:
                breach(OWN, rows[0], claim, old)
        what = TAKEN if supported else BROUGHT
        changed = supported != (new.verdict is Verdict.SUPPORTED)
        counts.add(what, changed)
        if changed:
            breach(what, rows[0], claim, new)
    for claim, ours, theirs, other in zip(
        asked, after.claim_dicts(), again.claim_dicts(), again, strict=True
    ):
        keys = _changed(ours, theirs)
        counts.add(ORDER, bool(keys))
        if keys:
            breach(f"{ORDER}: {', '.join(keys)}", rows[0], claim, other)


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """What of a result differs. Of two passages that say the same, either may be named."""
    return [key for key in before if key not in _PLACES and before[key] != after[key]]


def own_sentences(texts: Sequence[str], most: int = _OWN) -> list[str]:
    """At most so many sentences of each document, evenly spread, that an answer could assert."""
    found = []
    for text in texts:
        said = [sentence.reading.text for sentence in split(text) if sentence.block != "heading"]
        step = max(1, len(said) // most)
        kept = [one for one in said[::step] if all(c.kind.checked for c in extract(one))]
        found += kept[:most]
    return found


def strangers(name: str, rows: Sequence[data.Row]) -> list[str]:
    """Documents of the other sets, of 20 words or more and not too long, none among the rows'.

    From among the first documents of each set; raises DataError when there is no other set.
    """
    mine = {text for row in rows for text in row.docs}
    unrelated = [text for other, text in _some_documents() if other != name and text not in mine]
    if not unrelated:
        raise data.DataError("there is no other set to take an unrelated document from")
    return unrelated


@lru_cache(maxsize=1)
def _some_documents() -> tuple[tuple[str, str], ...]:
    """(set, document), a few of each set."""
    found = [
        (name, text)
        for name in data.names()
        for row in data.sample(data.load(name), 10)
        for text in row.docs
        if 20 <= len(text.split()) <= _LONG
    ]
    return tuple(dict.fromkeys(found))


def _claims(row: data.Row) -> Sequence[Any]:
    from halgo.claims.extract import as_claims

    claims = extract(row.claim) if row.granularity == "response" else as_claims([row.claim])
    return [claim for claim in claims if claim.kind.checked]


# --- the same bytes ------------------------------------------------------------------------------


def _same_bytes(argv: Sequence[str]) -> dict[str, Any]:
    """Whether two processes, in which the order of sets of strings differs, give equal reports."""
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "benchmarks", "invariants", "--child", *argv],
            cwd=data.ROOT,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        for seed in ("1", "20")
    ]
    outputs = [process.communicate()[0].split() for process in running]
    if any(process.returncode for process in running):
        raise RuntimeError("a process that checks again failed; the message above is its own")
    (one, count), (two, _) = outputs
    return {
        "what": "answers whose report differs in another process",
        "count": int(count),
        "value": float(one != two),
        "bound": "at most 0 %",
        "ok": one == two,
    }


def _digest(chosen: Sequence[str], options: argparse.Namespace) -> str:
    """A digest of the reports on a row of each set, and their number; nothing is cached."""
    options.no_cache = True
    joined, count = hashlib.sha256(), 0
    with ExitStack() as stack:
        halgorithm = _halgorithm(options, stack)
        for name in chosen[:_PROCESSES]:
            short = [row for row in _rows(name, options) if _words(row.docs) <= _LONG]
            for row in short[:1]:
                report: Report = halgorithm.checker(list(row.docs)).check(row.claim)
                joined.update(report.to_json().encode("utf-8", "surrogatepass"))
                count += 1
    return f"{joined.hexdigest()} {count}"


def _words(docs: Sequence[str]) -> int:
    return sum(len(doc.split()) for doc in docs)


# --- the command ---------------------------------------------------------------------------------


def _rows(name: str, options: argparse.Namespace) -> list[data.Row]:
    return runs.rows(data.load(name), options)


def _halgorithm(options: argparse.Namespace, stack: ExitStack) -> Halgorithm:
    return Halgorithm(embedder=runs.embedder(options, stack), entailment=runs.entailment(options))


def _all(
    work: Callable[[str, argparse.Namespace], _Found],
    chosen: Sequence[str],
    options: argparse.Namespace,
) -> list[_Found]:
    """What `work` gives for each set, in order, `options.jobs` of them at a time."""
    if options.jobs == 1:
        return [work(name, options) for name in chosen]
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    os.environ.setdefault("OMP_NUM_THREADS", "1")  # read by the workers when they start
    with ProcessPoolExecutor(options.jobs, multiprocessing.get_context("spawn")) as pool:
        return list(pool.map(work, chosen, [options] * len(chosen)))


def _print(figures: Sequence[Mapping[str, Any]]) -> None:
    for found in figures:
        late = "" if found["ok"] else "   BEYOND"
        print(
            f"{found['what']:60}{100 * found['value']:>8.2f} % of {found['count']:<7,}"
            f"({found['bound']}){late}"
        )


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks invariants", description=__doc__)
    parser.add_argument("--sets", help="comma-separated names of sets or groups; else every set")
    runs.add_share(parser)
    parser.add_argument(
        "--limit", type=int, default=LIMIT, help=f"rows a set (default {LIMIT}; 0: all)"
    )
    parser.add_argument(
        "--noise-limit",
        type=int,
        default=noise.LIMIT,
        help=f"rows to which noise is added, all sets together (default {noise.LIMIT}; 0: none)",
    )
    parser.add_argument(
        "--noise-sample",
        choices=(noise.ASIDE, noise.MENDING),
        default=noise.ASIDE,
        help="the sample that is only measured (default), or the one to look at",
    )
    parser.add_argument("--jobs", type=int, default=1, help="sets worked on at the same time")
    runs.add_models(parser)
    parser.add_argument("--show", action="store_true", help="print each breach with its text")
    parser.add_argument(
        "--no-bytes",
        dest="bytes",
        action="store_false",
        help="leave out the check in other processes",
    )
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    runs.add_out(parser, "invariants")
    return runs.parsed(parser, argv, "invariants")
