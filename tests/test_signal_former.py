"""Former values: what a sentence says was so before, and what is so now."""

from __future__ import annotations

import pytest

from halgo import Halgorithm
from halgo.signals.time.former import changes


@pytest.mark.parametrize(
    ("sentence", "old", "new"),
    [
        ("The timeout was raised from 15 to 45 minutes.", "15", "45"),
        ("The office moved from Basel to Zug in 2019.", "basel", "zug"),
        ("Revenue was $48.2 million, up from $41.7 million a year earlier.", "41.7", "48.2"),
        ("The bus leaves from platform 4 instead of platform 2.", "2", "4"),
        ("It has 1,260 employees, compared with 1,410 at the end of 2022.", "1410", "1260"),
        ("The encoding is UTF-8 (previously Latin-1).", "1", "8"),
        ("Lena Marti replaced Otto Frei as chief executive.", "frei otto", "lena marti"),
    ],
)
def test_both_values_of_a_change_are_read(sentence: str, old: str, new: str) -> None:
    (found,) = changes(sentence)
    assert (" ".join(sorted(found.old)), " ".join(sorted(found.new))) == (old, new)


@pytest.mark.parametrize(
    "sentence",
    [
        "The pool is open from 7 am to 9 pm.",
        "The bus goes from Basel to Zug.",
        "Prices range from 5 to 10 euros.",
        "It rose by 15 percent.",
    ],
)
def test_a_range_or_a_way_is_no_change(sentence: str) -> None:
    assert changes(sentence) == ()


@pytest.mark.models
@pytest.mark.parametrize(
    ("claim", "kinds"),
    [
        ("The timeout is 15 minutes.", {"former_value"}),
        ("The timeout is 45 minutes.", set()),
        ("The timeout was raised to 15 minutes.", {"former_value"}),
        ("The timeout was 15 minutes before.", set()),
        ("The timeout used to be 45 minutes.", {"former_value"}),
        ("The limit is 15 minutes.", set()),
    ],
)
def test_a_claim_may_not_have_the_former_value(claim: str, kinds: set[str]) -> None:
    halgorithm = Halgorithm(embedder="lexical", entailment=None)
    checker = halgorithm.checker(["The timeout was raised from 15 to 45 minutes. Lists are short."])
    (result,) = checker.check_claims([claim]).results
    found = {s.kind for one in result.assessments for s in one.signals}
    assert found & {"former_value"} == kinds


def test_hostile_text_costs_no_more_than_plain_text() -> None:
    import time

    begun = time.process_time()
    for text in ("raised from 1 to " * 400, "a up from " * 600):
        changes(text)
    assert time.process_time() - begun < 4.0
