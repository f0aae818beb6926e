"""Buffer configurations of real switches: reading, checks, packets until a pause or a drop, and the sheet."""

from typing import TYPE_CHECKING

from dtmodel.base.lazily import attributes

if TYPE_CHECKING:
    from dtmodel.switches.answers import counts
    from dtmodel.switches.formulas import PoolSteadyState, burst_first_drop, pool_steady_state

__all__ = ["PoolSteadyState", "burst_first_drop", "counts", "pool_steady_state"]

__getattr__ = attributes(
    "dtmodel.switches", {"answers": "counts", "formulas": "PoolSteadyState burst_first_drop pool_steady_state"}
)
