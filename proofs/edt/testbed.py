"""Section 5.3: the testbed, Figures 21 to 23; proofs."""

from typing import Any

import sympy as sp

from dtmodel.ledger import Outcome, evidence
from dtmodel.ledger.provers import smt
from dtmodel.ledger.provers.symbolic_execution import Unknowns, every_path
from dtmodel.policies import Threshold, ThresholdAdmission


@evidence("edt.sec5.3.queues-hold-packets", form="printed", strength="smt")
def a_receive_queue_that_is_served_faster_stays_empty() -> Outcome:
    """A queue offered less than it is served does not grow."""
    offered, served, slope = sp.symbols("offered served slope", real=True)
    return smt.prove([offered < served, sp.Eq(slope, offered - served)], slope < 0).proved("it empties, and stays so")


@evidence("edt.sec5.3.admission", form="printed", strength="smt")
def a_packet_enters_below_the_threshold_only() -> Outcome:
    """Every path of DT's admission: a packet that it admits comes to a queue with Q <= alpha F."""
    given = Unknowns()
    alpha, queue, free = given.real("alpha"), given.real("Q"), given.real("F")
    law: Any = alpha  # an unknown in the place of a number
    paths = every_path(lambda: ThresholdAdmission([Threshold(law)]).admits(0, queue, free, 0))
    admitted = [(path.condition, queue <= alpha * free) for path in paths if path.result]
    found = given.prove_each(admitted, [alpha > 0, queue >= 0, free >= 0], "QF_NRA")
    return found.proved("what finds its queue above the threshold does not enter")


@evidence("edt.sec5.3.rate-limiter", form="printed", strength="smt")
def the_rate_limiter_limits_the_rate() -> Outcome:
    """By induction: the bytes sent up to a packet, without it, are at most R times the time since the first."""
    sent, now, size, later, R = sp.symbols("sent now size later R", positive=True)
    known = [sent <= R * now, (later - now) * R >= size]
    return smt.prove(known, sent + size <= R * later).proved("each packet buys its own time")
