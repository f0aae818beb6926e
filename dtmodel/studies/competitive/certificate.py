"""Certificates of competitive ratios: a potential for each pair of states, and the worst arrivals."""

from dataclasses import dataclass
from typing import Any, final

from dtmodel.base import units
from dtmodel.policies.admission import ThresholdAdmission
from dtmodel.policies.harmonic import Harmonic
from dtmodel.policies.lqd import LQD
from dtmodel.policies.occamy import Occamy
from dtmodel.policies.policy import Policy
from dtmodel.policies.steps import Steps
from dtmodel.policies.threshold import Threshold
from dtmodel.studies.competitive.search import Event
from dtmodel.studies.competitive.tables import PolicyTable
from dtmodel.studies.competitive.walks import Walk

FORMS: dict[type[Policy], str] = {LQD: "lqd", Harmonic: "harmonic", Occamy: "occamy", Steps: "steps"}
"""The policies without thresholds that the checker has, by their classes."""


@final
@dataclass(frozen=True, eq=False)
class Proof:
    """The table of the policy, the worst walk and the potentials, of which a certificate is made."""

    table: PolicyTable
    walk: Walk
    potential: Any

    def parts(self) -> dict[str, Any]:
        """Return the parts of a certificate that have an entry for each state or event."""
        wide = len(self.potential) // len(self.table.states)
        return {
            "states": [list(lengths) for lengths, _ in self.table.states],
            "start": self.table.start,
            "arrive": [list(row) for row in self.table.arrive],
            "depart": list(self.table.depart),
            "potential": [self.potential[row : row + wide].tolist() for row in range(0, len(self.potential), wide)],
            "prefix": [*map(_event, self.walk.prefix)],
            "cycle": [*map(_event, self.walk.cycle)],
        }


def form(policy: Policy, ports: int, buffer: int) -> dict[str, Any]:
    """Return a policy as the checker reads it: its thresholds, its name, or its table alone.

    >>> from dtmodel import DT
    >>> form(DT(2), ports=1, buffer=4)
    {'form': 'thresholds', 'thresholds': [{'slope': '2', 'offset': '0', 'cap': None}]}
    """
    admission = policy.admission(ports, buffer, lambda size: size)
    if isinstance(admission, ThresholdAdmission) and admission.memory is None:
        return {"form": "thresholds", "thresholds": [*map(_threshold, admission.thresholds)]}
    return {"form": FORMS[type(policy)], **policy.document()} if type(policy) in FORMS else {"form": "table"}


def _threshold(limit: Threshold | None) -> dict[str, str | None] | None:
    if limit is None:
        return None
    cap = None if limit.cap is None else units.plain(limit.cap)
    return {"slope": units.plain(limit.slope), "offset": units.plain(limit.offset), "cap": cap}


def _event(event: Event) -> list[int] | None:
    return None if event is None else [event[0], int(event[1])]
