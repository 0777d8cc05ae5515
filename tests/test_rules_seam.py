"""Every rule can be told apart and left out; what stands of several is settled in one place."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from small_values import NoWords, pair_of

from halgo import Checker, Config, Halgorithm, Verdict, signals
from halgo.protocols import ClaimDetector, Detector
from halgo.signals.registry import RULES, Rule, Scene, View
from halgo.types import Claim, Corpus, Facts, Pair, Signal, Span, Stance
from halgo.verdict import scoring
from halgo.verdict.resolve import resolve

GOLDEN = Path(__file__).parent / "golden"
BY_NAME = {rule.name: rule for rule in RULES}


def signal(detector: str, kind: str = "x", weight: float = 0.8, **more: Any) -> Signal:
    stance = more.pop("stance", Stance.CONTRADICTS)
    return Signal(kind, stance, weight, "said", detector=detector, **more)


def test_names_are_unique_and_a_rule_stands_aside_only_for_rules_before_it() -> None:
    assert len(BY_NAME) == len(RULES)
    for at, rule in enumerate(RULES):
        assert rule.family in signals.DETECTORS
        assert (rule.look is None) != (rule.look_all is None)
        assert set(rule.after) <= {before.name for before in RULES[:at]}


@pytest.mark.parametrize("rule", RULES, ids=BY_NAME)
def test_every_rule_stands_where_the_table_says_and_takes_what_it_is_handed(rule: Rule) -> None:
    pair = pair_of("The pool opens.", Facts(), "The bar closes.", Facts())
    view = View(pair, Scene(Corpus(), NoWords()))
    told = [rule.look(view)] if rule.look else []
    told += rule.look_all([pair], NoWords()) if rule.look_all else []
    assert [list(signals) for signals in told] == [[]]


# --- what stands ---------------------------------------------------------------------------------


def test_of_rules_for_one_mechanism_the_first_that_saw_anything_stands() -> None:
    first, later = signal("role_reversal"), signal("substitution")
    assert resolve([(first, later)]) == [(first,)]
    assert resolve([(later,)]) == [(later,)]
    assert resolve([(first,), (later,)]) == [(first,), (later,)]  # of different passages


def test_a_number_that_arithmetic_accounts_for_conflicts_with_nothing() -> None:
    span, apart = Span(0, 2), Span(10, 12)
    conflict = signal("quantities", "number_conflict", claim_span=span)
    elsewhere = signal("quantities", "number_conflict", claim_span=apart)
    derived = signal("derivations", "derived", stance=Stance.SUPPORTS, claim_span=span)
    assert resolve([(conflict, elsewhere), (derived,)]) == [(elsewhere,), (derived,)]
    own = signal("sums", "arithmetic", stance=Stance.SUPPORTS, claim_span=span)
    assert resolve([(conflict,)], [own]) == [()]


def test_a_detector_from_outside_never_stands_aside() -> None:
    mine = signal("mine", "odd")
    assert resolve([(signal("role_reversal"), mine)])[0][1] == mine


# --- none, and one's own -------------------------------------------------------------------------


@pytest.mark.models
def test_without_detectors_nothing_is_seen_not_even_a_wrong_sum() -> None:
    halgorithm = Halgorithm(embedder="lexical", entailment=None, detectors=())
    report = halgorithm.checker("The office opens at 8 am.").check("12 of 48 is 30%.")
    (result,) = report.results
    assert not result.signals
    assert all(not found.signals for found in result.assessments)
    assert result.verdict is not Verdict.CONTRADICTION


class Shouting:
    """A claim in capitals is doubted; and so is one beside two passages or more."""

    name = "shouting"

    def alone(self, claim: Claim) -> tuple[Signal, ...]:
        if not claim.text.isupper():
            return ()
        return (Signal("shouted", Stance.UNSUPPORTED, 0.9, "It shouts."),)

    def together(
        self, pairs: Sequence[Pair], found: Sequence[tuple[Signal, ...]]
    ) -> list[tuple[Signal, ...]]:
        many = len(pairs) > 1
        return [(Signal("many", Stance.UNSUPPORTED, 0.1, "Many."),) if many else () for _ in pairs]


class Doubting:
    """Doubts every claim beside every passage."""

    name = "doubting"

    def compare(self, pairs: Sequence[Pair], corpus: Corpus) -> list[tuple[Signal, ...]]:
        return [(Signal("doubted", Stance.UNSUPPORTED, 0.9, "Doubted."),) for _ in pairs]


@pytest.mark.models
def test_a_claim_detector_of_ones_own_is_asked_and_named() -> None:
    assert isinstance(Shouting(), ClaimDetector)
    assert not isinstance(Shouting(), Detector)
    halgorithm = Halgorithm(embedder="lexical", entailment=None, detectors=(Shouting(),))
    docs = "The office opens at 8 am. The shop opens at 9 am. The bar opens at 10 am."
    (result,) = halgorithm.checker(docs).check_claims(["THE OFFICE OPENS AT 8 AM."]).results
    assert [(one.kind, one.detector) for one in result.signals] == [("shouted", "shouting")]
    assert all(found.signals[0].detector == "shouting" for found in result.assessments)


@pytest.mark.parametrize("read", [True, False])
def test_kinds_from_outside_have_a_coefficient_of_their_stance(read: bool) -> None:
    fusion = scoring.default_fusion(read)
    for name in scoring.OUTSIDE:
        assert fusion.weights[scoring.FEATURES.index(name)] < 0


@pytest.mark.models
@pytest.mark.parametrize("given", ["numbers", 5, ("numbers",), (object(),), (Detector,)])
def test_what_is_no_detector_is_refused_when_it_is_given(given: Any) -> None:
    with pytest.raises(TypeError, match="detector"):
        Halgorithm(detectors=given)


@pytest.mark.parametrize(
    ("returned", "told"),
    [
        (None, "None; a list with a tuple of signals for each pair"),
        ([None], "None where a tuple of signals is expected"),
        ([("contradicts",)], "'contradicts' where a Signal is expected"),
        ([(Signal("x", "contradicts", 0.8, "said"),)], "a Stance is expected"),  # type: ignore
        ([(Signal("x", Stance.NEUTRAL, 80, "said"),)], "a number from 0 to 1 is expected"),
    ],
)
def test_what_a_detector_must_not_return_is_told_with_its_name(returned: Any, told: str) -> None:
    class Odd:
        name = "odd"

        def compare(self, pairs: Sequence[Pair], corpus: Corpus) -> Any:
            return returned

    halgorithm = Halgorithm(embedder="lexical", entailment=None, detectors=(Odd(),))
    with pytest.raises(TypeError, match=f"detector 'odd' gave .*{told}"):
        halgorithm.checker("The pool opens at 8 am.").check("The pool opens at 9 am.")


def test_what_a_claim_detector_must_not_return_is_told_with_its_name() -> None:
    class Odd:
        name = "odd"

        def alone(self, claim: Claim) -> Any:
            return None if claim.text.startswith("The") else ()

        def together(self, pairs: Sequence[Pair], found: Any) -> Any:
            return []

    checker = Halgorithm(embedder="lexical", entailment=None, detectors=(Odd(),)).checker("Yes: 8.")
    with pytest.raises(TypeError, match="detector 'odd' gave None where"):
        checker.check("The pool opens at 9 am.")
    with pytest.raises(ValueError, match="detector 'odd' gave 0 results for 1 pairs"):
        checker.check("Our pool opens at 9 am.")


def test_what_a_detector_raises_has_a_note_with_its_name() -> None:
    class Broken:
        name = "mine"

        def compare(self, pairs: Sequence[Pair], corpus: Corpus) -> Any:
            raise KeyError("oops")

    checker = Halgorithm(embedder="lexical", entailment=None, detectors=(Broken(),)).checker("8.")
    with pytest.raises(KeyError) as error:
        checker.check("Our pool opens at 9 am.")
    assert error.value.__notes__ == ["raised by the detector 'mine'"]


def test_a_detector_from_outside_moves_the_score() -> None:
    docs, claim = "The office opens at 8 am on weekdays.", "The office is open at 8 am."
    plain = Halgorithm(embedder="lexical", entailment=None)
    mine = Halgorithm(
        embedder="lexical",
        entailment=None,
        detectors=(*signals.default_detectors(plain.config, plain.lexicon), Doubting()),
    )
    (before,) = plain.checker(docs).check_claims([claim]).results
    (after,) = mine.checker(docs).check_claims([claim]).results
    assert after.score < before.score


# --- every signal leads back ---------------------------------------------------------------------


@pytest.mark.models
def test_every_signal_names_its_rule_and_is_of_a_kind_that_the_rule_may_give() -> None:
    halgorithm = Halgorithm(Config(cascade=False), embedder="lexical", entailment=None)
    seen: set[str] = set()
    for path in sorted(GOLDEN.glob("*.jsonl"))[:8]:
        for line in path.read_text(encoding="utf-8").splitlines()[:25]:
            row = json.loads(line)
            docs = row.get("docs") or row.get("doc") or row.get("sources")
            claim = row.get("claim") or row.get("answer")
            if not docs or not claim:
                continue
            checker: Checker = halgorithm.checker(docs)
            for result in checker.check_claims([claim]).results:
                found = [one for a in result.assessments for one in a.signals]
                for one in (*found, *result.signals):
                    assert one.detector, one
                    seen.add(one.detector)
                    if one.detector in BY_NAME:
                        assert one.kind in BY_NAME[one.detector].kinds, one
    assert len(seen) > 12
