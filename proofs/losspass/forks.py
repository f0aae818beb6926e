"""Every path of a piece of the packet engines, run with symbols in the place of sizes.

A program that only adds, subtracts and compares its sizes is run once for each way in which its comparisons can come
out. What holds at the end of every path, given what was compared on it, holds for all sizes: the code that is proved
about is the code that runs, not a second description of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Generic, TypeVar

import sympy as sp

from dtmodel.errors import ProverError
from dtmodel.ledger import Proved, check
from dtmodel.provers import smt

__all__ = ["Fork", "Path", "Size", "follow", "prove", "term"]

R = TypeVar("R")
Condition = Any  # a SymPy relation or Boolean
MOST_PATHS, TOGETHER = 5000, 50


@dataclass
class Fork:
    """The comparisons of one run: those of `planned` come out as planned, the others true."""

    planned: Sequence[bool] = ()
    taken: list[bool] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)

    def size(self, value: Any) -> Any:
        """Return a size of this run.

        The packet engines are written for fractions, and so typed; a run with symbols is theirs in all but name.
        """
        return Size(self, sp.sympify(value))

    def decide(self, relation: Any) -> bool:
        """Say whether a comparison comes out true."""
        if relation in (sp.true, sp.false):
            return bool(relation)
        if relation in self.conditions:
            return True
        if sp.Not(relation) in self.conditions:
            return False
        chosen = self.planned[len(self.taken)] if len(self.taken) < len(self.planned) else True
        self.taken.append(chosen)
        self.conditions.append(relation if chosen else sp.Not(relation))
        return chosen


@dataclass(frozen=True, eq=False)
class Size:
    """A symbolic number of bytes: sums and differences are symbols again, a comparison takes one branch of the run."""

    fork: Fork
    value: sp.Expr

    def __add__(self, other: Any) -> Size:
        return Size(self.fork, self.value + term(other))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Size:
        return Size(self.fork, self.value - term(other))

    def __rsub__(self, other: Any) -> Size:
        return Size(self.fork, term(other) - self.value)

    def __mul__(self, other: int) -> Size:
        return Size(self.fork, self.value * int(other))

    __rmul__ = __mul__

    def __lt__(self, other: Any) -> bool:
        return self.fork.decide(self.value < term(other))

    def __le__(self, other: Any) -> bool:
        return self.fork.decide(self.value <= term(other))

    def __gt__(self, other: Any) -> bool:
        return self.fork.decide(self.value > term(other))

    def __ge__(self, other: Any) -> bool:
        return self.fork.decide(self.value >= term(other))

    def __eq__(self, other: object) -> bool:
        return self.fork.decide(sp.Eq(self.value, term(other)))

    __hash__ = None  # type: ignore[assignment]  # a dictionary would compare sizes behind the run's back

    def __str__(self) -> str:
        return str(self.value)


def term(value: Any) -> sp.Expr:
    """Return a size, or a number, as a SymPy expression."""
    if isinstance(value, Size):
        return value.value
    return sp.Rational(value.numerator, value.denominator) if isinstance(value, Fraction) else sp.sympify(value)


@dataclass(frozen=True)
class Path(Generic[R]):
    """A way through the program: what was compared on it, and what came out."""

    conditions: tuple[Condition, ...]
    result: R


def follow(run: Callable[[Fork], R]) -> list[Path[R]]:
    """Run a program along all of its paths.

    Examples
    --------
    >>> a, b = sp.symbols("a b", real=True)
    >>> [path.result for path in follow(lambda fork: str(max(fork.size(a), fork.size(b))))]
    ['b', 'a']
    """
    paths: list[Path[R]] = []
    planned: list[bool] = []
    while True:
        fork = Fork(tuple(planned))
        result = run(fork)
        paths.append(Path(tuple(fork.conditions), result))
        check(len(paths) <= MOST_PATHS, f"more than {MOST_PATHS} paths")
        planned = list(fork.taken)
        while planned and not planned[-1]:
            planned.pop()
        if not planned:
            return paths
        planned[-1] = False


def prove(
    paths: Sequence[Path[R]],
    goal: Callable[[R], Condition],
    detail: str,
    *,
    given: Sequence[Condition] = (),
    where: Callable[[R], bool] = lambda _: True,
) -> Proved:
    """Prove that on every path of `where` the goal follows from what was compared, and from `given`.

    A path that is decided by its result alone gives `True` or `False`; a false one must be impossible. Some path of
    `where` must be possible, or the proof would be about nothing.

    Raises
    ------
    AssertionError, ProverError
        If no path is of `where`, or for a path on which the goal can fail.
    """
    chosen = [path for path in paths if where(path.result)]
    check(bool(chosen), f"no path is concerned: {detail}")
    goals = [(path, sp.sympify(goal(path.result))) for path in chosen]
    for start in range(0, len(goals), TOGETHER):
        part = goals[start : start + TOGETHER]
        smt.prove(given, [sp.Implies(sp.And(*path.conditions), item) for path, item in part if item != sp.true] or True)
    example = _possible(chosen, given)
    return Proved(f"{detail}: on all {len(chosen)} paths", {str(k): str(v) for k, v in example.items()})


def _possible(paths: Sequence[Path[R]], given: Sequence[Condition]) -> dict[str, Fraction]:
    """Return sizes with which one of the paths is taken."""
    for path in paths:
        with suppress(ProverError):
            return smt.refute(given, sp.Not(sp.And(*path.conditions)))
    raise AssertionError("no path is possible")
