"""The server's page and dashboard in a real browser: what a user does, and what it may not do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chat_server
import pytest
from browser import Watched, axe, chromium
from small_server import ANSWER, CONTRACT, Running, started

from halgo import Config, Halgorithm

pytestmark = pytest.mark.models

HOSTILE = '</script><img src="/nowhere" onerror="document.title=1"> Leave is 30 days. \u202egnp.exe'
SIZES = [(1440, 900), (900, 900), (390, 800)]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with pytest.MonkeyPatch.context() as patch:
        chat_server.allow_this_machine(patch)
        log = tmp_path_factory.mktemp("audit") / "log.jsonl"
        with started(Halgorithm(Config()), audit=log) as one:
            yield one


def at(browser: Any, running: Running, path: str = "/", **settings: Any) -> Watched:
    watched = Watched(browser, **settings)
    watched.tab.goto(running.url + path)
    return watched


def checked(watched: Watched, answer: str = ANSWER) -> Any:
    """The tab, once all verdicts on an answer have come."""
    tab = watched.tab
    tab.locator("#index option").first.wait_for(state="attached")
    tab.fill("#answer", answer)
    tab.keyboard.press("Control+Enter")
    tab.locator("#open:not([hidden])").wait_for()
    return tab


def upload(tab: Any, **files: str) -> None:
    """Chooses files by the names given, with "_" for the dot."""
    tab.locator("#index option").first.wait_for(state="attached")
    tab.set_input_files(
        "#files",
        [
            {"name": name.replace("_", "."), "mimeType": "text/plain", "buffer": text.encode()}
            for name, text in files.items()
        ],
    )


def test_a_short_answer_is_read_with_its_question(browser: Any, running: Running) -> None:
    with at(browser, running) as watched:
        tab = watched.tab
        upload(tab, terms_txt="The trial lasts 14 days. Invoices are due within 30 days.")
        tab.locator("#documents >> text=terms.txt").wait_for()
        tab.fill("#question", "How long does the trial last?")
        checked(watched, "30 days.")
        assert tab.locator("#status").inner_text() in ("1 contradicted", "1 not found")
        tab.fill("#question", "When are invoices due?")
        checked(watched, "Within 30 days.")
        tab.get_by_text("1 supported").first.wait_for()


def test_a_check_waits_for_the_files_that_were_just_chosen(browser: Any, running: Running) -> None:
    with at(browser, running) as watched:
        tab = watched.tab
        held: list[Any] = []

        def hold(route: Any) -> None:
            if route.request.method == "POST" and not held:
                held.append(route)
            else:
                route.continue_()

        tab.route("**/v1/indexes", hold)
        upload(tab, rent_txt="Rent is 900 euros.")
        upload(tab, fee_txt="The late fee is 5% per month.")
        tab.fill("#answer", "The late fee is 5% per month. Rent is 900 euros.")
        tab.keyboard.press("Control+Enter")
        tab.wait_for_timeout(300)
        assert not any("/v1/check" in url for url in watched.asked)
        assert held
        held[0].continue_()
        tab.locator("#open:not([hidden])").wait_for()
        # With the server's own contract instead, whose fee is 1.5%, one would be contradicted.
        assert tab.inner_text("#status") == "2 supported"
        assert tab.locator("#documents li").count() == 2
        assert watched.said == []


def test_files_that_cannot_be_added_are_not_left_out_of_a_check(
    browser: Any, running: Running
) -> None:
    with at(browser, running) as watched:
        tab = watched.tab
        held: list[Any] = []
        tab.route("**/v1/indexes", lambda route: held.append(route))
        upload(tab, a_doc="PK")
        tab.fill("#answer", ANSWER)
        tab.keyboard.press("Control+Enter")
        tab.wait_for_timeout(100)
        held[0].continue_()
        tab.locator("text=Not checked.").wait_for()
        assert "save it as .docx" in tab.inner_text("#problem")
        assert not any("/v1/check" in url for url in watched.asked)


def test_documents_an_answer_and_its_verdicts(browser: Any, running: Running) -> None:
    with at(browser, running) as watched:
        tab = watched.tab
        upload(tab, rent_txt="Rent is 900 euros.", leave_md="Leave is 30 days a year.")
        tab.locator("#documents li").nth(1).wait_for()
        checked(watched, "Rent is 950 euros. Leave is 30 days a year.")
        assert tab.inner_text("#status") == "1 contradicted, 1 supported"
        cards = tab.locator("#cards .card")
        assert cards.count() == 2
        # `inner_text` leaves out what the browser has not drawn yet (content-visibility: auto).
        card = cards.first.text_content()
        assert "950 euros" in card and "rent.txt" in card
        # The same name again takes the document's place.
        upload(tab, rent_txt="Rent is 950 euros.")
        tab.locator("text=1 file added.").wait_for()
        checked(watched, "Rent is 950 euros. Leave is 30 days a year.")
        assert tab.inner_text("#status") == "2 supported"
        tab.click("button[aria-label='Remove leave.md']")
        tab.locator("#documents li").nth(1).wait_for(state="detached")
        assert watched.said == []
        assert {url.startswith(running.url) for url in watched.asked} == {True}


def test_the_report_opens_in_its_place_and_leads_back(browser: Any, running: Running) -> None:
    with at(browser, running) as watched:
        tab = checked(watched)
        tab.select_option("#policy", "strip-unsupported")
        tab.click("#check")
        tab.locator("#open:not([hidden])").wait_for()
        tab.click("#open")
        tab.locator("#claims .card").first.wait_for()
        tab.locator("#save:not([hidden])").wait_for()  # its script has run
        tab.keyboard.press("j")
        assert tab.locator(".card.current").get_attribute("data-claim") == "1"
        tab.click("text=As it may be sent")
        assert "Payment is due within 30 days." in tab.text_content("#as-sent")
        tab.click("text=Check another answer")
        tab.locator("#index option").first.wait_for(state="attached")
        assert tab.input_value("#answer") == ANSWER
        assert watched.said == []


def test_an_answer_that_is_being_written_is_checked_whenever_it_rests(
    browser: Any, running: Running
) -> None:
    with at(browser, running) as watched:
        tab = watched.tab
        tab.locator("#index option").first.wait_for(state="attached")
        tab.check("#live")
        tab.type("#answer", "The late fee is 5% per month.")
        tab.locator("text=1 contradicted").wait_for()
        tab.type("#answer", " Payment is due within 30 days.")
        tab.locator("text=1 contradicted, 1 supported").wait_for()
        assert watched.said == []


def test_text_of_users_is_text(browser: Any, running: Running) -> None:
    with at(browser, running) as watched:
        tab = watched.tab
        upload(tab, **{"<b>a_txt": HOSTILE})
        tab.locator("#documents li").first.wait_for()
        assert tab.locator("#documents b").count() == 0
        checked(watched, HOSTILE)
        tab.click("#open")
        tab.locator("#save:not([hidden])").wait_for()
        assert tab.title() != "1"
        assert tab.locator("img").count() == 0
        assert "onerror" in tab.text_content("#as-written")
        assert not [url for url in watched.asked if "nowhere" in url]
        assert watched.said == []


def test_what_goes_wrong_is_said_on_the_page(browser: Any, running: Running) -> None:
    with at(browser, running) as watched:
        tab = watched.tab
        upload(tab, a_doc="PK")
        tab.locator("#problem:not([hidden])").wait_for()
        assert "save it as .docx" in tab.inner_text("#problem")
        tab.select_option("#index", label="my documents below")
        checked(watched)
        assert "no documents to check against" in tab.inner_text("#status")


def test_with_a_token_the_pages_ask_for_it(browser: Any, running: Running, tmp_path: Path) -> None:
    token = "a-token-of-length"
    with (
        started(running.service.halgorithm, token=token, audit=tmp_path / "log.jsonl") as guarded,
        at(browser, guarded) as watched,
    ):
        tab = watched.tab
        tab.fill("#token", token)
        tab.keyboard.press("Tab")
        checked(watched)
        tab.goto(f"{guarded.url}/dashboard")  # in the same tab it is known
        tab.locator(".tiles").wait_for()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_wrong_at_three_widths(
    browser: Any, running: Running, theme: str
) -> None:
    script = axe()
    running.check(ANSWER, include=["gate"])
    size = {"width": SIZES[0][0], "height": SIZES[0][1]}
    with at(browser, running, color_scheme=theme, viewport=size) as watched:
        tab = watched.tab
        upload(tab, contract_txt=CONTRACT)
        tab.locator("#documents button").first.wait_for()
        checked(watched)
        for page in ("/", "/dashboard"):
            if page != "/":
                tab.goto(running.url + page)
                tab.locator(".tiles").wait_for()
            for width, height in SIZES:
                tab.set_viewport_size({"width": width, "height": height})
                assert watched.violations(script) == [], (page, width)
                wide = tab.evaluate("document.documentElement.scrollWidth")
                assert wide <= width, (page, width)
        assert watched.said == []
