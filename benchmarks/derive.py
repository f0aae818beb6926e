"""How long theorems take: cells, answers, questions to the solver, seconds of one core and seconds on the wall.

Run with ``python benchmarks/derive.py [NAME...]``; the families are those of the tests. Seconds of the processor, and
the goals that are set in them, include the solver and its start, so that a busy machine says the same, but for
questions that it leaves no time to answer.
"""

import resource
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "derive"))

import families

from dtmodel.derive import derive
from dtmodel.ledger.provers.solvers import _solver

NAMES = (
    "THEOREM1", "TWO_ALPHAS", "WEIGHTED", "ABM", "L2BM", "STATIC", "RESERVES", "CAP", "COMPLETE", "DURATION", "LOST",
    "RECOVERY", "TWO_RATES", "THREE_RATES", "FOUR_ALIKE", "TWO_STEPS", "STEPS", "TOGETHER", "EDT",
)  # fmt: skip


GOALS = {"THEOREM1": 0.5, "TWO_RATES": 3, "THREE_RATES": 60, "FOUR_ALIKE": 30}
"""At most so many seconds of the processor."""


def used() -> float:
    """Return how many seconds of the processor this process and those that it started and that ended have had."""
    _solver("z3").stop()
    return sum(resource.getrusage(who).ru_utime for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def main(names: list[str]) -> None:
    """Print one row a family."""
    derive(families.TWO_ALPHAS)  # imports what is used
    print(f"{'family':12} {'cells':>6} {'answers':>8} {'questions':>10} {'cpu':>8} {'goal':>6} {'wall':>8}  complete")
    for name in names or NAMES:
        begin = used()
        theorem = derive(getattr(families, name))
        counts, cpu = theorem.statistics, used() - begin
        row = f"{name:12} {counts['cells']:6} {counts['answers']:8} {counts['questions']:10} {cpu:8.2f}"
        row += f" {GOALS.get(name, ''):>6} {theorem.seconds:8.2f}"
        print(f"{row}  {'yes' if theorem.complete else 'no'}")


if __name__ == "__main__":
    main(sys.argv[1:])
