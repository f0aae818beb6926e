"""Formulas as LaTeX: a reader that shares nothing with the writer computes the value of the formula."""

import re
import subprocess
import sys
from fractions import Fraction
from math import ceil, floor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtmodel.theorems.operations import greatest, least, rounded_down, rounded_up
from dtmodel.theorems.writing import tex_of

VALUES = {"alpha": Fraction(1, 2), "B": Fraction(24), "R_k": Fraction(3), "N": Fraction(2), "q'": Fraction(5, 3)}
GROUPS = {r"\left\lfloor{": "floor", r"\left\lceil{": "ceil", r"\left|{": "abs"}
TOKEN = re.compile(r"\\left\\l(?:floor|ceil)\{|\\left\|\{|\}\\right(?:\\r(?:floor|ceil)|\|)|\\(?:left|right)[()]"
                   r"|\\(?:frac|min|max|cdot)|\\alpha|R_k|q'|\d+|\S")  # fmt: skip


class Reader:
    """Computes the value of LaTeX: signs bind as in a textbook, and a factor may follow another without a sign."""

    def __init__(self, latex: str) -> None:
        self.tokens = [*TOKEN.findall(latex), ""]

    def take(self) -> str:
        return self.tokens.pop(0)

    def group(self) -> Fraction:
        self.take()
        value = self.sum()
        self.take()
        return value

    def sum(self) -> Fraction:
        value = self.product()
        while self.tokens[0] in ("+", "-"):
            value = value + self.product() if self.take() == "+" else value - self.product()
        return value

    def product(self) -> Fraction:
        if self.tokens[0] == "-":
            self.take()
            return -self.product()
        value = self.power()
        while self.tokens[0] not in ("", "+", "-", ",", "}", r"\right)") and not self.tokens[0].startswith(r"}\right"):
            if self.tokens[0] == r"\cdot":
                self.take()
            value *= self.power()
        return value

    def power(self) -> Fraction:
        value = self.factor()
        if self.tokens[0] == "^":
            self.take()
            value = value ** int(self.group())
        return value

    def factor(self) -> Fraction:
        part = self.take()
        if part == r"\frac":
            over = self.group()
            return over / self.group()
        if part in (r"\min", r"\max"):
            assert self.take() == r"\left("
            values = [self.sum()]
            while self.take() == ",":
                values.append(self.sum())
            return min(values) if part == r"\min" else max(values)
        if part in GROUPS:
            value = self.sum()
            self.take()
            return Fraction({"floor": floor, "ceil": ceil, "abs": abs}[GROUPS[part]](value))
        if part == r"\left(":
            self.tokens.insert(0, part)
            return self.group()
        return Fraction(part) if part.isdigit() else VALUES[part.removeprefix("\\")]


BINARY: dict[str, Any] = {
    "+": lambda x, y: x + y, "-": lambda x, y: x - y, "*": lambda x, y: x * y, "/": lambda x, y: x / y,
    "//": lambda x, y: x // y, "min": least, "max": greatest,
}  # fmt: skip
UNARY: dict[str, Any] = {
    "-": lambda x: -x, "abs": abs, "floor": rounded_down, "ceil": rounded_up, "square": lambda x: x**2,
}  # fmt: skip
NUMBERS = st.one_of(st.integers(-3, 9), st.fractions(-2, 2, max_denominator=5))
FORMULAS = st.recursive(
    st.one_of(NUMBERS, st.sampled_from(sorted(VALUES))),
    lambda parts: st.one_of(
        st.tuples(st.sampled_from(sorted(BINARY)), parts, parts), st.tuples(st.sampled_from(sorted(UNARY)), parts)
    ),
    max_leaves=8,
)


def computed(formula: Any, values: dict[str, Any]) -> Any:
    if isinstance(formula, tuple):
        name, *parts = formula
        return (BINARY if len(parts) == 2 else UNARY)[name](*(computed(part, values) for part in parts))
    return values[formula] if isinstance(formula, str) else formula


@settings(max_examples=60)
@given(FORMULAS)
def test_the_latex_of_a_formula_has_its_value(formula: Any) -> None:
    try:
        exact = computed(formula, VALUES)
    except ZeroDivisionError:
        return
    reader = Reader(tex_of(lambda *symbols: computed(formula, dict(zip(VALUES, symbols, strict=True))), *VALUES))
    assert (reader.sum(), reader.tokens) == (exact, [""])


@pytest.mark.parametrize(
    ("formula", "latex"),
    [
        (lambda a, b, c: a * (b - c) / (1 + a), r"\frac{a \left(b - c\right)}{1 + a}"),
        (lambda a, b, c: a - (b - c), r"a - \left(b - c\right)"),
        (lambda a, b, c: 2 * a * b**2 / c / (a + b), r"\frac{2 a b^{2}}{c \left(a + b\right)}"),
        (lambda a, b, c: (a / b) ** 2 <= 2**c, r"\left(\frac{a}{b}\right)^{2} \leq 2^{c}"),
        (lambda a, b, c: -a * Fraction(1, 2) + greatest(b * c, c), r"-\frac{a}{2} + \max\left(c, b c\right)"),
    ],
)
def test_the_parts_of_a_formula_keep_the_order_of_the_code(formula: Any, latex: str) -> None:
    assert tex_of(formula, "a", "b", "c") == latex


SWITCH = ["--ports", "8", "--buffer", "1MB", "--rate", "1Gbps"]
COMMANDS = [
    ["edt", *SWITCH],
    ["edt", *SWITCH, "--port-alpha", "4", "--chip", "spectrum4"],
    ["dt", *SWITCH, "--steady", "2", "--burst-rate", "2Gbps"],
    [
        "losspass",
        "--buffer",
        "1MB",
        "--rate",
        "10Gbps",
        "--rtt",
        "100us",
        "--flows",
        "4",
        "--tau",
        "1/2",
        "--threshold",
        "65KB",
    ],
    ["dynaq", "--preset", "testbed"],
    ["pools", "--buffer", "4MB", "--queue", "alpha=1"],
    ["pfc", "--cable", "300m", "--rate", "100Gbps", "--mtu", "9100"],
]


def test_parameter_sheets_load_no_computer_algebra() -> None:
    code = (
        f"import sys; from dtmodel.cli import run\nfor given in {COMMANDS!r}: assert run(['params', *given]) == 0\n"
        "sys.exit(', '.join({'sympy', 'mpmath', 'numpy', 'matplotlib'} & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
