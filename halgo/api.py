"""The two functions for one use. Both delegate to one shared `Halgorithm`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from halgo.halgorithm import Docs, Halgorithm
from halgo.progress import OnProgress
from halgo.report.report import ClaimDict


@lru_cache(maxsize=1)
def shared() -> Halgorithm:
    """The process's own Halgorithm with default settings."""
    return Halgorithm()


def compare_to_docs(
    truth_docs: Docs,
    ai_output: str,
    threshold: float = 0.30,
    *,
    question: str | None = None,
    progress: OnProgress | None = None,
) -> list[ClaimDict]:
    """What the documents say about each claim of an answer: one dict a claim, in order.

    truth_docs: a string, or an iterable of strings, dicts (`text`, and optionally `id`/`file_id`,
    `source`/`file_path`) or `Document`s. threshold: lowest score of WEAK_SUPPORT, in [0, 1].
    question: what the answer is given to, as `Checker.check` takes it.
    progress: called with a `Progress` while the documents are indexed.
    Asking again about the same documents embeds nothing of them again. Raises ConfigError for a
    threshold out of range, ModelNotFoundError when a model is missing.
    """
    return shared().compare_to_docs(
        truth_docs, ai_output, threshold, question=question, progress=progress
    )


def compare_to_files(
    paths: Sequence[str | Path],
    ai_output: str,
    threshold: float = 0.30,
    *,
    question: str | None = None,
    progress: OnProgress | None = None,
) -> list[ClaimDict]:
    """The same for files and folders. Raises DocumentError naming a file it cannot read."""
    return shared().compare_to_files(
        paths, ai_output, threshold, question=question, progress=progress
    )
