"""The network in the native core: results equal to those in Python, and compiled policies equal to callbacks."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtmodel.network import compiled
from dtmodel.network.compiled import run_compiled
from dtmodel.network.doors import (
    DROP,
    ENTER,
    ENTER_MARKED,
    AdmissionDoor,
    ArbiterDoor,
    Door,
    Marking,
    PortThreshold,
    SchemeDoor,
)
from dtmodel.network.experiment import EXAMPLE, Experiment, Setting
from dtmodel.network.fabric import Network
from dtmodel.network.integers import draw
from dtmodel.network.workload import Outcome, Run
from dtmodel.strategies import experiments
from dtmodel.strategies.network_generator import draw_experiment

pytestmark = pytest.mark.needs("native")


def in_python(setting: Setting, seed: int) -> Outcome:
    return Run(setting.network(seed), setting.transport, setting.workload).finished()


def in_the_core(setting: Setting, seed: int, **callbacks: bool) -> Outcome:
    found = run_compiled(setting.network(seed), setting.transport, setting.workload, **callbacks)
    assert found is not None
    return found


def first(experiment: Experiment) -> Setting:
    return experiment.setting("base", next(iter(experiment.policies)), [*experiment.sizes, None][0])


def setting(policy: dict[str, Any] | None = None, **changes: dict[str, Any]) -> Setting:
    """The settings of three servers that answer together and lose segments."""
    network = EXAMPLE["network"] | {"buffer": "30 KB"} | changes.pop("network", {})
    policies = {"P": policy or {"name": "dt", "alpha": "1"}}
    return first(Experiment.read({**EXAMPLE, "network": network, "policies": policies, **changes}))


@settings(max_examples=20, deadline=None)
@given(experiments(), st.integers(0, 2**64))
def test_the_core_and_python_have_one_outcome(experiment: Experiment, seed: int) -> None:
    assert in_the_core(first(experiment), seed) == in_python(first(experiment), seed)


@settings(max_examples=20, deadline=None)
@given(experiments(), st.integers(0, 9))
def test_a_compiled_policy_decides_as_its_callback(experiment: Experiment, seed: int) -> None:
    case = first(experiment)
    assert in_the_core(case, seed) == in_the_core(case, seed, callbacks=True)


@pytest.mark.parametrize("seed", range(0, 300, 50))
def test_fifty_networks_have_one_outcome_in_the_core_by_callback_and_in_python(seed: int) -> None:
    for number in range(seed, seed + 50):
        case = first(Experiment.read(draw_experiment(random.Random(number))))
        expected = in_python(case, number)
        assert in_the_core(case, number) == in_the_core(case, number, callbacks=True) == expected


COMPILED: list[dict[str, Any]] = [
    {"name": "dt", "alpha": "3/7"},
    {"name": "edt", "alpha": "1", "cn1": 3, "cn2": 3_000, "tm1": "1/3 ms", "tm2": "1 ms"},
    {"name": "complete", "mark_after": "20 us"},
    {"name": "best-effort", "mark": 6_000},
    {"name": "pql", "weights": [1, 2]},
    {"name": "dynaq", "weights": [1, 2], "mark_port": 3_000},
    {"name": "losspass", "reserve_large": 3_000},
    {"name": "best-effort", "mark_rounds": "60 us"},
    {"name": "pql", "strict": 1},
    {"name": "dynaq", "strict": 1, "admit": "thresholds"},
    {"name": "port-dt", "alpha": "1/2", "mark": 3_000, "mark_port": 6_000, "mark_both": True},
    {"name": "port-dt", "alpha": "3/7", "evict": True, "mark": 6_000},
]


@pytest.mark.parametrize("policy", COMPILED, ids=lambda policy: " ".join(map(str, policy.values())))
def test_the_policies_of_the_papers_decide_in_the_core(policy: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    case = setting(policy, network={"queues": 2, "freed": "start", "scheduler": "drr"}, transport={"control": "dctcp"})
    expected = in_python(case, 1)
    for door in (AdmissionDoor, SchemeDoor, ArbiterDoor, PortThreshold, Marking):
        monkeypatch.delattr(door, "arrive")
        monkeypatch.setattr(door, "__abstractmethods__", frozenset())
    assert in_the_core(case, 1) == expected


def test_longest_queue_drop_is_a_callback_of_the_core() -> None:
    case = setting({"name": "lqd"}, network={"queues": 2, "buffer": "9 KB"})
    found = in_the_core(case, 1)
    assert found == in_python(case, 1)
    assert sum(found.pushed) > 0


class Whim(Door):
    """A door from outside: hashes drop and mark packets, and push out others from anywhere in their queues."""

    def arrive(self, now: int, place: int, size: int) -> int:
        chance, waiting = draw(now, place, size), self.memory.waiting[place]
        if chance % 31 == 0:
            return DROP
        if chance % 7 == 0 and waiting:
            self.memory.push_out(place, chance // 7 % len(waiting))
        self.memory.enter(place, size)
        return ENTER_MARKED if chance % 5 == 0 else ENTER


class Broken(Door):
    """A door that divides by zero at the first full segment."""

    def arrive(self, now: int, place: int, size: int) -> int:
        self.memory.enter(place, size)
        return ENTER if size < 1_000 else now // 0


def network_of(door: type[Door], case: Setting, **freed: str) -> Network:
    return Network(case.topology, lambda *_: door(), case.buffer, **freed)  # type: ignore[arg-type]  # a keyword


@pytest.mark.parametrize("freed", ["start", "end"])
def test_a_door_from_outside_decides_alike_in_both_engines(freed: str) -> None:
    case = setting()
    once, again = (network_of(Whim, case, freed=freed) for _ in range(2))
    found = run_compiled(once, case.transport, case.workload)
    assert found == Run(again, case.transport, case.workload).finished()
    assert found is not None
    assert min(sum(found.dropped), sum(found.pushed), sum(found.resent)) > 0


def test_an_error_in_a_door_ends_the_run() -> None:
    case = setting()
    with pytest.raises(ZeroDivisionError):
        run_compiled(network_of(Broken, case), case.transport, case.workload)


def test_an_experiment_runs_in_the_core(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = in_python(setting(), 4)
    monkeypatch.delattr(Run, "finished")
    assert setting().run(4) == expected


@pytest.mark.parametrize(
    ("network", "transport"),
    [
        ({}, {"min_rto": "2000000 s"}),
        ({}, {"initial_window": 2**21}),
        ({"rate": "3/1000 B/s", "round_trip": "1100000 s"}, {"syn_timeout": "900000 s", "min_rto": "900000 s"}),
    ],
    ids=["a timeout", "a window", "the queue of a link"],
)
def test_numbers_that_are_too_large_for_the_core_run_in_python(
    network: dict[str, Any], transport: dict[str, Any]
) -> None:
    case = setting(network=network, transport=transport)
    assert run_compiled(case.network(1), case.transport, case.workload) is None
    assert case.run(1) == in_python(case, 1)


def test_without_the_core_python_runs_experiments(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = setting().run(2)
    monkeypatch.setattr(compiled, "_library", lambda: None)
    assert setting().run(2) == expected
