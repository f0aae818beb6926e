"""Exact limits of a statement's results: quotients of polynomials with cases, extremes, floors and ceilings.

Close to the goal, each case either applies or not, one argument of a minimum is the smaller, and a rounded quotient
either is constant or differs from its argument by a bounded remainder. The quotient of polynomials that remains has the
limit that its lowest terms have.
"""

from typing import Any

import sympy

from dtmodel.base.errors import InputError

_LONG = 200
"""SymPy's `limit`, whose time has no bound, computes other expressions of at most this many operations."""


def tends_to(expression: Any, symbol: Any, goal: Any) -> Any:
    """Return the limit of an expression as a symbol tends to a value from above, or to infinity; None if undefined.

    Raises `InputError` if the limit does not exist or depends on symbols without a value.
    """
    near = _Near(symbol, goal)
    value = near.part(sympy.sympify(expression))
    if value.has(sympy.nan):
        return None
    order, coefficient = near.lead(value)
    if order > 0 or coefficient == 0:
        return sympy.Integer(0)
    if coefficient.free_symbols & near.remainders:
        raise near.undecided(expression, "a point with a limit: the result oscillates in steps")
    coefficient = sympy.factor(coefficient).xreplace(near.held)
    return coefficient if order == 0 else near.sign(coefficient, expression, "the limit") * sympy.oo


def fails(condition: Any, symbol: Any, goal: Any) -> bool:
    """Return True if a condition is known to be false in a neighbourhood above a value of a symbol.

    >>> from sympy.abc import x, y
    >>> fails(x > 3, x, sympy.oo), fails(x <= 3, x, sympy.Integer(3)), fails(x < y, x, y)
    (False, True, True)
    >>> fails(x < y, x, sympy.Integer(3))
    False
    """
    try:
        return not _Near(symbol, goal).holds(sympy.sympify(condition))
    except InputError:
        return False


class _Near:
    """Evaluates expressions in a neighbourhood above a value of a symbol."""

    def __init__(self, symbol: Any, goal: Any) -> None:
        self.symbol = symbol
        self.small = sympy.Dummy(positive=True)
        self.at = {symbol: 1 / self.small if goal == sympy.oo else goal + self.small}
        self.goal = goal
        self.remainders = set[Any]()
        self.held = dict[Any, Any]()
        self.parts = dict[Any, Any]()

    def undecided(self, expression: Any, accepted: str) -> InputError:
        """Return the error that names the symbols on which the limit depends."""
        return InputError(str(self.symbol), str(expression), accepted)

    def sign(self, coefficient: Any, expression: Any, what: str) -> Any:
        sign = sympy.sign(coefficient)
        if sign not in (1, -1):
            raise self.undecided(expression, f"values that decide {what}")
        return sign

    def part(self, expression: Any) -> Any:
        """Return a quotient of polynomials that equals an expression near the goal."""
        if expression not in self.parts:
            self.parts[expression] = self._part(expression)
        return self.parts[expression]

    def _part(self, expression: Any) -> Any:
        if isinstance(expression, sympy.Piecewise):
            return next(self.part(value) for value, condition in expression.args if self.holds(condition))
        if not expression.has(self.symbol) or not expression.args:
            return self._constant(expression)
        parts = [self.part(item) for item in expression.args]
        if isinstance(expression, sympy.Min | sympy.Max):
            best = parts[0]
            for other in parts[1:]:
                best = self._extreme(expression, best, other)
            return best
        if isinstance(expression, sympy.floor | sympy.ceiling):
            return self._rounded(expression, parts[0])
        return expression.func(*parts)

    def _constant(self, expression: Any) -> Any:
        """Replace a constant that is not a quotient of polynomials by a letter."""
        if not expression.has(sympy.Function, sympy.Min, sympy.Max, sympy.Piecewise):
            return expression
        facts = {fact: True for fact in ("positive", "nonnegative", "negative") if getattr(expression, f"is_{fact}")}
        letter = sympy.Dummy(**facts)
        self.held[letter] = expression
        return letter

    def holds(self, condition: Any) -> bool:
        if condition in (sympy.true, sympy.false):
            return bool(condition)
        if isinstance(condition, sympy.And | sympy.Or):
            return (all if isinstance(condition, sympy.And) else any)(map(self.holds, condition.args))
        _, coefficient = self.lead(self.part(condition.lhs) - self.part(condition.rhs))
        if coefficient == 0:
            return bool(condition.func(0, 0))
        sign = self.sign(coefficient, condition, "which case applies near the limit")
        return bool(condition.func(sign, 0))

    def _extreme(self, expression: Any, one: Any, other: Any) -> Any:
        """Return the smaller or the greater of two; of two bounded expressions, a bounded one."""
        _, coefficient = self.lead(one - other)
        if coefficient.free_symbols & self.remainders and self._bounded(one) and self._bounded(other):
            return self._bounded_one(real=True)
        if coefficient == 0:
            return one
        less = self.sign(coefficient, expression, "which case applies near the limit") < 0
        return one if less == isinstance(expression, sympy.Min) else other

    def _rounded(self, expression: Any, value: Any) -> Any:
        """Return a floor or a ceiling: an integer near a finite limit, else the argument less a bounded remainder."""
        order, coefficient = self.lead(value)
        moves = bool(coefficient.free_symbols & self.remainders)
        if moves and order == 0:
            return self._bounded_one(real=True)
        up = isinstance(expression, sympy.ceiling)
        if order < 0:
            return value + self._bounded_one(nonnegative=True) * (1 if up else -1)
        goal = coefficient if order == 0 else sympy.Integer(0)
        if not goal.is_Rational:
            raise self.undecided(expression, "values that decide the limit")
        if not goal.is_integer:
            return expression.func(goal)
        beyond = value - goal if up else goal - value
        if all(coefficient.is_nonpositive for coefficient in self._terms(beyond)):
            return goal
        sign = self.sign(self.lead(beyond)[1], expression, "the limit")
        return goal if sign < 0 else goal + (1 if up else -1)

    def _terms(self, value: Any) -> list[Any]:
        """Return the coefficients of the powers of the vanishing variable, with the sign of the denominator."""
        over, under = sympy.fraction(sympy.cancel(value.xreplace(self.at)))
        sign = sympy.sign(sympy.Poly(under, self.small).terms()[-1][1])
        return [sign * coefficient for _, coefficient in sympy.Poly(over, self.small).terms()]

    def _bounded(self, value: Any) -> bool:
        return bool(self.lead(value)[0] >= 0)

    def _bounded_one(self, **facts: bool) -> Any:
        """Return a letter for a bounded number with known `facts`."""
        letter = sympy.Dummy(**facts)
        self.remainders.add(letter)
        return letter

    def lead(self, value: Any) -> tuple[Any, Any]:
        """Return the lowest power of the vanishing variable and its coefficient, which is 0 if the value is 0."""
        moved = value.xreplace(self.at)
        if not moved.is_rational_function(self.small):
            return self._by_sympy(value)
        terms = [sympy.Poly(part, self.small).terms()[-1] for part in sympy.fraction(sympy.cancel(moved))]
        ((over,), top), ((under,), bottom) = terms
        if bottom.free_symbols & self.remainders:
            raise self.undecided(value, "values that decide the limit")
        return over - under, top / bottom

    def _by_sympy(self, value: Any) -> tuple[Any, Any]:
        """Return the lowest power and coefficient by SymPy, if the value is not a quotient of polynomials."""
        plain = value.xreplace(self.held)
        if value.free_symbols & self.remainders or plain.count_ops() > _LONG:
            raise self.undecided(plain, "values that decide the limit")
        try:
            found = sympy.limit(plain, self.symbol, self.goal, "+")
        except NotImplementedError as error:
            raise self.undecided(plain, f"values that decide the limit: {error}") from None
        if found == 0:
            return 1, sympy.Dummy()
        return (-1, sympy.sign(found)) if found.is_infinite else (0, found)
