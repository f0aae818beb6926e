"""A fluid scenario: a switch, a policy, the queues with their traffic, and the times to report."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, Self, TypeVar

from dtmodel import policies
from dtmodel.base import units
from dtmodel.base.documents import identity, once, only_version_1, sequence, table, word_or
from dtmodel.base.errors import InputError
from dtmodel.base.mathtext import block_of
from dtmodel.base.schemas import only_declared
from dtmodel.base.tables import Cells
from dtmodel.fluid.switch import Arrivals, Switch, checked_switch
from dtmodel.policies import Policy

_Made = TypeVar("_Made")
_SHOWN, _RATES = 40, 4
"""The largest numbers of queues, and of rates of each, in the table of a scenario."""


@dataclass(frozen=True)
class QueueScenario:
    """One queue, or `count` identical queues, of rate C_i; `initial` is None if the queue starts on its threshold."""

    arrivals: Arrivals
    initial: Fraction | None
    rate: Fraction
    count: int = 1

    def __post_init__(self) -> None:
        if self.initial is not None:
            object.__setattr__(self, "initial", units.bytes_(self.initial, "initial"))
        object.__setattr__(self, "rate", units.rate(self.rate, "rate"))
        object.__setattr__(self, "count", units.count(self.count, "count", least=1))


@dataclass(frozen=True)
class Scenario:
    """A validated scenario; `Scenario.read` makes one from a JSON or TOML document.

    - `id` (str or int): the name of the scenario in answers.
    - `switch`: a `Switch`.
    - `policy`: a `Policy`.
    - `queues` (tuple of QueueScenario): at most as many queues as ports, identical ones counted; the other ports are
      idle.
    - `until`: the end of the run in seconds.
    - `sample`: the times at which the queue lengths are reported.
    - `lengths`: the computed queue lengths at time 0 in bytes; steady queues sit on their thresholds.

    >>> switch = {"ports": 2, "buffer": "1 MB", "rate": "1 Gbps"}
    >>> made = Scenario.read({"switch": switch, "policy": {"name": "dt", "alpha": 1}, "queues": [], "until": "1 ms"})
    >>> made.policy, str(made.until)
    (DT(alpha=Fraction(1, 1)), '1/1000')
    """

    id: str | int | None
    switch: Switch
    policy: Policy
    queues: tuple[QueueScenario, ...]
    until: Fraction
    sample: tuple[Fraction, ...] = field(default=())
    lengths: tuple[Fraction, ...] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        checked_switch(self.switch)
        object.__setattr__(self, "until", units.seconds(self.until, "until", positive=True))
        object.__setattr__(self, "sample", units.each(units.seconds, self.sample, "sample"))
        number = sum(queue.count for queue in self.queues)
        if number > self.switch.ports:
            raise InputError("queues", number, f"at most {self.switch.ports} queues, one for each port")
        total = sum((queue.count * queue.initial for queue in self.queues if queue.initial), Fraction(0))
        if total > self.switch.buffer:
            accepted = f"initial lengths that the buffer of {units.plain(self.switch.buffer)} bytes can hold"
            raise InputError("queues.initial", units.plain(total), accepted)
        for index, queue in enumerate(self.queues):
            if queue.initial is None and queue.arrivals.at(Fraction(0)) < queue.rate:
                accepted = f"an arrival rate of at least {units.plain(queue.rate)} at time 0 for a steady queue"
                raise InputError(f"queues[{index}]", units.plain(queue.arrivals.at(Fraction(0))), accepted)
        held = tuple(queue.initial for queue in self.queues)
        policy, lengths = of_equal(_started, self.policy, self.switch.buffer, held, self.lumped)
        object.__setattr__(self, "policy", policy)
        object.__setattr__(self, "lengths", lengths)
        for time in self.sample:
            if time > self.until:
                raise InputError(
                    "sample", units.plain(time), f"times up to {units.plain(self.until)} s, where the run ends"
                )

    @property
    def lumped(self) -> tuple[tuple[int, ...], ...]:
        """A tuple that holds the counts of all queues; an empty tuple if every count is 1."""
        counts = tuple(queue.count for queue in self.queues)
        return (counts,) if any(count > 1 for count in counts) else ()

    def _cells(self) -> Cells:
        """Return a table for people: a row for each queue, numbered as in pictures."""
        rows, port = [], 0
        for queue in self.queues[:_SHOWN]:
            last = port + queue.count - 1
            name = f"port {port}" if queue.count == 1 else f"ports {port} to {last}"
            initial = "on its threshold" if queue.initial is None else units.brief(units.show_bytes(queue.initial))
            rows.append((name, _told(queue.arrivals), initial, units.brief(units.show_rate(queue.rate))))
            port = last + 1
        more = f", the first {_SHOWN} of {len(self.queues)} rows" if len(self.queues) > _SHOWN else ""
        until = units.brief(units.show_seconds(self.until))
        title = f"{self.switch}; {type(self.policy).__name__}, until {until}{more}"
        return Cells(title, ("", "arrivals", "length at 0", "rate"), tuple(rows))

    def __repr__(self) -> str:
        return self._cells().markdown()

    def _repr_html_(self) -> str:
        return block_of(self._cells().html())

    def _repr_latex_(self) -> str:
        return f"$${self._cells().latex()}$$"

    @classmethod
    def read(cls, document: Mapping[str, Any], default_id: str | int = 1) -> Self:
        """Make a scenario from a `document` of the schema ``dtmodel/schemas/scenario.json``.

        Without an id in the document the scenario has the id `default_id`.

        >>> document = {"switch": {"ports": 1, "buffer": "6", "rate": "1"}, "policy": {"name": "dt", "alpha": 1},
        ...             "queues": [{"arrivals": [["0", "3"]]}], "until": "4"}
        >>> scenario = Scenario.read(document)
        >>> scenario.queues[0].arrivals.rates
        (Fraction(3, 1),)
        """
        only_declared(document, "", "scenario")
        name = identity(document, default_id)
        only_version_1(document)
        switch = _read_switch(table(document["switch"], "switch"), "switch.")
        queues = [table(q, f"queues[{i}]") for i, q in enumerate(sequence(document["queues"], "queues"))]
        read = tuple(
            _read_queue(queue, f"queues[{i}].", None if "rate" in queue else switch.rate_of(i))
            for i, queue in enumerate(queues)
        )
        return cls(
            id=name,
            switch=switch,
            policy=once(read_policy, table(document["policy"], "policy"), alphas_of(queues), len(queues)),
            queues=read,
            until=document["until"],
            sample=document.get("sample", ()),
        )


def alphas_of(queues: Sequence[Mapping[str, Any]]) -> tuple[tuple[int, Any], ...]:
    """Return the alphas of single queues, with their indices."""
    return tuple((index, queue["alpha"]) for index, queue in enumerate(queues) if "alpha" in queue)


def _told(arrivals: Arrivals) -> str:
    """Write arrivals for people: the first rates, and the number of further ones."""
    pieces = [
        f"{units.brief(units.show_rate(rate))} from {units.brief(units.show_seconds(time))}"
        for time, rate in zip(arrivals.times[:_RATES], arrivals.rates, strict=False)
    ]
    more = len(arrivals.times) - len(pieces)
    return "; ".join(pieces + ([f"{more} more"] if more else [])) or "nothing"


def _read_switch(document: Mapping[str, Any], where: str) -> Switch:
    only_declared(document, where, "scenario", "properties", "switch")
    return Switch(**document)


def _read_queue(document: Mapping[str, Any], where: str, of_port: Fraction | None) -> QueueScenario:
    only_declared(document, where, "scenario", "properties", "queues", "items")
    arrivals = Arrivals(sequence(document.get("arrivals", []), f"{where}arrivals"), f"{where}arrivals")
    rate = units.rate(document["rate"], f"{where}rate") if of_port is None else of_port
    initial = word_or(units.bytes_, document.get("initial", 0), f"{where}initial", ("steady",))
    held = None if initial == "steady" else initial
    return QueueScenario(arrivals, held, rate, units.count(document.get("count", 1), f"{where}count", least=1))


def read_policy(document: Mapping[str, Any], alphas: tuple[tuple[int, Any], ...], queues: int) -> Policy:
    """Read the policy of a document, with the alphas of single queues."""
    return policies.read(document, dict(alphas), queues)


def of_equal(compute: Callable[..., _Made], policy: Policy, *given: Hashable) -> _Made:
    """Return ``compute(policy, *given)``, an immutable object, once for equal policies of many scenarios."""
    try:
        found = _computed(compute, policy, *given)
    except TypeError:  # a policy from outside the package may not be hashable
        return compute(policy, *given)
    made: _Made = found
    return made


@lru_cache(maxsize=512)
def _computed(compute: Callable[..., Any], *given: Hashable) -> Any:
    return compute(*given)


def _started(
    policy: Policy, buffer: Fraction, held: tuple[Fraction | None, ...], lumped: tuple[tuple[int, ...], ...]
) -> tuple[Policy, tuple[Fraction, ...]]:
    """Return a policy as it counts the queues, and the lengths at time 0."""
    counted = policies.checked(policy).counting(*lumped)
    if accepted := counted.unbounded(buffer, len(held), *lumped):
        raise InputError("policy", type(counted).__name__, accepted)
    return counted, counted.start(buffer, held, *lumped)
