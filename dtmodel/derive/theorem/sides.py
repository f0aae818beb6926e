"""Limits of a derived theorem along one symbol, and its derivatives."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from dtmodel.base.documents import choice
from dtmodel.base.errors import MISSING, InputError
from dtmodel.derive.algebra.dimensions import read_value
from dtmodel.derive.algebra.reals import sign_beside, value_at
from dtmodel.derive.theorem.data import TheoremData
from dtmodel.derive.theorem.optimum import limit_of, measures_of
from dtmodel.derive.theorem.restricting import ends, restricted
from dtmodel.derive.theorem.slices import Restriction, Slice, SliceCase, refuse_symbol, slope
from dtmodel.derive.theorem.symbolic import in_letters, letters
from dtmodel.theorems.evaluation import never
from dtmodel.theorems.questions import Sensitivity


def limit(theorem: TheoremData, key: str, symbol: str, to: Any, values: Mapping[str, Any]) -> Any:
    """Return a limit, as `DerivedTheorem.limit` documents."""
    import sympy

    refuse_symbol(theorem, symbol, "symbol")
    if any(name not in (symbol, *values, *theorem.family.defined) for name in theorem.family.symbols):
        return _limit_in_letters(theorem, key, symbol, to, values)
    line = Restriction(theorem, key, symbol, values, name="symbol").only()
    end = None if str(to) in {"oo", "inf"} else read_value(to, "to", theorem.domain.measures.get(symbol))
    case = _case_beside(line, "oo" if end is None else end, above=True)
    if case is None:
        raise InputError("to", to, f"a value from above which {symbol} can come near to")
    if case.answer is None:
        return never
    found = limit_of(case.answer, end, "oo")
    if found != "oo":
        return found
    sign = partial(sign_beside, place="oo" if end is None else end, above=True)
    return sympy.oo if sign(case.answer[0]) * sign(case.answer[1]) > 0 else -sympy.oo


def _limit_in_letters(theorem: TheoremData, key: str, symbol: str, to: Any, values: Mapping[str, Any]) -> Any:
    """Return a limit at an end of a symbol as an expression in the symbols without a value."""
    choice(key, "result", theorem.keys)
    end = "oo" if str(to) in {"oo", "inf"} else read_value(to, "to", theorem.domain.measures.get(symbol))
    for place, _, there in ends(restricted(theorem, values).theorem, symbol, values=False):
        if place == end:
            return in_letters(there.theorem)[key]
    raise InputError("to", to, f"an end of {symbol} at which {key} is bounded, or values of all other symbols")


def sensitivity(theorem: TheoremData, key: str, to: str, values: Mapping[str, Any]) -> Sensitivity:
    """Return a derivative, as `DerivedTheorem.sensitivity` documents."""
    choice(key, "result", theorem.keys)
    above, below = measures_of(theorem, key, to)
    unit = f"{above}/({below})" if "/" in below else f"{above}/{below}" if below else above
    if not values:
        return Sensitivity(_derivative(theorem, key, to), unit)
    here = read_value(values.get(to, MISSING), to, theorem.domain.measures.get(to))
    line = Restriction(
        theorem, key, to, {name: value for name, value in values.items() if name != to}, name="to"
    ).only()
    theorem.exact(**values)  # refuses a point outside the domain
    cases = (_case_beside(line, here, above=side) for side in (False, True))
    found = {_slope_at(case, here) for case in cases if case is not None}
    if len(found) != 1 or None in found:
        raise InputError(to, str(values[to]), f"a point at which {key} has a derivative")
    return Sensitivity(found.pop(), unit)


def _derivative(theorem: TheoremData, key: str, to: str) -> Any:
    import sympy

    refuse_symbol(theorem, to, "to")
    value, letter = in_letters(theorem)[key], letters(theorem)[to]
    if not isinstance(value, sympy.Piecewise):
        return sympy.factor(value.diff(letter))
    return sympy.Piecewise(*((sympy.factor(part.diff(letter)), when) for part, when in value.args))


def _case_beside(line: Slice, place: Any, *, above: bool) -> SliceCase | None:
    sign = partial(sign_beside, place=place, above=above)
    return line.case(sign) if line.inside(sign) else None


def _slope_at(case: SliceCase, here: Any) -> Any:
    """Return the derivative of the answer of a case at a number; None if it is "never"."""
    return None if case.answer is None else value_at(slope(case.answer), case.answer[1] ** 2, here)
