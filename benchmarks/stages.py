"""A call of halgo -> the processor time of each of its stages, and the models' multiply-adds.

A stage is a function that everything of it goes through. What a stage calls of another one counts
there: the times of all stages and of the rest add up to the whole.
"""

from __future__ import annotations

import json
import pkgutil
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any
from unittest import mock

REST = "the rest"
# Stage -> what belongs to it. In the order in which data passes through.
STAGES = {
    "read": (
        "halgo.sources.folders.read_file",
        "halgo.sources.sentences.split",
        "halgo.sources.chunks.chunk",
        "halgo.claims.extract.extract",
    ),
    "parse": ("halgo.facts.parse.parse",),
    "read facts": ("halgo.facts.read",),
    "embed": ("halgo.evidence.embed.SentenceTransformerEmbedder.embed",),
    "put together": ("halgo.evidence.build.build_index",),
    "retrieve": ("halgo.verdict.examining.Examiner._passages",),
    "align and compare": ("halgo.verdict.examining.Examiner._compared",),
    "entail": ("halgo.entailment.readings.judge",),
    "decide": (
        "halgo.checker.Checker.decide",
        "halgo.verdict.pooling.by_parts",
        "halgo.checker.Checker.report",
    ),
    "render": ("halgo.report.text.render",),
}


class Clock:
    """Processor seconds of each stage, and what the models were given."""

    def __init__(self) -> None:
        self.spent: Counter[str] = Counter()
        self.encoded = 0  # multiply-adds of the transformers
        self.parsed = 0  # of the parser
        self._stack: list[str] = [REST]
        self._since = time.process_time()

    @contextmanager
    def running(self) -> Iterator[None]:
        """Measures what is called in the block."""
        with ExitStack() as stack:
            for stage, names in STAGES.items():
                for name in names:
                    stack.enter_context(_replaced(name, lambda f, s=stage: self._timed(f, s)))
            name = "onnxruntime.InferenceSession.run"
            stack.enter_context(_replaced(name, self._counted))
            nlp = _pipeline()
            stack.enter_context(mock.patch.object(nlp, "pipe", self._tokens(nlp.pipe)))
            self._since = time.process_time()
            yield
            self._turn()

    def _turn(self) -> None:
        now = time.process_time()
        self.spent[self._stack[-1]] += now - self._since
        self._since = now

    def _timed(self, function: Callable[..., Any], stage: str) -> Callable[..., Any]:
        @wraps(function)
        def timed(*words: Any, **named: Any) -> Any:
            self._turn()
            self._stack.append(stage)
            try:
                return function(*words, **named)
            finally:
                self._turn()
                self._stack.pop()

        return timed

    def _counted(self, run: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(run)
        def counted(session: Any, outputs: Any, feed: dict[str, Any], *more: Any) -> Any:
            ids = feed.get("ids", feed.get("input_ids"))
            if ids is not None:
                # The only trace of the model's folder that a session keeps.
                size = _size(Path(session._model_path).parent)
                self.encoded += ids.shape[0] * transformer(ids.shape[1], *size)
            return run(session, outputs, feed, *more)

        return counted

    def _tokens(self, pipe: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*words: Any, **named: Any) -> Iterator[Any]:
            for doc in pipe(*words, **named):
                self.parsed += len(doc) * parser_weights()
                yield doc

        return counted


@contextmanager
def _replaced(name: str, make: Callable[[Any], Any]) -> Iterator[None]:
    owner, _, attribute = name.rpartition(".")
    holder = pkgutil.resolve_name(owner)
    with mock.patch.object(holder, attribute, make(getattr(holder, attribute))):
        yield


@lru_cache(maxsize=8)
def _size(folder: Path) -> tuple[int, int, int]:
    """Layers, width and inner width of the transformer in a folder."""
    told = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    return told["num_hidden_layers"], told["hidden_size"], told["intermediate_size"]


def transformer(length: int, layers: int, width: int, inner: int) -> int:
    """Multiply-adds of a BERT on one text of so many word pieces."""
    products = length * (4 * width * width + 2 * width * inner)
    return layers * (products + 2 * length * length * width)


@lru_cache(maxsize=1)
def parser_weights() -> int:
    """Multiply-adds of the parser for a token: each number of its matrices once."""
    nlp = _pipeline()
    nodes = {id(node): node for _, pipe in nlp.pipeline for node in _nodes(pipe)}
    return sum(int(node.get_param("W").size) for node in nodes.values() if node.has_param("W"))


def _nodes(pipe: Any) -> list[Any]:
    model = getattr(pipe, "model", None)
    return list(model.walk()) if hasattr(model, "walk") else []


def _pipeline() -> Any:
    from halgo.facts.parse import pipeline

    return pipeline()
