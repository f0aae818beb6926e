"""The parts of a sweep: its axes, the measures at each point of their grid, and the chunks of the grid."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

from dtmodel.base import budgets, units
from dtmodel.base.documents import choice, only_version_1, table
from dtmodel.base.errors import InputError
from dtmodel.studies.sweeps.axes import Axis

if TYPE_CHECKING:
    from dtmodel.fluid.simulation import Arithmetic


@dataclass(frozen=True)
class Measure:
    """A measure at each point of a sweep.

    `name`, `unit`, `says`: its name, its unit (empty if none) and its description. `kind` ({"number", "float",
    "bool"}): a number is exact in an exact sweep; a float never is. `along`: further dimensions of each value, each
    with its name, coordinates and unit. `about`: further attributes.
    """

    name: str
    unit: str
    says: str
    kind: str = "number"
    along: tuple[tuple[str, tuple[float, ...], str], ...] = ()
    about: tuple[tuple[str, Any], ...] = ()

    @property
    def size(self) -> int:
        """The number of values at a point."""
        return prod(len(coordinates) for _, coordinates, _ in self.along)


@dataclass(frozen=True)
class Settings:
    """The document, axes, arithmetic ("float" or "exact") and chunk size in points of a sweep."""

    document: Mapping[str, Any]
    axes: tuple[Axis, ...]
    arithmetic: Arithmetic
    chunk: int


@dataclass(frozen=True)
class Plan(ABC):
    """A sweep that is ready to run; points count from 0, and the last axis varies fastest."""

    settings: Settings

    @property
    @abstractmethod
    def measures(self) -> tuple[Measure, ...]:
        """The measures at each point."""

    @property
    @abstractmethod
    def worth(self) -> int:
        """The number of points that justifies a process of their own: about a tenth of a second of work, by count.

        A process costs about as much: its fork, its caches, and its end.
        """

    @abstractmethod
    def compute(self, begin: int, end: int) -> dict[str, Any]:
        """Return the values of each measure at the points from `begin` to `end`, in order."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of values of each axis."""
        return tuple(len(axis.values) for axis in self.settings.axes)

    @property
    def points(self) -> int:
        """The number of points."""
        return prod(self.shape)

    @property
    def chunks(self) -> list[range]:
        """The points of each chunk."""
        size = self.settings.chunk
        return [range(begin, min(begin + size, self.points)) for begin in range(0, self.points, size)]

    def places(self, point: int) -> list[tuple[Axis, int]]:
        """Return each axis with the index of a point on it."""
        axes, shape = self.settings.axes, self.shape
        return [(axis, point // prod(shape[k + 1 :]) % shape[k]) for k, axis in enumerate(axes)]

    def where(self, point: int) -> str:
        """Name a point, for errors."""
        at = ", ".join(f"{axis.name} = {axis.coordinates[place]}" for axis, place in self.places(point))
        return f"at {at}" if at else "scenario"


def read_settings(document: Mapping[str, Any], axes: tuple[Axis, ...], chunk: Mapping[str, int]) -> Settings:
    """Read the settings of a sweep; `chunk` is the default chunk size in each arithmetic.

    Raises `InputError` if a value is not accepted, and `BudgetError` if there are more points than the budget allows.

    >>> read_settings({"chunk": 7}, (), {"float": 100}).chunk
    7
    """
    only_version_1(document)
    names = [axis.name for axis in axes]
    for name in names:
        if names.count(name) > 1 or name in ("queue", "time", "point"):
            raise InputError(f"axes.{name}", name, "a name of its own that is not queue, time or point")
    arithmetic: Any = choice(document.get("arithmetic", "float"), "arithmetic", ("exact", "float"))
    size = units.count(document.get("chunk", chunk[arithmetic]), "chunk", least=1)
    budgets.keep_within("points", prod(len(axis.values) for axis in axes), "axes")
    return Settings(table(document, "sweep"), axes, arithmetic, size)
