"""Linear inequalities with alternatives, over rational numbers: z3 decides them, and Farkas multipliers refute them.

A row ``(expression, strict)`` says that a linear expression is >= 0, or > 0 if `strict`. A refutation is a tree: it
distinguishes the cases of an alternative, or it is a sum of rows, each with a positive multiplier, in which all
variables cancel and a number below 0 is left, or 0 with a strict row. `proofs/checker/samples.py` checks it.
"""

from collections import ChainMap
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from dtmodel.base import units
from dtmodel.base.errors import ProverError

Row: TypeAlias = tuple[Any, bool]
Key: TypeAlias = tuple[int, ...]
_MOST_LEAVES = 500


class Cases:
    """Facts, which are rows that hold; and alternatives, lists of cases of which one holds with all its rows."""

    def __init__(self) -> None:
        self.facts: list[Row] = []
        self.splits: list[list[list[Row]]] = []
        self._greatest: dict[Any, Any] = {}

    def positive(self, x: Any) -> Any:
        """Return max(x, 0): a number, or the variable of an expression."""
        import z3

        if isinstance(x, Fraction):
            return max(x, Fraction(0))
        if x in self._greatest:
            return self._greatest[x]
        y = self._greatest[x] = z3.Real(f"max{len(self.splits)}")
        self.facts += [(y, False), (y - x, False)]
        self.splits.append([[(-y, False)], [(x - y, False)]])
        return y

    def formulas(self) -> list[Any]:
        """Return the facts and the alternatives as formulas for z3."""
        import z3

        cases = [z3.Or([z3.And([_formula(row) for row in case]) for case in split]) for split in self.splits]
        return [*map(_formula, self.facts), *cases]

    def model(self) -> Any:
        """Return a model of all rows; None if z3 proves that there is none."""
        solver = _solver(self.formulas())
        return solver.model() if _holds(solver) else None

    def refutation(self) -> dict[str, Any] | None:
        """Return a tree of cases that refutes the rows; None if it has too many leaves."""
        return _Refuter(self).tree()


class _Refuter:
    """The search for a refutation: it distinguishes only cases of alternatives that z3 needs for a contradiction."""

    def __init__(self, cases: Cases) -> None:
        import z3

        facts: dict[Key, Row] = {(number,): row for number, row in enumerate(cases.facts)}
        self.splits: list[list[dict[Key, Row]]] = [
            [{(split, case, number): row for number, row in enumerate(rows)} for case, rows in enumerate(each)]
            for split, each in enumerate(cases.splits)
        ]
        self.facts, self.leaves, self.alternatives = [*facts], 0, cases.formulas()[len(facts) :]
        self.rows: dict[Key, Row] = {**facts, **ChainMap(*(case for each in self.splits for case in each))}
        self.keys = {str(key): key for key in self.rows}
        self.names = [f"split {split}" for split in range(len(self.splits))]
        formulas = zip([*self.keys, *self.names], [*map(_formula, self.rows.values()), *self.alternatives], strict=True)
        self.solver = _solver(z3.Implies(z3.Bool(name), formula) for name, formula in formulas)
        self.solver.set("core.minimize", True)

    def tree(self) -> dict[str, Any] | None:
        """Return a proof; None if the rows hold somewhere, or if it is too large."""
        if self._satisfied(self.names):
            return None
        core = self._core()
        self.needed = [split for split, name in enumerate(self.names) if name in core]
        found = self._tree([])
        return found and found[0]

    def _satisfied(self, more: Iterable[Any]) -> bool:
        import z3

        return _holds(self.solver, *(z3.Bool(str(name)) for name in (*self.facts, *more)))

    def _core(self) -> list[str]:
        return [str(literal).strip("|") for literal in self.solver.unsat_core()]

    def _tree(self, path: list[Key]) -> tuple[dict[str, Any], set[Key]] | None:
        """Return a refutation of the facts and of the rows of a path, and the rows that it uses."""
        if not self._satisfied(path):
            self.leaves += 1
            return self._leaf([self.keys[name] for name in self._core()])
        model = self.solver.model()
        split = next(s for s in self.needed if not model.eval(self.alternatives[s], model_completion=True))
        proofs, used = [], set[Key]()
        for case in self.splits[split]:
            found = None if self.leaves > _MOST_LEAVES else self._tree([*path, *case])
            if found is None or not found[1] & case.keys():
                return found
            proofs.append(found[0])
            used |= found[1] - case.keys()
        return {"split": split, "cases": proofs}, used

    def _leaf(self, keys: Sequence[Key]) -> tuple[dict[str, Any], set[Key]]:
        """Solve the dual program: multipliers of contradictory rows."""
        import z3

        found = {key: z3.Real(f"m{number}") for number, key in enumerate(keys)}
        rows = {key: _coefficients(self.rows[key][0]) for key in keys}
        sums = {name: z3.Sum([m * _real(rows[key].get(name, Fraction(0))) for key, m in found.items()])
                for name in dict.fromkeys(("", *(name for row in rows.values() for name in row)))}  # fmt: skip
        strict = z3.Sum([m for key, m in found.items() if self.rows[key][1]])
        zero = [total == 0 for name, total in sums.items() if name]
        solver = _solver([*(m >= 0 for m in found.values()), *zero, sums[""] <= 0, strict - sums[""] == 1])
        _holds(solver)
        values = {key: value_of(solver.model(), m) for key, m in found.items()}
        terms = [[list(key), units.plain(value)] for key, value in values.items() if value]
        return {"multiples": terms}, {key for key, value in values.items() if value}


def value_of(model: Any, term: Any) -> Fraction:
    """Return the value of a number or of a formula in a model."""
    known = isinstance(term, Fraction)
    return term if known else Fraction(model.eval(term, model_completion=True).as_fraction())


def _solver(formulas: Iterable[Any]) -> Any:
    import z3

    solver = z3.SolverFor("QF_LRA")
    solver.add(*formulas)
    return solver


def _holds(solver: Any, *literals: Any) -> bool:
    import z3

    if (answer := solver.check(*literals)) == z3.unknown:
        raise ProverError(f"z3 does not decide linear inequalities: {solver.reason_unknown()}")
    return bool(answer == z3.sat)


def _real(value: Any) -> Any:
    import z3

    return z3.RealVal(str(value)) if isinstance(value, Fraction | int) else value


def _formula(row: Row) -> Any:
    return _real(row[0]) > 0 if row[1] else _real(row[0]) >= 0


def _coefficients(expression: Any) -> Mapping[str, Fraction]:
    """Return the coefficient of each variable; the empty name stands for the constant."""
    import z3

    term = z3.simplify(_real(expression), som=True)
    found = {}
    for part in term.children() if z3.is_add(term) else [term]:
        factor, name = part.children() if z3.is_mul(part) else (z3.RealVal(1), part)
        if z3.is_rational_value(name):
            factor, name = name, ""
        found[str(name)] = Fraction(factor.as_fraction())
    return found
