"""The compiled reference of the benchmarks (`reference.cpp`): built when asked, and given scenarios as plain arrays."""

import ctypes
import subprocess
from array import array
from collections.abc import Sequence
from itertools import accumulate
from math import inf, isnan
from pathlib import Path
from typing import Any, final

from dtmodel.fluid.scenario import Scenario
from dtmodel.policies import EDT, CompleteSharing
from dtmodel.policies.threshold import Threshold
from hatch_build import compiler

SOURCE = Path(__file__).with_name("reference.cpp")
FLAGS = ("-std=c++17", "-O3", "-fPIC", "-shared", "-Wall", "-Wextra")
MOST = 10_000_000
"""The largest number of events of one run."""


def built() -> ctypes.CDLL | None:
    """Return the reference, compiled if its source is newer; None without a compiler."""
    library = SOURCE.parents[1] / "build" / "reference.library"
    if not (cxx := compiler()):
        return None
    if not library.exists() or library.stat().st_mtime < SOURCE.stat().st_mtime:
        library.parent.mkdir(exist_ok=True)
        subprocess.run([cxx, *FLAGS, str(SOURCE), "-o", str(library)], check=True)
    made = ctypes.CDLL(str(library))
    made.reference_run.restype = ctypes.c_int64
    return made


@final
class Reference:
    """Scenarios in plain arrays, for one call of the reference; each policy has one part of the buffer.

    `library`: what `built` returns. `scenarios`: scenarios under thresholds T = r + min(a F + b, cap), EDT, or complete
    sharing.
    """

    def __init__(self, library: ctypes.CDLL, scenarios: Sequence[Scenario]) -> None:
        self._library, self._count = library, len(scenarios)
        queues = [rows_of(scenario) for scenario in scenarios]
        self._begins = array("q", [0, *accumulate(map(len, queues))])
        pieces = [queue.arrivals for scenario in scenarios for queue in scenario.queues]
        columns: list[Any] = [
            array("q", [0, *accumulate(len(each.times) for each in pieces)]),
            array("i", map(kind_of, scenarios)),
            array("d", [number for scenario in scenarios for number in numbers_of(scenario)]),
            array("d", [number for rows in queues for row in rows for number in row]),
            array("d", [float(time) for each in pieces for time in each.times]),
            array("d", [float(rate) for each in pieces for rate in each.rates]),
        ]
        self.first, self.dropped, self.length = (array("d", bytes(8 * self._begins[-1])) for _ in range(3))
        self._arrays = [self._begins, *columns, self.first, self.dropped, self.length]

    def run(self) -> int:
        """Run all scenarios, and return the number of events."""
        given: list[Any] = [ctypes.c_int64(self._count), ctypes.c_int64(MOST)]
        given += [ctypes.c_void_p(each.buffer_info()[0]) for each in self._arrays]
        events = int(self._library.reference_run(*given))
        if events < 0:
            raise ArithmeticError("the reference does not come to the end of a run")
        return events

    def answer(self, scenario: int) -> list[tuple[float | None, float, float]]:
        """Return the first drop (None without one), the dropped bytes and the last length of each queue."""
        own = range(*self._begins[scenario : scenario + 2])
        return [(None if isnan(self.first[i]) else self.first[i], self.dropped[i], self.length[i]) for i in own]


def kind_of(scenario: Scenario) -> int:
    """Return the reference's number of a policy."""
    return {EDT: 1, CompleteSharing: 2}.get(type(scenario.policy), 0)


def numbers_of(scenario: Scenario) -> list[float]:
    """Return the size of the buffer, EDT's settings, and the end of the run."""
    policy, (part,) = scenario.policy, scenario.policy.parts(scenario.switch.buffer, len(scenario.queues))
    settings = (policy.cn2, policy.tm1, policy.tm2) if isinstance(policy, EDT) else (1, None, None)
    timed = [inf if each is None else float(each) for each in settings]
    return [float(part.size), *timed, float(scenario.until)]


def rows_of(scenario: Scenario) -> list[list[float]]:
    """Return rate, slope, offset, cap, reserve and length at time 0 of each queue."""
    n, buffer = len(scenario.queues), scenario.switch.buffer
    (part,), limits = scenario.policy.parts(buffer, n), scenario.policy.thresholds(n)
    rows = []
    for place, queue in enumerate(scenario.queues):
        limit, reserve = limits[place] or Threshold(buffer), part.reserves[place] if part.reserves else buffer * 0
        cap = inf if limit.cap is None else float(limit.cap - reserve)
        own = (limit.slope, limit.offset - reserve)
        rows.append([float(queue.rate), *map(float, own), cap, float(reserve), float(scenario.lengths[place])])
    return rows
