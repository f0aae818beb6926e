"""Run the project's own code on unknown numbers: every path through it, with its condition, for an SMT solver.

A `Number` is a term of SMT-LIB. Code that only adds, multiplies, divides and compares works on it unchanged; each
comparison that the code decides on splits the run in two. What holds on every path, whatever the unknowns are, holds
for every number that the code can be given. With the state before the step unknown, too, but for an invariant, that is
the step of an induction over runs of any length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Generic, TypeVar, cast

from dtmodel.provers import smt

__all__ = ["Number", "Path", "Truth", "Unknowns", "all_of", "any_of", "every_path", "implies", "same", "truth"]

T = TypeVar("T")

LONGEST = 40
"""Decisions of one run: more means a loop whose end is unknown."""


@dataclass
class _Run:
    """The decisions of the present run: those given beforehand, and those that were made."""

    given: list[bool]
    made: list[tuple[str, bool]] = field(default_factory=list)


_RUN: ContextVar[_Run | None] = ContextVar("run", default=None)


@dataclass(frozen=True)
class Truth:
    """A statement about unknowns; deciding on it, as ``if`` does, splits the run."""

    text: str

    def __bool__(self) -> bool:
        run = _RUN.get()
        if run is None:
            raise TypeError(f"{self.text} is unknown: write & and | instead of and and or")
        for text, decided in run.made:
            if text == self.text:
                return decided
        if len(run.made) >= LONGEST:
            raise RecursionError(f"more than {LONGEST} decisions")
        decided = run.given[len(run.made)] if len(run.made) < len(run.given) else True
        run.made.append((self.text, decided))
        return decided

    def __and__(self, other: Truth | bool) -> Truth:
        return all_of(self, other)

    def __or__(self, other: Truth | bool) -> Truth:
        return any_of(self, other)

    def __invert__(self) -> Truth:
        return Truth(f"(not {self.text})")


def truth(value: Truth | bool) -> Truth:
    """Write a statement that may be known already."""
    return value if isinstance(value, Truth) else Truth(str(bool(value)).lower())


def all_of(*parts: Truth | bool) -> Truth:
    """All of the statements."""
    return Truth(f"(and true {' '.join(truth(part).text for part in parts)})")


def any_of(*parts: Truth | bool) -> Truth:
    """One of the statements at least."""
    return Truth(f"(or false {' '.join(truth(part).text for part in parts)})")


def implies(one: Truth | bool, other: Truth | bool) -> Truth:
    """If one, then the other."""
    return Truth(f"(=> {truth(one).text} {truth(other).text})")


@dataclass(frozen=True, eq=False)
class Number:
    """A real number, or an integer, that is not known."""

    text: str
    whole: bool = False

    @staticmethod
    def of(value: Any) -> Number:
        """Return a number as a term, which it may be already."""
        if isinstance(value, Number):
            return value
        return Number(_text(value, whole=isinstance(value, int)), isinstance(value, int))

    def __add__(self, other: object) -> Number:
        return self._join("+", self, other)

    def __radd__(self, other: object) -> Number:
        return self._join("+", other, self)

    def __sub__(self, other: object) -> Number:
        return self._join("-", self, other)

    def __rsub__(self, other: object) -> Number:
        return self._join("-", other, self)

    def __mul__(self, other: object) -> Number:
        return self._join("*", self, other)

    def __rmul__(self, other: object) -> Number:
        return self._join("*", other, self)

    def __truediv__(self, other: object) -> Number:
        return self._join("/", self, other)

    def __rtruediv__(self, other: object) -> Number:
        return self._join("/", other, self)

    def __lt__(self, other: object) -> Truth:
        return self._compare("<", other)

    def __le__(self, other: object) -> Truth:
        return self._compare("<=", other)

    def __gt__(self, other: object) -> Truth:
        return self._compare(">", other)

    def __ge__(self, other: object) -> Truth:
        return self._compare(">=", other)

    def __eq__(self, other: object) -> Truth:  # type: ignore[override]  # an equation, to be decided like an inequality
        return same(self, other) if _known(other) else cast("Truth", NotImplemented)

    def __ne__(self, other: object) -> Truth:  # type: ignore[override]  # likewise
        return ~same(self, other) if _known(other) else cast("Truth", NotImplemented)

    __hash__ = None  # type: ignore[assignment]  # what may be equal has no hash

    def __bool__(self) -> bool:
        return bool(~same(self, 0))

    def _join(self, sign: str, one: object, other: object) -> Number:
        if not (_known(one) and _known(other)):
            return cast("Number", NotImplemented)
        whole = sign != "/" and all(_whole(each) for each in (one, other))
        return Number(f"({sign} {_text(one, whole=whole)} {_text(other, whole=whole)})", whole)

    def _compare(self, sign: str, other: object) -> Truth:
        if not _known(other):
            return cast("Truth", NotImplemented)
        whole = self.whole and _whole(other)
        return Truth(f"({sign} {_text(self, whole=whole)} {_text(other, whole=whole)})")


def same(one: object, other: object) -> Truth:
    """Whether two numbers are equal."""
    whole = _whole(one) and _whole(other)
    return Truth(f"(= {_text(one, whole=whole)} {_text(other, whole=whole)})")


def _known(value: object) -> bool:
    return isinstance(value, Number | int | Fraction) and not isinstance(value, bool)


def _whole(value: object) -> bool:
    return value.whole if isinstance(value, Number) else isinstance(value, int)


def _text(value: object, *, whole: bool) -> str:
    if isinstance(value, Number):
        return value.text if whole or not value.whole else f"(to_real {value.text})"
    if not isinstance(value, int | Fraction):
        raise TypeError(f"{value!r} is no number")
    exact = Fraction(value)
    size = f"{abs(exact.numerator)}" if whole else f"{abs(exact.numerator)}.0"
    size = size if exact.denominator == 1 else f"(/ {size} {exact.denominator}.0)"
    return size if exact >= 0 else f"(- {size})"


@dataclass(frozen=True)
class Path(Generic[T]):
    """One path: the condition under which it is taken, what the run returned, and what it raised instead."""

    condition: Truth
    result: T | None
    raised: Exception | None = None


def every_path(run: Callable[[], T], raises: tuple[type[Exception], ...] = ()) -> Iterator[Path[T]]:
    """Yield every path of a run, which starts anew for each and must build its own state."""
    given: list[bool] = []
    while True:
        one = _Run(given)
        token = _RUN.set(one)
        try:
            result, raised = run(), None
        except raises as error:
            result, raised = None, error
        finally:
            _RUN.reset(token)
        yield Path(all_of(*(Truth(text) if yes else ~Truth(text) for text, yes in one.made)), result, raised)
        decisions = [yes for _, yes in one.made]
        while decisions and not decisions[-1]:
            decisions.pop()
        if not decisions:
            return
        given = [*decisions[:-1], False]


class Unknowns:
    """The unknowns of a proof, and the proof.

    Examples
    --------
    >>> given = Unknowns()
    >>> x = given.real("x")
    >>> larger = [implies(path.condition, path.result >= x) for path in every_path(lambda: max(x, 0))]
    >>> len(larger), given.prove([], all_of(*larger)).goal.count("x") > 0
    (2, True)
    """

    def __init__(self) -> None:
        self._declared: dict[str, str] = {}

    def real(self, name: str) -> Number:
        """Return a real number that is not known."""
        return self._new(name, "Real")

    def whole(self, name: str) -> Number:
        """Return an integer that is not known."""
        return self._new(name, "Int")

    def _new(self, name: str, sort: str) -> Number:
        if self._declared.setdefault(name, sort) != sort:
            raise ValueError(f"{name} is declared already")
        return Number(name, sort == "Int")

    def prove(self, hypotheses: Sequence[Truth], goal: Truth, theory: str = "QF_LIRA") -> smt.Proof:
        """Let z3 and cvc5 derive the goal; see `dtmodel.provers.smt.prove_text`."""
        declared = "\n".join(f"(declare-const {name} {sort})" for name, sort in self._declared.items())
        return smt.prove_text(declared, [each.text for each in hypotheses], goal.text, theory=theory)
