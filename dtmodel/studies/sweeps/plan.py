"""What a sweep is: its axes, what is measured at each point of their grid, and how the grid is cut into chunks."""

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
    """What is measured at a point.

    `name`, `unit`, `says`: its name, its unit (empty: none) and what it is, in words. `kind` ({"number", "float",
    "bool"}): a number is exact in an exact sweep; a float never is. `along` (tuple of (str, tuple, str)): further
    dimensions of each value: a name, coordinates and their unit. `about` (tuple of (str, object)): further attributes.

    >>> Measure("first_drop", "s", "when the first byte is lost").kind
    'number'
    """

    name: str
    unit: str
    says: str
    kind: str = "number"
    along: tuple[tuple[str, tuple[float, ...], str], ...] = ()
    about: tuple[tuple[str, Any], ...] = ()

    @property
    def size(self) -> int:
        """How many values it has at a point."""
        return prod(len(coordinates) for _, coordinates, _ in self.along)


@dataclass(frozen=True)
class Settings:
    """What every sweep has: its document, axes, arithmetic, and how many points a chunk holds.

    `document`: of the sweep. `axes`: in order. `arithmetic` ({"float", "exact"}): in which it is computed. `chunk`: how
    many points.

    >>> read_settings({}, (), {"float": 100}).chunk
    100
    """

    document: Mapping[str, Any]
    axes: tuple[Axis, ...]
    arithmetic: Arithmetic
    chunk: int


@dataclass(frozen=True)
class Plan(ABC):
    """A sweep that is ready to run; points count from 0, the last axis first."""

    settings: Settings

    @property
    @abstractmethod
    def measures(self) -> tuple[Measure, ...]:
        """What is measured at each point."""

    @property
    @abstractmethod
    def worth(self) -> int:
        """How many points are worth a process of their own: about a tenth of a second of work, counted and not timed.

        What a process costs (it is copied, makes again what points share, is waited for) is about as much.
        """

    @abstractmethod
    def compute(self, begin: int, end: int) -> dict[str, Any]:
        """Return the values of each measure at the points from `begin` to `end`, one after the other."""

    @property
    def shape(self) -> tuple[int, ...]:
        """How many values each axis has."""
        return tuple(len(axis.values) for axis in self.settings.axes)

    @property
    def points(self) -> int:
        """How many points there are."""
        return prod(self.shape)

    @property
    def chunks(self) -> list[range]:
        """The points of each chunk."""
        size = self.settings.chunk
        return [range(begin, min(begin + size, self.points)) for begin in range(0, self.points, size)]

    def places(self, point: int) -> tuple[int, ...]:
        """Return where a point lies on each axis."""
        found = []
        for size in reversed(self.shape):
            point, place = divmod(point, size)
            found.append(place)
        return tuple(reversed(found))

    def where(self, point: int) -> str:
        """Name a point, for errors."""
        at = zip(self.settings.axes, self.places(point), strict=True)
        return "at " + ", ".join(f"{axis.name} = {axis.coordinates[place]}" for axis, place in at)


def read_settings(document: Mapping[str, Any], axes: tuple[Axis, ...], chunk: Mapping[str, int]) -> Settings:
    """Read what every sweep has; `chunk` is its size in each arithmetic, unless the document says otherwise.

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
