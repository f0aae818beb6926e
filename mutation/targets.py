"""What is mutated, which tests and evidence should notice, and why a survivor is harmless.

Nothing here names a test or a path of a single module, so that files can move: a test file concerns a module that it
imports, and every module of the subject that it is called after (``tests/dynaq/test_algorithm.py``: of ``dynaq``).
"""

import ast
import tomllib
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
ROOMS = ("policies", "fluid", "packet", "switches", "theorems", "theory")
SCOPE = (*(f"dtmodel/{room}" for room in ROOMS), "validation/support")
"""The folders in which every formula, comparison and statement is altered."""
_GENERAL = {"dtmodel", "theory", "theorems", "packet", "tests", "test"}
"""Words in paths that are no subjects."""


def files(tree: Path) -> list[str]:
    """Return the files that are altered; an ``__init__.py`` only names things, and a picture is no formula."""
    found = {path for folder in SCOPE for path in (tree / folder).rglob("*.py")}
    kept = (path for path in found if path.name != "__init__.py" and "picture" not in path.name)
    return sorted(path.relative_to(tree).as_posix() for path in kept)


def noticing(tree: Path, file: str) -> list[tuple[list[str], list[str]]]:
    """Return the test files and the modules of evidence that should notice an error in a file, in widening circles.

    First the file itself (its doctests) and the tests that import it, those first that are called after its subject;
    then the other tests that are called so, and evidence that imports it; last the doctests of the modules that import
    it, and what else imports these.
    """
    users = set(_files(tree, "dtmodel", {file}))
    named = [test for test in _paths(tree, "tests") if _subjects(test) & _subjects(file)]
    importing = sorted(_files(tree, "tests", {file}), key=lambda test: test not in named)
    circles = [
        ([file, *importing], []),
        (named, [_module(path) for top in ("proofs", "validation") for path in _files(tree, top, {file})]),
        (
            [*sorted(users), *_files(tree, "tests", users)],
            [_module(path) for top in ("proofs", "validation") for path in _files(tree, top, users)],
        ),
    ]
    seen: set[str] = set()
    found = []
    for tests, evidence in circles:
        found.append(([test for test in tests if test not in seen], [each for each in evidence if each not in seen]))
        seen |= {*tests, *evidence}
    return found


def _files(tree: Path, top: str, imported: set[str]) -> list[str]:
    """Return the files below a folder that import one of some files."""
    modules = {_module(file) for file in imported}
    return [path for path in _paths(tree, top) if not modules.isdisjoint(imports(tree, tree / path))]


@cache
def _paths(tree: Path, top: str) -> list[str]:
    """Return the files below a folder; of tests those alone that hold any."""
    found = (tree / top).rglob("test_*.py" if top == "tests" else "*.py")
    return sorted(path.relative_to(tree).as_posix() for path in found)


@cache
def imports(tree: Path, path: Path) -> frozenset[str]:
    """Return the modules that a file imports; of a name that its module imports in turn, the module that has it.

    What a test imports from a file beside it is what that file imports.
    """
    found: set[str] = set()
    for module, name in _imports(tree, path):
        home = _home(tree, module, name)
        found |= {module, home, f"{home}.{name}"}
        beside = path.with_name(f"{module}.py")
        found |= imports(tree, beside) if beside.is_file() and beside != path else set()
    return frozenset(found)


def explanations(path: Path = HERE / "explanations.toml") -> dict[str, str]:
    """Read why survivors are harmless, by the mutant's identity."""
    files = tomllib.loads(path.read_text(encoding="utf-8"))
    return {mutant: table["reason"] for tables in files.values() for table in tables for mutant in table["mutants"]}


@cache
def _imports(tree: Path, path: Path) -> list[tuple[str, str]]:
    found, package = [], path.relative_to(tree).parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            module = ".".join([*package[: -node.level], node.module]) if node.level else node.module
            found += [(module, alias.name) for alias in node.names]
    return found


@cache
def _home(tree: Path, module: str, name: str) -> str:
    base = tree / module.replace(".", "/")
    path = base / "__init__.py" if base.is_dir() else base.with_suffix(".py")
    if path.is_file():
        for above, imported in _imports(tree, path):
            if imported == name and above != module:
                return _home(tree, above, name)
    return module


def _module(file: str) -> str:
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _subjects(file: str) -> set[str]:
    """Return the folder and the first word of the name: of dtmodel/fluid/edt.py fluid and edt."""
    path = Path(file)
    words = path.stem.removeprefix("test_").split("_")
    return {path.parent.name, words[0]} - _GENERAL
