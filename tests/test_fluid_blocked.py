"""A buffer that is full of bytes of blocked queues admits nothing: flat policies, trees of limits and packets."""

import random
from collections.abc import Sequence
from fractions import Fraction

import pytest
from test_fluid_hierarchy import agree, one_level

from dtmodel import Arrivals, Switch, simulate
from dtmodel.fluid import Run, run_scenario
from dtmodel.fluid.scenario import QueueScenario, Scenario
from dtmodel.packet.engine import run_packets
from dtmodel.policies import DT, EDT, CompleteSharing, Policy, SharedPools
from dtmodel.policies.formulas import QueueLimits

F = Fraction
BUFFER, UNTIL = F(6), F(12)
SLOW = (F(0), F(1, 3), F(1, 2), F(5, 7))
"""Arrival rates of a queue of rate 1 that stays empty."""


def draw_policy(rng: random.Random, name: str, n: int) -> Policy:
    if name == "complete":
        return CompleteSharing()
    if name == "dt":
        return DT(rng.choice((1, 2, F(1, 2))))
    own = [rng.choice(("oo", "oo", 1)) for _ in range(n)]
    reserves = [rng.choice((0, 0, F(1, 2))) for _ in range(n)]
    caps = [rng.choice((None, None, F(2))) for _ in range(n)]
    limits = [QueueLimits(*each) for each in zip(own, reserves, caps, strict=True)]
    return SharedPools(limits)


def draw(seed: int, name: str, rates: Sequence[Fraction] = (*SLOW, F(3, 2))) -> Scenario:
    """Blocked queues that fill the buffer, in the run or before, or not, beside empty ones that are offered `rates`."""
    rng = random.Random(f"{name} {seed}")
    n = rng.randint(2, 4)
    blocked, policy = rng.randint(1, n - 1), draw_policy(rng, name, n)
    others = sum(limit.reserved for limit in policy.limits[1:]) if isinstance(policy, SharedPools) else 0
    held = rng.choice((F(0), BUFFER - others, F(4)))
    queues = []
    for place in range(n):
        rate = F(place >= blocked)
        pieces = [(F(t), rng.choice(rates if rate else (F(0), F(1), F(2)))) for t in (0, 3, 7)]
        queues.append(QueueScenario(Arrivals(pieces), held if place == 0 else F(0), rate))
    return Scenario(seed, Switch(n, BUFFER, 1), policy, tuple(queues), UNTIL)


def closed_from(run: Run[Fraction]) -> Fraction | None:
    """The first breakpoint from which on the buffer is full of bytes of blocked queues; None if there is none."""
    rates = [queue.rate for queue in run.scenario.queues]
    for time, free in zip(run.free.times, run.free.values, strict=True):
        if free == 0 and all(queue.at(time) == 0 for queue, rate in zip(run.queues, rates, strict=True) if rate):
            return time
    return None


@pytest.mark.parametrize(("name", "closed"), [("complete", 28), ("pools", 19), ("dt", 11)])
def test_a_tree_of_one_level_admits_what_the_flat_policy_does(name: str, closed: int) -> None:
    runs = []
    for seed in range(30):
        scenario = draw(seed, name)
        agree(scenario, one_level(scenario, ("parent", "pool")[seed % 2]))
        runs.append(run_scenario(scenario, F))
    assert sum(closed_from(run) is not None for run in runs) == closed


def arrivals_in_packets(arrivals: Arrivals, size: Fraction) -> list[tuple[Fraction, Fraction, None]]:
    """The instants at which another `size` bytes have arrived."""
    made, left = [], size
    for begin, end, rate in zip(arrivals.times, (*arrivals.times[1:], UNTIL), arrivals.rates, strict=True):
        now = begin
        while rate * (end - now) >= left:
            now, left = now + left / rate, size
            made.append((now, size, None))
        left -= rate * (end - now)
    return made


def sent_in_packets(scenario: Scenario, size: Fraction) -> list[Fraction]:
    queues = scenario.queues
    done = run_packets(
        buffer=BUFFER,
        rates=[queue.rate for queue in queues],
        policy=scenario.policy,
        streams=[arrivals_in_packets(queue.arrivals, size) for queue in queues],
        until=UNTIL,
        initial=[[size] * int((queue.initial or 0) / size) for queue in queues],
    )
    return done.sent


@pytest.mark.parametrize("name", ["complete", "pools", "dt"])
def test_small_packets_send_what_the_fluid_does(name: str) -> None:
    """Arrivals below the rate of a served queue, so that each of them is admitted, or none; within two packets."""
    for seed in range(12):
        scenario, size = draw(seed, name, SLOW), F(1, 32)
        run, sent = run_scenario(scenario, F), sent_in_packets(scenario, size)
        assert all(abs(run.drained(i) - sent[i]) <= 2 * size for i in range(len(sent))), seed


def test_a_reserve_in_use_leaves_no_room_to_a_queue_without_one() -> None:
    """The second queue loses only what its reserve cannot hold and send, the third everything."""
    policy = SharedPools([QueueLimits("oo"), QueueLimits("oo", F(1, 2)), QueueLimits("oo")])
    arrivals = {1: Arrivals.constant(F(3, 2)), 2: Arrivals.constant(F(1, 2))}
    run = simulate(Switch(3, BUFFER, 1), policy, arrivals, until=3, rates={0: 0}, initial={0: F(11, 2)})
    assert (run.queue(1).at(3), run.drained(1), run.drained(2)) == (F(1, 2), 3, 0)


def test_a_burst_that_edt_lets_fill_the_buffer_shuts_out_the_others() -> None:
    arrivals = {0: Arrivals([(0, 2), (4, 0)]), 1: Arrivals.constant(F(1, 2))}
    run = simulate(Switch(2, BUFFER, 1), EDT(1, cn2=1, tm1=9, tm2=9), arrivals, until=UNTIL, rates={0: 0})
    assert (run.queue(0).at(UNTIL), run.drained(1), run.dropped(1)) == (BUFFER, F(3, 2), F(9, 2))


@pytest.mark.parametrize(("offered", "passed"), [(1, F(1, 1000)), (0, 1)])
def test_a_rate_that_goes_to_0_shuts_a_full_buffer_only_if_something_is_offered_to_its_queue(
    offered: int, passed: Fraction
) -> None:
    """A rate e leaves p = e / R of a full buffer, which goes to 0; but if R = 0 the buffer is not full at once."""

    def share(rate: Fraction) -> Fraction:
        run = simulate(Switch(2, BUFFER, 1), CompleteSharing(),
                       {0: Arrivals.constant(offered), 1: Arrivals.constant(F(1, 2))},
                       until=1, rates={0: rate}, initial={0: BUFFER})  # fmt: skip
        return 2 * run.drained(1)

    assert (share(F(1, 1000)), share(F(0))) == (passed, 0)
