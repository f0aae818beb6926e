"""A policy that no paper has, in one file outside the package: engines, the reader, the CLI and pictures take it."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self

import pytest
from refusals import refused

from dtmodel import DT, Arrivals, InputError, Run, Switch, compare, derive, policies, simulate, strategies
from dtmodel.companion.words import vocabulary
from dtmodel.fluid import run_scenario
from dtmodel.fluid.scenario import Scenario
from dtmodel.ledger import Claim
from dtmodel.ledger.hunting import targets
from dtmodel.ledger.statement import statement_of
from dtmodel.modelcheck import PolicySwitch, always, explore
from dtmodel.packet.arrivals import constant
from dtmodel.packet.engine import run_packets
from dtmodel.policies import LQD, Admission, Configured, Memory, Part, Policy, State, Threshold
from dtmodel.studies.traces import replay_rates

F = Fraction

SOURCE = '''
"""T_i = w_i^2 F, and from a given time on the weights are others."""

from dataclasses import dataclass
from fractions import Fraction

from dtmodel.policies import Memory, PolicyParameter, Policy, Threshold


@dataclass(frozen=True)
class Squares(Policy):
    """Thresholds by the square of a weight, with other weights from a time on."""

    weights: tuple[Fraction, ...]
    then: tuple[Fraction, ...]
    change: Fraction
    parameters = (*(PolicyParameter(name, many="each") for name in ("weights", "then")), PolicyParameter("change", "s"))

    def thresholds(self, queues):
        return tuple(Threshold(weight**2) for weight in self.weights)

    def memory(self, part, number):
        return Timer([(number(self.then[queue] ** 2), number(0)) for queue in part.queues], number(self.change))


class Timer(Memory):
    """Waits for the change."""

    def __init__(self, laws, change):
        self.laws, self.change = laws, change

    def wakes(self, state):
        return [self.change] if state.now < self.change else []

    def act(self, state):
        return {} if state.now < self.change else dict(enumerate(self.laws))
'''


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the policy and, as an installer would leave it, its entry point."""
    (tmp_path / "squares.py").write_text(SOURCE)
    info = tmp_path / "squares-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: squares\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[dtmodel.policies]\nsquares = squares:Squares\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


DOCUMENT = {
    "switch": {"ports": 2, "buffer": "10", "rate": "1"},
    "policy": {"name": "squares", "weights": ["1", "1"], "then": ["2", "1/2"], "change": "4"},
    "queues": [{"arrivals": [["0", "2"]]}, {"arrivals": [["0", "2"]]}],
    "until": "8",
    "sample": ["4", "6"],
}


def simulated() -> Run[F]:
    from squares import Squares

    policy = Squares((F(1), F(1)), (F(2), F(1, 2)), F(4))
    return simulate(Switch(2, 10, 1), policy, dict.fromkeys((0, 1), Arrivals.constant(2)), until=8)


@pytest.mark.usefixtures("elsewhere")
def test_the_object_is_simulated() -> None:
    """Both queues meet F at 10/3; at 4 the first may grow to 4 F, and the second, above F / 4, drains."""
    done = simulated()
    assert [done.first_drop(i) for i in (0, 1)] == [F(10, 3), F(10, 3)]
    assert [done.queue(0).at(t) for t in (4, 5, 6)] == [F(10, 3), F(13, 3), F(16, 3)]
    assert [done.queue(1).at(t) for t in (4, 5, 6)] == [F(10, 3), F(7, 3), F(4, 3)]
    assert [done.queue(1).threshold_at(t) for t in (3, 4, 6)] == [4, F(5, 6), F(5, 6)]


@pytest.mark.usefixtures("elsewhere")
def test_floats_agree_with_it() -> None:
    fast = run_scenario(Scenario.read(DOCUMENT), float)
    assert fast.queue(0).at(6.0) == pytest.approx(16 / 3)


@pytest.mark.usefixtures("elsewhere")
def test_a_document_names_it_by_its_entry_point() -> None:
    done = run_scenario(Scenario.read(DOCUMENT), F)
    assert done.queues == simulated().queues
    assert policies.names()[-1] == "squares"
    for unknown in ("cubes", ["squares"]):
        with pytest.raises(
            InputError, match=r"one of dt, edt, .*, squares; an entry point of dtmodel.policies names an"
        ):
            policies.read({"name": unknown}, {}, 1)


def test_the_command_line_knows_it(elsewhere: Path) -> None:
    (elsewhere / "scenario.json").write_text(json.dumps(DOCUMENT))
    command = [sys.executable, "-m", "dtmodel", "simulate", "--json", str(elsewhere / "scenario.json")]
    path = os.pathsep.join([str(elsewhere), *filter(None, sys.path)])
    told = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=True)
    assert json.loads(told.stdout)["queues"] == [["10/3", "10/3"], ["16/3", "4/3"]]


@pytest.mark.usefixtures("elsewhere")
def test_packets_are_admitted_by_it() -> None:
    """From 4 s on queue 0 may hold four times what is free, and queue 1 a quarter of it."""
    from squares import Squares

    policy = Squares((F(1), F(1)), (F(2), F(1, 2)), F(4))
    size = F(1, 100)
    streams = [constant(F(2), size, stop=F(8)) for _ in range(2)]
    done = run_packets(buffer=F(10), rates=[F(1)] * 2, policy=policy, streams=streams, until=F(6), sample=F(1))
    lengths = dict(done.samples)
    fluid = simulated()
    for time in (2, 4, 5):
        assert all(abs(lengths[F(time)][i] - fluid.queue(i).at(F(time))) <= 4 * size for i in (0, 1))


@pytest.mark.usefixtures("elsewhere")
def test_its_switch_is_explored_completely() -> None:
    """With 5 places queue 0 holds at most 3 while its weight is 1, and at most 4 when it is 2."""
    from squares import Squares

    switch = PolicySwitch(Squares((F(1), F(1)), (F(2), F(1, 2)), F(4)), ports=2, buffer=5)
    assert always(switch, lambda state: max(state.lengths) <= 4).complete
    longer = explore(switch, lambda state: state.lengths[0] == 4).found
    assert longer is not None
    assert longer.labels.count(("wake",)) == 1
    same = PolicySwitch(Squares((F(1), F(1)), (F(1), F(1)), F(4)), ports=2, buffer=5)
    assert always(same, lambda state: max(state.lengths) <= 3).complete


@pytest.mark.usefixtures("elsewhere")
def test_its_run_is_drawn() -> None:
    axes = simulated().plot().axes[0]
    drawn = [line for line in axes.lines if len(line.get_xdata()) > 2]
    assert any(max(line.get_ydata()) == pytest.approx(20 / 3, rel=0.5) for line in drawn)


class Doubling(Policy):
    """T = F, and twice as much each time that its timer is due."""

    def __init__(self, memory: type[Memory[F]]) -> None:
        self.kind = memory

    def thresholds(self, queues: int) -> tuple[Threshold, ...]:
        return (Threshold(F(1)),) * queues

    def memory(self, part: Part, number: type[F]) -> Memory[F]:  # type: ignore[override]  # exact alone
        del part, number
        return self.kind()


class Repeated(Memory[F]):
    """Counts how often it was due."""

    times = 1

    def wakes(self, state: State[F]) -> list[F]:
        del state
        return [F(self.times)]

    def act(self, state: State[F]) -> dict[int, tuple[F, F]]:
        if state.now < self.times:
            return {}
        self.times += 1
        return {0: (F(2) ** self.times, F(0))}


class Hearing(Memory[F]):
    """Hears of losses and does nothing."""

    def wakes(self, state: State[F]) -> list[F]:
        del state
        return []

    def act(self, state: State[F]) -> dict[int, tuple[F, F]]:
        del state
        return {}

    def settled(self, state: State[F]) -> dict[int, tuple[F, F]]:
        del state
        return {}


def test_a_memory_that_packets_cannot_tell_enough_is_refused() -> None:
    """Packets tell the time alone, and the explorer goes back to thresholds and a time."""
    streams = [[(F(k), F(1), None) for k in range(4)]]
    done = run_packets(buffer=F(8), rates=[F(1)], policy=Doubling(Repeated), streams=streams, until=F(9))
    assert done.lost == []
    with refused("policy", match="a memory gets only the time, not settled"):
        run_packets(buffer=F(8), rates=[F(1)], policy=Doubling(Hearing), streams=streams, until=F(9))
    with refused("policy", match="its memory keeps times beside the time"):
        explore(PolicySwitch(Doubling(Repeated), ports=1, buffer=4))


class Evicting(Policy):
    """Longest queue drop under another name: it has an admission of packets, and no threshold."""

    def thresholds(self, queues: int) -> tuple[Threshold | None, ...]:
        return (None,) * queues

    def admission(self, ports: int, buffer: Any, account: Any) -> Admission:
        return LQD().admission(ports, buffer, account)

    @classmethod
    def read(cls, document: Any, alphas: Any, queues: int) -> Self:
        del document, alphas, queues
        return cls()

    @classmethod
    def for_switch(cls, setting: Any) -> tuple[Configured]:
        del setting
        return (Configured("evicting", "", cls()),)


class Partly(Evicting):
    """The first queue has a threshold, and the buffer alone bounds the others."""

    def thresholds(self, queues: int) -> tuple[Threshold | None, ...]:
        return (Threshold(F(1)), *[None] * (queues - 1))


class Thinned(Partly):
    """A queue with a threshold beside others that complete sharing thins: no rule says who loses how much."""

    def memory(self, part: Part, number: type[F]) -> Memory[F]:  # type: ignore[override]  # exact alone
        return policies.CompleteSharing().memory(part, number)


@pytest.mark.parametrize("policy", [LQD(), Evicting(), Partly(), Thinned()])
def test_what_the_fluid_model_cannot_bound_is_refused_at_every_door(
    policy: Policy, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered = {0: Arrivals.constant(3), 1: Arrivals.constant(3)}
    for arithmetic in ("exact", "float"):
        with refused("policy", type(policy).__name__, match="dtmodel replay-trace"):
            simulate(Switch(2, 6, 1), policy, offered, until=9, arithmetic=arithmetic)  # type: ignore[call-overload]  # either
    with refused("policy", match="dtmodel replay-trace"):
        replay_rates([([0, 0, 4], [0, 1, 0], [3, 3, 0])], Switch(2, 6, 1), {"one": policy})
    point = SimpleNamespace(name="ours", load=lambda: type(policy))
    monkeypatch.setattr(policies, "entry_points", lambda **_: [point])
    with refused("policy", match="dtmodel replay-trace"):  # simulate, sweep and batches read this
        Scenario.read({**DOCUMENT, "policy": {"name": "ours"}} if type(policy) is not LQD else
                      {**DOCUMENT, "policy": {"name": "lqd"}})  # fmt: skip
    (outcome,) = compare(Switch(4, 6, 1), steady=1, among=[type(policy)]).outcomes
    assert outcome.run is None
    assert "packets" in outcome.note
    done = run_packets(buffer=F(4), rates=[F(1)], policy=policy, streams=[[(F(0), F(1), None)]], until=F(9))
    assert done.sent == [1]


@dataclass(frozen=True)
class Untold(Policy):
    """A policy that declares none of its parameters."""

    alpha: F

    def thresholds(self, queues: int) -> tuple[Threshold, ...]:
        return (Threshold(self.alpha),) * queues


def test_a_policy_without_a_table_is_simulated_and_no_other_door_falls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policies, "entry_points", lambda **_: [SimpleNamespace(name="untold", load=lambda: Untold)])
    assert simulate(Switch(1, 6, 1), Untold(F(1)), {0: Arrivals.constant(3)}, until=9).first_drop(0) == F(3, 2)
    family = {"symbols": {"R": "> 1"}, "switch": {"buffer": 6, "rate": 1}, "policy": {"name": "untold"},
              "queues": [{"arrivals": [["0", "R"]]}], "ask": [{"first_drop": 0}]}  # fmt: skip
    with refused("policy.name", "untold", match="declares its parameters"):
        derive(family)
    with refused("policy", "untold", match="declares its parameters"):
        strategies.scenarios("untold")
    claim = Claim(
        "own.eq1", "here", "ours", "One.", "holds", formal="for R > 1; run x = untold(bursts(1, R)); then R > 0"
    )
    with refused("own.eq1.formal", "untold", match="one of bursts"):
        list(targets([claim], words=vocabulary))


@pytest.mark.parametrize(
    ("said", "value", "accepted"),
    [
        ("dtt(bursts(1, R), until = 2, alpha = 1)", "dtt", "did you mean 'dt'"),
        ("dt(bursts(1, R), until = 2, alhpa = 1)", "dt(bursts(1, R), until=2, alhpa=1)", "alhpa"),
        ("edt(bursts(1, R), until = 2)", "edt(bursts(1, R), until=2)", "cn2"),
        ("lqd(bursts(1, R), until = 2)", "lqd", "one of bursts"),
    ],
)
def test_an_unknown_word_of_a_claim_is_an_error_and_not_a_counterexample(said: str, value: str, accepted: str) -> None:
    text = f"for R > 1; B > 0; C > 0\nrun x = {said}\nthen drop(x, 1) > 0"
    claim = Claim("own.eq1", "here", "ours", "One.", "holds", formal=text)
    with refused("own.eq1.formal", value, match=accepted):
        statement_of(claim, {}, vocabulary)


def test_a_policy_of_the_package_is_read_without_a_look_at_installed_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    def looked(**_: str) -> None:
        raise AssertionError("entry points are looked for")

    monkeypatch.setattr("dtmodel.policies.entry_points", looked)
    assert policies.read({"name": "dt", "alpha": 2}, {}, 1) == DT(2)
    with pytest.raises(AssertionError, match="entry points"):
        policies.read({"name": "unknown"}, {}, 1)
