"""Report and Policy -> Decision: what may be shown of an answer, and why.

    decision = gate.apply(report, gate.STRIP_UNSUPPORTED)
    decision.action, decision.text, decision.edits, decision.reasons

With the findings about its citations, `gate.apply(report, policy, citations=found)`, sentences
are acted on whose citation names no source, or one that does not say it.

The strongest action over all claims decides. BLOCK and ESCALATE show a fixed reply, STRIP and
HEDGE the edited answer, PASS the answer as it is. An answer that nothing is left of is replaced
by the reply of BLOCK. Applying is a pure function: the same report and policy give an equal
decision.

| the answer | Policy() | STRICT_BLOCK | STRIP_UNSUPPORTED | HEDGE | HITL_ESCALATE | AUDIT_ONLY |
|---|---|---|---|---|---|---|
| asserts nothing checkable | block | pass | pass | pass | pass | pass |
| declines to answer | pass | pass | pass | pass | pass | pass |
| has no sources | block | block | block | claims hedged | escalate | pass |
| is empty | block | block | block | block | block | pass |

A sentence that is not checked and yet holds an amount or a date, or is an opinion with a name, or a
question with an amount that it suggests or that no source has, is acted on as `Policy.unchecked`
says, and so is a link to an address that no passage holds, and a "Yes, we do." that is the whole
answer; `decision.unchecked` lists all that were not checked.

Of several that hold (an empty answer without sources) the strongest action decides.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from halgo.claims.kinds import is_remark
from halgo.delivery.edits import Edit, applied, edited, shifted
from halgo.delivery.fate import NO_ANSWER, Asked, Fate
from halgo.delivery.policy import (
    AUDIT_ONLY,
    HEDGE,
    HITL_ESCALATE,
    PROFILES,
    STRICT_BLOCK,
    STRIP_UNSUPPORTED,
    Policy,
    as_policy,
    profile,
)
from halgo.delivery.rule import SEVERITY, TYPES, Action, Rule
from halgo.delivery.targets import Targets
from halgo.printable import shows
from halgo.report.marks import offsets, why
from halgo.report.report import Report
from halgo.report.safe import one_line
from halgo.report.unchecked import Unchecked, unchecked
from halgo.types import Claim, ClaimKind, ClaimResult, Span, Stance, State, Verdict

if TYPE_CHECKING:
    from halgo.delivery.citations import CitationReport

__all__ = [
    "AUDIT_ONLY",
    "HEDGE",
    "HITL_ESCALATE",
    "PROFILES",
    "STRICT_BLOCK",
    "STRIP_UNSUPPORTED",
    "Action",
    "Decision",
    "Edit",
    "Policy",
    "Rule",
    "apply",
    "profile",
]

SCHEMA = 1
_LONGEST = 160  # characters of a sentence in a reason
_STATES = {
    State.NO_CLAIMS: "The answer asserts nothing checkable.",
    State.REFUSAL: "The answer declines to answer.",
    State.NO_SOURCES: "There are no sources to check the answer against.",
    State.EMPTY: "The answer is empty.",
}


@dataclass(frozen=True, slots=True)
class Decision:
    """What is done with an answer.

    text: what may be shown. edits: what of the answer they change, in order; making them gives
    `text`, unless `replaced`: then a fixed reply is shown instead. reasons: a sentence for each
    claim that is not supported, the worst first. acknowledge: whether the reader must confirm
    having seen the hedges.
    """

    action: Action
    text: str
    edits: tuple[Edit, ...]
    reasons: tuple[str, ...]
    replaced: bool
    acknowledge: bool
    policy: Policy = field(repr=False)
    report: Report = field(repr=False)

    __hash__ = None  # type: ignore[assignment]

    @property
    def passed(self) -> bool:
        """Whether the answer may be shown as it is."""
        return self.action is Action.PASS

    @property
    def unchecked(self) -> tuple[Unchecked, ...]:
        """The sentences of the answer that were not checked, each with its kind and place."""
        starts = offsets(self.report)
        moved = (shifted(claim, starts[claim.id]) for claim in self.report.skipped)
        return unchecked(moved)

    @property
    def record(self) -> dict[str, Any]:
        """All that a person needs to decide, fit for JSON: answer, decision, policy, report."""
        return {
            **self.to_dict(),
            "answer": self.report.answer,
            "policy": self.policy.to_dict(),
            "report": self.report.to_dict(),
        }

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON; `policy` by its name."""
        return {
            "schema": SCHEMA,
            "policy": self.policy.name,
            "action": self.action.value,
            "passed": self.passed,
            "text": self.text,
            "replaced": self.replaced,
            "acknowledge": self.acknowledge,
            "edits": [
                {
                    **asdict(edit),
                    "span": [edit.span.start, edit.span.end],
                    "action": edit.action.value,
                }
                for edit in self.edits
            ],
            "reasons": list(self.reasons),
            "unchecked": [one.to_dict() for one in self.unchecked],
        }


def apply(
    report: Report,
    policy: Policy | str,
    *,
    types: Sequence[str] | None = None,
    citations: CitationReport | None = None,
) -> Decision:
    """What the policy does with the answer of a report.

    policy: also by the name of a profile, "strip-unsupported".
    citations: what `check_citations` found in the same answer. types: the type of each result, in
    order; without them they are worked out where a rule asks for one, which takes the parser.
    Raises TypeError for what is no report or no policy, ConfigError for the name of none,
    ValueError when the types are not one a result or none of the four, or the citations are of
    another answer.
    """
    if not isinstance(report, Report):
        raise TypeError(f"a Report was expected, not {type(report).__name__}: {report!r:.80}")
    policy = as_policy(policy)
    named = [one.citation.span for one in citations.citations if one.documents] if citations else []
    asked = _lone(asked_for(report, policy, types, named), policy)
    asked, nowhere = _cited(report, policy, asked, citations)
    if not asked and any(map(str.isdigit, report.answer)):  # "25." alone is the mark of a list
        nowhere.append((policy.unchecked, "It holds a number that was not checked."))
    states = {state: policy.for_state(state) for state in states_of(report)}
    of_state = max(states.values(), key=lambda action: action.strength)
    whole = max((of_state, *(action for action, _ in nowhere)), key=lambda a: a.strength)
    action = max((whole, *(one.action for one in asked)), key=lambda a: a.strength)
    edits: tuple[Edit, ...] = ()
    reply: str | None = None
    if action is Action.BLOCK:
        reply = policy.blocked
    elif action is Action.ESCALATE:
        reply = policy.escalated
    elif action is not Action.PASS:
        found = edited(Fate(report.answer, asked), policy, passages(report))
        edits = found.edits
        reply = None if found.left else policy.blocked
    hedged = any(edit.action is Action.HEDGE for edit in edits)
    return Decision(
        action=action,
        text=applied(report.answer, edits) if reply is None else reply,
        edits=edits,
        reasons=(
            *_reasons(states, asked),
            *(f"{stronger.value}: {message}" for stronger, message in nowhere),
            *(["Nothing that answers is left."] if reply and action is Action.STRIP else []),
        ),
        replaced=reply is not None,
        acknowledge=policy.acknowledge and hedged and reply is None,
        policy=policy,
        report=report,
    )


def passages(report: Report) -> list[str]:
    """What the claims were held against, as far as it tells names from common words."""
    return [f.evidence.chunk.text for r in report.results for f in r.assessments[:2]]


def states_of(report: Report) -> tuple[State, ...]:
    """All that holds of the answer as a whole, what it is least fit to be shown for first.

    A report has one state. Without sources it does not say that the answer is empty as well, and
    one whose results were taken out still calls itself assessed.
    """
    found = [] if shows(report.answer) else [State.EMPTY]
    if report.state is not State.ASSESSED:
        found.append(report.state)
    if not report.results and not {State.EMPTY, State.REFUSAL} & set(found):
        declines = any(claim.kind is ClaimKind.REFUSAL for claim in report.skipped)
        found.append(State.REFUSAL if declines else State.NO_CLAIMS)
    return tuple(dict.fromkeys(found)) or (State.ASSESSED,)


def asked_for(
    report: Report,
    policy: Policy,
    types: Sequence[str] | None = None,
    named: Sequence[Span] = (),
) -> list[Asked]:
    """Every claim and every other sentence with what the policy asks for it, in order.

    types: as in `apply`, with the same errors. named: links that are known to name a source.
    """
    if types is None:
        types = _types(report, policy)
    if len(types) != len(report.results):
        raise ValueError(f"{len(types)} types for {len(report.results)} results; give one each")
    for name in types:
        if str(name) not in TYPES:  # no rule would fit it
            raise ValueError(f"types: {name!r:.60} is none; there are {', '.join(TYPES)}")
    starts = offsets(report)
    found = [
        Asked(
            shifted(result.claim, starts[result.claim.id]),
            policy.for_claim(result.claim.kind, result.verdict, result.score, str(type_)),
            result.verdict,
            why(result),
            _doubted(result),
            _rests_on(result),
        )
        for result, type_ in zip(report.results, types, strict=True)
    ]
    found += (
        Asked(
            shifted(claim, starts[claim.id]),
            policy.for_unchecked(claim),
            None,
            _not_checked(claim, policy),
        )
        for claim in report.skipped
    )
    targets = Targets(report, named)
    leads = [targets.nowhere(one.claim) for one in found]
    found = [
        replace(one, action=policy.unchecked, reason=f"No source has the address “{url}”.")
        if url and policy.unchecked > one.action
        else one
        for one, url in zip(found, leads, strict=True)
    ]
    return sorted(found, key=lambda one: one.claim.id)


def _lone(asked: list[Asked], policy: Policy) -> list[Asked]:
    """The same where "Yes, we do." is all that an answer says, which asserts what was asked."""
    if any(one.claim.kind not in NO_ANSWER for one in asked):
        return asked
    reason = "It asserts what was asked, and was not checked."
    return [
        replace(one, action=max(one.action, policy.unchecked), reason=reason)
        if is_remark(one.claim)
        else one
        for one in asked
    ]


def _not_checked(claim: Claim, policy: Policy) -> str:
    """Why something is done about a sentence that was not checked."""
    if policy.for_unchecked(claim) is not policy.for_claim(claim.kind, None, None):
        said = claim.text if len(claim.text) <= _LONGEST else f"{claim.text[:_LONGEST]}…"
        return f"It was not checked, and holds an amount, a date or a name: “{said}”"
    return f"It is of a kind that the policy acts on: {claim.kind.value}."


def _cited(
    report: Report, policy: Policy, asked: list[Asked], citations: CitationReport | None
) -> tuple[list[Asked], list[tuple[Action, str]]]:
    """The same with what is asked for their citations; and for those that stand at no sentence."""
    nowhere: list[tuple[Action, str]] = []
    if citations is None:
        return asked, nowhere
    if citations.answer != report.answer:
        raise ValueError("the citations are those of another answer than the report's")
    for finding in citations.findings:
        action = policy.for_citation(finding.kind)
        if action is Action.PASS:
            continue
        beside = [
            k
            for k, one in enumerate(asked)
            if finding.span and one.claim.span.overlaps(finding.span)
        ]
        for k in beside:
            if action > asked[k].action:
                asked[k] = replace(asked[k], action=action, reason=finding.message)
        if not beside and action >= Action.ESCALATE:
            nowhere.append((action, one_line(finding.message)))
    return asked, nowhere


def _types(report: Report, policy: Policy) -> Sequence[str]:
    if not report.results or not any(rule.types for rule in policy.rules):
        return ["general"] * len(report.results)
    from halgo.report.claimtypes import claim_types

    return [kind.value for kind in claim_types([result.claim.text for result in report.results])]


def _doubted(result: ClaimResult) -> frozenset[str]:
    """The words of a claim that are wrong or found nowhere, in lower case."""
    words = set(result.unsupported_terms)
    signals = [*result.signals, *(s for found in result.assessments for s in found.signals)]
    for signal in signals:
        against = signal.stance in (Stance.CONTRADICTS, Stance.UNSUPPORTED)
        if against and signal.values is not None:
            words.add(signal.values[0])
    return frozenset(word for text in words for word in re.findall(r"\w+", text.casefold()))


def _rests_on(result: ClaimResult) -> str:
    """The sentence of a source that tells most of a claim; "" where there is no passage."""
    evidence = result.evidence
    return evidence.best.of(evidence.reading.text) if evidence is not None else ""


def _reasons(states: Mapping[State, Action], asked: Sequence[Asked]) -> tuple[str, ...]:
    """A sentence for each claim that is not supported or that something is done about."""
    told: list[tuple[int, int, str]] = []
    for one in asked:
        if one.action is Action.PASS and one.verdict in (None, Verdict.SUPPORTED):
            continue
        verdict = one.verdict.value if one.verdict else one.claim.kind.value
        rank = SEVERITY.index(one.verdict) if one.verdict else -1
        reason = one_line(one.reason) or "No reason is given."
        told.append(
            (-rank, one.claim.id, f"{one.action.value}: claim {one.claim.id}, {verdict}: {reason}")
        )
    # The first of the strongest is the one that tells most.
    state = max(states, key=lambda state: states[state].strength)
    first = []
    if state in _STATES and (states[state] is not Action.PASS or not told):
        first.append(f"{states[state].value}: {_STATES[state]}")
    return (*first, *(reason for _, _, reason in sorted(told)))
