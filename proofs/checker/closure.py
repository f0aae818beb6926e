"""What a derived theorem says where conditions are 0: all signs that they can have are gone through.

The trajectory of a cell obeys the model also where its conditions are at least 0, unless a denominator in it is 0 or
what must be positive. ``tree`` divides the domain by sets of signs of polynomials, of -1, 0 and 1, and says what each
comes to: they cannot hold together (``apart``: a sum shows it, or a solver says so and nothing is checked here); a
cell, all of whose conditions are at least 0, with the case of the theorem that holds there: no case holds that
says something else; a cell that rests on a solver; or ``open``: nothing is shown. Symbols are positive; those in
``weak`` may be 0.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from .algebra import Polynomial, Ratio, impossible, plus, polynomial, power_of, refuse_unless, scaled, sure, times

__all__ = ["check_closure"]

Key = frozenset[tuple[Any, Fraction]]
Table = dict[Key, frozenset[int]]
"""What the signs of polynomials may be."""


def key(poly: Polynomial) -> tuple[Key, int]:
    """Return what identifies a polynomial up to its sign, and the sign that it was turned by."""
    turn = 1 if poly and poly[min(poly)] > 0 else -1
    return frozenset(scaled(poly, Fraction(turn)).items()), turn


class Signs:
    """Which signs polynomials have: those of a table, and those that their coefficients give them."""

    def __init__(self, weak: set[str]) -> None:
        self.weak = weak

    def known(self, poly: Polynomial) -> int:
        """Return the sign that is not negative for all symbols, or not positive; 0: the coefficients do not tell."""
        signs = {1 if value > 0 else -1 for value in poly.values()}
        return signs.pop() if len(signs) == 1 else 0

    def of(self, poly: Polynomial, table: Table) -> frozenset[int]:
        """Return the signs that a polynomial may have where those of a table hold."""
        if not poly:
            return frozenset({0})
        only = self.known(poly)
        if only and sure(poly, self.weak):
            return frozenset({only})
        name, turn = key(poly)
        return turned(table[name], turn) if name in table else frozenset({only, 0} if only else {-1, 0, 1})


def turned(signs: Iterable[int], turn: int) -> frozenset[int]:
    """Return the signs of a polynomial times 1 or -1."""
    return frozenset(sign * turn for sign in signs)


def check_closure(document: dict[str, Any], cells: list[Any]) -> None:
    """Check the tree; each cell has its conditions, its answers, its denominators and what else must not be 0."""
    closure = document["closure"]
    signs = Signs(set(closure["weak"]))
    domain = [polynomial(poly) for poly in document["domain"]]
    refuse_unless(len(domain) == len(closure["strict"]), "strict or not, for each condition of the domain")
    bounds = list(zip(domain, closure["strict"], strict=True))
    cases = [
        ([([*map(polynomial, each)], signed, strict) for each, signed, strict in case["when"]], read(case["answers"]))
        for case in closure["cases"]
    ]
    factors = dict(denominators(closure["denominators"]))
    for cell in cells:
        cell["needed"] = [*cell["positive"], *(f for poly in cell["bottoms"] for f in found(factors, poly))]
    apart = [exclusion(each, signs, number) for number, each in enumerate(closure["apart"])]
    left_out = [[polynomial(poly) for poly in conditions] for conditions in document["left_out"]]
    begin = {name: turned({1} if strict else {0, 1}, turn) for poly, strict in bounds for name, turn in [key(poly)]}
    waiting = [(closure["tree"], begin)]
    while waiting:
        tree, table = waiting.pop()
        kind, *rest = tree
        if kind == "split":
            poly = polynomial(rest[0])
            name, turn = key(poly)
            given = [(frozenset(its), below) for its, below in rest[1]]
            refuse_unless(frozenset().union(*(its for its, _ in given)) >= signs.of(poly, table), "a sign is left out")
            waiting += [(below, {**table, name: turned(its, turn)}) for its, below in given]
        elif kind == "apart":
            beside = [table.get(name) for name in apart[rest[0]]]
            within = all(its and its <= each for its, each in zip(beside, apart[rest[0]].values(), strict=True))
            refuse_unless(within, "other signs cannot hold together")
        elif kind == "cell":
            at_cell(cells[rest[0]], cases, rest[1], dict(rest[2]), factors, signs, table)
        elif kind == "left out":
            refuse_unless(all(signs.of(poly, table) == {1} for poly in left_out[rest[0]]), "not in the cell left out")
        else:
            refuse_unless(kind == "open", f"signs come to {kind}")


def read(answers: Any) -> dict[str, Ratio | None]:
    """Read answers."""
    return {
        name: None if value is None else (polynomial(value[0]), polynomial(value[1])) for name, value in answers.items()
    }


def denominators(documents: Any) -> Iterator[tuple[tuple[Key, int], list[Polynomial]]]:
    """Yield each denominator with its factors."""
    for document in documents:
        whole: Polynomial = {(): Fraction(document["number"])}
        each = []
        for factor, power in document["factors"]:
            each.append(polynomial(factor))
            whole = times(whole, power_of(each[-1], power))
        yield key(whole), each


def found(factors: dict[tuple[Key, int], list[Polynomial]], poly: Polynomial) -> list[Polynomial]:
    """Return the factors of a denominator."""
    refuse_unless(key(poly) in factors, "a denominator without its factors")
    return factors[key(poly)]


def at_cell(
    cell: Any, cases: list[Any], number: int, others: dict[int, Any], factors: Any, signs: Signs, table: Table
) -> None:
    """Refuse unless a cell and a case hold at these signs, and no case that says something else."""
    refuse_unless(all(signs.of(poly, table) <= {0, 1} for poly in cell["conditions"]), "a condition of the cell")
    refuse_unless(all(signs.of(poly, table) == {0} for poly in cell["zeros"]), "not on the face of the cell")
    refuse_unless(all(0 not in signs.of(poly, table) for poly in cell["needed"]), "something that is needed may be 0")
    when, _ = cases[number]
    refuse_unless(all(holds(each, signs, table) is True for each in when), "a condition of the case")
    for place, (conditions, says) in enumerate(cases):
        if says != cell["answers"] and not any(holds(each, signs, table) is False for each in conditions):
            alike({name: rest for name, *rest in others.get(place, ())}, says, cell["answers"], factors, signs, table)


def holds(condition: tuple[list[Polynomial], bool, bool], signs: Signs, table: Table) -> bool | None:
    """Tell whether a condition holds, of a product; None: that is not said."""
    factors, signed, strict = condition
    values = {prod(each) for each in product(*(signs.of(factor, table) for factor in factors))}
    held = {v > 0 or (v == 0 and not strict) if signed else (v == 0) != strict for v in values}
    return held.pop() if len(held) == 1 else None


def alike(shown: Any, case: Any, cell: Any, factors: Any, signs: Signs, table: Table) -> None:
    """Refuse unless answers are equal where something is 0 that divides their difference."""
    refuse_unless(case.keys() == cell.keys(), "other questions")
    for name, mine in case.items():
        its = cell[name]
        if mine is None or its is None:
            refuse_unless(mine is its, "another case says something else")
            continue
        difference = plus(times(mine[0], its[1]), scaled(times(its[0], mine[1]), Fraction(-1)))
        refuse_unless(all(0 not in signs.of(poly, table) for poly in found(factors, mine[1])), "a denominator may be 0")
        if difference:
            zero, rest = map(polynomial, shown[name])
            refuse_unless(signs.of(zero, table) == {0} and times(zero, rest) == difference, "answers may differ")


_SIGNED = {"=": {0}, ">": {1}, ">=": {0, 1}}


def exclusion(document: Any, signs: Signs, number: int) -> Table:
    """Return signs that cannot hold together."""
    each = [(polynomial(poly), frozenset(its)) for poly, its in document["signs"]]
    given = [
        (scaled(poly, Fraction(turn)), relation)
        for poly, its in each
        for turn, relation in [(1, "="), (1, ">"), (-1, ">"), (1, ">="), (-1, ">=")]
        if its == turned(_SIGNED[relation], turn)
    ]
    refuse_unless(len(given) == len(each), f"exclusion {number}: a sign")
    if document["how"] != "smt":  # which is taken on trust, and said
        impossible(given, document["how"]["from"], signs.weak, f"exclusion {number}")
    table = {name: turned(its, turn) for poly, its in each for name, turn in [key(poly)]}
    refuse_unless(len(table) == len(each), f"exclusion {number}: a polynomial twice")
    return table
