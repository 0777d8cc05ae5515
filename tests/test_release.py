"""An answer shown while it is written: nothing unsupported slips, the whole is the gate's."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from halgo import Checker, Config, Halgorithm, Release, gate
from halgo.delivery import release as releasing

pytestmark = pytest.mark.models

DOCS = [
    {"id": "fees", "text": "The late fee is 1.5% per month. Payment is due within 30 days."},
    {"id": "plans", "text": "The Basic plan costs 9 EUR. It holds 10 GB. Acme began in 1998."},
]
GOOD = (
    "The late fee is 1.5% per month.",
    "Payment is due within 30 days.",
    "The Basic plan costs 9 EUR.",
    "It holds 10 GB.",
    "Acme began in 1998.",
)
# Each with a word that stands in no other sentence and no source.
BAD = {
    "The late fee is 77% per month.": "77",
    "Zorblax Ltd began in 1998.": "Zorblax",
    "However, the Basic plan costs 8888 EUR.": "8888",
    "It holds 44 GB.": "44",
    "Otherwise, Quux pays within 30 days.": "Quux",
}


def quick(config: Config | None = None, docs: Any = DOCS) -> Checker:
    """A checker without encoder and entailment model; only sentences are parsed."""
    return Halgorithm(config, embedder="lexical", entailment=None).checker(docs)


CHECKER = quick()
ATOMIC = quick(Config(granularity="atomic"))


def cut(text: str, places: list[int]) -> list[str]:
    ends = sorted({0, len(text), *(place % (len(text) + 1) for place in places)})
    return [text[a:b] for a, b in pairwise(ends)]


def shown(checker: Checker, pieces: list[str], policy: gate.Policy) -> str:
    """What is shown in the end; each text that came was looked at as it came."""
    release = Release(checker, policy)
    parts = []
    whole = "".join(pieces)
    allowed = gate.apply(checker.check(whole), policy).text
    for piece in [*pieces, None]:
        parts.append(release.finish() if piece is None else release.feed(piece))
        for words in BAD.values():
            assert words not in parts[-1] or words in allowed, (whole, parts)
    assert release.text == "".join(parts) and release.answer == whole
    return release.text


SENTENCES = st.sampled_from([*GOOD, *BAD])
BETWEEN = st.sampled_from(
    [
        " ", "\n", "\n\n", "\r\n", "\n- ", "\n  - ", "\n1. ", "\n2. ", "\n3. ", "\n\n# ", "\n> ",
        "\n\n**Fees**\n\n", "\n\nHere is what Here it is:\n\n", "Hello! ", " What about it? ",
        "\n| a | b |\n|---|---|\n| Basic | 9 EUR |\n", "\n| a | b |\n|---|---|\n| Pro | 44 EUR |\n",
        "\n```\nx = 1\n```\n", " **", "** ", " [1] ", " Thanks!", "\n\n## Part\n\n", " `", "(",
    ]
)  # fmt: skip
TEXTS = st.lists(st.tuples(BETWEEN, SENTENCES), min_size=1, max_size=9).map(
    lambda parts: "".join(between + sentence for between, sentence in parts)
)
CUTS = st.lists(st.integers(0, 2_000), max_size=60)


@given(TEXTS, CUTS, st.sampled_from([CHECKER, ATOMIC]))
@settings(max_examples=40)
@example(
    "Here it is:\n\n- It holds 44 GB.\n- The late fee is 77% per month.\n\nAcme began in 1998.",
    list(range(90)),
    CHECKER,
)
@example("# Fees\n\n## Late\n\nIt holds 44 GB.\n\n# Plans\n\nIt holds 10 GB.", [], CHECKER)
@example(
    "Acme began in 1998. **It holds 44 GB.\nIt holds 10 GB.** Thanks!", list(range(70)), CHECKER
)
def test_any_pieces_show_what_the_gate_leaves_and_nothing_else_on_the_way(
    text: str, places: list[int], checker: Checker
) -> None:
    expected = gate.apply(checker.check(text), gate.STRIP_UNSUPPORTED).text
    assert shown(checker, cut(text, places), gate.STRIP_UNSUPPORTED) == expected


@pytest.mark.parametrize("policy", gate.PROFILES.values(), ids=lambda policy: policy.name)
@given(text=TEXTS, places=CUTS)
@settings(max_examples=8)
def test_every_profile_ends_with_what_its_gate_shows(
    policy: gate.Policy, text: str, places: list[int]
) -> None:
    expected = gate.apply(CHECKER.check(text), policy).text
    assert shown(CHECKER, cut(text, places), policy) == expected


FRAGMENTS = st.sampled_from(
    [
        *GOOD, *BAD, "The fee is", " ", "\n", "\n\n", "\r", "**", "**Fees:**\n", "- ", "1. ", "# ",
        "> ", "| a | b |\n", "|---|---|\n", "```\n", "---\n", "===\n", '"', "(", ")", "[1]", "U.S.",
        "e.g.", "?", "!", ":", "Sources:\n", "[1] Handbook\n", "`", "<b>", "\u200b", "好。", "_",
        "[a](b)", "Which one?", "1 + 1 = 3.", "*", "\\",
    ]
)  # fmt: skip


@given(st.lists(FRAGMENTS, max_size=25))
@settings(max_examples=40)
def test_odd_markup_lets_nothing_slip(pieces: list[str]) -> None:
    shown(CHECKER, pieces, gate.STRIP_UNSUPPORTED)


def fed(text: str, policy: gate.Policy = gate.STRIP_UNSUPPORTED, **options: bool) -> list[str]:
    """What each character of a text lets out, and the end; empty texts left out."""
    return list(Release(CHECKER, policy, **options).stream(list(text)))


def test_a_sentence_comes_as_soon_as_the_next_one_has_begun() -> None:
    release = Release(CHECKER)
    assert release.feed("Payment is due within 30 days.") == ""  # "30 days.5" may follow
    assert release.feed(" The") == "Payment is due within 30 days."
    assert release.feed(" late fee is 77% per month. Acme") == ""
    assert release.feed(" began in 1998. ") == ""
    assert release.finish() == " Acme began in 1998. "
    assert release.finish() == "" and release.decision is not None
    assert release.decision.action is gate.Action.STRIP


def test_a_sentence_is_checked_while_the_word_behind_it_is_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judged: list[list[str]] = []
    real = Checker.judge

    def noted(self: Checker, claims: Any) -> Any:
        judged.append([claim.text for claim in claims])
        return real(self, claims)

    monkeypatch.setattr(Checker, "judge", noted)
    release = Release(CHECKER)
    assert release.feed("Payment is due within 30 days.") == ""
    assert judged == [["Payment is due within 30 days."]]
    assert release.feed(" The") == "Payment is due within 30 days."
    assert len(judged) == 1  # it was known by then
    for piece in (" late fee is 1.", "5% per month.", " x.", " y.", " z."):
        release.feed(piece)
    assert judged[1:3] == [["The late fee is 1."], ["The late fee is 1.5% per month."]]
    judged.clear()
    for _ in range(50):
        release.feed("1.")
    assert len(judged) <= 3


def test_what_leads_to_something_waits_until_something_is_left() -> None:
    listed = (
        "Payment is due within 30 days.\n\nHere it is:\n\n- It holds 44 GB.\n- It holds 10 GB.\n"
    )
    assert fed(listed) == [
        "Payment is due within 30 days.",
        "\n\nHere it is:\n\n- It holds 10 GB.\n",
    ]
    nothing = (
        "Payment is due within 30 days.\n\nHere it is:\n\n- It holds 44 GB.\n\nIt holds 10 GB. A"
    )
    assert "".join(fed(nothing)).startswith("Payment is due within 30 days.\n\nIt holds 10 GB.")


def test_a_greeting_waits_for_an_answer() -> None:
    assert fed("Hello! The late fee is 77% per month.") == [gate.STRIP_UNSUPPORTED.blocked]
    assert fed("Hello! Thanks for asking.") == ["Hello! Thanks for asking."]
    assert fed("Hello! It holds 10 GB. Acme")[0] == "Hello! It holds 10 GB."


def test_a_policy_that_may_block_shows_nothing_before_the_end() -> None:
    good, bad = "It holds 10 GB. Acme began in 1998.", "It holds 10 GB. Acme began in 1999."
    assert fed(good, gate.STRICT_BLOCK) == [good]
    assert fed(bad, gate.STRICT_BLOCK) == [gate.STRICT_BLOCK.blocked]
    assert fed(bad, gate.HITL_ESCALATE) == [gate.HITL_ESCALATE.escalated]
    rule = gate.STRIP_UNSUPPORTED.with_(
        rules=[gate.Rule(action="block", verdicts=["CONTRADICTION"])]
    )
    assert fed(bad, rule) == [rule.blocked]


def test_until_blocked_shows_what_came_before_and_then_the_reply() -> None:
    text = "It holds 10 GB. Acme began in 1999. Payment is due within 30 days."
    reply = gate.STRICT_BLOCK.blocked
    assert fed(text, gate.STRICT_BLOCK, until_blocked=True) == ["It holds 10 GB.", f"\n\n{reply}"]
    whole = Release(CHECKER, gate.STRICT_BLOCK, until_blocked=True)
    assert list(whole.stream([text])) == ["It holds 10 GB.", f"\n\n{reply}"]
    assert whole.decision is not None and whole.decision.replaced
    assert fed("Acme began in 1999. It holds 10 GB.", gate.STRICT_BLOCK, until_blocked=True) == [
        reply
    ]


def test_an_answer_that_may_yet_be_blocked_as_a_whole_waits() -> None:
    policy = gate.STRIP_UNSUPPORTED.with_(no_claims="block")
    assert fed("Hello! I think it is nice. Bye!", policy) == [policy.blocked]
    assert fed("I think it is nice. It holds 10 GB. Bye!", policy)[0].endswith("It holds 10 GB.")


@pytest.mark.parametrize("text", ["", " \n", "I don't know.", "It holds 10 GB."])
def test_without_sources_or_text_the_end_is_the_gates(text: str) -> None:
    for checker in (CHECKER, quick(docs=[])):
        expected = gate.apply(checker.check(text), gate.STRIP_UNSUPPORTED).text
        assert "".join(Release(checker).stream(list(text))) == expected


def test_types_that_a_rule_asks_for_are_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from halgo.report import claimtypes

    seen: list[str] = []
    real = claimtypes.claim_types

    def noted(texts: Any, *rest: Any) -> Any:
        seen.extend(texts)
        return real(texts, *rest)

    monkeypatch.setattr(claimtypes, "claim_types", noted)
    policy = gate.AUDIT_ONLY.with_(rules=[gate.Rule(action="strip", types=["temporal"])])
    text = "It holds 10 GB. Acme began in 1998. Payment is due soon. It holds 10 GB."
    whole = gate.apply(CHECKER.check(text), policy).text
    seen.clear()
    assert "".join(fed(text, policy)) == whole
    assert "1998" not in whole and len(seen) == 4


def test_a_check_that_fails_shows_nothing_and_loses_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    release = Release(CHECKER)
    with monkeypatch.context() as patch:
        patch.setattr(Checker, "judge", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            release.feed("It holds 10 GB. Acme began in 1999. ")
    assert release.text == ""
    assert release.finish() == "It holds 10 GB. "


def test_an_asynchronous_source_is_shown_alike_beside_other_work() -> None:
    text = "It holds 10 GB. It holds 44 GB. Acme began in 1998."

    async def source() -> AsyncIterator[str]:
        for piece in cut(text, list(range(0, len(text), 7))):
            await asyncio.sleep(0)
            yield piece

    async def read() -> list[str]:
        return [part async for part in Release(CHECKER).astream(source())]

    assert asyncio.run(read()) == ["It holds 10 GB.", " Acme began in 1998."]


def test_none_among_the_pieces_is_passed_over() -> None:
    pieces = [None, "It holds 10 GB. ", None, "Acme began in 1998.", None]

    async def source() -> AsyncIterator[str | None]:
        for piece in pieces:
            yield piece

    async def read() -> list[str]:
        return [part async for part in Release(CHECKER).astream(source())]

    whole = "It holds 10 GB. Acme began in 1998."
    assert "".join(Release(CHECKER).stream(pieces)) == "".join(asyncio.run(read())) == whole


def test_a_long_answer_is_gone_through_less_often_and_shown_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(releasing, "_AT_ONCE", 300)
    text = "\n\n".join(f"{GOOD[n % 5]} {list(BAD)[n % 5]} {GOOD[(n + 2) % 5]}" for n in range(30))
    gone_through: list[int] = []
    real = releasing.settled
    monkeypatch.setattr(
        releasing, "settled", lambda fate, end: gone_through.append(end) or real(fate, end)
    )
    expected = gate.apply(CHECKER.check(text), gate.STRIP_UNSUPPORTED).text
    assert shown(CHECKER, cut(text, list(range(0, 4_000, 20))), gate.STRIP_UNSUPPORTED) == expected
    assert all(b - a >= a * releasing._GROWN for a, b in pairwise(gone_through) if b > 300)


@pytest.mark.parametrize("method, given", [("stream", "text"), ("stream", 5), ("astream", ["a"])])
def test_what_is_no_stream_is_refused(method: str, given: Any) -> None:
    with pytest.raises(TypeError, match="stream takes an"):
        getattr(Release(CHECKER), method)(given)
    with pytest.raises(TypeError, match="Policy was expected"):
        Release(CHECKER, 5)  # type: ignore[arg-type]


def test_a_policy_may_be_given_by_its_name() -> None:
    assert repr(Release(CHECKER, "hedge")) == repr(Release(CHECKER, gate.HEDGE))


def test_nothing_can_be_fed_after_the_end() -> None:
    release = Release(CHECKER)
    release.finish()
    with pytest.raises(ValueError, match="finished"):
        release.feed("It holds 10 GB.")
