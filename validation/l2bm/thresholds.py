"""Sections II-A and III-C: equations (1) and (3), thresholds and their weights; runs and published numbers."""

from fractions import Fraction

from dtmodel.companion.hunting import agree_in_runs
from dtmodel.ledger import Agrees, Conflict, Outcome, check, evidence, refuted_by_values
from dtmodel.packet.l2bm.trace import arrive, depart, request
from dtmodel.packet.pfc import Egress, Ingress, PfcEvent, Pools, run_pools
from dtmodel.theory.l2bm import formulas as l2bm

from .scenarios import ends_otherwise

OVERDUE = request(arrive("0", "x", "1"), depart("2", "x"), arrive("2", "y", "1/2"))
"""A packet that leaves 1 s late, then one that will take 1/2 s: the printed average is negative."""


@evidence("l2bm.eq3", form="printed", strength="exact")
def a_late_departure_makes_the_next_threshold_negative() -> Outcome:
    """Replay a late departure and an arrival: tau < 0, so that C alpha (B - Q) / tau < 0 for a C > 0."""
    return ends_otherwise(OVERDUE, {"mean": "-1/2"}, {"mean": "1/2"}, "the only packet has 1/2 s to go")


@evidence("l2bm.eq3@idle-queue", form="printed", strength="exact")
def an_empty_queue_has_no_average() -> Outcome:
    """Replay a queue that has emptied: its average is undefined, so that no threshold follows."""
    trace = request(arrive("0", "x", "1"), depart("1", "x"))
    return ends_otherwise(trace, {"packets": 0, "mean": None}, {"mean": "0"}, "0 / 0 is not a number")


@evidence("l2bm.sec3c.upper-limit@held", form="printed", strength="exact")
def queues_above_their_thresholds() -> Outcome:
    """Run B = 8: RDMA, alpha = 1/4, takes 2 bytes at T = 7/4; TCP, alpha = 1, keeps 3 when 4 elsewhere leave T = 1."""
    one = Fraction(1)
    lossless = Ingress(one / 4, lossless=True, headroom=one, resume_below=one / 2)
    pools = Pools(
        8 * one, 8 * one, {"rdma": lossless, "tcp": Ingress(one), "late": Ingress(9 * one)}, {"out": Egress()}
    )
    events: list[PfcEvent] = [("arrive", "rdma", "out", one)] * 2
    paused = run_pools(pools, events)[-1]
    check(paused.decision == "headroom" and paused.ingress["rdma"] == 2, f"{paused}")
    check(one / 4 * (8 - 1) < 2, "of 7 bytes free a quarter")
    overtaken = run_pools(pools, [("arrive", "tcp", "out", 3 * one), ("arrive", "late", "out", 4 * one)])[-1]
    check(overtaken.decision == "enqueue" and overtaken.ingress["tcp"] == 3, f"{overtaken}")
    values = {"alpha": "1", "B": "8", "held": "3", "elsewhere": "4"}
    given = ["0 < held <= alpha * B", "held + elsewhere <= B"]
    return refuted_by_values(values, "held <= alpha * (B - held - elsewhere)", "a lossy queue of 3, then 4 more", given)


@evidence("l2bm.sec3c.inverse", form="printed", strength="exact")
def doubling_the_sojourn_time_does_not_halve_the_weight() -> Outcome:
    """Sojourn times (1, 1) against (2, 1): the weight goes from 2 alpha to 3/2 alpha."""
    check(l2bm.weights([1, 1], 1)[0] == 2 and l2bm.weights([2, 1], 1)[0] == Fraction(3, 2), "the worked instance")
    values = {"a": "1", "b": "1", "alpha": "1"}
    statement = "alpha * (2*a + b) / (2*a) == alpha * (a + b) / a / 2"
    return refuted_by_values(values, statement, "two queues; the sojourn time of the first doubles", ["a > 0", "b > 0"])


@evidence("l2bm.sec3c.C-constant@in-time", "l2bm.sec3c.C-sum", form="printed", strength="exact")
def a_sum_of_sojourn_times_is_no_constant() -> Outcome:
    """Form C for (1, 1) and (1, 3) as the experiments do."""
    first, second = l2bm.normaliser([Fraction(1), Fraction(1)]), l2bm.normaliser([Fraction(1), Fraction(3)])
    check(first != second, "C is the same for both")
    said = "C is called a constant and set to a sum that changes with every packet"
    return Conflict("l2bm.sec3c.C-sum", said, {"(1,1)": first, "(1,3)": second})


@evidence("l2bm.sec3c.custom", form="printed", strength="exact")
def five_normalisations_give_five_different_divisions() -> Outcome:
    """Compute the steady states for sojourn times (1, 2, 9) under every normalisation of the theory module."""
    states = {how: l2bm.sojourn_steady_state(1, [1, 2, 9], "1/8", how).occupancy for how in l2bm.NORMALISATIONS}
    check(len(set(states.values())) == len(states), f"two coincide: {states}")
    return Agrees(len(states), "the choices of C named in dtmodel.theory.l2bm")


@evidence(
    "l2bm.sec2a.alpha-default",
    "l2bm.sec3c.alpha-usual@default",
    "l2bm.sec4.alpha-default",
    form="printed",
    strength="exact",
)
def the_usual_alpha_has_three_values() -> Outcome:
    """Three sections call a value of alpha usual or default: 1/16, 1/8 and 1/2."""
    values = {"Section II-A": "1/16", "Section III-C": "1/8", "Section IV": "1/2"}
    check(len(set(values.values())) == len(values), "two of the values agree")
    return Conflict("l2bm.sec2a.alpha-default", "different values are called the usual one", values)


@evidence("l2bm.ours.abm-burst", "l2bm.ours.abm-drain", form="printed", strength="sampled")
def bounds_of_abm_hold_in_runs() -> Agrees:
    """Draw queues of two priorities, one with a burst, and run them in the exact fluid engine."""
    return Agrees(agree_in_runs(globals(), "bounds_of_abm_hold_in_runs", cases=12), "switches")
