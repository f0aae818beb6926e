"""Independent proof of a derived theorem by z3 and cvc5: its cases cover the domain and agree where they meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING

from dtmodel.derive.algebra.domain import Domain
from dtmodel.derive.algebra.number import Ratio, factors_of
from dtmodel.derive.algebra.signs import SignDecision
from dtmodel.derive.algebra.solver import Question
from dtmodel.derive.search.family import Declared
from dtmodel.derive.theorem.data import CaseData

if TYPE_CHECKING:
    from dtmodel.derive.search.cases import Condition, DerivedCase

_NOWHERE = "false"


@dataclass(frozen=True)
class DerivedProof:
    """The common result of z3 and cvc5: each entry is ``proved``, ``refuted`` or ``unknown``.

    - `covers`: the cases cover the domain.
    - `agree` (mapping from (int, int) to str): for two cases, or a case and a stated one: their answers are equal where
      both hold.
    - `signs`: each sign in a trajectory that rests on a solver follows from the signs before it.

    >>> DerivedProof(covers="proved", agree={(0, 1): "unknown"}, signs="proved").complete
    False
    """

    covers: str
    agree: dict[tuple[int, int], str]
    signs: str

    @property
    def complete(self) -> bool:
        """True if coverage, agreement and signs are all proved."""
        return {self.covers, self.signs, *self.agree.values()} == {"proved"}


def prove_theorem(theorem: CaseData, seconds: float, said: Sequence[DerivedCase] = ()) -> DerivedProof:
    """Prove a theorem, or its agreement with stated cases, as `DerivedTheorem.prove` documents."""
    nowhere = _domain(theorem)
    for case in said or theorem.cases:
        nowhere.add(f"(not {_all(nowhere, case)})")
    agree = {}
    numbered = list(enumerate(theorem.cases))
    for (i, first), (j, second) in product(numbered, enumerate(said)) if said else combinations(numbered, 2):
        both = _domain(theorem)
        differ = _differ(both, theorem.domain, first, second)
        for text in (_all(both, first), _all(both, second), differ):
            both.add(text)
        agree[i, j] = _said(both, seconds) if differ != _NOWHERE else "proved"
    return DerivedProof(_said(nowhere, seconds), agree, _signs(theorem, seconds))


def holds_in(theorem: CaseData, case: DerivedCase, ratio: Ratio, relation: str, seconds: float = 10) -> str:
    """Return ``proved`` if both solvers show that a function has a relation to 0 wherever a case holds."""
    question, other = _domain(theorem), {">": "<=", ">=": "<", "<": ">=", "<=": ">"}[relation]
    question.add(_all(question, case))
    question.sign(theorem.domain.without_positive(ratio.top * ratio.bottom), other)
    return _said(question, seconds)


def _signs(theorem: CaseData, seconds: float) -> str:
    """Prove each sign on the way to a cell that rests on z3 alone."""
    asked: dict[str, Question] = {}
    if isinstance(theorem.family, Declared):
        return "proved"  # a statement has no trajectories
    found = theorem.found
    if found is None:
        return "unknown"
    for cell in found.cells:
        before = [(sign.atom, sign.sign) for sign in found.facts.always]
        for decision in cell.decisions:
            literals = [decision.literal] if isinstance(decision, SignDecision) else decision.literals
            if decision.how == "solver":
                question = Question(found.problem.ring.names)
                for name in found.problem.ring.names:
                    question.positive(name)
                for atom, sign in [*before, *((atom, -sign) for atom, sign in literals)]:
                    question.sign(atom.poly, ">" if sign > 0 else "<")
                asked[question.script] = question
            before += literals
    said = {_said(question, seconds) for question in asked.values()}
    return next((result for result in ("refuted", "unknown") if result in said), "proved")


def _said(question: Question, seconds: float) -> str:
    from dtmodel.ledger.provers.solvers import ask_both

    said = {answer.result for answer in ask_both(question.script, seconds).values()}
    return "proved" if said == {"unsat"} else "refuted" if "sat" in said else "unknown"


def _domain(theorem: CaseData) -> Question:
    """Return a question that contains the declared domain."""
    domain = theorem.domain
    question, values = Question(domain.outer.names), domain.outside()
    for name in domain.outer.names:
        question.positive(name, ">=" if domain.weak(name) else ">")
    for relations in theorem.family.symbols.values():
        for relation in [r for r in relations if r.sign != "=="]:  # the question does not contain defined symbols
            ratio: Ratio = domain.outer(0) + relation.left.value(values) - relation.right.value(values)
            question.sign(ratio.top * ratio.bottom, relation.sign)
    return question


def _all(question: Question, case: DerivedCase) -> str:
    return f"(and true {' '.join(_one(question, c) for c in case.when)})"


def _one(question: Question, c: Condition) -> str:
    return question.relation(c.poly, "=" if c.relation == "==" else c.relation)


def _differ(question: Question, domain: Domain, first: DerivedCase, second: DerivedCase) -> str:
    """Write the assertion that an answer differs between two cases, or divides by 0 in one."""
    parts = []
    for key, mine in first.answers.items():
        its = second.answers[key]
        if mine is None or its is None:
            parts.append("false" if mine is its else "true")
            continue
        factors = [factor for answer in (mine, its) for factor, _ in factors_of(answer.bottom)[1]]
        parts += [question.relation(factor, "=") for factor in factors if not domain.positive(factor)]
        if mine != its:
            parts.append(f"(not {question.relation((mine - its).top, '=')})")
    return f"(or false {' '.join(dict.fromkeys(parts))})" if parts else _NOWHERE
