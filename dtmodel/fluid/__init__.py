"""The fluid model: one definition of the dynamics, one event engine, piecewise-linear trajectories."""

from typing import TYPE_CHECKING

from dtmodel.base.lazily import attributes

if TYPE_CHECKING:
    from dtmodel.fluid.batch import RunSummary
    from dtmodel.fluid.simulation import Run, answer, run_scenario, simulate, summaries
    from dtmodel.fluid.trajectory import FreeBuffer, Queue

__all__ = ["FreeBuffer", "Queue", "Run", "RunSummary", "answer", "run_scenario", "simulate", "summaries"]

__getattr__ = attributes(
    "dtmodel.fluid",
    {
        "batch": "RunSummary",
        "simulation": "Run answer run_scenario simulate summaries",
        "trajectory": "FreeBuffer Queue",
    },
)
