"""The whole of L2BM packet by packet, against DT and against the closed form."""

from __future__ import annotations

from fractions import Fraction

from dtmodel.ledger import Agrees, Outcome, check, evidence
from dtmodel.packet.l2bm_ingress import steady_arrivals, switch
from dtmodel.theory import l2bm

ONE = Fraction(1)


def averages(rates: tuple[int, ...], policy: str, until: int = 60) -> list[Fraction]:
    """The average lengths of overloaded queues over the last third of a run: buffer 60, 1-byte packets, alpha = 1/4."""
    drains = [Fraction(rate) for rate in rates]
    arrivals = steady_arrivals([ONE] * len(rates), [3 * rate for rate in drains], Fraction(until))
    moments = switch(Fraction(60), ONE / 4, drains, arrivals, ingress_queues=len(rates), policy=policy)
    late = moments[2 * len(moments) // 3 :]
    return [sum((moment.lengths[i] for moment in late), Fraction(0)) / len(late) for i in range(len(rates))]


@evidence("l2bm.ours.packet-occupancy", form="printed", strength="sampled")
def the_packet_switch_holds_what_the_square_root_law_says() -> Outcome:
    """Run two overloaded queues under DT and L2BM, with equal drain rates and with 4 and 1."""
    for rates, roots in (((1, 1), [1, 1]), ((4, 1), [2, 1])):
        mine, plain = averages(rates, "l2bm"), averages(rates, "dt")
        check(sum(mine) > sum(plain), f"{rates}: not more than DT")
        for found, said in zip(mine, l2bm.self_consistent(60, roots, "1/4").thresholds, strict=True):
            check(abs(found - said) * 20 <= said, f"{rates}: {float(found)} against {float(said)}")
    return Agrees(2, "drain rates (1, 1) and (4, 1)")
