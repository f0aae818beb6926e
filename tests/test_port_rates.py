"""Ports of different speeds, packets of one instant, and the packets of each sender that are lost."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import parquet
from refusals import refused

from dtmodel import DT, LQD, Arrivals, CompleteSharing, Switch, compare, sheet, simulate
from dtmodel.cli import run
from dtmodel.studies.traces import replay_trace
from dtmodel.studies.traces.ties import Ties

F = Fraction


def test_a_switch_has_one_rate_or_one_for_each_port() -> None:
    mixed = Switch(2, "1 MB", "10Gbps,40Gbps")
    assert mixed.rates == (1_250_000_000, 5_000_000_000) == Switch(2, "1 MB", ["10 Gbps", "40 Gbps"]).rates
    assert Switch(2, 9, "8bps,8bps") == Switch(2, 9, 1)
    assert str(mixed) == "2 ports of 10 Gbps, 40 Gbps sharing 1 MB"
    with refused("switch.rate", match="for each of the 3 ports"):
        Switch(3, 9, [1, 2])
    with refused("rate", match="equations \\(73\\) and \\(78\\)"):
        sheet("edt", mixed)


def test_a_fast_port_of_a_scenario_drains_at_its_rate(tmp_path: Path, capsys: Any) -> None:
    """B / ((R - C_1) + (R - C_1) + (R - C_2)) with alpha = 1: queue 1 first drops at 33.3 us."""
    flood = {port: Arrivals.constant("100 Gbps") for port in (0, 1)}
    done = simulate(Switch(2, "1 MB", "40 Gbps,10 Gbps"), DT(1), flood, until="1 ms")
    assert done.first_drop(1) == F(1, 30_000)
    one = {"arrivals": [["0", "100 Gbps"]]}
    document = {"switch": {"ports": 2, "buffer": "1 MB", "rate": "40 Gbps,10 Gbps"}, "until": "1 ms",
                "policy": {"name": "dt", "alpha": 1}, "queues": [one, one]}  # fmt: skip
    (tmp_path / "s.json").write_text(json.dumps(document), encoding="utf-8")
    assert run(["simulate", str(tmp_path / "s.json")]) == 0
    capsys.readouterr()


SPEEDS = Switch(3, "1 MB", "10 Gbps,40 Gbps,10 Gbps")


@pytest.mark.parametrize(("alpha", "steady", "bursts", "rate"), [
    (1, 1, 2, "100 Gbps"), ("1/2", 2, 1, "100 Gbps"), (2, 0, 3, "60 Gbps"), (1, 1, 2, "20 Gbps"), (4, 2, 1, "11 Gbps"),
])  # fmt: skip
def test_first_drops_among_ports_of_several_speeds_are_those_of_the_engine(
    alpha: Any, steady: int, bursts: int, rate: str
) -> None:
    made = sheet("dt", SPEEDS, alpha=alpha, steady=steady, bursts=bursts, burst_rate=rate)
    offers = {port: Arrivals.constant(rate if port < bursts else "99 Gbps") for port in range(bursts + steady)}
    initial: Any = dict.fromkeys(range(bursts, bursts + steady), "steady")
    done = simulate(SPEEDS, DT(alpha), offers, initial=initial, until="9 ms")
    drops = [drop for drop in map(done.first_drop, range(bursts)) if drop is not None]
    assert made["first_drop"] == min(drops)
    assert made["free_at_first_drop"] == done.free.at(min(drops))
    assert {row.claim for row in made.parameters if row.name == "first_drop"} == {"l2bm.ours.first-drop"}
    compared = compare(SPEEDS, steady=steady, bursts=bursts, burst_rate=rate, steady_rate="99 Gbps", alpha=alpha,
                       among=["DT"])  # fmt: skip
    assert compared.outcomes[0].longest_burst == min(drops)


def test_a_comparison_of_ports_of_several_speeds_says_which_claims_need_one_rate(capsys: Any) -> None:
    """Queue 1 of the scenario of two speeds first drops at 33.3 us, as the fast port does there."""
    switch = ("--ports", "2", "--buffer", "1MB", "--rate", "10Gbps,40Gbps")
    assert run(["compare", *switch, "--bursts", "2", "--burst-rate", "100Gbps", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    rows = {row["name"]: row for row in answer["policies"]}
    assert answer["switch"]["rate"] == "1250000000,5000000000"
    assert rows["DT"]["longest_burst"] == "1/30000"
    assert "edt.ours.theorem1 needs ports of one rate" in rows["DT"]["note"]
    assert all(row["claim"] is None for row in rows.values())
    assert run(["params", "edt", *switch]) == 2
    assert "--rate" in capsys.readouterr().err


@pytest.mark.parametrize("exact", [True, False])
def test_a_replay_sends_at_the_rate_of_each_port(exact: bool) -> None:
    number: Any = F if exact else float
    batch = ([number(t) for t in (0, 0, 0, 0, 1, 1)], [0, 0, 1, 1, 0, 1], [number(1)] * 6)
    fast = replay_trace([batch], Switch(2, 4, [1, 4]), {"one": CompleteSharing()}, exact=exact)["one"]
    assert (fast.longest, fast.lost_packets) == ([2, 2], [0, 0])
    slow = replay_trace([batch], Switch(2, 3, [1, 4]), {"one": CompleteSharing()}, exact=exact)["one"]
    assert slow.lost_packets == [0, 1]


def test_records_of_lost_packets_are_numbered_in_every_engine() -> None:
    batch = ([0.0] * 6, [0, 0, 0, 1, 1, 0], [1.0] * 6)
    for policy, exact, lost in ((DT(1), False, [2, 4, 5]), (DT(1), True, [2, 4, 5]), (LQD(), True, [2, 5])):
        numbers: list[int | None] = []
        columns: Any = ([F(0)] * 6, batch[1], [F(1)] * 6) if exact else batch
        split: Any = [tuple(column[:4] for column in columns), tuple(column[4:] for column in columns)]
        heard = {"one": lambda packet, to=numbers: to.append(packet.burst)}
        replay_trace(split, Switch(2, 4, 1), {"one": policy}, exact=exact, heard=heard)
        assert sorted(number for number in numbers if number is not None) == lost


BATCHES = st.lists(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), max_size=8), min_size=1, max_size=4).map(
    lambda parts: [sorted(part) for part in parts]
)


@settings(deadline=None, max_examples=60)
@given(BATCHES, st.sampled_from(["order", "random", "fair"]), st.integers(0, 3))
def test_an_order_of_ties_moves_packets_within_their_instant_only(parts: Any, ties: Any, seed: int) -> None:
    rows, batches = [], []
    for number, given_ in enumerate(parts):
        part = [(3 * number + time, port) for time, port in given_]
        rows += part
        columns = [[row[i] for row in part] for i in (0, 1)]
        batches.append((np.array(columns[0]), np.array(columns[1], int), np.ones(len(part))))
    made = Ties(batches, ties, 4, seed)
    found = [(int(t), int(p), int(n)) for batch in made for t, p, n in zip(batch[0], batch[1], batch[3], strict=True)]
    assert [(t, p) for t, p, n in sorted(found, key=lambda row: row[2])] == rows
    assert [t for t, _, _ in found] == [t for t, _ in rows]
    times = [t for t, _ in rows]
    assert made.count == sum(times.count(t) > 1 for t in times)
    if ties == "order":
        assert [n for *_, n in found] == list(range(len(rows)))


def test_a_random_order_depends_on_the_seed_only_and_a_fair_one_alternates() -> None:
    batch = (np.zeros(40), np.arange(40) // 20, np.ones(40))
    orders = [[b[3].tolist() for b in Ties([batch], "random", 2, seed)] for seed in (1, 1, 2)]
    assert orders[0] == orders[1] != orders[2]
    ((_, ports, _, _),) = Ties([batch], "fair", 2)
    assert ports.tolist() == [0, 1] * 20


def asked(capsys: Any, *options: str) -> Any:
    assert run(["replay-trace", *options, "--json"]) == 0
    return json.loads(capsys.readouterr().out)[0]


def test_the_same_load_loses_by_the_order_of_its_records_unless_ties_are_drawn(tmp_path: Path, capsys: Any) -> None:
    rows = [(time, port) for time in range(60) for port in (0, 0, 1, 1, 2, 2, 3, 3)]
    file = tmp_path / "t.csv"
    file.write_text("time,port,bytes\n" + "".join(f"{t},{p},1\n" for t, p in rows), encoding="utf-8")
    switch = (str(file), "--ports", "4", "--buffer", "30", "--rate", "1", "--policy", "complete")
    kept, fair = asked(capsys, *switch), asked(capsys, *switch, "--ties", "fair")
    drawn = asked(capsys, *switch, "--ties", "random", "--seed", "3")
    assert kept["tied"] == fair["tied"] == len(rows)
    assert min(kept["lost_packets"]) == 0 or max(kept["lost_packets"]) > 2 * min(kept["lost_packets"])
    assert max(drawn["lost_packets"]) - min(drawn["lost_packets"]) < max(kept["lost_packets"]) / 2
    assert run(["replay-trace", *switch]) == 0
    assert "480 packets arrive at the instant of another: the order of the records decides" in capsys.readouterr().out


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_the_sender_of_each_lost_packet_is_kept(tmp_path: Path, capsys: Any, kind: str) -> None:
    rows = [(k // 2, 0, 2, "AB"[k % 2]) for k in range(40)]
    file = tmp_path / f"t.{kind}"
    if kind == "csv":
        text = "time,port,bytes,sender\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
        file.write_text(text, encoding="utf-8")
    else:
        import pyarrow as pa

        columns = dict(zip(("time", "port", "bytes", "sender"), zip(*rows, strict=True), strict=True))
        parquet.write_table(pa.table({name: list(column) for name, column in columns.items()}), file)
    switch = ("--ports", "1", "--buffer", "8", "--rate", "2", "--policy", "complete", "--exact")
    answer = asked(capsys, str(file), *switch, "--losses", str(tmp_path / "L"))
    lost = parquet.read_table(tmp_path / "L" / "0.parquet")
    assert lost.column_names == ["time", "port", "bytes", "free", "record", "sender"]
    assert lost.num_rows == answer["lost_packets"][0] > 10
    assert lost.column("sender").to_pylist() == [rows[record][3] for record in lost.column("record").to_pylist()]
    assert set(lost.column("sender").to_pylist()) == {"B"}


def test_abm_drains_within_the_bound_of_each_priority() -> None:
    queues: dict[str, Any] = {"priorities": [0, 0, 1], "drains": [1, "1/2", "1/2"]}
    made = sheet("abm", buffer="4 MB", alphas=["1/2", "1/4"], rate="10Gbps", **queues)
    assert [made[f"drain_time_{i}"] for i in (1, 2, 3)] == [F(2, 3750)] * 3
    assert [made[f"drain_bound_{i}"] for i in (1, 2, 3)] == [F(1, 1250)] * 3
