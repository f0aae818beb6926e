"""The axes of a sweep: a name, places in the scenario, and values, listed or spaced."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import count, repeat
from typing import Any, final

from dtmodel.base import budgets, units
from dtmodel.base.documents import choice, only_keys, required, sequence
from dtmodel.base.errors import InputError
from dtmodel.base.schemas import declared
from dtmodel.base.vectors import Wholes

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_STEP = re.compile(r"(?:^|\.)([A-Za-z0-9_-]+)|\[(\d{1,9})\]")
_UNITS = {
    "buffer": "bytes", "initial": "bytes", "cn2": "bytes", "cap": "bytes", "reserved": "bytes", "sizes": "bytes",
    "rate": "bytes/s", "until": "s", "sample": "s", "tm1": "s", "tm2": "s", "on": "s", "off": "s", "sojourns": "s",
}  # fmt: skip
"""The units of the values of keys in a scenario."""


@final
@dataclass(frozen=True)
class Axis:
    """An axis of a sweep.

    `places`: the places of each value in the document, such as ``"queues[0].initial"``. `values`: the values there.
    `coordinates`: the values as numbers in the base unit, or labels of values that are not numbers. `unit`: that of the
    coordinates; empty if none. `numbers`: the values as exact numbers; empty if some are not numbers.
    """

    name: str
    places: tuple[str, ...]
    values: Sequence[Any]
    coordinates: tuple[float | str, ...]
    unit: str
    numbers: Sequence[Fraction] = ()

    @cached_property
    def column(self) -> Any:
        """The coordinates as a NumPy array."""
        import numpy as np

        return np.array(self.coordinates)


def read_axis(name: str, document: Mapping[str, Any], unit_at: Callable[[str], str]) -> Axis:
    """Read one of the ``axes`` of a sweep.

    >>> spaced = {"set": "policy.alpha", "from": "1/4", "to": 4, "count": 5, "spacing": "log"}
    >>> axis = read_axis("alpha", spaced, unit_of)
    >>> axis.places, axis.coordinates
    (('policy.alpha',), (0.25, 0.5, 1.0, 2.0, 4.0))
    >>> read_axis("burst", {"set": "queues[0].arrivals[0][1]", "values": ["1 Gbps", "2 Gbps"]}, unit_of).coordinates
    (125000000.0, 250000000.0)
    """
    where = f"axes.{name}"
    if not _NAME.fullmatch(name):
        raise InputError(where, name, "a name of letters, digits and underscores")
    only_keys(document, declared("sweep", "$defs", "axis").allowed, f"{where}.")
    places = document.get("set", name)
    places = (places,) if isinstance(places, str) else tuple(sequence(places, f"{where}.set"))
    if not places or not all(isinstance(place, str) and steps(place) for place in places):
        raise InputError(f"{where}.set", document.get("set", name), 'places such as "queues[0].initial"')
    unit = unit_at(places[0])
    if "values" in document:
        for key in ("from", "to", "count", "spacing"):
            if key in document:
                raise InputError(f"{where}.{key}", document[key], "no such key beside a list of values")
        values, found = _listed(sequence(document["values"], f"{where}.values", least=1), where, unit)
    else:
        values = found = _spaced(document, where, unit)
    coordinates = _coordinates(found, document.get("labels"), where)
    unit, numbers = "" if "labels" in document else unit, () if isinstance(found[0], str) else found
    return Axis(name, places, values, coordinates, unit, numbers)


def steps(place: str) -> tuple[str | int, ...]:
    """Read a place as keys and indices; empty if the text is not a place.

    >>> steps("queues[0].arrivals[1][0]"), steps("a..b")
    (('queues', 0, 'arrivals', 1, 0), ())
    """
    found, at = list[str | int](), 0
    while match := _STEP.match(place, at):
        found.append(int(match[2]) if match[1] is None else match[1])
        at = match.end()
    return tuple(found) if at == len(place) else ()


def unit_of(place: str) -> str:
    """Return the unit of the value at a place of a scenario; empty if it has none.

    >>> [unit_of(place) for place in ("switch.buffer", "queues[0].arrivals[0][1]", "policy.alpha")]
    ['bytes', 'bytes/s', '']
    """
    found = steps(place)
    if len(found) > 2 and found[-3] == "arrivals":
        return "s" if found[-1] == 0 else "bytes/s"
    return next((_UNITS.get(step, "") for step in reversed(found) if isinstance(step, str)), "")


def put(tree: Any, path: Sequence[str | int], value: Any) -> Any:
    """Return a copy of a document with a value at a path, which shares everything off the path.

    Raises `LookupError` if a key or index before the last is missing.

    >>> put({"a": [1, {"b": 2}], "c": 3}, ("a", 1, "b"), 7)
    {'a': [1, {'b': 7}], 'c': 3}
    """
    head, *rest = path
    if isinstance(tree, Mapping) and isinstance(head, str):
        return {**tree, head: put(tree[head], rest, value) if rest else value}
    if isinstance(tree, list) and isinstance(head, int):
        changed = [*tree]
        changed[head] = put(tree[head], rest, value) if rest else value
        return changed
    raise LookupError(head)


def exactly(value: Any) -> Any:
    """Return a document in which texts that are numbers or quantities are fractions; others are unchanged.

    >>> exactly({"name": "dt", "alpha": "1/2", "rates": ["1 Gbps"]})
    {'name': 'dt', 'alpha': Fraction(1, 2), 'rates': [Fraction(125000000, 1)]}
    """
    if isinstance(value, Mapping):
        return {key: item if key in ("id", "name") else exactly(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [exactly(item) for item in value]
    if isinstance(value, str) and (read := units.READER_OF.get(unit_in(value))):
        with suppress(InputError):
            return read(value, "")
    return value


def unit_in(text: str) -> str:
    """Return the part of a quantity after its number: "Gbps" of "1/2e-3 Gbps"."""
    return text.lstrip("0123456789./ +-eE\t\n\r\f\v").rstrip()


def _listed(given: Sequence[Any], where: str, unit: str) -> tuple[Sequence[Any], Sequence[Any]]:
    """Return listed values, and their numbers in the base unit; labels if some value is not a number in this unit."""
    try:
        numbers = [*map(units.READER_OF[unit], given, repeat(where))]
    except InputError:
        values = tuple(map(exactly, given))
        return values, [*map(_label, given, values, count())]
    return tuple(new if isinstance(old, str) else old for old, new in zip(given, numbers, strict=True)), numbers


def _spaced(document: Mapping[str, Any], where: str, unit: str) -> Sequence[Fraction]:
    required(document, ("from", "to", "count"), f"{where}.", "a value: an axis has values, or from, to and count")
    low, high = (units.READER_OF[unit](document[key], f"{where}.{key}") for key in ("from", "to"))
    number = units.count(document["count"], f"{where}.count", least=2)
    budgets.keep_within("points", number, f"{where}.count")
    if choice(document.get("spacing", "linear"), f"{where}.spacing", ("linear", "log")) == "linear":
        return Wholes.spaced(low, high, number)
    if not low or not high:
        raise InputError(f"{where}.from", document["from"], "ends greater than 0 where the spacing is log")
    least, ratio = units.as_float(low, f"{where}.from"), units.as_float(high / low, f"{where}.to")
    middle = [Fraction(f"{least * ratio ** (k / (number - 1)):.12g}") for k in range(1, number - 1)]
    return low, *middle, high


def _coordinates(found: Sequence[Any], labels: object, where: str) -> tuple[float | str, ...]:
    if labels is not None:
        names, number = sequence(labels, f"{where}.labels"), len(found)
        if len(names) != number or len(found := tuple(map(str, names))) > len(set(found)):
            raise InputError(f"{where}.labels", names, f"{number} different labels, one for each value")
    if isinstance(found[0], str):
        return tuple(found)
    over = map(Fraction.as_integer_ratio, found)
    ratios = zip(found.whole, repeat(found.under)) if isinstance(found, Wholes) else over
    with suppress(OverflowError):
        near = tuple(over / under for over, under in ratios)
        if not any(found[place] for place, value in enumerate(near) if not value):
            return near
    return tuple(units.as_float(number, where) for number in found)


def _label(written: object, value: Any, index: int) -> str:
    if isinstance(written, Mapping):
        return str(written.get("name", index))
    if type(value) in (int, Fraction) and (not isinstance(written, str) or written[-1:].isdigit()):
        return units.plain(value)
    return "null" if written is None else str(written)
