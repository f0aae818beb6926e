"""Real buffer configurations: reserves, pools, static limits, and the parameter sheet."""

from dtmodel.theory.buffer_profile.formulas import Limit, PoolSteadyState, burst_first_drop, in_cells, pool_steady_state

__all__ = ["Limit", "PoolSteadyState", "burst_first_drop", "in_cells", "pool_steady_state"]
