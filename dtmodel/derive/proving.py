"""A derived theorem proved anew: its cases cover the declared domain and agree where they meet."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from dtmodel.derive.number import Ratio
from dtmodel.derive.solver import Question

if TYPE_CHECKING:
    from dtmodel.derive.theorem import Condition, DerivedCase, DerivedTheorem

__all__ = ["DerivedProof", "prove_theorem"]


@dataclass(frozen=True)
class DerivedProof:
    """What z3 and cvc5 both say.

    Attributes
    ----------
    covers : str
        ``proved``, ``refuted`` or ``unknown``: the cases cover the domain.
    agree : mapping from (int, int) to str
        The same for each two cases: where both hold, they have the same answers.
    """

    covers: str
    agree: dict[tuple[int, int], str]

    @property
    def complete(self) -> bool:
        """Whether all is proved."""
        return {self.covers, *self.agree.values()} == {"proved"}


def prove_theorem(theorem: DerivedTheorem, seconds: float) -> DerivedProof:
    """Prove a theorem anew; `DerivedTheorem.prove` says how."""
    nowhere = _domain(theorem)
    for case in theorem.cases:
        nowhere.add(f"(not {_all(nowhere, case)})")
    agree = {}
    for (i, first), (j, second) in combinations(enumerate(theorem.cases), 2):
        both = _domain(theorem)
        for text in (_all(both, first), _all(both, second), _differ(both, first, second)):
            both.add(text)
        agree[i, j] = _said(both, seconds)
    return DerivedProof(_said(nowhere, seconds), agree)


def _said(question: Question, seconds: float) -> str:
    from dtmodel.provers.solvers import ask_both

    said = {answer.result for answer in ask_both(question.script, seconds).values()}
    return "proved" if said == {"unsat"} else "refuted" if "sat" in said else "unknown"


def _domain(theorem: DerivedTheorem) -> Question:
    """Begin a question with what the symbols are declared with."""
    domain = theorem.domain
    question, values = Question(domain.outer.names), domain.outside()
    for name in domain.outer.names:
        question.positive(name, ">=" if domain.weak(name) else ">")
    for relations in theorem.family.symbols.values():
        for relation in [r for r in relations if r.sign != "=="]:  # no symbol that is defined is in the question
            ratio: Ratio = domain.outer(0) + relation.left.value(values) - relation.right.value(values)
            question.sign(ratio.top * ratio.bottom, relation.sign)
    return question


def _all(question: Question, case: DerivedCase) -> str:
    return f"(and true {' '.join(_one(question, c) for c in case.when)})"


def _one(question: Question, c: Condition) -> str:
    return question.relation(c.poly, "=" if c.relation == "==" else c.relation)


def _differ(question: Question, first: DerivedCase, second: DerivedCase) -> str:
    """Say that an answer is not the same in both cases, or divides by 0 in one."""
    parts = []
    for key, mine in first.answers.items():
        its = second.answers[key]
        if mine is None or its is None:
            parts.append("false" if mine is its else "true")
            continue
        parts += [question.relation(answer.bottom, "=") for answer in (mine, its)]
        parts.append(f"(not {question.relation((mine - its).top, '=')})")
    return f"(or false {' '.join(parts)})"
