"""The public interface, and the pages of its reference: every public name once, in the deepest module that has it."""

import ast
import re
from functools import cache
from importlib import import_module
from inspect import cleandoc, getsource, isroutine, unwrap
from itertools import pairwise
from pkgutil import walk_packages
from textwrap import indent
from types import ModuleType

import dtmodel
from dtmodel.theorems.statement import Statement

_SHORT = 88
"""A value of as many characters needs no words."""

PUBLIC = {
    ".base": "budgets units",
    ".packet": "arrivals engine pfc schedulers",
    ".studies": "compare explain",
    ".theory": "absorbable_burst sheet threshold_family",
    ".theory.dynaq": "sheet statements",
    ".theory.edt": "statements",
    ".theory.l2bm": "statements",
    ".theory.losspass": "statements",
}  # fmt: skip
"""The modules for users and authors beside the heads of packages; every other module is machinery, which may change."""


@cache
def modules() -> list[ModuleType]:
    """Return the public modules: the heads of packages that have names, and those of `PUBLIC`."""
    heads = {found.name for found in walk_packages(dtmodel.__path__, "dtmodel.") if found.ispkg} - {"dtmodel.cli"}
    public = sorted(heads.union(f"dtmodel{of}.{name}" for of, listed in PUBLIC.items() for name in listed.split()))
    return [dtmodel, *(module for module in map(import_module, public) if names(module))]


@cache
def names(module: ModuleType) -> list[str]:
    """Return a module's names for others: its ``__all__``, or what it defines whose names begin with no underscore."""
    if hasattr(module, "__all__"):
        return list(module.__all__)
    body = ast.parse(getsource(module)).body
    defined = [node.name for node in body if isinstance(node, ast.ClassDef | ast.FunctionDef)]
    assigned = [target.id for node in body for target in _targets(node) if isinstance(target, ast.Name)]
    return list(dict.fromkeys(name for name in assigned + defined if not name.startswith("_")))


def _targets(node: ast.stmt) -> list[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []


def pages() -> dict[str, str]:
    """Return a page for each package and for each module that is in none but the whole, by name."""
    parts: dict[str, list[ModuleType]] = {}
    for module in modules():
        package = module.__name__ if hasattr(module, "__path__") else module.__name__.rpartition(".")[0]
        parts.setdefault(module.__name__ if package == "dtmodel" else package, []).append(module)
    homes = _homes([module for members in parts.values() for module in members])
    found = {f"api/{part}.md": _page(part, members, homes) for part, members in parts.items()}
    rows = "\n".join(f"| [{part}]({part}.md) | {_summary(import_module(part))} |" for part in parts)
    tree = "\n".join(parts)
    index = (
        "# Python\n\n"
        "Every public name of the package, with its parameters, what it raises, and examples, which the tests run.\n\n"
        f"| module | is |\n|---|---|\n{rows}\n\n```{{toctree}}\n:hidden:\n\n{tree}\n```\n"
    )
    return found | {"api/index.md": index}


def _homes(found: list[ModuleType]) -> dict[tuple[str, int], str]:
    """Map a name and its object to the deepest module that exports it: there it is documented."""
    homes: dict[tuple[str, int], str] = {}
    for module in sorted(found, key=lambda module: module.__name__.count(".")):
        for name in names(module):
            homes[name, id(getattr(module, name))] = module.__name__
    return homes


def _page(part: str, members: list[ModuleType], homes: dict[tuple[str, int], str]) -> str:
    return f"# {part}\n\n" + "\n".join(_module(part, module, homes) for module in members)


def _module(part: str, module: ModuleType, homes: dict[tuple[str, int], str]) -> str:
    name = module.__name__
    own = [word for word in names(module) if homes[word, id(getattr(module, word))] == name]
    elsewhere = [(word, homes[word, id(getattr(module, word))]) for word in names(module) if word not in own]
    heading = "" if name == part else f"## {name}\n\n"
    members = "".join(f"\n{_member(module, word, homes)}" for word in own)
    links = "".join(f"* :py:obj:`{word} <{_target(home, word)}>`\n" for word, home in elsewhere)
    return f"{heading}```{{eval-rst}}\n.. automodule:: {name}\n\n{links}{members}```\n"


def _member(module: ModuleType, word: str, homes: dict[tuple[str, int], str]) -> str:
    """Return the directives for a member: classes and functions document themselves, a value what stands below it."""
    name, member = f"{module.__name__}.{word}", getattr(module, word)
    if isinstance(member, type):
        data = [base for base in member.__mro__ if base.__module__.endswith(".data")]
        hidden = any((base.__name__, id(base)) not in homes for base in data)  # its members have no other page
        return f".. autoclass:: {name}\n   :members:\n" + ("   :inherited-members:\n" if hidden else "")
    if isroutine(unwrap(member) if callable(member) else member):
        return f".. autofunction:: {name}\n"
    said = said_of(module, word).strip().replace("\n", "\n   ")
    return f".. py:data:: {name}\n\n   {said}\n"


def said_of(module: ModuleType, word: str) -> str:
    """Return what the reference says of a value: a statement in full, the string below it, or its source if short."""
    if isinstance(statement := getattr(module, word), Statement):
        html = re.sub(r"(?=<(p|li|tr)>)", "\n", statement._repr_html_())  # docutils reads no line of 10,000 characters
        return f":claim:`{statement.id}`\n\n.. raw:: html\n\n" + indent(html, "   ")
    source = ast.parse(getsource(module))
    for node in ast.walk(source):
        if isinstance(node, ast.ImportFrom) and word in [alias.name for alias in node.names]:
            return said_of(import_module(str(node.module)), word)
    for node, below in pairwise([*source.body, ast.Pass()]):
        if isinstance(node, ast.Assign | ast.AnnAssign) and word in map(ast.unparse, _targets(node)):
            if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
                return cleandoc(str(below.value.value))
            value = ast.unparse(node.value) if node.value else ""
            return f"``{value}``" if len(value) <= _SHORT else ""
    return ""


def _target(home: str, word: str) -> str:
    return home if home.endswith(f".{word}") else f"{home}.{word}"


def _summary(module: ModuleType) -> str:
    return (module.__doc__ or "").partition("\n")[0].replace("|", "\\|")
