"""The symbols of a family: their domains as slacks, and the symbols that serve as units.

Two substitutions make the signs of polynomials easy to find. Each symbol with a lower bound is the bound plus a slack
(R = C + r), so that a polynomial without negative coefficients is positive. And if a change of the units of bytes,
seconds and queue lengths only scales the answers, the buffer, the rate and an alpha are set to 1; results are restored
to all symbols.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import flint

from dtmodel.base.errors import MISSING, InputError
from dtmodel.derive.algebra.dimensions import Grade, read_value
from dtmodel.derive.algebra.language import Relation, Term
from dtmodel.derive.algebra.number import Field, Polynomial, Ratio, factors_of

ONE = "_one"
"""A hidden symbol for the number 1 as a count, if alpha is the unit."""


RELATION: Mapping[str, Callable[[Any, Any], Any]] = {
    ">": operator.gt, ">=": operator.ge, "==": operator.eq, "<": operator.lt, "<=": operator.le, "!=": operator.ne,
}  # fmt: skip
"""The test of each relation on two numbers or arrays."""
Declared = Mapping[str, Sequence[Relation]]
"""The declared relations of each symbol."""


def definitions(symbols: Declared) -> dict[str, Term]:
    """Return the symbols that ``==`` defines, each as a term of undefined symbols."""
    return {name: r.right for name, relations in symbols.items() for r in relations if r.sign == "=="}


def refuse_names(symbols: Declared, values: Mapping[str, Any]) -> None:
    """Raise `InputError` if a name is not a symbol, or a symbol without a definition has no value."""
    for name in values:
        if name not in symbols:
            raise InputError(name, values[name], f"one of the symbols {', '.join(symbols)}")
    for name in symbols:
        if name not in values and name not in definitions(symbols):
            raise InputError(name, MISSING, "a value: it is a symbol of the theorem")


def values_of(symbols: Declared, values: Mapping[str, Any], measures: Mapping[str, Grade]) -> dict[str, Fraction]:
    """Read a number for each symbol, in its unit; `InputError` if it has no value, or one outside its domain."""
    refuse_names(symbols, values)
    exact = {name: read_value(values[name], name, measures.get(name)) for name in symbols if name in values}
    exact |= {name: Fraction(term.value(exact)) for name, term in definitions(symbols).items() if name not in exact}
    for name, relations in symbols.items():
        for r in relations:
            left = exact[name] if r.sign == "==" else r.left.value(exact)
            if not RELATION[r.sign](left, r.right.value(exact)):
                raise InputError(name, str(exact[name]), f"{r.left.text} {r.sign} {r.right.text}")
    return exact


@dataclass(frozen=True)
class Slack:
    """A symbol as its lower `bound` (0 if None) plus a slack, which is positive, or nonnegative (`weak`).

    `over`: the bound's denominator, if it multiplies the slack: for T >= B/(M*R) it is M*R*T - B, of low degrees.
    """

    symbol: str
    bound: Term | None
    weak: bool
    over: Term | None = None

    def above(self, symbol: Any, values: Mapping[str, Any]) -> Any:
        """Return the slack at a value of the symbol and values of the others."""
        if self.bound is None:
            return symbol
        difference = symbol - self.bound.value(values)
        return difference if self.over is None else difference * self.over.value(values)

    def whole(self, slack: Any, values: Mapping[str, Any], unit: Any = 1) -> Any:
        """Return the symbol at a value of the slack and values of the others; `unit` multiplies the numbers."""
        if self.bound is None:
            return slack
        part = slack if self.over is None else slack / self.over.value(values)
        return part + unit * self.bound.value(values)

    @property
    def name(self) -> str:
        """The slack's name, which is the symbol's if the bound is 0."""
        return self.symbol if self.bound is None else f"{self.symbol}_"


@dataclass(frozen=True)
class Domain:
    """The symbols of a family in slacks and units.

    `slacks`: one for each symbol, after those in its bound. `units`: the symbols that are 1 inside. `inner`: the slacks
    without the units, in which the engine computes. `outer`: the slacks and the units, to which results are restored.
    `hypotheses` (tuple of (Relation, ...)): declarations beyond one lower bound for each symbol. `counted`: whether the
    number 1 as a count is the hidden symbol `ONE`. `relaxed`: counts whose lower bound inside is 0, since only alpha
    times the count matters. `numbers`: counts whose lower bound is a multiple of `ONE`. `measures`: the grades of
    symbols that are a buffer, a rate, a time, ... on their own or are compared with one.
    """

    slacks: tuple[Slack, ...]
    units: tuple[str, ...]
    inner: Field
    outer: Field
    hypotheses: tuple[Relation, ...]
    counted: bool
    relaxed: frozenset[str]
    numbers: frozenset[str]
    measures: Mapping[str, Grade]
    _grades: Mapping[str, tuple[int, ...]]
    _roles: Sequence[tuple[int, ...]]

    def inside(self) -> dict[str, Ratio]:
        """Return every symbol as a function of the slacks; the units are 1."""
        return self.written_in(self.inner)

    def outside(self) -> dict[str, Ratio]:
        """Return every symbol as a function of the slacks and units."""
        return self.written_in(self.outer)

    def written_in(self, field: Field) -> dict[str, Ratio]:
        """Return every symbol as a function of slacks and units that are symbols of a field."""
        values: dict[str, Ratio] = {ONE: field.symbol(ONE) if ONE in field.names else field(1)}
        for slack in self.slacks:
            name = self._name(slack)
            unit = name in self.units and name not in field.names
            values[slack.symbol] = field(1) if unit else self._whole(slack, field.symbol(name), values)
        return values

    def _name(self, slack: Slack) -> str:
        return slack.symbol if slack.symbol in self.relaxed else slack.name

    def _whole(self, slack: Slack, value: Any, values: Mapping[str, Any]) -> Any:
        if slack.symbol in self.relaxed:
            return value
        return slack.whole(value, values, values.get(ONE, 1) if slack.symbol in self.numbers else 1)

    def slack_values(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the outer symbols at values of the symbols, which may be functions."""
        return {
            self._name(slack): values[slack.symbol]
            if slack.symbol in self.relaxed
            else slack.above(values[slack.symbol], values)
            for slack in self.slacks
        }

    def symbol_values(self, named: Mapping[str, Any]) -> dict[str, Any]:
        """Return the symbols at values of the outer symbols, which may be functions: the inverse of `slack_values`."""
        values: dict[str, Any] = {}
        for slack in self.slacks:
            values[slack.symbol] = self._whole(slack, named[self._name(slack)], values)
        return values

    def without_multiples(self) -> Domain:
        """Return the domain for printing: a slack that is a multiple is replaced by its positive symbol."""
        if all(slack.over is None for slack in self.slacks):
            return self
        slacks = tuple(slack if slack.over is None else Slack(slack.symbol, None, False) for slack in self.slacks)
        return replace(self, slacks=slacks, outer=Field([self._name(slack) for slack in slacks]))

    def weak(self, name: str) -> bool:
        """Return True if an inner or outer symbol may be 0."""
        return any(slack.weak and slack.name == name and slack.symbol not in self.relaxed for slack in self.slacks)

    def positive(self, poly: Polynomial) -> bool:
        """Return True if no coefficient is negative and some term has only positive symbols."""
        weak = [place for place, name in enumerate(self.outer.names) if self.weak(name)]
        return all(c > 0 for c in poly.coeffs()) and any(not any(m[place] for place in weak) for m in poly.monoms())

    def without_positive(self, poly: Polynomial) -> Polynomial:
        """Return an outer polynomial of the same sign, without factors whose coefficients prove them positive."""
        if poly.is_zero():
            return poly
        content, factors = factors_of(poly)
        rest = self.outer.one if content > 0 else -self.outer.one
        for factor, power in factors:
            rest = rest if self.positive(factor) else rest * factor**power
        return rest

    def outside_point(self, inner: Mapping[str, Fraction]) -> tuple[Fraction, ...]:
        """Return the outer point that corresponds to values of the inner symbols."""
        units = dict.fromkeys(self.units, Fraction(1))
        if ONE in inner:
            place = next(i for i, power in enumerate(self._grades[ONE]) if power in {1, -1})
            units[self.units[place]] = inner[ONE] ** -self._grades[ONE][place]
        for (
            slack
        ) in self.slacks:  # only alpha times the count matters, and a small alpha allows a count as large as declared
            least = slack.bound.value({}) if slack.symbol in self.relaxed and slack.bound is not None else Fraction(0)
            for unit, power in zip(self.units, self._grades[slack.symbol], strict=True) if least else ():
                if power == -1:
                    units[unit] = min(units[unit], inner[slack.symbol] / least)
        named = dict(units)
        for name in self.inner.names:
            scale = Fraction(1)
            for unit, power in zip(self.units, self._grades[name], strict=True):
                scale *= units[unit] ** power
            named[name] = inner[name] * scale
        return tuple(named[name] for name in self.outer.names)

    def restore(self, poly: Polynomial) -> Polynomial:
        """Return an inner polynomial in all symbols, multiplied by the smallest sufficient powers of the units."""
        return self._restored(poly)[0]

    def restore_ratio(self, ratio: Ratio, grade: Grade) -> Ratio:
        """Return an inner function in all symbols, with a given grade."""
        top, above = self._restored(ratio.top)
        bottom, below = self._restored(ratio.bottom)
        result = self.outer.ratio(top, bottom)
        for index, unit in enumerate(self.units):
            wanted = sum(part * self._roles[role][index] for role, part in enumerate(grade))
            power = wanted - (above[index] - below[index])
            result = result * self.outer.symbol(unit) ** power
        return result

    def normalised(self, ratio: Ratio, grade: Grade | None = None) -> Ratio:
        """Return the inner function that `restore_ratio` maps to an outer one; without a grade up to powers of units.

        Raises `InputError` if the function does not have the grade, or any grade.
        """
        named = {unit: self.inner(1) for unit in self.units}
        if ONE in self.inner.names:
            place = next(i for i, power in enumerate(self._grades[ONE]) if power in {1, -1})
            named[self.units[place]] = self.inner.symbol(ONE) ** -self._grades[ONE][place]
        scales = [named[unit] for unit in self.units]
        for name in self.inner.names:
            named[name] = self.inner.symbol(name)
            for scale, power in zip(scales, self._grades[name], strict=True):
                named[name] = named[name] * scale**power
        found = ratio.replaced(named, self.inner)
        for index, scale in enumerate(scales if grade else ()):
            found = found / scale ** sum(part * self._roles[role][index] for role, part in enumerate(grade or ()))
        restored = self.restore_ratio(found, grade or (0, 0, 0))
        if grade is None and ratio:
            scale = restored / ratio
            powers = {str(factor) for factor, _ in factors_of(scale.top * scale.bottom)[1]} if scale else {"0"}
            right = powers <= set(self.units)
        else:
            right = restored == ratio
        if not right:
            raise InputError("said", str(ratio), "a function with the unit of the answer")
        return found

    def _restored(self, poly: Polynomial) -> tuple[Polynomial, list[int]]:
        """Return the polynomial with the units, and its grade."""
        if poly.is_zero():
            return self.outer.context.constant(0), [0] * len(self.units)
        terms = [([int(p) for p in powers], int(factor)) for powers, factor in poly.terms()]
        grades = [self._grade_of(powers) for powers, _ in terms]
        most = [max(grade[i] for grade in grades) for i in range(len(self.units))]
        result: dict[tuple[int, ...], int] = {}
        for (powers, factor), grade in zip(terms, grades, strict=True):
            named = dict(zip(self.inner.names, powers, strict=False))
            named.update({unit: m - g for unit, m, g in zip(self.units, most, grade, strict=True)})
            key = tuple(named[name] for name in self.outer.names) or (0,)
            result[key] = result.get(key, 0) + factor
        return self.outer.context.from_dict(result), most

    def _grade_of(self, powers: Sequence[int]) -> list[int]:
        each = [self._grades[name] for name in self.inner.names]
        return [sum(p * grade[i] for p, grade in zip(powers, each, strict=False)) for i in range(len(self.units))]


def read_domain(
    symbols: Mapping[str, Sequence[Relation]],
    graded: Iterable[tuple[Term, Grade]],
    units: Sequence[str],
    alphas: Sequence[str],
    counts: Sequence[Term],
) -> Domain:
    """Write the symbols in slacks and choose the units.

    `graded`: the family's expressions with their grades. `units`: candidates, best first. `alphas`: further ones, which
    convert free bytes to a queue's bytes. `counts`: the numbers of queues.
    """
    slacks, hypotheses = _slacks(symbols)
    used = {name for count in counts for name in count.names}
    floors = frozenset(
        s.symbol for s in slacks if s.symbol in used and s.bound is not None and _positive_constant(s.bound)
    )
    unbounded = [s.symbol for s in slacks if s.bound is None and not s.weak]
    free = [unit for unit in (*units, *alphas) if unit in unbounded]
    literal = [count for count in counts if not count.names]
    listed = list(graded)
    nothing = frozenset[str]()
    for counted, relaxed, numbers in ((True, nothing if literal else floors, floors), (False, nothing, nothing)):
        found = _gradings(slacks, hypotheses, listed, literal if counted else (), floors if counted else nothing)
        chosen, grades, roles = _units(found, free)
        if not counted or set(chosen) & set(alphas):
            names = [s.symbol if s.symbol in relaxed else s.name for s in slacks]
            graded_names = {n: _grade(s, grades) for n, s in zip(names, slacks, strict=True)}
            hidden = [ONE] if counted and literal else []
            graded_names[ONE] = grades[ONE]
            inner = Field([*(n for n in names if n not in chosen), *hidden])
            outer = Field(names)
            return Domain(
                tuple(slacks),
                tuple(chosen),
                inner,
                outer,
                tuple(hypotheses),
                counted,
                relaxed,
                numbers,
                _measures(listed, symbols),
                graded_names,
                roles,
            )
    raise AssertionError("the second pass always returns")


def _measures(listed: Iterable[tuple[Term, Grade]], symbols: Mapping[str, Sequence[Relation]]) -> dict[str, Grade]:
    """Return the grades of symbols that stand alone in a family, and of those that are compared with one of these."""
    found = {term.text: grade for term, grade in listed if term.text in symbols}
    pairs = [(r.left.text, r.right.text) for each in symbols.values() for r in each]
    for known, other in [*pairs, *(pair[::-1] for pair in pairs)] * len(symbols):
        if known in found and other in symbols:
            found.setdefault(other, found[known])
    return found


def _grade(slack: Slack, grades: Mapping[str, tuple[int, ...]]) -> tuple[int, ...]:
    """Return the grade of a slack: that of its symbol times that of the denominator."""
    if slack.over is None:
        return grades[slack.symbol]
    field = Field([slack.symbol, *slack.over.names])
    value = field(0) + slack.over.value({name: field.symbol(name) for name in field.names})
    first, second = (next(iter(poly.monoms())) for poly in (value.top * field.symbol(slack.symbol).top, value.bottom))
    powers = [int(a) - int(b) for a, b in zip(first, second, strict=True)]
    each = zip(*(grades[name] for name in field.names), strict=True)
    return tuple(sum(p * g for p, g in zip(powers, grade, strict=True)) for grade in each)


def _positive_constant(bound: Term) -> bool:
    return not bound.names and bound.value({}) >= 0


def _slacks(symbols: Mapping[str, Sequence[Relation]]) -> tuple[list[Slack], list[Relation]]:
    """Choose the lower bound of each symbol; other declarations are hypotheses."""
    chosen: dict[str, Slack] = {}
    hypotheses: list[Relation] = []
    for name, relations in symbols.items():
        if any(r.sign == "==" for r in relations):
            hypotheses += [r for r in relations if r.sign != "=="]
            continue
        lower = [r for r in relations if r.sign in {">", ">="} and name not in r.right.names]
        if not lower:
            raise InputError(f"symbols.{name}", "; ".join(r.sign + r.right.text for r in relations), "a lower bound")
        best = next((r for r in lower if r.right.names or r.right.value({}) != 0), lower[0])
        zero = not best.right.names and best.right.value({}) == 0
        chosen[name] = Slack(name, None if zero else best.right, best.sign == ">=")
        hypotheses += [r for r in relations if r is not best]
    ordered: list[Slack] = []
    while chosen:
        done = {slack.symbol for slack in ordered}
        ready = [s for s in chosen.values() if s.bound is None or s.bound.names <= done]
        if not ready:
            name, slack = next(iter(chosen.items()))
            assert slack.bound is not None
            raise InputError(f"symbols.{name}", slack.bound.text, "bounds that are not circular")
        for slack in ready:
            del chosen[slack.symbol]
            over = None if slack.bound is None else slack.bound.denominator()
            sure = over and slack.bound and _positive(over, ordered) and _positive(slack.bound, ordered)
            ordered.append(replace(slack, over=over) if sure else slack)
    return ordered, [h for h in hypotheses if not _implied(h, ordered)]


def _positive(term: Term, slacks: Sequence[Slack]) -> bool:
    """Return True if the coefficients prove a term positive without lower bounds of counts, which may be relaxed."""
    plain = [replace(s, bound=None, weak=False) if s.bound and _positive_constant(s.bound) else s for s in slacks]
    field, values = _written(plain)
    value = field(0) + term.value(values)
    return all(c > 0 for c in [*value.top.coeffs(), *value.bottom.coeffs()]) and _strict(value.top, plain)


def _written(slacks: Sequence[Slack]) -> tuple[Field, dict[str, Ratio]]:
    field = Field([slack.name for slack in slacks])
    values: dict[str, Ratio] = {}
    for slack in slacks:
        values[slack.symbol] = field(0) + slack.whole(field.symbol(slack.name), values)
    return field, values


def _strict(poly: Polynomial, slacks: Sequence[Slack]) -> bool:
    """Return True if some term has only positive slacks."""
    return any(
        not any(power and slack.weak for slack, power in zip(slacks, powers, strict=False)) for powers in poly.monoms()
    )


def _implied(hypothesis: Relation, slacks: Sequence[Slack]) -> bool:
    """Return True if the slacks prove a declared sign: R > 0 beside R > C."""
    field, values = _written(slacks)
    difference = field(0) + hypothesis.left.value(values) - hypothesis.right.value(values)
    if hypothesis.sign in {"<", "<="}:
        difference = -difference
    if difference.top.is_zero():
        return hypothesis.sign in {"<=", ">="}
    if any(c < 0 for c in [*difference.top.coeffs(), *difference.bottom.coeffs()]):
        return False
    return _strict(difference.top, slacks) or hypothesis.sign in {"<=", ">="}


_ROLES = ("a free buffer", "a time", "a length")
"""The names of the units' roles beside the symbols; no symbol has a name with spaces."""


def _gradings(
    slacks: Sequence[Slack],
    hypotheses: Sequence[Relation],
    graded: Sequence[tuple[Term, Grade]],
    counts: Sequence[Term],
    relaxed: frozenset[str],
) -> tuple[list[str], Any]:
    """Return the names and roles, and a basis (rows) of all gradings that the family allows."""
    names = [*(slack.symbol for slack in slacks), ONE]
    columns = [*names, *_ROLES]
    field = Field(names)
    values = dict(zip(names, field.symbols, strict=True))
    rows: list[list[int]] = []

    def same(first: Sequence[int], second: Sequence[int], grade: Grade = (0, 0, 0)) -> None:
        row = [a - b for a, b in zip(first, second, strict=True)]
        rows.append(row + [-part for part in grade])

    def homogeneous(ratio: Ratio, grade: Grade | None) -> None:
        tops, bottoms = ([[int(p) for p in m] for m in poly.monoms()] for poly in (ratio.top, ratio.bottom))
        if not tops:
            return
        for group in (tops, bottoms):
            for other in group[1:]:
                same(group[0], other)
        if grade is not None:
            same(tops[0], bottoms[0], grade)

    hidden = {count.text for count in counts}
    for expression, grade in graded:
        value = expression.value(values)
        counted = expression.text in hidden and grade == (1, 0, -1)
        homogeneous(value * field.symbol(ONE) if counted else field(0) + value, grade)
    for slack in slacks:
        if slack.bound is not None and slack.symbol not in relaxed:
            homogeneous(field.symbol(slack.symbol) + slack.bound.value(values), None)
            for term in (slack.bound, slack.over):
                homogeneous(field(0) + (1 if term is None else term.value(values)), None)
    for relation in hypotheses:
        homogeneous(relation.left.value(values) - relation.right.value(values) + field(0), None)
    if not counts:
        rows.append([int(name == ONE) for name in columns])
    matrix = flint.fmpz_mat(rows) if rows else flint.fmpz_mat(1, len(columns))
    kernel, rank = matrix.nullspace()
    return columns, [[kernel[i, j] for i in range(len(columns))] for j in range(int(rank))]


def _units(
    found: tuple[list[str], list[list[Any]]], candidates: Sequence[str]
) -> tuple[list[str], dict[str, tuple[int, ...]], list[tuple[int, ...]]]:
    """Choose the units; return them with the grade of each name and of each role in them."""
    columns, basis = found
    chosen: list[str] = []
    for name in candidates:
        trial = [*chosen, name]
        picked = flint.fmpq_mat([[flint.fmpq(row[columns.index(n)]) for n in trial] for row in basis] or [[0]])
        if basis and picked.rref()[1] == len(trial):
            chosen = trial
    for many in range(len(chosen), 0, -1):
        units = chosen[:many]
        order = [columns.index(n) for n in units] + [i for i, n in enumerate(columns) if n not in units]
        reduced, _ = flint.fmpq_mat([[flint.fmpq(row[i]) for i in order] for row in basis]).rref()
        place = {columns[i]: position for position, i in enumerate(order)}
        grades = {n: [reduced[k, place[n]] for k in range(many)] for n in columns}
        if all(part.q == 1 for grade in grades.values() for part in grade):
            whole = {n: tuple(int(part.p) for part in grade) for n, grade in grades.items()}
            return units, whole, [whole[role] for role in _ROLES]
    return [], dict.fromkeys(columns, ()), [(), (), ()]
