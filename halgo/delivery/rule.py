"""Action and Rule: what is done about the claims that fit; both read from plain values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, TypeVar

from halgo.errors import ConfigError
from halgo.settings import is_number, require_known, shown
from halgo.types import ClaimKind, Verdict

_E = TypeVar("_E", bound=StrEnum)

# From the best news to the worst: what is done about one is the least that is done about the next.
SEVERITY = (
    Verdict.SUPPORTED,
    Verdict.WEAK_SUPPORT,
    Verdict.HALLUCINATION,
    Verdict.CONTRADICTION,
)
TYPES = ("quantitative", "temporal", "obligation", "general")


class Action(StrEnum):
    """What is done about a claim or an answer, from the mildest to the strongest."""

    PASS = "pass"  # shown as it is
    HEDGE = "hedge"  # shown, marked as not confirmed
    STRIP = "strip"  # left out
    ESCALATE = "escalate"  # nothing is shown until a person has looked
    BLOCK = "block"  # nothing is shown but a fixed reply

    @property
    def strength(self) -> int:
        """0 for PASS to 4 for BLOCK."""
        return _STRENGTH[self.value]

    def __lt__(self, other: object) -> bool:
        return self.strength < _strength_of(other)

    def __le__(self, other: object) -> bool:
        return self.strength <= _strength_of(other)

    def __gt__(self, other: object) -> bool:
        return self.strength > _strength_of(other)

    def __ge__(self, other: object) -> bool:
        return self.strength >= _strength_of(other)


_STRENGTH = {"pass": 0, "hedge": 1, "strip": 2, "escalate": 3, "block": 4}


def _strength_of(other: object) -> int:
    if not isinstance(other, Action):
        raise TypeError(f"an Action compares with an Action, not with {other!r}")
    return other.strength


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """An action for the claims that fit all that is given; what is empty or None fits every claim.

    verdicts: the claim's verdict, or a worse one. types: "quantitative", "temporal",
    "obligation", "general". kinds: of the sentence; "opinion", "meta" and the like reach the
    sentences that are not checked, which have neither verdict nor score. at_least <= score <
    below, scores in [0, 1].
    """

    action: Action
    verdicts: tuple[Verdict, ...] = ()
    types: tuple[str, ...] = ()
    kinds: tuple[ClaimKind, ...] = ()
    at_least: float | None = None
    below: float | None = None

    def __post_init__(self) -> None:
        put(self, "action", member(Action, self.action, "action"))
        put(self, "verdicts", members(Verdict, self.verdicts, "verdicts"))
        put(self, "kinds", members(ClaimKind, self.kinds, "kinds"))
        types = listed(self.types, "types")
        for name in types:
            if name not in TYPES:
                raise ConfigError(f"types: {shown(name)} is none; there are {', '.join(TYPES)}")
        put(self, "types", types)
        for name in ("at_least", "below"):
            put(self, name, score(name, getattr(self, name)))
        if self.at_least is not None and self.below is not None and self.at_least >= self.below:
            raise ConfigError(
                f"at_least ({self.at_least}) must be smaller than below ({self.below}); "
                "no score is in between"
            )
        asks = bool(self.verdicts or self.types) or self.at_least is not None
        asks = asks or self.below is not None
        unchecked = [kind.value for kind in self.kinds if not kind.checked]
        if asks and unchecked:
            raise ConfigError(
                f"kinds: {unchecked[0]!r} sentences are not checked, so they have no verdict, "
                "type or score; give them a rule with kinds alone"
            )

    def fits(
        self, kind: ClaimKind, verdict: Verdict | None, score: float | None, type_: str
    ) -> bool:
        """Whether the rule is about such a claim; verdict and score None: it was not checked."""
        if self.kinds and kind not in self.kinds:
            return False
        if verdict is None or score is None:
            return bool(self.kinds)
        if self.verdicts and not any(_worse_or_equal(verdict, named) for named in self.verdicts):
            return False
        if self.types and type_ not in self.types:
            return False
        low = -math.inf if self.at_least is None else self.at_least
        high = math.inf if self.below is None else self.below
        return low <= score < high

    def to_dict(self) -> dict[str, Any]:
        """Plain values, fit for JSON and for `Policy.from_dict`."""
        found: dict[str, Any] = {"action": self.action.value}
        for name in ("verdicts", "types", "kinds"):
            if getattr(self, name):
                found[name] = [str(item) for item in getattr(self, name)]
        for name in ("at_least", "below"):
            if getattr(self, name) is not None:
                found[name] = getattr(self, name)
        return found


def _worse_or_equal(verdict: Verdict, named: Verdict) -> bool:
    """A rule about a lack of support holds for a contradiction too; one about support does not."""
    if named is Verdict.SUPPORTED:
        return verdict is Verdict.SUPPORTED
    return SEVERITY.index(verdict) >= SEVERITY.index(named)


def rules_of(values: Any) -> tuple[Rule, ...]:
    """The rules of a policy, given as tables or as Rules. Raises ConfigError naming the one."""
    found: list[Rule] = []
    for number, value in enumerate(listed(values, "rules"), start=1):
        if isinstance(value, Rule):
            found.append(value)
            continue
        if not isinstance(value, Mapping):
            raise ConfigError(f"rules, number {number}: a table was expected, not {shown(value)}")
        try:
            require_known(value, [field.name for field in fields(Rule)])
            if "action" not in value:
                raise ConfigError("'action' is missing")
            found.append(Rule(**value))
        except ConfigError as error:
            raise ConfigError(f"rules, number {number}: {error}") from error
    return tuple(found)


def put(value: object, name: str, to: object) -> None:
    """Sets a field of a frozen value, from its own `__post_init__`."""
    object.__setattr__(value, name, to)


def member(kind: type[_E], value: object, key: str) -> _E:
    """The member that is meant, whichever case it is written in."""
    if isinstance(value, kind):
        return value
    for member in kind:
        if isinstance(value, str) and value.casefold() == member.value.casefold():
            return member
    there = ", ".join(member.value for member in kind)
    raise ConfigError(f"{key} must be one of {there}, not {shown(value)}")


def members(kind: type[_E], values: object, key: str) -> tuple[_E, ...]:
    """The members that are meant, in order. Raises ConfigError naming `key`."""
    return tuple(member(kind, value, key) for value in listed(values, key))


def listed(values: object, key: str) -> tuple[Any, ...]:
    """The values of a list. Raises ConfigError naming `key`."""
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        raise ConfigError(f"{key} must be a list, not {shown(values)}")
    return tuple(values)


def score(name: str, value: Any) -> float | None:
    """A score in [0, 1], of any library, as a plain number, or None. Raises ConfigError."""
    if value is None:
        return None
    if not is_number(value) or not 0 <= value <= 1:  # a NaN is not between two numbers either
        raise ConfigError(f"{name} must be a score from 0 to 1, not {shown(value)}")
    return value if type(value) in (int, float) else float(value)
