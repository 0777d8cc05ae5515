"""What all routes share: the service, the errors they document, JSON as it is sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import Depends, Request
from starlette.responses import Response

from halgo.server.refusals import STATUS, to_bytes
from halgo.server.schema import ErrorOut
from halgo.server.service import Service


def service_of(request: Request) -> Service:
    """The service of the application that the request came to."""
    service: Service = request.app.state.service
    return service


TheService = Annotated[Service, Depends(service_of)]

# For OpenAPI: every status that a route may answer with, and the error types behind it.
ERRORS: dict[int | str, dict[str, Any]] = {
    status: {
        "model": ErrorOut,
        "description": ", ".join(kind for kind, of in STATUS.items() if of == status),
    }
    for status in sorted(set(STATUS.values()))
}


def as_json(plain: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A response of plain values."""
    return Response(to_bytes(plain), status, headers, media_type="application/json")
