"""Lists and what leads them in: read with their items, and told from the list beside them."""

from __future__ import annotations

import pytest

from halgo import Halgorithm, Verdict
from halgo.sources.chunks import depth, leads_in

pytestmark = pytest.mark.models

BIN = """What goes into the bin.

Okay:
- fruit peel
- coffee grounds
- egg shells

Not okay:
- bones
- cat litter
- glass
"""
CABIN = """## Allowed in the cabin

- walking sticks
- toys

## Forbidden in the cabin

- corkscrews
- toys with batteries
"""


@pytest.fixture(scope="module")
def halgorithm() -> Halgorithm:
    return Halgorithm(embedder="lexical", entailment=None)


def test_every_passage_of_a_list_is_read_with_what_leads_it_in(halgorithm: Halgorithm) -> None:
    index = halgorithm.checker([BIN]).index
    readings = [index.reading(chunk).text for chunk in index.chunks]
    assert readings[-1] == "Not okay: cat litter glass"
    assert "Okay: coffee grounds egg shells" in readings
    assert not any("egg shells Not okay:" in text for text in readings)


def test_spans_still_point_into_the_document(halgorithm: Halgorithm) -> None:
    index = halgorithm.checker([BIN]).index
    for chunk in index.chunks:
        assert chunk.span.of(BIN) == chunk.text
        for piece in index.reading(chunk).pieces:
            at = index.reading(chunk).text[piece.at : piece.at + len(piece.span)]
            assert piece.span.of(BIN) == at


def test_a_list_at_the_top_of_a_document_is_not_led_in_by_the_one_before(
    halgorithm: Halgorithm,
) -> None:
    index = halgorithm.checker(["Not okay:", "- bones\n- glass\n"]).index
    assert index.reading(index.chunks[-1]).text == "bones glass"


@pytest.mark.parametrize(
    "docs, claim",
    [
        (BIN, "Bones are okay."),
        (BIN, "Fruit peel is not okay."),
        (CABIN, "Corkscrews are allowed in the cabin."),
        (CABIN, "Walking sticks are forbidden in the cabin."),
    ],
)
def test_an_item_told_as_of_the_other_list_contradicts(
    halgorithm: Halgorithm, docs: str, claim: str
) -> None:
    (result,) = halgorithm.checker([docs]).check_claims([claim])
    assert (result.verdict, result.reason) == (Verdict.CONTRADICTION, "other_list")


@pytest.mark.parametrize(
    "docs, claim",
    [
        (BIN, "Bones are not okay."),
        (BIN, "Bones may not go into the bin."),
        (BIN, "Fruit peel may go into the bin."),
        (CABIN, "Corkscrews are forbidden in the cabin."),
        (CABIN, "Corkscrews are not allowed in the cabin."),
        (CABIN, "Walking sticks are allowed in the cabin."),
        (CABIN, "Toys are allowed in the cabin."),
    ],
)
def test_an_item_told_as_of_its_own_list_does_not(
    halgorithm: Halgorithm, docs: str, claim: str
) -> None:
    (result,) = halgorithm.checker([docs]).check_claims([claim])
    kinds = {signal.kind for found in result.assessments for signal in found.signals}
    assert "other_list" not in kinds


def test_what_leads_in_a_list_has_no_full_stop() -> None:
    assert leads_in("paragraph", "Not okay:") and leads_in("paragraph", "Bring with you")
    assert leads_in("heading", "Not okay") and not leads_in("item", "Not okay:")
    assert not leads_in("paragraph", "This is a sentence.")
    assert not leads_in("paragraph", "x" * 300)


NESTED = """Rules of the camp.

1. Guests may bring:
   - **tents** for six
   - gas stoves. They stay outside.
2. Guests may not bring:
   - drones
3. Quiet hours start at ten.
"""


def test_an_item_that_ends_in_a_colon_leads_in_the_deeper_items_below_it(
    halgorithm: Halgorithm,
) -> None:
    index = halgorithm.checker([NESTED]).index
    readings = {index.reading(chunk).text for chunk in index.chunks}
    assert "Guests may not bring: drones" in readings
    assert "Quiet hours start at ten." in readings  # which the list before it has ended
    assert all("bring:" in text for text in readings if "tents" in text or "stay" in text)


def test_how_far_an_item_stands_in_is_told_by_its_mark() -> None:
    def at(text: str, word: str) -> int | None:
        return depth(text, text.index(word))

    text = "- one\n  * **two**\n\t(b) three\n> - four. More\n  lines\n10. ten\nnone"
    depths = [at(text, word) for word in ("one", "two", "three", "four", "ten")]
    assert depths == [0, 2, 1, 2, 0]
    assert [at(text, word) for word in ("More", "lines", "none")] == [None] * 3


def test_lists_in_lists_without_end_are_read_with_the_nearest_lead_ins(
    halgorithm: Halgorithm,
) -> None:
    text = (
        "\n".join(f"{' ' * at}- level {at}:" for at in range(300)) + "\n" + " " * 300 + "- drones"
    )
    index = halgorithm.checker([text]).index
    longest = max(len(index.reading(chunk).text) for chunk in index.chunks)
    assert longest < 200
    assert depth(" " * 500 + "- x", 502) is None  # too far from the left to be looked for


LIMITS = """These fees cannot be refunded:

- Annual permit: 180 euros

Mistakes to avoid:

- Running as root.
- Bringing your own laptop.
- The key has no expiry date.
"""


@pytest.mark.parametrize(
    "claim, kinds",
    [
        ("An annual permit can be had for 180 euros.", set()),
        ("The annual permit for 180 euros can be refunded.", {"other_list"}),
        ("You should run as root.", {"other_list"}),
        ("Don't run as root.", {"rows_agree"}),
        ("You should bring your own laptop.", {"other_list"}),
        ("Make sure that the key of the server has an expiry date.", {"yes_no_agrees"}),
        ("Stop the server if the key has no expiry date.", set()),
    ],
)
def test_a_lead_in_denies_what_it_says_and_a_listed_mistake_is_no_advice(
    halgorithm: Halgorithm, claim: str, kinds: set[str]
) -> None:
    (result,) = halgorithm.checker([LIMITS]).check_claims([claim])
    told = {
        signal.kind
        for found in result.assessments
        for signal in found.signals
        if signal.detector == "listed" and signal.stance.value != "unsupported"
    }
    assert told == kinds
