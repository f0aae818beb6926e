"""Drops in sampled counters are explained by DT's threshold: could, must or cannot."""

import json
import random
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
from refusals import refused

from dtmodel import DT, Arrivals, Switch, simulate
from dtmodel.cli import run
from dtmodel.fluid import answer
from dtmodel.studies.explain import explain
from dtmodel.studies.linear_cases import Cases
from proofs.check_certificates import check

Rows = list[dict[str, Any]]
COLUMNS = ("time", "port", "queue", "in", "out", "dropped", "watermark")


def test_the_example_has_drops_of_the_threshold_and_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "--example"]) == 0
    sample = tmp_path / "counters.csv"
    sample.write_text(capsys.readouterr().out, encoding="utf-8")
    assert run(["explain", str(sample), "--buffer", "1MB", "--alpha", "1", "--rate", "10Gbps", "--json"]) == 0
    intervals = json.loads(capsys.readouterr().out)["intervals"]
    assert [each["verdict"] for each in intervals] == ["could", "cannot"]


def rows_of(*samples: tuple[Any, ...]) -> Rows:
    """Rows of queue 0 of each port: time, port, in, out, dropped and, if it is given, the watermark."""
    return [dict(zip(COLUMNS, (each[0], each[1], 0, *each[2:]), strict=False)) for each in samples]


def simulated(alpha: Fraction, buffer: int, arrivals: dict[int, Arrivals], times: list[int]) -> Rows:
    """Sample the counters of a run of the exact engine; the watermark is the longest length at a breakpoint so far."""
    made = simulate(Switch(len(arrivals), buffer, 1), DT(alpha), arrivals, until=times[-1])
    rows = []
    for time in times:
        for port, offered in arrivals.items():
            queue = made.queue(port)
            instants = [t for t in queue.breakpoints if t <= time] + [Fraction(time)]
            top = max(queue.at(t) for t in instants)
            ended = simulate(Switch(len(arrivals), buffer, 1), DT(alpha), arrivals, until=time) if time else None
            out, lost = (ended.drained(port), ended.dropped(port)) if ended else (Fraction(0), Fraction(0))
            rows.append((time, port, offered.offered(Fraction(time)), out, lost, top))
    return rows_of(*rows)


def random_arrivals(seed: int, ports: int) -> dict[int, Arrivals]:
    draw = random.Random(seed)
    return {p: Arrivals([(t, draw.choice([0, 0, 1, 3, 5])) for t in range(0, 12, 2)]) for p in range(ports)}


@pytest.mark.parametrize("seed", range(6))
def test_drops_of_an_exact_run_are_never_called_impossible(seed: int) -> None:
    alpha = (Fraction(1, 2), Fraction(1), Fraction(2))[seed % 3]
    rows = simulated(alpha, 12, random_arrivals(seed, 3), [0, 3, 6, 9, 12])
    found = explain(rows, buffer=12, alpha=alpha, rate=1)["intervals"]
    lost = [sum(row["dropped"] for row in rows if row["time"] == time) for time in (0, 3, 6, 9, 12)]
    assert len(found) == sum(old < new for old, new in pairwise(lost))
    assert [each["reason"] for each in found if each["verdict"] == "cannot"] == []


def replayed(rows: Rows, interval: dict[str, Any], buffer: int, alpha: Fraction) -> dict[str, tuple[Fraction, ...]]:
    """Replay a witness by hand: DT with bursts, unit rates, streams only into empty queues; length, out, dropped."""
    start, end = Fraction(interval["from"]), Fraction(interval["to"])
    length = {str(r["port"]): r["in"] - r["out"] - r["dropped"] for r in rows if r["time"] == start}
    counts = {port: [Fraction(0), Fraction(0)] for port in length}
    pieces = [{k: v if k == "port" else Fraction(v) for k, v in piece.items()} for piece in interval["witness"]]
    now = start

    def drain(until: Fraction) -> None:
        for port, held in length.items():
            sent = min(held, until - now)
            length[port], counts[port][0] = held - sent, counts[port][0] + sent

    for piece in sorted(pieces, key=lambda piece: piece["time"] + piece["seconds"]):
        done = piece["time"] + piece["seconds"]
        drain(done)
        now, port = done, piece["port"]
        if piece["seconds"]:
            assert piece["bytes"] <= piece["seconds"]
            assert length[port] == 0
            counts[port][0] += piece["bytes"]
            continue
        gap = alpha * (buffer - sum(length.values())) - length[port]
        taken = min(piece["bytes"], max(gap / (1 + alpha), Fraction(0)))
        length[port] += taken
        counts[port][1] += piece["bytes"] - taken
    drain(end)
    return {port: (length[port], *counts[port]) for port in length}


def sampled(rows: Rows, interval: dict[str, Any]) -> dict[str, tuple[Any, ...]]:
    ends = [{str(r["port"]): r for r in rows if str(r["time"]) == interval[end]} for end in ("from", "to")]
    return {
        port: (new["in"] - new["out"] - new["dropped"], new["out"] - old["out"], new["dropped"] - old["dropped"])
        for (port, old), new in zip(ends[0].items(), ends[1].values(), strict=True)
    }


@pytest.mark.parametrize("seed", range(4))
def test_a_witness_gives_the_sampled_counters_to_the_byte(seed: int) -> None:
    alpha = (Fraction(1, 2), Fraction(1), Fraction(2))[seed % 3]
    rows = simulated(alpha, 12, random_arrivals(seed, 3), [0, 3, 6, 9])
    for interval in explain(rows, buffer=12, alpha=alpha, rate=1)["intervals"]:
        assert replayed(rows, interval, 12, alpha) == sampled(rows, interval)


State = tuple[tuple[int, ...], tuple[int, ...], tuple[bool, ...], bool]


def by_brute_force(
    buffer: int, start: tuple[int, ...], end: tuple[int, ...], out: tuple[int, ...], tops: tuple[int, ...], time: int
) -> set[str]:
    """Marks of queue 0 that motions of whole bytes in whole steps can have: "at" its threshold, or "below" it.

    DT has alpha = 1, and rates are 1. A watermark that is above the start is reached in the interval.
    """
    marks = set()
    for at in (True, False):

        def marked(lengths: tuple[int, ...], at: bool = at) -> bool:
            margin = buffer - sum(lengths) - lengths[0]
            return margin <= 0 if at else margin > 0

        def grown(states: set[State]) -> set[State]:
            todo = list(states)
            while todo:
                lengths, idle, reached, seen = todo.pop()
                for i in range(len(lengths)):
                    new = (*lengths[:i], lengths[i] + 1, *lengths[i + 1 :])
                    if new[i] <= min(tops[i], buffer - sum(new)):
                        hit = tuple(r or x == top for r, x, top in zip(reached, new, tops, strict=True))
                        state = (new, idle, hit, seen or marked(new))
                        if state not in states:
                            states.add(state)
                            todo.append(state)
            return states

        first = tuple(x == top for x, top in zip(start, tops, strict=True))
        states = grown({(start, (0,) * len(start), first, marked(start))})
        for _ in range(time):
            drained: set[State] = set()
            for lengths, idle, reached, seen in states:
                kept = tuple(max(x - 1, 0) for x in lengths)
                # a byte may pass through an empty queue in a step, or the output is idle
                for through in product(*([0] if x else [0, 1] for x in lengths)):
                    waits = tuple(n + (x == 0) - t for n, x, t in zip(idle, lengths, through, strict=True))
                    drained.add((kept, waits, reached, seen or marked(kept)))
            states = grown(drained)
        goal = tuple(time - sent for sent in out)
        if any(s[0] == end and s[1] == goal and all(s[2]) and s[3] for s in states):
            marks.add("at" if at else "below")
    return marks


def small_case(seed: int) -> Any:
    """Draw buffer, lengths at both ends, bytes out, watermarks and duration of two queues."""
    draw = random.Random(seed)
    time, buffer = draw.randint(1, 3), draw.choice([3, 4, 6])
    start = (draw.randint(0, 3), draw.randint(0, 3))
    out = tuple(time if draw.random() < 0.6 else draw.randint(min(x, time), time) for x in start)
    end = tuple(draw.randint(max(x - sent, 0), max(x - sent, 0) + 2) for x, sent in zip(start, out, strict=True))
    tops = tuple(max(x, y) + draw.choice([0, 0, 1]) for x, y in zip(start, end, strict=True))
    return buffer, start, end, out, tops, time


def explained(case: Any) -> Any:
    buffer, start, end, out, tops, time = case
    rows = [(0, port, x, 0, 0, x) for port, x in enumerate(start)]
    for port, (x, y, sent, top) in enumerate(zip(start, end, out, tops, strict=True)):
        lost = int(port == 0)
        rows.append((time, port, x + (y - x + sent) + lost, sent, lost, top))
    return explain(rows_of(*rows), buffer=buffer, alpha=1, rate=1)


@pytest.mark.parametrize("seed", [*range(16), 105])
def test_verdicts_are_those_of_a_brute_force_search_and_have_certificates(seed: int) -> None:
    case = small_case(seed)
    marks = by_brute_force(*case)
    expected = "cannot" if "at" not in marks else "could" if "below" in marks else "must"
    found = explained(case)
    assert found["intervals"][0]["verdict"] == expected
    assert [r["verdict"] for i in found["certificate"]["intervals"] for r in i["refutations"]] == [expected] * (
        expected != "could"
    )
    assert expected == "could" or check(found["certificate"]) == ""


LONG = rows_of((0, 0, 6, 0, 0, 6), (0, 1, 4, 0, 0, 4), (1, 0, 9, 1, 3, 6), (1, 1, 4, 1, 0, 4))
"""Queue 0 is above its threshold at both ends (6 > 2, 5 > 4, with B = 12 and alpha = 1), and drains too slowly."""


def test_a_queue_that_stays_above_its_threshold_must_have_lost_by_it() -> None:
    (found,) = explain(LONG, buffer=12, alpha=1, rate=1)["intervals"]
    assert (found["verdict"], found["ports"][0]["margin"]) == ("must", "-1")
    assert "at least its threshold + 1 B" in found["reason"]


def leaves(proof: dict[str, Any]) -> list[list[Any]]:
    return proof.get("multiples") or [term for case in proof["cases"] for term in leaves(case)]


def test_the_checker_refuses_a_certificate_that_was_altered_in_one_place() -> None:
    certificate = explain(LONG, buffer=12, alpha=1, rate=1)["certificate"]
    (refutation,), (queue, _) = certificate["intervals"][0]["refutations"], certificate["intervals"][0]["queues"]
    assert (check(certificate), refutation["visits"]) == ("", [[0, ">", "-1"]])
    spoilt: list[tuple[dict[str, Any], str, Any]] = [
        (certificate, "buffer", "14"), (queue, "start", "5"), (queue, "rate", "2"), (queue, "reserve", "1"),
        (refutation, "visits", [[0, ">", "-2"]]), (refutation, "visits", [[0, ">", "1"]]), (refutation, "visits", []),
        (refutation, "visits", [[1, ">", "-1"]]), (refutation, "verdict", "cannot"),
    ]  # fmt: skip
    for place, name, other in spoilt:
        right, place[name] = place[name], other
        assert check(certificate) != ""
        place[name] = right
    for term in leaves(refutation["proof"]):
        for number in ("0", "-1", str(Fraction(term[1]) + 1)):
            right, term[1] = term[1], number
            assert check(certificate) != ""
            term[1] = right


def test_queues_that_reach_their_thresholds_alone_but_not_both_have_a_certificate() -> None:
    # queue 1 drains from 3 to 0 for all 3 seconds, queue 0 is idle for 1 and ends at 3, its greatest length
    rows = rows_of((0, 0, 0, 0, 0, 0), (0, 1, 3, 0, 0, 3), (3, 0, 6, 2, 1, 3), (3, 1, 4, 3, 1, 3))
    found = explain(rows, buffer=8, alpha=1, rate=1)
    (interval,), (proofs,) = found["intervals"], found["certificate"]["intervals"]
    assert [port["verdict"] for port in interval["ports"]] == ["could", "could"]
    assert (interval["verdict"], proofs["refutations"][0]["visits"]) == ("cannot", [[0, "<=", "0"], [1, "<=", "0"]])
    assert check(found["certificate"]) == ""


def test_rows_that_hold_somewhere_have_no_refutation() -> None:
    cases = Cases()
    cases.facts.append((Fraction(1), False))
    assert cases.refutation() is None
    cases.facts.append((Fraction(0), True))
    assert cases.refutation() == {"multiples": [[[1], "1"]]}


def test_a_drop_while_the_buffer_is_too_empty_cannot_be_the_threshold() -> None:
    rows = rows_of((0, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 0), (1, 0, 5, 1, 1, 4), (1, 1, 3, 1, 0, 2))
    (found,) = explain(rows, buffer=20, alpha="1/2", rate=1)["intervals"]
    assert (found["verdict"], found["witness"]) == ("cannot", [])
    # q <= 4, and 6 bytes in all leave 14 free: T = 7, by hand
    assert found["ports"][0]["margin"] == "3"
    assert "it held at most 4 B, all queues shared at most 6 B, so T >= 7 B" in found["reason"]
    assert explain(rows, buffer=12, alpha="1/2", rate=1)["intervals"][0]["verdict"] == "could"


def test_altered_counters_of_an_exact_run_are_refuted() -> None:
    rows = simulated(Fraction(1), 12, {0: Arrivals([(0, 2), (2, 0)]), 1: Arrivals([])}, [0, 2, 4])
    assert explain(rows, buffer=12, alpha=1, rate=1)["intervals"] == []
    rows[2] |= {"in": rows[2]["in"] + 1, "dropped": Fraction(1)}
    rows[4] |= {"in": rows[4]["in"] + 1, "dropped": Fraction(1)}
    assert [each["verdict"] for each in explain(rows, buffer=12, alpha=1, rate=1)["intervals"]] == ["cannot"]


@pytest.mark.parametrize(
    ("out", "said"),
    [(3, "sent 3 B, more than rate x time = 2 B"), (1, "sent 1 B, less than its output sends from 3 B")],
)
def test_counters_that_the_output_contradicts_say_so(out: int, said: str) -> None:
    rows = rows_of((0, 0, 3, 0, 0), (2, 0, 5, out, 1))
    (found,) = explain(rows, buffer=6, alpha=1, rate=1)["intervals"]
    assert found["verdict"] == "cannot"
    assert said in found["reason"]


def test_a_length_above_every_threshold_is_refuted() -> None:
    rows = rows_of((0, 0, 0, 0, 0), (1, 0, 9, 1, 1))
    (found,) = explain(rows, buffer=10, alpha=1, rate=1)["intervals"]
    assert found["ports"][0]["margin"] is None
    assert "no arrivals give the samples" in found["reason"]


def test_the_fluid_engine_replays_a_witness_with_short_bursts() -> None:
    alpha, step = Fraction(1), Fraction(1, 10**6)
    rows = simulated(alpha, 12, random_arrivals(1, 3), [0, 3])
    (found,) = explain(rows, buffer=12, alpha=alpha, rate=1)["intervals"]
    rates: dict[str, dict[Fraction, Fraction]] = {str(port): {Fraction(0): Fraction(0)} for port in range(3)}
    for number, piece in enumerate(found["witness"]):
        time, size, seconds = (Fraction(piece[name]) for name in ("time", "bytes", "seconds"))
        begin = time + (0 if seconds else number * step)
        rates[piece["port"]] |= {begin: size / (seconds or step), begin + (seconds or step): Fraction(0)}
    queues = [{"arrivals": [[str(t), str(rate)] for t, rate in sorted(each.items())]} for each in rates.values()]
    policy, switch = {"name": "dt", "alpha": "1"}, {"ports": 3, "buffer": "12", "rate": "1"}
    end = 3 + step * len(found["witness"])
    ran = answer({"switch": switch, "policy": policy, "queues": queues, "until": str(end), "sample": [str(end)]})
    for port, (length, out, lost) in sampled(rows, found).items():
        told = (ran["queues"][0], ran["drained"], ran["dropped"])
        got = [Fraction(each[int(port)]) for each in told]
        assert all(abs(x - y) < 100 * step for x, y in zip(got, (length, out, lost), strict=True))


PROFILE = {
    "BUFFER_POOL": {"p": {"type": "egress", "mode": "dynamic", "size": "12"}},
    "BUFFER_PROFILE": {"q": {"pool": "p", "size": "0", "dynamic_th": "0"},
                       "s": {"pool": "p", "size": "0", "static_th": "5"}},
    "BUFFER_QUEUE": {"Ethernet0,Ethernet4|0": {"profile": "q"}, "Ethernet8|0": {"profile": "s"}},
}  # fmt: skip


def file_of(folder: Path, rows: Rows) -> str:
    path = folder / "counters.csv"
    lines = [",".join(str(row.get(column, "")) for column in COLUMNS) for row in rows]
    path.write_text("\n".join([",".join(COLUMNS), *lines]) + "\n", encoding="utf-8")
    return str(path)


def test_the_command_reads_a_profile_and_prints_the_answer_of_python(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [row | {"port": f"Ethernet{4 * row['port']}"} for row in LONG]
    (profile := tmp_path / "profile.json").write_text(json.dumps(PROFILE), encoding="utf-8")
    words = ["explain", file_of(tmp_path, rows), "--profile", str(profile), "--rate", "1"]
    assert run([*words, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    found = explain(rows, PROFILE, rate=1)
    # z3 may find another witness, and another proof
    for each in (printed, found):
        assert each["intervals"][0].pop("witness")
        assert check(each.pop("certificate")) == ""
    assert printed == found
    assert (printed["reading"], printed["buffer"], printed["intervals"][0]["verdict"]) == ("generic", "12", "must")
    proof = tmp_path / "proof.json"
    assert run([*words, "--certificate", str(proof)]) == 0
    assert check(json.loads(proof.read_text(encoding="utf-8"))) == ""
    shown = capsys.readouterr().out
    assert "port Ethernet0, queue 0, 3 B dropped: must" in shown
    assert "not covered: several queues of one port" in shown


def test_a_reserve_moves_the_threshold_and_is_not_shared() -> None:
    profiles = PROFILE["BUFFER_PROFILE"] | {"q": {"pool": "p", "size": "4", "dynamic_th": "0"}}
    rows = [row | {"port": f"Ethernet{4 * row['port']}"} for row in LONG]
    # 6 and 4 bytes share 2 and 0 of 12: T = 4 + 10; all that arrives and is not lost has been there from the start
    answer = explain(rows, PROFILE | {"BUFFER_PROFILE": profiles}, rate=1)
    (found,) = answer["intervals"]
    assert (found["verdict"], found["ports"][0]["margin"]) == ("cannot", "8")
    assert check(answer["certificate"]) == ""


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"in": "x"}, "counters, row 4: in"),
        ({"out": None}, "counters, row 4: out"),
        ({"in": 3}, "counters, row 4: in"),
        ({"dropped": 9}, "counters, row 4: in"),
        ({"in": 12, "dropped": 7}, "counters, row 4: dropped"),
        ({"watermark": 2}, "counters, row 4: watermark"),
        ({"time": 0}, "counters, row 4: time"),
        ({"time": 2}, "counters, row 5: time"),
        ({"queue": 1}, "counters, row 4: queue"),
    ],
)
def test_a_bad_row_is_named(changed: dict[str, Any], field: str) -> None:
    with refused(field):
        explain([*LONG[:2], LONG[2] | changed, LONG[3]], buffer=12, alpha=1, rate=1)


def test_what_is_not_covered_is_refused_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with refused("buffer"):
        explain(LONG, alpha=1, rate=1)
    with refused("counters"):
        explain([], buffer=12, alpha=1, rate=1)
    rows = [row | {"port": "Ethernet8"} for row in LONG if row["port"] == 0]
    with refused("BUFFER_PROFILE.s", "a static limit"):
        explain(rows, PROFILE, rate=1)
    with refused("rate"):
        explain([row | {"port": "Ethernet0"} for row in rows], PROFILE)
    file = file_of(tmp_path, [*LONG[:3], LONG[3] | {"in": "lots"}])
    assert run(["explain", file, "--buffer", "12", "--alpha", "1", "--rate", "1"]) == 2
    assert "counters.csv, row 5: in: got 'lots'" in capsys.readouterr().err
    assert run(["explain", "nowhere.csv", "--buffer", "12", "--alpha", "1", "--rate", "1"]) == 2


@pytest.mark.parametrize(("content", "match"), [(b"time\n\xff", "invalid start byte"), (b"x" * 140_000, "field limit")])
def test_a_file_that_is_no_csv_is_refused(tmp_path: Path, content: bytes, match: str) -> None:
    file = tmp_path / "counters.csv"
    file.write_bytes(content)
    with refused("counters", str(file), match=match):
        explain(str(file), buffer=12, alpha=1, rate=1)


@pytest.mark.parametrize("column", ["in", "out", "dropped", "watermark"])
def test_a_counter_and_the_buffer_have_at_most_64_bits(column: str) -> None:
    with refused(f"counters, row 5: {column}", "9" * 5000, "a size below 2^64 bytes"):
        explain([*LONG[:3], LONG[3] | {column: "9" * 5000}], buffer=12, alpha=1, rate=1)
    with refused("buffer", "9" * 5000, "a size below 2^64 bytes"):
        explain(LONG, buffer="9" * 5000, alpha=1, rate=1)


@pytest.mark.parametrize("field", ["alpha", "rate", "counters, row 5: time"])
def test_a_number_of_5000_digits_is_refused(field: str) -> None:
    rows = [*LONG[:3], LONG[3] | {"time": "9" * 5000}] if "time" in field else LONG
    with refused(field, "9" * 5000, "a fraction of numbers below 2^256"):
        explain(rows, buffer=12, **({"alpha": 1, "rate": 1} | ({} if "time" in field else {field: "9" * 5000})))


def test_more_bytes_than_the_buffer_has_cannot_lie_in_queues() -> None:
    rows = [{"time": time, "port": 0, "queue": 0, "in": came, "out": time, "dropped": lost}
            for time, came, lost in ((0, 0, 0), (1, 15, 0), (2, 19, 4))]  # fmt: skip
    (found,) = explain(rows, buffer=10, alpha=1, rate=1)["intervals"]
    assert found["verdict"] == "cannot"
