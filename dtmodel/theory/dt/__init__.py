"""Dynamic Threshold: Theorems 1 to 3 of the DT/EDT paper, what they compute, and the parameter sheet."""

from dtmodel.theory.dt.drops import following_drops
from dtmodel.theory.dt.statements import (
    FirstDrop,
    PortDrop,
    first_drop,
    first_drops,
    theorem1,
    theorem1_corrected,
    theorem2,
    theorem2_corrected,
    theorem3,
    theorem3_corrected,
)

__all__ = [
    "FirstDrop",
    "PortDrop",
    "first_drop",
    "first_drops",
    "following_drops",
    "theorem1",
    "theorem1_corrected",
    "theorem2",
    "theorem2_corrected",
    "theorem3",
    "theorem3_corrected",
]
