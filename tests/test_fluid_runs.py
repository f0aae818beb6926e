"""What goes into a fluid run and what is read from it: each value where it must go, each refusal at its border."""

from fractions import Fraction

import pytest

from dtmodel import DT, EDT, Arrivals, InputError, StaticPartition, Switch, simulate
from dtmodel.fluid.engine import Engine
from dtmodel.policies import Pool, QueueLimits, SharedPools

F = Fraction
TWO = Switch(2, 10, 1)


def test_a_run_knows_its_end_and_its_queues():
    run = simulate(TWO, DT(1), {0: Arrivals.burst(3, 1), 1: Arrivals.constant(2)}, until=5)
    assert run.until == 5
    assert run.queue(1) is run.queues[1]
    for index in (-1, 2):
        with pytest.raises(InputError, match="a queue from 0 to 1"):
            run.queue(index)


@pytest.mark.parametrize("port", [True, "0", -1, 2])
def test_a_port_is_a_whole_number_of_the_switch(port):
    with pytest.raises(InputError, match="a port from 0 to 1"):
        simulate(TWO, DT(1), {port: Arrivals.constant(1)}, until=1)


def test_without_ports_there_are_no_queues_and_the_buffer_is_free():
    run = simulate(TWO, DT(1), {}, until=3)
    assert run.queues == []
    assert (run.free.at(F(0)), run.free.at(F(3))) == (10, 10)


def test_a_port_has_its_own_rate_and_initial_length():
    run = simulate(TWO, DT(1), {0: Arrivals.constant(1)}, rates={0: 3, 1: 2}, initial={0: 3, 1: 1}, until=4)
    assert [run.queue(0).at(1), run.queue(1).at("1/4")] == [1, F(1, 2)]


@pytest.mark.parametrize(("change", "accepted"), [({"rates": {0: -1}}, "at least 0"), ({"until": 0}, "greater than 0")])
def test_a_rate_is_at_least_0_and_the_end_is_greater(change, accepted):
    with pytest.raises(InputError, match=accepted):
        simulate(TWO, DT(1), {0: Arrivals.constant(1)}, **({"until": 1} | change))


def test_steady_queues_share_what_the_others_leave():
    """F = (10 - 4) / (1 + 1/2): the steady queue starts at F / 2."""
    run = simulate(TWO, DT("1/2"), {0: Arrivals.constant(2)}, initial={0: "steady", 1: 4}, until=1)
    assert [run.queue(0).at(0), run.queue(1).at(0), run.free.at(F(0))] == [2, 4, 4]


def test_a_steady_queue_of_a_partition_starts_at_its_size():
    parts = StaticPartition([4, 6])
    run = simulate(TWO, parts, {0: Arrivals.constant(2)}, initial={0: "steady", 1: 6}, until=1)
    assert [run.queue(0).at(0), run.queue(1).at(0), run.free.at(F(0))] == [4, 6, 0]
    for too_long in ("13/2", 9):
        with pytest.raises(InputError, match="the buffer can hold"):
            simulate(TWO, parts, {0: Arrivals.constant(2)}, initial={0: "steady", 1: too_long}, until=1)


@pytest.mark.parametrize(
    ("timers", "first_drop"),
    [((None, None), 4), (("1/2", None), 2), ((2, None), 4), ((None, 1), 2), ((None, 2), 3), (("3/2", 2), 3)],
)
def test_each_timer_goes_where_it_belongs(timers, first_drop):
    """B = 4, R = 2 C: DT drops at 2; uncontrolled from c2 = 1 at t = 1 on, until TM2 expires or the buffer is full."""
    tm1, tm2 = timers
    policy = EDT(alpha=1, cn2=1, tm1=tm1, tm2=tm2)
    assert simulate(Switch(1, 4, 1), policy, {0: Arrivals.constant(2)}, until=9).first_drop(0) == first_drop


def test_the_threshold_of_an_edt_queue_follows_its_state():
    run = simulate(Switch(1, 4, 1), EDT(alpha=1, cn2=1), {0: Arrivals.constant(2)}, until=9)
    assert run.queue(0).limits == [(0, 1, 0), (1, 0, 4), (4, 1, 0)]
    assert [run.queue(0).threshold_at(t) for t in ("1/2", 1, 3, 4, 5)] == [F(7, 2), 4, 4, 0, 1]


def test_a_queue_that_has_run_empty_is_empty_to_the_last_bit_in_floats():
    """0.9 - 0.3 (0.9 / 0.3) is 1e-16 in floats: no queue, and no event of its own."""
    engine = Engine(float, 3.0, [0.3], [(1.0, 0.0)], [[(10.0, 0.1)]], [0.9])
    _, queues = engine.run(20.0)
    assert 0.9 - 0.3 * (0.9 / 0.3) > 0
    assert [(s.length, s.slope) for s in queues[0].segments] == [(0.9, -0.3), (0.0, 0.0), (0.0, 0.0)]


def test_lengths_and_totals_are_read_at_any_time_within_the_run():
    run = simulate(Switch(1, 6, 1), DT(1), {0: Arrivals([(0, 3), (4, 0)])}, until=9)
    queue = run.queue(0)
    assert [queue.at(t) for t in (0, "1/2", "3/2", 2, 4, 5, 7, 9)] == [0, 1, 3, 3, 3, 2, 0, 0]
    assert [queue.dropped(t) for t in (0, "3/2", 2, 4, 9)] == [0, 0, 1, 5, 5]
    assert [queue.drained(t) for t in (0, 1, 7, 9)] == [0, 1, 7, 7]
    assert queue.breakpoints == (0, F(3, 2), 4, 7, 9)
    assert [run.free.at(F(t)) for t in (0, 1, 9)] == [6, 4, 6]
    for time in (-1, F(-1, 2), "91/10"):
        with pytest.raises(InputError, match="a time"):
            queue.at(time)
    with pytest.raises(InputError, match="a time from 0 to 9 s"):
        run.free.at(F(10))
    with pytest.raises(InputError, match="a time from 0 to 9 s"):
        run.free.at(F(-1))


def test_a_queue_off_its_threshold_has_no_breakpoints_of_the_free_buffer():
    """Queue 0 is on its threshold from 1 to 2 only; queue 1 is on its own until 5, and bends whenever F does."""
    traffic = {0: Arrivals.burst(3, 2), 1: Arrivals([(0, 2), (3, 4), (5, 1)])}
    run = simulate(Switch(2, 6, 1), DT(1), traffic, initial={1: "steady"}, until=8)
    assert run.queue(0).breakpoints == (0, 1, 2, 4, 8)
    assert run.queue(1).breakpoints == (0, 1, 2, 3, 4, 5, 8)


def test_what_lies_in_a_pool_at_first_fits_into_it():
    """Two pools of 4: a queue of 4 fills its own; more does not fit, however much is free in the other."""
    pools = SharedPools([QueueLimits(1), QueueLimits(1)], [Pool(F(4), (0,)), Pool(F(4), (1,))])
    run = simulate(Switch(2, 8, 1), pools, {}, initial={0: 4, 1: 0}, until=1)
    assert [run.queue(0).at(0), run.free.at(F(0))] == [4, 4]
    for too_long in ("9/2", 7):
        with pytest.raises(InputError, match="lengths that the pool can hold"):
            simulate(Switch(2, 8, 1), pools, {}, initial={0: too_long, 1: 0}, until=1)
