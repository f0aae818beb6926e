"""dtmodel: a machine-checked companion to the theory of shared-memory switch buffers.

Models and engines live here; the papers' statements in `dtmodel.theory`, their verdicts in `dtmodel.ledger`.
"""

from importlib import import_module
from types import ModuleType

from dtmodel.comparison import compare
from dtmodel.errors import BudgetError, DtmodelError, ExtraError, InputError, LedgerError, ModelError, ProverError
from dtmodel.fluid import Run, simulate
from dtmodel.packet import trace
from dtmodel.papers import claims, figure, replay, verify
from dtmodel.policies import DT, EDT, LQD, CompleteSharing, Pool, QueueLimits, SharedPools, StaticPartition, Weighted
from dtmodel.scenario import Scenario
from dtmodel.sheets import sheet
from dtmodel.sweeps import sweep
from dtmodel.switch import Arrivals, Switch

__all__ = [
    "DT",
    "EDT",
    "LQD",
    "Arrivals",
    "BudgetError",
    "CompleteSharing",
    "DtmodelError",
    "ExtraError",
    "InputError",
    "LedgerError",
    "ModelError",
    "Pool",
    "ProverError",
    "QueueLimits",
    "Run",
    "Scenario",
    "SharedPools",
    "StaticPartition",
    "Switch",
    "Weighted",
    "claims",
    "compare",
    "figure",
    "replay",
    "sheet",
    "simulate",
    "sweep",
    "trace",
    "verify",
]
__version__ = "0.1.0"


def __getattr__(name: str) -> ModuleType:
    """Load `dtmodel.derive` when it is asked for: it brings python-flint, which a plain install does not have."""
    if name == "derive":
        return import_module("dtmodel.derive")
    raise AttributeError(f"module 'dtmodel' has no attribute {name!r}")
