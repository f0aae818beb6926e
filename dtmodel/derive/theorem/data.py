"""The data of a derived theorem: its cases, and their answers at given values of the symbols."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dtmodel.base import units
from dtmodel.base.documents import choice
from dtmodel.base.errors import MISSING, InputError, one_of
from dtmodel.derive.algebra.dimensions import TIME, UNIT_NAMES, Grade
from dtmodel.derive.algebra.domain import RELATION, Domain, refuse_names, values_of
from dtmodel.derive.algebra.number import Polynomial
from dtmodel.derive.search.cases import DerivedCase, grade_of
from dtmodel.derive.search.family import Declared, Family
from dtmodel.theorems.evaluation import never
from dtmodel.theorems.operations import is_symbolic

if TYPE_CHECKING:
    from dtmodel.derive.search.paths import SymbolicExploration


@dataclass(frozen=True, repr=False)
class CaseData(ABC):
    """Declared symbols with their domain, and cases whose answers are functions of them.

    `alike`: symbols that may be exchanged. `ordered`: the theorem about one order of these symbols, if there are any.
    """

    family: Family | Declared
    domain: Domain
    cases: tuple[DerivedCase, ...]
    complete: bool = True
    open: tuple[str, ...] = ()
    found: SymbolicExploration | None = field(default=None, compare=False)
    alike: tuple[str, ...] = ()
    ordered: CaseData | None = None

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of the answers."""
        return tuple(self.cases[0].answers) if self.cases else ()

    def point(self, values: Mapping[str, Any]) -> tuple[Fraction, ...]:
        """Return the slacks and units at given `values` of the symbols.

        Raises `InputError` if a symbol has no value, or a value outside its domain.
        """
        named = self.domain.slack_values(values_of(self.family.symbols, values, self.domain.measures))
        return tuple(named[name] for name in self.domain.outer.names)

    def values(self, point: Sequence[Fraction]) -> dict[str, Fraction]:
        """Return the symbols' values at a `point` of slacks and units: the inverse of `point`."""
        named = self.domain.symbol_values(dict(zip(self.domain.outer.names, point, strict=True)))
        values = {name: Fraction(value) for name, value in named.items()}
        return values | {name: Fraction(term.value(values)) for name, term in self.family.defined.items()}

    def case_at(self, **values: Any) -> DerivedCase | None:
        """Return the case that holds at given `values` of the symbols; None if none is proved there."""
        return self._case(self.point(values))

    def _case(self, point: Sequence[Fraction]) -> DerivedCase | None:
        return next((case for case in self.cases if all(c.holds(point) for c in case.when)), None)

    def exact(self, **values: Any) -> dict[str, Fraction | None]:
        """Return the exact answers at numbers as the engine has them: None for an event that does not occur."""
        point = self.point(values)
        case = self._case(point)
        if case is None:
            raise InputError("values", {n: str(v) for n, v in values.items()}, "values for which a case is proved")
        return {key: None if a is None else a.at(point) for key, a in case.answers.items()}

    @abstractmethod
    def grade(self, key: str) -> Grade:
        """Return the grade of an answer."""

    @abstractmethod
    def part(self, family: Declared, domain: Domain, cases: tuple[DerivedCase, ...]) -> CaseData:
        """Return a theorem about some of the symbols."""


@dataclass(frozen=True, repr=False)
class TheoremData(CaseData):
    """The fields of a `DerivedTheorem`, which documents them, and the answers at values of the symbols."""

    family: Family
    seconds: float = 0
    statistics: Mapping[str, int] = field(default_factory=dict)
    entry: Callable[[], dict[str, Any]] | None = field(default=None, compare=False)

    def grade(self, key: str) -> Grade:
        """Return the grade of an answer; an unknown name has none, and is refused later."""
        return grade_of(key)

    @abstractmethod
    def document(self) -> dict[str, Any]:
        """Return the theorem in JSON."""

    def units(self) -> dict[str, str]:
        """Return the unit of each answer."""
        return {key: UNIT_NAMES.get(grade_of(key), "") for key in self.keys}

    def arrays(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the exact answers at arrays of values of one shape."""
        import numpy as np

        each = _broadcast(values, object)
        shape = np.shape(next(iter(each.values())))
        rows = [self.exact(**dict(zip(each, row, strict=True))) for row in zip(*(a.flat for a in each.values()),
                                                                               strict=True)]  # fmt: skip
        result = {}
        for key in self.keys:
            column = np.empty(len(rows), dtype=object)
            column[:] = [event(key, row[key]) for row in rows]
            result[key] = column.reshape(shape)
        return result

    def lambdify(self, key: str = "first_drop") -> Callable[..., Any]:
        """Return a fast function of the symbols, also for arrays, that computes an answer (`key`) in floats.

        The function returns inf for "never", and NaN outside the domain and where no case is proved. Raises
        `InputError` if the answer does not exist. The function raises it if a symbol has no value, or arrays differ in
        shape.
        """
        import numpy as np

        choice(key, "key", self.keys)
        symbols, defined = self.family.symbols, self.family.defined
        declared = [r for relations in symbols.values() for r in relations if r.sign != "=="]

        def compute(**values: Any) -> Any:
            refuse_names(symbols, values)
            exact = _broadcast({name: value for name, value in values.items() if name not in defined}, float)
            shape = np.broadcast_shapes(*(a.shape for a in exact.values()))
            conditions, results = [], []
            with np.errstate(divide="ignore", invalid="ignore"):
                exact |= {name: _float(term.value(exact)) for name, term in defined.items()}
                slacks = self.domain.slack_values(exact)
                arrays = [_float(slacks[name]) for name in self.domain.outer.names]
                gaps = ((_float(r.left.value(exact) - r.right.value(exact)), r.sign) for r in declared)
                inside = [_compare(*gap) for gap in gaps]
                for case in self.cases:
                    held = [_compare(_evaluated(c.poly, arrays), c.relation) for c in case.when]
                    conditions.append(np.broadcast_to(np.logical_and.reduce([*inside, *held], dtype=bool), shape))
                    answer = case.answers[key]
                    results.append(
                        np.inf if answer is None else _evaluated(answer.top, arrays) / _evaluated(answer.bottom, arrays)
                    )
            return np.select(conditions, [np.broadcast_to(r, shape) for r in results], default=np.nan)

        return compute


def event(key: str, value: Any) -> Any:
    """Return `never` for the time of an event that does not occur, which the engine writes as None.

    >>> event("first_drop", None), event("free_at_first_drop", None)
    (never, None)
    """
    return never if value is None and grade_of(key) == TIME else value


def expressed(value: Any) -> bool:
    """Return True for an expression with symbols.

    >>> expressed("t"), expressed("2 ms"), expressed("never"), expressed("1e-3")
    (True, False, False, False)
    """
    if isinstance(value, str) and value != "never" and not units.has_unit(value):
        return re.search(r"(?<![\d.])[A-Za-z_]", value) is not None
    return is_symbolic(value) and not value.is_number


def one_answer(theorem: CaseData, values: Mapping[str, Any]) -> str:
    """Return the only name of an answer among the names of values; raise `InputError` if there are none or several."""
    keys = [name for name in values if name in theorem.keys]
    if len(keys) != 1:
        given = ", ".join(keys or [name for name in values if name not in theorem.family.symbols]) or MISSING
        raise InputError("values", given, f"a value of one answer: {one_of(theorem.keys)}")
    return keys[0]


def _broadcast(values: Mapping[str, Any], kind: type) -> dict[str, Any]:
    import numpy as np

    arrays: dict[str, Any] = {}
    for name, value in values.items():
        try:
            arrays[name] = np.asarray(value, dtype=kind)
        except (TypeError, ValueError) as error:
            raise InputError(name, value, "a number, or an array of numbers") from error
    try:
        return dict(zip(arrays, np.broadcast_arrays(*arrays.values()), strict=True))
    except ValueError as error:
        raise InputError("values", {n: a.shape for n, a in arrays.items()}, "arrays of one shape") from error


def _float(value: Any) -> Any:
    return float(value) if isinstance(value, Fraction) else value


def _compare(value: Any, relation: str) -> Any:
    compared: Any = RELATION[relation](value, 0)
    return compared


def _evaluated(poly: Polynomial, arrays: Sequence[Any]) -> Any:
    total: Any = 0.0
    for powers, factor in poly.terms():
        term: Any = float(int(factor))
        for value, power in zip(arrays, powers, strict=False):
            if power:
                term = term * value ** int(power)
        total = total + term
    return total
