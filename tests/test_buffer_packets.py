"""Packets until a pause or a drop: the counts, and the packet models that count them one by one."""

import csv
import json
import re
from fractions import Fraction
from io import StringIO
from math import ceil, floor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dtmodel import InputError, Pool, QueueLimits, SharedPools
from dtmodel.cli import run as command
from dtmodel.packet import pfc
from dtmodel.packet.arrivals import listed
from dtmodel.packet.engine import run_packets as run_switch
from dtmodel.switches.checks import CableFacts, checks
from dtmodel.switches.chips import Reading, reading_of
from dtmodel.switches.packets import CHIP_READINGS, Turns, packet_counts, refused

F = Fraction
TURNS = st.builds(
    lambda alpha, reserve, cap, pool, packet, cell, k, headroom: Turns(
        QueueLimits(alpha, F(reserve), None if cap is None else F(cap)), F(pool), F(packet), F(cell), k, F(headroom)
    ),
    st.sampled_from([F(1, 128), F(1, 8), F(1, 2), F(1), F(3), F(128)]),
    st.integers(0, 90), st.none() | st.integers(0, 150), st.integers(1, 200), st.integers(1, 70), st.integers(1, 48),
    st.integers(1, 5), st.integers(0, 200),
)  # fmt: skip


@settings(deadline=None, max_examples=25)
@given(TURNS)
def test_the_pfc_model_pauses_and_drops_at_these_packets(turns: Turns) -> None:
    counts = packet_counts(turns)
    lossless = turns.headroom > 0
    queue = pfc.Ingress(turns.limit.alpha, lossless, turns.limit.reserved, turns.headroom, F(lossless), turns.limit.cap)
    names = [f"in{i}" for i in range(turns.queues)]
    pools = pfc.Pools(turns.pool, F(1), dict.fromkeys(names, queue), {"out": pfc.Egress()}, turns.cell)
    events = [("arrive", names[i % turns.queues], "out", turns.packet) for i in range(counts.drop + 1)]
    steps = pfc.run_pools(pools, events)
    assert [i for i, step in enumerate(steps) if step.decision == "drop"][:1] == [counts.drop]
    beyond = [i for i, step in enumerate(steps) if step.decision != "enqueue" or step.paused]
    assert beyond[0] == counts.limit
    if not lossless:
        assert counts.drop == counts.limit
    free = dict.fromkeys(names, pfc.Ingress(F(10**12), reserved=turns.limit.reserved))
    events = [("arrive", names[i % turns.queues], "out", turns.packet) for i in range(counts.pool + 1)]
    steps = pfc.run_pools(pfc.Pools(turns.pool, F(1), free, {"out": pfc.Egress()}, turns.cell), events)
    assert [step.decision for step in steps] == ["enqueue"] * counts.pool + ["drop"]


@settings(deadline=None, max_examples=100)
@given(TURNS)
def test_the_packet_engine_which_compares_before_the_packet_agrees_with_that_reading(turns: Turns) -> None:
    c, k, limit = turns.taken, turns.queues, turns.limit
    reading = next(r for r in CHIP_READINGS if (r.compares, r.rounds) == ("before", "exactly"))
    expected = next(n for n in range(10**6) if refused(turns, n, reading))
    policy = SharedPools(
        [QueueLimits(limit.alpha, limit.reserved, limit.cap or None)] * k, [Pool(turns.pool, range(k))]
    )
    if limit.cap == 0:
        return
    streams = [listed([(F(n * k + i, 10**9), c) for n in range(expected // k + 2)]) for i in range(k)]
    buffer = turns.pool + k * limit.reserved
    if c > buffer:
        assert expected == 0
        return
    done = run_switch(buffer=buffer, rates=[F(1, 10**6)] * k, policy=policy, streams=streams, until=1)
    admitted = round(done.lost[0].time * 10**9)
    # the engine lets a packet in that only the whole memory has room for; the chip's pool must have it
    assert admitted >= expected
    if turns.beyond(expected // k + 1) - turns.beyond(expected // k) <= turns.free(expected):
        assert admitted == expected


@settings(deadline=None, max_examples=60)
@given(TURNS)
def test_the_interval_holds_every_reading_and_is_attained(turns: Turns) -> None:
    found = []
    for compares in ("after", "before"):
        for rounding in (
            lambda x: x,
            lambda x: turns.cell * floor(x / turns.cell),
            lambda x: turns.cell * ceil(x / turns.cell),
        ):
            lengths, n = [F(0)] * turns.queues, 0
            while True:
                i = n % turns.queues
                free = turns.pool - sum(max(F(0), q - turns.limit.reserved) for q in lengths)
                threshold = rounding(turns.limit.reserved + turns.limit.shared(free))
                more = max(F(0), lengths[i] + turns.taken - turns.limit.reserved)
                more -= max(F(0), lengths[i] - turns.limit.reserved)
                over = lengths[i] + turns.taken > threshold if compares == "after" else lengths[i] >= threshold
                if over or more > free:
                    break
                lengths[i] += turns.taken
                n += 1
            found.append(n)
    for reading, n in zip(CHIP_READINGS, found, strict=True):
        assert refused(turns, n, reading)
        assert n == 0 or not refused(turns, n - 1, reading)
    counts = packet_counts(turns)
    assert (counts.limit, counts.limit_most) == (min(found), max(found))
    assert counts.drop_most - counts.drop == max(found) - min(found)


def test_known_counts_of_one_and_of_three_sources() -> None:
    turns = Turns(QueueLimits(F(1), F(512)), F(100 * 256), F(64), F(256), headroom=F(1024))
    counts = packet_counts(turns)
    # two packets in the reserve; n <= 2 + (100 - (n - 1 - 2)) gives n = 52
    assert (counts.reserve, counts.limit, counts.drop, counts.free, counts.fills) == (2, 52, 56, 50 * 256, False)
    three = packet_counts(Turns(QueueLimits(F(1), F(512)), F(100 * 256), F(64), F(256), 3, F(1024)))
    assert (counts.pool, three.pool) == (102, 106)
    assert (three.reserve, three.limit, three.drop) == (6, 81, 93)  # 28 > 2 + (100 - 3 25)
    full = packet_counts(Turns(QueueLimits(F(128)), F(10), F(1), queues=20))
    assert (full.limit, full.fills) == (10, True)
    assert packet_counts(Turns(QueueLimits(F(1)), F(5), F(10))).limit == 0


def test_the_most_packets_that_are_counted() -> None:
    for queues in (1, 10):
        counts = packet_counts(Turns(QueueLimits(F(1)), F(10**15, queues), F(1), queues=queues))
        assert counts.limit == 10**15 // (queues + 1) + (queues > 1)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"packet": F(0)}, "packet"),
        ({"pool": F(0)}, "pool"),
        ({"queues": 0}, "sources"),
        ({"cell": F(0)}, "cell"),
        ({"pool": F(10**30)}, "packet"),
        ({"pool": F(10**15), "limit": QueueLimits(F(1), F(1))}, "packet"),
        ({"pool": F(10**14), "queues": 11}, "sources"),
        ({"packet": F(10**30), "queues": 10**15 + 1}, "sources"),
    ],
)
def test_bad_turns_are_named(wrong: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as error:
        packet_counts(Turns(**({"limit": QueueLimits(F(1)), "pool": F(9), "packet": F(1)} | wrong)))
    assert error.value.field == field


def switch(xoff: str = "160000", size: str = "20000000", **more: Any) -> dict[str, Any]:
    pool = {"type": "ingress", "mode": "dynamic", "size": size} | more.pop("pool", {})
    return {
        "BUFFER_POOL": {"p": pool},
        "BUFFER_PROFILE": {
            "pg_lossless_100000_40m_profile": {
                "pool": "p",
                "size": "1000",
                "dynamic_th": "-3",
                "xoff": xoff,
                "xon": "0",
            },
            "lossy": {"pool": "p", "size": "500", "dynamic_th": "1"},
        },
        "BUFFER_PG": {
            "Ethernet0,Ethernet4|3-4": {"profile": "pg_lossless_100000_40m_profile"},
            "Ethernet0|0": {"profile": "lossy"},
        },
    } | more


def verdicts(document: dict[str, Any], facts: CableFacts | None = None, memory: int | None = None) -> list[str]:
    total = None if memory is None else F(memory)
    return [c.verdict for c in checks(read(document, total), document, facts or CableFacts(), total)]


def read(document: dict[str, Any], total: Fraction | None = None) -> Reading:
    return reading_of(document, None, total, None)


def needed(metres: int, mbps: int, quanta: int, frame: int) -> Fraction:
    """Twice the cable, the quanta of 512 bits, a frame at either end, and 64 bytes."""
    return 2 * F(metres, 198_000_000) * mbps * 125_000 + quanta * 64 + 2 * frame + 64


def test_headroom_is_checked_against_the_cable_that_the_name_or_the_tables_tell() -> None:
    need = needed(40, 100_000, 394, 9216)
    assert ceil(need) == 48_763
    interfaces = 2 * 122_880 // 8
    assert verdicts(switch(str(ceil(need))))[0] == "WARN"
    assert verdicts(switch(str(ceil(need) + interfaces)))[0] == "PASS"
    assert verdicts(switch(str(ceil(need) - 1)))[0] == "FAIL"
    assert verdicts(switch(str(2 * (ceil(need) + interfaces))))[0] == "WARN"
    tables = {
        "PORT": {port: {"speed": "25000", "mtu": "9100"} for port in ("Ethernet0", "Ethernet4")},
        "CABLE_LENGTH": {"AZURE": {"Ethernet0": "300m", "Ethernet4": "300m"}},
    }
    need = needed(300, 25_000, 80, 9100)
    assert verdicts(switch(str(ceil(need) + 2 * 6_144 // 8), **tables))[0] == "PASS"
    assert verdicts(switch(str(ceil(need) - 1), **tables))[0] == "FAIL"
    tables["PORT"]["Ethernet4"]["speed"] = "10000"
    assert len(verdicts(switch(**tables))) == 3
    facts = CableFacts("300m", "25 Gbps", "9100 B", reaction="1 ms")
    assert verdicts(switch(str(ceil(need - 80 * 64 + 3_125_000) + 2 * 6_144 // 8)), facts)[0] == "PASS"
    assert verdicts(switch(str(ceil(need - 80 * 64 + 3_125_000) - 1)), facts)[0] == "FAIL"


def test_small_packets_in_large_cells_need_more_headroom() -> None:
    need = needed(40, 100_000, 394, 9216)
    stored = ceil(need / 64) * 256
    few, many = switch(str(stored - 1)), switch(str(stored))
    facts = CableFacts(packet=64, cell=256)
    assert "but such packets take" in checks(read(few), few, facts)[0].sentence
    assert "more than twice" in checks(read(many), many, facts)[0].sentence


@pytest.mark.parametrize(
    ("tables", "field"),
    [
        ({"PORT": "all"}, "PORT"),
        ({"PORT": {"Ethernet0": "fast"}}, "PORT.Ethernet0"),
        ({"CABLE_LENGTH": {"AZURE": "Ethernet0"}}, "CABLE_LENGTH.AZURE"),
    ],
)
def test_a_row_that_is_no_table_is_named(tables: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as error:
        verdicts(switch(**tables))
    assert error.value.field == field


def test_what_is_not_known_is_a_warning_that_says_what_to_give() -> None:
    document = switch()
    profiles = document["BUFFER_PROFILE"]
    profiles["mine"] = profiles.pop("pg_lossless_100000_40m_profile")
    document["BUFFER_PG"]["Ethernet0,Ethernet4|3-4"]["profile"] = "mine"
    profile = read(document)
    assert "--rate" in checks(profile, document, CableFacts("5m"))[0].sentence
    assert "--cable" in checks(profile, document, CableFacts(rate="100 Gbps"))[0].sentence
    assert "--reaction" in checks(profile, document, CableFacts("5m", "99 Gbps"))[0].sentence
    assert {c.verdict for c in checks(profile, document, CableFacts("5m"))[:1]} == {"WARN"}


def test_sums_are_checked_against_the_pool_the_shared_headroom_and_the_memory() -> None:
    promised = 4 * 161_000 + 500
    assert verdicts(switch(size=str(promised)))[1] == "WARN"
    assert verdicts(switch(size=str(promised - 1)))[1] == "WARN"
    td3 = reading_of(switch(size=str(promised - 1)), "td3", None, None)
    assert checks(td3, {}, CableFacts())[1].verdict == "FAIL"
    assert verdicts(switch(size=str(2 * promised)))[1] == "PASS"
    assert verdicts(switch(pool={"xoff": "640000"}))[1:] == ["PASS", "PASS"]
    assert verdicts(switch(pool={"xoff": "639999"}))[1:] == ["WARN", "PASS"]
    assert verdicts(switch(pool={"xoff": "159999"}))[1:] == ["FAIL", "PASS"]
    document = switch(pool={"xoff": "330000"})
    assert "at most 2 of the queues" in checks(read(document), document, CableFacts())[1].sentence


@pytest.mark.parametrize(
    ("memory", "verdict", "said", "beside"),
    [
        (20_334_500, "PASS", "20.3345 MB", True),  # pool, headroom and reserves
        (20_334_499, "PASS", "20.33 MB", False),  # the reserves lie inside the pool
        (20_329_999, "PASS", "20 MB", False),  # and the headroom
        (19_999_999, "FAIL", "20.3345 MB", True),
    ],
)
def test_one_convention_for_reserves_fits_the_memory_and_holds_in_every_check(
    memory: int, verdict: str, said: str, beside: bool
) -> None:
    document = switch(pool={"xoff": "330000"})
    *_, sums, total = checks(read(document, F(memory)), document, CableFacts(), F(memory))
    assert (total.verdict, total.numbers.split(" of ")[0]) == (verdict, said)
    assert (sums.name == "reserves beside p") is beside


def answered(tmp_path: Path, document: dict[str, Any], *options: str) -> int:
    file = tmp_path / "config.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    return command(["params", "profile", str(file), *options])


def test_a_failed_check_is_exit_status_1_and_the_table_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert answered(tmp_path, switch("80000")) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "PASS headroom of pg_lossless_100000_40m_profile at 100 Gbps over 40 m, for 4 queues" in told
    assert answered(tmp_path, switch("40000")) == 1
    text = " ".join(capsys.readouterr().out.split())
    assert "FAIL headroom" in text
    assert re.search(r"8\.76\d* KB too little: packets may be lost if the sender reacts as late", text)
    assert answered(tmp_path, switch("80000"), "--memory", "19MB", "--markdown") == 1
    assert "| FAIL | pools, reserves and headroom in the memory |" in capsys.readouterr().out
    assert answered(tmp_path, switch(), "--cable", "far") == 2
    assert answered(tmp_path, switch(), "--packet", "64", "--cell", "0") == 2


@pytest.mark.parametrize("form", ["--json", "--csv", "--markdown"])
def test_checks_and_their_exit_status_are_the_same_in_every_form(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for headroom, verdict in (("40000", "FAIL"), ("80000", "PASS")):
        assert answered(tmp_path, switch(headroom), form) == (verdict == "FAIL")
        text = capsys.readouterr().out
        if form == "--json":
            shown = [check["verdict"] for check in json.loads(text)["checks"]]
        elif form == "--csv":
            shown = [row["value"] for row in csv.DictReader(StringIO(text)) if row["group"] == "checks"]
        else:
            shown = re.findall(r"^\| (PASS|WARN|FAIL) \|", text, re.MULTILINE)
        assert shown == [verdict, "PASS"]


def test_the_profile_answers_in_packets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("--packet", "64", "--cell", "256", "--groups", "2", "--json")
    assert answered(tmp_path, switch("50000"), *asked) == 0
    found = json.loads(capsys.readouterr().out)
    pool, own = 20_000_000 // 256, 4
    pause = own + ceil(F(pool, 9))
    assert found["counts"]["trig_pfc"] == found["counts"]["trig_pfc_multi"][0] == pause
    assert found["counts"]["trig_ingr_drp"] == pause + 195 + 1
    assert found["counts"]["trig_pfc_multi"][1] == own + ceil(F(pool - pause + own, 9))
    assert found["parameters"]["counts.trig_pfc"]["source"].startswith("own statement")
    assert found["parameters"]["p.lossy.packets.before_drop"]["value"] == 2 + ceil(F(2 * pool, 3))
