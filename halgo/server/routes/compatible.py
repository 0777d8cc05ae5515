"""Two routes that others' clients know: NeMo Guardrails' fact check, LiteLLM's generic guardrail.

Neither is ever told better than halgo's own verdict: where nothing could be assessed NeMo gets 0
and LiteLLM what the policy says, which is to block unless the policy says otherwise.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from pydantic import ValidationError
from starlette.responses import Response

from halgo.server.refusals import Refused, of_validation
from halgo.server.routes.shared import ERRORS, TheService, as_json
from halgo.server.schema import AlignScoreIn, AlignScoreOut, Asked, LiteLLMIn, LiteLLMOut
from halgo.server.service import Service

router = APIRouter(tags=["compatible"], responses=ERRORS)

# NeMo Guardrails takes 0.5 and more for true.
_CUT = 0.5
_BELOW = 0.49
_PARAMETERS = ("index", "documents", "policy", "settings", "tags", "question")


@router.post("/alignscore_base", response_model=AlignScoreOut)
async def alignscore(asked: AlignScoreIn, service: TheService) -> Response:
    """How far the evidence supports the claim, for NeMo Guardrails' `alignscore check facts`."""
    evidence = [asked.evidence] if isinstance(asked.evidence, str) else asked.evidence
    options = Asked(documents=list(evidence))
    [plain] = await _checked(service, [asked.claim], options)
    score = plain["weakest"] or 0.0
    score = max(score, _CUT) if plain["grounded"] else min(score, _BELOW)
    return as_json({"alignscore": score, "state": plain["state"], "grounded": plain["grounded"]})


@router.post("/beta/litellm_basic_guardrail_api", response_model=LiteLLMOut)
async def litellm(asked: LiteLLMIn, service: TheService) -> Response:
    """What LiteLLM's proxy is to do with a model's answer.

    Its `additional_provider_specific_params` may hold index, documents, policy, settings, tags and
    question, as in `/v1/check`. What goes in to a model (input_type "request") is no answer, and is
    let be.
    """
    if asked.input_type == "request" or not asked.texts:
        service.require_ready()
        return as_json({"action": "NONE"})
    given = asked.additional_provider_specific_params or {}
    named = {key: given[key] for key in _PARAMETERS if key in given}
    try:
        options = Asked.model_validate({**named, "include": ["gate"]})
    except ValidationError as error:
        raise of_validation(error.errors()) from error
    decisions = [plain["gate"] for plain in await _checked(service, asked.texts, options)]
    held = [one for one in decisions if one["action"] in ("block", "escalate")]
    if held:
        reasons = [reason for one in held for reason in one["reasons"]]
        return as_json(
            {"action": "BLOCKED", "blocked_reason": "\n".join(reasons) or "not assessed"}
        )
    if all(one["passed"] for one in decisions):
        return as_json({"action": "NONE"})
    texts = [one["text"] for one in decisions]
    return as_json({"action": "GUARDRAIL_INTERVENED", "texts": texts})


async def _checked(service: Service, answers: list[str], options: Asked) -> list[dict[str, Any]]:
    """What `/v1/check` would send for each; raises what any of them failed with."""
    if len(answers) > service.limits.batch:
        most = service.limits.batch
        raise Refused("batch_too_large", f"{len(answers)} texts; {most} is the most")
    corpus = await service.corpus(options)
    asked = options.question
    jobs = [service.job(answer, corpus, options, question=asked) for answer in answers]
    found = await service.checked(jobs)
    for one in found:
        if isinstance(one, BaseException):
            raise one
    return found
