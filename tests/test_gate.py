"""What a policy decides about an answer, and how a hedge stands in a sentence."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hand_made import GOOD, INVENTED, WEAK, WRONG, atomic, report, result
from hypothesis import given, settings
from hypothesis import strategies as st

import halgo
from halgo.claims.extract import extract
from halgo.delivery import gate
from halgo.delivery.citations import CitationReport, Finding
from halgo.delivery.gate import Action, Policy, Rule
from halgo.delivery.rule import SEVERITY
from halgo.delivery.wording import hedged_by
from halgo.errors import ConfigError
from halgo.report.report import Report
from halgo.types import Claim, ClaimKind, Reading, Span, State, Verdict

ANSWER = "Members pay monthly. The fee is 5%. Zed owns it."


def test_the_gate_is_a_module_of_halgo() -> None:
    assert halgo.gate is gate
    assert halgo.gate.STRICT_BLOCK.name == "STRICT_BLOCK"


@pytest.mark.parametrize(
    ("sentence", "place"),
    [
        ("Great news, your order has been delivered!", "apart"),
        ("Hi Ann, your order has shipped.", "apart"),
        ("Done! Your order is cancelled.", "apart"),
        ("Done deals are final.", "lead"),
        ("Thanks to the treaty, trade rose.", "lead"),
        ("Your order has shipped.", "lead"),
    ],
)
def test_a_hedge_stands_apart_from_a_remark_ahead(sentence: str, place: str) -> None:
    assert hedged_by(sentence, "paragraph") == place


def test_actions_are_ordered_by_strength() -> None:
    assert Action.PASS < Action.HEDGE < Action.STRIP < Action.ESCALATE < Action.BLOCK
    assert max(Action, key=lambda action: action.strength) is Action.BLOCK
    assert sorted([Action.BLOCK, Action.HEDGE]) == [Action.HEDGE, Action.BLOCK]


# --- profiles -------------------------------------------------------------------------------------

PROFILES = [
    # supported, weak, invented, wrong
    (gate.STRICT_BLOCK, "pass", "block", "block", "block"),
    (gate.STRIP_UNSUPPORTED, "pass", "strip", "strip", "strip"),
    (gate.HEDGE, "pass", "hedge", "hedge", "strip"),
    (gate.HITL_ESCALATE, "pass", "hedge", "escalate", "escalate"),
    (gate.AUDIT_ONLY, "pass", "pass", "pass", "pass"),
]


@pytest.mark.parametrize("row", PROFILES, ids=lambda row: row[0].name)
def test_each_profile_acts_on_each_verdict(row: tuple[Policy, str, str, str, str]) -> None:
    policy, *actions = row
    for verdict, action in zip(SEVERITY, actions, strict=True):
        made = report("The fee is due.", {"The fee": verdict})
        assert gate.apply(made, policy, types=["general"]).action.value == action


STATES = [
    ("Hello!", State.NO_CLAIMS, "pass pass pass pass pass"),
    ("I do not know.", State.REFUSAL, "pass pass pass pass pass"),
    ("Hello!", State.NO_SOURCES, "block block pass escalate pass"),
    ("", State.EMPTY, "block block block block pass"),
    ("", State.NO_SOURCES, "block block block block pass"),
]


@pytest.mark.parametrize("answer, state, actions", STATES)
def test_each_profile_acts_on_an_answer_without_claims(
    answer: str, state: State, actions: str
) -> None:
    made = report(answer, state=state)
    for (policy, *_), action in zip(PROFILES, actions.split(), strict=True):
        assert gate.apply(made, policy).action.value == action


def test_without_sources_hedging_hedges_every_claim() -> None:
    made = report("The fee is 5%.", {"The fee": INVENTED}, state=State.NO_SOURCES)
    decision = gate.apply(made, gate.HEDGE)
    assert decision.text == "The documents do not confirm that the fee is 5%."
    assert decision.acknowledge


def test_a_block_shows_the_fixed_reply_and_says_why() -> None:
    made = report(ANSWER, {"The fee": WRONG, "Zed": INVENTED})
    decision = gate.apply(made, gate.STRICT_BLOCK)
    assert decision.text == gate.STRICT_BLOCK.blocked and decision.replaced
    assert decision.edits == () and not decision.passed
    assert [reason.split(":")[1] for reason in decision.reasons] == [
        " claim 2, CONTRADICTION",
        " claim 3, HALLUCINATION",
    ]


def test_the_worst_is_named_first() -> None:
    made = report(ANSWER, {"Members": WEAK, "The fee": INVENTED, "Zed": WRONG})
    reasons = gate.apply(made, gate.AUDIT_ONLY).reasons
    assert [reason.split(",")[0] for reason in reasons] == [
        "pass: claim 3",
        "pass: claim 2",
        "pass: claim 1",
    ]


def test_an_audit_changes_nothing_and_records_everything() -> None:
    made = report(ANSWER, {"The fee": WRONG})
    decision = gate.apply(made, gate.AUDIT_ONLY)
    assert decision.passed and decision.text == ANSWER
    assert decision.record["report"] == made.to_dict()


def test_an_escalation_hands_over_a_complete_record() -> None:
    made = report(ANSWER, {"The fee": WRONG}, source="The fee is 1.5%.")
    decision = gate.apply(made, gate.HITL_ESCALATE, types=["general"] * 3)
    assert decision.action is Action.ESCALATE
    assert decision.text == gate.HITL_ESCALATE.escalated
    record = json.loads(json.dumps(decision.record))
    assert record["answer"] == ANSWER and record["action"] == "escalate"
    assert record["report"]["claims"][1]["chunk_text"] == "The fee is 1.5%."
    assert Policy.from_dict(record["policy"]) == gate.HITL_ESCALATE


def test_weak_support_of_an_amount_is_seen_by_a_person() -> None:
    made = report("The fee is 5%.", {"The fee": WEAK})
    assert gate.apply(made, gate.HITL_ESCALATE, types=["quantitative"]).action is Action.ESCALATE
    assert gate.apply(made, gate.HITL_ESCALATE, types=["general"]).action is Action.HEDGE


@pytest.mark.models
def test_types_are_read_where_a_rule_asks_for_them() -> None:
    made = report("The fee is 5%.", {"The fee": WEAK})
    assert gate.apply(made, gate.HITL_ESCALATE).action is Action.ESCALATE
    made = report("Rome is old.", {"Rome": WEAK})
    assert gate.apply(made, gate.HITL_ESCALATE).action is Action.HEDGE


def test_nothing_left_shows_the_fixed_reply() -> None:
    made = report("Hello! Here is what I found: The fee is 5%.", {"Here": INVENTED})
    decision = gate.apply(made, gate.STRIP_UNSUPPORTED)
    assert decision.action is Action.STRIP and decision.replaced
    assert decision.text == gate.STRIP_UNSUPPORTED.blocked
    assert decision.reasons[-1] == "Nothing that answers is left."


def test_a_call_to_act_is_no_answer_by_itself() -> None:
    kinds = {"See": ClaimKind.INSTRUCTION, "Please": ClaimKind.INSTRUCTION}
    made = report(
        "The fee is 5%. See the website. Please ask us.", {"The fee": INVENTED}, kinds=kinds
    )
    assert gate.apply(made, gate.STRIP_UNSUPPORTED).replaced
    made = report(
        "The fee is 5%. Members pay. See the website.", {"The fee": INVENTED}, kinds=kinds
    )
    assert gate.apply(made, gate.STRIP_UNSUPPORTED).text == "Members pay. See the website."


def test_what_advises_is_left_when_its_claims_go() -> None:
    made = report("The fee is 5%. Please contact support.", {"The fee": INVENTED})
    kept = gate.apply(made, gate.STRIP_UNSUPPORTED)
    assert kept.text == "Please contact support."


def test_the_callers_own_claims_are_edited_each_in_its_line() -> None:
    texts = ["Gold costs £3.", "Silver costs £2. It is old."]
    claims = [
        Claim(n, t, Span(0, len(t)), ClaimKind.FACT, Reading.verbatim(t), t)
        for n, t in enumerate(texts, start=1)
    ]
    made = report("\n".join(texts))
    made = replace(made, results=(result(claims[0], GOOD), result(claims[1], INVENTED)), skipped=())
    assert gate.apply(made, gate.STRIP_UNSUPPORTED).text == "Gold costs £3."
    assert gate.apply(made, gate.HEDGE).text == (
        "Gold costs £3.\nThe documents do not confirm this: Silver costs £2. It is old."
    )


@given(
    st.sampled_from(list(Action)), st.sampled_from(list(Action)), st.floats(0, 1), st.floats(0, 1)
)
@settings(max_examples=60)
def test_a_contradiction_never_fares_better_than_a_lack_of_support(
    base: Action, ruled: Action, score: float, below: float
) -> None:
    low = Action.PASS if base is Action.PASS else base
    policy = Policy(
        weak_support=Action.PASS,
        hallucination=low,
        contradiction=low,
        rules=(
            Rule(action=ruled, verdicts=(INVENTED,)),
            Rule(action=ruled, verdicts=(WEAK,), below=below),
        ),
    )
    actions = [policy.for_claim(ClaimKind.FACT, verdict, score) for verdict in SEVERITY]
    assert actions[1] <= actions[2] <= actions[3]


# --- rules ----------------------------------------------------------------------------------------


def test_a_rule_by_score_makes_an_action_stronger() -> None:
    policy = gate.HEDGE.with_(rules=[Rule(action=Action.BLOCK, verdicts=(WEAK,), below=0.55)])
    made = report("The fee is 5%.", {"The fee": WEAK})  # its score is 0.5
    assert gate.apply(made, policy).action is Action.BLOCK
    assert gate.apply(made, policy.with_(rules=[])).action is Action.HEDGE


def test_a_rule_by_kind_reaches_what_is_not_checked() -> None:
    policy = Policy(rules=(Rule(action=Action.STRIP, kinds=(ClaimKind.OPINION,)),))
    answer = "Members pay monthly. I think it is a great deal. Gold is old."
    made = report(answer, kinds={"I think": ClaimKind.OPINION})
    assert gate.apply(made, policy).text == "Members pay monthly. Gold is old."


def test_the_types_must_be_one_a_result() -> None:
    with pytest.raises(ValueError, match="2 types for 1 results"):
        gate.apply(report("The fee is 5%."), gate.HEDGE, types=["general", "general"])


def test_what_is_no_report_or_policy_is_refused() -> None:
    with pytest.raises(TypeError, match="a Report was expected, not str"):
        gate.apply("The fee is 5%.", gate.HEDGE)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a Policy was expected, or the name of a profile, not int"):
        gate.apply(report("The fee is 5%."), 5)  # type: ignore[arg-type]


def test_a_policy_may_be_given_by_its_name() -> None:
    made = report("The fee is 5%.")
    assert gate.apply(made, "strip-unsupported") == gate.apply(made, gate.STRIP_UNSUPPORTED)
    with pytest.raises(ConfigError, match="the nearest is 'hedge'"):
        gate.apply(made, "hegde")


# --- policies from files --------------------------------------------------------------------------

TENANTS = """
[tenants.clinic]
base = "strict-block"
blocked = "Please ask your doctor."

[tenants.shop]
base = "HEDGE"
contradiction = "escalate"

[[tenants.shop.rules]]
action = "strip"
verdicts = ["HALLUCINATION"]
types = ["quantitative"]
below = 0.3
"""


def test_each_tenant_has_its_own_policy(tmp_path: Path) -> None:
    path = tmp_path / "policies.toml"
    path.write_text(TENANTS, encoding="utf-8")
    clinic, shop = Policy.from_toml(path, "clinic"), Policy.from_toml(path, "shop")
    assert clinic == gate.STRICT_BLOCK.with_(name="clinic", blocked="Please ask your doctor.")
    assert shop.name == "shop" and shop.contradiction is Action.ESCALATE and shop.acknowledge
    assert shop.for_claim(ClaimKind.FACT, INVENTED, 0.1, "quantitative") is Action.STRIP
    assert shop.for_claim(ClaimKind.FACT, INVENTED, 0.4, "quantitative") is Action.HEDGE
    with pytest.raises(ConfigError, match=r"name one of clinic, shop"):
        Policy.from_toml(path)
    with pytest.raises(ConfigError, match=r"no tenant is called 'bank'; there are: clinic, shop"):
        Policy.from_toml(path, "bank")


@pytest.mark.parametrize("text", ["[policy]\nweak_support = 'hedge'\n", "weak_support = 'HEDGE'\n"])
def test_a_policy_is_a_table_or_the_whole_file(text: str, tmp_path: Path) -> None:
    path = tmp_path / "policy.toml"
    path.write_text(text + 'hallucination = "hedge"\ncontradiction = "hedge"\n', encoding="utf-8")
    assert Policy.from_toml(path).weak_support is Action.HEDGE


@pytest.mark.parametrize("policy", gate.PROFILES.values(), ids=lambda policy: policy.name)
def test_a_policy_comes_back_from_its_dict(policy: Policy) -> None:
    assert Policy.from_dict(json.loads(json.dumps(policy.to_dict()))) == policy
    assert gate.profile(policy.name.lower().replace("_", "-")) is policy


BROKEN = [
    ("weak = 'hedge'", "unknown key 'weak'"),
    ("base = 'lax'", "no profile is called 'lax'; there are strict-block"),
    ("hallucination = 'drop'", "hallucination must be one of pass, hedge, strip, escalate, block"),
    (
        "hallucination = 'strip'",
        "hallucination ('strip') must not be milder than weak_support ('block')",
    ),
    ("no_sources = 'strip'", "no_sources must be 'pass', 'escalate' or 'block'"),
    ("blocked = ''", "blocked must be a text that can be shown"),
    ("hedge_weak = 'Perhaps'", "hedge_weak must be words that end in '{claim}'"),
    ("hedge_weak = 'Perhaps{claim}'", "needs a space before '{claim}'"),
    ("acknowledge = 1", "acknowledge must be true or false, not 1"),
    ("rules = 'none'", "rules must be a list"),
    ("rules = [1]", "rules, number 1: a table was expected, not 1"),
    ("[[rules]]\nverdicts = []", "rules, number 1: 'action' is missing"),
    ("[[rules]]\naction = 'strip'\nabove = 1", "rules, number 1: unknown key 'above'"),
    ("[[rules]]\naction = 'strip'\nbelow = 2", "below must be a score from 0 to 1, not 2"),
    ("[[rules]]\naction = 'strip'\nbelow = nan", "below must be a score from 0 to 1"),
    ("[[rules]]\naction = 'strip'\nat_least = 0.5\nbelow = 0.2", "no score is in between"),
    ("[[rules]]\naction = 'strip'\ntypes = ['legal']", "types: 'legal' is none; there are quant"),
    ("[[rules]]\naction = 'strip'\nverdicts = 'WEAK_SUPPORT'", "verdicts must be a list"),
    ("[[rules]]\naction = 'strip'\nkinds = ['meta']\nbelow = 0.5", "'meta' sentences are not"),
    ("policy = 3", "a table was expected, not 3"),
    ("name = ", "cannot read a policy from"),
]


def test_the_scores_of_a_rule_may_be_numbers_of_numpy() -> None:
    rule = Rule(action=Action.STRIP, below=np.float32(0.5))  # type: ignore[arg-type]
    assert json.loads(json.dumps(Policy(rules=(rule,)).to_dict()))["rules"][0]["below"] == 0.5


@pytest.mark.parametrize("text, message", BROKEN, ids=[text for text, _ in BROKEN])
def test_a_broken_policy_names_its_file_key_and_reason(
    text: str, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        Policy.from_toml(path)
    assert message in str(caught.value) and "broken.toml" in str(caught.value)


def test_a_missing_file_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot read a policy from"):
        Policy.from_toml(tmp_path / "none.toml")


# --- hedges ---------------------------------------------------------------------------------------


def hedged(answer: str, verdict: Verdict = INVENTED, **about: object) -> str:
    """The answer with every sentence of that verdict."""
    made = report(answer, {"": verdict}, kinds={"": ClaimKind.FACT}, **about)  # type: ignore[arg-type]
    policy = gate.HEDGE.with_(contradiction=Action.HEDGE)
    decision = gate.apply(made, policy)
    assert decision.action is Action.HEDGE
    return decision.text


NO = "The documents do not confirm that"
THIS = "The documents do not confirm this:"
MARK = "(not confirmed by the documents)"

HEDGES = [
    ("The fee is 5%.", f"{NO} the fee is 5%."),
    ("Members pay monthly.", f"{NO} members pay monthly."),
    ("Payments are due.", f"{NO} payments are due."),
    ("Acme pays monthly.", f"{NO} Acme pays monthly."),
    ("Germany won in 1990.", f"{NO} Germany won in 1990."),
    ("NASA flew in 1969!", f"{NO} NASA flew in 1969!"),
    ("iPhones cost £900.", f"{NO} iPhones cost £900."),
    ("I paid 5%.", f"{NO} I paid 5%."),
    ("In 2020, Acme won.", f"{NO} in 2020, Acme won."),
    ("5% is due.", f"{NO} 5% is due."),
    ("However, the fee is 5%.", "However, the documents do not confirm that the fee is 5%."),
    ("But Acme pays.", "But the documents do not confirm that Acme pays."),
    ("**Gold** costs £5 [1].", f"{NO} **Gold** costs £5 [1]."),
    ("*The fee* is 5%.", f"{NO} *the fee* is 5%."),
    ("The fee is 5%, right?", f"{THIS} The fee is 5%, right?"),
    ('"The fee is 5%," he said.', f'{THIS} "The fee is 5%," he said.'),
    ("Take 2 tablets a day.", f"{THIS} Take 2 tablets a day."),
    ("Note that the fee is 5%.", f"{THIS} Note that the fee is 5%."),
    ("- 5% late fee", f"- 5% late fee {MARK}"),
    ("- The fee is 5%.", f"- {NO} the fee is 5%."),
    ("1. The fee is 5%", f"1. The fee is 5% {MARK}"),
    ("- **Late fee:** It is 5%.", f"- **Late fee:** It is 5% {MARK}."),
    ("Late fee: 5% [2].", f"Late fee: 5% {MARK} [2]."),
    ("## Fees rose 5% in 2020", f"## Fees rose 5% in 2020 {MARK}"),
    ("Williams may use it.", f"{NO} Williams may use it."),
    ("Alfred runs it.", f"{NO} Alfred runs it."),
    ("Berlin is cheap.", f"{NO} Berlin is cheap."),
    ("Acme Ltd may use it.", f"{NO} Acme Ltd may use it."),
    ("Yes, members pay 5%.", f"{NO} members pay 5%."),
    ("Yes, take 2 tablets.", f"{THIS} take 2 tablets."),
    ("That means the fee is 5%.", f"{THIS} That means the fee is 5%."),
    ("That's why the fee is 5%.", f"{THIS} That's why the fee is 5%."),
    (
        "Therefore you should buy it.",
        "Therefore the documents do not confirm that you should buy it.",
    ),
    ("Der Tarif kostet 59 Euro im Monat.", f"Der Tarif kostet 59 Euro im Monat {MARK}."),
    ("Le forfait coûte 59 € par mois.", f"Le forfait coûte 59 € par mois {MARK}."),
    ("Members of the 5% club,", f"Members of the 5% club, {MARK}"),
    ("<p>The fee is 5%.</p>", f"<p>{NO} the fee is 5%.</p>"),
    ("<ul><li>5% late fee</li></ul>", f"<ul><li>5% late fee {MARK}</li></ul>"),
    ("Z\u00fcrich has trams.", f"{NO} Z\u00fcrich has trams."),
]


@pytest.mark.parametrize("answer, expected", HEDGES, ids=[answer for answer, _ in HEDGES])
def test_a_hedge_stands_in_the_sentences_own_place(answer: str, expected: str) -> None:
    assert hedged(answer) == expected


def test_a_word_that_the_sources_write_small_is_no_name() -> None:
    assert hedged("Tortoises live long.", source="Some tortoises live long.") == (
        f"{NO} tortoises live long."
    )
    assert hedged("Apple pays.", source="Then Apple paid for an apple.") == f"{NO} Apple pays."


def test_the_wording_depends_on_the_verdict() -> None:
    assert hedged("The fee is 5%.", WEAK) == (
        "The documents do not clearly confirm that the fee is 5%."
    )
    assert hedged("The fee is 5%.", WRONG) == "Contrary to the documents, the fee is 5%."
    assert hedged("Take 2 tablets.", WRONG) == "Contrary to the documents: Take 2 tablets."
    assert hedged("- 5% fee", WRONG) == "- 5% fee (contradicted by the documents)"


@pytest.mark.parametrize("answer", ["16.", "\n16."])
def test_a_number_alone_has_a_block(answer: str) -> None:
    assert hedged(answer).strip() == "The documents do not confirm that 16."


@pytest.mark.models
@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("How many beds are there?", "16.", f"16 {MARK}."),
        ("Who signs the invoices?", "Zed", f"Zed {MARK}"),
        ("Are cats allowed?", "Yes.", f"Yes {MARK}."),
    ],
)
def test_a_hedge_stands_behind_a_short_answer(question: str, answer: str, expected: str) -> None:
    claims = extract(answer, question=question)
    made = replace(report(answer), results=tuple(result(claim, INVENTED) for claim in claims))
    assert gate.apply(made, gate.HEDGE).text == expected


def test_the_wording_is_the_policys() -> None:
    made = report("The fee is 5%. Take 2.", {"": INVENTED}, kinds={"": ClaimKind.FACT})
    policy = gate.HEDGE.with_(hedge_unsupported="Unverified: {claim}")
    assert gate.apply(made, policy).text == "Unverified: The fee is 5%. Unverified: Take 2."


def test_a_row_is_marked_in_its_last_cell() -> None:
    table = "| Plan | Price |\n|---|---|\n| Gold | £5 |\n"
    assert hedged(table) == table.replace("£5 |", f"£5 {MARK} |")


def test_a_hedge_is_never_put_twice() -> None:
    for answer, _ in HEDGES:
        once = hedged(answer)
        made = report(once, {"": INVENTED}, kinds={"": ClaimKind.FACT})
        assert gate.apply(made, gate.HEDGE).text == once


def test_only_the_clause_in_doubt_is_marked() -> None:
    answer = "The fee is 5% and payment is due in 30 days."
    first, second = "The fee is 5%", "payment is due in 30 days"
    made = atomic(answer, ([first], INVENTED), ([second], GOOD))
    assert gate.apply(made, gate.HEDGE).text == f"{first} {MARK} and {second}."
    made = atomic(answer, ([first], GOOD), ([second], INVENTED))
    assert gate.apply(made, gate.HEDGE).text == f"{first} and {second} {MARK}."
    made = atomic(answer, ([first], INVENTED), ([second], INVENTED))
    assert gate.apply(made, gate.HEDGE).text == f"{NO} the fee is 5% and {second}."


def test_a_sentence_hedged_behind_one_that_is_stripped_loses_its_connective() -> None:
    answer = "Members pay. Zed owns it. However, the fee is 5%."
    made = report(answer, {"Zed": WRONG, "However": INVENTED})
    decision = gate.apply(made, gate.HEDGE)
    assert decision.text == f"Members pay. {NO} the fee is 5%."
    assert decision.action is Action.STRIP and decision.acknowledge
    assert [edit.claim_id for edit in decision.edits] == [2, 3]


def test_an_edit_says_what_it_changes_and_why() -> None:
    made: Report = report("The fee is 5%. Members pay.", {"The fee": INVENTED})
    (edit,) = gate.apply(made, gate.HEDGE).edits
    assert (edit.before, edit.after) == ("The", "The documents do not confirm that the")
    assert (edit.action, edit.claim_id, edit.span) == (Action.HEDGE, 1, Span(0, 3))
    found = gate.apply(made, gate.STRIP_UNSUPPORTED).to_dict()["edits"]
    assert found == [
        {
            "span": [0, 15],
            "action": "strip",
            "before": "The fee is 5%. ",
            "after": "",
            "claim_id": 1,
            "reason": "no evidence",
        }
    ]


# --- citations ------------------------------------------------------------------------------------

CITING = "Members pay monthly [1]. The fee is 5% [7]. Gold is old [2]."


def found(*findings: tuple[str, str]) -> CitationReport:
    """Findings about the citations of CITING: their kind, and the mark they are about."""
    made = tuple(
        Finding(
            kind,
            f"{mark} is {kind}.",
            Span(at, at + len(mark)) if (at := CITING.find(mark)) >= 0 else None,
        )
        for kind, mark in findings
    )
    return CitationReport(CITING, (), made, ())


@pytest.mark.parametrize(
    "policy, action, text",
    [
        (gate.STRICT_BLOCK, "block", gate.STRICT_BLOCK.blocked),
        (gate.STRIP_UNSUPPORTED, "strip", "Members pay monthly [1]. Gold is old [2]."),
        (gate.HITL_ESCALATE, "escalate", gate.HITL_ESCALATE.escalated),
        (gate.AUDIT_ONLY, "pass", CITING),
    ],
)
@pytest.mark.parametrize("kind", ["orphan", "unsupported"])
def test_a_sentence_with_a_bad_citation_is_acted_on(
    kind: str, policy: Policy, action: str, text: str
) -> None:
    made = report(CITING)
    assert gate.apply(made, policy).passed
    decision = gate.apply(made, policy, citations=found((kind, "[7]")), types=["general"] * 3)
    assert (decision.action.value, decision.text) == (action, text)
    if action != "pass":
        assert f"{action}: claim 2, SUPPORTED: [7] is {kind}." in decision.reasons


def test_a_source_that_nothing_cites_misleads_nobody() -> None:
    assert gate.apply(report(CITING), gate.STRICT_BLOCK, citations=found(("uncited", "[9]"))).passed


def test_a_bad_citation_at_no_sentence_blocks_where_the_policy_blocks() -> None:
    orphan = found(("orphan", "[9]"))
    blocked = gate.apply(report(CITING), gate.STRICT_BLOCK, citations=orphan)
    assert blocked.action is Action.BLOCK and blocked.reasons == ("block: [9] is orphan.",)
    assert gate.apply(report(CITING), gate.STRIP_UNSUPPORTED, citations=orphan).passed


def test_citations_of_another_answer_are_refused() -> None:
    with pytest.raises(ValueError, match="another answer"):
        gate.apply(report("The fee is 5%."), gate.HEDGE, citations=found())
