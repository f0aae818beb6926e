"""Definitions of Table I and Section IV: they are well-posed, or what they lack."""

from __future__ import annotations

import sympy

from dtmodel.ledger import Counterexample, Outcome, Proved, Witness, check, evidence
from dtmodel.packet.l2bm import run_trace
from dtmodel.theory import l2bm

from .common import arrive, depart, identity, nonnegative, request

alpha, tau, C, F = sympy.symbols("alpha tau C F", positive=True)


@evidence("l2bm.sec1.tcp-unaware", form="printed", strength="symbolic")
def dts_threshold_contains_no_drain_rate() -> Outcome:
    """Equation (1) has the symbols alpha, B and Q_in only."""
    names = {str(symbol) for symbol in l2bm.formulas()["eq1"].rhs.free_symbols}
    check(names == {"alpha", "B", "Q_in", "Q_in[i]", "n"}, f"{names}")
    return Proved("symbols: alpha, B, Q_in, n", {"alpha": "1/8", "F": "8", "T": "1"}, ["T == alpha * F"])


@evidence("l2bm.tab1.B", form="printed", strength="symbolic")
def the_buffer_holds_the_steady_state() -> Outcome:
    """B - B W / (1 + W) = B / (1 + W) > 0."""
    B, W = sympy.symbols("B W", positive=True)
    return Proved(nonnegative(B - B * W / (1 + W), strict=True), {"B": "4", "W": "1"}, ["B * W / (1 + W) < B"])


@evidence("l2bm.tab1.t", form="printed", strength="symbolic")
def a_shift_of_time_changes_no_total() -> Outcome:
    """Times enter Algorithm 1 as t_now - t_prev only."""
    now, prev, shift, n = sympy.symbols("t_now t_prev c N", real=True)
    identity(n * ((now + shift) - (prev + shift)), n * (now - prev), "the interval")
    first, later = (run_trace(request(arrive(a, "x", "5"), depart(b, "x"))) for a, b in (("0", "2"), ("7", "9")))
    check(first["final"]["total"] == later["final"]["total"], "the totals")
    return Proved("only differences of times occur", {"t": "2", "p": "0", "c": "7"}, ["t - p == (t + c) - (p + c)"])


@evidence("l2bm.tab1.N", form="printed", strength="exact")
def one_port_with_two_packets() -> Outcome:
    """One active port with one ingress queue of two packets: equation (2) needs 2, equation (5) needs 1."""
    final = run_trace(request(arrive("0", "a", "1"), arrive("0", "b", "2")))["final"]
    check(final["packets"] == 2, f"{final}")
    values = {"ports": "1", "packets": "2"}
    return Counterexample(
        Witness("values", {"values": values, "hypotheses": ["ports >= 1"], "statement": "ports == packets"})
    )


@evidence("l2bm.tab1.mu", form="printed", strength="exact")
def a_shared_link_drains_a_queue_more_slowly() -> Outcome:
    """Two backlogged queues with equal packets: each drains at half the link."""
    values = {"link": "1", "queues": "2", "drain": "1/2"}
    return Counterexample(
        Witness("values", {"values": values, "hypotheses": ["drain == link / queues"], "statement": "drain == link"})
    )


@evidence("l2bm.tab1.mu", form="assumed", strength="symbolic")
def a_queue_alone_drains_at_the_rate_of_the_link() -> Outcome:
    """A work-conserving port sends bytes at its rate, all of them from the only backlogged queue."""
    link, others = sympy.symbols("link others", nonnegative=True)
    identity((link - others).subs(others, 0), link, "the drain rate")
    return Proved("drain = link - others", {"link": "1", "others": "0", "drain": "1"}, ["drain == link - others"])


@evidence("l2bm.tab1.tau", form="printed", strength="exact")
def an_empty_queue_has_none() -> Outcome:
    """Replay a queue that has emptied."""
    trace = request(arrive("0", "x", "1"), depart("1", "x"))
    return Counterexample(Witness("trace", trace, {"final": {"mean": None}}, {"final": {"mean": "0"}}))


@evidence("l2bm.tab1.tau", form="assumed", strength="symbolic")
def with_a_packet_the_quotient_exists() -> Outcome:
    """N = 1 + k > 0 is a divisor."""
    total, k = sympy.symbols("t_total k", positive=True)
    return Proved(
        nonnegative(total / (1 + k), strict=True),
        {"total": "6", "N": "3", "tau": "2"},
        ["tau == total / N"],
    )


@evidence("l2bm.tab1.alpha", "l2bm.tab1.T", form="printed", strength="symbolic")
def equation_3_is_one_value_for_each_active_queue() -> Outcome:
    """For positive tau, C and F it is a single positive number, linear in alpha."""
    threshold = alpha * C / tau * F
    check(sympy.degree(threshold, alpha) == 1, "not linear")
    example = {"alpha": "1/8", "C": "2", "tau": "1", "F": "4", "T": "1"}
    return Proved(nonnegative(threshold, strict=True), example, ["T == alpha * C / tau * F"])


@evidence("l2bm.sec4.incast-split", form="printed", strength="symbolic")
def the_parts_of_a_request_add_up() -> Outcome:
    """N (x / N) = x."""
    N, x = sympy.symbols("N x", positive=True)
    identity(N * (x / N), x, "the request")
    return Proved("N (x / N) = x", {"N": "5", "x": "1000000"}, ["N * (x / N) == x"])


@evidence("l2bm.sec4.response", "l2bm.sec4.slowdown", form="printed", strength="symbolic")
def a_maximum_is_at_least_the_average_and_a_delay_at_least_1() -> Outcome:
    """N greatest = sum + gaps with gaps >= 0; actual = ideal + wait with wait >= 0."""
    N, total, gaps, ideal, wait = sympy.symbols("N total gaps ideal wait", positive=True)
    nonnegative((total + gaps) / N - total / N)
    certificate = nonnegative((ideal + wait) / ideal - 1)
    return Proved(certificate, {"a": "1", "b": "3", "ideal": "1"}, ["max(a, b) >= (a + b) / 2", "b / ideal >= 1"])
