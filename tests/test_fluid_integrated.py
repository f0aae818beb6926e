"""A third route to fluid runs: SciPy's solve_ivp with terminal events and explicit modes, against the exact engine."""

import random
from collections.abc import Callable

import pytest

from dtmodel import DT, Arrivals, InputError, Run, StaticPartition, Switch, Weighted, simulate
from validation.edt.integrated import agrees, integrated
from validation.edt.pulses import DRAWS


def drawn(rng: random.Random, weighted: bool) -> Run:
    """Steady queues beside bursts of any rate that end within the run, as the bursts of the benchmark do."""
    steady, bursts = rng.randint(0, 4), rng.randint(1, 6)
    arrivals = {port: Arrivals.constant(2) for port in range(steady)}
    for port in range(steady, steady + bursts):
        arrivals[port] = Arrivals.burst(f"{rng.randint(3, 40)}/2", f"{rng.randint(1, 40)}/10")
    initial = dict.fromkeys(range(steady), "steady")
    alphas = ["1/2", 1, 2, 8]
    policy = Weighted([rng.choice(alphas) for _ in arrivals]) if weighted else DT(rng.choice(alphas))
    return simulate(Switch(16, 10, 1), policy, arrivals, initial=initial, until=10)


@pytest.mark.parametrize("weighted", [False, True])
def test_an_integrator_with_modes_agrees_with_the_exact_engine(weighted: bool) -> None:
    rng = random.Random(1)
    for _ in range(8):
        run = drawn(rng, weighted)
        lengths, drops = integrated(run.scenario)
        assert agrees((lengths, drops), run, run.scenario)
        assert not agrees(([length + 1e-4 for length in lengths], drops), run, run.scenario)
        assert not agrees((lengths, [None if drop is None else drop + 1e-4 for drop in drops]), run, run.scenario)
        assert not agrees((lengths, [1.0 if drop is None else None for drop in drops]), run, run.scenario)


@pytest.mark.parametrize("draw", DRAWS)
def test_an_integrator_with_modes_agrees_on_what_remembers_and_what_has_pools(draw: Callable[..., Run]) -> None:
    rng, dropped = random.Random(2), 0
    for _ in range(12):
        run = draw(rng)
        lengths, drops = integrated(run.scenario)
        assert agrees((lengths, drops), run, run.scenario), run.scenario
        assert not agrees(([length + 1e-3 for length in lengths], drops), run, run.scenario)
        dropped += sum(drop is not None for drop in drops)
    assert dropped > 8


def test_the_integrator_says_which_policies_it_knows() -> None:
    run = simulate(Switch(2, 10, 1), StaticPartition([2]), {0: Arrivals.constant(2)}, until=1)
    with pytest.raises(InputError, match="CompleteSharing"):
        integrated(run.scenario)
