"""Reserves and caps in a shared pool: proofs."""

from dtmodel.ledger import Outcome, evidence

from .derivation import proved


@evidence("derived.ours.reserve", form="printed", strength="symbolic")
def bursts_with_reserves_are_derived() -> Outcome:
    """Derive the first drop of bursts that have bytes of their own."""
    return proved("derived.ours.reserve", "pools")


@evidence("derived.ours.cap", form="printed", strength="symbolic")
def bursts_with_caps_are_derived() -> Outcome:
    """Derive the first drop of bursts with a cap each."""
    return proved("derived.ours.cap", "pools")


@evidence("derived.ours.capped-steady", form="printed", strength="symbolic")
def bursts_beside_capped_steady_ports_are_derived() -> Outcome:
    """Derive the first drop of bursts beside steady ports with a cap each."""
    return proved("derived.ours.capped-steady", "pools")
