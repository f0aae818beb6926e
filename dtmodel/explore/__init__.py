"""Explicit-state exploration of the packet models: invariants, shortest witnesses, lassos."""

from dtmodel.explore.lassos import Graph, Lasso, always, reachable_graph, shortest_lasso
from dtmodel.explore.search import Exploration, Outcome, Path, Progress, System, explore

__all__ = [
    "Exploration",
    "Graph",
    "Lasso",
    "Outcome",
    "Path",
    "Progress",
    "System",
    "always",
    "explore",
    "reachable_graph",
    "shortest_lasso",
]
