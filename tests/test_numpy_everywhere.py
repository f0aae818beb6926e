"""Every public constructor takes NumPy's scalars and arrays as it takes Python's numbers and lists: exactly."""

import dataclasses
import inspect
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import repeat
from typing import Any

import numpy as np
import pytest

import dtmodel
from dtmodel import Arrivals, Pool, QueueLimits, Scenario, Switch, compare, policies, sheet, simulate
from dtmodel.base import budgets
from dtmodel.base.errors import BudgetError
from dtmodel.theory import dt, threshold_family
from dtmodel.theory.dynaq import sheet as dynaq_sheet
from dtmodel.theory.l2bm import formulas as l2bm

BIG = 3 * 10**12  # in 64 bits its square wraps
SCENARIO = {
    "switch": {"ports": 2, "buffer": BIG, "rate": BIG},
    "policy": {"name": "dt", "alpha": 2},
    "queues": [{"arrivals": [[0, 3 * BIG], [2, 0]], "initial": 5, "rate": 7 * BIG}],
    "until": 4,
    "sample": [1, 2],
}
SWITCH = Switch(8, BIG, BIG)

MADE: dict[str, tuple[Callable[..., Any], list[Any], dict[str, Any]]] = {
    "DT": (dtmodel.DT, [2], {}),
    "DT, a list": (dtmodel.DT, [[2, BIG]], {}),
    "EDT": (dtmodel.EDT, [2], {"cn2": BIG, "tm1": 3, "tm2": 4}),
    "EDT, a list": (dtmodel.EDT, [[2, 3]], {"cn2": BIG, "tm1": None, "tm2": None}),
    "LQD": (dtmodel.LQD, [], {}),
    "CompleteSharing": (dtmodel.CompleteSharing, [], {}),
    "StaticPartition": (dtmodel.StaticPartition, [[BIG, 2]], {}),
    "Weighted": (dtmodel.Weighted, [[BIG, 2]], {}),
    "ABM": (policies.ABM, [[BIG, 2], [0, 1, 1], [1, 1, 1]], {}),
    "L2BM": (policies.L2BM, [2, [BIG, 3]], {}),
    "Pool": (Pool, [BIG, [0, 2]], {}),
    "QueueLimits": (QueueLimits, [BIG], {"reserved": 3, "cap": 9}),
    "SharedPools": (dtmodel.SharedPools, [[QueueLimits(1), QueueLimits(2, 3)], [Pool(BIG, [0, 1])]], {}),
    "Share": (policies.Share, [BIG], {"reserved": 3, "cap": 9}),
    "Hierarchy": (policies.Hierarchy, [[policies.Share(2)]], {"pools": {"pool": BIG}}),
    "Harmonic": (policies.Harmonic, [], {}),
    "FollowLQD": (policies.FollowLQD, [], {}),
    "Credence": (policies.Credence, [], {}),
    "LossPriorities": (policies.LossPriorities, [[BIG, 2]], {}),
    "Reverie": (policies.Reverie, [BIG], {"gamma": 0}),
    "Steps": (policies.Steps, [[BIG, 2], [3, BIG]], {}),
    "Occamy": (policies.Occamy, [BIG], {}),
    "Arrivals": (Arrivals, [[[0, BIG], [2, 0]]], {}),
    "Arrivals.constant": (Arrivals.constant, [BIG], {}),
    "Arrivals.burst": (Arrivals.burst, [BIG, 3], {"start": 1}),
    "Arrivals.on_off": (Arrivals.on_off, [BIG], {"on": 2, "off": 1, "bursts": 3, "start": 1}),
    "Switch": (Switch, [4, BIG, BIG], {}),
    "Scenario.read": (Scenario.read, [SCENARIO], {}),
}
ANSWERED: dict[str, tuple[Callable[..., Any], list[Any], dict[str, Any]]] = {
    "simulate": (
        lambda **how: simulate(SWITCH, dtmodel.DT(1), {0: Arrivals.constant(3 * BIG)}, **how).queues,
        [],
        {"until": 4, "initial": {0: 3}, "rates": {0: BIG}, "counts": {0: 2}},
    ),
    "theorem1": (
        dt.theorem1_corrected.evaluate,
        [SWITCH],
        {"alpha": 2, "steady": 1, "bursts": 2, "burst_rate": 3 * BIG, "durations": [5, 6]},
    ),
    "theorem3": (
        dt.theorem3_corrected.evaluate, [SWITCH], {"alpha": 2, "steady": 1, "burst_rates": (2 * BIG, 3 * BIG)}
    ),
    "compare": (compare, [SWITCH], {"bursts": 2, "steady": 1, "burst_rate": 3 * BIG, "alpha": 2}),
    "sheet dt": (sheet, ["dt", SWITCH], {"steady": 1, "bursts": 2, "burst_rate": 3 * BIG, "alpha": 2}),
    "sheet l2bm": (sheet, ["l2bm"], {"buffer": BIG, "sojourns": [1, BIG]}),
    "sheet l2bm, weights": (sheet, ["l2bm"], {"buffer": BIG, "weights": [1, BIG]}),
    "sheet dynaq": (dynaq_sheet.parameters, [BIG, BIG, 1, [1, 2]], {"packet": 5}),
    "sheet abm": (sheet, ["abm"], {"buffer": BIG, "alphas": [2, BIG], "priorities": [0, 1]}),
    "weighted steady state": (threshold_family.steady_state, [BIG, [BIG, 2]], {"offsets": [1, 2]}),
    "l2bm steady state": (l2bm.sojourn_steady_state, [BIG, [BIG, 2], 2], {}),
}  # fmt: skip


def with_numpy(value: Any, number: Callable[[int], Any], many: Callable[[list[Any]], Any]) -> Any:
    """Write every number with NumPy, and every list of numbers, or of lists of them, as an array."""
    if (
        isinstance(value, bool)
        or value is None
        or isinstance(value, str | Switch | Pool | QueueLimits | policies.Share)
    ):
        return value
    if isinstance(value, int):
        return number(value)
    if isinstance(value, dict):
        return {key: with_numpy(item, number, many) for key, item in value.items()}
    if isinstance(value, list) and all(isinstance(item, int | list) for item in value):
        return many(value)
    return [with_numpy(item, number, many) for item in value]


WAYS: dict[str, tuple[Callable[[int], Any], Callable[[list[Any]], Any]]] = {
    "int64": (np.int64, lambda values: np.array(values, dtype=np.int64)),
    "float64": (np.float64, lambda values: np.array(values, dtype=np.float64)),
    "arrays of one number": (np.array, lambda values: np.array(values, dtype=object)),
    "lists of scalars": (np.int64, lambda values: [np.int64(v) if isinstance(v, int) else list(map(np.int64, v))
                                                   for v in values]),
}  # fmt: skip


def numbers_in(value: object) -> Iterator[object]:
    """All that an object is made of."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield from numbers_in(getattr(value, field.name))
    elif isinstance(value, tuple | list):
        for item in value:
            yield from numbers_in(item)
    else:
        yield value


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", [*MADE, *ANSWERED])
def test_what_is_made_of_numpy_is_what_is_made_of_python(name: str, way: str) -> None:
    make, arguments, named = (MADE | ANSWERED)[name]
    expected = make(*arguments, **named)
    made = make(
        *(with_numpy(a, *WAYS[way]) for a in arguments), **{k: with_numpy(a, *WAYS[way]) for k, a in named.items()}
    )
    assert made == expected
    assert [type(part) for part in numbers_in(made)] == [type(part) for part in numbers_in(expected)]
    assert not any(isinstance(part, np.generic | np.ndarray) for part in numbers_in(made))


def test_the_walk_meets_every_policy_and_every_public_constructor() -> None:
    walked = {name.split(",")[0] for name in MADE}
    assert {name for name, kind in policies.classes().items() if kind.__module__.startswith("dtmodel.")} <= walked
    results = {"Run", "Scenario", *(n for n in dtmodel.__all__ if n.endswith("Error"))}
    public = {name for name in dtmodel.__all__ if inspect.isclass(getattr(dtmodel, name))} - results
    assert public <= walked
    for name in public:
        other = {key for key, item in vars(getattr(dtmodel, name)).items() if isinstance(item, classmethod)}
        read = {
            key for key in other if key.startswith(("read", "_")) or key in ("columns", "for_switch", "of", "place")
        }  # what documents and switches make
        assert {f"{name}.{key}" for key in other - read} <= walked


N = 10**12
ENDLESS: dict[str, Callable[[], object]] = {
    "on_off": lambda: Arrivals.on_off(1, 1, 1, N),
    "Arrivals of a range": lambda: Arrivals(range(N)),  # type: ignore[arg-type]  # not pairs, either
    "Arrivals of an iterator": lambda: Arrivals((k, 1) for k in iter(range(N))),
    "DT": lambda: dtmodel.DT(range(1, N)),
    "StaticPartition": lambda: dtmodel.StaticPartition(range(1, N)),
    "Weighted": lambda: dtmodel.Weighted(range(1, N)),
    "ABM": lambda: policies.ABM(range(1, N), range(N), range(N)),
    "L2BM": lambda: policies.L2BM(1, range(1, N)),
    "Pool": lambda: Pool(1, range(N)),
    "SharedPools": lambda: dtmodel.SharedPools(repeat(QueueLimits(1)), [Pool(1, [0])]),  # type: ignore[arg-type]
    "simulate": lambda: simulate(Switch(N, 1, 1), dtmodel.DT(1), {N - 1: Arrivals.constant(1)}, until=1),
    "compare": lambda: compare(Switch(N, 1, 1), bursts=N // 2),
    "sheet dt": lambda: sheet("dt", Switch(N, 1, 1), steady=N // 2),
    "sheet edt": lambda: sheet("edt", Switch(N, 1, 1)),
    "sheet dynaq": lambda: sheet("dynaq", buffer="1 MB", rate="1 Gbps", rtt="1 ms", weights=range(1, N)),
    "sheet l2bm": lambda: sheet("l2bm", buffer="1 MB", weights=range(1, N)),
    "sheet abm": lambda: sheet("abm", buffer="1 MB", alphas=[1], priorities=repeat(0)),
    "theorem3": lambda: dt.theorem3_corrected.evaluate(Switch(N, 1, 1), alpha=1, steady=0, burst_rates=range(2, N)),
    "a trace of EDT": lambda: dtmodel.trace(
        {"algorithm": "edt", "ports": N, "buffer": 1, "alpha": 1, "cn2": 1, "events": []}
    ),
    "the circuits of EDT": lambda: policies.edt_circuit.EdtPolicy(
        policies.edt_circuit.CircuitSettings(1, 3, 2, None, None), N, 1
    ),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_a_list_from_a_huge_number_is_refused_by_the_name_of_a_budget(name: str) -> None:
    with budgets.raised(events=2000), pytest.raises(BudgetError, match="a budget: "):
        ENDLESS[name]()


def test_the_closed_form_needs_no_list_of_its_bursts() -> None:
    found = dt.theorem1_corrected.evaluate(Switch(N, 1, 1), alpha=1, steady=0, bursts=N, burst_rate=2)
    assert found.first_drop == Fraction(1, N + 1)
