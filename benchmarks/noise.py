"""Claims as people type them -> how often a slip that means nothing changes a verdict.

Claims and sentences of the labelled sets, each checked as it stands and with one kind of noise:
the full stop at its end gone, quotation marks around it, hyphens written as en dashes, a citation
mark behind it, two letters of one ordinary word exchanged. Both ways of asking count: the claim as
the caller's own (`check_claims`) and as an answer (`check`).

The rows fall into two samples with no document in common: one to look at while rules are written,
and one that is only measured.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks import data
from halgo.checker import Checker
from halgo.halgorithm import Halgorithm
from halgo.types import Document

# Claims and single sentences, most of them about texts as people write them.
SETS = (
    "wice_claim",
    "factcheckgpt_stance",
    "ragtruth_qa_sentence",
    "fool_me_twice",
    "healthver",
    "scifact_dev",
    "qags_sentence",
    "factscore",
)
LIMIT = 200  # rows of a sample, all sets together
ASIDE, MENDING = "aside", "mending"
_LONGEST = 1500  # words of a row's documents
_ORDINARY = re.compile(r"(?<![\w'\u2019-])[a-z]{5,}(?![\w'\u2019-])")


def without_stop(claim: str) -> str:
    """The claim without the full stop at its end; with one where it has none."""
    bare = claim.rstrip()
    if bare.endswith("."):
        return bare[:-1]
    return f"{bare}." if bare[-1:].isalnum() else claim


def in_quotes(claim: str) -> str:
    """The claim in straight quotation marks."""
    return f'"{claim.strip()}"'


def with_dashes(claim: str) -> str:
    """The claim with its hyphens written as en dashes."""
    return claim.replace("-", "\u2013")


def cited(claim: str) -> str:
    """The claim with a citation mark behind it."""
    return f"{claim.rstrip()} [1]."


def mistyped(claim: str) -> str:
    """The claim with two neighbouring letters of one ordinary word exchanged.

    Word and letters are chosen by the claim's digest; the claim as it is where it has no word in
    lower case of five letters or more.
    """
    chosen = int(hashlib.sha256(claim.encode("utf-8", "surrogatepass")).hexdigest()[:8], 16)
    words = [found for found in _ORDINARY.finditer(claim) if len(set(found[0])) > 1]
    if not words:
        return claim
    word = words[chosen % len(words)]
    places = [at for at in range(*word.span()) if at + 1 < word.end()]
    places = [at for at in places if claim[at] != claim[at + 1]]
    at = places[chosen // len(words) % len(places)]
    return claim[:at] + claim[at + 1] + claim[at] + claim[at + 2 :]


# What is counted: (title, how the noise is made, share of verdicts that may change).
KINDS: dict[str, tuple[str, Callable[[str], str], float]] = {
    "stop": ("verdicts that change with the full stop at the end", without_stop, 0.005),
    "quotes": ("verdicts that change in quotation marks", in_quotes, 0.005),
    "dash": ("verdicts that change with an en dash for each hyphen", with_dashes, 0.005),
    "citation": ("verdicts that change with a citation mark at the end", cited, 0.005),
    "typo": ("verdicts that change with two letters exchanged in a word", mistyped, 0.04),
}


@dataclass
class Counts:
    """How many claims had noise of each kind, how many verdicts it changed, and which."""

    asked: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    changed: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    breaches: list[dict[str, str]] = field(default_factory=list)

    def join(self, other: Counts) -> None:
        """What another part of the sets gave."""
        for kind in KINDS:
            self.asked[kind] += other.asked[kind]
            self.changed[kind] += other.changed[kind]
        self.breaches += other.breaches


def rows(name: str, share: Sequence[data.Row], limit: int, sample: str) -> list[data.Row]:
    """About `limit` rows of one set for one of the two samples; none of a set that is not ours."""
    if name not in SETS:
        return []
    wanted = int(sample == ASIDE)
    mine = [
        row
        for row in share
        if int(row.group[-4:], 16) % 2 == wanted
        and row.claim.strip()
        and sum(len(doc.split()) for doc in row.docs) <= _LONGEST
    ]
    return data.sample(mine, limit)


def measure(halgorithm: Halgorithm, some: Sequence[data.Row]) -> Counts:
    """What noise does to the verdicts on these rows."""
    counts = Counts()
    for docs, positions in data.by_documents(some).items():
        documents = [Document(f"d{n}", text, f"d{n}") for n, text in enumerate(docs)]
        checker = Checker.of(halgorithm, documents)
        examine(checker, [some[position] for position in positions], counts)
    return counts


def examine(checker: Checker, some: Sequence[data.Row], counts: Counts) -> None:
    """Counts the changes of verdicts on rows about one checker's documents."""
    written = {
        row.claim: {kind: make(row.claim) for kind, (_, make, _) in KINDS.items()} for row in some
    }
    asked = dict.fromkeys(
        text for claim, noisy in written.items() for text in (claim, *noisy.values())
    )
    verdicts = _verdicts(checker, list(asked))
    for row in some:
        for kind, text in written[row.claim].items():
            if text == row.claim:
                continue
            before, after = verdicts[row.claim], verdicts[text]
            counts.asked[kind] += 1
            counts.changed[kind] += before != after
            if before != after:
                counts.breaches.append(
                    {
                        "what": kind,
                        "set": row.dataset,
                        "row": row.id,
                        "reason": f"{' '.join(before)} -> {' '.join(after)}",
                        "claim": text,
                    }
                )


def summary(counts: Counts) -> list[dict[str, Any]]:
    """Each kind's share of changed verdicts beside its bound, as `invariants` gives its figures."""
    figures = []
    for kind, (what, _, bound) in KINDS.items():
        asked, changed = counts.asked[kind], counts.changed[kind]
        if asked:
            value = changed / asked
            text = f"at most {100 * bound:g} %"
            figures.append(
                {
                    "what": what,
                    "count": asked,
                    "value": round(value, 5),
                    "bound": text,
                    "ok": value <= bound,
                }
            )
    return figures


def _verdicts(checker: Checker, texts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """For each text its verdict as a claim, and those of the claims that it has as an answer."""
    own = checker.check_claims(texts)
    reports = checker.check_many(texts)
    return {
        text: (
            result.verdict.value,
            *(one.verdict.value for one in report),
        )
        for text, result, report in zip(texts, own, reports, strict=True)
    }
