"""Answers of the package in a Python with no NumPy, SciPy, matplotlib, native core and processes, as in a browser."""

import json
import os
import subprocess
import sys
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from pkgutil import walk_packages
from typing import Any

MISSING = ("numpy", "scipy", "matplotlib", "anywidget")
NEED_THEM = (
    "dtmodel.plot.picture",
    "dtmodel.fluid.crossings",
    "dtmodel.lab.widget",
    "dtmodel.theorems.arrays",
    "dtmodel.theorems.rounding",
)
THEOREM = {
    "symbols": {"alpha": "> 0", "B": "> 0", "C": "> 0", "R": "> C", "N": ">= 0"},
    "policy": {"name": "dt", "alpha": "alpha"},
    "switch": {"buffer": "B", "rate": "C"},
    "queues": [
        {"count": 1, "arrivals": [["0", "R"]]},
        {"count": "N", "initial": "steady", "arrivals": [["0", "2*C"]]},
    ],
    "ask": [{"first_drop": 0}],
}


class Fewer(PathFinder):
    """The import hook for folders, which finds none of the missing packages."""

    @classmethod
    def find_spec(cls, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        return None if fullname.partition(".")[0] in MISSING else PathFinder.find_spec(fullname, path, target)


class NoProcess(subprocess.Popen[str]):
    """A process that cannot start."""

    def __init__(self, *_: object, **__: object) -> None:
        raise OSError("emscripten does not support processes")


def answers() -> dict[str, object]:
    """Compute an exact run of 64 ports, panels, a derived theorem, ratios, a game, and an answer of z3."""
    from dtmodel import DT, Arrivals, Switch, derive, lab, ratio, simulate
    from dtmodel.ledger.provers.solvers import ask

    busy = {port: Arrivals.burst(f"{port + 2} Gbps", f"{port + 40} us") for port in range(64)}
    run = simulate(Switch(64, "1 MB", "1 Gbps"), DT(1), busy, until="10 ms")
    found = ask("z3", "(declare-const x Real) (assert (= (* 2 x) 3))", 5)
    return {
        "drops": [str(run.first_drop(port)) for port in range(64)],
        "events": len(run.free.times),
        "designer": lab.edt_designer().respond({}),
        "explorer": lab.threshold_explorer(policy="EDT").respond({"do": "break"}),
        "shown": [*lab.packet_player("edt")._repr_mimebundle_()],
        "theorem": str(derive(THEOREM)),
        "ratios": [str(ratio(policy, ports=2, buffer=6).ratio) for policy in (DT(1), DT(2), DT(4))],
        "game": lab.adversary(DT(1), buffer=4, moves="1 1 1 1 | 2").answer({}),
        "z3": [found.result, str(found.model["x"])],
    }


def main() -> None:
    if "--plain" in sys.argv:
        os.environ["DTMODEL_NATIVE"] = "0"
        sys.meta_path[sys.meta_path.index(PathFinder)] = Fewer
        subprocess.Popen = NoProcess  # type: ignore[assignment,misc]  # any start of a process fails
        import dtmodel

        for module in walk_packages(dtmodel.__path__, "dtmodel."):
            if module.name not in NEED_THEM and not module.name.endswith("__main__"):
                import_module(module.name)
        sys.platform = "emscripten"
    print(json.dumps(answers()))


if __name__ == "__main__":
    main()
