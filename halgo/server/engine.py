"""Answers of many clients -> model calls they share: continuous batching with a bounded queue.

One thread checks. A round takes some claims of the answer that came first, and more of those that
have the fewest left, holds those against the same index in one call, and gives every answer that
is done its report. So clients share the cost of a call, and a long answer does not keep the short
ones behind it waiting. In equal shares all would be late together where there is too much to do;
so answers are finished one after the other (shortest remaining first; Schrage 1968), and one that
cannot be done in time is not begun. No claim's verdict depends on the others, so a report equals
that of `Checker.check`.

A second thread makes indexes, so that checks go on meanwhile. Both queues are bounded: what does
not fit is refused at once, and told when to come back.
"""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from halgo.checker import Checker
from halgo.claims.extract import extract
from halgo.report.report import Report
from halgo.server.limits import Limits
from halgo.server.prometheus import Metrics
from halgo.server.refusals import Refused
from halgo.types import Claim, ClaimResult

T = TypeVar("T")
# Is given an answer's claims, and those results that are new, as they come.
Told = Callable[["Job", list[ClaimResult]], None]

# Claims of a round for each answer, and at most: some 0.1 s and 1 s of work.
SLICE = 8
ROUND = 40
# Answers that are checked at a time; the others wait unread.
ACTIVE = 8
# Clients ask again within milliseconds of an answer; a round of four answers takes 0.5 s.
GATHER_S = 0.025
_A_MOMENT_S = 0.5  # what is no waiting yet
_FIRST_GUESS_S = 0.2  # for an answer, until one has been checked


@dataclass(eq=False)
class Job:
    """One answer on its way through the engine.

    finish: makes of the report what the client gets; runs in the engine's thread, as it may take
    the models. told: is given the results as they come, for streams. question: what the answer is
    given to.
    """

    checker: Checker
    answer: str
    finish: Callable[[Report, float], Any]
    told: Told | None = None
    question: str | None = field(default=None, repr=False)
    future: Future[Any] = field(default_factory=Future)
    taken: float = field(default_factory=time.monotonic)
    begun: float = 0.0
    request: object = None  # the same for the answers of one request
    shared: bool = False  # whether answers of other requests were checked meanwhile
    claims: list[Claim] | None = None
    checked: list[Claim] = field(default_factory=list)
    results: list[ClaimResult] = field(default_factory=list)

    @property
    def waited(self) -> bool:
        """Whether others kept it from being checked at once."""
        return self.shared or not self.begun or self.begun - self.taken > _A_MOMENT_S


class Engine:
    """The thread that checks, and the one that makes indexes."""

    def __init__(self, limits: Limits, metrics: Metrics) -> None:
        self.limits, self.metrics = limits, metrics
        self.streams = 0  # answers that are still being sent; counted by the event loop
        self._waiting: deque[Job | tuple[Callable[[], Any], Future[Any]]] = deque()
        self._active: list[Job] = []
        self._builds = 0
        self._draining = False
        self._stopped = False
        self._together = 0  # answers of the last round
        self._answer_s = _FIRST_GUESS_S
        self._claim_s = 0.0  # for a claim; 0 until one has been checked
        self._changed = threading.Condition()
        self._builder = ThreadPoolExecutor(1, thread_name_prefix="halgo-build")
        self._thread = threading.Thread(target=self._run, name="halgo-check", daemon=True)
        metrics.queue_size.set_function(lambda: float(self.size))

    def start(self) -> None:
        """Begins to check."""
        self._thread.start()

    @property
    def size(self) -> int:
        """Answers that wait or are being checked."""
        return len(self._waiting) + len(self._active)

    @property
    def idle(self) -> bool:
        """Whether all that was taken is done."""
        return not (self._waiting or self._active or self._builds or self.streams)

    @property
    def draining(self) -> bool:
        """Whether nothing new is taken any more."""
        return self._draining

    def drain(self) -> None:
        """From now on nothing new is taken; what was taken is finished."""
        self._draining = True

    def stop(self) -> None:
        """Ends both threads once they are done with what they have."""
        with self._changed:
            self._draining = self._stopped = True
            self._changed.notify_all()
        self._thread.join(5)
        self._builder.shutdown(wait=False, cancel_futures=True)

    def submit(self, jobs: Sequence[Job]) -> None:
        """Takes all of these answers or none. Raises Refused when there is no room."""
        request = object()
        for job in jobs:
            job.request = request
        with self._changed:
            self._require_room(len(jobs))
            self._waiting.extend(jobs)
            self._changed.notify()

    def require_stream(self) -> None:
        """Raises Refused when no more answers can be followed while they are written."""
        self._require_room(1, self.streams)

    def call(self, function: Callable[[], T]) -> Future[T]:
        """Runs a function between two rounds: the next piece of an answer that is being sent."""
        future: Future[T] = Future()
        with self._changed:
            if self._stopped:
                raise Refused("draining", "the server is stopping", retry_after_s=5)
            self._waiting.append((function, future))
            self._changed.notify()
        return future

    def build(self, function: Callable[[], T]) -> Future[T]:
        """Runs a function in the thread that makes indexes. Raises Refused without room for it."""
        with self._changed:
            self._require_room(1, self._builds)
            self._builds += 1
        return self._builder.submit(self._built, function)

    def _built(self, function: Callable[[], T]) -> T:
        try:
            return function()
        finally:
            with self._changed:
                self._builds -= 1

    def _require_room(self, count: int, taken: int | None = None) -> None:
        if self._draining:
            raise Refused("draining", "the server is stopping; ask another", retry_after_s=5)
        taken = self.size if taken is None else taken
        if taken + count > self.limits.queue:
            wait = min(60, max(1, math.ceil(self.size * self._answer_s)))
            raise Refused(
                "queue_full",
                f"{taken} of {self.limits.queue} places are taken; try again in {wait} s",
                retry_after_s=wait,
            )

    # -- the thread that checks -----------------------------------------------------------------

    def _run(self) -> None:
        while True:
            with self._changed:
                while not (self._waiting or self._active or self._stopped):
                    self._changed.wait()
                if self._stopped and not (self._waiting or self._active):
                    return
                self._gather()
                calls = self._admit()
            if calls:
                for job in self._active:
                    job.shared = True
            for function, future in calls:
                _settle(future, function)
            try:
                self._check_some()
            except Exception as error:  # a fault of ours: nobody is to wait for ever
                for job in list(self._active):
                    self._fail(job, error)

    def _check_some(self) -> None:
        """One round: new answers are split, some claims of each checked, what is done is sent."""
        self._together = len(self._active)
        if len({id(job.request) for job in self._active}) > 1:
            for job in self._active:
                job.shared = True
        for job in list(self._active):
            self._prepare(job)
        self._shed()
        for group in self._groups():
            self._round(group)
        for job in [job for job in self._active if len(job.results) == len(job.checked)]:
            self._finish(job)

    def _gather(self) -> None:
        """Waits a moment for the clients that have just got their answers to ask again.

        Else the first of them would be checked alone, and all others behind it, in turns for ever.
        """
        until = time.monotonic() + GATHER_S
        while not self._active and len(self._waiting) < self._together and not self._draining:
            left = until - time.monotonic()
            if left <= 0:
                return
            self._changed.wait(left)

    def _admit(self) -> list[tuple[Callable[[], Any], Future[Any]]]:
        """Makes waiting answers active, as many as may be; the functions that wait among them."""
        calls = []
        for _ in range(len(self._waiting)):
            one = self._waiting.popleft()
            if not isinstance(one, Job):
                calls.append(one)
            elif len(self._active) < ACTIVE:
                self._active.append(one)
            else:
                self._waiting.append(one)
        return calls

    def _prepare(self, job: Job) -> None:
        """Splits a new answer into claims; lets go of one that nobody waits for any more."""
        if job.future.cancelled() or self._late(job):
            self._active.remove(job)
            return
        if job.claims is not None:
            return
        job.begun = time.monotonic()
        try:
            claims = extract(job.answer, job.checker.config.granularity, job.question or "")
            job.checked = [claim for claim in claims if claim.kind.checked]
            if len(job.checked) > self.limits.claims:
                raise Refused(
                    "too_many_claims",
                    f"the answer makes {len(job.checked):,} claims; "
                    f"{self.limits.claims:,} is the most. Send it in parts.",
                )
            job.claims = claims
        except Exception as error:
            self._fail(job, error)

    def _shed(self) -> None:
        """Refuses answers not begun that cannot be done in time, while another can be.

        Each would take its share from those that still can, until all of them are too late. One
        stays, whatever is thought of its time: that may be wrong.
        """
        now = time.monotonic()
        hopeless = [
            job
            for job in self._active
            if job.shared
            and not job.results
            and now - job.taken + len(job.checked) * self._claim_s > self.limits.seconds
        ]
        for job in hopeless[len(hopeless) == len(self._active) :]:
            self._fail(job, too_late(self.limits, [job]))

    def _late(self, job: Job) -> bool:
        late = time.monotonic() - job.taken > self.limits.seconds
        if late:
            _fail_future(job.future, too_late(self.limits, [job]))
        return late

    def _groups(self) -> list[list[Job]]:
        """The active answers with claims left, those against the same index together."""
        groups: list[list[Job]] = []
        for job in self._active:
            if len(job.results) == len(job.checked):
                continue
            for group in groups:
                first = group[0].checker
                if first.index is job.checker.index and first.config == job.checker.config:
                    group.append(job)
                    break
            else:
                groups.append([job])
        return groups

    def _round(self, group: list[Job]) -> None:
        """Checks the next claims of each answer of a group, in one call."""
        left = {id(job): len(job.checked) - len(job.results) for job in group}
        shares = dict.fromkeys(left, 0)
        room = min(ROUND, SLICE * len(group))
        oldest = min(group, key=lambda job: job.taken)
        for job, most in [(oldest, SLICE), *((one, ROUND) for one in _nearly_done(group))]:
            share = min(most, room, left[id(job)] - shares[id(job)])
            shares[id(job)] += share
            room -= share
        taken = [
            (job, job.checked[len(job.results) : len(job.results) + shares[id(job)]])
            for job in group
            if shares[id(job)]
        ]
        claims = [claim for _, some in taken for claim in some]
        self.metrics.batch_claims.observe(len(claims))
        start = time.monotonic()
        try:
            results = group[0].checker.judge(claims)
        except Exception as error:
            if len(taken) == 1:
                self._fail(taken[0][0], error)
                return
            # One of them is at fault; the others are not to suffer for it.
            for job, _ in taken:
                self._round([job])
            return
        took = time.monotonic() - start
        self.metrics.model_seconds.observe(took)
        self._claim_s += (0.2 if self._claim_s else 1.0) * (took / len(claims) - self._claim_s)
        at = 0
        for job, some in taken:
            mine = results[at : at + len(some)]
            at += len(some)
            job.results += mine
            if job.told is not None and not job.future.cancelled():
                try:
                    job.told(job, mine)
                except Exception as error:
                    self._fail(job, error)

    def _finish(self, job: Job) -> None:
        self._active.remove(job)
        now = time.monotonic()
        self._answer_s += 0.1 * ((now - job.begun) / max(1, len(self._active) + 1) - self._answer_s)
        self.metrics.queue_seconds.observe(job.begun - job.taken)
        self.metrics.check_seconds.observe(now - job.begun)
        claims = job.claims or []
        _settle(
            job.future,
            lambda: job.finish(job.checker.report(job.answer, claims, job.results), job.begun),
        )

    def _fail(self, job: Job, error: Exception) -> None:
        self._active.remove(job)
        _fail_future(job.future, error)


def too_late(limits: Limits, jobs: Sequence[Job] = ()) -> Refused:
    """The refusal of what took longer than it may, so that who did not wait does not come back.

    jobs: the answers of the request, where it is some.
    """
    if jobs and not any(job.shared for job in jobs) and not all(job.waited for job in jobs):
        return Refused(
            "answer_too_slow",
            f"not done within {limits.seconds} s, though nothing else was checked meanwhile; send "
            "a shorter answer or fewer of them, or start the server with more --seconds",
        )
    return Refused(
        "time_limit",
        f"not done within {limits.seconds} s; send a shorter answer, or try again when less waits",
        retry_after_s=min(60, limits.seconds),
    )


def _nearly_done(jobs: Sequence[Job]) -> list[Job]:
    """Those with the fewest claims left first, of equals those that came first."""
    return sorted(jobs, key=lambda job: (len(job.checked) - len(job.results), job.taken))


def _settle(future: Future[Any], function: Callable[[], Any]) -> None:
    """Runs a function and gives the future what it returns or raises."""
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(function())
    except Exception as error:
        future.set_exception(error)


def _fail_future(future: Future[Any], error: Exception) -> None:
    if future.set_running_or_notify_cancel():
        future.set_exception(error)
