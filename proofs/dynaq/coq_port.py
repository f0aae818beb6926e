"""DynaQ's port with its queue lengths, and equations (1) to (7), as checked by Coq's kernel for every M."""

from __future__ import annotations

from dtmodel.ledger import Outcome, evidence
from dtmodel.provers import coq

PORT = "dynaq_port_instance"  # three queues, two of them active
TWO = "dynaq_two_queues_instance"  # two queues, one of them active
NUMBERS = "dynaq_equations_instance"  # two equal queues, B = 4, BDP = 2


@evidence("dynaq.ours.together", form="printed", strength="kernel")
def coq_several_active_queues() -> Outcome:
    """Coq: two or more active queues get no more than their S and L for each idle queue; the bound is attained."""
    return coq.theorem("dynaq_together", example=PORT)


@evidence("dynaq.ours.two-queues", form="printed", strength="kernel")
def coq_two_queues() -> Outcome:
    """Coq: q + size(P) <= S passes line 1 and either check, for the active one of two queues."""
    return coq.theorem("dynaq_two_queues", example=TWO)


@evidence("dynaq.ours.repair", form="printed", strength="kernel")
def coq_the_repair_uses_the_port() -> Outcome:
    """Coq: refused, every empty queue keeps less than the packet, and the others have more than B - (M - 1) size(P)."""
    return coq.theorem("dynaq_repair", example=TWO)


@evidence("dynaq.ours.recheck", form="printed", strength="kernel")
def coq_the_recheck() -> Outcome:
    """Coq: q_p <= T_p after an enqueue."""
    return coq.theorem("dynaq_recheck", example=TWO)


@evidence("dynaq.ours.port-bound", form="printed", strength="kernel")
def coq_the_port_is_never_overfull() -> Outcome:
    """Coq: sum q <= B for any M, sizes, traffic and scheduler, under both checks."""
    return coq.theorem("dynaq_port_bound", example=PORT)


@evidence("dynaq.ours.any-tie", form="printed", strength="kernel")
def coq_any_tie() -> Outcome:
    """Coq: sums, signs and the satisfaction of refused queues for every tie, M and port."""
    return coq.theorem("dynaq_any_tie", example=TWO)


@evidence("dynaq.ours.room", form="printed", strength="kernel")
def coq_the_room_in_the_port() -> Outcome:
    """Coq: B less the others' lengths is T_p less their excess."""
    return coq.theorem("dynaq_room", example=PORT)


@evidence("dynaq.ours.idle-to-zero", form="printed", strength="kernel")
def coq_idle_queues_can_lose_everything() -> Outcome:
    """Coq: a run in which T = 0, and S - T <= S in every run."""
    return coq.theorem("dynaq_idle_to_zero", example=TWO)


@evidence("dynaq.ours.adjusted-then-dropped", form="printed", strength="kernel")
def coq_dropped_after_the_thresholds_moved() -> Outcome:
    """Coq: a run with a packet that moves both thresholds and finds no room."""
    return coq.theorem("dynaq_adjusted_then_dropped", example=TWO)


@evidence("dynaq.ours.thresholds-unbounded", form="printed", strength="kernel")
def coq_thresholds_alone_bound_nothing() -> Outcome:
    """Coq: for each n a run with sum T = 2 and sum q = 2 + n."""
    return coq.theorem("dynaq_thresholds_unbounded", example={"n": "4", "sum T": "2", "sum q": "6"})


@evidence("dynaq.ours.stale-length", form="printed", strength="kernel")
def coq_stale_lengths() -> Outcome:
    """Coq: a victim with one packet that line 3 reads as empty falls below S."""
    return coq.theorem("dynaq_stale_length", example={"S": "1", "T before": "1", "T after": "0", "q": "1"})


@evidence("dynaq.ours.not-at-every-instant", form="printed", strength="kernel")
def coq_an_empty_port() -> Outcome:
    """Coq: every port has a state with sum q < C RTT."""
    return coq.theorem("dynaq_not_at_every_instant", example={"sum q": "0", "C RTT": "1"})


@evidence("dynaq.ours.initially-satisfied", form="printed", strength="kernel")
def coq_equations_2_and_4() -> Outcome:
    """Coq: the same shares, extras 0."""
    return coq.theorem("dynaq_initially_satisfied", example=NUMBERS)


@evidence("dynaq.sec3.2.3.share-condition", form="printed", strength="kernel")
def coq_the_share_condition() -> Outcome:
    """Coq: min(lambda, alpha) >= s iff alpha >= s, if lambda >= s."""
    return coq.theorem("dynaq_share_condition", example={"lambda": "2", "alpha": "1", "s": "1"})


@evidence("dynaq.eq7.sufficient", form="printed", strength="kernel")
def coq_a_port_with_packets_serves_one() -> Outcome:
    """Coq: sum q > 0, so a scheduler that idles only at empty queues serves one that is not."""
    return coq.theorem("dynaq_eq7_sufficient", example={"q_1": "2", "q_2": "0", "C RTT": "1"})


@evidence("dynaq.ours.joint", form="printed", strength="kernel")
def coq_both_conditions_fit() -> Outcome:
    """Coq: (6) for all queues and (7) within B iff B >= BDP."""
    return coq.theorem("dynaq_joint", example=NUMBERS)


@evidence("dynaq.ours.active-bdp", form="printed", strength="kernel")
def coq_the_bdp_among_the_active_queues() -> Outcome:
    """Coq: a halved window fills the share iff b >= C RTT w_i / W_A, which is at least WBDP_i."""
    return coq.theorem("dynaq_active_bdp", example={"M": "2", "A": "1", "w": "1, 1", "C RTT": "2", "need": "2"})


@evidence("dynaq.ours.smaller-S", form="printed", strength="kernel")
def coq_a_smaller_satisfaction_threshold() -> Outcome:
    """Coq: with S = WBDP and T from (2) a queue that is never empty keeps T >= WBDP."""
    return coq.theorem("dynaq_smaller_S", example=NUMBERS)


@evidence("dynaq.ours.stale-S", form="printed", strength="kernel")
def coq_stale_satisfaction_thresholds() -> Outcome:
    """Coq: T for B' beside S for B: the extras add up to B' - B."""
    return coq.theorem("dynaq_stale_S", example=NUMBERS)


@evidence("dynaq.ours.sawtooth", form="printed", strength="kernel")
def coq_one_halving_window() -> Outcome:
    """Coq: 3/4 <= U <= 1, U = 1 iff b >= BDP, and U for PQL's quotas."""
    return coq.theorem("dynaq_sawtooth", example="losspass_tooth_exists")


@evidence("dynaq.ours.pql-by-active", form="printed", strength="kernel")
def coq_pql_by_active_queues() -> Outcome:
    """Coq: the closed form of one halving window, and its values for each number of active queues."""
    coq.theorem("losspass_halving", example="losspass_tooth_exists")
    return coq.theorem("dynaq_pql_by_active", example={"B": "85000", "C RTT": "62500", "M": "4", "n": "3"})
