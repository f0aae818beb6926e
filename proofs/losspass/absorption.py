"""Section 3.3: equation (6), how large a burst is absorbed; proofs."""

from fractions import Fraction

import sympy as sp

from dtmodel.ledger import Outcome, Proved, check, evidence, refuted_by_values
from dtmodel.ledger.provers import slack, smt
from dtmodel.ledger.provers.symbolic_execution import same
from dtmodel.theory.losspass.formulas import (
    burst_in_slots,
    compare_with_ecn,
    full_port,
    room_at,
    room_with_reserve,
)

from . import arrivals
from .arrivals import Arrived, P, as_tail_drop, both, floors, holds, l, ruled, s, small, tail
from .coupling import isolation_is_least
from .eviction import strict_priority_isolates_small_flows

K, N, B, C, T = sp.symbols("K N B C T", positive=True)
q, tau, b, L, K_0 = sp.symbols("q tau b L K", nonnegative=True)


def fluid_burst() -> Outcome:
    """Prove where the small queue stops growing, and that at a full port without reserve this is B tau later."""
    s, l, l0 = sp.symbols("s l l0", nonnegative=True)
    evicted = sp.And(s + l >= B, l >= b)  # evictions take place at a full port and while Q_l > B_l only
    hyps = [b <= B, l <= l0, s + l <= B, sp.Or(sp.Eq(l, l0), evicted)]
    stuck = [s + l >= B, sp.Or(l <= b, s >= B - b)]
    smt.prove([*hyps, *stuck, l0 <= b], sp.Eq(s, B - l0))
    proof = smt.prove([*hyps, *stuck, l0 >= b], sp.Eq(s, B - b))
    smt.prove([sp.Eq(b, 0), L <= B], sp.Eq(B - (B - L) - 0, L))  # Q_s = B - L, Q_l = L = tau B: the burst is L
    check(room_with_reserve(Fraction(8), Fraction(2), Fraction(6)) == full_port(Fraction(8), Fraction(3, 4)), "")
    return proof.proved("the small queue stops at B - min(Q_l, B_l); at a full port without reserve the burst is tau B")


@evidence("losspass.sec3.3.tau", form="printed", strength="smt")
def the_share_of_a_port_with_packets_is_well_defined() -> Outcome:
    """For q > 0 there is exactly one tau with Q_l = tau q; it lies in [0, 1], and Q_s = (1 - tau) q."""
    one, two = sp.symbols("one two", real=True)
    s, l = sp.symbols("s l", nonnegative=True)
    smt.prove([q > 0, sp.Eq(one * q, l), sp.Eq(two * q, l)], sp.Eq(one, two))
    given = [q > 0, sp.Eq(s + l, q), sp.Eq(one * q, l)]
    return smt.prove(given, [one >= 0, one <= 1, sp.Eq((1 - one) * q, s)]).proved()


@evidence("losspass.eq6", form="assumed", strength="smt")
def the_fluid_burst_at_a_full_port() -> Outcome:
    """One more drop of fluid is taken iff it fits, or Q_l > B_l and Q_s < B - B_l; so Q_s ends at B - min(Q_l, B_l)."""
    return fluid_burst()


@evidence("losspass.eq6.identity", form="printed", strength="symbolic")
def equation_6_is_an_identity() -> Outcome:
    """Both forms of equation (6) expand to B tau, whatever B and tau."""
    B, tau = sp.symbols("B tau")
    check(sp.expand(B - (B - B * tau) - B * tau) == 0, "(6)")
    check(sp.expand(B - B * (1 - tau) - B * tau) == 0, "(6) rewritten")
    return Proved("both expand to B tau", {"B": "128000", "tau": "19/20"}, ["tau <= 1"])


@evidence("losspass.sec3.3.tau-1", form="printed", strength="smt")
def a_port_of_large_flows_only_favours_losspass() -> Outcome:
    """For tau = 1 and a flow: B - 0 > B - (K + N); that K + N < B is not used."""
    flows = sp.Symbol("N", integer=True)
    smt.prove([K_0 + N > 0], B > B - (K_0 + N))
    return smt.prove([sp.Eq(tau, 1), flows >= 1, K_0 + flows < B], B - B * (1 - tau) > B - (K_0 + flows)).proved()


@evidence("losspass.sec3.3.practice@any-port", form="printed", strength="kernel")
def the_papers_switch_with_a_small_threshold_favours_ecn() -> Outcome:
    """512 KB a port (Section 2.1), K = 10 packets of 1500 bytes (Section 5.1.1), two flows, tau = 0.95."""
    both = compare_with_ecn(Fraction(512_000), Fraction(15_000), 2, Fraction("0.95"), segment=Fraction(1500))
    check([both.ecn, both.losspass] == [494_000, 486_400], "the two bursts")
    port, share, segment = Fraction(128_000), Fraction("0.95"), Fraction(1500)
    testbed = [compare_with_ecn(port, k * segment, 2, share, segment=segment) for k in (2, 3)]
    check([item.larger for item in testbed] == ["ecn", "losspass"], "the testbed's port: from K = 3 packets on")
    values = {"B": "512000", "K": "15000", "N": "2", "MSS": "1500", "tau": "19/20"}
    given = ["B == 512000", "K == 15000", "MSS == 1500", "tau == 19/20", "N >= 1", "K + N*MSS < B"]
    return refuted_by_values(values, "B*tau > B - (K + N*MSS)", "LossPass absorbs 486,400 bytes, ECN 494,000", given)


@evidence("losspass.sec3.3.practice", form="printed", strength="smt")
def the_least_threshold_of_the_testbed_is_enough() -> Outcome:
    """128,000 bytes, K >= 5 packets of 1500 bytes, N >= 1: with tau = 19/20 the burst of (5) is shorter than B tau."""
    port, packet, share = 128_000, 1500, sp.Rational(19, 20)
    flows = sp.Symbol("N", integer=True)
    given = [K_0 >= 5, flows >= 1, (K_0 + flows) * packet < port]
    for k in (5, 10, 45):
        both = compare_with_ecn(Fraction(port), Fraction(k * packet), 1, Fraction(19, 20), segment=Fraction(packet))
        check(both.larger == "losspass", f"K = {k} packets and one flow")
    return smt.prove(given, port * share > port - (K_0 + flows) * packet).proved("(K + N) 1500 > 6400 from K = 5 on")


@evidence("losspass.sec3.3.practice@shared-leaf", form="printed", strength="kernel")
def a_large_shared_buffer_favours_ecn() -> Outcome:
    """9 MB under DT with alpha = 1: one port may hold 4.5 MB; K = 84 packets, two flows, tau = 0.95."""
    both = compare_with_ecn(Fraction(4_500_000), Fraction(84 * 1500), 2, Fraction("0.95"), segment=Fraction(1500))
    check(both.larger == "ecn", "ECN absorbs more")
    values = {"S": "9000000", "alpha": "1", "B": "4500000", "K": "126000", "N": "2", "MSS": "1500", "tau": "19/20"}
    given = ["S == 9000000", "K == 126000", "MSS == 1500", "tau == 19/20", "alpha > 0", "N >= 1"]
    given += ["B == alpha*S/(1 + alpha)", "K + N*MSS < B"]
    says = "LossPass absorbs 4,275,000 bytes, ECN 4,371,000"
    return refuted_by_values(values, "B*tau > B - (K + N*MSS)", says, given)


@evidence("losspass.sec3.3.as-many", "losspass.sec3.1.minimised", form="assumed", strength="smt")
def no_policy_loses_fewer_small_packets() -> Outcome:
    """Under the assumption LossPass is the isolated port, and the isolated port loses least."""
    strict_priority_isolates_small_flows()
    return isolation_is_least()


@evidence("losspass.sec3.3.only-small", form="printed", strength="smt")
def with_an_empty_large_queue_every_path_is_tail_drops() -> Outcome:
    """Q_l empty: every path of every arrival enqueues what fits and drops the rest."""
    return both(as_tail_drop, "tail drop", where=lambda a: a.shape == "empty")


@evidence("losspass.ours.exact-condition", form="printed", strength="smt")
def the_exact_condition_for_losspass_to_absorb_more() -> Outcome:
    """Prove tau B - B_l > B - (K + N a) iff K + N a > (1 - tau) B + B_l iff tau > 1 - (K + N a - B_l)/B."""
    marked = sp.Symbol("k", nonnegative=True)  # K + N a
    state = [tau <= 1, b <= tau * B, marked <= B]
    more, condition = tau * B - b > B - marked, marked > (1 - tau) * B + b
    smt.prove([*state, more], condition)
    smt.prove([*state, condition], tau * B > B - marked + b)
    proof = smt.prove([*state, condition], more)
    both = compare_with_ecn(Fraction(8), Fraction(2), 1, Fraction(3, 4), reserve=Fraction(1))
    check(both.least_share == Fraction(6, 8) and both.larger == "equal", "the numeric form at equality")
    return proof.proved()


@evidence("losspass.ours.burst-at", form="printed", strength="symbolic")
def the_burst_at_any_length() -> Outcome:
    """B - (1 - tau) q exceeds B tau by (1 - tau)(B - q), and tail drop's B - q by tau q."""
    rest, share = sp.symbols("rest share", nonnegative=True)  # tau = share/(1 + share), B = q + rest
    room = B - (1 - tau) * q
    slack.certificate(room - (B - q), {})
    proof = slack.certificate(room - B * tau, {B: q + rest, tau: share / (1 + share)})
    check(room_at(Fraction(8), Fraction(4), Fraction(1, 2)) == 6, "the numeric form")
    check(room_at(Fraction(8), Fraction(8), Fraction(1)) == 8, "tau = 1")
    return proof.proved("B tau <= B - (1 - tau) q, and B - q <= B - (1 - tau) q")


@evidence("losspass.ours.reserve-burst", form="printed", strength="smt")
def the_fluid_burst_with_a_reserve() -> Outcome:
    """The small queue grows from Q_s to B - min(Q_l, B_l)."""
    return fluid_burst()


@evidence("losspass.ours.burst-service", form="printed", strength="smt")
def service_during_the_burst() -> Outcome:
    """In slot j (from 0) Q_s is j (r - 1) before its arrivals: the loss is in the first j with j (r - 1) + r > mu."""
    mu, j, r = sp.symbols("mu j r", integer=True)
    first = [r >= 2, mu >= 1, j >= 0, j * (r - 1) + r > mu, sp.Or(sp.Eq(j, 0), (j - 1) * (r - 1) + r <= mu)]
    # j = ceil(mu/(r - 1)) - 1 is exactly what these say
    smt.prove(first, [j * (r - 1) < mu, mu <= (j + 1) * (r - 1)])
    proof = smt.prove(first, sp.Eq(j * r + (mu - j * (r - 1)), mu + j))
    R, x = sp.symbols("R x", positive=True)
    check(sp.simplify(R * (x / (R - C)) - x * R / (R - C)) == 0, "fluid: R t with (R - C) t = mu")
    check([burst_in_slots(4, n) for n in (2, 3, 5)] == [7, 5, 4], "numeric form")
    return proof.proved("the loss falls into slot ceil(mu/(r - 1)) - 1, after mu + ceil(mu/(r - 1)) - 1 packets")


a, R = sp.symbols("a R", nonnegative=True)
"""The rates of the large flows and of the burst."""


@evidence("losspass.ours.background", form="printed", strength="smt")
def what_arrives_until_the_room_is_full() -> Outcome:
    """The port is full when (R + a - C) t = B - q, the small queue when (R - C) t = B - Q_s: R t has arrived.

    Large bytes beside it change neither the small queue's service (strict priority) nor what it may fill (no reserve).
    """
    time, s, l = sp.symbols("t s l", nonnegative=True)
    grows = [R + a > C, s + l <= B, sp.Eq((R + a - C) * time, B - s - l)]
    smt.prove(grows, sp.Eq(R * time * (R + a - C), (B - s - l) * R))
    fluid_burst()  # at a full port Q_s grows on, at the cost of Q_l, until it is B
    alone = [R > C, s <= B, sp.Eq((R - C) * time, B - s)]
    return smt.prove(alone, sp.Eq(R * time * (R - C), (B - s) * R)).proved("R t in both, and a in the first only")


@evidence("losspass.ours.background-comparison", form="printed", strength="smt")
def when_losspass_absorbs_more_beside_background() -> Outcome:
    """Compare tau B R/(R - C) with H R/(R + a - C), H = B - K - N a_0: both divisors are positive for R > C."""
    H = sp.Symbol("H", nonnegative=True)
    given = [R > C, tau <= 1, H <= B]
    more, condition = tau * B * R / (R - C) > H * R / (R + a - C), (R + a - C) * tau * B > (R - C) * H
    smt.prove([*given, more], condition)
    smt.prove([*given, sp.Eq(a, 0), condition], tau * B > H)
    return smt.prove([*given, condition], more).proved()


@evidence("losspass.ours.background-equal", form="printed", strength="smt")
def at_equal_occupancy_losspass_absorbs_more() -> Outcome:
    """Compare (B - (1 - tau) q) R/(R - C) with (B - q) R/(R + a - C), which are those of `losspass.ours.background`.

    The difference is an identity; its numerator is a sum of two terms of which one is positive.
    """
    q = sp.Symbol("q", nonnegative=True)
    kept = B - (1 - tau) * q
    ecn, lp = (B - q) * R / (R + a - C), kept * R / (R - C)
    gap = R * (tau * q * (R - C) + a * kept) / ((R - C) * (R + a - C))
    check(sp.simplify(lp - ecn - gap) == 0, "not the difference")
    given = [R > C, tau <= 1, q < B]
    clocked = sp.And(B - q <= ecn, ecn <= (B - q) * R / (R - C))
    smt.prove([*given, a <= C], clocked)
    more = tau * q * (R - C) + a * kept > 0
    return smt.prove([*given, sp.Or(tau * q > 0, a > 0)], more).proved("the numerator of the difference is positive")


@evidence("losspass.ours.whole-packets", form="printed", strength="smt")
def so_many_packets_fit_as_the_floor_says() -> Outcome:
    """With f s <= X < (f + 1) s: n packets are within X bytes iff n <= f, that is iff not n >= f + 1.

    The algorithm asks a length only three things: Q + s <= B, Q_s + s <= B - B_l, and whether it exceeds K.
    """
    n, f, X = sp.symbols("n f X", nonnegative=True)
    size = sp.Symbol("s", positive=True)
    floor = [f * size <= X, (f + 1) * size > X]
    smt.prove([*floor, n >= f + 1], n * size > X)
    return smt.prove([*floor, n <= f], n * size <= X).proved("n s <= X iff n <= f, for whole n and f")


@evidence("losspass.ours.evaluated-burst", "losspass.ours.fig8-alpha-1", form="printed", strength="smt")
def what_losspass_with_its_own_marks_absorbs() -> Outcome:
    """At q = K + A both hold q: B - (1 - tau) q exceeds B - q by tau q; with B_l = K, Q_l = q, B - K does by A."""
    q, A = sp.symbols("q A", positive=True)
    given = [tau > 0, tau <= 1, K_0 >= 0, sp.Eq(q, K_0 + A), q <= B]
    smt.prove(given, B - (1 - tau) * q > B - q)
    smt.prove(given, sp.Eq((B - (1 - tau) * q) - (B - q), tau * q))
    beside = sp.Symbol("beside", nonnegative=True)  # small bytes beside Q_l = q, against ECN at q
    smt.prove([q + beside <= B, beside < q], B - beside > B - q)
    smt.prove([q + beside <= B, beside >= q], B - beside <= B - q)
    smt.prove([*given, sp.Eq(b, K_0), sp.Eq(L, q)], sp.Eq(sp.Min(L, b), K_0))
    return smt.prove(given, sp.Eq((B - K_0) - (B - q), A)).proved("tau q more; with the reserve K only A more")


@evidence("losspass.ours.burst-in-packets", form="printed", strength="smt")
def the_burst_is_the_floor_at_the_first_victim_that_stays() -> Outcome:
    """Induction with f = F + V - n s free bytes after n packets and victims of V bytes: f >= 0 at all times.

    The engine enqueues while f >= s, so until n is the floor of (F + V)/s; there it evicts the next victim iff it is at
    least s long and Q_s + (n + 1) s <= B - B_l, and else refuses this packet and, nothing having changed, all others.
    """
    floors()
    return holds("intended", ruled, "enqueue, evict or refuse", where=small)


@evidence("losspass.ours.small-tail", form="printed", strength="smt")
def a_full_port_with_a_short_tail_refuses_every_packet() -> Outcome:
    """At s + l = B with v < P no path takes the packet, and the port is as it was for the next one."""

    def refused(a: Arrived) -> bool:
        return a.step.decision == "drop" and a.changes()

    given = (same(s + l, arrivals.B), tail < P)
    return holds("intended", refused, "dropped, and nothing changes", given=given,
                 where=lambda a: small(a) and a.shape != "empty")  # fmt: skip


@evidence("losspass.ours.largest-share", form="printed", strength="symbolic")
def the_share_of_bytes_behind_the_first_t() -> Outcome:
    """E[min(S, T)] >= T P(S > T), checked as p T + (1 - p) z - p T >= 0 with z >= 0 the mean of the shorter flows."""
    p, z = sp.symbols("p z", nonnegative=True)
    mean = sp.Symbol("E", positive=True)
    small = p * T + (1 - p) * z  # flows longer than T bring T, the others their size
    return slack.certificate((small - p * T) / mean, {p: 1 / (1 + q)}).proved()
