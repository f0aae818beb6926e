"""From a policy and a family of scenarios with symbols to a theorem: ``dtmodel.derive(document)``."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from dtmodel.derive.cases import Condition, DerivedCase
from dtmodel.derive.comparing import DerivedComparison
from dtmodel.derive.derivation import derive
from dtmodel.derive.explore import Limits
from dtmodel.derive.inverse import Interval
from dtmodel.derive.number import Field, Ratio
from dtmodel.derive.proving import DerivedProof
from dtmodel.derive.theorem import DerivedTheorem

__all__ = [
    "Condition",
    "DerivedCase",
    "DerivedComparison",
    "DerivedProof",
    "DerivedTheorem",
    "Field",
    "Interval",
    "Limits",
    "Ratio",
    "derive",
]


class _Callable(ModuleType):
    """The package itself can be called: ``dtmodel.derive(document)`` is ``dtmodel.derive.derive(document)``."""

    def __call__(self, document: Mapping[str, Any], limits: Limits | None = None) -> DerivedTheorem:
        return derive(document, limits)


sys.modules[__name__].__class__ = _Callable
