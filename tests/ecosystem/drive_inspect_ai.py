"""Inspect: `score` over a log, as for answers that were given before.

Not `eval`: with any model, even its mock, it fetches a table of tokens first.
"""

from __future__ import annotations

import math
import threading
from concurrent.futures import ThreadPoolExecutor

from inspect_ai import score, score_async
from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSample, EvalSpec
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Scorer
from seen import Seen

from halgo.integrations.inspect_ai import groundedness

_ONE_AT_A_TIME = threading.Lock()  # so Inspect wants it: its display is one of the process


def make() -> Scorer:
    return groundedness()


def log(answers: list[str], contexts: list[str], question: str = "?") -> EvalLog:
    spec = EvalSpec(
        created="2026-01-01T00:00:00+00:00",
        task="fees",
        dataset=EvalDataset(),
        model="mockllm/model",
        config=EvalConfig(),
    )
    samples = [
        EvalSample(
            id=number,
            epoch=1,
            input=question,
            target="",
            messages=[],
            output=ModelOutput.from_content("mockllm/model", answer),
            metadata={"contexts": contexts},
        )
        for number, answer in enumerate(answers)
    ]
    return EvalLog(eval=spec, status="success", samples=samples)


def scored(scorer: Scorer, given: EvalLog) -> EvalLog:
    """In a thread of its own, for it starts an event loop."""
    with _ONE_AT_A_TIME, ThreadPoolExecutor(1) as pool:
        return pool.submit(score, given, scorer, display="none").result()


def shown(found: EvalLog) -> Seen:
    assert found.samples is not None
    (one,) = (found.samples[0].scores or {}).values()
    unscored = isinstance(one.value, float) and math.isnan(one.value)
    value = None if unscored else one.as_float()
    passed = None if value is None else value == 1
    return Seen(value, passed, one.explanation or "", (one.metadata or {})["claims"])


def run(scorer: Scorer, answer: str, contexts: list[str], question: str = "?") -> Seen:
    return shown(scored(scorer, log([answer], contexts, question)))


async def arun(scorer: Scorer, answer: str, contexts: list[str]) -> Seen:
    return shown(await score_async(log([answer], contexts), scorer))
