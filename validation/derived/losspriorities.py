"""Classes with an alpha each in first-in first-out queues, in runs of unit packets."""

from fractions import Fraction
from typing import Literal

from dtmodel.ledger import Agrees, check, evidence
from dtmodel.packet.engine import run_packets
from dtmodel.policies import LossPriorities

ALPHAS = (Fraction(1), Fraction(1, 2))
PORTS = 2


def _sent(counted: Literal["class", "queue"], buffer: int, offered: tuple[int, int]) -> tuple[list[list[int]], int]:
    """Return the packets of each class that each port admits in the second half of a run, and their number in a queue.

    Each of two ports is offered so many packets of each class in a slot, and sends one.
    """
    slots, half = 4 * buffer, 2 * buffer
    stream = [(Fraction(t), 1, p, p) for t in range(slots) for p in (0, 1) for _ in range(offered[p])]
    policy, until = LossPriorities(ALPHAS, counted), slots - Fraction(1, 2)
    done = run_packets(
        buffer=buffer, rates=[1] * PORTS, policy=policy, streams=[stream] * PORTS, until=until, sample=1,
        sample_from=Fraction(1, 2),
    )  # fmt: skip
    lost = [[0] * PORTS for _ in ALPHAS]
    for each in done.lost:
        if each.time >= half and each.burst is not None:
            lost[each.burst][each.port] += 1
    admitted = [[offered[p] * half - count for count in counts] for p, counts in enumerate(lost)]
    return admitted, max(done.samples[-1][1])


@evidence("derived.ours.loss-priorities", form="printed", strength="exact")
def two_classes_of_unit_packets_share_by_alphas() -> Agrees:
    """Alphas 1 and 1/2, two ports and B = 24 and 40: 2/3 of the packets within 2/B, 3 B / 8 in a queue within two."""
    cases = [(buffer, offered) for buffer in (24, 40) for offered in ((1, 1), (3, 1), (1, 2))]
    for buffer, offered in cases:
        admitted, length = _sent("class", buffer, offered)
        check(
            all(abs(Fraction(count, 2 * buffer) - Fraction(2, 3)) <= Fraction(2, buffer) for count in admitted[0]),
            f"{buffer}, {offered}: {admitted}",
        )
        check(abs(8 * length - 3 * buffer) <= 16, f"{buffer}, {offered}: {length} in a queue")
    return Agrees(len(cases), "runs")


@evidence("derived.ours.loss-priorities-lockout", form="printed", strength="exact")
def unit_packets_with_the_smaller_alpha_are_all_dropped() -> Agrees:
    """Alphas 1 and 1/2, two ports and B = 15 and 30: none of the second class, and B / 3 in a queue, within one."""
    cases = [(buffer, offered) for buffer in (15, 30) for offered in ((2, 1), (2, 3))]
    for buffer, offered in cases:
        admitted, length = _sent("queue", buffer, offered)
        check(admitted == [[2 * buffer] * PORTS, [0] * PORTS], f"{buffer}, {offered}: {admitted}")
        check(abs(3 * length - buffer) <= 3, f"{buffer}, {offered}: {length} in a queue")
    return Agrees(len(cases), "runs")
