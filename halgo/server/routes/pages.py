"""The page at `/`, the dashboard over the audit log, and the files they are made of."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources

from fastapi import APIRouter
from starlette.responses import Response

from halgo.server import dashboard
from halgo.server.refusals import Refused
from halgo.server.routes.operations import Moment, of_audit
from halgo.server.routes.shared import NO_OTHER_KEYS, TheService

router = APIRouter(include_in_schema=False)

# Nothing from elsewhere, nothing written into the page itself, no frames, no forms that leave.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}
_FILES = ("page.html", "dashboard.html", "server.css", "server.js", "dashboard.js", "icon.svg")


@router.get("/")
async def page() -> Response:
    """The page: drop documents, paste an answer, watch verdicts arrive."""
    return _file("page.html")


@router.get("/dashboard")
async def figures_page() -> Response:
    """The frame of the dashboard; its figures come from the next route."""
    return _file("dashboard.html")


@router.get("/dashboard/figures", dependencies=NO_OTHER_KEYS)
async def figures(service: TheService, since: Moment = None, until: Moment = None) -> Response:
    """The figures as a part of a page."""
    found = await of_audit(service, since, until)
    return Response(dashboard.rendered(found), media_type="text/html")


@router.get("/page/{name}")
async def asset(name: str) -> Response:
    """A style sheet or script: those of the report page, and the server's own."""
    if name == "report.css" or name == "report.js":
        from halgo.report.page.assets import script, style

        text = style() if name == "report.css" else script()
        return Response(text, media_type=_KINDS[name[-3:].strip(".")])
    return _file(name)


def _file(name: str) -> Response:
    if name not in _FILES:
        raise Refused("not_found", "there is no such page")
    headers = {"Content-Security-Policy": POLICY, "Cache-Control": "no-cache"}
    return Response(_text(name), headers=headers, media_type=_KINDS[name.rpartition(".")[2]])


@lru_cache(maxsize=len(_FILES))
def _text(name: str) -> str:
    return resources.files("halgo.server").joinpath("page", name).read_text(encoding="utf-8")
