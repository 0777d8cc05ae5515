"""What a request is refused for -> status, error type and a sentence that says what to do.

429, not 503, where there is too much work: proxies take 502 to 504 for "not reachable" and may be
set to let the unchecked answer pass then.
"""

from __future__ import annotations

import json
from typing import Any

from starlette.exceptions import HTTPException

# Every error type with its status: the table of the manual, and what OpenAPI says.
STATUS = {
    "unauthorized": 401,
    "forbidden_host": 403,
    "forbidden_origin": 403,
    "not_found": 404,
    "index_not_found": 404,
    "document_not_found": 404,
    "method_not_allowed": 405,
    "body_timeout": 408,
    "index_exists": 409,
    "body_too_large": 413,
    "answer_too_large": 413,
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

    What was sent is not repeated: it is text of the user's, and the answer may be logged.
    """
    told = []
    for error in list(errors)[:5]:
        # Numbers and names of the schema only: a key that the user made up is text of theirs.
        unknown = error["type"] in ("extra_forbidden", "json_invalid")
        place = [str(part) for part in error["loc"]][: -1 if unknown else None]
        what = "an unknown key" if error["type"] == "extra_forbidden" else error["msg"]
        told.append(f"{'.'.join(place) or 'body'}: {what}")
    return Refused("invalid_request", "; ".join(told) or "the request cannot be read")


def to_bytes(plain: Any) -> bytes:
    """JSON as it is sent: ASCII, and never NaN."""
    return json.dumps(plain, ensure_ascii=True, allow_nan=False).encode("ascii")
