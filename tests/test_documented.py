"""The reference: every public name has an example, which runs as a doctest, and every parameter words."""

import ast
import inspect
import json
import re
import sys
import textwrap
from collections.abc import Iterator
from contextlib import suppress
from doctest import DocTestParser
from enum import Enum
from functools import cache
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from numpydoc.docscrape import NumpyDocString  # type: ignore[import-untyped]  # it has no types

from docs import api
from dtmodel.policies import Policy
from dtmodel.theorems import Case

ROOT = Path(__file__).parents[1]
FENCED = re.compile(r"^```.*\n([\s\S]*?)^```", re.MULTILINE)


@cache
def public() -> dict[int, str]:
    """Map what is public to the name that it has in one of its modules."""
    return {id(getattr(each, name)): f"{each.__name__}.{name}" for each in api.modules() for name in api.names(each)}


def symbols(name: str) -> set[str]:
    """Return what the head of a module and of its package explain for all in it: the names in the items of lists."""
    heads = [inspect.getdoc(sys.modules.get(each)) or "" for each in (name, name.rpartition(".")[0])]
    items = re.findall(r"^- (.*(?:\n  .*)*)", "\n\n".join(heads), re.MULTILINE)
    return {symbol for item in items for symbol in re.findall(r"``(\w+)``", item)}


def told(item: Any) -> set[str]:
    """Return what parameters a docstring speaks of: in its rows, or in its text, between backticks."""
    said = inspect.getdoc(item) or ""
    rows = NumpyDocString(said)
    names = [name for part in ("Parameters", "Attributes") for row in rows[part] for name in row.name.split(",")]
    return {name.strip("* ") for name in names} | set(re.findall(r"(?<!`)`(\w+)`(?!`)", said))


def wordless(method: Any, of: type) -> list[str]:
    """Return which parameters of a method have no words: in it, in what it overrides, in its class or its heads."""
    same = [vars(base)[method.__name__] for base in of.__mro__ if method.__name__ in vars(base)]
    words = symbols(method.__module__).union(*map(told, [of, *map(inspect.unwrap, same)]))
    return [name for name in inspect.signature(method).parameters if name not in {"self", "cls"} | words]


def undocumented(module: Any) -> Iterator[str]:
    """Yield what of a module's public names has no example, and which parameters have no words."""
    for name in api.names(module):
        item = getattr(module, name)
        if not (inspect.isclass(item) or inspect.isroutine(item)):
            if not api.said_of(module, name):
                yield f"{name}: no words"
            continue
        said = inspect.getdoc(item) or ""
        if ">>>" not in said:
            yield f"{name}: no example"
        if inspect.isclass(item) and item.__module__.startswith("dtmodel"):
            yield from (f"{name}.{f.__name__}: {one}" for f in functions(item) for one in wordless(f, item))
        if inspect.isclass(item) and (issubclass(item, Enum) or not {"__init__", "__new__"} & set(vars(item))):
            continue  # as what it inherits from; nobody makes a member of an enumeration
        if not getattr(item, "_is_protocol", False):
            words = symbols(item.__module__) | told(item)
            yield from (f"{name}: {one}" for one in inspect.signature(item).parameters if one not in words)


@pytest.mark.parametrize("module", api.modules(), ids=lambda module: module.__name__)
def test_every_public_name_has_an_example_and_words_for_every_parameter(module: ModuleType) -> None:
    assert list(undocumented(module)) == []


def test_what_has_no_example_and_no_words_is_noticed() -> None:
    def plain(alpha: object) -> None:
        """Do it."""

    made = ModuleType("made")
    vars(made).update(__all__=["plain"], plain=plain)
    assert list(undocumented(made)) == ["plain: no example", "plain: alpha"]


def test_what_no_base_and_no_head_explains_is_noticed() -> None:
    class Made(Policy):
        """One."""

        def start(self, buffer: object, first: object) -> None:
            """Begin with ``first``."""

    Made.start.__module__ = "dtmodel.policies.made"
    assert wordless(Made.start, Made) == ["first"]
    Made.start.__doc__ = "Begin with `first`."
    assert wordless(Made.start, Made) == []


def shown() -> Iterator[tuple[str, str]]:
    """Yield the Python for users, with its place; CONTRIBUTING is for authors in the package, who use its machinery."""
    guides = [*(ROOT / "docs" / "source").rglob("*.md"), ROOT / "README.md", *(ROOT / "notebooks").glob("*.md")]
    for guide in guides:
        for block in FENCED.findall(guide.read_text(encoding="utf-8")):
            session = "".join(example.source for example in DocTestParser().get_examples(block, guide.name))
            yield guide.name, session or block
    for notebook in (ROOT / "notebooks").glob("*.ipynb"):
        cells = [each["source"] for each in json.loads(notebook.read_text(encoding="utf-8"))["cells"]
                 if each["cell_type"] == "code"]  # fmt: skip
        yield notebook.name, "\n".join(re.sub(r"^[!%]", "# ", "".join(cell), flags=re.MULTILINE) for cell in cells)
    for example in (ROOT / "dtmodel" / "examples").glob("*.py.txt"):
        yield example.name, example.read_text(encoding="utf-8")
    for module in api.modules():
        for item in (module, *(getattr(module, name) for name in api.names(module))):
            examples = DocTestParser().get_examples(inspect.getdoc(item) or "") if hasattr(item, "__doc__") else ()
            yield f"{module.__name__}: {item!r}", "".join(example.source for example in examples)


def named(source: str) -> Iterator[tuple[ModuleType, str]]:
    """Yield each module and name of the package that a text in Python imports, or reads off a module it imported."""
    modules: dict[str, ModuleType] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "dtmodel":
            home = import_module(str(node.module))
            for alias in node.names:
                yield home, alias.name
                if inspect.ismodule(value := getattr(home, alias.name)):
                    modules[alias.asname or alias.name] = value
        elif isinstance(node, ast.Import):
            modules |= {alias.name: import_module(alias.name) for alias in node.names if alias.name == "dtmodel"}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            yield modules[node.value.id], node.attr


def hidden(source: str) -> list[str]:
    """Return what of the package a text in Python shows that is neither a public name nor a module with one."""
    open_modules = {name for each in api.modules() for name in accumulate(each.__name__.split("."), "{}.{}".format)}
    return [
        f"{module.__name__}.{name}"
        for module, name in named(source)
        if not name.startswith("__")
        and not (name in api.names(module) and module in api.modules())
        and getattr(getattr(module, name), "__name__", "") not in open_modules
    ]


def test_what_guides_notebooks_and_examples_import_is_public() -> None:
    texts = []
    for where, source in shown():
        with suppress(SyntaxError):  # a block of something else than Python
            texts.append((where, hidden(source), source))
    assert {where: found for where, found, _ in texts if found} == {}
    assert sum("dtmodel" in source for _, _, source in texts) > 60


def test_what_is_shown_though_it_is_machinery_is_noticed() -> None:
    assert hidden("from dtmodel.fluid.engine import Engine") == ["dtmodel.fluid.engine.Engine"]
    assert hidden("from dtmodel import plot\nfrom dtmodel.base import mathtext\nplot.run\nplot.runs") == [
        "dtmodel.base.mathtext", "dtmodel.plot.runs"]  # fmt: skip


@cache
def scope(module: str) -> dict[str, Any]:
    """Return what the names of a module mean, also those that it imports for its annotations only."""
    found = import_module(module)
    imports = [node for node in ast.walk(ast.parse(inspect.getsource(found))) if isinstance(node, ast.ImportFrom)]
    own = [node for node in imports if (node.module or "").startswith("dtmodel")]
    aside = {n.asname or n.name: getattr(import_module(str(node.module)), n.name) for node in own for n in node.names}
    return aside | vars(found)


def types(item: Any) -> Iterator[type]:
    """Yield the classes of the package in a function's annotations."""
    names = scope(item.__module__)
    written = ast.parse(textwrap.dedent(inspect.getsource(item))).body[0]
    annotations = [written.returns, *(one.annotation for one in ast.walk(written.args) if isinstance(one, ast.arg))]
    for node in (node for each in annotations if each for node in ast.walk(each)):
        value = names.get(node.id) if isinstance(node, ast.Name) else None
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            value = getattr(names.get(node.value.id), node.attr, None)
        if inspect.isclass(value) and value.__module__.startswith("dtmodel"):
            yield value


def functions(item: Any) -> list[Any]:
    """Return a function, or the public functions and properties of a class."""
    members = [vars(item)[name] for name in vars(item) if name[0] != "_"] if inspect.isclass(item) else [item]
    found = [next((getattr(each, at) for at in ("fget", "func", "__func__") if hasattr(each, at)), each)
             for each in map(inspect.unwrap, members)]  # fmt: skip
    return [each for each in found if inspect.isfunction(each) and each.__module__.startswith("dtmodel")]


PASSED_ON = {"Experiment", "Forest"}
"""A drawn experiment that only runs, and the trees of a policy that only the engine reads: nobody looks inside."""


def test_what_public_functions_take_and_return_is_public() -> None:
    uses = {(each.__name__, name, f.__qualname__, of) for each in api.modules() for name in api.names(each)
            for f in functions(getattr(each, name)) for of in types(f)}  # fmt: skip
    items = [getattr(each, name) for each in api.modules() for name in api.names(each)]
    known = (dict, *(item for item in items if inspect.isclass(item)))
    apart = {use[-1] for use in uses if not set(use[-1].__mro__) & set(known) and not issubclass(use[-1], Case)}
    assert {each.__name__ for each in apart} == PASSED_ON
    assert len(uses) > 250


def test_what_the_head_of_a_package_explains_has_words_in_all_its_modules() -> None:
    assert {"alpha", "B", "t_k"} <= symbols("dtmodel.theory.dt.formulas")
    assert "t_k" not in symbols("dtmodel.theory.losspass.formulas")
    assert symbols("dtmodel.theory") == set()


def test_the_public_interface_can_be_learned() -> None:
    """The limits are decisions: a name that becomes public has to replace another one."""
    assert len(api.modules()) <= 43
    assert len(public()) <= 364
