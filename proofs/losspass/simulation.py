"""Section 5.2: simulations of a leaf-spine network, Figures 9 to 14; proofs."""

from dtmodel.ledger import Outcome, evidence
from dtmodel.ledger.provers.symbolic_execution import PathCondition, all_of, any_of

from .arrivals import Arrived, as_tail_drop, holds


@evidence("losspass.sec5.2.2.only-difference", form="printed", strength="smt")
def only_small_packets_at_a_full_port_differ() -> Outcome:
    """A path that is not tail drop's is that of a small packet that meets an overflow."""

    def fine(a: Arrived) -> PathCondition:
        return any_of(as_tail_drop(a), all_of(a.kind == "small", a.overflows))

    return holds("intended", fine, "tail drop but for a small packet at a full port")
