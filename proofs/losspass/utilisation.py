"""Sections 2.2 and 3.3: the buffer that keeps the link busy; proofs."""

from fractions import Fraction

import sympy as sp

from dtmodel.ledger import Outcome, Proved, check, evidence, refuted_by_values
from dtmodel.ledger.provers import slack, smt
from dtmodel.theory.losspass import ecn
from dtmodel.theory.losspass.ecn import Sawtooth, least_threshold

from .derivation import utilisation

D, B, N, a, W, c, beta = sp.symbols("D B N a W c beta", positive=True)
K, x, y, h = sp.symbols("K x y h", nonnegative=True)


def integrated(W: sp.Expr, m: sp.Expr, growth: str) -> sp.Expr:
    """Return carried bytes over time, both integrated over the sum u of the windows from m to W > D > m."""
    u = sp.Symbol("u", positive=True)
    busy = sp.Integer(1) if growth == "base" else u / D  # base RTTs that a round trip lasts while the link is busy
    carried = sp.integrate(u / D, (u, m, D)) + sp.integrate(busy, (u, D, W))
    lasted = (D - m) + sp.integrate(busy, (u, D, W))
    return sp.expand(carried) / sp.expand(lasted)


@evidence("losspass.slides.high-k", "losspass.intro.k-at-least-bdp", form="printed", strength="symbolic")
def a_threshold_of_the_pipe_is_sufficient() -> Outcome:
    """With K = D + x half of the peak, (D + K + N a)/2, is at least D."""
    a = sp.Symbol("a", nonnegative=True)
    return slack.certificate((D + K + N * a) / 2 - D, {K: D + x}).proved()


@evidence("losspass.sec3.3.sufficient@packets", form="printed", strength="kernel")
def rounding_down_can_need_more_than_the_pipe() -> Outcome:
    """The smallest D + N for which K = D does not fill the link."""
    pairs = [(D + N, D, N) for D in range(1, 13) for N in range(1, 6)]
    _, D, N = min((total, D, N) for total, D, N in pairs if N * max(1, (2 * D // N + 1) // 2) < D)
    values = {"D": D, "K": D, "N": N}
    given = ["D > 0", "N >= 1", "K >= D", "floor(D) == D", "floor(N) == N", "floor(K) == K"]
    says = "the halved window, rounded down, leaves the link idle"
    return refuted_by_values(values, "N*max(1, floor((floor((K + D)/N) + 1)/2)) >= D", says, given)


@evidence("losspass.sec3.3.lp-sawtooth", form="printed", strength="symbolic")
def halving_at_a_full_buffer_keeps_the_link_busy() -> Outcome:
    """With B = D + x half of D + B is at least D."""
    return slack.certificate((D + B) / 2 - D, {B: D + x}).proved()


@evidence("losspass.sec2.2.buffer", "losspass.slides.bdp", form="assumed", strength="smt")
def halving_needs_the_pipe_as_buffer() -> Outcome:
    """If the trough (1 - beta)(D + q), q <= B, fills the pipe and beta >= 1/2, then B >= D."""
    q = sp.Symbol("q", nonnegative=True)
    half = sp.Rational(1, 2)
    return smt.prove([q <= B, beta >= half, beta <= 1, (1 - beta) * (D + q) >= D], B >= D).proved()


@evidence("losspass.ours.dctcp-line-rate", form="printed", strength="smt")
def dctcp_keeps_the_link_busy_below_a_share_of_marks() -> Outcome:
    """x^2 (1 - x/4) rises up to 8/3; at the largest alpha, 2 (S - D)/S, it is 2 (S - D)^2 (S + D)/S^3; dm/dK > 0."""
    alpha, k, n, y = sp.symbols("alpha k n y", positive=True)  # k = K + N a, n = N a

    def left(x: sp.Expr) -> sp.Expr:
        return x**2 * (1 - x / 4)

    largest = 2 * k / (D + k)
    check(sp.simplify(left(largest) - 2 * k**2 * (2 * D + k) / (D + k) ** 3) == 0, "the value at the largest alpha")
    check(sp.simplify((1 - largest / 2) * (D + k) - D) == 0, "the trough at the largest alpha is D")
    margin = ecn.dctcp_margin(D, K, n, 1)
    fixed = left(largest).subs(k, K + n) - (2 * (D + K) / n + 1) / ((D + K) / n + 1) ** 2
    check(sp.simplify(margin - fixed) == 0, "the margin")
    rising = sp.numer(sp.factor(sp.diff(margin, K)))
    slack.certificate(sp.expand(rising), {})
    return smt.prove([alpha <= 1, y < 2], sp.Equivalent(left(alpha) <= left(y), alpha <= y)).proved()


@evidence("losspass.sec3.3.necessary", "losspass.sec2.2.low-k", "losspass.slides.low-k", "losspass.intro.k-below-bdp",
          form="printed", strength="kernel")  # fmt: skip
def one_packet_less_than_the_pipe_is_enough_for_one_flow() -> Outcome:
    """D = 2, N = 1, K = 1 = D - N: the window runs from 2 to 4 and the link is never idle."""
    tooth = Sawtooth(Fraction(2), Fraction(1), 1)
    check(tooth.line_rate, "the link is busy")
    check(tooth.utilisation() == tooth.utilisation("base") == 1, "utilisation 1 with K < D")
    values = {"D": "2", "K": "1", "N": "1"}
    given = ["D > 0", "K >= 0", "N >= 1", "(D + K + N)/2 >= D"]  # half of the peak still fills the pipe: line rate
    return refuted_by_values(values, "K >= D", "line rate with K = C RTT - N < C RTT", given)


@evidence("losspass.sec3.3.necessary", "losspass.sec2.2.low-k", "losspass.slides.low-k", "losspass.intro.k-below-bdp",
          form="assumed", strength="smt")  # fmt: skip
def less_than_the_pipe_is_too_little_without_packets() -> Outcome:
    """With N a = 0 and a cut of beta >= 1/2 the trough (1 - beta)(D + K) fills the pipe only if K >= D."""
    cut = [beta >= sp.Rational(1, 2), beta < 1]
    smt.prove([*cut, (1 - beta) * (D + K) >= D], K >= D)
    tooth = Sawtooth(Fraction(200), Fraction(190), 1)
    check(not tooth.line_rate and tooth.utilisation() < 1, "10 packets short of a pipe of 200")
    return smt.prove([*cut, K < D], D - (1 - beta) * (D + K) > 0).proved("K < D leaves the pipe partly empty")


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


@evidence("losspass.fn1", form="assumed", strength="smt")
def large_windows_need_a_seventh() -> Outcome:
    """Prove the bound on the threshold for 7 K >= D, both sides squared; and 0.17 exceeds 1/7."""
    smt.prove([7 * K >= D], 4 * (K + N) ** 2 >= 2 * N * (D + K))
    return smt.prove([100 * K >= 17 * D], 4 * (K + N) ** 2 >= 2 * N * (D + K)).proved("the queue never empties")


@evidence("losspass.intro.larger-than-bdp", form="repaired", strength="smt")
def halving_needs_at_least_the_pipe() -> Outcome:
    """Half of the peak D + q, q <= B, fills the pipe only if B >= D."""
    q = sp.Symbol("q", nonnegative=True)
    return smt.prove([q <= B, (D + q) / 2 >= D], B >= D).proved()


@evidence("losspass.sec3.3.lp-satisfies", form="printed", strength="smt")
def a_threshold_of_the_whole_buffer_is_at_least_the_pipe() -> Outcome:
    """A threshold of the whole buffer B >= D is at least the pipe."""
    return smt.prove([sp.Eq(K, B), B >= D], K >= D).proved()


@evidence("losspass.ours.line-rate", form="printed", strength="smt")
def the_trough_fills_the_pipe_iff_k_is_large_enough() -> Outcome:
    """(1 - beta)(D + K + N a) >= D iff K + N a >= beta/(1 - beta) D, both directions; for beta = 1/2 iff >= D."""
    peak = D + K + N * a
    fills, enough = (1 - beta) * peak >= D, (K + N * a) * (1 - beta) >= beta * D
    smt.prove([beta < 1, fills], enough)
    proof = smt.prove([beta < 1, enough], fills)
    check(least_threshold(Fraction(8), 2) == 6, "the numeric form: D - N for halving")
    return proof.proved("the trough is at least D iff K + N a >= beta/(1 - beta) D")


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


@evidence("losspass.ours.three-quarters", form="printed", strength="symbolic")
def halving_wastes_less_than_a_quarter() -> Outcome:
    """With W = D + x, 0 < x < D, both closed forms for m = W/2 exceed 3/4; at x >= D the utilisation is 1."""
    z, gap = sp.symbols("z gap", positive=True)
    for growth in ("base", "actual"):
        lead = utilisation(D + z, (D + z) / 2, growth) - sp.Rational(3, 4)
        proof = slack.certificate(sp.together(lead), {D: z + gap}, strict=True)
    return proof.proved("U - 3/4 > 0 for 0 < x < D")


@evidence("losspass.ours.least-k-packets", form="printed", strength="smt")
def half_of_a_whole_peak_fills_the_link() -> Outcome:
    """With c = ceil(D/N), h = floor(b/2): N h >= D iff h >= c iff b >= 2 c."""
    D, N, c, h, b = sp.symbols("D N c h b", integer=True)
    base = [N >= 1, D >= 1, c * N >= D, (c - 1) * N < D, 2 * h <= b, b <= 2 * h + 1, b >= 1, c >= 1]
    smt.prove([*base, b >= 2 * c], h >= c)
    smt.prove([*base, b < 2 * c], h <= c - 1)
    below = N * h <= N * (c - 1)  # as h <= c - 1 and N > 0
    smt.prove([N >= 1, h <= c - 1], below)
    smt.prove([*base, below], N * h < D)
    above = N * h >= N * c  # as h >= c and N > 0
    smt.prove([N >= 1, h >= c], above)
    return smt.prove([*base, above], N * h >= D).proved("N floor(b/2) >= D iff b >= 2 ceil(D/N)")
