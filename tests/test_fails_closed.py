"""What is not said lets nothing through: policies without a base, misspelt settings, odd files."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hand_made import GOOD, INVENTED, WEAK, WRONG, report

from halgo import Config, ConfigError
from halgo.adapters import cli
from halgo.calibration import Calibration
from halgo.delivery import gate
from halgo.delivery.gate import Action, Policy
from halgo.report.judge import Judge
from halgo.report.verification import SelfVerifier
from halgo.settings import LARGEST_BYTES, read_toml, shown
from halgo.types import State, Verdict

REFUSAL = "I don't have enough information to answer."


def written(folder: Path, text: str | bytes, name: str = "settings.toml") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


# --- a policy that says nothing -------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["", "[policy]\n", "[tenants.x]\n", "name = 'lax'\n", "rules = []"]
)
@pytest.mark.parametrize("verdict", [WEAK, INVENTED, WRONG])
def test_a_policy_without_a_base_blocks_what_is_not_supported(
    text: str, verdict: Verdict, tmp_path: Path
) -> None:
    policy = Policy.from_toml(written(tmp_path, text), "x" if "tenants" in text else None)
    decision = gate.apply(report("The fee is 5%.", {"The fee": verdict}), policy)
    assert decision.action is Action.BLOCK and decision.text == policy.blocked
    assert decision.reasons == (f"block: claim 1, {verdict}: no evidence",)
    assert gate.apply(report("The fee is 5%.", {"The fee": GOOD}), policy).passed


@pytest.mark.parametrize("named, left", [({}, "block"), ({"contradiction": "escalate"}, "block")])
def test_what_a_policy_does_not_name_is_closed(named: dict[str, str], left: str) -> None:
    if named:  # a worse verdict fares no better than a milder one
        with pytest.raises(ConfigError, match=r"contradiction .* milder than hallucination"):
            Policy.from_dict(named)
    assert Policy.from_dict({"weak_support": "pass"}).hallucination.value == left


def test_whoever_wants_everything_shown_says_so() -> None:
    lax = {name: "pass" for name in ("weak_support", "hallucination", "contradiction")}
    made = report("The fee is 5%.", {"The fee": WRONG})
    assert gate.apply(made, Policy.from_dict(lax)).passed
    assert gate.apply(made, Policy.from_dict({"base": "audit-only"})).passed


@pytest.mark.parametrize(
    "answer, state, action, reason",
    [
        ("Hello!", State.NO_CLAIMS, "block", "The answer asserts nothing checkable."),
        (REFUSAL, State.REFUSAL, "pass", "The answer declines to answer."),
        ("Hello!", State.NO_SOURCES, "block", "There are no sources to check the answer against."),
        (REFUSAL, State.NO_SOURCES, "block", "There are no sources to check the answer against."),
        ("", State.EMPTY, "block", "The answer is empty."),
        ("", State.NO_SOURCES, "block", "The answer is empty."),
        ("\u200b\U000e0041", State.NO_CLAIMS, "block", "The answer is empty."),
    ],
)
def test_an_answer_without_claims_is_blocked_and_the_decision_says_why(
    answer: str, state: State, action: str, reason: str
) -> None:
    decision = gate.apply(report(answer, state=state), Policy())
    assert (decision.action.value, decision.reasons) == (action, (f"{action}: {reason}",))


def test_a_report_without_its_results_is_not_assessed() -> None:
    made = replace(report("The fee is 5%.", {"The fee": WRONG}), results=())
    assert made.state is State.ASSESSED
    assert gate.apply(made, Policy()).action is Action.BLOCK


def test_an_empty_answer_without_sources_passes_no_profile_but_the_audit() -> None:
    made = report(" \u200b", state=State.NO_SOURCES)
    actions = [gate.apply(made, policy).action.value for policy in gate.PROFILES.values()]
    assert actions == ["block", "block", "block", "block", "pass"]


def test_a_kind_of_finding_that_is_not_known_is_taken_for_a_broken_citation() -> None:
    assert gate.STRICT_BLOCK.for_citation("forged") is Action.BLOCK
    assert gate.STRICT_BLOCK.for_citation("uncited") is Action.PASS


def test_a_type_that_no_rule_can_fit_is_refused() -> None:
    made = report("The fee is 5%.", {"The fee": WEAK})
    with pytest.raises(ValueError, match="'Quantitative' is none; there are quantitative"):
        gate.apply(made, gate.HITL_ESCALATE, types=["Quantitative"])


# --- keys that nobody knows -----------------------------------------------------------------------

KEYS: list[tuple[Callable[[Path], Any], str, str]] = [
    (Config.from_toml, "treshold = 0.3", "'treshold' (the nearest is 'threshold')"),
    (Config.from_toml, "[halgo]\ntopk = 3", "'topk' (the nearest is 'top_k')"),
    (Config.from_toml, "[halgo]\n[polcy]", "'polcy' (the nearest is 'policy')"),
    (Config.from_toml, "[Halgo]\ntop_k = 3", "'Halgo' (the nearest is 'halgo')"),
    (Config.from_toml, "tool = 3", "unknown setting 'tool'; there are calibration, "),
    (Config.from_toml, "fail_on = 'x'", "'fail_on' is no setting but an option of the command"),
    (Config.from_toml, "[halgo]\ndocs = 'x'", "of the command line; give --docs there"),
    (Config.from_toml, "entailment = 'x'\n[halgo]", "give --entailment there"),
    (Config.from_toml, "threshold = 0.9\n[halgo]", "'threshold' stands outside the table [halgo]"),
    (Config.from_toml, "detectors = ['number']", "'number' (the nearest is 'numbers')"),
    (Policy.from_toml, "halucination = 'pass'", "'halucination' (the nearest is 'hallucination')"),
    (Policy.from_toml, "base = 'hedge'\n[policy]", "'base' stands outside the table [policy]"),
    (Policy.from_toml, "[policy]\n[tenant.x]", "'tenant' (the nearest is 'tenants')"),
    (Policy.from_toml, "[[rules]]\naction = 'block'\nverdict = []", "(the nearest is 'verdicts')"),
    (Policy.from_toml, "[policy]\nuncheckd = 'pass'", "'uncheckd' (the nearest is 'unchecked')"),
    (Judge.from_toml, "cutt = 0.4", "'cutt' (the nearest is 'cut')"),
    (Judge.from_toml, "[judge]\nweak = 'complete'", "'weak' (the nearest is 'weak_is')"),
    (Judge.from_toml, "[jugde]\ncut = 0.4", "'jugde' (the nearest is 'judge')"),
    (Judge.from_toml, "cut = 0.4\n[judge]", "'cut' stands outside the table [judge]"),
    (Judge.from_toml, "[judge]\ncut = 4", "cut must be a number from 0 to 1, not 4"),
    (SelfVerifier.from_toml, "max_claim = 3", "'max_claim' (the nearest is 'max_claims')"),
    (SelfVerifier.from_toml, "verification = 3", "a table was expected, not 3"),
    (SelfVerifier.from_toml, "[verification]\nenabled = 'no'", "enabled must be true or false"),
    (lambda p: Policy.from_toml(p, "x"), "bse = 'hedge'\n[tenants.x]", "(the nearest is 'base')"),
    (lambda p: Policy.from_toml(p, "x"), "[tenants.x]\nbse = 'hedge'", "(the nearest is 'base')"),
]


@pytest.mark.parametrize("read, text, message", KEYS, ids=[text for _, text, _ in KEYS])
def test_an_unknown_key_is_named_with_its_file_and_the_nearest(
    read: Callable[[Path], Any], text: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError) as caught:
        read(written(tmp_path, text))
    assert message in str(caught.value) and "settings.toml" in str(caught.value)


def test_settings_and_policies_may_share_a_file(tmp_path: Path) -> None:
    path = written(tmp_path, "[halgo]\ntop_k = 2\n[policy]\nbase = 'hedge'\n[tenants.x]\n")
    assert Config.from_toml(path).top_k == 2
    assert Policy.from_toml(path).name == "custom" and Policy.from_toml(path, "x").name == "x"


def test_a_change_by_an_unknown_name_is_refused() -> None:
    with pytest.raises(ConfigError, match="the nearest is 'top_k'"):
        Config().with_(topk=3)
    with pytest.raises(ConfigError, match="the nearest is 'refusal'"):
        Policy().with_(refusals="pass")


# --- files that are no settings -------------------------------------------------------------------

ODD = [
    ("a = " + "[" * 5_000, "nested more than 20 levels deep"),
    ("a = " + "{a = " * 5_000, "nested more than 20 levels deep"),
    ("a" + ".a" * 5_000 + " = 1", "nested more than 20 levels deep"),
    ('"a\\"b"' + ".a" * 5_000 + " = 1", "nested more than 20 levels deep"),
    ("[a" + ".a" * 5_000 + "]", "nested more than 20 levels deep"),
    ("a = " + "[" * 30 + "]" * 30, "nested more than 20 levels deep"),
    ("threshold = 0x" + "f" * 5_000, "a very large int"),
    ("threshold = " + "9" * 5_000, "cannot read"),
    ("top_k = 1001", "whole number from 1 to 1,000, not 1001"),
    ("threshold = 2020-01-01", "number from 0 to 1, not datetime.date"),
    ("detectors = ['numbers', 'numbers']", "name each once"),
    (b"\xff\xfe", "cannot read settings"),
    ("#" * (LARGEST_BYTES + 1), "has more than 1,000,000 bytes"),
]


@pytest.mark.parametrize("text, message", ODD, ids=range(len(ODD)))
def test_an_odd_settings_file_is_an_error_of_the_settings(
    text: str | bytes, message: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError) as caught:
        Config.from_toml(written(tmp_path, text))
    assert message in str(caught.value) and "settings.toml" in str(caught.value)
    assert len(str(caught.value)) < 600


POLICIES = [
    ("tenants = 5", "x", "tenants must hold a table for each tenant, not 5"),
    ("tenants = 5", None, "tenants must hold a table for each tenant, not 5"),
    ("[tenants]\nx = 5", "x", "a table was expected, not 5"),
    ("base = [['hedge']]", None, "no profile is called [['hedge']]"),
    ("base" + ".a" * 15 + " = 1", None, "no profile is called {'a': {'a': {...}}}"),
    ("[[rules]]\naction = [1]", None, "rules, number 1: action must be one of"),
    ("[[rules]]\naction = 'block'\n" * 1_001, None, "there are 1,001; 1,000 is the most"),
    ("rules = {a = 1}", None, "rules must be a list"),
    ("blocked = 0x" + "f" * 5_000, None, "not a very large int"),
    ("".join(f"[tenants.t{n}]\n" for n in range(5_000)), None, "t19 and 4980 more"),
]


@pytest.mark.parametrize("text, tenant, message", POLICIES, ids=range(len(POLICIES)))
def test_an_odd_policy_file_is_an_error_of_the_settings(
    text: str, tenant: str | None, message: str, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError) as caught:
        Policy.from_toml(written(tmp_path, text), tenant)
    assert message in str(caught.value) and "settings.toml" in str(caught.value)
    assert len(str(caught.value)) < 600


@pytest.mark.parametrize("text", [text for text, _ in ODD], ids=range(len(ODD)))
def test_on_the_command_line_it_is_wrong_input_and_no_fault(
    text: str | bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, answer = str(written(tmp_path, text)), str(written(tmp_path, "Hello!", "answer.txt"))
    assert cli.main(["check", answer, "--docs", answer, "--config", path]) == 2
    assert cli.main(["check", answer, "--docs", answer, "--gate", path, "--tenant", "x"]) == 2
    assert "internal error" not in capsys.readouterr().err


def test_a_pipe_named_as_settings_is_not_waited_for(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is a folder, not a regular file"):
        Config.from_toml(tmp_path)


def test_a_value_in_a_message_is_short_and_safe_whatever_it_is() -> None:
    deep: Any = 1
    for _ in range(5_000):
        deep = {"a": deep}
    for value in (deep, [deep] * 100, "\x1b]0;x\x07" * 1_000, 10**9_000, "\u034f\U000e0041"):
        assert len(shown(value)) < 400 and shown(value).isprintable()
    with pytest.raises(ConfigError, match="threshold"):
        Config.from_dict({"threshold": deep})
    with pytest.raises(ConfigError, match="no profile"):
        Policy.from_dict({"base": deep})


def test_reading_settings_takes_time_that_grows_with_the_file(tmp_path: Path) -> None:
    def seconds(parts: int) -> float:
        path = written(tmp_path, "x = 1 # " + '"a".' * 10 * parts + "\n" + "y" * 10 * parts)
        start = time.process_time()
        with pytest.raises(ConfigError):
            read_toml(path, "settings")
        return time.process_time() - start

    seconds(100)
    assert seconds(16_000) < 16 * max(seconds(4_000), 0.002)


@pytest.mark.parametrize("value", ["nan", "inf", "-1"])
@pytest.mark.parametrize("option", ["--cut", "--contradicted-weight", "--unsupported-weight"])
def test_a_weight_that_is_no_number_is_wrong_usage(
    option: str, value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = str(written(tmp_path, "Hello!", "answer.txt"))
    assert cli.main(["judge", answer, "--docs", answer, option, value]) == 2
    assert option in capsys.readouterr().err


@pytest.mark.parametrize("place", [(), ("curve",), ("models",)])
def test_an_unknown_key_of_a_calibration_is_an_error_that_names_it(place: tuple[str, ...]) -> None:
    values: dict[str, Any] = Calibration(
        "legal", embedder="minilm", entailment=None, fusion="dev"
    ).to_dict()
    table = values
    for name in place:
        table = table[name]
    table["treshold"] = 0.9
    with pytest.raises(ConfigError, match="unknown key 'treshold'"):
        Calibration.from_dict(values)
