"""The scripts of the published figures.

A figure is a script ``validation/<paper>/figures/fig<NN>.py`` whose docstring is the caption, with two functions:
``data()`` computes what is shown and ``draw(data)`` returns a matplotlib figure. A third one, ``published(data)``,
returns the rows (quantity, published, computed) where the text quotes numbers.
"""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

from dtmodel.errors import InputError
from dtmodel.extras import need
from dtmodel.papers.roots import papers_root

__all__ = ["paths", "script"]


def paths() -> dict[str, Path]:
    """Map edt.fig2 to validation/edt/figures/fig02.py, in the order of papers and numbers."""
    found = {}
    for path in sorted(papers_root().glob("validation/*/figures/fig*.py")):
        label = re.sub(r"^fig0*", "fig", path.stem)
        found[f"{path.parent.parent.name}.{label}"] = path
    return found


def script(name: str) -> ModuleType:
    """Import the script of a figure.

    Raises
    ------
    InputError
        If there is no such figure.
    ExtraError
        If what draws or computes it is missing.
    """
    from dtmodel.ledger import Root
    from dtmodel.ledger.collection import load_module

    known = paths()
    if name not in known:
        raise InputError("figure", name, f"one of {', '.join(known)}")
    need("matplotlib", "joblib")
    root = Root(papers_root(), "dtmodel_papers")
    return load_module(root, root.module_of(known[name]))
