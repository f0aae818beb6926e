"""Short Coq proofs outside any development: checked together, each cached by its content."""

import contextlib
import hashlib
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from dtmodel.base.errors import ProverError
from dtmodel.base.files import write_whole
from dtmodel.ledger.provers.coq_build import coq_cache_directory, version
from dtmodel.ledger.provers.coq_theorems import LOADED_AXIOMS, assumptions, assumptions_of


def refusals(scripts: Sequence[str], preamble: str, run: Callable[[str], str]) -> dict[str, str]:
    """Return why Coq refuses scripts (each ``Theorem NAME : ... Qed.``) after a text; `run` compiles a text."""
    left = [script for script in dict.fromkeys(scripts) if not _mark(preamble, script).is_file()]
    refused: dict[str, str] = {}
    while left:
        wrong, why = _first_refusal(left, preamble, run)
        if not why:
            break
        refused |= dict.fromkeys(left if wrong is None else [wrong], why)
        left = [script for script in left if script not in refused]
    for script in left:
        with contextlib.suppress(OSError):  # computed again next time
            write_whole(_mark(preamble, script), "", synced=False)
    return refused


def _first_refusal(scripts: Sequence[str], preamble: str, run: Callable[[str], str]) -> tuple[str | None, str]:
    """Return the first script that Coq refuses (None if Coq names no line) and the reason, empty if all pass."""
    names = [line.split()[1] for script in scripts for line in script.splitlines() if line.startswith("Theorem ")]
    try:
        said = run(f"{preamble}{''.join(scripts)}{assumptions_of('everything', names)}")
    except ProverError as error:
        return _at_line(scripts, preamble, str(error)), str(error)
    more = sorted(set(assumptions(said)) - set(LOADED_AXIOMS))
    if more and len(scripts) > 1:
        half = scripts[: len(scripts) // 2]
        wrong, why = _first_refusal(half, preamble, run)
        return (wrong, why) if why else _first_refusal(scripts[len(half) :], preamble, run)
    return scripts[0], f"it rests on {', '.join(more)}" if more else ""


def _at_line(scripts: Sequence[str], preamble: str, message: str) -> str | None:
    found = re.search(r"line (\d+)", message)
    line = preamble.count("\n")
    for script in scripts:
        line += script.count("\n")
        if found and int(found[1]) <= line:
            return script
    return None


def _mark(preamble: str, script: str) -> Path:
    digest = hashlib.sha256(f"{version()}\n{preamble}{script}".encode()).hexdigest()
    return coq_cache_directory() / "scripts" / digest[:24]
