"""Asking again: what the generator is told, when it ends, and that nothing is lost."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from hand_made import INVENTED, WEAK, WRONG, report

import halgo
from halgo.delivery import gate
from halgo.delivery.repair import arepair, feedback_on, repair
from halgo.errors import ConfigError
from halgo.report.report import Report
from halgo.types import State

FALSE = "The fee is 5%. Members pay monthly."
BETTER = "Zed owns it. Members pay monthly."
TRUE = "The fee is 1.5%. Members pay monthly."
REFUSAL = "I don't have enough information to answer."
SOURCE = "A fee of 1.5% applies."
REPORTS = {
    FALSE: report(FALSE, {"The fee": WRONG}, source=SOURCE),
    BETTER: report(BETTER, {"Zed": INVENTED}),
    TRUE: report(TRUE),
    REFUSAL: report(REFUSAL, state=State.REFUSAL),
}


class ByTable:
    """A checker that knows these answers."""

    def check(self, answer: str, question: str | None = None) -> Report:
        return REPORTS[answer]


class Saying:
    """A generator that gives one answer after the other, and keeps what it was told."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.told: list[tuple[str, str]] = []

    def __call__(self, prompt: str, feedback: str) -> Any:
        self.told.append((prompt, feedback))
        answer = self.answers[len(self.told) - 1]
        if isinstance(answer, Exception):
            raise answer
        return answer


def run(*answers: Any, **options: Any) -> tuple[Any, Saying]:
    says = Saying(*answers)
    return repair(says, ByTable(), prompt="What is the fee?", **options), says  # type: ignore[arg-type]


def test_a_grounded_answer_is_asked_for_once() -> None:
    outcome, says = run(TRUE)
    assert (outcome.stopped, outcome.attempts, outcome.answer) == ("grounded", 1, TRUE)
    assert says.told == [("What is the fee?", "")]


def test_a_bad_answer_is_asked_for_again_with_what_is_wrong() -> None:
    outcome, says = run(FALSE, TRUE)
    assert (outcome.stopped, outcome.attempts, outcome.answer) == ("grounded", 2, TRUE)
    assert says.told[1][0] == "What is the fee?"
    assert '1. "The fee is 5%."' in says.told[1][1]
    assert 'policy.md says: "A fee of 1.5% applies."' in says.told[1][1]
    assert outcome.history[1].feedback == says.told[1][1]


def test_feedback_names_every_bad_claim_and_none_that_is_good() -> None:
    answer = "The fee is 5%. Zed owns it. It may rain. Members pay."
    made = report(answer, {"The fee": WRONG, "Zed": INVENTED, "It may": WEAK}, source=SOURCE)
    assert feedback_on(made) == (
        "The documents do not support every claim of your last answer. Correct each of these by "
        "what the documents say, or leave it out. Keep the rest, and add nothing new.\n"
        '\n1. "The fee is 5%."\n   The documents contradict this. no evidence\n'
        '   policy.md says: "A fee of 1.5% applies."\n'
        '\n2. "Zed owns it."\n   The documents do not say this. no evidence\n'
        '   policy.md says: "A fee of 1.5% applies."\n'
        '\n3. "It may rain."\n   The documents do not quite say this. no evidence\n'
        '   policy.md says: "A fee of 1.5% applies."'
    )
    assert feedback_on(report(TRUE)) == ""


def test_there_are_two_retries_at_most() -> None:
    with pytest.raises(ValueError, match="max_attempts must be 0 to 2, not 3"):
        run(FALSE, max_attempts=3)
    outcome, says = run(FALSE, BETTER, TRUE)
    assert outcome.attempts == len(says.told) == 3 and outcome.stopped == "grounded"
    outcome, says = run(FALSE, BETTER, TRUE, max_attempts=1)
    assert outcome.attempts == len(says.told) == 2 and outcome.stopped == "attempts"
    assert outcome.answer == BETTER
    outcome, _ = run(FALSE, max_attempts=0)
    assert (outcome.attempts, outcome.stopped, outcome.answer) == (1, "attempts", FALSE)


def test_it_ends_when_nothing_improves_and_the_best_answer_is_kept() -> None:
    outcome, says = run(BETTER, FALSE, TRUE)
    assert outcome.stopped == "no improvement" and len(says.told) == 2
    assert outcome.answer == BETTER and outcome.best is outcome.history[0]
    outcome, says = run(FALSE, FALSE, TRUE)
    assert outcome.stopped == "no improvement" and len(says.told) == 2


def test_declining_is_better_than_what_would_be_rejected_and_worse_than_the_rest() -> None:
    outcome, _ = run(FALSE, REFUSAL)
    assert (outcome.answer, outcome.stopped) == (REFUSAL, "no improvement")
    outcome, _ = run(BETTER, REFUSAL)
    assert (outcome.answer, outcome.stopped) == (BETTER, "no improvement")


def test_without_sources_it_is_not_asked_again() -> None:
    answer = "Rome is old."
    REPORTS[answer] = report(answer, {"Rome": INVENTED}, state=State.NO_SOURCES)
    outcome, says = run(answer, TRUE)
    assert outcome.stopped == "no improvement" and len(says.told) == 1
    assert "no sources" in outcome.message


def test_a_policy_says_what_is_good_enough_and_what_is_shown() -> None:
    answer = "Rome is oldish."
    REPORTS[answer] = report(answer, {"Rome": WEAK})
    lax = gate.STRIP_UNSUPPORTED.with_(weak_support="pass")
    assert run(answer, policy=lax)[0].stopped == "grounded"
    outcome, _ = run(FALSE, FALSE, policy=gate.STRIP_UNSUPPORTED)
    assert outcome.decision is not None and outcome.text == "Members pay monthly."
    outcome, _ = run(FALSE, FALSE, policy=gate.STRICT_BLOCK)
    assert outcome.text == gate.STRICT_BLOCK.blocked and outcome.answer == FALSE


def test_a_policy_may_be_given_by_its_name() -> None:
    named, _ = run(FALSE, FALSE, policy="strict-block")
    assert named.policy == gate.STRICT_BLOCK
    assert named.text == gate.STRICT_BLOCK.blocked


def test_without_a_policy_only_what_is_supported_may_be_shown() -> None:
    assert run(TRUE)[0].text == TRUE
    assert run(REFUSAL)[0].text == REFUSAL
    outcome, _ = run(FALSE, FALSE)
    assert outcome.answer == FALSE and outcome.text == gate.Policy().blocked
    assert run(ValueError())[0].text == gate.Policy().blocked


@pytest.mark.parametrize(
    "answer, message",
    [
        (RuntimeError("no such model"), "generate raised RuntimeError: no such model"),
        (ValueError(), "generate raised ValueError"),
        (None, "generate returned None (NoneType); it must return the answer as a string"),
        (b"bytes", "generate returned b'bytes' (bytes)"),
        ("  \n", "generate returned an empty answer"),
    ],
)
def test_a_failing_generator_ends_it_and_the_history_is_kept(answer: Any, message: str) -> None:
    outcome, _ = run(answer, policy=gate.STRICT_BLOCK)
    assert outcome.stopped == "error" and message in outcome.message
    assert outcome.best is None and outcome.answer == ""
    assert outcome.text == gate.STRICT_BLOCK.blocked
    outcome, _ = run(BETTER, answer)
    assert outcome.stopped == "error" and message in outcome.message
    assert outcome.answer == BETTER and "is kept" in outcome.message
    assert outcome.history[1].error and outcome.history[1].report is None
    json.dumps(outcome.to_dict())


def test_an_interrupt_is_no_failure_of_the_generator() -> None:
    def stop(prompt: str, feedback: str) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        repair(stop, ByTable())  # type: ignore[arg-type]


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(TypeError, match="generate must be a function"):
        repair("prompt", ByTable())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a Policy was expected, or the name of a profile"):
        run(TRUE, policy=5)
    with pytest.raises(ConfigError, match="the nearest is 'strict-block'"):
        run(TRUE, policy="strict-blok")
    with pytest.raises(ValueError, match="max_attempts"):
        run(TRUE, max_attempts=True)


async def _awaited(prompt: str, feedback: str) -> str:
    return TRUE if feedback else FALSE


async def _in_pieces(prompt: str, feedback: str) -> AsyncIterator[str]:
    for piece in (TRUE if feedback else FALSE).split(" "):
        yield piece if piece.startswith("The") else f" {piece}"


@pytest.mark.parametrize("generate", [_awaited, _in_pieces, lambda p, f: TRUE if f else FALSE])
def test_the_asynchronous_loop_does_the_same(generate: Any) -> None:
    outcome = asyncio.run(arepair(generate, ByTable()))  # type: ignore[arg-type]
    assert (outcome.stopped, outcome.attempts, outcome.answer) == ("grounded", 2, TRUE)


def test_none_among_the_pieces_of_an_answer_is_passed_over() -> None:
    async def later(prompt: str, feedback: str) -> AsyncIterator[str | None]:
        for piece in (None, TRUE[:5], None, TRUE[5:], None):
            yield piece

    def now(prompt: str, feedback: str) -> Iterator[str | None]:
        yield from (None, TRUE[:5], None, TRUE[5:])

    outcomes = [
        asyncio.run(arepair(later, ByTable())),  # type: ignore[arg-type]
        asyncio.run(arepair(now, ByTable())),  # type: ignore[arg-type]
        repair(now, ByTable()),  # type: ignore[arg-type]
    ]
    assert [(one.stopped, one.answer) for one in outcomes] == [("grounded", TRUE)] * 3


def test_an_asynchronous_generator_that_fails_ends_it() -> None:
    async def fail(prompt: str, feedback: str) -> str:
        raise TimeoutError("endpoint hangs")

    outcome = asyncio.run(arepair(fail, ByTable()))  # type: ignore[arg-type]
    assert outcome.stopped == "error" and "endpoint hangs" in outcome.message


@pytest.mark.parametrize("generate", [_awaited, _in_pieces])
def test_an_asynchronous_generator_in_the_plain_loop_says_which_to_use(generate: Any) -> None:
    outcome = repair(generate, ByTable())  # type: ignore[arg-type]
    assert outcome.stopped == "error" and "use arepair" in outcome.message


@pytest.mark.models
def test_a_whole_loop_with_real_models() -> None:
    checker = halgo.Checker.from_docs(
        "Members pay monthly. A late fee of 1.5% per month applies to overdue invoices."
    )
    answers = iter(["The late fee is 5% per month.", "A late fee of 1.5% per month applies."])
    outcome = halgo.repair(lambda prompt, feedback: next(answers), checker)
    assert outcome.stopped == "grounded" and outcome.attempts == 2
    assert "5%" in outcome.history[1].feedback and "1.5%" in outcome.history[1].feedback
