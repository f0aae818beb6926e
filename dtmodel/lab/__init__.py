"""Interactive panels for the theorems, drawn in the browser from exact numbers, and sliders over figures.

In Jupyter a panel is a widget (this needs anywidget, from the extra ``lab``); elsewhere it is a picture. The
method ``page`` of a panel returns a page of HTML that runs without Python.

- ``switch`` is the switch, by default 16 ports of 1 Gbps that share 1 MB; ``alpha`` is the control parameter.
- ``steady`` is the number N of steady ports, ``bursts`` the number M of bursts that reach empty ports at time 0.
- ``policy`` is the policy with which packets are admitted, ``ports`` and ``buffer`` (in packets) are its switch.
- ``burst_rate`` and ``duration`` are those of the first burst; by default 2 C and 3/4 of B / C.
"""

from dtmodel.lab.course import exercises
from dtmodel.lab.designer import edt_designer
from dtmodel.lab.drawing import best_of, curves
from dtmodel.lab.dynaq_port import held_after_waking, held_when_refused, steps_of, threshold_history
from dtmodel.lab.errata import Errata, errata
from dtmodel.lab.exercises import Exercise, Exercises, check_answers
from dtmodel.lab.explorer import threshold_explorer
from dtmodel.lab.game import adversary
from dtmodel.lab.panel import Panel
from dtmodel.lab.player import packet_player
from dtmodel.lab.setting import Slider
from dtmodel.lab.sliders import sliders

__all__ = ["Errata", "Exercise", "Exercises", "Panel", "Slider", "adversary", "best_of", "check_answers", "curves",
           "edt_designer", "errata", "exercises", "held_after_waking", "held_when_refused", "packet_player", "sliders",
           "steps_of", "threshold_explorer", "threshold_history"]  # fmt: skip
