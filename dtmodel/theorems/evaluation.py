"""Values of a statement: exact for numbers, SymPy expressions for symbols."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from html import escape
from typing import Any, cast

from dtmodel.base import units
from dtmodel.base.errors import InputError
from dtmodel.base.expressions import never
from dtmodel.base.mathtext import array_of, block_of, html_of, latex_words
from dtmodel.theorems.data import Branch, Condition, StatementData, at, deciding, parameter_names, results
from dtmodel.theorems.operations import is_array, is_symbolic
from dtmodel.theorems.quantities import Symbol

__all__ = ["Evaluated", "never"]

_SHOWN = {"bytes": units.show_bytes, "bytes/s": units.show_rate, "s": units.show_seconds}


@dataclass(frozen=True)
class Evaluated(Mapping[str, Any]):
    """The results of a statement by name, as items and as attributes.

    - `results` (dict): exact numbers, SymPy expressions or arrays. An event that does not occur is at `never` (infinity
      in an array and in SymPy); a result that the case does not define is None (NaN in an array).
    - `case` (str, tuple or None): the letter of the case that applies, in the order of the statement, or its name; one
      for each port if the statement has cases for ports. None if there is one case, for arrays, and for symbols that do
      not decide it.
    - `drops` (tuple of bool or None): for given durations: True for each port that loses bytes, None where the
      statement does not decide.
    - `valid` (bool or array): True where the hypotheses hold; elsewhere arrays have NaN, and numbers are refused.
      Elements that floats do not decide are computed exactly, some thousands a second.
    - `hypotheses` (tuple): for symbols: the hypotheses that remain undecided.
    - `errors` (callable): for arrays: returns, by name, a bound on the distance of each float from the exact result.
    - `units` (dict): the unit of each result.

    >>> answer = Evaluated({"first_drop": Fraction(1, 500)}, "a", units={"first_drop": "s"})
    >>> answer.first_drop, str(answer)
    (Fraction(1, 500), 'first_drop = 2 ms (1/500 s), case a')
    """

    results: Mapping[str, Any]
    case: Any = None
    drops: tuple[bool | None, ...] = ()
    valid: Any = True
    hypotheses: tuple[Any, ...] = ()
    errors: Callable[[], Mapping[str, Any]] = field(default=dict, repr=False, compare=False)
    units: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    def __getitem__(self, name: str) -> Any:
        return self.results[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def __getattr__(self, name: str) -> Any:
        results = self.__dict__.get("results", {})
        if name in results:
            return results[name]
        raise AttributeError(name)

    def __str__(self) -> str:
        shown = [f"{name} = {_text(value, self.units.get(name, ''))}" for name, value in self.items()]
        shown += [f"case {_text(self.case, '')}"] if self.case else []
        return ", ".join(shown + ([f"drops = {_text(self.drops, '')}"] if self.drops else []))

    def _rows(self) -> list[tuple[str, str]]:
        """Return names with values in LaTeX, for displays; none for arrays."""
        if any(is_array(value) for value in self.values()):
            return []
        rows = [(name, latex_of(value, self.units.get(name, ""))) for name, value in self.items()]
        rows += [("case", latex_of(self.case, ""))] if self.case else []
        return rows + ([("drops", latex_of(self.drops, ""))] if self.drops else [])

    def _repr_latex_(self) -> str | None:
        lines = [rf"\text{{{latex_words(name)}}} = {value}" for name, value in self._rows()]
        return f"$\\displaystyle {array_of(lines)}$" if lines else None

    def _repr_html_(self) -> str | None:
        rows = [f"<tr><td>{escape(name)}</td><td>{html_of(f'${value}$')}</td></tr>" for name, value in self._rows()]
        return block_of(f"<table>{''.join(rows)}</table>") if rows else None


def latex_of(value: Any, unit: str) -> str:
    r"""Write a result in LaTeX: a number with its unit in words, an expression as a formula.

    >>> print(latex_of(Fraction(1, 500), "s"), latex_of([None, never], ""))
    \text{2 ms (1/500 s)} [\text{None}, \text{never}]
    """
    if isinstance(value, list | tuple):
        return f"[{', '.join(latex_of(item, unit) for item in value)}]"
    if is_symbolic(value):
        import sympy

        return str(sympy.latex(value)) + (rf"\ \text{{{unit}}}" if unit else "")
    return rf"\text{{{latex_words(_text(value, unit))}}}"


def number_latex(value: Fraction, unit: str) -> str:
    r"""Write an exact number in LaTeX: with its unit as a text, else as a fraction.

    >>> print(number_latex(Fraction(1, 500), "s"), number_latex(Fraction(1, 3), ""), number_latex(Fraction(2), ""))
    \text{2 ms (1/500 s)} \frac{1}{3} 2
    """
    if unit or value.denominator == 1:
        return latex_of(value, unit) if unit else str(value)
    return rf"{'-' * (value < 0)}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"


def _text(value: Any, unit: str) -> str:
    """Write a number with its unit, and a list element by element."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(_text(item, unit) for item in value)}]"
    return shown(value, unit) if isinstance(value, Fraction) else str(value)


def shown(value: Fraction, unit: str) -> str:
    """Write an exact number with its unit, in a multiple that reads well."""
    return _SHOWN.get(unit, units.show_number)(value)


def known(statement: StatementData, values: Mapping[str, Any]) -> list[Condition]:
    """Return the hypotheses that can be tested at these values; an optional symbol may have no value."""
    return [condition for condition in statement.conditions if set(parameter_names(condition)) <= values.keys()]


def exactly(statement: StatementData, values: Mapping[str, Any]) -> Evaluated:
    """Evaluate a statement at exact numbers; raise `InputError` if a hypothesis is false there.

    A statement that reaches `beyond` its hypotheses is evaluated at other numbers in place of these.
    """
    for condition in known(statement, values):
        if not at(condition, values):
            found = statement.beyond(values, partial(exactly, statement)) if statement.beyond else None
            if found is None:
                name = parameter_names(condition)[0]
                raise InputError(name, values[name], statement.shown_condition(condition))
            return replace(cast("Evaluated", found), units=_units(statement))
    several = len(statement.computed) > 1
    for index, branch in enumerate(statement.computed):
        last = index + 1 == len(statement.computed)
        if last or not callable(branch.condition) or at(branch.condition, values):
            found = computed(branch, values)
            made = {name: found.get(name) for name in statement.results}
            return _by_port(statement, values, Evaluated(made, letter(index) if several else None))
    raise AssertionError  # the last case applies where no other does


def letter(index: int) -> str:
    """Return the letter of a case, as documents count them: a, b, c."""
    return chr(ord("a") + index)


def _by_port(statement: StatementData, values: Mapping[str, Any], answer: Evaluated) -> Evaluated:
    """Add the case of each port, and for given durations the ports that lose bytes."""
    at_values = {**values, **answer}
    if statement.by_port is not None:
        answer = replace(answer, case=at(statement.by_port, at_values))
    drops: tuple[bool | None, ...] = ()
    if statement.decides is not None and all(symbol.name in values for symbol in deciding(statement)):
        drops = at(statement.decides, {**at_values, "case": answer.case})
    return replace(answer, drops=drops, units=_units(statement))


def _units(statement: StatementData) -> dict[str, str]:
    return {symbol.name: symbol.unit for symbol in statement.symbols if symbol.name in statement.results}


def computed(branch: Branch, values: Mapping[str, Any]) -> dict[str, Any]:
    """Compute the results of a case in order; a formula may use the results before it."""
    found, seen = {}, dict(values)
    for formula in branch.formulas:
        found[formula.of] = seen[formula.of] = formula.at(seen)
    return found


def symbolically(statement: StatementData, symbols: Sequence[Symbol], values: Mapping[str, Any]) -> Evaluated:
    """Evaluate a statement at SymPy expressions; raise `InputError` if a hypothesis is certainly false."""
    import sympy

    shares = [(s.name, s.accepted, values[s.name] <= 1) for s in symbols if s.domain == "share"]
    conditions = [
        (parameter_names(c)[0], statement.shown_condition(c), at(c, values)) for c in known(statement, values)
    ]
    open_: list[Any] = []
    for name, accepted, relation in (*shares, *conditions):
        if relation in (False, sympy.false):
            raise InputError(name, values[name], accepted)
        if relation not in (True, sympy.true):
            open_.append(relation)
    found = [computed(branch, values) for branch in statement.computed]
    made = {name: joined(statement.computed, name, found, values) for name in statement.results}
    return Evaluated(made, hypotheses=tuple(open_), units=_units(statement))


def joined(branches: Sequence[Branch], name: str, found: Sequence[Mapping[str, Any]], values: Mapping[str, Any]) -> Any:
    """Return a result, found in each case, as one expression: a Piecewise if the cases differ."""
    import sympy

    pieces = []
    for index, branch in enumerate(branches):
        value = found[index].get(name, sympy.nan)
        last = index + 1 == len(branches)
        pieces.append((value, True if last or not callable(branch.condition) else at(branch.condition, values)))
    if isinstance(pieces[0][0], list):
        columns = zip(*(value for value, _ in pieces), strict=True)
        return [_piecewise([(item, c) for item, (_, c) in zip(column, pieces, strict=True)]) for column in columns]
    return _piecewise(pieces)


def _piecewise(pieces: Sequence[tuple[Any, Any]]) -> Any:
    import sympy

    return sympy.sympify(pieces[0][0]) if len(pieces) == 1 else sympy.Piecewise(*pieces)


def expressions(statement: StatementData, branches: Sequence[Branch]) -> dict[str, Any]:
    """Return the right side of each result's equation or bound, in the statement's symbols."""
    symbols = {symbol.name: symbol.sympy for symbol in statement.symbols}
    found = [{formula.of: formula.at(symbols) for formula in branch.formulas} for branch in branches]
    return {name: joined(branches, name, found, symbols) for name in results(branches)}
