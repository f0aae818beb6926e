"""Coq: theorems of a development that builds and is as pinned; ``python -m dtmodel.ledger.provers.coq [--pin] DIR``."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from dtmodel.base.errors import ProverError
from dtmodel.ledger.claim import Kernel
from dtmodel.ledger.evidence import EngineMissing, Outcome, Proved, Skipped
from dtmodel.ledger.provers import coq_forms, coq_pins
from dtmodel.ledger.provers.coq_build import build_directory, unavailable, unlisted, version
from dtmodel.ledger.provers.coq_theorems import LOADED_AXIOMS, Theorem, audit, rechecked

__all__ = ["development", "is_built", "main", "problems", "theorem", "theorems", "unavailable", "version"]

_INSTANCES = ("_exists", "_instance", "_instances", "_nonvacuous", "_inhabited", "_example")


def development() -> Path:
    """Return the folder of our own development: in the checkout, or in the installed package."""
    package = Path(__file__).resolve().parents[2]
    installed = package / "_papers" / "proofs" / "coq"
    return installed if installed.is_dir() else package.parent / "proofs" / "coq"


def theorem(*names: str, example: Mapping[str, Any] | str | None = None, directory: Path | None = None) -> Outcome:
    """Return the outcome of Coq theorems: proved if all build, are as pinned, and need only the axioms of the reals.

    `*names`: theorems that together prove a claim. `example`: an instance of all hypotheses, or a theorem that gives
    one; by default each has a theorem with its name and ``_exists``, ``_instance`` or the like. `directory`: the
    development; ours by default. Raises `ProverError` if a theorem does not build, is missing, weakened, or rests on
    another axiom.
    """
    reason = unavailable()
    if reason:
        return Skipped(reason)
    return _proved(Kernel(names, example=example), _Standing.of(directory or development()))


def theorems(root: Path, asked: Sequence[Kernel]) -> list[Outcome | str]:
    """Return an outcome or a fault for each kernel entry; the development is ``proofs/coq`` of the root, or ours."""
    reason = unavailable()
    if reason:
        return [Skipped(reason) for _ in asked]
    where = root / "proofs" / "coq"
    where = where if (where / "_CoqProject").is_file() else development()
    try:
        standing = _Standing.of(where)
    except EngineMissing as error:
        return [Skipped(str(error)) for _ in asked]
    except ProverError as error:
        return [str(error) for _ in asked]

    def one(item: Kernel) -> Outcome | str:
        try:
            return _proved(item, standing)
        except ProverError as error:
            return str(error)

    answers = [one(item) for item in asked]
    right = [item for item, answer in zip(asked, answers, strict=True) if not isinstance(answer, str)]
    wrong = dict(zip(map(id, right), coq_forms.unfollowed(right, where, standing.pins), strict=True))
    return [wrong.get(id(item)) or answer for item, answer in zip(asked, answers, strict=True)]


@dataclass(frozen=True)
class _Standing:
    found: Mapping[str, Theorem]
    pins: coq_pins.Pins
    read: Mapping[str, coq_pins.ReadStatement]

    @classmethod
    def of(cls, where: Path) -> Self:
        found, pins = audit(where), coq_pins.read_pins(where)
        return cls(found, pins, coq_pins.readings(where, {name: pin.statement for name, pin in pins.theorems.items()}))

    def faults(self) -> list[str]:
        return list(coq_pins.faults(self.pins, self.found, self.read))

    def check(self, name: str) -> None:
        if name not in self.found:
            raise ProverError(f"there is no Coq theorem {name}: declare it with Theorem, in a file of _CoqProject")
        fault = coq_pins.theorem_fault(name, self.found[name], self.pins, self.read)
        if fault:
            raise ProverError(fault)


def _proved(asked: Kernel, standing: _Standing) -> Proved:
    names, example, pinned = asked.theorems, asked.example, standing.pins.theorems
    for name in names:
        standing.check(name)
    if example is None:
        example = [_instance(name, standing.found) for name in names][-1]
    if isinstance(example, str):
        standing.check(example)
        example = {"Coq theorem": example, "it says": pinned[example].statement}
    shown = "; ".join(f"Coq theorem {name}: {' '.join(pinned[name].statement.split())}" for name in names)
    hashes = {name: pinned[name].hash for name in names}
    form = coq_forms.standing(asked)
    certificate = {"kind": "coq", "theorems": hashes} | ({"form": form} if form else {})
    return Proved(shown, example, certificate=certificate)


def problems(directory: Path | None = None) -> list[str]:
    """Return the differences between a development and its pins; empty if Coq cannot be used."""
    where = directory or development()
    return [] if unavailable() or not (where / "_CoqProject").is_file() else _differences(where)


def _differences(where: Path) -> list[str]:
    try:
        return [*unlisted(where), *_Standing.of(where).faults()]
    except EngineMissing:
        return []  # the claims report it
    except ProverError as error:
        return [str(error)]


def is_built(directory: Path | None = None) -> bool:
    """Return true if a development is built in its present state."""
    where = directory or development()
    return not (where / "_CoqProject").is_file() or (build_directory(where) / "theorems.json").is_file()


def main(arguments: list[str]) -> int:
    """Check a development against its pins, pin it, or check it again with coqchk; any version of Coq is accepted."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print("usage: python -m dtmodel.ledger.provers.coq [--pin | --recheck] DIR")
        return 2
    where = Path(arguments[-1])
    if not version():
        print(f"error: {unavailable()}", file=sys.stderr)
        return 1
    try:
        wrong, right = {"--pin": _pin, "--recheck": _recheck}.get(arguments[0], _check)(where)
    except ProverError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print("\n".join(wrong) or right)
    return 1 if wrong else 0


def _pin(where: Path) -> tuple[list[str], str]:
    return [], f"pinned: {coq_pins.write(where, audit(where), version())}"


def _check(where: Path) -> tuple[list[str], str]:
    wrong = _differences(where)
    return wrong, "" if wrong else f"{len(audit(where))} theorems, all as pinned"


def _recheck(where: Path) -> tuple[list[str], str]:
    found = rechecked(where)
    wrong = [name for name in found if not name.endswith(tuple(f".{axiom}" for axiom in LOADED_AXIOMS))]
    return [
        f"coqchk finds {name} assumed" for name in wrong
    ], f"coqchk agrees; assumed: {', '.join(found) or 'nothing'}"


def _instance(name: str, found: Mapping[str, Theorem]) -> str:
    for stem in _stems(name):
        for suffix in _INSTANCES:
            if stem + suffix in found:
                return stem + suffix
    raise ProverError(f"nothing shows the hypotheses of {name} satisfiable: state {name}_instance, or give an example")


def _stems(name: str) -> Iterator[str]:
    while name:
        yield name
        name = name.rpartition("_")[0]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
