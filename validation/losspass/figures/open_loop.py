"""Open-loop traffic at the testbed's port: queries of five responses beside large packets, the same for every scheme.

A port of 85 packets of 1500 bytes (128 KB), in slots of one packet's time. In every period there is one query, at a
time left to chance: five servers send 22 packets each (32 KB), at the line rate of each. Large packets come from four
senders by chance. No sender reacts to a loss.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from dtmodel.packet.losspass.algorithm import READINGS, Arbiter, Arrival, Class, Departure, PortSettings

BUFFER, SLOTS = 85, 5_000
SERVERS, RESPONSE, SMALL = 5, 22, 0.23
"""Servers of a query, packets of a response, and the share of small packets: that of web search with T = 1 MB."""


@dataclass(frozen=True)
class Losses:
    """Packets of each class that came, and that were lost."""

    came: dict[str, int]
    lost: dict[str, int]

    def percent(self, kind: str) -> float:
        """The lost part of a class, in per cent."""
        return 100 * self.lost[kind] / self.came[kind]


def arrivals(load: float, slots: int = SLOTS) -> Iterator[tuple[int, int]]:
    """Yield how many small and large packets come in each slot, for a load that is a part of the link."""
    chance = random.Random(f"LossPass at {load}")
    period = round(SERVERS * RESPONSE / (SMALL * load))
    begins = [first + chance.randrange(period) for first in range(0, slots, period)]
    for slot in range(slots):
        queries = sum(begin <= slot < begin + RESPONSE for begin in begins)
        yield SERVERS * queries, sum(chance.random() < (1 - SMALL) * load / 4 for _ in range(4))


def losses(reading: str, load: float, reserve: int = 0, slots: int = SLOTS) -> Losses:
    """Run the arrivals through a port; in a slot large and small packets take turns, then one packet departs."""
    port = Arbiter(PortSettings(Fraction(BUFFER), Fraction(reserve), reading=READINGS[reading]))
    kinds: list[Class] = []
    came, lost = {"small": 0, "large": 0}, {"small": 0, "large": 0}
    for small, large in arrivals(load, slots):
        for turn in range(max(small, large)):
            pair: tuple[tuple[Class, int], ...] = (("large", large), ("small", small))
            for kind in [kind for kind, count in pair if turn < count]:
                kinds.append(kind)
                came[kind] += 1
                step = port.arrive(Arrival(kind, Fraction(1)))
                gone = step.packet if step.decision == "drop" else step.victim
                if gone is not None:
                    lost[kinds[gone]] += 1
        port.depart(Departure("any"))
    return Losses(came, lost)
