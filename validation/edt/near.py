"""Packets beside the fluid: the packet engine and the fluid engine under DT, from the same arrivals."""

import random
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from dtmodel import Arrivals, Switch, simulate
from dtmodel.ledger import Agrees, check, evidence
from dtmodel.packet.arrivals import constant
from dtmodel.packet.engine import run_packets
from dtmodel.policies import EDT, Weighted

ONE = Fraction(1)


@dataclass(frozen=True)
class Drawn:
    """A switch of ports of rate 1, and for each port its groups of packets: how many, their size, rate, pause after."""

    weights: list[Fraction]
    buffer: Fraction
    groups: list[list[tuple[int, Fraction, Fraction, Fraction]]]

    @property
    def bound(self) -> Fraction:
        """Packets of at most a byte that come at rate 1 at least: p = w = 1."""
        ports, alpha = len(self.weights), max(self.weights)
        fastest = max(rate for groups in self.groups for _, _, rate, _ in groups)
        slack = (1 + alpha * ports) * (1 + fastest) + alpha
        return 1 + slack * (2 * (1 + alpha) ** ((ports + 1) // 2 - 1) - 1)

    def farthest(self, until: Fraction, period: Fraction) -> Fraction:
        """The largest difference between a queue of the packet engine and that of the fluid engine, at samples."""
        packets, rates = zip(*map(_sent, self.groups), strict=True)
        ports, policy = len(self.weights), Weighted(self.weights)
        streams = [[packet for packet in stream if packet[0] <= until] for stream in packets]
        flows = {port: Arrivals(flow) for port, flow in enumerate(rates)}
        fluid = simulate(Switch(ports, self.buffer, 1), policy, flows, until=until)
        done = run_packets(
            buffer=self.buffer, rates=[ONE] * ports, policy=policy, streams=streams, until=until, sample=period
        )
        lengths = ((i, t, q) for t, held in done.samples for i, q in enumerate(held))
        farthest: Fraction = max(abs(q - fluid.queue(i).at(t)) for i, t, q in lengths)
        return farthest


def _sent(
    groups: list[tuple[int, Fraction, Fraction, Fraction]],
) -> tuple[list[tuple[Fraction, Fraction, None]], list[tuple[Fraction, Fraction]]]:
    """Return the packets of a port, each when it is complete, and the rate at which their bytes come."""
    lasting = [(number * size / rate, pause) for number, size, rate, pause in groups]
    begins = list(accumulate((on + off for on, off in lasting), initial=Fraction(0)))
    packets = [
        (begin + (k + 1) * size / rate, size, None)
        for begin, (number, size, rate, _) in zip(begins, groups, strict=False)
        for k in range(number)
    ]
    rates: dict[Fraction, Fraction] = {}
    for begin, (on, _), (_, _, rate, _) in zip(begins, lasting, groups, strict=False):
        rates |= {begin: rate, begin + on: Fraction(0)}
    return packets, sorted(rates.items())


def draw(rng: random.Random) -> Drawn:
    """Draw a switch of one to four ports with weights and flows of their own."""
    ports = rng.randint(1, 4)
    groups = [
        [
            (rng.randint(1, 40), Fraction(rng.choice((1, 2)), 2), Fraction(rng.choice((1, 1, 2, 3))),
             Fraction(rng.choice((0, 0, 1, 9, 40)), 2))
            for _ in range(6)
        ]
        for _ in range(ports)
    ]  # fmt: skip
    weights = [Fraction(rng.randint(1, 4), rng.choice((2, 4))) for _ in range(ports)]
    return Drawn(weights, Fraction(rng.choice((20, 60))), groups)


@evidence("edt.ours.near.packets", form="printed", strength="sampled")
def packets_stay_near_the_fluid_in_seeded_runs() -> Agrees:
    """24 seeded switches of 1 to 4 ports, packets of 1/2 and 1 byte at rates of 1 to 3, compared every 1/2 s."""
    rng, cases = random.Random(7), 24
    for _ in range(cases):
        drawn = draw(rng)
        apart = drawn.farthest(Fraction(60), Fraction(1, 2))
        check(apart <= drawn.bound, f"{drawn}: {apart} bytes apart")
    return Agrees(cases, "runs of 1 to 4 ports with weights, sizes, rates and pauses of their own")


@evidence("edt.ours.near.edt", form="printed", strength="exact")
def half_a_packet_time_decides_what_edt_recognises() -> Agrees:
    """Both engines, packets of 1 byte and C = 1: the longest buffer differs by 390 packets."""
    policy = EDT(1, 20, Fraction(39, 2))
    for buffer in (100, 200, 400, 800):
        end = Fraction(buffer - 10)
        fluid = simulate(Switch(1, buffer, 1), policy, {0: Arrivals.constant(2)}, until=end)
        done = run_packets(
            buffer=Fraction(buffer), rates=[ONE], policy=policy, streams=[constant(2 * ONE, ONE)], until=end, sample=ONE
        )
        time, (length,) = done.samples[-1]
        check(
            (time, length, done.lost) == (end - 1, end, []), f"{buffer}: {length} packets at {time}, lost {done.lost}"
        )
        check(fluid.queue(0).at(end) == Fraction(buffer, 2), f"{buffer}: the fluid holds {fluid.queue(0).at(end)}")
    return Agrees(4, "buffers of 100 to 800 packets")


def farthest_moves(queues: int, alpha: int, steps: int) -> tuple[Fraction, Fraction]:
    """The largest difference of a queue, and of all together, in eps, that moves of 1/steps from 0 on reach."""
    seen, left = {(0,) * queues}, [(0,) * queues]
    while left:
        apart = left.pop()
        total = sum(apart)
        for place, e in enumerate(apart):
            for way in (1, -1):
                if way * e < steps or way * (e + alpha * total) < steps:
                    moved = tuple(sorted((*apart[:place], e + way, *apart[place + 1 :])))
                    if moved not in seen:
                        seen.add(moved)
                        left.append(moved)
    return Fraction(max(max(map(abs, e)) for e in seen), steps), Fraction(max(abs(sum(e)) for e in seen), steps)


@evidence("edt.ours.near.sharp", form="printed", strength="exact")
def the_moves_that_the_proof_allows_reach_its_bound() -> Agrees:
    """All moves of one queue at a time, by 1 or 1/2, of up to six queues."""
    cases = {(2, 1, 2): (1, 2), (4, 1, 2): (3, 6), (6, 1, 1): (7, 14), (2, 2, 2): (1, 2), (4, 2, 1): (5, 8)}
    for (queues, alpha, steps), (one, all_together) in cases.items():
        adds = [2 * (1 + alpha) ** max(0, queues // 2 - j) - 1 for j in range(1, queues + 1)]
        check((adds[0], sum(adds)) == (one, all_together), f"the bound is {adds}")
        found = farthest_moves(queues, alpha, steps)
        check(found == (Fraction(one), Fraction(all_together)), f"{queues} queues, alpha = {alpha}: {found}")
    for queues, most in ((3, 2), (5, 5)):
        check(farthest_moves(queues, 1, 1)[0] == most, f"{queues} queues")
    return Agrees(len(cases) + 2, "sets of moves")
