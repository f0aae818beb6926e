"""Drops of policies on a trace of rates: the fluid model, on the whole trace at once."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from dtmodel.base import budgets
from dtmodel.base.errors import InputError
from dtmodel.fluid import Run, simulate
from dtmodel.fluid.switch import Arrivals, Switch, checked_switch
from dtmodel.policies import Policy


def replay_rates(
    batches: Iterable[tuple[Any, Any, Any]], switch: Switch, policies: Mapping[str, Policy], *, exact: bool = False
) -> dict[str, Run[Any]]:
    """Run the fluid model on a trace of rates in memory, whose length the budget ``events`` limits.

    Parameters
    ----------
    batches : iterable of three arrays
        Times in seconds that do not decrease, ports from 0, and the arrival rate of the port in bytes per second from
        then on, until the next record of this port. The last time is the end of the run.
    switch : Switch
        The switch; all queues are empty at time 0.
    policies : mapping from str to Policy
        The policies by name.
    exact : bool
        Run exactly; else in floats, within the error bound of the runs.

    Returns
    -------
    dict of Run
        One for each policy.

    Raises
    ------
    InputError
        If a port has two records of one time, or an argument is not accepted.
    BudgetError
        If there are more records than the budget allows.

    Examples
    --------
    >>> from dtmodel import DT
    >>> run = replay_rates([([0, 4], [0, 0], [3, 0])], Switch(1, 6, 1), {"DT": DT(1)}, exact=True)["DT"]
    >>> run.first_drop(0), run.free_at_first_drop(0), run.dropped(0)
    (Fraction(3, 2), Fraction(3, 1), Fraction(5, 1))
    """
    checked_switch(switch)
    pieces: dict[int, list[tuple[Fraction, Fraction]]] = {}
    number, end = 0, Fraction(0)
    for times, ports, rates in batches:
        number += len(times)
        budgets.keep_within("events", number, "records")
        for time, port, rate in zip(times, ports, rates, strict=True):
            end = _exactly(time)
            pieces.setdefault(int(port), []).append((end, _exactly(rate)))
    if not end:
        raise InputError("records", number, "records up to a time after 0")
    arrivals = {port: Arrivals(found, f"port {port}") for port, found in pieces.items()}
    if exact:
        return {name: simulate(switch, policy, arrivals, until=end) for name, policy in policies.items()}
    return {
        name: simulate(switch, policy, arrivals, until=end, arithmetic="float") for name, policy in policies.items()
    }


def _exactly(number: Any) -> Fraction:
    """Convert a number of Python or NumPy to a fraction."""
    return Fraction(number.item() if hasattr(number, "item") else number)
