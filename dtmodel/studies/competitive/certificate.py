"""Certificates of competitive ratios: a potential for each pair of states, and the worst arrivals."""

from typing import Any

from dtmodel.base import units
from dtmodel.policies.admission import ThresholdAdmission
from dtmodel.policies.harmonic import Harmonic
from dtmodel.policies.lqd import LQD
from dtmodel.policies.occamy import Occamy
from dtmodel.policies.policy import Policy
from dtmodel.policies.steps import Steps
from dtmodel.policies.threshold import Threshold
from dtmodel.studies.competitive.tables import PolicyTable
from dtmodel.studies.competitive.walks import Walk

FORMS: dict[type[Policy], str] = {LQD: "lqd", Harmonic: "harmonic", Occamy: "occamy", Steps: "steps"}
"""The policies without thresholds that the checker has, by their classes."""


def parts(table: PolicyTable, walk: Walk, potential: Any) -> dict[str, Any]:
    """Return the parts of a certificate that have an entry for each state or event."""
    wide = len(potential) // len(table.states)
    prefix, cycle = ([event and [event[0], int(event[1])] for event in events] for events in walk)
    return {
        "states": [list(lengths) for lengths, _ in table.states],
        "start": table.start,
        "arrive": [list(row) for row in table.arrive],
        "depart": list(table.depart),
        "potential": [potential[row : row + wide].tolist() for row in range(0, len(potential), wide)],
        "prefix": prefix,
        "cycle": cycle,
    }


def form(policy: Policy, ports: int, buffer: int) -> dict[str, Any]:
    """Return a policy as the checker reads it: its thresholds, its name, or its table alone."""
    admission = policy.admission(ports, buffer, lambda size: size)
    if isinstance(admission, ThresholdAdmission) and admission.memory is None:
        return {"form": "thresholds", "thresholds": [*map(_threshold, admission.thresholds)]}
    return {"form": FORMS[type(policy)], **policy.document()} if type(policy) in FORMS else {"form": "table"}


def _threshold(limit: Threshold | None) -> dict[str, str | None] | None:
    if limit is None:
        return None
    cap = None if limit.cap is None else units.plain(limit.cap)
    return {"slope": units.plain(limit.slope), "offset": units.plain(limit.offset), "cap": cap}
