"""dtmodel: a machine-checked companion to the theory of shared-memory switch buffers.

This module exports the main functions and classes. The package `dtmodel.theory` has the statements of the papers, and
`dtmodel.ledger` reads and checks claims with their verdicts.
"""

from typing import TYPE_CHECKING, Any

from dtmodel.base.lazily import attributes
from dtmodel.base.version import __version__ as __version__
from dtmodel.theorems import asking, ledger_door

if TYPE_CHECKING:
    from dtmodel.base.errors import (
        BudgetError,
        DtmodelError,
        ExtraError,
        InputError,
        LedgerError,
        ModelError,
        ProverError,
    )
    from dtmodel.companion import claims, figure, hunt, replay, search, theorem, verify
    from dtmodel.fluid import Run, simulate
    from dtmodel.fluid.scenario import Scenario
    from dtmodel.fluid.switch import Arrivals, Switch
    from dtmodel.packet import trace
    from dtmodel.policies import (
        DT,
        EDT,
        LQD,
        CompleteSharing,
        Pool,
        QueueLimits,
        SharedPools,
        StaticPartition,
        Weighted,
    )
    from dtmodel.studies.compare import compare
    from dtmodel.studies.competitive import ratio
    from dtmodel.studies.parameter_sheets import sheet
    from dtmodel.studies.sweeps import sweep

__all__ = ["DT", "EDT", "LQD", "Arrivals", "BudgetError", "CompleteSharing", "DtmodelError", "ExtraError", "InputError",
           "LedgerError", "ModelError", "Pool", "ProverError", "QueueLimits", "Run", "Scenario", "SharedPools",
           "StaticPartition", "Switch", "Weighted", "claims", "compare", "figure", "hunt", "ratio", "replay", "search",
           "sheet", "simulate", "sweep", "theorem", "trace", "verify"]  # fmt: skip

__getattr__ = attributes(
    "dtmodel",
    {
        "base.errors": "BudgetError DtmodelError ExtraError InputError LedgerError ModelError ProverError",
        "companion": "claims figure hunt replay search theorem verify",
        "fluid": "Run simulate",
        "fluid.scenario": "Scenario",
        "fluid.switch": "Arrivals Switch",
        "packet": "trace",
        "policies": "DT EDT LQD CompleteSharing Pool QueueLimits SharedPools StaticPartition Weighted",
        "studies.compare": "compare",
        "studies.competitive": "ratio",
        "studies.parameter_sheets": "sheet",
        "studies.sweeps": "sweep",
    },
)


def __dir__() -> list[str]:
    """Return the public names and the names of loaded modules."""
    return sorted({*globals(), *__all__})


def _entries(*claims: str) -> list[dict[str, Any]]:
    from dtmodel.companion import claims as entries

    return entries(*claims)


def _verdict(claim: str) -> str:
    from dtmodel.companion import recorded_verdict

    return recorded_verdict(claim)


def _write(theorem: Any, claim: str, folder: Any) -> Any:
    from pathlib import Path

    from dtmodel.companion.claiming import write_claim

    return write_claim(theorem, claim, Path(folder))


def _in_algebra(statement: Any, named: frozenset[str]) -> Any:
    from dtmodel.derive.theorem.stated import stated

    return stated(statement, named)


asking.lead(_in_algebra)
ledger_door.lead(_entries, _verdict, _write)
