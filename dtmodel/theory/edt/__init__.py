"""Enhanced Dynamic Threshold: Theorems 4 and 5 of the DT/EDT paper, what they compute, and the parameter sheet.

The symbols of all its modules are the paper's:

- ``alpha`` the control parameter, ``B`` the buffer (bytes), ``C`` the rate of every port (bytes/s), ``P`` ports in all;
- ``M`` ports that a burst hits at time 0, ``N`` ports in steady state before;
- ``R`` the rate of a burst (bytes/s), ``r`` = R - C, ``d`` or ``duration`` how long it lasts (s), ``t`` or ``time`` a
  time (s), ``until`` how far one looks;
- ``bursts`` all of these numbers for equal bursts, or how many there are; ``settings`` cn2, TM1 and TM2; ``background``
  what a steady port is offered (bytes/s); ``shared`` the switch of Theorem 4;
- ``run`` what an engine ran, from which the symbols are read.
"""

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
from dtmodel.theory.edt.overflow import Peak, steady_peak, steady_uncontrolled
from dtmodel.theory.edt.statements import theorem5, theorem5_corrected
from dtmodel.theory.edt.varying_statements import theorem4, theorem4_corrected

__all__ = [
    "Bursts",
    "EdtSettings",
    "Peak",
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
