"""Section 5.1.3: Tables 1 and 2, and Figure 8; proofs."""

import sympy as sp

from dtmodel.ledger import Outcome, evidence
from dtmodel.ledger.provers import smt
from dtmodel.ledger.provers.symbolic_execution import PathCondition, all_of
from dtmodel.packet.losspass.algorithm import Packet

from .arrivals import Arrived, P, holds, tail


@evidence("losspass.table1.definition", form="printed", strength="smt")
def refused_by_line_3_is_longer_than_the_tail() -> Outcome:
    """A path that line 3 refuses while Q_l holds a packet is that of a small packet with P > v at an overflow."""

    def missed(a: Arrived) -> PathCondition:
        refused = "line 3:" in a.step.reason and "empty" not in a.step.reason
        defined = all_of(a.kind == "small", a.shape != "empty", a.overflows, tail < P)
        return defined if refused else ~defined

    return holds("intended", missed, "missed iff refused by line 3")


@evidence("losspass.fig8.range", form="printed", strength="smt")
def the_guaranteed_ratio_is_a_valid_reserve() -> Outcome:
    """K_l alpha <= K_l = 45 packets <= B for alpha in [0, 1]."""
    alpha = sp.Symbol("alpha", nonnegative=True)
    return smt.prove([alpha <= 1], 45 * 1500 * alpha <= 128_000).proved()


@evidence("losspass.intro.drop-vs-evict", form="printed", strength="smt")
def dropped_packets_were_never_buffered() -> Outcome:
    """Intended: a path ends in a drop with both queues as they were, or the packet is in and a victim was buffered."""

    def packets(a: Arrived) -> list[Packet]:
        return [item for item in a.before.large if isinstance(item, Packet)]

    def fine(a: Arrived) -> bool:
        dropped = a.step.decision == "drop"
        return a.changes() if dropped else a.left and a.step.victim in (None, *(p.number for p in packets(a)))

    return holds("intended", fine, "dropped on arrival or evicted from Q_l")
