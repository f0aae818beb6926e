"""Further steps of Theorems 2 and 3, and what follows from them, as checked by Coq's kernel for every trajectory."""

from __future__ import annotations

from dtmodel.ledger import Outcome, evidence
from dtmodel.provers import coq

TWO, THREE = "theorem2_instance", "theorem3_instance"


@evidence("edt.eq17", "edt.eq18", "edt.eq19", "edt.thm3.proof.slope", form="printed", strength="kernel")
def coq_first_instants() -> Outcome:
    """Coq: (17) to (19) with the common slope D of the steady queues, where they can follow and where they cannot."""
    return coq.theorem("at_start", example=THREE)


@evidence("edt.thm2.proof.contradiction", form="printed", strength="kernel")
def coq_steady_queues_that_cannot_follow() -> Outcome:
    """Coq: where T' < - C a queue on the threshold or above it shrinks at C, along every trajectory."""
    return coq.theorem("cannot_follow", example=THREE)


@evidence("edt.thm2.proof.eq21", form="printed", strength="kernel")
def coq_equation_21_with_d() -> Outcome:
    """Coq: (21) with D = - C is T' >= - C."""
    return coq.theorem(
        "eq21_contradiction", example={"alpha": "1", "N": "1", "C": "1", "G": "2", "D": "-1", "T_slope": "-1"}
    )


@evidence("edt.thm2.proof.lower-rate", form="assumed", strength="kernel")
def coq_lower_rate() -> Outcome:
    """Coq: with a strict hypothesis - C < T'(0+) < 0, along every trajectory."""
    return coq.theorem("lower_rate", example=TWO)


@evidence("edt.sec3.2.tk", form="printed", strength="kernel")
def coq_meeting_times() -> Outcome:
    """Coq: queue k is below the threshold before t_k of (14) and on it then; order, and equality iff the rates are."""
    return coq.theorem("meets_at", example=TWO)


@evidence("edt.sec3.2.t0", "edt.thm3.initial", form="printed", strength="kernel")
def coq_first_steps() -> Outcome:
    """Coq: with t_0 = 0 and F_0 the first steps of (14) and (31) are (25), (26) and (37), (38)."""
    return coq.theorem("first_steps", example=THREE)


@evidence("edt.sec3.2.order", form="printed", strength="kernel")
def coq_numbering() -> Outcome:
    """Coq: a numbering exists; queues of equal rates stay equal, and the recursions give them equal times."""
    return coq.theorem("numbered", "equal_queues", "ties", example=TWO)


@evidence("edt.ours.theorem3.slopes", form="printed", strength="kernel")
def coq_slopes_of_a_stage() -> Outcome:
    """Coq: whether T' < - C is decided by the stage, whatever part of the queues is on the threshold."""
    return coq.theorem("stage_slopes", example=THREE)


@evidence("edt.ours.theorem3.rise", form="printed", strength="kernel")
def coq_rise() -> Outcome:
    """Coq: from t_L on - C <= T' < R_k - C for all that have met it, and T' <= 0 with a steady queue on it."""
    return coq.theorem("rise", example=THREE)


@evidence("edt.ours.theorem3.one-root", form="printed", strength="kernel")
def coq_one_root() -> Outcome:
    """Coq: the left side is a maximum of lines, equal to B once from t_(k-1) on: the least root of those that rise."""
    return coq.theorem("one_root", example=THREE)


@evidence("edt.ours.no-earlier-drop", form="printed", strength="kernel")
def coq_no_earlier_drop() -> Outcome:
    """Coq: whatever the bursts do below their rates, none loses a byte before t_1; for one rate t_1 is (10)."""
    return coq.theorem("t_first_one_rate", "no_earlier_drop", example="no_earlier_drop_instance")


@evidence("edt.thm3.proof.step.drop", form="assumed", strength="kernel")
def coq_drop_when_other_bursts_end() -> Outcome:
    """Coq: port k <= L drops at t_k of (31) if each earlier burst outlasts its meeting, and each later one t_k."""
    return coq.theorem("step_drop", example=THREE)


@evidence("edt.fn3", form="printed", strength="kernel")
def coq_all_ports_may_be_overloaded() -> Outcome:
    """Coq: Theorems 1 to 3 for any number Z >= 0 of quiet ports, so for M + N = P, which the instances have."""
    return coq.theorem("theorem1", "theorem2", "theorem3", "every_port")
