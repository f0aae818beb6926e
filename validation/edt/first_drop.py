"""Section 3.3: the first loss for any arrival rates; runs and published numbers."""

from fractions import Fraction
from itertools import pairwise, product

from dtmodel.fluid import answer
from dtmodel.ledger import Agrees, Outcome, check, evidence, refuted_by_values
from dtmodel.theory.edt.varying_rates import varying_first_drop

from .scenarios import SHARED, Pieces, against, burst, dt, fractions, scenario, steady

F = Fraction


@evidence("edt.sec3.3.two-cases", form="printed", strength="exact")
def a_steady_queue_that_is_offered_little_does_neither() -> Outcome:
    """The burst pauses after 1 s; a steady port that is offered just C keeps its 5/2 while the threshold rises to 3."""
    slow: Pieces = [(0, 1)]
    request = scenario([[(0, 2), (1, 0)]], [slow], sample=["3/2"])
    return against(request, {"queues": [["1/2", "11/4"]]}, "the steady queue neither follows the threshold nor drains")


@evidence("edt.sec3.3.no-general-condition", form="printed", strength="exact")
def the_arrivals_decide_through_many_changes_of_case() -> Outcome:
    """Rates that cross the bound again and again: the functional of the arrivals gives the engine's drop."""
    rates: Pieces = [(0, 2), ("1/2", 5), ("3/4", 0), (1, 4), ("5/4", 2), ("3/2", 7)]
    request = scenario([rates], [[(0, 9)]])
    drop = varying_first_drop(SHARED, [fractions(rates)], F(9))
    check(drop is not None and str(drop.time) == answer(request)["first_drop"][0], "the engine agrees")
    return against(request, {"first_drop": [None, "0"]}, "the arrivals alone give the time of the first drop")


@evidence("edt.fig5.shape", form="assumed", strength="sampled")
def overlapping_answers_rise_then_fall() -> Outcome:
    """If all beginnings precede all ends, the number of active servers rises by one n times, then falls n times."""
    cases = 0
    for servers, step in product(range(1, 7), range(1, 4)):
        rates = [step * k for k in range(servers + 1)] + [step * k for k in range(servers - 1, -1, -1)]
        turns = [b > a for a, b in pairwise(rates)]
        check(turns == sorted(turns, reverse=True), "rises come before falls")
        cases += 1
    return Agrees(cases, "the order of the events determines the rates: up to 6 servers, each with the same rate")


@evidence("edt.eq42", form="repaired", strength="exact")
def half_open_phases_are_possible() -> Outcome:
    """Rates 2, 5, 2 around the bound 3 satisfy the repaired (42) in every instant of a grid that has its ends."""
    rates, bound = fractions([(0, 2), (1, 5), (2, 2)]), F(3)
    grid = [F(k, 4) for k in range(13)]
    value = [next(rate for time, rate in reversed(rates) if time <= at) for at in grid]
    fast = [1 <= at < 2 for at in grid]
    check([rate > bound for rate in value] == fast, "each instant is in one phase")
    return Agrees(len(grid), "a rate of three phases, piecewise constant, with both ends on the grid")


@evidence("edt.sec3.most-general@theorem4", form="printed", strength="exact")
def theorem_4_does_not_cover_unequal_rates() -> Outcome:
    """Rates 2 and 3/2 beside two steady ports: Theorem 2 applies and gives unequal drop times, Theorem 4 one time."""
    found = answer(dt([burst("2"), burst("3/2"), steady(), steady()], buffer="12", until="20"))["first_drop"]
    first, second = found[:2]
    check(first != second, "both ports drop at once")
    hypotheses = ["alpha * (R_1 - C + R_2 - C) <= (1 + alpha * N) * C", "R_1 >= R_2", "R_2 > C"]
    values = {"alpha": "1", "N": "2", "C": "1", "R_1": "2", "R_2": "3/2", "t_1": first, "t_2": second}
    return refuted_by_values(
        values, "R_1 == R_2 and t_1 == t_2", "a case of Theorem 2 that (42) excludes: the rates differ", hypotheses
    )
