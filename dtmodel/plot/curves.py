"""The parts of a fluid run that a picture reads; `dtmodel.Run` has them.

- ``time`` and ``until`` are instants in seconds, ``index`` counts queues from 0.
"""

from collections.abc import Sequence
from typing import Any, Protocol


class FreeCurve(Protocol):
    """The free buffer as a continuous, piecewise linear function of time.

    >>> from dtmodel.fluid import FreeBuffer
    >>> curve: FreeCurve = FreeBuffer([0, 2], [6, 2])
    >>> curve.times
    [0, 2]
    """

    @property
    def times(self) -> Sequence[Any]:
        """The instants in seconds at which the slope may change."""

    @property
    def values(self) -> Sequence[Any]:
        """The free bytes at these instants."""

    def at(self, time: Any, /) -> Any:
        """Return the free bytes at an instant."""


class QueueCurve(Protocol):
    """The trajectory of one queue.

    >>> from dtmodel import DT, Arrivals, Switch, simulate
    >>> curve: QueueCurve = simulate(Switch(1, 6, 1), DT(1), {0: Arrivals.constant(3)}, until=4).queue(0)
    >>> str(curve.first_drop)
    '3/2'
    """

    @property
    def segments(self) -> Sequence[Any]:
        """The segments of the length, each with the `length` at its begin."""

    @property
    def breakpoints(self) -> Sequence[Any]:
        """The instants between which the length is linear, from 0 to the end of the run."""

    @property
    def limits(self) -> Sequence[Any]:
        """The pieces of the threshold, each as (first instant, slope in F, offset)."""

    @property
    def free(self) -> FreeCurve:
        """The free buffer that the threshold follows."""

    @property
    def first_drop(self) -> Any:
        """The instant of the first drop; None if the queue loses nothing."""

    def at(self, time: Any, /) -> Any:
        """Return the length in bytes at an instant."""

    def dropped(self, until: Any, /) -> Any:
        """Return the bytes lost up to an instant."""


class RunCurves(Protocol):
    """The trajectories of a finished run, from time 0 to `until`.

    >>> from dtmodel import DT, Arrivals, Switch, simulate
    >>> curves: RunCurves = simulate(Switch(1, 6, 1), DT(1), {0: Arrivals.constant(3)}, until=4)
    >>> str(curves.until)
    '4'
    """

    @property
    def free(self) -> FreeCurve:
        """The trajectory of the free buffer."""

    @property
    def queues(self) -> Sequence[QueueCurve]:
        """The queues in order."""

    @property
    def until(self) -> Any:
        """The end of the run in seconds."""

    def queue(self, index: int, /) -> QueueCurve:
        """Return a queue by its index."""
