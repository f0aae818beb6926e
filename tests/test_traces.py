"""Traces of packets: replayed as the packet engine runs them, read in batches, generated from published sizes."""

import json
from fractions import Fraction
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from refusals import refused

from dtmodel import DT, EDT, LQD, Arrivals, CompleteSharing, InputError, StaticPartition, Switch, simulate
from dtmodel.base import budgets
from dtmodel.base.errors import BudgetError
from dtmodel.cli import run
from dtmodel.packet.core import packet_status
from dtmodel.packet.engine import FedSwitch, Lost, run_packets
from dtmodel.packet.flow_sizes import FLOW_SIZES, flow_sizes
from dtmodel.policies import Occamy, Policy
from dtmodel.policies import read as read_policy
from dtmodel.policies.admission import Account, Admission
from dtmodel.policies.memory import Memory, State
from dtmodel.policies.policy import Part
from dtmodel.policies.threshold import Threshold
from dtmodel.studies.traces import (
    PATTERNS,
    TraceColumns,
    generated_packets,
    read_batches,
    replay_rates,
    replay_trace,
)

F = Fraction
SWITCH = Switch(ports=3, buffer=20_000, rate=10**6)
POLICIES = {
    "DT": DT(F(1, 3)),
    "EDT": EDT(F(1, 3), 3000, "1 ms", "5 ms"),
    "all": CompleteSharing(),
    "static": StaticPartition((7000, 7000, 6000)),
    "LQD": LQD(),
}


class Later(Policy):
    """A policy of somebody else, which looks at the time and divides what it is told."""

    def thresholds(self, queues: int) -> tuple[None, ...]:
        return (None,) * queues

    def admission(self, ports: int, buffer: Any, account: Account) -> Admission:
        del ports, account

        class Half(Admission):
            def admits(self, port: int, length: Any, free: Any, now: Any) -> bool:
                del port
                return bool(length / buffer < free / buffer / (1 + now // F(1, 100) % 3))

        return Half()


class Clock(Policy):
    """A policy whose thresholds change with the time."""

    def thresholds(self, queues: int) -> tuple[Threshold, ...]:
        return (Threshold(F(1)),) * queues

    def memory(self, part: Part, number: Any) -> Any:
        del part, number

        class Seconds(Memory[Any]):
            def wakes(self, state: State[Any]) -> list[Any]:
                del state
                return []

            def act(self, state: State[Any]) -> Any:
                return {0: (1 / (1 + state.now // F(1, 100) % 3), 0)}

        return Seconds()


def packets(**changes: Any) -> list[tuple[float, int, int]]:
    given: dict[str, Any] = {"pattern": "incast", "sizes": "cache", "senders": 4, "duration": "99 s", "load": "1/2"}
    return list(islice(generated_packets(SWITCH, **given | changes), 600))


def fed(trace: list[tuple[Any, int, Any]], policy: Policy, buffer: Any, rate: Any) -> tuple[list[Lost], list[Any], Any]:
    """Return what three ports in Python lose, the greatest lengths of their queues and the least free buffer."""
    lost, longest, least = list[Lost](), [buffer - buffer] * 3, buffer
    switch = FedSwitch(buffer=buffer, rates=[rate] * 3, policy=policy, heard=lost.append)
    for record, (time, port, size) in enumerate(trace):
        switch.arrive(time, port, size, record)
        longest[port], least = max(longest[port], switch.lengths[port]), min(least, switch.free)
    return lost, longest, least


@pytest.mark.parametrize("exact", [True, False])
def test_a_replay_is_the_run_of_the_packet_engine(exact: bool) -> None:
    number: Any = F if exact else float
    trace = [(number(time), port, number(size)) for time, port, size in packets()]
    heard: dict[str, list[Lost]] = {name: [] for name in POLICIES}
    columns = tuple(zip(*trace, strict=True))
    batches = [tuple(column[begin : begin + 200] for column in columns) for begin in range(0, len(trace), 200)]
    done = replay_trace(batches, SWITCH, POLICIES, exact=exact, heard={n: h.append for n, h in heard.items()})
    for name, policy in POLICIES.items():
        streams = [[(time, size, None) for time, port, size in trace if port == p] for p in range(3)]
        rates = [number(10**6)] * 3
        whole = run_packets(buffer=number(20_000), rates=rates, policy=policy, streams=streams, until=trace[-1][0])
        assert [lost._replace(burst=None) for lost in heard[name]] == whole.lost
        assert all(trace[lost.burst or 0][1:] == (lost.port, lost.size) for lost in heard[name])
        assert done[name].lost_bytes == [whole.dropped(port) for port in range(3)]
        assert done[name].first == [next((lost for lost in heard[name] if lost.port == p), None) for p in range(3)]
        assert done[name].bytes == whole.offered
        assert sum(done[name].lost_packets) == len(whole.lost) > 0
        assert [done[name].longest, done[name].least_free] == [*fed(trace, policy, number(20_000), number(10**6))[1:]]
    assert done["static"].longest[2] <= 6000 + 1460


@pytest.mark.parametrize("seed", range(6))
def test_exact_numbers_that_are_not_whole_give_what_fractions_give(seed: int) -> None:
    """Ticks are chosen by the rate and the first batch; later times, sizes, timers and the buffer may be between."""
    rng = Random(seed)
    prime, rate, buffer = (
        rng.choice((3, 7, 2**89 - 1)),
        F(7 * 10**5, rng.choice((1, 3, 2**300))),
        F(40_001, rng.choice((1, 2))),
    )
    limits = [{"alpha": "1/2", "reserved": 100, "cap": 9000}] * 3
    policies: dict[str, Policy] = {
        **POLICIES,
        "timers": EDT(F(2, 3), F(3001, 2), "1/7 ms", "1/13 s"),
        "pools": read_policy({"name": "pools", "limits": limits}, {}, 3),
        "later": Later(),
        "clock": Clock(),
    }
    time, trace = F(0), list[tuple[F, int, F]]()
    for number in range(900):
        time += F(rng.randrange(2000), 10**6 if number < 300 else 10**6 * prime) * (10**6 / rate) / 2
        trace.append((time, rng.randrange(3), F(rng.randint(1, 3000), rng.choice((1, 1, 1, 2)))))
    columns = tuple(zip(*trace, strict=True))
    batches = [tuple(column[begin : begin + 300] for column in columns) for begin in range(0, 900, 300)]
    switch = Switch(3, buffer, rate)
    heard: dict[str, list[Lost]] = {name: [] for name in policies}
    done = replay_trace(batches, switch, policies, exact=True, heard={n: h.append for n, h in heard.items()})
    for name, policy in policies.items():
        lost, *extremes = fed(trace, policy, buffer, rate)
        assert heard[name] == lost != []
        assert [done[name].longest, done[name].least_free] == extremes
        kinds = {type(value) for value in (done[name].least_free, *lost[0][3:], lost[0].time, *done[name].longest)}
        assert kinds == {F}


def test_longest_queue_and_least_free_are_by_hand() -> None:
    """Three packets of 4 bytes at once fill two ports; the fourth finds 8 free, T = 8 / 2 below its queue of 8."""
    trace = [([0, 0, 0, 0, 99], [0, 1, 0, 0, 1], [4, 4, 4, 4, 1])]
    done = replay_trace(trace, Switch(2, 20, 1), {"DT": DT(F(1, 2))}, exact=True)["DT"]
    assert (done.longest, done.least_free, done.lost_bytes) == ([8, 4], 8, [4, 0])
    assert done.first == [Lost(0, 0, 3, 4, 8), None]
    assert (done.packets, done.lost_packets) == ([3, 2], [1, 0])


@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_generated_trace_offers_the_load_and_is_that_of_its_seed(pattern: str) -> None:
    switch = Switch(ports=8, buffer=1, rate="10 Gbps")
    given: dict[str, Any] = {
        "pattern": pattern,
        "sizes": "web-search",
        "duration": "0.3 s",
        "load": "0.3",
        "packet": 9000,
    }
    made = list(generated_packets(switch, seed=1, **given))
    assert made == sorted(made, key=lambda packet: packet[0])
    assert {port for _, port, _ in made} == set(range(8))
    assert all(0 < size <= 99_000 for _, _, size in made)
    offered = sum(size for _, _, size in made)
    assert abs(offered / (0.3 * 8 * 1.25e9 * 0.3) - 1) < 0.2
    assert made[:50] != [*zip(range(50), generated_packets(switch, seed=2, **given), strict=False)]
    again = generated_packets(switch, seed=1, **given)
    assert [next(again) for _ in range(50)] == made[:50]


@pytest.mark.parametrize("name", FLOW_SIZES)
def test_quantiles_are_the_points_of_the_distribution_and_their_mean_its_mean(name: str) -> None:
    sizes = flow_sizes(name)
    for (low, p), (high, q) in zip(sizes.points, sizes.points[1:], strict=False):
        middle = sizes.quantile(float(p + q) / 2)
        assert middle == pytest.approx(float(low + high) / 2)
    parts = 20_000
    mean = sum(sizes.quantile((k + 0.5) / parts) for k in range(parts)) / parts
    assert mean == pytest.approx(float(sizes.mean), rel=0.01)


def written(folder: Path, text: str) -> Path:
    file = folder / "t.csv"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("time,port\n0,1\n", "columns: got 'bytes'; expected one of the columns of t.csv: time, port"),
        ("time,port,bytes\n0,0,1\n1,3,1\n", "record 1: port: got 3.0; expected a port from 0 to 2"),
        ("time,port,bytes\n0,0.5,1\n", "record 0: port"),
        ("time,port,bytes\n2,0,1\n1,0,1\n", "record 1: time: got 1.0; expected no time before"),
        ("time,port,bytes\n0,0,0\n", "record 0: bytes: got 0.0"),
        ("time,port,bytes\n0,0,1\n1,0,\n", "record 1: bytes: got nan"),
        ("time,port,bytes\n9007199254740994,0,1\n", "record 0: time: got 9007199254740994.0; expected at most 2**53"),
        ("time,port,bytes\nx,0,1\n", "time: got 'a column of string'"),
        ("time,port,bytes\n1,0\n", "CSV with headings, or Parquet"),
        ("", "CSV with headings, or Parquet"),
    ],
)
def test_a_bad_record_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        list(read_batches(written(tmp_path, text), 3))
    assert message in str(error.value)


@pytest.mark.parametrize("exact", [True, False])
def test_columns_that_are_not_told_apart_and_names_that_are_not_text_are_refused(tmp_path: Path, exact: bool) -> None:
    twice = pa.Table.from_arrays([pa.array([number]) for number in (0.0, 0.0, 0, 1)], ["time", "time", "port", "bytes"])
    parquet.write_table(twice, tmp_path / "twice.parquet")
    (tmp_path / "twice.csv").write_text("port,time,bytes,port\n0,0,1,0\n")
    (tmp_path / "latin.csv").write_bytes("time,port,bytes,größe\n0,0,1,2\n".encode("latin-1"))
    for name, message in (
        ("twice.parquet", "columns: got 'time'; expected a name that one column has"),
        ("twice.csv", "columns: got 'port'; expected a name that one column has"),
        ("latin.csv", "expected CSV with headings, or Parquet ('utf-8' codec"),
    ):
        with pytest.raises(InputError) as error:
            list(read_batches(tmp_path / name, 3, exact=exact))
        assert message in str(error.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"duration": "1 s"}, "packets of one generated trace"),
        ({"duration": "1e300"}, "no machine has as much"),
        ({"pattern": "on-off", "duration": "1 s"}, "packets of one generated trace"),
        ({"pattern": "incast", "senders": 10**9, "duration": "1 us"}, "^senders: .* queues"),
        ({"duration": "1 us", "ports": 10**6}, "^ports: .* queues"),
    ],
)
def test_a_generated_trace_has_a_budget(options: dict[str, Any], message: str) -> None:
    given = {"ports": 4, "packet": 1460, **options}
    with budgets.raised(packets=50), pytest.raises(BudgetError, match=message):
        list(generated_packets(Switch(given.pop("ports"), 1, "1 Gbps"), **given))


def test_flows_that_are_larger_than_their_mean_end_at_the_budget_and_leave_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--ports", "2", "--rate", "1Gbps", "--duration", "1ms", "--seed", "31"]
    assert run(["--budget", "packets=100", "make-trace", str(tmp_path / "t.csv"), *options]) == 2
    assert "duration: got 101; expected at most 100 packets" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_replay_has_a_budget_of_ports_under_all_policies() -> None:
    trace = [([0], [0], [1])]
    with budgets.raised(queues=6):
        assert replay_trace(trace, SWITCH, {"one": DT(1), "two": DT(2)})
        with pytest.raises(BudgetError, match=r"^ports, under every policy: got 9"):
            replay_trace(trace, SWITCH, {"one": DT(1), "two": DT(2), "three": DT(3)})


def test_an_exact_replay_takes_decimals_as_they_are_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    times = ["0.1", "0.2", "0.3", "0.4", "0.7", "0.8", "0.9"]  # each packet has left when the next one comes
    for unit, zeros in (("ms", "e3"), ("s", "")):
        file = written(tmp_path, "time,port,bytes\n" + "".join(f"{time}{zeros},0,1000\n" for time in times))
        replay = ["replay-trace", str(file), "--ports", "1", "--buffer", "1000", "--rate", "10000", "--time-unit", unit]
        assert run([*replay, "--policy", "complete", "--exact", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)[0]["lost_packets"] == [0]
    ((read, _, sizes),) = read_batches(file, 1, exact=True)
    assert [read.tolist(), sizes.tolist()] == [list(map(F, times)), [1000] * 7]
    with pytest.raises(InputError, match="record 1: time: got nan"):
        list(read_batches(written(tmp_path, "time,port,bytes\n0.1,0,1\n,0,1\n"), 1, exact=True))
    done = replay_rates([([F(0), F(1, 3)], [0, 0], [F(7, 3), F(0)])], Switch(1, 1, 1), {"DT": DT(1)}, exact=True)["DT"]
    assert done.drained(0) == F(1, 3)


@pytest.mark.parametrize(("unit", "parts"), [("s", 1), ("us", 10**6)])
def test_decimals_of_every_form_are_read_as_they_are_written(tmp_path: Path, unit: str, parts: int) -> None:
    times = ["0", "0.125", "00.250", "1", "4e1", "40.000000000000000001", "1e2", "123.0", "9" * 60]
    file = written(tmp_path, "time,port,bytes\n" + "".join(f"{time},0,10\n" for time in times[:-1]))
    ((read, _, sizes),) = read_batches(file, 1, TraceColumns(unit=unit), exact=True)
    assert (read.tolist(), sizes.tolist()) == ([F(time) / parts for time in times[:-1]], [10] * 8)
    file = written(tmp_path, f"time,port,bytes\n{times[-1]}.5,0,10\n")
    assert next(read_batches(file, 1, TraceColumns(unit=unit), exact=True))[0][0] == F(times[-1] + ".5") / parts


def test_no_more_is_kept_of_a_long_file_than_of_a_short_one(tmp_path: Path) -> None:
    kept, rng = [], np.random.default_rng(1)
    for parts in (4, 16):
        file = tmp_path / f"{parts}.parquet"
        rows = 40_000 * parts
        columns = [np.sort(rng.random(rows)), np.zeros(rows, np.int32), rng.integers(1, 2**40, rows)]
        table = pa.table(columns, ["time", "port", "bytes"])
        parquet.write_table(table, file, row_group_size=40_000, compression="none", use_dictionary=False)
        before = pa.total_allocated_bytes()
        kept.append(max(pa.total_allocated_bytes() - before for _ in read_batches(file, 1)))
    assert kept[1] < 1.5 * kept[0]


def test_columns_and_units_are_those_that_are_named(tmp_path: Path) -> None:
    file = written(tmp_path, "ts,x,len,out\n5,9,100,1\n7,9,200,2\n")
    ((times, ports, sizes),) = read_batches(file, 3, TraceColumns("ts", "out", "len", "us"))
    assert [times.tolist(), ports.tolist(), sizes.tolist()] == [[5e-6, 7e-6], [1, 2], [100, 200]]
    with pytest.raises(InputError, match="file: got"):
        list(read_batches(tmp_path / "none.parquet", 3))
    with pytest.raises(InputError, match="time-unit"):
        list(read_batches(file, 3, TraceColumns("ts", "out", "len", "minutes")))


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_trace_is_made_and_replayed_by_commands(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, ending: str
) -> None:
    file, losses = tmp_path / f"t.{ending}", tmp_path / "losses"
    make = ["--ports", "4", "--rate", "1Gbps", "--duration", "9ms", "--load", "9", "--sizes", "cache", "--seed", "3"]
    assert run(["make-trace", str(file), *make, "--pattern", "incast", "--packet", "9000"]) == 0
    number = int(capsys.readouterr().out.split()[1].replace(",", ""))
    replay = ["replay-trace", str(file), "--ports", "4", "--buffer", "100KB", "--rate", "1Gbps"]
    several = ["--policy", "dt:alpha=1", "--policy", '{"name": "edt", "alpha": 1, "cn2": "10 KB"}', "--policy", "lqd"]
    assert run([*replay, *several, "--json", "--losses", str(losses)]) == 0
    answers = json.loads(capsys.readouterr().out)
    assert [sum(answer["packets"]) for answer in answers] == [number] * 3
    for place, answer in enumerate(answers):
        table = parquet.read_table(losses / f"{place}.parquet")
        assert table.column_names == ["time", "port", "bytes", "free", "record"]
        assert table.num_rows == sum(answer["lost_packets"]) > 0
        assert sum(table.column("bytes").to_pylist()) == sum(answer["lost_bytes"])
    assert run([*replay, "--policy", "dt:alpha=1"]) == 0
    assert capsys.readouterr().out.startswith("dt:alpha=1: ")
    pairs = {"DT": "dt:alpha=1", "static partition": '{"name": "static", "sizes": [25000, 25000, 25000, 25000]}',
             "Complete_Sharing": "complete", "longest queue drop": "LQD"}  # fmt: skip
    for spelt, given in pairs.items():
        assert run([*replay, "--policy", spelt, "--policy", given, "--json"]) == 0
        one, other = json.loads(capsys.readouterr().out)
        assert one == {**other, "policy": spelt}
    assert run([*replay, *(x for name in ("L2BM", "edt", "abm", "pools") for x in ("--policy", name))]) == 0
    capsys.readouterr()
    for wrong, message in (
        ("dt:alpha=0", "--policy: policy.alpha"),
        ("l2mb", "did you mean 'l2bm'"),
        ("{", "JSON"),
        ("dt:alpha=1,alpha=2", "--policy: alpha: got 'the same key twice'"),
        ('{"name": "dt", "name": "complete"}', "--policy: name: got 'the same key twice'"),
        ('{"a":' * 50_000, "--policy: got 'deeply nested JSON'"),
        ("dt:alpha=1e999", "within the range of floats"),
    ):
        assert run([*replay, "--policy", wrong]) == 2
        assert message in capsys.readouterr().err
    assert run([*replay, "--policy", "complete", "--columns", "a,b"]) == 2


@pytest.mark.parametrize(("field", "numbers"), [
    ("rate", {"rate": "1e-400"}), ("buffer", {"buffer": "1e-400"}), ("dt.alpha", {"dt": DT("1e-400")}),
    ("dt.alpha[1]", {"dt": DT([1, "1e-400"])}), ("edt.cn2", {"edt": EDT(1, "1e-400")}),
])  # fmt: skip
def test_numbers_that_would_be_0_in_floats_are_bad_input(field: str, numbers: dict[str, Any]) -> None:
    switch = Switch(2, numbers.pop("buffer", 9), numbers.pop("rate", 1))
    policies = numbers or {"dt": DT(1)}
    with refused(field, match="not 0 as a float"):
        replay_trace([([0], [0], [1])], switch, policies)
    if switch.buffer > 1:
        assert replay_trace([([0], [0], [1])], switch, policies, exact=True)[next(iter(policies))].packets == [1, 0]


@pytest.mark.parametrize(("buffer", "rate"), [("1e999", "1"), ("9", "1e999"), ("9", "1e-999")])
def test_floats_that_cannot_hold_a_switch_are_bad_input_and_fractions_can(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, buffer: str, rate: str
) -> None:
    file = written(tmp_path, "time,port,bytes\n0,0,1\n")
    replay = ["replay-trace", str(file), "--ports", "2", "--buffer", buffer, "--rate", rate, "--policy", "dt:alpha=1"]
    assert run(replay) == 2
    assert ("rate: got" if rate == "1e-999" else "numbers: got") in capsys.readouterr().err
    assert run([*replay, "--exact", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["lost_packets"] == [0, 0]


def test_rates_run_in_the_fluid_model(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = written(tmp_path, "time,port,rate\n0,0,3\n0,1,2\n2,0,0\n4,1,0\n")
    replay = ["replay-trace", str(file), "--rates", "--ports", "2", "--buffer", "6", "--rate", "1"]
    assert run([*replay, "--policy", "dt:alpha=1", "--policy", "complete", "--exact", "--json"]) == 0
    answers = json.loads(capsys.readouterr().out)
    two = {0: Arrivals([(0, 3), (2, 0)]), 1: Arrivals([(0, 2)])}
    for answer, policy in zip(answers, (DT(1), CompleteSharing()), strict=True):
        one = simulate(Switch(2, 6, 1), policy, two, until=4)
        assert [F(x) for x in answer["dropped"]] == [one.dropped(0), one.dropped(1)]
        first = [None if x is None else F(x) for x in answer["first_drop"]]
        assert first == [one.first_drop(0), one.first_drop(1)]
    assert F(answers[0]["dropped"][0]) > 0
    assert run([*replay, "--policy", "dt:alpha=1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["error_bound"] == 1e-9
    assert run([*replay, "--policy", "complete"]) == 0
    assert capsys.readouterr().out.startswith("complete\n")
    assert run([*replay, "--policy", "complete", "--losses", str(tmp_path)]) == 2
    for text, message in (("0,0,-1\n1,0,1", "record 0: rate"), ("1,0,1\n1,0,2", "port 0"), ("0,0,1", "records")):
        written(tmp_path, f"time,port,rate\n{text}\n")
        assert run([*replay, "--policy", "complete"]) == 2
        assert message in capsys.readouterr().err
    with budgets.raised(events=1), pytest.raises(InputError, match="records"):
        replay_rates([([0, 1], [0, 0], [1, 1])], SWITCH, {})


def test_what_is_no_load_or_packet_is_refused() -> None:
    for wrong, field in (({"load": 0}, "load"), ({"pattern": "on-off", "load": 1}, "load"), ({"sizes": "x"}, "sizes")):
        with pytest.raises(InputError, match=field):
            packets(**wrong)
    for pattern, load in (("poisson", "1e-400"), ("poisson", "1e-320"), ("on-off", F(1, 10**315))):
        with pytest.raises(InputError, match="floats"):
            packets(pattern=pattern, load=load)
    with pytest.raises(InputError, match="no larger than the buffer"):
        replay_trace([([0], [0], [9])], Switch(1, 8, 1), {"all": CompleteSharing()})


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(
    ("batches", "field"),
    [
        ([([0], [1], [9])], "port"),
        ([([0], [-1], [9])], "port"),
        ([([0], [0.5], [9])], "port"),
        ([([0], [0], [0])], "size"),
        ([([0], [0], [float("nan")])], "size"),
        ([([float("nan")], [0], [1])], "time"),
        ([([float("inf")], [0], [1])], "time"),
        ([([-1], [0], [1])], "time"),
        ([([1], [0], [1]), ([0], [0], [1])], "time"),
        ([([0, 0], [0], [1])], "records"),
        ([(["x"], [0], [1])], "records"),
        ([([0], [0], [1], [0.5])], "record"),
        ([([0], [0], [1], [2**64])], "record"),
    ],
)
def test_a_record_that_is_none_is_refused_by_every_engine(batches: Any, field: str, exact: bool) -> None:
    for policy in (DT(1), CompleteSharing()):
        with refused(field):
            replay_trace(batches, Switch(1, 80, 1), {"one": policy}, exact=exact)


def test_an_answer_says_which_engine_made_it() -> None:
    trace = [([0], [0], [9])]
    for exact in (True, False):
        done = replay_trace(trace, Switch(1, 80, 1), {"DT": DT(1), "LQD": LQD(), "other": Occamy()}, exact=exact)
        core = packet_status() == "native core" and not exact
        assert {done[name].engine == "native core" for name in ("DT", "LQD")} == {core}
        assert done["other"].engine.startswith("Python (")
