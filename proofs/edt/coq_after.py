"""EDT's settings, Theorem 5's steps, and what follows the first loss, as checked by Coq's kernel."""

from __future__ import annotations

from dtmodel.ledger import Outcome, evidence
from dtmodel.provers import coq

ONE, FIVE = "theorem1_instances", "theorem5_instance"
EXAMPLE = {"alpha": "1", "B": "6", "C": "1", "M": "1", "N": "1", "R": "2"}


@evidence("edt.ours.bytes-lost.dt", form="printed", strength="kernel")
def coq_bytes_lost_under_dt() -> Outcome:
    """Coq: the integral of what a port rejects by d is (R - C) d - Q(d), with Q(d) in both cases."""
    return coq.theorem("bytes_lost_dt", example=ONE)


@evidence("edt.ours.bytes-lost.edt", form="printed", strength="kernel")
def coq_bytes_lost_under_edt() -> Outcome:
    """Coq: the same for slow bursts under EDT, before the overflow and after it."""
    return coq.theorem("bytes_lost_edt", example=FIVE)


@evidence("edt.ours.unfairness", "edt.thm5.proof.overflow", form="printed", strength="kernel")
def coq_after_the_overflow() -> Outcome:
    """Coq: R - C until the buffer is full, then all is lost and the bursts drain at C to the common length."""
    return coq.theorem("theorem5", "after_overflow", example=FIVE)


@evidence("edt.ours.recovery", form="printed", strength="kernel")
def coq_recovery() -> Outcome:
    """Coq: all is as before at d + Q(d) / C: under DT, and under EDT before and after the overflow."""
    return coq.theorem("recovery_from", "recovery_edt", "recovery_edt_after", "recovery_dt", example=FIVE)


@evidence("edt.ours.drop-time", form="printed", strength="kernel")
def coq_drop_time_with_timers() -> Outcome:
    """Coq: the first loss for any counting number and timers, at t_DT, (k + 1) L or the overflow."""
    return coq.theorem("drop_time", example="drop_time_instance")


@evidence("edt.abstract.edt-absorbs-more", form="printed", strength="kernel")
def coq_never_earlier_than_dt() -> Outcome:
    """Coq: whatever the counting number and the timers, nothing is lost before DT would lose it."""
    return coq.theorem("theorem1", "never_earlier", example="drop_time_instance")


@evidence("edt.fig11", form="assumed", strength="kernel")
def coq_figure_11() -> Outcome:
    """Coq: the bursts rise to B / M and the steady queues fall with the threshold to 0, which is the first loss."""
    return coq.theorem("after_overflow", "figure_11", example=FIVE)


@evidence("edt.thm5.proof.start", form="printed", strength="kernel")
def coq_start_of_theorem_5() -> Outcome:
    """Coq: at 0+ the bursts grow at R - C and the DT threshold falls, in both cases."""
    return coq.theorem("onset", "theorem1_all_fall", example=ONE)


@evidence("edt.thm5.proof.jump", form="assumed", strength="kernel")
def coq_jump_of_the_threshold() -> Outcome:
    """Coq: with alpha M <= 1 + alpha N the threshold of the bursts increases, to B / M."""
    return coq.theorem("jump", example=FIVE)


@evidence("edt.thm5.before-cn2", form="assumed", strength="kernel")
def coq_before_the_counter_is_full() -> Outcome:
    """Coq: until the counter is full the trajectory is DT's, and nothing is lost."""
    return coq.theorem("rule2", "theorem5", example=FIVE)


@evidence(
    "edt.sec4.1.adv1",
    "edt.intro.no-drop-until-full",
    "edt.intro.edt-advantage-1",
    form="assumed",
    strength="kernel",
)
def coq_no_loss_until_the_buffer_is_full() -> Outcome:
    """Coq: equal bursts lose nothing before the overflow, at which the buffer is full."""
    return coq.theorem("theorem5", example=FIVE)


@evidence("edt.sec4.1.adv1.every-piece", form="assumed", strength="kernel")
def coq_the_whole_buffer() -> Outcome:
    """Coq: until the overflow a burst holds (R - C) t, and F is 0 then; a slow one holds B / M, one alone all of B."""
    return coq.theorem("theorem5", "figure_11", "edt_lengths", example=FIVE)


@evidence("edt.intro.as-much-as-possible", "edt.fig13.inevitable", form="assumed", strength="kernel")
def coq_no_policy_does_better() -> Outcome:
    """Coq: EDT loses nothing before the overflow, and no policy whatever loses nothing beyond it."""
    return coq.theorem("theorem5", "theorem5_exact_condition", "theorem5_inevitable", example=FIVE)


@evidence("edt.fig14.inevitable", form="printed", strength="kernel")
def coq_eight_milliseconds() -> Outcome:
    """Coq: without a loss the port holds (R - C) t, at most 1 MB, so t is at most 8 ms."""
    return coq.theorem("no_policy_8ms", example={"n": "1", "t": "8/1000", "Q_0": "1000000"})


@evidence("edt.sec4.3.unfair-duration", form="printed", strength="kernel")
def coq_unfair_duration() -> Outcome:
    """Coq: the overflow less t_1 > 0 is less than B / (M (R - C)), in both cases."""
    return coq.theorem("unfair_duration", example={**EXAMPLE, "t_1": "1"})


@evidence("edt.sec4.2.rule2", "edt.eq69", "edt.sec4.2.c2.too-large", form="printed", strength="kernel")
@evidence("edt.fig7.leave", form="assumed", strength="kernel")
def coq_rule_2() -> Outcome:
    """Coq: along every trajectory the counter is full by DT's drop iff cn2 / (R - C) is at most its time; (69)."""
    return coq.theorem("rule2", example=ONE)


@evidence("edt.sec4.2.rule3", form="printed", strength="kernel")
def coq_rule_3() -> Outcome:
    """Coq: there is a largest number that obeys Rule 2 for all rates and ports, for every P."""
    return coq.theorem("rule2", "cn2_largest", example=ONE)


@evidence("edt.eq71.identity", form="printed", strength="kernel")
def coq_equation_71_identity() -> Outcome:
    """Coq: the first line of (71)."""
    return coq.theorem("eq71_identity", example={**EXAMPLE, "R": "7"})


@evidence("edt.sec4.2.tm1.purpose", form="assumed", strength="kernel")
def coq_purpose_of_tm1() -> Outcome:
    """Coq: bursts of such a rate that last at most d >= B / C lose nothing, for every trajectory."""
    return coq.theorem(
        "eq77_no_loss", example={"alpha": "1", "B": "6", "C": "1", "M": "1", "N": "1", "P": "2", "R": "4/3", "d": "6"}
    )


@evidence("edt.eq81", form="printed", strength="kernel")
def coq_equation_81() -> Outcome:
    """Coq: with (81) TM2 expires after the overflow of bursts of at least R_min, and after the end of a shorter one."""
    return coq.theorem("theorem5", "eq81", example=FIVE)


@evidence("edt.sec4.2.tm2.length", form="printed", strength="kernel")
def coq_length_of_tm2() -> Outcome:
    """Coq: nothing is lost while TM2 lasts, up to the overflow; controlled above the threshold all is lost at once."""
    return coq.theorem("theorem5", "tm2_length", example=FIVE)


@evidence("edt.sec4.4.r-min", form="assumed", strength="kernel")
def coq_r_min() -> Outcome:
    """Coq: two or more inputs of the rate C bring at least 2 C."""
    return coq.theorem("r_min", example={"K": "2", "C": "1"})


@evidence("edt.sec4.4.d-simple", form="assumed", strength="kernel")
def coq_d_simple() -> Outcome:
    """Coq: with R_min = 2 C and d_mb <= B / C (81) is d >= B / C."""
    return coq.theorem("d_simple", example={"B": "6", "C": "1", "d": "6", "d_mb": "1"})


@evidence("edt.sec5.1.jain", form="printed", strength="kernel")
def coq_jain() -> Outcome:
    """Coq: Jain's index is between 1/n and 1 for every n, and attains both."""
    return coq.theorem("jain", example={"n": "2", "x_1": "1", "x_2": "3"})
