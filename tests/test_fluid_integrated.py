"""A third route to fluid runs: SciPy's solve_ivp with terminal events and explicit modes, on few of the benchmark's."""

from __future__ import annotations

import importlib.util
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from dtmodel.fluid import run_scenario

SCRIPT = Path(__file__).parents[1] / "benchmarks" / "fluid.py"


@pytest.fixture(scope="module")
def benchmark() -> Any:
    spec = importlib.util.spec_from_file_location("integrated_fluid", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_an_integrator_with_modes_agrees_with_the_exact_engine(benchmark: Any) -> None:
    rng = random.Random(7)
    for _ in range(12):
        case = benchmark.scenario(rng)
        truth = run_scenario(case, Fraction)
        lengths, drops = benchmark.carefully(case)
        assert benchmark.right(lengths, drops, truth, case)
        assert not benchmark.right([length + 1 for length in lengths], drops, truth, case)
        assert not benchmark.right(lengths, [None if drop else 1.0 for drop in drops], truth, case)
