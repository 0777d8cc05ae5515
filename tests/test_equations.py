"""The reader of sums: what it reads exactly, and what it leaves alone, quickly."""

from __future__ import annotations

import subprocess
import sys
import time
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halgo.arithmetic.equations import evaluate
from halgo.arithmetic.notation import FUNCTIONS
from halgo.arithmetic.sums import check_sums


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
        ("sqrt(16)", "4"),
        ("√81 + 1", "10"),
        ("square root of 16", "4"),
        ("cbrt(27) + ∛8", "5"),
        ("sqrt(2) * sqrt(2)", "2"),
        ("sqrt(2) + sqrt(3) - sqrt(5 + 2 * sqrt(6))", "0"),
        ("9 ^ 0.5", "3"),
        ("8^(1/3)", "2"),
        ("5!", "120"),
        ("(3!)! / 6!", "1"),
        ("2^3!", "64"),
        ("-3!", "-6"),
        ("4 factorial", "24"),
        ("factorial(4)", "24"),
        ("binomial(5, 2)", "10"),
        ("gcd(12, 18) + lcm(4, 6)", "18"),
        ("min(3, 8, 5) + max(3, 8, 5)", "11"),
        ("abs(3 - 10)", "7"),
        ("floor(7/2) + ceil(7/2) + ceiling(0.1)", "8"),
        ("exp(0) + ln(e) + log(e^2)", "4"),
        ("log(8, 2) + log2(8) + log10(1000)", "9"),
        ("sin(0) + sin(pi/6)", "1/2"),
        ("cos(π) + tan(pi/4)", "0"),
        ("asin(1) / arcsin(1) + acos(0) / arccos(0) + atan(1) / arctan(1)", "3"),
        ("sinh(0) + cosh(0) + tanh(0)", "1"),
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
        "501!",
        "100000!",
        "100000!!",
        "2.5!",
        "(-3)!",
        "sqrt(-4)",
        "sqrt()",
        "sqrt(1, 2)",
        "sqrt 16",
        "sqrt (16)",
        "sqrt",
        "log(0)",
        "log(8, 1)",
        "asin(2)",
        "tan(pi/2)",
        "exp(exp(exp(9)))",
        "(-8) ^ 0.5",
        "2 ^ pi ^ pi ^ pi",
        "binomial(10^9, 5 * 10^8)",
        "max(1,200)",
        "1 / (sqrt(2) - sqrt(2))",
        "2√9",
        "2π",
        "e",
        "sin(x)",
        "gamma(5)",
        "eval(1)",
        "integrate(1)",
        "+".join(["sqrt(2)"] * 20),
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


def test_every_function_that_a_sum_may_name_is_known() -> None:
    given = {
        name: evaluate(f"{name}(0.5)") or evaluate(f"{name}(4)") or evaluate(f"{name}(4, 2)")
        for name in sorted(FUNCTIONS)
    }
    assert [name for name, value in given.items() if value is None] == []


def test_what_is_no_fraction_is_given_to_thirty_digits() -> None:
    assert evaluate("sqrt(2)") == Fraction("1.41421356237309504880168872421")
    assert 0 < evaluate("exp(-1000)") < Fraction(1, 10**400)


@pytest.mark.parametrize(
    ("text", "agrees"),
    [
        ("sqrt(16) = 4", True),
        ("sqrt(2) = 1.414", True),
        ("sqrt(2) = 1.424", False),
        ("5! = 120", True),
        ("6! / (4! * 2!) = 12", False),
        ("The square root of 144 is 14.", False),
        ("cos(pi) = -1", True),
        ("ln(e) + 1 = 3", False),
    ],
)
def test_a_sum_with_functions_is_checked(text: str, agrees: bool) -> None:
    assert [found.agrees for found in check_sums(text)] == [agrees]


@pytest.mark.parametrize(
    "text",
    [
        "log(100) = 2",  # to the base of 10 for many
        "sin(90) = 1",  # in degrees
        "3 + 3 = 3!",
        "2√9 = 6",
        "2π = 6.28",
        "2 times the square root of 9 is 6.",
        "The sum of 5 and the square root of 16 is 9.",
        "The sum of 5 and 2 times 3 is 11.",
        "The square root of 9 plus 16 is 5.",
        "x sqrt(4) = 8",
    ],
)
def test_a_sum_that_may_be_read_in_two_ways_is_left_alone(text: str) -> None:
    assert check_sums(text) == []


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
        "sqrt(" * 20_000,
        "√" * 100_000,
        "9!" * 50_000,
        "gcd(12, 18) " * 8_000,
        "".join(f"exp({n}/7)^2 = 1, " for n in range(900)),
    ],
)
def test_a_hundred_thousand_characters_are_read_in_seconds(text: str) -> None:
    start = time.process_time()
    evaluate(text)
    check_sums(text)
    assert time.process_time() - start < 8


@given(st.text(alphabet=st.characters(), max_size=200))
def test_no_text_raises(text: str) -> None:
    evaluate(text)
    check_sums(text)


@given(st.text(alphabet="0123456789 .,+-*/^%()=x$ofiswto\n!√πe,sqrtlg", max_size=80))
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
        "import sys; from halgo.signals.derivation.in_passage import claim_signals;"
        "claim_signals('The firm has 300 staff, and 12 offices.');"
        "sys.exit('sympy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
