"""The steps of the proofs of Theorems 2 and 3, and remarks on Theorem 1, as checked by Coq's kernel."""

from __future__ import annotations

from dtmodel.ledger import Outcome, evidence
from dtmodel.provers import coq


@evidence(
    "edt.thm2.proof.grow",
    "edt.thm2.proof.threshold-falls",
    "edt.thm2.proof.D-negative",
    "edt.thm2.proof.same-rate",
    "edt.eq14.G",
    form="printed",
    strength="kernel",
)
def coq_what_moves_in_a_stage_of_theorem_2() -> Outcome:
    """Coq: in stage k the queues on the threshold follow it down, the others grow at R_i - C, for every trajectory."""
    return coq.theorem("stage2", example="theorem2_instance")


@evidence(
    "edt.eq20",
    "edt.eq22",
    "edt.eq23",
    "edt.eq27",
    "edt.thm2.proof.step.next",
    form="printed",
    strength="kernel",
)
def coq_slopes_in_a_stage_of_theorem_2() -> Outcome:
    """Coq: free buffer, threshold and slope in every stage of Theorem 2."""
    return coq.theorem("stage2", example="theorem2_instance")


@evidence("edt.thm2.proof.until", "edt.thm2.proof.step.count", form="assumed", strength="kernel")
def coq_a_stage_of_theorem_2_lasts() -> Outcome:
    """Coq: a stage of Theorem 2 lasts until the next queue meets the threshold."""
    return coq.theorem("stage2", example="theorem2_instance")


@evidence("edt.thm2.proof.step.condition", form="printed", strength="kernel")
def coq_the_condition_of_theorem_2_carries_over() -> Outcome:
    """Coq: the hypothesis carries over from stage to stage, by induction."""
    return coq.theorem("condition2_carries_over", example="theorem2_instance")


@evidence("edt.eq24", "edt.eq26", "edt.eq28", "edt.eq29", form="printed", strength="kernel")
def coq_meetings_of_theorem_2() -> Outcome:
    """Coq: the recursion's times are the meetings, its F_k the free buffer then."""
    return coq.theorem("theorem2")


@evidence("edt.eq25", form="printed", strength="kernel")
def coq_equation_25() -> Outcome:
    """Coq: (25) is the one solution of (24) with (23)."""
    return coq.theorem("eq25", example="theorem2_instance")


@evidence("edt.thm2.proof.basis", "edt.thm2.proof.step.drop", form="assumed", strength="kernel")
def coq_drops_of_theorem_2() -> Outcome:
    """Coq: every port loses bytes from its meeting on."""
    return coq.theorem("theorem2")


@evidence("edt.eq21", form="printed", strength="kernel")
def coq_equation_21() -> Outcome:
    """Coq: (21) from (19)."""
    return coq.theorem("eq21", example={"alpha": "1", "N": "1", "C": "1", "G": "1", "D": "-1/2", "T_slope": "-1/2"})


@evidence("edt.eq32", form="printed", strength="kernel")
def coq_equation_32() -> Outcome:
    """Coq: (32) from (19)."""
    return coq.theorem("eq32", example={"alpha": "1", "N": "1", "C": "1", "G": "3", "D": "-1", "T_slope": "-2"})


@evidence("edt.eq33", form="repaired", strength="kernel")
def coq_equation_33() -> Outcome:
    """Coq: (32) and D >= -C give T' < -C."""
    return coq.theorem("eq33_negation", example={"alpha": "1", "N": "1", "C": "1", "D": "-1", "T_slope": "-2"})


@evidence(
    "edt.thm3.proof.faster",
    "edt.thm3.proof.drain",
    "edt.thm3.proof.grow",
    "edt.thm3.proof.step.count",
    "edt.eq31.G",
    form="printed",
    strength="kernel",
)
def coq_what_moves_in_a_stage_of_theorem_3() -> Outcome:
    """Coq: in stage k <= L all that met the threshold drains at C above it, and it falls faster than C."""
    return coq.theorem("stage3", example="theorem3_instance")


@evidence("edt.eq34", "edt.eq35", "edt.eq39", "edt.thm3.proof.step.next", form="printed", strength="kernel")
def coq_slopes_in_a_stage_of_theorem_3() -> Outcome:
    """Coq: free buffer, threshold and slope in the stages up to L."""
    return coq.theorem("stage3", example="theorem3_instance")


@evidence("edt.thm3.proof.until", form="assumed", strength="kernel")
def coq_a_stage_of_theorem_3_lasts() -> Outcome:
    """Coq: a stage up to L lasts until the next queue meets the threshold."""
    return coq.theorem("stage3", example="theorem3_instance")


@evidence("edt.eq36", "edt.eq38", "edt.eq40", "edt.eq41", form="printed", strength="kernel")
def coq_meetings_of_theorem_3() -> Outcome:
    """Coq: the recursion's times are the meetings up to L, its F_k the free buffer then."""
    return coq.theorem("theorem3")


@evidence("edt.eq37", form="printed", strength="kernel")
def coq_equation_37() -> Outcome:
    """Coq: (37) is the one solution of (36) with (35)."""
    return coq.theorem("eq37", example="theorem3_instance")


@evidence("edt.thm3.proof.basis", form="assumed", strength="kernel")
def coq_drops_of_theorem_3() -> Outcome:
    """Coq: port 1 loses bytes from t_1 on."""
    return coq.theorem("theorem3")


@evidence("edt.ours.theorem3.lines", form="printed", strength="kernel")
def coq_lengths_after_the_meeting() -> Outcome:
    """Coq: from its meeting on a queue is the longer of the threshold and its line, and loses bytes."""
    return coq.theorem("every_port")


@evidence("edt.sec3.initial", form="printed", strength="kernel")
def coq_the_initial_state_exists() -> Outcome:
    """Coq: the initial state exists for all M, N and other ports."""
    return coq.theorem("initial_state", example="theorem1_instances")


@evidence("edt.ours.reserve", form="printed", strength="kernel")
def coq_reserve() -> Outcome:
    """Coq: the free buffer is smallest at the first drop, and there at least its limit for R to infinity."""
    return coq.theorem("reserve_all", example="theorem1_instances")


@evidence("edt.ours.no-steady-ports", form="printed", strength="kernel")
def coq_no_steady_ports() -> Outcome:
    """Coq: for N = 0 both cases are one formula."""
    return coq.theorem("no_steady_ports", example={"alpha": "1", "B": "6", "C": "1", "M": "1", "N": "1", "R": "2"})


@evidence("edt.sec3.1.remark.half", form="printed", strength="kernel")
def coq_half_of_the_buffer() -> Outcome:
    """Coq: one overloaded port and alpha = 1 leave B/2 free."""
    return coq.theorem("remark_half", example={"alpha": "1", "B": "6", "C": "1", "M": "1", "N": "1", "R": "2"})


@evidence("edt.sec3.1.remark.large-for-few", form="printed", strength="kernel")
def coq_the_fewer_ports_the_more_is_free() -> Outcome:
    """Coq: at least x B is free exactly for M + N up to (1 - x) / (alpha x)."""
    return coq.theorem("remark_large_for_few", example={"alpha": "1", "B": "6", "C": "1", "M": "1", "N": "1", "R": "2"})


@evidence("edt.sec3.1.remark.small-d", form="printed", strength="kernel")
def coq_shorter_bursts_of_one_size() -> Outcome:
    """Coq: (12) for one duration gives it for every shorter one."""
    return coq.theorem(
        "remark_small_d", example={"alpha": "1", "B": "6", "C": "1", "M": "1", "N": "1", "S": "4", "d": "1"}
    )
