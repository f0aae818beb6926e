"""Steps of Theorem 4 and the first drop beside slow steady ports, as checked by Coq's kernel for every trajectory."""

from __future__ import annotations

from dtmodel.ledger import Outcome, evidence
from dtmodel.provers import coq

FOUR = "theorem4_instance"


@evidence("edt.ours.first-drop.slow-ports", form="printed", strength="kernel")
def coq_first_drop_beside_slow_ports() -> Outcome:
    """Coq: the first loss of any arrivals beside steady ports that may lag behind the threshold, however slow."""
    return coq.theorem("first_drop_slow_ports")


@evidence("edt.sec3.3.slope-fast", form="printed", strength="kernel")
def coq_slope_of_the_middle_phase() -> Outcome:
    """Coq: in the middle phase T' < - C until bytes are lost, along every trajectory."""
    return coq.theorem("slope_fast", example=FOUR)


@evidence("edt.sec3.3.other-scenarios", form="printed", strength="kernel")
def coq_an_equation_for_each_phase() -> Outcome:
    """Coq: for any R(t) >= C the first drop is a root of (54), or of (60) with the begin of its phase as d_1."""
    return coq.theorem("first_drop", "first_drop_root", example=FOUR)


@evidence("edt.eq43.t1", form="assumed", strength="kernel")
def coq_equation_43_for_t1() -> Outcome:
    """Coq: with R(t) > C the equation has one root, up to which (54) holds; in general (54) decides before every t."""
    return coq.theorem("theorem4_a", "t1_determined", example=FOUR)


@evidence("edt.eq43.t2", form="assumed", strength="kernel")
def coq_equation_43_for_t2() -> Outcome:
    """Coq: from d_1 on the equation has one root in the middle phase, up to which (60) holds, which decides."""
    return coq.theorem("theorem4_bc", "t2_determined", example=FOUR)


@evidence("edt.eq55", form="assumed", strength="kernel")
def coq_equation_55() -> Outcome:
    """Coq: with the last root t_1, Q(d_1) > T(d_1) iff d_1 > t_1."""
    return coq.theorem("eq55", example=FOUR)


@evidence("edt.eq61", form="assumed", strength="kernel")
def coq_equation_61() -> Outcome:
    """Coq: with the first root t_2 from d_1 on, Q(d_2) > T(d_2) iff d_2 > t_2."""
    return coq.theorem("eq61", example=FOUR)


@evidence("edt.eq66", form="assumed", strength="kernel")
def coq_equation_66() -> Outcome:
    """Coq: along every trajectory the steady queues meet the threshold again where (66) holds first after d_1."""
    return coq.theorem("excess_is", "eq66_meets", example=FOUR)


@evidence("edt.eq67.misprint", form="assumed", strength="kernel")
def coq_equation_67_as_printed() -> Outcome:
    """Coq: where R > C, Q(d_3) > T(t_1) = Q(t_1) iff d_3 > t_1."""
    return coq.theorem("eq67", example={"A": "2 t", "C": "1", "t_1": "2", "d_3": "3", "T_1": "2"})


@evidence("edt.fig6.two-cases", form="assumed", strength="kernel")
def coq_figure_6() -> Outcome:
    """Coq: by a given time the bursts or the steady queues have met the threshold, if nothing is lost before."""
    return coq.theorem("two_cases_after_d2", example=FOUR)
