"""What stands in a sentence costs the rules no more than its length."""

from __future__ import annotations

import time

from halgo.signals.time.event_links import _LEADING


def test_many_words_before_an_event_take_no_time() -> None:
    begun = time.process_time()
    assert _LEADING.match("only " * 60 + "x") is None
    assert _LEADING.match("only recently and ") is not None
    assert time.process_time() - begun < 1
