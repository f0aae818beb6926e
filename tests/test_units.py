"""Quantities are read exactly, and a bad one is refused by name."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from dtmodel.base import budgets, units
from dtmodel.base.errors import BudgetError, InputError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 MB", 10**6),
        ("1MB", 10**6),
        ("1 MiB", 2**20),
        ("256 KB", 256_000),
        ("1.5 kB", 1500),
        ("0.1", Fraction(1, 10)),
        ("2/3", Fraction(2, 3)),
        ("1/2 MB", 500_000),
        ("12 bits", Fraction(3, 2)),
        ("1e3", 1000),
        (7, 7),
        (0.1, Fraction(1, 10)),
        (Decimal("0.25"), Fraction(1, 4)),
        (Fraction(1, 3), Fraction(1, 3)),
    ],
)
def test_sizes_are_exact_bytes(text, expected):
    assert units.bytes_(text, "buffer") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 Gbps", 125_000_000),
        ("10Gbps", 1_250_000_000),
        ("8 bps", 1),
        ("5 MB/s", 5_000_000),
        ("100 Mbit/s", 12_500_000),
    ],
)
def test_rates_are_exact_bytes_per_second(text, expected):
    assert units.rate(text, "rate") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5 ms", Fraction(1, 200)),
        ("10 us", Fraction(1, 10**5)),
        ("10 µs", Fraction(1, 10**5)),
        ("3 ns", Fraction(3, 10**9)),
    ],
)
def test_times_are_exact_seconds(text, expected):
    assert units.seconds(text, "until") == expected


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "x",
        "1 Gbps",
        "1 mb",
        "nan",
        "inf",
        "-1",
        "1/0",
        "1//2",
        "1/",
        "1/ MB",
        "1 2",
        "1_000",
        "١",
        None,
        True,
        [],
        {},
        float("nan"),
    ],
)
def test_a_bad_size_is_refused_by_name(bad):
    with pytest.raises(InputError) as error:
        units.bytes_(bad, "switch.buffer")
    assert error.value.field == "switch.buffer"
    assert "expected a size" in str(error.value)


def test_zero_is_refused_where_something_positive_is_needed():
    with pytest.raises(InputError, match="greater than 0"):
        units.rate(0, "rate", positive=True)


@pytest.mark.parametrize("bad", ["1/2", 1.5, -1, "many"])
def test_counts_are_whole(bad):
    with pytest.raises(InputError, match="whole number"):
        units.count(bad, "ports")


NUMPY = [
    (np.int64(10**12), 10**12),
    (np.uint8(200), 200),
    (np.array(7), 7),
    (np.float64(0.1), Fraction(1, 10)),
    (1e23, 10**23),
    (np.float32(0.1), Fraction(1, 10)),
    (np.float16(0.1), Fraction(1, 10)),
    (np.longdouble("0.1"), Fraction(1, 10)),
    (np.array(0.1, dtype=np.float32), Fraction(1, 10)),
    (np.str_("1 MB"), 10**6),
    (np.array(Fraction(1, 3), dtype=object), Fraction(1, 3)),
    (sympy.Rational(1, 3), Fraction(1, 3)),
    (sympy.Integer(3), 3),
]


@pytest.mark.parametrize(("value", "expected"), NUMPY, ids=repr)
def test_numbers_of_other_libraries_become_exact_python_numbers(value, expected):
    read = units.bytes_(value, "buffer")
    assert read == expected
    assert (type(read.numerator), type(read.denominator)) == (int, int)
    assert read**4 == Fraction(expected) ** 4  # 64 bits would wrap


@pytest.mark.parametrize(
    "bad",
    [np.bool_(True), np.array(True), np.float64("nan"), np.float32("inf"), np.timedelta64(5, "ms"), np.complex128(1),
     np.array([1]), np.ma.masked, np.bytes_(b"1"), np.zeros((), dtype=[("a", int)])[()], sympy.pi, sympy.Float(0.1),
     b"1"],
    ids=repr,
)  # fmt: skip
def test_what_is_no_exact_number_of_another_library_is_refused(bad):
    with pytest.raises(InputError, match="buffer: got"):
        units.bytes_(bad, "buffer")


@pytest.mark.parametrize(
    "values", [[1, 2], (1, 2), range(1, 3), np.array([1, 2]), np.array([1.0, 2.0]), iter([1, 2]), np.array(["1", "2"])]
)
def test_a_list_is_any_sequence_array_or_iterator(values):
    read = units.each(units.number, values, "weights", least=2)
    assert read == (1, 2)
    assert {type(value.numerator) for value in read} == {int}


@pytest.mark.parametrize(
    "bad", ["12", b"12", bytearray(b"12"), memoryview(b"12"), None, {1: 2}, {1, 2}, 5, np.array(5)]
)
def test_what_is_no_list_is_refused(bad):
    assert not units.is_sequence(bad)
    with pytest.raises(InputError, match=r"weights: got .*; expected a list"):
        units.each(units.number, bad, "weights")


def test_a_list_may_have_to_have_elements():
    with pytest.raises(InputError, match="expected a list of at least 1"):
        units.sequence(np.array([]), "weights", least=1)
    assert units.sequence([], "weights") == []


def test_a_list_without_end_is_refused():
    with budgets.raised(events=10), pytest.raises(BudgetError, match="weights: got 11; expected at most 10 events"):
        units.sequence(iter(int, 1), "weights")


def test_an_element_is_named_by_its_index():
    with pytest.raises(InputError, match=r"weights\[1\]: got 'x'"):
        units.each(units.number, [1, "x"], "weights")


LONG = "9" * 9_999


@pytest.mark.parametrize(
    "text", [LONG, f"1/{LONG}", f"0.{LONG}", "1e9999", "1e-9999", int(Decimal(LONG))], ids=range(6)
)
def test_numbers_longer_than_python_converts_are_read_and_written(text):
    value = units.exact(text, "x")
    assert units.exact(units.plain(value), "x") == value
    assert units.exact(units.plain(1 / value), "x") == 1 / value


@pytest.mark.parametrize(
    "text", [LONG + "99", f"1/{LONG}99", "1e10001", "1e-999999999999999", 10**10_010, "9" * 10**6], ids=range(6)
)
def test_numbers_longer_than_the_budget_are_refused_by_its_name(text):
    with pytest.raises(BudgetError, match=r"x: got .*; expected at most 10,000 digits.*DTMODEL_BUDGETS=\"digits="):
        units.exact(text, "x")
    with budgets.raised(digits=20_000), pytest.raises(BudgetError):
        units.exact("1e20001", "x")


def test_a_number_that_was_read_before_is_refused_by_a_smaller_budget():
    assert units.seconds("1e99", "x") == 10**99
    with budgets.raised(digits=60), pytest.raises(BudgetError):
        units.seconds("1e99", "x")


def test_an_answer_longer_than_the_budget_is_refused():
    with pytest.raises(BudgetError, match="an exact answer"):
        units.plain(Fraction(1, 10**10_010))
    with budgets.raised(digits=10_100):
        assert len(units.plain(10**10_010)) == 10_011


def test_a_value_that_cannot_be_written_is_still_named():
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert str(InputError("x", 10**5000, "less")) == "x: got a int too long to show; expected less"
    assert "list too long to show" in str(InputError("x", deep, "less"))


def test_an_error_can_be_printed_on_every_terminal():
    said = str(InputError("a\x1b[2J\ud800", "b\n\udfff", "less"))
    assert said == r"a\x1b[2J\ud800: got 'b\n\udfff'; expected less"


def test_a_huge_value_is_shortened_in_the_message():
    assert len(str(InputError("x", "9" * 5000, "less"))) < 150


@given(st.fractions())
def test_plain_numbers_survive_a_round_trip(value):
    assert units.exact(units.plain(value), "x") == value


@given(st.fractions(min_value=0))
def test_what_is_shown_to_a_person_names_the_exact_value_when_it_is_rounded(value):
    text = units.show_seconds(value)
    if "(" in text:
        assert Fraction(text.split("(")[1].split()[0]) == value
    else:
        assert units.seconds(text.replace(",", ""), "t") == value


PARTS = st.tuples(
    st.sampled_from(["0", "7", "12", "007", "123456789012345", "1234567890123456", "٣", "-1", ""]),
    st.sampled_from(["", "", ".5", ".25", ".125000001", ".", ".1234567890", "e3", "/3"]),
    st.sampled_from([" us", " us", " us", "us", "  us", " us ", " ms", "", " KB", " us\n5", " 5 us"]),
)


@given(st.lists(PARTS.map("".join), min_size=1, max_size=6), st.booleans())
def test_texts_that_are_read_together_are_the_numbers_of_each(texts: list[str], same: bool) -> None:
    values: list[Any] = [texts[0]] * 2 + texts[1:] if same else [*texts, 3]
    found = units._together(units._TIME, values)
    if found is not None:
        assert [*found] == [units.seconds(value, "time") for value in values]


def test_short_decimals_of_one_unit_are_read_together() -> None:
    for values in (["1 us", "20.5 us", "0.125 us"], [3, "4", "5.25"], ["7 min"]):
        found = units._together(units._TIME, values)
        assert found is not None
        assert [*found] == [units.seconds(value, "time") for value in values]
    for other in (["5 us\n6 us", "x us"], ["1 us", "2 ms"], ["1 KB", "2 KB"], ["1", None], ["1", True], ["1e3"]):
        assert units._together(units._TIME, other) is None
    with budgets.raised(digits=9):
        assert units._together(units._TIME, ["1 us", "2 us"]) is None
