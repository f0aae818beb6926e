"""dtmodel: a machine-checked companion to the theory of shared-memory switch buffers.

Models and engines live here; the papers' statements in `dtmodel.theory`, their verdicts in `dtmodel.ledger`.
"""

from dtmodel.errors import DtmodelError, InputError, LedgerError, ProverError
from dtmodel.fluid import Run, simulate
from dtmodel.policies import DT, EDT, CompleteSharing, StaticPartition
from dtmodel.pools import Pool, QueueLimits, SharedPools
from dtmodel.scenario import Scenario
from dtmodel.switch import Arrivals, Switch
from dtmodel.weighted import Weighted

__all__ = [
    "DT",
    "EDT",
    "Arrivals",
    "CompleteSharing",
    "DtmodelError",
    "InputError",
    "LedgerError",
    "Pool",
    "ProverError",
    "QueueLimits",
    "Run",
    "Scenario",
    "SharedPools",
    "StaticPartition",
    "Switch",
    "Weighted",
    "simulate",
]
__version__ = "0.1.0"
