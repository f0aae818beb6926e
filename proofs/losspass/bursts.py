"""Absorbable bursts: equation (6), what it leaves out, and the exact condition for mu_LP > mu_ECN."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from dtmodel.ledger import Agrees, Counterexample, Outcome, Proved, Witness, check, evidence
from dtmodel.provers import slack, smt
from dtmodel.theory.absorbable_burst import FilledPort, LossPass, absorbable_burst
from dtmodel.theory.losspass import burst_at, burst_in_slots, burst_with_reserve, compare, largest_burst

B, K, N, C, T = sp.symbols("B K N C T", positive=True)
tau, q, b = sp.symbols("tau q b", nonnegative=True)
L = sp.Symbol("L", nonnegative=True)  # the bytes of large flows, tau B at a full port


@evidence("losspass.eq6.identity", form="printed", strength="symbolic")
def equation_6_is_an_identity() -> Outcome:
    """Both forms of equation (6) expand to B tau."""
    check(sp.expand(B - (B - B * tau) - B * tau) == 0, "(6)")
    check(sp.expand(B - B * (1 - tau) - B * tau) == 0, "(6) rewritten")
    return Proved("both expand to B tau", {"B": "128000", "tau": "19/20"}, ["tau <= 1"])


@evidence("losspass.eq6", form="assumed", strength="smt")
def the_fluid_burst_at_a_full_port() -> Outcome:
    """One more drop of fluid is taken iff it fits, or Q_l > B_l and Q_s < B - B_l; so Q_s ends at B - min(Q_l, B_l)."""
    return fluid_burst()


def fluid_burst() -> Outcome:
    """Prove where the small queue stops growing, and that at a full port without reserve this is B tau later."""
    s, l, l0 = sp.symbols("s l l0", nonnegative=True)
    evicted = sp.And(s + l >= B, l >= b)  # evictions take place at a full port and while Q_l > B_l only
    hyps = [b <= B, l <= l0, s + l <= B, sp.Or(sp.Eq(l, l0), evicted)]
    stuck = [s + l >= B, sp.Or(l <= b, s >= B - b)]
    smt.prove([*hyps, *stuck, l0 <= b], sp.Eq(s, B - l0))
    proof = smt.prove([*hyps, *stuck, l0 >= b], sp.Eq(s, B - b))
    smt.prove([sp.Eq(b, 0), L <= B], sp.Eq(B - (B - L) - 0, L))  # Q_s = B - L, Q_l = L = tau B: the burst is L
    check(burst_with_reserve(Fraction(8), Fraction(2), Fraction(6)) == largest_burst(Fraction(8), Fraction(3, 4)), "")
    return proof.proved("the small queue stops at B - min(Q_l, B_l); at a full port without reserve the burst is tau B")


@evidence("losspass.ours.reserve-burst", form="printed", strength="smt")
def the_fluid_burst_with_a_reserve() -> Outcome:
    """The small queue grows from Q_s to B - min(Q_l, B_l)."""
    return fluid_burst()


@evidence("losspass.ours.burst-at", form="printed", strength="symbolic")
def the_burst_at_any_length() -> Outcome:
    """B - (1 - tau) q exceeds B tau by (1 - tau)(B - q), and tail drop's B - q by tau q."""
    rest, share = sp.symbols("rest share", nonnegative=True)  # tau = share/(1 + share), B = q + rest
    room = B - (1 - tau) * q
    slack.certificate(room - (B - q), {})
    proof = slack.certificate(room - B * tau, {B: q + rest, tau: share / (1 + share)})
    check(burst_at(Fraction(8), Fraction(4), Fraction(1, 2)) == 6, "the numeric form")
    check(burst_at(Fraction(8), Fraction(8), Fraction(1)) == 8, "tau = 1")
    return proof.proved("B tau <= B - (1 - tau) q, and B - q <= B - (1 - tau) q")


@evidence("losspass.eq6@not-full", form="printed", strength="exact")
def a_port_that_is_not_full_absorbs_more() -> Outcome:
    """B = 2, an empty queue but for one small byte (q = 1, tau = 0): 1 byte is absorbed, B tau = 0."""
    check(burst_at(Fraction(2), Fraction(1), Fraction(0)) == 1, "one byte is free")
    data = {
        "values": {"B": "2", "q": "1", "tau": "0"},
        "hypotheses": ["q <= B", "tau <= 1"],
        "statement": "B - (1 - tau)*q == B*tau",
    }
    return Counterexample(Witness("values", data, says="the free byte takes a packet although tau = 0"))


@evidence("losspass.eq6@not-full", form="assumed", strength="symbolic")
def at_a_full_port_it_is_b_tau() -> Outcome:
    """Put q = B into B - (1 - tau) q."""
    check(sp.expand((B - (1 - tau) * q).subs(q, B) - B * tau) == 0, "B tau at q = B")
    return Proved("B - (1 - tau) B = B tau", {"B": "2", "q": "2", "tau": "1/2"}, ["q == B"])


@evidence("losspass.eq6@reserve", form="assumed", strength="smt")
def without_a_reserve_it_is_b_tau() -> Outcome:
    """min(Q_l, 0) = 0: the burst is B - Q_s = tau B."""
    return fluid_burst()


@evidence("losspass.eq6@service", form="printed", strength="exact")
def a_burst_at_twice_the_line_rate_brings_twice_as_much() -> Outcome:
    """B = 1, all of it large, R = 2 C: the small queue grows at C and reaches B after 1/C; 2 bytes were brought."""
    port = FilledPort(Fraction(1), large=Fraction(1), line=Fraction(1), burst=Fraction(2))
    check(absorbable_burst(LossPass(), port) == 2, "two bytes")
    data = {
        "values": {"B": "1", "tau": "1", "R": "2", "C": "1", "t": "1"},
        "hypotheses": ["(R - C)*t <= B*tau"],  # no loss up to t: the small queue still fits
        "statement": "R*t <= B*tau",
    }
    return Counterexample(Witness("values", data, says="two bytes arrive before the first loss, B tau is one"))


@evidence("losspass.eq6@service", form="assumed", strength="smt")
def an_instant_burst_is_not_served_meanwhile() -> Outcome:
    """With no time to serve, what was absorbed is what the small queue grew by."""
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


@evidence("losspass.sec3.3.tau", form="printed", strength="exact")
def the_share_of_an_empty_port_is_undefined() -> Outcome:
    """For q = 0 no tau is the only one with Q_l = tau q; 0 and 1 both are."""
    data = {
        "values": {"q": "0", "one": "0", "two": "1"},
        "hypotheses": ["one*q == 0", "two*q == 0"],
        "statement": "one == two",
    }
    return Counterexample(Witness("values", data, says="both shares describe an empty port"))


@evidence("losspass.sec3.3.tau", form="assumed", strength="smt")
def the_share_of_a_port_with_packets_is_well_defined() -> Outcome:
    """For q > 0 there is exactly one tau with Q_l = tau q; it lies in [0, 1], and Q_s = (1 - tau) q."""
    one, two = sp.symbols("one two", real=True)
    s, l = sp.symbols("s l", nonnegative=True)
    smt.prove([q > 0, sp.Eq(one * q, l), sp.Eq(two * q, l)], sp.Eq(one, two))
    given = [q > 0, sp.Eq(s + l, q), sp.Eq(one * q, l)]
    return smt.prove(given, [one >= 0, one <= 1, sp.Eq((1 - one) * q, s)]).proved()


@evidence("losspass.sec3.3.tau-1", form="printed", strength="smt")
def a_port_of_large_flows_only_favours_losspass() -> Outcome:
    """For tau = 1: B - 0 > B - (K + N) for K + N > 0."""
    return smt.prove([sp.Eq(tau, 1), K + N < B], B - B * (1 - tau) > B - (K + N)).proved()


@evidence("losspass.ours.exact-condition", form="printed", strength="smt")
def the_exact_condition_for_losspass_to_absorb_more() -> Outcome:
    """Prove tau B - B_l > B - (K + N a) iff K + N a > (1 - tau) B + B_l iff tau > 1 - (K + N a - B_l)/B."""
    marked = sp.Symbol("k", positive=True)  # K + N a
    state = [tau <= 1, b <= tau * B, marked <= B]
    more, condition = tau * B - b > B - marked, marked > (1 - tau) * B + b
    smt.prove([*state, more], condition)
    smt.prove([*state, condition], tau * B > B - marked + b)
    proof = smt.prove([*state, condition], more)
    both = compare(Fraction(8), Fraction(2), 1, Fraction(3, 4), reserve=Fraction(1))
    check(both.least_share == Fraction(6, 8) and both.larger == "equal", "the numeric form at equality")
    return proof.proved()


@evidence("losspass.sec3.3.practice", form="printed", strength="kernel")
def the_papers_switch_with_a_small_threshold_favours_ecn() -> Outcome:
    """512 KB a port (Section 2.1), K = 10 packets of 1500 bytes (Section 5.1.1), two flows, tau = 0.95."""
    both = compare(Fraction(512_000), Fraction(15_000), 2, Fraction("0.95"), segment=Fraction(1500))
    check([both.ecn, both.losspass] == [494_000, 486_400], "the two bursts")
    port, share, segment = Fraction(128_000), Fraction("0.95"), Fraction(1500)
    testbed = [compare(port, k * segment, 2, share, segment=segment) for k in (2, 3)]
    check([item.larger for item in testbed] == ["ecn", "losspass"], "the testbed's port: from K = 3 packets on")
    data = {
        "values": {"B": "512000", "K": "15000", "N": "2", "MSS": "1500", "tau": "19/20"},
        "hypotheses": ["B == 512000", "K == 15000", "MSS == 1500", "tau == 19/20", "N >= 1", "K + N*MSS < B"],
        "statement": "B*tau > B - (K + N*MSS)",
    }
    return Counterexample(Witness("values", data, says="LossPass absorbs 486,400 bytes, ECN 494,000"))


@evidence("losspass.sec3.3.shared-leaf", form="printed", strength="kernel")
def a_large_shared_buffer_favours_ecn() -> Outcome:
    """9 MB under DT with alpha = 1: one port may hold 4.5 MB; K = 84 packets, two flows, tau = 0.95."""
    both = compare(Fraction(4_500_000), Fraction(84 * 1500), 2, Fraction("0.95"), segment=Fraction(1500))
    check(both.larger == "ecn", "ECN absorbs more")
    data = {
        "values": {
            "S": "9000000",
            "alpha": "1",
            "B": "4500000",
            "K": "126000",
            "N": "2",
            "MSS": "1500",
            "tau": "19/20",
        },
        "hypotheses": [
            "S == 9000000",
            "K == 126000",
            "MSS == 1500",
            "tau == 19/20",
            "alpha > 0",
            "N >= 1",
            "B == alpha*S/(1 + alpha)",
            "K + N*MSS < B",
        ],
        "statement": "B*tau > B - (K + N*MSS)",
    }
    return Counterexample(Witness("values", data, says="LossPass absorbs 4,275,000 bytes, ECN 4,371,000"))


@evidence("losspass.sec3.1.impact", "losspass.slides.impact", form="printed", strength="symbolic")
def the_impact_of_a_timeout_falls_with_the_size() -> Outcome:
    """T/(RTT + S/C) for sizes S and S + h differ by a positive amount."""
    R, S, h = sp.symbols("R S h", positive=True)
    return slack.certificate(T / (R + S / C) - T / (R + (S + h) / C), {}, strict=True).proved()


@evidence("losspass.sec3.1.limit", form="printed", strength="symbolic")
def a_full_port_still_absorbs() -> Outcome:
    """B - (1 - tau) q > 0 for tau > 0 at any q <= B, at least C RTT or not; what ECN leaves, B - q, is 0 at q = B."""
    share = sp.Symbol("share", positive=True)  # tau = share/(1 + share)
    rest, queue = sp.Symbol("rest", nonnegative=True), sp.Symbol("queue", positive=True)
    room = B - (1 - tau) * queue
    check(sp.expand(room.subs(tau, 0) - (B - queue)) == 0, "without large bytes it is what ECN leaves")
    certificate = slack.certificate(room, {B: queue + rest, tau: share / (1 + share)}, strict=True)
    check(burst_at(Fraction(8), Fraction(8), Fraction(1, 4)) == 2, "the numeric form at a full port")
    return certificate.proved("a burst is absorbed at every length of the queue up to B")


@evidence("losspass.sec3.4.aeolus", "losspass.sec3.4.dedicated", form="printed", strength="smt")
def a_reserved_part_bounds_the_burst() -> Outcome:
    """If others hold B - D of the buffer, an instant burst x without loss has x <= D (D = B/2, B - T)."""
    x, D, held = sp.symbols("x D held", nonnegative=True)
    smt.prove([sp.Eq(held, B / 2), x + held <= B], x <= B / 2)
    return smt.prove([D <= B, sp.Eq(held, B - D), x + held <= B], x <= D).proved()


@evidence("losspass.sec3.4.dedicated.50", form="printed", strength="smt")
def losspass_absorbs_at_least_a_dedicated_half() -> Outcome:
    """B - Q_s >= B/2 - Q_s for every Q_s."""
    s = sp.Symbol("s", nonnegative=True)
    return smt.prove([s <= B], B - s >= B / 2 - s).proved()


@evidence("losspass.sec5.1.reserve-0", form="printed", strength="smt")
def no_reserve_absorbs_most() -> Outcome:
    """B - Q_s - min(Q_l, B_l) is largest for B_l = 0; stated for both cases of the minimum."""
    s, l = sp.symbols("s l", nonnegative=True)
    smt.prove([s + l <= B, b >= l], B - s - l <= B - s)
    return smt.prove([s + l <= B, b <= l], B - s - b <= B - s).proved()


@evidence("losspass.ours.largest-share", form="printed", strength="symbolic")
def the_share_of_bytes_behind_the_first_t() -> Outcome:
    """E[min(S, T)] >= T P(S > T), checked as p T + (1 - p) z - p T >= 0 with z >= 0 the mean of the shorter flows."""
    p, z = sp.symbols("p z", nonnegative=True)
    mean = sp.Symbol("E", positive=True)
    small = p * T + (1 - p) * z  # flows longer than T bring T, the others their size
    return slack.certificate((small - p * T) / mean, {p: 1 / (1 + q)}).proved()


@evidence("losspass.sec5.1.tau-t", form="printed", strength="smt")
def few_flows_may_exceed_the_demoting_threshold() -> Outcome:
    """0.05 >= T p/E with T = 1 MB and E = 1.58 MB (at most 1.585) gives p <= 0.0793."""
    p, mean = sp.symbols("p mean", nonnegative=True)
    low, high = sp.Rational(1575, 1000), sp.Rational(1585, 1000)
    hypotheses = [mean >= low, mean < high, p <= sp.Rational(5, 100) * mean]
    return smt.prove(hypotheses, p <= sp.Rational(8, 100)).proved()


@evidence("losspass.ours.burst-at", form="printed", strength="exact")
def the_burst_at_any_length_on_a_grid() -> Outcome:
    """burst_at equals burst_with_reserve without reserve for all whole lengths up to 12."""
    cases = 0
    for size in range(1, 13):
        for small in range(size + 1):
            for large in range(size + 1 - small):
                length = small + large
                share = Fraction(large, length) if length else Fraction(0)
                expected = burst_with_reserve(Fraction(size), Fraction(small), Fraction(large))
                check(burst_at(Fraction(size), Fraction(length), share) == expected, f"{size} {small} {large}")
                cases += 1
    return Agrees(cases, "all whole B up to 12, Q_s and Q_l with Q_s + Q_l <= B")
