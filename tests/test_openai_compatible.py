"""The client of a chat endpoint: what it sends, and what it makes of every kind of reply."""

from __future__ import annotations

import email.utils
import json
import logging
import time
from typing import Any

import pytest
from chat_server import ChatServer, Reply, error, running, said  # noqa: F401

from halgo.adapters.openai_compatible import OpenAICompatible
from halgo.errors import TextModelError
from halgo.protocols import TextModel


class Waits(list[float]):
    """Stands in for `time.sleep`: remembers how long it was to take."""

    def __call__(self, seconds: float) -> None:
        self.append(seconds)


def client(chat: ChatServer, **settings: Any) -> OpenAICompatible:
    return OpenAICompatible(chat.url, "small", **{"sleep": Waits(), **settings})


def waits(model: OpenAICompatible) -> Waits:
    found = model._sleep
    assert isinstance(found, Waits)
    return found


def test_it_sends_what_the_protocol_asks_for_and_gives_the_text(chat: ChatServer) -> None:
    chat.replies = [said("SUPPORTED")]
    model = client(chat, api_key="key-1", options={"max_tokens": None, "seed": 7})
    assert isinstance(model, TextModel)
    assert model("Does it hold? \u2013 \U0001f642") == "SUPPORTED"
    (request,) = chat.requests
    assert request["path"] == "/v1/chat/completions"
    assert request["headers"]["Authorization"] == "Bearer key-1"
    assert request["headers"]["Content-Type"] == "application/json"
    assert request["body"] == {
        "model": "small",
        "messages": [{"role": "user", "content": "Does it hold? \u2013 \U0001f642"}],
        "temperature": 0,
        "seed": 7,
    }


def test_without_a_key_no_authorization_is_sent(chat: ChatServer) -> None:
    chat.replies = [said("yes")]
    client(chat)("ask")
    assert "Authorization" not in chat.requests[0]["headers"]


def test_text_in_parts_is_joined(chat: ChatServer) -> None:
    chat.replies = [said([{"type": "text", "text": "NOT_"}, {"type": "text", "text": "SUPPORTED"}])]
    assert client(chat)("ask") == "NOT_SUPPORTED"


def test_a_rate_limit_is_waited_for_as_long_as_the_server_asks(chat: ChatServer) -> None:
    chat.replies = [error(429, "rate_limit_exceeded", Retry_After="3"), said("yes")]
    model = client(chat)
    assert model("ask") == "yes"
    assert waits(model) == [3.0]
    assert len(chat.requests) == 2


def test_retry_after_may_be_a_date(chat: ChatServer) -> None:
    at = email.utils.formatdate(time.time() + 10, usegmt=True)
    chat.replies = [error(503, Retry_After=at), said("yes")]
    model = client(chat)
    assert model("ask") == "yes"
    assert 0 <= waits(model)[0] <= 10


@pytest.mark.parametrize("odd", ["soon", "", "nan", "inf", "Mon, 99 Foo 2020"])
def test_an_odd_retry_after_counts_as_none(chat: ChatServer, odd: str) -> None:
    chat.replies = [error(429, Retry_After=odd), said("yes")]
    model = client(chat)
    assert model("ask") == "yes"
    assert waits(model) == [0.5]


def test_a_server_that_asks_for_too_long_a_wait_ends_the_attempts(chat: ChatServer) -> None:
    chat.replies = [error(429, Retry_After="3600")]
    model = client(chat, longest_wait_s=20)
    with pytest.raises(TextModelError, match="3600 s, longest_wait_s is 20") as caught:
        model("ask")
    assert caught.value.status == 429
    assert not waits(model)


def test_faults_of_the_server_are_tried_again_and_then_reported(chat: ChatServer) -> None:
    chat.replies = [error(500), error(502), said("yes")]
    model = client(chat)
    assert model("ask") == "yes"
    assert waits(model) == [0.5, 1.0]

    chat.replies = [error(500, "internal")]
    with pytest.raises(TextModelError, match=r"status 500 \(internal\); tried 3 times") as caught:
        client(chat)("ask")
    assert caught.value.status == 500
    assert len(chat.requests) == 6


@pytest.mark.parametrize(
    ("status", "advice"),
    [(400, "400"), (401, "check api_key"), (404, "check base_url"), (302, "302")],
)
def test_a_refusal_is_not_tried_again(chat: ChatServer, status: int, advice: str) -> None:
    chat.replies = [error(status)]
    with pytest.raises(TextModelError, match=advice) as caught:
        client(chat)("ask")
    assert caught.value.status == status
    assert len(chat.requests) == 1


def test_an_endpoint_that_hangs_is_a_time_out_and_not_tried_again(chat: ChatServer) -> None:
    chat.replies = [Reply(hang_s=30)]
    with pytest.raises(TextModelError, match=r"no whole reply within 0.2 s") as caught:
        client(chat, timeout_s=0.2)("ask")
    assert caught.value.status is None
    assert len(chat.requests) == 1


def test_a_reply_that_drips_in_is_a_time_out_too(chat: ChatServer) -> None:
    reply = said("x" * 500)
    chat.replies = [Reply(body=reply.body, drip_s=0.05)]
    with pytest.raises(TextModelError, match="no whole reply within"):
        client(chat, timeout_s=0.4)("ask")


def test_a_refused_connection_is_tried_again_and_then_reported(chat: ChatServer) -> None:
    url = chat.url
    chat.shutdown()
    chat.server_close()
    sleep = Waits()
    with pytest.raises(TextModelError, match=r"no connection to .* tried 3 times"):
        OpenAICompatible(url, "small", sleep=sleep)("ask")
    assert sleep == [0.5, 1.0]


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"", "no JSON"),
        (b"<html>secret words</html>", "no JSON"),
        (b'{"choices": [', "no JSON"),
        (b"\xff\xfe\x00", "no JSON"),
        (b"[]", "no choices"),
        (b"{}", "no choices"),
        (b'{"choices": null}', "no choices"),
        (b'{"choices": []}', "no choices"),
        (b'{"choices": ["secret words"]}', "no choices"),
        (b'{"choices": [{}]}', "no text"),
        (b'{"choices": [{"message": {"content": null, "refusal": "secret words"}}]}', "no text"),
        (b'{"choices": [{"message": {"content": 7}}]}', "no text"),
        (b'{"choices": [{"text": "secret words"}]}', "no text"),
    ],
)
def test_a_malformed_reply_says_what_is_missing(chat: ChatServer, body: bytes, told: str) -> None:
    chat.replies = [Reply(body=body)]
    with pytest.raises(TextModelError, match=told) as caught:
        client(chat)("ask")
    assert "secret" not in str(caught.value)


def test_a_reply_that_was_cut_off_is_no_reply(chat: ChatServer) -> None:
    chat.replies = [said("The fee is", finish_reason="length")]
    with pytest.raises(TextModelError, match="cut off; raise options"):
        client(chat)("ask")


def test_neither_text_nor_key_shows_in_logs_errors_or_repr(
    chat: ChatServer, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    model = client(chat, api_key="key-1", retries=0)
    for reply in (error(500, "secret words!"), Reply(body=b"secret words"), said("secret words")):
        chat.replies = [reply]
        try:
            model("secret prompt")
        except TextModelError as failed:
            assert "secret" not in repr(failed) and "key-1" not in repr(failed)
            assert failed.__cause__ is None
    out, err = capfd.readouterr()
    shown = caplog.text + out + err + repr(model) + str(vars(TextModelError("x")))
    assert "secret" not in shown and "key-1" not in shown


@pytest.mark.parametrize(
    "settings",
    [
        {"base_url": "localhost:8000"},
        {"base_url": "ftp://here/v1"},
        {"base_url": "http://here/a path"},
        {"base_url": "http://here/\u00fc"},
        {"base_url": "http://here:99999/v1"},
        {"base_url": "http://me:word@here/v1"},
        {"base_url": "http://here/v1?key=1"},
        {"base_url": None},
        {"model": ""},
        {"api_key": "two\r\nlines"},
        {"api_key": ""},
        {"timeout_s": 0},
        {"timeout_s": float("nan")},
        {"retries": -1},
        {"retries": True},
        {"longest_wait_s": "3"},
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValueError) as caught:
        OpenAICompatible(**{"base_url": "http://localhost:8000/v1", "model": "small", **settings})
    assert "word" not in str(caught.value)


def test_a_trailing_slash_makes_no_difference(chat: ChatServer) -> None:
    chat.replies = [said("yes")]
    assert OpenAICompatible(chat.url + "/", "small")("ask") == "yes"
    assert json.dumps(chat.requests[0]["path"]) == '"/v1/chat/completions"'
