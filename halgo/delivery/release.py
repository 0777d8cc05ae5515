"""An answer in pieces and a Policy -> what may be shown of it, while it is still written.

    release = Release(checker, gate.STRIP_UNSUPPORTED)
    for text in release.stream(pieces):
        print(text, end="")

A proxy between a model and a reader: text is held back until its sentence is closed, checked and
settled (settled.py), then shown as the gate would show it. Nothing that was shown is taken back, so
a policy that may replace the whole answer (block, escalate) shows nothing before the end, unless
`until_blocked` says that what was found good before the first bad claim may be seen.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from halgo.delivery.edits import Edit, edited
from halgo.delivery.fate import Fate
from halgo.delivery.gate import Decision, apply, asked_for, passages, states_of
from halgo.delivery.policy import STRIP_UNSUPPORTED, Policy, as_policy
from halgo.delivery.rule import Action
from halgo.delivery.settled import settled
from halgo.report.sections import require_checker
from halgo.settings import shown
from halgo.types import Span

if TYPE_CHECKING:
    from halgo.checker import Checker

# A text longer than this is gone through again only when it has grown by this share, so that the
# work grows with the text and not with its square.
_AT_ONCE = 8_000  # characters
_GROWN = 1 / 64
# A piece behind which a sentence may be at its end.
_MAY_END = re.compile(r"""[.!?\u2026][)\]"'*_\u2019\u201d]*\Z""")


class Release:
    """One answer that is shown while it is written. Not for several threads at a time.

    until_blocked: with a policy that blocks or escalates, show what comes before the first claim
    that it does so for, then its reply. A piece whose check fails is not shown and not lost: the
    next call checks it again. policy: also by the name of a profile, "strip-unsupported". question:
    what the answer is given to, as `Checker.check` takes it. Raises TypeError for another checker
    or policy than such, ConfigError for the name of none.
    """

    def __init__(
        self,
        checker: Checker,
        policy: Policy | str = STRIP_UNSUPPORTED,
        *,
        question: str | None = None,
        until_blocked: bool = False,
    ) -> None:
        require_checker(checker, "session")
        policy = as_policy(policy)
        self._session = checker.session(question)
        self._policy = policy
        self._shown: list[str] = []
        self._at = 0  # up to where the answer has been shown
        self._read = 0  # up to where it has been gone through
        self._stopped = not until_blocked and _may_replace(policy)
        self._types: list[str] = []
        self._decision: Decision | None = None

    def __repr__(self) -> str:
        counts = f"fed={len(self.answer)}, shown={len(self.text)}"
        finished = self._decision is not None
        return f"<Release policy={shown(self._policy.name)}, {counts}, finished={finished}>"

    @property
    def text(self) -> str:
        """What has been shown so far."""
        return "".join(self._shown)

    @property
    def answer(self) -> str:
        """What has been fed so far, shown or not: not to be shown itself."""
        return self._session.text

    @property
    def decision(self) -> Decision | None:
        """What the gate does with the whole answer, with its report; None before `finish`."""
        return self._decision

    def feed(self, piece: str) -> str:
        """Takes in the next piece; what may be shown now, often "".

        Raises TypeError for a piece that is no string, ValueError after `finish`.
        """
        self._session.feed(piece)
        end = self._session.checked
        grown = end - self._read
        text = ""
        if not self._stopped and grown and (end <= _AT_ONCE or grown >= _GROWN * self._read):
            self._read = end
            text = self._show(self._through(end))
        if not text and not self._stopped and _MAY_END.search(piece):
            self._session.look_ahead()
        return text

    def finish(self) -> str:
        """The rest of what may be shown; "" when it is called again.

        All that was shown is then `decision.text`, but where later words changed what the gate
        makes of earlier ones (docs/streaming.md), or the policy blocked after something was shown:
        then its reply follows as a paragraph of its own.
        """
        if self._decision is not None:
            return ""
        report = self._session.finish()
        self._decision = decision = apply(report, self._policy, types=self._typed())
        if not self._at:
            return self._show(decision.text)
        if decision.replaced:
            return self._show(f"\n\n{decision.text}")
        return self._show(self._stretch(report.answer, decision.edits, len(report.answer)))

    def stream(self, pieces: Iterable[str | None]) -> Iterator[str]:
        """Feeds all pieces and finishes: texts to show, none empty.

        None among them is passed over. What `pieces` raises comes through. Raises TypeError when
        it is one string or cannot be iterated.
        """
        if isinstance(pieces, (str, bytes)) or not isinstance(pieces, Iterable):
            raise TypeError(
                "stream takes an iterable of strings, for a whole answer use gate.apply(); "
                f"given was {type(pieces).__name__}: {pieces!r:.80}"
            )
        return self._stream(pieces)

    def astream(self, pieces: AsyncIterable[str | None]) -> AsyncIterator[str]:
        """`stream` for an asynchronous source; the checks run in a worker thread."""
        if not isinstance(pieces, AsyncIterable):
            raise TypeError(
                "astream takes an asynchronous iterable of strings, for another use stream(); "
                f"given was {type(pieces).__name__}: {pieces!r:.80}"
            )
        return self._astream(pieces)

    def _stream(self, pieces: Iterable[str | None]) -> Iterator[str]:
        for piece in pieces:
            if piece is not None and (text := self.feed(piece)):
                yield text
        if text := self.finish():
            yield text

    async def _astream(self, pieces: AsyncIterable[str | None]) -> AsyncIterator[str]:
        async for piece in pieces:
            if piece is None:
                continue
            if text := await asyncio.to_thread(self.feed, piece):
                yield text
        if text := await asyncio.to_thread(self.finish):
            yield text

    def _through(self, end: int) -> str:
        """What may be shown of the text up to `end`, all of whose sentences are checked."""
        report = self._session.report
        report = replace(report, answer=report.answer[:end])
        if any(self._policy.for_state(state) is not Action.PASS for state in states_of(report)):
            return ""  # of an answer like this; it may become another with the next claim
        asked = asked_for(report, self._policy, self._typed())
        refused = [one.claim.span.start for one in asked if one.action >= Action.ESCALATE]
        self._stopped = bool(refused)
        fate = Fate(report.answer, asked)
        place = settled(fate, min(refused, default=end))
        if place <= self._at:
            return ""
        return self._stretch(
            report.answer, edited(fate, self._policy, passages(report)).edits, place
        )

    def _stretch(self, answer: str, edits: Sequence[Edit], end: int) -> str:
        """The answer from where it was shown last up to `end`, with the edits made."""
        parts: list[str] = []
        at, start = self._at, self._at
        for edit in edits:
            span = Span(max(edit.span.start, at), edit.span.end)
            if edit.span.end < start or (edit.span.end == start > 0):
                continue  # it was made when that was shown
            if span.end > end:
                end = min(end, span.start)
                break
            parts += (answer[at : span.start], edit.after)
            at = span.end
        parts.append(answer[at:end])
        self._at = end
        return "".join(parts)

    def _show(self, text: str) -> str:
        if text:
            self._shown.append(text)
        return text

    def _typed(self) -> list[str] | None:
        """The types of the claims so far, each worked out once; None where no rule asks for one."""
        if not any(rule.types for rule in self._policy.rules):
            return None
        from halgo.report.claimtypes import claim_types

        results = self._session.report.results
        new = [result.claim.text for result in results[len(self._types) :]]
        self._types += (kind.value for kind in claim_types(new))
        return self._types


def _may_replace(policy: Policy) -> bool:
    """Whether a claim may ask for a reply in place of the whole answer."""
    actions = [policy.supported, policy.weak_support, policy.hallucination, policy.contradiction]
    actions += [policy.unchecked, *(rule.action for rule in policy.rules)]
    return any(action >= Action.ESCALATE for action in actions)
