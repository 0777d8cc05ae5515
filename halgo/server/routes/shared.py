"""What all routes share: the service, the errors they document, JSON as it is sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import Depends, Request
from starlette.responses import Response

from halgo.server.refusals import STATUS, of_query, to_bytes
from halgo.server.schema import ErrorOut
from halgo.server.service import Service


def service_of(request: Request) -> Service:
    """The service of the application that the request came to."""
    service: Service = request.app.state.service
    return service


TheService = Annotated[Service, Depends(service_of)]


def _only_known(request: Request) -> None:
    """Raises Refused for a key in the address that the route does not know.

    A misspelt `policy` would else let an answer pass that no gate has seen.
    """
    known = [field.alias for field in request.scope["route"].dependant.query_params]
    if (refused := of_query(request.query_params, known)) is not None:
        raise refused


# For all routes but those that show a page, and those that others' clients know.
NO_OTHER_KEYS = [Depends(_only_known)]

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
