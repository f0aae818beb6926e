"""What the mutants of the shared pools taught."""

from __future__ import annotations

from fractions import Fraction

import pytest

from dtmodel import Arrivals, InputError, Switch, simulate
from dtmodel.pools import Pool, QueueLimits, SharedPools

F = Fraction


@pytest.mark.parametrize(
    ("alpha", "cap", "free", "share"),
    [("1/2", 10, 10, 5), ("1/2", 10, 20, 10), ("1/2", 10, 30, 10), (2, 10, 4, 8), (2, 10, 8, 10), (2, None, 8, 16),
     (None, 7, 3, 7)],
)  # fmt: skip
def test_a_queue_may_hold_the_smaller_of_its_part_and_its_cap(alpha, cap, free, share):
    assert QueueLimits(alpha, cap=cap).shared(F(free)) == share


def test_a_cap_that_just_binds_at_first_binds_no_more_when_the_pool_fills():
    """F = 8 at first, where alpha F = cap = 4; the other queue's growth at 1 makes F fall, and T with it."""
    pools = SharedPools([QueueLimits("1/2", cap=4), QueueLimits(1)])
    run = simulate(
        Switch(2, 12, 1), pools, {0: Arrivals.constant(1), 1: Arrivals.constant(2)}, initial={0: 3, 1: 1}, until=2
    )
    assert [run.queue(0).threshold_at(t) for t in (0, 1, 2)] == [4, F(7, 2), 3]
    assert (run.dropped(0), run.dropped(1)) == (0, 0)


def test_reserves_and_pools_fill_the_buffer_together():
    pools = SharedPools([QueueLimits(1, reserved=3), QueueLimits(1)], [Pool(F(4), (0,)), Pool(F(4), (1,))])
    assert pools.partition(F(11)) == pools.pools
    with pytest.raises(InputError, match="bytes at most"):
        pools.partition(F(10))
