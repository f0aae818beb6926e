"""Small fluid scenarios of DT and EDT, what the exact engine answers, and counterexamples made of them."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

from dtmodel import EDT, Arrivals, Switch, simulate
from dtmodel.fluid import answer
from dtmodel.ledger import Counterexample, Witness, check
from dtmodel.theory.edt import formulas
from dtmodel.theory.edt.drops import Bursts, EdtSettings
from dtmodel.theory.edt.varying_rates import Shared

from ..printed import names
from .figures.threshold_panels import THRESHOLD, Curve, Panel


def slopes(curve: Curve) -> list[Fraction]:
    """Return the slopes between the corners, with equal neighbours merged."""
    corners = list(zip(curve.times, curve.lengths, strict=True))
    steps = [(y - x) / (t - s) for (s, x), (t, y) in pairwise(corners)]
    return [step for i, step in enumerate(steps) if i == 0 or step != steps[i - 1]]


def meets(shown: Panel, label: str) -> Fraction:
    """Return the first corner at which a curve that starts below the threshold reaches it."""
    threshold, curve = shown.curve(THRESHOLD), shown.curve(label)
    return next(t for t in curve.times if curve.at(t) >= threshold.at(t))


Queue = dict[str, Any]


def burst(rate: str, end: str | None = None) -> Queue:
    """Return an empty queue that is offered `rate` from time 0 to `end`, or for ever."""
    return {"arrivals": [["0", rate], *([[end, "0"]] if end else [])]}


def steady(rate: str = "2") -> Queue:
    """Return a queue in steady state that is offered `rate`."""
    return {"arrivals": [["0", rate]], "initial": "steady"}


def dt(
    queues: Sequence[Queue], *, buffer: str, until: str, alpha: str = "1", sample: Sequence[str] = (), ports: int = 0
) -> dict[str, Any]:
    """Return a scenario of a DT switch whose ports send 1 byte each second."""
    return {
        "switch": {"ports": ports or len(queues), "buffer": buffer, "rate": "1"},
        "policy": {"name": "dt", "alpha": alpha},
        "queues": list(queues),
        "until": until,
        "sample": list(sample),
    }


def refutes(scenario: dict[str, Any], claimed: dict[str, Any], says: str) -> Counterexample:
    """Run a scenario; what the statement claims must not be what happens."""
    found = answer(scenario)
    expected = {key: found[key] for key in claimed}
    return Counterexample(Witness("fluid", scenario, expected, claimed, says))


def times(values: Sequence[Fraction | None]) -> list[str | None]:
    """Write drop times as the engine does."""
    return [None if value is None else str(value) for value in values]


Number = int | Fraction | str
Pieces = Sequence[tuple[Number, Number]]
ONE_SIXTH: Mapping[str, Number] = {"alpha": 1, "buffer": 6, "rate": 1}
"""The small switch of the witnesses: with one steady port its queue is 3, and bursts are slow up to a rate of 3."""


def pieces(rates: Pieces) -> list[list[str]]:
    """Write arrivals as a scenario has them."""
    return [[str(time), str(rate)] for time, rate in rates]


def scenario(
    bursts: Sequence[Pieces],
    steady: Sequence[Pieces] = (),
    *,
    switch: Mapping[str, Number] = ONE_SIXTH,
    until: Number = 9,
    sample: Sequence[Number] = (),
    policy: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Ports with bursts, empty at time 0, then ports in steady state; DT unless a policy is given."""
    queues: list[dict[str, Any]] = [{"arrivals": pieces(each)} for each in bursts]
    queues += [{"arrivals": pieces(each), "initial": "steady"} for each in steady]
    return {
        "switch": {"ports": len(queues), "buffer": str(switch["buffer"]), "rate": str(switch["rate"])},
        "policy": {"name": "dt", "alpha": str(switch["alpha"]), **(policy or {})},
        "queues": queues,
        "until": str(until),
        "sample": [str(time) for time in sample],
    }


def against(request: Mapping[str, Any], claimed: Mapping[str, Any], says: str) -> Counterexample:
    """Return the counterexample in which the engine's answer differs from what is claimed."""
    found = answer(request)
    expected = {key: found[key] for key in claimed}
    check(expected != dict(claimed), f"the engine agrees with what is claimed: {claimed}")
    return Counterexample(Witness("fluid", request, expected, dict(claimed), says), says)


F = Fraction


def rounds_to(value: Fraction | float, quoted: str) -> bool:
    """Whether a number lies in the rounding interval of a quoted decimal."""
    return names(quoted, value)


SIXTEEN: dict[str, Number] = {"alpha": 1, "buffer": 16, "rate": 1}
EIGHT: dict[str, Number] = {"alpha": 1, "buffer": 8, "rate": 1}
SIX: dict[str, Number] = {"alpha": 1, "buffer": 6, "rate": 1}
STEADY: Pieces = [(0, 2)]
BUSY: Pieces = [(0, 9)]


def edt(cn2: Number, tm1: Number | None = None, tm2: Number | None = None) -> dict[str, Any]:
    timers = {key: None if value is None else str(value) for key, value in (("tm1", tm1), ("tm2", tm2))}
    return {"name": "edt", "cn2": str(cn2), **timers}


def as_printed(alpha: Number, buffer: Number, ports: int) -> dict[str, Any]:
    """EDT as Section 4 sets it for C = 1: cn2 by (73), TM1 by (78), TM2 = d = B / C."""
    weight, d = F(alpha), F(buffer)
    return edt(formulas.cn2_paper(weight, d, ports), formulas.tm1_paper(weight, ports, d), d)


GRID = [
    Bursts(alpha, F(12), F(1), M, N, R)
    for alpha, M, N, R in product((F(1, 2), F(1), F(2)), (1, 2, 3), (0, 1, 2), (F(3, 2), F(2), F(4)))
]


def engine(s: Bursts, settings: EdtSettings, duration: Fraction | None, until: Fraction) -> Any:
    arrivals = Arrivals.constant(s.R) if duration is None else Arrivals.burst(s.R, duration)
    offered = dict.fromkeys(range(s.M), arrivals) | dict.fromkeys(range(s.M, s.M + s.N), Arrivals.constant(20))
    policy = EDT(s.alpha, settings.cn2, settings.tm1, settings.tm2)
    steady = dict.fromkeys(range(s.M, s.M + s.N), "steady")
    return simulate(Switch(s.M + s.N, s.B, s.C), policy, offered, until=until, initial=steady)


SHARED = Shared(F(1), F(6), F(1), 1)


def fractions(rates: Pieces) -> list[tuple[Fraction, Fraction]]:
    return [(F(time), F(rate)) for time, rate in rates]
