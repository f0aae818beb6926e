"""The pages of the Python reference: every public name of every module, once, where it is defined."""

import ast
from functools import cache
from importlib import import_module
from inspect import cleandoc, getsource, isroutine, unwrap
from itertools import pairwise
from pkgutil import walk_packages
from types import ModuleType

import dtmodel

_APART = ("dtmodel.cli",)
"""Documented elsewhere: the pages of the commands."""


def modules() -> list[ModuleType]:
    """Return the package's modules that export names."""
    names = [found.name for found in walk_packages(dtmodel.__path__, "dtmodel.")]
    public = [name for name in names if not name.startswith(_APART) and "._" not in name]
    return [dtmodel, *(module for module in map(import_module, public) if getattr(module, "__all__", ()))]


def pages() -> dict[str, str]:
    """Return a page for the package and one for each part of it, by name."""
    parts: dict[str, list[ModuleType]] = {}
    for module in modules():
        parts.setdefault(".".join(module.__name__.split(".")[:2]), []).append(module)
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
        for name in module.__all__:
            homes[name, id(getattr(module, name))] = module.__name__
    return homes


def _page(part: str, members: list[ModuleType], homes: dict[tuple[str, int], str]) -> str:
    return f"# {part}\n\n" + "\n".join(_module(part, module, homes) for module in members)


def _module(part: str, module: ModuleType, homes: dict[tuple[str, int], str]) -> str:
    name = module.__name__
    own = [word for word in module.__all__ if homes[word, id(getattr(module, word))] == name]
    elsewhere = [(word, homes[word, id(getattr(module, word))]) for word in module.__all__ if word not in own]
    heading = "" if name == part else f"## {name}\n\n"
    members = "".join(f"\n{_member(module, word)}" for word in own)
    links = "".join(f"* :py:obj:`{word} <{_target(home, word)}>`\n" for word, home in elsewhere)
    return f"{heading}```{{eval-rst}}\n.. automodule:: {name}\n\n{links}{members}```\n"


def _member(module: ModuleType, word: str) -> str:
    """Return the directives for a member: classes and functions document themselves, a value what stands below it."""
    name, member = f"{module.__name__}.{word}", getattr(module, word)
    if isinstance(member, type):
        return f".. autoclass:: {name}\n   :members:\n"
    if isroutine(unwrap(member) if callable(member) else member):
        return f".. autofunction:: {name}\n"
    return f".. py:data:: {name}\n\n   {_said_below(module, word)}\n"


@cache
def _words(module: ModuleType) -> dict[str, str]:
    """Map what a module assigns at its top level to the string below it."""
    body = ast.parse(getsource(module)).body
    return {
        ast.unparse(target): cleandoc(below.value.value)
        for node, below in pairwise(body)
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) and isinstance(below.value.value, str)
    }


def _said_below(module: ModuleType, word: str) -> str:
    return _words(module).get(word, "").replace("\n", "\n   ")


def _target(home: str, word: str) -> str:
    return home if home.endswith(f".{word}") else f"{home}.{word}"


def _summary(module: ModuleType) -> str:
    return (module.__doc__ or "").partition("\n")[0].replace("|", "\\|")
