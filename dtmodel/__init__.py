"""dtmodel: a machine-checked companion to the theory of shared-memory switch buffers.

Models and engines live here; the papers' statements in `dtmodel.theory`, their verdicts in `dtmodel.ledger`.
"""

from dtmodel.errors import DtmodelError, InputError, LedgerError, ProverError
from dtmodel.fluid import Run, simulate
from dtmodel.policies import DT, EDT, CompleteSharing, StaticPartition
from dtmodel.scenario import Scenario
from dtmodel.switch import Arrivals, Switch

__all__ = [
    "DT",
    "EDT",
    "Arrivals",
    "CompleteSharing",
    "DtmodelError",
    "InputError",
    "LedgerError",
    "ProverError",
    "Run",
    "Scenario",
    "StaticPartition",
    "Switch",
    "simulate",
]
__version__ = "0.1.0"
