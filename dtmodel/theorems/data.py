"""The data of a statement: its formulas, its cases, and the fields that every operation on statements reads."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from inspect import signature
from typing import Any, Literal

from dtmodel.base.errors import InputError
from dtmodel.theorems.quantities import Symbol

Condition = Callable[..., Any]
"""A relation as a function of symbols, which it names as its parameters: of numbers, expressions or arrays alike."""

Relation = Literal["=", "<=", "<", ">=", ">"]

RELATION_NAMES = {"=": "Eq", "<=": "Le", "<": "Lt", ">=": "Ge", ">": "Gt"}
"""The SymPy class of each relation."""


@dataclass(frozen=True)
class Formula:
    """An equation or a bound for one result.

    - `of`: the name of the result's symbol.
    - `compute` (callable): computes the right side. Its parameters are the names of symbols: numbers, SymPy expressions
      or arrays.
    - `relation` (``"="``, ``"<="``, ``"<"``, ``">="`` or ``">"``): the relation of the result to the right side.
    - `symbols`: the names of the symbols, in order, if they differ from the parameters of `compute`.

    >>> Formula("T", lambda alpha, F: alpha * F).at({"alpha": 2, "F": 3})
    6
    """

    of: str
    compute: Callable[..., Any]
    relation: Relation = "="
    symbols: str = ""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the symbols in the right side."""
        return tuple(self.symbols.split()) or parameter_names(self.compute)

    def at(self, values: Mapping[str, Any]) -> Any:
        """Compute the right side at `values` by name."""
        return self.compute(*map(values.__getitem__, self.names))


@cache
def parameter_names(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of the parameters of a formula or a condition: the symbols in it."""
    return tuple(signature(function).parameters)


def at(function: Callable[..., Any], values: Mapping[str, Any]) -> Any:
    """Compute a formula or a condition at values by name."""
    return function(*map(values.__getitem__, parameter_names(function)))


@dataclass(frozen=True)
class Branch:
    """A case of a statement, as the document writes it.

    - `condition` (str or callable): when the case applies: words with LaTeX between dollar signs (empty if always), or
      a relation as a function whose parameters are the names of symbols.
    - `says`: the conclusions in words. Places in them are filled with LaTeX: ``<name>`` with the right side of that
      formula, ``<is name>`` with the whole equation, ``<left > name>`` with another relation of the symbol ``left`` to
      the right side, and ``<in name>`` with the domain of that symbol.
    - `equations`: the document's numbers of these conclusions, such as ``"(2), (5)"``.
    - `formulas` (tuple of Formula): the results.

    >>> from dtmodel.theory import dt
    >>> dt.theorem1.branches[0].equations
    '(2)-(5)'
    """

    condition: str | Condition
    says: tuple[str, ...] = ()
    equations: str = ""
    formulas: tuple[Formula, ...] = ()


@dataclass(frozen=True, repr=False, eq=False)
class StatementData(ABC):
    """The fields of a `Statement`, which documents them, and properties that need no other module."""

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
    along: Callable[..., Any] | None = field(default=None, kw_only=True)
    beyond: Callable[[Mapping[str, Any], Callable[..., Any]], Any] | None = field(default=None, kw_only=True)
    by_port: Callable[..., tuple[str | None, ...]] | None = field(default=None, kw_only=True)
    decides: Callable[..., tuple[bool | None, ...]] | None = field(default=None, kw_only=True)
    observe: Callable[[Any], list[tuple[dict[str, Any], dict[str, Any]]]] | None = field(default=None, kw_only=True)
    no_run: str = field(default="", kw_only=True)

    @abstractmethod
    def shown_condition(self, condition: Condition) -> str:
        """Write a `condition` as text."""

    @property
    def paper(self) -> str:
        """The document of the claim: the first part of its id."""
        return self.id.partition(".")[0]

    @cached_property
    def shown(self) -> tuple[Branch, ...]:
        """The cases, or a single case without a condition."""
        return (
            self.branches if any(branch.formulas for branch in self.branches) else (Branch("", (), "", self.formulas),)
        )

    @cached_property
    def computed(self) -> tuple[Branch, ...]:
        """The cases from which results are computed."""
        return self.sequence or self.shown

    @cached_property
    def conditions(self) -> list[Condition]:
        """The hypotheses that are tested at given values."""
        shown = [] if self.sequence else [item for item in self.assumes if callable(item)]
        return [*self.given, *shown]

    @property
    def inputs(self) -> tuple[str, ...]:
        """The keywords from which `evaluate` computes the results."""
        return tuple(symbol.name for symbol in inputs(self))

    @cached_property
    def aliases(self) -> dict[str, str]:
        """The name of the symbol that has each alias."""
        return {alias: symbol.name for symbol in reversed(self.symbols) for alias in symbol.aliases}

    @cached_property
    def results(self) -> tuple[str, ...]:
        """The names of the results."""
        return results(self.computed)


@lru_cache
def inputs(statement: StatementData) -> tuple[Symbol, ...]:
    """Return the symbols from which the results are computed, in the statement's order."""
    conditions = [b.condition for b in statement.computed if callable(b.condition)] + statement.conditions
    used = {name for branch in statement.computed for formula in branch.formulas for name in formula.names}
    used -= set(results(statement.sequence))  # there a result may be computed from those before it
    used |= {name for condition in conditions for name in parameter_names(condition)}
    return tuple(symbol for symbol in statement.symbols if symbol.name in used)


@lru_cache
def deciding(statement: StatementData) -> tuple[Symbol, ...]:
    """Return the optional symbols from which the statement decides about each port: the durations."""
    read = parameter_names(statement.decides) if statement.decides else ()
    return tuple(symbol for symbol in statement.symbols if symbol.optional and symbol.name in read)


def results(branches: Sequence[Branch]) -> tuple[str, ...]:
    """Return the names of the results, in the order in which they first appear."""
    return tuple(dict.fromkeys(formula.of for branch in branches for formula in branch.formulas))


def read(symbols: Sequence[Symbol], values: Mapping[str, Any]) -> dict[str, Any]:
    """Read a number exactly for each name; values of other names than those of symbols are returned as they are."""
    known = {symbol.name: symbol for symbol in symbols}
    return {name: known[name].exact(value) if name in known else value for name, value in values.items()}


def under_names(error: InputError, given: Mapping[str, str]) -> InputError:
    """Return an error whose field is named as the caller wrote it; `given` maps names of symbols to keywords."""
    head = re.match(r"\w*", error.field)[0]  # type: ignore[index]  # it matches every text
    if given.get(head, head) == head:
        return error
    return type(error)(given[head] + error.field[len(head) :], error.value, error.accepted)
