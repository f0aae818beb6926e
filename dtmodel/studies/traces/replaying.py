"""Drops of policies on a trace of packets: their times and ports, and the free buffer then."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import chain, islice
from math import lcm
from typing import Any, final

from dtmodel.base import budgets
from dtmodel.base.errors import InputError
from dtmodel.base.units import whole
from dtmodel.fluid.switch import Switch, checked_switch
from dtmodel.packet.core import PacketSwitch, packet_status
from dtmodel.packet.engine import FedSwitch, Lost
from dtmodel.policies import Policy, checked

_TICKS = 10**9
_LARGEST = 2**256
"""The least number of ticks per second, and a bound beyond which rates and times do not raise it."""


@dataclass
class PolicyLosses:
    """The drops of a policy on a trace.

    - `packets`, `bytes` (list of int): the arrivals at each port.
    - `lost_packets`, `lost_bytes` (list of int): those of them that were dropped or pushed out.
    - `first` (list of Lost or None): the first packet that each port lost; `Lost.free` is the free buffer then.
    - `longest` (list of number): the greatest length of each queue after an arrival, in bytes.
    - `least_free`: the least free buffer after an arrival, in bytes.
    - `engine`: the engine: ``"native core"``, or Python with the reason.
    - `heard` (callable): a function that is called for every lost packet.

    >>> from dtmodel import DT
    >>> trace, switch = [([0, 0], [0, 0], [1500, 1500])], Switch(ports=2, buffer=3000, rate=1000)
    >>> losses = replay_trace(trace, switch, {"DT": DT("1/2")})
    >>> losses["DT"].packets, losses["DT"].lost_packets, losses["DT"].first[0].free
    ([2, 0], [1, 0], 1500.0)
    """

    packets: list[int]
    bytes: list[int]
    lost_packets: list[int]
    lost_bytes: list[int]
    first: list[Lost | None]
    longest: list[Any]
    least_free: Any
    engine: str = "Python"
    heard: Callable[[Lost], object] | None = field(default=None, repr=False)

    @classmethod
    def of(cls, ports: int, buffer: Any, engine: str, heard: Callable[[Lost], object] | None) -> "PolicyLosses":
        """Return the losses at the start of a trace, for `ports` ports that share a `buffer`."""
        none = [0] * ports
        return cls([*none], [*none], [*none], [*none], [None] * ports, [*none], buffer, engine, heard)

    def lose(self, lost: Lost) -> None:
        """Count a `lost` packet."""
        self.lost_packets[lost.port] += 1
        self.lost_bytes[lost.port] += int(lost.size)
        if self.first[lost.port] is None:
            self.first[lost.port] = lost
        if self.heard:
            self.heard(lost)


def replay_trace(
    batches: Iterable[tuple[Any, ...]],
    switch: Switch,
    policies: Mapping[str, Policy],
    *,
    exact: bool = False,
    heard: Mapping[str, Callable[[Lost], object]] | None = None,
) -> dict[str, PolicyLosses]:
    """Replay a trace once under several policies, in memory that does not grow with it.

    Parameters
    ----------
    batches : iterable of three arrays
        Times in seconds that do not decrease, ports from 0, and bytes; `read_batches` reads them from a file. A fourth
        array has the numbers of the records, which count from 0 by default, and a fifth the marks that a policy reads.
    switch : Switch
        The switch: every port sends at its rate, first in, first out. A packet holds its bytes until its last bit is
        sent.
    policies : mapping from str to Policy
        The policies by name.
    exact : bool
        Compute in fractions, from exact times; else times and thresholds are floats, and bytes exact.
    heard : mapping from str to callable, optional
        For some policies a function that is called for every lost packet.

    Returns
    -------
    dict of PolicyLosses
        One for each policy.

    Raises
    ------
    InputError
        If a packet is larger than the buffer, or an argument is not accepted, for example one that is 0 as a float.
    BudgetError
        If there are more ports, under all policies together, than the budget ``queues`` allows.

    Examples
    --------
    >>> from dtmodel import DT, CompleteSharing
    >>> trace = [([0, 0, 0, 1], [0, 0, 0, 1], [1000, 1000, 1000, 500])]
    >>> both = {"DT": DT(1), "all": CompleteSharing()}
    >>> done = replay_trace(trace, Switch(ports=2, buffer=4000, rate=1000), both)
    >>> done["DT"].lost_bytes, done["DT"].first[0].free, done["all"].lost_bytes
    ([1000, 0], 2000.0, [0, 0])
    """
    checked_switch(switch)
    budgets.keep_within("queues", switch.ports * len(policies), "ports, under every policy")
    try:
        if not exact:
            _see_that_floats_hold({"buffer": switch.buffer, "rate": min(switch.speeds)})
            for name, policy in policies.items():
                _see_that_floats_hold({f"{name}.{key}": value for key, value in vars(checked(policy)).items()})
        return (_replayed_exactly if exact else _replayed)(iter(batches), switch, policies, heard or {})
    except (OverflowError, ZeroDivisionError) as error:
        if exact:  # fractions have neither bound nor underflow
            raise
        accepted = "sizes, rates, times and parameters within the range of floats, or exact numbers"
        raise InputError("numbers", str(error), accepted) from error


def _see_that_floats_hold(given: Mapping[str, Any]) -> None:
    """Raise `InputError` if a nonzero number of a switch or policy would be 0 as a float."""
    for name, value in given.items():
        if isinstance(value, Fraction) and value and not float(abs(value)):
            raise InputError(name, value, "0, or a number that is not 0 as a float; exact numbers may be smaller")
        if isinstance(value, tuple | Mapping):
            items = value.items() if isinstance(value, Mapping) else enumerate(value)
            _see_that_floats_hold({f"{name}[{key}]": item for key, item in items})


def _replayed(
    batches: Iterator[tuple[Any, ...]],
    switch: Switch,
    policies: Mapping[str, Policy],
    told: Mapping[str, Callable[[Lost], object]],
) -> dict[str, PolicyLosses]:
    buffer, rates, number = float(switch.buffer), [float(rate) for rate in switch.rates], 0
    fed = {name: _fed(buffer, rates, checked(policy), told.get(name)) for name, policy in policies.items()}
    before: Any = 0
    for batch in batches:
        columns = _checked(batch[:3], switch.ports, before, float)
        before = columns[0][-1] if len(columns[0]) else before
        records = _records(batch, number)
        number += len(records)
        packets: list[tuple[Any, ...]] = []
        for one, account in fed.values():
            if isinstance(one, PacketSwitch):
                _feed_native(one, account, *columns, records)
            else:
                packets = packets or _packets(*columns, records, *batch[4:])
                _feed(one, account, packets)
    return {name: account for name, (_, account) in fed.items()}


def _replayed_exactly(
    batches: Iterator[tuple[Any, ...]],
    switch: Switch,
    policies: Mapping[str, Policy],
    told: Mapping[str, Callable[[Lost], object]],
) -> dict[str, PolicyLosses]:
    """Replay in bytes and ticks, mostly ints, ten times faster than fractions; the length of a tick changes nothing."""
    begun = list(islice(batches, 1))
    second = _second(switch.speeds, begun)
    buffer, ports, number = switch.buffer, switch.ports, 0
    ticking, others = list[tuple[FedSwitch, PolicyLosses]](), list[tuple[FedSwitch, PolicyLosses]]()
    accounts: dict[str, PolicyLosses] = {}
    for name, policy in policies.items():
        account = accounts[name] = PolicyLosses.of(ports, buffer, "Python (exact)", told.get(name))
        made = checked(policy).admission(ports, buffer, lambda size: size).in_ticks(second)
        if made is None:
            others.append((FedSwitch(buffer=buffer, rates=switch.rates, policy=policy, heard=account.lose), account))
        else:
            paces, heard = [_Pace(whole(second / rate)) for rate in switch.rates], partial(_tell, account, second)
            ticking.append((FedSwitch(buffer=whole(buffer), rates=paces, policy=made, heard=heard), account))
    before: Any = 0
    for batch in chain(begun, batches):
        columns = _exact_columns(batch[:3], ports, before, second)
        before = columns[0][-1] if len(columns[0]) else before
        packets = _packets(*columns, _records(batch, number), *batch[4:])
        number += len(packets)
        for one, account in ticking:
            _feed(one, account, packets)
        if others:
            packets = [(Fraction(time, second), port, Fraction(size), *of) for time, port, size, *of in packets]
        for one, account in others:
            _feed(one, account, packets)
    for account in accounts.values():
        account.longest, account.least_free = [*map(Fraction, account.longest)], Fraction(account.least_free)
    return accounts


@final
class _Pace:
    """The ticks per byte, used like a rate: a size divided by it is the duration of its transmission."""

    def __init__(self, ticks: Any) -> None:
        self.ticks = ticks

    def __rtruediv__(self, size: Any) -> Any:
        return size * self.ticks


def _second(rates: Sequence[Fraction], begun: Sequence[tuple[Any, ...]]) -> int:
    """Return the ticks per second: if possible a byte and the times of the first batch take whole numbers of ticks."""
    found, times = _TICKS, [time for batch in begun for time in _listed(batch[0])]
    for denominator in {
        *(rate.numerator for rate in rates),
        *(time.denominator for time in times if type(time) is Fraction),
    }:
        common = lcm(found, denominator)
        found = common if common < _LARGEST else found
    return found


def _tell(account: PolicyLosses, second: int, lost: Lost) -> None:
    """Count a lost packet, with its time in seconds."""
    time, free = Fraction(lost.time) / second, Fraction(lost.free)
    account.lose(Lost(time, lost.port, lost.burst, Fraction(lost.size), free))


def _exact_columns(batch: tuple[Any, Any, Any], count: int, before: Any, second: int) -> tuple[Any, Any, Any]:
    """Return a batch as `_checked` does, with times in ticks."""
    times, ports, sizes = batch
    if not set(map(type, chain(_listed(times), _listed(sizes)))) <= {int, Fraction}:
        times, ports, sizes = _checked(batch, count, 0, object)
        times, sizes = ([*map(Fraction, column.tolist())] for column in (times, sizes))
    try:
        return _checked((_counted(times, second), ports, _counted(sizes, 1)), count, before, object)
    except InputError:
        _checked(batch, count, Fraction(before) / second, object)  # its message has the time in seconds
        raise


def _listed(column: Any) -> list[Any]:
    return column.tolist() if hasattr(column, "tolist") else list(column)


def _counted(column: Any, units: int) -> list[Any]:
    """Multiply numbers by the number of `units` in 1; whole results are ints."""
    found, factors = list[Any](), dict[int, Any]()
    for value in _listed(column):
        numerator, denominator = value.as_integer_ratio()
        if denominator not in factors:
            factors[denominator] = whole(Fraction(units, denominator))
        found.append(numerator * factors[denominator])
    return found


def _fed(
    buffer: Any, rates: list[Any], policy: Policy, heard: Callable[[Lost], object] | None
) -> tuple[FedSwitch | PacketSwitch, PolicyLosses]:
    """Return a switch in the native core if its results are identical, else one in Python; and its losses."""
    said = packet_status()
    if said == "native core":
        form = policy.admission(len(rates), buffer, lambda size: size).form()
        if form is not None:
            with suppress(ArithmeticError):
                return PacketSwitch(buffer, rates, form), PolicyLosses.of(len(rates), buffer, said, heard)
        said = "Python (the native core does not have this policy or its numbers)"
    account = PolicyLosses.of(len(rates), buffer, said, heard)
    return FedSwitch(buffer=buffer, rates=rates, policy=policy, heard=account.lose), account


def _checked(batch: tuple[Any, Any, Any], count: int, before: Any, number: type) -> tuple[Any, Any, Any]:
    """Check a batch: three arrays of one length, with times that do not decrease, valid ports and positive sizes."""
    import numpy as np

    try:
        times: Any = np.asarray(batch[0], number)
        sizes: Any = np.asarray(batch[2], number)
        ports = np.asarray(batch[1])
        if not times.shape == ports.shape == sizes.shape == (times.size,):
            raise InputError("records", [times.shape, ports.shape, sizes.shape], "three columns of one length")
        if times.size and ports.dtype.kind not in "iu":
            raise InputError("port", f"numbers of the type {ports.dtype}", "whole numbers")
        earlier = np.concatenate(([before], times[:-1])) if times.size else times
        with np.errstate(invalid="ignore"):
            late = (times >= earlier) & (times < np.inf)
            real = (sizes > 0) & (sizes < np.inf)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError("records", str(error), "three columns of numbers") from error
    for name, column, right, accepted in (
        ("port", ports, (ports >= 0) & (ports < count), f"a port from 0 to {count - 1}"),
        ("time", times, late, "a time of at least 0, not before the one above it"),
        ("size", sizes, real, "a number of bytes greater than 0"),
    ):
        if not right.all():
            raise InputError(name, column[~right][0], accepted)
    return times, ports, sizes


def _records(batch: tuple[Any, ...], first: int) -> Any:
    """Return the numbers of the records of a batch: its fourth column, or those that follow."""
    import numpy as np

    records = np.asarray(batch[3]) if len(batch) > 3 else np.arange(first, first + len(batch[0]))
    if records.size and not np.can_cast(records.dtype, np.int64):
        raise InputError("record", f"numbers of the type {records.dtype}", "whole numbers of 64 bits with a sign")
    return records


def _packets(*columns: Any) -> list[tuple[Any, ...]]:
    return list(zip(*map(_listed, columns), strict=True))


def _feed(switch: FedSwitch, account: PolicyLosses, packets: list[tuple[Any, ...]]) -> None:
    lengths, longest, least = switch.lengths, account.longest, account.least_free
    for time, port, size, *about in packets:
        account.packets[port] += 1
        account.bytes[port] += int(size)
        switch.arrive(time, port, size, *about)
        longest[port] = max(longest[port], lengths[port])
        least = min(least, switch.free)
    account.least_free = least


def _feed_native(switch: PacketSwitch, account: PolicyLosses, *columns: Any) -> None:
    lost = switch.feed(*columns)
    if account.heard:
        for row in lost.tolist():
            account.heard(Lost(*row))
    tallies = switch.tallies()
    for name in ("packets", "bytes", "lost_packets", "lost_bytes", "longest"):
        setattr(account, name, [getattr(tally, name) for tally in tallies])
    account.least_free = min(account.least_free, *(tally.least_free for tally in tallies))
    account.first = [Lost(*tally.first) if tally.lost_packets else None for tally in tallies]
