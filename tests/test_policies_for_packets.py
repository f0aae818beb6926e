"""Policies for packets: their decisions, packet by packet, and the formulas of ideal expulsion."""

import json
import random
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from refusals import refused

from dtmodel import DT, LQD, CompleteSharing, Switch, compare, policies, ratio
from dtmodel.base import budgets
from dtmodel.base.errors import BudgetError
from dtmodel.cli import run
from dtmodel.cli.replay_trace import policy_named
from dtmodel.packet.arrivals import listed
from dtmodel.packet.engine import run_packets
from dtmodel.policies import Credence, FollowLQD, Harmonic, LossPriorities, Occamy, Policy, PolicySetting, Reverie
from dtmodel.policies.expulsion import Expulsion
from dtmodel.studies.competitive.tables import policy_table
from dtmodel.studies.traces import replay_trace

F = Fraction
LINE = Switch(2, "1.2 MB", "10 Gbps")


def lost(policy: Policy, packets: list[tuple[Any, ...]], buffer: int, *, exact: bool = True) -> list[int]:
    """The packets of one byte that each of two ports loses at rate 1; a packet may have a mark."""
    times, ports, *marks = map(list, zip(*packets, strict=True))
    trace = [(times, ports, [1] * len(packets), *([range(len(packets)), *marks] if marks else []))]
    return replay_trace(trace, Switch(2, buffer, 1), {"it": policy}, exact=exact)["it"].lost_packets


# Harmonic


@pytest.mark.parametrize("buffer", [3, 4, 6, 7])
def test_harmonic_reaches_exactly_the_lengths_that_its_limits_allow(buffer: int) -> None:
    found = {lengths for lengths, _ in policy_table(Harmonic(), 2, buffer, 99).states}
    allowed = {(a, b) for a, b in product(range(buffer + 1), repeat=2) if 3 * max(a, b) <= 2 * buffer >= 2 * (a + b)}
    assert found == allowed


@pytest.mark.parametrize("exact", [True, False])
def test_harmonic_counts_the_size_of_the_packet_that_arrives(exact: bool) -> None:
    """With B = 4 the longest queue holds at most 8/3 bytes: 2 packets of a byte, none of 3 bytes."""
    assert lost(Harmonic(), [(0, 0)] * 3, 4, exact=exact) == [1, 0]
    done = run_packets(buffer=F(4), rates=[1, 1], policy=Harmonic(), streams=[listed([(0, 3)]), listed([])], until=9)
    assert [each.size for each in done.lost] == [3]


@pytest.mark.parametrize(("ports", "buffers"), [(2, range(2, 13)), (3, range(2, 8)), (4, range(3, 6))])
def test_the_ratio_of_harmonic_is_that_of_one_burst(ports: int, buffers: range) -> None:
    harmonic = sum(F(1, m) for m in range(1, ports + 1))
    for buffer in buffers:
        assert ratio(Harmonic(), ports=ports, buffer=buffer).ratio == F(buffer, int(buffer / harmonic))


# FollowLQD


def losses_of(events: list[int], buffer: int) -> list[int]:
    """The losses under FollowLQD for arrivals (0, 1) and departures (2), written down once more."""
    real, virtual, losses = [0, 0], [0, 0], [0, 0]
    for event in events:
        if event == 2:
            real, virtual = [max(x - 1, 0) for x in real], [max(x - 1, 0) for x in virtual]
            continue
        other = 1 - event
        if sum(virtual) < buffer:
            virtual[event] += 1
        elif virtual[other] > virtual[event] + 1:
            virtual[other], virtual[event] = virtual[other] - 1, virtual[event] + 1
        if real[event] < virtual[event] and sum(real) < buffer:
            real[event] += 1
        else:
            losses[event] += 1
    return losses


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("begin", [(0, 0, 0, 0, 0), (0, 0, 0, 1, 1), (1, 0, 2, 0, 0, 0)])
@pytest.mark.parametrize("buffer", [4, 5])  # a full virtual switch has queues that differ by one packet if B is odd
def test_followlqd_follows_the_virtual_switch(begin: tuple[int, ...], exact: bool, buffer: int) -> None:
    for rest in product(range(3), repeat=4):
        events = [*begin, *rest, 0, 1]
        packets = [(events[:place].count(2), event) for place, event in enumerate(events) if event != 2]
        assert lost(FollowLQD(), packets, buffer, exact=exact) == losses_of(events, buffer)


def test_followlqd_drains_its_virtual_queues_at_the_rate_of_the_ports() -> None:
    (way,) = policies.configured("FollowLQD", PolicySetting(2, F(4), F(5), 1, 1, F(9), F(1)), "policy")
    assert (way.policy, way.packets) == (None, FollowLQD(5))
    with refused("policy.rate"):
        FollowLQD(0)


# Credence


def losses_of_credence(events: list[int], buffer: int, sent: list[int]) -> list[int]:
    """The losses under Credence for arrivals (0, 1) and departures (2) with predictions, written down once more."""
    real, virtual, losses = [0, 0], [0, 0], [0, 0]
    for event, trusted in zip(events, sent, strict=True):
        if event == 2:
            real, virtual = [max(x - 1, 0) for x in real], [max(x - 1, 0) for x in virtual]
            continue
        other = 1 - event
        if sum(virtual) < buffer:
            virtual[event] += 1
        elif virtual[other] > virtual[event] + 1:
            virtual[other], virtual[event] = virtual[other] - 1, virtual[event] + 1
        safe = max(real) < F(buffer, 2)
        if sum(real) < buffer and (safe or (trusted and real[event] < virtual[event])):
            real[event] += 1
        else:
            losses[event] += 1
    return losses


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("prediction", ["sent", "lost", "trace"])
@pytest.mark.parametrize("begin", [(0, 0, 0, 0, 0), (1, 0, 2, 0, 0, 0)])
def test_credence_asks_the_prediction_beyond_its_safeguard(
    begin: tuple[int, ...], prediction: str, exact: bool
) -> None:
    for rest in product(range(3), repeat=3):
        events = [*begin, *rest, 0, 1]
        sent = {"sent": [1] * 12, "lost": [0] * 12, "trace": [0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0]}[prediction]
        packets = [(events[:t].count(2), event, sent[t]) for t, event in enumerate(events) if event != 2]
        expected = losses_of_credence(events, 4, sent[: len(events)])
        assert lost(Credence(prediction), packets, 4, exact=exact) == expected


@pytest.mark.parametrize(("ports", "buffers"), [(2, range(1, 6)), (3, range(1, 4))])
def test_credence_is_at_most_as_bad_as_complete_sharing_whatever_the_prediction(ports: int, buffers: range) -> None:
    for buffer, prediction in product(buffers, ["sent", "lost"]):
        found = ratio(Credence(prediction), ports=ports, buffer=buffer)
        assert found.ratio is not None
        assert (found.ratio <= ports, found.additive) == (True, 0)
    with refused("policy.prediction"):
        Credence("perfect")


# Marks: predictions and classes from a trace


def losses_of_classes(events: list[int], marks: list[int], buffer: int, counted: str) -> list[int]:
    """The losses of two classes with alpha = 1 and 1/2, written down once more."""
    queues, losses = [list[int](), list[int]()], [0, 0]
    for event, mark in zip(events, marks, strict=True):
        if event == 2:
            queues = [queue[1:] for queue in queues]
            continue
        held = queues[event].count(mark) if counted == "class" else len(queues[event])
        free = buffer - sum(map(len, queues))
        if free and held < free / (1 + mark):
            queues[event].append(mark)
        else:
            losses[event] += 1
    return losses


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("counted", ["class", "queue"])
def test_the_class_of_a_packet_sets_its_threshold(counted: str, exact: bool) -> None:
    for seed in range(30):
        rng = random.Random(seed)
        events, marks = rng.choices([0, 0, 1, 2], k=24), rng.choices([0, 1], k=24)
        packets = [(events[:t].count(2), event, marks[t]) for t, event in enumerate(events) if event != 2]
        policy = LossPriorities([1, "1/2"], counted)
        assert lost(policy, packets, 9, exact=exact) == losses_of_classes(events, marks, 9, counted)


def test_one_class_is_dt() -> None:
    for counted, packets in product(["class", "queue"], product(range(2), repeat=6)):
        trace = [(k // 4, port, 0) for k, port in enumerate(packets)]
        assert lost(LossPriorities([2], counted), trace, 4) == lost(DT(2), trace, 4)


def test_packets_of_the_start_have_no_class_and_leave_first() -> None:
    """Behind three packets of the start, one of which leaves in a second, two of the class fill half of F = 4."""
    stream = [(F(k, 2), F(1), None, 0) for k in range(8)]
    given: dict[str, Any] = {"rates": [F(1)], "policy": LossPriorities(["1/2"]), "until": F(4), "initial": [[F(1)] * 3]}
    done = run_packets(buffer=F(7), streams=[stream], **given)
    assert [each.time for each in done.lost] == [1, F(3, 2), 2, F(5, 2), F(7, 2)]
    assert done == run_packets(buffer=F(7), streams=[stream], engine="native", **given)


@pytest.mark.parametrize("policy", [LossPriorities([1, 1]), LossPriorities([1, 1], "queue"), Credence("trace")])
def test_a_packet_without_a_class_or_prediction_is_refused(policy: Policy) -> None:
    for packets in ([(0, 0)], [(0, 0, 2)], [(0, 0, -1)]):
        with refused("mark", None if len(packets[0]) == 2 else packets[0][2]):
            lost(policy, packets, 4)
    with refused("mark", None):
        ratio(policy, ports=2, buffer=2)


def test_a_column_of_the_trace_has_classes_or_predictions(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "trace.csv"
    packets = [(0, k // 6, k % 3 // 2) for k in range(12)]
    file.write_text("time,port,bytes,green\n" + "".join(f"0,{port},1,{mark}\n" for _, port, mark in packets), "utf-8")
    common = ["replay-trace", str(file), "--ports", "2", "--buffer", "8", "--rate", "1", "--json", "--policy"]
    policies_named = ['{"name": "losspriorities", "alphas": ["2", "1/2"]}', "credence:prediction=trace"]
    for named, exact in zip(policies_named, [[], ["--exact"]], strict=True):
        policy, losses = policy_named(named, Switch(2, 8, 1)), []
        turns = [packets[k] for first in range(6) for k in (first, first + 6)]
        for ties, expected in (("order", packets), ("fair", turns)):
            assert run([*common, named, *exact, "--ties", ties, "--columns", "time,port,bytes,green"]) == 0
            (found,) = json.loads(capsys.readouterr().out)
            losses.append(found["lost_packets"])
            assert losses[-1] == lost(policy, expected, 8)
        assert losses[0] != losses[1]
    for columns, message in (
        ([], "mark: got None"),
        (["--columns", "time,port,bytes,port"], ""),
        (["--columns", "time,port,bytes,a"], "columns: got 'a'"),
        (["--columns", "a,b,c,d,e"], "three or four names"),
        (["--rates", "--columns", "a,b,c,d"], "three names"),
    ):
        assert run([*common, policies_named[0], *columns]) == (2 if message else 0)
        assert message in capsys.readouterr().err
    for wrong in ("1/2", "-1", "0.5"):
        file.write_text(f"time,port,bytes,green\n0,0,1,{wrong}\n", "utf-8")
        assert run([*common, policies_named[0], "--columns", "time,port,bytes,green"]) == 2
        assert "green" in capsys.readouterr().err


# Reverie


def losses_of_reverie(events: list[int], alpha: Fraction, gamma: Fraction, buffer: int) -> list[int]:
    """The losses under Reverie for arrivals (0, 1) and departures (2), written down once more."""
    queues, filtered, losses = [0, 0], [F(0), F(0)], [0, 0]
    for event in events:
        if event < 2:
            free = buffer - sum(queues)
            taken = free > 0 and filtered[event] < alpha * free
            queues[event] += taken
            losses[event] += not taken
            continue
        for port in (0, 1):
            if queues[port]:
                queues[port] -= 1
                filtered[port] = min(gamma * filtered[port] + (1 - gamma) * queues[port], F(queues[port]))
    return losses


@pytest.mark.parametrize("exact", [True, False])
def test_reverie_compares_filtered_lengths_with_the_threshold(exact: bool) -> None:
    for seed in range(20):
        rng = random.Random(seed)
        alpha, gamma = rng.choice([F(1, 2), F(1), F(2)]), rng.choice([F(0), F(1, 4), F(3, 4), F(1)])
        events = [
            event for _ in range(6) for event in (*rng.choices([0, 0, 1], k=rng.randrange(9)), *[2] * rng.randrange(6))
        ]
        packets = [(events[:t].count(2), event) for t, event in enumerate(events) if event != 2]
        expected = losses_of_reverie(events, alpha, gamma, 8)
        assert lost(Reverie(alpha, gamma), packets, 8, exact=exact) == expected


def test_reverie_without_new_lengths_shares_all_and_its_states_have_a_budget() -> None:
    found = [ratio(policy, ports=2, buffer=4).ratio for policy in (Reverie(1, 1), CompleteSharing())]
    assert found[0] == found[1]
    with budgets.raised(product=9000), pytest.raises(BudgetError, match="at most 9,000 pairs"):
        ratio(Reverie(4, "1/2"), ports=2, buffer=4)
    for gamma in (-1, 2):
        with refused("policy.gamma"):
            Reverie(1, gamma)


# Occamy and ideal expulsion


def test_occamy_expels_the_first_waiting_packet_of_the_longest_queue() -> None:
    """With alpha = 1 and B = 4 two packets of port 0 leave F = 2 = T; one of port 1 leaves F = 1."""
    streams = [listed([(0, F(1)), (0, F(1)), (1, F(1))]), listed([(0, F(1))])]
    done = run_packets(buffer=F(4), rates=[F(1, 9)] * 2, policy=Occamy(1), streams=streams, until=1)
    assert [(each.time, each.port, each.free) for each in done.lost] == [(1, 0, 2)]
    assert done.offered == [3, 1]


def test_occamy_without_a_queue_above_its_threshold_is_dt() -> None:
    for packets in product(range(2), repeat=6):
        trace = [(0, port) for port in sorted(packets)]
        if lost(DT(1), trace, 40) == [0, 0]:
            assert lost(Occamy(1), trace, 40) == [0, 0]


@pytest.mark.parametrize(
    ("alpha", "microseconds"), [(1, F(320, 9)), (2, F(128, 3)), (4, F(1280, 27)), (8, F(2560, 51))]
)
def test_the_first_drop_of_occamy_rises_with_alpha(alpha: int, microseconds: Fraction) -> None:
    given: dict[str, Any] = {"steady": 1, "steady_rate": "100 Gbps", "burst_rate": "100 Gbps", "alpha": alpha}
    compared = compare(LINE, among=["Occamy", "lqd"], **given)
    assert compared["Occamy"].first_drop == microseconds / 10**6
    assert compared["longest queue drop"].first_drop == F(160, 3) / 10**6


@pytest.mark.parametrize("policy", [Occamy(2), LQD()])
def test_packets_confirm_the_formula_of_ideal_expulsion(policy: Policy) -> None:
    """A burst of 10 C beside a port that is offered 10 C first loses a packet when the formula tells."""
    step, size, begin = F(1, 10), 300, F(90)
    steady = [(k * step, 1) for k in range(1400)]
    packets = sorted(steady + [(begin + (k + 1) * step, 0) for k in range(500)])
    times, ports = map(list, zip(*packets, strict=True))
    done = replay_trace([(times, ports, [1] * len(packets))], Switch(2, size, 1), {"it": policy}, exact=True)["it"]
    (first, _), alpha = done.first, policy.alpha if isinstance(policy, Occamy) else None
    assert first is not None
    expected = Expulsion(alpha).lossless(PolicySetting(2, F(size), F(1), 1, 1, F(10), F(50)))
    assert expected is not None
    assert abs(first.time - begin - expected) <= 2 * step


SETTING = PolicySetting(8, F(60), F(1), 2, 3, F(3), F(4))


def test_lqd_is_the_limit_of_a_large_alpha() -> None:
    for setting in (SETTING, PolicySetting(8, F(60), F(1), 1, 0, F(3), F(90))):
        near, limit = Expulsion(F(10**9)), Expulsion(None)
        assert abs(near.meeting(setting) - limit.meeting(setting)) < F(1, 10**6)
        assert max(abs(a - b) for a, b in zip(near.lengths(setting), limit.lengths(setting), strict=True)) < F(1, 10**6)
        assert abs((near.recovery(setting, F(2)) or 0) - (limit.recovery(setting, F(2)) or 0)) < F(1, 10**6)


def test_the_steady_queues_grow_back_no_faster_than_their_arrivals_let_them() -> None:
    """Three steady queues of 60/4 bytes fell by 2 * 8/4 while the bursts grew to 8; the bursts drain in 8 seconds."""
    assert [Expulsion(F(1)).recovery(SETTING, rate) for rate in (F(1), F(5, 4), F(3))] == [None, 16, 8]


def test_the_lengths_fill_the_buffer_that_is_not_free() -> None:
    for alpha in (F(1), F(5), None):
        expulsion = Expulsion(alpha)
        lengths = expulsion.lengths(SETTING)
        assert sum(lengths) + expulsion.free(SETTING, lengths[0]) == SETTING.buffer
        assert lengths[:2] == [8, 8] or lengths[0] == lengths[-1] == expulsion.meeting(SETTING)


def test_bursts_no_faster_than_their_ports_lose_nothing() -> None:
    compared = compare(Switch(4, 12, 1), steady=1, burst_rate="1", among=["Occamy", "lqd"])
    for outcome in compared.outcomes:
        assert (outcome.first_drop, outcome.longest_burst, outcome.lost) == (None, None, 0)
    stuck = compare(Switch(4, 12, 1), steady=1, steady_rate="1", duration="9", among=["lqd"])
    assert stuck["longest queue drop"].recovery is None
