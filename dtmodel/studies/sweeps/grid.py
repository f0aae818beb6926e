"""The scenario at each point of a sweep of fluid scenarios."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dtmodel.base import units
from dtmodel.base.documents import sequence
from dtmodel.base.errors import MISSING, InputError
from dtmodel.fluid.scenario import Scenario
from dtmodel.studies.sweeps.axes import put, steps
from dtmodel.studies.sweeps.plan import Plan
from dtmodel.studies.sweeps.traffic import on_off


@dataclass(frozen=True)
class ScenarioGrid(Plan):
    """A grid of scenarios.

    `tree`: the scenario as a document, with the seed and all policies of the sweep. `asked`: the names of the
    measures. `queues`: the queues that are measured. `sample`: the times at which lengths are measured.
    """

    tree: Mapping[str, Any]
    asked: tuple[str, ...]
    queues: tuple[int, ...]
    sample: tuple[Fraction, ...]

    def scenario(self, point: int) -> Scenario:
        """Return the scenario at a point."""
        return self.made([axis.values[place] for axis, place in self.places(point)])

    def made(self, values: Sequence[Any]) -> Scenario:
        """Return the scenario with one value for each axis."""
        return Scenario.read(self.document(values))

    def document(self, values: Sequence[Any]) -> dict[str, Any]:
        """Return the document of the scenario with one value for each axis."""
        tree: Any = self.tree
        for axis, value in zip(self.settings.axes, values, strict=True):
            for place in axis.places:
                try:
                    tree = put(tree, steps(place), value)
                except LookupError as error:
                    raise InputError(f"axes.{axis.name}.set", place, "a place in the scenario") from error
        seed = units.count(tree["seed"], "seed")
        content = {key: item for key, item in tree.items() if key not in ("seed", "policies")}
        if tree["policies"]:
            content["policy"] = tree["policies"][content["policy"]]
        until = units.seconds(content.get("until", MISSING), "until", positive=True)
        content["queues"] = [
            {**queue, "arrivals": on_off(queue["arrivals"], seed, index, until, f"queues[{index}].arrivals")}
            if isinstance(queue, Mapping) and isinstance(queue.get("arrivals"), Mapping)
            else queue
            for index, queue in enumerate(sequence(content["queues"], "queues"))
        ]
        return content
