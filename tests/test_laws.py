"""Every law of the fluid model holds exactly in exact numbers, and nearly in floats."""

from dataclasses import replace
from fractions import Fraction
from itertools import count
from random import Random
from unittest.mock import patch

import laws
import pytest

from dtmodel import DT, Arrivals, CompleteSharing, Scenario
from dtmodel.fluid import run_scenario
from dtmodel.strategies import scenario_generator


def applicable(law, number, wanted):
    """Try seeded scenarios until the law has applied to so many."""
    applied, seed = 0, 0
    while applied < wanted:
        random = Random(f"{law.__name__}/{seed}")
        document = scenario_generator.draw_scenario(random, laws.UNDER.get(law), plain=True)
        applied += law(document, random, number)
        seed += 1
        assert seed < 40 * wanted, "the law applies to almost nothing"
    return applied


@pytest.mark.parametrize("wanted", [6, pytest.param(100, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("law", [law for law in laws.LAWS if law is not laws.floats_are_near_exact_numbers])
def test_laws_hold_exactly(law, wanted):
    assert applicable(law, Fraction, wanted) == wanted


@pytest.mark.parametrize("wanted", [4, pytest.param(60, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("law", laws.LAWS)
def test_laws_hold_nearly_in_floats(law, wanted):
    wanted *= 6 if law is laws.floats_are_near_exact_numbers else 1
    assert applicable(law, float, wanted) == wanted


def test_a_rounded_run_of_two_pools_reads_each_queue_beside_its_own_pool():
    """Where rounding cannot decide, the exact run is rounded: a queue on its threshold follows its own pool's F."""
    limits = [{"alpha": "1"}, {"alpha": "1"}]
    pools = [{"size": "4", "queues": [0]}, {"size": "2", "queues": [1]}]
    document = {
        "switch": {"ports": 2, "buffer": "6", "rate": "1"},
        "policy": {"name": "pools", "limits": limits, "pools": pools},
        "queues": [{"arrivals": [["0", "3"]]}, {"arrivals": [["0", "2"]]}],
        "until": "4",
        "sample": ["3"],
    }
    exact = run_scenario(Scenario.read(document), Fraction)
    with patch("dtmodel.fluid.simulation.can_run", lambda _: False):
        rounded = run_scenario(Scenario.read(document), float)
    for place in (0, 1):
        assert rounded.queue(place).at(3.0) == float(exact.queue(place).at(Fraction(3)))
    assert [float(exact.queue(place).at(Fraction(3))) for place in (0, 1)] == [2.0, 1.0]


def more_traffic(scenario, call):
    """Every second run is offered a tenth more."""
    queues = [
        replace(
            q, arrivals=Arrivals([(t, r * 11 / 10) for t, r in zip(q.arrivals.times, q.arrivals.rates, strict=True)])
        )
        for q in scenario.queues
    ]
    return replace(scenario, queues=tuple(queues)) if call % 2 else scenario


def another_policy(scenario, call):
    """Every run is one under DT with an alpha of 1, or under complete sharing."""
    steady = any(queue.initial is None for queue in scenario.queues)
    return replace(scenario, policy=DT(1) if call % 3 or steady else CompleteSharing())


@pytest.mark.parametrize("law", [law for law in laws.LAWS if law is not laws.floats_are_near_exact_numbers])
def test_every_law_notices_a_wrong_engine(law, monkeypatch):
    noticed = 0
    for wrong in (more_traffic, another_policy):
        calls = count()
        changed = lambda s, number, wrong=wrong, calls=calls: run_scenario(wrong(s, next(calls)), number)  # noqa: E731
        monkeypatch.setattr(laws, "run_scenario", changed)
        for seed in range(300):
            random = Random(f"{law.__name__}/{seed}")
            document = scenario_generator.draw_scenario(random, laws.UNDER.get(law), plain=True)
            try:
                law(document, random, Fraction)
            except AssertionError:
                noticed += 1
                break
    assert noticed


def test_a_rounded_run_is_near_the_exact_one_however_steep_a_threshold_is():
    """A threshold of 10^12 F, read off a rounded F between instants that round to one, would be bytes away."""
    steep = {"arrivals": [["0", "13/3"]], "alpha": "1000000000000", "initial": "5"}
    document = {
        "switch": {"ports": 3, "buffer": "15/2", "rate": "1"},
        "policy": {"name": "dt", "alpha": "1/2"},
        "queues": [{"initial": "5/2"}, steep, {"arrivals": [["1/2", "1000000"]]}],
        "until": "1",
    }
    with patch("dtmodel.fluid.simulation.can_run", lambda _: False):
        assert laws.floats_are_near_exact_numbers(document, Random(1), float)
