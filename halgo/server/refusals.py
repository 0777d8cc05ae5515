"""What a request is refused for -> status, error type and a sentence that says what to do.

429, not 503, where there is too much work: proxies take 502 to 504 for "not reachable" and may be
set to let the unchecked answer pass then.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any

from pydantic import AliasChoices, BaseModel
from starlette.exceptions import HTTPException

from halgo.printable import printable

_LONGEST = 60  # characters of a key in a message
_NEAR = 0.75  # similarity from which on a key is taken for a misspelt one, in [0, 1]
# Every error type with its status: the table of the manual, and what OpenAPI says.
STATUS = {
    "unauthorized": 401,
    "forbidden_host": 403,
    "forbidden_origin": 403,
    "read_only": 403,
    "not_found": 404,
    "index_not_found": 404,
    "document_not_found": 404,
    "method_not_allowed": 405,
    "body_timeout": 408,
    "index_exists": 409,
    "index_on_disk": 409,
    "body_too_large": 413,
    "answer_too_large": 413,
    "question_too_large": 413,
    "answer_too_slow": 413,
    "too_many_claims": 413,
    "too_many_documents": 413,
    "documents_too_large": 413,
    "batch_too_large": 413,
    "too_many_indexes": 413,
    "unsupported_media_type": 415,
    "invalid_request": 422,
    "invalid_policy": 422,
    "unreadable_document": 422,
    "queue_full": 429,
    "time_limit": 429,
    "internal": 500,
    "not_ready": 503,
    "draining": 503,
}


class Refused(HTTPException):
    """A request that is not served; `error_type` is one of `STATUS`."""

    def __init__(self, error_type: str, message: str, *, retry_after_s: int | None = None) -> None:
        headers = {}
        if retry_after_s is not None:
            headers["Retry-After"] = str(retry_after_s)
        if error_type in ("body_too_large", "body_timeout"):
            headers["Connection"] = "close"  # else what still comes would be read to its end
        if error_type == "unauthorized":
            headers["WWW-Authenticate"] = "Bearer"
        super().__init__(STATUS[error_type], message, headers)
        self.error_type = error_type

    @property
    def plain(self) -> dict[str, str]:
        """What is sent."""
        return {"error": str(self.detail), "error_type": self.error_type}


def internal() -> Refused:
    """The refusal of what failed through a fault of ours."""
    return Refused("internal", "a fault of the server's; its log says where")


def of_validation(errors: Any) -> Refused:
    """The refusal of a request that does not fit its schema: where, and what was expected.

    What was sent is not repeated: it is text of the user's, and the answer may be logged. Only a
    key that is nearly a known one is named.
    """
    told = []
    # Of an object among the documents it need not be said that it is no string.
    wrong = [e for e in errors if e["loc"][-1:] != ("str",) or not isinstance(e.get("input"), dict)]
    for error in wrong[:5]:
        if error["type"] == "json_invalid":
            told.append(f"body: no valid JSON: {_misread(error)}")
            continue
        # Numbers and names of the schema only: a key that the user made up is text of theirs.
        unknown = error["type"] == "extra_forbidden"
        place = [str(part) for part in error["loc"]][: -1 if unknown else None]
        what = _unknown(place, error["loc"]) if unknown else error["msg"]
        where = ".".join(part for part in place if part != "DocumentIn")
        told.append(f"{where or 'body'}: {what}")
    said = "; ".join(dict.fromkeys(told))  # several unknown keys are told of once
    return Refused("invalid_request", said or "the request cannot be read")


def no_text(error: UnicodeDecodeError) -> Refused:
    """The refusal of a body whose bytes are no text."""
    return Refused(
        "invalid_request", f"body: no valid JSON: no {error.encoding} at byte {error.start}"
    )


def of_query(given: Iterable[str], known: Sequence[str]) -> Refused | None:
    """The refusal of a request whose address asks for what its route does not know; else None.

    Like a key of the body, one is named only where it is nearly a known one.
    """
    for key in given:
        if key not in known:
            there = f"this route knows {', '.join(sorted(known)) or 'none'}"
            told = _nearest(key, sorted(known)).partition("; ")[0]
            return Refused("invalid_request", f"query: {told}; {there}")
    return None


def _misread(error: Any) -> str:
    """Why a body is no JSON, and where; of it nothing is quoted."""
    reason = str(error.get("ctx", {}).get("error") or error["msg"])
    place = [at for at in error["loc"] if isinstance(at, int)]
    return f"{reason} at character {place[0]}" if place else reason


def _unknown(place: Sequence[str], loc: Sequence[str | int]) -> str:
    """What is said of an unknown key: its name where it is nearly a known one, else those known."""
    from halgo.server import schema

    named: dict[str, type[BaseModel]] = {
        "settings": schema.Settings,
        "DocumentIn": schema.DocumentIn,
    }
    asked: list[type[BaseModel]] = [schema.CheckIn, schema.BatchIn, schema.IndexIn]
    within = named.get(place[-1] if place else "")
    key = str(loc[-1])
    models = [within] if within else asked
    fields = {name: field for model in models for name, field in model.model_fields.items()}
    others = (field.validation_alias for field in fields.values())
    also = {str(one) for each in others if isinstance(each, AliasChoices) for one in each.choices}
    known = sorted({*fields, *also} - {key})
    return _nearest(key, known)


def _nearest(key: str, known: Sequence[str]) -> str:
    near = get_close_matches(key[:_LONGEST], known, n=1, cutoff=_NEAR)
    if near:
        return f"an unknown key, {printable(repr(key[:_LONGEST]))} (the nearest is {near[0]!r})"
    return f"an unknown key; there are {', '.join(known) or 'none'}"


def to_bytes(plain: Any) -> bytes:
    """JSON as it is sent: ASCII, and never NaN."""
    return json.dumps(plain, ensure_ascii=True, allow_nan=False).encode("ascii")
