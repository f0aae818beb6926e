"""The equations of L2BM as they are shown, and their borders."""

from fractions import Fraction

import pytest
import sympy

from dtmodel.theory.l2bm import formulas as l2bm

F = Fraction


def test_the_shown_equations_hold_together_at_a_steady_state():
    """Three queues with tau = 2, 3, 5 and C = 10: one point at which (1) to (9) are all true."""
    tau, alpha, B = [F(2), F(3), F(5)], F(1, 2), F(60)
    state = l2bm.sojourn_steady_state(B, tau, alpha)
    numbers = {"B": B, "C": sum(tau), "alpha": alpha, "t_total": F(6), "N": F(2), "Q": state.occupancy}
    series = {
        "tau": tau,
        "w": [alpha * sum(tau) / t for t in tau],
        "T": list(state.thresholds),
        "Q_in": list(state.thresholds),
        "B_p": [F(0), alpha * (B - state.occupancy)],
    }
    elements = {
        sympy.IndexedBase(name)[i]: sympy.Rational(value)
        for name, values in series.items()
        for i, value in enumerate(values, 1)
    }
    shown = l2bm.equations()
    assert list(shown) == [f"eq{number}" for number in range(1, 10)]
    for name, equation in shown.items():
        assert isinstance(equation, sympy.Equality), name
        symbols = {s: sympy.Rational(numbers[s.name]) for s in equation.free_symbols if s.name in numbers}
        placed = equation.subs({s: {"n": 3, "k": 2}[s.name] for s in equation.free_symbols if s.name in ("n", "k")})
        difference = (placed.lhs - placed.rhs).doit().subs(elements).subs(symbols)
        assert sympy.simplify(difference) == 0, name


def test_a_full_buffer_leaves_thresholds_of_0():
    assert l2bm.thresholds(8, 8, [1, 3], "1/2") == (0, 0)


@pytest.mark.parametrize(("how", "total"), [("sum", 12), ("mean", 3), ("harmonic", 3), ("greatest", 3), ("least", 3)])
def test_four_equal_sojourn_times_at_alpha_3_4_have_the_least_total_weight_that_is_attained(how, total):
    assert sum(l2bm.weights([2, 2, 2, 2], F(3, 4), how)) == total


def test_the_indices_of_the_shown_equations_are_whole_numbers():
    for name, equation in l2bm.equations().items():
        indices = [s for s in equation.atoms(sympy.Symbol) if s.name in ("i", "k")]
        assert all(index.is_integer for index in indices), name
    assert {s.name for s in l2bm.equations()["eq1"].atoms(sympy.Symbol)} >= {"i", "k"}
