"""Sentences of the text taken at their word: what an average says about most packets, about emptying, about time spent.

Source: L2BM paper, Sections I and III, Table I.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from dtmodel.ledger import Counterexample, Outcome, Proved, Witness, check, evidence
from dtmodel.packet.l2bm import run_trace
from dtmodel.theory import l2bm, threshold_family

from .common import arrive, identity, nonnegative, request


@evidence("l2bm.sec3b.most-packets", form="printed", strength="kernel")
def one_packet_makes_the_average_long() -> Outcome:
    """Replay packets due at 1, 1 and 10: the average is 4, and two of three leave after 1."""
    events = [arrive("0", name, due) for name, due in (("a", "1"), ("b", "1"), ("c", "10"))]
    check(run_trace(request(*events))["final"]["mean"] == "4", "the average")
    values = {"a": "1", "b": "1", "c": "10", "other": "3"}
    hypotheses = [
        "min(a, b, c, other) > 0",
        "(a + b + c) / 3 > other",
    ]  # longer than the average of a queue whose packets all stay 3
    most = "(a >= other and b >= other) or (b >= other and c >= other) or (a >= other and c >= other)"
    says = "the average is longer than the other queue's, yet two of three packets leave sooner"
    return Counterexample(Witness("values", {"values": values, "hypotheses": hypotheses, "statement": most}, says=says))


@evidence("l2bm.sec1.emptied-faster-larger", form="printed", strength="kernel")
def the_queue_that_empties_first_gets_the_smaller_threshold() -> Outcome:
    """Residual times (1, 1, 1, 10) average 13/4, (4) averages 4: the second is empty first and has the lower weight."""
    slow, fast = l2bm.weights(["13/4", 4], "1/8")
    check(slow > fast, "the queue that empties first has the larger weight")
    values = {"slow": ["1", "1", "1", "10"], "fast": ["4"], "C": "29/4", "alpha": "1/8"}
    hypotheses = ["min(slow) > 0", "min(fast) > 0", "alpha > 0", "max(fast) < max(slow)"]
    hypotheses += ["C == sum(slow) / 4 + sum(fast)"]
    statement = "alpha * C / sum(fast) > alpha * C / (sum(slow) / 4)"
    return Counterexample(Witness("values", {"values": values, "hypotheses": hypotheses, "statement": statement}))


@evidence("l2bm.tab1.tau.whole", form="printed", strength="exact")
def the_recorded_average_is_neither_the_whole_stay_nor_the_time_spent() -> Outcome:
    """Replay packets that stay 0 to 4 and 2 to 8: 4 at time 2, where the whole stays average 5, the times spent 1."""
    stays, spent = (Fraction(4), Fraction(6)), (Fraction(2), Fraction(0))
    check((sum(stays) / 2, sum(spent) / 2) == (5, 1), "the worked instance")
    trace = request(arrive("0", "a", "4"), arrive("2", "b", "6"))
    says = "the whole stays average 5, what is left averages 4"
    return Counterexample(Witness("trace", trace, {"final": {"mean": "4"}}, {"final": {"mean": "5"}}, says))


@evidence("l2bm.sec3d.rate-location@independent", form="printed", strength="exact")
def twice_the_rate_halves_the_stay_at_the_same_place() -> Outcome:
    """Replay a packet at the same place of an output queue drained at 1 and at 2: 4 s and 2 s."""
    at_one = run_trace(request(arrive("0", "x", "4", "1")))["final"]["mean"]
    check(at_one == "4", "the stay at rate 1")
    trace = request(arrive("0", "x", "4", "2"))
    return Counterexample(Witness("trace", trace, {"final": {"mean": "2"}}, {"final": {"mean": "4"}}, "4 at rate 1"))


@evidence("l2bm.sec4b.burst-allocation", form="printed", strength="kernel")
def a_burst_takes_buffer_from_the_queue_that_it_hits() -> Outcome:
    """Sojourn times (1, 1), then (2, 1) as a burst hits the first queue: its threshold falls from 2B/5 to 3B/11."""
    calm, hit = (l2bm.sojourn_steady_state(1, times, 1).thresholds[0] for times in ([1, 1], [2, 1]))
    check((calm, hit) == (Fraction(2, 5), Fraction(3, 11)), f"{calm}, {hit}")
    values = {"a": "1", "burst": "2", "b": "1", "alpha": "1"}
    statement = "alpha * (burst + b) / burst >= alpha * (a + b) / a"
    given = ["min(a, b, alpha) > 0", "burst > a"]
    return Counterexample(Witness("values", {"values": values, "hypotheses": given, "statement": statement}))


@evidence("l2bm.sec4a.rigid", form="printed", strength="kernel")
def dts_threshold_moves_with_the_occupancy() -> Outcome:
    """Equation (1) with alpha = 1/8 and B = 8: the threshold is 1 for an empty buffer and 1/2 for a half full one."""
    weight = threshold_family.dt_weights("1/8", 1)[0]
    check((weight * 8, weight * 4) == (Fraction(1), Fraction(1, 2)), "the worked instance")
    values = {"alpha": "1/8", "B": "8", "before": "0", "after": "4"}
    statement = "alpha * (B - before) == alpha * (B - after)"
    given = ["min(alpha, B) > 0", "0 <= before <= B", "0 <= after <= B"]
    return Counterexample(Witness("values", {"values": values, "hypotheses": given, "statement": statement}))


@evidence("l2bm.sec3c.alpha-priority", form="printed", strength="symbolic")
def a_weight_of_its_own_for_each_priority_changes_no_equation() -> Outcome:
    """Two priorities with alpha_1, alpha_2: (7) has the one solution (8), on which w F is (9); more by induction."""
    a1, a2, t1, t2, C, B, Q = sympy.symbols("alpha_1 alpha_2 tau_1 tau_2 C B Q", positive=True)
    w1, w2 = a1 * C / t1, a2 * C / t2
    (occupancy,) = sympy.solve(sympy.Eq(Q, (w1 + w2) * (B - Q)), Q)
    identity(occupancy, B * (w1 + w2) / (1 + w1 + w2), "equation (8)")
    identity(w1 * (B - occupancy), B * w1 / (1 + w1 + w2), "equation (9)")
    rest, weight = sympy.symbols("W w", positive=True)  # one more queue: B w / (1 + W + w) beside the W of the others
    identity((rest + weight) * B / (1 + rest + weight), B - B / (1 + rest + weight), "one more queue")
    example = {"a1": "1/8", "a2": "1/2", "tau": "1", "C": "2", "B": "9", "Q": "5"}
    return Proved("the weights are arbitrary in (7)", example, ["Q == (a1*C/tau + a2*C/tau) * (B - Q)"])


@evidence("l2bm.sec3c.alpha-priority.order", form="printed", strength="exact")
def a_larger_alpha_outweighs_a_longer_stay() -> Outcome:
    """Alpha 1/8 and 1/2, sojourn times 1 and 2: the slower queue has the larger weight."""
    values = {"a1": "1/8", "a2": "1/2", "tau1": "1", "tau2": "2", "C": "3"}
    return Counterexample(
        Witness(
            "values", {"values": values, "hypotheses": ["tau1 < tau2"], "statement": "a1 * C / tau1 > a2 * C / tau2"}
        )
    )


@evidence("l2bm.sec3c.alpha-priority.order", form="assumed", strength="symbolic")
def with_no_smaller_alpha_the_faster_queue_has_more() -> Outcome:
    """Alpha + e against alpha, tau against tau + d: the difference has no negative coefficient."""
    alpha, e, tau, d, C, F = sympy.symbols("alpha e tau d C F", positive=True)
    certificate = nonnegative((alpha + e) * C / tau * F - alpha * C / (tau + d) * F, strict=True)
    equal = nonnegative(alpha * C / tau * F - alpha * C / (tau + d) * F, strict=True)
    example = {"a1": "1/2", "a2": "1/2", "tau1": "1", "tau2": "2", "C": "3"}
    return Proved(f"{certificate}; {equal}", example, ["a1 >= a2", "a1*C/tau1 > a2*C/tau2"])


@evidence("l2bm.sec3d.rest", "l2bm.sec3d.steady", form="printed", strength="exact")
def a_new_average_moves_the_occupancy() -> Outcome:
    """Sojourn times (1, 1), alpha = 1, B = 5: 4 held; once they are (1, 4), equation (8) says 125/29."""
    before, after = (l2bm.sojourn_steady_state(5, times, 1).occupancy for times in ([1, 1], [1, 4]))
    check((before, after) == (Fraction(4), 5 * Fraction(25, 29)), f"{before}, {after}")
    values = {"B": "5", "before": "4", "after": "25/4"}
    hypotheses = ["before == (1 + 1) * (1 + 1)", "after == (1 + 4) * (1 + 1/4)"]
    statement = "B * before / (1 + before) == B * after / (1 + after)"
    return Counterexample(
        Witness("values", {"values": values, "hypotheses": hypotheses, "statement": statement},
                says="the total weight alpha (sum tau)(sum 1/tau) before and after the packets of one queue change")
    )  # fmt: skip


@evidence("l2bm.sec3d.rest", form="assumed", strength="symbolic")
def with_weights_that_rest_the_occupancy_rests() -> Outcome:
    """F' + sum clip(w F', -C, R - C) = 0 with R >= C: its left side has the sign of F', mirrored for F' < 0."""
    slope, w, drain, surplus = sympy.symbols("slope w C r", positive=True)
    for clipped in (w * slope, drain, surplus):  # the three values that one |clip| can take; r = 0 leaves F' alone
        certificate = nonnegative(slope + clipped, strict=True)
    return Proved(certificate, {"w": "4", "B": "5", "Q": "4"}, ["Q == w * (B - Q)"])


@evidence("l2bm.sec3b.state", form="printed", strength="exact")
def total_and_counter_do_not_determine_the_next_total() -> Outcome:
    """Replay a packet of 2 s from time 0 and from time 1: the same total and count; after one more at 2, 1 and 2."""
    finals = []
    for start in ("0", "1"):
        before = run_trace(request(arrive(start, "a", "2")))["final"]
        check((before["total"], before["packets"]) == ("2", 1), f"{before}")
        finals.append(run_trace(request(arrive(start, "a", "2"), arrive("2", "b", "1")))["final"]["total"])
    check(finals == ["1", "2"], f"{finals}")
    trace = request(arrive("0", "a", "2"), arrive("2", "b", "1"))
    return Counterexample(Witness("trace", trace, {"final": {"total": "1"}}, {"final": {"total": "2"}}, "2 from 1"))


@evidence("l2bm.sec4c.only-recorder", form="printed", strength="kernel")
def the_same_recorder_gives_two_weights() -> Outcome:
    """Sojourn times (1, 1) and (1, 3): the first queue's recorder is the same, its weight 2 alpha and 4 alpha."""
    pair = tuple(l2bm.weights(times, 1)[0] for times in ([1, 1], [1, 3]))
    check(pair == (Fraction(2), Fraction(4)), f"{pair}")
    values = {"own": "1", "other": "1", "later": "3", "alpha": "1"}
    statement = "alpha * (own + other) / own == alpha * (own + later) / own"
    given = ["min(own, other, later, alpha) > 0"]
    return Counterexample(Witness("values", {"values": values, "hypotheses": given, "statement": statement}))


@evidence("l2bm.sec2a.starvation", form="printed", strength="exact")
def rdma_keeps_what_tcp_leaves() -> Outcome:
    """TCP offers half the link: RDMA has no reason to slow down below the other half, where congestion ends."""
    values = {"C": "1", "tcp": "1/2", "rdma": "1/2"}
    hypotheses = ["rdma + tcp <= C", "tcp > 0"]  # no queue grows any more: nobody is told to slow down
    return Counterexample(Witness("values", {"values": values, "hypotheses": hypotheses, "statement": "rdma == 0"}))


@evidence("l2bm.sec2a.starvation", form="assumed", strength="symbolic")
def against_tcp_at_the_rate_of_the_link_every_rate_is_congested() -> Outcome:
    """With T = C + e, r + T - C = r + e > 0 for each r > 0, and first in, first out sends C r / (r + T) <= r."""
    r, C, e = sympy.symbols("r C e", positive=True)
    nonnegative((r + C + e) - C, strict=True)
    certificate = nonnegative(r - C * r / (r + C + e))
    return Proved(certificate, {"r": "1/9", "T": "1", "C": "1"}, ["T >= C", "r + T > C", "C * r / (r + T) <= r"])


@evidence("l2bm.sec3d.burst.longer.ingress", form="printed", strength="exact")
def a_burst_to_an_idle_output_shortens_the_average() -> Outcome:
    """Replay a packet of 10 s, then one of 1 s of the burst: from 10 to 11/2."""
    events = [arrive("0", "a", "10"), arrive("0", "b", "1")]
    averages = [run_trace(request(*events[:count]))["final"]["mean"] for count in (1, 2)]
    check(averages == ["10", "11/2"], f"{averages}")
    values = {"queued": "10", "burst": "1"}
    statement = "(queued + burst) / 2 > queued"
    return Counterexample(Witness("values", {"values": values, "hypotheses": ["burst > 0"], "statement": statement}))


@evidence("l2bm.sec3d.burst.longer.ingress", form="assumed", strength="symbolic")
def a_packet_above_the_average_raises_it() -> Outcome:
    """(n m + m + d) / (n + 1) - m = d / (n + 1) > 0; then two packets of the implementation."""
    n, m, d = sympy.symbols("n m d", positive=True)
    certificate = nonnegative((n * m + m + d) / (n + 1) - m, strict=True)
    check(run_trace(request(arrive("0", "a", "1"), arrive("0", "b", "3")))["final"]["mean"] == "2", "the instance")
    return Proved(certificate, {"m": "1", "s": "3", "n": "1"}, ["s > m", "(n * m + s) / (n + 1) > m"])
