"""Packets beside the fluid: the packet engine and the fluid engine under DT, from the same arrivals."""

import random
from bisect import bisect
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import takewhile
from operator import itemgetter

from dtmodel import Arrivals, Switch, simulate
from dtmodel.companion.words.fluid import FluidRun
from dtmodel.companion.words.packets import PacketLengths, Train, apart, carried, delivered
from dtmodel.ledger import Agrees, check, evidence
from dtmodel.packet.arrivals import constant
from dtmodel.packet.engine import run_packets
from dtmodel.policies import EDT, Weighted

ONE = Fraction(1)


@dataclass(frozen=True)
class Drawn:
    """A switch of ports of rate 1, what comes to each, and until when it is seen."""

    weights: list[Fraction]
    buffer: Fraction
    trains: list[Train]
    until: Fraction = Fraction(60)

    @cached_property
    def packets(self) -> PacketLengths:
        """The run of the packet engine."""
        return PacketLengths(self.trains, self.until, self.buffer, ONE, self.weights)

    @property
    def bound(self) -> Fraction:
        """Packets of at most a byte that come at rate 1 at least: p = w = 1."""
        ports, alpha = len(self.weights), max(self.weights)
        fastest = max(rate for train in self.trains for _, _, _, rate in train)
        slack = (1 + alpha * ports) * (1 + fastest) + alpha
        return 1 + slack * (2 * (1 + alpha) ** ((ports + 1) // 2 - 1) - 1)

    def farthest(self) -> Fraction:
        """The largest difference between a queue of the packet engine and that of the fluid engine."""
        ports = len(self.weights)
        flows = {port: Arrivals(carried(train)) for port, train in enumerate(self.trains)}
        fluid = FluidRun(simulate(Switch(ports, self.buffer, 1), Weighted(self.weights), flows, until=self.until))
        return max(apart(fluid, self.packets, Fraction(port + 1)) for port in range(ports))

    def step_by_step(self) -> list[list[tuple[Fraction, Fraction]]]:
        """The lengths of each queue after each of its changes, by the steps of `Near/PacketsAlgorithm.v`."""
        arrivals = sorted(
            (time, port, size) for port, train in enumerate(self.trains) for time, size, _ in delivered(train)
        )
        ports = range(len(self.trains))
        kept: list[list[tuple[Fraction, Fraction, Fraction]]] = [[] for _ in ports]  # leaves, came, size: both ascend

        def waiting(port: int, time: Fraction) -> Fraction:
            left = kept[port][bisect(kept[port], time, key=itemgetter(0)) :]
            there = takewhile(lambda packet: packet[1] <= time, left)
            return sum((size for _, _, size in there), Fraction(0))

        for time, port, size in arrivals:
            if time > self.until:
                break
            lengths = [waiting(j, time) for j in ports]
            free = self.buffer - sum(lengths)
            if lengths[port] < self.weights[port] * free and size <= free:
                idle = max([time, *(leaves for leaves, _, _ in kept[port][-1:])])
                kept[port].append((idle + size, time, size))
        changes = [sorted({Fraction(0), *(time for *times, _ in queue for time in times)}) for queue in kept]
        return [[(t, waiting(j, t)) for t in times if t <= self.until] for j, times in enumerate(changes)]


def draw(rng: random.Random) -> Drawn:
    """Draw a switch of one to four ports with weights and flows of their own."""
    trains: list[Train] = []
    for _ in range(rng.randint(1, 4)):
        begin, train = Fraction(0), []
        for _ in range(6):
            many, size, rate = (
                Fraction(rng.randint(1, 40)),
                Fraction(rng.choice((1, 2)), 2),
                Fraction(rng.choice((1, 1, 2, 3))),
            )
            train.append([begin, many, size, rate])
            begin += many * size / rate + Fraction(rng.choice((0, 0, 1, 9, 40)), 2)
        trains.append(train)
    weights = [Fraction(rng.randint(1, 4), rng.choice((2, 4))) for _ in trains]
    return Drawn(weights, Fraction(rng.choice((20, 60))), trains)


@evidence("edt.ours.near.packets", "edt.ours.near.algorithm", form="printed", strength="sampled")
def packets_stay_near_the_fluid_in_seeded_runs() -> Agrees:
    """24 seeded switches of 1 to 4 ports, packets of 1/2 and 1 byte at rates of 1 to 3, at every instant."""
    rng, cases = random.Random(7), 24
    for _ in range(cases):
        drawn = draw(rng)
        check((apart := drawn.farthest()) <= drawn.bound, f"{drawn}: {apart} bytes apart")
    return Agrees(cases, "runs of 1 to 4 ports with weights, sizes, rates and pauses of their own")


@evidence("edt.ours.near.algorithm", form="printed", strength="sampled")
def the_steps_in_coq_are_those_of_the_packet_engine() -> Agrees:
    """The steps that the theorem is about, on the same switches: all lengths are equal."""
    rng, cases = random.Random(7), 24
    for _ in range(cases):
        drawn = draw(rng)
        for port, steps in enumerate(drawn.step_by_step()):
            check(steps == drawn.packets.steps(Fraction(port + 1)), f"{drawn}: port {port}")
    return Agrees(cases, "every length after every change, ==")


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
    """All moves of one queue at a time, by 1, and for up to four also by 1/2, of up to six queues."""
    cases = {(2, 1): (1, 2), (4, 1): (3, 6), (6, 1): (7, 14), (2, 2): (1, 2), (4, 2): (5, 8)}
    for (queues, alpha), (one, all_together) in cases.items():
        adds = [2 * (1 + alpha) ** max(0, queues // 2 - j) - 1 for j in range(1, queues + 1)]
        check((adds[0], sum(adds)) == (one, all_together), f"the bound is {adds}")
        for steps in (1, 2) if (queues, alpha) in ((2, 1), (4, 1), (2, 2)) else (1,):
            found = farthest_moves(queues, alpha, steps)
            check(found == (Fraction(one), Fraction(all_together)), f"{queues} queues, alpha = {alpha}: {found}")
    for queues, most in ((3, 2), (5, 5)):
        check(farthest_moves(queues, 1, 1)[0] == most, f"{queues} queues")
    return Agrees(len(cases) + 2, "sets of moves")
