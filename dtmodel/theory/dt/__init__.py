r"""Dynamic Threshold: Theorems 1 to 3 of the DT/EDT paper, what they compute, and the parameter sheet.

The symbols of all its modules are the paper's:

- ``alpha`` the control parameter, ``B`` the buffer (bytes), ``C`` the rate of every port (bytes/s);
- ``M`` ports that a burst hits at time 0, ``N`` or ``steady`` ports in steady state before;
- ``R`` the rates of the bursts (bytes/s), of which ``R_k`` is port k's, as quantities ``burst_rates``, from the
  largest to the least;
- ``r`` = R - C, the rate at which a queue below the threshold grows (bytes/s), for port k ``r_k``;
- ``k`` the place of a port among the bursts, from 1; ``t_k`` when it meets the threshold (s);
- ``n`` = N + k - 1, the ports on or above the threshold before port k meets it;
- ``G`` = $G_k = \sum_{i \ge k} (R_i - C)$, the rate at which the ports that have not yet met it grow together;
- ``switch`` who shares the buffer, a `dtmodel.Switch`; ``setting`` the alpha, B, C and N of it, ``rates`` the R_k;
- ``run`` what an engine ran, from which the symbols are read.
"""

from dtmodel.theory.dt.drops import following_drops
from dtmodel.theory.dt.inputs import SharedBuffer
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
    "SharedBuffer",
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
