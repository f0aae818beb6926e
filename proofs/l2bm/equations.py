"""Equations (1) to (9): what they assume, that (8) and (9) solve (7), and where the printed forms fail."""

from __future__ import annotations

from fractions import Fraction

import sympy

from dtmodel.ledger import Conflict, Counterexample, Outcome, Proved, Witness, check, evidence
from dtmodel.theory import l2bm, threshold_family

from .common import arrive, depart, identity, nonnegative, request

B, Q, W, w, alpha, C, tau = sympy.symbols("B Q W w alpha C tau", positive=True)

DRAINED = request(arrive("0", "a", "1"), arrive("0", "b", "3"), depart("1", "a"))
"""Two packets due at 1 and 3; the first leaves on time: the other has 2 left, the printed quotient says 3."""

OVERDUE = request(arrive("0", "x", "1"), depart("2", "x"), arrive("2", "y", "1/2"))
"""A packet that leaves 1 s late, then one that will take 1/2 s: the printed average is negative."""


@evidence("l2bm.eq1", form="printed", strength="symbolic")
def dt_threshold_lies_between_nothing_and_alpha_times_the_buffer() -> Outcome:
    """Write B = sum Q + free: the threshold alpha free and its distance to alpha B have no negative coefficient."""
    free, held = sympy.symbols("free held", positive=True)
    threshold = alpha * ((held + free) - held)
    below = nonnegative(threshold)
    above = nonnegative(alpha * (held + free) - threshold)
    example = {"alpha": "1/16", "B": "4", "held": "3", "T": "1/16"}
    return Proved(f"T = {below} and alpha B - T = {above}", example, ["T == alpha * (B - held)", "held <= B"])


@evidence("l2bm.eq2", form="printed", strength="exact")
def the_quotient_is_stale_after_a_departure() -> Outcome:
    """Replay two packets of which one has left on time."""
    return Counterexample(
        Witness(
            "trace", DRAINED, {"final": {"mean": "3"}}, {"final": {"mean": "2"}}, "the packet left has 2 s to go, not 3"
        )
    )


@evidence("l2bm.eq2", form="assumed", strength="symbolic")
def at_an_arrival_the_quotient_is_the_average_if_all_left_on_time() -> Outcome:
    """Induct over events: total = sum of (due - t_prev) survives an arrival and an on-time departure, symbolically."""
    total, n, prev, now, sojourn = sympy.symbols("R N t_prev t_now s", real=True)
    due_sum = total + n * prev  # the sum of the due times, if the invariant holds before the event
    arrived = total + sojourn - n * (now - prev)
    identity(arrived, due_sum + now + sojourn - (n + 1) * now, "arrival")
    departed = total - (now - prev)  # leaves when due: its due time is `now`
    identity(departed, due_sum - now - (n - 1) * prev, "departure")
    return Proved(
        "the total is the sum of what is left at t_prev, and t_prev is now at an arrival",
        {"packets": "2", "t_prev": "0"},
    )


@evidence("l2bm.eq2.any-time", form="printed", strength="exact")
def the_recorder_keeps_the_value_of_the_last_arrival() -> Outcome:
    """Replay the same trace: at time 1 the average occupying time left is 2, the module says 3."""
    return Counterexample(
        Witness("trace", DRAINED, {"final": {"mean": "3", "updated": "0"}}, {"final": {"mean": "2"}}, "read at time 1")
    )


@evidence("l2bm.eq3", form="printed", strength="exact")
def a_late_departure_makes_the_next_threshold_negative() -> Outcome:
    """Replay a late departure and an arrival: tau < 0, so that C alpha (B - Q) / tau < 0 for a C > 0."""
    return Counterexample(
        Witness(
            "trace", OVERDUE, {"final": {"mean": "-1/2"}}, {"final": {"mean": "1/2"}}, "the only packet has 1/2 s to go"
        )
    )


@evidence("l2bm.eq3", form="assumed", strength="symbolic")
def the_threshold_is_positive_if_the_average_is() -> Outcome:
    """C alpha (B - Q) / tau with B = Q + free has no negative coefficient."""
    free = sympy.Symbol("free", positive=True)
    certificate = nonnegative(C / tau * alpha * free)
    return Proved(
        certificate, {"C": "2", "tau": "1", "alpha": "1/8", "free": "8", "T": "2"}, ["T == C / tau * alpha * free"]
    )


@evidence("l2bm.eq3.idle-queue", form="printed", strength="exact")
def an_empty_queue_has_no_average() -> Outcome:
    """Replay a queue that has emptied: its average is undefined, so that no threshold follows."""
    trace = request(arrive("0", "x", "1"), depart("1", "x"))
    return Counterexample(
        Witness(
            "trace", trace, {"final": {"packets": 0, "mean": None}}, {"final": {"mean": "0"}}, "0 / 0 is not a number"
        )
    )


@evidence("l2bm.eq4", form="printed", strength="symbolic")
def the_weight_times_the_free_buffer_is_the_threshold() -> Outcome:
    """Compare w (B - Q) with equation (3) as SymPy expressions of the theory module."""
    equations = l2bm.formulas()
    b, q = sympy.symbols("B Q", positive=True)
    identity(equations["eq3"].rhs, equations["eq4"].rhs * (b - q), "equation (4)")
    return Proved(
        "w (B - Q) is equation (3)", {"C": "2", "tau": "1", "alpha": "1/8", "w": "1/4"}, ["w == C / tau * alpha"]
    )


@evidence("l2bm.eq4.normalised", form="printed", strength="kernel")
def the_total_weight_depends_on_the_sojourn_times() -> Outcome:
    """Compare sojourn times (1, 1) and (1, 3): the totals are 4 alpha and 16/3 alpha."""
    check(sum(l2bm.weights([1, 3], 1)) != sum(l2bm.weights([1, 1], 1)), "the totals agree")
    statement = "(a + b) * (1/a + 1/b) == (c + d) * (1/c + 1/d)"
    values = {"a": "1", "b": "1", "c": "1", "d": "3"}
    return Counterexample(
        Witness("values", {"values": values, "hypotheses": [f"{x} > 0" for x in "abcd"], "statement": statement})
    )


@evidence("l2bm.eq7", form="printed", strength="symbolic")
def the_sum_of_the_thresholds_is_the_total_weight_times_the_free_buffer() -> Outcome:
    """Add one queue to a sum that has the form W (B - Q): the form stays (induction over the queues)."""
    identity(W * (B - Q) + w * (B - Q), (W + w) * (B - Q), "one more queue")
    return Proved(
        "sum T = (sum w)(B - Q) by induction", {"W": "1", "w": "2", "B": "4", "Q": "3"}, ["W > 0", "Q == 3 * (B - Q)"]
    )


@evidence("l2bm.eq8", "l2bm.ours.steady-state", form="printed", strength="symbolic")
def equation_8_is_the_only_solution_of_equation_7() -> Outcome:
    """Equation (7) is linear in Q with slope 1 + W > 0: solve it, and place the solution between 0 and B."""
    solutions = sympy.solve(sympy.Eq(Q, W * (B - Q)), Q)
    check(len(solutions) == 1, f"{len(solutions)} solutions")
    identity(solutions[0], B * W / (1 + W), "equation (8)")
    formulas = threshold_family.steady_state_formulas()
    b, total = sympy.symbols("B W", positive=True)
    identity(formulas["occupancy"], b * total / (1 + total), "the theory module")
    nonnegative(solutions[0], strict=True)
    nonnegative(B - solutions[0], strict=True)
    return Proved("unique, and strictly between 0 and B", {"B": "6", "W": "2", "Q": "4"}, ["Q == W * (B - Q)", "Q < B"])


@evidence("l2bm.eq9", "l2bm.ours.steady-state", form="printed", strength="symbolic")
def equation_9_follows_from_equations_8_and_4() -> Outcome:
    """Insert (8) into w (B - Q)."""
    identity(w * (B - B * W / (1 + W)), B * w / (1 + W), "equation (9)")
    return Proved("T = B w / (1 + W)", {"B": "6", "W": "2", "w": "1", "T": "2"}, ["T == B * w / (1 + W)"])


@evidence("l2bm.sec3c.C-constant", "l2bm.sec3c.C-sum", form="printed", strength="exact")
def a_sum_of_sojourn_times_is_no_constant() -> Outcome:
    """Form C for (1, 1) and (1, 3) as the experiments do."""
    first, second = l2bm.normaliser([Fraction(1), Fraction(1)]), l2bm.normaliser([Fraction(1), Fraction(3)])
    check(first != second, "C is the same for both")
    said = "C is called a constant and set to a sum that changes with every packet"
    return Conflict("l2bm.sec3c.C-sum", said, {"(1,1)": first, "(1,3)": second})
