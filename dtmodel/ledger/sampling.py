"""Values for the variables of a statement: on the bounds, beside them, far away, and at ties, where statements fail."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import islice
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


def draw_assignment(formal: Formal, vocabulary: Vocabulary, random: Random) -> dict[str, Any] | None:
    """Choose a value for every variable within its domain; None if a domain is empty. Other hypotheses may fail."""
    chosen = completed(formal, {}, vocabulary, random)
    if chosen is None:
        return None
    if random.random() < 0.5:
        chosen = _tied(formal, chosen, vocabulary, random, []) or chosen
    return _repaired(formal, chosen, vocabulary, random)


def completed(
    formal: Formal, given: Mapping[str, Any], vocabulary: Vocabulary, random: Random
) -> dict[str, Any] | None:
    """Choose a value within its domain for every variable that is not given; None if a domain is empty."""
    chosen: dict[str, Any] = {}
    for variable in formal.variables:
        try:
            value = (
                given.get(variable.name)
                if variable.name in given
                else _value(variable, Instance(formal, chosen, vocabulary), random)
            )
        except (Undefined, InputError):
            return None
        if value is None:
            return None
        chosen[variable.name] = value
    return chosen


def neighbour(formal: Formal, assignment: Mapping[str, Any], vocabulary: Vocabulary, random: Random) -> dict[str, Any]:
    """Change one variable of an assignment, and then others so that hypotheses hold."""
    return _repaired(formal, _altered(formal, assignment, vocabulary, random), vocabulary, random)


def _altered(formal: Formal, assignment: Mapping[str, Any], vocabulary: Vocabulary, random: Random) -> dict[str, Any]:
    variable = random.choice(formal.variables)
    changed = dict(assignment)
    value = assignment[variable.name]
    if variable.kind == "rat" and isinstance(value, Fraction) and random.random() < 0.7:
        changed[variable.name] = value * (1 + random.choice((-1, 1)) * random.choice(_STEPS[9:] + _INSIDE))
        return changed
    try:
        other = _value(variable, Instance(formal, assignment, vocabulary), random)
    except (Undefined, InputError):
        return changed
    return changed if other is None else {**changed, variable.name: other}


def _value(variable: Variable, scope: Instance, random: Random) -> Any:
    if variable.letters is not None and variable.length is not None:
        letters = scope.value(variable.letters)
        if not letters:
            return []
        few = random.sample(letters, random.randint(1, len(letters)))  # bursts of few kinds are frequent
        return [list(random.choice(few)) for _ in range(random.randint(0, int(scope.value(variable.length))))]
    if variable.length is None:
        return _element(variable, scope, random)
    length = scope.value(variable.length)
    if length.denominator != 1 or not 0 <= length <= 64:
        return None
    first = [_element(variable, scope, random) for _ in range(min(int(length), random.choice((1, 2, 2, 3))))]
    if None in first:
        return None
    rest = [random.choice(first) for _ in range(int(length) - len(first))]
    return sorted(first + rest, reverse=True) if random.random() < 0.5 else first + rest


def _element(variable: Variable, scope: Instance, random: Random) -> Any:
    if variable.kind == "oneof":
        return random.choice(variable.words)
    low, low_open, high, high_open = _interval(variable, scope)
    candidates = _whole(low, high, random) if variable.kind == "int" else _rational(low, high, scope, random)
    for value in islice(candidates, _TRIES):  # hypotheses may empty the domain
        below = low is not None and (value < low or (low_open and value == low))
        above = high is not None and (value > high or (high_open and value == high))
        if not below and not above and (variable.kind != "int" or value.denominator == 1):
            return value
    return None


def _interval(variable: Variable, scope: Instance) -> tuple[Fraction | None, bool, Fraction | None, bool]:
    low: Fraction | None = None
    high: Fraction | None = None
    low_open = high_open = False
    for sign, expression in _bounds(variable, scope):
        value = scope.value(expression)
        if not isinstance(value, Fraction):
            continue  # the bound "never" is infinite
        if sign[0] == ">":
            if low is None or value >= low:
                low, low_open = value, sign == ">" or (low_open and value == low)
        elif high is None or value <= high:
            high, high_open = value, sign == "<" or (high_open and value == high)
    return low, low_open, high, high_open


def _bounds(variable: Variable, scope: Instance) -> Iterator[tuple[str, Expression]]:
    """Yield the bounds of a variable's domain, and those that hypotheses set in terms of chosen variables."""
    yield from ((own.sign, own.value) for own in variable.bounds)
    for sign, expression, needed in scope.formal.narrowings.get(variable.name, ()):
        if needed <= scope.assignment.keys():
            yield sign, expression


def _whole(low: Fraction | None, high: Fraction | None, random: Random) -> Iterator[Fraction]:
    start = Fraction(-1) if low is None else Fraction(-(-low.numerator // low.denominator))
    if high is not None:
        last = high.numerator // high.denominator
        if last < start:
            return
        yield Fraction(random.choice((int(start), last, random.randint(int(start), last))))
    while True:
        yield start + random.choice(_COUNTS)
        yield start + 1


def _rational(low: Fraction | None, high: Fraction | None, scope: Instance, random: Random) -> Iterator[Fraction]:
    """Yield candidates; the first one is nearly always in the domain."""
    if random.random() < 0.3:
        yield from _known(scope, random)
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


def _known(scope: Instance, random: Random) -> Iterator[Fraction]:
    """Yield the value of another name, so that two quantities are equal, or a value near it."""
    others = [*scope.assignment, *scope.formal.values, *scope.formal.sequences]
    if others:
        try:
            value = scope[random.choice(others)]
            value = value(Fraction(random.randint(1, 3))) if callable(value) else value
        except (Undefined, InputError, KeyError):
            return
        if isinstance(value, Fraction):
            yield value * random.choice(_BESIDE)


def _repaired(formal: Formal, chosen: dict[str, Any], vocabulary: Vocabulary, random: Random) -> dict[str, Any]:
    for _ in range(_REPAIRS):
        failing = _failing(formal, chosen, vocabulary)
        if not failing:
            break
        chosen = _tied(formal, chosen, vocabulary, random, failing) or chosen
    return chosen


def _failing(formal: Formal, chosen: Mapping[str, Any], vocabulary: Vocabulary) -> list[tuple[Expression, Expression]]:
    scope = Instance(formal, chosen, vocabulary)
    for hypothesis in formal.hypotheses:
        if not hypothesis.of:
            try:
                if scope.value(hypothesis.relation) is not True:
                    return relations(hypothesis.relation)
            except (Undefined, InputError):
                return []
    return []


def _tied(
    formal: Formal,
    chosen: dict[str, Any],
    vocabulary: Vocabulary,
    random: Random,
    sides: list[tuple[Expression, Expression]],
) -> dict[str, Any] | None:
    """Move one variable so that the two sides of a relation (of `sides`, or of the statement) become equal."""
    repairs = bool(sides)
    if not sides:
        sides = [pair for h in formal.hypotheses for pair in relations(h.relation)]
        sides += [pair for conclusion in formal.conclusions for pair in relations(conclusion)]
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
        scope = Instance(formal, {**chosen, name: value}, vocabulary)
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
    beyond = random.choice(_BEYOND) * abs(x) if repairs and random.random() < 0.5 else Fraction(0)
    moved = {**chosen, name: x + beyond}
    scope = Instance(formal, moved, vocabulary)
    own = [h for h in formal.hypotheses if h.of]
    try:
        return moved if all(scope.value(h.relation) is True for h in own) else None
    except (Undefined, InputError):
        return None
