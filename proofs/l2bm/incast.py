"""Section IV-B: incast requests, Figures 10 and 11; proofs."""

from fractions import Fraction

import sympy

from dtmodel.fluid import answer
from dtmodel.ledger import Outcome, Proved, check, evidence, refuted_by_values
from dtmodel.theory import threshold_family
from dtmodel.theory.l2bm import formulas as l2bm

from .derivation import nonnegative, small_switch

B, d = sympy.symbols("B d", positive=True)


@evidence("l2bm.sec4b.fewer-pauses", form="printed", strength="symbolic")
def higher_thresholds_hold_more() -> Outcome:
    """Any weight raised raises W, and B W / (1 + W) grows with W."""
    W = sympy.Symbol("W", positive=True)
    certificate = nonnegative(B * (W + d) / (1 + W + d) - B * W / (1 + W), strict=True)
    return Proved(certificate, {"B": "6", "W": "1", "more": "2"}, ["B*more/(1 + more) > B*W/(1 + W)"])


@evidence("l2bm.sec4b.fewer-pauses.unfair", form="printed", strength="symbolic")
def what_others_gain_a_queue_loses() -> Outcome:
    """The total weight grows by d, the queue's own w, a part of W, does not: B w / (1 + W) falls."""
    w, rest = sympy.symbols("w rest", positive=True)
    certificate = nonnegative(B * w / (1 + w + rest) - B * w / (1 + w + rest + d), strict=True)
    held = [threshold_family.steady_state(6, weights).thresholds[0] for weights in ([1, 1], [1, 4])]
    check(held == [2, 1], f"{held}")
    return Proved(certificate, {"B": "6", "w": "1", "W": "2", "more": "5"}, ["B*w/(1 + more) < B*w/(1 + W)"])


@evidence("l2bm.sec4b.burst-allocation", form="printed", strength="symbolic")
def a_longer_stay_leaves_less_of_what_is_free() -> Outcome:
    """Beside others of `rest` > 0 alpha (rest + tau) / tau times what is free falls strictly in tau; then numbers."""
    rest, tau, alpha, free = sympy.symbols("rest tau alpha F", positive=True)
    part = alpha * (rest + tau) / tau
    certificate = nonnegative((part - part.subs(tau, tau + d)) * free, strict=True)
    for times in ([1, 2], [3, 2], [5, 2, 7]):
        own, *others = times
        expected = Fraction(sum(others) + own, own) * (10 - 3)
        check(l2bm.thresholds(10, 3, times, 1)[0] == expected and l2bm.thresholds(10, 10, times, 1)[0] == 0, f"{times}")
    return Proved(certificate, {"a": "1", "b": "2", "rest": "3"}, ["(rest + a) / a > (rest + b) / b"])


@evidence("l2bm.sec4b.burst-allocation@more", form="printed", strength="kernel")
def a_burst_takes_buffer_from_the_queue_that_it_hits() -> Outcome:
    """Sojourn times (1, 1), then (2, 1) as a burst hits the first queue: its threshold falls from 2B/5 to 3B/11."""
    calm, hit = (l2bm.sojourn_steady_state(1, times, 1).thresholds[0] for times in ([1, 1], [2, 1]))
    check((calm, hit) == (Fraction(2, 5), Fraction(3, 11)), f"{calm}, {hit}")
    statement = "alpha * (burst + b) / burst >= alpha * (a + b) / a"
    given = ["min(a, b, alpha) > 0", "burst > a"]
    return refuted_by_values({"a": "1", "burst": "2", "b": "1", "alpha": "1"}, statement, "", given)


@evidence("l2bm.sec4b.not-encroaching@thresholds", form="printed", strength="kernel")
def a_newcomer_takes_from_the_others() -> Outcome:
    """Equal sojourn times, alpha = 1: the first queue's steady threshold falls from B/2 to 2B/5."""
    alone, joined = (l2bm.sojourn_steady_state(10, [1] * n, 1).thresholds[0] for n in (1, 2))
    check([alone, joined] == [5, 4], f"{alone}, {joined}")
    statement = "B * alpha*n / (1 + alpha*n**2) >= B * alpha / (1 + alpha)"
    given = ["min(alpha, B) > 0", "n >= 1"]
    return refuted_by_values({"alpha": "1", "B": "10", "n": "2"}, statement, "", given)


@evidence("l2bm.sec4b.peak", form="printed", strength="symbolic")
def more_senders_of_one_request_pile_up_more() -> Outcome:
    """N senders at the link's rate C need x / (N C), while x / N leaves: x (1 - 1/N) is left; then the engine."""
    N, d, x, C = sympy.symbols("N d x C", positive=True)
    peak = (N * C - C) * x / (N * C)
    check(sympy.simplify(peak - x * (1 - 1 / N)) == 0, "the peak")
    growth = sympy.simplify(peak.subs(N, N + d) - peak)
    check(sympy.simplify(growth - d * x / (N * (N + d))) == 0, "the growth, a product of positive factors")
    for senders, held in ((5, "48"), (10, "54"), (15, "56")):
        sent = str(60 // senders)
        one = small_switch(["1"], str(senders), "60", [sent])
        one["queues"] = [{"arrivals": [["0", str(senders)], [sent, "0"]]}]
        final = answer({**one, "policy": {"name": "complete"}}, 1)
        check(final["queues"] == [[held]], f"{final}")
    return Proved("x (1 - 1/N)", {"N": "5", "more": "10", "x": "1"}, ["x * (1 - 1/more) > x * (1 - 1/N)"])
