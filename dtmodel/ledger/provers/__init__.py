"""Provers as child processes with limits: z3 and cvc5 (`smt`), certificates (`slack`), Coq (`coq`).

- ``detail`` is the text of the proved fact in the ledger; by default the goal.
"""

from typing import TYPE_CHECKING

from dtmodel.base.lazily import attributes

if TYPE_CHECKING:
    from dtmodel.ledger.provers.slack import Certificate, certificate
    from dtmodel.ledger.provers.smt import Proof, prove, refute
    from dtmodel.ledger.provers.symbolic_execution import (
        CodePath,
        PathCondition,
        Unknown,
        Unknowns,
        all_of,
        any_of,
        every_path,
        implies,
        largest,
        same,
        truth,
    )

__all__ = ["Certificate", "CodePath", "PathCondition", "Proof", "Unknown", "Unknowns", "all_of", "any_of",
           "certificate", "every_path", "implies", "largest", "prove", "refute", "same", "truth"]  # fmt: skip

__getattr__ = attributes(
    "dtmodel.ledger.provers",
    {
        "slack": "Certificate certificate",
        "smt": "Proof prove refute",
        "symbolic_execution": "CodePath PathCondition Unknown Unknowns all_of any_of every_path implies largest same "
        "truth",
    },
)
