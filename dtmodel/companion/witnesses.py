"""Export of witnesses as certificates, which ``proofs/check_certificates.py`` verifies without the package."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from dtmodel.base.units import plain

_READINGS = {
    "losspass": ("intended", "literal", "mend-line4", "mend-line10", "mend-lines-4-10"),
    "dynaq": ("printed", "eligible", "unused"),
    "l2bm": ("literal",),
    "edt": ("circuit", "free-running"),
}
"""The readings of each algorithm that the checker supports, the default first (for DynaQ, readings of line 2)."""


def fluid_certificate(scenario: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the scenario with its exact trajectory; None if the checker does not support the policy.

    The trajectory is piecewise linear: ``times``, and one row of ``lengths`` for each time. Numbers are texts ``"p/q"``
    in bytes, seconds and bytes/s.
    """
    from dtmodel.fluid import run_scenario
    from dtmodel.fluid.scenario import Scenario

    read = Scenario.read(scenario)
    name = scenario["policy"]["name"]
    if name not in ("dt", "edt") or read.lumped:
        return None
    run = run_scenario(read, Fraction)
    times = sorted({*run.free.times, *(t for queue in run.queues for t in queue.breakpoints)})
    policy: dict[str, Any] = {"name": name}
    if name == "edt":
        policy |= {key: _plain(getattr(read.policy, key)) for key in ("cn2", "tm1", "tm2")}
    limits = read.policy.thresholds(len(read.queues))
    queues = [
        {
            "rate": plain(queue.rate),
            "alpha": None if limit is None else plain(limit.slope),
            "arrivals": [[plain(t), plain(R)] for t, R in zip(queue.arrivals.times, queue.arrivals.rates, strict=True)],
            "initial": "steady" if queue.initial is None else plain(queue.initial),
        }
        for queue, limit in zip(read.queues, limits, strict=True)
    ]
    return {
        "buffer": plain(read.switch.buffer),
        "policy": policy,
        "queues": queues,
        "until": plain(read.until),
        "sample": [plain(time) for time in read.sample],
        "times": [plain(time) for time in times],
        "lengths": [[plain(queue.at(time)) for queue in run.queues] for time in times],
    }


def _plain(value: Fraction | None) -> str | None:
    return None if value is None else plain(value)


def trace_certificate(request: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the request of a packet trace; None if the checker does not support the algorithm or the reading."""
    name = request["algorithm"]
    known = _READINGS.get(name, ())
    reading = request.get("victims" if name == "dynaq" else "reading", known[0] if known else None)
    bytes_only = request.get("count", "bytes") == "bytes"
    return {"request": dict(request)} if reading in known and bytes_only else None


EXPORTERS = {"fluid": fluid_certificate, "trace": trace_certificate}
"""The functions that write fluid and trace witnesses as certificates; values are exported unchanged."""
