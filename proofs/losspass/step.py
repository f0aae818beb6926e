# ruff: noqa: SIM300 - upper-case names are symbols of the paper, not constants
"""One step of Algorithm 1 as arithmetic: what each line guarantees, proved for all sizes by z3 and cvc5.

The state before the step is any that the port can be in: lengths s of Q_s and l of Q_l with s + l <= B, the victim v
with 0 < v <= l, the packet P with 0 < P <= B, the reserve b = B_l with 0 <= b <= B.
"""

from __future__ import annotations

import sympy as sp

from dtmodel.ledger import Outcome, Proved, evidence
from dtmodel.provers import smt

B, b, s, l, v, P = sp.symbols("B b s l v P", real=True)
STATE = [s >= 0, b >= 0, b <= B, v > 0, v <= l, s + l <= B, P > 0, P <= B]
OVERFLOW = P + s + l > B  # line 1
LINE_3 = P <= v
LINE_4 = P + s <= B - b
LINE_4_PRINTED = P + s >= B - b


@evidence(
    "losspass.alg1.line3", "losspass.sec3.2.2.single", "losspass.sec4.1.head.line3", form="printed", strength="smt"
)
def one_victim_that_is_large_enough_makes_room() -> Outcome:
    """From any state, line 3 implies that the port holds the packet after one eviction (tail or head alike)."""
    return smt.prove([*STATE, OVERFLOW, LINE_3], s + l - v + P <= B).proved()


@evidence("losspass.ours.one-eviction", form="printed", strength="smt")
def one_eviction_is_enough_iff_victim_and_free_bytes_hold_the_packet() -> Outcome:
    """Both directions: room after one eviction iff P <= v + F; line 3 is the case F = 0."""
    room, condition = s + l - v + P <= B, v + (B - s - l) >= P
    smt.prove([*STATE, OVERFLOW, room], condition)
    smt.refute([*STATE, OVERFLOW, room], LINE_3)  # line 3 is not necessary
    return smt.prove([*STATE, OVERFLOW, condition], room).proved("room after one eviction iff P <= v + F")


@evidence("losspass.alg1.line4", "losspass.sec3.2.allowed", form="repaired", strength="smt")
def line_4_mended_is_exactly_the_allowed_length() -> Outcome:
    """With "at most", an eviction happens iff Q_s stays within B - B_l after line 6, given lines 1 and 3."""
    after = s + P
    smt.prove([*STATE, OVERFLOW, LINE_3, after <= B - b], LINE_4)
    return smt.prove([*STATE, OVERFLOW, LINE_3, LINE_4], after <= B - b).proved()


@evidence("losspass.ours.reserve", form="printed", strength="smt")
def an_eviction_needs_more_than_the_reserve() -> Outcome:
    """Lines 1 and 4 (mended) imply Q_l > B_l before and Q_s <= B - B_l after."""
    return smt.prove([*STATE, OVERFLOW, LINE_4], [l > b, s + P <= B - b]).proved()


@evidence("losspass.sec3.2.3.guarantee", form="assumed", strength="smt")
def whole_packets_keep_the_reserve() -> Outcome:
    """In units of the one packet size: an eviction leaves at least B_l in Q_l."""
    n, r, S, L = sp.symbols("n r S L", integer=True)
    state = [S >= 0, r >= 0, r <= n, L >= 1, S + L <= n, 1 + S + L > n, 1 + S <= n - r]
    return smt.prove(state, L - 1 >= r).proved()


@evidence("losspass.ours.literal-line4", form="printed", strength="smt")
def the_printed_line_4_asks_for_one_last_packet_of_the_same_size() -> Outcome:
    """With B_l = 0, lines 1, 3 and 4 as printed imply s + l = B and l = v = P."""
    conditions = [*STATE, sp.Eq(b, 0), OVERFLOW, LINE_3, LINE_4_PRINTED]
    for goal in (s + l >= B, l <= P, v <= P):  # the converses stand in the state and in line 3
        proof = smt.prove(conditions, goal)
    return proof.proved("s + l = B and l = v = P")


@evidence("losspass.ours.eviction-cost", "losspass.sec3.4.same-port", form="printed", strength="smt")
def an_eviction_never_lengthens_the_port() -> Outcome:
    """Tail drop leaves s + l bytes, an eviction s + l - v + P: v - P >= 0 less, and 0 for one size."""
    smt.prove([*STATE, OVERFLOW, LINE_3, sp.Eq(P, v)], sp.Eq(s + l - v + P, s + l))
    return smt.prove([*STATE, OVERFLOW, LINE_3], s + l - v + P <= s + l).proved()


@evidence("losspass.ours.limited", form="printed", strength="smt")
def limiting_line_12_limits_the_small_queue() -> Outcome:
    """Inductive: if Q_s <= B - B_l before, then after either way to enqueue; and a full port then has Q_l >= B_l."""
    n, r, S, L = sp.symbols("n r S L", integer=True)
    full = [S >= 0, L >= 0, r >= 0, r <= n, S <= n - r, S + L <= n, 1 + S + L > n]
    smt.prove(full, L >= r)
    smt.prove([*STATE, s <= B - b, P + s <= B - b, P + s + l <= B], s + P <= B - b)
    return smt.prove([*STATE, s <= B - b, OVERFLOW, LINE_3, LINE_4], s + P <= B - b).proved()


@evidence("losspass.ours.feasible", "losspass.alg1.line1", form="printed", strength="smt")
def the_port_never_holds_more_than_its_buffer() -> Outcome:
    """Inductive over all ways to change the lengths: line 12, lines 5 and 6, line 10 after them, and a departure."""
    smt.prove([*STATE, P + s + l <= B], [s + P + l <= B])
    smt.prove([*STATE, OVERFLOW, LINE_3], s + P + l - v <= B)
    smt.prove([*STATE, OVERFLOW, LINE_3], s + l - v <= B)
    return smt.prove(STATE, s + l - v <= B).proved("the empty port holds 0 <= B, and every step keeps s + l <= B")


@evidence("losspass.sec3.1.evict", "losspass.slides.evict", form="assumed", strength="smt")
def packets_of_one_size_are_always_exchanged() -> Outcome:
    """With P = v, Q_l not empty and room in B - B_l, lines 3 and 4 hold and the port holds the packet afterwards."""
    return smt.prove([*STATE, sp.Eq(P, v), P + s <= B - b, OVERFLOW], [LINE_3, LINE_4, s + l - v + P <= B]).proved()


@evidence("losspass.sec3.2.4.ks", "losspass.ours.ecn-b", form="printed", strength="smt")
def a_threshold_of_the_whole_buffer_never_marks() -> Outcome:
    """The length of a queue is at most B, so it exceeds no K >= B."""
    K = sp.Symbol("K", real=True)
    return smt.prove([*STATE, K >= B], [s <= K, s + l <= K]).proved()


@evidence("losspass.sec3.2.2.cells", form="printed", strength="smt")
def a_longer_victim_frees_at_least_as_many_cells() -> Outcome:
    """If p is the least and w any number of cells with P <= p c and v <= w c, then P <= v implies p <= w."""
    p, w = sp.symbols("p w", integer=True)
    c = sp.Symbol("c", positive=True)
    least = (p - 1) * c < P
    proof = smt.prove([P > 0, least, P <= p * c, v <= w * c, P <= v, p >= 1, w >= 1], p <= w)
    return Proved("the least p with P <= p c is at most every w with v <= w c", proof.example)


@evidence("losspass.sec6.complementary", form="assumed", strength="smt")
def a_new_buffer_size_that_holds_the_port_keeps_every_line() -> Outcome:
    """With B replaced by any A >= s + l (and A >= P), lines 1 and 3 still make room by one eviction."""
    A = sp.Symbol("A", real=True)
    hypotheses = [s >= 0, v > 0, v <= l, P > 0, s + l <= B, s + l <= A, P <= A, P + s + l > A, LINE_3]
    return smt.prove(hypotheses, s + l - v + P <= A).proved()
