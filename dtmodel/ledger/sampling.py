"""Values for the variables of a statement: on the bounds, beside them, far away, and at ties, where statements fail."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from math import ceil, floor
from random import Random
from typing import Any

from dtmodel.base.errors import InputError
from dtmodel.base.expressions import Expression, Undefined, relations
from dtmodel.ledger.formal import Formal, Instance, Variable, Vocabulary

_NICE = tuple(Fraction(*pair) for pair in ((1, 1), (2, 1), (1, 2), (3, 1), (4, 1), (1, 3), (3, 2), (5, 1), (2, 3)))
_STEPS = (*_NICE, *(Fraction(*pair) for pair in ((1, 10), (10, 1), (1, 1000), (1000, 1), (7, 5), (11, 10), (1, 100))))
_BESIDE = tuple(Fraction(*pair) for pair in ((1, 1), (1, 1), (1, 1), (11, 10), (9, 10), (1, 2), (2, 1)))
_BEYOND = tuple(Fraction(*pair) for pair in ((1, 10), (-1, 10), (1, 2), (-1, 2), (1, 1), (1, 1000), (-1, 1000)))
_REPAIRS = 4  # the number of times that a variable is moved to make a failing hypothesis hold
_TRIES = 60  # the number of values that are tried until one is in the domain
_COUNTS = (0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 6)
_INSIDE = tuple(Fraction(*pair) for pair in ((1, 2), (1, 3), (1, 4), (3, 4), (1, 1000), (999, 1000), (1, 10), (9, 10)))

_Sides = tuple[Expression, Expression]


@dataclass(frozen=True)
class Sampler:
    """Draws values for the variables of a statement."""

    formal: Formal
    vocabulary: Vocabulary
    random: Random

    def draw(self) -> dict[str, Any] | None:
        """Choose a value for every variable within its domain; None if a domain is empty. Other hypotheses may fail."""
        chosen = self.completed({})
        if chosen is None:
            return None
        if self.random.random() < 0.5:
            chosen = self._tied(chosen, []) or chosen
        return self._repaired(chosen)

    def completed(self, given: Mapping[str, Any]) -> dict[str, Any] | None:
        """Choose a value within its domain for every variable that is not given; None if a domain is empty."""
        chosen: dict[str, Any] = {}
        for variable in self.formal.variables:
            value = given[variable.name] if variable.name in given else self._drawn(variable, chosen)
            if value is None:
                return None
            chosen[variable.name] = value
        return chosen

    def neighbour(self, assignment: Mapping[str, Any]) -> dict[str, Any]:
        """Change one variable of an assignment, and then others so that hypotheses hold."""
        variable = self.random.choice(self.formal.variables)
        value = other = assignment[variable.name]
        if variable.kind == "rat" and isinstance(value, Fraction) and self.random.random() < 0.7:
            other = value * (1 + self.random.choice((-1, 1)) * self.random.choice(_STEPS[9:] + _INSIDE))
        else:
            other = self._drawn(variable, assignment)
        return self._repaired({**assignment, variable.name: value if other is None else other})

    def _instance(self, chosen: Mapping[str, Any]) -> Instance:
        return Instance(self.formal, chosen, self.vocabulary)

    def _drawn(self, variable: Variable, chosen: Mapping[str, Any]) -> Any:
        try:
            return self._value(variable, self._instance(chosen))
        except (Undefined, InputError):
            return None

    def _value(self, variable: Variable, scope: Instance) -> Any:
        random = self.random
        if variable.letters is not None and variable.length is not None:
            letters = scope.value(variable.letters)
            if not letters:
                return []
            few = random.sample(letters, random.randint(1, len(letters)))  # bursts of few kinds are frequent
            return [list(random.choice(few)) for _ in range(random.randint(0, int(scope.value(variable.length))))]
        if variable.length is None:
            return self._element(variable, scope)
        length = scope.value(variable.length)
        if length.denominator != 1 or not 0 <= length <= 64:
            return None
        first = [self._element(variable, scope) for _ in range(min(int(length), random.choice((1, 2, 2, 3))))]
        if None in first:
            return None
        rest = [random.choice(first) for _ in range(int(length) - len(first))]
        return sorted(first + rest, reverse=True) if random.random() < 0.5 else first + rest

    def _element(self, variable: Variable, scope: Instance) -> Any:
        if variable.kind == "oneof":
            return self.random.choice(variable.words)
        low, low_open, high, high_open = _interval(variable, scope)
        candidates = self._whole(low, high) if variable.kind == "int" else self._rational(low, high, scope)
        for value in islice(candidates, _TRIES):  # hypotheses may empty the domain
            below = low is not None and (value < low or (low_open and value == low))
            above = high is not None and (value > high or (high_open and value == high))
            if not below and not above and (variable.kind != "int" or value.denominator == 1):
                return value
        return None

    def _whole(self, low: Fraction | None, high: Fraction | None) -> Iterator[Fraction]:
        start = Fraction(-1) if low is None else Fraction(ceil(low))
        if high is not None:
            last = floor(high)
            if last < start:
                return
            yield Fraction(self.random.choice((int(start), last, self.random.randint(int(start), last))))
        while True:
            yield start + self.random.choice(_COUNTS)
            yield start + 1

    def _rational(self, low: Fraction | None, high: Fraction | None, scope: Instance) -> Iterator[Fraction]:
        """Yield candidates; the first one is nearly always in the domain."""
        random = self.random
        if random.random() < 0.3:
            yield from self._known(scope)
        if low is not None and high is not None:
            yield random.choice((low, high, *(low + (high - low) * part for part in random.sample(_INSIDE, 4))))
            yield (low + high) / 2
            return
        base = low if low is not None else (high if high is not None else Fraction(0))
        sign = -1 if low is None and (high is not None or random.random() < 0.5) else 1
        if random.random() < 0.25:
            yield base
        step = random.choice(_STEPS) * (abs(base) if base and random.random() < 0.6 else 1)
        yield base + sign * step
        yield base + sign

    def _known(self, scope: Instance) -> Iterator[Fraction]:
        """Yield the value of another name, so that two quantities are equal, or a value near it."""
        others = [*scope.assignment, *self.formal.definitions]
        if others:
            try:
                value = scope[self.random.choice(others)]
                value = value(Fraction(self.random.randint(1, 3))) if callable(value) else value
            except (Undefined, InputError, KeyError):
                return
            if isinstance(value, Fraction):
                yield value * self.random.choice(_BESIDE)

    def _repaired(self, chosen: dict[str, Any]) -> dict[str, Any]:
        for _ in range(_REPAIRS):
            failing = self._failing(chosen)
            if not failing:
                break
            chosen = self._tied(chosen, failing) or chosen
        return chosen

    def _failing(self, chosen: Mapping[str, Any]) -> list[_Sides]:
        """Return the sides of the first hypothesis that is false; none if one before it has no value."""
        scope = self._instance(chosen)
        with suppress(Undefined, InputError):
            for hypothesis in self.formal.hypotheses:
                if not hypothesis.of and scope.value(hypothesis.relation) is not True:
                    return relations(hypothesis.relation)
        return []

    def _tied(self, chosen: dict[str, Any], failing: list[_Sides]) -> dict[str, Any] | None:
        """Move one variable so that the two sides of a relation (a failing one if any) become equal."""
        formal, random = self.formal, self.random
        stated = [*(hypothesis.relation for hypothesis in formal.hypotheses), *formal.conclusions]
        sides = failing or [pair for relation in stated for pair in relations(relation)]
        free = [v.name for v in formal.variables if v.kind == "rat" and v.length is None]
        if not sides or not free:
            return None
        left, right = random.choice(sides)
        used = formal.uses(left) | formal.uses(right)
        free = [name for name in free if name in used]
        if not free:
            return None
        name = random.choice(free)

        def gap(value: Fraction) -> Fraction:
            scope = self._instance({**chosen, name: value})
            difference = scope.value(left) - scope.value(right)
            if not isinstance(difference, Fraction):
                raise Undefined("no number")
            return difference

        x, step = chosen[name], abs(chosen[name]) / 7 or Fraction(1, 7)
        try:
            for _ in range(2):  # secant steps; one is exact if the gap is affine
                here, there = gap(x), gap(x + step)
                if here in (0, there):
                    break
                x -= here * step / (there - here)
        except (Undefined, InputError, TypeError):
            return None
        beyond = random.choice(_BEYOND) * abs(x) if failing and random.random() < 0.5 else Fraction(0)
        moved = {**chosen, name: x + beyond}
        scope = self._instance(moved)
        return moved if all(scope.fulfils(hypothesis) for hypothesis in formal.hypotheses if hypothesis.of) else None


def _interval(variable: Variable, scope: Instance) -> tuple[Fraction | None, bool, Fraction | None, bool]:
    """Return the greatest lower and the least upper bound, each with true if it is not in the domain.

    The bounds are those of the variable, and those that hypotheses set in terms of chosen variables.
    """
    stated = [(own.sign, own.value) for own in variable.bounds]
    supposed = scope.formal.narrowings.get(variable.name, ())
    stated += [(sign, expression) for sign, expression, needed in supposed if needed <= scope.assignment.keys()]
    bounds = [(sign, scope.value(expression)) for sign, expression in stated]
    finite = [(sign, value) for sign, value in bounds if isinstance(value, Fraction)]  # the bound "never" is infinite
    low = max([(value, sign == ">") for sign, value in finite if sign[0] == ">"], default=(None, False))
    high = min([(value, sign == "<=") for sign, value in finite if sign[0] == "<"], default=(None, True))
    return *low, high[0], not high[1]
