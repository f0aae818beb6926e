"""The scripts of the published figures.

Each figure has a script ``validation/<paper>/figures/fig<NN>.py``, whose docstring is the caption. Its function
``data()`` computes the numbers and ``draw(data)`` returns a matplotlib figure. If the paper quotes numbers,
``published(data)`` returns rows (quantity, published, computed), which are printed below the picture. Figures that are
not drawn are listed, with the reasons, in `UNDRAWN` of ``validation/<paper>/figures/__init__.py``.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from dtmodel.base.errors import InputError, one_of
from dtmodel.base.extras import need
from dtmodel.companion.roots import papers_root

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from dtmodel.plot.published import Row


@dataclass(frozen=True)
class Redrawn:
    """A redrawn figure: id, caption, result of ``data()``, and `rows` (quantity, published, computed, difference)."""

    name: str
    caption: str
    data: Any
    rows: list[Row]
    figure: Figure


def paths() -> dict[str, Path]:
    """Map the id of each figure to its script, such as edt.fig2 to validation/edt/figures/fig02.py."""
    found = {}
    for path in sorted(papers_root().glob("validation/*/figures/fig*.py")):
        label = re.sub(r"^fig0*", "fig", path.stem)
        found[f"{path.parent.parent.name}.{label}"] = path
    return found


def captions() -> dict[str, str]:
    """Map the id of every drawn figure to its caption; the first line of a caption is a summary."""
    return {name: ast.get_docstring(_parsed(path)) or "" for name, path in paths().items()}


def undrawn() -> dict[str, str]:
    """Map the id of every figure that is not drawn to the reason."""
    found: dict[str, str] = {}
    for path in sorted(papers_root().glob("validation/*/figures/__init__.py")):
        for node in _parsed(path).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "UNDRAWN":
                paper = path.parent.parent.name
                found |= {f"{paper}.{label}": why for label, why in ast.literal_eval(node.value).items()}
    return found


def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def script(name: str) -> ModuleType:
    """Import the script of a figure; `ExtraError` if matplotlib or joblib is missing."""
    from dtmodel.ledger import Root
    from dtmodel.ledger.collection import load_module

    known = paths()
    if str(name) not in known:
        why = undrawn().get(str(name))
        raise InputError("figure", name, one_of(known, name) + (f" (not drawn: {why})" if why else ""))
    need("matplotlib", "joblib")
    root = Root(papers_root(), "dtmodel_papers")
    return load_module(root, root.module_of(known[name]))


def redraw(name: str) -> Redrawn:
    """Compute a figure and draw it, with the table of published and computed numbers below it."""
    module = script(name)
    from dtmodel.plot.published import difference, write_below
    from dtmodel.plot.style import styled

    data = module.data()
    told = [tuple(map(str, row)) for row in module.published(data)] if hasattr(module, "published") else []
    rows = [(quantity, published, computed, difference(published, computed)) for quantity, published, computed in told]
    with styled():
        figure = module.draw(data)
        write_below(figure, rows)
    return Redrawn(name, (module.__doc__ or "").strip(), data, rows, figure)
