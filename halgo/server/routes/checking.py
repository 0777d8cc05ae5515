"""`/v1/check`, its stream, and `/v1/batch`."""

from __future__ import annotations

import time
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import ValidationError
from starlette.responses import Response, StreamingResponse

from halgo.server.corpora import Corpus
from halgo.server.engine import Job
from halgo.server.refusals import Refused, of_validation
from halgo.server.routes.shared import ERRORS, NO_OTHER_KEYS, TheService, as_json
from halgo.server.schema import ANSWER, BatchIn, BatchOut, CheckIn, CheckOut, Name, Options, Part
from halgo.server.service import Service, policy_of
from halgo.server.streams import Pieces, WhileWritten, Whole

router = APIRouter(tags=["check"], responses=ERRORS, dependencies=NO_OTHER_KEYS)

_SSE = "text/event-stream"
_EVENTS: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "events: claim, progress, verification, report, error",
        "content": {_SSE: {"schema": {}}},
    }
}
_STREAMED = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": {"$ref": "#/components/schemas/CheckIn"}},
            "text/plain": {"schema": {"type": "string"}, "example": ANSWER},
        },
    }
}


@router.post("/v1/check", response_model=CheckOut)
async def check(asked: CheckIn, service: TheService) -> Response:
    """Check an answer: every claim with its verdict, its reason and its passage."""
    corpus = await service.corpus(asked)
    job = service.job(asked.answer, corpus, asked, question=asked.question)
    [found] = await service.checked([job])
    if isinstance(found, BaseException):
        raise found
    # Clock times stand beside the body, which is the same for the same request.
    queue_ms = (job.begun - job.taken) * 1000
    check_ms = (time.monotonic() - job.begun) * 1000
    return as_json(
        found,
        headers={"X-Halgo-Queue-Ms": f"{queue_ms:.1f}", "X-Halgo-Check-Ms": f"{check_ms:.1f}"},
    )


@router.post(
    "/v1/check/stream", responses=_EVENTS, openapi_extra=_STREAMED, response_class=StreamingResponse
)
async def stream(
    request: Request,
    service: TheService,
    index: Annotated[Name | None, Query(description="for text/plain")] = None,
    include: Annotated[list[Part] | None, Query(description="for text/plain")] = None,
    policy: Annotated[str | None, Query(description="for text/plain: a profile")] = None,
    question: Annotated[str | None, Query(description="for text/plain")] = None,
) -> Response:
    """Check an answer and send each claim as soon as it is checked, as server-sent events.

    As JSON the answer is there from the start; as text/plain it may come while it is written.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    # A proxy is not to collect what is sent.
    headers = {"X-Accel-Buffering": "no"}
    if kind == "text/plain":
        policy_of(policy, "query.policy")  # a fault in it is one of the address here
        options = Options(index=index, include=include or [], policy=policy)
        corpus = await service.corpus(options)
        pieces = Pieces(service, corpus, options, request.stream(), question)
        return WhileWritten(pieces.events(), media_type=_SSE, headers=headers)
    if kind == "application/json":
        if request.query_params:
            raise Refused(
                "invalid_request",
                "query: what stands in the address counts for text/plain alone; put it in the body",
            )
        try:
            asked = CheckIn.model_validate_json(await request.body())
        except ValidationError as error:
            raise of_validation(error.errors()) from error
        corpus = await service.corpus(asked)
        whole = Whole(service, corpus, asked, asked.answer, asked.question)
        return StreamingResponse(whole.events(), media_type=_SSE, headers=headers)
    raise Refused("unsupported_media_type", "send application/json, or the text as text/plain")


@router.post("/v1/batch", response_model=BatchOut)
async def batch(asked: BatchIn, service: TheService) -> Response:
    """Check several answers against the same; one that fails does not fail the others.

    What is wrong with one answer stands in its place in `results`; what is wrong with the request
    (its index, its policy, too many answers) refuses all of it.
    """
    most = service.limits.batch
    if len(asked.answers) > most:
        raise Refused(
            "batch_too_large", f"{len(asked.answers)} answers; {most} is the most. Send several."
        )
    corpus = await service.corpus(asked)
    questions = [None] * len(asked.answers) if asked.questions is None else asked.questions
    if len(questions) != len(asked.answers):
        raise Refused(
            "invalid_request",
            f"body.questions: {len(questions)} for {len(asked.answers)} answers; give one each, "
            "null where it is not known",
        )
    pairs = zip(asked.answers, questions, strict=True)
    taken = [_taken(service, *pair, corpus, asked) for pair in pairs]
    found = iter(await service.checked([one for one in taken if isinstance(one, Job)]))
    results = [_one(next(found) if isinstance(one, Job) else one) for one in taken]
    return as_json({"results": results})


def _taken(
    service: Service, answer: str, question: str | None, corpus: Corpus, asked: BatchIn
) -> Job | Refused:
    """The answer for the engine, or why it alone is not taken."""
    try:
        service.require_size(answer, question)
    except Refused as refused:
        return refused
    return service.job(answer, corpus, asked, question=question)


def _one(found: Any) -> dict[str, Any]:
    if isinstance(found, Refused):
        return {"ok": False, "report": None, **found.plain}
    if isinstance(found, BaseException):
        raise found
    return {"ok": True, "report": found, "error": None, "error_type": None}
