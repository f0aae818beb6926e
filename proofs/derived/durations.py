"""Bursts that end: proofs."""

from typing import Any

from dtmodel.ledger import Outcome, evidence
from dtmodel.theory.dt import formulas as dt

from .derivation import proved


def _lengths(s: Any) -> dict[str, Any]:
    """The lengths in edt.ours.bytes-lost.dt: the common one, and that of a fast burst which grows on after its drop."""
    r, drop = s.R - s.C, dt.fast_drop_time(s.alpha, s.B, s.C, s.M, s.N, s.R - s.C)
    grown = r * drop + s.alpha * s.N * s.C / (1 + s.alpha * s.M) * (s.d - drop)
    return {"q": dt.slow_threshold(s.alpha, s.B, s.M, s.N), "g": grown}


@evidence("derived.ours.beside-ending", form="printed", strength="symbolic")
def bursts_beside_bursts_that_end_are_derived() -> Outcome:
    """Derive the first drop of lasting bursts beside others that end."""
    return proved("derived.ours.beside-ending", "durations")


@evidence("derived.ours.bytes-lost", form="printed", strength="symbolic")
def bytes_lost_by_the_end_are_derived() -> Outcome:
    """Derive what each burst loses by its end."""
    return proved("derived.ours.bytes-lost", "durations", _lengths)


@evidence("derived.ours.recovery", form="printed", strength="symbolic")
def the_time_to_recovery_is_derived() -> Outcome:
    """Derive when all is as before bursts, beside ports that are offered enough."""
    return proved("derived.ours.recovery", "durations", _lengths)


@evidence("derived.ours.recovery.weak", form="printed", strength="symbolic")
def the_slower_recovery_is_derived() -> Outcome:
    """Derive when all is as before slow bursts without loss, beside ports that are offered little."""
    return proved("derived.ours.recovery.weak", "durations")
