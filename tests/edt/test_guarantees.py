"""What DT and EDT guarantee, against the engine: least shares, and counting numbers for unequal bursts."""

from fractions import Fraction
from itertools import product

import pytest

from dtmodel import DT, EDT, Arrivals, Switch, simulate
from dtmodel.theory.edt import formulas

F = Fraction


@pytest.mark.parametrize(("alpha", "P"), list(product((F(1, 2), F(1), F(3)), (1, 2, 5))))
def test_the_ratio_of_one_is_73_and_the_whole_numbers_allow_no_less(alpha: F, P: int) -> None:
    assert formulas.cn2_ratio(alpha, F(7), P, 1) == formulas.cn2_paper(alpha, F(7), P)
    assert formulas.cn2_ratio_integer(alpha, F(7), P, 1) == formulas.cn2_integer(alpha, F(7), P)
    for rho in (F(1), F(5, 2), F(40)):
        assert formulas.cn2_ratio(alpha, F(7), P, rho) <= formulas.cn2_ratio_integer(alpha, F(7), P, rho)


def test_the_slowest_burst_is_the_one_that_a_larger_number_leaves_behind() -> None:
    """B = 60, alpha = 1, no steady ports: 60 / (2 + rho) exactly, whatever the rates are."""
    limit = formulas.limit_of_ratio(F(1), F(60), 2, 0, F(4))
    assert limit == 10
    for cn2, first in ((limit, None), (limit + 1, limit)):
        offered = {0: Arrivals.constant(2), 1: Arrivals.constant(5)}
        run = simulate(Switch(2, 60, 1), EDT(1, cn2), offered, until=limit + F(1, 9))
        assert run.first_drop(0) == first


def test_a_queue_that_loses_holds_the_least_share_or_more() -> None:
    offered = {0: Arrivals.constant(100), 1: Arrivals([(1, 100)]), 2: Arrivals([(2, 100)])}
    run = simulate(Switch(3, 64, 1), DT(1), offered, until=9)
    held = [run.queue(port).at(run.first_drop(port) or 0) for port in range(3)]
    assert all(length >= formulas.least_share(F(1), F(64), 3, 0) == 8 for length in held)
    assert held[0] == formulas.least_share(F(1), F(64), 1, 0) == 32
    assert 8 < held[2] < 9
