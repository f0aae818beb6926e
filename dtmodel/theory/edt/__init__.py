"""Enhanced Dynamic Threshold: Theorems 4 and 5 of the DT/EDT paper, what they compute, and the parameter sheet."""

from dtmodel.theory.edt.drops import (
    Bursts,
    EdtSettings,
    dt_lost,
    dt_queue,
    edt_drop_time,
    edt_lost,
    edt_queue,
    recovery_time,
)
from dtmodel.theory.edt.overflow import steady_peak, steady_uncontrolled
from dtmodel.theory.edt.statements import theorem5, theorem5_corrected
from dtmodel.theory.edt.varying_statements import theorem4, theorem4_corrected

__all__ = [
    "Bursts",
    "EdtSettings",
    "dt_lost",
    "dt_queue",
    "edt_drop_time",
    "edt_lost",
    "edt_queue",
    "recovery_time",
    "steady_peak",
    "steady_uncontrolled",
    "theorem4",
    "theorem4_corrected",
    "theorem5",
    "theorem5_corrected",
]
