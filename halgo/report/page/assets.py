"""The page's style sheet and script, and the policy that lets a browser run these two alone."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files

# Nothing is loaded, nothing is sent: no image, no font, no frame, no connection, no form.
_REST = "base-uri 'none'; form-action 'none'"
# Beside the page as files of their own. A page opened from disk has no origin that 'self' names
# everywhere, but its neighbours count as such.
SPLIT_POLICY = f"default-src 'none'; style-src 'self'; script-src 'self'; {_REST}"


@cache
def style() -> str:
    """The style sheet."""
    return (files(__package__) / "style.css").read_text(encoding="utf-8")


@cache
def script(name: str = "script") -> str:
    """The script: that of a page of one report, or "several"."""
    return (files(__package__) / f"{name}.js").read_text(encoding="utf-8")


def policy(style_: str, script_: str | None = None) -> str:
    """The content security policy of a page in which these stand inline; it may have no script."""
    script = "" if script_ is None else f"script-src '{_digest(script_)}'; "
    return f"default-src 'none'; style-src '{_digest(style_)}'; {script}{_REST}"


def _digest(content: str) -> str:
    digest = hashlib.sha256(content.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"
