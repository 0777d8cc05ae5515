"""The report page in a real browser: it loads nothing, reads everywhere, and does what it says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import hand_made as by_hand
import pytest
from browser import Watched, axe, chromium
from small_page import FEES, HOSTILE, fees

from halgo.adapters.cli import main
from halgo.delivery import gate
from halgo.report.located import Located, Unread
from halgo.report.page import render, several
from halgo.types import Document, Verdict

EXAMPLES = Path(__file__).parent.parent / "examples"
WIDE, MIDDLE, NARROW = (1440, 900), (900, 900), (390, 800)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def long_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty claims, each in a paragraph of its own of a long document."""
    verdicts = list(Verdict)
    answer = "\n\n".join(f"Rule {n} sets a fee of {n} euros." for n in range(1, 41))
    text = "\n\n".join(f"Rule {n} sets a fee of {n} euros. It is old." for n in range(1, 401))
    report = by_hand.report(
        answer, {f"Rule {n} ": verdicts[n % 4] for n in range(1, 41)}, source="x"
    )
    document = Document("d", text, "rules.md")
    results = []
    for found in report.results:
        at = text.index(found.claim.text)
        evidence = found.assessments[0].evidence
        span = type(found.claim.span)(at, at + len(found.claim.text))
        chunk = replace(evidence.chunk, doc_id="d", span=span, text=found.claim.text)
        reading = replace(found.claim.reading, pieces=())
        evidence = replace(evidence, chunk=chunk, span=span, reading=reading, source="rules.md")
        passage = replace(found.assessments[0], evidence=evidence)
        results.append(replace(found, assessments=(passage,)))
    report = replace(report, results=tuple(results))
    sent = gate.apply(report, gate.STRIP_UNSUPPORTED).to_dict()
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(render.page(report, [document], sent), encoding="utf-8")
    return path


def at(browser: Any, path: Path, size: tuple[int, int] = WIDE, **settings: Any) -> Watched:
    watched = Watched(browser, viewport={"width": size[0], "height": size[1]}, **settings)
    watched.tab.goto(path.as_uri())
    return watched


def in_view(tab: Any, selector: str) -> bool:
    """Whether the element is where a reader sees it: inside the window and inside its pane."""
    return bool(
        tab.evaluate(
            """(selector) => {
                const node = document.querySelector(selector);
                const box = node.getBoundingClientRect();
                const pane = node.closest(".pane").getBoundingClientRect();
                const top = Math.max(0, pane.top), end = Math.min(innerHeight, pane.bottom);
                return box.top >= top - 1 && box.top < end && box.bottom > top;
            }""",
            selector,
        )
    )


def settled(tab: Any) -> None:
    """Waits until the browser has drawn what a click changed."""
    tab.evaluate("() => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")


@pytest.mark.parametrize("size", [WIDE, MIDDLE])
def test_a_click_on_a_claim_shows_its_reason_and_its_passage(
    browser: Any, long_page: Path, size: tuple[int, int]
) -> None:
    with at(browser, long_page, size) as page:
        for number in (39, 1, 22):
            page.tab.evaluate(f"document.querySelector('#a{number}').scrollIntoView()")
            page.tab.click(f"#a{number}")
            settled(page.tab)
            assert in_view(page.tab, f"#c{number}") and in_view(page.tab, f"#p{number}")
            current = page.tab.evaluate(
                "Array.from(document.querySelectorAll('.current'), n => n.className)"
            )
            assert len(current) == 3  # the claim, its card, its passage
        assert page.said == [] and page.asked == [long_page.as_uri()]


def test_on_a_narrow_screen_a_claim_leads_to_its_reason_and_from_there_to_the_passage(
    browser: Any, long_page: Path
) -> None:
    with at(browser, long_page, NARROW) as page:
        page.tab.click("#a30")
        settled(page.tab)
        assert in_view(page.tab, "#c30")
        page.tab.click("#c30 a.to")
        settled(page.tab)
        assert in_view(page.tab, "#p30")
        page.tab.click("a.back[data-to='30']")
        settled(page.tab)
        assert in_view(page.tab, "#c30")


def test_keys_step_through_the_claims_that_are_shown(browser: Any, long_page: Path) -> None:
    with at(browser, long_page) as page:
        current = "document.querySelector('.card.current')?.dataset.claim"
        page.tab.keyboard.press("j")
        assert page.tab.evaluate(current) == "1"
        page.tab.keyboard.press("j")
        page.tab.keyboard.press("k")
        assert page.tab.evaluate(current) == "1"
        assert page.tab.evaluate("document.activeElement.id") == "a1"
        page.tab.click("[data-filter='weak']")  # claims 1, 5, 9 ...
        page.tab.keyboard.press("j")
        assert page.tab.evaluate(current) == "2"
        for _ in range(3):
            page.tab.keyboard.press("j")
        assert page.tab.evaluate(current) == "6"
        page.tab.keyboard.press("?")
        assert page.tab.locator("#help").is_visible()
        page.tab.keyboard.press("j")
        assert page.tab.evaluate(current) == "6"  # keys are the dialog's now
        page.tab.keyboard.press("Escape")
        assert not page.tab.locator("#help").is_visible()


def test_of_all_claims_of_the_answer_one_is_a_stop_of_the_tab_key(
    browser: Any, long_page: Path
) -> None:
    stops = "document.querySelectorAll('#answer .claim[tabindex=\"0\"]').length"
    with at(browser, long_page) as page:
        assert page.tab.evaluate(stops) == 1
        page.tab.keyboard.press("j")
        page.tab.keyboard.press("j")
        assert page.tab.evaluate(stops) == 1
        assert page.tab.evaluate("document.querySelector('#a2').tabIndex") == 0


def test_filters_hide_claims_and_say_how_many_are_left(browser: Any, long_page: Path) -> None:
    with at(browser, long_page) as page:
        cards = page.tab.locator(".card:visible")
        assert cards.count() == 40
        page.tab.click("[data-filter='supported']")
        page.tab.click("[data-filter='weak']")
        assert cards.count() == 20
        assert page.tab.text_content("#said") == "20 claims shown"
        page.tab.click("[data-filter='contradiction']")
        page.tab.click("[data-filter='hallucination']")
        assert page.tab.locator("#none").is_visible()
        page.tab.click("[data-filter='supported']")
        assert cards.count() == 10


def test_the_two_views_take_turns(browser: Any, long_page: Path) -> None:
    with at(browser, long_page) as page:
        written, sent = page.tab.locator("#as-written"), page.tab.locator("#as-sent")
        assert written.is_visible() and not sent.is_visible()
        page.tab.click("[data-view='as-sent']")
        assert sent.is_visible() and not written.is_visible()
        assert "Rule 4 sets a fee of 4 euros." in sent.text_content()
        page.tab.click("#as-sent .changes a >> nth=0")  # a change leads back to its claim
        assert written.is_visible()


def test_it_reads_without_script(browser: Any, long_page: Path) -> None:
    with at(browser, long_page, java_script_enabled=False) as page:
        for shown in ("#as-written", "#as-sent", "#c7 .why", "#p7 + .s"):
            assert page.tab.locator(shown).is_visible(), shown
        for dead in ("#save", ".judge >> nth=0", "#keys"):
            assert not page.tab.locator(dead).is_visible(), dead
        page.tab.click("#a40")  # a real link
        assert page.tab.url.endswith("#p40")
        assert page.tab.locator("#p40 + .s").is_visible()


def test_it_reads_where_inline_styles_and_scripts_are_blocked(browser: Any) -> None:
    """As a build server with a strict policy hands it out; nothing goes over a network."""
    made = render.split(fees(), "report", [FEES])
    whole = fees().to_html([FEES])
    strict = "sandbox; default-src 'none'; img-src 'self'; style-src 'self';"
    types = {"html": "text/html", "css": "text/css", "js": "text/javascript"}

    def hand_out(route: Any) -> None:
        name = route.request.url.rpartition("/")[2]
        body = whole if name == "whole.html" else made[name]
        kind = types[name.rpartition(".")[2]]
        headers = {"content-type": kind, "content-security-policy": strict}
        route.fulfill(status=200, headers=headers, body=body)

    with Watched(browser) as page:
        page.tab.route("**/*", hand_out)
        for name, styled in (("report.html", True), ("whole.html", False)):
            page.tab.goto(f"http://host.test/{name}")
            text = page.tab.text_content("body")
            assert "✗ contradicted" in text and "The claim says 5%; the source says 1.5%." in text
            display = "getComputedStyle(document.querySelector('.figures')).display"
            assert (page.tab.evaluate(display) == "flex") is styled
            assert not page.tab.locator("#save").is_visible()


def test_split_files_work_from_disk(browser: Any, tmp_path: Path) -> None:
    for name, content in render.split(fees(), "report", [FEES]).items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    with at(browser, tmp_path / "report.html") as page:
        page.tab.keyboard.press("j")
        assert page.tab.locator(".card.current").count() == 1
        assert page.said == []
        assert sorted(Path(url).name for url in page.asked) == [
            "report.css",
            "report.html",
            "report.js",
        ]


def test_nothing_that_users_wrote_is_run_or_loaded(browser: Any, tmp_path: Path) -> None:
    document = Document("d", f"The fee is 5%. {HOSTILE}", f"a{HOSTILE}.md")
    report = by_hand.report(f"The fee is 7%.\n\n{HOSTILE}", source=document.text)
    report = replace(report, warnings=(HOSTILE,))
    path = tmp_path / "report.html"
    sent = gate.apply(report, gate.HEDGE).to_dict()
    path.write_text(render.page(report, [document], sent), encoding="utf-8")
    with at(browser, path) as page:
        page.tab.keyboard.press("j")
        page.tab.click("[data-label='right'] >> nth=0")
        assert HOSTILE in page.tab.evaluate("window.halgo.lines()").replace('\\"', '"')
        assert page.tab.evaluate("window.hit") is None
        assert page.said == [] and page.asked == [path.as_uri()]


def test_right_to_left_text_runs_from_the_right(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(by_hand.report("The fee is 5%.\n\nדמי האיחור הם 5%.").to_html(), "utf-8")
    with at(browser, path) as page:
        direction = "n => getComputedStyle(n).direction"
        found = page.tab.locator("#as-written p")
        assert [found.nth(n).evaluate(direction) for n in (0, 1)] == ["ltr", "rtl"]


def test_in_a_notebook_the_page_works_inside_its_frame(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "notebook.html"
    path.write_text(f"<!doctype html><p>In [1]</p>{fees()._repr_html_()}", encoding="utf-8")
    with at(browser, path) as page:
        frame = page.tab.frame_locator("iframe")
        frame.locator("#a1").click()
        assert frame.locator("#c1.current").count() == 1
        frame.locator("#c1 a.to").click()
        assert frame.locator("#p1").count() == 1  # still the report, not the notebook
        assert page.said == []
        assert page.tab.evaluate("getComputedStyle(document.body).display") == "block"


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_words_and_figures_in_cells_are_whole(
    browser: Any, tmp_path: Path, size: tuple[int, int]
) -> None:
    heads = [f"Quarter{n}" for n in range(12)]
    rows = [["Northeast", *(f"{n}84,20{n}" for n in range(11))], ["x" * 2000] * 12]
    table = "\n".join(f"| {' | '.join(row)} |" for row in [heads, ["---"] * 12, *rows])
    document = Document("fees", f"{FEES.text}\n\n{table}\n", "fees.md")
    path = tmp_path / "table.html"
    path.write_text(render.page(fees(), [document]), encoding="utf-8")
    with at(browser, path, size) as watched:
        watched.tab.locator("#sources td").first.scroll_into_view_if_needed()
        lines, wide, over = watched.tab.evaluate(
            """() => {
                const cells = [...document.querySelectorAll('#sources tr:nth-child(2) td')];
                const range = document.createRange();
                const lines = cells.map((cell) => {
                    range.selectNodeContents(cell);
                    return range.getClientRects().length;
                });
                const frame = document.querySelector('#sources .wide');
                const pane = document.querySelector('#sources');
                return [lines, frame.scrollWidth > frame.clientWidth,
                        pane.scrollWidth > pane.clientWidth];
            }"""
        )
        assert lines == [1] * 12 and wide and not over


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_a_page_of_several_answers_scrolls_and_leads_from_the_table_to_a_claim(
    browser: Any, tmp_path: Path, size: tuple[int, int]
) -> None:
    reports = [Located(f"answers/{n}.md", fees(), "a.md") for n in range(30)]
    path = tmp_path / "all.html"
    unread = Unread("b.md", "no text", "b.md")
    path.write_text(several.page([*reports, unread]), encoding="utf-8")
    with at(browser, path, size) as watched:
        tab = watched.tab
        tab.locator("a[href='#r29-c1']").first.click()
        assert tab.locator("#r29-c1").is_visible()
        box = tab.locator("#r29-c1").bounding_box()
        assert box is not None and 0 <= box["y"] < size[1]
        assert tab.evaluate("document.body.scrollWidth <= window.innerWidth")
        assert watched.violations(axe()) == []


def test_answers_on_a_page_of_several_are_found_by_words_and_by_their_worst_claim(
    browser: Any, tmp_path: Path
) -> None:
    verdicts = (Verdict.SUPPORTED, Verdict.CONTRADICTION, Verdict.WEAK_SUPPORT)
    found: list[Located | Unread] = [
        Located(
            f"q{n}",
            by_hand.report(f"Rule {n} is due.", {"Rule": verdicts[n % 3]}, source=f"On page {n}."),
            "a",
            question=f"Asked by customer {n}?",
        )
        for n in range(30)
    ]
    found.append(Unread("torn", "no text", "a"))
    path = tmp_path / "all.html"
    path.write_text(several.page(found), encoding="utf-8")
    with at(browser, path) as page:
        tab = page.tab

        def shown() -> tuple[list[str], list[str]]:
            rows = tab.locator("tbody tr:visible td:first-child").all_inner_texts()
            below = tab.evaluate(
                "[...document.querySelectorAll('.one')].filter(n => !n.hidden)"
                ".map(n => n.querySelector('h2').textContent)"
            )
            return rows, below

        assert len(shown()[0]) == 31 and len(shown()[1]) == 30
        for name in ("supported", "weak", "unread"):
            tab.click(f"[data-filter='{name}']")
        contradicted = [f"q{n}" for n in range(1, 30, 3)]
        assert shown() == (contradicted, contradicted)
        assert tab.locator("#said").inner_text() == "10 of 31 answers shown"
        # By its question, which stands below the table; and by no more than what is pressed.
        tab.fill("#find", "  CUSTOMER 1")
        tab.locator("#said", has_text="5 of 31").wait_for()
        assert shown()[0] == ["q1", "q10", "q13", "q16", "q19"]
        for name in ("supported", "weak", "unread"):
            tab.click(f"[data-filter='{name}']")
        tab.fill("#find", "torn")
        tab.locator("#said", has_text=re.compile("^1 of 31")).wait_for()
        assert shown() == (["torn"], [])
        tab.fill("#find", "")
        tab.locator("#said").wait_for(state="hidden")
        assert len(shown()[0]) == 31
        assert page.said == [] and page.asked == [path.as_uri()]
        assert page.violations(axe()) == []
    with at(browser, path, java_script_enabled=False) as page:
        assert not page.tab.locator("#find").is_visible()
        assert page.tab.locator("tbody tr:visible").count() == 31


def test_a_page_of_five_thousand_answers_is_laid_out_row_by_row(
    browser: Any, tmp_path: Path
) -> None:
    report = by_hand.report("Rule one is due.", {"Rule": Verdict.CONTRADICTION}, source="x")
    path = tmp_path / "all.html"
    path.write_text(
        several.page(Located(f"q{n}", report, "a") for n in range(5_000)), encoding="utf-8"
    )
    with at(browser, path) as page:
        told = page.context.new_cdp_session(page.tab)
        told.send("Performance.enable")
        metrics = told.send("Performance.getMetrics")["metrics"]
        objects = next(one["value"] for one in metrics if one["name"] == "LayoutObjects")
        assert page.tab.locator("tbody tr").count() == 5_000
        # All at once it would be more than 20 a row, and seconds on a slow machine.
        assert objects < 4 * 5_000


def test_printed_every_claim_is_there_and_no_button(browser: Any, long_page: Path) -> None:
    with at(browser, long_page) as page:
        page.tab.emulate_media(media="print")
        assert page.tab.evaluate("getComputedStyle(document.body).overflow") == "visible"
        pane = "document.querySelector('#claims')"
        assert page.tab.evaluate(f"{pane}.scrollHeight <= {pane}.clientHeight + 1")
        assert page.tab.locator(".card").count() == page.tab.locator(".card:visible").count() == 40
        assert not page.tab.locator(".judge >> nth=0").is_visible()


def test_with_forced_colours_each_verdict_keeps_a_line_of_its_own(
    browser: Any, long_page: Path
) -> None:
    with at(browser, long_page, forced_colors="active") as page:
        lines = {
            name: page.tab.locator(f".claim.{name} >> nth=0").evaluate(
                "n => [getComputedStyle(n).borderBottomStyle, "
                "getComputedStyle(n).borderBottomWidth].join(' ')"
            )
            for name in ("supported", "weak", "contradiction", "hallucination")
        }
        assert len(set(lines.values())) == 4, lines


def test_with_forced_colours_marked_words_can_be_read(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text(fees().to_html([FEES]), encoding="utf-8")
    colours = "n => [getComputedStyle(n).color, getComputedStyle(n).backgroundColor]"
    with at(browser, path, forced_colors="active", color_scheme="dark") as page:
        marks = page.tab.locator("mark")
        assert marks.count() >= 4
        for n in range(marks.count()):
            ink, paper = marks.nth(n).evaluate(colours)
            assert ink != paper and not paper.startswith("rgba"), (ink, paper)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, MIDDLE, NARROW], ids=lambda size: str(size[0]))
def test_axe_finds_no_violation(
    browser: Any, tmp_path: Path, theme: str, size: tuple[int, int]
) -> None:
    report = replace(fees(), warnings=("A warning.",))
    sent = gate.apply(report, gate.STRIP_UNSUPPORTED).to_dict()
    path = tmp_path / "report.html"
    path.write_text(render.page(report, [FEES], sent), encoding="utf-8")
    script = axe()
    with at(browser, path, size, color_scheme=theme) as page:
        found = page.violations(script)
        page.tab.click("#a1")
        page.tab.click("#c1 [data-label='wrong']")
        page.tab.click("[data-filter='supported']")
        found += page.violations(script)
        page.tab.click("[data-view='as-sent']")
        page.tab.click("#keys")
        found += page.violations(script)
        assert found == []


@pytest.mark.models
def test_labels_that_are_clicked_become_rows_that_evaluate_and_calibrate_take(
    browser: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    colours = ("red", "blue", "green", "white", "black", "yellow", "brown", "orange")
    docs = [f"The {colour} door opens at {n + 5} o'clock." for n, colour in enumerate(colours)]
    docs += [f"The {colour} bus carries {n * 7 + 20} people." for n, colour in enumerate(colours)]
    wrong = [f"The {colour} door opens at {n + 11} o'clock." for n, colour in enumerate(colours)]
    wrong += [f"The {colour} bus carries {n * 7 + 21} people." for n, colour in enumerate(colours)]
    (tmp_path / "docs.txt").write_text("\n\n".join(docs), encoding="utf-8")
    (tmp_path / "answer.txt").write_text("\n\n".join(docs + wrong), encoding="utf-8")
    path = tmp_path / "report.html"
    files = [str(tmp_path / "answer.txt"), "--docs", str(tmp_path / "docs.txt")]
    assert main(["check", *files, "--format", "html", "-o", str(path)]) == 1
    with at(browser, path) as page:
        cards = page.tab.locator(".card")
        assert cards.count() == 32
        for n in range(32):
            halgo_is_right = cards.nth(n).get_attribute("data-label") == (
                "supported" if n < 16 else "contradicted"
            )
            button = "right" if halgo_is_right else "wrong"
            cards.nth(n).locator(f"[data-label='{button}']").click()
            if not halgo_is_right:
                label = "supported" if n < 16 else "contradicted"
                cards.nth(n).locator("select").select_option(label)
        assert page.tab.text_content("#save") == "Save 32 labels"
        with page.tab.expect_download() as download:
            page.tab.click("#save")
        download.value.save_as(tmp_path / "golden.jsonl")
        assert download.value.suggested_filename == "golden.jsonl"
    rows = [
        json.loads(line) for line in (tmp_path / "golden.jsonl").read_text("utf-8").splitlines()
    ]
    assert [row["label"] for row in rows] == ["supported"] * 16 + ["contradicted"] * 16
    # What halgo said is no verdict that the row asks for: it may be what the reader denied.
    assert all(row["found"] and "verdict" not in row for row in rows)
    golden = str(tmp_path / "golden.jsonl")
    assert main(["evaluate", golden, "--min-f1", "0.6"]) == 0
    assert "32 rows" in capsys.readouterr().out
    assert main(["calibrate", golden, "--out", str(tmp_path / "mine.json")]) == 0
    assert (tmp_path / "mine.json").exists()
