"""What Algorithm 1 guarantees: the deficit of a refused queue, one active queue, several, and the repaired line 2."""

from __future__ import annotations

from collections.abc import Sequence

import sympy

from dtmodel.ledger import Outcome, Proved, evidence
from dtmodel.provers import slack, smt

from .common import QUEUES, Step, step
from .invariants import for_each_number_of_queues


@evidence("dynaq.ours.deficit", form="printed", strength="smt")
def a_refused_queue_misses_less_than_m_minus_1_packets() -> Outcome:
    """Prove S_p - T_p < (M - 1) s when a packet of s bytes is refused by line 3."""
    return for_each_number_of_queues(
        lambda x: ([*x.legal, *x.largest, x.refused], x.S[0] - x.T[0] < (x.M - 1) * x.s),
        "S_p - T_p < (M - 1) size(P)",
    )


@evidence("dynaq.ours.deficit", form="printed", strength="smt")
def in_multiples_of_the_granularity_the_deficit_is_at_most_m_minus_1_times_l_minus_g() -> Outcome:
    """Prove -k_p <= (M - 1)(n - 1) for extras k g and a packet of n g bytes, over the integers."""
    example = {}
    for M in QUEUES:
        k = sympy.symbols(f"k0:{M}", integer=True)
        n = sympy.Symbol("n", integer=True)
        hypotheses = [n >= 1, sympy.Eq(sum(k), 0), *(k[1] >= k[i] for i in range(2, M)), k[1] < n]
        proof = smt.prove(hypotheses, -k[0] <= (M - 1) * (n - 1))
        example = {str(key): str(value) for key, value in proof.example.items()}
    return Proved("extras are multiples of g, and that of the refusing victim is below the packet", example)


@evidence("dynaq.ours.deficit", form="printed", strength="symbolic")
def the_deficit_for_every_number_of_queues() -> Outcome:
    """Certify (M - 1)(L - g) - (S_p - T_p) >= 0 for symbolic M.

    The extras sum to 0, so that S_p - T_p is the sum of the M - 1 others, which is (M - 1) e_v - E with E >= 0 the sum
    of what each lacks to the victim's e_v; a refusing victim has e_v = L - g - delta, delta >= 0, in multiples of g.
    """
    M, L, g, E, delta = sympy.symbols("M L g E delta", nonnegative=True)
    more, above = sympy.symbols("m a", nonnegative=True)
    victim = L - g - delta
    gap = (M - 1) * (L - g) - ((M - 1) * victim - E)
    certificate = slack.certificate(sympy.expand(gap), {M: more + 1, L: g + above})
    return certificate.proved("S_p - T_p <= (M - 1)(L - g) for every M")


@evidence("dynaq.sec3.2.3.strictly@one-size", "dynaq.ours.one-size", form="printed", strength="smt")
def with_one_packet_size_a_refused_queue_is_satisfied() -> Outcome:
    """Prove k_p >= 0 when every packet has the same size: extras are whole packets, and the victim's is below one."""
    example = {}
    for M in QUEUES:
        k = sympy.symbols(f"k0:{M}", integer=True)
        hypotheses = [sympy.Eq(sum(k), 0), *(k[1] >= k[i] for i in range(2, M)), k[1] < 1]
        proof = smt.prove(hypotheses, k[0] >= 0)
        example = {str(key): str(value) for key, value in proof.example.items()}
    return Proved("a queue of which line 3 refuses a packet has T_p >= S_p", example)


@evidence("dynaq.ours.alone", form="printed", strength="smt")
def one_active_queue_is_refused_only_above_the_bound() -> Outcome:
    """Prove T_p > S_p + (M - 1)(m - s), m the smallest of the others' S, if they are empty and line 3 refuses."""

    def obligation(x: Step) -> tuple[Sequence[sympy.Basic], sympy.Basic]:
        m = sympy.Symbol("m", real=True)
        empty = [sympy.Eq(x.q[i], 0) for i in range(1, x.M)]
        least = [m > 0, *(m <= x.S[i] for i in range(1, x.M))]
        return [*x.legal, *x.largest, *empty, *least, x.refused], x.T[0] > x.S[0] + (x.M - 1) * (m - x.s)

    return for_each_number_of_queues(obligation, "T_p > S_p + (M - 1)(min S - size(P))")


@evidence("dynaq.ours.alone-equal", "dynaq.sec3.2.3.work-conservation@one-equal", form="printed", strength="smt")
def with_equal_weights_one_active_queue_gets_all_but_m_minus_1_packets() -> Outcome:
    """Prove T_p > B - (M - 1) s for equal weights when the others are empty and line 3 refuses."""

    def obligation(x: Step) -> tuple[Sequence[sympy.Basic], sympy.Basic]:
        empty = [sympy.Eq(x.q[i], 0) for i in range(1, x.M)]
        equal = [sympy.Eq(x.S[i], x.S[0]) for i in range(1, x.M)]
        return [*x.legal, *x.largest, *empty, *equal, x.refused], x.T[0] > x.M * x.S[0] - (x.M - 1) * x.s

    return for_each_number_of_queues(obligation, "T_p > B - (M - 1) size(P)")


@evidence("dynaq.ours.together", form="printed", strength="smt")
def an_idle_queue_gives_little_while_two_others_are_active() -> Outcome:
    """Prove the invariant: an active queue has extra >= 0, an idle one extra >= -L.

    Queues 0 (which sends) and M - 1 are always active, queue 1 (the victim) is idle or active; every other queue only
    has to keep its part. From the initial extras of 0, the idle queues never lend more than L each.
    """

    def obligation(x: Step) -> tuple[Sequence[sympy.Basic], sympy.Basic]:
        L = sympy.Symbol("L", real=True)
        last = x.M - 1
        other_active = [x.T[last] >= x.S[last], x.q[last] > 0, x.q[0] > 0, x.T[0] >= x.S[0]]
        before = [x.T[i] - x.S[i] >= -L for i in range(1, x.M)]
        after = [x.T_new[i] - x.S[i] >= -L for i in range(1, x.M)]
        kept = [x.T_new[last] >= x.S[last], x.T_new[0] >= x.S[0]]
        return [*x.legal, *x.largest, *x.may_give, x.s <= L, *other_active, *before], sympy.And(*after, *kept)

    examples = {M: smt.prove(*obligation(step(M))).example for M in QUEUES[1:]}
    return Proved(
        "sum over the active of T <= sum over the active of S + (M - |A|) L (M = 3 to 5)",
        {str(k): str(v) for k, v in examples[3].items()},
    )


@evidence("dynaq.ours.repair", form="printed", strength="smt")
def with_the_repair_only_useless_remainders_stay_unused() -> Outcome:
    """Prove that when no queue may give, an idle one keeps less than a packet: the others have more than B - s.

    With several idle queues, the sending queue and the active ones together have more than B - (how many) s.
    """

    def obligation(x: Step) -> tuple[Sequence[sympy.Basic], sympy.Basic]:
        # Queue 1 is idle, the others beside 0 may be either; none may give a packet of s bytes.
        idle = [sympy.Eq(x.q[1], 0)]
        none = [sympy.Or(x.T[i] < x.s, sympy.And(x.q[i] > 0, x.T[i] - x.s < x.S[i])) for i in range(1, x.M)]
        held = sum(x.T[i] for i in range(x.M) if i != 1)
        return [*x.legal, *idle, *none], held > sum(x.S) - x.s

    return for_each_number_of_queues(obligation, "an idle queue keeps less than a packet of threshold")


@evidence("dynaq.ours.repair-invariants", form="printed", strength="smt")
def the_repair_keeps_every_invariant() -> Outcome:
    """Prove sum, non-negativity and satisfaction for any victim that may give, even if its extra is not the largest."""

    def obligation(x: Step) -> tuple[Sequence[sympy.Basic], sympy.Basic]:
        kept = [sympy.Or(x.q[i] <= 0, x.T[i] < x.S[i], x.T_new[i] >= x.S[i]) for i in range(x.M)]
        sound = [sympy.Eq(sum(x.T_new), sum(x.S)), *(T >= 0 for T in x.T_new)]
        return [*x.legal, *x.may_give], sympy.And(*kept, *sound)

    return for_each_number_of_queues(obligation, "line 2 is not needed for the invariants of lines 3, 6 and 7")


@evidence("dynaq.ours.repair-deficit", form="printed", strength="smt")
def the_repair_keeps_the_bound_on_the_deficit() -> Outcome:
    """Prove S_p - T_p < (M - 1) s when no other queue may give a packet of s bytes."""

    def obligation(x: Step) -> tuple[Sequence[sympy.Basic], sympy.Basic]:
        none = [sympy.Or(x.T[i] < x.s, sympy.And(x.q[i] > 0, x.T[i] - x.s < x.S[i])) for i in range(1, x.M)]
        return [*x.legal, *none], x.S[0] - x.T[0] < (x.M - 1) * x.s

    return for_each_number_of_queues(obligation, "S_p - T_p < (M - 1) size(P) under the repaired line 2 as well")


@evidence("dynaq.ours.two-queues", form="printed", strength="smt")
def with_two_queues_an_always_active_one_is_never_refused_within_its_share() -> Outcome:
    """Prove the invariant of M = 2 with queue 0 always active: q_1 <= T_1 after every step, so that the port has room.

    With q_1 <= T_1 <= S_1 a packet of queue 0 with q_0 + s <= S_0 passes line 1 (T_0 >= S_0) and finds q_0 + q_1 + s
    <= B. Queue 1 grows within T_1; beyond it queue 0 has to give, and then T_1 grows as much as q_1. Queue 0 takes from
    queue 1 only what leaves T_1 >= S_1, which never happens, or when queue 1 is empty.
    """
    x = step(2)
    invariant = [x.q[0] > 0, x.T[0] >= x.S[0], x.q[1] <= x.T[1]]
    room = smt.prove([*x.legal, *invariant, x.q[0] + x.s <= x.S[0]], x.q[0] + x.q[1] + x.s <= x.S[0] + x.S[1])
    taken = smt.prove([*x.legal, *invariant, *x.may_give], sympy.And(x.T_new[0] >= x.S[0], x.q[1] <= x.T_new[1]))
    # Queue 1 sends: the victim is queue 0, which is active.
    grown = x.T[1] + x.s
    given = [x.T[0] - x.s >= x.S[0], x.q[1] + x.s > x.T[1]]
    gave = smt.prove([*x.legal, *invariant, *given], sympy.And(x.T[0] - x.s >= x.S[0], x.q[1] + x.s <= grown))
    within = smt.prove([*x.legal, *invariant, x.q[1] + x.s <= x.T[1]], x.q[1] + x.s <= x.T[1])
    del taken, gave, within
    return Proved(
        "queue 0 is refused nothing while q_0 + size(P) <= S_0", {str(k): str(v) for k, v in room.example.items()}
    )
