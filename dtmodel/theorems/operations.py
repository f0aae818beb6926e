"""Functions for formulas, beside + - * / and comparisons, that accept numbers, SymPy expressions and arrays alike.

- ``value`` and ``values`` are numbers, SymPy expressions or arrays;
- ``condition`` is a truth value, a relation of SymPy or an array of truth values, ``cases`` are pairs of a
  value and a condition, ``last`` is the value if no condition holds.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any


def is_symbolic(value: object) -> bool:
    """Return True if a value is a SymPy expression; the test does not import SymPy.

    >>> from sympy.abc import x
    >>> is_symbolic(x), is_symbolic(3)
    (True, False)
    """
    return hasattr(value, "free_symbols") or (type(value).__module__ or "").partition(".")[0] == "sympy"


def is_array(value: object) -> bool:
    """Return True if a value is an array of NumPy or xarray with at least one dimension."""
    return bool(getattr(value, "shape", ())) and hasattr(value, "__array__")


def least(*values: Any) -> Any:
    """Return the minimum: of numbers, of arrays element by element, or SymPy's ``Min`` if a value is symbolic."""
    return _extreme(values, "Min", "minimum", min)


def greatest(*values: Any) -> Any:
    """Return the maximum: of numbers, of arrays element by element, or SymPy's ``Max`` if a value is symbolic."""
    return _extreme(values, "Max", "maximum", max)


def _extreme(values: Sequence[Any], symbolic: str, of_arrays: str, of_numbers: Callable[..., Any]) -> Any:
    if all(isinstance(value, int | Fraction) for value in values):
        return of_numbers(values)
    if any(is_symbolic(value) for value in values):
        import sympy

        return getattr(sympy, symbolic)(*values)
    own = next((value for value in values if hasattr(value, of_arrays)), None)
    if own is not None:
        return getattr(own, of_arrays)(values)
    import numpy as np

    floats = [float(value) if isinstance(value, Fraction) else value for value in values]
    return getattr(np, of_arrays).reduce(np.broadcast_arrays(*floats))


def rounded_down(value: Any) -> Any:
    """Return the floor of a number, an expression or an array."""
    return _whole(value, "floor", floor)


def rounded_up(value: Any) -> Any:
    """Return the ceiling of a number, an expression or an array."""
    return _whole(value, "ceil", ceil)


def _whole(value: Any, name: str, of_numbers: Callable[[Any], int]) -> Any:
    if isinstance(value, int | Fraction):
        return of_numbers(value)
    if is_symbolic(value):
        import sympy

        return sympy.floor(value) if name == "floor" else sympy.ceiling(value)
    if hasattr(value, name):
        return getattr(value, name)()
    import numpy as np

    return getattr(np, name)(value)


def defined(value: Any, condition: Any) -> Any:
    """Return a value where a condition holds, elsewhere None for a number, NaN in an array or an expression."""
    if isinstance(condition, bool):
        return value if condition else None
    if is_symbolic(condition) or is_symbolic(value):
        import sympy

        return sympy.Piecewise((value, condition), (sympy.nan, True))
    if hasattr(value, "where"):
        return value.where(condition)
    import numpy as np

    return np.where(condition, value, np.nan)


def first_of(cases: Sequence[tuple[Any, Any]], last: Any) -> Any:
    """Return the first value whose condition holds, and ``last`` if none holds; a Piecewise for symbols."""
    if is_symbolic(last) or any(is_symbolic(part) for case in cases for part in case):
        import sympy

        return sympy.Piecewise(*cases, (last, True))
    import numpy as np

    for value, condition in reversed(cases):
        last = value.otherwise(condition, last) if hasattr(value, "otherwise") else np.where(condition, value, last)
    return last


def somewhere(condition: Any) -> bool:
    """Return True if a condition may hold: at some element of an array, or for some values of symbols."""
    if is_symbolic(condition):
        import sympy

        return condition is not sympy.false
    return bool(condition.any() if hasattr(condition, "any") else condition)


def everywhere(condition: Any) -> bool:
    """Return True if a condition certainly holds: at every element of an array, and for all values of symbols."""
    if is_symbolic(condition):
        import sympy

        return condition is sympy.true
    return bool(condition.all() if hasattr(condition, "all") else condition)
