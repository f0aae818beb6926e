"""Packet runs in the native core, with results identical to those of the Python engine.

Floats are rounded as in Python. Fractions are counted in units that make every size, time and transmission time whole,
provided these fit into 64 bits.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from heapq import heapify, heappop, heapreplace
from itertools import chain, islice
from math import floor, inf, isfinite, lcm
from typing import Any, NamedTuple, final

from dtmodel.packet.arrivals import Stream
from dtmodel.packet.core import LARGEST, PacketSwitch, packet_status
from dtmodel.policies.admission import Admission, PacketForm

_END = 2.0**900
"""The core accepts no float time later than this."""

_LARGE = "the numbers are too large for the native core"


class UnfitError(ArithmeticError):
    """The core cannot run this case, or not with identical numbers; the message gives the reason."""


class CompiledRun(NamedTuple):
    """The core's result: bytes by port, and the fields of each `Lost`, with the index of the packet as its record."""

    offered: list[Any]
    sent: list[Any]
    lost: list[tuple[Any, ...]]


@final
class MergedStreams:
    """The packets of all streams up to an instant, (time, port, size, burst) and any mark, as the engine takes them."""

    def __init__(self, streams: Sequence[Stream], until: Any) -> None:
        self._left = [iter(stream) for stream in streams]
        self.packets, self._waiting = list[tuple[Any, ...]](), list[tuple[Any, ...]]()
        for port, stream in enumerate(self._left):
            self._waiting += [(time, port, *of) for time, *of in islice(stream, 1)]
        waiting, left = self._waiting, self._left
        heapify(waiting)
        while waiting and waiting[0][0] <= until:
            port = waiting[0][1]
            self.packets.append(waiting[0])
            following = next(left[port], None)
            if following is None:
                heappop(waiting)
            else:
                heapreplace(waiting, (following[0], port, *following[1:]))

    def streams(self) -> list[Stream]:
        """Restore the streams as they were before packets were taken from them."""
        kept: list[list[Any]] = [[] for _ in self._left]
        for time, port, *of in (*self.packets, *self._waiting):
            kept[port].append((time, *of))
        return [chain(taken, left) for taken, left in zip(kept, self._left, strict=True)]


def compiled_run(
    merged: MergedStreams,
    buffer: Any,
    rates: Sequence[Any],
    admission: Admission,
    until: Any,
    initial: Sequence[Sequence[Any]] = (),
) -> CompiledRun:
    """Run a switch in the native core, as `run_packets` does; `UnfitError` if the core does not support it."""
    if packet_status() != "native core":
        raise UnfitError(packet_status().removeprefix("Python (").removesuffix(")"))
    form = admission.form()
    if form is None:
        raise UnfitError("the native core does not have this policy")
    if not rates or not until >= 0:
        raise UnfitError("there is no port, or the run ends before it begins")
    times, sizes = [packet[0] for packet in merged.packets], [packet[2] for packet in merged.packets]
    held = [(port, size) for port, queue in enumerate(initial) for size in queue]
    whole = _Whole if isinstance(buffer, Fraction) else _Floats
    numbers = whole(buffer, rates, times, [*sizes, *(size for _, size in held)])
    _see_what_comes(times, sizes, buffer, [size for _, size in held])
    try:
        switch = numbers.switch(buffer, rates, form)
    except ArithmeticError as error:
        raise UnfitError(_LARGE) from error
    ports, records = [port for port, _ in held], [-1] * len(held)
    switch.feed([0] * len(held), ports, [numbers.size(size) for _, size in held], records, held=True)
    columns = list(map(numbers.time, times)), [packet[1] for packet in merged.packets], list(map(numbers.size, sizes))
    rows = switch.feed(*columns, range(len(times)), until=numbers.end(until)).tolist()
    lost = [(numbers.instant(time), *of, numbers.bytes(size), numbers.bytes(free)) for time, *of, size, free in rows]
    tallies = switch.tallies()
    offered, sent = ([numbers.bytes(getattr(tally, name)) for tally in tallies] for name in ("offered", "sent"))
    return CompiledRun(offered, sent, lost)


def _see_what_comes(times: list[Any], sizes: list[Any], buffer: Any, held: list[Any]) -> None:
    """Raise `UnfitError` for packets that the core does not accept; the Python engine runs or rejects them."""
    if any(second < first for first, second in zip([0, *times], times, strict=False)):
        raise UnfitError("packets arrive before time 0 or out of order")
    if min([*sizes, *held], default=1) <= 0 or max(sizes, default=0) > buffer:
        raise UnfitError("a packet has no bytes or is larger than the buffer")
    for size in held:
        if size > buffer:
            raise UnfitError("the initial packets do not fit into the buffer")
        buffer -= size


class _Floats:
    """The numbers of a run in which all are floats."""

    def __init__(self, buffer: Any, rates: Sequence[Any], times: list[Any], sizes: list[Any]) -> None:
        kinds = set(map(type, chain((buffer,), rates, times, sizes)))
        if kinds != {float}:
            raise UnfitError("the numbers are neither all floats nor all fractions")
        last = max(times, default=0.0) + sum(sizes) / min(rates) if min(rates) > 0 else inf
        if not (all(map(isfinite, chain(times, sizes))) and last < _END and sum(sizes) < LARGEST):
            raise UnfitError(_LARGE)

    @staticmethod
    def switch(buffer: float, rates: Sequence[float], form: PacketForm) -> PacketSwitch:
        return PacketSwitch(buffer, rates, form)

    @staticmethod
    def end(until: Any) -> float:
        """Return the last float that is not after an instant."""
        if float(until) != until:
            raise UnfitError("the end is not a float")
        return float(until)

    time: Callable[[Any], Any] = staticmethod(float)
    size: Callable[[Any], Any] = staticmethod(float)
    instant: Callable[[Any], Any] = staticmethod(float)
    bytes: Callable[[Any], Any] = staticmethod(float)


class _Whole:
    """The numbers of a run in which all are fractions or whole, counted in units of a byte and in ticks."""

    def __init__(self, buffer: Fraction, rates: Sequence[Any], times: list[Any], sizes: list[Any]) -> None:
        if not set(map(type, chain(times, sizes))) <= {int, Fraction} or set(map(type, rates)) != {Fraction}:
            raise UnfitError("the numbers are neither all floats nor all fractions")
        self.unit = _common({buffer.denominator, *(size.denominator for size in sizes)})
        if min(rates) <= 0:
            raise UnfitError("a port does not send")
        each = [1 / (rate * self.unit) for rate in rates]
        self.tick = _common({time.denominator for time in times} | {one.denominator for one in each})
        last = self.time(max(times, default=0)) + self.size(sum(sizes)) * int(max(each) * self.tick)
        if last > LARGEST:
            raise UnfitError(_LARGE)

    def switch(self, buffer: Fraction, rates: Sequence[Fraction], form: PacketForm) -> PacketSwitch:
        return PacketSwitch(buffer, rates, form, self.unit, self.tick)

    def time(self, value: Any) -> int:
        return int(value.numerator * (self.tick // value.denominator))

    def size(self, value: Any) -> int:
        return int(value.numerator * (self.unit // value.denominator))

    def end(self, until: Any) -> int:
        """Return the last tick that is not after an instant."""
        return LARGEST if until > Fraction(LARGEST, self.tick) else floor(Fraction(until) * self.tick)

    def instant(self, ticks: int) -> Fraction:
        return Fraction(ticks, self.tick)

    def bytes(self, units: int) -> Fraction:
        return Fraction(units, self.unit)


def _common(denominators: set[int]) -> int:
    found = 1
    for each in denominators:
        found = lcm(found, each)
        if found > LARGEST:
            raise UnfitError(_LARGE)
    return found
