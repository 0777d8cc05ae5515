"""Policy: what is done about which claim, as a frozen value; the five profiles; from TOML or dict.

What a policy does not say is done as in STRICT_BLOCK, so that a policy that says nothing lets
nothing through that is not supported; and an answer in which nothing was checked is blocked too,
unless it declines to answer. Whoever wants less says "pass", or names a profile as `base`.

Every claim gets the strongest action that its verdict and the rules that fit it ask for. An action
that is asked for a lack of support is asked for a contradiction as well, so that a contradicted
claim never fares better than one that is merely unsupported.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

from halgo.claims.kinds import is_on_the_check
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
from halgo.printable import printable
from halgo.report.unchecked import tells
from halgo.settings import TABLES, read_toml, require_known, shown
from halgo.types import Claim, ClaimKind, State, Verdict

MOST_RULES = 1_000
NOT_ENOUGH = (
    "I don't have enough information in the documents to answer that reliably. "
    "I can look again if you add more sources."
)
IN_REVIEW = "A person will look at this answer before it is sent."


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What is done about the claims of a report; frozen, compared by value.

    By default nothing passes but what is supported, and an answer that declines to answer.

    supported, weak_support, hallucination, contradiction: the action for each verdict, none
        milder than the one before it.
    rules: further actions for some claims; of all that fit the strongest wins, so a rule never
        makes an action milder.
    no_claims, refusal, no_sources, empty: what is done about an answer of that `State`, beside
        what its claims ask for: "pass", "escalate" or "block".
    unchecked: what is done about a sentence that is not checked and yet holds an amount or a date,
        or, as an opinion, a name; rules with `kinds` reach the others.
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
    weak_support: Action = Action.BLOCK
    hallucination: Action = Action.BLOCK
    contradiction: Action = Action.BLOCK
    rules: tuple[Rule, ...] = ()
    no_claims: Action = Action.BLOCK
    refusal: Action = Action.PASS
    no_sources: Action = Action.BLOCK
    empty: Action = Action.BLOCK
    unchecked: Action = Action.BLOCK
    broken_citation: Action = Action.BLOCK
    unsupported_citation: Action = Action.BLOCK
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
            raise ConfigError(f"name must be a word, not {shown(self.name)}")
        for name in (*_OF_VERDICT.values(), *_OF_STATE.values(), "unchecked", *_OF_CITATION):
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
                hint = "; without a base, what is not named is 'block'"
                raise ConfigError(
                    f"{strong} ({getattr(self, strong).value!r}) must not be milder than {mild} "
                    f"({getattr(self, mild).value!r}): it is the worse verdict"
                    f"{hint if getattr(self, mild) is Action.BLOCK else ''}"
                )
        rules = listed(self.rules, "rules")
        if len(rules) > MOST_RULES:
            raise ConfigError(f"rules: there are {len(rules):,}; {MOST_RULES:,} is the most")
        for rule in rules:
            if not isinstance(rule, Rule):
                raise ConfigError(f"rules: a Rule was expected, not {shown(rule)}")
        put(self, "rules", rules)
        self._check_texts()

    def _check_texts(self) -> None:
        for name in ("blocked", "escalated", *_WORDINGS, *_MARKS):
            value = getattr(self, name)
            if not isinstance(value, str) or not value.strip():
                raise ConfigError(f"{name} must be a text that can be shown, not {shown(value)}")
        for name in _WORDINGS:
            value = getattr(self, name)
            lead = value.removesuffix("{claim}")
            if lead == value or "{" in lead or "}" in lead or not lead.strip():
                raise ConfigError(
                    f"{name} must be words that end in '{{claim}}', not {shown(value)}"
                )
            if not lead.endswith(" "):
                raise ConfigError(f"{name} needs a space before '{{claim}}': {shown(value)}")
        if not isinstance(self.acknowledge, bool):
            raise ConfigError(f"acknowledge must be true or false, not {shown(self.acknowledge)}")

    # -- what it asks for -----------------------------------------------------------------------

    def for_claim(
        self, kind: ClaimKind, verdict: Verdict | None, score: float | None, type_: str = "general"
    ) -> Action:
        """The strongest action asked for; verdict and score None for one that is not checked."""
        asked = [Action.PASS if verdict is None else self._of_verdict(verdict)]
        asked += (rule.action for rule in self.rules if rule.fits(kind, verdict, score, type_))
        return max(asked, key=lambda action: action.strength)

    def for_unchecked(self, claim: Claim) -> Action:
        """The strongest action asked for about a sentence that is not checked."""
        asked = self.for_claim(claim.kind, None, None)
        told = tells(claim) or is_on_the_check(claim.text)
        return max(asked, self.unchecked) if told else asked

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
        """The action for a finding about a citation, by its kind; PASS where it misleads nobody.

        A kind that is not known is taken for a citation that names no source.
        """
        if kind in _HARMLESS:
            return Action.PASS
        found = [name for name, kinds in _OF_CITATION.items() if kind in kinds]
        action = getattr(self, found[0] if found else "broken_citation")
        assert isinstance(action, Action)
        return action

    def wording(self, verdict: Verdict) -> tuple[str, str]:
        """What leads a hedged claim with that verdict (ends in a space), and what marks one."""
        which = {Verdict.CONTRADICTION: "contradicted", Verdict.HALLUCINATION: "unsupported"}
        name = which.get(verdict, "weak")
        return getattr(self, f"hedge_{name}").removesuffix("{claim}"), getattr(self, f"mark_{name}")

    # -- making one -----------------------------------------------------------------------------

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """A Policy from plain values; `base` names a profile to start from.

        Without one, what is not said is done as in STRICT_BLOCK. Raises ConfigError naming the key
        and the reason.
        """
        if not isinstance(values, Mapping):
            raise ConfigError(f"a policy must be a mapping of names to values, not {shown(values)}")
        require_known(values, _names(cls))
        given = dict(values)
        base = given.pop("base", None)
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
        where = printable(str(path))
        values = read_toml(path, "a policy")
        try:
            table, part = _table(values, tenant, _names(cls))
            where = f"{where}, {part}"
            if not isinstance(table, Mapping):
                raise ConfigError(f"a table was expected, not {shown(table)}")
            named = {} if tenant is None else {"name": tenant}
            return cls.from_dict({**named, **table})
        except ConfigError as error:
            raise ConfigError(f"{where}: {error}") from error

    def with_(self, **changes: Any) -> Self:
        """A copy with some settings changed, checked again."""
        require_known(changes, [field.name for field in fields(self)])
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
    "broken_citation": ("broken", "unread", "orphan", "ambiguous", "duplicate_number"),
    "unsupported_citation": ("unsupported", "contradicted", "misplaced"),
}
_HARMLESS = ("uncited", "duplicate_source")
_WORDINGS = ("hedge_weak", "hedge_unsupported", "hedge_contradicted")
_MARKS = ("mark_weak", "mark_unsupported", "mark_contradicted")


_TENANTS_SHOWN = 20
_LONGEST_NAME = 60  # characters of a name that are compared with those that are known


def _names(kind: type[Policy]) -> list[str]:
    """What a policy's table may hold."""
    return ["base", *(field.name for field in fields(kind))]


def _table(values: Mapping[str, Any], tenant: str | None, known: list[str]) -> tuple[Any, str]:
    """The policy that is meant of those in a file, and what its table is called.

    Raises ConfigError for one that is not there, and for keys that no policy would take in.
    """
    # The settings of checks and of judges may stand in the same file.
    own = {key: v for key, v in values.items() if key not in TABLES}
    tenants = values.get("tenants", {})
    if not isinstance(tenants, Mapping):
        raise ConfigError(f"tenants must hold a table for each tenant, not {shown(tenants)}")
    if "policy" in values:
        outside = sorted(set(own) & set(known))
        if outside:
            raise ConfigError(
                f"{outside[0]!r} stands outside the table [policy]; move it into the table"
            )
        require_known(values, TABLES, "table")
    if tenant is None:
        if tenants and not own and "policy" not in values:
            raise ConfigError(f"it has a policy for each tenant; name one of {_listed(tenants)}")
        return values.get("policy", own), "policy"
    require_known(own, known)
    if tenant not in tenants:
        raise ConfigError(
            f"no tenant is called {shown(tenant)}; there are: {_listed(tenants) or 'none'}"
        )
    return tenants[tenant], f"tenants.{printable(tenant)}"


def _listed(tenants: Mapping[str, Any]) -> str:
    names = [printable(name) for name in tenants]
    more = f" and {len(names) - _TENANTS_SHOWN} more" if len(names) > _TENANTS_SHOWN else ""
    return ", ".join(names[:_TENANTS_SHOWN]) + more


def _values(policy: Policy) -> dict[str, Any]:
    return {field.name: getattr(policy, field.name) for field in fields(policy)}


# --- profiles -----------------------------------------------------------------------------------

# Nothing is shown of an answer that is not supported from end to end. One that asserts nothing
# checkable (a greeting, a question) passes, as first published: none of its facts lacks support.
STRICT_BLOCK = Policy(name="STRICT_BLOCK", no_claims=Action.PASS)
# Only what is supported is shown.
STRIP_UNSUPPORTED = Policy(
    name="STRIP_UNSUPPORTED",
    weak_support=Action.STRIP,
    hallucination=Action.STRIP,
    contradiction=Action.STRIP,
    no_claims=Action.PASS,
    unchecked=Action.STRIP,
    broken_citation=Action.STRIP,
    unsupported_citation=Action.STRIP,
)
# What lacks support is shown as such; what the sources contradict is left out.
HEDGE = Policy(
    name="HEDGE",
    weak_support=Action.HEDGE,
    hallucination=Action.HEDGE,
    contradiction=Action.STRIP,
    no_claims=Action.PASS,
    no_sources=Action.PASS,  # each claim is hedged then
    unchecked=Action.HEDGE,
    broken_citation=Action.HEDGE,
    unsupported_citation=Action.HEDGE,
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
    no_claims=Action.PASS,
    no_sources=Action.ESCALATE,
    unchecked=Action.ESCALATE,
    broken_citation=Action.ESCALATE,
    unsupported_citation=Action.ESCALATE,
    acknowledge=True,
)
# Everything is shown and everything is recorded.
AUDIT_ONLY = Policy(
    name="AUDIT_ONLY",
    weak_support=Action.PASS,
    hallucination=Action.PASS,
    contradiction=Action.PASS,
    no_claims=Action.PASS,
    no_sources=Action.PASS,
    empty=Action.PASS,
    unchecked=Action.PASS,
    broken_citation=Action.PASS,
    unsupported_citation=Action.PASS,
)

PROFILES = {
    policy.name: policy
    for policy in (STRICT_BLOCK, STRIP_UNSUPPORTED, HEDGE, HITL_ESCALATE, AUDIT_ONLY)
}


def as_policy(given: object) -> Policy:
    """The policy itself, or halgo's profile of that name. Raises TypeError, ConfigError."""
    if isinstance(given, str):
        return profile(given)
    if not isinstance(given, Policy):
        raise TypeError(
            f"a Policy was expected, or the name of a profile, not {type(given).__name__}: "
            f"{given!r:.80}"
        )
    return given


def profile(name: object) -> Policy:
    """The profile of that name, as "STRICT_BLOCK" or "strict-block". Raises ConfigError."""
    folded = name.upper().replace("-", "_") if isinstance(name, str) else ""
    if folded not in PROFILES:
        there = [known.lower().replace("_", "-") for known in PROFILES]
        said = name[:_LONGEST_NAME].lower() if isinstance(name, str) else ""
        near = [known for known in there if len(said) > 2 and said in known]
        near = near or get_close_matches(said, there, n=1)
        meant = f" (the nearest is {near[0]!r})" if near else ""
        raise ConfigError(
            f"no profile is called {shown(name)}{meant}; there are {', '.join(there)}"
        )
    return PROFILES[folded]
