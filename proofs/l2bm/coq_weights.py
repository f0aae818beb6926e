"""L2BM's steady state and weights for every number of queues, as checked by Coq's kernel."""

from __future__ import annotations

from dtmodel.ledger import Outcome, evidence
from dtmodel.provers import coq

_GROWS = {"n": "2", "tau_1": "1", "tau_2": "3", "tau_1 afterwards": "2", "alpha": "1/8"}
"""The sojourn time of one queue of two grows."""


@evidence("l2bm.eq8", form="printed", strength="kernel")
def coq_equation_8() -> Outcome:
    """Coq: (8) is the one solution of (7) and lies between 0 and B, for every n."""
    return coq.theorem("l2bm_steady", example={"n": "2", "tau_1": "1", "tau_2": "3", "alpha": "1/8", "B": "4"})


@evidence("l2bm.eq9", form="printed", strength="kernel")
def coq_equation_9() -> Outcome:
    """Coq: the thresholds in that state are (9)."""
    return coq.theorem("l2bm_eq9", example={"n": "2", "tau_1": "1", "tau_2": "3", "alpha": "1/8", "B": "4"})


@evidence("l2bm.ours.steady-state", form="printed", strength="kernel")
def coq_steady_state_is_unique() -> Outcome:
    """Coq: every queue on its threshold is one state, for every n."""
    return coq.theorem("l2bm_steady", example={"n": "2", "tau_1": "1", "tau_2": "3", "alpha": "1/8", "B": "4"})


@evidence("l2bm.ours.offsets", form="printed", strength="kernel")
def coq_offsets() -> Outcome:
    """Coq: the steady state with offsets."""
    return coq.theorem("l2bm_offsets", example={"n": "2", "tau_1": "1", "tau_2": "3", "alpha": "1/8", "B": "4"})


@evidence("l2bm.ours.least-weight", form="printed", strength="kernel")
def coq_least_total_weight() -> Outcome:
    """Coq: (sum tau)(sum 1/tau) >= n^2, with equality exactly for equal sojourn times, for every n."""
    return coq.theorem("l2bm_least", example={"n": "2", "tau_1": "1", "tau_2": "3", "alpha": "1/8", "B": "4"})


@evidence("l2bm.ours.never-below-dt", form="printed", strength="kernel")
def coq_never_below_dt() -> Outcome:
    """Coq: every weight is at least alpha, and above it with two or more queues."""
    return coq.theorem("l2bm_never_below_dt", example={"n": "2", "tau_1": "1", "tau_2": "3", "alpha": "1/8", "B": "4"})


@evidence("l2bm.ours.more-than-dt", form="printed", strength="kernel")
def coq_more_than_dt() -> Outcome:
    """Coq: the steady occupancy is at least that of DT with alpha n, and above that of DT."""
    return coq.theorem("l2bm_occupancy", example={"n": "2", "tau_1": "1", "tau_2": "3", "alpha": "1/8", "B": "4"})


@evidence("l2bm.ours.reserve", form="printed", strength="kernel")
def coq_reserve() -> Outcome:
    """Coq: at most B / (1 + alpha n^2) is free."""
    return coq.theorem("l2bm_more_than_dt", example={"n": "2", "tau_1": "1", "tau_2": "3", "alpha": "1/8", "B": "4"})


@evidence("l2bm.ours.mean", form="printed", strength="kernel")
def coq_arithmetic_mean() -> Outcome:
    """Coq: with the arithmetic mean the total weight is at least alpha n."""
    return coq.theorem("l2bm_mean", example={"n": "2", "tau_1": "1", "tau_2": "3", "alpha": "1/8", "B": "4"})


@evidence("l2bm.ours.equal", form="printed", strength="kernel")
def coq_equal_sojourn_times() -> Outcome:
    """Coq: equal sojourn times give every queue the weight alpha n."""
    return coq.theorem("l2bm_equal", example={"n": "2", "tau_1": "1", "tau_2": "3", "alpha": "1/8", "B": "4"})


@evidence("l2bm.ours.one-queue", form="printed", strength="kernel")
def coq_one_queue() -> Outcome:
    """Coq: one active queue has the weight alpha."""
    return coq.theorem("l2bm_one_queue", example={"n": "1", "tau_1": "1", "alpha": "1/8"})


@evidence("l2bm.ours.not-all-below", form="printed", strength="kernel")
def coq_not_all_below_dt() -> Outcome:
    """Coq: the queue with the least sojourn time lies above the threshold of DT."""
    return coq.theorem("l2bm_not_all_below", example={"n": "2", "tau_1": "1", "tau_2": "3", "alpha": "1/8", "B": "4"})


@evidence("l2bm.ours.harmonic", form="printed", strength="kernel")
def coq_harmonic_mean() -> Outcome:
    """Coq: the total weight is alpha n exactly for C = n / H."""
    return coq.theorem("l2bm_harmonic", example={"n": "2", "tau_1": "1", "tau_2": "3", "alpha": "1/8", "B": "4"})


@evidence("l2bm.ours.below-dt-steady", form="printed", strength="kernel")
def coq_below_dt_in_steady_state() -> Outcome:
    """Coq: when a queue lies below the threshold of DT."""
    return coq.theorem("l2bm_below_dt_steady", example={"n": "2", "tau_1": "1", "tau_2": "3", "alpha": "1/8", "B": "4"})


@evidence("l2bm.ours.least", form="printed", strength="kernel")
def coq_least_sojourn_time() -> Outcome:
    """Coq: with the least sojourn time as C no weight exceeds alpha, and the total lies in (alpha, alpha n]."""
    return coq.theorem("l2bm_by_least", example={"n": "2", "tau_1": "1", "tau_2": "3", "m": "1", "alpha": "1/8"})


@evidence("l2bm.ours.greatest", form="printed", strength="kernel")
def coq_greatest_sojourn_time() -> Outcome:
    """Coq: with the greatest sojourn time as C no weight is below alpha, and the total is at least alpha n."""
    return coq.theorem("l2bm_by_greatest", example={"n": "2", "tau_1": "1", "tau_2": "3", "m": "3", "alpha": "1/8"})


@evidence("l2bm.ours.scale-free", form="printed", strength="kernel")
def coq_scale_free() -> Outcome:
    """Coq: a factor on all sojourn times changes no weight, for every C that takes the factor; each mean does."""
    return coq.theorem("l2bm_scale_free", example={"n": "2", "tau_1": "1", "tau_2": "3", "c": "7", "alpha": "1/8"})


@evidence("l2bm.ours.own-sojourn", form="printed", strength="kernel")
def coq_own_sojourn_time() -> Outcome:
    """Coq: a queue's own threshold falls as its sojourn time grows, at equal occupancy and in steady state."""
    return coq.theorem("l2bm_own_sojourn", example={**_GROWS, "B": "4"})


@evidence("l2bm.ours.others-rise", form="printed", strength="kernel")
def coq_others_rise() -> Outcome:
    """Coq: the weight of every other queue grows with one queue's sojourn time."""
    return coq.theorem("l2bm_others_rise", example=_GROWS)


@evidence("l2bm.ours.newcomer-raises", form="printed", strength="kernel")
def coq_newcomer_raises() -> Outcome:
    """Coq: what a newcomer adds to every other weight, and that the total grows by more than alpha."""
    return coq.theorem("l2bm_newcomer_raises", example={"n": "1", "tau_1": "1", "tau_new": "3", "alpha": "1/8"})


@evidence("l2bm.ours.total-turns", form="printed", strength="kernel")
def coq_total_turns() -> Outcome:
    """Coq: the total weight falls up to sqrt(S / H) of the others and rises beyond."""
    return coq.theorem("l2bm_total_turns", example={**_GROWS, "sqrt(S / H) of the others": "3"})


@evidence("l2bm.ours.unbounded", form="printed", strength="kernel")
def coq_unbounded() -> Outcome:
    """Coq: for every M there are sojourn times with a weight above M and less than B / M free."""
    return coq.theorem("l2bm_unbounded", example={"n": "2", "alpha": "1/8", "B": "4", "M": "100"})


@evidence("l2bm.ours.against-dt2", form="printed", strength="kernel")
def coq_against_dt_at_one_half() -> Outcome:
    """Coq: equal sojourn times, alpha = 1/8 against DT at 1/2: less in steady state exactly below four queues."""
    return coq.theorem("l2bm_against_dt2", example={"n": "3", "tau_1": "1", "tau_2": "1", "tau_3": "1", "B": "4"})


@evidence("l2bm.ours.single-egress", form="printed", strength="kernel")
def coq_single_egress() -> Outcome:
    """Coq: in one output queue that all ingress queues share equally all averages and weights are equal."""
    return coq.theorem("l2bm_single_egress", example={"n": "2", "Q": "8", "mu": "2", "stays": "z**2 / (2 * mu * n)"})


@evidence("l2bm.ours.abm-bound", form="printed", strength="kernel")
def coq_abm_bound() -> Outcome:
    """Coq: ABM's weights add up to at most the sum of alpha over the congested priorities."""
    example = {"priorities": "0, 0, 1", "alpha_0": "1/2", "alpha_1": "1", "gamma": "1, 1, 1/2", "B": "4"}
    return coq.theorem("l2bm_abm_bound", example=example)


@evidence("l2bm.ours.square-root", form="printed", strength="kernel")
def coq_square_root() -> Outcome:
    """Coq: on their thresholds queues of their own outputs are as the roots of their drain rates."""
    example = {"B": "22", "mu": "4, 1", "alpha": "1", "Q": "12, 6", "tau": "3/2, 3", "w": "3, 3/2", "F": "4"}
    return coq.theorem("l2bm_square_root", example=example)


@evidence("l2bm.ours.pool-steady", form="printed", strength="kernel")
def coq_pool_steady() -> Outcome:
    """Coq: the balance of a pool with weights and static limits has exactly one root."""
    return coq.theorem("l2bm_pool_steady", example={"S": "55", "share_1": "min(2 F, 9)", "share_2": "F", "F": "23"})
