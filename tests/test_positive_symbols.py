"""A symbol that SymPy or a solver is told to be positive is a hypothesis, and the claim's form must have it, too."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from ledger_cases import papers

from dtmodel.ledger.formal import Formal, Variable, read_formal
from dtmodel.ledger.hunting import targets

ORDER = ("", "nonnegative", "positive")
"""What is said of a symbol, from nothing."""


@cache
def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def declared_outside(file: Path) -> dict[str, tuple[str, str]]:
    return declared(parsed(file).body, file)


def declared(body: list[ast.stmt], file: Path) -> dict[str, tuple[str, str]]:
    """Return, by name in Python, the symbols that statements declare or import: own name, and what is said of each."""
    found: dict[str, tuple[str, str]] = {}
    for node in body:
        match node:
            case ast.ImportFrom(level=1, module=str() as module) if (file.parent / f"{module}.py").is_file():
                known = declared_outside(file.parent / f"{module}.py")
                found |= {item.asname or item.name: known[item.name] for item in node.names if item.name in known}
            case ast.Assign(targets=[target], value=value):
                names = target.elts if isinstance(target, ast.Tuple) else [target]
                values = value.elts if isinstance(value, ast.Tuple) else [value]
                symbols = [symbol for item in values for symbol in symbols_of(item)]
                if len(symbols) == len(names):
                    found |= {
                        name.id: symbol
                        for name, symbol in zip(names, symbols, strict=True)
                        if isinstance(name, ast.Name)
                    }
    return found


def symbols_of(node: ast.expr) -> Iterator[tuple[str, str]]:
    match node:
        case ast.Call(func=function, args=[ast.Constant(value=str() as names)], keywords=keywords):
            called = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
            if called in ("Symbol", "symbols"):
                said = [item.arg for item in keywords if item.arg in ("positive", "nonnegative")]
                yield from ((name, said[0] if said else "") for name in names.replace(",", " ").split())


@cache
def supposed(file: Path, function: str) -> dict[str, str]:
    """Return, by the name of the symbol, what evidence supposes of those that it uses, helpers of its file included."""
    functions = {node.name: node for node in parsed(file).body if isinstance(node, ast.FunctionDef)}
    outside = declared_outside(file)
    found: dict[str, str] = {}
    todo, seen = [function], set[str]()
    while todo:
        node = functions[todo.pop()]
        seen.add(node.name)
        inside = outside | declared([item for item in ast.walk(node) if isinstance(item, ast.Assign)], file)
        used = {item.id for item in ast.walk(node) if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Load)}
        for name in used & set(inside):
            symbol, said = inside[name]
            found[symbol] = max(found.get(symbol, ""), said, key=ORDER.index)
        todo += [name for name in used if name in functions and name not in seen]
    return found


def said_of(variable: Variable, formal: Formal) -> str:
    """Return what a form says of the sign of a variable, as far as it is written in its domain or a hypothesis."""
    lower = [(bound.sign, bound.value.text) for bound in variable.bounds if bound.sign in (">", ">=")]
    plain = {hypothesis.text for hypothesis in formal.hypotheses}
    if f"{variable.name} > 0" in plain or any(bound != (">=", "0") for bound in lower):
        return "positive"
    return "nonnegative" if lower else ""


def unsaid(symbols: Mapping[str, str], text: str) -> list[str]:
    """Return the variables of which more is supposed than the form says."""
    formal = read_formal(text)
    return [
        variable.name
        for variable in formal.variables
        if variable.kind in ("rat", "int") and not formal.runs
        if ORDER.index(symbols.get(variable.name, "")) > ORDER.index(said_of(variable, formal))
    ]


def test_no_evidence_supposes_a_sign_that_its_claim_does_not_have() -> None:
    collection = papers()
    wrong, compared = [], 0
    for item in collection.evidence()[0]:
        for aim in item.aims:
            if item.kernel or aim.strength not in ("smt", "symbolic"):
                continue
            for name in aim.claims:
                forms = {
                    form.form: form.formal.text for form in targets([collection.claims[name]], collection.preludes)
                }
                if aim.form in forms and collection.claims[name].verdict.startswith(("holds", "misprint")):
                    compared += 1
                    found = unsaid(supposed(Path(item.file), item.name), forms[aim.form])
                    wrong += [f"{name} ({aim.form}): {item.name} supposes the sign of {symbol}" for symbol in found]
    assert not wrong
    assert compared > 100


@pytest.mark.parametrize(
    ("form", "missing"),
    [
        ("for x > 0; y >= 0; then x > y", ["y"]),
        ("for x >= 0; y > 0; then x > y", ["x"]),
        ("for x : rat; y > 0; then x > y", ["x"]),
        ("for x >= 0; y : int >= 1; where x > 0; then x > y", []),
        ("for x > 0; y > x; then x < y", []),
    ],
)
def test_a_planted_sign_is_found(tmp_path: Path, form: str, missing: list[str]) -> None:
    (tmp_path / "signs.py").write_text('y_1 = sp.Symbol("y", positive=True)')
    one = 'def one():\n    x, z = sp.symbols("x z", positive=True)\n    return x, two()\n'
    (tmp_path / "piece.py").write_text(f"from .signs import y_1\n{one}def two():\n    return y_1\n")
    assert unsaid(supposed(tmp_path / "piece.py", "one"), form) == missing
