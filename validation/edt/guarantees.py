"""What DT and EDT guarantee to a port whatever comes, and which counting numbers obey Rule 2; runs."""

from fractions import Fraction
from itertools import product

from dtmodel import DT, EDT, Arrivals, Switch, simulate
from dtmodel.companion.hunting import agree_in_runs
from dtmodel.ledger import Agrees, Outcome, check, evidence
from dtmodel.theory.edt import formulas

F = Fraction


@evidence("edt.ours.least-share", "edt.ours.least-share.steady", "edt.ours.least-share.tight",
          form="printed", strength="sampled")  # fmt: skip
def bursts_one_after_the_other_find_less_and_less() -> Outcome:
    """B = 64, bursts of 10^6 one after the other: the last one holds the infimum, and less than a thousandth more."""
    cases = 0
    for alpha, M, N in product((F(1, 2), F(1), F(2)), (1, 2, 3), (0, 1, 2)):
        r, steady = F(10**6), dict.fromkeys(range(M, M + N), "steady")
        offered = {i: Arrivals([(i * 64 / r, r + 1)]) for i in range(M)} | {
            M + j: Arrivals.constant(2) for j in range(N)
        }
        run = simulate(Switch(M + N, 64, 1), DT(alpha), offered, until=128 * (M + N) / r, initial=steady)
        held, least = run.queue(M - 1).at(run.first_drop(M - 1) or 0), formulas.least_share(alpha, F(64), M, N)
        check(least <= held <= least * (1 + F(1, 1000)), f"alpha = {alpha}, M = {M}, N = {N}: {held} and {least}")
        check((held == least) == (M + N == 1), "attained by other ports")
        check(least >= formulas.least_share(alpha, F(64), M + N, 0), "the bound by the number of ports is larger")
        cases += 1
    return Agrees(cases, "three alpha, up to three bursts and two steady ports")


@evidence("edt.ours.cn2-ratio", "edt.ours.cn2-ratio.largest", form="printed", strength="sampled")
def the_number_for_a_ratio_is_reached_and_no_larger_one() -> Outcome:
    """B = 64, P = 4, one slow burst beside others rho times as fast: full at cn2 / (R - C) up to the largest number."""
    cases = 0
    for alpha, rho, M in product((F(1, 2), F(1)), (F(1), F(3), F(10)), (1, 2, 3)):
        best, r = formulas.cn2_ratio_integer(alpha, F(64), 4, rho), F(10**6)
        here = formulas.limit_of_ratio(alpha, F(64), M, 4 - M, rho)
        check(formulas.cn2_ratio(alpha, F(64), 4, rho) <= best <= here, "the least over all M")
        for cn2, obeys in ((best, True), (here * F(1001, 1000), False)):
            offered = {i: Arrivals.constant(1 + (r if i == 0 else rho * r)) for i in range(M)}
            offered |= {j: Arrivals.constant(2) for j in range(M, 4)}
            steady = dict.fromkeys(range(M, 4), "steady")
            run = simulate(Switch(4, 64, 1), EDT(alpha, cn2), offered, until=9 * cn2 / r, initial=steady)
            full = {i: cn2 / (r if i == 0 else rho * r) for i in range(M)}
            lost = [i for i in range(M) if (run.first_drop(i) or 9 * cn2) < full[i]]
            check(bool(lost) is not obeys, f"alpha = {alpha}, rho = {rho}, M = {M}, cn2 = {cn2}: {lost} lost")
            cases += 1
    return Agrees(cases, "four ports, three ratios, numbers at the largest and a thousandth above each limit")


@evidence("edt.sec3.3.two-cases", form="assumed", strength="sampled")
@evidence("edt.sec3.3.slope-slow", form="repaired", strength="sampled")
@evidence(
    "edt.sec3.1.remark.counter",
    "edt.ours.newcomer-nothing",
    "edt.ours.no-cn2.rates",
    "edt.ours.no-cn2.staggered",
    "edt.ours.cn2-offered",
    "edt.ours.steady-uncontrolled.at-2C",
    "edt.ours.alternation",
    "edt.ours.constant-rates",
    "edt.sec2.2.output-queued",
    "edt.thm3.L@N+k",
    form="printed",
    strength="sampled",
)
def relations_that_are_proved_hold_in_runs() -> Outcome:
    """Draw instances of the executable forms, on bounds and ties, and run the engines on them."""
    tried = agree_in_runs(globals(), "relations_that_are_proved_hold_in_runs")
    return Agrees(tried, "instances of the forms, drawn with a fixed seed")
