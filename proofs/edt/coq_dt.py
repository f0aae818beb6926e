"""DT, Sections 2.3 and 3 of the DT/EDT paper, as checked by Coq's kernel for every trajectory of the fluid model."""

from __future__ import annotations

from dtmodel.ledger import Outcome, evidence
from dtmodel.provers import coq


@evidence("edt.table1.B", "edt.table1.T", form="printed", strength="kernel")
def coq_keeps_the_buffer_from_overfilling() -> Outcome:
    """Coq: under DT the free buffer is never negative, whatever the arrivals, so T lies between 0 and alpha B."""
    return coq.theorem("buffer_never_overfull", example="theorem1_instances")


@evidence("edt.sec3.1.max-rate", form="printed", strength="kernel")
def coq_bounds_the_draining() -> Outcome:
    """Coq: no queue shrinks faster than C, in any switch of the fluid model."""
    return coq.theorem("drain_at_most_C", example="theorem1_instances")


@evidence("edt.sec3.underloaded", form="printed", strength="kernel")
def coq_keeps_underloaded_ports_empty() -> Outcome:
    """Coq: a port that starts empty and is offered at most C stays empty and loses nothing."""
    return coq.theorem("underloaded_stays_empty", example="theorem1_instances")


@evidence("edt.sec3.steady-state", form="printed", strength="kernel")
def coq_keeps_the_steady_state() -> Outcome:
    """Coq: N overloaded ports on the threshold stay at alpha B / (1 + alpha N), for every trajectory."""
    return coq.theorem("steady_state_stays")


@evidence("edt.eq16", "edt.sec3.2.F0", "edt.eq15", form="printed", strength="kernel")
def coq_solves_the_initial_state() -> Outcome:
    """Coq: equations (15) have the free buffer B / (1 + alpha N), for every N."""
    return coq.theorem("eq16_initial_free", example="theorem1_instances")


@evidence("edt.table1.P", "edt.ours.steady-rate", "edt.ours.equality", form="printed", strength="kernel")
def coq_drop_times_mention_neither_other_ports_nor_steady_rates() -> Outcome:
    """Coq: the drop times are the same for any number of quiet ports and all rates of the steady ports from C on."""
    return coq.theorem("every_port")


@evidence("edt.thm1", "edt.eq10", "edt.eq11", form="assumed", strength="kernel")
def coq_theorem1() -> Outcome:
    """Coq: Theorem 1, both cases, uniqueness included, for all M, N and other ports."""
    return coq.theorem("theorem1")


@evidence("edt.ours.theorem1", form="printed", strength="kernel")
def coq_theorem1_corrected() -> Outcome:
    """Coq: while the bursts last nothing is lost before (10), and every port loses bytes from then on."""
    return coq.theorem("theorem1")


@evidence("edt.sec3.1.threshold-falls", form="printed", strength="kernel")
def coq_everything_falls_at_the_start() -> Outcome:
    """Coq: at 0+ free buffer, threshold and steady queues fall, in both cases."""
    return coq.theorem("theorem1_all_fall")


@evidence("edt.thm1.case-a.slope", "edt.thm1.case-b.slope", form="printed", strength="kernel")
def coq_slopes_of_the_threshold() -> Outcome:
    """Coq: the slope of the threshold at 0+ in both cases, against -C."""
    return coq.theorem("theorem1_slopes")


@evidence("edt.thm1.case-a.follow", "edt.fig3a", "edt.sec3.1.remark.reach@case-a", form="printed", strength="kernel")
def coq_evolution_in_case_a() -> Outcome:
    """Coq: all lengths, the free buffer and the slopes in case a, up to and after t_1."""
    return coq.theorem("evolution_a")


@evidence("edt.thm1.case-a.grow", form="assumed", strength="kernel")
def coq_growth_in_case_a() -> Outcome:
    """Coq: the bursts grow at R - C until t_1."""
    return coq.theorem("evolution_a")


@evidence("edt.eq2", "edt.eq4", "edt.eq5", form="printed", strength="kernel")
def coq_drop_in_case_a() -> Outcome:
    """Coq: in case a the first drop is at (2), with (4) and (5)."""
    return coq.theorem("theorem1_case_a")


@evidence("edt.eq3", form="assumed", strength="kernel")
def coq_condition_in_case_a() -> Outcome:
    """Coq: in case a port i loses bytes if the bursts last longer than t_1."""
    return coq.theorem("theorem1_case_a")


@evidence("edt.thm1.case-a.limit", form="printed", strength="kernel")
def coq_rest_in_case_a() -> Outcome:
    """Coq: from t_1 on all M + N queues rest on the threshold and each burst loses R - C."""
    return coq.theorem("theorem1_rest_a")


@evidence(
    "edt.thm1.case-b.drain",
    "edt.thm1.case-b.after.drain",
    "edt.thm1.case-b.after.steady",
    "edt.fig3b",
    form="printed",
    strength="kernel",
)
def coq_evolution_in_case_b() -> Outcome:
    """Coq: all lengths and slopes in case b, up to t_2, until the steady queues are met, and after it."""
    return coq.theorem("evolution_b")


@evidence("edt.thm1.case-b.grow", "edt.thm1.case-b.after.rise", form="assumed", strength="kernel")
def coq_growth_in_case_b() -> Outcome:
    """Coq: the bursts grow at R - C until t_2 and rise with the threshold after it."""
    return coq.theorem("evolution_b")


@evidence("edt.eq6", "edt.thm1.case-b.limit", "edt.eq8", "edt.eq9", form="printed", strength="kernel")
def coq_drop_in_case_b() -> Outcome:
    """Coq: in case b the first drop is at (6), with (8) and (9), and losses go on from then on."""
    return coq.theorem("theorem1_case_b")


@evidence("edt.eq7", form="assumed", strength="kernel")
def coq_condition_in_case_b() -> Outcome:
    """Coq: in case b port i loses bytes if the bursts last longer than t_2."""
    return coq.theorem("theorem1_case_b")


@evidence("edt.eq12", form="printed", strength="kernel")
def coq_equation_12() -> Outcome:
    """Coq: (10) in case a is (12)."""
    return coq.theorem("eq12", example={"alpha": "1", "B": "6", "C": "1", "M": "1", "N": "1", "R": "2"})


@evidence("edt.sec3.1.remark.negative@case-a", form="printed", strength="kernel")
def coq_free_buffer_falls_in_case_a() -> Outcome:
    """Coq: in case a the free buffer at the drop falls strictly with M + N."""
    return coq.theorem("free_buffer_case_a", example={"alpha": "1", "B": "6", "C": "1", "M": "1", "N": "1", "R": "2"})


@evidence("edt.thm2", "edt.eq13", "edt.thm2.proof.conclusion", form="assumed", strength="kernel")
def coq_theorem2() -> Outcome:
    """Coq: Theorem 2 with the printed recursion, for every number of bursts."""
    return coq.theorem("theorem2")


@evidence("edt.eq14.t", "edt.eq14.F", "edt.sec3.2.Fk", form="printed", strength="kernel")
def coq_recursion_14() -> Outcome:
    """Coq: the printed (t_k, F_k) are the first drop of port k and the free buffer then."""
    return coq.theorem("theorem2")


@evidence("edt.ours.theorem2", form="printed", strength="kernel")
def coq_theorem2_closed_form() -> Outcome:
    """Coq: Theorem 2 by the closed form, which the recursion (14) equals for every k."""
    return coq.theorem("theorem2_without_recursion", example="theorem2_instance")


@evidence("edt.ours.ties", form="printed", strength="kernel")
def coq_ties() -> Outcome:
    """Coq: ports of one rate meet the threshold together, by (14) and by (31)."""
    return coq.theorem("ties", example="theorem2_instance")


@evidence("edt.thm3", "edt.eq30", "edt.thm3.proof.conclusion", form="assumed", strength="kernel")
def coq_theorem3() -> Outcome:
    """Coq: Theorem 3 with the printed recursion, for every k up to L."""
    return coq.theorem("theorem3")


@evidence("edt.eq31.t", "edt.eq31.F", form="printed", strength="kernel")
def coq_recursion_31() -> Outcome:
    """Coq: the printed (t_k, F_k) are the first drop of port k <= L and the free buffer then."""
    return coq.theorem("theorem3")


@evidence("edt.ours.theorem3.stages", form="printed", strength="kernel")
def coq_stages_that_drain_come_first() -> Outcome:
    """Coq: the stages that drain are 1..L."""
    return coq.theorem("last_stage_exists", example="theorem3_instance")


@evidence("edt.ours.theorem3", form="printed", strength="kernel")
def coq_every_port() -> Outcome:
    """Coq: the first drop of every port in every mixture of regimes, as the one root of the equation."""
    return coq.theorem("every_port")


@evidence("edt.ours.drain-product", form="printed", strength="kernel")
def coq_product_form() -> Outcome:
    """Coq: t_k for k <= L as a product with positive factors."""
    return coq.theorem("theorem3_product")
