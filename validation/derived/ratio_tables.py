"""Tables of exact competitive ratios: ``python -m validation.derived.ratio_tables validation/results/ratio.md``."""

import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from platform import python_version

from dtmodel import DT, LQD, BudgetError, ratio
from dtmodel.base import budgets
from dtmodel.base.files import write_whole
from dtmodel.base.tables import Cells
from dtmodel.base.version import __version__
from dtmodel.policies import FollowLQD, Harmonic, Occamy, Policy
from dtmodel.studies.competitive import synthesize

ALPHAS = tuple(Fraction(2) ** power for power in range(-2, 5))
POLICIES: Mapping[str, Policy] = {
    **{f"DT, alpha = {alpha}": DT(alpha) for alpha in ALPHAS},
    "Harmonic": Harmonic(), "FollowLQD": FollowLQD(), "LQD": LQD(), "Occamy, alpha = 8": Occamy(8),
}  # fmt: skip
BUFFERS: Mapping[int, Sequence[int]] = {2: range(2, 17), 3: range(3, 9), 4: range(4, 7)}
"""The buffers of each number of ports."""
_MOST = 600_000
"""The largest product of states; a larger one is left out."""


def _value(policy: Policy, ports: int, buffer: int) -> str:
    try:
        with budgets.raised(product=_MOST):
            found = ratio(policy, ports=ports, buffer=buffer)
    except BudgetError:
        return "-"
    value = "infinite" if found.ratio is None else str(found.ratio)
    return value if not found.additive else f"{value} + {found.additive}"


def table(ports: int) -> Cells:
    """Return the ratios of all policies at a number of ports."""
    buffers = BUFFERS[ports]
    rows = [(name, *(_value(policy, ports, B) for B in buffers)) for name, policy in POLICIES.items()]
    return Cells(f"N = {ports}", ("policy", *(f"B = {B}" for B in buffers)), tuple(rows))


def best_alphas() -> Iterator[tuple[str, ...]]:
    """Yield for each switch the powers of two that are best for DT, and their ratio."""
    for ports, buffers in BUFFERS.items():
        for buffer in buffers:
            values = {alpha: ratio(DT(alpha), ports=ports, buffer=buffer).ratio for alpha in ALPHAS}
            finite = {alpha: value for alpha, value in values.items() if value is not None}
            least = min(finite.values())
            best = ", ".join(str(alpha) for alpha, value in finite.items() if value == least)
            yield str(ports), str(buffer), best, str(least)


def least_thresholds() -> Iterator[tuple[str, ...]]:
    """Yield for each switch the threshold policy with the least ratio, its limits, and the candidates refuted."""
    for ports, buffers in {2: range(2, 13), 3: range(3, 10), 4: range(4, 7)}.items():
        for buffer in buffers:
            found = synthesize(ports=ports, buffer=buffer)
            limits = " ".join(map(str, found.limits))
            yield str(ports), str(buffer), str(found.least.ratio), limits, str(found.tried)


def main(path: Path) -> None:
    """Write the tables with the command, versions and the commit."""
    git = shutil.which("git") or "git"
    commit = subprocess.run([git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True).stdout
    tables = [table(ports).markdown() for ports in BUFFERS]
    best = Cells(f"The best alpha of DT, of {ALPHAS[0]}, {ALPHAS[1]} ... {ALPHAS[-1]}",
                 ("N", "B", "alpha", "ratio"), tuple(best_alphas())).markdown()  # fmt: skip
    columns = ("N", "B", "ratio", "t(0) ... t(B - 1)", "refuted")
    title = "The best policy with a limit t(s) of each queue that does not rise with the packets s in the buffer"
    least = Cells(title, columns, tuple(least_thresholds())).markdown()
    head = (
        "# Exact competitive ratios\n\n"
        f"Made by `python -m validation.derived.ratio_tables {path}` (commit {commit.strip()}, dtmodel\n"
        f"{__version__}, Python {python_version()}). Unit packets at N ports that share a buffer of B packets: the\n"
        "throughput of the best choice of packets over that of the policy, at worst, as `dtmodel ratio` finds it. A\n"
        "value holds for its N and B alone; the theorems are in `dtmodel show derived.ours.ratio-dt-two-ports` and\n"
        "its neighbours. `-`: more states than were searched. Published bounds hold for all B together: at most\n"
        "2 + ln N for Harmonic (Kesselman and Mansour, Theoretical Computer Science, 2004), at most 1.6918 for LQD\n"
        "with any N (Antoniadis, Englert, Matsakis and Vesel\u00fd, arXiv:2012.03906v2).\n"
    )
    write_whole(path, "\n\n".join([head.rstrip(), *tables, best, least]) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
