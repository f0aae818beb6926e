"""Explicit-state exploration of the packet models: invariants, shortest witnesses, lassos.

- ``system`` is any `System`, such as a `PolicySwitch`, and ``bound`` the maximal number of states.
- ``state`` is one of its states.
"""

from dtmodel.modelcheck.lassos import Graph, Lasso, always, reachable_graph, shortest_lasso
from dtmodel.modelcheck.search import Exploration, Path, Progress, SearchOutcome, System, explore
from dtmodel.modelcheck.switch import PolicySwitch, SwitchState

__all__ = ["Exploration", "Graph", "Lasso", "Path", "PolicySwitch", "Progress", "SearchOutcome", "SwitchState",
           "System", "always", "explore", "reachable_graph", "shortest_lasso"]  # fmt: skip
