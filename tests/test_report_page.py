"""The report as a page: whole, linked, and text of users never anything but text."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import hand_made as by_hand
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from small_page import FEES, HOSTILE, claim, evidence, fees

from halgo.delivery import gate
from halgo.delivery.citations import check_citations
from halgo.golden import rows
from halgo.report.located import Located, Unread
from halgo.report.page import assets, cards, charts, render, several, text_blocks
from halgo.report.page.labels import rows as label_rows
from halgo.report.report import Report
from halgo.types import (
    Assessment,
    ClaimKind,
    ClaimResult,
    Document,
    Signal,
    Stance,
    State,
    Verdict,
)


class Page(HTMLParser):
    """What a browser's parser sees: elements in order, and the text."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.words: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def of(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.elements if name == tag]

    @property
    def ids(self) -> list[str]:
        return [found["id"] for _, found in self.elements if "id" in found]

    @property
    def text(self) -> str:
        return "".join(self.words)


def pages() -> Iterable[Report]:
    """Reports of every kind of answer."""
    yield fees()
    yield by_hand.report("Hello! What is due?")
    yield by_hand.report("", state=State.EMPTY)
    yield replace(by_hand.report("The fee is 5%."), state=State.NO_SOURCES)
    yield by_hand.report(
        "- One is 1.\n- Two is 2.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", source="x"
    )
    yield by_hand.atomic(
        "Ann wrote it in May and sold it.",
        (["Ann wrote it in May"], Verdict.SUPPORTED),
        (["Ann", "sold it"], Verdict.CONTRADICTION),
    )


def test_the_same_values_give_the_same_bytes() -> None:
    assert fees().to_html([FEES]) == fees().to_html([FEES])


@pytest.mark.parametrize(
    "given, kind", [(["text"], "with str"), ("text", "str"), (FEES, "Document"), (5, "int")]
)
def test_what_are_no_documents_is_told(given: Any, kind: str) -> None:
    with pytest.raises(TypeError, match=f"must be a list of Documents, .*, not {kind}$"):
        fees().to_html(documents=given)


@pytest.mark.parametrize("report", list(pages()), ids=lambda r: r.answer[:20] or "empty")
def test_every_link_leads_to_something_and_no_name_stands_twice(report: Report) -> None:
    page = Page(render.page(report, [FEES], gate.apply(report, gate.HEDGE).to_dict()))
    assert len(page.ids) == len(set(page.ids))
    for found in page.of("a"):
        assert found["href"][1:] in page.ids, found
    for _, found in page.elements:
        for name in ("aria-describedby", "aria-labelledby"):
            assert set(found.get(name, "").split()) <= set(page.ids)


def test_every_claim_is_marked_by_class_symbol_and_word_and_linked_to_its_passage() -> None:
    page = Page(fees().to_html([FEES]))
    marks = [a for a in page.of("a") if a.get("class", "").startswith("claim ")]
    assert [(a["class"], a["href"]) for a in marks] == [
        ("claim contradiction", "#p1"),
        ("claim supported", "#p2"),
        ("claim hallucination", "#c3"),  # it rests on no passage, so it leads to its reason
    ]
    for shown in ("✗ contradicted", "✓ supported", "? not found"):
        assert shown in page.text
    assert "The claim says 5%; the source says 1.5%." in page.text
    assert "In no source: Acme" in page.text


def test_the_words_that_clash_are_marked_on_both_sides() -> None:
    html = fees().to_html([FEES])
    answer, _, rest = html.partition('id="claims"')
    card, _, source = rest.partition('id="sources"')
    assert '<mark class="no">5%</mark>' in answer
    assert '<mark class="no">5%</mark>' in card and '<mark class="no">1.5%</mark>' in card
    assert '<mark data-no="1">1.5%</mark>' in source


def test_without_documents_the_passages_are_shown_and_linked() -> None:
    html = fees().to_html()
    assert "passages only" in html and 'id="p1"' in html and "# Fees" not in html


def test_a_passage_that_is_not_in_the_document_of_its_name_is_shown_by_itself() -> None:
    other = replace(FEES, text="Something else stands here now.")
    page = Page(fees().to_html([other]))
    assert "Something else stands here now." in page.text
    assert "p1" in page.ids and "The late fee is 1.5% a month." in page.text


def test_text_of_users_is_text_wherever_it_stands() -> None:
    document = Document("d", f"The fee is 5%. {HOSTILE}", HOSTILE)
    answer = f"The fee is 7%. {HOSTILE}"
    message = f"It says {HOSTILE}"
    said = answer[:14]
    found = ClaimResult(
        claim(1, answer, said),
        Verdict.CONTRADICTION,
        "number_conflict",
        message,
        0.1,
        (Assessment(evidence(document, "The fee is 5%."), 0.1, ()),),
        (Signal("number_conflict", Stance.CONTRADICTS, 0.9, message, values=(HOSTILE, '"x')),),
        (HOSTILE,),
    )
    skipped = replace(claim(2, answer, HOSTILE), kind=ClaimKind.OPINION)
    report = replace(by_hand.of(answer, [found], [skipped]), warnings=(HOSTILE,))
    sent = gate.apply(report, gate.HEDGE).to_dict() | {"reasons": [HOSTILE]}
    cited = {
        "citations": [{"span": [0, 3], "documents": [HOSTILE], "claims": []}],
        "findings": [{"kind": HOSTILE, "message": HOSTILE}],
    }
    page = Page(render.page(report, [document], sent, cited, title=HOSTILE))
    assert [name for name, _ in page.elements if name in ("img", "iframe", "object")] == []
    assert len(page.of("script")) == 2  # the rows, and the script
    assert not any(name.startswith("on") for _, found in page.elements for name in found)
    assert page.text.count("onerror=window.hit=2") >= 8


def test_what_acts_or_hides_is_written_out_and_each_block_has_its_own_direction() -> None:
    report = by_hand.report("The fee \u202eis\u202c 5%\x1b[2J\x00.\n\nדמי האיחור הם 5%.")
    html = report.to_html()
    shown = html.partition('<script type="application/json"')[0]
    assert "\\u202e" in shown and "\\x1b" in shown and "\\x00" in shown
    assert not re.search("[\x00-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069]", html)
    assert html.count('<p dir="auto">') >= 2


def test_half_a_surrogate_pair_is_no_obstacle() -> None:
    report = by_hand.report("The fee \ud800 is 5%.", source="The \udfff fee.")
    html = report.to_html()
    assert "\\ud800" in html
    html.encode("utf-8")


def test_the_policy_names_exactly_this_style_and_script_and_allows_nothing_else() -> None:
    html = fees().to_html([FEES])
    policy = Page(html).of("meta")[1]["content"]
    for tag, directive in (("style", "style-src"), ("script", "script-src")):
        inner = re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
        assert len(inner) == 1
        digest = base64.b64encode(hashlib.sha256(inner[0].encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none';") and "unsafe" not in policy
    assert " style=" not in html


def test_split_gives_three_files_and_no_style_or_script_in_the_page() -> None:
    made = render.split(fees(), "my report", [FEES])
    assert list(made) == ["my report.html", "my report.css", "my report.js"]
    page = Page(made["my report.html"])
    assert not page.of("style")
    assert [s.get("src", s.get("type")) for s in page.of("script")] == [
        "application/json",
        "my report.js",
    ]
    assert made["my report.css"] == assets.style()


@example("1)\n\nAn empty item stands before this.")
@given(st.text(alphabet="ab1 \n#-*_`|>.:[]()", max_size=80))
def test_no_letter_or_digit_of_the_answer_or_a_document_is_lost(text: str) -> None:
    shown = "".join(
        span.of(text)
        for block in text_blocks.laid_out(text)
        for span in (
            *([block.lead] if block.lead else []),
            *block.header,
            *(span for line in block.lines for span in line.spans),
        )
    )
    if "```" not in text:  # the name of a code's language is no text
        assert Counter(filter(str.isalnum, shown)) == Counter(filter(str.isalnum, text))


@pytest.mark.parametrize(
    "report, said",
    [
        (by_hand.report("Hello!"), "the answer asserts nothing checkable"),
        (by_hand.report("", state=State.EMPTY), "The answer is empty."),
        (
            replace(by_hand.report("The fee is 5%."), state=State.NO_SOURCES),
            "the documents hold no text",
        ),
    ],
)
def test_an_answer_that_was_not_assessed_is_named_as_such(report: Report, said: str) -> None:
    assert said in Page(report.to_html()).text


def test_the_figures_on_top_say_what_they_are() -> None:
    shown = Page(fees().to_html([FEES]))
    assert "weakest: the lowest of the claims' scores" in shown.text
    assert "whole answer: how probably the sources support all of it." in shown.text
    titles = [of["title"] for of in shown.of("div") if "title" in of]
    assert [title.partition(":")[0] for title in titles] == [
        "mean score",
        "weakest",
        "whole answer",
    ]


def test_the_next_best_passages_are_others_than_the_one_shown() -> None:
    report = fees()
    shown = report.results[1].assessments[0]
    again = replace(shown, evidence=evidence(FEES, "Payment is due on the 1st."))
    other = replace(shown, evidence=evidence(FEES, "The late fee is 1.5% a month."))
    result = replace(report.results[1], assessments=(shown, again, other, other))
    page = cards.card(report, result)
    _, _, others = page.partition("next best passages")
    assert others.count("<blockquote") == 1 and "Payment is due" not in others
    assert "next best" not in cards.card(report, replace(result, assessments=(shown, again)))


def reports(count: int) -> list[Located]:
    """Of every three answers one that fails, one that passes and one with nothing to check."""
    passing = by_hand.report("Payment is due on the 1st.", {"Payment": Verdict.SUPPORTED})
    kinds = (fees(), passing, by_hand.of("Hello!", ()))
    return [Located(f"a{n}.md", kinds[n % 3], f"a{n}.md") for n in range(count)]


def test_a_page_of_several_answers_has_each_in_its_table_and_below(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    unread = Unread("b.md", f"cannot be read {HOSTILE}", "b.md")
    made = several.page([*reports(6), unread])
    assert made == several.page(iter([*reports(6), unread]))
    shown = Page(made)
    assert len(shown.ids) == len(set(shown.ids))
    for found in shown.of("a"):
        assert found["href"][1:] in shown.ids, found
    assert "2 passed, 2 failed, 2 not assessed, 1 not read" in shown.text
    assert len(shown.of("script")) == 1 and not shown.of("img")
    table = made[made.index("<tbody>") : made.index("</tbody>")]
    assert table.count("<tr ") == 7
    assert '<a href="#r0-c1">The late fee is 5% a month.</a>' in table
    # There is room for what failed before there is room for the rest, and it is said what is left.
    monkeypatch.setattr(several, "MOST_CHARACTERS", 25_000)
    small = several.page(reports(60))
    assert len(small) < len(assets.style()) + 25_000 + 60 * 1_000
    named = [name for name in Page(small).ids if name.startswith("r") and name.endswith("-title")]
    assert named and all(int(name[1:-6]) % 3 == 0 for name in named)
    assert f"{60 - len(named)} answers are in the table alone" in small
    monkeypatch.setattr(several, "MOST_ROWS", 20)
    few = several.page(reports(60))
    assert few[few.index("<tbody>") :].count("<tr data-worst") == 20
    assert "40 answers, the least urgent, are not in this table" in few
    many = several.page([unread] * 30)
    assert "10 more answers that were not read are not in this table" in many


def test_of_answers_that_fail_those_with_the_worst_claims_find_room_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kinds = (Verdict.SUPPORTED, Verdict.WEAK_SUPPORT, Verdict.HALLUCINATION, Verdict.CONTRADICTION)
    # Sections of different lengths, so that one behind could slip into a gap that is left.
    given = [
        Located(f"a{n}", by_hand.report(f"It is due{' soon' * n}.", {"It": kinds[n % 4]}), "a")
        for n in range(40)
    ]

    def below(found: Iterable[Located]) -> list[str]:
        names = [name for name in Page(several.page(found)).ids if name.endswith("-title")]
        return [name for name in names if name.startswith("r")]

    for room in (3_000, 20_000, 33_333):
        monkeypatch.setattr(several, "MOST_CHARACTERS", room)
        order = sorted(range(40), key=lambda n: (3 - n % 4, n))
        fits, left = [], room
        for n in order:
            left -= len(several._section(given[n], n))
            if left < 0:
                break
            fits.append(n)
        assert fits and below(given) == [f"r{n}-title" for n in sorted(fits)]


def test_a_page_of_several_answers_shows_what_they_were_asked_and_what_to_know_of_all() -> None:
    asked = replace(reports(1)[0], question=f"What is due? {HOSTILE}")
    made = several.page([asked, *reports(2)], notes=["3 are not checked yet"])
    assert '<p class="asked" dir="auto">What is due? &lt;/script&gt;' in made
    assert made.count('class="asked"') == 1 and "3 are not checked yet" in Page(made).text


def test_warnings_stand_on_top() -> None:
    report = replace(fees(), warnings=("prices.pdf: page 3 has no text",))
    head = report.to_html([FEES]).partition("<main")[0]
    assert "prices.pdf: page 3 has no text" in head


def test_the_view_as_it_may_be_sent_has_the_gates_text_and_each_change() -> None:
    report = fees()
    decision = gate.apply(report, gate.STRIP_UNSUPPORTED)
    html = render.page(report, [FEES], decision.to_dict())
    view = html.partition('id="as-sent"')[2].partition("</section>")[0]
    assert decision.text == "Payment is due on the 1st." and decision.text in view
    assert "The late fee is 5% a month." in view and "without what the documents" in view
    blocked = gate.apply(report, gate.STRICT_BLOCK)
    view = render.page(report, sent=blocked.to_dict()).partition('id="as-sent"')[2]
    assert "It may not be sent" in view and gate.STRICT_BLOCK.blocked.split("'")[0] in view


def test_a_change_to_a_sentence_that_was_not_checked_is_listed_without_a_link() -> None:
    report = by_hand.report(
        "The fee is 5%. I think Acme is great.", kinds={"I think": ClaimKind.OPINION}
    )
    decision = gate.apply(report, gate.STRIP_UNSUPPORTED)
    assert [edit.claim_id for edit in decision.edits] == [2]
    page = Page(render.page(report, sent=decision.to_dict()))
    assert "#c2" not in [found["href"] for found in page.of("a")]
    assert page.text.count("I think Acme is great.") >= 2


def test_a_hedge_is_marked_where_it_stands() -> None:
    report = by_hand.report("Acme sends reminders.", {"Acme": Verdict.HALLUCINATION})
    decision = gate.apply(report, gate.HEDGE)
    html = render.page(report, sent=decision.to_dict())
    view = html.partition('id="as-sent"')[2]
    assert f"<ins>{decision.text}</ins>" in view or "<ins>The documents do not confirm" in view


def test_citations_are_listed_with_what_is_wrong() -> None:
    report = by_hand.report("The late fee is 1.5% a month [1]. Payment is due on the 1st [7].")
    found = check_citations(report, sources=[FEES]).to_dict()
    view = Page(render.page(report, [FEES], citations=found)).text
    assert "Citations" in view and "[7]: " in view and "orphan" in view


def test_rows_are_golden_rows_and_hold_nothing_that_html_reads() -> None:
    document = replace(FEES, text=f"{FEES.text} {HOSTILE}")
    said = label_rows(fees(), [document])
    assert not re.search("[<>&]", said)
    data: dict[str, Any] = json.loads(said)
    lines = [
        {**row, "documents": [data["documents"][at] for at in row["documents"]], "label": label}
        for row, label in zip(data["claims"].values(), ("contradicted", "supported"), strict=False)
    ]
    content = "\n".join(json.dumps(line) for line in lines).encode()
    read = rows.parse(content, "golden.jsonl", Path())
    assert [(row.text, row.label.value) for row in read] == [
        ("The late fee is 5% a month.", "contradicted"),
        ("Payment is due on the 1st.", "supported"),
    ]
    assert read[0].documents[0].text == document.text


def test_rows_of_long_documents_carry_the_passages_that_a_claim_was_held_against() -> None:
    long = replace(FEES, text=FEES.text + "\n\nMore." * 5_000)
    data = json.loads(label_rows(fees(), [long]))
    held = data["claims"]["2"]["documents"]
    assert [data["documents"][at]["text"] for at in held] == ["Payment is due on the 1st."]
    assert "3" not in data["claims"]  # held against nothing, so it would be no row


def test_a_thousand_claims_on_one_sentence_make_a_page_in_proportion() -> None:
    def size(count: int) -> int:
        answer = " ".join(f"Claim {n} is true." for n in range(count))
        return len(by_hand.report(answer, source="The one sentence.").to_html())

    assert size(1_000) < 12 * size(100)


def test_a_frame_for_notebooks_holds_the_same_page() -> None:
    frame = Page(fees()._repr_html_()).of("iframe")
    assert frame[0]["srcdoc"] == fees().to_html()
    assert frame[0]["sandbox"] == "allow-scripts allow-downloads"


def test_charts_say_in_words_what_they_show() -> None:
    days = charts.columns("Claims a day", ["1 May", "2 May"], {"supported": [3, 0], "<b>": [1, 2]})
    rates = charts.lines("Rates", ["1 May", "2 May"], {"unsupported": [0.1, None]}, " %")
    assert 'aria-label="Claims a day"' in days and "f-supported" in days and "&lt;b&gt;" in days
    assert "0.1 %" in rates and rates.count("<circle") == 1
    bar = charts.verdict_bar({Verdict.SUPPORTED: 3, Verdict.CONTRADICTION: 1})
    assert "Of 4 claims: 3 supported, 1 contradicted" in bar


def colours(theme: str) -> dict[str, str]:
    """The custom properties of one theme: "soft" -> "595f69"; those of print are not among them."""
    light, _, rest = assets.style().partition("@media (prefers-color-scheme: dark)")
    block = light if theme == "light" else rest.partition("\n}\n")[0]
    return dict(re.findall(r"--([a-z-]+): #([0-9a-f]{6});", block))


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG 2 defines it, 1 to 21."""

    def light(colour: str) -> float:
        parts = [int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return sum(p * share for p, share in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_text_colour_has_enough_contrast_on_what_it_stands_on(theme: str) -> None:
    known = colours(theme)
    verdicts = ("supported", "weak", "contradiction", "hallucination")
    pairs = [(ink, on) for ink in ("ink", "soft", "accent", *verdicts) for on in ("paper", "sheet")]
    pairs += [("ink", f"{name}-bg") for name in (*verdicts, "accent")]
    pairs += [(name, f"{name}-bg") for name in (*verdicts, "accent")]
    pairs += [("soft", f"{name}-bg") for name in verdicts]  # the number of an item
    pairs += [("sheet", name) for name in (*verdicts, "accent")]  # words that clash
    low = {pair: contrast(known[pair[0]], known[pair[1]]) for pair in pairs}
    assert {pair: round(found, 2) for pair, found in low.items() if found < 4.5} == {}
