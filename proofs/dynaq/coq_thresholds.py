"""DynaQ's Algorithm 1 for every number of queues, as checked by Coq's kernel."""

from __future__ import annotations

from dtmodel.ledger import Outcome, evidence
from dtmodel.provers import coq


@evidence("dynaq.sec3.2.2.sum", "dynaq.alg1.line6", "dynaq.alg1.line7", form="printed", strength="kernel")
def coq_sum_of_thresholds() -> Outcome:
    """Coq: lines 6 and 7 keep the sum of the thresholds, for every M and any traffic."""
    return coq.theorem("dynaq_sum", example="dynaq_instance")


@evidence("dynaq.alg1.line3.first", form="printed", strength="kernel")
def coq_thresholds_are_not_negative() -> Outcome:
    """Coq: the first condition of line 3 keeps every threshold non-negative."""
    return coq.theorem("dynaq_nonneg", example="dynaq_instance")


@evidence("dynaq.alg1.line3.second", form="printed", strength="kernel")
def coq_one_step_keeps_active_queues_satisfied() -> Outcome:
    """Coq: in one step a satisfied active queue stays satisfied."""
    return coq.theorem("dynaq_step_satisfied", example="dynaq_instance")


@evidence(
    "dynaq.ours.active-satisfied",
    "dynaq.sec3.2.3.strictly@active-threshold",
    form="printed",
    strength="kernel",
)
def coq_active_queues_stay_satisfied() -> Outcome:
    """Coq: a queue that is never empty has T >= S for ever, for every M."""
    return coq.theorem("dynaq_active_satisfied", example="dynaq_instance")


@evidence("dynaq.ours.deficit", form="printed", strength="kernel")
def coq_deficit() -> Outcome:
    """Coq: a queue to which line 3 refuses L bytes lacks at most (M - 1)(L - g)."""
    return coq.theorem("dynaq_deficit_multiples", example="dynaq_instance")


@evidence("dynaq.ours.one-size", "dynaq.sec3.2.3.strictly@one-size", form="printed", strength="kernel")
def coq_one_size() -> Outcome:
    """Coq: with one packet size line 3 refuses only a satisfied queue."""
    return coq.theorem("dynaq_one_size", example="dynaq_instance")


@evidence("dynaq.ours.alone-equal", "dynaq.sec3.2.3.work-conservation@one-equal", form="printed", strength="kernel")
def coq_alone_with_equal_weights() -> Outcome:
    """Coq: a queue that is alone is refused only beyond B - (M - 1) L."""
    return coq.theorem("dynaq_alone_equal", example="dynaq_instance")


@evidence("dynaq.ours.repair-invariants", form="printed", strength="kernel")
def coq_repair_keeps_the_invariants() -> Outcome:
    """Coq: sum, sign and satisfaction, whichever unprotected queue line 2 takes."""
    return coq.theorem("dynaq_invariants", example="dynaq_instance")


@evidence("dynaq.ours.repair-deficit", form="printed", strength="kernel")
def coq_repair_keeps_the_deficit_bound() -> Outcome:
    """Coq: with the repaired line 2 the deficit is below (M - 1) L."""
    return coq.theorem("dynaq_repair_deficit", example="dynaq_instance")


@evidence("dynaq.eq3", form="printed", strength="kernel")
def coq_extras_add_up_to_nothing() -> Outcome:
    """Coq: the extras add up to 0 after any sequence of arrivals."""
    return coq.theorem("dynaq_extras", example="dynaq_instance")


@evidence("dynaq.ours.line3", form="printed", strength="kernel")
def coq_conditions_of_line_3() -> Outcome:
    """Coq: for an active victim the second condition of line 3 contains the first."""
    return coq.theorem("dynaq_line3", example="dynaq_instance")


@evidence("dynaq.sec3.2.1.prevents-taking@threshold", form="printed", strength="kernel")
def coq_unsatisfied_active_queues_are_protected() -> Outcome:
    """Coq: line 3 protects every unsatisfied active queue."""
    return coq.theorem("dynaq_unsatisfied_protected", example="dynaq_instance")


@evidence("dynaq.eq2", "dynaq.eq4", form="printed", strength="kernel")
def coq_shares_add_up() -> Outcome:
    """Coq: the shares of B by weight are positive and add up to B, for every M."""
    return coq.theorem("dynaq_shares", example={"B": "4", "M": "2", "w_1": "1", "w_2": "1"})


@evidence("dynaq.sec3.2.2.S-greater", form="printed", strength="kernel")
def coq_satisfaction_exceeds_the_weighted_bdp() -> Outcome:
    """Coq: S_i > WBDP_i exactly if B > BDP."""
    return coq.theorem("dynaq_S_greater", example={"B": "4", "BDP": "3", "w_1": "1", "w_2": "1"})
