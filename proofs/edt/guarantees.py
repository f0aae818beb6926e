"""What DT and EDT guarantee to a port whatever comes, and which counting numbers obey Rule 2; proofs."""

import sympy as sp

from dtmodel.ledger import Outcome, evidence
from dtmodel.ledger.provers import slack, smt
from dtmodel.theory.dt import formulas as dt
from dtmodel.theory.edt import formulas as edt

from .derivation import B, C, M, N, alpha, r, same

held, Q, V, p, q, cn2, rho = sp.symbols("held Q V p q c_n2 rho", positive=True)
n = sp.Symbol("n", nonnegative=True)
base = 1 + alpha
"""What a set of bursts holds, a burst, a steady port; (1 + alpha)^(k - 1); the length of a slow burst; N."""


def sets_of_bursts() -> None:
    """Prove that k bursts hold at most B (1 - 1 / (1 + alpha)^k): one of them that grows is on the threshold or below.

    If all k but that one hold at most B - B / p, what they hold together cannot grow beyond B - B / (p (1 + alpha)).
    """
    grows = [alpha * (B - held) >= Q, held - Q <= B - B / p]
    smt.prove(grows, held <= B - B / (p * base))


@evidence("edt.ours.least-share", "edt.ours.least-share.steady", form="printed", strength="smt")
def a_set_that_grows_leaves_its_part_free() -> Outcome:
    """Beside N steady ports that hold V each k bursts leave B / ((1 + alpha N) (1 + alpha)^k), and without them too.

    The sum grows because a burst of the set does, or because the steady ports do, and they are one class.
    """
    sets_of_bursts()
    share = 1 + alpha * n
    total = held + n * V
    smt.prove([alpha * (B - total) >= Q, total - Q <= B - B / (p * share)], total <= B - B / (p * base * share))
    smt.prove([alpha * (B - total) >= V, held <= B - B / p], total <= B - B / (p * share))
    same(N * alpha * B / (1 + alpha * N), B - B / (1 + alpha * N), "the steady ports at first")
    loses = [alpha * (B - total - Q) <= Q, total <= B - B / (p * share)]
    same(edt.least_share(alpha, B, 1, N), alpha * B / (base * (1 + alpha * N)), "the formula")
    found = smt.prove(loses, alpha * B / (p * base * share) <= Q)
    return found.proved(
        "M - 1 other bursts and N steady ports leave B / ((1 + alpha N) (1 + alpha)^(M - 1)) to a burst"
    )


@evidence("edt.ours.least-share.tight", form="printed", strength="smt")
def fast_bursts_one_by_one_come_near_it() -> Outcome:
    """With d = P C B / r a newcomer meets F <= (f + d) / (1 + alpha), and the next one finds d more at most.

    By induction the i-th finds F_0 / (1 + alpha)^(i - 1) + 2 (i - 1) d at most; e is larger than what the last one
    holds above the bound. With another queue, which shrinks while the threshold falls, F is more than f / (1 + alpha).
    """
    f, F, d, i, e, t, P, first, past = sp.symbols("f F d i e t P F_0 past", positive=True)
    meets = [sp.Eq(r * t, alpha * F), f - r * t + P * C * t >= F, r * t <= B, sp.Eq(d * r, P * C * B)]
    smt.prove(meets, base * F <= f + d)
    smt.prove([base * F <= f + d, f <= first + 2 * i * d], base * (F + d) <= first + 2 * (i + 1) * base * d)
    smt.prove([sp.Eq(r * t, alpha * F), sp.Eq(F, f - r * t + past)], base * F > f)
    # The excess (2 M - 1) d (1 + alpha)^(M - 1) is at most e F_0 with F_0 = B / (1 + alpha N), P = M + N, and
    # r = 3 P^2 C (1 + alpha)^P / e, that is d = e B / (3 P y p) with p = (1 + alpha)^(M - 1), y = (1 + alpha)^(N + 1).
    y = sp.Symbol("y", positive=True)
    small = [sp.Eq(3 * d * P * y * p, e * B), y >= 1 + alpha * n, P >= M]
    found = smt.prove(small, (2 * M - 1) * d * p * (1 + alpha * n) <= e * B)
    return found.proved("at most 1 + e times as much, and more than once if there is another queue")


@evidence("edt.ours.newcomer-nothing", form="printed", strength="smt")
def at_the_overflow_there_is_no_threshold() -> Outcome:
    """F = 0 at B / (R - C); then the first queue drains at C, and the threshold rises by alpha C / (1 + alpha)."""
    same(B - r * edt.slow_overflow(B, 1, r), 0, "F")
    rise = edt.rising_threshold(alpha, C, 1, 1)
    smt.prove([cn2 * base <= alpha * B], cn2 < B)
    same(alpha * (C - rise), rise, "T' with a queue on it that follows")
    found = smt.prove([r * (1 + alpha) > alpha * C], alpha * (C - r) < r)
    return found.proved("a newcomer that took all would be above it at once: it loses something")


@evidence("edt.ours.no-cn2.rates", "edt.ours.no-cn2.staggered", form="printed", strength="smt")
def the_threshold_falls_on_the_second_one() -> Outcome:
    """Uncontrolled while TM2 lasts, the first one takes what is left before the second one has cn2; else DT has both.

    Without a loss until q = cn2 the first one would hold B by then, so that alpha F is below q before. A first one that
    is not recognised leaves alpha B / (1 + 2 alpha), less than it held when it lost, to both; cn2 was more than that.
    """
    fast, begun, u = sp.symbols("fast begun u", positive=True)
    smt.prove([fast >= B, sp.Eq(q, cn2)], alpha * (B - fast - q) < q)
    smt.prove([sp.Eq(begun, B - cn2), sp.Eq(u, cn2)], alpha * (B - begun - u - u) < u)
    same(edt.growth_at_slow_drop(alpha, B, 1, 1), alpha * B / (1 + 2 * alpha), "both on the threshold")
    smt.prove([cn2 * base > alpha * B, alpha * (B - Q) >= Q], cn2 > Q)
    found = smt.prove([cn2 >= B, q * (1 + 2 * alpha) <= alpha * B], q < cn2)
    return found.proved("the second one meets the threshold before its counter is full")


@evidence("edt.ours.cn2-ratio.largest", form="printed", strength="smt")
def a_burst_below_every_limit_is_below_the_threshold() -> Outcome:
    """While a burst holds q, the m - 1 others hold rho q at most, and the N steady ports no more than at first.

    So it is below the threshold while q is below the limit of m and N, which is the least for N = P - m.
    """
    x, others, w = sp.symbols("x others w", nonnegative=True)  # x = (m - 1) rho
    spare = sp.Symbol("spare", nonnegative=True)
    same(
        edt.limit_of_ratio(alpha, B, x + 1, N, 1), alpha * B / ((1 + alpha * N) * (1 + alpha + alpha * x)), "the limit"
    )
    fewer = edt.limit_of_ratio(alpha, B, M, n, rho) - edt.limit_of_ratio(alpha, B, M, n + spare, rho)
    slack.certificate(sp.cancel(sp.together(fewer.subs(M, 1 + x))), {})
    known = [others <= x * q, sp.Eq((1 + alpha * n) * V, alpha * B), sp.Eq(w, 1 + alpha + alpha * x), q * w < V]
    found = smt.prove(known, q < alpha * (B - q - others - n * V))
    return found.proved("Q = q < alpha F until the counter is full")


@evidence("edt.ours.cn2-ratio.largest", form="printed", strength="smt")
def a_larger_number_is_out_of_reach_of_the_slowest() -> Outcome:
    """Suppose that nothing is lost until the slowest holds q = cn2, the others rho q, the steady ports V_0 - C q / r.

    Then alpha F < q, so that it was above the threshold before. Fast ones at B / (m - 1) would leave nothing free.
    """
    lead = sp.Symbol("rest", nonnegative=True)  # m - 1
    w = 1 + alpha + alpha * lead * rho
    same(edt.limit_of_ratio(alpha, B, lead + 1, N, rho), alpha * B / ((1 + alpha * N) * w), "the limit")
    initial = dt.initial_free(alpha, B, N)
    same(alpha * (B - (1 + lead * rho) * q - N * (alpha * initial - C * q / r)),
         alpha * initial - (w - 1) * q + alpha * N * C * q / r, "alpha F")  # fmt: skip
    # r > alpha N C / (w - V_0 / q), with (1 + alpha n) V_0 = alpha B; both sides of alpha F < q times r.
    wide = sp.Symbol("w", positive=True)
    beyond = [sp.Eq((1 + alpha * n) * V, alpha * B), r * (wide * q - V) > alpha * n * C * q]
    found = smt.prove(beyond, r * (V - (wide - 1) * q) + alpha * n * C * q < r * q)
    return found.proved("q w > alpha B / (1 + alpha N) + alpha N C q / r for r as given")


@evidence("edt.ours.cn2-offered", form="printed", strength="symbolic")
def the_fastest_bursts_that_fit_hold_the_least() -> Outcome:
    """What a fast burst holds at DT's drop falls with its rate; the fastest takes all that N ports with C leave."""
    left, more = sp.symbols("left more", positive=True)
    fastest = left * C / M
    fast = edt.growth_at_fast_drop(alpha, B, C, M, N, fastest)
    extra = alpha * M * N * (alpha - (1 + alpha * N) / left)
    same(fast, alpha * B / (1 + alpha * (M + N) + extra), "the fastest bursts")
    same(edt.growth_at_slow_drop(alpha, B, M, N), alpha * B / (1 + alpha * (M + N)), "slow ones")
    # Fast means alpha M r > (1 + alpha N) C; for r = left C / M, alpha left > 1 + alpha N: extra is positive then.
    rate = ((1 + alpha * N) * C + more) / (alpha * M)
    here, faster = (edt.growth_at_fast_drop(alpha, B, C, M, N, each) for each in (rate, rate + r))
    found = slack.certificate(sp.cancel(sp.together(here - faster)), {})
    return found.proved("it does not grow with the rate, and is the least at the greatest")
