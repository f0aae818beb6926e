"""The bridge to Jupyter: a widget that hands what the browser asks to a panel, and its answer back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from dtmodel.lab.assets import asset

if TYPE_CHECKING:
    from dtmodel.lab.panel import Panel


class PanelWidget(anywidget.AnyWidget):
    """A panel in Jupyter.

    `panel`: what answers.

    >>> from dtmodel import lab
    >>> PanelWidget(lab.packet_player("losspass")).start["kind"]
    'player'
    """

    _esm = asset("lab.js")
    _css = asset("lab.css")

    start = traitlets.Dict().tag(sync=True)
    answer = traitlets.Dict().tag(sync=True)

    def __init__(self, panel: Panel) -> None:
        names = [slider.name for slider in panel.sliders]
        super().__init__(start=panel.start(names, live=True), answer=panel.respond({}))
        self._panel = panel
        self.on_msg(self._asked)

    def _asked(self, _widget: Any, request: Any, _buffers: Any) -> None:
        self.send(self._panel.respond(request))
