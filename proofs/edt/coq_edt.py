"""Theorem 4, EDT's settings and Theorem 5 of the DT/EDT paper, as checked by Coq's kernel."""

from __future__ import annotations

from dtmodel.ledger import Outcome, evidence
from dtmodel.provers import coq


@evidence("edt.thm4", form="assumed", strength="kernel")
def coq_theorem4() -> Outcome:
    """Coq: all four conditions of Theorem 4 and both free buffers, for every trajectory."""
    return coq.theorem("theorem4")


@evidence("edt.ours.theorem4", form="printed", strength="kernel")
def coq_theorem4_corrected() -> Outcome:
    """Coq: the first loss is the first failure of (54), of (60) while (63) holds, and of (54) again."""
    return coq.theorem("theorem4")


@evidence("edt.ours.first-drop", form="printed", strength="kernel")
def coq_first_drop_of_any_arrivals() -> Outcome:
    """Coq: the first loss for any arrivals, by the two reflections, as a condition on every instant before it."""
    return coq.theorem("first_drop_any")


@evidence("edt.eq44", form="assumed", strength="kernel")
def coq_theorem4_a() -> Outcome:
    """Coq: up to d_1 nothing is lost exactly as long as (54) holds."""
    return coq.theorem("theorem4_a")


@evidence("edt.eq45", form="printed", strength="kernel")
def coq_free_buffer_a() -> Outcome:
    """Coq: up to the first loss in a) the free buffer is (45)."""
    return coq.theorem("theorem4")


@evidence("edt.eq46", form="assumed", strength="kernel")
def coq_theorem4_b() -> Outcome:
    """Coq: from d_1 on, while (63) holds, nothing is lost exactly as long as (60) holds."""
    return coq.theorem("theorem4_bc")


@evidence("edt.eq47", "edt.eq49", form="assumed", strength="kernel")
def coq_free_buffer_b() -> Outcome:
    """Coq: up to the first loss in b) and c) the free buffer is (47)."""
    return coq.theorem("theorem4")


@evidence("edt.eq48", form="repaired", strength="kernel")
def coq_theorem4_c() -> Outcome:
    """Coq: c) with t_3 = t_2."""
    return coq.theorem("theorem4_bc")


@evidence("edt.eq50", form="repaired", strength="kernel")
def coq_theorem4_d() -> Outcome:
    """Coq: d) with t_3 = t_2: from t_0 of (66) on (54) decides again."""
    return coq.theorem("theorem4_d")


@evidence("edt.eq51", "edt.thm4.proof.free-d", form="printed", strength="kernel")
def coq_free_buffer_d() -> Outcome:
    """Coq: from t_0 up to the first loss the free buffer is (45)."""
    return coq.theorem("theorem4")


@evidence("edt.eq56", "edt.eq62", "edt.thm4.t3@t2", form="printed", strength="kernel")
def coq_free_buffers_and_the_reading_of_t3() -> Outcome:
    """Coq: (56) and (62), and c) and d) as proved, with t_3 = t_2."""
    return coq.theorem("theorem4")


@evidence("edt.eq52", "edt.thm4.proof.after-t0", form="assumed", strength="kernel")
def coq_lengths_on_the_threshold() -> Outcome:
    """Coq: while nothing is lost and the steady queues are on the threshold, the lengths are (52)."""
    return coq.theorem("theorem4_lengths")


@evidence("edt.eq57", "edt.eq58", form="assumed", strength="kernel")
@evidence("edt.thm4.proof.at-d1", "edt.thm4.proof.drain-after-d2", form="printed", strength="kernel")
def coq_lengths_above_the_threshold() -> Outcome:
    """Coq: while nothing is lost and the steady queues are above the threshold, the lengths are (57), (58)."""
    return coq.theorem("theorem4_lengths")


@evidence("edt.thm4.proof.no-drop-before-d1", form="assumed", strength="kernel")
def coq_no_drop_before_d1() -> Outcome:
    """Coq: if (54) holds at d_1 nothing is lost before."""
    return coq.theorem("theorem4_no_loss_before_d1")


@evidence("edt.eq64", form="assumed", strength="kernel")
def coq_case_A() -> Outcome:
    """Coq: in case A (60) decides."""
    return coq.theorem("theorem4_bc")


@evidence("edt.eq67", form="assumed", strength="kernel")
def coq_case_B() -> Outcome:
    """Coq: in case B (54) decides."""
    return coq.theorem("theorem4_d")


@evidence("edt.sec3.3.identical", form="printed", strength="kernel")
def coq_equal_queues() -> Outcome:
    """Coq: queues of one kind with equal arrivals and lengths stay equal, in any switch of the fluid model."""
    return coq.theorem("equal_queues", example="theorem4_instance")


@evidence("edt.eq53", form="printed", strength="kernel")
def coq_equation_53() -> Outcome:
    """Coq: the threshold while the steady queues are on it."""
    return coq.theorem("eq53", example="theorem4_instance")


@evidence("edt.eq54", form="printed", strength="kernel")
def coq_equation_54() -> Outcome:
    """Coq: Q <= T by (53) is (54)."""
    return coq.theorem("eq54", example="theorem4_instance")


@evidence("edt.eq59", form="printed", strength="kernel")
def coq_equation_59() -> Outcome:
    """Coq: the threshold while the steady queues are above it."""
    return coq.theorem("eq59", example="theorem4_instance")


@evidence("edt.eq60", form="printed", strength="kernel")
def coq_equation_60() -> Outcome:
    """Coq: Q <= T by (59) is (60)."""
    return coq.theorem("eq60", example="theorem4_instance")


@evidence("edt.eq63", "edt.eq65", form="printed", strength="kernel")
def coq_equation_63() -> Outcome:
    """Coq: the steady queues are above the threshold exactly if the left side of (63) is positive."""
    return coq.theorem("eq63", example="theorem4_instance")


@evidence("edt.eq68", form="printed", strength="kernel")
def coq_equation_68() -> Outcome:
    """Coq: with (54) the free buffer (45) is (68)."""
    return coq.theorem("eq68", example={"alpha": "1", "B": "6", "C": "1", "M": "1", "N": "1", "R": "2"})


@evidence("edt.eq70", form="assumed", strength="kernel")
def coq_equation_70() -> Outcome:
    """Coq: (70) for rates from the bound of case a on, or without steady ports."""
    return coq.theorem("eq70_exact", example={"alpha": "1", "B": "6", "C": "1", "M": "1", "N": "1", "R": "7"})


@evidence("edt.eq71.strict", form="assumed", strength="kernel")
def coq_equation_71_strict() -> Outcome:
    """Coq: with N >= 1 the length at the drop exceeds its limit."""
    return coq.theorem("eq71_above_limit", example={"alpha": "1", "B": "6", "C": "1", "M": "1", "N": "1", "R": "7"})


@evidence("edt.eq71.limit", form="printed", strength="kernel")
def coq_equation_71_limit() -> Outcome:
    """Coq: the limit for R to infinity, by epsilon."""
    return coq.theorem("eq71_limit", example={"alpha": "1", "B": "6", "C": "1", "M": "1", "N": "1", "R": "7"})


@evidence("edt.eq71.amgm", form="printed", strength="kernel")
def coq_equation_71_means() -> Outcome:
    """Coq: the inequality of the two means, for all real M, N >= 0 with M + N <= P."""
    return coq.theorem("eq71_am_gm", example={"alpha": "1", "B": "6", "C": "1", "M": "1", "N": "1", "R": "2"})


@evidence("edt.eq72", form="printed", strength="kernel")
def coq_equation_72() -> Outcome:
    """Coq: (72) is sufficient for Rule 2."""
    return coq.theorem("eq72_sufficient", example={"alpha": "1", "B": "6", "C": "1", "M": "1", "N": "1", "R": "7"})


@evidence("edt.eq72.necessary", "edt.eq73", form="assumed", strength="kernel")
def coq_equation_73_even() -> Outcome:
    """Coq: for an even P (72) is necessary too, so that (73) is the largest."""
    return coq.theorem("eq73_even", example={"alpha": "1", "B": "6", "C": "1", "M": "1", "N": "1", "R": "2"})


@evidence("edt.ours.cn2", form="printed", strength="kernel")
def coq_largest_counting_number() -> Outcome:
    """Coq: the largest counting number over whole M and N, for every P."""
    return coq.theorem("cn2_largest", example={"alpha": "1", "B": "6", "C": "1", "M": "1", "N": "1", "R": "2"})


@evidence("edt.eq74", form="assumed", strength="kernel")
def coq_equation_74() -> Outcome:
    """Coq: nothing is lost within d <= t_1 in case a, or without steady ports."""
    return coq.theorem("eq74", example="theorem1_instances")


@evidence("edt.eq75", form="printed", strength="kernel")
def coq_equation_75() -> Outcome:
    """Coq: (74) is (75)."""
    return coq.theorem("eq75", example={"alpha": "1", "B": "6", "C": "1", "M": "1", "N": "1", "R": "2"})


@evidence("edt.eq76", form="printed", strength="kernel")
def coq_equation_76() -> Outcome:
    """Coq: (76) for M + N <= P."""
    return coq.theorem("eq76", example={"alpha": "1", "B": "6", "C": "1", "M": "1", "N": "1", "R": "2"})


@evidence("edt.eq77", form="assumed", strength="kernel")
def coq_equation_77() -> Outcome:
    """Coq: (77) with d >= B / C, for every trajectory."""
    return coq.theorem(
        "eq77_no_loss", example={"alpha": "1", "B": "6", "C": "1", "M": "1", "N": "1", "P": "2", "R": "4/3", "d": "6"}
    )


@evidence("edt.ours.tm1-safe", form="printed", strength="kernel")
def coq_tm1_is_safe() -> Outcome:
    """Coq: with d >= B / C and (77) nothing is lost within d, for all M + N <= P."""
    return coq.theorem(
        "eq77_no_loss", example={"alpha": "1", "B": "6", "C": "1", "M": "1", "N": "1", "P": "2", "R": "4/3", "d": "6"}
    )


@evidence("edt.eq78", form="assumed", strength="kernel")
def coq_equation_78() -> Outcome:
    """Coq: (78) with d >= B / C, for every trajectory."""
    return coq.theorem(
        "eq78_no_loss", example={"alpha": "1", "B": "6", "C": "1", "M": "1", "N": "1", "P": "2", "R": "4/3", "d": "6"}
    )


@evidence("edt.eq78.identity", form="printed", strength="kernel")
def coq_equation_78_identity() -> Outcome:
    """Coq: the identity in (78)."""
    return coq.theorem("eq78", example={"alpha": "1", "B": "6", "C": "1", "M": "1", "N": "1", "R": "2"})


@evidence("edt.sec4.2.tm1.d", form="printed", strength="kernel")
def coq_tm1_is_shorter_than_d() -> Outcome:
    """Coq: TM1 by (78) is shorter than d."""
    return coq.theorem("tm1_shorter", example={"alpha": "1", "P": "2", "d": "6"})


@evidence("edt.thm5", "edt.eq79", form="assumed", strength="kernel")
def coq_theorem5_sufficient() -> Outcome:
    """Coq: no policy whatever absorbs equal bursts for longer than B / (M (R - C))."""
    return coq.theorem("theorem5_inevitable", example="theorem5_instance")


@evidence("edt.eq80", form="assumed", strength="kernel")
def coq_equation_80() -> Outcome:
    """Coq: in case a, with bursts that are free before DT drops, the buffer is full at (80), nothing lost before."""
    return coq.theorem("theorem5")


@evidence("edt.ours.theorem5", form="printed", strength="kernel")
def coq_theorem5_corrected() -> Outcome:
    """Coq: EDT loses nothing before the overflow, at which the buffer is full, in both cases."""
    return coq.theorem("theorem5")


@evidence("edt.sec4.3.additional", form="assumed", strength="kernel")
def coq_additional_traffic() -> Outcome:
    """Coq: in case a EDT absorbs 1/(alpha M) + N/M more than DT."""
    return coq.theorem("theorem5_comparison", example={"alpha": "1", "B": "6", "C": "1", "M": "1", "N": "1", "R": "2"})


@evidence("edt.ours.edt-absorbs-more", form="printed", strength="kernel")
def coq_edt_absorbs_more() -> Outcome:
    """Coq: the overflow of EDT is later than the drop of DT, by the factor of each case."""
    return coq.theorem("edt_absorbs_more", example={"alpha": "1", "B": "6", "C": "1", "M": "1", "N": "1", "R": "2"})
