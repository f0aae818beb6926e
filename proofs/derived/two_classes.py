"""Bursts of one weight beside steady ports of another: two alphas, ABM and L2BM; proofs."""

from typing import Any

from dtmodel.ledger import Outcome, evidence
from dtmodel.theory import threshold_family

from .derivation import proved


def _family(s: Any, burst: Any, steady: Any) -> dict[str, Any]:
    """The first drop of the threshold family for bursts of one weight and steady ports of another."""
    free = threshold_family.left_free(s.B, steady * s.N)
    inflow = s.M * (s.R - s.C)
    falls = threshold_family.falls_at(inflow, 0, steady * s.N), threshold_family.falls_at(inflow, s.N * s.C, 0)
    slow, fast = (threshold_family.meets(burst, burst * free, s.R - s.C, fall) for fall in falls)
    return {"t_slow": slow, "t_fast": fast}


@evidence("derived.ours.two-alphas", form="printed", strength="symbolic")
def two_alphas_are_derived() -> Outcome:
    """Derive the first drop of bursts with alpha beside steady ports with beta."""
    return proved("derived.ours.two-alphas", "two_classes", lambda s: _family(s, s.alpha, s.beta))


@evidence("derived.ours.abm", form="printed", strength="symbolic")
def abm_with_one_priority_is_derived() -> Outcome:
    """Derive the first drop under ABM, all queues of one priority."""
    return proved("derived.ours.abm", "two_classes", lambda s: _family(s, s.a / (s.M + s.N), s.a / (s.M + s.N)))


@evidence("derived.ours.abm.priorities", form="printed", strength="symbolic")
def abm_with_two_priorities_is_derived() -> Outcome:
    """Derive the first drop under ABM, bursts and steady ports of different priorities."""
    return proved("derived.ours.abm.priorities", "two_classes", lambda s: _family(s, s.a / s.M, s.b / s.N))


@evidence("derived.ours.l2bm", form="printed", strength="symbolic")
def l2bm_with_two_sojourn_times_is_derived() -> Outcome:
    """Derive the first drop under L2BM, bursts and steady ports with a sojourn time each."""
    return proved("derived.ours.l2bm", "two_classes", _l2bm)


def _l2bm(s: Any) -> dict[str, Any]:
    total = s.alpha * (s.M * s.tau_1 + s.N * s.tau_2)
    return _family(s, total / s.tau_1, total / s.tau_2)
