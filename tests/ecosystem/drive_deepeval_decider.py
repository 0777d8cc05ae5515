"""DeepEval's own Faithfulness metric, with halgo in the place of its language model."""

from __future__ import annotations

from deepeval.errors import DeepEvalError
from deepeval.metrics import FaithfulnessMetric
from deepeval.test_case import LLMTestCase
from seen import Seen

from halgo.integrations.deepeval_decider import Decider

SHOWS_CLAIMS = False
NAMES_VALUES = False  # DeepEval words the reason itself
TELLS_QUESTION = False  # it hands over answer and context alone


def make() -> Decider:
    return Decider()


def metric(decider: Decider, *, strict: bool = False) -> FaithfulnessMetric:
    return FaithfulnessMetric(
        eval_mode="system_one", system_one_model=decider, async_mode=False, strict_mode=strict
    )


def case(answer: str, contexts: list[str]) -> LLMTestCase:
    return LLMTestCase(input="?", actual_output=answer, retrieval_context=contexts)


def run(decider: Decider, answer: str, contexts: list[str]) -> Seen:
    faithfulness = metric(decider)
    try:
        score = faithfulness.measure(case(answer, contexts), _show_indicator=False)
    except DeepEvalError as error:
        return Seen(None, None, str(error))
    return Seen(score, faithfulness.is_successful(), faithfulness.reason)


async def arun(decider: Decider, answer: str, contexts: list[str]) -> Seen:
    faithfulness = metric(decider)
    score = await faithfulness.a_measure(case(answer, contexts), _show_indicator=False)
    return Seen(score, faithfulness.is_successful(), faithfulness.reason)
