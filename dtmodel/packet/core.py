"""Switches of packets in the native core (``native/packets.cpp``): doubles rounded as in Python, or whole numbers."""

import ctypes
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from math import ceil, lcm
from typing import Any, NamedTuple, final
from weakref import finalize

from dtmodel.base.errors import InputError
from dtmodel.native.library import loaded
from dtmodel.policies.admission import PacketForm
from dtmodel.policies.threshold import Threshold

_INTERFACE = 3
"""What `dtmodel_packets_interface` of the library says if it has what is used here."""

LARGEST = 2**61
"""No whole number of a run is larger: the core refuses it."""


class _Form(ctypes.Structure):
    """A switch as the core reads it: ``dtmodel_switch_form``."""

    _fields_ = [
        *((name, ctypes.c_int64) for name in ("ports", "count", "cn1")),
        *((name, ctypes.c_int32) for name in ("whole", "counters", "pushes")),
        ("numbers", ctypes.c_void_p),
    ]


class _Packets(ctypes.Structure):
    """Packets as the core reads them: ``dtmodel_packets``."""

    _fields_ = [
        ("count", ctypes.c_int64),
        *((name, ctypes.c_void_p) for name in ("time", "port", "size", "record", "until", "lost")),
        ("losses", ctypes.c_int64),
        *((name, ctypes.c_int32) for name in ("held", "state")),
    ]


@cache
def _library() -> tuple[Any, str]:
    library, said = loaded()
    if library is None:
        return None, said
    if not hasattr(library, "dtmodel_packets_interface") or library.dtmodel_packets_interface() != _INTERFACE:
        return None, "Python (the native core was compiled from other sources: make native)"
    pointer, number = ctypes.c_void_p, ctypes.c_int64
    for name, result, arguments in (
        ("make", pointer, [pointer]),
        ("feed", number, [pointer, pointer]),
        ("tallies", pointer, [pointer]),
        ("forget", None, [pointer]),
    ):
        function = getattr(library, f"dtmodel_switch_{name}")
        function.restype, function.argtypes = result, arguments
    return library, said


def packet_status() -> str:
    """Return which engine runs packets that both can: ``"native core"``, or Python and why."""
    return _library()[1]


class PortTally(NamedTuple):
    """Counts of a port's packets; `first` has the fields of a `Lost`, and means nothing if no packet was lost."""

    packets: int
    bytes: int
    lost_packets: int
    lost_bytes: int
    offered: Any
    sent: Any
    length: Any
    longest: Any
    least_free: Any
    first: tuple[Any, ...]


@final
class PacketSwitch:
    """A switch in the native core with its waiting packets; whole numbers in `unit` and `tick`, if given."""

    def __init__(self, buffer: Any, rates: Sequence[Any], form: PacketForm, unit: int = 1, tick: int = 0) -> None:
        import numpy as np

        self._library = _library()[0]
        self._type = np.int64 if tick else np.float64
        number = np.dtype(self._type)
        lost = [("time", number), ("port", "i8"), ("record", "i8"), ("size", number), ("free", number)]
        kinds = ["i8", "i8", "i8", "u8", *[number] * 5, lost]
        self._lost, self._tally = np.dtype(lost), np.dtype([*zip(PortTally._fields, kinds, strict=True)])
        self.ports, self.buffer = len(rates), buffer
        numbers, cn1 = _numbers(buffer, rates, form), form.circuit[0] if form.circuit else 0
        if tick:
            numbers = whole_numbers(buffer, rates, form, unit, tick)
            if not all(type(number) is int and abs(number) <= LARGEST for number in numbers):
                raise ArithmeticError("the numbers of the switch")
        given = np.array(numbers, self._type)
        flags = bool(tick), form.circuit is not None, form.pushes
        form_of_it = _Form(self.ports, len(numbers), cn1, *flags, given.ctypes.data)
        made = self._library.dtmodel_switch_make(ctypes.byref(form_of_it))
        if not made:
            raise ArithmeticError("the numbers of the switch")
        self._made = made
        finalize(self, self._library.dtmodel_switch_forget, made)

    def feed(self, times: Any, ports: Any, sizes: Any, records: Any, *, held: bool = False, until: Any = None) -> Any:
        """Let packets arrive; return an array with the fields of `Lost` for each packet that is dropped or pushed out.

        `held`: the packets are there at time 0, before any arrives. `until`: packets then depart up to this instant.
        """
        import numpy as np

        ports, records = (np.ascontiguousarray(column, np.int64) for column in (ports, records))
        columns = self._column(times), ports, self._column(sizes), records
        count = len(columns[0])
        if any(column.shape != (count,) for column in columns):
            raise InputError("records", [column.shape for column in columns], "columns of one length")
        end = None if until is None else self._column([until])
        places = (column.ctypes.data for column in columns)
        given = _Packets(count, *places, None if end is None else end.ctypes.data, held=held)
        done = self._library.dtmodel_switch_feed(self._made, ctypes.byref(given))
        if given.state:
            wrong = (column[done].item() for column in columns[:3]) if done < count else (until, None, None)
            self._refuse(given.state, *wrong)
        return self._rows(given.lost, given.losses, self._lost)

    def tallies(self) -> list[PortTally]:
        """Return what became of the packets of every port."""
        rows = self._rows(self._library.dtmodel_switch_tallies(self._made), self.ports, self._tally)
        return [*map(PortTally._make, rows.tolist())]

    @staticmethod
    def _rows(place: int, count: int, kind: Any) -> Any:
        """Copy rows out of the core."""
        import numpy as np

        rows = np.empty(count, kind)
        ctypes.memmove(rows.ctypes.data, place, rows.nbytes)
        return rows

    def _column(self, values: Any) -> Any:
        import numpy as np

        return np.ascontiguousarray(values, self._type)

    def _refuse(self, state: int, time: Any, port: int, size: Any) -> None:
        field, value, accepted = {
            1: ("port", port, f"a port from 0 to {self.ports - 1}"),
            2: ("size", size, "a size greater than 0"),
            3: ("size", size, f"a packet no larger than the buffer, {self.buffer}"),
            4: ("time", time, "a finite time, of at least 0 and not before that of the packet before"),
            5: ("time", time, "times and bytes that fit into the core's numbers"),
            6: ("records", "too many that wait", "what the memory of this machine holds"),
            7: ("initial", size, "packets that the buffer holds"),
        }[state]
        raise InputError(field, value, accepted)


def _numbers(buffer: Any, rates: Sequence[Any], form: PacketForm) -> list[Any]:
    """Return buffer, counting number and timers, rates, slopes, offsets and scales."""
    if len(form.thresholds) != len(rates):
        raise InputError("thresholds", len(form.thresholds), f"one for each of the {len(rates)} ports")
    limits = [limit or Threshold(Fraction(0), 2 * buffer) for limit in form.thresholds]  # whatever rounding does
    slopes, offsets = [limit.slope for limit in limits], [limit.offset for limit in limits]
    settings = form.circuit[1:] if form.circuit else (0, 0, 0)
    return [buffer, *settings, *rates, *slopes, *offsets, *(1 for _ in rates)]


def whole_numbers(buffer: Any, rates: Sequence[Any], form: PacketForm, unit: int, tick: int) -> list[Any]:
    """Return the numbers of a switch in units and ticks; those that are not whole there stay fractions."""
    numbers, ports = _numbers(buffer, rates, form), len(rates)
    cn2, *timers = numbers[1:4]
    slopes, offsets = (numbers[4 + k * ports : 4 + (k + 1) * ports] for k in (1, 2))
    offsets = [offset * unit for offset in offsets]
    scales = [lcm(a.denominator, b.denominator) for a, b in zip(slopes, offsets, strict=True)]
    times = [Fraction(tick) / (rate * unit) for rate in rates]
    scaled = ([value * scale for value, scale in zip(each, scales, strict=True)] for each in (slopes, offsets))
    ends = (ceil(timer * tick) for timer in timers)  # counters and instants are whole: they reach the next whole number
    found = [buffer * unit, ceil(cn2 * unit), *ends, *times, *next(scaled), *next(scaled), *scales]
    return [int(number) if number.denominator == 1 else number for number in found]
