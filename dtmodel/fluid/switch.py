"""A switch, and the traffic offered to its ports."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, Self

from dtmodel.base import budgets, units
from dtmodel.base.errors import InputError
from dtmodel.base.units import Quantity

Initial = Quantity | Literal["steady"]
"""An initial queue length, or ``"steady"``: the queue starts on its threshold."""


@dataclass(frozen=True, init=False)
class Switch:
    """A switch whose output ports share one buffer.

    Parameters
    ----------
    ports : int
        P, the number of output ports, at least 1.
    buffer : quantity
        B, the shared buffer, in bytes or with a unit (``"1 MB"``), greater than 0.
    rate : quantity or sequence of quantity
        C, the rate of every port, in bytes per second or with a unit (``"1 Gbps"``), greater than 0; or the rate of
        each port, as a sequence or with commas between (``"10Gbps,40Gbps"``).

    Raises
    ------
    InputError
        If a value is not of this form; and where `rate` is used although ports have several rates.

    Examples
    --------
    >>> Switch(ports=16, buffer="1 MB", rate="1 Gbps").rate
    Fraction(125000000, 1)
    """

    ports: int
    buffer: Fraction
    speeds: tuple[Fraction, ...]

    def __init__(self, ports: int, buffer: Quantity, rate: Quantity | Sequence[Quantity]) -> None:
        object.__setattr__(self, "ports", units.count(ports, "switch.ports", least=1))
        object.__setattr__(self, "buffer", units.bytes_(buffer, "switch.buffer", positive=True))
        read = units.rates(rate, "switch.rate", self.ports)
        object.__setattr__(self, "speeds", read[:1] if all(rate == read[0] for rate in read) else read)

    @property
    def rate(self) -> Fraction:
        """C, the rate of every port in bytes per second."""
        if len(self.speeds) > 1:
            shown = ", ".join(map(units.show_rate, self.speeds))
            raise InputError("switch.rate", shown, "one rate for all ports, for this computation")
        return self.speeds[0]

    @property
    def rates(self) -> tuple[Fraction, ...]:
        """The rate of each port in bytes per second."""
        return self.speeds if len(self.speeds) > 1 else self.speeds * self.ports

    def rate_of(self, port: int) -> Fraction:
        """Return the rate of a `port`, in bytes per second.

        >>> str(Switch(2, "1 MB", "8 bps,16 bps").rate_of(1))
        '2'
        """
        return self.speeds[port] if port < len(self.speeds) else self.rate

    def __str__(self) -> str:
        shown = ", ".join(map(units.show_rate, dict.fromkeys(self.speeds)))
        return f"{self.ports} ports of {shown} sharing {units.show_bytes(self.buffer)}"


def checked_switch(switch: object) -> Switch:
    """Return `switch` if it is a `Switch`; `InputError` if it is anything else."""
    if not isinstance(switch, Switch):
        raise InputError("switch", switch, 'a switch such as Switch(ports=16, buffer="1 MB", rate="1 Gbps")')
    return switch


@dataclass(frozen=True, init=False)
class Arrivals:
    """The rate R(t) of the traffic offered to a queue: piecewise constant, right-continuous, 0 before its first piece.

    Parameters
    ----------
    pieces : iterable of (time, rate)
        Each rate holds from its time until the next; the times are at least 0 and strictly increasing.
    field : str
        The name of this list in errors.

    Raises
    ------
    InputError
        If a time or rate is negative or not a number, or the times do not increase.

    Examples
    --------
    >>> Arrivals([("0", "3"), ("2", "0")]).offered(Fraction(4))
    Fraction(6, 1)
    """

    times: tuple[Fraction, ...]
    rates: tuple[Fraction, ...]

    def __init__(self, pieces: Iterable[tuple[Quantity, Quantity]] = (), field: str = "arrivals") -> None:
        times: list[Fraction] = []
        rates: list[Fraction] = []
        for index, piece in enumerate(units.sequence(pieces, field)):
            where = f"{field}[{index}]"
            if not units.is_sequence(piece) or len(piece) != 2:
                raise InputError(where, piece, "a pair [time, rate]")
            time = units.seconds(piece[0], f"{where}[0]")
            if times and time <= times[-1]:
                raise InputError(
                    f"{where}[0]", piece[0], f"a time after {units.plain(times[-1])} s: times must increase"
                )
            times.append(time)
            rates.append(units.rate(piece[1], f"{where}[1]"))
        object.__setattr__(self, "times", tuple(times))
        object.__setattr__(self, "rates", tuple(rates))

    @classmethod
    def constant(cls, rate: Quantity) -> Self:
        """Traffic of one `rate` from time 0 on.

        >>> Arrivals.constant("2 Gbps").at(Fraction(0))
        Fraction(250000000, 1)
        """
        return cls([(0, rate)])

    @classmethod
    def burst(cls, rate: Quantity, duration: Quantity, start: Quantity = 0) -> Self:
        """Traffic of one `rate` for `duration` (greater than 0) from `start` on.

        >>> Arrivals.burst("2 Gbps", "6 ms").offered(Fraction(1))
        Fraction(1500000, 1)
        """
        begin = units.seconds(start, "start")
        return cls([(begin, rate), (begin + units.seconds(duration, "duration", positive=True), 0)])

    @classmethod
    def on_off(cls, rate: Quantity, on: Quantity, off: Quantity, bursts: int, start: Quantity = 0) -> Self:
        """`bursts` bursts of one `rate`, each `on` long, with `off` between them, the first at `start`.

        >>> [str(t) for t in Arrivals.on_off(3, on=1, off=2, bursts=2).times]
        ['0', '1', '3', '4']
        """
        begin = units.seconds(start, "start")
        length, gap = units.seconds(on, "on", positive=True), units.seconds(off, "off", positive=True)
        pieces: list[tuple[Quantity, Quantity]] = []
        many = units.count(bursts, "bursts", least=1)
        budgets.keep_within("events", 2 * many, "bursts, and the pauses after them")
        for number in range(many):
            at = begin + number * (length + gap)
            pieces += [(at, rate), (at + length, 0)]
        return cls(pieces)

    def at(self, time: Fraction) -> Fraction:
        """Return R at a `time` in seconds, in bytes per second."""
        index = bisect_right(self.times, time) - 1
        return self.rates[index] if index >= 0 else Fraction(0)

    def offered(self, until: Fraction) -> Fraction:
        """Return the integral of R from 0 to `until`, in bytes."""
        ends = [*self.times[1:], until][: len(self.times)]
        pieces = zip(self.times, ends, self.rates, strict=True)
        return sum((rate * (min(end, until) - begin) for begin, end, rate in pieces if begin < until), Fraction(0))
