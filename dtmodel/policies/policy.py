"""The base class of policies: a frozen class with parameters, thresholds and an optional memory."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Self

from dtmodel.base import units
from dtmodel.base.documents import only_keys
from dtmodel.base.errors import MISSING, InputError
from dtmodel.base.units import Quantity
from dtmodel.base.vectors import Vector
from dtmodel.policies.admission import Account, Admission, ThresholdAdmission
from dtmodel.policies.expulsion import Expulsion
from dtmodel.policies.forest import Forest
from dtmodel.policies.memory import Form, Memory, Number
from dtmodel.policies.parameters import PolicyParameter, call, in_json
from dtmodel.policies.setting import PolicySetting
from dtmodel.policies.threshold import Threshold, free_beside

_BOUNDED = (
    "for the fluid model a policy with a threshold for every queue, or one without thresholds whose memory thins the "
    "arrivals at a full buffer; this policy runs with packets (dtmodel replay-trace without --rates, or "
    "dtmodel.packet.engine.run_packets)"
)
_RATIONAL: Any = lambda number: number if isinstance(number, Vector) else Fraction(number)  # noqa: E731  # for a type
_CAPS_ALONE = "a policy that has caps or a memory of its own, not both: a memory changes slope and offset alone"


@dataclass(frozen=True)
class Part:
    """A part of the buffer whose free bytes set the thresholds of the queues that share it.

    - `size`: bytes without the reserves.
    - `queues`: the queues that share the part.
    - `reserves`: the bytes that each queue fills before it takes bytes of the part; empty if no queue has a reserve.

    >>> Part(Fraction(6), (0, 1)).reserves
    ()
    """

    size: Fraction
    queues: tuple[int, ...]
    reserves: tuple[Fraction, ...] = ()


class Policy(ABC):
    """The base class of all policies. A new policy must define `thresholds`; every other method has a default.

    The fluid engine uses `parts`, `thresholds`, `start` and `memory`, and `dtmodel.derive` the same methods with
    rational functions in place of numbers; the packet engine and the explorer use `admission`; `dtmodel.compare` uses
    `for_switch`. Documents, families, claims and generators follow the table `parameters`.

    - `parameters` (tuple of PolicyParameter): the parameters, in the order of the constructor's arguments.
    - `also`: further names in documents, with the keys that each of them means.
    - `by_name`: True if comparisons contain the policy only where it is named.

    >>> from dtmodel.policies import Policy, Threshold
    >>> class Half(Policy):
    ...     def thresholds(self, queues):
    ...         return (Threshold(Fraction(1, 2)),) * queues
    >>> from dtmodel import Arrivals, Switch, simulate
    >>> str(simulate(Switch(1, 6, 1), Half(), {0: Arrivals.constant(3)}, until=4).queue(0).at(4))
    '2'
    """

    parameters: ClassVar[tuple[PolicyParameter, ...]] = ()
    also: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    by_name: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for parameter in self.parameters:
            value = parameter.read(getattr(self, parameter.name), f"policy.{parameter.name}")
            object.__setattr__(self, parameter.name, value)
        self.consistent()

    def _take(self, **given: Any) -> None:
        """Read the arguments of a constructor by the table of parameters."""
        for name, value in given.items():
            object.__setattr__(self, name, value)
        self.__post_init__()

    def consistent(self) -> None:  # noqa: B027 - most parameters fit together
        """Refuse parameters that do not fit together."""

    def each(self, name: str, queues: int) -> tuple[Any, ...]:
        """Return the parameter `name` for each of `queues` queues; `InputError` if it is a list of another length."""
        value = getattr(self, name)
        if not isinstance(value, tuple):
            return (value,) * queues
        if len(value) != queues:
            raise InputError(f"policy.{name}", list(map(units.plain, value)), f"one for each of the {queues} queues")
        return value

    @abstractmethod
    def thresholds(self, queues: int) -> Sequence[Threshold | None]:
        """Return the initial thresholds of `queues` queues in order; None if only the buffer bounds a queue."""

    def memory(self, part: Part, number: type[Number]) -> Memory[Number] | None:
        """Return a fresh memory for a run of one part of the buffer; None if the policy has no memory.

        The memory computes in numbers of type `number`, and numbers the queues of the part from 0, in their order.
        """
        return None

    def form(self, part: Part) -> Form | None:
        """Return the parameters with which compiled code runs the memory of a part; None if only Python can run it.

        The name of the form is "plain" if the policy has no memory.

        >>> from dtmodel.policies import DT, EDT
        >>> part = Part(Fraction(9), (0, 1))
        >>> DT(1).form(part).name, EDT(1, 3).form(part).cn2
        ('plain', Fraction(3, 1))
        """
        memory = self.memory(part, _RATIONAL)
        return Form("plain") if memory is None else memory.form()

    def parts(self, buffer: Fraction, queues: int, counts: Sequence[int] = ()) -> tuple[Part, ...]:
        """Return the parts of a buffer of `buffer` bytes; by default one part with all queues."""
        return (Part(buffer, tuple(range(queues))),)

    def forest(self, buffer: Fraction, counts: Sequence[int] = ()) -> Forest | None:
        """Return the trees of limits that bound the queues; None if thresholds of the free buffer bound them."""
        return None

    def weights_of(self, buffer: Fraction, queues: int) -> tuple[Fraction, ...] | None:
        """Return the constant w_i of T_i = w_i (B - sum Q) for `queues` queues; None if a threshold has another form.

        >>> from dtmodel.policies import DT, EDT
        >>> DT("1/2").weights_of(Fraction(9), 2), EDT(1, "12 KB").weights_of(Fraction(9), 2)
        ((Fraction(1, 2), Fraction(1, 2)), None)
        """
        (part, *others), limits = self.parts(buffer, queues), self.thresholds(queues)
        if others or part.reserves or self.memory(part, Fraction) is not None:
            return None
        weights = [limit.slope for limit in limits if limit is not None and not limit.offset and limit.cap is None]
        return tuple(weights) if len(weights) == queues else None

    def unbounded(self, buffer: Fraction, queues: int, counts: Sequence[int] = ()) -> str:
        """Return an empty text if the fluid model can bound these queues; else the policies that it accepts.

        In each part of the buffer either every queue has a threshold, or no queue has one and the memory gives the
        fraction of the arrivals that a full buffer admits (`Memory.admitted`). A policy with caps must not have a
        memory as well.

        >>> from dtmodel.policies import DT, LQD, CompleteSharing
        >>> [policy.unbounded(Fraction(9), 2) == "" for policy in (DT(1), CompleteSharing(), LQD())]
        [True, True, False]
        """
        limits = self.thresholds(queues)
        for part in self.parts(buffer, queues, counts):
            memory, own = self.memory(part, _RATIONAL), [limits[queue] for queue in part.queues]
            thins = memory is not None and "admitted" in memory.heard()
            if None in own and not (thins and set(own) == {None}):
                return _BOUNDED
            if memory is not None and any(limit is not None and limit.cap is not None for limit in own):
                return _CAPS_ALONE
        return ""

    def start(
        self, buffer: Fraction, held: Sequence[Fraction | None], counts: Sequence[int] = ()
    ) -> tuple[Fraction, ...]:
        """Return the queue lengths at time 0 in bytes; a queue whose `held` is None sits on its threshold.

        With `counts`, each queue stands for that many identical queues. Raises `InputError` if the policy does not fit
        the buffer or the queues, or if no steady lengths exist.
        """
        self.thresholds(len(held))
        if None not in held:
            return tuple(length for length in held if length is not None)
        frees = self.steady_free(buffer, held, counts)
        lengths = self._steady(frees, buffer, held, counts)
        if min(*frees, *lengths) < 0:
            accepted = "thresholds of at least 0 that the buffer can hold beside the other queues"
            raise InputError("queues.initial", "steady", accepted)
        return lengths

    def steady(
        self, buffer: Fraction, held: Sequence[Fraction | None], counts: Sequence[int] = ()
    ) -> tuple[Fraction, ...]:
        """Return the lengths at time 0 as `start` does, without its checks."""
        return self._steady(self.steady_free(buffer, held, counts), buffer, held, counts)

    def _steady(
        self, frees: Sequence[Fraction], buffer: Fraction, held: Sequence[Fraction | None], counts: Sequence[int]
    ) -> tuple[Fraction, ...]:
        limits, parts = self.thresholds(len(held)), zip(self.parts(buffer, len(held), counts), frees, strict=True)
        free = {queue: its for part, its in parts for queue in part.queues}
        return tuple(_bounded(limits[i], i).at(free[i]) if q is None else q for i, q in enumerate(held))

    def steady_free(
        self, buffer: Fraction, held: Sequence[Fraction | None], counts: Sequence[int] = ()
    ) -> list[Fraction]:
        """Return the free bytes of each part if the queues whose `held` is None sit on their thresholds."""
        many, limits = counts or (1,) * len(held), self.thresholds(len(held))
        frees = []
        for part in self.parts(buffer, len(held), counts):
            room, steady = part.size, list[tuple[int, Threshold]]()
            for place, queue in enumerate(part.queues):
                reserve = part.reserves[place] if part.reserves else Fraction(0)
                if (length := held[queue]) is None:
                    steady.append((many[queue], _bounded(limits[queue], queue).beyond(reserve)))
                else:
                    room -= many[queue] * (max(length - reserve, Fraction(0)) if part.reserves else length)
            frees.append(free_beside(room, steady))
        return frees

    def counting(self, counts: Sequence[int] = ()) -> Self:
        """Return the policy for queues that stand for `counts` identical queues each; by default itself."""
        return self

    def admission(self, ports: int, buffer: Any, account: Account) -> Admission:
        """Return the object that admits packets: by default the thresholds, with the memory as a clock.

        Raises `InputError` if the memory needs more than the time: the policy must then define an admission of its own.
        """
        number: Any = float if type(buffer) is float else Fraction
        (part,) = self.parts(Fraction(buffer), ports)
        limits = [None if limit is None else limit.given_in(number) for limit in self.thresholds(ports)]
        memory = self.memory(part, number)
        if memory is not None and any(limit is not None and limit.cap is not None for limit in limits):
            raise InputError("policy", type(self).__name__, _CAPS_ALONE)
        if memory is not None and (hears := memory.heard()):
            accepted = (
                f"one with an admission of its own: with packets a memory gets only the time, not {', '.join(hears)}"
            )
            raise InputError("policy", self, accepted)
        return ThresholdAdmission(limits, memory)

    @classmethod
    def columns(cls, document: Mapping[str, Any], queues: int) -> Mapping[str, Any]:
        """Return each parameter's value in a document (a default for each of `queues`); or `InputError` for a key."""
        only_keys(document, ("name", *(parameter.name for parameter in cls.parameters)), "policy.")
        lists = {p.name for p in cls.parameters if p.many == "each" and p.default is not MISSING}
        defaults = {p.name: [p.default] * queues if p.name in lists else p.default for p in cls.parameters}
        return {name: document.get(name, default) for name, default in defaults.items()}

    def document(self) -> dict[str, Any]:
        """Return the policy's document without its name; `read` makes an equal policy from it.

        >>> from dtmodel.policies import DT
        >>> DT("1/2").document()
        {'alpha': '1/2'}
        """
        return {parameter.name: in_json(getattr(self, parameter.name)) for parameter in self.parameters}

    @classmethod
    def place(cls, name: str, queue: int) -> str:
        """Return the field of a document that has the parameter `name` of one queue."""
        return f"policy.{name}[{queue}]"

    @classmethod
    def of(cls, values: Mapping[str, Any], make: Callable[..., Any] = call) -> Self:
        """Make the policy from `values` of its parameters; `make` calls a class with the fields of an object."""
        made: Self = make(cls, **values)
        return made

    @classmethod
    def read(cls, document: Mapping[str, Any], alphas: Mapping[int, Quantity], queues: int) -> Self:
        """Make the policy from its document, for example ``{"name": "dt", "alpha": "1/2"}``, or raise `InputError`."""
        values = dict(cls.columns(document, queues))
        if any(parameter.name == "alpha" and parameter.many == "either" for parameter in cls.parameters):
            values["alpha"] = read_alpha(document, alphas, queues)
        else:
            refuse_alphas(alphas)
        policy = cls.of(values)
        policy.thresholds(queues)
        return policy

    def unit_of(self, parameter: PolicyParameter) -> str:
        """Return the unit of a `parameter`, which another one may change."""
        return parameter.unit

    def owned(self, queue: int) -> tuple[Any, Any]:
        """Return the reserve of a queue, and its greatest length if that does not depend on F; None if it has none."""
        return None, None

    def occupied(self) -> Iterator[tuple[Sequence[int], str]]:
        """Yield sets of queues of which one must exist for the thresholds to be defined, with the text of the error."""
        return iter(())

    @classmethod
    def for_switch(cls, setting: PolicySetting) -> Sequence["Configured"]:
        """Return variants of the policy for a switch and its bursts, `setting`; by default none."""
        return ()


class WithoutThresholds(Policy):
    """A policy whose queues have no threshold: the full buffer bounds them, or a rule for packets."""

    def thresholds(self, queues: int) -> tuple[None, ...]:
        """Return None for each queue."""
        return (None,) * queues

    @abstractmethod
    def admission(self, ports: int, buffer: Any, account: Account) -> Admission:
        """Return the object that admits packets."""


@dataclass(frozen=True)
class Configured:
    """A policy with its parameters set for a switch.

    - `name`: the name in a comparison, such as ``"L2BM, harmonic mean"``.
    - `settings`: the parameters, as text.
    - `policy` (Policy or None): None if the fluid model cannot run the policy; `note` then gives the reason.
    - `claim`: the claim of the ledger that predicts the first drop of bursts faster than their ports; empty if there is
      none.
    - `held`: the length of each steady queue in bytes when the bursts begin; None if the queue sits on its threshold.
    - `note`: a remark for the reader of the numbers.
    - `packets` (Policy or None): the policy for packets, if the fluid model cannot run it.
    - `expulsion` (Expulsion or None): the formulas of the bursts under a policy that expels packets.

    >>> from dtmodel import DT
    >>> Configured("DT", "alpha = 1", DT(1)).held is None
    True
    """

    name: str
    settings: str
    policy: Policy | None
    claim: str = ""
    held: Fraction | None = None
    note: str = ""
    packets: Policy | None = None
    expulsion: Expulsion | None = None


def read_alpha(
    document: Mapping[str, Any], alphas: Mapping[int, Quantity], queues: int
) -> Fraction | tuple[Fraction, ...]:
    """Read ``alpha`` of a policy's document, with the `alphas` of single queues: one for all queues, or one for each.

    >>> read_alpha({"alpha": "1/2"}, {1: 3}, 2)
    (Fraction(1, 2), Fraction(3, 1))
    """
    given = document.get("alpha", 1)
    if units.is_sequence(given):
        each = units.each(units.number, given, "policy.alpha", positive=True)
        if len(each) != queues:
            raise InputError("policy.alpha", given, f"one for each of the {queues} queues")
    else:
        common = units.number(given, "policy.alpha", positive=True)
        if not alphas:
            return common
        each = (common,) * queues
    own = {i: units.number(alpha, f"queues[{i}].alpha", positive=True) for i, alpha in alphas.items()}
    return tuple(own.get(index, alpha) for index, alpha in enumerate(each))


def refuse_alphas(alphas: Mapping[int, Quantity]) -> None:
    """Raise `InputError` if single queues have `alphas`, for a policy without alpha."""
    for index, alpha in alphas.items():
        raise InputError(f"queues[{index}].alpha", alpha, "no alpha: this policy has none")


def _bounded(limit: Threshold | None, queue: int) -> Threshold:
    if limit is None:
        raise InputError(f"queues[{queue}].initial", "steady", "a length: the queue has no threshold")
    return limit
