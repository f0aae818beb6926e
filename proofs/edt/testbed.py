"""Section 5.3: the testbed, Figures 21 to 23; proofs."""

from __future__ import annotations

import sympy as sp

from dtmodel.ledger import Outcome, evidence
from dtmodel.provers import smt


@evidence("edt.sec5.3.queues-hold-packets", form="printed", strength="smt")
def a_receive_queue_that_is_served_faster_stays_empty() -> Outcome:
    """A queue offered less than it is served does not grow."""
    offered, served, slope = sp.symbols("offered served slope", real=True)
    return smt.prove([offered < served, sp.Eq(slope, offered - served)], slope < 0).proved("it empties, and stays so")


@evidence("edt.sec5.3.rate-limiter", form="printed", strength="smt")
def the_rate_limiter_limits_the_rate() -> Outcome:
    """By induction: the bytes sent up to a packet, without it, are at most R times the time since the first."""
    sent, now, size, later, R = sp.symbols("sent now size later R", positive=True)
    known = [sent <= R * now, (later - now) * R >= size]
    return smt.prove(known, sent + size <= R * later).proved("each packet buys its own time")
