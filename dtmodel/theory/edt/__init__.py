"""Enhanced Dynamic Threshold (EDT): Theorems 4 and 5 of the DT/EDT paper, their formulas, and the parameter sheet.

The modules use the symbols of the paper:

- ``alpha`` the control parameter, ``B`` the buffer (bytes), ``C`` the rate of every port (bytes/s), ``P`` ports in all;
- ``M`` ports that a burst hits at time 0, ``N`` ports in steady state before;
- ``R`` the rate of a burst (bytes/s), ``r`` = R - C, ``d`` or ``duration`` its duration (s), ``t`` or ``time`` a
  time (s), ``until`` the end of the time that is examined (s);
- ``bursts`` all of these numbers for equal bursts, or their number; ``settings`` cn2, TM1 and TM2; ``background``
  the rate offered to a steady port (bytes/s); ``shared`` the switch of Theorem 4;
- ``run`` a finished run of an engine, from which the symbols are read.
"""

from dtmodel.theory.edt.drops import (
    Bursts,
    EdtSettings,
    dt_lost,
    edt_lost,
    edt_queue,
    recovery_time,
)
from dtmodel.theory.edt.formulas import least_share
from dtmodel.theory.edt.overflow import Peak, steady_peak
from dtmodel.theory.edt.statements import theorem5, theorem5_corrected
from dtmodel.theory.edt.varying_statements import theorem4, theorem4_corrected

__all__ = ["Bursts", "EdtSettings", "Peak", "dt_lost", "edt_lost", "edt_queue", "least_share", "recovery_time",
           "steady_peak", "theorem4", "theorem4_corrected", "theorem5", "theorem5_corrected"]  # fmt: skip
