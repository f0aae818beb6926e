"""Sections 1, 2.1 and 2.2: switch architectures and their memory; proofs."""

from fractions import Fraction

import sympy as sp

from dtmodel.fluid import answer
from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.ledger.provers import smt


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


@evidence("edt.sec2.1.oq-work-conserving", form="printed", strength="smt")
def an_output_queue_sends_whenever_it_can() -> Outcome:
    """One slot of an output queue: departures min(q + a, 1); z3 and cvc5 over integers."""
    q, a = sp.symbols("q a", integer=True, nonnegative=True)
    proof = smt.prove([q + a > 0], sp.Eq(sp.Min(q + a, 1), 1))
    smt.prove([], q + a - sp.Min(q + a, 1) >= 0)
    return Proved("q + a > 0 implies one departure", {**proof.example})


@evidence("edt.sec2.1.cioq-both", form="printed", strength="smt")
def both_sides_wait_for_a_speedup_in_between() -> Outcome:
    """One slot, P packets for one output: min(S, P) cross the fabric, one leaves; z3 and cvc5 over integers."""
    P, S = sp.symbols("P S", integer=True, positive=True)
    crossed = sp.Min(S, P)
    proof = smt.prove([S > 1, S < P], sp.And(P - crossed >= 1, crossed - 1 >= 1))
    smt.prove([sp.Eq(S, 1)], sp.Eq(crossed - 1, 0))
    smt.prove([sp.Eq(S, P)], sp.Eq(P - crossed, 0))
    return Proved("P - S wait at the inputs, S - 1 at the output", {**proof.example}, ["S > 1", "S < P"])


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


@evidence("edt.fn1", form="printed", strength="smt")
def the_speedups_by_definition() -> Outcome:
    """Internal bandwidth over line rate; an S with 1 < S < P exists iff P > 1; z3 and cvc5."""
    C, P, S = sp.symbols("C P S", positive=True)
    check(sp.cancel(C / C) == 1 and sp.cancel(P * C / C) == P, "the speedups of input and output queues")
    smt.prove([S > 1, S < P], P > 1)
    proof = smt.prove([P > 1], [(1 + P) / 2 > 1, (1 + P) / 2 < P])
    return Proved("1, P, and (1 + P)/2 between them for P > 1", {**proof.example})


@evidence("edt.sec2.2.output-queued", form="printed", strength="smt")
def what_fits_is_queued_as_if_it_were_alone() -> Outcome:
    """By induction over pieces: a queue grows by at most max(0, R - C) s in s, so all fit and all is admitted.

    Then Q goes to max(0, Q + (R - C) s), in which nothing of the other queues stands.
    """
    own, others, room, more, s, B = sp.symbols("own others room more s B", nonnegative=True)
    R, C = sp.symbols("R C", positive=True)
    smt.prove([], sp.Max(0, own + (R - C) * s) <= own + sp.Max(0, R - C) * s)
    fits = [own + others <= B - room, sp.Max(0, R - C) * s + more <= room]
    return smt.prove(fits, own + sp.Max(0, R - C) * s + others + more <= B).proved("nothing is rejected")


@evidence("edt.sec2.2.memory-twice", "edt.sec2.2.bandwidth-limit", form="printed", strength="symbolic")
def each_byte_is_written_once_and_read_once() -> Outcome:
    """Bytes written are those admitted, bytes read those sent; at P busy lines in and out the sum is 2 P C."""
    P, C, t = sp.symbols("P C t", positive=True)
    written, read = P * C * t, P * C * t
    check(sp.cancel((written + read) / t - 2 * P * C) == 0, "the bandwidth is not 2 P C")
    offered = {"3": "2", "2": "1"}  # each rate, and its end
    found = answer(
        {
            "switch": {"ports": 2, "buffer": "6", "rate": "1"},
            "policy": {"name": "dt", "alpha": "1"},
            "queues": [{"arrivals": [["0", rate], [end, "0"]]} for rate, end in offered.items()],
            "until": "9",
        }
    )
    for port, (rate, end) in enumerate(offered.items()):
        entered = int(rate) * int(end) - Fraction(found["dropped"][port])
        check(entered == Fraction(found["drained"][port]), "bytes written and read differ in an emptied switch")
    return Proved("2 P C", {"P": "64", "C": "1250000000", "bandwidth": "160000000000"}, ["bandwidth == 2 * P * C"])


@evidence("edt.intro.micro-burst", form="printed", strength="smt")
def a_second_input_makes_the_queue_grow() -> Outcome:
    """Below the threshold Q' = n C - C = (n - 1) C, which is positive iff n >= 2, n whole."""
    inputs, rate = sp.Symbol("n", integer=True, positive=True), sp.Symbol("C", positive=True)
    smt.prove([inputs >= 2], inputs * rate - rate > 0)
    return smt.prove([inputs < 2], sp.Eq(inputs * rate - rate, 0)).proved("Q' = (n - 1) C")
