"""The parameters of policies in tables, by which documents are read and the words of claims and test data are made."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar, final

from dtmodel.base import units
from dtmodel.base.documents import choice, sequence
from dtmodel.base.errors import MISSING, InputError

_READERS: Mapping[str, Callable[..., Fraction]] = {
    "slope": units.number, "number": units.number, "bytes": units.bytes_, "s": units.seconds,
}  # fmt: skip
"""The reader of a number by its unit; a slope multiplies free bytes."""

_Made = TypeVar("_Made")


@final
@dataclass(frozen=True)
class PolicyParameter:
    """A parameter of a policy: its name, unit and domain.

    - `name`: the key in documents, and the argument of the class.
    - `unit`: ``"slope"`` (of a threshold in the free bytes), ``"number"``, ``"bytes"``, ``"s"``, ``"index"`` (a whole
      number from 0 on), or ``"word"``.
    - `many`: ``"one"`` for all queues, ``"each"``: one for each queue, ``"either"``, or the name of a parameter of
      indices: one for each index.
    - `default`: the value if it is omitted, for each queue; without a default the parameter is required. None: it may
      be None.
    - `positive`: False if a number may be 0.
    - `most`: the greatest number.
    - `words`: the accepted words.
    - `spoken`: the name in executable statements, if it is another one.

    >>> PolicyParameter("cn2", "bytes").read("12 KB", "policy.cn2")
    Fraction(12000, 1)
    """

    name: str
    unit: str = "slope"
    many: str = "one"
    default: Any = MISSING
    positive: bool = True
    most: int | None = None
    words: tuple[str, ...] = ()
    spoken: str = ""

    @property
    def word(self) -> str:
        """The name in executable statements."""
        return self.spoken or self.name

    @property
    def symbolic(self) -> bool:
        """True if the parameter is a number that may be a symbol in a family of `dtmodel.derive`."""
        return self.unit in _READERS

    def listed(self, value: object) -> bool:
        """Return True if a `value` must be, or is, a list."""
        return self.many not in ("one", "either") or (self.many == "either" and units.is_sequence(value))

    def read(self, value: object, field: str) -> Any:
        """Read the `value` of an argument: a number, a word, or a tuple of them; `field` names it in an error."""
        if not self.listed(value):
            return self.read_one(value, field)
        elements = sequence(value, field, least=int(self.positive))
        return tuple(self.read_one(element, f"{field}[{index}]") for index, element in enumerate(elements))

    def read_one(self, value: object, field: str) -> Any:
        """Read one `value`: a number or a word; `field` names it in an error."""
        if value is None and self.default is None:
            return None
        if not self.symbolic:
            return choice(value, field, self.words) if self.words else units.count(value, field)
        number = _READERS[self.unit](value, field, positive=self.positive)
        if self.most is not None and number > self.most:
            raise InputError(field, units.plain(number), f"a fraction of at most {self.most}")
        return number


def of_ones(parameters: Sequence[PolicyParameter], queues: int) -> dict[str, Any]:
    """Return 1 for each number, the first index and the first word, from which a policy shows its form."""
    one = {p.name: Fraction(1) if p.symbolic else p.words[0] if p.words else 0 for p in parameters}
    return {p.name: one[p.name] if p.many in ("one", "either") else (one[p.name],) * queues for p in parameters}


def in_json(value: Any) -> Any:
    """Write a value of a parameter as documents have it: numbers as exact text, sequences as lists."""
    if isinstance(value, Fraction):
        return units.plain(value)
    if isinstance(value, Mapping):
        return {key: in_json(item) for key, item in value.items()}
    return [in_json(item) for item in value] if isinstance(value, tuple | list) else value


def call(kind: type[_Made], /, **fields: Any) -> _Made:
    """Make an object from its fields by its constructor, which checks them."""
    return kind(**fields)


def unchecked(kind: type[_Made], /, **fields: Any) -> _Made:
    """Make an object from its fields, which may be numbers of any kind, without the checks of its constructor."""
    made = object.__new__(kind)
    for each in dataclasses.fields(kind):  # type: ignore[arg-type]  # a dataclass
        if each.name in fields:
            object.__setattr__(made, each.name, fields[each.name])
    return made
