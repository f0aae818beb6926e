"""Section 5.1: the testbed, Figures 3 to 10; proofs."""

from typing import Any

import sympy as sp

from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.ledger.provers import smt
from dtmodel.packet.schedulers import PriorityOver, StrictPriority

from .paths import Waiting
from .step import parts_add_up


class Unasked:
    """A scheduler that must not be asked."""

    def start(self) -> tuple[()]:
        """No memory."""
        return ()

    def pick(self, memory: Any, queues: Any) -> tuple[int | None, Any]:
        """Fail: nothing may ask the scheduler below."""
        raise AssertionError(f"the scheduler below was asked, with {memory} and {len(queues)} queues")


@evidence("dynaq.sec5.1.1.share", form="printed", strength="symbolic")
def shares_of_any_rates_add_up_to_one() -> Outcome:
    """R_k / R + r / R = (R_k + r) / R: for any rates of any number of queues, if something was sent."""
    parts_add_up(sp.Integer(1))
    return Proved("shares of the first k + 1 queues", {"R": "6", "r": "1"}, ["R > 0"])


@evidence("dynaq.sec5.1.2.spq-first", "dynaq.sec5.1.2.spq-threshold", form="printed", strength="symbolic")
def the_priority_queue_is_always_served_first() -> Outcome:
    """Any scheduler below, any queues of which no more can be seen than that they hold a packet, 1 to 8 of them."""
    for below in range(1, 9):
        for code in range(2**below):
            queues: Any = [Waiting(True), *(Waiting(bool(code >> i & 1)) for i in range(below))]
            check(PriorityOver(1, Unasked()).pick((), queues)[0] == 0, f"{queues}")
    check(StrictPriority().pick((), [[], [1]])[0] == 1, "an empty priority queue lets the others go")
    return Proved("the priority queue is picked, and nothing else was asked", {"priority": "1", "below": "7"})


@evidence("dynaq.sec5.1.2.overall-large@because", form="assumed", strength="smt")
def times_in_proportion_to_sizes_weigh_by_bytes() -> Outcome:
    """Prove: with FCT = size x c the overall ratio differs from the large one by the small bytes' part of the gap."""
    small, large, c = sp.symbols("small large c", positive=True)  # bytes, seconds a byte
    r_s, r_l = sp.symbols("r_s r_l", positive=True)
    overall = (c * small * r_s + c * large * r_l) / (c * small + c * large)
    gap = sp.cancel(overall - r_l - (r_s - r_l) * small / (small + large))
    check(gap == 0, f"{gap}")
    part = smt.prove([large > small], 2 * small < small + large)
    return part.proved("overall - large = (small - large) x the part of the bytes in small flows, less than a half")


@evidence("dynaq.sec5.classes", form="printed", strength="smt")
def the_classes_leave_nothing_out() -> Outcome:
    """Any size is in exactly one of (0, 100 KB], (100 KB, 10 MB], (10 MB, infinity)."""
    x = sp.Symbol("x", positive=True)
    classes = [x <= 100_000, sp.And(x > 100_000, x <= 10**7), x > 10**7]
    for i, one in enumerate(classes):
        smt.prove([one], [sp.Not(other) for j, other in enumerate(classes) if i != j])
    return smt.prove([x > 0], sp.Or(*classes)).proved("exactly one class for every size")
