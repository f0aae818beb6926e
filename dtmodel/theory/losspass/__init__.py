"""LossPass and ECN: headroom, absorbable bursts, utilisation, and the parameter sheet."""

from dtmodel.theory.losspass.formulas import (
    Comparison,
    burst_at,
    burst_in_packets,
    burst_in_slots,
    burst_of_equal_victims,
    burst_with_reserve,
    compare_with_ecn,
    largest_burst,
)

__all__ = [
    "Comparison",
    "burst_at",
    "burst_in_packets",
    "burst_in_slots",
    "burst_of_equal_victims",
    "burst_with_reserve",
    "compare_with_ecn",
    "largest_burst",
]
