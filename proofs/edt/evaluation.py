"""Section 5.1: simulations of single bursts, Figures 12 to 16; proofs."""

from fractions import Fraction

import sympy as sp

from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.ledger.provers import slack, smt
from dtmodel.theory.dt import formulas as dt
from dtmodel.theory.edt import formulas as edt
from dtmodel.theory.edt import formulas as edt_formulas
from dtmodel.theory.edt.drops import Bursts

from .derivation import B, C, M, N, alpha, r, same

EXAMPLE = {"alpha": "1", "B": "16", "C": "1", "M": "1", "N": "1", "r": "2"}


@evidence("edt.abstract.edt-absorbs-more", form="printed", strength="symbolic")
def until_the_drop_of_dt_nothing_is_lost() -> Outcome:
    """A byte is lost when a controlled queue is at the DT threshold, or at an overflow, which is later still."""
    alpha, M, r, N = sp.symbols("alpha M r N", positive=True)
    same_ratio = edt_formulas.additional_traffic(alpha, M, N)
    slack.certificate(same_ratio, {}, strict=True)
    k = sp.Symbol("k", nonnegative=True)
    c = sp.Symbol("C", positive=True)
    fast = edt_formulas.additional_traffic_fast(alpha, c, M, N, r)
    found = slack.certificate(fast, {r: (1 + alpha * N) * c / (alpha * M) + k}, strict=True)
    return found.proved("by edt.ours.drop-time: the overflow comes after the drop of DT")


@evidence("edt.fig13.monotone", "edt.sec6.correlation", form="assumed", strength="symbolic")
def slow_bursts_leave_less_with_every_port() -> Outcome:
    """B / (1 + alpha n) falls with n; at R = 2 C and alpha = 1 bursts are slow iff M <= N + 1."""
    alpha, n = sp.symbols("alpha n", positive=True)
    for bursting, steady in ((m, k) for m in range(1, 17) for k in range(17 - m)):
        case = Bursts(Fraction(1), Fraction(10**6), Fraction(125 * 10**6), bursting, steady, Fraction(250 * 10**6))
        check(case.slow == (bursting <= steady + 1), "the condition")
    gap = 1 / (1 + alpha * n) - 1 / (1 + alpha * (n + 1))
    return slack.certificate(gap, {}, strict=True).proved("F(n) - F(n + 1) > 0")


@evidence("edt.intro.as-much-as-possible", "edt.fig13.inevitable", form="assumed", strength="symbolic")
def the_bursts_hold_all_there_is_at_the_overflow() -> Outcome:
    """Bytes that must be queued at the first loss of EDT: B by the bursts if slow, B with the least of the rest if not.

    Until t every policy sends at most C t from each port. Slow bursts have left M (R - C) t = B then, so any later
    loss is every policy's. For fast ones a policy that keeps what it admitted still holds N (Q_0 - C t) beside them.
    """
    slow = edt.slow_overflow(B, M, r)
    same(M * r * slow, B, "the bursts hold the whole buffer")
    same(edt.fast_overflow(alpha, B, C, M, 0, r), slow, "without steady ports there is one overflow time")
    fast = edt.fast_overflow(alpha, B, C, M, N, r)
    steady = dt.threshold(alpha, dt.initial_free(alpha, B, N)) - C * fast
    same(M * r * fast + N * steady, B, "bursts and draining steady ports hold the whole buffer")
    return Proved("nothing more fits", EXAMPLE, ["alpha * M * r <= (1 + alpha * N) * C"])


@evidence("edt.fig14.inevitable", form="printed", strength="symbolic")
def beyond_8_ms_the_queue_would_exceed_the_buffer() -> Outcome:
    """Without a loss the queue holds (R - C) d > B for d > B / (R - C) = 8 ms."""
    rate, more, buffer = sp.symbols("r more B", positive=True)
    held = rate * (buffer / rate + more)
    return slack.certificate(sp.expand(held - buffer), {}, strict=True).proved("(R - C) d - B > 0")


@evidence("edt.sec5.1.jain", form="printed", strength="smt")
def the_index_lies_between_one_over_n_and_one() -> Outcome:
    """By induction over n, with S = sum x and Q = sum x^2: from S^2 <= n Q and Q <= S^2 to the same with one more."""
    n, total, squares, x = sp.symbols("n S Q x", nonnegative=True)
    smt.prove([squares <= total**2], squares + x**2 <= (total + x) ** 2)
    for shares, index in (([1, 0, 0], Fraction(1, 3)), ([2, 2, 2], Fraction(1))):
        check(Fraction(sum(shares) ** 2, len(shares) * sum(y * y for y in shares)) == index, "both ends are attained")
    upper = (total + x) ** 2 <= (n + 1) * (squares + x**2)
    return smt.prove([total**2 <= n * squares, n >= 1], upper).proved("S^2 <= n Q <= n S^2 for every n")


@evidence("edt.fig16.closer-to-1", form="printed", strength="smt")
def a_transfer_to_the_smaller_makes_the_index_larger() -> Outcome:
    """A part p < x - y of x that y gets leaves the sum S and takes 2 p (x - y - p) > 0 off the sum of squares Q.

    The sum of (n x_i - S)^2 over all i is n (n Q - S^2): positive, and so S^2 < n Q, unless all are S / n.
    """
    x, y, others, spread = sp.symbols("x y others spread", nonnegative=True)
    p, n, total, squares, fewer = sp.symbols("p n S Q fewer", positive=True)
    smt.prove([x - y > p], others + (x - p) ** 2 + (y + p) ** 2 < others + x**2 + y**2)
    summed = n**2 * squares - 2 * n * total * total + n * total**2
    check(sp.expand(summed - n * (n * squares - total**2)) == 0, "the sum of (n x_i - S)^2")
    smt.prove([sp.Eq(spread, n * (n * squares - total**2)), spread > 0], total**2 < n * squares)
    larger = total**2 * (n * fewer) < total**2 * (n * squares)  # S^2/(n Q) < S^2/(n fewer), without denominators
    return smt.prove([fewer < squares], larger).proved("the sum stays and the sum of squares falls")


@evidence("edt.sec5.1.rate", form="printed", strength="smt")
def at_twice_the_rate_and_alpha_1_slow_means_few_bursts() -> Outcome:
    """2 C <= C (1 + (1 + N) / M), by the bound of Theorem 1, iff M <= N + 1."""
    C, M = sp.symbols("C M", positive=True)
    N = sp.Symbol("N", nonnegative=True)
    bound = dt.rate_bound(sp.Integer(1), C, M, N)
    smt.prove([bound >= 2 * C], M <= N + 1)
    return smt.prove([M <= N + 1], bound >= 2 * C).proved("both directions, for all M and N")
