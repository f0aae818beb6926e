"""The bridge to Jupyter: a widget that hands what the browser asks to a panel, and its answer back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from dtmodel.lab.panel import _asset

if TYPE_CHECKING:
    from dtmodel.lab.panel import Panel

__all__ = ["PanelWidget"]


class PanelWidget(anywidget.AnyWidget):
    """A panel in Jupyter.

    Parameters
    ----------
    panel : Panel
        What answers.
    """

    _esm = _asset("lab.js")
    _css = _asset("lab.css")

    start = traitlets.Dict().tag(sync=True)
    asked = traitlets.Dict().tag(sync=True)
    answer = traitlets.Dict().tag(sync=True)

    def __init__(self, panel: Panel) -> None:
        names = [slider.name for slider in panel.sliders]
        super().__init__(start=panel.start(names, live=True), answer=panel.respond({}))
        self._panel = panel
        self.observe(self._asked, names="asked")

    def _asked(self, change: Any) -> None:
        self.answer = self._panel.respond(change["new"])
