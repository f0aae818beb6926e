"""Complete sharing: proofs."""

from dtmodel.companion.deriving import Said
from dtmodel.ledger import Outcome, evidence

from .derivation import BURSTS, DROP, STEADY, family, proved


@evidence("derived.ours.complete-sharing", form="printed", strength="symbolic")
def complete_sharing_is_derived() -> Outcome:
    """Derive the first drop under complete sharing."""
    document = family([BURSTS, {**STEADY, "initial": 0}], DROP, {"name": "complete"})
    del document["symbols"]["alpha"]
    cases: Said = [([], {"first_drop": "t", "free_at_first_drop": "nothing"})]
    example = {"B": 12, "C": 1, "M": 1, "N": 2, "R": 3, "R_b": 2}
    return proved("derived.ours.complete-sharing", "sharing", document, cases, example)
