"""Complete sharing: proofs."""

from dtmodel.ledger import Outcome, evidence

from .derivation import proved


@evidence("derived.ours.complete-sharing", form="printed", strength="symbolic")
def complete_sharing_is_derived() -> Outcome:
    """Derive the first drop under complete sharing."""
    return proved("derived.ours.complete-sharing", "sharing")
