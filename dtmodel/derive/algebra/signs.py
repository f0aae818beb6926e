"""Signs of polynomials on a path through an open set: by atoms' coefficients, sample points, earlier decisions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from dtmodel.derive.algebra.number import LimitError, Polynomial
from dtmodel.derive.algebra.open_set import Arena, IrreduciblePolynomial, Literal


class SignDecision(NamedTuple):
    """A sign on a path with its reason: ``split``, ``identity``, ``solver`` or ``assumed`` (the rest stays open)."""

    literal: Literal
    how: str


class Choice(NamedTuple):
    """The earliest of some times on a path, and the signs that prove it."""

    place: int
    literals: tuple[Literal, ...]
    how: str


class SignPath:
    """A path through the splits: decisions so far, those that a `script` prescribes, and facts on all paths."""

    def __init__(
        self, arena: Arena, script: Sequence[SignDecision | Choice], hypotheses: Sequence[Literal] = ()
    ) -> None:
        self.arena = arena
        self.script = list(script)
        self.hypotheses = tuple(hypotheses)
        self.decisions: list[SignDecision | Choice] = []
        self.alternatives: list[list[SignDecision | Choice]] = []
        self.open: list[list[Literal]] = []
        self._signs: dict[int, int] = {}
        for atom, sign in hypotheses:
            self._signs[atom.number] = sign
        self._alive = list(range(len(arena.points)))
        self._seen = len(arena.points)
        for literal in hypotheses:
            self._keep(literal)

    @property
    def literals(self) -> list[Literal]:
        """The facts on this path, hypotheses included."""
        found = list(self.hypotheses)
        for decision in self.decisions:
            found += decision.literals if isinstance(decision, Choice) else [decision.literal]
        return found

    @property
    def alive(self) -> list[int]:
        """The sample points on this path."""
        if self._seen < len(self.arena.points):
            held = self.arena.held(self.literals)
            self._alive += [point for point in range(self._seen, len(self.arena.points)) if held >> point & 1]
            self._seen = len(self.arena.points)
        return self._alive

    def sign(self, poly: Polynomial) -> int:
        """Return the sign of a polynomial on this path."""
        sign, factors = self.arena.factored(poly)
        for atom, power in factors:
            if power % 2 and atom.known < 0:
                sign = -sign
            elif power % 2 and not atom.known:
                sign *= self._atom_sign(atom)
            elif not atom.known:
                self._atom_sign(atom)  # an even power is positive only where the atom is not 0
        return sign

    def _atom_sign(self, atom: IrreduciblePolynomial) -> int:
        if atom.number not in self._signs:
            decision = self.script.pop(0) if self.script else self._decide(atom)
            if isinstance(decision, Choice) or decision.literal.atom is not atom:
                raise RuntimeError("a repeated run took another path")
            self._take(decision)
        return self._signs[atom.number]

    def _take(self, decision: SignDecision | Choice) -> None:
        for literal in decision.literals if isinstance(decision, Choice) else [decision.literal]:
            self._keep(literal)
            self._signs[literal.atom.number] = literal.sign
        self.decisions.append(decision)

    def earliest(self, differences: Sequence[Sequence[Polynomial]]) -> int | None:
        """Return the index of the earliest of some times, with one split over all candidates.

        `differences`: for each time, polynomials with the signs of the others minus it; None if these are not single
        atoms.
        """
        conditions = [self._conditions(each) for each in self._without_late(differences)]
        if any(found is None for found in conditions):
            return None
        possible = [(i, found) for i, found in enumerate(conditions) if found is not None and found[0]]
        sure = [i for i, (_, literals) in possible if not literals]
        if sure:
            return sure[0]
        if self.script:
            choice = self.script.pop(0)
            if not isinstance(choice, Choice):
                raise RuntimeError("a repeated run took another path")
        else:
            choice = self._choose([(i, tuple(literals)) for i, (_, literals) in possible])
        self._take(choice)
        return choice.place

    def _without_late(self, differences: Sequence[Sequence[Polynomial]]) -> list[list[Polynomial]]:
        """Drop comparisons with times later than another one (which the earliest precedes), but those of late times."""
        places = range(len(differences))
        late = [any(self.known_sign(poly) < 0 for poly in row) for row in differences]
        rows = []
        for place, row in enumerate(differences):
            others = [other for other in places if other != place]
            rows.append([poly for other, poly in zip(others, row, strict=True) if late[place] or not late[other]])
        return rows

    def known_sign(self, poly: Polynomial) -> int:
        """Return the sign of a polynomial if it is known on this path, else 0."""
        sign, factors = self.arena.factored(poly)
        for atom, power in factors:
            sign *= (atom.known or self._signs.get(atom.number, 0)) ** (1 if power % 2 else 2)
        return sign

    def _conditions(self, polys: Sequence[Polynomial]) -> tuple[bool, list[Literal]] | None:
        """Return whether all can be positive, and the signs for that; None if a sign depends on two atoms."""
        literals: list[Literal] = []
        for poly in polys:
            sign, factors = self.arena.factored(poly)
            unknown: list[IrreduciblePolynomial] = []
            for atom, power in factors:
                known = atom.known or self._signs.get(atom.number, 0)
                if not known and power % 2:
                    unknown.append(atom)
                elif power % 2:
                    sign *= known
            if len(unknown) > 1:
                return None
            if unknown:
                literals.append(Literal(unknown[0], sign))
            elif sign < 0:
                return False, []
        return not any(Literal(atom, -sign) in literals for atom, sign in literals), literals

    def _choose(self, possible: Sequence[tuple[int, tuple[Literal, ...]]]) -> Choice:
        counted: list[tuple[int, Choice]] = []
        for index, literals in possible:
            held = self.arena.held(literals)
            points = sum(held >> point & 1 for point in self.alive)
            if points or self._can_be(literals):
                counted.append((points, Choice(index, literals, "split")))
        if not counted:
            raise LimitError("the order of some events is not decided")
        counted.sort(key=lambda item: -item[0])
        self.alternatives += [[*self.decisions, choice] for _, choice in counted[1:]]
        return counted[0][1]

    def _can_be(self, literals: Sequence[Literal]) -> bool:
        """Return False if literals cannot hold on this path; undecided ones may."""
        if any(self._evident(Literal(atom, -sign)) for atom, sign in literals):
            return False
        wanted = [*self.literals, *literals]
        if self.arena.search(wanted, self.alive):
            return True
        answer = self.arena.ask(wanted)
        if answer == "unknown":
            self.open.append(wanted)
        return answer == "sat"

    def _keep(self, literal: Literal) -> None:
        held = self.arena.held([literal])
        self._alive = [point for point in self.alive if held >> point & 1]

    def _decide(self, atom: IrreduciblePolynomial) -> SignDecision:
        signs, alive = self.arena.signs(atom), self.alive
        above, below = (sum(signs[point] == sign for point in alive) for sign in (1, -1))
        if above and below:
            return self._split(Literal(atom, 1 if above >= below else -1))
        likely = Literal(atom, 1 if above or not below else -1)
        other = Literal(atom, -likely.sign)
        if self._evident(likely):
            return SignDecision(likely, "identity")
        if self.arena.search([*self.literals, other], alive):
            return self._split(likely)
        answer = self.arena.ask([*self.literals, other])
        if answer == "sat":
            if not above and not below and self.arena.ask([*self.literals, likely]) == "unsat":
                return SignDecision(other, "solver")
            return self._split(likely)
        if answer == "unknown":
            self.open.append([*self.literals, other])
            return SignDecision(likely, "assumed")
        return SignDecision(likely, "solver")

    def _evident(self, goal: Literal) -> bool:
        return any(self.arena.identity(goal, literal) is not None for literal in self.literals)

    def _split(self, literal: Literal) -> SignDecision:
        other = SignDecision(Literal(literal.atom, -literal.sign), "split")
        self.alternatives.append([*self.decisions, other])
        return SignDecision(literal, "split")
