"""What a run of the fluid model shows of Theorems 4 and 5: the symbols' values, and when the first byte was lost."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from dtmodel.errors import InputError
from dtmodel.policies import EDT
from dtmodel.theory.dt import formulas as dt_formulas
from dtmodel.theory.dt.runs import Seen, one_alpha, read_bursts
from dtmodel.theory.edt.varying_rates import Pieces, Shared

__all__ = ["any_arrivals", "bursts_in_phases", "bursts_under_edt"]


def bursts_under_edt(run: Any) -> Seen:
    """Read a run under EDT, whose timers never expire, as bursts of one rate, and when the first byte was lost.

    Raises
    ------
    InputError
        If the run is none of lasting bursts of one rate at empty ports beside steady ones, under such an EDT.
    """
    policy = run.scenario.policy
    if (
        not isinstance(policy, EDT)
        or not isinstance(policy.alpha, Fraction)
        or (policy.tm1, policy.tm2) != (None, None)
    ):
        raise InputError("run", str(policy), "a run under EDT with one alpha and timers that never expire")
    values, bursts = read_bursts(run, policy.alpha)
    rates = {rate for _, rate in bursts}
    if len(rates) != 1:
        raise InputError("run", f"bursts of {len(rates)} rates", "bursts of one rate")
    first = min(run.first_drop(index) for index, _ in bursts)
    return [({**values, "M": len(bursts), "R": rates.pop(), "c_n2": policy.cn2}, {"first_loss": first})]


def any_arrivals(run: Any) -> Seen:
    """Read a run under DT as bursts of any arrivals beside steady ports, and what was lost first.

    Raises
    ------
    InputError
        If the run is none of bursts at empty ports beside steady ones that are all offered the same, under DT.
    """
    shared, bursts = _read(run)
    return [({"shared": shared, "bursts": [pieces for _, pieces in bursts], "until": run.until}, _first(run, bursts))]


def bursts_in_phases(run: Any) -> Seen:
    """Read a run under DT as bursts of one rate R(t) in the phases of (42), and what was lost first.

    Raises
    ------
    InputError
        If the run is none of bursts of one R(t) at empty ports beside steady ones that are all offered the same.
    """
    shared, bursts = _read(run)
    rate = list(bursts[0][1])
    if any(list(pieces) != rate for _, pieces in bursts):
        raise InputError("run", "bursts of several R(t)", "bursts of one R(t)")
    bound = dt_formulas.rate_bound(shared.alpha, shared.C, len(bursts), shared.N)
    end = next((time for time, value in reversed(rate) if not value), run.until) if not rate[-1][1] else run.until
    fast = next((time for time, value in rate if value > bound), end)
    slow = next((time for time, value in rate if time > fast and value <= bound), end)
    values = {"shared": shared, "M": len(bursts), "rate": rate, "ends": (min(fast, end), min(slow, end), end)}
    return [(values, _first(run, bursts))]


def _first(run: Any, bursts: list[tuple[int, Pieces]]) -> dict[str, Any]:
    found = [(run.first_drop(index), run.free_at_first_drop(index)) for index, _ in bursts]
    return dict(
        zip(("time", "free"), min((drop for drop in found if drop[0] is not None), default=(None, None)), strict=True)
    )


def _read(run: Any) -> tuple[Shared, list[tuple[int, Pieces]]]:
    scenario, alpha = run.scenario, one_alpha(run)
    offered: set[Pieces] = set()
    bursts: list[tuple[int, Pieces]] = []
    for index, queue in enumerate(scenario.queues):
        pieces = tuple(zip(queue.arrivals.times, queue.arrivals.rates, strict=True))
        if queue.rate != scenario.switch.rate or queue.count != 1:
            raise InputError(f"queues[{index}]", "another rate, or several ports", "one port of rate C")
        if queue.initial is None:
            offered.add(pieces)
        elif queue.initial:
            raise InputError(f"queues[{index}].initial", queue.initial, "0, or steady")
        elif pieces:
            bursts.append((index, pieces))
    if len(offered) > 1 or not bursts:
        raise InputError(
            "run", f"{len(bursts)} bursts, {len(offered)} kinds of steady ports", "bursts, and steady ports alike"
        )
    steady = sum(queue.initial is None for queue in scenario.queues)
    background = offered.pop() if offered else None
    return Shared(alpha, scenario.switch.buffer, scenario.switch.rate, steady, background), bursts
