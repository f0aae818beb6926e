"""Flows that both sides of a switch count, against a second, plain implementation that sends packet after packet."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused

from dtmodel import DT, Arrivals, Switch, simulate
from dtmodel.cli import run
from dtmodel.packet.arrivals import listed
from dtmodel.packet.engine import run_packets
from dtmodel.switches import counts
from dtmodel.switches.chips import Chip, Reading
from dtmodel.switches.counting import ask
from dtmodel.switches.draining import drained
from dtmodel.switches.profile import read_buffer_profile
from dtmodel.switches.sides import BothSides, filled, sides_of

EXPONENTS = st.sampled_from(["-3", "-1", "0", "1", "3"])
PORTS = ("Ethernet0", "Ethernet4", "Ethernet8")


@st.composite
def switches(draw: Any) -> dict[str, Any]:
    """Draw a small configuration of cells of one byte, with two lossless groups and a lossy one on each port."""
    size = st.integers(0, 40).map(str)

    def profile(pool: str, **more: str) -> dict[str, str]:
        limit = {"dynamic_th": draw(EXPONENTS)} if draw(st.booleans()) else {"static_th": draw(size)}
        return {"pool": pool, "size": str(draw(st.integers(0, 4))), **limit, **more}

    profiles = {"lossless": profile("in", xoff=draw(size), xon="1"), "lossy": profile("in"), "port": profile("in"),
                "wide": profile("out"), "queue": profile("out"), "side": profile("out")}  # fmt: skip
    pools = {"in": {"type": "ingress", "mode": "dynamic", "size": draw(size)}}
    pools["in"] |= {"xoff": draw(size)} if draw(st.booleans()) else {}
    pools["out"] = {"type": "egress", "mode": "dynamic", "size": draw(size)}
    tables: dict[str, Any] = {"BUFFER_POOL": pools, "BUFFER_PROFILE": profiles}
    tables["BUFFER_PG"] = {f"{port}|{index}": {"profile": "lossy" if index == 0 else "lossless"}
                           for port in PORTS for index in (0, 3, 4)}  # fmt: skip
    tables["BUFFER_QUEUE"] = {f"{port}|{index}": {"profile": "queue" if index == 0 else "wide"}
                              for port in PORTS for index in (0, 3, 4)}  # fmt: skip
    for side, name in (("INGRESS", "port"), ("EGRESS", "side")):
        if draw(st.booleans()):
            tables[f"BUFFER_PORT_{side}_PROFILE_LIST"] = {port: {"profile_list": name} for port in PORTS}
    return tables


CHIPS = st.builds(
    lambda ports, of, lost: Chip("drawn", 1, ports=ports, headroom_of=of, lost_headroom=lost),
    st.sampled_from(["nested", "pool"]), st.sampled_from(["queue", "port"]), st.sampled_from([0, 3]),
)  # fmt: skip
NAMES = [f"{port}|{index}" for port in PORTS for index in (0, 3, 4)]
FLOWS = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), min_size=1, max_size=4, unique=True)


class Plain:
    """Two sides written from the definition, one dictionary each; it shares no code with the package's trees."""

    def __init__(self, tables: dict[str, Any], chip: Chip, cells: int) -> None:
        self.tables, self.chip, self.cells = tables, chip, cells
        self.held: dict[str, dict[str, int]] = {"BUFFER_PG": {}, "BUFFER_QUEUE": {}}
        self.beyond: dict[str, int] = {}

    def limit(self, profile: dict[str, str], room: Fraction) -> Fraction:
        if "static_th" in profile:
            return Fraction(profile["static_th"])
        return Fraction(2) ** int(profile["dynamic_th"]) * room

    def own(self, profile: dict[str, str]) -> int:
        size, xoff = int(profile["size"]), int(profile.get("xoff", 0))
        contains = xoff and size >= xoff and not int(self.tables["BUFFER_POOL"]["in"].get("xoff", 0))
        return max(0, size - xoff) if contains else size

    def refuses(self, table: str, name: str) -> bool:
        """Return True if one of the next cells is refused."""
        held, tables = dict(self.held[table]), self.tables
        profiles = {key: tables["BUFFER_PROFILE"][row["profile"]] for key, row in tables[table].items()}
        above = tables.get(f"BUFFER_PORT_{'INGRESS' if table == 'BUFFER_PG' else 'EGRESS'}_PROFILE_LIST")
        size = Fraction(tables["BUFFER_POOL"]["in" if table == "BUFFER_PG" else "out"]["size"])
        for _ in range(self.cells):
            shared = {key: max(0, cells - self.own(profiles[key])) for key, cells in held.items()}
            free = max(Fraction(0), size - sum(shared.values()))
            port = name.partition("|")[0]
            of_port = sum(cells for key, cells in shared.items() if key.partition("|")[0] == port)
            room = free
            if held.get(name, 0) >= self.own(profiles[name]):
                if above is not None:
                    top = self.limit(tables["BUFFER_PROFILE"][above[port]["profile_list"]], free)
                    room = max(Fraction(0), top - of_port) if self.chip.ports == "nested" else free
                    if of_port >= top:
                        return True
                if free < 1 or shared.get(name, 0) >= self.limit(profiles[name], room):
                    return True
            held[name] = held.get(name, 0) + 1
        return False

    def headroom(self, group: str) -> int:
        """Return the cells of headroom that are left for a group."""
        profile = self.tables["BUFFER_PROFILE"][self.tables["BUFFER_PG"][group]["profile"]]
        if "xoff" not in profile:
            return 0
        pool, xoff, port = int(self.tables["BUFFER_POOL"]["in"].get("xoff", 0)), int(profile["xoff"]), group[:-1]
        used = self.beyond.get(group, 0)
        if not pool:
            return max(0, xoff - self.chip.lost_headroom) - used
        left = pool - sum(self.beyond.values())
        if self.chip.headroom_of == "queue":
            return min(min(xoff, pool) - used, left)
        both = min(max(0, 2 * xoff - 1), pool)
        return min(both - sum(cells for key, cells in self.beyond.items() if key.startswith(port)), left)

    def send(self, group: str, queue: str) -> tuple[str, tuple[str, ...]]:
        """Send a packet; return its place, and the sides that drop it."""
        entry, leaving = self.refuses("BUFFER_PG", group), self.refuses("BUFFER_QUEUE", queue)
        full = entry and self.headroom(group) < self.cells
        if full or leaving:
            return "drop", ("ingress",) * full + ("egress",) * leaving
        for table, name in (("BUFFER_PG", group), ("BUFFER_QUEUE", queue)):
            if table == "BUFFER_QUEUE" or not entry:
                self.held[table][name] = self.held[table].get(name, 0) + self.cells
        if entry:
            self.beyond[group] = self.beyond.get(group, 0) + self.cells
        return ("headroom" if entry else "shared"), ()

    def fill(self, flows: list[tuple[str, str]], together: bool) -> list[list[Any]]:
        """Return of each flow its packets before the refusal and in the headroom, and the sides that drop."""
        rows: list[list[Any]] = [[0, 0, ()] for _ in flows]
        open_ = list(range(len(flows)))
        for part in ("shared", "headroom"):
            waiting, paused = [list(open_)] if together else [[flow] for flow in open_], []
            for turn in waiting:
                while turn:
                    for flow in list(turn):
                        entry = self.refuses("BUFFER_PG", flows[flow][0])
                        stays = part == "shared" and entry and not self.refuses("BUFFER_QUEUE", flows[flow][1])
                        if stays and self.headroom(flows[flow][0]) >= self.cells:
                            turn.remove(flow)
                            paused.append(flow)
                            continue
                        place, sides = self.send(*flows[flow])
                        if place == "drop":
                            rows[flow][2] = sides
                            turn.remove(flow)
                        else:
                            rows[flow][place == "headroom"] += 1
            open_ = sorted(paused)
        return rows


def question(tables: dict[str, Any], chip: Chip, packet: int, fill: str) -> Any:
    return ask(Reading(chip, read_buffer_profile(tables)), packet=packet, cell=1, fill=fill)


@settings(deadline=None, max_examples=60)
@given(switches(), CHIPS, FLOWS, st.integers(1, 3), st.sampled_from(["sequence", "together"]))
def test_flows_are_filled_as_a_plain_run_of_two_sides_fills_them(
    tables: dict[str, Any], chip: Chip, flows: list[tuple[str, str]], packet: int, fill: str
) -> None:
    made = filled(sides_of(question(tables, chip, packet, fill), [" to ".join(flow) for flow in flows]), fill)
    found = [(row["packets"], row["headroom"], tuple(part.split()[0] for part in row["dropped_by"].split(" and ")))
             for row in made]  # fmt: skip
    assert found == [tuple(row) for row in Plain(tables, chip, packet).fill(flows, fill == "together")]
    assert all(row["first_dropped"] == row["packets"] + row["headroom"] + 1 for row in made)


@settings(deadline=None, max_examples=30)
@given(switches(), CHIPS, st.lists(st.integers(0, 2), min_size=1, max_size=60), st.integers(1, 2))
def test_the_packet_engine_carries_both_sides(tables: dict[str, Any], chip: Chip, sent: list[int], packet: int) -> None:
    """Three flows with queues of their own, one of them blocked, in random order; the plain run sees the departures."""
    flows = [("Ethernet0|3", "Ethernet8|3"), ("Ethernet0|4", "Ethernet8|4"), ("Ethernet4|0", "Ethernet8|0")]
    rates, events = [Fraction(2, 7), Fraction(0), Fraction(1, 3)], []
    admission = BothSides(sides_of(question(tables, chip, packet, "sequence"), [" to ".join(flow) for flow in flows]))
    streams = [
        [(Fraction(t), Fraction(packet)) for t, flow in enumerate(sent) if flow == number] for number in range(3)
    ]
    done = run_packets(buffer=10**6, rates=rates, policy=admission, streams=[listed(s) for s in streams], until=100,
                       account=int)  # fmt: skip
    plain, waiting = Plain(tables, chip, packet), [list[Fraction](), [], []]
    for time, flow in enumerate(sent):
        for number in sorted(range(3), key=lambda n: waiting[n][:1]):
            while waiting[number] and waiting[number][0] <= time:
                waiting[number].pop(0)
                leave(plain, *flows[number])
        place, sides = plain.send(*flows[flow])
        events += [(time, flow, sides)] if place == "drop" else []
        if place != "drop" and rates[flow]:
            start = max([Fraction(time), *waiting[flow][-1:]])
            waiting[flow].append(start + packet / rates[flow])
    found = [(time, flow, tuple(part.split()[0] for part in by.split(" and "))) for time, flow, by in admission.refused]
    assert found == events
    assert [(lost.time, lost.port) for lost in done.lost] == [(time, flow) for time, flow, _ in events]


def leave(plain: Plain, group: str, queue: str) -> None:
    plain.held["BUFFER_QUEUE"][queue] -= plain.cells
    part = min(plain.cells, plain.beyond.get(group, 0))
    plain.beyond[group] = plain.beyond.get(group, 0) - part
    plain.held["BUFFER_PG"][group] = plain.held["BUFFER_PG"].get(group, 0) - (plain.cells - part)


@settings(deadline=None, max_examples=6)
@given(switches(), CHIPS, FLOWS, st.integers(1, 2), st.sampled_from(["sequence", "together"]))
def test_outputs_that_never_send_are_blocked_outputs(
    tables: dict[str, Any], chip: Chip, flows: list[tuple[str, str]], packet: int, fill: str
) -> None:
    sides = sides_of(question(tables, chip, packet, fill), [" to ".join(flow) for flow in flows])
    made = drained(sides, fill, [Fraction(7)] * len(flows), {}, Fraction(packet))
    assert [{key: row[key] for key in row if key not in ("stored", "time")} for row in made] == filled(sides, fill)
    assert all(row["stored"] == row["packets"] for row in made)


@settings(deadline=None, max_examples=8)
@given(switches(), CHIPS, FLOWS, st.integers(1, 4), st.sampled_from([1, 2, 3, 5]), st.sampled_from([0, 3, 4, 7]))
def test_outputs_send_as_in_a_plain_run_of_whole_seconds(
    tables: dict[str, Any], chip: Chip, flows: list[tuple[str, str]], packet: int, period: int, sending: int
) -> None:
    """One flow after another; Ethernet8 is blocked, and each other output sends a packet in `sending` seconds."""
    sides = sides_of(question(tables, chip, packet, "sequence"), [" to ".join(flow) for flow in flows])
    drains = {port: Fraction(packet, sending) for port in PORTS[:2] if sending}
    made = drained(sides, "sequence", [Fraction(packet, period)] * len(flows), drains, Fraction(packet))
    met = next((i for i, row in enumerate(made) if row["packets"] is None), len(made))
    found = [(row["packets"], row["time"], row["stored"]) for row in made[:met]]
    assert found == plain_turns(Plain(tables, chip, packet), flows, period, sending if drains else 10**6, met)
    assert met == len(made) or sending <= period


def plain_turns(
    plain: Plain, flows: list[tuple[str, str]], period: int, sending: int, turns: int
) -> list[tuple[int, str, int]]:
    """Return of the first `turns` flows the packets, the time and the stored packets at the first refusal."""
    lines: dict[str, list[int]] = {queue: [] for _, queue in flows}
    order: dict[str, list[str]] = {port: [] for port in PORTS}
    ends, starts, sent, now = dict.fromkeys(PORTS, 0), {0: 0}, [0] * len(flows), 0
    rows: list[tuple[int, str, int]] = []
    while len(rows) < turns:
        for port in PORTS[:2]:
            if order[port] and ends[port] == now:
                queue = order[port].pop(0)
                leave(plain, *flows[lines[queue].pop(0)])
                order[port] += [queue] if lines[queue] else []
                ends[port] = now + sending
        for flow, start in list(starts.items()):
            if (now - start) % period == 0:
                arrive(plain, flows, flow, (now, sending), (lines, order, ends, starts, sent, rows))
        now += 1
    return rows[:turns]


def arrive(plain: Plain, flows: Any, flow: int, clock: tuple[int, int], state: Any) -> None:
    (now, sending), (lines, order, ends, starts, sent, rows) = clock, state
    group, queue = flows[flow]
    port = queue.partition("|")[0]
    if not plain.refuses("BUFFER_PG", group) and not plain.refuses("BUFFER_QUEUE", queue):
        plain.send(group, queue)
        sent[flow] += 1
        ends[port] = ends[port] if order[port] else now + sending
        order[port] += [] if lines[queue] else [queue]
        lines[queue].append(flow)
    elif flow == len(rows):
        rows.append((sent[flow], str(now), sum(line.count(flow) for line in lines.values())))
        if flow + 1 < len(flows):
            starts[flow + 1] = now
            arrive(plain, flows, flow + 1, clock, state)


TABLES: dict[str, Any] = {
    "BUFFER_POOL": {
        "in": {"type": "ingress", "mode": "dynamic", "size": "10875072", "xoff": "4194112"},
        "lossy": {"type": "egress", "mode": "dynamic", "size": "9243812"},
        "lossless": {"type": "egress", "mode": "static", "size": "15982720"},
    },
    "BUFFER_PROFILE": {
        "pg": {"pool": "in", "size": "1248", "xon": "2288", "xoff": "268736", "xon_offset": "2288", "dynamic_th": "0"},
        "pg0": {"pool": "in", "size": "0", "dynamic_th": "3"},
        "q": {"pool": "lossless", "size": "1518", "static_th": "15982720"},
        "q0": {"pool": "lossy", "size": "1518", "dynamic_th": "3"},
    },
    "BUFFER_PG": {"Ethernet0,Ethernet4|3-4": {"profile": "pg"}, "Ethernet0,Ethernet4|0": {"profile": "pg0"}},
    "BUFFER_QUEUE": {"Ethernet8|3-4": {"profile": "q"}, "Ethernet8|0": {"profile": "q0"}},
}


def test_one_command_fills_groups_after_another_into_a_blocked_port_and_names_the_side(
    tmp_path: Path, capsys: Any
) -> None:
    """The numbers of the public tests of this switch, 6542, 3274, 1640, 823, and the egress drop of packet 9887."""
    (tmp_path / "c.json").write_text(json.dumps(TABLES), encoding="utf-8")
    command = ["params", "profile", str(tmp_path / "c.json"), "--chip", "th", "--packet", "64", "--json"]
    assert run([*command, "--flow", "Ethernet0|0 to Ethernet8"]) == 0
    (lossy,) = json.loads(capsys.readouterr().out)["flows"]
    assert (lossy["event"], lossy["dropped_by"], lossy["first_dropped"]) == ("drop", "egress queue", 9886)
    assert run([*command, "--flow", "all to Ethernet8", "--fill", "sequence"]) == 0
    flows = json.loads(capsys.readouterr().out)["flows"]
    alone = counts({**TABLES, "BUFFER_PG": {"Ethernet0,Ethernet4|3-4": {"profile": "pg"}}}, chip="th", packet=64)
    assert [row["packets"] for row in flows[:4]] == alone["counts"]["trig_pfc_multi"] == [6542, 3274, 1640, 823]
    assert [row["event"] for row in flows] == ["pause"] * 4 + ["drop"] * 2
    assert [row["headroom"] for row in flows[:4]] == [1292, 1292, 1292, 1165]
    assert [row["dropped_by"] for row in flows] == ["ingress headroom"] * 4 + ["ingress group"] * 2
    assert run([*command[:-1], "--flow", "Ethernet0|3 to Ethernet8|3", "--fill", "together"]) == 0
    assert "first_dropped 7835 packets" in " ".join(capsys.readouterr().out.split())


def test_a_group_alone_drops_at_the_packet_that_the_counts_give() -> None:
    answer = counts(TABLES, chip="th", packet=64, flow=["Ethernet0|3 to Ethernet8"])
    assert answer["flows"][0]["first_dropped"] == answer["counts"]["trig_ingr_drp"] == 7835
    few = counts(TABLES, chip="th", packet=64, flow=["Ethernet0|3 to Ethernet8"], descriptors=100)["flows"][0]
    assert (few["packets"], few["dropped_by"]) == (100, "descriptors")


@pytest.mark.parametrize("flow", ["", "Ethernet0|3", "Ethernet9|3 to Ethernet8", "all to Ethernet9", "7 to Ethernet8"])
def test_a_flow_that_the_file_does_not_have_is_named(flow: str) -> None:
    with refused("flow", match="Ethernet8"):
        counts(TABLES, chip="th", packet=64, flow=[flow])


SENDING: dict[str, Any] = {
    "BUFFER_POOL": {"in": {"type": "ingress", "mode": "dynamic", "size": "1000"},
                    "out": {"type": "egress", "mode": "static", "size": "9000"}},
    "BUFFER_PROFILE": {"pg": {"pool": "in", "size": "0", "xoff": "60", "xon": "0", "dynamic_th": "0"},
                       "q": {"pool": "out", "size": "0", "static_th": "9000"}},
    "BUFFER_PG": {"Ethernet0,Ethernet4|3": {"profile": "pg"}},
    "BUFFER_QUEUE": {"Ethernet8,Ethernet12|3": {"profile": "q"}},
    "PORT": {"Ethernet0": {"speed": "100000"}, "Ethernet4": {"speed": "100000"}},
}  # fmt: skip
FLOW_OPTIONS = ["--flow", "Ethernet0|3 to Ethernet8", "--flow", "Ethernet4|3 to Ethernet12", "--drain"]


def test_groups_pause_one_after_another_while_outputs_send_as_the_fluid_model_says(tmp_path: Path, capsys: Any) -> None:
    """Packets of one byte; rates of 10 and 4, in units of 1.25 GB/s."""
    (tmp_path / "c.json").write_text(json.dumps(SENDING), encoding="utf-8")
    command = ["params", "profile", str(tmp_path / "c.json"), "--packet", "1", "--json", *FLOW_OPTIONS]
    assert run([*command, "40Gbps"]) == 0
    first, second = json.loads(capsys.readouterr().out)["flows"]
    later = Fraction(1000 * 1, 2 * (10 - 4))
    after = simulate(Switch(2, 1000, 4), DT(1), {0: Arrivals.constant(10), 1: Arrivals([(later, 10)])}, until=400)
    paused = after.queue(1).first_drop
    assert (first["event"], second["event"], after.queue(0).first_drop) == ("pause", "pause", later)
    assert paused is not None
    assert max(abs(first["packets"] - 10 * later), abs(second["packets"] - 10 * (paused - later))) <= 2
    assert abs(Fraction(second["time"]) * 1_250_000_000 - paused) <= 1
    assert abs(second["stored"] - after.queue(1).at(paused)) <= 2
    assert abs(first["headroom"] - 60 * Fraction(10, 10 - 4)) <= 2
    assert run([*command, "Ethernet8=40Gbps"]) == 0
    first, blocked = json.loads(capsys.readouterr().out)["flows"]
    assert blocked["packets"] == blocked["stored"] < second["packets"]
    assert run([*command, "100Gbps"]) == 0
    (never, _) = json.loads(capsys.readouterr().out)["flows"]
    assert (never["packets"], never["event"], never["first_dropped"], never["time"]) == (None, "none", None, None)


@pytest.mark.parametrize(("drain", "field"), [("Ethernet9=1Gbps", "drain"), ("-1", "drain"), ("x", "drain")])
def test_a_rate_of_an_output_that_is_not_accepted_is_named(drain: str, field: str) -> None:
    with refused(field):
        counts(SENDING, packet=1, flow=["Ethernet0|3 to Ethernet8"], drain=[drain])


def test_a_drain_needs_flows_and_the_speed_of_their_sources() -> None:
    with refused("drain", match="flows"):
        counts(SENDING, packet=1, drain="1Gbps")
    with refused("rate", match=r"Ethernet0\|3"):
        counts({**SENDING, "PORT": {}}, packet=1, flow=["Ethernet0|3 to Ethernet8"], drain="1Gbps")
