"""The cases of a derived theorem: conditions, and the answers that hold where all of them do."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from dtmodel.base.errors import InputError
from dtmodel.base.mathtext import symbol_of
from dtmodel.derive.algebra.dimensions import COUNT, FREE, LENGTH, PURE, RATE, SLOPE, TIME, Grade
from dtmodel.derive.algebra.domain import RELATION, Domain
from dtmodel.derive.algebra.number import Polynomial, Ratio, fraction_at, in_ring
from dtmodel.derive.algebra.writing import LATEX, Writer
from dtmodel.theorems.theorem import Case

_TRIES = 200
GRADES: Mapping[str, Grade] = {
    "first_drop": TIME,
    "free_at_first_drop": FREE,
    "length_at_first_drop": LENGTH,
    "dropped": LENGTH,
    "length": LENGTH,
    "threshold": LENGTH,
    "recovered": TIME,
    "buffer_share": SLOPE,
    "loss_share": (-COUNT[0], -COUNT[1], -COUNT[2]),
    "loss_rate": RATE,
    "period": TIME,
}
"""The grade of each answer."""

NAMES: Mapping[str, str] = {
    "first_drop": "t",
    "free_at_first_drop": "F(t)",
    "length_at_first_drop": "Q(t)",
    "dropped": r"\text{dropped}",
    "length": "Q",
    "threshold": "T",
    "recovered": r"t_{\text{recovered}}",
    "buffer_share": "Q/B",
    "loss_share": r"\text{share of losses}",
    "loss_rate": r"\text{loss rate}",
    "period": r"\text{period}",
}
"""The LaTeX name of each answer."""


def name_of(key: str) -> str:
    """Return the LaTeX name of an answer, also of a statement's result.

    >>> name_of("first_drop"), name_of("free_at_first_drop_1"), name_of("c_n2")
    ('t', 'F(t_{1})', 'c_{n2}')
    """
    plain = _plain(key)
    if plain not in NAMES:
        return symbol_of(key)
    shown, index = NAMES[plain], key[len(plain) + 1 :].replace("_", ", ")
    if not index:
        return shown
    return shown.replace("(t)", f"(t_{{{index}}})") if "(t)" in shown else f"{shown}_{{{index}}}"


def grade_of(key: str) -> Grade:
    """Return the grade of an answer; an unknown name has none.

    >>> grade_of("first_drop"), grade_of("length_1"), grade_of("nothing")
    ((0, 1, 0), (0, 0, 1), (0, 0, 0))
    """
    return GRADES.get(_plain(key), PURE)


def _plain(key: str) -> str:
    """Return the name of an answer without the numbers that tell several questions of one kind apart."""
    return re.sub(r"(_\d+)+$", "", key)


@dataclass(frozen=True)
class Condition:
    """A condition: a polynomial in the symbols is positive (``>``), nonnegative (``>=``), 0 (``==``) or not (``!=``).

    - `poly` (Polynomial): a polynomial in the slacks of the domain.
    - `relation`: its relation to 0.
    - `written` (callable): returns the condition in the symbols of the family, in LaTeX if its argument is True.

    >>> from dtmodel import derive
    >>> theorem = derive({"symbols": {"R": ">= 0"}, "policy": {"name": "complete"}, "switch": {"buffer": 6, "rate": 1},
    ...     "queues": [{"arrivals": [[0, "R"]]}], "ask": [{"first_drop": 0}]})
    >>> [condition.text for case in theorem.cases for condition in case.when]
    ['R - 1 > 0', '1 - R >= 0']
    """

    poly: Polynomial
    relation: str
    written: Callable[[bool], str] = field(repr=False, compare=False)

    @cached_property
    def text(self) -> str:
        """The condition in the symbols of the family."""
        return self.written(False)

    @cached_property
    def latex(self) -> str:
        """The condition in LaTeX."""
        return self.written(True)

    def holds(self, point: Sequence[Fraction]) -> bool:
        """Return True if the condition holds at a `point` of the outer field."""
        return bool(RELATION[self.relation](fraction_at(self.poly, point), 0))

    def at(self, values: Sequence[Any]) -> Any:
        """Return the condition in SymPy at `values` of the outer field: expressions or numbers."""
        import sympy

        value = expression(self.poly, values)
        return sympy.Eq(value, 0) if self.relation == "==" else RELATION[self.relation](sympy.factor(value), 0)


def expression(poly: Polynomial, values: Sequence[Any]) -> Any:
    """Return a polynomial as a SymPy expression at given values of its symbols."""
    import sympy

    terms = []
    for powers, factor in poly.terms():
        each = zip(values, powers, strict=False)
        terms.append(sympy.Mul(sympy.Integer(int(factor)), *(value ** int(power) for value, power in each if power)))
    return sympy.Add(*terms)


def solved_conditions(
    writer: Writer, when: Sequence[Condition], symbols: Sequence[str], inside: Sequence[Fraction] | None = None
) -> list[str]:
    """Write conditions, each as a bound of the first symbol of which it is one, else beside 0.

    The sign of a coefficient may follow from the conditions written before; those that need none are written first.
    The conditions hold at a point `inside`, if it is given.
    """
    shown: dict[int, str] = {}
    for alone in (True, False):
        for place, each in enumerate(when):
            known = [] if alone else [(when[k].poly, when[k].relation) for k in shown]
            bounds = (writer.solved(each.poly, each.relation, symbol, known, inside) for symbol in symbols)
            text = next(filter(None, bounds), None) or ("" if alone else each.latex if writer.latex else each.text)
            if text:
                shown.setdefault(place, text)
    return list(dict.fromkeys(shown[place] for place in range(len(when))))


_NATURAL = ("R", "d", "delta", "alpha")
"""The symbols for which conditions are solved by default, best first; R_1 counts as R."""


def natural(domain: Domain) -> list[str]:
    """Return the symbols for which a reader expects conditions to be solved, best first."""
    names = [slack.symbol for slack in domain.slacks]
    return [name for stem in _NATURAL for name in names if name == stem or name.startswith(f"{stem}_")]


def _unnamed() -> Sequence[Any]:
    raise InputError("case", "a case without symbols", "a case of a theorem that derive returned")


@dataclass(frozen=True)
class DerivedCase(Case):
    """A case: its answers hold where all its conditions do; an answer of None is "never".

    - `when` (tuple of Condition): the conditions.
    - `answers`: for each question a function of the symbols, or None.
    - `strength`: ``certificate`` if every sign that was not split on rests on an identity, ``smt`` if some rest on z3.
    - `example`: a point of the outer field inside the case.
    - `letters` (callable): returns the symbols of the outer field in SymPy.

    >>> from dtmodel import derive
    >>> theorem = derive({"symbols": {"S": "> 0"}, "policy": {"name": "static", "sizes": "S"},
    ...     "switch": {"buffer": "2*S", "rate": 1}, "queues": [{"arrivals": [[0, 3]]}], "ask": [{"first_drop": 0}]})
    >>> [(case.answers["first_drop"], case.strength) for case in theorem.cases]
    [((S)/(2), 'certificate')]
    >>> theorem.cases[0].condition, theorem.cases[0].conclusions
    (True, (Eq(first_drop, S/2), Eq(free_at_first_drop, S)))
    """

    when: tuple[Condition, ...]
    answers: Mapping[str, Ratio | None]
    strength: str
    example: tuple[Fraction, ...]
    letters: Callable[[], Sequence[Any]] = field(default=_unnamed, repr=False, compare=False)

    @property
    def condition(self) -> Any:
        """The conditions as one relation of SymPy, in the symbols of the theorem."""
        return self.condition_at(self.letters())

    @property
    def conclusions(self) -> tuple[Any, ...]:
        """The answers as SymPy equations."""
        import sympy

        at = self.letters()
        return tuple(sympy.Eq(sympy.Symbol(key), self.answer_at(key, at), evaluate=False) for key in self.answers)

    def condition_at(self, values: Sequence[Any]) -> Any:
        """Return the conditions as one relation at `values` of the outer field."""
        import sympy

        return sympy.And(*(each.at(values) for each in self.when))

    def answer_at(self, key: str, values: Sequence[Any]) -> Any:
        """Return an answer (`key`) at `values` of the outer field; "never" is infinity, and NaN where it is no time."""
        import sympy

        answer = self.answers[key]
        if answer is None:
            return sympy.oo if grade_of(key) == TIME else sympy.nan
        return sympy.factor(expression(answer.top, values) / expression(answer.bottom, values))


def condition(domain: Domain, poly: Polynomial, relation: str, inside: Sequence[Fraction] | None) -> Condition:
    """Return a condition with its text; its factors are positive at the point `inside`, where it holds strictly."""

    def written(latex: bool) -> str:
        shown = LATEX[relation] if latex else relation
        return f"{Writer(domain, latex=latex).polynomial(poly, inside)} {shown} 0"

    return Condition(poly, relation, written)


def said_case(
    domain: Domain,
    when: Sequence[tuple[Ratio, str]],
    answers: Mapping[str, Ratio | None],
    example: tuple[Fraction, ...] = (),
) -> DerivedCase:
    """Make a case that somebody states, from functions of the outer field with their relations to 0."""
    parts = [(domain.without_positive(ratio.top * ratio.bottom), relation) for ratio, relation in when]
    turned = [(-p if r in {"<", "<="} else p, {"<": ">", "<=": ">="}.get(r, r)) for p, r in parts]
    return DerivedCase(tuple(condition(domain, p, r, None) for p, r in turned), answers, "said", example)


def point_in(domain: Domain, when: Sequence[Condition]) -> tuple[Fraction, ...]:
    """Return a random point at which conditions hold strictly, or an empty one if none is found soon."""
    source = random.Random(0)
    for _ in range(_TRIES):
        point = tuple(Fraction(round(2 ** source.uniform(0, 9)), 16) for _ in domain.outer.names)
        if all(c.relation == "==" or fraction_at(c.poly, point) > 0 for c in when):
            return point
    return ()


def relation_text(domain: Domain, poly: Polynomial, relation: str) -> str:
    """Write the relation of an inner polynomial to 0 in the symbols of the family."""
    return condition(domain, domain.restore(in_ring(poly, domain.inner)), relation, None).text
