"""Absorbable bursts counted packet by packet, against the closed forms."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from dtmodel.ledger import Agrees, Outcome, check, evidence
from dtmodel.packet.losspass_arbiter import Arbiter, Arrival, Departure, Settings
from dtmodel.theory.losspass import (
    burst_in_packets,
    burst_in_slots,
    burst_of_equal_victims,
    burst_with_reserve,
    largest_burst,
)


def port(B: int, B_l: int, small: int, victims: tuple[int, ...]) -> Arbiter:
    """Fill a port: the victims (tail first) in Q_l, then `small` packets of one byte in Q_s."""
    arbiter = Arbiter(Settings(Fraction(B), Fraction(B_l)))
    for size in reversed(victims):
        arbiter.arrive(Arrival("large", Fraction(size)))
    for _ in range(small):
        arbiter.arrive(Arrival("small", Fraction(1)))
    return arbiter


def instant(arbiter: Arbiter, size: int) -> int:
    """Count the packets of an instant burst that are buffered before the first is lost."""
    count = 0
    while arbiter.arrive(Arrival("small", Fraction(size))).decision in ("enqueue", "evict"):
        count += 1
    return count


def slotted(arbiter: Arbiter, arrivals: int) -> int:
    """Count the packets before the first loss with `arrivals` unit packets and then one departure a slot."""
    count = 0
    while True:
        for _ in range(arrivals):
            if arbiter.arrive(Arrival("small", Fraction(1))).decision == "drop":
                return count
            count += 1
        arbiter.depart(Departure("any"))


def ports(largest: int, packets: int) -> Iterator[tuple[int, int, int, tuple[int, ...]]]:
    """Yield every B, B_l, Q_s and list of victims that fit."""
    for B in range(1, largest + 1):
        for B_l, small, n in product(range(B + 1), range(B + 1), range(packets + 1)):
            for victims in product(range(1, B + 1), repeat=n):
                if small + sum(victims) <= B:
                    yield B, B_l, small, victims


@evidence("losspass.ours.burst-in-packets", form="printed", strength="exact")
def the_burst_in_packets_is_the_count() -> Outcome:
    """Every port of up to five bytes and three victims, every packet size of the burst."""
    cases = 0
    for B, B_l, small, victims in ports(5, 3):
        for size in range(1, B + 1):
            count = instant(port(B, B_l, small, victims), size)
            formula = burst_in_packets(
                Fraction(B), Fraction(small), [Fraction(v) for v in victims], Fraction(size), Fraction(B_l)
            )
            check(formula == count, f"B={B} B_l={B_l} Q_s={small} victims={victims} size={size}")
            if len(set(victims)) == 1:
                closed = burst_of_equal_victims(
                    Fraction(B),
                    Fraction(small),
                    len(victims),
                    Fraction(victims[0]),
                    Fraction(size),
                    reserve=Fraction(B_l),
                )
                check(closed == count, f"closed form: B={B} B_l={B_l} Q_s={small} victims={victims} size={size}")
            cases += 1
    return Agrees(cases, "B up to 5 bytes, up to 3 victims, all sizes, reserves and Q_s")


@evidence("losspass.ours.burst-service", form="printed", strength="exact")
def the_burst_with_service_is_the_count() -> Outcome:
    """Unit packets, strict priority, 2 to 5 arrivals and one departure a slot, B up to 8."""
    cases = 0
    for B, r in product(range(1, 9), range(2, 6)):
        for B_l, large in product(range(B + 1), range(B + 1)):
            room = int(burst_with_reserve(Fraction(B), Fraction(0), Fraction(large), Fraction(B_l)))
            check(
                burst_in_slots(room, r) == slotted(port(B, B_l, 0, (1,) * large), r), f"B={B} B_l={B_l} {large} r={r}"
            )
            cases += 1
    return Agrees(cases, "B up to 8 packets, all reserves and lengths of Q_l, r from 2 to 5")


@evidence("losspass.sec3.1.irrelevant", form="assumed", strength="exact")
def with_dividing_sizes_the_room_is_b_minus_q_s() -> Outcome:
    """No reserve, burst of unit packets, victims of any whole sizes: B - Q_s packets are taken, whatever Q_l."""
    cases = 0
    for B, B_l, small, victims in ports(5, 3):
        if B_l == 0:
            check(instant(port(B, 0, small, victims), 1) == B - small, f"B={B} Q_s={small} victims={victims}")
            cases += 1
    return Agrees(cases, "B up to 5, up to 3 victims of whole sizes, a burst of packets of size 1")


@evidence("losspass.eq6", "losspass.eq6@reserve", form="assumed", strength="exact")
def at_full_ports_of_one_size_the_count_is_b_tau() -> Outcome:
    """Packets of one size, B_l = 0, full ports: exactly B tau packets of an instant burst are buffered."""
    cases = 0
    for B in range(1, 13):
        for large in range(B + 1):
            count = instant(port(B, 0, B - large, (1,) * large), 1)
            check(largest_burst(Fraction(B), Fraction(large, B)) == count == large, f"B={B} Q_l={large}")
            cases += 1
    return Agrees(cases, "all full ports of up to 12 packets of one size")


@evidence("losspass.ours.small-tail", form="printed", strength="exact")
def a_short_tail_blocks_a_full_port() -> Outcome:
    """Every full port of up to six bytes whose tail is smaller than the burst's packets takes none of them."""
    cases = 0
    for B, B_l, small, victims in ports(6, 3):
        if victims and small + sum(victims) == B:
            for size in range(victims[0] + 1, B + 1):
                check(instant(port(B, B_l, small, victims), size) == 0, f"B={B} victims={victims} size={size}")
                formula = burst_in_packets(Fraction(B), Fraction(small), [Fraction(v) for v in victims], Fraction(size))
                check(formula == 0, "the formula")
                cases += 1
    return Agrees(cases, "all full ports of up to 6 bytes with up to 3 large packets")
