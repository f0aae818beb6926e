"""The adversary searches for an instance in which a statement that is recorded as true is false.

Instances are drawn on bounds and ties (`dtmodel.ledger.sampling`), moved towards the nearest miss, and shrunk after a
failure. Hypothesis' `find` needs more draws and finds less (``benchmarks/hunting.py``).
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import Any

from dtmodel.base import budgets
from dtmodel.ledger.formal import Formal, Hypothesis, Instance, Truth, Vocabulary
from dtmodel.ledger.sampling import Sampler
from dtmodel.ledger.time_limit import ended_within

EVENTS = 500
"""Events that a run of an attack may have: time is better spent on more instances."""

_CLIMBS = 0.3  # the share of the draws that start from the nearest miss so far
_RARE = 0.2  # if the hypotheses hold in a smaller share of draws, some draws start from instances in which they held
_WALKS = 0.6  # the share of the draws that then start there
_KEPT = 24  # the number of such instances that are kept
_LONGEST = 400  # the longest number that is tried, in bits: halving the distance to a bound could go on without end

_SIMPLE = tuple(Fraction(*pair) for pair in ((0, 1), (1, 1), (2, 1), (3, 1), (1, 2), (4, 1), (5, 1), (3, 2), (1, 3)))


@dataclass(frozen=True)
class Attack:
    """Instances `drawn`, those `tried` (all hypotheses hold), the `nearest` miss, at `near`, and a counterexample."""

    tried: int = 0
    drawn: int = 0
    nearest: Fraction | None = None
    near: Mapping[str, Any] | None = None
    counterexample: Mapping[str, Any] | None = None
    why: str = ""
    undefined: bool = False

    @property
    def vacuous(self) -> bool:
        """True if the conclusion was never evaluated."""
        return self.tried == 0


@dataclass(frozen=True)
class Need:
    """The need for a hypothesis (its `kind`); only it excludes the `witness`, in which the conclusion fails."""

    hypothesis: str
    kind: str
    witness: Mapping[str, Any] | None = None


def attack(
    formal: Formal, vocabulary: Vocabulary, *, seconds: float | None = None, cases: int | None = None, seed: int = 0
) -> Attack:
    """Attack a statement for some seconds or cases (instances drawn), or until it is false; a seed gives one attack."""
    found = Attack()
    for assignment, truth, slack in draws(formal, vocabulary, seconds, cases, seed):
        found = replace(found, drawn=found.drawn + 1)
        if truth is None or truth.holds is None:
            continue
        found = replace(found, tried=found.tried + 1)
        if not truth.holds:
            small = shrink(formal, assignment, vocabulary, undefined=truth.undefined)
            again = Instance(formal, small, vocabulary).concluded()
            return replace(found, counterexample=small, why=again.why, undefined=again.undefined)
        if slack is not None and (found.nearest is None or slack < found.nearest):
            found = replace(found, nearest=slack, near=assignment)
    return found


def needs(
    formal: Formal, vocabulary: Vocabulary, *, seconds: float | None = None, cases: int | None = None, seed: int = 0
) -> list[Need]:
    """Drop each hypothesis in turn, and search for a false instance that it alone excludes, within the limits."""
    asked = [item for item in formal.hypotheses if not item.kind]
    return [_need(formal, item, vocabulary, seconds, cases, seed) for item in asked]


def shrink(
    formal: Formal, assignment: Mapping[str, Any], vocabulary: Vocabulary, *, undefined: bool = False
) -> dict[str, Any]:
    """Simplify the values of a counterexample one by one while it remains one (with `undefined`: an undefined one)."""

    def still(candidate: Mapping[str, Any]) -> bool:
        with budgets.raised(events=EVENTS):
            truth = Instance(formal, candidate, vocabulary).truth()
        return truth.holds is False and truth.undefined == undefined

    values, changed = dict(assignment), True
    while changed:
        changed = False
        for name, value in list(values.items()):
            candidates = ({**values, name: simpler} for simpler in _simpler(value))
            if smaller := next(filter(still, candidates), None):
                values, changed = smaller, True
    return values


def draws(
    formal: Formal,
    vocabulary: Vocabulary,
    seconds: float | None,
    cases: int | None,
    seed: int,
    starts: Sequence[dict[str, Any]] = (),
) -> Iterator[tuple[dict[str, Any], Truth | None, Fraction | None]]:
    """Yield assignments, the truth of the statement in each, and its slack; some draws start from `starts`."""
    random = Random(seed)
    stop = None if seconds is None else time.monotonic() + seconds
    near: dict[str, Any] | None = None
    nearest: Fraction | None = None
    kept: list[dict[str, Any]] = []
    drawn = fresh = held = 0
    while (cases is None or drawn < cases) and (stop is None or time.monotonic() < stop):
        drawn += 1
        start = near if random.random() < _CLIMBS else None
        if starts and random.random() < _CLIMBS:
            start = random.choice(starts)
        if start is None and kept and held < _RARE * fresh and random.random() < _WALKS:
            start = random.choice(kept)
        fresh += start is None
        try:
            limit = nullcontext() if stop is None else ended_within(stop - time.monotonic(), _TimeIsUp())
            with budgets.raised(events=EVENTS), limit:
                chosen, truth, slack = decided(formal, start, vocabulary, random)
        except _TimeIsUp:  # the instance under evaluation is dropped
            return
        if chosen is not None and truth is not None:
            held += start is None
            kept.insert(random.randrange(_KEPT), chosen)
            del kept[_KEPT:]
        if slack is not None and (nearest is None or slack < nearest):
            near, nearest = chosen, slack
        yield chosen or {}, truth, slack


class _TimeIsUp(BaseException):
    """The time is over; a `BaseException`, so that no code of an instance catches it."""


def decided(
    formal: Formal, start: dict[str, Any] | None, vocabulary: Vocabulary, random: Random
) -> tuple[dict[str, Any] | None, Truth | None, Fraction | None]:
    """Draw an instance, near `start` if there is one; return it, the truth of the conclusion, and its slack.

    The last two are None if a hypothesis does not hold, and all are if no instance was drawn.
    """
    sampler = Sampler(formal, vocabulary, random)
    chosen = sampler.neighbour(start) if start else sampler.draw()
    if chosen is None or _long(list(chosen.values())):
        return None, None, None
    instance = Instance(formal, chosen, vocabulary)
    if instance.supposed():
        return chosen, None, None
    slacks: list[Fraction] = []
    truth = instance.concluded(slacks)
    return chosen, truth, min(slacks, default=None)


def _long(value: object) -> bool:
    if isinstance(value, Fraction):
        return max(value.numerator.bit_length(), value.denominator.bit_length()) > _LONGEST
    return isinstance(value, list | tuple) and any(map(_long, value))


def _need(
    formal: Formal, hypothesis: Hypothesis, vocabulary: Vocabulary, seconds: float | None, cases: int | None, seed: int
) -> Need:
    weaker = _unbounded(formal.without(hypothesis), hypothesis)
    kind, witness = "not known to be needed", None
    for assignment, truth, _ in draws(weaker, vocabulary, seconds, cases, seed):
        if truth is None or truth.holds is not False:
            continue
        if not truth.undefined:  # only the dropped hypothesis excludes it: the statement was attacked before
            small = shrink(weaker, assignment, vocabulary)
            return Need(hypothesis.text, "needed", small)
        kind, witness = "needed for a value", assignment
    return Need(hypothesis.text, kind, witness)


def _unbounded(formal: Formal, hypothesis: Hypothesis) -> Formal:
    """Remove the bound that a dropped hypothesis sets, so that values beyond it are drawn."""
    if not hypothesis.of:
        return formal
    variables = tuple(
        replace(v, bounds=tuple(b for b in v.bounds if v.supposed(b) != hypothesis.text))
        if v.name == hypothesis.of
        else v
        for v in formal.variables
    )
    return replace(formal, variables=variables)


def _simpler(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        for place in range(len(value)):
            yield [*value[:place], *value[place + 1 :]]
        for place, item in enumerate(value):
            for simpler in _simpler(item):
                yield [*value[:place], simpler, *value[place + 1 :]]
        return
    if not isinstance(value, Fraction):
        return
    rounded = [Fraction(round(value * d), d) for d in (1, 2, 3, 4, 10)]
    tried = {*_SIMPLE, *rounded, *(value.limit_denominator(d) for d in (5, 50))}
    yield from sorted((item for item in tried if _size(item) < _size(value)), key=_size)


def _size(value: Fraction) -> tuple[int, int]:
    return abs(value.numerator) + value.denominator, -value.numerator
