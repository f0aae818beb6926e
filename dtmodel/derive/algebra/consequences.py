"""Consequences of polynomial relations on the whole domain and its boundary: by an identity, else by the solver."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from dtmodel.derive.algebra.identity import Identity
from dtmodel.derive.algebra.number import Polynomial
from dtmodel.derive.algebra.open_set import Arena, IrreduciblePolynomial, Literal
from dtmodel.derive.algebra.solver import Question

_PARTS = 100  # the maximum number of parts of a question that the solver does not decide


class Sign(NamedTuple):
    """A fact: an atom times `sign` is positive (`strict`) or nonnegative; for sign 0 it is nonzero (`strict`) or 0."""

    atom: IrreduciblePolynomial
    sign: int
    strict: bool

    @property
    def negation(self) -> Sign:
        """The sign that holds exactly where this one is false."""
        return Sign(self.atom, -self.sign, not self.strict)

    def holds(self, value: int) -> bool:
        """Return True if the fact holds where the atom has this sign."""
        if self.sign == 0:
            return (value == 0) != self.strict
        return value * self.sign > 0 or (value == 0 and not self.strict)


class Product(NamedTuple):
    """A fact about a product of several atoms, with the fields of a `Sign`."""

    atoms: tuple[IrreduciblePolynomial, ...]
    sign: int
    strict: bool


class Facts:
    """The domain with its boundary, and proofs on it; `weak`: symbols that may be 0; `always`: further facts.

    `guards`: nonnegative polynomials with several factors.
    """

    def __init__(
        self, arena: Arena, weak: Iterable[str], always: Sequence[Sign] = (), guards: Sequence[Polynomial] = ()
    ) -> None:
        self.guards = tuple(guards)
        self.arena = arena
        self.weak = frozenset(weak)
        self.always = tuple(always)
        self.one = arena.atom(arena.ring.one)[0]
        self._answers: dict[str, str] = {}

    def state(self, question: Question) -> None:
        """Add the domain to a question."""
        for name in self.arena.ring.names:
            question.positive(name, ">=" if name in self.weak else ">")
        for sign in self.always:
            question.add(_written(question, sign))
        for guard in self.guards:
            question.sign(guard, ">=")

    def positive(self, atom: IrreduciblePolynomial) -> bool:
        """Return True if an atom without negative terms is positive on the whole domain."""
        return self.arena.positive(atom, self.weak)

    def borders(self) -> list[IrreduciblePolynomial]:
        """Return the symbols that may be 0, as atoms."""
        symbols = [self.arena.ring.symbol(name).top for name in self.arena.ring.names if name in self.weak]
        return [self.arena.factored(symbol)[1][0][0] for symbol in symbols]

    def at_sight(self, sign: Sign) -> bool:
        """Return True if the signs of the coefficients prove a fact."""
        if sign.sign == 0:  # coefficients never prove an equality, but they can prove that a polynomial is nonzero
            return sign.strict and bool(sign.atom.known) and self.positive(sign.atom)
        return sign.atom.known == sign.sign and (not sign.strict or self.positive(sign.atom))

    def follows(self, premises: Sequence[Sign], goal: Sign) -> bool:
        """Return True if a fact follows from premises: by coefficients, by an identity, or by the solver."""
        return self.simply(premises, goal) or self.impossible([*premises, goal.negation])

    def simply(self, premises: Sequence[Sign], goal: Sign) -> bool:
        """Return True if a fact follows from premises by coefficients or by an identity."""
        if self.at_sight(goal):
            return True
        for premise in (*premises, *self.always):
            if premise.atom is goal.atom and premise.sign == goal.sign and (premise.strict or not goal.strict):
                return True
        if goal.sign == 0:
            return False
        wanted = Literal(goal.atom, goal.sign)
        for premise in (*premises, *self.always):
            found = self.arena.identity(wanted, Literal(premise.atom, premise.sign))
            if found is not None and (not goal.strict or self._strict(found, premise)):
                return True
        return False

    def _strict(self, found: Identity, premise: Sign) -> bool:
        names = self.arena.ring.names

        def sure(monomial: tuple[int, ...]) -> bool:
            return not any(power and name in self.weak for name, power in zip(names, monomial, strict=True))

        used = found.number > 0 and premise.strict and sure(found.monomial)
        return used or any(sure(monomial) for monomial in found.rest)

    def impossible(
        self, signs: Sequence[Sign], none_of: Sequence[Sequence[Sign]] = (), nonzero: Polynomial | None = None
    ) -> bool:
        """Return True if the signs cannot hold together outside all conjunctions, where a polynomial is not 0."""
        return self.together(signs, none_of, nonzero) == "unsat"

    def together(
        self, signs: Sequence[Sign], none_of: Sequence[Sequence[Sign]] = (), nonzero: Polynomial | None = None
    ) -> str:
        """Return whether the signs can hold together there: ``sat``, ``unsat`` or ``unknown``."""
        possible = _values(signs)
        if any(not values for values in possible.values()):
            return "unsat"
        left = [found for each in none_of if (found := _undecided(each, possible)) is not None]
        if not all(left):
            return "unsat"
        if self.arena.late():  # no time for a proof
            return "unknown"
        if nonzero is None and self._at_a_point(signs, left):
            return "sat"
        question = Question(self.arena.ring.names)
        self.state(question)
        for sign in dict.fromkeys(signs):
            question.add(_written(question, sign))
        for conjunction in left:
            parts = [_written(question, sign.negation) for sign in conjunction]
            question.add(f"(or {' '.join(parts)})")
        if nonzero is not None:
            question.add(f"(not {question.relation(nonzero, '=')})")
        if question.script not in self._answers:
            self._answers[question.script] = self.arena.solve(question)[0]
        return self._answers[question.script]

    def outside(self, signs: Sequence[Sign], cases: Sequence[Sequence[Sign]]) -> str:
        """Return whether the signs can hold outside all cases; an undecided question is divided into parts."""
        waiting = [list(signs)]
        for _ in range(_PARTS):
            if not waiting:
                return "unsat"
            part = waiting.pop()
            answer = self.together(part, cases)
            if answer == "unknown":
                possible = _values(part)
                asked = Counter(sign.atom for case in cases for sign in _undecided(case, possible) or ())
                if self.arena.late() or not asked:
                    return answer
                atom = max(asked, key=lambda atom: (asked[atom], -atom.number))
                waiting += [[*part, Sign(atom, sign, strict=bool(sign))] for sign in (1, 0, -1)]
            elif answer == "sat":
                return answer
        return "unknown"

    def _at_a_point(self, signs: Sequence[Sign], none_of: Sequence[Sequence[Sign]]) -> bool:
        """Return True if a sample point satisfies the signs and none of the conjunctions."""
        if self.guards or any(sign.sign == 0 and not sign.strict for sign in signs):
            return False
        alive = list(range(len(self.arena.points)))
        for sign in (*self.always, *signs):
            values = self.arena.signs(sign.atom)
            alive = [point for point in alive if sign.holds(values[point])]
        for conjunction in none_of:
            each = [(sign, self.arena.signs(sign.atom)) for sign in conjunction]
            alive = [point for point in alive if not all(sign.holds(values[point]) for sign, values in each)]
        return bool(alive)

    def covered(self, premises: Sequence[Sign], cases: Sequence[Sequence[Sign]]) -> bool:
        """Return True if the premises imply that at least one case holds: by sign tables, else by the solver."""
        left = [[sign for sign in case if not self.simply(premises, sign)] for case in cases]
        if any(not case for case in left):
            return True
        atoms = list({sign.atom.number: sign.atom for case in left for sign in case}.values())
        if len(atoms) <= 6 and all(
            any(all(sign.holds(values[sign.atom.number]) for sign in case) for case in left)
            for values in self._tables(atoms, premises)
        ):
            return True
        return self.impossible(premises, cases)

    def _tables(self, atoms: Sequence[IrreduciblePolynomial], premises: Sequence[Sign]) -> Iterator[dict[int, int]]:
        for values in product((-1, 0, 1), repeat=len(atoms)):
            table = {atom.number: value for atom, value in zip(atoms, values, strict=True)}
            if all(
                sign.holds(table.get(sign.atom.number, sign.sign or int(sign.strict)))
                for sign in (*premises, *self.always)
            ):
                yield table


def _values(signs: Sequence[Sign]) -> dict[int, set[int]]:
    """Return for each atom the signs (-1, 0, 1) that the facts allow."""
    possible: dict[int, set[int]] = {}
    for sign in signs:
        left = possible.setdefault(sign.atom.number, {-1, 0, 1})
        left.intersection_update([value for value in (-1, 0, 1) if sign.holds(value)])
    return possible


def _undecided(conjunction: Sequence[Sign], possible: Mapping[int, set[int]]) -> list[Sign] | None:
    """Return the undecided signs of a conjunction; None if they cannot all hold."""
    left = []
    for sign in conjunction:
        held = {sign.holds(value) for value in possible.get(sign.atom.number, (-1, 0, 1))}
        if held == {False}:
            return None
        if held != {True}:
            left.append(sign)
    return left


def _written(question: Question, sign: Sign) -> str:
    if sign.sign == 0:
        text = question.relation(sign.atom.poly, "=")
        return f"(not {text})" if sign.strict else text
    relation = {(1, True): ">", (1, False): ">=", (-1, True): "<", (-1, False): "<="}[sign.sign, sign.strict]
    return question.relation(sign.atom.poly, relation)
