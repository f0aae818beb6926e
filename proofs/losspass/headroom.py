"""The trade-off of Section 2.2 for one burst, premises of Sections 1 and 3.3, a dedicated half, the good deal."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from dtmodel.ledger import Counterexample, Outcome, Proved, Witness, check, evidence
from dtmodel.provers import slack, smt
from dtmodel.theory.ecn import Sawtooth, headroom, largest_queue, least_threshold

B, D = sp.symbols("B D", positive=True)  # the buffer and C RTT, in bytes
K, A, burst = sp.symbols("K A burst", nonnegative=True)  # A = N a, the overshoot
PIPE_10G, PORT_192K = Fraction(125_000), Fraction(192_000)  # Section 3.3: Trident II, 10 Gbps, 100 us
RESPONSE = 32 * 1024  # Section 2.2: items of 32 KB


def values(statement: str, hypotheses: list[str], says: str, **named: object) -> Counterexample:
    """Make a counterexample of named values."""
    data = {"values": {k: str(v) for k, v in named.items()}, "hypotheses": hypotheses, "statement": statement}
    return Counterexample(Witness("values", data, says=says), says)


@evidence("losspass.sec2.2.fundamental", form="printed", strength="exact")
def a_port_with_room_for_pipe_and_burst_has_no_trade_off() -> Outcome:
    """Section 3.3's own port: at the least K for line rate two flows leave room for two responses."""
    least = least_threshold(PIPE_10G, 2, segment=Fraction(1500))
    check(headroom(PORT_192K, least, 2, Fraction(1500)) >= 2 * RESPONSE, "both at once")
    return values(
        "K + A < D or burst > B - (K + A)", ["D <= B"], "line rate and the whole burst at once",
        B=PORT_192K, D=PIPE_10G, K=least, A=3000, burst=2 * RESPONSE,
    )  # fmt: skip


@evidence("losspass.sec2.2.fundamental", form="assumed", strength="smt")
def a_burst_longer_than_b_less_the_pipe_excludes_line_rate() -> Outcome:
    """K + A >= D leaves at most B - D; and a burst of B - D is absorbed by K = D - A."""
    smt.prove([A <= D, D <= B, sp.Eq(K, D - A)], [K + A >= D, B - D <= B - (K + A)])  # the bound is sharp
    return smt.prove([burst > B - D, K + A >= D], burst > B - (K + A)).proved()


@evidence("losspass.sec2.2.high-k-burst", "losspass.slides.high-k-burst", form="printed", strength="exact")
def a_high_threshold_can_leave_enough() -> Outcome:
    """K = C RTT on Section 3.3's own port leaves 64,000 bytes: one response of 32 KB is absorbed."""
    left = headroom(PORT_192K, PIPE_10G, 2, Fraction(1500))
    check(left >= RESPONSE, "room for a response")
    return values("burst > B - (K + A)", ["K >= D", "D <= B"], "K >= C RTT, and the burst is absorbed",
                  B=PORT_192K, D=PIPE_10G, K=PIPE_10G, A=3000, burst=RESPONSE)  # fmt: skip


@evidence("losspass.intro.high-k-burst", form="printed", strength="exact")
def the_testbed_at_the_pipe_cannot_hold_two_responses() -> Outcome:
    """Testbed, K = C RTT: two background flows leave 62,500 bytes, two responses of 32 KB are 65,536."""
    left = headroom(Fraction(128_000), Fraction(62_500), 2, Fraction(1500))
    check(left < 2 * RESPONSE, "both responses fit")
    return Proved(f"{left} bytes are left", {"K": "62500", "D": "62500", "left": str(left)}, ["K >= D"])


@evidence("losspass.sec2.2.high-k-burst", "losspass.slides.high-k-burst", form="assumed", strength="smt")
def a_high_threshold_loses_a_long_burst() -> Outcome:
    """K >= D and burst > B - D - A leave less than the burst."""
    return smt.prove([K >= D, burst > B - D - A], burst > B - (K + A)).proved()


@evidence("losspass.sec2.2.low-k-burst", "losspass.intro.low-k-burst", form="printed", strength="exact")
def a_low_threshold_can_leave_too_little() -> Outcome:
    """Testbed, K = 41 packets, below C RTT of 62,500 bytes: two responses of 32 KB are 1,036 bytes too long."""
    threshold = Fraction(41 * 1500)
    left = headroom(Fraction(128_000), threshold, 2, Fraction(1500))
    check(threshold < 62_500 and left < 2 * RESPONSE, "below the pipe, and yet too little room")
    return values("burst <= B - (K + A)", ["K < D", "D <= B"], "K < C RTT, and the burst is not absorbed",
                  B=128_000, D=62_500, K=threshold, A=3000, burst=2 * RESPONSE)  # fmt: skip


@evidence("losspass.sec2.2.low-k-burst", "losspass.intro.low-k-burst", form="assumed", strength="smt")
def a_low_threshold_absorbs_a_short_burst() -> Outcome:
    """K < D and burst <= B - D - A."""
    return smt.prove([K < D, burst <= B - D - A], burst <= B - (K + A)).proved()


@evidence("losspass.sec2.2.before-b", form="printed", strength="exact")
def a_threshold_just_below_the_buffer_marks_too_late() -> Outcome:
    """B = 10, K = 9, two flows: the queue meets B before the marks are obeyed."""
    longest = largest_queue(Fraction(9), 2, buffer=Fraction(10))
    check(longest == 10, "the queue reaches B")
    return values("longest < B", ["K < B"], "the overshoot ends at B", B=10, K=9, longest=longest)


@evidence("losspass.sec2.2.before-b", form="assumed", strength="smt")
def room_for_the_overshoot_keeps_the_queue_below_b() -> Outcome:
    """The queue is at most K + N a, and that is less than B."""
    q = sp.Symbol("q", nonnegative=True)
    return smt.prove([q <= K + A, K + A < B], q < B).proved()


@evidence("losspass.sec3.3.tau-1.premise", form="printed", strength="exact")
def the_premise_alone_gives_no_strict_inequality() -> Outcome:
    """K = N = 0: the premise K + N < B holds and both sides are B."""
    return values("B - B*(1 - tau) > B - (K + N)", ["K + N < B", "tau == 1", "K >= 0", "N >= 0"],
                  "both sides are B", B=1, tau=1, K=0, N=0)  # fmt: skip


@evidence("losspass.sec3.3.tau-1.premise", form="assumed", strength="smt")
def a_flow_gives_it_without_the_premise() -> Outcome:
    """K + N > 0 is enough; that K + N < B is not used."""
    N = sp.Symbol("N", nonnegative=True)
    smt.prove([K + N > 0], B > B - (K + N))
    return smt.prove([K + N > 0, K + N < B], B > B - (K + N)).proved()


@evidence("losspass.sec3.4.dedicated.regardless", form="printed", strength="smt")
def the_dedicated_half_does_not_look_at_large_flows() -> Outcome:
    """Large flows within B/2 and small ones within B/2 fit together."""
    s, l, x = sp.symbols("s l x", nonnegative=True)
    return smt.prove([l <= B / 2, s + x <= B / 2], s + l + x <= B).proved()


@evidence("losspass.sec3.2.no-vacancy", form="assumed", strength="smt")
def one_size_overflows_a_full_port_only() -> Outcome:
    """In packets: 1 + s + l > B and s + l <= B leave s + l = B, in whole numbers."""
    b, s, l = sp.symbols("b s l", integer=True)
    return smt.prove([b >= 1, s >= 0, l >= 0, s + l <= b, 1 + s + l > b], sp.Eq(s + l, b)).proved()


@evidence("losspass.intro.larger-than-bdp", form="printed", strength="exact")
def a_buffer_of_exactly_the_pipe_is_enough() -> Outcome:
    """B = D = K + N a: the peak 2 D is halved to D."""
    tooth = Sawtooth(Fraction(8), Fraction(6), 2, Fraction(1, 2), buffer=Fraction(8))
    check(tooth.line_rate, "line rate with B = C RTT")
    return values("B > D", ["(D + B)/2 >= D"], "line rate with a buffer of exactly C RTT", B=8, D=8)


@evidence("losspass.intro.larger-than-bdp", form="repaired", strength="smt")
def halving_needs_at_least_the_pipe() -> Outcome:
    """Half of the peak D + q, q <= B, fills the pipe only if B >= D."""
    q = sp.Symbol("q", nonnegative=True)
    return smt.prove([q <= B, (D + q) / 2 >= D], B >= D).proved()


@evidence("losspass.sec3.1.gain", "losspass.slides.good-deal", form="printed", strength="exact")
def in_seconds_both_sides_are_one_timeout() -> Outcome:
    """The timeout that a small flow is spared and the one that a large flow gets are equally long."""
    return values(
        "gain > loss", ["gain == T", "loss == T"], "10 ms against 10 ms", gain="1/100", loss="1/100", T="1/100"
    )


@evidence("losspass.sec3.1.gain", "losspass.slides.good-deal", form="assumed", strength="symbolic")
def as_a_slowdown_the_small_flow_gains_more() -> Outcome:
    """T/(RTT + S/C) for S less the same for a longer flow S + h is positive."""
    T, R, C, S, h = sp.symbols("T R C S h", positive=True)
    return slack.certificate(T / (R + S / C) - T / (R + (S + h) / C), {}, strict=True).proved()
