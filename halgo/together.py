"""Calls of several threads -> one call of a model with the texts of all: dynamic batching.

Whoever comes while no round runs leads one: it waits a moment for as many callers as there were
the last time, makes one call with the items of all who came, and gives each its own results.
Whoever comes meanwhile joins the next. So a caller that is alone never waits, and under load a
round is as large as what gathered while the one before it ran.

Only for work whose result for an item does not depend on the other items.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from halgo import process

Item = TypeVar("Item")
Result = TypeVar("Result")


class Together(Generic[Item, Result]):
    """A function of many items, called once for callers that come at the same time.

    work: gives a result for each item, in order; safe to call from several threads. most: from
    this many items on a round takes no further caller, and a caller with more goes at once, alone.
    Where a round fails, each of its callers gets one of its own: an error meets who caused it.
    """

    def __init__(self, work: Callable[[list[Item]], Sequence[Result]], *, most: int) -> None:
        self._work, self._most = work, most
        self._changed = threading.Condition()
        self._waiting: deque[_Call[Item, Result]] = deque()
        self._running = False
        self._callers = 1  # of the last round, with those who came while it ran

    def __call__(self, items: Sequence[Item]) -> list[Result]:
        """The results for these items, in order. Raises what the work raises for them."""
        mine: _Call[Item, Result] = _Call(list(items))
        wait_s = process.wait_s()
        if not wait_s or not 0 < len(mine.items) <= self._most:
            return list(self._work(mine.items))
        with self._changed:
            self._waiting.append(mine)
            self._changed.notify_all()
            while self._running and not mine.done:
                self._changed.wait()
            if mine.done:
                return mine.told()
            self._running = True
        try:
            while not mine.done:
                self._round(wait_s)
        finally:
            with self._changed:
                self._running = False
                self._changed.notify_all()
        return mine.told()

    def _round(self, wait_s: float) -> None:
        """Makes one call for those who wait; the first of them are first."""
        with self._changed:
            self._gather(wait_s)
            calls, count = [], 0
            while self._waiting and count < self._most:
                calls.append(self._waiting.popleft())
                count += len(calls[-1].items)
        try:
            self._make(calls)
        finally:
            with self._changed:
                # Whoever is not done, as this thread was interrupted, is led by another.
                self._waiting.extendleft(call for call in reversed(calls) if not call.done)
                self._callers = len(calls) + len(self._waiting)
                self._changed.notify_all()

    def _gather(self, wait_s: float) -> None:
        """Waits for as many callers as there were, for so long at most."""
        until = time.monotonic() + wait_s
        while len(self._waiting) < self._callers:
            left = until - time.monotonic()
            if left <= 0:
                return
            self._changed.wait(left)

    def _make(self, calls: Sequence[_Call[Item, Result]]) -> None:
        try:
            results = list(self._work([item for call in calls for item in call.items]))
        except Exception as error:
            if len(calls) == 1:
                calls[0].fail(error)
                return
            for call in calls:
                self._make([call])
            return
        start = 0
        for call in calls:
            end = start + len(call.items)
            call.give(results[start:end])
            start = end


class _Call(Generic[Item, Result]):
    """The items of one caller, and what becomes of them."""

    def __init__(self, items: list[Item]) -> None:
        self.items = items
        self.done = False
        self._results: list[Result] = []
        self._error: Exception | None = None

    def give(self, results: list[Result]) -> None:
        self._results, self.done = results, True

    def fail(self, error: Exception) -> None:
        self._error, self.done = error, True

    def told(self) -> list[Result]:
        """The results, or what the work raised."""
        if self._error is not None:
            raise self._error
        return self._results
