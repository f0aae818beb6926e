"""Remarks on Theorem 1 and its limits, as checked by Coq's kernel for all numbers of ports."""

from __future__ import annotations

from dtmodel.ledger import Outcome, evidence
from dtmodel.provers import coq

EXAMPLE = {"alpha": "1", "B": "6", "C": "1", "M": "1", "N": "1", "R": "2"}


@evidence("edt.sec3.1.two-cases", form="printed", strength="kernel")
def coq_two_cases() -> Outcome:
    """Coq: every R > C is in exactly one of the cases, and both occur."""
    return coq.theorem("two_cases", example=EXAMPLE)


@evidence("edt.abstract.not-fully-used", "edt.intro.fewest-waste-most", form="printed", strength="kernel")
@evidence("edt.abstract.free-buffer-large", "edt.intro.half-unused", form="assumed", strength="kernel")
def coq_most_is_free_with_one_port() -> Outcome:
    """Coq: the free buffer at the first drop is positive, and largest with one port: B / (1 + alpha)."""
    return coq.theorem("theorem1", "fewest_waste_most", example="theorem1_instances")


@evidence("edt.ours.free-buffer-monotone", form="printed", strength="kernel")
@evidence("edt.intro.negative-correlation", form="assumed", strength="kernel")
def coq_one_more_port() -> Outcome:
    """Coq: what one more burst and one more steady port do to the free buffer, in and between the cases."""
    return coq.theorem("theorem1", "free_buffer_monotone", example="theorem1_instances")


@evidence("edt.sec5.1.rate", form="printed", strength="kernel")
@evidence("edt.fig13.monotone", "edt.sec6.correlation", form="assumed", strength="kernel")
def coq_correlation() -> Outcome:
    """Coq: for slow bursts the free buffer falls with M + N; with R = 2 C and alpha = 1 slow means M <= N + 1."""
    return coq.theorem("theorem1", "correlation", example="theorem1_instances")


@evidence("edt.thm4.remark.correlation", form="printed", strength="kernel")
def coq_correlation_in_theorem_4() -> Outcome:
    """Coq: (68) is F_slow, a function of alpha, B and M + N, which falls with M + N."""
    return coq.theorem("eq68", "free_buffer_case_a", example="theorem4_instance")


@evidence("edt.ours.continuity", form="printed", strength="kernel")
def coq_continuity() -> Outcome:
    """Coq: at the bound both cases of (10) and (11) agree, and so do the steps of (14) and (31)."""
    return coq.theorem("steps_of_the_recursions", "continuity", example=EXAMPLE)


@evidence("edt.ours.extremes", form="printed", strength="kernel")
def coq_extremes() -> Outcome:
    """Coq: the limits of drop time and free buffer for alpha to 0 and to infinity, by epsilon."""
    return coq.theorem("extremes", example=EXAMPLE)


@evidence("edt.sec4.3.alpha-efficiency", form="assumed", strength="kernel")
def coq_alpha_efficiency() -> Outcome:
    """Coq: for bursts that are slow for every alpha, or alone, a larger alpha drops later."""
    return coq.theorem("theorem1", "alpha_efficiency", example="theorem1_instances")


@evidence("edt.sec4.1.larger-alpha", form="printed", strength="kernel")
def coq_larger_alpha() -> Outcome:
    """Coq: B / (1 + alpha n) is free in the steady state, and falls as alpha grows."""
    return coq.theorem("steady_state_stays", "larger_alpha", example="steady_state_stays_instance")


@evidence("edt.sec4.1.large-alpha-unfair", form="printed", strength="kernel")
def coq_large_alpha_unfair() -> Outcome:
    """Coq: both limits for alpha to infinity, by epsilon, for all rates from some rate on."""
    return coq.theorem("theorem1", "large_alpha_unfair", example="theorem1_instances")


@evidence("edt.sec4.3.alpha-infinity", form="assumed", strength="kernel")
def coq_additional_part_stays() -> Outcome:
    """Coq: the additional part is more than N / M > 0 for every alpha, and tends to it."""
    return coq.theorem("additional_part_stays", example=EXAMPLE)


@evidence("edt.intro.same-restriction", form="printed", strength="kernel")
def coq_same_restriction() -> Outcome:
    """Coq: a steady port holds less than B / n; beside enough of them a burst brings less than any share of B."""
    return coq.theorem("theorem1", "same_restriction", example="theorem1_instances")


@evidence(
    "edt.abstract.small-burst-drops",
    "edt.sec3.1.remark.far-smaller@case-a",
    "edt.sec6.small-burst",
    "edt.thm4.remark.small-burst",
    form="printed",
    strength="kernel",
)
def coq_small_bursts_in_case_a() -> Outcome:
    """Coq: for every epsilon a switch whose bursts drop before they have brought epsilon B, for every trajectory."""
    return coq.theorem("small_burst_a", example={"epsilon": "1/9", "N": "10", "R": "12", "alpha": "1", "M": "1"})


@evidence("edt.sec3.1.remark.far-smaller@case-b", form="printed", strength="kernel")
def coq_small_bursts_in_case_b() -> Outcome:
    """Coq: the same in case b."""
    return coq.theorem("small_burst_b", example={"epsilon": "1/9", "N": "10", "R": "23", "alpha": "1", "M": "1"})


@evidence("edt.intro.extra-traffic", form="assumed", strength="kernel")
def coq_extra_traffic() -> Outcome:
    """Coq: the gain is 1 / (alpha M) in both cases, between 1/2 and 1 iff alpha M is between 1 and 2."""
    return coq.theorem("theorem1", "extra_traffic", example="theorem1_instances")


@evidence("edt.sec3.1.remark.large-R", form="printed", strength="kernel")
def coq_larger_rates_of_one_size() -> Outcome:
    """Coq: (12) for one rate gives it for every larger one, the size being fixed."""
    return coq.theorem("remark_large_R", example={**EXAMPLE, "S": "8", "R'": "3"})


@evidence("edt.sec3.1.remark.explains", form="assumed", strength="kernel")
def coq_fast_bursts_of_one_size() -> Outcome:
    """Coq: a burst that does not fit into its queue meets (12) from some rate on."""
    return coq.theorem("remark_explains", example={**EXAMPLE, "S": "8"})


@evidence("edt.sec3.1.remark.fast", form="printed", strength="kernel")
def coq_shorter_bursts_in_case_b() -> Outcome:
    """Coq: in case b (10) for one duration gives it for every shorter one, the size being fixed."""
    return coq.theorem("remark_fast", example={**EXAMPLE, "S": "7", "d": "1", "d'": "1/2"})


@evidence("edt.sec3.1.remark.cushion", form="printed", strength="kernel")
def coq_cushion() -> Outcome:
    """Coq: the bursts find T > 0 and grow below it without a loss for a positive time, for every trajectory."""
    return coq.theorem("cushion", example="theorem1_instances")


@evidence("edt.sec2.3.reserves", form="printed", strength="kernel")
def coq_reserves() -> Outcome:
    """Coq: more than the limit is free at all times with N >= 1; with N = 0 it is reached, with M = 0 it stays."""
    return coq.theorem("reserve_limit", "steady_state_stays", "reserves", example="theorem1_instances")


@evidence("edt.sec2.3.not-starved", form="printed", strength="kernel")
def coq_not_starved() -> Outcome:
    """Coq: from some time on all M + N queues have the common length, in both cases, for every trajectory."""
    return coq.theorem("not_starved", example="theorem1_instances")


@evidence("edt.sec3.specific-to-general", form="printed", strength="kernel")
def coq_equal_rates() -> Outcome:
    """Coq: with one rate the first steps of (14) and (31), and their hypotheses, are those of Theorem 1."""
    return coq.theorem("equal_rates", example=EXAMPLE)


@evidence("edt.abstract.sufficient-conditions", form="assumed", strength="kernel")
def coq_sufficient_conditions() -> Outcome:
    """Coq: Theorems 1, 2 and 3 while all bursts last, for every trajectory."""
    return coq.theorem("theorem1", "theorem2", "theorem3")
