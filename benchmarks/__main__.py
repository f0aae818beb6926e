"""Run every benchmark and keep what it printed, with the commands, the machine, its load, versions and the commit.

    python -m benchmarks [--check] [OUTPUT]

Without OUTPUT the numbers are printed only. A load above the number of cores says that the seconds are too long. Some
scripts compare ratios and exponents, which do not depend on the machine, with their bounds; with --check the run fails
if one is beyond its bound.
"""

import ast
import os
import platform
import re
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path

from dtmodel.ledger.hunting_table import about

ROOT = Path(__file__).parents[1]
LIBRARIES = ("numpy", "scipy", "sympy", "z3-solver")
BEYOND = "beyond its bound: "
"""The beginning of a line with a number that is beyond its bound; `_bounds.bounded` writes it."""


def beyond(page: str) -> list[str]:
    """Return the numbers of a page that are beyond their bounds.

    Examples
    --------
    >>> beyond("exponent: 1.4 (at most 2)" + chr(10) + "beyond its bound: share: 3 (at most 2)")
    ['share: 3 (at most 2)']
    """
    return [line.removeprefix(BEYOND) for line in page.splitlines() if line.startswith(BEYOND)]


def processor(told: str) -> str:
    """Return the name of the processor from the text of /proc/cpuinfo, or its architecture.

    Examples
    --------
    >>> processor("processor : 0" + chr(10) + "model name : One of 3 GHz")
    'One of 3 GHz'
    """
    found = re.search(r"^model name\s*:\s*(.+)$", told, re.MULTILINE)
    return found[1] if found else platform.machine()


def title(script: Path) -> str:
    """Return the first line of a script's docstring."""
    return (ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or "").partition("\n")[0]


def ran(script: Path) -> str:
    """Run a script, print what it prints, and return it as a section, with the load before and after."""
    before, begin = os.getloadavg()[0], time.perf_counter()
    command = [sys.executable, str(script)]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True)  # noqa: PLW1510  # its status is looked at
    print(done.stdout, done.stderr, sep="", flush=True)
    if done.returncode:
        sys.exit(done.returncode)
    took = f"{time.perf_counter() - begin:.0f} s, load {before:.1f} before and {os.getloadavg()[0]:.1f} after"
    return f"## {title(script)}\n\n`python benchmarks/{script.name}`: {took}.\n\n```text\n{done.stdout.rstrip()}\n```\n"


def head() -> str:
    """Return the table of the machine, the versions and the commit."""
    told = Path("/proc/cpuinfo")
    cores = f"{processor(told.read_text() if told.is_file() else '')}, {os.cpu_count()} cores"
    names = {"processor": cores, **about(), **{name: version(name) for name in LIBRARIES}}
    rows = "\n".join(f"| {name} | {said} |" for name, said in names.items())
    return (
        "# Benchmarks\n\nMade by `make bench OUTPUT=validation/results/bench.md`. Seconds are those of the "
        "processor where a script counts them so; with a load above the number of cores the others are too long.\n\n"
        f"| made with | version |\n|---|---|\n{rows}\n"
    )


def main(arguments: list[str]) -> str | None:
    """Run all benchmarks, and return what a failed check says."""
    scripts = sorted(Path(__file__).parent.glob("[a-z]*.py"))
    page = "\n".join([head(), *map(ran, scripts)])
    for output in arguments:
        if output != "--check":
            Path(output).write_text(page, encoding="utf-8")
    found = beyond(page) if "--check" in arguments else []
    return "\n".join(["Beyond their bounds:", *found]) if found else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
