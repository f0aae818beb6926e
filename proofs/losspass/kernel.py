"""The algebra of Section 3.3 as checked by Coq's kernel."""

from __future__ import annotations

from dtmodel.ledger import Outcome, evidence
from dtmodel.provers import coq


@evidence("losspass.eq3.from-1-2", form="printed", strength="kernel")
def coq_sums_equal_windows() -> Outcome:
    """Coq: the sum of N equal windows less C RTT is N w - C RTT."""
    return coq.theorem("losspass_eq3", example={"N": "2", "w": "3", "C RTT": "4"})


@evidence("losspass.sec3.3.crossing", form="printed", strength="kernel")
def coq_solves_for_the_crossing() -> Outcome:
    """Coq: N w - C RTT = K iff w = (K + C RTT)/N."""
    return coq.theorem("losspass_crossing", example={"N": "2", "K": "2", "C RTT": "4", "w": "3"})


@evidence("losspass.eq6.identity", form="printed", strength="kernel")
def coq_expands_equation_6() -> Outcome:
    """Coq: both forms of equation (6)."""
    return coq.theorem("losspass_eq6_identity", example={"B": "128000", "tau": "19/20"})


@evidence("losspass.sec3.3.tau-1", form="printed", strength="kernel")
def coq_compares_for_large_flows_only() -> Outcome:
    """Coq: tau = 1 and K + N > 0."""
    return coq.theorem("losspass_tau_1", example={"B": "8", "K": "4", "N": "1"})


@evidence("losspass.ours.exact-condition", form="printed", strength="kernel")
def coq_proves_the_exact_condition() -> Outcome:
    """Coq: with a reserve, both directions (N stands for N a)."""
    return coq.theorem("losspass_exact_condition", example={"B": "8", "K": "4", "N": "1", "B_l": "1", "tau": "3/4"})


@evidence("losspass.ours.burst-at", form="printed", strength="kernel")
def coq_bounds_the_burst_at_any_length() -> Outcome:
    """Coq: B tau and B - q are at most B - (1 - tau) q."""
    return coq.theorem("losspass_burst_at", example={"B": "8", "q": "4", "tau": "1/2"})
