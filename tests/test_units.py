"""Quantities are read exactly, and a bad one is refused by name."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dtmodel import units
from dtmodel.errors import InputError


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
        "1 2",
        "1_000",
        "1e99999",
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
