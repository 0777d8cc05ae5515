"""The reader of sums: what it reads exactly, and what it leaves alone, quickly."""

from __future__ import annotations

import subprocess
import sys
import time
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halgo.signals.equations import evaluate
from halgo.signals.sums import check_sums


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2 + 2", "4"),
        ("2 + 3 * 4", "14"),
        ("(2 + 3) × 4", "20"),
        ("12 ÷ 5", "12/5"),
        ("2 ^ 3 ^ 2", "512"),
        ("2 ** 10", "1024"),
        ("-3 ^ 2", "-9"),
        ("3² + 4²", "25"),
        ("7 % 3", "1"),
        ("6 x 7", "42"),
        ("6x7", "42"),
        ("15% of 200", "30"),
        ("a third of 90", "30"),
        ("two thirds of 90", "60"),
        ("3/4 of 80", "60"),
        ("half of ten", "5"),
        ("twice 4", "8"),
        ("2 1/2 + 1½", "4"),
        ("1,234.5 * 2", "2469"),
        ("0.1 + 0.2", "3/10"),
        ("twenty-five plus two hundred and five", "230"),
        ("ninety minus forty divided by two", "70"),
        ("$5 + $3.50", "17/2"),
        ("3 kg + 2 kg", "5"),
        ("$1.5bn + 2 billion dollars", "3500000000"),
        ("200 + 10%", "220"),
        ("5% + 3%", "2/25"),
        ("100 divided by 3", "100/3"),
    ],
)
def test_a_sum_is_worked_out_exactly(text: str, value: str) -> None:
    assert str(evaluate(text)) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no numbers here",
        "1/0",
        "0 ^ -1",
        "5 +",
        "(2 + 3",
        "2 + 3)",
        "2 3",
        "12 of 48",
        "2x + 3",
        "2 + 2 = 4",
        "9**9**9",
        "9^65",
        "2 ^ 0.5",
        "((2 ^ 64) ^ 64) ^ 64",
        "1" * 31 + " + 1",
        "(" * 21 + "1" + ")" * 21,
        "+".join(["1"] * 150),
        '__import__("os")',
        "__import__('os').system('true')",
        "().__class__",
        "lambda: 1",
        "1.2.3 + 1",
        "2021-03-04",
        "\ud800 + 1",
        "\x00",
    ],
)
def test_what_is_no_small_sum_is_unreadable(text: str) -> None:
    assert evaluate(text) is None


def test_nesting_and_length_are_read_up_to_their_bounds() -> None:
    assert evaluate("(" * 20 + "1" + ")" * 20) == 1
    assert evaluate("+".join(["1"] * 100)) == 100


@pytest.mark.parametrize(
    "text",
    [
        "9**9**9 = 1 " * 8_000,
        "(" * 100_000,
        "1+" * 50_000,
        "-" * 100_000,
        "1" * 100_000,
        "1," * 50_000,
        "1 = " * 25_000,
        "from 1 to 2 " * 9_000,
        "the sum of " + "1, " * 33_000 + "and 2 is 3",
        "12 of 48 patients " * 5_500,
        "twenty " * 14_000,
        "= x " * 25_000,
    ],
)
def test_a_hundred_thousand_characters_are_read_in_seconds(text: str) -> None:
    start = time.perf_counter()
    evaluate(text)
    check_sums(text)
    assert time.perf_counter() - start < 8


@given(st.text(alphabet=st.characters(), max_size=200))
def test_no_text_raises(text: str) -> None:
    evaluate(text)
    check_sums(text)


@given(st.text(alphabet="0123456789 .,+-*/^%()=x$ofiswto\n", max_size=80))
@settings(deadline=1000)
def test_no_text_of_numbers_and_signs_raises(text: str) -> None:
    evaluate(text)
    check_sums(text)


_expressions = st.recursive(
    st.integers(0, 999).map(lambda n: (str(n), Fraction(n))),
    lambda inner: st.tuples(inner, st.sampled_from("+-*/"), inner).map(
        lambda parts: _joined(*parts)
    ),
    max_leaves=8,
)


def _joined(
    left: tuple[str, Fraction | None], sign: str, right: tuple[str, Fraction | None]
) -> tuple[str, Fraction | None]:
    text = f"({left[0]} {sign} {right[0]})"
    a, b = left[1], right[1]
    if a is None or b is None or (sign == "/" and b == 0):
        return text, None
    return text, {"+": a + b, "-": a - b, "*": a * b}.get(sign, a / b if b else None)


@given(_expressions)
def test_brackets_and_signs_mean_what_they_mean_elsewhere(
    expression: tuple[str, Fraction | None],
) -> None:
    text, value = expression
    read = evaluate(text)
    if value is None:
        assert read is None
    else:
        assert read is not None and Fraction(int(read.p), int(read.q)) == value


def test_text_without_sums_does_not_load_sympy() -> None:
    code = (
        "import sys; from halgo.signals.arithmetic import claim_signals;"
        "claim_signals('The firm has 300 staff, and 12 offices.');"
        "sys.exit('sympy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
