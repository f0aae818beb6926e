"""Derivation of theorems from a policy and a family of scenarios with symbols: ``dtmodel.derive(document)``."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from dtmodel.derive.algebra.number import Field, Ratio
from dtmodel.derive.algebra.reals import Algebraic
from dtmodel.derive.search.cases import Condition, DerivedCase
from dtmodel.derive.search.paths import Limits
from dtmodel.derive.theorem.comparing import DerivedComparison
from dtmodel.derive.theorem.derivation import derive
from dtmodel.derive.theorem.derived import DerivedTheorem
from dtmodel.derive.theorem.intervals import Interval
from dtmodel.derive.theorem.optimum import Approach, Optimum
from dtmodel.derive.theorem.proving import DerivedProof
from dtmodel.derive.theorem.stationary import CaseTurns, Turns

__all__ = ["Algebraic", "Approach", "CaseTurns", "Condition", "DerivedCase", "DerivedComparison", "DerivedProof",
           "DerivedTheorem", "Field", "Interval", "Limits", "Optimum", "Ratio", "Turns", "derive"]  # fmt: skip


class _Callable(ModuleType):
    """The package as a function: ``dtmodel.derive(document)`` is ``dtmodel.derive.derive(document)``."""

    def __call__(self, document: Mapping[str, Any], limits: Limits | None = None) -> DerivedTheorem:
        return derive(document, limits)


sys.modules[__name__].__class__ = _Callable
