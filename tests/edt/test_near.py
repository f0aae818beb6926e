"""Packets beside the fluid: what the evidence of edt.ours.near.packets notices."""

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from dtmodel import Arrivals, Switch, simulate
from dtmodel.companion.words.fluid import FluidRun
from dtmodel.companion.words.packets import PacketLengths, Train, apart, delivered
from dtmodel.policies import Weighted
from validation.edt import near


def train(many: int, rate: int) -> Train:
    """Packets of a byte, from 0 on."""
    return [[Fraction(0), Fraction(many), Fraction(1), Fraction(rate)]]


def test_the_bound_of_one_port_is_that_of_the_statement() -> None:
    one = near.Drawn([Fraction(1, 2)], Fraction(20), [train(3, 2)])
    assert one.bound == 1 + (Fraction(3, 2) * 3 + Fraction(1, 2))


def test_the_bound_of_three_ports_has_the_factor_of_the_second_pair() -> None:
    assert (
        near.Drawn([Fraction(1), Fraction(1, 2), Fraction(1)], Fraction(9), [train(1, 1)] * 3).bound
        == 1 + (4 * 2 + 1) * 3
    )


def test_a_burst_of_packets_is_the_fluid_and_at_most_a_packet() -> None:
    burst = near.Drawn([Fraction(1)], Fraction(20), [train(8, 2)], Fraction(4))
    assert burst.farthest() == 1


def test_thresholds_that_are_not_the_packets_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def with_other_weights(switch: Any, policy: Weighted, flows: Any, **settings: Any) -> Any:
        return simulate(switch, Weighted([4 * weight for weight in policy.weights]), flows, **settings)

    monkeypatch.setattr(near, "simulate", with_other_weights)
    with pytest.raises(AssertionError, match="bytes apart"):
        near.packets_stay_near_the_fluid_in_seeded_runs()


def test_the_draws_have_ports_that_drop() -> None:
    rng = random.Random(7)
    drops = [len(kept) < sum(len(delivered(train)) for train in drawn.trains) - 10 for drawn, kept in stepped(rng)]
    assert sum(drops) >= 3


def stepped(rng: random.Random) -> Iterator[tuple[near.Drawn, list[Fraction]]]:
    """Six switches, each with the instants at which a queue became longer."""
    for drawn in [near.draw(rng) for _ in range(6)]:
        grows = [time for steps in drawn.step_by_step() for (_, was), (time, now) in pairwise(steps) if now > was]
        yield drawn, grows


def test_a_queue_on_its_threshold_takes_no_packet(monkeypatch: pytest.MonkeyPatch) -> None:
    class AtMost(near.PacketLengths):
        """Takes a packet on the threshold, too."""

        def admits(self, port: int, length: Any, free: Any, now: Any) -> bool:
            del now
            return bool(length <= self.weights[port] * free)

        def __init__(self, *run: Any) -> None:
            self.weights = run[-1]
            super().__init__(*run)

    monkeypatch.setattr(near, "PacketLengths", AtMost)
    with pytest.raises(AssertionError, match="port"):
        near.the_steps_in_coq_are_those_of_the_packet_engine()


def test_between_two_changes_the_fluid_may_be_farthest_inside() -> None:
    one = Fraction(1)
    fluid = FluidRun(simulate(Switch(1, 9, 1), Weighted([1]), {0: Arrivals([(0, 3), (1, 0)])}, until=4))
    packets = PacketLengths([[[4 * one, one, one, one]]], 4 * one, 9 * one, one, [one])
    assert packets.steps(one) == [(0, 0)]
    assert apart(fluid, packets, one) == 2


def test_two_queues_stray_by_eps_each_and_twice_together() -> None:
    assert near.farthest_moves(2, 3, 2) == (Fraction(1), Fraction(2))
