"""Explicit-state exploration of the packet models: invariants, shortest witnesses, lassos."""

from dtmodel.explore.lassos import Graph, Lasso, always, reachable_graph, shortest_lasso
from dtmodel.explore.search import Exploration, Outcome, Path, Progress, System, explore
from dtmodel.explore.switch import PolicySwitch, SwitchState

__all__ = [
    "Exploration",
    "Graph",
    "Lasso",
    "Outcome",
    "Path",
    "PolicySwitch",
    "Progress",
    "SwitchState",
    "System",
    "always",
    "explore",
    "reachable_graph",
    "shortest_lasso",
]
