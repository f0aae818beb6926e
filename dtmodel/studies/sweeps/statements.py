"""Sweeps of statements: the results of a theorem at every point, by its own formulas, on arrays or exactly."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, final

from dtmodel.base import units
from dtmodel.base.documents import only_keys, table
from dtmodel.base.errors import InputError, one_of
from dtmodel.base.schemas import declared
from dtmodel.studies.sweeps.axes import read_axis
from dtmodel.studies.sweeps.plan import Measure, Plan, read_settings

if TYPE_CHECKING:
    from dtmodel.theorems.statement import Statement

_CHUNK = {"exact": 250, "float": 25_000}
_WORTH = {"exact": 100, "float": 100_000}


@final
@dataclass(frozen=True)
class StatementPlan(Plan):
    """A sweep of a statement; `given` are the values of the symbols that are not on an axis."""

    given: Mapping[str, Any]

    @property
    def statement(self) -> Statement:
        """The statement of the theory that is evaluated."""
        return _statement(self.settings.document["statement"])

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The results of the statement, in floats with error bounds, and the validity of the hypotheses."""
        statement, found = self.statement, []
        symbols = {symbol.name: symbol for symbol in statement.symbols}
        for name in statement.results:
            unit, says = (symbols[name].unit, statement.explained(symbols[name])) if name in symbols else ("", "")
            found.append(Measure(name, unit, says))
            if self.settings.arithmetic == "float":
                found.append(Measure(f"{name}_error", unit, f"the error bound of {name}", "float"))
        return (*found, Measure("valid", "", "true if the hypotheses hold", "bool"))

    @property
    def worth(self) -> int:
        """The number of points that justifies a process of their own."""
        return _WORTH[self.settings.arithmetic]

    def compute(self, begin: int, end: int) -> dict[str, Any]:
        """Evaluate the statement at these points."""
        return self._floats(begin, end) if self.settings.arithmetic == "float" else self._exact(begin, end)

    def _floats(self, begin: int, end: int) -> dict[str, Any]:
        import numpy as np

        places = np.unravel_index(np.arange(begin, end), self.shape)
        values = dict(self.given)
        for axis, place in zip(self.settings.axes, places, strict=True):
            values.update(dict.fromkeys(axis.places, axis.column[place]))
        said = self.statement.evaluate(**values)
        errors = said.errors()
        found: dict[str, Any] = {"valid": said.valid}
        for name, value in said.items():
            if value.ndim != 1:
                raise InputError("statement", self.settings.document["statement"], "one whose results are numbers")
            found |= {name: value, f"{name}_error": errors[name]}
        return found

    def _exact(self, begin: int, end: int) -> dict[str, Any]:
        found: dict[str, list[Any]] = {measure.name: [] for measure in self.measures}
        for point in range(begin, end):
            values, said = dict(self.given), None
            for axis, place in self.places(point):
                values.update(dict.fromkeys(axis.places, axis.values[place]))
            with suppress(InputError):
                said = self.statement.evaluate(**values)
            found["valid"].append(said is not None)
            for name in self.statement.results:
                value = None if said is None else said[name]
                found[name].append(value if value is None else _plain(value, name))
        return found


def read_statement_plan(document: Mapping[str, Any]) -> StatementPlan:
    """Read a sweep of a statement.

    Raises `InputError` naming the field.
    """
    only_keys(document, declared("sweep", branch=1).allowed, "")
    statement = _statement(document["statement"])
    known = {symbol.name: symbol for symbol in statement.symbols if symbol.name in statement.inputs}

    def unit_at(place: str) -> str:
        if place not in known or known[place].many:
            names = [name for name, symbol in known.items() if not symbol.many]
            raise InputError("axes", place, f"{one_of(names, place)}, the symbols")
        return known[place].unit if known[place].unit in ("bytes", "bytes/s", "s") else ""

    listed = table(document.get("axes", {}), "axes")
    axes = tuple(read_axis(name, table(axis, f"axes.{name}"), unit_at) for name, axis in listed.items())
    settings = read_settings(document, axes, _CHUNK)
    if not axes:
        raise InputError("axes", "none", "one axis at least")
    for axis in axes:
        for place in axis.places:
            unit_at(place)
            for value in axis.values:
                known[place].exact(value)
        if isinstance(axis.coordinates[0], str):
            raise InputError(f"axes.{axis.name}", axis.coordinates[0], f"a number ({axis.unit or 'no unit'})")
        if axis.name in statement.results:
            raise InputError(f"axes.{axis.name}", axis.name, "another name: it is a result of the statement")
    plan = StatementPlan(settings, dict(table(document.get("given", {}), "given")))
    plan.compute(0, 1)
    return plan


def _statement(name: object) -> Statement:
    from dtmodel.theory import statements

    found = {statement.id: statement for statement in statements() if statement.inputs}
    if not isinstance(name, str) or name not in found:
        raise InputError("statement", name, one_of(found, name))
    return found[name]


def _plain(value: Any, name: str) -> str:
    if not isinstance(value, int | Fraction):
        raise InputError("statement", name, "a statement whose results are rational numbers")
    return units.plain(Fraction(value))
