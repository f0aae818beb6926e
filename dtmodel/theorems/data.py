"""The data of a statement: its formulas, its cases, and the fields that every operation on statements reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from inspect import signature
from typing import Any, Literal

from dtmodel.theorems.quantities import Symbol

Condition = Callable[..., Any]
"""A relation as a function of symbols, which it names as its parameters: of numbers, expressions or arrays alike."""

Relation = Literal["=", "<=", "<", ">=", ">"]

RELATION_NAMES = {"=": "Eq", "<=": "Le", "<": "Lt", ">=": "Ge", ">": "Gt"}
"""What SymPy calls them."""


@dataclass(frozen=True)
class Formula:
    """What a result is, or what bounds it.

    Parameters
    ----------
    of : str
        The name of the result's symbol.
    compute : callable
        Computes it from symbols, which it names as its parameters: numbers, SymPy expressions or arrays alike.
    relation : {"=", "<=", "<", ">=", ">"}
        How the result is related to what is computed.
    symbols : str
        The names of the symbols, in order, where the parameters of `compute` are called otherwise.

    Examples
    --------
    >>> Formula("T", lambda alpha, F: alpha * F).at({"alpha": 2, "F": 3})
    6
    """

    of: str
    compute: Callable[..., Any]
    relation: Relation = "="
    symbols: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the symbols that it is computed from."""
        return tuple(self.symbols.split()) or parameter_names(self.compute)

    def at(self, values: Mapping[str, Any]) -> Any:
        """Compute it at `values` by name."""
        return self.compute(*(values[name] for name in self.names))


@cache
def parameter_names(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of the symbols that a formula or a condition takes."""
    return tuple(signature(function).parameters)


def at(function: Callable[..., Any], values: Mapping[str, Any]) -> Any:
    """Compute a formula or a condition at values by name."""
    return function(**{name: values[name] for name in parameter_names(function)})


@dataclass(frozen=True)
class Branch:
    """A case of a statement as it is written down.

    Parameters
    ----------
    condition : str or callable
        When the case applies: in words with LaTeX between dollar signs, empty if always; or a relation as a function of
        symbols, which it names as its parameters.
    says : tuple of str
        What holds then, in words with places: ``<name>`` stands for what the formula of that name computes, in LaTeX,
        ``<is name>`` for the relation between the result of that name and it, ``<left > name>`` for another
        relation of a symbol and it, and ``<in name>`` for what values the symbol of that name takes.
    equations : str
        The numbers that the document gives to these conclusions, such as ``"(2), (5)"``.
    formulas : tuple of Formula
        What the results are.

    Examples
    --------
    >>> from dtmodel.theory import dt
    >>> dt.theorem1.branches[0].equations
    '(2)-(5)'
    """

    condition: str | Condition
    says: tuple[str, ...] = ()
    equations: str = ""
    formulas: tuple[Formula, ...] = ()


@dataclass(frozen=True, repr=False, eq=False)
class StatementData:
    """The fields of a `Statement`, which documents them, and the properties that need no other module."""

    id: str
    title: str
    symbols: tuple[Symbol, ...] = ()
    assumes: tuple[str | Condition, ...] = ()
    says: tuple[str, ...] = ()
    branches: tuple[Branch, ...] = ()
    source: str = ""
    bibtex: str = field(default="", kw_only=True)
    formulas: tuple[Formula, ...] = field(default=(), kw_only=True)
    given: tuple[Condition, ...] = field(default=(), kw_only=True)
    notes: tuple[Formula, ...] = field(default=(), kw_only=True)
    relations: Callable[[], tuple[Any, ...]] = field(default=tuple, kw_only=True)
    sequence: tuple[Branch, ...] = field(default=(), kw_only=True)
    ask: Callable[..., Any] | None = field(default=None, kw_only=True)
    observe: Callable[[Any], list[tuple[dict[str, Any], dict[str, Any]]]] | None = field(default=None, kw_only=True)
    no_run: str = field(default="", kw_only=True)

    @property
    def paper(self) -> str:
        """The document that the claim belongs to: the first part of its id."""
        return self.id.partition(".")[0]

    @property
    def shown(self) -> tuple[Branch, ...]:
        """The cases, or one that always applies."""
        return (
            self.branches if any(branch.formulas for branch in self.branches) else (Branch("", (), "", self.formulas),)
        )

    @property
    def computed(self) -> tuple[Branch, ...]:
        """The cases from which results are computed."""
        return self.sequence or self.shown

    @property
    def conditions(self) -> list[Condition]:
        """The hypotheses that values are held against."""
        shown = [] if self.sequence else [item for item in self.assumes if callable(item)]
        return [*self.given, *shown]

    @property
    def inputs(self) -> tuple[str, ...]:
        """The keywords that `evaluate` takes."""
        return tuple(symbol.name for symbol in inputs(self))

    @property
    def results(self) -> tuple[str, ...]:
        """The names of the results."""
        return results(self.computed)


def inputs(statement: StatementData) -> tuple[Symbol, ...]:
    """Return the symbols that the results are computed from, in the statement's order."""
    conditions = [b.condition for b in statement.computed if callable(b.condition)] + statement.conditions
    used = {name for branch in statement.computed for formula in branch.formulas for name in formula.names}
    used -= set(results(statement.sequence))  # there a result may be computed from those before it
    used |= {name for condition in conditions for name in parameter_names(condition)}
    return tuple(symbol for symbol in statement.symbols if symbol.name in used)


def results(branches: Sequence[Branch]) -> tuple[str, ...]:
    """Return the names of the results, in the order in which they first appear."""
    return tuple(dict.fromkeys(formula.of for branch in branches for formula in branch.formulas))
