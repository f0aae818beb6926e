"""Packets beside the fluid: what the evidence of edt.ours.near.packets notices."""

import random
from fractions import Fraction
from typing import Any

import pytest

from dtmodel import simulate
from dtmodel.packet.engine import run_packets
from dtmodel.policies import Weighted
from validation.edt import near


def test_the_bound_of_one_port_is_that_of_the_statement() -> None:
    one = near.Drawn([Fraction(1, 2)], Fraction(20), [[(3, Fraction(1), Fraction(2), Fraction(0))]])
    assert one.bound == 1 + (Fraction(3, 2) * 3 + Fraction(1, 2))


def test_the_bound_of_three_ports_has_the_factor_of_the_second_pair() -> None:
    group = [(1, Fraction(1), Fraction(1), Fraction(0))]
    assert near.Drawn([Fraction(1), Fraction(1, 2), Fraction(1)], Fraction(9), [group] * 3).bound == 1 + (4 * 2 + 1) * 3


def test_a_burst_of_packets_is_the_fluid_and_at_most_a_packet() -> None:
    burst = near.Drawn([Fraction(1)], Fraction(20), [[(8, Fraction(1), Fraction(2), Fraction(0))]])
    assert burst.farthest(Fraction(4), Fraction(1, 8)) == 1


def test_thresholds_that_are_not_the_packets_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def with_other_weights(switch: Any, policy: Weighted, flows: Any, **settings: Any) -> Any:
        return simulate(switch, Weighted([4 * weight for weight in policy.weights]), flows, **settings)

    monkeypatch.setattr(near, "simulate", with_other_weights)
    with pytest.raises(AssertionError, match="bytes apart"):
        near.packets_stay_near_the_fluid_in_seeded_runs()


def test_the_draws_have_ports_that_drop(monkeypatch: pytest.MonkeyPatch) -> None:
    lost: list[int] = []

    def counted(**settings: Any) -> Any:
        done = run_packets(**settings)
        lost.append(len(done.lost))
        return done

    monkeypatch.setattr(near, "run_packets", counted)
    for drawn in [near.draw(rng) for rng in [random.Random(7)] for _ in range(6)]:
        drawn.farthest(Fraction(60), Fraction(1, 2))
    assert sum(number > 10 for number in lost) >= 3


def test_two_queues_stray_by_eps_each_and_twice_together() -> None:
    assert near.farthest_moves(2, 3, 2) == (Fraction(1), Fraction(2))
