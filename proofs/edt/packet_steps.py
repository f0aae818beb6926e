"""Sentences about packets and bursts that hold in any number: by induction over slots, packets, servers or bursts."""

from __future__ import annotations

from typing import Any

import sympy as sp

from dtmodel.ledger import Outcome, check, evidence
from dtmodel.policies import Threshold, ThresholdAdmission
from dtmodel.provers import slack, smt
from dtmodel.provers.every_path import Unknowns, all_of, every_path
from dtmodel.theory import dt_formulas as dt


@evidence("edt.sec2.1.oq-throughput", form="printed", strength="smt")
def the_bytes_sent_are_the_least_of_the_bounds() -> Outcome:
    """By induction over slots: what is sent is the least of A(s) + t - s, and no line of that rate sends more.

    The least bound of slot t + 1 is that of t plus 1, or what has arrived by then; other is what another line sends.
    """
    arrived, sent, comes, other, sends = sp.symbols("arrived sent comes other sends", integer=True, nonnegative=True)
    queue = arrived - sent
    leaves = sp.Min(queue + comes, 1)
    known = [sent <= arrived, other <= sent, sends <= 1, other + sends <= arrived + comes]
    now = sent + leaves
    steps = [sp.Eq(now, sp.Min(sent + 1, arrived + comes)), now <= arrived + comes, other + sends <= now]
    return smt.prove(known, steps).proved("D(t + 1) = min(D(t) + 1, A(t + 1)), and no line of that rate has sent more")


@evidence("edt.sec2.3.reserves@packets", form="assumed", strength="smt")
def the_last_place_is_not_given_away() -> Outcome:
    """Every path of DT's admission: a packet that it admits leaves a place, if B >= 1 + alpha; B, Q are whole."""
    given = Unknowns()
    alpha, buffer, queue = given.real("alpha"), given.whole("B"), given.whole("Q")
    law: Any = alpha  # an unknown in the place of a number
    paths = every_path(lambda: ThresholdAdmission([Threshold(law)]).admits(0, queue, buffer - queue, 0))
    admitted = [(path.condition, buffer - queue - 1 >= 1) for path in paths if path.result]
    known = [alpha > 0, queue >= 0, buffer - queue >= 1, buffer >= alpha + 1]
    found = given.prove_each(admitted, known, "QF_NIRA")
    return found.proved("from a queue with a place left to a queue with a place left")


@evidence("edt.fn4", form="assumed", strength="smt")
def bursts_that_begin_and_end_together_are_one() -> Outcome:
    """By induction over bursts: a sum that is constant until d and 0 afterwards stays so when another is added."""
    t, d, total, added = sp.symbols("t d total added", positive=True)
    lasting = sp.Piecewise((total, t < d), (0, True))
    one = sp.Piecewise((added, t < d), (0, True))
    both = sp.Piecewise((total + added, t < d), (0, True))
    return smt.prove([d > 0], sp.Eq(lasting + one, both)).proved("one burst of the summed rate and the same duration")


@evidence("edt.fig5.shape", form="assumed", strength="smt")
def overlapping_answers_add_up_to_a_rise_and_a_fall() -> Outcome:
    """By induction over servers: until the first end no rate falls, from then on none rises, so neither do sums."""
    t, later, turn, begin, end = sp.symbols("t later turn begin end", real=True)
    rate, total, total_later = sp.symbols("rate total total_later", nonnegative=True)

    def answers(at: sp.Symbol) -> sp.Expr:
        return sp.Piecewise((rate, sp.And(begin <= at, at < end)), (0, True))

    overlap = [begin <= turn, turn <= end, t <= later]
    rise = smt.prove([*overlap, later < turn, total <= total_later], total + answers(t) <= total_later + answers(later))
    smt.prove([*overlap, turn <= t, total >= total_later], total + answers(t) >= total_later + answers(later))
    return rise.proved("the sum of any number of answers rises before the first end, and falls after it")


@evidence("edt.sec4.4.more-than-two", form="repaired", strength="symbolic")
def two_inputs_or_more_bring_2_C_at_least() -> Outcome:
    """K = 2 + k inputs at C bring 2 C + k C: 2 C is the least, and two inputs bring it."""
    more, C = sp.symbols("k C", nonnegative=True)
    check(sp.expand(((2 + more) * C).subs(more, 0) - 2 * C) == 0, "two inputs bring 2 C")
    return slack.certificate((2 + more) * C - 2 * C, {}).proved("K C - 2 C = k C >= 0, and 0 for K = 2")


@evidence("edt.fig7.return.underloaded@packets", form="assumed", strength="smt")
def between_arrivals_three_slots_apart_three_packets_leave() -> Outcome:
    """Departures of a queue of 3 end at whole times; after an arrival in [n, n + 1) the next is not before n + 3."""
    given = Unknowns()
    n, at, gap = given.whole("n"), given.real("at"), given.real("gap")
    known = [n <= at, at < n + 1, gap >= 3]
    inside = all_of(*((at < n + k) & (n + k <= at + gap) for k in (1, 2, 3)))
    return given.prove(known, inside).proved("n + 1, n + 2 and n + 3 lie between the arrivals: C1 reaches 3")


@evidence("edt.fig10.sawtooth", form="printed", strength="symbolic")
def a_departure_makes_the_queue_shorter() -> Outcome:
    """Whatever arrives between two departures, the length after one is less than before it by the packet sent."""
    queue, size = sp.symbols("Q s", positive=True)
    return slack.certificate(queue - (queue - size), {}, strict=True).proved("Q - (Q - s) = s > 0 at each departure")


@evidence("edt.sec2.1.iq-speedup", form="printed", strength="smt")
def no_input_serves_two_outputs() -> Outcome:
    """An output takes a packet from one input, whose head wants that output: two outputs are served by two inputs."""
    declared = (
        "(declare-fun head (Int) Int) (declare-fun input (Int) Int) (declare-const one Int) (declare-const two Int)"
    )
    known = ["(= (head (input one)) one)", "(= (head (input two)) two)", "(not (= one two))"]
    found = smt.prove_text(declared, known, "(not (= (input one) (input two)))", theory="QF_UFLIA")
    return found.proved("at most one packet from each input, and by the rule one to each output, for any P")


@evidence("edt.sec2.1.oq-speedup", form="printed", strength="smt")
def as_many_packets_as_inputs_can_go_to_one_output() -> Outcome:
    """By induction over inputs: each adds 0 or 1 to what one output is sent; if all want it, it is sent P."""
    sent, ports, one = sp.symbols("sent ports one", integer=True)
    smt.prove([sp.Eq(sent, 0), sp.Eq(ports, 0)], [sent <= ports, sp.Eq(sent, ports)])
    smt.prove([sp.Eq(sent, ports), sp.Eq(one, 1)], sp.Eq(sent + one, ports + 1))
    found = smt.prove([sent <= ports, one >= 0, one <= 1], sent + one <= ports + 1)
    return found.proved("P at most, and P if every input sends to the same output")


@evidence("edt.sec5.1.rate", form="printed", strength="smt")
def at_twice_the_rate_and_alpha_1_slow_means_few_bursts() -> Outcome:
    """2 C <= C (1 + (1 + N) / M), by the bound of Theorem 1, iff M <= N + 1."""
    C, M = sp.symbols("C M", positive=True)
    N = sp.Symbol("N", nonnegative=True)
    bound = dt.rate_bound(sp.Integer(1), C, M, N)
    smt.prove([bound >= 2 * C], M <= N + 1)
    return smt.prove([M <= N + 1], bound >= 2 * C).proved("both directions, for all M and N")
