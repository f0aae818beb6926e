"""Values of a statement: exact for numbers, SymPy expressions for symbols."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import Parameter, signature
from typing import Any

from dtmodel.base.errors import MISSING, InputError
from dtmodel.theorems.data import Branch, Condition, StatementData, at, parameter_names, results
from dtmodel.theorems.quantities import Symbol

__all__ = ["Evaluated"]


@dataclass(frozen=True)
class Evaluated(Mapping[str, Any]):
    """The results of a statement by name, as items and as attributes.

    Attributes
    ----------
    results : dict
        Exact numbers, SymPy expressions or arrays; None (NaN in an array) if the case does not define the result.
    case : int or None
        The index of the case that applies; None for arrays, and for symbols that do not decide it.
    valid : bool or array
        True where the hypotheses hold; elsewhere arrays have NaN, and numbers are refused. Elements that floats do not
        decide are computed exactly, some thousands a second.
    hypotheses : tuple
        For symbols: the hypotheses that remain undecided.
    errors : callable
        For arrays: returns, by name, a bound on the distance of each float from the exact result.

    Examples
    --------
    >>> Evaluated({"time": 2}).time
    2
    """

    results: Mapping[str, Any]
    case: int | None = None
    valid: Any = True
    hypotheses: tuple[Any, ...] = ()
    errors: Callable[[], Mapping[str, Any]] = field(default=dict, repr=False, compare=False)

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


def refuse_misfits(ask: Callable[..., Any], placed: int, values: Mapping[str, Any], inputs: Iterable[str]) -> None:
    """Raise `InputError` if a keyword is not a parameter of `ask`, or if one after the first `placed` is missing."""
    accepted = f"one of {', '.join(parameter_names(ask))}; or values for {', '.join(inputs)} instead"
    for name in values:
        if name not in parameter_names(ask)[placed:]:
            raise InputError(name, values[name], accepted)
    for name, parameter in list(signature(ask).parameters.items())[placed:]:
        if parameter.default is Parameter.empty and name not in values:
            raise InputError(name, MISSING, f"a value; {accepted}")


def known(statement: StatementData, values: Mapping[str, Any]) -> list[Condition]:
    """Return the hypotheses that can be tested at these values; an optional symbol may have no value."""
    return [condition for condition in statement.conditions if set(parameter_names(condition)) <= set(values)]


def exactly(statement: StatementData, values: Mapping[str, Any]) -> Evaluated:
    """Evaluate a statement at exact numbers; raise `InputError` if a hypothesis is false there."""
    for condition in known(statement, values):
        if not at(condition, values):
            name = parameter_names(condition)[0]
            raise InputError(name, values[name], statement.shown_condition(condition))
    for index, branch in enumerate(statement.computed):
        last = index + 1 == len(statement.computed)
        if last or not callable(branch.condition) or at(branch.condition, values):
            found = computed(branch, values)
            return Evaluated({name: found.get(name) for name in results(statement.computed)}, index)
    raise AssertionError  # the last case applies where no other does


def computed(branch: Branch, values: Mapping[str, Any]) -> dict[str, Any]:
    """Compute the results of a case in order; a formula may use the results before it."""
    found: dict[str, Any] = {}
    for formula in branch.formulas:
        found[formula.of] = formula.at({**values, **found})
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
    made = {name: joined(statement.computed, name, found, values) for name in results(statement.computed)}
    return Evaluated(made, 0 if len(statement.computed) == 1 else None, True, tuple(open_))


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
