"""What stripping leaves: grammatical text, lists and tables whole, all the rest byte for byte."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hand_made import GOOD, INVENTED, WRONG, atomic, report
from hypothesis import given, settings
from hypothesis import strategies as st

from halgo.delivery import gate
from halgo.report.report import Report
from halgo.types import ClaimKind, Verdict


def shown(made: Report) -> str:
    decision = gate.apply(made, gate.STRIP_UNSUPPORTED)
    assert decision.action is gate.Action.STRIP and not decision.replaced
    return decision.text


def left(answer: str, *bad: str, **about: object) -> str:
    """What is shown of an answer when the sentences that begin so are invented."""
    return shown(report(answer, dict.fromkeys(bad, INVENTED), **about))  # type: ignore[arg-type]


SENTENCES = [
    ("The fee is 5%. Members pay monthly.", ["The fee"], "Members pay monthly."),
    ("Members pay monthly. The fee is 5%.", ["The fee"], "Members pay monthly."),
    ("A is one. B is two. C is three.", ["B"], "A is one. C is three."),
    ("A is one.  B is two.\nC is three.", ["B"], "A is one.\nC is three."),
    ("A is one.\nB is two.\nC is three.\n", ["A", "B"], "C is three.\n"),
    ("One para.\n\nTwo para.\n\nThree para.", ["Two"], "One para.\n\nThree para."),
    ("One para.\n\nTwo para.\n\nThree para.", ["Three"], "One para.\n\nTwo para."),
    ("One para.\n\nTwo para.\n\n\nThree para.\n", ["Three"], "One para.\n\nTwo para.\n"),
    ("One para.\n\nTwo para.\n", ["One"], "Two para.\n"),
    ("One para.\r\n\r\nTwo para.\r\n\r\nThree.\r\n", ["Two"], "One para.\r\n\r\nThree.\r\n"),
    ("> A is one.\n> B is two.\n\nC is three.", ["A"], "> B is two.\n\nC is three."),
    ("> A is one.\n>\n> B is two.\n\nC is three.", ["B"], "> A is one.\n\nC is three."),
    ("> A is one.\n>\n> \n> B is two.\n", ["B"], "> A is one.\n"),
    ("<b>A is one.</b>\n\nB is two.", ["B"], "<b>A is one.</b>"),
    ("A is one <https://x.example/>\n\n> B is two.", ["B"], "A is one <https://x.example/>"),
    ("The fee is 5% [1]. Members pay monthly [2].", ["The fee"], "Members pay monthly [2]."),
    (
        "Members pay. The fee is 5%. [1] Gold is old. [2]",
        ["The fee"],
        "Members pay. Gold is old. [2]",
    ),
]


@pytest.mark.parametrize("answer, bad, expected", SENTENCES)
def test_a_sentence_goes_with_the_space_beside_it(
    answer: str, bad: list[str], expected: str
) -> None:
    assert left(answer, *bad) == expected


@pytest.mark.parametrize(
    "opening, expected",
    [
        ("However, refunds take 3 days.", "Refunds take 3 days."),
        ("In addition, refunds take 3 days.", "Refunds take 3 days."),
        ("As a result, refunds take 3 days.", "Refunds take 3 days."),
        ("But refunds take 3 days.", "Refunds take 3 days."),
        ("So refunds take 3 days.", "Refunds take 3 days."),
        ("So far, refunds took 3 days.", "So far, refunds took 3 days."),
        ("Because of this, refunds take 3 days.", "Refunds take 3 days."),
        ("Refunds, however, take 3 days.", "Refunds take 3 days."),
        ("Refunds take 3 days, however.", "Refunds take 3 days."),
        ("However, *the* plan is good.", "*The* plan is good."),
        ("However, iPhones are covered.", "iPhones are covered."),
        ("Stillwater is a town.", "Stillwater is a town."),
        ("Android phones are covered.", "Android phones are covered."),
    ],
)
def test_a_connective_without_what_it_joins_is_dropped(opening: str, expected: str) -> None:
    assert left(f"Members pay. The fee is 5%. {opening}", "The fee") == f"Members pay. {expected}"
    assert left(f"Members pay. {opening} The fee is 5%.", "The fee") == f"Members pay. {opening}"


@pytest.mark.parametrize(
    "sentence",
    [
        "Otherwise, a deposit is due.",
        "In that case, a deposit is due.",
        "After that, a deposit is due.",
        "From then on, a deposit is due.",
        "Then a deposit is due.",
        "Thereafter a deposit is due.",
        "It is due each month.",
        "They pay each month.",
        "This means a deposit is due.",
        "That's why a deposit is due.",
        "Its sum is £4.",
        "Such sums are rare.",
        "Both are due each month.",
        "Neither of them pays.",
        "The latter is due each month.",
    ],
)
def test_a_sentence_that_cannot_stand_alone_goes_too(sentence: str) -> None:
    answer = f"Members pay. The fee is 5%. {sentence} Gold is old."
    assert left(answer, "The fee") == "Members pay. Gold is old."
    apart = left(f"The fee is 5%. Members pay. {sentence}", "The fee")
    pair = sentence.startswith(("Both", "Neither", "The latter"))  # needs the two before it
    assert (sentence in apart) is not pair


@pytest.mark.parametrize(
    "answer, bad, expected",
    [
        ("Tin is old. We ship to Rome. Mail there is free.", "We ship", "Tin is old."),
        ("We ship to Rome. Delivery there takes 2 days. Tin is old.", "We ship", "Tin is old."),
        ("We ship to Rome. In Oslo there is a fee.", "We ship", "In Oslo there is a fee."),
        ("We ship to Rome. There is a fee.", "We ship", "There is a fee."),
        ("Tin is old. Prices were lower then. Gold is old.", "Tin", "Gold is old."),
        ("Tin is old. If it rains, then we pay.", "Tin", "If it rains, then we pay."),
        ("Tin can go back. Opened tin cannot, either. Gold is old.", "Tin", "Gold is old."),
        ("Tin is old. Gold is old, too.", "Tin", "Gold is old."),
        ("Tin excludes x. Zinc excludes x. Both exclude y.", "Tin", "Zinc excludes x."),
        ("Tin excludes x. Zinc excludes x. Both exclude y.", "Zinc", "Tin excludes x."),
        ("Gold is old. Tin has 1. The other one has 5.", "Tin", "Gold is old."),
        ("Tin is old. The other party may resign.", "Tin", "The other party may resign."),
        ("Tin costs 9*. Zinc costs 5.\n\n*Excludes VAT.", "Tin", "Zinc costs 5."),
        ("Tin costs 9*. Zinc costs 5*.\n\n*No VAT.", "Tin", "Zinc costs 5*.\n\n*No VAT."),
        ("Tin costs 9. Zinc costs 5.\n\n*No* VAT.", "Tin", "Zinc costs 5.\n\n*No* VAT."),
        ("1. A is x.\n2. B is y.\n\nTin is old. Do step 2.", "B is", "1. A is x.\n\nTin is old."),
        ("1. A is x.\n2. B is y.\n3. C is z.\n\nSteps 1-3 are old. See step 1.", "B is",
         "1. A is x.\n3. C is z.\n\nSee step 1."),
    ],
)  # fmt: skip
def test_what_points_to_something_that_is_gone_goes_too(
    answer: str, bad: str, expected: str
) -> None:
    assert left(answer, bad) == expected


def test_a_pronoun_is_put_in_full_only_where_the_source_names_it_too() -> None:
    answer = "Leakage rose in every region. It employs 2,314 people. Members pay."
    full = {"It": "Leakage employs 2,314 people."}
    source = "Northlight employs 2,314 people."
    assert left(answer, "Leakage", resolved=full, source=source) == "Members pay."
    answer = "The warranty covers the Team plan. It costs £4. Members pay."
    full = {"It": "The warranty costs £4."}
    source = "The Team plan costs £4."
    assert left(answer, "The warranty", resolved=full, source=source) == "Members pay."
    answer = "Acme was founded in 1985. It employs 340 people."
    full = {"It": "Acme employs 340 people."}
    source = "Acme employs 340 people across 12 sites."
    assert left(answer, "Acme", resolved=full, source=source) == "Acme employs 340 people."


def test_no_word_of_a_quotation_is_changed() -> None:
    answer = 'Leakage rose. Ann said: "Then this was a hard year." Members pay.'
    full = {"Ann": 'Ann said: "Then leakage was a hard year."'}
    assert left(answer, "Leakage", resolved=full) == answer.removeprefix("Leakage rose. ")


@pytest.mark.parametrize(
    "sentence, expected",
    [
        ("It is important to pay in time.", "It is important to pay in time."),
        ("It seems that members pay.", "It seems that members pay."),
        ("This plan costs £4.", "The plan costs £4."),
        ("These plans cost £4.", "The plans cost £4."),
        ("The plan costs £4.", "The plan costs £4."),
        ("Neither party may resign.", "Neither party may resign."),
        ("Both parties and their heirs pay.", "Both parties and their heirs pay."),
        ("Instead of cash, cards are taken.", "Instead of cash, cards are taken."),
    ],
)
def test_what_points_nowhere_in_particular_stays(sentence: str, expected: str) -> None:
    assert left(f"The fee is 5%. {sentence}", "The fee") == expected


def test_a_pronoun_is_put_in_full_when_its_sentence_goes() -> None:
    answer = "Acme makes toys. It has an office in Rome. It was founded in 1999."
    full = {"It has": "Acme has an office in Rome.", "It was": "Acme was founded in 1999."}
    assert left(answer, "Acme", resolved=full) == (
        "Acme has an office in Rome. It was founded in 1999."
    )
    assert left(answer, "It has", resolved=full) == "Acme makes toys. It was founded in 1999."
    assert left(answer, "Acme", "It has", resolved=full) == "Acme was founded in 1999."


def test_a_pronoun_is_put_in_full_across_a_sentence_that_stays() -> None:
    answer = "Acme makes toys. Members pay monthly. Its office is in Rome."
    full = {"Its": "Acme's office is in Rome."}
    assert left(answer, "Acme", resolved=full) == "Members pay monthly. Acme's office is in Rome."
    assert left(answer, "Members", resolved=full) == "Acme makes toys. Its office is in Rome."


def test_a_connective_before_a_pronoun_goes_and_the_noun_begins_the_sentence() -> None:
    answer = "The Gold plan is cheap. However, it has a fee."
    full = {"However": "However, the Gold plan has a fee."}
    assert left(answer, "The Gold", resolved=full) == "The Gold plan has a fee."


def test_what_is_wrong_does_not_come_back_through_a_pronoun() -> None:
    answer = "Zed Corp owns it all. It has an office in Rome. Members pay."
    full = {"It has": "Zed Corp has an office in Rome."}
    assert left(answer, "Zed", resolved=full, unsupported=["zed", "corp"]) == "Members pay."
    answer = "The 5% fee is due. It is paid monthly. Members pay."
    assert left(answer, "The 5%", resolved={"It is": "The 5% fee is paid monthly."}) == (
        "Members pay."
    )


LISTS = [
    (
        "Plans differ:\n1. Gold is dear.\n2. Lead is wrong.\n3. Zinc is cheap.\n4. Tin is old.\n",
        ["Lead"],
        "Plans differ:\n1. Gold is dear.\n2. Zinc is cheap.\n3. Tin is old.\n",
    ),
    ("1) A is x.\n2) B is y.\n3) C is z.", ["A"], "1) B is y.\n2) C is z."),
    ("a) A is x.\nb) B is y.\nc) C is z.", ["A"], "a) B is y.\nb) C is z."),
    ("1. A is x.\n1. B is y.\n1. C is z.", ["A"], "1. B is y.\n1. C is z."),
    ("9. A is x.\n10. B is y.\n11. C is z.", ["A", "B"], "9. C is z."),
    ("1. A is x.\n\n2. B is y.\n\n3. C is z.", ["B"], "1. A is x.\n\n2. C is z."),
    ("1. A is x. B is y.\n2. C is z.", ["A"], "1. B is y.\n2. C is z."),
    ("1. A is x. B is y.\n2. C is z.", ["B"], "1. A is x.\n2. C is z."),
    ("1. A is x.\n2. B is y.\n3. C is z. See step 3.", ["B"], "1. A is x.\n3. C is z. See step 3."),
    ("- A is x.\n  - A's part is good.\n- B is y.", ["A is"], "- B is y."),
    (
        "- A is x.\n  - Part one is good.\n  - Part two is bad.\n- B is y.",
        ["Part two"],
        "- A is x.\n  - Part one is good.\n- B is y.",
    ),
    (
        "1. A is x.\n   1. Aa is x.\n   2. Ab is y.\n2. B is y.\n   1. Ba is z.\n3. C is z.",
        ["Aa", "B is"],
        "1. A is x.\n   1. Ab is y.\n2. C is z.",
    ),
    ("1. A is x.\n\n   More of A is bad.\n\n2. B is y.", ["A is"], "1. B is y."),
    ("- [ ] A is x.\n- [x] B is y.", ["A"], "- [x] B is y."),
    ("> 1. A is x.\n> 2. B is y.\n", ["A"], "> 1. B is y.\n"),
]


@pytest.mark.parametrize("answer, bad, expected", LISTS)
def test_a_list_counts_on_without_an_item(answer: str, bad: list[str], expected: str) -> None:
    assert left(answer, *bad) == expected


def test_an_emptied_list_goes_with_its_lead() -> None:
    answer = "Members pay.\n\nHere are the plans:\n\n- Gold is x.\n- Tin is y.\n\nGold is old."
    kinds = {"Here": ClaimKind.HEADING}
    assert left(answer, "Gold is x", "Tin", kinds=kinds) == "Members pay.\n\nGold is old."
    kept = left(answer, "Gold is x", kinds=kinds)
    assert kept == "Members pay.\n\nHere are the plans:\n\n- Tin is y.\n\nGold is old."


def test_a_lead_that_is_a_claim_ends_with_a_full_stop() -> None:
    answer = "Acme has two offices:\n- Rome is x.\n- Oslo is y.\n"
    assert left(answer, "Rome", "Oslo") == "Acme has two offices.\n"


TABLE = "| Plan | Price |\n|---|---:|\n| Gold | £5 |\n| **Tin** | £3 |\n"


def test_a_row_goes_as_a_line() -> None:
    assert left(TABLE, "Plan: Gold") == TABLE.replace("| Gold | £5 |\n", "")
    assert left(TABLE, "Plan: Tin") == TABLE.replace("| **Tin** | £3 |\n", "")


def test_an_emptied_table_goes_with_its_header() -> None:
    answer = f"Members pay.\n\n{TABLE}\nGold is old."
    assert left(answer, "Plan: Gold", "Plan: Tin") == "Members pay.\n\nGold is old."


SECTIONS = "# Plans\n\nMembers pay.\n\n## Fees\n\nThe fee is 5%.\n\n## Terms\n\nThey are old.\n"


def test_a_heading_without_content_goes() -> None:
    assert left(SECTIONS, "The fee") == "# Plans\n\nMembers pay.\n\n## Terms\n\nThey are old.\n"
    assert left(SECTIONS, "They") == "# Plans\n\nMembers pay.\n\n## Fees\n\nThe fee is 5%.\n"
    assert left(SECTIONS, "Members") == SECTIONS.replace("Members pay.\n\n", "")


def test_a_heading_goes_with_the_last_of_its_inner_sections() -> None:
    answer = "Gold is old.\n\n# Plans\n\n## Fees\n\nThe fee is 5%.\n"
    assert left(answer, "The fee") == "Gold is old.\n"
    underlined = "Gold is old.\n\nFees\n----\n\nThe fee is 5%.\n\nTerms\n=====\n\nTin is old.\n"
    assert left(underlined, "The fee") == "Gold is old.\n\nTerms\n=====\n\nTin is old.\n"
    bold = "Gold is old.\n\n**Fees**\n\nThe fee is 5%.\n\n**Terms**\n\nTin is old.\n"
    kinds = {"Fees": ClaimKind.HEADING, "Terms": ClaimKind.HEADING}
    assert left(bold, "The fee", kinds=kinds) == "Gold is old.\n\n**Terms**\n\nTin is old.\n"


MARKS = [
    ("**A is one. B is two.** C is three.", ["A"], "**B is two.** C is three."),
    ("**A is one. B is two.** C is three.", ["B"], "**A is one.** C is three."),
    ("**A is one.** B is two.", ["A"], "B is two."),
    ("**A is one. B is two. C is three.** D is four.", ["A", "C"], "**B is two.** D is four."),
    ("**A is one. B is two.** C is three.", ["A", "B"], "C is three."),
    ("A is [one](http://a.example/x). B is *two*.", ["A"], "B is *two*."),
    ("Use `a.b()` now. B is two. _C is three._", ["B"], "Use `a.b()` now. _C is three._"),
    (
        "- **Gold:** A is one. B is two.\n- C is three.",
        ["B"],
        "- **Gold:** A is one.\n- C is three.",
    ),
    ("<p>A is one.</p><p>B is two.</p>", ["A"], "<p>B is two.</p>"),
    ("<p>A is one.</p><p>B is two.</p>", ["B"], "<p>A is one.</p>"),
    ("<p>A is one. B is two.</p><p>C is three.</p>", ["A"], "<p>B is two.</p><p>C is three.</p>"),
    ("<ul><li>A is one.</li><li>B is two.</li></ul>", ["A"], "<ul><li>B is two.</li></ul>"),
    ("<ul>\n<li>A is one.</li>\n<li>B is two.</li>\n</ul>", ["B"],
     "<ul>\n<li>A is one.</li>\n</ul>"),
    ("If a <b and c> d holds. B is two.", ["B"], "If a <b and c> d holds."),
]  # fmt: skip


@pytest.mark.parametrize("answer, bad, expected", MARKS)
def test_marks_are_not_torn(answer: str, bad: list[str], expected: str) -> None:
    assert left(answer, *bad) == expected


def test_a_question_goes_with_its_answer() -> None:
    assert left("What is the fee? The fee is 5%.\n\nMembers pay.", "The fee") == "Members pay."
    assert left("**What is it?**\n\nThe fee is 5%.\n\nMembers pay.", "The fee") == "Members pay."
    asked = "Members pay. The fee is 5%. Shall I go on?"
    assert left(asked, "The fee") == "Members pay. Shall I go on?"


# --- clauses --------------------------------------------------------------------------------------

LIMITS = "The agreement limits liability to $2M and requires 30-day notice."
SUBJECT, FIRST, SECOND = (
    "The agreement",
    "The agreement limits liability to $2M",
    "requires 30-day notice",
)


def test_a_later_clause_is_cut_and_the_first_stands() -> None:
    made = atomic(LIMITS, ([FIRST], GOOD), ([SUBJECT, SECOND], INVENTED))
    assert shown(made) == "The agreement limits liability to $2M."


def test_the_first_clause_is_cut_and_its_subject_stays() -> None:
    made = atomic(LIMITS, ([FIRST], WRONG), ([SUBJECT, SECOND], GOOD))
    assert shown(made) == "The agreement requires 30-day notice."


def test_a_clause_with_a_subject_of_its_own_begins_the_sentence() -> None:
    answer = "The fee is 5%, and **payment** is due in 30 days."
    made = atomic(answer, (["The fee is 5%"], WRONG), (["payment", "is due in 30 days"], GOOD))
    assert shown(made) == "**Payment** is due in 30 days."


@pytest.mark.parametrize(
    "bad, expected",
    [
        (1, "Acme sells valves and owns Zed."),
        (2, "Acme makes pumps and owns Zed."),
        (3, "Acme makes pumps and sells valves."),
    ],
)
def test_three_clauses_are_joined_anew(bad: int, expected: str) -> None:
    answer = "Acme makes pumps, sells valves, and owns Zed."
    verdicts = [WRONG if number == bad else GOOD for number in (1, 2, 3)]
    made = atomic(
        answer,
        (["Acme makes pumps"], verdicts[0]),
        (["Acme", "sells valves"], verdicts[1]),
        (["Acme", "owns Zed"], verdicts[2]),
    )
    assert shown(made) == expected


def test_an_aside_is_cut_with_its_commas() -> None:
    answer = "Acme, which was founded in 1999, makes pumps."
    made = atomic(answer, ([answer[:-1]], GOOD), (["was founded in 1999"], WRONG))
    assert shown(made) == "Acme makes pumps."
    answer = "Acme moved to Rome, which has two ports."
    made = atomic(answer, (["Acme moved to Rome"], GOOD), (["has two ports"], WRONG))
    assert shown(made) == "Acme moved to Rome."


def test_a_counted_addition_is_cut() -> None:
    answer = "The trial enrolled 340 patients across 12 sites."
    first, second = "The trial enrolled 340 patients", "across 12 sites"
    assert shown(atomic(answer, ([first], GOOD), ([second], WRONG))) == f"{first}."


def test_a_sentence_whose_rest_cannot_stand_goes_whole() -> None:
    answer = "The trial enrolled 340 patients across 12 sites. Members pay."
    made = atomic(
        answer,
        (["The trial enrolled 340 patients"], WRONG),
        (["The trial", "across 12 sites"], GOOD),
        (["Members pay."], GOOD),
    )
    assert shown(made) == "Members pay."


def test_a_clause_in_bold_goes_with_its_marks() -> None:
    answer = "Acme makes pumps and **sells valves**."
    made = atomic(answer, (["Acme makes pumps"], GOOD), (["Acme", "sells valves"], WRONG))
    assert shown(made) == "Acme makes pumps."


# --- what always holds ----------------------------------------------------------------------------

_LINES = st.sampled_from(
    [
        "# Head",
        "A is one. B is two.",
        "However, it is **three. Four** is x.",
        "- item is a. It is b.",
        "  - inner is c.",
        "1. first is d.",
        "2. second is e.",
        "| x | y |",
        "|---|---|",
        "> quoted is f.",
        "Which? This is g.",
        "Here is what I found:",
        "```",
        "x = 1",
        "",
        "Z\u00fcrich \u2014 *is*  [h](http://x.y/z). \u6f22\u5b57\u3002",
        "\tTabbed is i.\r",
    ]
)


@settings(max_examples=60)
@given(st.lists(_LINES, max_size=9), st.data())
def test_only_the_edits_change_and_they_apply(lines: list[str], data: st.DataObject) -> None:
    answer = "\n".join(lines)
    made = report(answer)
    verdicts = [data.draw(st.sampled_from(list(Verdict))) for _ in made.results]
    policy = data.draw(st.sampled_from([gate.STRIP_UNSUPPORTED, gate.HEDGE]))
    results = [replace(r, verdict=v) for r, v in zip(made.results, verdicts, strict=True)]
    decision = gate.apply(replace(made, results=tuple(results)), policy)
    at, rebuilt = 0, ""
    for edit in decision.edits:
        assert at <= edit.span.start <= edit.span.end <= len(answer)
        assert edit.span.of(answer) == edit.before != edit.after
        rebuilt += answer[at : edit.span.start] + edit.after
        at = edit.span.end
    if not decision.replaced:
        assert decision.text == rebuilt + answer[at:]
    changed = decision.action is not gate.Action.PASS
    assert bool(decision.edits) <= changed
    if not decision.replaced and policy is gate.STRIP_UNSUPPORTED:
        for result in results:
            if result.verdict is not GOOD:
                start = result.claim.span.start
                assert any(e.span.start <= start < e.span.end for e in decision.edits)


@settings(max_examples=25)
@given(st.text(max_size=120))
def test_no_text_breaks_the_gate(answer: str) -> None:
    made = report(answer)
    bad = tuple(replace(result, verdict=INVENTED) for result in made.results)
    for policy in gate.PROFILES.values():
        assert json.dumps(gate.apply(replace(made, results=bad), policy).record)
