"""Theorems as objects: their symbols, evaluation with error bounds, questions about them, and LaTeX."""

from typing import TYPE_CHECKING

from dtmodel.base.lazily import attributes

if TYPE_CHECKING:
    from dtmodel.theorems.conclusions import Conclusions
    from dtmodel.theorems.quantities import Numbers, Symbol
    from dtmodel.theorems.questions import Sensitivity
    from dtmodel.theorems.roots import FloatRoot, Solutions
    from dtmodel.theorems.statement import Branch, Condition, Evaluated, Formula, Statement
    from dtmodel.theorems.theorem import Case, Theorem

__all__ = ["Branch", "Case", "Conclusions", "Condition", "Evaluated", "FloatRoot", "Formula", "Numbers", "Sensitivity",
           "Solutions", "Statement", "Symbol", "Theorem"]  # fmt: skip

__getattr__ = attributes(
    "dtmodel.theorems",
    {
        "conclusions": "Conclusions",
        "quantities": "Numbers Symbol",
        "questions": "Sensitivity",
        "roots": "FloatRoot Solutions",
        "statement": "Branch Condition Evaluated Formula Statement",
        "theorem": "Case Theorem",
    },
)
