"""The exact competitive ratio: known values, brute force, a second program, certificates, and worst arrivals."""

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import ceil
from pathlib import Path
from typing import Any

import pytest
import second_ratio
from refusals import refused

from dtmodel import (
    DT,
    EDT,
    LQD,
    BudgetError,
    CompleteSharing,
    QueueLimits,
    SharedPools,
    StaticPartition,
    Switch,
    ratio,
)
from dtmodel.base import budgets
from dtmodel.cli import run
from dtmodel.packet.arrivals import listed
from dtmodel.packet.engine import run_packets
from dtmodel.policies import Admission, FollowLQD, Occamy, Policy, Reverie, Steps
from dtmodel.studies import competitive
from dtmodel.studies.competitive import CompetitiveRatio, synthesize
from dtmodel.studies.competitive.search import Product
from dtmodel.studies.competitive.synthesis import policy_of
from dtmodel.studies.competitive.tables import optimum_table, policy_table
from dtmodel.studies.traces import replay_trace
from proofs.check_certificates import check

F = Fraction


def value(policy: Policy, ports: int, buffer: int) -> Fraction | None:
    return ratio(policy, ports=ports, buffer=buffer).ratio


@pytest.mark.parametrize("alpha", [F(1, 3), F(1, 2), F(3, 4), F(1)])
def test_two_ports_under_dt_with_alpha_up_to_1_have_the_ratio_of_one_burst(alpha: Fraction) -> None:
    for buffer in range(1, 12):
        assert value(DT(alpha), 2, buffer) == F(buffer, ceil(alpha * buffer / (1 + alpha)))


def test_two_ports_under_lqd_have_the_ratio_of_the_formula() -> None:
    for buffer in range(2, 16):
        assert value(LQD(), 2, buffer) == (F(4, 3) if buffer % 2 else F(4 * buffer - 4, 3 * buffer - 2))


@pytest.mark.parametrize(
    ("policy", "ports", "buffer", "expected"),
    [
        (DT(2), 2, 20, F(38, 23)), (DT(1), 3, 7, F(9, 5)), (CompleteSharing(), 3, 4, F(3)), (LQD(), 3, 8, F(13, 10)),
        (StaticPartition([2, 2]), 2, 4, F(2)), (DT(1), 1, 4, F(2)), (LQD(), 2, 1, F(1)),
    ],
)  # fmt: skip
def test_these_ratios_are_known(policy: Policy, ports: int, buffer: int, expected: Fraction) -> None:
    assert value(policy, ports, buffer) == expected


BRUTE = [("DT(1), B = 2", 6, True), ("DT(1), B = 3", 6, True), ("DT(1/2), B = 3", 6, True), ("LQD, B = 3", 6, False),
         ("DT(1), B = 3", 9, True), ("LQD, B = 3", 10, False)]  # fmt: skip
POLICIES = {
    "DT(1), B = 2": (DT(1), second_ratio.dt(F(1), 2), 2), "DT(1), B = 3": (DT(1), second_ratio.dt(F(1), 3), 3),
    "DT(1/2), B = 3": (DT("1/2"), second_ratio.dt(F(1, 2), 3), 3), "LQD, B = 3": (LQD(), second_ratio.lqd(3), 3),
}  # fmt: skip


@pytest.mark.parametrize(("name", "events", "attained"), BRUTE)
def test_no_word_of_a_few_events_exceeds_the_ratio(name: str, events: int, attained: bool) -> None:
    policy, arrive, buffer = POLICIES[name]
    rho = value(policy, 2, buffer)
    assert rho is not None
    both = [second_ratio.throughputs(word, arrive, 2, buffer) for word in second_ratio.words(2, events)]
    assert all(optimum <= rho * own for optimum, own in both)
    assert any(optimum == rho * own for optimum, own in both) == attained


@pytest.mark.parametrize("buffer", [2, 3, 4, 5])
def test_a_second_program_finds_the_same_ratios(buffer: int) -> None:
    for alpha in (F(1, 2), F(1), F(2), F(5)):
        assert value(DT(alpha), 2, buffer) == second_ratio.ratio(second_ratio.dt(alpha, buffer), 2, buffer)
    assert value(LQD(), 2, buffer) == second_ratio.ratio(second_ratio.lqd(buffer), 2, buffer)


def test_a_second_program_finds_the_same_ratios_for_three_ports() -> None:
    assert value(DT(2), 3, 3) == second_ratio.ratio(second_ratio.dt(F(2), 3), 3, 3)
    assert value(LQD(), 3, 3) == second_ratio.ratio(second_ratio.lqd(3), 3, 3)


@pytest.mark.parametrize(("policy", "buffer"), [(DT(2), 9), (LQD(), 6), (StaticPartition([0, 3]), 3)])
def test_python_and_the_native_core_find_the_same_ratio(
    policy: Policy, buffer: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = ratio(policy, ports=2, buffer=buffer)
    for module in (competitive, competitive.search):
        monkeypatch.setattr(module, "native_search", lambda _: None)
    found = ratio(policy, ports=2, buffer=buffer)
    assert (found.ratio, found.additive, found.engine) == (expected.ratio, expected.additive, "Python")


def test_more_ports_than_the_native_core_has_names_for_are_searched_in_python() -> None:
    found = ratio(CompleteSharing(), ports=63, buffer=1)
    assert (found.ratio, found.engine) == (1, "Python")


# The best threshold policy


LEAST = {3: F(3, 2), 4: F(5, 3), 5: F(5, 3), 6: F(8, 5), 7: F(7, 4), 8: F(8, 5), 9: F(12, 7)}


@pytest.mark.parametrize("buffer", LEAST)
def test_the_best_threshold_policies_of_three_ports_are_found(buffer: int) -> None:
    assert synthesize(ports=3, buffer=buffer).least.ratio == LEAST[buffer]


@pytest.mark.parametrize("buffer", range(2, 9))
def test_no_threshold_policy_of_two_ports_is_better_than_the_policy_of_thirds(buffer: int) -> None:
    found = synthesize(ports=2, buffer=buffer)
    bound = F(6 * buffer - 6, 4 * buffer - 5) if buffer % 3 == 2 else F(3, 2)
    assert found.least.ratio == bound == value(Steps([buffer - buffer // 3], [buffer // 3]), 2, buffer)


def limits_that_never_rise(buffer: int) -> Iterator[tuple[int, ...]]:
    return (each for each in product(range(buffer + 1), repeat=buffer) if [*each] == sorted(each, reverse=True))


@pytest.mark.parametrize(("ports", "buffer"), [(2, 3), (2, 4), (3, 3)])
def test_every_threshold_policy_is_at_most_as_good_as_the_one_that_is_found(ports: int, buffer: int) -> None:
    """The second program asks each policy; a queue of a policy that never admits makes the ratio infinite."""
    found = synthesize(ports=ports, buffer=buffer)
    ratios = {
        limits: second_ratio.ratio(second_ratio.steps(limits, buffer), ports, buffer)
        for limits in limits_that_never_rise(buffer)
        if limits[0] and max(value(policy_of(limits), ports, buffer) or 0, 0)
    }
    assert min(ratios.values()) == ratios[found.limits] == found.least.ratio
    assert found.tried <= len(ratios) + 2


def test_a_synthesis_is_printed_and_refused_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    size = ["--ports", "3", "--buffer", "4"]
    document = answer(capsys, "--synthesize", *size)
    found = synthesize(ports=3, buffer=4)
    assert document == json.loads(json.dumps(found.document()))
    assert (document["ratio"], document["limits"]) == ("5/3", [4, 4, 4, 3])
    assert answer(capsys, "--policy", document["policy"], *size)["ratio"] == "5/3"
    assert run(["ratio", "--synthesize", *size]) == 0
    assert "ratio 5/3 = 1.66667" in " ".join(capsys.readouterr().out.split())
    for wrong in ([], ["--synthesize", "--policy", "dt"]):
        assert run(["ratio", *wrong, *size]) == 2
        assert capsys.readouterr().err.startswith("error: --policy:")
    with refused("buffer", 0):
        synthesize(ports=2, buffer=0)
    with pytest.raises(BudgetError, match="product="):
        synthesize(ports=2, buffer=5000)


def test_a_burst_that_is_worst_begins_at_once() -> None:
    """A cycle may be turned: the slots in which it drains come last, and no prefix is left."""
    found = ratio(DT(1), ports=2, buffer=6)
    assert (found.prefix, len(found.cycle), len(found.cycle[0].arrivals)) == ((), 6, 6)


def test_a_worst_cycle_begins_where_the_fewest_events_lead_to_it() -> None:
    """A turn that the policy reaches sooner may need more rounds until the optimum repeats one: 19 events here."""
    prefix = ratio(FollowLQD(), ports=2, buffer=6).prefix
    assert sum(len(slot.arrivals) + 1 for slot in prefix) == 10


# Certificates


CERTIFIED = [(DT(1), 2, 5), (DT(2), 2, 6), (LQD(), 2, 4), (LQD(), 3, 3), (EDT(1, 2, 1, 2), 2, 3),
             (Steps([3], [2]), 2, 4), (Occamy(2), 2, 4), (FollowLQD(), 2, 3),
             (SharedPools([QueueLimits(1, reserved=1, cap=2), QueueLimits(2, reserved=1)]), 2, 5)]  # fmt: skip


def certified(policy: Policy, ports: int, buffer: int) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(json.dumps(ratio(policy, ports=ports, buffer=buffer).certificate()))
    return document


@pytest.mark.parametrize(("policy", "ports", "buffer"), CERTIFIED)
def test_the_checker_accepts_a_certificate_and_no_altered_potential(policy: Policy, ports: int, buffer: int) -> None:
    document = certified(policy, ports, buffer)
    assert check(document) == ""
    for row in document["potential"][:: len(document["potential"]) // 4]:
        for place in range(0, len(row), 2):
            for step in (-1, 1):
                row[place] += step
                assert check(document).startswith("the potential of")
                row[place] -= step


@pytest.mark.parametrize(("name", "policy", "buffer"), [("dt", DT(2), 5), ("lqd", LQD(), 4)])
def test_a_kept_certificate_is_right_and_is_what_the_search_writes(name: str, policy: Policy, buffer: int) -> None:
    """`dtmodel ratio --certificate` wrote them."""
    kept = json.loads((Path(__file__).parents[1] / "proofs/derived" / f"ratio-{name}.json").read_text("utf-8"))
    assert check(kept) == ""
    found = certified(policy, 2, buffer)
    parts = ("policy", "ports", "buffer", "ratio", "additive", "states", "arrive", "depart", "potential")
    assert [kept[part] for part in parts] == [found[part] for part in parts]


def altered(document: dict[str, Any], **parts: Any) -> str:
    return check({**copy.deepcopy(document), **parts})


def test_the_checker_accepts_no_other_ratio_cycle_or_policy() -> None:
    document = certified(DT(2), 2, 6)
    weaker = {"form": "thresholds", "thresholds": [{"slope": "3", "offset": "0", "cap": None}] * 2}
    cycle = document["cycle"]
    assert altered(document, ratio="2").startswith("the potential")
    assert altered(document, ratio="14/10", potential=[[2 * x for x in row] for row in document["potential"]])
    steps = certified(Steps([3], [2]), 2, 4)
    assert altered(steps, policy={**steps["policy"], "limits": ["3"]}).startswith("the policy does not go from")
    assert altered(document, additive="1") == "the potential of the start"
    assert altered(document, policy=weaker).startswith("the policy does not go from")
    assert altered(document, policy={"form": "lqd"}).startswith("the policy does not go from")
    assert altered(document, policy={"form": "greedy"}) == "the policy 'greedy' is unknown"
    expelled = certified(Occamy(2), 2, 4)
    assert altered(expelled, policy={"form": "occamy", "alpha": "1"}).startswith("the policy does not go from")
    assert altered(document, cycle=cycle[:-1]) == "the cycle does not return"
    assert altered(document, cycle=[]) == "the cycle has another ratio"
    assert altered(document, cycle=[*cycle, [0, 2]]) == "an event is not an arrival"
    assert (
        altered(document, prefix=[*document["prefix"], *[[0, 1]] * 7])
        == "the optimum accepts more than the buffer holds"
    )
    assert altered(document, depart=document["depart"][:-1]) == "a state has no successors"
    assert altered(document, depart=[0] * len(document["depart"])).startswith("departures from")
    assert altered(document, arrive=[[99, 99]] * len(document["arrive"])) == "a state is missing"
    assert altered(document, states=[[7, 7]] * len(document["states"])) == "a state is not a filling"
    assert altered(document, start=0) == "the start is not empty"


def test_the_checker_accepts_no_impossible_step_of_a_policy_that_its_table_defines() -> None:
    document = certified(EDT(1, 2, 1, 2), 2, 3)
    full = next(s for s, lengths in enumerate(document["states"]) if sum(lengths) == 3)
    arrive = [[document["start"]] * 2 if s == full else row for s, row in enumerate(document["arrive"])]
    assert altered(document, arrive=arrive).startswith("the policy does not go from")


# Worst arrivals


@pytest.mark.parametrize("core", [True, False])
@pytest.mark.parametrize(("policy", "buffer"), [(DT(2), 7), (LQD(), 5), (EDT(1, 2, 1, 2), 4), (DT(["1/2", 3]), 5)])
def test_the_worst_arrivals_replay_as_the_slots_tell(
    monkeypatch: pytest.MonkeyPatch, policy: Policy, buffer: int, core: bool
) -> None:
    if not core:
        monkeypatch.setattr("dtmodel.studies.competitive.search.native_search", lambda _: None)
    found = ratio(policy, ports=2, buffer=buffer)
    slots = (*found.prefix, *found.cycle * 3)
    batch = tuple(map(list, zip(*found.trace(3), strict=True)))
    losses = replay_trace([batch], Switch(2, buffer, 1), {"it": policy}, exact=True)["it"]  # type: ignore[list-item]
    lost = [0, 0]
    for arrival in (arrival for slot in slots for arrival in slot.arrivals):
        lost[arrival.port] += not arrival.admitted
        if arrival.pushed_out is not None:
            lost[arrival.pushed_out] += 1
    assert losses.lost_packets == lost
    busy = [[sum(map(bool, getattr(slot, who))) for slot in found.cycle] for who in ("optimum", "policy")]
    assert found.ratio == F(sum(busy[0]), sum(busy[1]))
    assert max(sum(slot.optimum) for slot in slots) <= buffer


def test_arrivals_of_one_instant_keep_their_order_across_ports() -> None:
    """Under DT with alpha = 1 and B = 3 two packets enter after which a third fits, but not after a packet beside."""
    first, last = [0, 0, 1], [1, 0, 0]
    for exact in (False, True):
        lost = [replay_trace([([0] * 3, ports, [1] * 3)], Switch(2, 3, 1), {"it": DT(1)}, exact=exact)["it"]
                for ports in (first, last)]  # fmt: skip
        assert [each.lost_packets for each in lost] == [[0, 0], [1, 0]]


def test_packets_of_streams_come_port_by_port_at_one_instant() -> None:
    streams = [listed([(0, 1)]), listed([(0, 1), (0, 1)])]
    done = run_packets(buffer=3, rates=[1, 1], policy=DT(1), streams=streams, until=0)
    assert [lost.port for lost in done.lost] == [1]


# Policies of other kinds


@dataclass(frozen=True)
class FirstLost(Policy):
    """Complete sharing that drops the first packet of all."""

    def thresholds(self, queues: int) -> tuple[None, ...]:
        return (None,) * queues

    def admission(self, ports: int, buffer: Any, account: Any) -> Admission:
        del ports, buffer, account
        return _FirstLost()


class _FirstLost(Admission):
    def __init__(self) -> None:
        self.seen = False

    def admits(self, port: int, length: Any, free: Any, now: Any) -> bool:
        del port, length, free, now
        seen, self.seen = self.seen, True
        return seen

    def remembered(self, now: Any) -> bool:
        del now
        return self.seen

    def recall(self, remembered: Any) -> None:
        self.seen = remembered


def test_a_loss_that_never_recurs_is_an_additive_constant() -> None:
    found = ratio(FirstLost(), ports=1, buffer=2)
    assert (found.ratio, found.additive) == (1, 1)
    document = json.loads(json.dumps(found.certificate()))
    assert check(document) == ""
    assert document["policy"] == {"form": "table"}


@pytest.mark.parametrize("timers", [(None, None), (1, None), (1, 2), (2, 3)])
def test_the_ratio_of_edt_is_strict(timers: tuple[int | None, int | None]) -> None:
    assert ratio(EDT(1, 2, *timers), ports=2, buffer=4).additive == 0


def test_a_port_without_buffer_makes_the_ratio_infinite() -> None:
    found = ratio(StaticPartition([0, 3]), ports=2, buffer=3)
    assert (found.ratio, found.additive, found.document()["ratio"]) == (None, None, None)
    assert [sum(slot.policy) for slot in found.cycle] == [0]
    with refused("policy"):
        found.certificate()


def test_bad_arguments_and_large_products_are_refused() -> None:
    with refused("ports", 0):
        ratio(DT(1), ports=0, buffer=3)
    with refused("buffer", 0):
        ratio(DT(1), ports=2, buffer=0)
    with refused("policy", "dt"):
        ratio("dt", ports=2, buffer=3)  # type: ignore[arg-type]  # it is refused
    with pytest.raises(BudgetError, match="product=") as large:
        ratio(DT(1), ports=2, buffer=2000)
    assert large.value.field == "buffer"
    with budgets.raised(product=100), pytest.raises(BudgetError, match="at most 100 pairs"):
        ratio(LQD(), ports=2, buffer=4)


def test_a_policy_with_infinitely_many_states_is_refused_soon() -> None:
    """The filtered lengths of Reverie have ever larger denominators: a state counts 100, or 1,000 without the core."""
    with budgets.raised(product=8000), pytest.raises(BudgetError, match=r"product=(8\d|90)00"):
        ratio(Reverie(1, "1/2"), ports=2, buffer=3)


def test_a_search_that_ends_too_early_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    searched = Product(policy_table(DT(2), 2, 8, 99), optimum_table(2, 8))
    rise = searched._rise
    monkeypatch.setattr(searched, "_rise", lambda ratio: rise(ratio) and None)
    with pytest.raises(Exception, match="still rises"):
        searched.worst()


# The command


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert run(["ratio", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_command_prints_what_python_returns(capsys: pytest.CaptureFixture[str]) -> None:
    document = answer(capsys, "--policy", "dt:alpha=1", "--ports", "2", "--buffer", "12")
    assert document["ratio"] == "2"
    assert document == json.loads(json.dumps(ratio(DT(1), ports=2, buffer=12).document()))


def test_the_command_writes_a_trace_and_a_certificate(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    trace, proof = tmp_path / "worst.csv", tmp_path / "proof.json"
    size = ["--ports", "2", "--buffer", "6"]
    assert (
        run(["ratio", "--policy", "lqd", *size, "--trace", str(trace), "--rounds", "2", "--certificate", str(proof)])
        == 0
    )
    assert "competitive ratio 5/4 = 1.25" in capsys.readouterr().out
    assert check(json.loads(proof.read_text())) == ""
    assert run(["replay-trace", str(trace), *size, "--rate", "1", "--policy", "lqd", "--json"]) == 0
    (losses,) = json.loads(capsys.readouterr().out)
    assert sum(losses["packets"]) == len([*ratio(LQD(), ports=2, buffer=6).trace(2)])


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (["--policy", "dtt", "--ports", "2", "--buffer", "3"], "--policy"),
        (["--policy", "dt", "--ports", "0", "--buffer", "3"], "--ports"),
        (["--policy", "dt", "--ports", "2", "--buffer", "5/2"], "--buffer"),
        (["--policy", "static", "--ports", "200001", "--buffer", "3"], "--ports"),
        (["--policy", "dt", "--ports", "2", "--buffer", "3", "--rounds", "-1", "--trace", "x"], "--rounds"),
    ],
)  # fmt: skip
def test_the_command_names_the_option_that_is_wrong(
    arguments: list[str], field: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ratio", *arguments]) == 2
    assert capsys.readouterr().err.startswith(f"error: {field}: got")


def test_an_infinite_ratio_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    policy = '{"name": "static", "sizes": ["0", "3"]}'
    assert run(["ratio", "--policy", policy, "--ports", "2", "--buffer", "3"]) == 0
    assert "competitive ratio infinite" in " ".join(capsys.readouterr().out.split())


def test_the_answer_is_a_dataclass_that_compares_by_value() -> None:
    assert isinstance(ratio(DT(1), ports=2, buffer=2), CompetitiveRatio)
    assert ratio(DT(1), ports=2, buffer=2) == ratio(DT(1), ports=2, buffer=2)
