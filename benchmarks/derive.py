"""How long theorems take: cells, answers, questions to the solver, seconds on one core.

Run with ``python benchmarks/derive.py [NAME...]``; the families are those of the tests. On a quiet core Theorem 1
should take less than 0.5 s, two rates 3 s, three rates a minute.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "derive"))

import families

from dtmodel.derive import derive

NAMES = (
    "THEOREM1", "TWO_ALPHAS", "WEIGHTED", "ABM", "L2BM", "STATIC", "RESERVES", "CAP", "COMPLETE", "DURATION", "LOST",
    "RECOVERY", "TWO_RATES", "THREE_RATES", "TOGETHER", "EDT",
)  # fmt: skip


def main(names: list[str]) -> None:
    """Print one row a family."""
    derive(families.TWO_ALPHAS)  # starts the solver
    print(f"{'family':12} {'cells':>6} {'answers':>8} {'questions':>10} {'seconds':>8}  complete")
    for name in names or NAMES:
        theorem = derive(getattr(families, name))
        counts = theorem.statistics
        row = f"{name:12} {counts['cells']:6} {counts['answers']:8} {counts['questions']:10} {theorem.seconds:8.2f}"
        print(f"{row}  {'yes' if theorem.complete else 'no'}")


if __name__ == "__main__":
    main(sys.argv[1:])
