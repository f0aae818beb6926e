"""Runs of scenarios in the fluid model, exact or in floats."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Generic, Literal, overload

from dtmodel.base import budgets, rationals, units
from dtmodel.base.documents import choice, table
from dtmodel.base.errors import InputError, ModelError
from dtmodel.base.tables import Cells
from dtmodel.base.units import Quantity
from dtmodel.fluid.batch import Batch, RunSummary, can_run, traced
from dtmodel.fluid.engine import Engine
from dtmodel.fluid.forest import ForestRun
from dtmodel.fluid.scenario import QueueScenario, Scenario
from dtmodel.fluid.switch import Arrivals, Initial, Switch, checked_switch
from dtmodel.fluid.trajectory import FreeBuffer, Queue, Segment, in_fractions, total_free
from dtmodel.policies import Policy, Threshold
from dtmodel.policies.caps import caps_of
from dtmodel.policies.forest import Forest
from dtmodel.policies.memory import Number

Arithmetic = Literal["exact", "float"]

_SHOWN = 40
"""The largest number of queues in the table of a run."""
ERROR_BOUND = 1e-9
"""The largest relative error of a run in floats (`run_scenario` defines it)."""


@dataclass(frozen=True, repr=False)
class Run(Generic[Number]):
    """A finished fluid run: the trajectories of the free buffer and of every queue, from time 0 to `until`.

    - `scenario` (Scenario): the scenario of the run.
    - `free`, `queues` (FreeBuffer, sequence of Queue): the trajectories.
    - `arithmetic` (``"exact"``, ``"float"`` or ``"rounded"``): "rounded": an exact run whose results were rounded,
      because the native core is missing, does not have the policy, or could not decide the order of events.
    - `engine` (``"python"`` or ``"native"``): the engine of the run: the exact one in Python, or the native core
      (`dtmodel.native`).
    - `limits` (mapping from str to sequence of (time, bytes)): the limit of each pool and group of a tree of limits at
      every event, between which it is linear.

    >>> from dtmodel import DT, Arrivals, Switch, simulate
    >>> run = simulate(Switch(2, 6, 1), DT(1), {0: Arrivals.constant(3)}, until=4)
    >>> str(run.first_drop(0)), str(run.dropped(0)), str(run.queue(0).at(2)), run.arithmetic
    ('3/2', '5', '3', 'exact')
    """

    scenario: Scenario
    free: FreeBuffer[Number]
    queues: Sequence[Queue[Number]]
    arithmetic: Literal["exact", "float", "rounded"] = "exact"
    engine: Literal["python", "native"] = "python"
    limits: Mapping[str, Sequence[tuple[Number, Number]]] = field(default_factory=dict)

    @property
    def error_bound(self) -> float:
        """0 for an exact run; else the relative error bound `ERROR_BOUND`, which `run_scenario` defines."""
        return 0.0 if self.arithmetic == "exact" else ERROR_BOUND

    @property
    def until(self) -> Number:
        """The end of the run in seconds."""
        return self.free.times[-1]

    def queue(self, index: int) -> Queue[Number]:
        """The trajectory of queue `index` (from 0)."""
        return self.queues[_index(index, "queue", len(self.queues))]

    def first_drop(self, index: int) -> Number | None:
        """The instant from which on queue `index` loses bytes; None if it loses none."""
        return self.queue(index).first_drop

    def free_at_first_drop(self, index: int) -> Number | None:
        """F in bytes at the first drop of queue `index` (of all pools, without reserves); None if it loses none."""
        time = self.first_drop(index)
        return None if time is None else self.free.at(time)

    def dropped(self, index: int) -> Number:
        """The bytes that queue `index` lost."""
        return self.queue(index).dropped()

    def drained(self, index: int) -> Number:
        """The bytes that queue `index` sent."""
        return self.queue(index).drained()

    def _cells(self) -> Cells:
        """Return a table for people: a row for each queue, numbered as in pictures."""
        rows = tuple(
            (f"port {index}", _told(units.show_seconds, queue.first_drop, "none"),
             _told(units.show_bytes, self.free_at_first_drop(index)),
             _told(units.show_bytes, queue.dropped()), _told(units.show_bytes, queue.drained()))
            for index, queue in enumerate(self.queues[:_SHOWN])
        )  # fmt: skip
        more = f", the first {_SHOWN} of {len(self.queues)}" if len(self.queues) > _SHOWN else ""
        until, policy = _told(units.show_seconds, self.until), type(self.scenario.policy).__name__
        told = f"{self.scenario.switch}; {policy}, until {until}"
        return Cells(told + more, ("", "first drop", "free then", "lost", "sent"), rows)

    def __repr__(self) -> str:
        return self._cells().markdown()

    def _repr_html_(self) -> str:
        return self._cells().html()

    def _repr_latex_(self) -> str:
        return f"$${self._cells().latex()}$$"

    def plot(self, predicted: Mapping[int, Quantity] | None = None) -> Any:
        """Draw the queues, their thresholds, the free buffer and the lost bytes in a matplotlib figure.

        `predicted` maps a queue to the time of its first drop in a theorem, which is marked on the curve. Without
        matplotlib the picture is SVG: queues, thresholds and first drops.
        """
        if find_spec("matplotlib") is None:
            drawing = import_module("dtmodel.plot.svg")
            return drawing.SvgPicture(drawing.run_svg(self))
        return import_module("dtmodel.plot").run(self, predicted=predicted)


@overload
def simulate(
    switch: Switch,
    policy: Policy,
    arrivals: Mapping[int, Arrivals],
    *,
    until: Quantity,
    initial: Mapping[int, Initial] | None = None,
    rates: Mapping[int, Quantity] | None = None,
    counts: Mapping[int, int] | None = None,
    arithmetic: Literal["exact"] = "exact",
) -> Run[Fraction]: ...
@overload
def simulate(
    switch: Switch,
    policy: Policy,
    arrivals: Mapping[int, Arrivals],
    *,
    until: Quantity,
    initial: Mapping[int, Initial] | None = None,
    rates: Mapping[int, Quantity] | None = None,
    counts: Mapping[int, int] | None = None,
    arithmetic: Literal["float"],
) -> Run[float]: ...
def simulate(
    switch: Switch,
    policy: Policy,
    arrivals: Mapping[int, Arrivals],
    *,
    until: Quantity,
    initial: Mapping[int, Initial] | None = None,
    rates: Mapping[int, Quantity] | None = None,
    counts: Mapping[int, int] | None = None,
    arithmetic: Arithmetic = "exact",
) -> Run[Fraction] | Run[float]:
    """Run the fluid model, exactly or in floats.

    Parameters
    ----------
    switch : Switch
        The ports and their buffer.
    policy : Policy
        The buffer management policy.
    arrivals : mapping from int to Arrivals
        The traffic of the ports (from 0); the other ports receive nothing.
    until : quantity
        The end of the run in seconds, greater than 0.
    initial : mapping from int to quantity or "steady", optional
        The lengths at time 0 in bytes (default 0); ``"steady"`` queues start on their thresholds.
    rates : mapping from int to quantity, optional
        Ports whose rate differs from the switch's; a blocked port has the rate 0.
    counts : mapping from int to int, optional
        The number of identical ports that a port stands for (default 1): thousands cost as much as one. The results of
        the port hold for each of them. A policy has one weight, size or limit for all of them.
    arithmetic : str
        ``"exact"``, or ``"float"``: within `Run.error_bound` of the exact run.

    Returns
    -------
    Run
        The trajectories, in `Fraction` or in floats.

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
    >>> lumped = simulate(switch, DT(alpha=1), {0: two, 1: two}, initial={1: "steady"}, counts={1: 2}, until="10 ms")
    >>> lumped.first_drop(0) == run.first_drop(0)
    True
    >>> run = simulate(switch, DT(alpha=1), {0: two, 1: two}, until="10 ms", arithmetic="float")
    >>> run.first_drop(0), run.error_bound
    (0.0026666666666666666, 1e-09)
    """
    choice(arithmetic, "arithmetic", ("exact", "float"))
    checked_switch(switch)
    traffic, starts, own = table(arrivals, "arrivals"), table(initial or {}, "initial"), table(rates or {}, "rates")
    many = table(counts or {}, "counts")
    ports = {_index(port, "port", switch.ports) for port in (*traffic, *starts, *own, *many)}
    budgets.keep_within("events", max(ports, default=-1) + 1, "port, and those before it")
    queues = tuple(
        QueueScenario(
            _arrivals(traffic.get(port, Arrivals()), f"arrivals[{port}]"),
            None if starts.get(port) == "steady" else units.bytes_(starts.get(port, 0), f"initial[{port}]"),
            units.rate(own[port], f"rates[{port}]") if port in own else switch.rate_of(port),
            units.count(many.get(port, 1), f"counts[{port}]", least=1),
        )
        for port in range(max(ports, default=-1) + 1)
    )
    scenario = Scenario(1, switch, policy, queues, units.seconds(until, "until", positive=True))
    return run_scenario(scenario, float) if arithmetic == "float" else run_scenario(scenario, Fraction)


def _told(show: Callable[[Fraction], str], value: Any, nothing: str = "") -> str:
    """Write a quantity for a person, without its exact form."""
    return nothing if value is None else units.brief(show(Fraction(value)))


def _index(value: object, field: str, number: int) -> int:
    """Return `value` as an int if it is a whole number from 0 to `number` - 1, of Python or NumPy."""
    index = value.__index__() if hasattr(value, "__index__") and not isinstance(value, bool) else -1
    if not 0 <= index < number:
        raise InputError(field, value, f"a {field} from 0 to {number - 1}")
    return int(index)


def _arrivals(value: object, field: str) -> Arrivals:
    if not isinstance(value, Arrivals):
        raise InputError(field, value, "arrivals such as Arrivals.constant(rate)")
    return value


def run_scenario(scenario: Scenario, number: type[Number]) -> Run[Number]:
    """Run a `scenario` with exact numbers (`number` is ``Fraction``) or with floats (``float``).

    Floats run in the native core (`dtmodel.native`). If it is missing or does not have the policy, or if rounding
    errors could change the order of events, the run is done exactly, and its results are rounded. A float result is
    within `ERROR_BOUND` of the exact one: lengths and the free buffer relative to the buffer, lost and sent bytes
    relative to the larger of the buffer and the offered bytes, and times relative to the end of the run. This holds if
    no rate would fill the buffer more than 2^18 times until the end: beyond, the rounding of an instant moves too many
    bytes. Raises `BudgetError` if the run has more phases than the budget allows.

    >>> scenario = Scenario.read({"switch": {"ports": 1, "buffer": 6, "rate": 1}, "policy": {"name": "dt", "alpha": 1},
    ...                            "queues": [{"arrivals": [[0, 3]]}], "until": 4})
    >>> run_scenario(scenario, Fraction).first_drop(0), run_scenario(scenario, float).first_drop(0)
    (Fraction(3, 2), 1.5)
    """
    engines: dict[object, Callable[[Scenario], Any]] = {Fraction: _run, float: _in_floats}
    made: Run[Number] = engines[number](scenario)
    return made


def _in_floats(scenario: Scenario) -> Run[float]:
    """Run a scenario in the native core, or exactly, and round the results."""
    if can_run(scenario):
        with suppress(ArithmeticError):
            return _in_core(scenario)
    exact = _run(scenario)
    return Run(scenario, exact.free.given_in(float), _Rounded(exact.queues), "rounded")


def _in_core(scenario: Scenario) -> Run[float]:
    """Run a scenario in the native core."""
    frees, queues, end = list[FreeBuffer[Any]](), dict[int, Queue[Any]](), float(scenario.until)
    for part in traced(scenario):
        frees.append(FreeBuffer([*part.times[:-1], end], part.free))  # rounded once, unlike its ticks
        for queue, segments, limits in zip(part.queues, part.segments, part.limits, strict=True):
            made: list[Segment[Any]] = [
                Segment(begin, length, slope, loss, drain, (law, offset) if on else None)
                for begin, length, slope, loss, drain, on, law, offset in segments
            ]
            laws = [(begin, law, offset) for begin, law, offset in limits if begin < end]  # none in the last tick
            queues[queue] = Queue(made, laws, frees[-1])
    return Run(scenario, total_free(frees), [queues[index] for index in range(len(queues))], "float", "native")


def summaries(scenarios: Sequence[Scenario]) -> list[RunSummary | None]:
    """Run many `scenarios` in one call of the native core, in floats, without their trajectories.

    An entry is None if `run_scenario` must run the scenario: the core is missing or lacks the policy, rounding leaves
    the answer open, or the phases exceed the budget.
    """
    batch, places = Batch(), []
    for place, scenario in enumerate(scenarios):
        if can_run(scenario):
            with suppress(ArithmeticError):
                batch.add(scenario)
                places.append(place)
    found = dict(zip(places, batch.outcomes(), strict=True))
    return [found.get(place) for place in range(len(scenarios))]


class _Rounded(Sequence[Queue[float]]):
    """The queues of an exact run in floats, each rounded at its first access."""

    def __init__(self, exact: Sequence[Queue[Fraction]]) -> None:
        self._exact = exact
        parts = {id(queue.free): queue.free for queue in exact}
        self._free = {name: free.given_in(float) for name, free in parts.items()}
        self._queues: dict[int, Queue[float]] = {}

    def __len__(self) -> int:
        return len(self._exact)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Rounded) and self._exact == other._exact

    def __hash__(self) -> int:
        return hash(len(self._exact))

    @overload
    def __getitem__(self, index: int) -> Queue[float]: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Queue[float]]: ...

    def __getitem__(self, index: int | slice) -> Queue[float] | Sequence[Queue[float]]:
        places = range(len(self))[index]
        if isinstance(places, range):
            return [self[place] for place in places]
        if places not in self._queues:
            exact = self._exact[places]
            self._queues[places] = exact.rounded(self._free[id(exact.free)])
        return self._queues[places]


def _run(scenario: Scenario) -> Run[Fraction]:
    """Run a scenario exactly."""
    policy, n = scenario.policy, len(scenario.queues)
    forest = policy.forest(scenario.switch.buffer, *scenario.lumped)
    if forest is not None:
        return _run_forest(scenario, forest)
    inner: type[Fraction] = rationals.EXACT
    limits = policy.thresholds(n)
    frees: list[FreeBuffer[Fraction]] = []
    queues: dict[int, Queue[Fraction]] = {}
    for part in policy.parts(scenario.switch.buffer, n, *scenario.lumped):
        members = [scenario.queues[index] for index in part.queues]
        engine = Engine(
            inner,
            inner(part.size),
            [inner(queue.rate) for queue in members],
            [_law(limits[index], inner) for index in part.queues],
            [_offer(queue.arrivals, inner) for queue in members],
            [inner(scenario.lengths[index]) for index in part.queues],
            [place for place, queue in enumerate(members) if queue.initial is None],
            memory=policy.memory(part, inner) or caps_of([limits[index] for index in part.queues], inner),
            reserves=[inner(reserve) for reserve in part.reserves],
            counts=[inner(queue.count) for queue in members] if scenario.lumped else (),
        )
        free, runs = engine.run(inner(scenario.until))
        if inner is not Fraction:
            free, runs = in_fractions(free, runs)
        frees.append(free)
        queues.update(zip(part.queues, runs, strict=True))
    return Run(scenario, total_free(frees), [queues[index] for index in range(n)])


def _run_forest(scenario: Scenario, forest: Forest) -> Run[Fraction]:
    """Run trees of limits."""
    inner: type[Fraction] = rationals.EXACT
    offers = [_offer(queue.arrivals, inner) for queue in scenario.queues]
    rates = [inner(queue.rate) for queue in scenario.queues]
    run = ForestRun(inner, forest.given_in(inner), rates, offers, [inner(length) for length in scenario.lengths])
    pools, queues = run.run(inner(scenario.until))
    frees = [in_fractions(pool, [])[0] for pool in pools]
    bounds = ([(Fraction(time), Fraction(limit)) for time, limit in each] for each in run.bounds)
    limits = dict(zip(forest.names, bounds, strict=True))
    own = [in_fractions(queue.free, [queue])[1][0] for queue in queues]
    return Run(scenario, total_free(frees), own, limits=limits)


def _offer(arrivals: Arrivals, number: type[Number]) -> list[tuple[Number, Number]]:
    return [(number(time), number(rate)) for time, rate in zip(arrivals.times, arrivals.rates, strict=True)]


def _law(limit: Threshold | None, number: type[Number]) -> tuple[Number, Number] | None:
    """Return slope and offset of a threshold, below its cap."""
    return None if limit is None else (number(limit.slope), number(limit.offset))


def answer(document: Mapping[str, Any], default_id: str | int = 1, arithmetic: Arithmetic = "exact") -> dict[str, Any]:
    """Run the scenario of a document and return the answer of ``dtmodel simulate --json``.

    Quantities are ``"p"`` or ``"p/q"``. In floats they are numbers, and the answer has the keys `Run.arithmetic`,
    `Run.engine` and `Run.error_bound` as well.

    Parameters
    ----------
    document : mapping
        A scenario in the format of ``dtmodel simulate``.
    default_id : str or int
        The ``id`` of the answer if the document has none.
    arithmetic : {"exact", "float"}
        The arithmetic of the run.

    Examples
    --------
    >>> answer({"switch": {"ports": 1, "buffer": 6, "rate": 1}, "policy": {"name": "dt", "alpha": 1},
    ...         "queues": [{"arrivals": [[0, 3]]}], "until": 4, "sample": [1]})
    {'id': 1, 'first_drop': ['3/2'], 'free_at_first_drop': ['3'], 'queues': [['2']], 'dropped': ['5'], 'drained': ['4']}
    """
    scenario = Scenario.read(document, default_id)
    return next(answers_in_floats([scenario])) if arithmetic == "float" else exact_answer(scenario)


def exact_answer(scenario: Scenario) -> dict[str, Any]:
    """Return the answer of a `scenario`, as `answer` does; `ModelError` if the bytes of a queue do not balance."""
    exact = run_scenario(scenario, Fraction)
    for port in range(len(exact.queues)):
        _balance(exact, port)
    return _answers(exact, scenario.sample)


def answers_in_floats(scenarios: Sequence[Scenario]) -> Iterator[dict[str, Any]]:
    """Yield the answer of each of the `scenarios`, as `answer` does; they are one call of the core."""
    for scenario, summary in zip(scenarios, summaries(scenarios), strict=True):
        try:
            yield _rounded_answer(scenario, summary)
        except OverflowError:
            accepted = "a run whose numbers are at most 1.8e308; an exact one has no such bound"
            raise InputError("arithmetic", "float", accepted) from None


def _rounded_answer(scenario: Scenario, summary: RunSummary | None) -> dict[str, Any]:
    """Answer in floats, with arithmetic, error bound and engine; without trajectories if the core decides the run."""
    if summary is None:
        run = run_scenario(scenario, float)
        how = {"arithmetic": run.arithmetic, "error_bound": run.error_bound, "engine": run.engine}
        return _answers(run, [float(time) for time in scenario.sample]) | how
    return core_answer(scenario.id, *summary[:5])


def core_answer(
    name: str | int | None,
    first: Sequence[float | None],
    free: Sequence[float | None],
    dropped: Sequence[float],
    drained: Sequence[float],
    lengths: Sequence[Sequence[float]],
) -> dict[str, Any]:
    """Return the answer of a run in the native core from its results for each queue."""
    return {
        "id": name, "first_drop": first, "free_at_first_drop": free, "queues": lengths, "dropped": dropped,
        "drained": drained, "arithmetic": "float", "error_bound": ERROR_BOUND, "engine": "native",
    }  # fmt: skip


def _answers(run: Run[Number], sample: Sequence[Number]) -> dict[str, Any]:
    ports = range(len(run.queues))
    return {
        "id": run.scenario.id,
        "first_drop": [written(run.first_drop(port)) for port in ports],
        "free_at_first_drop": [written(run.free_at_first_drop(port)) for port in ports],
        "queues": [[written(run.queue(port).at(time)) for port in ports] for time in sample],
        "dropped": [written(run.dropped(port)) for port in ports],
        "drained": [written(run.drained(port)) for port in ports],
    }


def _balance(run: Run[Fraction], port: int) -> None:
    """Raise `ModelError` if the bytes of a queue do not balance, or if its length is negative at a breakpoint."""
    queue, offered = run.queues[port], run.scenario.queues[port].arrivals.offered(run.until)
    lengths = [queue.at(time) for time in queue.breakpoints]
    if min(lengths) < 0 or lengths[0] + offered != sum(queue.totals) + lengths[-1]:
        raise ModelError(f"the bytes of queue {port} do not balance")


def written(value: Fraction | float | None) -> str | float | None:
    """Return a number as an answer has it: text for an exact one."""
    return units.plain(value) if isinstance(value, Fraction) else value
