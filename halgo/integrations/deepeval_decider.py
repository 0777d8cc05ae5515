"""DeepEval 4: halgo in the place of the language model of its own Faithfulness metric.

    FaithfulnessMetric(eval_mode="system_one", system_one_model=Decider())

runs without any model of others. Whether every claim is supported has probability 0 unless halgo
finds so, and then that of the weakest claim: thus the metric passes nothing at its usual threshold,
0.5, that halgo does not. Where nothing was assessed, or when asked for anything else than
grounding, it raises DeepEvalError: DeepEval has no score for "not assessed".
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from halgo.integrations.common import Grounding, Outcome, needs, outcome

with needs("deepeval"):
    from deepeval.errors import DeepEvalError
    from deepeval.models import DeepEvalBaseSystemOneModel
    from deepeval.models.system_one.schema import (
        NoulAnswer,
        NoulQuestion,
        ScoreAnswer,
        ScoreQuestion,
        SystemOneAnswers,
    )

if TYPE_CHECKING:
    from halgo.checker import Checker
    from halgo.config import Config

# What is asked, and about which of two named fields: the answer, and what it is held against.
_ALL = re.compile(
    r"(?:Every factual claim in|Is) `(\w+)` (?:is )?supported by the facts in `(\w+)`"
)
_NONE = re.compile(r"No claim in `(\w+)` contradicts the facts in `(\w+)`")
_SHARE = re.compile(r"How much of `(\w+)` is grounded in the facts in `(\w+)`")


class Decider(DeepEvalBaseSystemOneModel):
    """Answers whether every claim is supported, none is contradicted, and how many are."""

    def __init__(
        self, against: Checker | str | Path | None = None, config: Config | None = None
    ) -> None:
        self._grounding = Grounding(against, config)
        super().__init__("halgo")

    def load_model(self) -> str:
        """Nothing: models are loaded with the first answer."""
        return "halgo"

    def get_model_name(self) -> str:
        """The name that is shown as what decided."""
        return "halgo"

    def decide(
        self, state: Mapping[str, Any], questions: Mapping[str, Any]
    ) -> tuple[SystemOneAnswers, float]:
        """The answers to the questions about a test case, and what they cost: nothing."""
        answers, checked = SystemOneAnswers(), {}
        for key, question in questions.items():
            asked = question.instructions
            fields = {**state, **state.get("test_case", {})}
            if isinstance(asked, Mapping):  # one claim, named beside the question about it
                fields, asked = {**fields, **asked}, asked["question"]
            kind, about = _read(asked)
            texts = [fields.get(name) for name in about]
            if repr(texts) not in checked:
                checked[repr(texts)] = self._checked(*texts, one="claim" in about)
            found = checked[repr(texts)]
            if isinstance(question, NoulQuestion) and kind is not _SHARE:
                answers.nouls[key] = NoulAnswer(probability=_probability(kind, found))
            elif isinstance(question, ScoreQuestion) and kind is _SHARE:
                answers.scores[key] = _level(found.score or 0.0, len(question.levels) - 1)
            else:
                raise DeepEvalError(f"halgo has no answer of that form to: {asked}")
        return answers, 0.0

    async def a_decide(
        self, state: Mapping[str, Any], questions: Mapping[str, Any]
    ) -> tuple[SystemOneAnswers, float]:
        """`decide` in a worker thread, so that the event loop stays free."""
        return await asyncio.to_thread(self.decide, state, questions)

    def _checked(self, text: str | None, contexts: Any, *, one: bool) -> Outcome:
        checker = self._grounding.checker(contexts)
        found = outcome(checker.check_claims([text or ""]) if one else checker.check(text or ""))
        if not found.assessed:
            raise DeepEvalError(f"Not assessed: {found.reason}")
        return found


def _read(asked: Any) -> tuple[re.Pattern[str], tuple[str, ...]]:
    """What a question asks, and the two fields it names. Raises DeepEvalError for any other."""
    for kind in (_ALL, _NONE, _SHARE):
        found = kind.search(str(asked))
        if found:
            return kind, found.groups()
    raise DeepEvalError(f"halgo answers questions of grounding only, not: {asked}")


def _probability(kind: re.Pattern[str], found: Outcome) -> float:
    if found.label == "contradiction" or (kind is _ALL and not found.passed):
        return 0.0
    return found.report.weakest or 0.0


def _level(share: float, top: int) -> ScoreAnswer:
    """A share as a level from 0 to `top`, between the two that it lies between."""
    below = min(int(share * top), top - 1)
    above = share * top - below
    peak = max(above, 1 - above)
    return ScoreAnswer(
        score=share * top,
        probabilities={below: 1 - above, below + 1: above},
        confidence=((top + 1) * peak - 1) / top,
    )
