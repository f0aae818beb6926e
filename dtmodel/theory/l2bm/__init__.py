"""L2BM: thresholds weighted by sojourn times, and the parameter sheet."""

from dtmodel.theory.l2bm.formulas import (
    NORMALISATIONS,
    AgainstDt,
    compare_weights,
    compare_with_dt,
    equations,
    least_total_weight,
    normaliser,
    self_consistent,
    sojourn_steady_state,
    thresholds,
    weights,
)

__all__ = [
    "NORMALISATIONS",
    "AgainstDt",
    "compare_weights",
    "compare_with_dt",
    "equations",
    "least_total_weight",
    "normaliser",
    "self_consistent",
    "sojourn_steady_state",
    "thresholds",
    "weights",
]
