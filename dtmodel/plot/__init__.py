"""Pictures of fluid runs, and the one style of all pictures (`dtmodel.plot.style`)."""

from dtmodel.plot.curves import FreeCurve, QueueCurve, RunCurves
from dtmodel.plot.runs import length_points, lost_points, policy_panels, run, threshold_pieces

__all__ = [
    "FreeCurve",
    "QueueCurve",
    "RunCurves",
    "length_points",
    "lost_points",
    "policy_panels",
    "run",
    "threshold_pieces",
]
