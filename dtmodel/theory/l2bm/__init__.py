"""L2BM: thresholds weighted by sojourn times, and the parameter sheet.

The symbols of all its modules are the paper's, with some of our own:

- ``alpha`` the control parameter, ``buffer`` B (bytes), of which ``occupied`` are taken;
- ``sojourns`` the mean sojourn times tau_i of the active queues, ``tau`` one of them (s), ``H`` the sum of 1 / tau_i;
- ``normalisation`` the name of what C, the constant above tau_i, is: see `NORMALISATIONS`;
- ``n`` or ``queues`` how many queues are active, ``factors`` what multiplies alpha for each, ``w`` the weight of one
  queue and ``W`` the sum of all;
- ``run`` what an engine ran, from which the symbols are read.
"""

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
