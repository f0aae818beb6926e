"""Python in the reader's browser (``worker.js``, Pyodide): cells, panels, packages fetched at import; texts of JSON."""

from __future__ import annotations

import ast
import io
import json
import lzma  # noqa: F401  # the stored heap then has it for `tarfile`
import random
import sys
import tarfile
import traceback
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from contextlib import redirect_stderr, redirect_stdout, suppress
from html import escape
from importlib import invalidate_caches
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Any, final

from dtmodel.base.documents import choice
from dtmodel.base.errors import DtmodelError
from dtmodel.base.mathtext import html_of
from dtmodel.companion import recorded_verdict
from dtmodel.lab.panel import Panel

_CELL = "<cell>"
_PANELS: dict[str, Panel] = {}
_namespace: dict[str, Any] = {}
_shown: list[str] = []


def keep(panels: Iterable[tuple[str, Panel]]) -> None:
    """Name the panels of a site, and compute the first answer of each."""
    for name, panel in panels:
        _PANELS[name] = panel
        if name == "errata":
            continue  # the evidence of all claims would be in the heap
        with suppress(ModuleNotFoundError):  # compiled libraries, which a stored heap cannot hold
            panel.respond({})


def respond(name: str, message: str) -> str:
    """Answer a message to a panel, as JSON."""
    try:
        return json.dumps(_PANELS[choice(name, "panel", tuple(_PANELS))].respond(json.loads(message)))
    except (DtmodelError, json.JSONDecodeError, RecursionError) as error:
        return json.dumps({"error": str(error)})


def run(source: str) -> str:
    r"""Run a cell: its printed text, its rich displays as HTML, and the traceback of an error, as JSON."""
    printed, error = io.StringIO(), ""
    _shown.clear()
    with redirect_stdout(printed), redirect_stderr(printed):
        try:
            _execute(source)
        except (Exception, SystemExit) as caught:  # noqa: BLE001  # the reader's code may raise anything
            error = _told(caught)
    return json.dumps({"text": printed.getvalue(), "html": list(_shown), "error": error})


def _execute(source: str) -> None:
    """Run the statements of a cell, and display its last expression."""
    _namespace.setdefault("__name__", "__main__")
    _namespace.setdefault("display", display)
    tree = ast.parse(source, _CELL)
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Expr):
        tree.body.pop()
    exec(compile(tree, _CELL, "exec"), _namespace)  # noqa: S102  # the reader's own code, in the reader's browser
    if isinstance(last, ast.Expr) and not source.rstrip().endswith(";"):
        display(eval(compile(ast.Expression(last.value), _CELL, "eval"), _namespace))  # noqa: S307


def display(*values: object) -> None:
    """Show values: as tables, pictures or mathematics if they have such a form, else as text."""
    for value in values:
        found = next(filter(None, (_drawn(value, form, write) for form, write in _FORMS.items())), None)
        if found is not None:
            _shown.append(found)
        elif value is not None:
            print(repr(value))


def _png(data: bytes) -> str:
    return f'<img alt="figure" src="data:image/png;base64,{b64encode(data).decode()}">'


_FORMS: dict[str, Callable[[Any], str]] = {
    "_repr_mimebundle_": lambda bundle: bundle.get("text/html", ""),
    "_repr_html_": str,
    "_repr_svg_": str,
    "_repr_latex_": html_of,
    "_repr_png_": _png,
}


def _drawn(value: object, form: str, write: Callable[[Any], str]) -> str | None:
    if isinstance(value, Panel):
        return _mounted(value)
    made = None if isinstance(value, type) else getattr(value, form, lambda: None)()
    return write(made) if made else None


def _mounted(panel: Panel) -> str:
    """Name a panel of a cell, and describe it to the script of the page, which draws it live."""
    keep([(name := f"cell.{len(_PANELS)}", panel)])
    start = panel.start([slider.name for slider in panel.sliders], live=True)
    told = escape(json.dumps({"name": name, "start": start, "answer": panel.respond({})}))
    return f'<div class="dtm-live" data-panel="{told}"></div>'


def _told(error: BaseException) -> str:
    """Write the traceback of an error from the line of the cell on; errors of the package are one sentence."""
    if isinstance(error, DtmodelError):
        return f"{type(error).__name__}: {error}"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
    return "".join([*traceback.format_list(frames), *traceback.format_exception_only(error)])


@final
class Checked:
    """A claim, checked in this process: its verdict by the evidence that ran, and the evidence that could not run."""

    def __init__(self, claim: str) -> None:
        from dtmodel.companion import verify

        self.report: Mapping[str, Any] = verify(claim, cached=False)["claims"][0]

    def _repr_html_(self) -> str:
        said, ran, left = self.report, list[str](), list[str]()
        for item in said["evidence"]:
            outcome = item["outcome"] or {"type": "it failed", "reason": item["fault"]}
            lines, words = (left, outcome["reason"]) if outcome.get("reason") else (ran, outcome["type"])
            lines.append(f"{item['function']}: {words}")
        verdict = f"<strong>{escape(said['verdict'])}</strong> ({escape(said['strength'] or 'nothing ran')})"
        recorded = f"; on record: {escape(recorded_verdict(said['id']))}"
        lists = (f"<p>{title}</p><ul>{''.join(f'<li>{escape(line)}</li>' for line in lines)}</ul>"
                 for title, lines in (("Ran in this page:", ran), ("Could not run here:", left)) if lines)  # fmt: skip
        return f"<p>Checked in this page: {verdict}{recorded}.</p>{''.join(lists)}"


@final
class Archives:
    """An import hook that fetches the archive of a package at its first import and unpacks it into `folder`.

    `fetch` writes an archive, by its name, into a file and returns its place; `packages` names the archives.
    """

    def __init__(self, fetch: Callable[[str], str], packages: dict[str, str], folder: str) -> None:
        self._fetch, self._packages, self._folder = fetch, packages, folder

    def take(self, package: str) -> bool:
        """Unpack the archive of a package; return False if there is none, or it is unpacked already."""
        archive = self._packages.get(package, "")
        if not archive:
            return False
        self._packages = {name: other for name, other in self._packages.items() if other != archive}
        place = Path(self._fetch(archive))
        with tarfile.open(place, "r|xz") as packed:
            packed.extractall(self._folder, filter="data")
        place.unlink()
        invalidate_caches()
        return True

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Find a module in an archive that is not yet unpacked."""
        return PathFinder.find_spec(name, path, target) if self.take(name.partition(".")[0]) else None


def start(fetch: Callable[[str], str], packages: str) -> Archives:
    """Begin after the heap is restored: new random numbers, and packages from archives."""
    random.seed()
    archives = Archives(fetch, json.loads(packages), str(Path(__file__).parents[2]))
    sys.meta_path.append(archives)
    return archives
