"""Check of a derived theorem against the exact engine, at random points inside every case and on its boundaries."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import takewhile
from math import inf
from typing import TYPE_CHECKING, Any

from dtmodel.derive.algebra.dimensions import TIME
from dtmodel.derive.algebra.domain import RELATION
from dtmodel.derive.algebra.number import Polynomial, fraction_at
from dtmodel.derive.search.cases import grade_of
from dtmodel.derive.search.run import run_family
from dtmodel.derive.theorem.data import TheoremData
from dtmodel.derive.theorem.simulating import EVENTS, simulated

if TYPE_CHECKING:
    from dtmodel.derive.search.cases import DerivedCase

_TRIES = 60
_FAR = 10**15


def engine_at(
    theorem: TheoremData, values: dict[str, Fraction], beyond: Sequence[Fraction] = ()
) -> dict[str, Fraction | None]:
    """Return the exact engine's answers at given values of the symbols, from a run far beyond all given times.

    If all counts are whole, the function asserts that `dtmodel.simulate` gives the same answers.
    """
    scale = theorem.family.buffer.value(values) / theorem.family.rate.value(values)
    times = [Fraction(ask.time.value(values)) for ask in theorem.family.asks if ask.time is not None]
    times += [Fraction(t.value(values)) for queue in theorem.family.queues for t, _ in queue.arrivals]
    end = _FAR * max([scale + 1, *times, *beyond])
    seen = run_family(theorem.family, values, Fraction, end, Fraction(1), EVENTS)
    answers = seen.answers
    asked = [value for key, value in answers.items() if grade_of(key) == TIME and value is not None]
    if seen.period:
        end = seen.phases[-1].begin
    elif not theorem.family.steady and len(asked) == sum(ask.time is None for ask in theorem.family.asks):
        end = 2 * (max([*asked, *times]) + scale)  # EDT may cycle for ever: run no longer
    said = simulated(theorem.family, values, end, seen.period)
    assert said is None or said == answers, f"at {_shown(values)} simulate says {said}, the engine {answers}"
    return answers


def check_theorem(theorem: TheoremData, points: int, source: random.Random, seconds: float = inf) -> int:
    """Compare a theorem with the engine and return the number of points; the cases share the time that is left."""
    compared, end = 0, time.monotonic() + seconds
    for number, case in enumerate(theorem.cases):
        now = time.monotonic()
        compared += sum(check_case(theorem, case, points, source, now + (end - now) / (len(theorem.cases) - number)))
    return compared


def check_case(
    theorem: TheoremData, case: DerivedCase, points: int, source: random.Random, deadline: float = inf
) -> tuple[int, int]:
    """Compare inside a case and on its boundaries until the deadline; return the two numbers of points."""
    inside = list(points_of(theorem, case, points, source, deadline))
    soon = takewhile(lambda _: time.monotonic() < deadline, inside)
    edge = [moved for point in soon for moved in _on_boundary(theorem, case, point, source)][:points]
    compared = [0, 0]
    for place, point in [*((0, point) for point in inside), *((1, point) for point in edge)]:
        if time.monotonic() > deadline:
            break
        values = theorem.values(point)
        if place and not theorem.complete and theorem.case_at(**values) is None:
            continue
        said = theorem.exact(**values)
        times = [time for key, time in said.items() if time is not None and grade_of(key) == TIME]
        expected = engine_at(theorem, values, times)
        assert expected == said, f"at {_shown(values)} the engine says {expected}, the theorem {said}"
        compared[place] += 1
    return compared[0], compared[1]


def _shown(values: dict[str, Fraction]) -> dict[str, str]:
    return {name: str(value) for name, value in values.items()}


def points_of(
    theorem: TheoremData, case: DerivedCase, points: int, source: random.Random, deadline: float = inf
) -> Iterator[tuple[Fraction, ...]]:
    """Yield points of a case until the deadline: one found by a random search, then small steps that stay inside."""
    if any(c.relation == "==" for c in case.when):
        yield from _points_on(theorem, case, points, source, deadline)
        return
    found: list[tuple[Fraction, ...]] = []
    names = theorem.domain.outer.names
    for _ in range(_TRIES):
        if found or time.monotonic() > deadline:
            break
        point = _whole(theorem, tuple(Fraction(round(2 ** source.uniform(0, 9)), 16) for _ in names), source)
        for _ in range(_TRIES):
            wrong = [c for c in case.when if not c.holds(point)]
            if not wrong and _allowed(theorem, point):
                found.append(point)
                break
            point = min((_moved(theorem, point, source) for _ in range(8)), key=lambda p: _distance(theorem, case, p))
    found = found or [case.example]
    yield found[0]
    for _ in range(_TRIES * points):
        if len(found) >= points or time.monotonic() > deadline:
            break
        point = _moved(theorem, source.choice(found), source)
        if all(c.holds(point) for c in case.when) and _allowed(theorem, point):
            found.append(point)
            yield point


def _points_on(
    theorem: TheoremData, case: DerivedCase, points: int, source: random.Random, deadline: float
) -> Iterator[tuple[Fraction, ...]]:
    """Yield points of a case with equalities: steps from its example, with one symbol solved for by each equality."""
    found = [case.example]
    yield case.example
    for _ in range(_TRIES * points):
        if len(found) >= points or time.monotonic() > deadline:
            return
        point: tuple[Fraction, ...] | None = _moved(theorem, source.choice(found), source)
        for c in case.when:
            if c.relation == "==" and point is not None:
                point = _brought(c.poly, point, source)
        if point is not None and all(c.holds(point) for c in case.when) and _allowed(theorem, point):
            found.append(point)
            yield point


def _brought(poly: Polynomial, point: Sequence[Fraction], source: random.Random) -> tuple[Fraction, ...] | None:
    """Set one symbol in which the polynomial is linear so that the polynomial is 0."""
    linear = [i for i, degree in enumerate(poly.degrees()) if int(degree) == 1]
    source.shuffle(linear)
    for index in linear:
        zero, one = (fraction_at(poly, [*point[:index], Fraction(x), *point[index + 1 :]]) for x in (0, 1))
        if zero != one and -zero / (one - zero) >= 0:
            return (*point[:index], -zero / (one - zero), *point[index + 1 :])
    return None


def _distance(theorem: TheoremData, case: DerivedCase, point: Sequence[Fraction]) -> float:
    """Return the violation of the conditions by a point, relative to the size of their terms."""
    total = 0.0 if _allowed(theorem, point) else 1.0
    for c in case.when:
        value = fraction_at(c.poly, point)
        if value <= 0:
            size = sum(abs(fraction_at(part, point)) for part in _parts(c.poly))
            total += float(-value / size) + 1e-9 if size else 1.0
    return total


def _parts(poly: Polynomial) -> list[Polynomial]:
    context = poly.context()
    return [context.from_dict({tuple(map(int, powers)): c}) for powers, c in poly.terms()]


def _whole(theorem: TheoremData, point: tuple[Fraction, ...], source: random.Random) -> tuple[Fraction, ...]:
    """Round the counts to whole numbers in three of four calls, since `simulate` accepts only whole counts."""
    if source.random() < 0.25:
        return point
    counts = theorem.family.counts
    names = {s.symbol if s.symbol in theorem.domain.relaxed else s.name for s in theorem.domain.slacks
             if s.symbol in counts}  # fmt: skip
    each = zip(theorem.domain.outer.names, point, strict=True)
    return tuple(Fraction(max(1, round(x))) if name in names else x for name, x in each)


def _moved(theorem: TheoremData, point: Sequence[Fraction], source: random.Random) -> tuple[Fraction, ...]:
    moved = tuple(
        x
        if source.random() < 0.5
        else max(Fraction(1, 64), Fraction(round(x * Fraction(2 ** source.gauss(0, 1)) * 64), 64))
        for x in point
    )
    return _whole(theorem, moved, source)


def _allowed(theorem: TheoremData, point: Sequence[Fraction]) -> bool:
    values: dict[str, Any] = theorem.values(point)
    declared = (r for relations in theorem.family.symbols.values() for r in relations if r.sign != "==")
    return all(RELATION[r.sign](r.left.value(values), r.right.value(values)) for r in declared)


def _on_boundary(
    theorem: TheoremData, case: DerivedCase, point: Sequence[Fraction], source: random.Random
) -> Iterator[tuple[Fraction, ...]]:
    """Yield neighbours of a point at which a condition of some case is an equality, or a slack is 0."""
    names = theorem.domain.outer.names
    weak = [i for i, name in enumerate(names) if theorem.domain.weak(name)]
    conditions = [c for other in theorem.cases for c in other.when]
    if weak and source.random() < 0.3:
        moved = list(point)
        moved[source.choice(weak)] = Fraction(0)
        yield tuple(moved)
    if not conditions:
        return
    chosen = source.choice(list(case.when) if case.when and source.random() < 0.5 else conditions)
    brought = _brought(chosen.poly, point, source)
    if brought is not None and _allowed(theorem, brought):
        yield brought
