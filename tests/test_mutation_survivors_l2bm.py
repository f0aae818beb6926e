"""What the mutants of L2BM taught: the equations as they are shown, and the borders of the warnings."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy

from dtmodel import InputError
from dtmodel.theory import l2bm
from dtmodel.theory.l2bm_parameters import parameters

F = Fraction


def test_the_shown_equations_hold_together_at_a_steady_state():
    """Three queues with tau = 2, 3, 5 and C = 10: one point at which (1) to (9) are all true."""
    tau, alpha, B = [F(2), F(3), F(5)], F(1, 2), F(60)
    state = l2bm.steady_state(B, tau, alpha)
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
    shown = l2bm.formulas()
    assert list(shown) == [f"eq{number}" for number in range(1, 10)]
    for name, equation in shown.items():
        assert isinstance(equation, sympy.Equality), name
        symbols = {s: sympy.Rational(numbers[s.name]) for s in equation.free_symbols if s.name in numbers}
        placed = equation.subs({s: {"n": 3, "k": 2}[s.name] for s in equation.free_symbols if s.name in ("n", "k")})
        difference = (placed.lhs - placed.rhs).doit().subs(elements).subs(symbols)
        assert sympy.simplify(difference) == 0, name


def test_a_buffer_is_greater_than_0():
    with pytest.raises(InputError, match="greater than 0"):
        parameters(buffer=0, sojourns=["1 us", "2 us"])


def test_the_sheet_shows_the_formula_of_each_row():
    sheet = parameters(buffer="4 MB", sojourns=["1 us", "3 us"])
    formulas = {row.name: row.formula for row in sheet.parameters}
    assert formulas["occupancy_l2bm"] == r"\frac{W B}{1 + W}"
    assert formulas["reserve_l2bm"] == r"\frac{B}{1 + W}"
    assert formulas["occupancy_dt"] == r"\frac{\alpha n B}{1 + \alpha n}"
    assert formulas["threshold_2"] == r"\frac{B w_2}{1 + W}"


def warned(words, **keywords):
    return any(words in warning for warning in parameters(buffer="4 MB", **keywords).warnings)


def test_each_warning_has_its_border():
    equal = "equal sojourn times"
    assert warned(equal, sojourns=["2 us", "2 us"])
    assert not warned(equal, sojourns=["2 us", "3 us"])
    assert not warned(equal, sojourns=["2 us", "2 us"], normalisation="harmonic")
    above = "exceeds the buffer while the switch is empty"
    assert not warned(above, weights=["1/2", 1], alpha="1/2")
    assert warned(above, weights=["1/2", "9/8"], alpha="1/2")
    below = "below DT's at the same occupancy"
    assert not warned(below, weights=["1/2", 1], alpha="1/2")
    assert warned(below, weights=["1/4", 1], alpha="1/2")
