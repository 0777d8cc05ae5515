"""An answer, whole or in pieces -> server-sent events: each claim as soon as it is checked.

Types: "claim", "progress" and "verification" as `halgo.report.events` has them; then "report",
which holds what `/v1/check` would have sent; or "error", when something failed on the way.
"""

from __future__ import annotations

import asyncio
import codecs
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from starlette.requests import ClientDisconnect
from starlette.responses import StreamingResponse
from starlette.types import Receive

from halgo.report.events import SUPPORT, event_of, progress_event, sse, verification_event
from halgo.report.report import Report
from halgo.server.corpora import Corpus
from halgo.server.engine import Job
from halgo.server.offsets import Offsets
from halgo.server.refusals import Refused, internal
from halgo.server.response import placed
from halgo.server.schema import Options
from halgo.server.service import Service
from halgo.stream import Session
from halgo.types import ClaimResult, Verdict

Event = dict[str, Any]

# Sent when nothing else is, so that no proxy takes the connection for dead.
_ALIVE = ": checking\n\n"
_ALIVE_S = 10.0
_PIECE = 500  # characters that are checked between two rounds of the engine


def claim_events(report: Report, corpus: Corpus, offsets: Offsets, html: bool) -> list[Event]:
    """The events of claims that are new: a report of these alone."""
    events: list[Event] = []
    for result, claim in zip(report, report.claim_dicts(), strict=True):
        event: Event = {"type": "claim", "claim": placed(claim, offsets, corpus)}
        if html:
            from halgo.report.page.cards import card

            event["html"] = card(report, result)
        events.append(event)
    return events


@dataclass(eq=False)
class Whole:
    """The events of an answer that is there from the start; checked like any other.

    `told` is called in the engine's thread, the rest by the event loop.
    """

    service: Service
    corpus: Corpus
    options: Options
    answer: str
    question: str | None = None
    _events: asyncio.Queue[list[Event]] = field(default_factory=asyncio.Queue)

    def __post_init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._offsets = Offsets(self.answer)
        self._html = "html" in self.options.include
        self._counts = dict.fromkeys((verdict.value for verdict in Verdict), 0)
        self.job = self.service.job(
            self.answer, self.corpus, self.options, self.told, self.question
        )
        self.service.engine.submit([self.job])

    def told(self, job: Job, new: list[ClaimResult]) -> None:
        """Takes results that are new, and makes their events."""
        claims = [result.claim for result in new]
        report = job.checker.report(self.answer, claims, new)
        events = claim_events(report, self.corpus, self._offsets, self._html)
        for result in new:
            self._counts[result.verdict.value] += 1
        last = claims[-1]
        done = len(job.results) == len(job.checked)
        events.append(
            {
                "type": "progress",
                "characters": len(self.answer) if done else last.span.end,
                "sentences": len(job.claims or ()) if done else last.id,
                "claims_checked": len(job.results),
                "counts": dict(self._counts),
            }
        )
        self._loop.call_soon_threadsafe(self._events.put_nowait, events)

    async def events(self) -> AsyncIterator[str]:
        """The events as they are sent."""
        engine = self.service.engine
        engine.streams += 1
        done = asyncio.wrap_future(self.job.future)
        done.add_done_callback(lambda _: self._events.put_nowait([]))
        try:
            async for events in _kept_alive(self._events):
                for event in events or []:
                    yield sse(event)
                if events == []:
                    plain = done.result()
                    yield sse(_verification(plain))
                    yield sse({"type": "report", "report": plain})
                    return
                if events is None:
                    yield _ALIVE
        except Exception as error:
            yield sse(failure(error, self.service))
        finally:
            engine.streams -= 1
            self.job.future.cancel()


@dataclass(eq=False)
class Pieces:
    """The events of an answer that comes while it is written, as the body of the request."""

    service: Service
    corpus: Corpus
    options: Options
    body: AsyncIterator[bytes]
    question: str | None = None

    def __post_init__(self) -> None:
        # What is refused is refused before the first event, with a status of its own.
        self.service.require_size("", self.question)
        self.service.wanted(self.options, self.corpus)
        self.service.engine.require_stream()
        self._html = "html" in self.options.include
        self._size = 0
        self._worked = 0.0  # seconds of checking; what the writer takes is no latency of ours

    @cached_property
    def _session(self) -> Session:
        # In the engine's thread: the question is parsed here.
        return Session(self.corpus.checker, self.question)

    async def events(self) -> AsyncIterator[str]:
        """The events as they are sent."""
        engine = self.service.engine
        engine.streams += 1
        try:
            async for piece in self._texts():
                for event in await self._called(lambda piece=piece: self._fed(piece)):
                    yield sse(event)
            for event in await self._called(self._ended):
                yield sse(event)
        except ClientDisconnect:
            pass  # nobody is there to be told
        except Exception as error:
            yield sse(failure(error, self.service))
        finally:
            engine.streams -= 1

    async def _called(self, function: Any) -> list[Event]:
        future = asyncio.wrap_future(self.service.engine.call(function))
        found: list[Event] = await self.service.in_time(future)
        return found

    async def _texts(self) -> AsyncIterator[str]:
        """The body as text, in pieces that are not too long."""
        limits = self.service.limits
        decoder = codecs.getincrementaldecoder("utf-8")()
        while True:
            try:
                data = await asyncio.wait_for(anext(self.body, None), limits.seconds)
                text = decoder.decode(data or b"", final=data is None)
            except TimeoutError:
                said = f"nothing came for {limits.seconds} s"
                raise Refused("body_timeout", said) from None
            except UnicodeDecodeError:
                raise Refused("invalid_request", "body: the answer is no UTF-8") from None
            self._size += len(text)
            if self._size > limits.answer_characters:
                raise Refused(
                    "answer_too_large",
                    f"the answer has more than {limits.answer_characters:,} characters",
                )
            for at in range(0, len(text), _PIECE):
                yield text[at : at + _PIECE]
            if data is None:
                return

    def _fed(self, piece: str) -> list[Event]:
        """Checks what the next piece closes. In the engine's thread."""
        start = time.monotonic()
        events = self._told(self._session.feed(piece))
        self._worked += time.monotonic() - start
        return events

    def _told(self, new: list[ClaimResult]) -> list[Event]:
        if not new:
            return []
        report = self._session.report
        if len(report.results) > self.service.limits.claims:
            most = self.service.limits.claims
            raise Refused("too_many_claims", f"the answer makes more than {most:,} claims")
        told = self.corpus.checker.report(report.answer, [result.claim for result in new], new)
        events = claim_events(told, self.corpus, Offsets(report.answer), self._html)
        return [*events, progress_event(report)]

    def _ended(self) -> list[Event]:
        """Checks what is still open; the last events. In the engine's thread."""
        begun = time.monotonic() - self._worked
        known = len(self._session.report.results)
        report = self._session.finish()
        events = self._told(list(report.results[known:]))
        wanted = self.service.wanted(self.options, self.corpus)
        plain = self.service.finish(report, self.corpus, wanted, self.options, begun)
        return [*events, verification_event(report), {"type": "report", "report": plain}]


def failure(error: Exception, service: Service) -> Event:
    """The event that ends a stream which failed."""
    if not isinstance(error, Refused):
        service.log.failure("stream_failed", error)
        error = internal()
    service.metrics.refused.labels(error.error_type).inc()
    return {"type": "error", **error.plain}


class WhileWritten(StreamingResponse):
    """A response that begins before the request's body has ended, and so leaves that body be."""

    async def listen_for_disconnect(self, receive: Receive) -> None:
        """Waits for ever: what comes in is the body, and its reader hears of the end."""
        await asyncio.Event().wait()


async def _kept_alive(queue: asyncio.Queue[list[Event]]) -> AsyncIterator[list[Event] | None]:
    """What comes from a queue; None whenever nothing has come for a while."""
    while True:
        try:
            yield await asyncio.wait_for(queue.get(), _ALIVE_S)
        except TimeoutError:
            yield None


def _verification(plain: dict[str, Any]) -> Event:
    """The verification event of what `/v1/check` would have sent."""
    return event_of(
        [(c["claim"], SUPPORT[Verdict(c["status"])], c["message"]) for c in plain["claims"]]
    )
