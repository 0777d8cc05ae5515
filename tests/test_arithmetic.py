"""Sums that a claim states, and numbers it derives from a passage."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_rules import Family
from small_values import pair_of

from halgo.arithmetic.sums import check_sums
from halgo.signals.derivation.cues import asked
from halgo.signals.derivation.derivations import derive
from halgo.signals.derivation.in_passage import claim_signals
from halgo.types import Corpus, Facts, Pair, Quantity, Signal, Span, Stance
from halgo.verdict.resolve import resolve

RIGHT = [
    "2 + 2 = 4.",
    "2 + 3 = 5!",
    "5! + 3 = 123",
    "12 of 48 is 25%.",
    "12 of 47 is 26%.",
    "12 out of 48 (25%) passed.",
    "Some 25% (12/48) passed.",
    "15% of 200 is 30.",
    "30 is 15% of 200.",
    "Ten percent of 50 is five.",
    "Sales rose from 80 to 100, up 25%.",
    "This is an increase of 25% from 80 to 100.",
    "Costs fell 20% from $100 to $80.",
    "Prices went from 80 to 100, a 25% increase.",
    "The total of 3, 4 and 5 is 12.",
    "3, 4, and 5 add up to 12.",
    "The average of 4, 6 and 8 is 6.",
    "The product of 3 and 4 is 12.",
    "The difference between 9 and 4 is 5.",
    "Half of 10 is 5.",
    "Twice 4 is 8.",
    "A third of 90 is 30.",
    "Two plus two equals four.",
    "$5 + $3 = $8",
    "3 kg + 2 kg = 5 kg",
    "3 boxes x 12 eggs = 36 eggs",
    "1/3 = 0.333",
    "100/3 = 33",
    "22/7 ≈ 3.14",
    "20% off $50 is $40.",
    "5 from 12 leaves 7.",
    "12/48 * 100 = 25%",
    "606 + 671 = 1,277 billion",
    "- 5 + 3 = 8",
    "x = 3 + 2 = 5",
    "About 15% of 198 is 30.",
]
WRONG = {
    "2 + 2 = 5.": ("4", "5"),
    "2 + 2 = 4 = 5": ("4", "5"),
    "12 of 48 is 30%.": ("25%", "30%"),
    "15% of 200 is 35.": ("30", "35"),
    "Sales rose from 80 to 100, up 20%.": ("25%", "20%"),
    "Costs fell 25% from $100 to $80.": ("20%", "25%"),
    "The total of 3, 4 and 5 is 13.": ("12", "13"),
    "The average of 4, 6 and 8 is 7.": ("6", "7"),
    "Half of 10 is 4.": ("5", "4"),
    "7/2 = 4": ("3.5", "4"),
    "19.99 + 5 = 25": ("24.99", "25"),
    "$4.2 million + $3.1 million = $7.5 million": ("$7.3 million", "$7.5 million"),
    "The result (12 x 12) is 124.": ("144", "124"),
    "5 more than 3 is 9.": ("8", "9"),
}
NO_SUM = [
    "Revenue grew 12 percent in 2023.",
    "Revenue grew 25% from 2019 to 2023.",
    "It is not true that 2 + 2 = 5.",
    "If 2 + 2 = 5, then everything follows.",
    "Is 2 + 2 = 5?",
    "1 km + 500 m = 1500 m",
    "2x + 3 = 8",
    "f(2) = 2 + 3 = 6",
    "E = mc^2",
    "5 + 3 = y + 1",
    "120 = 5!",
    "2 + 3 = 6!",
    "5!! + 3 = 8",
    "Women under 30 are 15% of 2,000 employees.",
    "15% of 200 patients are 65 years or older.",
    "3 of 5 studies found large reductions (40%).",
    "Two of the five plants are 60% automated.",
    "9/11 is 20 years ago.",
    "A 3-2 win is worth 5 points.",
    "The average of 2, 3 and 7 is 12 divided by 3.",
    "Between 2019-2020 = 12 months.",
    "The limit is 3 + 2 = 5 to 6.",
    "Open 24/7, it is 100% local.",
]


@pytest.mark.parametrize("text", RIGHT)
def test_a_right_sum_agrees(text: str) -> None:
    sums = check_sums(text)
    assert len(sums) == 1 and sums[0].agrees


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_sum_says_what_was_expected(text: str) -> None:
    sums = check_sums(text)
    assert [(s.expected, s.got, s.agrees) for s in sums] == [(*WRONG[text], False)]
    assert f", not {WRONG[text][1]}" in sums[0].explanation


@pytest.mark.parametrize("text", NO_SUM)
def test_what_is_not_certainly_a_sum_is_left_alone(text: str) -> None:
    assert check_sums(text) == []


def test_every_sum_of_a_text_is_found_in_order_and_in_its_place() -> None:
    text = "We know that 2 + 2 = 4. Of the budget, 15% of 200 is 40. A third of 90 is 30."
    sums = check_sums(text)
    assert [s.agrees for s in sums] == [True, False, True]
    assert [s.span.of(text) for s in sums] == [
        "2 + 2 = 4",
        "15% of 200 is 40",
        "A third of 90 is 30",
    ]


def test_a_wrong_sum_contradicts_with_both_values() -> None:
    (signal,) = claim_signals("12 of 48 is 30%.")
    assert (signal.kind, signal.stance) == ("arithmetic", Stance.CONTRADICTS)
    assert signal.values == ("30%", "25%")
    assert signal.message == "12 of 48 is 25%, not 30%."


_small = st.integers(0, 10**9)


@given(a=_small, b=_small, off=st.integers(-50, 50), sign=st.sampled_from("+-*"))
def test_a_sum_of_whole_numbers_is_right_only_when_it_is_exact(
    a: int, b: int, off: int, sign: str
) -> None:
    exact = {"+": a + b, "-": a - b, "*": a * b}[sign]
    (found,) = check_sums(f"{a} {sign} {b} = {exact + off}")
    # A product so large that the difference is under 2 % is still no rounding: digits are given.
    assert found.agrees == (off == 0)


@given(part=st.integers(1, 999), whole=st.integers(1, 999))
def test_a_share_rounded_to_its_digits_is_right(part: int, whole: int) -> None:
    percent = round(100 * part / whole, 1)
    sums = check_sums(f"{part} of {whole} is {percent}%.")
    assert [s.agrees for s in sums] == [True]
    sums = check_sums(f"{part} of {whole} is {percent + 1:.1f}%.")
    assert [s.agrees for s in sums] == [False]


# --- derived numbers; a stand-in reads amounts, so that no model is needed ------------------------


def _facts(text: str) -> Facts:
    found = []
    for match in re.finditer(r"\$?\d[\d,]*(?:\.\d+)?%?", text):
        written = match.group()
        value = float(re.sub(r"[$,%]", "", written))
        unit = "fraction" if "%" in written else "dollar" if "$" in written else ""
        value = value / 100 if unit == "fraction" else value
        after = re.match(r" (?:more |other |new )?([a-z]+)", text[match.end() :])
        noun = "" if unit or not after else after.group(1).rstrip("s")
        skip = (
            "in",
            "on",
            "to",
            "and",
            "from",
            "were",
            "wa",
            "left",
            "of",
            "are",
            "during",
            "with",
        )
        noun = "" if noun in skip else noun
        found.append(Quantity(value, value, unit, Span(*match.span()), noun=noun))
    return Facts(quantities=tuple(found))


def _pair(claim: str, passage: str) -> Pair:
    return pair_of(claim, _facts(claim), passage, _facts(passage))


class NoWords:
    """A lexicon that knows no word."""

    def synonyms(self, lemma: str) -> frozenset[str]:
        return frozenset()

    def antonyms(self, lemma: str) -> frozenset[str]:
        return frozenset()


def _signals(claim: str, passage: str, corpus: Corpus | None = None) -> list[Signal]:
    found = Family("arithmetic", NoWords()).compare([_pair(claim, passage)], corpus or Corpus())
    return list(found[0])


STORIES = [
    ("Mia had 14 stamps and her aunt gave her 9 stamps.", 23, 5, "stamps now", "23 = 14 + 9"),
    ("Mia had 14 stamps and she gave 9 stamps to Ben.", 5, 23, "stamps now", "5 = 14 - 9"),
    ("Mia had 14 stamps and she lost 9 stamps.", 5, 23, "stamps now", "5 = 14 - 9"),
    ("Mia had 14 stamps and then bought 9 more stamps.", 23, 5, "stamps now", "23 = 14 + 9"),
    ("Mia had 40 sweets. She ate 12 and then bought 30 more.", 58, 82, "sweets now", "58"),
]


@pytest.mark.parametrize(("passage", "right", "wrong", "ending", "shown"), STORIES)
def test_the_wording_chooses_the_operation(
    passage: str, right: int, wrong: int, ending: str, shown: str
) -> None:
    (signal,) = _signals(f"Mia has {right} {ending}.", passage)
    assert (signal.kind, signal.stance) == ("derived", Stance.SUPPORTS)
    assert signal.message.startswith(shown) and signal.message.endswith("(source)")
    assert all(s.kind != "derived" for s in _signals(f"Mia has {wrong} {ending}.", passage))


@pytest.mark.parametrize(
    ("passage", "claim", "formula"),
    [
        ("The hall has 24 rows and each row has 18 seats.", "The hall has 432 seats.", "24 × 18"),
        ("They shared 84 plums equally among 7 baskets.", "Each basket holds 12 plums.", "84 / 7"),
    ],
)
def test_a_number_that_follows_from_the_passage_is_supported(
    passage: str, claim: str, formula: str
) -> None:
    (signal,) = _signals(claim, passage)
    assert signal.kind == "derived"
    assert signal.values is not None and signal.values[1] == formula


def test_a_word_problem_with_a_wrong_answer_is_not_derivable() -> None:
    (signal,) = _signals("Mia has 24 stamps now.", "Mia had 14 stamps and got 9 stamps from Ben.")
    assert (signal.kind, signal.stance) == ("not_derivable", Stance.CONTRADICTS)
    assert signal.weight <= 0.5


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The firm employs 500 people.", "The firm bought 3 rivals in 12 countries last year."),
        ("It was founded by 8 engineers.", "The firm has 300 staff and 40 shops."),
        ("Open step 7 of the guide.", "Take 3 eggs and 2 cups of flour, then add 4 eggs."),
        ("The average is 39 inches.", "The town gets 34 inches of rain. The average is 39."),
    ],
)
def test_ordinary_prose_is_no_word_problem(claim: str, passage: str) -> None:
    assert _signals(claim, passage) == []


def test_a_number_that_stands_elsewhere_in_the_documents_is_not_derived() -> None:
    passage = "Mia had 14 stamps and got 9 stamps from Ben."
    corpus = Corpus(amounts=frozenset({(24.0, 24.0, "")}))
    assert _signals("Mia has 24 stamps now.", passage, corpus) == []


def test_a_derived_number_conflicts_with_no_passage() -> None:
    claim = "Mia has 23 stamps now."
    derived = _signals(claim, "Mia had 14 stamps and her aunt gave her 9 stamps.")
    conflict = Signal("number_conflict", Stance.CONTRADICTS, 0.8, "23, not 14", Span(8, 10))
    name = Signal("unsupported_name", Stance.UNSUPPORTED, 0.8, "Mia", Span(0, 3))
    elsewhere = (conflict, name)
    assert resolve([(*derived, conflict), elsewhere]) == [tuple(derived), (name,)]
    assert resolve([elsewhere]) == [elsewhere]


def test_the_numbers_of_a_right_sum_are_not_missing_from_the_sources() -> None:
    claim = "Sales rose from 80 to 100, up 25%."
    missing = Signal("unsupported_number", Stance.UNSUPPORTED, 0.75, "25%", Span(30, 33))
    assert resolve([(missing,)], claim_signals(claim)) == [()]
    assert resolve([(missing,)], claim_signals(claim.replace("25", "35"))) == [(missing,)]


def _bare(*values: float) -> list[Quantity]:
    return [Quantity(value, value, "", Span(n, n + 1)) for n, value in enumerate(values)]


def test_many_amounts_make_a_hit_worth_less() -> None:
    target, added = _bare(130)[0], frozenset({"sum"})
    few = derive(target, _bare(90, 40), operations=added)
    many = derive(target, _bare(90, 40, 7, 1000, 3, 12), operations=added)
    assert few is not None and many is not None and many.weight < few.weight


def test_units_that_do_not_fit_are_not_put_together() -> None:
    metres = Quantity(90.0, 90.0, "metre", Span(0, 1))
    grams = Quantity(40.0, 40.0, "gram", Span(2, 3))
    target = Quantity(130.0, 130.0, "metre", Span(0, 1))
    assert derive(target, [metres, grams], operations=frozenset({"sum"})) is None


def test_who_gives_and_who_receives_decides() -> None:
    assert "sum" in asked("Tom has 9 pens.", "Tom had 4 pens and Ann gave him 5 pens.")
    assert "sum" not in asked("Tom has 9 pens.", "Tom had 14 pens and he gave Ann 5 pens.")
    assert "sum" not in asked("Tom has 9 pens.", "Tom had 14 pens and Ann borrowed 5 from Tom.")


@given(st.text(max_size=120), st.text(max_size=200))
def test_no_claim_and_no_passage_raise(claim: str, passage: str) -> None:
    _signals(claim, passage)
    claim_signals(claim)


def test_a_passage_of_many_amounts_is_quick() -> None:
    passage = " ".join(f"They sold {n} pens and bought {n + 1} more pens." for n in range(2_000))
    start = time.process_time()
    _signals("In total they have 123456 pens and 99 cups each.", passage)
    assert time.process_time() - start < 2
