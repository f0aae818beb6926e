"""Pictures of fluid runs, and the one style of all pictures (`dtmodel.plot.style`)."""

from dtmodel.plot.curves import FreeCurve, QueueCurve, RunCurves
from dtmodel.plot.runs import policy_panels, run

__all__ = ["FreeCurve", "QueueCurve", "RunCurves", "policy_panels", "run"]
