"""The reference: every public name has an example, which runs as a doctest, and every parameter words."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from numpydoc.docscrape import NumpyDocString  # type: ignore[import-untyped]  # it has no types

from docs import api

UNFINISHED = (
    "derive.", "explore", "fluid.engine", "fluid.rationals", "fluid.rounding", "ledger", "native.", "packet.compiled",
    "packet.edt.states", "packet.engine", "packet.l2bm.ingress", "packet.l2bm.switch", "papers.", "policies.complete",
    "policies.edt", "policies.pools", "provers", "sweeps.columns", "sweeps.folder", "sweeps.plan", "sweeps.running",
    "sweeps.scenarios", "sweeps.statements", "traces",
)  # fmt: skip
"""Modules of the reference whose own names do not yet all have words and an example."""


def finished() -> list[ModuleType]:
    """Return the modules of the reference but the unfinished ones."""
    return [each for each in api.modules() if not each.__name__.removeprefix("dtmodel.").startswith(UNFINISHED)]


def symbols(name: str) -> set[str]:
    """Return what the head of a module and of its package explain for all in it: the names in the items of lists."""
    heads = [inspect.getdoc(sys.modules.get(each)) or "" for each in (name, name.rpartition(".")[0])]
    items = re.findall(r"^- (.*(?:\n  .*)*)", "\n\n".join(heads), re.MULTILINE)
    return {symbol for item in items for symbol in re.findall(r"``(\w+)``", item)}


def undocumented(module: Any) -> Iterator[str]:
    """Yield what of a module's public names has no example, and which parameters have no words."""
    for name in module.__all__:
        item = getattr(module, name)
        if not (inspect.isclass(item) or inspect.isroutine(item)):
            continue
        said = inspect.getdoc(item) or ""
        if ">>>" not in said:
            yield f"{name}: no example"
        if inspect.isclass(item) and not ({"__init__", "__new__"} & set(vars(item))):
            continue  # as what it inherits from
        told = NumpyDocString(said)
        rows = symbols(item.__module__) | {
            row.strip("* ") for part in ("Parameters", "Attributes") for p in told[part] for row in p.name.split(",")
        }
        if not getattr(item, "_is_protocol", False):
            yield from (f"{name}: {one}" for one in inspect.signature(item).parameters if one not in rows)


@pytest.mark.parametrize("module", finished(), ids=lambda module: module.__name__)
def test_every_public_name_has_an_example_and_words_for_every_parameter(module: ModuleType) -> None:
    assert list(undocumented(module)) == []


def test_what_has_no_example_and_no_words_is_noticed() -> None:
    def plain(alpha: object) -> None:
        """Do it."""

    assert list(undocumented(SimpleNamespace(__all__=["plain"], plain=plain))) == ["plain: no example", "plain: alpha"]


def test_what_the_head_of_a_package_explains_has_words_in_all_its_modules() -> None:
    assert {"alpha", "B", "t_k"} <= symbols("dtmodel.theory.dt.formulas")
    assert "t_k" not in symbols("dtmodel.theory.losspass.formulas")
    assert symbols("dtmodel.theory") == set()
