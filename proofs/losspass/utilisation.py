"""Link utilisation under ECN in closed form, the exact condition for line rate, and DCTCP's footnote."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from dtmodel.ledger import Counterexample, Outcome, Proved, Witness, check, evidence
from dtmodel.provers import slack, smt
from dtmodel.theory.ecn import Sawtooth, dctcp_line_rate, least_threshold

D, N, a, B, W = sp.symbols("D N a B W", positive=True)
K = sp.Symbol("K", nonnegative=True)
c, beta = sp.symbols("c beta", positive=True)
x, y, h = sp.symbols("x y h", nonnegative=True)


def utilisation(W: sp.Expr, m: sp.Expr, growth: str) -> sp.Expr:
    """Return the closed form for peak W and trough m < D."""
    lasted = 2 * D * (W - m) if growth == "base" else W**2 + D**2 - 2 * D * m
    return 1 - (D - m) ** 2 / lasted


def integrated(W: sp.Expr, m: sp.Expr, growth: str) -> sp.Expr:
    """Return carried bytes over time, both integrated over the sum u of the windows from m to W > D > m."""
    u = sp.Symbol("u", positive=True)
    busy = sp.Integer(1) if growth == "base" else u / D  # base RTTs that a round trip lasts while the link is busy
    carried = sp.integrate(u / D, (u, m, D)) + sp.integrate(busy, (u, D, W))
    lasted = (D - m) + sp.integrate(busy, (u, D, W))
    return sp.expand(carried) / sp.expand(lasted)


@evidence("losspass.ours.utilisation", form="printed", strength="symbolic")
def the_closed_form_is_the_integral_of_the_sawtooth() -> Outcome:
    """SymPy integrates time and carried bytes over one tooth; their ratio is the closed form, for both growths."""
    m = sp.Symbol("m", positive=True)
    for growth in ("base", "actual"):
        check(sp.cancel(integrated(W, m, growth) - utilisation(W, m, growth)) == 0, f"closed form, growth {growth}")
    tooth = Sawtooth(Fraction(8), Fraction(2), 2)
    at = {D: 8, W: 12, m: 6}
    for growth, value in (("base", tooth.utilisation("base")), ("actual", tooth.utilisation("actual"))):
        check(utilisation(W, m, growth).subs(at) == sp.Rational(value.numerator, value.denominator), "numeric form")
    return Proved("integral = closed form", {"D": "8", "W": "12", "m": "6", "U": "23/24"}, ["m < D", "D < W"])


@evidence("losspass.ours.line-rate", form="printed", strength="smt")
def the_trough_fills_the_pipe_iff_the_threshold_is_large_enough() -> Outcome:
    """(1 - beta)(D + K + N a) >= D iff K + N a >= beta/(1 - beta) D, both directions; for beta = 1/2 iff >= D."""
    peak = D + K + N * a
    fills, enough = (1 - beta) * peak >= D, (K + N * a) * (1 - beta) >= beta * D
    smt.prove([beta < 1, fills], enough)
    proof = smt.prove([beta < 1, enough], fills)
    check(least_threshold(Fraction(8), 2) == 6, "the numeric form: D - N for halving")
    return proof.proved("the trough is at least D iff K + N a >= beta/(1 - beta) D")


@evidence("losspass.sec3.3.sufficient", "losspass.slides.high-k", "losspass.intro.k-at-least-bdp",
          form="printed", strength="symbolic")  # fmt: skip
def a_threshold_of_the_pipe_is_sufficient() -> Outcome:
    """With K = D + x half of the peak, (D + K + N a)/2, is at least D."""
    return slack.certificate((D + K + N * a) / 2 - D, {K: D + x}).proved()


@evidence("losspass.sec3.3.necessary", "losspass.sec2.2.low-k", "losspass.slides.low-k", "losspass.intro.k-below-bdp",
          form="printed", strength="kernel")  # fmt: skip
def one_packet_less_than_the_pipe_is_enough_for_one_flow() -> Outcome:
    """D = 2, N = 1, K = 1 = D - N: the window runs from 2 to 4 and the link is never idle."""
    tooth = Sawtooth(Fraction(2), Fraction(1), 1)
    check(tooth.line_rate, "the link is busy")
    check(tooth.utilisation() == tooth.utilisation("base") == 1, "utilisation 1 with K < D")
    data = {
        "values": {"D": "2", "K": "1", "N": "1"},
        "hypotheses": [
            "D > 0",
            "K >= 0",
            "N >= 1",
            "(D + K + N)/2 >= D",
        ],  # half of the peak still fills the pipe: line rate
        "statement": "K >= D",
    }
    return Counterexample(Witness("values", data, says="line rate with K = C RTT - N < C RTT"))


@evidence("losspass.sec3.3.lp-sawtooth", form="printed", strength="symbolic")
def halving_at_a_full_buffer_keeps_the_link_busy() -> Outcome:
    """With B = D + x half of D + B is at least D."""
    return slack.certificate((D + B) / 2 - D, {B: D + x}).proved()


@evidence("losspass.sec2.2.buffer", "losspass.slides.bdp", form="printed", strength="exact")
def a_gentle_cut_needs_less_buffer() -> Outcome:
    """A cut of 1/4 (DCTCP at alpha = 1/2) with B = D/3: three quarters of the peak 4/3 D are D."""
    tooth = Sawtooth(Fraction(3), Fraction(1), 1, Fraction(1, 4), buffer=Fraction(1))
    check(tooth.line_rate, "line rate with a third of C RTT")
    data = {
        "values": {"D": "3", "B": "1", "beta": "1/4"},
        "hypotheses": ["(1 - beta)*(D + B) >= D"],
        "statement": "B >= D",
    }
    return Counterexample(Witness("values", data, says="line rate with a buffer of a third of C RTT"))


@evidence("losspass.sec2.2.buffer", "losspass.slides.bdp", form="assumed", strength="smt")
def halving_needs_the_pipe_as_buffer() -> Outcome:
    """If the trough (1 - beta)(D + q), q <= B, fills the pipe and beta >= 1/2, then B >= D."""
    q = sp.Symbol("q", nonnegative=True)
    half = sp.Rational(1, 2)
    return smt.prove([q <= B, beta >= half, beta <= 1, (1 - beta) * (D + q) >= D], B >= D).proved()


@evidence("losspass.sec2.2.trade-off", form="printed", strength="symbolic")
def utilisation_never_falls_and_headroom_never_grows() -> Outcome:
    """For every cut, both growths: f(W) >= f(W + h) for the lost share f, with D = c (W + h) + y, c = 1 - beta."""
    slack.certificate((B - K - N * a) - (B - (K + h) - N * a), {})
    k = sp.Symbol("k", positive=True)  # k = 1 - c^2, positive for every cut beta > 0
    for one, two in (
        ((y + c * h) ** 2 / W, y**2 / (W + h)),
        ((y + c * h) ** 2 / ((y + c * h) ** 2 + k * W**2), y**2 / (y**2 + k * (W + h) ** 2)),
    ):
        proof = slack.certificate(one - two, {})
    m = c * W
    check(sp.expand(W**2 + D**2 - 2 * D * m - (D - m) ** 2 - (1 - c**2) * W**2) == 0, "the form used above")
    return proof.proved("the lost share does not grow with the peak W = D + K + N a")


@evidence("losspass.ours.three-quarters", form="printed", strength="symbolic")
def halving_wastes_less_than_a_quarter() -> Outcome:
    """With W = D + x, 0 < x < D, both closed forms for m = W/2 exceed 3/4; at x >= D the utilisation is 1."""
    z, gap = sp.symbols("z gap", positive=True)
    for growth in ("base", "actual"):
        lead = utilisation(D + z, (D + z) / 2, growth) - sp.Rational(3, 4)
        proof = slack.certificate(sp.together(lead), {D: z + gap}, strict=True)
    return proof.proved("U - 3/4 > 0 for 0 < x < D")


@evidence("losspass.sec5.1.1.lower-k", form="printed", strength="symbolic")
def a_gentler_cut_needs_a_smaller_threshold() -> Outcome:
    """K + N a >= beta/(1 - beta) D: alpha/(2 - alpha) < 1 for alpha = 1/(1 + x) < 1, and equal for alpha = 1."""
    alpha, more = sp.symbols("alpha more", positive=True)
    check((alpha / (2 - alpha)).subs(alpha, 1) == 1, "alpha = 1 halves as ECN* does")
    return slack.certificate(1 - alpha / (2 - alpha), {alpha: 1 / (1 + more)}, strict=True).proved()


@evidence("losspass.fn1", form="printed", strength="exact")
def windows_of_four_packets_need_more_than_0_17() -> Outcome:
    """D = 400, N = 117, K = 68 = 0.17 D: the exact alpha empties the queue; so does K = 0.19 D for w near 4."""
    check(not dctcp_line_rate(Fraction(400), Fraction(68), 117), "no line rate at 0.17")
    check(not dctcp_line_rate(Fraction(400), Fraction(76), 119), "no line rate at 0.19 with w = 4")
    check(dctcp_line_rate(Fraction(400), Fraction(80), 120), "line rate at 0.20 with w = 4")
    data = {
        "values": {"D": "400", "K": "68", "N": "117"},
        "hypotheses": ["K == 0.17*D", "2*(K + N)/(D + K + N) < 1"],
        "statement": "4*((K + N)/N)**2*(1 - (K + N)/(2*(D + K + N))) >= 2*(D + K + N)/N - 1",
    }
    says = "the largest alpha that keeps the queue, 2 (K + N)/(D + K + N), is below DCTCP's fixed point"
    return Counterexample(Witness("values", data, says=says))


@evidence("losspass.fn1", form="assumed", strength="smt")
def large_windows_need_a_seventh() -> Outcome:
    """K + N >= sqrt(2 N (D + K))/2 whenever 7 K >= D, squared; and 0.17 exceeds 1/7."""
    smt.prove([7 * K >= D], 4 * (K + N) ** 2 >= 2 * N * (D + K))
    return smt.prove([100 * K >= 17 * D], 4 * (K + N) ** 2 >= 2 * N * (D + K)).proved("the queue never empties")


@evidence("losspass.sec2.2.dctcp-better", form="printed", strength="symbolic")
def a_gentler_cut_uses_more_of_the_link() -> Outcome:
    """Raising the trough m by h lowers the lost share, for both growths: D = m + h + z, W = D + x."""
    m, z, w = sp.symbols("m z w", positive=True)
    for growth in ("base", "actual"):
        gain = utilisation(W, m + h, growth) - utilisation(W, m, growth)
        proof = slack.certificate(gain.subs(W, D + w), {D: m + h + z})
    return proof.proved("the lost share falls as the trough rises")


@evidence("losspass.sec3.3.lp-satisfies", form="printed", strength="smt")
def a_threshold_of_the_whole_buffer_is_at_least_the_pipe() -> Outcome:
    """K = B and B >= D imply K >= D."""
    return smt.prove([sp.Eq(K, B), B >= D], K >= D).proved()
