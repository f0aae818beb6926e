"""The Jupyter widget of a panel, through which the browser sends requests to Python and receives the answers."""

from collections.abc import Callable, Mapping
from typing import Any

import anywidget
import traitlets

from dtmodel.lab.assets import asset


class PanelWidget(anywidget.AnyWidget):
    """A panel in Jupyter: `start` describes it and its sliders, `respond` computes the answer to a request.

    >>> PanelWidget({"kind": "player"}, lambda request: {"values": request}).answer
    {'values': {}}
    """

    _esm = asset("lab.js")
    _css = asset("lab.css")

    start = traitlets.Dict().tag(sync=True)
    answer = traitlets.Dict().tag(sync=True)

    def __init__(self, start: Mapping[str, Any], respond: Callable[[object], dict[str, Any]]) -> None:
        super().__init__(start=dict(start), answer=respond({}))
        self._respond = respond
        self.on_msg(self._asked)

    def _asked(self, _widget: Any, request: Any, _buffers: Any) -> None:
        self.send(self._respond(request))
