"""Sweeps: a scenario or a statement at every point of a grid of named axes, in chunks that outlive an interruption."""

from dtmodel.studies.sweeps.running import load_sweep, sweep

__all__ = ["load_sweep", "sweep"]
