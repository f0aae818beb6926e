"""The base class of the panels: it shows a panel as a Jupyter widget, as a picture, or as a page without Python.

One module of JavaScript draws; all numbers come from Python, on request or (a page) for a grid of slider values.
"""

from __future__ import annotations

import gzip
import json
from abc import ABC, abstractmethod
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from html import escape
from importlib.util import find_spec
from itertools import product
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dtmodel.base.documents import sequence, table
from dtmodel.base.errors import InputError, one_of
from dtmodel.base.files import whole_file
from dtmodel.lab.assets import asset

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from dtmodel.lab.setting import Slider

_MOST = 4000
"""The largest number of answers in a page."""

_AHEAD = 50
"""The largest number of requests in ``ahead``."""


class Panel(ABC):
    """A picture with sliders, drawn in the browser from exact numbers that Python sends.

    >>> from dtmodel import lab
    >>> [slider.name for slider in lab.packet_player("losspass").sliders]
    ['step']
    """

    kind: str
    """The name of the drawing in the JavaScript module."""
    title: str

    @property
    @abstractmethod
    def sliders(self) -> tuple[Slider, ...]:
        """The sliders with their values, in order."""

    @abstractmethod
    def values(self) -> dict[str, str]:
        """The initial values of the sliders, by name."""

    @abstractmethod
    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Compute the document that the browser draws for ``values`` of sliders in a `request`; or `InputError`."""

    @abstractmethod
    def figure(self) -> Figure:
        """Draw the panel at the initial values."""

    def start(self, movable: Sequence[str], *, live: bool) -> dict[str, Any]:
        """Describe the panel to the browser: its sliders, the `movable` ones, and `live`, True if Python answers."""
        sliders = [{"name": s.name, "label": s.label, "options": list(s.options)} for s in self.sliders]
        return {"kind": self.kind, "title": self.title, "sliders": sliders, "values": self.values(),
                "movable": list(movable), "live": live}  # fmt: skip

    def respond(self, request: object) -> dict[str, Any]:
        """Answer a `request`, or likely next ones (``ahead``), with its ``view`` and ``serial``, or an ``error``."""
        given = request if isinstance(request, Mapping) else {}
        try:
            soon = table(request, "request").get("ahead")
            made = self._answered(given) if soon is None else {"ahead": [*map(self._answered, _few(soon))]}
        except InputError as error:
            made = {"error": str(error)}
        return made | {"view": given.get("view"), "serial": given.get("serial")}

    def _answered(self, request: object) -> dict[str, Any]:
        try:
            return self.answer(table(request, "request"))
        except InputError as error:
            return {"error": str(error)}

    def widget(self) -> Any:
        """Return a new Jupyter widget that shows the panel; `ExtraError` if anywidget is not installed."""
        from dtmodel.base.extras import need

        need("anywidget")
        from dtmodel.lab.widget import PanelWidget

        return PanelWidget(self.start([slider.name for slider in self.sliders], live=True), self.respond)

    def page(self, over: Sequence[str], live: tuple[str, str] | None = None) -> str:
        """Return a page of HTML that runs without Python and network: sliders over a grid of answers, computed here.

        `over`: the names of the sliders that move on the page; the others keep their initial values. `live`: the place
        of ``python.js`` as seen from the page, and the name of the panel there; then all sliders move as soon as Python
        has started in the browser. Raises the errors of `recorded`.
        """
        start = self.start([slider.name for slider in self.sliders] if live else over, live=live is not None)
        first = {"over": list(over), "first": self.respond({})}
        data = ", ".join(map(script, (start, first, live)))
        module = f'\n{asset("lab.js")}\nplay(document.getElementById("panel"), {data});\n'
        allowed = b64encode(sha256(module.encode()).digest()).decode()
        scripts = f"'sha256-{allowed}'{_PYTHON if live else ''}"
        answers = script(self.recorded(over))
        if live:
            answers = b64encode(gzip.compress(answers.encode(), mtime=0)).decode()
        return _PAGE.format(
            title=escape(self.title), style=asset("lab.css"), script=module, scripts=scripts, answers=answers
        )

    def recorded(self, over: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Return the answers by values joined with a bar, for `over` as in `page`; `InputError` beyond 4,000 points."""
        known = {slider.name: slider for slider in self.sliders}
        for name in over:
            if name not in known:
                raise InputError("over", name, one_of(known, name))
        options = [known[name].options for name in over]
        if prod(map(len, options)) > _MOST:
            raise InputError("over", ", ".join(over), f"sliders with at most {_MOST} points together")
        return {
            "|".join(chosen): self._answered({"values": self.values() | dict(zip(over, chosen, strict=True))})
            for chosen in product(*options)
        }

    def save(self, path: str | Path, over: Sequence[str]) -> None:
        """Write the page into a file, `path` (see `page` for `over` and errors)."""
        page = self.page(over)
        with whole_file(Path(path)) as file:
            file.write(page.encode())

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """Return a picture (without matplotlib a page) for every viewer and, with anywidget, the widget."""
        shown: dict[str, Any] = {"text/plain": repr(self)} | self._picture()
        if find_spec("anywidget") is None:
            return shown
        bundle: dict[str, Any] = self.widget()._repr_mimebundle_()[0]
        return shown | bundle

    def _picture(self) -> dict[str, Any]:
        if find_spec("matplotlib") is None:
            frame = '<iframe title="{}" srcdoc="{}" style="width: 100%; height: 40em; border: 0"></iframe>'
            return {"text/html": frame.format(escape(self.title), escape(self.page(())))}
        from dtmodel.plot.picture import png_of

        return {"image/png": png_of(self.figure())}


def _few(requests: object) -> list[Any]:
    return sequence(requests, "ahead")[:_AHEAD]


def script(value: object) -> str:
    """Write JSON in which ``<`` is escaped, so that it cannot close the script element."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


_PYTHON = " 'self' blob: 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self'"
"""The end of a security policy under which Python runs in a worker of the page, and reaches no other host."""

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; style-src 'unsafe-inline'; script-src {scripts}">
<title>{title}</title>
<style>h1 {{ font-family: system-ui, sans-serif }} {style}</style>
</head>
<body>
<main id="panel"></main>
<script type="module" async>{script}</script>
<script type="text/plain" id="answers">{answers}</script>
</body>
</html>
"""
