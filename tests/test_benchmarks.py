"""The compiled reference of the benchmarks, and the loop for numba, give the exact engine's answers."""

from fractions import Fraction
from importlib import import_module
from itertools import accumulate
from math import isnan, nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dtmodel import Scenario
from dtmodel.fluid import run_scenario

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
GENERIC, ROUND = 10**6, 4


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that imports a module of the benchmarks."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return import_module


def close(case: Scenario, queue: int, first: float | None) -> bool:
    exact = run_scenario(case, Fraction).first_drop(queue)
    return first is exact is None or (None not in (first, exact) and abs(first - exact) < 1e-6)  # type: ignore[operator]


@pytest.mark.needs("compiler")
@pytest.mark.parametrize("policy", ["dt", "weighted", "edt", "reserves", "caps", "pools", "complete", "static"])
def test_the_compiled_reference_answers_as_the_exact_engine(module: Any, policy: str) -> None:
    cases = [
        module("native").of_policy(policy, ports, parts, seed)
        for ports in (4, 16)
        for parts in (GENERIC, ROUND)
        for seed in range(6)
    ]
    reference = module("_reference").Reference(module("_reference").built(), cases)
    assert reference.run() > len(cases)
    for number, case in enumerate(cases):
        exact = run_scenario(case, Fraction)
        for queue, (first, dropped, length) in enumerate(reference.answer(number)):
            assert close(case, queue, first)
            assert dropped == pytest.approx(float(exact.dropped(queue)), abs=1e-6)
            assert length == pytest.approx(float(exact.queue(queue).at(case.until)), abs=1e-6)


@pytest.mark.parametrize("parts", [GENERIC, ROUND])
def test_the_loop_for_numba_answers_as_the_exact_engine(module: Any, parts: int) -> None:
    for seed in range(3):
        case = module("native").of_policy("dt", 4, parts, seed)
        traffic = [queue.arrivals for queue in case.queues]
        begins = np.array([0, *accumulate(len(each.times) for each in traffic)])
        times, rates = (
            np.array([float(x) for each in traffic for x in getattr(each, of)]) for of in ("times", "rates")
        )
        first = np.full(len(traffic), nan)
        assert module("_jitted").scan(begins, times, rates, 4.0, 1.0, float(case.until), first) > len(times)
        assert all(close(case, queue, None if isnan(found) else found) for queue, found in enumerate(first.tolist()))


def test_a_growth_that_was_too_fast_to_be_measured_is_beyond_its_bound(module: Any, capsys: Any) -> None:
    policies = module("policies")
    costs = {(name, "few", n): 1e-6 for name in policies.POLICIES for n in (4, 64, 1024)}
    for left_out, beyond in ((), 0), ((1024,), 1), ((64, 1024), 1):
        kept = {key: cost for key, cost in costs.items() if key[0] != "edt" or key[2] not in left_out}
        policies.print_bounds(kept, {}, 16_384)
        assert len(import_module("benchmarks.__main__").beyond(capsys.readouterr().out)) == beyond
