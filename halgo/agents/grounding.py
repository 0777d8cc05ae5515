"""Structured tool results -> findings by halgo's own check, here or at a running server.

What a tool returned as JSON reads as records, and a record denies surely: "status: shipped" beside
one that says "pending". What commands print is no such source: half of it is code, logs and
differences, in which any number may stand for anything.
"""

from __future__ import annotations

import http.client
import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import urlsplit

from halgo.agents.commands import may_judge
from halgo.agents.compare import Finding
from halgo.agents.results import of_unknown_effect, values
from halgo.agents.transcript import Call, Transcript
from halgo.errors import DocumentError
from halgo.sources.bundle import Bundle
from halgo.types import Verdict

_MOST_RESULTS = 50  # the last ones
_LARGEST = 50_000  # characters of one of them
_LONGEST_QUESTION = 4_000  # characters of its end, where the question stands
_TIMEOUT_S = 10.0
_REMOTE = re.compile(
    r"\b(?:curl|wget|https?|gh|glab|kubectl|helm|psql|mysql|sqlite3|mongosh|redis-cli|aws|gcloud|az"
    r"|terraform)\b"
)


def bundle(transcript: Transcript) -> Bundle:
    """The structured results that still hold; of those that are too large or odd, none.

    A record read before something was written is of what was: "pending" denies no order that was
    shipped since.
    """
    found = Bundle()
    held: list[tuple[Call, Any]] = []
    for call in transcript.calls:
        if _may_write(call):
            held.clear()
        if len(call.output or "") <= _LARGEST and (value := values(call)) is not None:
            held.append((call, value))
    for call, value in held[-_MOST_RESULTS:]:
        try:
            found.add_tool_result(call.name, value, call_id=call.id)
        except DocumentError:  # paths too long to be read as records
            continue
    return found


def _may_write(call: Call) -> bool:
    """Whether a call may change what a record tells: all but tools that by their name only read."""
    if call.command:
        return may_judge(call.command) or _REMOTE.search(call.command) is not None
    return of_unknown_effect(call)


def here(transcript: Transcript) -> list[Finding]:
    """What the structured results say of the closing message; loads the models."""
    from halgo.checker import Checker

    held = bundle(transcript)
    if not len(held):
        return []
    return _findings(
        Checker.from_bundle(held).check(transcript.closing, transcript.asked).claim_dicts()
    )


def at_server(url: str, token: str | None = None) -> Callable[[Transcript], list[Finding]]:
    """The same, asked of `halgo serve` at `url`. What it returns raises OSError without an answer.

    Sends the closing message, what it answers and the structured results there, and nothing where
    there are none.
    """

    def asked(transcript: Transcript) -> list[Finding]:
        documents = bundle(transcript).documents
        if not documents:
            return []
        sources = [
            {
                "text": document.text,
                "id": document.id,
                "source": document.source,
                "kind": document.kind.value,
            }
            for document in documents
        ]
        request = {"answer": transcript.closing, "documents": sources}
        if transcript.asked:
            request["question"] = transcript.asked[-_LONGEST_QUESTION:]
        return _findings(_posted(url, token, request).get("claims", []))

    return asked


def _posted(url: str, token: str | None, request: Mapping[str, Any]) -> dict[str, Any]:
    where = urlsplit(url if "://" in url else f"http://{url}")
    if where.scheme not in ("http", "https") or not where.hostname:
        raise OSError(f"{url!r} is no address of a server; give one like http://127.0.0.1:8765")
    kind = http.client.HTTPSConnection if where.scheme == "https" else http.client.HTTPConnection
    connection = kind(where.hostname, where.port, timeout=_TIMEOUT_S)
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    try:
        path = f"{where.path.rstrip('/')}/v1/check"
        connection.request("POST", path, json.dumps(request).encode("utf-8"), headers)
        response = connection.getresponse()
        replied = response.read(50_000_000)
        found = json.loads(replied)
    except (http.client.HTTPException, ValueError) as error:
        raise OSError(f"{url} gave no reply of a halgo server: {error}") from None
    except OSError as error:
        raise OSError(f"no server at {url} ({error}); start one with: halgo serve") from None
    finally:
        connection.close()
    if response.status != 200 or not isinstance(found, dict):
        said = found.get("error") if isinstance(found, dict) else None
        raise OSError(f"{url} answered {response.status}: {said}")
    return found


def _findings(claims: Iterable[Mapping[str, Any]]) -> list[Finding]:
    """Of claims as reports give them, those that the results support or deny."""
    told = (Verdict.SUPPORTED, Verdict.CONTRADICTION)
    return [
        Finding(
            str(claim["claim"]),
            Verdict(claim["status"]),
            str(claim["reason"] or ""),
            str(claim["message"] or f"{claim['matched_source']} says so."),
            call_id=str(claim["matched_doc_id"] or ""),
        )
        for claim in claims
        if claim["status"] in told
    ]
