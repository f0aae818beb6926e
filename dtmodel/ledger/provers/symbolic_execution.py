"""Symbolic execution of the project's own code: every path, with its condition, for an SMT solver.

An `Unknown` is a term of SMT-LIB. Code that only adds, multiplies, divides and compares runs on it unchanged; each
comparison that the code branches on splits the run in two. A fact that holds on every path, for all values of the
unknowns, holds for every input of the code. If the state before a step is unknown, too, apart from an invariant, this
is the induction step for runs of any length. The proof is about the code that runs, not about a second description.

- ``one``, ``other``, ``parts`` are statements about unknowns (`PathCondition`) or truth values; of `same`, numbers.
- ``text`` is a term of SMT-LIB, ``name`` and ``names`` are those of unknowns.
- ``hypotheses`` and ``given`` are assumed, ``goal`` is derived, ``possible`` must not contradict the assumptions.
- ``theory`` is the logic of SMT-LIB.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partialmethod
from typing import Any, Generic, TypeVar, cast

from dtmodel.ledger import Proved, check
from dtmodel.ledger.provers import smt

T = TypeVar("T")

LONGEST = 40
"""The most decisions of one run: more indicate a loop without a known end."""
MOST = 5000
"""The most paths of one run: more would keep the solvers busy for minutes."""


@dataclass
class _Run:
    """The decisions of the present run: known statements, decisions given in advance, and those made."""

    known: frozenset[str]
    given: list[tuple[str, bool]]
    made: dict[str, bool] = field(default_factory=dict)

    def decide(self, text: str) -> bool:
        """Decide a statement: as known, as before in this run, or as given; otherwise as true."""
        if text in self.known or f"(not {text})" in self.known:
            return text in self.known
        if text in self.made:
            return self.made[text]
        place = len(self.made)
        if place >= LONGEST:
            raise RecursionError(f"more than {LONGEST} decisions")
        planned, decided = self.given[place] if place < len(self.given) else (text, True)
        if planned != text:
            raise RuntimeError(f"a run must build its own state: it decided {planned}, and the next time {text}")
        self.made[text] = decided
        return decided


_RUN: ContextVar[_Run | None] = ContextVar("run", default=None)


@dataclass(frozen=True)
class PathCondition:
    """A statement about unknowns; a branch on it, as by ``if``, splits the run.

    >>> x = Unknowns().real("x")
    >>> ((x > 0) & ~(x > 1)).text
    '(and (< 0.0 x) (not (< 1.0 x)))'
    """

    text: str

    @property
    def names(self) -> frozenset[str]:
        """The names in the statement: unknowns, operations, and numbers."""
        return frozenset(self.text.replace("(", " ").replace(")", " ").split())

    def __bool__(self) -> bool:
        if self.text in ("true", "false"):
            return self.text == "true"
        run = _RUN.get()
        if run is None:
            raise TypeError(f"{self.text} is unknown: write & and | instead of and and or")
        positive = self.text.removeprefix("(not ")  # a statement and its negation are one decision
        return run.decide(self.text) if positive == self.text else not run.decide(positive[:-1])

    def __and__(self, other: PathCondition | bool) -> PathCondition:
        return all_of(self, other)

    def __or__(self, other: PathCondition | bool) -> PathCondition:
        return any_of(self, other)

    __rand__, __ror__ = __and__, __or__

    def __invert__(self) -> PathCondition:
        opposite = {"true": "false", "false": "true"}.get(self.text, f"(not {self.text})")
        return PathCondition(self.text[len("(not ") : -1] if self.text.startswith("(not ") else opposite)


def truth(value: PathCondition | bool) -> PathCondition:
    """Convert a statement, or a truth value, `value` to a `PathCondition`.

    >>> truth(1 < 2).text
    'true'
    """
    return value if isinstance(value, PathCondition) else PathCondition(str(bool(value)).lower())


def all_of(*parts: PathCondition | bool) -> PathCondition:
    """Return the conjunction of statements.

    >>> all_of(Unknowns().real("x") < 1, 1 < 2).text
    '(< x 1.0)'
    """
    known = [text for part in parts if (text := truth(part).text) != "true"]
    return PathCondition(known[0] if len(known) == 1 else f"(and {' '.join(known)})" if known else "true")


def any_of(*parts: PathCondition | bool) -> PathCondition:
    """Return the disjunction of statements.

    >>> x = Unknowns().real("x")
    >>> any_of(x < 1, x > 2).text
    '(or (< x 1.0) (< 2.0 x))'
    """
    known = [text for part in parts if (text := truth(part).text) != "false"]
    return PathCondition(known[0] if len(known) == 1 else f"(or {' '.join(known)})" if known else "false")


def implies(one: PathCondition | bool, other: PathCondition | bool) -> PathCondition:
    """Return the implication of two statements.

    >>> x = Unknowns().real("x")
    >>> implies(x < 1, x < 2).text
    '(=> (< x 1.0) (< x 2.0))'
    """
    return PathCondition(f"(=> {truth(one).text} {truth(other).text})")


@dataclass(frozen=True, eq=False)
class Unknown:
    """An unknown real number, or an integer if `whole` is True.

    >>> (2 * Unknowns().whole("n") + 1).text
    '(+ (* 2 n) 1)'
    """

    text: str
    whole: bool = False

    @staticmethod
    def of(value: Any) -> Unknown:
        """Convert a `value` to a term; an unknown is returned as it is."""
        if isinstance(value, Unknown):
            return value
        return Unknown(_text(value, whole=isinstance(value, int)), isinstance(value, int))

    def _before(self, sign: str, other: object) -> Unknown:
        return self._join(sign, self, other)

    def _after(self, sign: str, other: object) -> Unknown:
        return self._join(sign, other, self)

    __add__, __radd__ = partialmethod(_before, "+"), partialmethod(_after, "+")
    __sub__, __rsub__ = partialmethod(_before, "-"), partialmethod(_after, "-")
    __mul__, __rmul__ = partialmethod(_before, "*"), partialmethod(_after, "*")
    __truediv__, __rtruediv__ = partialmethod(_before, "/"), partialmethod(_after, "/")

    def _compared(self, other: object, *, turned: bool = False, denied: bool = False) -> PathCondition:
        if not _known(other):
            return cast("PathCondition", NotImplemented)
        less = _relation("<", *((other, self) if turned else (self, other)))
        return ~less if denied else less

    __lt__, __gt__ = partialmethod(_compared), partialmethod(_compared, turned=True)
    __ge__, __le__ = partialmethod(_compared, denied=True), partialmethod(_compared, turned=True, denied=True)

    def __eq__(self, other: object) -> PathCondition:  # type: ignore[override]  # an equation, decided like an inequality
        return same(self, other) if _known(other) else cast("PathCondition", NotImplemented)

    def __ne__(self, other: object) -> PathCondition:  # type: ignore[override]  # as __eq__
        return ~same(self, other) if _known(other) else cast("PathCondition", NotImplemented)

    __hash__ = None  # type: ignore[assignment]  # equality is a term, so there is no hash

    def __str__(self) -> str:
        return self.text

    def __bool__(self) -> bool:
        return bool(~same(self, 0))

    def _join(self, sign: str, one: object, other: object) -> Unknown:
        if not (_known(one) and _known(other)):
            return cast("Unknown", NotImplemented)
        whole = sign != "/" and all(_whole(each) for each in (one, other))
        return Unknown(f"({sign} {_text(one, whole=whole)} {_text(other, whole=whole)})", whole)


def same(one: object, other: object) -> PathCondition:
    """Return the equation of two numbers, unknown or not.

    >>> same(Unknowns().whole("n"), 3).text
    '(= n 3)'
    """
    return _relation("=", one, other)


def largest(*numbers: object) -> Unknown:
    """Return the largest of one or more `numbers` (unknown or not) as one term, without splitting the run.

    >>> largest(Unknowns().real("x"), 0).text
    '(ite (< x 0.0) 0.0 x)'
    """
    whole = all(map(_whole, numbers))
    found, *others = (Unknown(_text(number, whole=whole), whole) for number in numbers)
    for other in others:
        found = Unknown(f"(ite {(found < other).text} {other.text} {found.text})", whole)
    return found


def _relation(sign: str, one: object, other: object) -> PathCondition:
    whole = _whole(one) and _whole(other)
    return PathCondition(f"({sign} {_text(one, whole=whole)} {_text(other, whole=whole)})")


def _known(value: object) -> bool:
    return isinstance(value, Unknown | int | Fraction) and not isinstance(value, bool)


def _whole(value: object) -> bool:
    return value.whole if isinstance(value, Unknown) else isinstance(value, int)


def _text(value: object, *, whole: bool) -> str:
    if isinstance(value, Unknown):
        return value.text if whole or not value.whole else f"(to_real {value.text})"
    if not isinstance(value, int | Fraction):
        raise TypeError(f"{value!r} is not a number")
    exact = Fraction(value)
    size = f"{abs(exact.numerator)}" if whole else f"{abs(exact.numerator)}.0"
    size = size if exact.denominator == 1 else f"(/ {size} {exact.denominator}.0)"
    return size if exact >= 0 else f"(- {size})"


@dataclass(frozen=True)
class CodePath(Generic[T]):
    """One path of a run.

    - `decisions` (tuple of PathCondition): the decisions on the path.
    - `result`: the value that the run returned.

    >>> x = Unknowns().real("x")
    >>> [(path.condition.text, path.result) for path in every_path(lambda: "low" if x < 1 else "high")]
    [('(< x 1.0)', 'low'), ('(not (< x 1.0))', 'high')]
    """

    decisions: tuple[PathCondition, ...]
    result: T

    @property
    def condition(self) -> PathCondition:
        """The condition under which the run takes this path."""
        return all_of(*self.decisions)


def every_path(run: Callable[[], T], known: Iterable[PathCondition] = ()) -> Iterator[CodePath[T]]:
    """Yield every path of `run`, which is called anew for each path and must build its own state.

    `known`: statements that the proof assumes, so that they do not split the run, as `Unknowns.signs` always. Raises
    `RecursionError` for more than `LONGEST` decisions in a run or `MOST` paths, and `RuntimeError` if a run branches
    differently after the same decisions.

    >>> x = Unknowns().real("x")
    >>> [path.result for path in every_path(lambda: "low" if x < 1 else "high")]
    ['low', 'high']
    """
    taken_for_granted = frozenset(each.text for each in known)
    given: list[tuple[str, bool]] = []
    for _ in range(MOST):
        one = _Run(taken_for_granted, given)
        token = _RUN.set(one)
        try:
            result = run()
        finally:
            _RUN.reset(token)
        yield CodePath(
            tuple(PathCondition(text) if yes else ~PathCondition(text) for text, yes in one.made.items()), result
        )
        given = list(one.made.items())
        while given and not given[-1][1]:
            given.pop()
        if not given:
            return
        given[-1] = (given[-1][0], False)
    raise RecursionError(f"more than {MOST} paths")


class Unknowns:
    """The unknowns of a proof, and the proof.

    >>> given = Unknowns()
    >>> x = given.real("x")
    >>> paths = every_path(lambda: max(x, 0))
    >>> given.prove_each([(path.condition, path.result >= x) for path in paths]).goal.count("=>")
    2
    """

    def __init__(self) -> None:
        self._declared: dict[str, str] = {}
        self._signs: dict[str, PathCondition] = {}

    def real(self, name: str) -> Unknown:
        """Return an unknown real number."""
        return self._new(name, "Real")

    def whole(self, name: str) -> Unknown:
        """Return an unknown integer."""
        return self._new(name, "Int")

    def positive(self, *names: str) -> list[Unknown]:
        """Return unknown real numbers above 0."""
        return [self._signed(number, number > 0) for number in map(self.real, names)]

    def at_least_0(self, *names: str) -> list[Unknown]:
        """Return unknown real numbers that are 0 or above."""
        return [self._signed(number, number >= 0) for number in map(self.real, names)]

    @property
    def signs(self) -> tuple[PathCondition, ...]:
        """The known signs of the unknowns, which every proof assumes."""
        return tuple(self._signs.values())

    def _new(self, name: str, sort: str) -> Unknown:
        if self._declared.setdefault(name, sort) != sort:
            raise ValueError(f"{name} is declared already")
        return Unknown(name, sort == "Int")

    def _signed(self, number: Unknown, sign: PathCondition) -> Unknown:
        if self._signs.setdefault(number.text, sign) != sign:
            raise ValueError(f"{number} has another sign already")
        return number

    def prove(
        self,
        hypotheses: Sequence[PathCondition | bool],
        goal: PathCondition | bool,
        theory: str = "QF_LIRA",
        possible: PathCondition | bool = True,
    ) -> smt.Proof:
        """Derive the goal with z3 and cvc5; see `dtmodel.ledger.provers.smt.prove_text`."""
        declared = "\n".join(f"(declare-const {name} {sort})" for name, sort in self._declared.items())
        known = [truth(each).text for each in (*self.signs, *hypotheses)]
        return smt.prove_text(declared, known, truth(goal).text, possible=truth(possible).text, theory=theory)

    def prove_each(
        self,
        cases: Iterable[tuple[PathCondition, PathCondition | bool]],
        hypotheses: Sequence[PathCondition | bool] = (),
        theory: str = "QF_LIRA",
    ) -> smt.Proof:
        """Prove a statement for each of several paths: `cases` are pairs of a path's condition and a statement.

        A path with the statement `False` must be impossible. Raises `AssertionError` if there is no path. Raises
        `ProverError` if a statement can fail or is undecided, or no path is possible, so that the proof would be empty.
        """
        said = list(dict.fromkeys((condition, truth(holds)) for condition, holds in cases))
        check(said, "no path is concerned")
        possible = any_of(*dict.fromkeys(condition for condition, _ in said))
        wanted = all_of(*(implies(condition, holds) for condition, holds in said if holds != truth(True)))
        return self.prove(hypotheses, wanted, theory, possible)

    def prove_paths(
        self,
        paths: Iterable[CodePath[T]],
        goal: Callable[[T], PathCondition | bool],
        detail: str,
        *,
        given: Sequence[PathCondition | bool] = (),
        where: Callable[[T], bool] = lambda _: True,
    ) -> Proved:
        """Prove a statement about the result of each of `paths` (for which `where` is true); see `prove_each`."""
        concerned = [path for path in paths if where(path.result)]
        proof = self.prove_each([(path.condition, goal(path.result)) for path in concerned], given)
        return proof.proved(f"{detail}: on all {len(concerned)} paths")
