"""LaTeX of formulas, printed from the functions that compute them, with the factors in the order of the code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dtmodel.theorems.data import RELATION_NAMES, Condition, Formula, StatementData, at
from dtmodel.theorems.written import Written, of

__all__ = ["joined_sums", "searched", "tex", "tex_of"]


def written(statement: StatementData, shown: Formula | Condition, *, whole: bool = False) -> str:
    """Write a formula or a condition as LaTeX; `whole` includes the left side of a formula."""
    import sympy

    symbols = {symbol.name: symbol.written for symbol in statement.symbols}
    letters = {symbol.written: symbol.latex for symbol in statement.symbols}
    with sympy.evaluate(False):
        expression = shown.at(symbols) if isinstance(shown, Formula) else at(shown, symbols)
        if whole and isinstance(shown, Formula):
            expression = getattr(sympy, RELATION_NAMES[shown.relation])(symbols[shown.of], expression)
        return str(sympy.latex(joined_sums(expression), order="none", symbol_names=letters))


def joined_sums(expression: Any) -> Any:
    """Flatten nested sums and nested products, and keep the order of their parts.

    >>> import sympy
    >>> from sympy.abc import x, y
    >>> with sympy.evaluate(False): nested = (x + y) + 1
    >>> str(nested), str(joined_sums(nested))
    ('(x + y) + 1', 'x + y + 1')
    """
    import sympy

    if not getattr(expression, "args", ()):
        return expression
    kind, parts = expression.func, list[Any]()
    for part in map(joined_sums, expression.args):
        joins = kind in (sympy.Add, sympy.Mul) and part.func is kind and not part.could_extract_minus_sign()
        parts += part.args if joins else [part]
    if kind is sympy.Mul and len(parts) > 1:
        parts = [part for part in parts if part != 1]
    if kind in (sympy.Add, sympy.Mul) and len(parts) == 1:
        return parts[0]
    with sympy.evaluate(kind is sympy.Sum):  # an unevaluated Sum prints a factor 1
        return kind(*parts)


def tex_of(formula: Callable[..., Any], *names: str) -> str:
    r"""Print a formula of symbols with these names as LaTeX; its parts keep their order."""
    return of(formula(*map(Written.symbol, names))).latex


def searched(search: Callable[..., Any], of: str, *over: str, but: str = "") -> str:
    """Write a sum, minimum or maximum (`search`: ``sum``, ``min``, ``max``) of the LaTeX `of` over the indices `over`.

    `but` is a value that the index does not take.
    """
    index = ", ".join(over) + (f" \\neq {but}" if but else "")
    below = f"_{index if len(index) == 1 else f'{{{index}}}'}" if over else ""
    return f"\\{search.__name__}{below} {of}"


def tex(expression: Any, names: Mapping[Any, str] | None = None) -> str:
    """Print a SymPy expression as LaTeX; `names` maps symbols to their LaTeX.

    >>> from sympy.abc import r, t
    >>> tex(r * t, {r: "(R - C)"})
    '(R - C) t'
    """
    import sympy

    return str(sympy.latex(expression, symbol_names=dict(names or {})))
