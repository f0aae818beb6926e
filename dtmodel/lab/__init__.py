"""Interactive panels for the theorems, drawn in the browser from exact numbers, and sliders over figures.

In Jupyter a panel is a widget (this needs anywidget, from the extra ``lab``); elsewhere it is a picture.
"""

from dtmodel.lab.course import exercises
from dtmodel.lab.designer import EdtDesigner, edt_designer
from dtmodel.lab.errata import Errata, errata
from dtmodel.lab.exercises import Exercise, Exercises, check_answers
from dtmodel.lab.explorer import ThresholdExplorer, threshold_explorer
from dtmodel.lab.player import PacketPlayer, packet_player
from dtmodel.lab.sliders import sliders

__all__ = [
    "EdtDesigner",
    "Errata",
    "Exercise",
    "Exercises",
    "PacketPlayer",
    "ThresholdExplorer",
    "check_answers",
    "edt_designer",
    "errata",
    "exercises",
    "packet_player",
    "sliders",
    "threshold_explorer",
]
