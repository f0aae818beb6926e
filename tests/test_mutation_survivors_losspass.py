"""What the mutants of LossPass and ECN taught: borders of what is accepted, ties, and where a search begins."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dtmodel import InputError
from dtmodel.fluid.edt import EdtEngine
from dtmodel.theory.absorbable_burst import EnhancedDynamicThreshold, Port, absorbable_burst
from dtmodel.theory.ecn import dctcp_alpha
from dtmodel.theory.losspass import burst_of_equal_victims, compare
from dtmodel.theory.losspass_parameters import parameters

F = Fraction

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


@pytest.mark.parametrize("tau", [F(-1, 2), F(3, 2)])
def test_a_comparison_is_of_shares_from_0_to_1(tau):
    with pytest.raises(InputError) as error:
        compare(F(8), F(1), 1, tau)
    assert (error.value.field, error.value.value, error.value.accepted) == ("tau", tau, "a share from 0 to 1")


def test_equal_victims_give_way_to_all_of_the_burst_where_nothing_is_reserved():
    """5 free bytes and 4 victims of 1 make room for 9 packets of 1; with a reserve of 1, for 8."""
    assert burst_of_equal_victims(F(10), F(1), 4, F(1), F(1)) == 9
    assert burst_of_equal_victims(F(10), F(1), 4, F(1), F(1), reserve=F(1)) == 8


def test_the_search_for_the_alpha_of_dctcp_begins_with_0_to_1():
    assert dctcp_alpha(F(60), F(20), 2, tolerance=F(2)) == (0, 1)
    assert dctcp_alpha(F(60), F(20), 2, tolerance=F(1, 2)) == (0, F(1, 2))


def test_a_queue_that_meets_its_share_as_tm2_ends_is_controlled_again():
    """At t = 16 it holds B / 4 = 16, and TM2 = 15, begun at 1, ends first; at 17 it is set free above B / 4 and loses.

    The ceiling of DT is far above, 8 (64 - 15/4) / 9.
    """
    rule = EnhancedDynamicThreshold(F(8), F(1), tm2=F(15), uncontrolled=4)
    others = [(F(2), F(2)), (F(13, 4), F(1))]
    engine = EdtEngine(
        F, F(64), [F(1)] * 4, [(F(8), F(0))] * 4, [[(F(0), F(2))], *[others] * 3], [F(0)] * 4,
        cn2=F(1), tm1=None, tm2=F(15),
    )  # fmt: skip
    _, queues = engine.run(F(18))
    assert [queue.at(F(16)) for queue in queues] == [16, F(5, 4), F(5, 4), F(5, 4)]
    assert queues[0].first_drop == 17
    port = Port(F(64), others=F(15, 4), line=F(1), burst=F(2))
    assert absorbable_burst(rule, port) == 2 * queues[0].first_drop
