r"""Dynamic Threshold (DT): Theorems 1 to 3 of the DT/EDT paper, their formulas, and the parameter sheet.

The modules use the symbols of the paper:

- ``alpha`` the control parameter, ``B`` the buffer (bytes), ``C`` the rate of every port (bytes/s);
- ``M`` (or ``bursts``) ports that a burst hits at time 0, ``N`` (or ``steady``) ports in steady state before;
- ``R`` (or ``burst_rates``) the rates of the bursts (bytes/s), largest first, of which ``R_k`` is port k's;
- ``r`` = R - C, the rate at which a queue below the threshold grows (bytes/s), for port k ``r_k``;
- ``k`` the place of a port among the bursts, from 1; ``t_k`` the time at which port k meets the threshold (s);
- ``n`` = N + k - 1, the ports on or above the threshold before port k meets it;
- ``G`` = $G_k = \sum_{i \ge k} (R_i - C)$, the rate at which the ports that have not yet met it grow together;
- ``switch`` a `dtmodel.Switch`, which has B, C and P;
- ``run`` a finished run of an engine, from which the symbols are read.
"""

from dtmodel.theory.dt.statements import (
    theorem1,
    theorem1_corrected,
    theorem2,
    theorem2_corrected,
    theorem3,
    theorem3_corrected,
)

__all__ = ["theorem1", "theorem1_corrected", "theorem2", "theorem2_corrected", "theorem3", "theorem3_corrected"]
