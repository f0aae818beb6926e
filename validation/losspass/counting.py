"""Bursts counted packet by packet."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from dtmodel.packet.losspass.algorithm import Arbiter, Arrival, Departure, PortSettings


def port(B: int, B_l: int, small: int, victims: tuple[int, ...]) -> Arbiter:
    """Fill a port: the victims (tail first) in Q_l, then `small` packets of one byte in Q_s."""
    arbiter = Arbiter(PortSettings(Fraction(B), Fraction(B_l)))
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
