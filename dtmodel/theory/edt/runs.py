"""Values of the symbols of Theorems 4 and 5 in a run of the fluid model, and the time of the first loss."""

from fractions import Fraction
from math import inf
from typing import Any

from dtmodel.base.errors import InputError
from dtmodel.theorems.quantities import Pieces
from dtmodel.theory.dt import formulas as dt_formulas
from dtmodel.theory.dt.runs import Seen, alike, of_one_rate, one_alpha
from dtmodel.theory.edt import formulas


def bursts_under_edt(run: Any) -> Seen:
    """Read a run under EDT without timeouts: the symbols of bursts of one rate, and the time of the first loss."""
    policy, queues = run.scenario.policy, len(run.scenario.queues)
    form = policy.form(policy.parts(run.scenario.switch.buffer, queues)[0])
    alphas = {limit.slope for limit in policy.thresholds(queues) if limit is not None}
    if form is None or (form.name, form.tm1, form.tm2) != ("counters", inf, inf) or len(alphas) != 1:
        raise InputError("run", str(policy), "a run under EDT with one alpha and timers that never expire")
    values, bursts = of_one_rate(run, alphas.pop())
    first = min(run.first_drop(index) for index in bursts)
    return [({**values, "c_n2": form.cn2}, {"first_drop": first})]


def bursts_that_overflow(run: Any) -> Seen:
    """Read a run as `bursts_under_edt` does: the symbols of Theorem 5 as printed, and the first loss."""
    ((values, seen),) = bursts_under_edt(run)
    return [({name: value for name, value in values.items() if name not in ("alpha", "c_n2")}, seen)]


def growth_until_drop(run: Any) -> Seen:
    """Read a run under DT as bursts of one rate: the count of C2 when the first byte is lost."""
    values, index = alike(run)
    return [(values, {"c_n2": run.queue(index).at(run.first_drop(index))})]


def slowest_growth(run: Any) -> Seen:
    """Read a run under DT with traffic at all P ports: the growth rate of a queue that dropped after d."""
    values, d, _ = _all_ports(run)
    return [({**_of(values, "alpha", "B", "P"), "d": d}, {"growth": values["R"] - values["C"]})]


def time_to_count(run: Any) -> Seen:
    """Read a run as `slowest_growth` does: the time at which a linearly growing queue had cn2 bytes of (73)."""
    values, d, length = _all_ports(run)
    counted = formulas.cn2_paper(values["alpha"], values["B"], values["P"])
    return [({**_of(values, "alpha", "P"), "d": d}, {"TM_1": counted * d / length})]


def burst_that_fills(run: Any) -> Seen:
    """Read a run of one burst alone that fills the buffer, under EDT or complete sharing: its first loss."""
    busy = [index for index, queue in enumerate(run.scenario.queues) if any(queue.arrivals.rates) or queue.initial]
    if len(busy) != 1 or run.scenario.queues[busy[0]].initial or run.free_at_first_drop(busy[0]) != 0:
        raise InputError("run", f"{len(busy)} queues in use", "one burst at an empty queue, which fills the buffer")
    (rate,), drop = set(run.scenario.queues[busy[0]].arrivals.rates), run.first_drop(busy[0])
    values = {"B": run.scenario.switch.buffer, "C": run.scenario.queues[busy[0]].rate, "R_min": rate, "d_mb": drop / 2}
    return [(values, {"d": drop, "TM_2": drop})]


def _all_ports(run: Any) -> tuple[dict[str, Any], Fraction, Fraction]:
    """Return the symbols of Theorem 1, the time of the first loss, and the length of the queue then."""
    values, index = alike(run)
    bound = dt_formulas.rate_bound(*_of(values, "alpha", "C", "M", "N").values())
    if values["M"] + values["N"] != values["P"] or values["R"] > bound:
        raise InputError("run", "idle ports, or fast bursts", "slow bursts at all ports that are not steady")
    drop = run.first_drop(index)
    return values, drop, run.queue(index).at(drop)


def _of(values: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: values[name] for name in names}


def any_arrivals(run: Any) -> Seen:
    """Read a run under DT as bursts of any arrivals beside steady ports, and its first loss."""
    values, bursts = _read(run)
    return [({**values, "R_i": [pieces for _, pieces in bursts], "until": run.until}, _first(run, bursts))]


def bursts_in_phases(run: Any) -> Seen:
    """Read a run under DT as bursts of one rate R(t) in the phases of (42), and its first loss."""
    values, bursts = _read(run)
    rate = list(bursts[0][1])
    if any(list(pieces) != rate for _, pieces in bursts):
        raise InputError("run", "bursts of several R(t)", "bursts of one R(t)")
    bound = dt_formulas.rate_bound(values["alpha"], values["C"], len(bursts), values["N"])
    end = next((time for time, value in reversed(rate) if not value), run.until) if not rate[-1][1] else run.until
    fast = next((time for time, value in rate if value > bound), end)
    slow = next((time for time, value in rate if time > fast and value <= bound), end)
    phases = {"d_1": min(fast, end), "d_2": min(slow, end), "d_3": end}
    return [({**values, "M": len(bursts), "R": rate, **phases}, _first(run, bursts))]


def bursts_beside_any(run: Any) -> Seen:
    """Read a run as `bursts_in_phases` does, without the rates of the steady ports."""
    ((values, seen),) = bursts_in_phases(run)
    return [({name: value for name, value in values.items() if name != "R_b"}, seen)]


def _first(run: Any, bursts: list[tuple[int, Pieces]]) -> dict[str, Any]:
    found = [(run.first_drop(index), run.free_at_first_drop(index)) for index, _ in bursts]
    time, free = min((drop for drop in found if drop[0] is not None), default=(None, None))
    return {"first_drop": time, "free_at_first_drop": free}


def _read(run: Any) -> tuple[dict[str, Any], list[tuple[int, Pieces]]]:
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
        accepted = "bursts, and steady ports alike"
        raise InputError("run", f"{len(bursts)} bursts, {len(offered)} kinds of steady ports", accepted)
    steady = sum(queue.initial is None for queue in scenario.queues)
    background = {"R_b": offered.pop()} if offered else {}
    return {"alpha": alpha, "B": scenario.switch.buffer, "C": scenario.switch.rate, "N": steady, **background}, bursts
