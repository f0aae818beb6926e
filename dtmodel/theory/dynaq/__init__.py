"""DynaQ: weighted BDP, thresholds, guarantees, and the parameter sheet."""

from dtmodel.theory.dynaq.formulas import (
    bdp,
    buffer_for_one_active_queue,
    covers,
    extra_buffer,
    guaranteed_threshold,
    initial_thresholds,
    margins,
    output_rate,
    satisfaction_thresholds,
    shares,
    shortfall,
    threshold_alone,
    threshold_alone_bound,
    threshold_of_always_active,
    weighted_bdp,
    worst_deficit,
)

__all__ = [
    "bdp",
    "buffer_for_one_active_queue",
    "covers",
    "extra_buffer",
    "guaranteed_threshold",
    "initial_thresholds",
    "margins",
    "output_rate",
    "satisfaction_thresholds",
    "shares",
    "shortfall",
    "threshold_alone",
    "threshold_alone_bound",
    "threshold_of_always_active",
    "weighted_bdp",
    "worst_deficit",
]
