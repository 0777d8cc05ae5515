"""What every request meets first: may it come in, is it too large, what became of it.

Without a token only this machine's own pages and programs are served: a page of somebody else's,
open in a browser on this machine, may reach a local server by a name of its own that leads here
(DNS rebinding), or post to it blindly. So `Host` and `Origin` have to name this machine.
"""

from __future__ import annotations

import asyncio
import hmac
import time
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from halgo.server.refusals import Refused, internal, to_bytes
from halgo.server.service import Service

# Hold nothing of anyone's, so they are shown without a token.
OPEN = frozenset({"/", "/dashboard", "/health", "/ready", "/openapi.json"})
ASSETS = "/page/"
# Asked every few seconds by whoever watches the server: counted, not logged.
_PROBES = frozenset({"/health", "/ready", "/metrics"})
_OWN = frozenset({"localhost", "127.0.0.1", "::1"})
# An answer may come as slowly as it is written.
_STREAM = "/v1/check/stream"

_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """The application behind its door."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app, self._service = app, service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one request; no exception leaves, since a server would log its message."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start = time.monotonic()
        status = 0
        # HEAD is GET without its body: whoever watches a server asks so whether it lives.
        head = scope["method"] == "HEAD"
        asked = {**scope, "method": "GET"} if head else scope

        async def told(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                own = [(name.lower().encode(), value.encode()) for name, value in _HEADERS.items()]
                given = {name for name, _ in message["headers"]}
                extra = [pair for pair in own if pair[0] not in given]
                message = {**message, "headers": [*message["headers"], *extra]}
            elif head and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        try:
            self._admit(scope)
            await self._app(asked, self._bounded(scope, receive), told)
        except Refused as refused:
            if not status:
                await self._refuse(refused, scope, receive, told)
        except Exception as error:
            self._service.log.failure("request_failed", error, route=_route(asked))
            if not status:
                await self._refuse(internal(), scope, receive, told)
        finally:
            self._tell(_route(asked), scope["method"], status, time.monotonic() - start)

    def _tell(self, route: str, method: str, status: int, seconds: float) -> None:
        metrics = self._service.metrics
        metrics.requests.labels(route, str(status)).inc()
        metrics.request_seconds.labels(route).observe(seconds)
        if route in _PROBES:
            return
        method = method if method.isalpha() else "other"
        self._service.log.info(
            "request", route=route, method=method, status=status, ms=round(seconds * 1000, 1)
        )

    async def _refuse(self, refused: Refused, scope: Scope, receive: Receive, send: Send) -> None:
        self._service.metrics.refused.labels(refused.error_type).inc()
        await answer_to(refused)(scope, receive, send)

    # -- may it come in -------------------------------------------------------------------------

    def _admit(self, scope: Scope) -> None:
        headers, path = Headers(scope=scope), scope["path"]
        token = self._service.token
        if token is None:
            _require_own(headers)
        elif path not in OPEN and not path.startswith(ASSETS):
            _require_token(headers, token)
        if headers.get("content-encoding", "identity").strip().lower() != "identity":
            said = "a body with a Content-Encoding (gzip) is not read; send it as it is"
            raise Refused("unsupported_media_type", said)
        length = headers.get("content-length", "")
        if length.isascii() and length.isdigit() and len(length) < 20:
            self._require_small(int(length))

    def _require_small(self, size: int) -> None:
        most = self._service.limits.body_bytes
        if size > most:
            raise Refused("body_too_large", f"the request has {size:,} bytes; {most:,} is the most")

    def _bounded(self, scope: Scope, receive: Receive) -> Receive:
        """The same body; Refused once it is too large, or comes too slowly."""
        size, more = 0, True
        seconds = self._service.limits.seconds
        slow = scope["path"] == _STREAM

        async def bounded() -> Message:
            nonlocal size, more
            if not more or slow:
                message = await receive()
            else:
                try:
                    message = await asyncio.wait_for(receive(), seconds)
                except TimeoutError:
                    said = f"the request was not there within {seconds} s"
                    raise Refused("body_timeout", said) from None
            if message["type"] == "http.request":
                more = message.get("more_body", False)
                size += len(message.get("body", b""))
                self._require_small(size)
            return message

        return bounded


def answer_to(refused: Refused) -> Response:
    """The response that says why."""
    return Response(
        to_bytes(refused.plain),
        refused.status_code,
        dict(refused.headers or {}),
        media_type="application/json",
    )


def _require_token(headers: Headers, token: str) -> None:
    """A bearer token; or "x-api-key", in which some gateways send theirs."""
    scheme, _, shown = headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer":
        shown = headers.get("x-api-key", "")
    given = shown.strip().encode("utf-8", "surrogateescape")
    if not hmac.compare_digest(given, token.encode("utf-8")):
        raise Refused("unauthorized", 'this server asks for a token: "Authorization: Bearer ..."')


def _require_own(headers: Headers) -> None:
    host = headers.get("host", "")
    if _split(f"//{host}").hostname not in _OWN:
        raise Refused(
            "forbidden_host",
            "without a token only requests to localhost are served; start the server with a "
            "token (HALGO_TOKEN) to reach it by another name",
        )
    origin = headers.get("origin")
    if origin is not None and _split(origin).netloc != host:
        raise Refused("forbidden_origin", "pages of other sites are not served; set a token")


def _split(url: str) -> SplitResult:
    try:
        return urlsplit(url)
    except ValueError:
        return urlsplit("")


def _route(scope: Scope) -> str:
    """The pattern of the route, never the path: that may name a document."""
    route = scope.get("route")
    return str(getattr(route, "path", "none"))
