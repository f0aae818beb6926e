"""Comparing theorems with the executable forms of the claims that name them.

The arithmetic form, as a Coq proposition, must follow from the theorems, so that a claim does not omit a hypothesis of
its proof or exceed its conclusion.
"""

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

from dtmodel.base.errors import ProverError
from dtmodel.ledger.claim import Kernel
from dtmodel.ledger.provers.coq_export import is_arithmetic, proposition
from dtmodel.ledger.provers.coq_pins import Pins
from dtmodel.ledger.provers.coq_project import Project
from dtmodel.ledger.provers.coq_scripts import refusals
from dtmodel.ledger.provers.coq_theorems import run_within


def standing(asked: Kernel) -> str:
    """Return if a claim's form "follows" from its theorems, or is "itself" proved, "apart", or "unwritten" in Coq."""
    if not asked.says or not is_arithmetic(asked.says):
        return ""
    if asked.apart:
        return "apart"
    try:
        proposition(asked.says)
    except ProverError:
        return "unwritten"
    named = any(re.search(rf"\b{re.escape(name)}\b", asked.follows) for name in asked.theorems)
    return "follows" if named or not asked.follows else "itself"


def unfollowed(asked: Sequence[Kernel], where: Path, pins: Pins) -> list[str]:
    """Return a fault for each kernel entry whose form does not follow; empty if it follows, or need not."""
    scripts = [_script(item, pins) if standing(item) in ("follows", "itself") else "" for item in asked]
    project = Project.read(where)
    preamble = (
        f"Require Import Reals Lra Lia Psatz Arith.\n{project.loaded}"
        + ("Import Forms.\n" if "Forms" in project.modules else "")
        + f"Open Scope R_scope.\nNotation real := Rdefinitions.R.\n(* {_statements(asked, pins)} *)\n"
    )
    refused = refusals([script for script in scripts if script], preamble, lambda text: run_within(where, text))
    return [_fault(item, refused.get(script, "")) for item, script in zip(asked, scripts, strict=True)]


def _script(asked: Kernel, pins: Pins) -> str:
    said = proposition(asked.says)
    last = asked.theorems[-1]
    steps = asked.follows.strip() or f"plain {Path(pins.theorems[last].module).name}.{last}."
    name = hashlib.sha256(f"{said}{steps}".encode()).hexdigest()[:16]
    return f"Theorem form_{name} :\n  {said}.\nProof.\n{steps}\nQed.\n"


def _statements(asked: Sequence[Kernel], pins: Pins) -> str:
    """Hash the statements of the theorems, for the key under which an answer is cached."""
    said = sorted({pins.theorems[name].hash for item in asked for name in item.theorems})
    return hashlib.sha256("".join(said).encode()).hexdigest()


def _fault(asked: Kernel, why: str) -> str:
    if not why:
        return ""
    remedy = "mend the claim, give the tactics (follows), or the reason (apart)"
    return f"its executable form does not follow from {' and '.join(asked.theorems)}: {why}; {remedy}"
