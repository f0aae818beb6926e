"""The conclusions of a statement in SymPy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import sympy

from dtmodel.theorems.data import RELATION_NAMES, Branch, StatementData, at
from dtmodel.theorems.evaluation import expressions
from dtmodel.theorems.theorem import Case

__all__ = ["Conclusions"]


@Case.register
@final
@dataclass(frozen=True)
class StatedCase:
    """A `Case` of a statement: its `condition`, its `conclusions`, and the document's `equations`."""

    condition: Any
    conclusions: tuple[Any, ...]
    equations: str = ""


@final
class Conclusions(sympy.Tuple):  # type: ignore[misc]  # SymPy has no types
    """SymPy relations: `subs`, `xreplace` and similar methods act on each of them, `diff` on their right sides.

    >>> from sympy.abc import x, y
    >>> Conclusions(sympy.Eq(y, x**2)).diff(x)
    (2*x,)
    """

    def diff(self, *symbols: Any, **options: Any) -> sympy.Tuple:
        """Differentiate the right side of each relation by `symbols`, with the `options` of SymPy."""
        return sympy.Tuple(*(sympy.diff(item.rhs, *symbols, **options) for item in self.args))


def conclusions(statement: StatementData) -> Conclusions:
    """Return the equation or bound of each result, and the further relations of the statement."""
    return Conclusions(*_related(statement, statement.shown), *statement.relations())


def cases(statement: StatementData) -> tuple[StatedCase, ...]:
    """Return the cases, each with its condition and its conclusions."""
    symbols = {symbol.name: symbol.sympy for symbol in statement.symbols}
    return tuple(
        StatedCase(
            at(branch.condition, symbols) if callable(branch.condition) else branch.condition,
            tuple(_related(statement, (branch,))),
            branch.equations,
        )
        for branch in statement.branches
    )


def _related(statement: StatementData, branches: Sequence[Branch]) -> list[Any]:
    symbols = {symbol.name: symbol.sympy for symbol in statement.symbols}
    relation = {formula.of: RELATION_NAMES[formula.relation] for branch in branches for formula in branch.formulas}
    made = expressions(statement, branches)
    return [getattr(sympy, relation[name])(symbols[name], value, evaluate=False) for name, value in made.items()]
