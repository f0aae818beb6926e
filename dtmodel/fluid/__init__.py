"""The fluid model: one definition of the dynamics, one event engine, piecewise-linear trajectories."""

from typing import TYPE_CHECKING

from dtmodel.base.lazily import attributes

if TYPE_CHECKING:
    from dtmodel.fluid.simulation import Run, answer, run_scenario, simulate
    from dtmodel.fluid.trajectory import FreeBuffer, Queue

__all__ = ["FreeBuffer", "Queue", "Run", "answer", "run_scenario", "simulate"]

__getattr__ = attributes(
    "dtmodel.fluid",
    {
        "simulation": "Run answer run_scenario simulate",
        "trajectory": "FreeBuffer Queue",
    },
)
