"""L2BM: thresholds weighted by sojourn times, and the parameter sheet.

The modules use the symbols of the paper, with some of our own:

- ``alpha`` the control parameter, ``buffer`` B (bytes), of which ``occupied`` are taken;
- ``sojourns`` the mean sojourn times tau_i of the active queues, ``tau`` one of them (s), ``H`` the sum of 1 / tau_i;
- ``normalisation`` the definition of C, the constant above tau_i: see `NORMALISATIONS`;
- ``n`` or ``queues`` the number of active queues, ``factors`` the factor of alpha for each, ``w`` the weight of one
  queue and ``W`` the sum of all;
- ``run`` a finished run of an engine, from which the symbols are read.
"""

from dtmodel.theory.l2bm.formulas import AgainstDt, compare_with_dt, self_consistent, sojourn_steady_state

__all__ = ["AgainstDt", "compare_with_dt", "self_consistent", "sojourn_steady_state"]
