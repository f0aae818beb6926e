"""Exact quantities: the only place where units are parsed or printed.

Inside the package every quantity is a `fractions.Fraction` in bytes, seconds or bytes per second.

- ``value`` is the given value, ``field`` the field that an error names; ``positive`` refuses 0, ``signed`` accepts
  numbers below 0.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import islice
from numbers import Rational, Real
from typing import Any, NamedTuple, cast

from dtmodel.base import budgets
from dtmodel.base.errors import InputError, printable
from dtmodel.base.vectors import Texts, Vector, Wholes

__all__ = ["Quantity", "bytes_", "exact", "number", "plain", "rate", "seconds", "show_bytes", "show_percent",
           "show_rate", "show_seconds"]  # fmt: skip

Quantity = str | int | float | Decimal | Rational
"""A quantity as an argument: a number in base units, ``"p/q"``, or a number with its unit."""

_DECIMAL = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_BINARY = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}

_SIZES: dict[str, Fraction] = {
    **{f"{p}B": Fraction(f) for p, f in (_DECIMAL | _BINARY).items()},
    **{f"{p}bit": Fraction(f, 8) for p, f in _DECIMAL.items()},
}
_RATES: dict[str, Fraction] = {
    **{f"{p}bps": Fraction(f, 8) for p, f in _DECIMAL.items()},
    **{f"{p}B/s": Fraction(f) for p, f in (_DECIMAL | _BINARY).items()},
}
_TIMES = {f"{p}s": Fraction(1, f) for p, f in {"": 1, "m": 10**3, "u": 10**6, "n": 10**9}.items()}
_TIMES |= {"min": Fraction(60)}
_LENGTHS = {"m": Fraction(1), "km": Fraction(1000), "cm": Fraction(1, 100), "ft": Fraction(3048, 10**4)}
_OTHER = {
    "byte": "B", "bytes": "B", "bits": "bit", "µs": "us", "μs": "us",  # micro sign, Greek mu
    **{f"{p}b/s": f"{p}bps" for p in _DECIMAL if p}, **{f"{p}Bps": f"{p}B/s" for p in _DECIMAL if p},
    **{f"{p}bit/s": f"{p}bps" for p in _DECIMAL},
}  # fmt: skip
"""Other spellings of a unit: ``Gb/s`` is ``Gbps``; ``gb/s`` is refused, because it may be ``GB/s``."""


class _Measure(NamedTuple):
    """A kind of quantity: its units in each spelling, their names, and the accepted values with and without 0."""

    units: Mapping[str, Fraction]
    names: Sequence[str]
    accepted: str
    positive: str
    known: dict[object, Fraction]  # short texts that were read before


def _measure(what: str, units: Mapping[str, Fraction], examples: str) -> _Measure:
    least, above = (f"{what} {bound} 0 such as {examples} if plain" for bound in ("of at least", "greater than"))
    spelled = {**units, **{other: units[name] for other, name in _OTHER.items() if name in units}}
    small = {
        name[0].lower() + name[1:]: unit for name, unit in spelled.items() if name[:1] in "KMGT" and "b/s" not in name
    }
    return _Measure(small | spelled, tuple(units), least, above, {})


_NUMBER_OR_SHARE = _Measure({"%": Fraction(1, 100)}, ("%",), "a number of at least 0", "a number greater than 0", {})
_SIZE = _measure("a size", _SIZES, '"1 MB" or "64 KiB", in bytes')
_RATE = _measure("a rate", _RATES, '"10 Gbps" or "5 MB/s", in bytes per second')
_TIME = _measure("a time", _TIMES, '"5 ms" or "10 us", in seconds')
_LENGTH = _measure("a length", _LENGTHS, '"40 m" or "100 ft", in metres')

_EXACT = frozenset({str, int, Fraction})
"""The types that need no further check: those of most values in a long list of events."""

_FEW, _BELOW, _KNOWN = 50, 10**50, 10_000
"""The digits and characters of quantities that are remembered by their text, their bound, and the number of these."""

_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE](?P<power>[+-]?\d{1,15}))?"
_DECIMALS = re.compile(r"^([0-9]{1,15})(?:\.([0-9]{1,9}))?(?: ([^\s0-9]+))?$", re.MULTILINE)
_PATTERN = re.compile(
    rf"\s*(?P<number>{_NUMBER})\s*(?:/\s*(?P<over>\d+)\s*)?(?P<unit>[^\d\s].*?)?\s*", re.ASCII | re.DOTALL
)


def exact(value: object, field: str, accepted: str = "a finite number") -> Fraction:
    """Read a plain number exactly; decimals are exact (``0.1`` is 1/10).

    Parameters
    ----------
    value : int, float, str, Decimal, Rational, or a NumPy scalar
        A float is read as it prints, in its own precision: ``np.float32(0.1)`` is 1/10 too.
    field : str
        The field that an error names.
    accepted : str
        The accepted values in the text of an error.

    Raises
    ------
    InputError
        For anything that is not a finite number, booleans included.

    Examples
    --------
    >>> exact("0.1", "alpha"), exact("2/3", "alpha"), exact(0.1, "alpha")
    (Fraction(1, 10), Fraction(2, 3), Fraction(1, 10))
    """
    return _read(value, field, None, accepted)


def number(value: object, field: str, *, positive: bool = False, signed: bool = False) -> Fraction:
    """Read a dimensionless number that is non-negative, positive, or of any sign; ``"50 %"`` is 1/2.

    >>> number("1/2", "alpha", positive=True), number("50 %", "load")
    (Fraction(1, 2), Fraction(1, 2))
    """
    if signed:
        return _read(value, field, _NUMBER_OR_SHARE, "a number")
    return _quantity(value, field, _NUMBER_OR_SHARE, positive)


def count(value: object, field: str, *, least: int = 0) -> int:
    """Read a whole number of at least `least`."""
    if type(value) is int and value >= least:  # a fast path for the events of traces
        budgets.digits(value, field)
        return value
    accepted = f"a whole number of at least {least}"
    result = _read(value, field, None, accepted)
    if result.denominator != 1 or result < least:
        raise InputError(field, value, accepted)
    return int(result)


def bytes_(value: object, field: str, *, positive: bool = False) -> Fraction:
    """Read a size in bytes: ``"1 MB"`` is 10**6 bytes, ``"1 MiB"`` is 2**20; a plain number is bytes.

    >>> bytes_("1 MB", "buffer"), bytes_("1 KiB", "buffer"), bytes_("7/2", "buffer")
    (Fraction(1000000, 1), Fraction(1024, 1), Fraction(7, 2))
    """
    return _quantity(value, field, _SIZE, positive)


def whole_bytes(value: object, field: str) -> Fraction:
    """Read a size greater than 0 in whole bytes, such as that of a packet."""
    size = bytes_(value, field, positive=True)
    if size.denominator != 1:
        raise InputError(field, value, "a whole number of bytes")
    return size


def rate(value: object, field: str, *, positive: bool = False) -> Fraction:
    """Read a rate in bytes per second: ``"1 Gbps"`` is 125,000,000; a plain number is bytes per second.

    >>> rate("1 Gbps", "rate")
    Fraction(125000000, 1)
    """
    return _quantity(value, field, _RATE, positive)


def rates(value: object, field: str, ports: int) -> tuple[Fraction, ...]:
    """Read the rate of all ports, or of each, as a sequence or with commas between; return one rate, or each.

    >>> [str(rate) for rate in rates("8 bps,16 bps", "rate", 2)]
    ['1', '2']
    """
    parts = value.split(",") if isinstance(value, str) else value
    given = sequence(parts, field) if is_sequence(parts) else [parts]
    read = tuple(rate(each, field, positive=True) for each in given)
    if len(read) not in (1, ports):
        raise InputError(field, value, f"one rate, or one for each of the {ports} ports")
    return read


def one_rate(value: object, field: str, needing: str) -> Fraction:
    """Read a rate of all ports; the error for several rates has `needing`, the equations that need one rate."""
    if is_sequence(value) or (isinstance(value, str) and "," in value):
        raise InputError(field, value, f"one rate for all ports, which {needing} need")
    return rate(value, field, positive=True)


def seconds(value: object, field: str, *, positive: bool = False) -> Fraction:
    """Read a time in seconds: ``"5 ms"``, ``"10 us"``; a plain number is seconds.

    >>> seconds("5 ms", "until")
    Fraction(1, 200)
    """
    return _quantity(value, field, _TIME, positive)


READERS: Mapping[str, Callable[..., Fraction]] = {"bytes": bytes_, "bytes/s": rate, "s": seconds}
"""The reader of a quantity by its base unit."""
READER_OF: Mapping[str, Callable[..., Fraction]] = {
    **READERS, "": number, "%": number, **dict.fromkeys(_SIZE.units, bytes_), **dict.fromkeys(_RATE.units, rate),
    **dict.fromkeys(_TIME.units, seconds),
}  # fmt: skip
"""The reader of a quantity by its unit in any spelling, its base unit, or no unit."""


def metres(value: object, field: str) -> Fraction:
    """Read a length in metres: ``"40 m"``, ``"100 ft"``; a plain number is metres.

    >>> metres("40m", "cable"), metres("100 ft", "cable")
    (Fraction(40, 1), Fraction(762, 25))
    """
    return _quantity(value, field, _LENGTH, positive=False)


def has_unit(value: object) -> bool:
    """Return True if `value` is a text of a number and a unit, such as ``"1/2 MB"``, known or unknown.

    >>> has_unit("1/2 MB"), has_unit("5e3 miles"), has_unit("1/2"), has_unit("2*MB")
    (True, True, False, False)
    """
    match = _PATTERN.fullmatch(value) if isinstance(value, str) else None
    return match is not None and (match["unit"] or "").replace("/", "").isalpha()


def plain(value: Rational | int) -> str:
    """Write an exact number as ``"p"`` or ``"p/q"``, the form of JSON answers.

    Raises `BudgetError` if it has more digits than the budget allows.

    >>> plain(Fraction(1, 500)), plain(Fraction(4))
    ('1/500', '4')
    """
    budgets.digits(value, "an exact answer")
    p, q = int(value.numerator), int(value.denominator)
    return _written(p) if q == 1 else f"{_written(p)}/{_written(q)}"


def as_float(value: Fraction, field: str) -> float:
    """Return the nearest float of a number; raise `InputError` if it is infinite, or 0 although the number is not."""
    try:
        near = float(value)
    except OverflowError:
        near = 0.0
    if not near and value:
        raise InputError(field, plain(value), "a number within the range of floats")
    return near


def whole(value: Fraction | int) -> Fraction | int:
    """Return a whole number as an int, with which Python computes several times faster."""
    if type(value) is int:  # the common case; `isinstance` of Fraction costs as much as three sums
        return value
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value


def sequence(value: object, field: str, *, least: int = 0, accepted: str = "a list") -> list[Any]:
    """Return the elements of a list, a tuple, an array or an iterator; refuse text, mappings and sets."""
    if type(value) is not list and isinstance(value, Iterator | range):
        value = list(islice(value, budgets.limit("events") + 1))
        budgets.keep_within("events", len(value), field)
    if type(value) is not list and not is_sequence(value):
        raise InputError(field, value, accepted)
    elements: list[Any] = list(value)  # type: ignore[call-overload]  # is_sequence has seen that it can be iterated
    if len(elements) < least:
        raise InputError(field, value, f"{accepted} of at least {least}")
    return elements


def is_sequence(value: object) -> bool:
    """Return True if `value` is a list of values: a sequence other than text, or an array."""
    if type(value) is list or isinstance(value, Sequence):
        return not isinstance(value, str | bytes | bytearray | memoryview)
    return bool(getattr(value, "shape", ())) and hasattr(value, "tolist")


def each(
    read: Callable[..., Fraction], values: object, field: str, *, least: int = 0, **options: Any
) -> tuple[Fraction, ...]:
    """Read every element of a list with one of the readers of this module; an error names the element by its index."""
    elements = sequence(values, field, least=least)
    return tuple(read(element, f"{field}[{index}]", **options) for index, element in enumerate(elements))


def show_bytes(value: Fraction) -> str:
    """Write a size for a person.

    >>> show_bytes(Fraction(250_000)), show_bytes(Fraction(10**6, 3))
    ('250 KB', '333.333 KB (1000000/3 B)')
    """
    return _show(value, [("GB", 10**9), ("MB", 10**6), ("KB", 10**3), ("B", 1)], "B")


def show_percent(share: Fraction | float, digits: int = 1) -> str:
    """Write a `share` of a whole in percent, rounded to `digits` after the point.

    >>> show_percent(Fraction(1, 16)), show_percent(3, 0)
    ('6.2 %', '300 %')
    """
    return f"{100 * float(share):.{digits}f} %"


def show_rate(value: Fraction) -> str:
    """Write a rate for a person.

    >>> show_rate(Fraction(125_000_000))
    '1 Gbps'
    """
    return _show(8 * value, [("Tbps", 10**12), ("Gbps", 10**9), ("Mbps", 10**6), ("Kbps", 10**3), ("bps", 1)], "bps")


def show_seconds(value: Fraction) -> str:
    """Write a time for a person: ``2 ms (1/500 s)``.

    >>> show_seconds(Fraction(1, 500)), show_seconds(Fraction(3))
    ('2 ms (1/500 s)', '3 s')
    """
    units = [("s", Fraction(1)), ("ms", Fraction(1, 10**3)), ("us", Fraction(1, 10**6)), ("ns", Fraction(1, 10**9))]
    return _show(value, units, "s")


def show_number(value: Fraction | int) -> str:
    """Write a dimensionless number for a person.

    >>> show_number(3), show_number(Fraction(1, 3))
    ('3', '0.333333 (1/3)')
    """
    exactly = plain(value)
    return exactly if value.denominator == 1 else f"{_rounded(Fraction(value))} ({exactly})"


def brief(text: str) -> str:
    """Remove the exact form from a `text` that a ``show_`` function wrote."""
    return text.partition(" (")[0]


def _read(value: object, field: str, measure: _Measure | None, accepted: str) -> Fraction:
    if measure and isinstance(value, Vector | Texts):
        each = partial(_read, field=field, measure=measure, accepted=accepted)
        vector = value if isinstance(value, Vector) else value.read(measure.names, each, partial(_together, measure))
        return cast("Fraction", vector)
    if type(value) is float and value.is_integer() and abs(value) < 1e15:  # printed, it is a whole number
        return Fraction(int(value))
    given: Any = value if type(value) in _EXACT else _scalar(value, field, accepted)
    result = _parsed(given, field, measure, accepted) if isinstance(given, str) else Fraction(given)
    budgets.digits(result, field)
    return result


def _together(measure: _Measure, values: Sequence[object]) -> Wholes | None:
    """Read short decimals, all of one unit; None if some value is another text."""
    lines = "\n".join(map(str, values))
    found = _DECIMALS.findall(lines)
    units = {unit for _, _, unit in found}
    simple = len(found) == len(values) == lines.count("\n") + 1 and _EXACT.issuperset(map(type, values))
    if not simple or len(units) > 1 or not units <= {"", *measure.units} or budgets.limit("digits") < _FEW:
        return None
    scale, places = measure.units.get("".join(units), Fraction(1)), max(len(part) for _, part, _ in found)
    whole = [int(before + part.ljust(places, "0")) * scale.numerator for before, part, _ in found]
    return Wholes(whole, 10**places * scale.denominator)


def _scalar(value: Any, field: str, accepted: str) -> str | Fraction:
    """Convert an exact number of another type to a Fraction, and a float or Decimal to text."""
    if type(value) is float:
        return repr(value)
    if getattr(value, "shape", None) == () and hasattr(value, "__setitem__"):
        value = getattr(value, "values", value)[()]  # an array without dimensions, or xarray's wrapper of one
    if isinstance(value, bool) or getattr(getattr(value, "dtype", None), "kind", "i") not in "iufU":
        raise InputError(field, value, accepted)  # NumPy's time differences, too, whose kind is an integer
    if isinstance(value, Rational):
        # Python's ints, as 64-bit integers would overflow
        return Fraction(int(value.numerator), int(value.denominator))
    return _as_text(value, field, accepted)


def _as_text(value: object, field: str, accepted: str) -> str:
    """Return the text of a string or a Decimal, and the printed form of a float."""
    if isinstance(value, str | Decimal):
        return str(value)
    if isinstance(value, float):
        return float.__repr__(value)
    if isinstance(value, Real) and hasattr(value, "dtype"):  # a NumPy float of another precision
        return str(value)
    raise InputError(field, value, accepted)


def _parsed(text: str, field: str, measure: _Measure | None, accepted: str) -> Fraction:
    if len(text) > 100 and len(text) > 2 * budgets.limit("digits") + 100:
        budgets.keep_within("digits", len(text), field)
    given, _, unit = text.partition(" ")
    given, slash, over = given.partition("/")
    whole, _, part = given.partition(".")
    below = over if slash else "1"
    simple = text.isascii() and whole.isdigit() and (part or "0").isdigit() and below.isdigit() and len(text) < 640
    if simple and int(below) and (not unit or (measure is not None and unit in measure.units)):  # no pattern: fast
        scale = measure.units[unit] if measure is not None and unit else 1
        return Fraction(int(whole + part) * scale.numerator, 10 ** len(part) * int(below) * scale.denominator)
    match = _PATTERN.fullmatch(text)
    if match is None:
        raise InputError(field, text, accepted)
    digits, power, over, unit = match.groups()
    if power:
        budgets.keep_within("digits", abs(int(power)), field)
    if not (under := _number(over or "1")):
        raise InputError(field, text, accepted)
    result = Fraction(_number(digits), under)
    if not unit:
        return result
    if measure is None or unit not in measure.units:
        named = _named_units(unit, measure) if unit[0].isalpha() or unit == "%" else ""
        raise InputError(field, text, accepted + named)
    return result * measure.units[unit]


def _named_units(unit: str, measure: _Measure | None) -> str:
    """Name the units of a kind of quantity, and those that an unknown unit may mean.

    >>> _named_units("mb", _SIZE)[:25], _named_units("pkts", None)
    ("; 'mb' may be MB or Mbit;", ', without a unit')
    """
    if measure is None or measure is _NUMBER_OR_SHARE:
        return ", without a unit"
    near = [name for name in measure.names if _skeleton(name).startswith(_skeleton(unit))]
    may = f"; '{printable(unit)}' may be {' or '.join(near)}" if near and len(unit) <= len(max(near, key=len)) else ""
    return f"{may}; the units are {', '.join(measure.names)}"


def _skeleton(unit: str) -> str:
    """Return a unit without the differences that change its size: the case of B, bit or byte, per second.

    >>> _skeleton("Gbit/s") == _skeleton("GB/s") == _skeleton("gbps")
    True
    """
    return unit.casefold().replace("bit", "b").replace("byte", "b").replace("/s", "ps")


def _number(text: str) -> Fraction | int:
    """Read a decimal exactly, whole numbers as ints; Python's own conversion may stop at 640 digits."""
    return int(text) if text.isdigit() and len(text) <= 640 else Fraction(Decimal(text))


def _written(value: int) -> str:
    """Write a whole number of any length; Python's own conversion stops at 4,300 digits."""
    return str(value) if value.bit_length() < 10_000 else format(Decimal(value), "f")


def _quantity(value: object, field: str, measure: _Measure, positive: bool) -> Fraction:
    given = measure.known.get(value) if type(value) is str or type(value) is int else value
    if type(given) is Fraction and given.numerator >= positive:  # a fast path for long lists
        if given is value or budgets.limit("digits") < _FEW:
            budgets.digits(given, field)
        return given
    accepted = measure.positive if positive else measure.accepted
    result = _read(value, field, measure, accepted)
    if result.numerator < positive if type(result) is Fraction else result < 0 or (positive and not result):
        raise InputError(field, value, accepted)
    if given is None and max(result.as_integer_ratio()) < _BELOW and len(str(value)) < _FEW:
        if len(measure.known) >= _KNOWN:
            measure.known.clear()
        measure.known[value] = result
    return result


def _show(value: Fraction, scales: Sequence[tuple[str, Fraction | int]], base: str) -> str:
    """Write `value` in the largest unit that fits, and also exactly in base units unless both are obvious."""
    unit, scale = next(((u, s) for u, s in scales if abs(value) >= s), (base, 1))
    scaled = Fraction(value) / scale
    text = _rounded(scaled, ",")
    is_exact = Fraction(text.replace(",", "")) == scaled
    if is_exact and (unit == base or Fraction(value).denominator == 1):
        return f"{text} {unit}"
    return f"{text} {unit} ({plain(value)} {base})"


def _rounded(value: Fraction, grouped: str = "") -> str:
    return f"{Decimal(value.numerator) / Decimal(value.denominator):{grouped}.6g}"  # a float would overflow
