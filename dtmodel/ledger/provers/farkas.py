"""Proofs of polynomial facts: a goal as a sum of multiples of hypotheses and their products, found by z3 exactly.

A proof is data, in the format that `proofs/checker/invariant.py` reads and describes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

import sympy as sp

from dtmodel.base.errors import ProverError
from dtmodel.ledger.provers.solvers import ask

_Monomial = tuple[tuple[str, int], ...]
_Polynomial = dict[_Monomial, Fraction]
_SECONDS = 10.0
_SIGNS = {sp.Ge: ">=", sp.Gt: ">", sp.Le: ">=", sp.Lt: ">", sp.Eq: "="}


@dataclass(frozen=True)
class Atom:
    """A SymPy polynomial compared with 0; the sign is ``">="``, ``">"`` or ``"="``."""

    expression: sp.Expr
    sign: str

    def negation(self) -> Atom | None:
        """Return the negation; None for an equation, whose negation is not an atom."""
        return None if self.sign == "=" else Atom(-self.expression, {">=": ">", ">": ">="}[self.sign])

    def tight(self, whole: set[str]) -> tuple[_Polynomial, str]:
        """Return its polynomial and sign; in whole numbers p > 0 becomes p - 1 >= 0."""
        poly = _read(self.expression)
        integral = all(name in whole for monomial in poly for name, _ in monomial)
        if self.sign == ">" and integral and all(value.denominator == 1 for value in poly.values()):
            return _plus(poly, {(): Fraction(-1)}), ">="
        return poly, self.sign


@dataclass(frozen=True)
class Fact:
    """A disjunction of atoms."""

    atoms: tuple[Atom, ...]

    @classmethod
    def of(cls, relation: Any) -> Fact:
        """Read a SymPy relation or a disjunction of relations; raise `ProverError` for anything else."""
        parts = relation.args if isinstance(relation, sp.Or) else (relation,)
        atoms = []
        for part in sorted(parts, key=str):
            if type(part) not in _SIGNS:
                raise ProverError(f"{part} is not a relation >=, >, <=, < or = of polynomials")
            difference = part.rhs - part.lhs if isinstance(part, sp.Le | sp.Lt) else part.lhs - part.rhs
            atoms.append(Atom(difference, _SIGNS[type(part)]))
        return cls(tuple(atoms))

    def after(self, updates: Mapping[sp.Symbol, sp.Expr]) -> Fact:
        """Return the fact after an update of the variables."""
        return Fact(tuple(Atom(atom.expression.xreplace(dict(updates)), atom.sign) for atom in self.atoms))

    def document(self) -> list[list[Any]]:
        """Write the certificate as data."""
        return [[terms(atom.expression), atom.sign] for atom in self.atoms]


def find_proof(known: Sequence[Fact], goal: Fact, whole: set[str]) -> dict[str, Any] | None:
    """Find a proof of the goal from known facts, or None if none has this form. `whole`: names of whole numbers."""
    return (
        _at_once(known, goal, whole, products=False)
        or _by_cases(known, goal, whole)
        or _at_once(known, goal, whole, products=True)
    )


def model(known: Sequence[Fact], whole: set[str]) -> dict[str, Fraction] | None:
    """Find exact values at which the facts hold; None if there are none."""
    atoms = [[(_read(atom.expression), atom.sign) for atom in fact.atoms] for fact in known]
    names = sorted({name for fact in atoms for poly, _ in fact for monomial in poly for name, _ in monomial})
    lines = [f"(declare-const |{name}| {'Int' if name in whole else 'Real'})" for name in names]
    lines += [f"(assert (or {' '.join(f'({sign} {_sum(p, whole)} 0.0)' for p, sign in fact)}))" for fact in atoms]
    answer = ask("z3", "\n".join(lines), _SECONDS)
    if answer.result != "sat":
        return None
    return {name: Fraction(answer.model.get(name, 0)) for name in names}


def terms(expression: sp.Expr) -> list[list[Any]]:
    """Write a polynomial as data: ``[coefficient, {symbol: exponent}]``."""
    return _written(_read(expression))


def _by_cases(known: Sequence[Fact], goal: Fact, whole: set[str]) -> dict[str, Any] | None:
    place = next((n for n, fact in enumerate(known) if len(fact.atoms) > 1), None)
    if place is None:
        return None
    parts = []
    for atom in known[place].atoms:
        part = find_proof([*known[:place], Fact((atom,)), *known[place + 1 :]], goal, whole)
        if part is None:
            return None
        parts.append(part)
    return {"split": place, "proofs": parts}


def _at_once(known: Sequence[Fact], goal: Fact, whole: set[str], *, products: bool) -> dict[str, Any] | None:
    """Prove one atom of the goal, or refute its negation, without a case distinction."""
    single = [fact.atoms[0].tight(whole) if len(fact.atoms) == 1 else None for fact in known]
    negated = [atom.negation() for atom in goal.atoms]
    single += [atom.tight(whole) if atom else None for atom in negated]
    usable = {n: item for n, item in enumerate(single) if item}
    for index, atom in enumerate(goal.atoms):
        others = {n: item for n, item in usable.items() if n != len(known) + index}
        found = _multiples(others, _read(atom.expression), atom.sign, products=products)
        if found is not None:
            return {"shows": index, "terms": found}
    found = _multiples(usable, {}, ">", products=products)
    return None if found is None else {"shows": None, "terms": found}


def _multiples(
    known: Mapping[int, tuple[_Polynomial, str]], target: _Polynomial, sign: str, *, products: bool
) -> list[list[Any]] | None:
    """Solve the linear program: multiples of the hypotheses with the target as their sum."""
    if not target and sign != ">":
        return []
    for n, (poly, has) in known.items():
        if poly == target and (has == sign or (sign == ">=" and has == ">")):
            return [[[["1", {}]], [n]]]
    offered = list(_offered(known, sign, target, products=products))
    rows: dict[_Monomial, list[str]] = {monomial: [] for monomial in target}
    for k, (poly, _, _, _) in enumerate(offered):
        for monomial, value in poly.items():
            rows.setdefault(monomial, []).append(f"(* {_real(value)} m{k})")
    if any(not row and target[monomial] for monomial, row in rows.items()):
        return None
    lines = [f"(declare-const m{k} Real)" for k in range(len(offered))]
    lines += [f"(assert (>= m{k} 0.0))" for k, (_, kind, _, _) in enumerate(offered) if kind != "="]
    totals = ((row, _real(target.get(monomial, Fraction(0)))) for monomial, row in rows.items())
    lines += [f"(assert (= (+ 0.0 {' '.join(row)}) {total}))" for row, total in totals]
    if sign == ">":
        strict = " ".join(f"m{k}" for k, (_, kind, _, _) in enumerate(offered) if kind == ">")
        lines.append(f"(assert (> (+ 0.0 {strict}) 0.0))")
    answer = ask("z3", "\n".join(lines), _SECONDS)
    if answer.result != "sat":
        return None
    values = [Fraction(answer.model.get(f"m{k}", 0)) for k in range(len(offered))]
    return [
        [_written({monomial: value * c for monomial, c in factor.items()}), list(used)]
        for value, (_, _, factor, used) in zip(values, offered, strict=True) if value
    ]  # fmt: skip


def _offered(
    known: Mapping[int, tuple[_Polynomial, str]], sign: str, target: _Polynomial, *, products: bool
) -> Iterator[tuple[_Polynomial, str, _Polynomial, tuple[int, ...]]]:
    """Yield terms that may be added: polynomial, sign (``">="``, ``">"`` or ``"="`` 0), factor, hypotheses used."""
    one: _Polynomial = {(): Fraction(1)}
    equations = {n: poly for n, (poly, kind) in known.items() if kind == "="}
    inequalities = {n: (poly, kind) for n, (poly, kind) in known.items() if kind != "="}
    for n, poly in equations.items():
        yield poly, "=", one, (n,)
    if products:
        names = {name for p in (target, *(p for p, _ in known.values())) for monomial in p for name, _ in monomial}
        for n, poly in equations.items():
            for name in sorted(names):
                factor: _Polynomial = {((name, 1),): Fraction(1)}
                yield _times(poly, factor), "=", factor, (n,)
    if sign == "=":
        return
    yield one, ">", one, ()
    for n, (poly, kind) in inequalities.items():
        yield poly, kind, one, (n,)
    if products:
        for (n, (p, a)), (m, (q, b)) in combinations_with_replacement(list(inequalities.items()), 2):
            yield _times(p, q), ">" if a == b == ">" else ">=", one, (n, m)


@cache
def _read(expression: Any) -> _Polynomial:
    """Read a SymPy polynomial, with a cache, since a hypothesis is used in the proof of every goal."""
    written = sp.sympify(expression)
    gens = sorted(written.free_symbols, key=str)
    try:
        poly = sp.Poly(written, *(gens or [sp.Symbol("_")]), domain="QQ")
    except sp.PolynomialError as error:
        raise ProverError(f"{expression} is not a polynomial with rational coefficients") from error
    return {
        tuple((str(g), e) for g, e in zip(poly.gens, powers, strict=True) if e): Fraction(int(c.p), int(c.q))
        for powers, c in poly.terms()
        if c
    }


def _written(poly: _Polynomial) -> list[list[Any]]:
    return [[str(value), dict(monomial)] for monomial, value in poly.items()]


def _plus(left: _Polynomial, right: _Polynomial) -> _Polynomial:
    total = {m: left.get(m, Fraction(0)) + right.get(m, Fraction(0)) for m in {**left, **right}}
    return {monomial: value for monomial, value in total.items() if value}


def _times(left: _Polynomial, right: _Polynomial) -> _Polynomial:
    product: _Polynomial = {}
    for first, a in left.items():
        for second, b in right.items():
            powers = dict(first)
            for name, power in second:
                powers[name] = powers.get(name, 0) + power
            product = _plus(product, {tuple(sorted(powers.items())): a * b})
    return product


def _sum(poly: _Polynomial, whole: set[str]) -> str:
    def monomial(powers: _Monomial) -> str:
        names = [f"(to_real |{n}|)" if n in whole else f"|{n}|" for n, power in powers for _ in range(power)]
        return " ".join(names)

    constant = _real(poly.get((), Fraction(0)))
    products = [f"(* {_real(value)} {monomial(powers)})" for powers, value in poly.items() if powers]
    return f"(+ {constant} {' '.join(products)})" if products else constant


def _real(value: Fraction) -> str:
    text = f"(/ {abs(value.numerator)}.0 {value.denominator}.0)"
    return text if value >= 0 else f"(- {text})"
