"""A star whose switch shares its memory, in ns-3 (`star.cc`) and in dtmodel, and the table of where the two differ.

Both simulators draw the jitter of a packet from one hash and send the same segments at the same times until the first
recovery from a loss. `python -m benchmarks.ns3.star` prints the tables of `validation/results/ns3.md`; it needs a C++
compiler and the wheel of ns-3, without the packages that it depends on.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from statistics import mean
from tempfile import mkdtemp
from typing import Any

from dtmodel.network.doors import read_door
from dtmodel.network.fabric import Network, Topology
from dtmodel.network.integers import SECOND
from dtmodel.network.transport import HEADER, Connection, Transport

SOURCE = Path(__file__).with_suffix(".cc")
LIBRARIES = ("core", "network", "internet", "point-to-point", "stats")
MILLISECOND, MICROSECOND = SECOND // 10**3, SECOND // 10**6
RATE, ROUND_TRIP = 125_000_000, 200 * MICROSECOND
TRANSPORT = Transport(min_rto=10 * MILLISECOND)
SEEDS, BEGIN, END = range(1, 6), 100 * MILLISECOND, 300 * MILLISECOND


@dataclass(frozen=True)
class Flow:
    """A flow from a host to a host; one of 0 bytes lasts until the end."""

    source: int
    target: int
    start: int
    bytes: int


@dataclass(frozen=True)
class Star:
    """A run: hosts at 1 Gbps, DT with `alpha` or no threshold (None), and what is measured from `begin` to `end`."""

    hosts: int
    flows: Sequence[Flow]
    buffer: int
    alpha: Fraction | None
    freed: str = "start"
    jitter: int = 2 * MICROSECOND
    seed: int = 1
    begin: int = 0
    end: int = SECOND // 10

    @property
    def topology(self) -> Topology:
        """The topology in dtmodel."""
        return Topology(self.hosts, Fraction(RATE), ROUND_TRIP, self.jitter)


@dataclass(frozen=True)
class Port:
    """The port to a host: its greatest and mean length, packets that it dropped, and bytes that it sent."""

    peak: int
    length: float
    dropped: int
    sent: int


@dataclass(frozen=True)
class Outcome:
    """The ports of a run, and for each flow the time to its last byte (-1 if it is not over) and its timeouts."""

    ports: list[Port]
    times: list[int]
    timeouts: list[int]


def unavailable() -> str:
    """Return the reason for which ns-3 cannot be used here, or the empty string."""
    if find_spec("ns3") is None:
        return "the package ns3 is not installed"
    return "" if which("c++") else "c++ is not on the path"


@cache
def program() -> Path:
    """Compile the star against the wheel of ns-3, once in a process."""
    spec = find_spec("ns3")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    home, made = Path(spec.submodule_search_locations[0]), Path(mkdtemp()) / "star"
    library = home / "lib64"
    linked = [next(library.glob(f"libns3.*-{name}.so")).name[3:-3] for name in LIBRARIES]
    command = ["c++", "-std=c++20", "-O2", "-w", f"-I{home / 'include'}", str(SOURCE), "-o", str(made)]
    command += [f"-L{library}", *(f"-l{name}" for name in linked), f"-Wl,-rpath,{library}"]
    subprocess.run(command, check=True)
    return made


def in_ns3(star: Star) -> Outcome:
    """Run a star in ns-3."""
    alpha, delay = star.alpha, star.topology.delay(TRANSPORT.segment + HEADER)
    numbers = [star.hosts, 8 * RATE, delay, star.jitter, star.seed, TRANSPORT.min_rto, TRANSPORT.segment, star.buffer]
    numbers += [-1, 1] if alpha is None else [alpha.numerator, alpha.denominator]
    numbers += [int(star.freed == "start"), star.begin, star.end, len(star.flows)]
    for flow in star.flows:
        numbers += [flow.source, flow.target, flow.start, flow.bytes]
    done = subprocess.run([program()], input=" ".join(map(str, numbers)), capture_output=True, text=True, check=True)
    rows = [line.split() for line in done.stdout.splitlines()]
    ports = [Port(int(peak), float(length), int(lost), int(sent)) for peak, length, lost, sent in rows[: star.hosts]]
    flows = rows[star.hosts :]
    return Outcome(ports, [int(row[0]) for row in flows], [int(row[1]) for row in flows])


class Meter:
    """The lengths of the ports of a switch over time, from the instant `begin` on."""

    def __init__(self, network: Network, begin: int) -> None:
        (self.switch,) = network.switches
        ports = len(self.switch.peak)
        self.begin, self.area, self.held, self.since = begin, [0] * ports, [0] * ports, [0] * ports
        self.sent, self.before = [0] * ports, [0] * ports
        self.switch.sample, self.switch.watch = self.change, self.count
        network.at(begin, self.start, None)

    def start(self, nothing: object, now: int) -> None:
        """Keep the drops before the interval."""
        del nothing, now
        self.before = [*self.switch.dropped]

    def change(self, port: int, now: int) -> None:
        """Add the time with the length before a change."""
        self.area[port] += max(now - max(self.since[port], self.begin), 0) * self.held[port]
        self.since[port], self.held[port] = now, self.switch.memory.lengths[port]

    def count(self, port: int, now: int, packet: Any) -> None:
        """Count the bytes of a packet that was sent."""
        self.sent[port] += packet.size if now > self.begin else 0

    def ports(self, end: int) -> list[Port]:
        """Return what was measured until an instant."""
        for port in range(len(self.held)):
            self.change(port, end)
        rows = zip(self.switch.peak, self.area, self.switch.dropped, self.before, self.sent, strict=True)
        return [
            Port(peak, area / (end - self.begin), dropped - before, sent) for peak, area, dropped, before, sent in rows
        ]


def begin(flow: tuple[Connection, Flow, Callable[[int], None]], now: int) -> None:
    """Hand the bytes of a flow to its connection; those of one that lasts are more than it can send."""
    connection, sent, done = flow
    connection.push(sent.bytes or 10**15, now, done)


def one_queue(sent: int) -> int:
    """Return the service queue of a packet."""
    del sent
    return 0


def in_dtmodel(star: Star) -> Outcome:
    """Run a star in the engine in Python."""
    policy = {"name": "complete"} if star.alpha is None else {"name": "dt", "alpha": star.alpha}
    network = Network(
        star.topology,
        lambda ports, buffer: read_door(policy, buffer, ports, 1, ""),
        star.buffer,
        seed=star.seed,
        freed=star.freed,
    )
    meter, times = Meter(network, star.begin), [-1] * len(star.flows)
    made = [
        Connection(network, number, flow.source, flow.target, TRANSPORT, one_queue)
        for number, flow in enumerate(star.flows)
    ]
    for number, flow in enumerate(star.flows):
        made[number].measure(ROUND_TRIP)
        network.at(flow.start, begin, (made[number], flow, partial(times.__setitem__, number)))
    network.run(star.end)
    took = [end - flow.start if end >= 0 else -1 for end, flow in zip(times, star.flows, strict=True)]
    return Outcome(meter.ports(star.end), took, [each.timeouts for each in made])


def answers(senders: int, size: int, freed: str, buffer: int = 50_000_000, alpha: Fraction | None = None) -> Star:
    """Return a star in which all other hosts send to host 0 at once."""
    chance = random.Random(senders)
    flows = [Flow(each + 1, 0, chance.randrange(30 * MICROSECOND), size) for each in range(senders)]
    return Star(senders + 1, flows, buffer, alpha, freed)


def lasting(alpha: Fraction, seed: int) -> Star:
    """Return a star in which two flows to host 0 and eight to host 1 last."""
    chance = random.Random(seed)
    flows = [Flow(2 + each, int(each > 1), chance.randrange(MILLISECOND), 0) for each in range(10)]
    return Star(12, flows, 256_000, alpha, seed=seed, begin=BEGIN, end=END)


LOSSLESS = [(2, 100_000), (4, 200_000), (8, 64_000), (16, 30_000), (3, 1_000_000)]
FIRST_WINDOWS = [(Fraction(1, 2), 40), (Fraction(1), 40), (Fraction(2), 40), (None, 60)]


MEASURES: tuple[tuple[str, Callable[[Outcome, int], float]], ...] = (
    ("mean length, KB", lambda done, port: done.ports[port].length / 1000),
    ("sent, Mbps", lambda done, port: done.ports[port].sent * 8 / 1e6 / ((END - BEGIN) / SECOND)),
    ("packets dropped", lambda done, port: done.ports[port].dropped),
    ("timeouts of a flow", lambda done, port: mean(done.timeouts[2:] if port else done.timeouts[:2])),
)


def without_losses() -> None:
    """Print the table of runs without a loss."""
    print("| senders | bytes each | freed at | peak, ns-3 | peak, dtmodel | completion times differ by at most |")
    print("|---|---|---|---|---|---|")
    for senders, size in LOSSLESS:
        for freed in ("start", "end"):
            star = answers(senders, size, freed)
            theirs, ours = in_ns3(star), in_dtmodel(star)
            late = max(abs(a - b) for a, b in zip(theirs.times, ours.times, strict=True))
            print(f"| {senders} | {size:,} | {freed} | {theirs.ports[0].peak:,} | {ours.ports[0].peak:,} | {late} ps |")


def with_losses() -> None:
    """Print the table of runs with losses: means over the seeds, of the ports with two and with eight flows."""
    print("| alpha | of | ns-3: 2 flows | 8 flows | dtmodel: 2 flows | 8 flows |")
    print("|---|---|---|---|---|---|")
    for alpha in (Fraction(1, 2), Fraction(1), Fraction(2)):
        stars = [lasting(alpha, seed) for seed in SEEDS]
        runs = [[run(star) for star in stars] for run in (in_ns3, in_dtmodel)]
        for name, value in MEASURES:
            cells = [f"{mean(value(done, port) for done in kind):.1f}" for kind in runs for port in (0, 1)]
            print(f"| {alpha} | {name} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Print both tables."""
    if reason := unavailable():
        sys.exit(reason)
    without_losses()
    print()
    with_losses()


if __name__ == "__main__":
    main()
