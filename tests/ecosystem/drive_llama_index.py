"""LlamaIndex: an evaluation of a query engine's response with its source nodes."""

from __future__ import annotations

from llama_index.core.base.response.schema import Response
from llama_index.core.schema import NodeWithScore, TextNode
from seen import Seen

from halgo.integrations.llama_index import GroundednessEvaluator, GroundednessResult


def make() -> GroundednessEvaluator:
    return GroundednessEvaluator()


def response(answer: str, contexts: list[str]) -> Response:
    return Response(answer, [NodeWithScore(node=TextNode(text=text)) for text in contexts])


def shown(found: GroundednessResult) -> Seen:
    assert found.invalid_result is (found.score is None)
    return Seen(found.score, found.passing, found.feedback, found.claims)


def run(
    evaluator: GroundednessEvaluator, answer: str, contexts: list[str], question: str = "?"
) -> Seen:
    return shown(evaluator.evaluate_response(question, response(answer, contexts)))


async def arun(evaluator: GroundednessEvaluator, answer: str, contexts: list[str]) -> Seen:
    return shown(await evaluator.aevaluate_response("?", response(answer, contexts)))
