"""A public name has one meaning; a room of machinery may use a word of another room in its own sense."""

import ast
import importlib
import importlib.util
import inspect
import pkgutil
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TypeVar, get_origin

import pytest

import dtmodel
from docs import api

pytestmark = pytest.mark.xdist_group("names")
ONE_A_MODULE = {
    "command": "the click command of each file in cli",
    "main": "what a command line calls",
    "parameters": "the sheet of each document",
    "run_trace": "the door to each document's algorithm",
    "stream_trace": "the same door, step by step",
    "READINGS": "the readings of each document's algorithm",
    "Label": "a step of each explored system",
    "as_events": "a path of each explored system as a trace",
}
"""Names that stand for one role, filled once in each module that has it."""


@cache
def homes() -> dict[str, dict[int, list[str]]]:
    """Map every name for other modules, but aliases of types, to what it names, and that to where it is."""
    found: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    for info in pkgutil.walk_packages(dtmodel.__path__, "dtmodel."):
        if not info.name.endswith(("__main__", "._child")):
            module = importlib.import_module(info.name)
            for name, value in ((name, getattr(module, name)) for name in api.names(module)):
                if not (get_origin(value) or isinstance(value, TypeVar)):
                    found[name][id(value)].append(info.name)
    return found


def test_no_public_name_has_two_meanings() -> None:
    public = {module.__name__ for module in api.modules()}
    twice = {
        name for name, objects in homes().items() if sum(bool(public & {*found}) for found in objects.values()) > 1
    }
    assert twice == {"run_trace", "READINGS"}


def test_what_a_module_keeps_back_has_no_public_name() -> None:
    """Words of the claims' language and of the command line apart, and Algorithm 1, in lines and in hardware."""
    public = {name for module in api.modules() for name in api.names(module)}
    kept_back = {
        (file, node.name)
        for file, node in defined()
        if node.name in public
        and not file.startswith(("dtmodel/companion/words/", "dtmodel/cli/"))
        and not _handed_on(file, node.name)
    }
    assert {each for each in kept_back if each[1] not in {*ONE_A_MODULE, "algorithm1"}} == set()


def _handed_on(file: str, name: str) -> bool:
    """Whether a module has a name for others."""
    return name in api.names(
        importlib.import_module(file.removesuffix(".py").removesuffix("/__init__").replace("/", "."))
    )


def test_no_class_is_both_concrete_and_subclassed() -> None:
    """Errors are the exception: they are caught by what they have in common."""
    modules = [
        importlib.import_module(name) for named in homes().values() for found in named.values() for name in found
    ]
    classes = {
        each
        for module in modules
        for each in vars(module).values()
        if inspect.isclass(each) and each.__module__.startswith("dtmodel.")
    }
    bases = {base for each in classes for base in each.__bases__} & classes
    assert {base for base in bases if not inspect.isabstract(base) and not issubclass(base, Exception)} == set()


TREE = Path(__file__).parents[1]


@cache
def modules() -> dict[str, ast.Module]:
    files = (path for folder in ("dtmodel", "proofs", "validation") for path in (TREE / folder).rglob("*.py"))
    return {str(path.relative_to(TREE)): ast.parse(path.read_text(encoding="utf-8")) for path in files}


@cache
def functions() -> list[tuple[str, ast.FunctionDef | ast.ClassDef]]:
    kinds = ast.FunctionDef | ast.ClassDef
    return [(file, node) for file, tree in modules().items() for node in statements(tree) if isinstance(node, kinds)]


def defined() -> list[tuple[str, ast.FunctionDef | ast.ClassDef]]:
    """Return what modules of the package define at their top."""
    kinds, package = (
        ast.FunctionDef | ast.ClassDef,
        (each for each in modules().items() if each[0].startswith("dtmodel/")),
    )
    return [(file, node) for file, tree in package for node in tree.body if isinstance(node, kinds)]


def statements(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.expr):
            yield child
            yield from statements(child)


def test_no_class_of_proofs_and_validation_is_both_concrete_and_subclassed() -> None:
    named = {(file, node.name): node.bases for file, node in functions() if isinstance(node, ast.ClassDef)}
    classes = {each: {ast.unparse(base) for base in bases} for each, bases in named.items() if "dtmodel" not in each[0]}
    bases = {(file, base) for (file, _), found in classes.items() for base in found} & set(classes)
    assert {each for each in bases if "ABC" not in classes[each] and not each[1].endswith("Error")} == set()
    assert ("proofs/checker/fluid.py", "Policy") in bases


def test_the_first_line_of_a_docstring_stands_alone() -> None:
    """It has four words in the package and two elsewhere, and leans on nothing."""
    riddle = re.compile(
        r"(the same\b|likewise|ditto|as above|(in)?equ\w+ \(\d+\)\W*$|(it|its|they|their|there|that|this|these)\b)",
        re.IGNORECASE,
    )
    nodes = [*functions(), *modules().items()]
    lines = [
        (file, getattr(node, "name", ""), (ast.get_docstring(node) or "").partition("\n")[0]) for file, node in nodes
    ]
    said = [line for line in lines if line[2]]
    assert len(said) > 4000
    assert [line for line in said if riddle.match(line[2])] == []
    assert [line for line in said if len(line[2].split()) < (4 if line[0].startswith("dtmodel/") else 2)] == []


def test_what_a_claim_names_of_the_package_is_there() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (TREE / "validation").rglob("*.toml")]
    named = {name for text in texts for name in re.findall(r"\bdtmodel(?:\.\w+)+", text)}
    assert named
    assert [name for name in sorted(named) if not _found(name)] == []


def _found(name: str) -> bool:
    module, _, last = name.rpartition(".")
    return hasattr(importlib.import_module(module), last) or importlib.util.find_spec(name) is not None
