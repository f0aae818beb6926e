"""A threshold is written once: altered in its one home, it changes what every door answers."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from dtmodel import DT, Arrivals, Switch, compare, derive, policies, simulate
from dtmodel.companion.words import VOCABULARY
from dtmodel.fluid import run_scenario
from dtmodel.fluid.scenario import Scenario
from dtmodel.modelcheck import PolicySwitch, explore
from dtmodel.packet.engine import run_packets
from dtmodel.policies import ABM, L2BM, LQD, CompleteSharing, StaticPartition, Threshold, formulas
from dtmodel.theory.absorbable_burst import FilledPort, PolicyRoom

F = Fraction
SCENARIO = {
    "switch": {"ports": 1, "buffer": "6", "rate": "1"}, "queues": [{"arrivals": [["0", "3"]]}], "until": "4",
}  # fmt: skip
FAMILY = {"symbols": {"B": "> 0", "C": "> 0", "R": "> C"}, "switch": {"buffer": "B", "rate": "C"},
          "queues": [{"arrivals": [["0", "R"]]}], "ask": [{"first_drop": 0}]}  # fmt: skip
PACKETS = [[(F(k, 3), F(1), None) for k in range(12)]]


def run_of(document: Any, number: Any) -> Any:
    return run_scenario(Scenario.read({**SCENARIO, "policy": document}), number).first_drop(0)


def claimed(document: dict[str, Any]) -> Any:
    """Return the first drop in the words of claims."""
    name = {"l2bm": "l2bm_fluid"}.get(document["name"], document["name"])
    given = {{"drains": "shares"}.get(key, key): value for key, value in document.items() if key != "name"}
    exact = {key: [F(each) for each in value] if isinstance(value, list) else F(value) for key, value in given.items()}
    flows, scope = VOCABULARY["bursts"](F(1), F(3)), {"B": F(6), "C": F(1)}
    return VOCABULARY["drop"](VOCABULARY[name](flows, until=F(4), scope=scope, **exact), F(1))


def lost(document: Any) -> Any:
    policy = policies.read(document, {}, 1)
    done = run_packets(buffer=F(6), rates=[F(1)], policy=policy, streams=PACKETS, until=F(4))
    return [(each.time, each.free) for each in done.lost]


DOORS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "the exact engine": lambda document: run_of(document, F),
    "floats": lambda document: run_of(document, float),
    "packets": lost,
    "the explorer": lambda document: explore(PolicySwitch(policies.read(document, {}, 1), ports=1, buffer=6)).states,
    "a derived theorem": lambda document: derive({**FAMILY, "policy": document}).text(),
    "claims": claimed,
}


def doubled(self: DT, queues: int) -> tuple[Threshold, ...]:
    return tuple(Threshold(2 * alpha) for alpha in self.each("alpha", queues))


def halved(self: StaticPartition, queues: int) -> tuple[Threshold, ...]:
    return tuple(Threshold(F(0), size / 2) for size in self.each("sizes", queues))


HOMES: dict[str, tuple[dict[str, Any], Any, str, Any]] = {
    "DT": ({"name": "dt", "alpha": "1"}, DT, "thresholds", doubled),
    "ABM": (
        {"name": "abm", "alphas": ["1"], "drains": ["1"]},
        formulas, "abm_weight", lambda alpha, share, n: 2 * alpha * share / n,
    ),
    "L2BM": (
        {"name": "l2bm", "alpha": "1", "sojourns": ["1"]},
        formulas, "l2bm_weight", lambda alpha, C, tau: 2 * alpha * C / tau,
    ),
    "a static partition": ({"name": "static", "sizes": ["2"]}, StaticPartition, "thresholds", halved),
}  # fmt: skip


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("home", HOMES)
def test_a_threshold_that_is_altered_in_its_home_is_noticed_behind_every_door(
    home: str, door: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    document, owner, name, altered = HOMES[home]
    if home == "a static partition" and door == "a derived theorem":
        document = {"name": "static", "sizes": ["B/3"]}
    before = DOORS[door](document)
    assert DOORS[door](document) == before
    monkeypatch.setattr(owner, name, altered)
    assert DOORS[door](document) != before


def test_the_burst_that_a_port_absorbs_follows_the_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    port = FilledPort(F(6))
    assert [PolicyRoom(policy).room(port) for policy in (DT(1), CompleteSharing())] == [3, 6]
    monkeypatch.setattr(DT, "thresholds", lambda _, n: (Threshold(F(2)),) * n)
    assert PolicyRoom(DT(1)).room(port) == 4


def test_identical_queues_of_a_scenario_are_counted_by_the_policy() -> None:
    """Two lumped queues are congested, or share C: the weights are those of two queues."""
    flows = {0: Arrivals.constant(3)}
    for one, two in ((ABM([1], [0], [1]), ABM([1], [0, 0], [1, 1])), (L2BM(1, [1]), L2BM(1, [1, 1]))):
        lumped = simulate(Switch(2, 6, 1), one, flows, counts={0: 2}, until=4)
        apart = simulate(Switch(2, 6, 1), two, {**flows, 1: flows[0]}, until=4)
        assert lumped.first_drop(0) == apart.first_drop(0)


def test_policies_that_no_rule_sets_for_a_switch_are_compared_only_by_name() -> None:
    names = [outcome.name for outcome in compare(Switch(8, 64, 1)).outcomes]
    assert names == ["DT", "EDT", "static partition", "complete sharing", "ABM", "L2BM", "L2BM, harmonic",
                     "reserves and pool", "longest queue drop", "Harmonic", "FollowLQD", "Occamy"]  # fmt: skip
    (given,) = compare(Switch(8, 64, 1), among=["weighted"]).outcomes
    assert (given.name, given.run) == ("Weighted", None)
    assert policies.packets_only(LQD)


def test_words_count_priorities_from_1_and_take_one_value_for_all_queues() -> None:
    flows, scope = VOCABULARY["bursts"](F(2), F(3)), {"B": F(6), "C": F(1)}
    alphas, shares = [F(1), F(4)], [F(1), F(1)]

    def first(**named: Any) -> Any:
        return VOCABULARY["drop"](VOCABULARY["abm"](flows, F(9), alphas, scope=scope, shares=shares, **named), F(1))

    assert first() == first(priorities=F(1)) == first(priorities=[F(1), F(1)])
    assert first(priorities=F(2)) == first(priorities=[F(2), F(2)]) != first()
