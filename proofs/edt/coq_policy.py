"""The policy of Section 2.3, Table 1 and the example of Figure 2, as checked by Coq's kernel for every trajectory."""

from __future__ import annotations

from dtmodel.ledger import Outcome, evidence
from dtmodel.provers import coq

RUN = "theorem1_instances"


@evidence("edt.sec2.3.non-preemptive", "edt.table1.C", form="printed", strength="kernel")
def coq_balances_each_port() -> Outcome:
    """Coq: bytes are sent, rejected or queued; a port with a queue sends C, none more, and no queue falls faster."""
    return coq.theorem("balance", example=RUN)


@evidence("edt.table1.Q", form="printed", strength="kernel")
def coq_lengths_are_what_was_offered_less_sent_and_dropped() -> Outcome:
    """Coq: a length is continuous, not negative, unique, and what was offered less what was sent and dropped."""
    return coq.theorem("balance", "conservation", example=RUN)


@evidence("edt.table1.F", "edt.intro.shared-threshold", form="printed", strength="kernel")
def coq_one_threshold_for_all_ports() -> Outcome:
    """Coq: T = alpha (B - sum Q) = alpha F for every port."""
    return coq.theorem("shared_threshold", example=RUN)


@evidence("edt.eq1", form="printed", strength="kernel")
def coq_equation_1() -> Outcome:
    """Coq: (1), its one solution with n queues on the threshold, and its bounds, also along every trajectory."""
    return coq.theorem("shared_threshold", "buffer_never_overfull", "eq1_solution", example=RUN)


@evidence("edt.table1.R", "edt.table1.d", form="printed", strength="kernel")
def coq_bytes_offered() -> Outcome:
    """Coq: a constant rate R brings R t bytes by t, a burst of the duration d R d bytes."""
    return coq.theorem("offered_bytes", example={"R": "2", "d": "3", "tau": "4"})


@evidence("edt.table1.derivative", "edt.fn2", form="assumed", strength="kernel")
def coq_right_derivatives() -> Outcome:
    """Coq: lengths, free buffer and threshold have right derivatives everywhere; a derivative is the right one."""
    return coq.theorem("derivative_is_right", "slopes_exist", example=RUN)


@evidence("edt.sec3.1.remark.notify", form="printed", strength="kernel")
def coq_threshold_notifies() -> Outcome:
    """Coq: T' = - alpha times the sum of the queues' slopes, along every trajectory."""
    return coq.theorem("slopes_exist", example=RUN)


@evidence("edt.sec2.3.full-memory", form="printed", strength="kernel")
def coq_full_memory() -> Outcome:
    """Coq: at F = 0 the threshold is 0, no queue is below it, and a port with a queue rejects all."""
    return coq.theorem("full_memory", example=RUN)


@evidence("edt.sec2.3.admission@sliding", form="printed", strength="kernel")
def coq_one_slope_for_every_state() -> Outcome:
    """Coq: for every state of every switch exactly one F', and one growth of each queue, obeys the rule."""
    return coq.theorem("one_slope", example=RUN)


@evidence("edt.sec2.3.constrained@growth", form="printed", strength="kernel")
def coq_no_growth_above_the_threshold() -> Outcome:
    """Coq: on or above the threshold Q' is at most T' or - C, along every trajectory, empty queues included."""
    return coq.theorem("no_growth_above", example=RUN)


@evidence("edt.sec3.overloaded", form="printed", strength="kernel")
def coq_overloaded_ports_grow() -> Outcome:
    """Coq: below the threshold a queue grows iff its port is offered more than C, and loses nothing."""
    return coq.theorem("grows_iff_overloaded", example=RUN)


@evidence("edt.sec3.onset", form="assumed", strength="kernel")
def coq_onset() -> Outcome:
    """Coq: at 0+ the queues of the bursts grow at R_i - C, for any rates of the bursts."""
    return coq.theorem("onset", example=RUN)


@evidence("edt.sec2.3.example.sum", "edt.sec2.3.example.threshold", form="printed", strength="kernel")
def coq_example_sum() -> Outcome:
    """Coq: with one overloaded port and an empty buffer all that is queued is in its queue; T = 2 (B - Q_k)."""
    return coq.theorem("example_sum", example="example_instance")


@evidence("edt.sec2.3.example.meets", form="assumed", strength="kernel")
def coq_example_meets() -> Outcome:
    """Coq: the queue grows until it and the threshold are 2 B / 3."""
    return coq.theorem("example_meets", example="example_instance")


@evidence("edt.sec2.3.example.stops", "edt.sec2.3.example.reserved", form="printed", strength="kernel")
def coq_example_stops() -> Outcome:
    """Coq: from the meeting on queue and threshold rest at 2 B / 3, with B / 3 free, while the port is overloaded."""
    return coq.theorem("example_stops", example="example_instance")


@evidence("edt.fig2", form="printed", strength="kernel")
def coq_figure_2() -> Outcome:
    """Coq: two straight lines until 2 B / 3, and rest from then on."""
    return coq.theorem("example_stops", "example_meets", example="example_instance")


@evidence("edt.sec4.1.recognition", form="assumed", strength="kernel")
def coq_recognition() -> Outcome:
    """Coq: a queue below its threshold loses nothing for a positive time, and grows while its port is overloaded."""
    return coq.theorem("recognition", example=RUN)


@evidence("edt.sec4.2.rule1", form="assumed", strength="kernel")
def coq_growth_needs_an_overload() -> Outcome:
    """Coq: in the fluid a queue grows only at a port that is offered more than C, in any switch."""
    return coq.theorem("growing_is_overloaded", example=RUN)


@evidence("edt.sec4.1.timeout-scenario", form="printed", strength="kernel")
def coq_timeout_scenario() -> Outcome:
    """Coq: offered exactly C an uncontrolled queue stands still; controlled, above the threshold, it drains at C."""
    return coq.theorem("timeout_scenario", example="theorem5_instance")


@evidence("edt.sec5.3.queues-hold-packets", form="printed", strength="kernel")
def coq_underloaded_queues_hold_nothing() -> Outcome:
    """Coq: a queue that is offered at most its service stays empty."""
    return coq.theorem("underloaded_stays_empty", example=RUN)


@evidence("edt.sec4.1.T2.fair", form="assumed", strength="kernel")
def coq_equal_bursts_hold_equal_parts() -> Outcome:
    """Coq: queues of one kind with equal arrivals and lengths stay equal in any switch, uncontrolled ones too."""
    return coq.theorem("equal_queues", example="theorem5_instance")


@evidence("edt.intro.edt-advantage-2", form="assumed", strength="kernel")
def coq_equal_parts() -> Outcome:
    """Coq: left alone, the long-lived flows hold alpha B / (1 + alpha N) each; equal bursts hold equal parts."""
    return coq.theorem("steady_state_stays", "equal_queues", example="theorem5_instance")
