"""A solver in a process of its own: one JSON request on each line of input, one JSON answer on each line of output.

Run as ``python -m dtmodel.ledger.provers._child z3`` (or ``cvc5``). A request is
``{"number": n, "script": SMT-LIB text, "steps": m, "seconds": s}``: the solver gives up after m steps of its own (z3's
``rlimit``, cvc5's ``rlimit-per``), which do not depend on the machine's load, and long after them, after s seconds. The
answer is ``{"number": n, "result": "sat"|"unsat"|"unknown", "model": {...}, "reason": ...}`` with rational values as
``"p/q"`` and other values as ``{"other": text}``.
"""

import json
import math
import signal
import sys
from typing import Any

_GRACE = 5


def main() -> None:
    """Answer requests until standard input ends."""
    for line in sys.stdin:
        request = json.loads(line)
        if hasattr(signal, "alarm"):
            signal.alarm(math.ceil(request["seconds"]) + _GRACE)  # ends the process even inside the solver
        answer = answered(sys.argv[1], request)
        if hasattr(signal, "alarm"):
            signal.alarm(0)
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


def answered(name: str, request: dict[str, Any]) -> dict[str, Any]:
    """Answer one request with a solver, here and now; a complaint of the solver is the reason of its answer."""
    solve = {"z3": _z3, "cvc5": _cvc5}[name]
    try:
        answer = solve(request["script"], request["steps"], request["seconds"])
    except Exception as error:  # noqa: BLE001 - a solver's complaint is its answer
        answer = {"result": "unknown", "model": {}, "reason": f"{type(error).__name__}: {error}"}
    return answer | {"number": request["number"]}


def _z3(script: str, steps: int, seconds: float) -> dict[str, Any]:
    import z3

    solver = z3.Solver()
    solver.set("rlimit", steps)
    solver.set("timeout", max(1, int(seconds * 1000)))
    solver.from_string(script)
    result = str(solver.check())
    values: dict[str, Any] = {}
    if result == "sat":
        model = solver.model()
        numbers = (each for each in model.decls() if each.arity() == 0 and not each.name().startswith("/"))
        values = {each.name(): _z3_value(model[each]) for each in numbers}
    reason = solver.reason_unknown() if result == "unknown" else ""
    spent = "resource" in reason or reason == "canceled"
    return {"result": result, "model": values, "reason": _out_of(steps) if spent else reason}


def _out_of(steps: int) -> str:
    return f"undecided after {steps:,} steps of the solver, its limit on every machine"


def _z3_value(value: Any) -> Any:
    import z3

    if z3.is_int_value(value) or z3.is_rational_value(value):
        return str(value.as_fraction() if z3.is_rational_value(value) else value.as_long())
    if z3.is_true(value) or z3.is_false(value):
        return z3.is_true(value)
    if z3.is_algebraic_value(value):
        return {"other": str(value), "near": str(value.approx(30).as_fraction())}
    return {"other": str(value)}


def _cvc5(script: str, steps: int, seconds: float) -> dict[str, Any]:
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("produce-models", "true")
    solver.setOption("rlimit-per", str(steps))
    solver.setOption("tlimit-per", str(max(1, int(seconds * 1000))))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "obligation")
    symbols = parser.getSymbolManager()
    while not (command := parser.nextCommand()).isNull():
        said = command.invoke(solver, symbols)
        if "error" in str(said):
            return {"result": "unknown", "model": {}, "reason": str(said).strip()}
    checked = solver.checkSat()
    result = "sat" if checked.isSat() else "unsat" if checked.isUnsat() else "unknown"
    values: dict[str, Any] = {}
    if result == "sat":
        numbers = (term for term in symbols.getDeclaredTerms() if not term.getSort().isFunction())
        values = {str(term).strip("|"): _cvc5_value(solver.getValue(term)) for term in numbers}
    reason = str(checked) if result == "unknown" else ""
    spent = reason and checked.getUnknownExplanation() == cvc5.UnknownExplanation.RESOURCEOUT
    return {"result": result, "model": values, "reason": _out_of(steps) if spent else reason}


def _cvc5_value(value: Any) -> Any:
    if value.isIntegerValue():
        return str(value.getIntegerValue())
    if value.isRealValue():
        return str(value.getRealValue())
    if value.isBooleanValue():
        return bool(value.getBooleanValue())
    return {"other": str(value)}


if __name__ == "__main__":
    main()
