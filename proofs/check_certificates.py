"""Check exported certificates with nothing but the standard library.

``dtmodel verify --certificates DIR`` writes small JSON files; ``python check_certificates.py DIR`` verifies them
without the rest of the package, so that whoever doubts it has less to read: this file and, beside it, the folder
``checker`` with one file a kind.

``slack``      an inequality, written in non-negative slacks with non-negative coefficients
``invariant``  facts that hold initially, and for each transition an identity that shows that it keeps them
``values``     named exact numbers that satisfy every hypothesis and violate the statement
``fluid``      a trajectory under DT or EDT that obeys the fluid model and is not what the statement says
``derived``    the symbolic trajectories of a derived theorem, cell by cell, under every policy but EDT
``trace``      a list of packets that LossPass, DynaQ, L2BM or EDT treats otherwise than the statement says
``ratio``      a potential and a cycle that show the competitive ratio of a policy with unit packets
``samples``    Farkas multipliers, case by case, that refute a cause of drops in sampled counters (`dtmodel explain`)

Nothing else is exported: not Coq's proofs, which Coq checks, nor what z3 and cvc5 say, which leaves no short proof; no
trajectory under another policy, and no trace in a reading that `checker/traces.py` and `checker/edt.py` do not have.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any


def checks() -> dict[str, Callable[[dict[str, Any]], None]]:
    """Return the check of each kind, from the folder beside this file."""
    home = str(Path(__file__).resolve().parents[1])
    if home not in sys.path:
        sys.path.insert(0, home)
    from proofs.checker import competitive, derived, fluid, invariant, samples, slack, traces, values

    kinds = {
        "slack": slack,
        "invariant": invariant,
        "values": values,
        "fluid": fluid,
        "derived": derived,
        "trace": traces,
        "ratio": competitive,
        "samples": samples,
    }
    return {kind: module.check for kind, module in kinds.items()}


def check(document: dict[str, Any]) -> str:
    """Check one certificate; return what is wrong with it, or the empty string."""
    known = checks()
    from proofs.checker.algebra import RefusedError

    try:
        kind = document.get("kind")
        if kind not in known:
            return f"kind {kind!r} is unknown"
        known[kind](document)
    except RefusedError as error:
        return str(error)
    except (KeyError, TypeError, ValueError, ArithmeticError, AttributeError, SyntaxError, IndexError) as error:
        return f"malformed: {type(error).__name__} {error}"
    return ""


def main(arguments: list[str]) -> int:
    """Check the files, or all files in the folders, that are named."""
    paths = [file for name in arguments for file in (sorted(Path(name).rglob("*.json")) or [Path(name)])]
    if not paths:
        print("usage: python check_certificates.py DIR_OR_FILE...")
        return 2
    wrong = 0
    for path in paths:
        try:
            fault = check(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            fault = f"cannot be read: {error}"
        if fault:
            wrong += 1
            print(f"{path}: REFUSED: {fault}")
    print(f"{len(paths) - wrong} of {len(paths)} certificates are right")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
