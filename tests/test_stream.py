"""An answer checked while it is written: any cut of a text gives the report of the whole."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from halgo import Checker, Config, Halgorithm, State, Verdict
from halgo.report.events import sse, verification_event
from halgo.sources.restarts import restarts
from halgo.sources.sentences import split
from halgo.stream import Session

pytestmark = pytest.mark.models

DOCS = [
    {"id": "fees", "text": "The late fee is 1.5% per month. Acme Corp was founded in 1998."},
    {"id": "plans", "text": "The Basic plan costs 9 EUR. It holds 10 GB."},
]
ANSWER = """Hello! Here is what I found:

**Fees**
The late fee is 5% per month. Acme Corp was founded in 1998. It was not sold, e.g. to Dr. Smith.

| Plan | Price |
|---|---|
| Basic | 9 EUR |
| Pro | 19 EUR |

1. The Basic plan costs 9 EUR.
2. It holds 10 GB

```
x = 1.

y = 2.
```
I hope this helps [1, 2]! Is there anything else?

Sources:

[1] Handbook, page 5
[2] Price list"""


def quick(config: Config | None = None, docs: Any = DOCS) -> Checker:
    """A checker without encoder and entailment model; only sentences are parsed."""
    return Halgorithm(config, embedder="lexical", entailment=None).checker(docs)


CHECKER = quick()


def cut(text: str, places: list[int]) -> list[str]:
    ends = sorted({0, len(text), *(place % (len(text) + 1) for place in places)})
    return [text[a:b] for a, b in pairwise(ends)]


def streamed(checker: Checker, pieces: list[str]) -> tuple[Session, list[Any]]:
    session = checker.session()
    return session, [result for piece in pieces for result in session.feed(piece)]


def check_same(checker: Checker, pieces: list[str]) -> None:
    text = "".join(pieces)
    session, early = streamed(checker, pieces)
    whole = checker.check(text)
    assert session.finish() == whole
    assert session.report == whole and session.text == text
    assert tuple(early) == whole.results[: len(early)]


@given(st.lists(st.integers(0, len(ANSWER)), max_size=40))
@settings(max_examples=40)
def test_any_cut_of_an_answer_gives_the_report_of_the_whole(places: list[int]) -> None:
    check_same(CHECKER, cut(ANSWER, places))


@pytest.mark.parametrize(
    "answer",
    [
        "<ul><li>The late fee is 1.5% per month.</li></ul>",
        "<div><p>It holds 10 GB.</p></div>\n<p>The Basic plan costs 9 EUR.</p>",
        "The late fee is 1.5% per month.</li> <!-- a > b --> </ul>",
        "<p>It holds 10 GB.</p>&nbsp;",
        "<b>It holds 10 GB.</b></p>**</div>",
        "It holds 10 GB.</li>![a](b)<br>",
    ],
)
def test_marks_that_come_in_pieces_belong_to_the_sentence_before_them(answer: str) -> None:
    check_same(CHECKER, list(answer))


FRAGMENTS = st.sampled_from(
    [
        "The fee is 5%.", "It rose", " ", "\n", "\n\n", "\r\n", "\r", "**Fees**", "**Fees:**\n",
        "- ", "1. ", "# ", "> ", "| a | b |\n", "|---|---|\n", "```\n", "---\n", "===\n", '"',
        "(", ")", "[1]", "U.S.", "e.g.", "Acme Corp", "?", "!", ":", "orders[0].id: 7; a: b",
        "[Handbook, page 5]", "Sources:\n", "[1] Handbook\n", "[^a]: note\n", "(see [2])", "`",
        "<b>", "\u200b", "好。", "They left.", "a" * 30 + " ", "1 + 1 = 3.", "*", "_", "\\",
        "</li></ul>", "&nbsp;", "![a](b)",
    ]
)  # fmt: skip


@given(st.lists(FRAGMENTS, max_size=25))
@settings(max_examples=150)
@example(["**Fees**", "\n", "- ", "\n", "a. B"])
@example(["a.", "\r", "\n", "b.\n\n"] * 3)
@example(["Sources:\n", "- Handbook 5\n", "- Price list 7\n", "It rose. It fell. ", "[1]"])
@example(["`It rose' by 5 [1]. ", "It fell. ", "`", " They left. They stay."])
@example(["- The fee (Fees,\n", "- page 5) is 5% [1].\n", "- It rose [2].\n", "\n[1] A\n"])
def test_any_pieces_of_any_text_give_the_report_of_the_whole(pieces: list[str]) -> None:
    check_same(CHECKER, pieces)


@given(st.lists(FRAGMENTS, max_size=60).map("".join))
@settings(max_examples=300)
def test_reading_can_start_afresh_behind_a_blank_line(text: str) -> None:
    whole = [(s.span, s.reading.text, s.block) for s in split(text)]
    for place in restarts(text):
        behind = [(s.span.shift(place), s.reading.text, s.block) for s in split(text[place:])]
        assert behind == [found for found in whole if found[0].start >= place]
        assert all(found[0].end <= place for found in whole if found[0].start < place)


@given(st.lists(FRAGMENTS, max_size=40))
@settings(max_examples=60)
def test_letting_go_at_every_chance_changes_nothing(pieces: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("halgo.stream._LET_GO", 0)
        patch.setattr("halgo.stream._AT_ONCE", 60)
        check_same(CHECKER, pieces)


def test_progress_counts_all_that_came_before() -> None:
    pieces = [f"The late fee is {n}% per month. " for n in range(4)]
    told = [event for event in CHECKER.stream(pieces) if event["type"] == "progress"]
    assert [event["claims_checked"] for event in told] == [1, 2, 3]
    assert [event["sentences"] for event in told] == [1, 2, 3]
    assert [sum(event["counts"].values()) for event in told] == [1, 2, 3]
    assert told[-1]["characters"] == len("".join(pieces))


@pytest.mark.parametrize("granularity", ["sentence", "atomic"])
@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_a_long_answer_read_in_parts_is_read_alike(granularity: str, size: int) -> None:
    checker = quick(Config(granularity=granularity))
    text = "\n\n".join([ANSWER, "They opened in Rome, and it rose by 3 km."] * 4)
    check_same(checker, [text[at : at + size] for at in range(0, len(text), size)])


def test_classic_mode_streams_too() -> None:
    check_same(quick(Config.classic()), cut(ANSWER, list(range(0, len(ANSWER), 9))))


def test_a_result_comes_with_the_piece_that_closes_its_sentence() -> None:
    session = CHECKER.session()
    assert session.feed("The late fee is 5") == []
    assert session.feed("% per month.") == []  # "month.5" and "month.com" are still open
    (result,) = session.feed(" Acme")
    assert result.claim.text == "The late fee is 5% per month."
    assert result.verdict is Verdict.CONTRADICTION
    assert session.feed(" Corp was founded in 1998.") == []
    assert [r.claim.text for r in session.report] == ["The late fee is 5% per month."]
    assert len(session.finish()) == 2


def test_each_claim_is_checked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[str] = []
    judge = Checker.judge

    def counting(self: Checker, claims: Any) -> Any:
        checked.extend(claim.text for claim in claims)
        return judge(self, claims)

    monkeypatch.setattr(Checker, "judge", counting)
    session, _ = streamed(CHECKER, list(ANSWER))
    report = session.finish()
    assert checked == [result.claim.text for result in report]
    assert session.finish() is report and len(checked) == len(report)


def test_what_is_read_does_not_grow_with_the_answer() -> None:
    session, _ = streamed(CHECKER, ["The late fee is 1.5% per month. It is low.\n\n"] * 200)
    assert len(session._window) < 2500
    assert len(session.finish()) == 400


@pytest.mark.parametrize("piece", [None, 5, b"bytes", ["a"], {"text": "a"}])
def test_a_piece_that_is_no_string_is_a_type_error_that_names_it(piece: Any) -> None:
    session = CHECKER.session()
    with pytest.raises(TypeError, match=type(piece).__name__):
        session.feed(piece)
    session.feed("The late fee is 1.5% per month.")
    assert len(session.finish()) == 1


def test_a_finished_session_takes_no_more() -> None:
    session = CHECKER.session()
    session.finish()
    with pytest.raises(ValueError, match="new one"):
        session.feed("More.")


@pytest.mark.parametrize(
    ("text", "state"),
    [("", State.EMPTY), ("  \n", State.EMPTY), ("Hello!", State.NO_CLAIMS)],
)
def test_nothing_to_check_is_a_state(text: str, state: State) -> None:
    session, results = streamed(CHECKER, [text])
    assert results == [] and session.finish().state is state
    assert quick(docs=[]).session().finish().state is State.NO_SOURCES


def test_a_check_that_fails_is_made_up_for(monkeypatch: pytest.MonkeyPatch) -> None:
    session = CHECKER.session()
    with monkeypatch.context() as patch:
        patch.setattr(Checker, "judge", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            session.feed("The late fee is 5% per month. It")
    assert len(session.report) == 0
    assert [r.claim.id for r in session.feed(" holds.")] == [1]
    assert session.finish() == CHECKER.check("The late fee is 5% per month. It holds.")


# --- events --------------------------------------------------------------------------------------


def test_events_are_claims_progress_and_at_last_the_verification() -> None:
    pieces = ["Hello! The late fee is 5% ", "per month. Acme Corp was ", "founded in 1998."]
    events = list(CHECKER.stream(pieces))
    kinds = [event["type"] for event in events]
    assert kinds == ["progress", "claim", "progress", "claim", "verification"]
    report = CHECKER.check("".join(pieces))
    assert [e["claim"] for e in events if e["type"] == "claim"] == report.claim_dicts()
    assert events[2] == {
        "type": "progress",
        "characters": len(pieces[0] + pieces[1]),
        "sentences": 2,
        "claims_checked": 1,
        "counts": {"SUPPORTED": 0, "WEAK_SUPPORT": 0, "CONTRADICTION": 1, "HALLUCINATION": 0},
    }
    assert events[-1] == verification_event(report)
    assert json.loads(json.dumps(events)) == events


def test_the_verification_event_has_the_published_keys_and_weights() -> None:
    report = CHECKER.check("The late fee is 5% per month. Acme Corp was founded in 1998.")
    event = verification_event(report)
    assert list(event) == [
        "type",
        "claims_checked",
        "claims_supported",
        "claims_partially_supported",
        "claims_unsupported",
        "confidence",
        "details",
    ]
    assert (event["claims_checked"], event["claims_supported"]) == (2, 1)
    assert (event["claims_unsupported"], event["confidence"]) == (1, 0.5)
    wrong, right = event["details"]
    assert wrong["verdict"] == "NOT_SUPPORTED" and "1.5%" in wrong["note"]
    assert right == {"claim": "Acme Corp was founded in 1998.", "verdict": "SUPPORTED"}


def test_an_answer_without_claims_has_no_confidence() -> None:
    (event,) = CHECKER.stream([])
    assert event["confidence"] is None and event["details"] == []


def test_a_source_of_pieces_that_fails_leaves_what_was_checked() -> None:
    def pieces() -> Iterator[str]:
        yield "The late fee is 1.5% per month. Acme"
        raise ConnectionError("the model went away")

    session, events = CHECKER.session(), []
    with pytest.raises(ConnectionError, match="went away"):
        for event in session.stream(pieces()):
            events.append(event)
    assert [event["type"] for event in events] == ["claim", "progress"]
    assert [r.verdict for r in session.report] == [Verdict.SUPPORTED]
    session.feed(" Corp was founded in 1998.")
    assert len(session.finish()) == 2


@pytest.mark.parametrize("pieces", ["one string", b"bytes", None, 5])
def test_stream_takes_pieces_and_no_single_string(pieces: Any) -> None:
    with pytest.raises(TypeError, match=type(pieces).__name__):
        CHECKER.stream(pieces)
    with pytest.raises(TypeError, match=type(pieces).__name__):
        CHECKER.astream(pieces)


def test_none_among_the_pieces_is_passed_over() -> None:
    pieces = [None, "The late fee is 1.5% ", None, "per month. Acme", " has offices.", None]

    async def source() -> AsyncIterator[str | None]:
        for piece in pieces:
            yield piece

    async def collect() -> list[dict[str, Any]]:
        return [event async for event in CHECKER.astream(source())]

    events = list(CHECKER.stream([piece for piece in pieces if piece is not None]))
    assert list(CHECKER.stream(pieces)) == asyncio.run(collect()) == events


def test_an_asynchronous_source_gives_the_same_events() -> None:
    pieces = cut(ANSWER, list(range(0, len(ANSWER), 11)))

    async def source() -> AsyncIterator[str]:
        for piece in pieces:
            yield piece

    async def collect() -> list[dict[str, Any]]:
        return [event async for event in CHECKER.astream(source())]

    assert asyncio.run(collect()) == list(CHECKER.stream(pieces))


def test_an_event_is_written_as_browsers_read_it() -> None:
    text = sse({"type": "claim", "claim": {"claim": "a\nb \u2028 \u00e9"}})
    assert text.startswith("event: claim\ndata: {") and text.endswith("}\n\n")
    assert text.count("\n") == 3 and text.isascii()
    assert json.loads(text.splitlines()[1].removeprefix("data: "))["claim"]["claim"][0] == "a"
    for wrong in ({}, {"type": ""}, {"type": "a\nb"}, {"type": 5}):
        with pytest.raises(ValueError, match="type"):
            sse(wrong)
    with pytest.raises(TypeError, match="an event is a dict, not str"):
        sse("x")  # type: ignore[arg-type]


LEAD_INS = (
    "Here is what I found:\n\n**Acme has three offices:**\n- Oslo\n- Lund\n\nThe fee covers:\n"
    "1. Postage\n\nI think the late fee is 5%: it rose. Dogs are allowed in the garden:\nall day.\n"
)


@pytest.mark.parametrize("step", [1, 2, 3, 7, 19])
def test_lead_ins_and_opinions_are_the_same_claims_however_they_arrive(step: int) -> None:
    check_same(CHECKER, cut(LEAD_INS, list(range(0, len(LEAD_INS), step))))
    claims = [result.claim.text for result in CHECKER.check(LEAD_INS)]
    assert "Acme has three offices:" in claims and "The fee covers:" not in claims


def test_with_the_default_models_the_stream_is_the_check() -> None:
    checker = Checker.from_docs(DOCS)
    check_same(checker, cut(ANSWER, list(range(0, len(ANSWER), 23))))


def test_a_second_thread_is_told_and_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    checker = quick()
    judge, begun, go_on = checker.judge, threading.Event(), threading.Event()

    def slowly(claims: Any) -> Any:
        begun.set()
        assert go_on.wait(10)
        return judge(claims)

    monkeypatch.setattr(checker, "judge", slowly)
    session = checker.session()
    feeding = threading.Thread(target=session.feed, args=("The Basic plan costs 9 EUR. It ",))
    feeding.start()
    assert begun.wait(10)
    for other in (lambda: session.feed("holds 1 GB. "), session.finish, session.look_ahead):
        with pytest.raises(RuntimeError, match="in another thread"):
            other()
    go_on.set()
    feeding.join()
    session.feed("holds 10 GB.")
    assert session.finish() == checker.check("The Basic plan costs 9 EUR. It holds 10 GB.")
