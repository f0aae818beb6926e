"""Real buffer configurations: reserves, pools, static limits, and the parameter sheet."""

from dtmodel.theory.buffer_profile.formulas import PoolSteadyState, burst_first_drop, in_cells, pool_steady_state

__all__ = ["PoolSteadyState", "burst_first_drop", "in_cells", "pool_steady_state"]
