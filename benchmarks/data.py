"""Folder of labelled sets -> Rows.

A set is a gzipped file of JSON lines, one (documents, claim, label) a line; README.md here gives
the fields. Nothing depends on which sets there are: a set this file has never heard of is read,
scored and listed like the rest. The names below only say over which sets a mean is taken.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import written

ROOT = Path(__file__).resolve().parent.parent
VARIABLE = "HALGO_DATA"
SUFFIX = ".jsonl.gz"

# Real model output, checked against real documents: the sets the headline means are taken over.
FOURTEEN = (
    "ragtruth_qa",
    "ragtruth_qa_sentence",
    "summedits",
    "qags_sentence",
    "qags_summary",
    "factcc_manual",
    "summeval",
    "frank_xsum",
    "xsumfaith",
    "begin",
    "wice_claim",
    "factcheckgpt_stance",
    "factscore",
    "falke_rank19",
)
# Claims that people wrote to be verified against evidence.
VERIFICATION = (
    "fool_me_twice",
    "fever_symmetric",
    "check_covid",
    "scifact_dev",
    "healthver",
    "contractnli",
    "climate_fever_pairs",
    "averitec_dev",
)
# One kind of fact each: derived numbers, negation below and above the clause, one word swapped.
PROBES = ("awpnli", "nan_nli", "negation_nli", "breaking_nli")
GROUPS = {"fourteen": FOURTEEN, "verification": VERIFICATION, "probes": PROBES}
GROUPED = (*FOURTEEN, *VERIFICATION, *PROBES)
# Claims of our own that no model has learned from (`written.py`): set -> its folder.
WRITTEN, LONGER = "written", "written_longer"
_OURS = {WRITTEN: written.KEPT, LONGER: written.ASIDE}
# The rows of breaking_nli that swap a number or an ordinal are a figure of their own.
DERIVED = {"breaking_nli_numbers": ("breaking_nli", ("cardinals", "ordinals"))}

# The sets whose training share (`trained_on`) the shipped entailment model was trained on:
# `SETS` in models/entailment/training/data.py.
TRAINED = frozenset(
    (
        *("mnli_dev", "snli_dev", "cad_snli", "conjnli_dev", "negation_nli", "med", "breaking_nli"),
        *("fool_me_twice", "fever_symmetric", "check_covid", "scifact_dev", "contractnli"),
        *("summedits", "wice_claim", "factcheckgpt_stance", "ragtruth_qa_sentence", "factscore"),
        *("xsumfaith", "frank_xsum", "summeval", "falke_rank19", "factcc_manual"),
        *("faithdial_audit", "dialfact_small"),
    )
)
# Sets that were not trained on, but hold documents of some that were.
SHARING = frozenset(("ragtruth_qa", "begin", "function_words_nli", "anli_dev"))


class DataError(Exception):
    """The labelled sets are not where they were looked for, or a row of them is unreadable."""


@dataclass(frozen=True, slots=True)
class Row:
    """One labelled (documents, claim) pair. `group` is a digest of its documents."""

    id: str
    dataset: str
    domain: str
    docs: tuple[str, ...]
    claim: str
    label: str
    granularity: str
    group: str
    meta: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def supported(self) -> bool:
        """Whether the documents support the claim: what a yes of the checker has to mean."""
        return self.label == "supported"


def folder() -> Path:
    """Where the sets are: $HALGO_DATA or ../shared/data, or the dev/ folder in it.

    Raises DataError, naming the places, when no set is there.
    """
    base = Path(os.environ.get(VARIABLE) or ROOT.parent / "shared" / "data").expanduser()
    for place in (base / "dev", base):
        if place.is_dir() and any(place.glob(f"*{SUFFIX}")):
            return place
    raise DataError(
        f"no labelled sets (*{SUFFIX}) in {base} or {base / 'dev'}\n"
        f"Set {VARIABLE} to the folder that holds them; benchmarks/README.md gives the format."
    )


def names(place: Path | None = None) -> list[str]:
    """The sets there are: those of `GROUPS` first, then all others by name."""
    place = place or folder()
    found = {path.name.removesuffix(SUFFIX) for path in place.glob(f"*{SUFFIX}")}
    first = [name for name in GROUPED if name in found]
    return first + sorted(found - set(first))


def chosen(sets: str | None) -> list[str]:
    """The sets meant by a comma-separated list of sets and groups; all there are for None.

    Raises DataError for a name that is neither, or a set that is not there.
    """
    known = names()
    if sets is None:
        return known
    wanted: dict[str, None] = {}
    for word in sets.split(","):
        some = [name for name in GROUPS.get(word, (word,)) if name in (*known, *_OURS)]
        if not some:
            groups = ", ".join(GROUPS)
            raise DataError(f"no set {word!r}; there are {', '.join(known)}; groups are {groups}")
        wanted.update(dict.fromkeys(some))
    return list(wanted)


def load(name: str, place: Path | None = None) -> list[Row]:
    """The rows of one set, in the file's order. Raises DataError for a set or row unreadable."""
    if name in _OURS:
        return _written(name)
    path = (place or folder()) / f"{name}{SUFFIX}"
    if not path.is_file():
        raise DataError(f"no set {name!r}; there are {', '.join(names(place))}")
    rows = []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                rows.append(_row(json.loads(line), name, number))
            except (KeyError, TypeError, ValueError) as error:
                raise DataError(
                    f"{path}, line {number}: {type(error).__name__}: {error}"
                ) from error
    return rows


def _written(name: str) -> list[Row]:
    rows = []
    for path in sorted(_OURS[name].glob("*.txt")):
        for number, document in enumerate(written.read(path, {})):
            docs = (document.text,)
            for at, claim in enumerate(document.claims):
                label = "supported" if claim.sign == "+" else "unsupported"
                row_id, group = f"{path.stem}-{number}-{at}", digest(docs)
                spans = [(start, end, claim.text[start:end]) for start, end in claim.spans]
                meta = {"spans": spans}
                rows.append(
                    Row(row_id, name, path.stem, docs, claim.text, label, "claim", group, meta)
                )
    return rows


def load_all(wanted: Sequence[str] | None = None, limit: int | None = None) -> dict[str, list[Row]]:
    """Set name -> its rows, in the order of `names`; every set there is when `wanted` is None."""
    place = folder()
    chosen = names(place) if wanted is None else list(wanted)
    return {name: sample(load(name, place), limit) for name in chosen}


def sample(rows: list[Row], limit: int | None, seed: int = 0) -> list[Row]:
    """At most about `limit` rows, labels in their own shares, whole documents' rows together.

    Seeded: the same rows every time. Rows stay in order; all of them when `limit` is None. Groups
    of rows about one document are kept whole while they last, since a document costs far more
    to index than one more claim about it costs to check.
    """
    if limit is None or len(rows) <= limit:
        return rows
    order = np.random.default_rng(seed).permutation(len(rows))
    rank = {int(row): place for place, row in enumerate(order)}
    groups: dict[str, int] = {}
    for row in order:
        groups.setdefault(rows[int(row)].group, len(groups))
    labels = sorted({row.label for row in rows})
    kept: set[int] = set()
    for label in labels:
        members = [i for i, row in enumerate(rows) if row.label == label]
        share = max(1, round(limit * len(members) / len(rows)))
        # At most eight rows of a document, so that a large one does not fill the sample.
        seen: dict[str, int] = defaultdict(int)
        ranked = []
        for i in sorted(members, key=lambda i: rank[i]):
            turn, seen[rows[i].group] = seen[rows[i].group] // 8, seen[rows[i].group] + 1
            ranked.append((turn, groups[rows[i].group], rank[i], i))
        kept.update(item[-1] for item in sorted(ranked)[:share])
    return [row for i, row in enumerate(rows) if i in kept]


def derived(sets: Mapping[str, Sequence[Row]]) -> dict[str, list[bool]]:
    """Name of a part of a set -> which of that set's rows belong to it (`DERIVED`)."""
    parts = {}
    for name, (whole, domains) in DERIVED.items():
        if whole in sets:
            parts[name] = [row.domain in domains for row in sets[whole]]
    return parts


def trained_on(row: Row) -> bool:
    """Whether the row is in the share of its set that the shipped models may be trained on.

    Six documents in ten, told by the beginning of the first one, letters and digits alone: so two
    sets that hold one document, or a row with more of it, fall on the same side. Figures for the
    shipped models are those of the other share.
    """
    start = re.sub(r"[\W_]+", "", row.docs[0].lower())[:120] if row.docs else ""
    return int(hashlib.sha256(start.encode()).hexdigest()[:8], 16) % 10 < 6


def kept_out(rows: Iterable[Row]) -> list[Row]:
    """The rows about whose documents the shipped entailment model learned nothing, in order.

    Of the sets it was trained on, and of those that share documents with them, the share that is
    not `trained_on`; of all others every row.
    """
    seen = TRAINED | SHARING
    return [row for row in rows if row.dataset not in seen or not trained_on(row)]


def by_documents(rows: Iterable[Row]) -> dict[tuple[str, ...], list[int]]:
    """Documents -> positions of the rows about them, so that each is indexed once."""
    shared: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for position, row in enumerate(rows):
        shared[row.docs].append(position)
    return dict(shared)


def digest(docs: Sequence[str]) -> str:
    """A short name of some documents that depends on their text only."""
    found = hashlib.sha256()
    for doc in docs:
        data = doc.encode("utf-8", "surrogatepass")
        found.update(len(data).to_bytes(8, "big") + data)
    return found.hexdigest()[:16]


def _row(values: Mapping[str, Any], name: str, number: int) -> Row:
    docs = values["docs"]
    docs = (docs,) if isinstance(docs, str) else tuple(map(str, docs))
    return Row(
        id=str(values.get("id", f"{name}-{number}")),
        dataset=name,
        domain=str(values.get("domain") or ""),
        docs=docs,
        claim=str(values["claim"]),
        label=str(values["label"]),
        granularity=str(values.get("granularity") or "claim"),
        group=digest(docs),
        meta=values.get("meta") or {},
    )
