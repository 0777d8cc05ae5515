"""Policy: what is done about which claim, as a frozen value; the five profiles; from TOML or dict.

Every claim gets the strongest action that its verdict and the rules that fit it ask for. An action
that is asked for a lack of support is asked for a contradiction as well, so that a contradicted
claim never fares better than one that is merely unsupported.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

from halgo.delivery.rule import (
    SEVERITY,
    Action,
    Rule,
    listed,
    member,
    put,
    rules_of,
)
from halgo.errors import ConfigError
from halgo.types import ClaimKind, State, Verdict

NOT_ENOUGH = (
    "I don't have enough information in the documents to answer that reliably. "
    "I can look again if you add more sources."
)
IN_REVIEW = "A person will look at this answer before it is sent."


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What is done about the claims of a report; frozen, compared by value.

    supported, weak_support, hallucination, contradiction: the action for each verdict, none
        milder than the one before it.
    rules: further actions for some claims; of all that fit the strongest wins, so a rule never
        makes an action milder.
    no_claims, refusal, no_sources, empty: what is done about an answer of that `State`, beside
        what its claims ask for: "pass", "escalate" or "block".
    broken_citation: what is done about a sentence whose citation names no source, or several;
        unsupported_citation: about one whose cited source does not say it. Both ask for a
        `CitationReport` beside the report.
    blocked, escalated: the replies that are shown instead of such an answer; `blocked` as well
        when nothing is left of an answer.
    hedge_weak, hedge_unsupported, hedge_contradicted: the wording before a claim, ending in
        "{claim}". mark_weak, mark_unsupported, mark_contradicted: what stands behind one that no
        wording can lead: part of a sentence, a table's row, "5% late fee".
    acknowledge: whether the reader of a hedged text must confirm having seen it.
    """

    name: str = "custom"
    supported: Action = Action.PASS
    weak_support: Action = Action.PASS
    hallucination: Action = Action.PASS
    contradiction: Action = Action.PASS
    rules: tuple[Rule, ...] = ()
    no_claims: Action = Action.PASS
    refusal: Action = Action.PASS
    no_sources: Action = Action.PASS
    empty: Action = Action.PASS
    broken_citation: Action = Action.PASS
    unsupported_citation: Action = Action.PASS
    blocked: str = NOT_ENOUGH
    escalated: str = IN_REVIEW
    hedge_weak: str = "The documents do not clearly confirm that {claim}"
    hedge_unsupported: str = "The documents do not confirm that {claim}"
    hedge_contradicted: str = "Contrary to the documents, {claim}"
    mark_weak: str = "(not clearly confirmed by the documents)"
    mark_unsupported: str = "(not confirmed by the documents)"
    mark_contradicted: str = "(contradicted by the documents)"
    acknowledge: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip():
            raise ConfigError(f"name must be a word, not {self.name!r}")
        for name in (*_OF_VERDICT.values(), *_OF_STATE.values(), *_OF_CITATION):
            put(self, name, member(Action, getattr(self, name), name))
        for name in _OF_STATE.values():
            if getattr(self, name) in (Action.HEDGE, Action.STRIP):
                raise ConfigError(
                    f"{name} must be 'pass', 'escalate' or 'block', not "
                    f"{getattr(self, name).value!r}: it is about a whole answer"
                )
        for milder, worse in pairwise(SEVERITY):
            mild, strong = _OF_VERDICT[milder], _OF_VERDICT[worse]
            if getattr(self, mild) > getattr(self, strong):
                raise ConfigError(
                    f"{strong} ({getattr(self, strong).value!r}) must not be milder than {mild} "
                    f"({getattr(self, mild).value!r}): it is the worse verdict"
                )
        rules = listed(self.rules, "rules")
        for rule in rules:
            if not isinstance(rule, Rule):
                raise ConfigError(f"rules: a Rule was expected, not {rule!r:.80}")
        put(self, "rules", rules)
        self._check_texts()

    def _check_texts(self) -> None:
        for name in ("blocked", "escalated", *_WORDINGS, *_MARKS):
            value = getattr(self, name)
            if not isinstance(value, str) or not value.strip():
                raise ConfigError(f"{name} must be a text that can be shown, not {value!r}")
        for name in _WORDINGS:
            value = getattr(self, name)
            lead = value.removesuffix("{claim}")
            if lead == value or "{" in lead or "}" in lead or not lead.strip():
                raise ConfigError(f"{name} must be words that end in '{{claim}}', not {value!r}")
            if not lead.endswith(" "):
                raise ConfigError(f"{name} needs a space before '{{claim}}': {value!r}")
        if not isinstance(self.acknowledge, bool):
            raise ConfigError(f"acknowledge must be true or false, not {self.acknowledge!r}")

    # -- what it asks for -----------------------------------------------------------------------

    def for_claim(
        self, kind: ClaimKind, verdict: Verdict | None, score: float | None, type_: str = "general"
    ) -> Action:
        """The strongest action asked for; verdict and score None for one that is not checked."""
        asked = [Action.PASS if verdict is None else self._of_verdict(verdict)]
        asked += (rule.action for rule in self.rules if rule.fits(kind, verdict, score, type_))
        return max(asked, key=lambda action: action.strength)

    def _of_verdict(self, verdict: Verdict) -> Action:
        action = getattr(self, _OF_VERDICT[verdict])
        assert isinstance(action, Action)
        return action

    def for_state(self, state: State) -> Action:
        """The action for an answer as a whole; PASS for one that was assessed."""
        action = getattr(self, _OF_STATE[state]) if state in _OF_STATE else Action.PASS
        assert isinstance(action, Action)
        return action

    def for_citation(self, kind: str) -> Action:
        """The action for a finding about a citation, by its kind; PASS where none is wrong."""
        for name, kinds in _OF_CITATION.items():
            if kind in kinds:
                action = getattr(self, name)
                assert isinstance(action, Action)
                return action
        return Action.PASS

    def wording(self, verdict: Verdict) -> tuple[str, str]:
        """What leads a hedged claim with that verdict (ends in a space), and what marks one."""
        which = {Verdict.CONTRADICTION: "contradicted", Verdict.HALLUCINATION: "unsupported"}
        name = which.get(verdict, "weak")
        return getattr(self, f"hedge_{name}").removesuffix("{claim}"), getattr(self, f"mark_{name}")

    # -- making one -----------------------------------------------------------------------------

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """A Policy from plain values; `base` names a profile to start from.

        Raises ConfigError naming the key and the reason.
        """
        if not isinstance(values, Mapping):
            raise ConfigError(f"a policy must be a mapping of names to values, not {values!r:.80}")
        given = dict(values)
        base = given.pop("base", None)
        known = {field.name for field in fields(cls)}
        unknown = sorted(set(given) - known, key=str)
        if unknown:
            raise ConfigError(
                f"unknown key {unknown[0]!r}; there are base, {', '.join(sorted(known))}"
            )
        if "rules" in given:
            given["rules"] = rules_of(given["rules"])
        if base is None:
            return cls(**given)
        start = profile(base)
        if "rules" in given:
            given["rules"] = (*start.rules, *given["rules"])
        return replace(cls(**_values(start)), **{"name": "custom", **given})

    @classmethod
    def from_toml(cls, path: str | Path, tenant: str | None = None) -> Self:
        """A Policy from a TOML file: its [policy] table, or the whole file where it has none.

        tenant: the table [tenants.NAME] instead. Raises ConfigError with file, key and reason.
        """
        try:
            values = tomllib.loads(Path(path).read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise ConfigError(f"cannot read a policy from {path}: {error}") from error
        tenants = values.pop("tenants", {})
        if tenant is None:
            if tenants and not values:
                there = ", ".join(map(str, tenants)) if isinstance(tenants, Mapping) else tenants
                raise ConfigError(f"{path} has a policy for each tenant; name one of {there}")
            table, where = values.get("policy", values), "policy"
        else:
            if not isinstance(tenants, Mapping) or tenant not in tenants:
                there = ", ".join(map(str, tenants)) or "none"
                raise ConfigError(f"{path}: no tenant is called {tenant!r}; there are: {there}")
            table, where = tenants[tenant], f"tenants.{tenant}"
        try:
            if not isinstance(table, Mapping):
                raise ConfigError(f"a table was expected, not {table!r:.80}")
            named = {} if tenant is None else {"name": tenant}
            return cls.from_dict({**named, **table})
        except ConfigError as error:
            raise ConfigError(f"{path}, {where}: {error}") from error

    def with_(self, **changes: Any) -> Self:
        """A copy with some settings changed, checked again."""
        unknown = sorted(set(changes) - {field.name for field in fields(self)})
        if unknown:
            raise ConfigError(f"unknown key {unknown[0]!r} of a policy")
        return replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON and for `from_dict`."""
        return {
            **{name: str(v) if isinstance(v, Action) else v for name, v in _values(self).items()},
            "rules": [rule.to_dict() for rule in self.rules],
        }


_OF_VERDICT = {
    Verdict.SUPPORTED: "supported",
    Verdict.WEAK_SUPPORT: "weak_support",
    Verdict.HALLUCINATION: "hallucination",
    Verdict.CONTRADICTION: "contradiction",
}
_OF_STATE = {
    State.NO_CLAIMS: "no_claims",
    State.REFUSAL: "refusal",
    State.NO_SOURCES: "no_sources",
    State.EMPTY: "empty",
}
# Kinds of findings (delivery/citations.py). A source that is listed twice, or that nothing cites,
# misleads nobody.
_OF_CITATION = {
    "broken_citation": ("broken", "orphan", "ambiguous", "duplicate_number"),
    "unsupported_citation": ("unsupported", "contradicted", "misplaced"),
}
_WORDINGS = ("hedge_weak", "hedge_unsupported", "hedge_contradicted")
_MARKS = ("mark_weak", "mark_unsupported", "mark_contradicted")


def _values(policy: Policy) -> dict[str, Any]:
    return {field.name: getattr(policy, field.name) for field in fields(policy)}


# --- profiles -----------------------------------------------------------------------------------

# Nothing is shown of an answer that is not supported from end to end.
STRICT_BLOCK = Policy(
    name="STRICT_BLOCK",
    weak_support=Action.BLOCK,
    hallucination=Action.BLOCK,
    contradiction=Action.BLOCK,
    no_sources=Action.BLOCK,
    broken_citation=Action.BLOCK,
    unsupported_citation=Action.BLOCK,
    empty=Action.BLOCK,
)
# Only what is supported is shown.
STRIP_UNSUPPORTED = Policy(
    name="STRIP_UNSUPPORTED",
    weak_support=Action.STRIP,
    hallucination=Action.STRIP,
    contradiction=Action.STRIP,
    no_sources=Action.BLOCK,
    broken_citation=Action.STRIP,
    unsupported_citation=Action.STRIP,
    empty=Action.BLOCK,
)
# What lacks support is shown as such; what the sources contradict is left out.
HEDGE = Policy(
    name="HEDGE",
    weak_support=Action.HEDGE,
    hallucination=Action.HEDGE,
    contradiction=Action.STRIP,
    broken_citation=Action.HEDGE,
    unsupported_citation=Action.HEDGE,
    empty=Action.BLOCK,
    acknowledge=True,
)
# A person decides about what is contradicted or unsupported, and about weak support where being
# wrong is costly: amounts, dates, duties.
HITL_ESCALATE = Policy(
    name="HITL_ESCALATE",
    weak_support=Action.HEDGE,
    hallucination=Action.ESCALATE,
    contradiction=Action.ESCALATE,
    rules=(
        Rule(
            action=Action.ESCALATE,
            verdicts=(Verdict.WEAK_SUPPORT,),
            types=("quantitative", "temporal", "obligation"),
        ),
    ),
    no_sources=Action.ESCALATE,
    broken_citation=Action.ESCALATE,
    unsupported_citation=Action.ESCALATE,
    empty=Action.BLOCK,
    acknowledge=True,
)
# Everything is shown and everything is recorded.
AUDIT_ONLY = Policy(name="AUDIT_ONLY")

PROFILES = {
    policy.name: policy
    for policy in (STRICT_BLOCK, STRIP_UNSUPPORTED, HEDGE, HITL_ESCALATE, AUDIT_ONLY)
}


def profile(name: object) -> Policy:
    """The profile of that name, as "STRICT_BLOCK" or "strict-block". Raises ConfigError."""
    folded = name.upper().replace("-", "_") if isinstance(name, str) else ""
    if folded not in PROFILES:
        there = ", ".join(known.lower().replace("_", "-") for known in PROFILES)
        raise ConfigError(f"no profile is called {name!r}; there are {there}")
    return PROFILES[folded]
