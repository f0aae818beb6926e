"""`dtmodel params losspass`: the sheet."""

from fractions import Fraction
from typing import Any

import pytest

from dtmodel.base.errors import InputError
from dtmodel.theory.losspass.sheet import parameters

TESTBED: dict[str, Any] = {
    "rate_": "1 Gbps",
    "rtt": "500 us",
    "buffer": "128 KB",
    "flows": 2,
    "threshold": "45 packets",
    "tau": "0.95",
}


def test_the_papers_testbed_gives_losspass_the_larger_burst() -> None:
    sheet = parameters(**TESTBED)
    assert sheet["bdp"] == 62_500
    assert sheet["q_max_ecn"] == 70_500
    assert sheet["mu_ecn"] == 57_500
    assert sheet["mu_losspass"] == 121_600
    assert sheet["difference"] == 64_100
    assert sheet["larger"] == "losspass"
    assert sheet["least_tau"] == Fraction(57_500, 128_000)
    assert sheet["utilisation_ecn"] == sheet["utilisation_losspass"] == 1
    assert sheet["line_rate"] is True
    assert sheet["least_threshold"] == 62_500 - 3_000
    assert len(sheet.warnings) == 1


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"threshold": "100 packets"}, "exceeds the buffer"),
        ({"rtt": "5 ms"}, "smaller than C RTT"),
        ({"threshold": 0}, "too small for line rate under ECN"),
        ({"rtt": "5 ms"}, "Even a full buffer"),
        ({"reserve": "125 KB"}, "cannot evict"),
        ({"threshold": "1 packets", "tau": "0.9"}, "less than ECN"),
        ({"reserve": "9 packets"}, "B_l limits evictions only"),
    ],
)
def test_each_warning_has_its_cause(changes: dict[str, Any], words: str) -> None:
    assert any(words in warning for warning in parameters(**(TESTBED | changes)).warnings)
    assert not any(words in warning for warning in parameters(**TESTBED).warnings)


def warned(words: str, **changes: Any) -> bool:
    return any(words in warning for warning in parameters(**(TESTBED | changes)).warnings)


def test_the_warnings_begin_exactly_at_their_bounds() -> None:
    assert not warned("exceeds the buffer", threshold=125_000)
    assert warned("K + N a = 128.001 KB exceeds", threshold=125_001)
    assert not warned("smaller than C RTT", buffer=62_500)
    assert warned("smaller than C RTT", buffer=62_499)
    assert warned("cannot evict", reserve=121_600)
    assert not warned("cannot evict", reserve=121_599)
    assert not warned("cannot evict", tau=0)
    assert warned("B_l limits evictions", reserve="1/2")
    assert not warned("B_l limits evictions", reserve=0)


def test_one_flow_is_enough_and_the_sheet_says_what_it_assumes() -> None:
    sheet = parameters(**(TESTBED | {"flows": 1}))
    assert sheet["q_max_ecn"] == 69_000
    assumed = {item.name: item.assumption for item in sheet.parameters}
    assert assumed["least_threshold"].startswith("N synchronised windows")
    assert assumed["least_threshold"].endswith("K_min + N a <= B")


def test_dctcp_needs_a_smaller_threshold_than_halving() -> None:
    halving, dctcp = parameters(**TESTBED), parameters(**(TESTBED | {"cut": "0.1"}))
    assert dctcp["least_threshold"] == Fraction(62_500, 9) - 3_000
    assert halving["least_threshold"] == 59_500


GIVEN = {"rate_": "1 Gbps", "rtt": "500 us", "buffer": "128 KB", "flows": 2, "threshold": "45 packets", "tau": "0.95"}

SIZE = 'a size {} 0 such as "1 MB" or "64 KiB", in bytes if plain'


@pytest.mark.parametrize(
    ("field", "value", "accepted"),
    [
        ("rate", "0", 'a rate greater than 0 such as "10 Gbps" or "5 MB/s", in bytes per second if plain'),
        ("rtt", "0", 'a time greater than 0 such as "5 ms" or "10 us", in seconds if plain'),
        ("buffer", "0", SIZE.format("greater than")),
        ("flows", "0", "a whole number of at least 1"),
        ("threshold", "-1", SIZE.format("of at least")),
        ("threshold", "-1packets", "a number of at least 0"),
        ("tau", "-0.1", "a number of at least 0"),
        ("tau", "1.1", "a share from 0 to 1"),
        ("reserve", "128001", "at most the buffer, 128 KB"),
        ("segment", "0", SIZE.format("greater than")),
        ("cut", "0", "a number greater than 0"),
        ("cut", "1", "a share greater than 0 and less than 1"),
    ],
)
def test_values_beyond_a_border_are_refused_as_they_were_written(field, value, accepted):
    with pytest.raises(InputError) as error:
        parameters(**GIVEN | {"rate_" if field == "rate" else field: value})
    assert (error.value.field, error.value.accepted) == (field, accepted)
    assert error.value.value == value.removesuffix("packets")


@pytest.mark.parametrize(
    ("field", "value"), [("tau", 0), ("tau", 1), ("reserve", "128 KB"), ("cut", "99/100"), ("flows", 1)]
)
def test_values_on_a_border_are_accepted(field, value):
    assert parameters(**GIVEN | {field: value})["mu_ecn"] >= 0
