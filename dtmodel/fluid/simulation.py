"""Running a scenario in the fluid model, exactly or fast."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic

from dtmodel import units
from dtmodel.errors import InputError
from dtmodel.fluid.complete import run_complete
from dtmodel.fluid.edt import EdtEngine
from dtmodel.fluid.engine import Engine
from dtmodel.fluid.pools import PoolEngine, total_free
from dtmodel.fluid.trajectory import FreeBuffer, Number, Queue
from dtmodel.policies import EDT, CompleteSharing, Policy, SharedPools
from dtmodel.scenario import QueueScenario, Scenario
from dtmodel.switch import Arrivals, Initial, Switch
from dtmodel.units import Quantity

__all__ = ["Run", "answer", "run_scenario", "simulate"]


@dataclass(frozen=True)
class Run(Generic[Number]):
    """A finished fluid run: the trajectories of the free buffer and of every queue, from time 0 to `until`."""

    scenario: Scenario
    free: FreeBuffer[Number]
    queues: Sequence[Queue[Number]]

    @property
    def until(self) -> Number:
        """The end of the run in seconds."""
        return self.free.times[-1]

    def queue(self, index: int) -> Queue[Number]:
        """The trajectory of queue `index` (from 0)."""
        if not 0 <= index < len(self.queues):
            raise InputError("queue", index, f"a queue from 0 to {len(self.queues) - 1}")
        return self.queues[index]

    def first_drop(self, index: int) -> Number | None:
        """The infimum of the instants from which on queue `index` loses bytes; None if it loses none."""
        return self.queue(index).first_drop

    def free_at_first_drop(self, index: int) -> Number | None:
        """F in bytes at the first drop of queue `index`; None if it loses nothing."""
        time = self.first_drop(index)
        return None if time is None else self.free.at(time)

    def dropped(self, index: int) -> Number:
        """Bytes that queue `index` lost."""
        return self.queue(index).dropped()

    def drained(self, index: int) -> Number:
        """Bytes that queue `index` sent."""
        return self.queue(index).drained()

    def plot(self) -> Any:
        """Draw the queues, their thresholds and the free buffer; returns a matplotlib figure."""
        from dtmodel import plot

        return plot.run(self)


def simulate(
    switch: Switch,
    policy: Policy,
    arrivals: Mapping[int, Arrivals],
    *,
    until: Quantity,
    initial: Mapping[int, Initial] | None = None,
    rates: Mapping[int, Quantity] | None = None,
) -> Run[Fraction]:
    """Run the fluid model exactly.

    Parameters
    ----------
    switch : Switch
        The ports and their buffer.
    policy : Policy
        What bounds the queues.
    arrivals : mapping from int to Arrivals
        The traffic of the ports (from 0); a port that is not named is offered nothing.
    until : quantity
        The end of the run in seconds, greater than 0.
    initial : mapping from int to quantity or "steady", optional
        The lengths at time 0 in bytes (default 0); ``"steady"`` queues start on their thresholds.
    rates : mapping from int to quantity, optional
        Ports whose rate differs from the switch's.

    Returns
    -------
    Run
        Exact trajectories.

    Raises
    ------
    InputError
        If an argument is not accepted.

    Examples
    --------
    >>> from dtmodel import DT
    >>> switch = Switch(ports=16, buffer="1 MB", rate="1 Gbps")
    >>> two = Arrivals.constant("2 Gbps")
    >>> run = simulate(switch, DT(alpha=1), {0: two, 1: two, 2: two}, initial={1: "steady", 2: "steady"}, until="10 ms")
    >>> units.show_seconds(run.first_drop(0)), units.show_bytes(run.free_at_first_drop(0))
    ('2 ms (1/500 s)', '250 KB')
    """
    starts, own = initial or {}, rates or {}
    ports = {*arrivals, *starts, *own}
    for port in ports:
        if isinstance(port, bool) or not isinstance(port, int) or not 0 <= port < switch.ports:
            raise InputError("port", port, f"a port from 0 to {switch.ports - 1}")
    queues = tuple(
        QueueScenario(
            arrivals.get(port, Arrivals()),
            None if starts.get(port) == "steady" else units.bytes_(starts.get(port, 0), f"initial[{port}]"),
            units.rate(own[port], f"rates[{port}]", positive=True) if port in own else switch.rate,
        )
        for port in range(max(ports, default=-1) + 1)
    )
    return run_scenario(Scenario(1, switch, policy, queues, units.seconds(until, "until", positive=True)), Fraction)


def run_scenario(scenario: Scenario, number: type[Number]) -> Run[Number]:
    """Run a scenario with exact (``Fraction``) or fast (``float``) numbers."""
    buffer, until = number(scenario.switch.buffer), number(scenario.until)
    rates = [number(queue.rate) for queue in scenario.queues]
    offers = [
        [(number(t), number(r)) for t, r in zip(q.arrivals.times, q.arrivals.rates, strict=True)]
        for q in scenario.queues
    ]
    if isinstance(scenario.policy, CompleteSharing):
        for index, queue in enumerate(scenario.queues):
            if queue.initial is None:
                raise InputError(f"queues[{index}].initial", "steady", "a length: complete sharing has no thresholds")
        lengths = [number(queue.initial or 0) for queue in scenario.queues]
        free, queues = run_complete(buffer, rates, offers, lengths, until)
        return Run(scenario, free, queues)
    if isinstance(scenario.policy, SharedPools):
        free, queues = _run_pools(scenario, scenario.policy, number)
        return Run(scenario, free, queues)
    limits = scenario.policy.thresholds(len(scenario.queues))
    thresholds = [(number(limit.slope), number(limit.offset)) for limit in limits]
    steady = [index for index, queue in enumerate(scenario.queues) if queue.initial is None]
    lengths = _initial(scenario, thresholds, number)
    engine: Engine[Number] = Engine(number, buffer, rates, thresholds, offers, lengths, steady)
    if isinstance(scenario.policy, EDT):
        edt = scenario.policy
        tm1, tm2 = (None if timer is None else number(timer) for timer in (edt.tm1, edt.tm2))
        cn2 = number(edt.cn2)
        engine = EdtEngine(number, buffer, rates, thresholds, offers, lengths, steady=steady, cn2=cn2, tm1=tm1, tm2=tm2)
    free, queues = engine.run(until)
    return Run(scenario, free, queues)


def _run_pools(
    scenario: Scenario, policy: SharedPools, number: type[Number]
) -> tuple[FreeBuffer[Number], list[Queue[Number]]]:
    """Run each pool by itself; F of the run is the sum of what is free in the pools."""
    held = [queue.initial for queue in scenario.queues]
    frees = policy.steady_free(scenario.switch.buffer, held)
    parts: list[FreeBuffer[Number]] = []
    trajectories: dict[int, Queue[Number]] = {}
    for pool, steady_free in zip(policy.partition(scenario.switch.buffer), frees, strict=True):
        if steady_free < 0:
            raise InputError("queues.initial", units.plain(-steady_free), "lengths that the pool can hold")
        limits, queues = [policy.limits[i] for i in pool.queues], [scenario.queues[i] for i in pool.queues]
        engine: PoolEngine[Number] = PoolEngine(
            number,
            number(pool.size),
            [number(queue.rate) for queue in queues],
            [None if limit.alpha is None else number(limit.alpha) for limit in limits],
            [number(limit.reserved) for limit in limits],
            [None if limit.cap is None else number(limit.cap) for limit in limits],
            [[(number(t), number(r)) for t, r in zip(q.arrivals.times, q.arrivals.rates, strict=True)] for q in queues],
            [
                number(limit.reserved + limit.shared(steady_free) if queue.initial is None else queue.initial)
                for limit, queue in zip(limits, queues, strict=True)
            ],
            [place for place, queue in enumerate(queues) if queue.initial is None],
        )
        free, runs = engine.run(number(scenario.until))
        parts.append(free)
        trajectories.update(zip(pool.queues, runs, strict=True))
    return total_free(parts), [trajectories[index] for index in range(len(scenario.queues))]


def _initial(scenario: Scenario, thresholds: Sequence[tuple[Number, Number]], number: type[Number]) -> list[Number]:
    """Initial lengths; the steady queues solve Q_i = a_i F + b_i together."""
    steady = [limit for queue, limit in zip(scenario.queues, thresholds, strict=True) if queue.initial is None]
    held = number(sum((queue.initial or Fraction(0) for queue in scenario.queues), Fraction(0)))
    room = number(scenario.switch.buffer) - held - sum((offset for _, offset in steady), number(0))
    if room < 0:
        raise InputError("queues.initial", "steady", "thresholds that the buffer can hold beside the other queues")
    free = room / (1 + sum((slope for slope, _ in steady), number(0)))
    return [
        number(queue.initial) if queue.initial is not None else slope * free + offset
        for queue, (slope, offset) in zip(scenario.queues, thresholds, strict=True)
    ]


def answer(document: Mapping[str, Any], default_id: str | int = 1) -> dict[str, Any]:
    """Run the scenario of a document exactly and return the answer of ``dtmodel simulate --json``.

    Examples
    --------
    >>> answer({"switch": {"ports": 1, "buffer": 6, "rate": 1}, "policy": {"name": "dt", "alpha": 1},
    ...         "queues": [{"arrivals": [[0, 3]]}], "until": 4, "sample": [1]})
    {'id': 1, 'first_drop': ['3/2'], 'free_at_first_drop': ['3'], 'queues': [['2']], 'dropped': ['5'], 'drained': ['4']}
    """
    scenario = Scenario.read(document, default_id)
    run = run_scenario(scenario, Fraction)
    ports = range(len(run.queues))
    return {
        "id": scenario.id,
        "first_drop": [_plain(run.first_drop(port)) for port in ports],
        "free_at_first_drop": [_plain(run.free_at_first_drop(port)) for port in ports],
        "queues": [[units.plain(run.queue(port).at(time)) for port in ports] for time in scenario.sample],
        "dropped": [units.plain(run.dropped(port)) for port in ports],
        "drained": [units.plain(run.drained(port)) for port in ports],
    }


def _plain(value: Fraction | None) -> str | None:
    return None if value is None else units.plain(value)
