"""check, ask again with what is wrong, check: the best answer within few attempts.

    outcome = repair(generate, checker, prompt=question, policy=gate.STRIP_UNSUPPORTED)
    outcome.text, outcome.stopped, outcome.best.report

Asking again without new evidence mostly brings new inventions, so there are at most two retries,
and none after one that has not helped. Every attempt is kept; the best one is the outcome, which
need not be the last.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterable, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from halgo.delivery import gate
from halgo.delivery.policy import as_policy
from halgo.report.marks import passage, why
from halgo.report.report import Report
from halgo.report.safe import bare, bare_line, one_line
from halgo.types import ClaimResult, State, Verdict

if TYPE_CHECKING:
    from halgo.checker import Checker

MOST_RETRIES = 2
GROUNDED, NO_IMPROVEMENT, ATTEMPTS, ERROR = "grounded", "no improvement", "attempts", "error"

Generate = Callable[[str, str], "str | Iterator[str | None]"]
AsyncGenerate = Callable[
    [str, str], "Awaitable[str] | AsyncIterable[str | None] | str | Iterator[str | None]"
]

# What an answer loses by each bad claim, as a share of its claims: the weights of the published
# judge, and a little for weak support. Below _REJECTED that judge returns no answer at all.
_LOSS = {Verdict.CONTRADICTION: 0.8, Verdict.HALLUCINATION: 0.3, Verdict.WEAK_SUPPORT: 0.1}
_REJECTED = 0.5
_PROBLEM = {
    Verdict.CONTRADICTION: "The documents contradict this.",
    Verdict.HALLUCINATION: "The documents do not say this.",
    Verdict.WEAK_SUPPORT: "The documents do not quite say this.",
}
_LONGEST_EXCERPT = 400  # characters


@dataclass(frozen=True, slots=True)
class Attempt:
    """One call of the generator: the feedback it got, its answer, the report on that.

    answer and report are None where `error` says what went wrong.
    """

    number: int
    feedback: str
    answer: str | None
    report: Report | None
    error: str = ""

    __hash__ = None  # type: ignore[assignment]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON."""
        return {
            "number": self.number,
            "feedback": self.feedback,
            "answer": self.answer,
            "report": self.report.to_dict() if self.report else None,
            "error": self.error,
        }


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it.

    history: every attempt in order. best: the best answer, whichever attempt it was; None when
    there is none. stopped: "grounded" (nothing is left to object to), "no improvement",
    "attempts" (the retries are used up) or "error"; message says it in words.
    """

    history: tuple[Attempt, ...]
    best: Attempt | None
    stopped: str
    message: str
    policy: gate.Policy | None = field(default=None, repr=False)

    __hash__ = None  # type: ignore[assignment]

    @property
    def attempts(self) -> int:
        """How often the generator was called."""
        return len(self.history)

    @property
    def answer(self) -> str:
        """The best answer as it was given; "" when there is none."""
        return self.best.answer or "" if self.best else ""

    @property
    def decision(self) -> gate.Decision | None:
        """What the policy does with the best answer; None without policy or answer."""
        if self.policy is None or self.best is None or self.best.report is None:
            return None
        return gate.apply(self.best.report, self.policy)

    @property
    def text(self) -> str:
        """What may be shown: by the policy, or its fixed reply.

        Without a policy by one that says nothing, so that only an answer that is supported from
        end to end is shown, or one that declines to answer; `answer` is the best in any case.
        """
        policy = self.policy if self.policy is not None else gate.Policy()
        if self.best is None or self.best.report is None:
            return policy.blocked
        return gate.apply(self.best.report, policy).text

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON."""
        decision = self.decision
        return {
            "stopped": self.stopped,
            "message": self.message,
            "attempts": self.attempts,
            "best": self.best.number if self.best else None,
            "text": self.text,
            "decision": decision.to_dict() if decision else None,
            "history": [attempt.to_dict() for attempt in self.history],
        }


def repair(
    generate: Generate,
    checker: Checker,
    *,
    prompt: str = "",
    question: str | None = None,
    max_attempts: int = MOST_RETRIES,
    policy: gate.Policy | str | None = None,
) -> Outcome:
    """Asks `generate(prompt, feedback)` until its answer is grounded, with at most two retries.

    It returns the answer, or yields it in pieces, of which None is passed over.
    feedback: "" at first, then what is wrong with the best answer so far, claim by claim.
    question: what the answers are given to, as `Checker.check` takes it; the prompt may hold more.
    max_attempts: how often to ask again, 0 to 2, so that the generator is called once more than
    that at most. policy: what counts as good enough (its action is PASS) instead of grounded, and
    what may be shown of the outcome; also by the name of a profile, "strip-unsupported". A
    generator that raises or returns no answer ends it, with all that came before. Raises
    ValueError or TypeError for wrong arguments, ConfigError for the name of no profile.
    """
    run = _Run(generate, prompt, max_attempts, policy)
    while run.stopped is None:
        feedback = run.feedback
        try:
            answer: Any = generate(prompt, feedback)
            if isinstance(answer, Iterator):
                answer = "".join(piece for piece in answer if piece is not None)
        except Exception as error:
            run.failed(feedback, _said(error))
            continue
        if inspect.isawaitable(answer) or hasattr(answer, "__aiter__"):
            _close(answer)
            run.failed(feedback, "generate is asynchronous; use arepair")
        elif not run.refused(feedback, answer):
            run.checked(feedback, answer, checker.check(answer, question))
    return run.outcome()


async def arepair(
    generate: AsyncGenerate,
    checker: Checker,
    *,
    prompt: str = "",
    question: str | None = None,
    max_attempts: int = MOST_RETRIES,
    policy: gate.Policy | str | None = None,
) -> Outcome:
    """`repair` for a generator that is awaited, or that yields its answer in pieces.

    Checks run in a worker thread, so that the event loop stays free.
    """
    run = _Run(generate, prompt, max_attempts, policy)
    while run.stopped is None:
        feedback = run.feedback
        try:
            answer: Any = generate(prompt, feedback)
            if inspect.isawaitable(answer):
                answer = await answer
            if isinstance(answer, AsyncIterable):
                answer = "".join([piece async for piece in answer if piece is not None])
            elif isinstance(answer, Iterator):
                answer = "".join(piece for piece in answer if piece is not None)
        except Exception as error:
            run.failed(feedback, _said(error))
            continue
        if not run.refused(feedback, answer):
            run.checked(feedback, answer, await asyncio.to_thread(checker.check, answer, question))
    return run.outcome()


def feedback_on(report: Report) -> str:
    """What to tell a generator about its answer: each bad claim, why, and what the source says.

    "" when nothing is bad. What does not show in the answer or the documents is left out: a model
    would read it, and it may be an order that nobody sees.
    """
    bad = [result for result in report.results if result.verdict is not Verdict.SUPPORTED]
    if not bad:
        return ""
    lines = [
        "The documents do not support every claim of your last answer. Correct each of these by "
        "what the documents say, or leave it out. Keep the rest, and add nothing new.",
    ]
    for number, result in enumerate(bad, start=1):
        lines += ["", f'{number}. "{bare_line(result.claim.text)}"', f"   {_problem(result)}"]
        said = passage(result, _LONGEST_EXCERPT, bare)
        if said is not None:
            excerpt = "".join(run.text for run in said.runs)
            lines.append(f'   {said.origin} says: "{bare_line(excerpt)}"')
    return "\n".join(lines)


def _problem(result: ClaimResult) -> str:
    reason = why(result, bare_line)
    told = _PROBLEM[result.verdict]
    return told if not reason or reason == told else f"{told} {reason}"


class _Run:
    """The attempts so far, and whether to go on."""

    def __init__(
        self, generate: object, prompt: str, max_attempts: int, policy: gate.Policy | str | None
    ) -> None:
        if not callable(generate):
            raise TypeError(
                "generate must be a function of prompt and feedback, "
                f"not {type(generate).__name__}: {generate!r:.80}"
            )
        if not isinstance(prompt, str):
            raise TypeError(f"prompt must be a string, not {type(prompt).__name__}: {prompt!r:.80}")
        whole = isinstance(max_attempts, int) and not isinstance(max_attempts, bool)
        if not whole or not 0 <= max_attempts <= MOST_RETRIES:
            raise ValueError(
                f"max_attempts must be 0 to {MOST_RETRIES}, not {max_attempts!r}: more retries "
                "without new evidence only bring new inventions; fetch more sources instead"
            )
        self.retries = max_attempts
        self.policy = None if policy is None else as_policy(policy)
        self.history: list[Attempt] = []
        self.best: Attempt | None = None
        self.stopped: str | None = None
        self.message = ""
        self.feedback = ""

    def failed(self, feedback: str, error: str) -> None:
        """Take in a call that brought no answer."""
        number = len(self.history) + 1
        self.history.append(Attempt(number, feedback, None, None, error))
        kept = " The best answer before it is kept." if self.best else " There is no answer."
        self.stop(ERROR, f"Attempt {number}: {error}.{kept}")

    def refused(self, feedback: str, answer: object) -> bool:
        """Whether what came is no answer, which is then taken in as a failure."""
        if not isinstance(answer, str):
            self.failed(
                feedback,
                f"generate returned {answer!r:.80} ({type(answer).__name__}); "
                "it must return the answer as a string",
            )
        elif not answer.strip():
            self.failed(feedback, "generate returned an empty answer")
        else:
            return False
        return True

    def checked(self, feedback: str, answer: str, report: Report) -> None:
        """Take in an answer with its report, and settle whether to ask again."""
        attempt = Attempt(len(self.history) + 1, feedback, answer, report)
        self.history.append(attempt)
        better = self.best is None or _rank(report) < _rank(_of(self.best))
        if better:
            self.best = attempt
        best = _of(self.best)
        self.feedback = feedback_on(best)
        passes = self.policy is not None and gate.apply(best, self.policy).passed
        if best.grounded or (passes and best.state is State.ASSESSED):
            self.stop(GROUNDED, "Nothing is left to object to.")
        elif best.state is State.NO_SOURCES:
            self.stop(NO_IMPROVEMENT, "There are no sources that an answer could rest on.")
        elif not self.feedback:
            self.stop(NO_IMPROVEMENT, "The answer asserts nothing that could be corrected.")
        elif not better:
            self.stop(NO_IMPROVEMENT, f"Attempt {attempt.number} is no better than the best.")
        elif len(self.history) > self.retries:
            self.stop(ATTEMPTS, f"The best of {len(self.history)} attempts is not grounded.")

    def stop(self, why_: str, message: str) -> None:
        self.stopped, self.message = why_, message

    def outcome(self) -> Outcome:
        return Outcome(
            tuple(self.history), self.best, self.stopped or ERROR, self.message, self.policy
        )


def _of(attempt: Attempt | None) -> Report:
    assert attempt is not None and attempt.report is not None
    return attempt.report


def _rank(report: Report) -> tuple[float, ...]:
    """Smaller is better: grounded, acceptable, declining to answer, not acceptable, nothing.

    An answer is acceptable that the published judge would return; to decline is better than to
    give one that it would not, and worse than one that it would.
    """
    counts, total = report.counts, len(report.results)
    if report.grounded:
        return (0, 0.0, -(report.confidence or 0.0))
    if report.state is State.EMPTY:
        return (4, 0.0, 0.0)
    if not total:
        return (2, 0.0, 0.0)
    loss = sum(weight * counts[verdict] for verdict, weight in _LOSS.items()) / total
    rejected = counts[Verdict.CONTRADICTION] > 0 or 1.0 - loss < _REJECTED
    return (3 if rejected else 1, round(loss, 6), -round(report.confidence or 0.0, 6))


def _said(error: Exception) -> str:
    return f"generate raised {type(error).__name__}: {one_line(str(error))}".rstrip(": ")


def _close(value: Any) -> None:
    """Ends a coroutine that nobody will await, so that Python does not warn of it."""
    if inspect.iscoroutine(value):
        value.close()
