"""For those who run the server: is it alive, ready, what runs in it, what did it do."""

from __future__ import annotations

import asyncio
from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from halgo import __version__, models
from halgo.delivery.policy import PROFILES
from halgo.delivery.statistics import Statistics, statistics
from halgo.server.prometheus import CONTENT_TYPE
from halgo.server.refusals import STATUS, Refused
from halgo.server.routes.shared import ERRORS, NO_OTHER_KEYS, TheService, as_json
from halgo.server.schema import InfoOut, Plain, StatusOut
from halgo.server.service import Service

router = APIRouter(tags=["operations"], responses=ERRORS, dependencies=NO_OTHER_KEYS)

Moment = Annotated[
    str | None,
    Query(
        pattern=r"^\d{4}-\d{2}-\d{2}([T ][0-9:.+Z-]+)?$",
        description='a day or a moment: "2026-03-01"',
    ),
]
_FIGURES: dict[int | str, dict[str, Any]] = {
    200: {"description": "figures", "content": {"text/plain": {"schema": {"type": "string"}}}}
}


@router.get("/health", response_model=StatusOut)
async def health() -> Response:
    """Whether the process lives."""
    return as_json({"status": "ok"})


@router.get("/ready", response_model=StatusOut)
async def ready(service: TheService) -> Response:
    """Whether it takes requests: models and documents are loaded, and it is not stopping."""
    service.require_ready()
    return as_json({"status": "ready"})


@router.get("/info", response_model=InfoOut)
async def info(service: TheService) -> Response:
    """What runs here: version, models with the digests of their files, settings, limits."""
    return as_json(
        {
            "halgo": __version__,
            "models": await asyncio.to_thread(_models),
            "config": service.halgorithm.config.to_dict(),
            "limits": service.limits.to_dict(),
            "indexes": service.corpora.names,
            "profiles": [name.lower().replace("_", "-") for name in PROFILES],
            "error_types": STATUS,
            "token": service.token is not None,
            "audit": service.audit is not None,
        }
    )


@router.get("/metrics", responses=_FIGURES, response_class=Response)
async def metrics(service: TheService) -> Response:
    """Figures in the form Prometheus reads."""
    return Response(service.metrics.rendered(), headers={"Content-Type": CONTENT_TYPE})


@router.get("/v1/statistics", response_model=dict[str, Any])
async def figures(service: TheService, since: Moment = None, until: Moment = None) -> Response:
    """Rates and latencies over the audit log, in all and day by day."""
    return as_json((await of_audit(service, since, until)).to_dict())


async def of_audit(service: Service, since: str | None, until: str | None) -> Statistics:
    """The figures of the audit log. Raises Refused where there is none, or for no moment."""
    path = service.audit
    if path is None:
        raise Refused(
            "not_found", "no audit log is kept; start with: halgo serve --audit log.jsonl"
        )
    if not path.exists():
        raise Refused("not_found", "the audit log is empty: nothing has been checked yet")
    try:
        return await asyncio.to_thread(statistics, path, since, until)
    except ValueError as error:
        raise Refused("invalid_request", f"query: {error}") from error


@lru_cache(maxsize=1)
def _models() -> list[Plain]:
    return [
        {
            "name": status.name,
            "kind": status.kind,
            "version": status.found and status.found.version,
            "intact": status.intact,
            "files": _digests(status),
        }
        for status in models.status()
    ]


def _digests(status: models.ModelStatus) -> dict[str, str]:
    """The recorded SHA-256 of each file, which those that are loaded have been compared with."""
    if status.found is None:
        return {}
    recorded = models.entry(status.name).versions.get(status.found.version, {})
    return {path: file.sha256 for path, file in recorded.items()}
