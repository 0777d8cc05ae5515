"""Service -> the ASGI application: routes, error handlers, OpenAPI, all behind the guard."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route

from halgo import __version__
from halgo.server.guard import Guard, answer_to
from halgo.server.refusals import Refused, internal, no_text, of_validation
from halgo.server.routes import checking, compatible, indexing, operations, pages
from halgo.server.service import Service

_ABOUT = (
    "Checks an AI's answer claim by claim against your documents. No LLM, no network. "
    "Offsets are given in characters, UTF-8 bytes and UTF-16 units."
)
_ROUTES = (checking, indexing, compatible, operations, pages)
_OF_STATUS = {
    400: "invalid_request",
    404: "not_found",
    405: "method_not_allowed",
    415: "unsupported_media_type",
}


def create_app(service: Service) -> Guard:
    """The application. The caller starts and stops the service."""
    app = FastAPI(
        title="halgo",
        version=__version__,
        description=_ABOUT,
        # Their pages load scripts from the network.
        docs_url=None,
        redoc_url=None,
        swagger_ui_oauth2_redirect_url=None,
    )
    app.state.service = service
    for routes in _ROUTES:
        app.include_router(routes.router)
    _describe_token(app, service)
    _handle_errors(app, service)
    return Guard(app, service)


def _handle_errors(app: FastAPI, service: Service) -> None:
    def told(refused: Refused) -> Response:
        service.metrics.refused.labels(refused.error_type).inc()
        return answer_to(refused)

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, Refused)
        return told(error)

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        in_body = any(found["loc"][:1] == ("body",) for found in error.errors())
        if in_body and kind != "application/json":
            said = 'send JSON, with the header "Content-Type: application/json"'
            return told(Refused("unsupported_media_type", said))
        return told(of_validation(error.errors()))

    async def other(request: Request, error: Exception) -> Response:
        """What the framework itself refuses: no such route, another method, an odd body."""
        assert isinstance(error, HTTPException)
        if isinstance(error.__cause__, UnicodeDecodeError):
            return told(no_text(error.__cause__))
        kind = _OF_STATUS.get(error.status_code, "invalid_request")
        said = {
            "not_found": "there is no such route; /openapi.json lists those there are",
            "method_not_allowed": "this route takes other methods; see the header Allow",
        }.get(kind, "the request cannot be read; /openapi.json says what is expected")
        found = Refused(kind, said)
        if kind == "method_not_allowed":
            found.headers = {"Allow": ", ".join(_methods(app, request))}
        return told(found)

    async def fault(request: Request, error: Exception) -> Response:
        """What is sent; the error goes on to the guard, which logs it."""
        return told(internal())

    app.add_exception_handler(Exception, fault)
    app.add_exception_handler(Refused, refused)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, other)


def _methods(app: FastAPI, request: Request) -> list[str]:
    """The methods of all routes of a path; the framework itself names those of the first alone.

    The routers' own routes are asked too: newer versions of the framework show none of them in
    the application. Whatever takes GET takes HEAD (`guard.py`).
    """
    every = [*app.routes, *(route for routes in _ROUTES for route in routes.router.routes)]
    routes = [route for route in every if isinstance(route, Route)]
    there = (route for route in routes if route.matches(request.scope)[0] is not Match.NONE)
    found = {method for route in there for method in route.methods or ()}
    return sorted(found | ({"HEAD"} if "GET" in found else set()))


def _describe_token(app: FastAPI, service: Service) -> None:
    """Says in OpenAPI that requests show a token, where they do."""
    if service.token is None:
        return
    plain = app.openapi

    def with_token() -> dict[str, Any]:
        schema = plain()
        parts = schema.setdefault("components", {})
        parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        schema["security"] = [{"token": []}]
        return schema

    app.openapi = with_token  # type: ignore[method-assign]
