"""A text model behind an OpenAI-compatible chat endpoint: POST {base_url}/chat/completions.

Nothing of halgo needs it; only a caller who makes one has a connection opened, to the server named.
It stands on the standard library. No text and no key ever gets into a log, an error or a repr: what
a server says is reported by its status and its short error code alone.
"""

from __future__ import annotations

import email.utils
import http.client
import json
import math
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import urlsplit

from halgo.errors import TextModelError

# Too busy, or ill for the moment: the same request may succeed later.
_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_LARGEST_BYTES = 8_000_000
_FIRST_WAIT_S = 0.5
_CODE = re.compile(r"[\w.\-]{1,60}")
_IN_HEADER = re.compile(r"[\x21-\x7e]+")


class OpenAICompatible:
    """Calling it with a prompt gives the reply's text; a `TextModel`.

    base_url: up to and without "/chat/completions", such as "http://localhost:8000/v1". model: its
    name there. api_key: sent as a bearer token. timeout_s: for one attempt, from connecting to the
    last byte. retries: further attempts after a refused connection, status 429 or 5xx; a time-out
    is not tried again. longest_wait_s: the longest wait between attempts; a server that asks for a
    longer one (Retry-After) ends them. options: further keys of the request ("max_tokens",
    "seed"); None takes a key out. Settings of the environment for proxies are not read.
    Raises ValueError for a setting that is none of these, and when called TextModelError.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        api_key: str | None = None,
        timeout_s: float = 30.0,
        retries: int = 2,
        longest_wait_s: float = 20.0,
        options: Mapping[str, Any] | None = None,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        parts = urlsplit(base_url) if isinstance(base_url, str) else None
        plain = parts is not None and _IN_HEADER.fullmatch(base_url)
        if not plain or parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"base_url must be like 'http://localhost:8000/v1', not {base_url!r}")
        if parts.username is not None or parts.query or parts.fragment:
            raise ValueError("base_url holds a server and a path only; a key goes to api_key")
        if not isinstance(model, str) or not model:
            raise ValueError(f"model must be the name of a model, not {model!r}")
        if api_key is not None and not (isinstance(api_key, str) and _IN_HEADER.fullmatch(api_key)):
            raise ValueError("api_key must be a string of visible ASCII characters")
        if not isinstance(retries, int) or isinstance(retries, bool) or retries < 0:
            raise ValueError(f"retries must be a whole number from 0 up, not {retries!r}")
        for name, value in (("timeout_s", timeout_s), ("longest_wait_s", longest_wait_s)):
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if not number or not math.isfinite(value) or value <= 0:
                raise ValueError(f"{name} must be a number of seconds above 0, not {value!r}")
        self.base_url = base_url.rstrip("/")
        self.model = model
        self.timeout_s = float(timeout_s)
        self.retries = retries
        self.longest_wait_s = float(longest_wait_s)
        self._secure = parts.scheme == "https"
        self._host = parts.hostname
        self._port = parts.port
        self._path = f"{parts.path.rstrip('/')}/chat/completions"
        self._key = api_key
        self._options = dict(options or {})
        self._sleep = sleep

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model

    def __repr__(self) -> str:
        return f"OpenAICompatible({self.base_url!r}, {self.model!r})"

    def __call__(self, prompt: str, /) -> str:
        """The reply to a prompt. Raises TextModelError when there is no usable one."""
        request = {
            "model": self.model,
            "messages": [{"role": "user", "content": prompt}],
            "temperature": 0,
            "max_tokens": 1000,
            **self._options,
        }
        body = json.dumps({key: value for key, value in request.items() if value is not None})
        for attempt in range(self.retries + 1):
            last = attempt == self.retries
            try:
                status, headers, data = self._post(body.encode("ascii"))
            except TimeoutError:
                raise TextModelError(
                    f"{self.base_url} gave no whole reply within {self.timeout_s:g} s; "
                    "raise timeout_s or use a faster model"
                ) from None
            except (OSError, http.client.HTTPException) as error:
                if last:
                    raise TextModelError(
                        f"no connection to {self.base_url}: {type(error).__name__}; "
                        f"tried {attempt + 1} times"
                    ) from None
                self._sleep(self._wait(attempt, None))
                continue
            if status == 200:
                return _text_of(data, self.base_url)
            wait = self._wait(attempt, headers.get("Retry-After"))
            if status not in _AGAIN or last or wait > self.longest_wait_s:
                raise self._refused(status, data, attempt + 1, wait)
            self._sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    # -- one attempt ----------------------------------------------------------------------------

    def _post(self, body: bytes) -> tuple[int, http.client.HTTPMessage, bytes]:
        """Status, headers and body of one request. Raises TimeoutError, OSError, HTTPException."""
        kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
        deadline = time.monotonic() + self.timeout_s
        connection = kind(self._host, self._port, timeout=self.timeout_s)
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key}"
        try:
            connection.connect()
            with _closed_at(connection.sock, deadline) as late:
                try:
                    connection.request("POST", self._path, body=body, headers=headers)
                    response = connection.getresponse()
                    data = response.read(_LARGEST_BYTES + 1)
                except (OSError, http.client.HTTPException, ValueError):
                    if late.is_set():
                        raise TimeoutError from None
                    raise
                if late.is_set():
                    raise TimeoutError
            return response.status, response.headers, data
        finally:
            connection.close()

    # -- between attempts -----------------------------------------------------------------------

    def _wait(self, attempt: int, asked: str | None) -> float:
        """Seconds until the next attempt: what the server asks for, else twice as long each."""
        told = _retry_after(asked)
        return told if told is not None else min(_FIRST_WAIT_S * 2**attempt, self.longest_wait_s)

    def _refused(self, status: int, data: bytes, attempts: int, wait: float) -> TextModelError:
        code = _error_code(data)
        said = f"{self.base_url} answered with status {status}{f' ({code})' if code else ''}"
        if status in (401, 403):
            said += "; check api_key"
        elif status == 404:
            said += f"; check base_url and the model's name {self.model!r}"
        elif status in _AGAIN and wait > self.longest_wait_s:
            said += f"; it asks to wait {wait:.0f} s, longest_wait_s is {self.longest_wait_s:g}"
        elif status in _AGAIN:
            said += f"; tried {attempts} times"
        return TextModelError(said, status)


@contextmanager
def _closed_at(sock: socket.socket, deadline: float) -> Iterator[threading.Event]:
    """Shuts the socket down at the deadline, however slowly bytes still drip in; the event says so.

    A socket's own time-out begins anew with every byte.
    """
    late = threading.Event()

    def shut() -> None:
        late.set()
        with suppress(OSError):  # closed already
            sock.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(max(0.0, deadline - time.monotonic()), shut)
    timer.daemon = True
    timer.start()
    try:
        yield late
    finally:
        timer.cancel()


def _retry_after(asked: str | None) -> float | None:
    """Seconds from a Retry-After header, a number or a date; None where it is neither."""
    if asked is None:
        return None
    try:
        seconds = float(asked)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(asked).timestamp() - time.time()
        except (ValueError, TypeError, OverflowError):
            return None
    return max(0.0, seconds) if math.isfinite(seconds) else None


def _text_of(data: bytes, where: str) -> str:
    """The text of a reply. Raises TextModelError that says what is missing, never what is there."""
    if len(data) > _LARGEST_BYTES:
        raise TextModelError(f"{where} sent more than {_LARGEST_BYTES:,} bytes", 200)
    try:
        reply = json.loads(data)
    except (ValueError, RecursionError):
        raise TextModelError(f"{where} sent no JSON; is it a chat endpoint?", 200) from None
    choices = reply.get("choices") if isinstance(reply, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise TextModelError(f"the reply of {where} holds no choices", 200)
    choice = choices[0]
    if choice.get("finish_reason") == "length":
        # Half a list of claims looks like a whole one.
        raise TextModelError(f"the reply of {where} was cut off; raise options['max_tokens']", 200)
    message = choice.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, list):  # some servers send parts
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "".join(part for part in parts if isinstance(part, str))
    if not isinstance(content, str):
        raise TextModelError(f"the reply of {where} holds no text", 200)
    return content


def _error_code(data: bytes) -> str:
    """The short code of an error reply, such as "rate_limit_exceeded"; "" without one."""
    try:
        reply = json.loads(data)
    except (ValueError, RecursionError):
        return ""
    error = reply.get("error") if isinstance(reply, dict) else None
    if not isinstance(error, dict):
        return ""
    for key in ("code", "type"):
        value = error.get(key)
        if isinstance(value, str) and _CODE.fullmatch(value):
            return value
    return ""
