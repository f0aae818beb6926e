"""What a policy is: one frozen class with its parameters, its thresholds, and, if it has one, its memory."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Self

from dtmodel.base import units
from dtmodel.base.errors import MISSING, InputError
from dtmodel.base.units import Quantity
from dtmodel.policies.admission import Account, Admission, ThresholdAdmission
from dtmodel.policies.memory import Form, Memory, Number
from dtmodel.policies.setting import PolicySetting
from dtmodel.policies.threshold import Threshold, free_beside

_BOUNDED = (
    "for the fluid model a policy with a threshold for every queue, or with none and a memory that thins what arrives "
    "at a full buffer; with packets this one runs (dtmodel replay-trace without --rates, or "
    "dtmodel.packet.engine.run_packets)"
)
_CAPS_ALONE = "a policy that has caps or a memory of its own, not both: a memory changes slope and offset alone"


@dataclass(frozen=True)
class Part:
    """A part of the buffer that some queues share, and whose free bytes their thresholds follow.

    Attributes
    ----------
    size : Fraction
        In bytes, without the reserves.
    queues : tuple of int
        Who shares it.
    reserves : tuple of Fraction
        For each of them, the bytes of its own that it fills before it takes anything of the part; empty: none.

    Examples
    --------
    >>> Part(Fraction(6), (0, 1)).reserves
    ()
    """

    size: Fraction
    queues: tuple[int, ...]
    reserves: tuple[Fraction, ...] = ()


class Policy(ABC):
    """The base of all policies. A new one needs `thresholds` alone; the rest is there to be overridden.

    The fluid engine takes `parts`, `thresholds`, `start` and `memory`; the packet engine and the explorer `admission`;
    the reader of scenarios `read`; `dtmodel.compare` takes `for_switch`.

    Examples
    --------
    >>> from dtmodel.policies import Policy, Threshold
    >>> class Half(Policy):
    ...     def thresholds(self, queues):
    ...         return (Threshold(Fraction(1, 2)),) * queues
    >>> from dtmodel import Arrivals, Switch, simulate
    >>> str(simulate(Switch(1, 6, 1), Half(), {0: Arrivals.constant(3)}, until=4).queue(0).at(4))
    '2'
    """

    @abstractmethod
    def thresholds(self, queues: int) -> Sequence[Threshold | None]:
        """Return the thresholds of `queues` queues at the start, in order; None: the buffer alone bounds the queue."""

    def memory(self, part: Part, number: type[Number]) -> Memory[Number] | None:
        """Return a fresh memory for a run of one part of the buffer in the given numbers; None: it remembers nothing.

        In the memory the queues of the part count from 0, in their order.
        """
        del part, number
        return None

    def form(self, part: Part) -> Form | None:
        """Return what others have to know of the memory of a part: "plain" where there is none; None: no others do.

        Examples
        --------
        >>> from dtmodel.policies import DT, EDT
        >>> part = Part(Fraction(9), (0, 1))
        >>> DT(1).form(part).name, EDT(1, 3).form(part).cn2
        ('plain', Fraction(3, 1))
        """
        memory = self.memory(part, Fraction)
        return Form("plain") if memory is None else memory.form()

    def parts(self, buffer: Fraction, queues: int, counts: Sequence[int] = ()) -> tuple[Part, ...]:
        """Return the parts of a buffer of `buffer` bytes: one, unless the policy divides it."""
        del counts
        return (Part(buffer, tuple(range(queues))),)

    def weights_of(self, buffer: Fraction, queues: int) -> tuple[Fraction, ...] | None:
        """Return the w_i with which T_i = w_i (B - sum Q) for `queues` queues all the time; None: it is no such policy.

        Examples
        --------
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
        """Return the policies that the fluid model accepts where it cannot bound these queues under this one; else "".

        In each part of the buffer either every queue has a threshold, or none has and a memory says which fraction of
        the arrivals a full buffer admits (`Memory.admitted`). Caps need a memory of the engine's own.

        Examples
        --------
        >>> from dtmodel.policies import DT, LQD, CompleteSharing
        >>> [policy.unbounded(Fraction(9), 2) == "" for policy in (DT(1), CompleteSharing(), LQD())]
        [True, True, False]
        """
        limits = self.thresholds(queues)
        for part in self.parts(buffer, queues, counts):
            memory, own = self.memory(part, Fraction), [limits[queue] for queue in part.queues]
            thins = memory is not None and "admitted" in memory.heard()
            if None in own and not (thins and set(own) == {None}):
                return _BOUNDED
            if memory is not None and any(limit is not None and limit.cap is not None for limit in own):
                return _CAPS_ALONE
        return ""

    def start(
        self, buffer: Fraction, held: Sequence[Fraction | None], counts: Sequence[int] = ()
    ) -> tuple[Fraction, ...]:
        """Return the lengths at time 0, in bytes; a queue that holds None sits on its threshold.

        With `counts` each stands for so many identical queues, here as in `parts`.

        Raises
        ------
        InputError
            If the policy does not fit the buffer or the queues, or cannot start like this.
        """
        limits = self.thresholds(len(held))
        if None not in held:
            return tuple(length for length in held if length is not None)
        many = counts or (1,) * len(held)
        steady = [(many[i], _bounded(limits[i], i)) for i, length in enumerate(held) if length is None]
        given = (n * length for n, length in zip(many, held, strict=True) if length is not None)
        room = buffer - sum(given, Fraction(0))
        free = free_beside(room, steady)
        lengths = [_bounded(limits[i], i).at(free) if length is None else length for i, length in enumerate(held)]
        if min(free, *lengths) < 0:
            accepted = "thresholds of at least 0 that the buffer can hold beside the other queues"
            raise InputError("queues.initial", "steady", accepted)
        return tuple(lengths)

    def admission(self, ports: int, buffer: Any, account: Account) -> Admission:
        """Return what decides on the packets of a switch: by default the thresholds, and the memory as a clock.

        Raises
        ------
        InputError
            If the memory does more than to act when it is due: then the policy needs an admission of its own.
        """
        del account
        number: Any = float if type(buffer) is float else Fraction
        (part,) = self.parts(Fraction(buffer), ports)
        limits = [None if limit is None else limit.given_in(number) for limit in self.thresholds(ports)]
        memory = self.memory(part, number)
        if memory is not None and any(limit is not None and limit.cap is not None for limit in limits):
            raise InputError("policy", type(self).__name__, _CAPS_ALONE)
        if memory is not None and (hears := memory.heard()):
            accepted = (
                f"one with an admission of its own: packets tell its memory the time alone, not {', '.join(hears)}"
            )
            raise InputError("policy", self, accepted)
        return ThresholdAdmission(limits, memory)

    @classmethod
    def read(cls, document: Mapping[str, Any], alphas: Mapping[int, Quantity], queues: int) -> Self:
        """Make the policy from its document, for example ``{"name": "dt", "alpha": "1/2"}``.

        Raises
        ------
        InputError
            If a key is unknown or missing, or a value is not accepted.
        """
        del alphas, queues
        raise InputError(
            "policy.name", document.get("name", MISSING), "a policy with a form in documents; this one has none"
        )

    @classmethod
    def for_switch(cls, setting: PolicySetting) -> Sequence["Configured"]:
        """Return the policy as one would set it for a switch, in one or several ways; by default in none.

        Parameters
        ----------
        setting : PolicySetting
            The switch, and the bursts that it is to take in.
        """
        del setting
        return ()


@dataclass(frozen=True)
class Configured:
    """A policy with its parameters set for a switch.

    Attributes
    ----------
    name : str
        The name in a comparison, such as ``"L2BM, harmonic mean"``.
    settings : str
        The parameters, as text.
    policy : Policy or None
        None if the fluid model cannot run the policy; `note` then gives the reason.
    claim : str
        The claim of the ledger that predicts the first drop of bursts faster than their ports; empty if there is none.
    held : Fraction or None
        The length of each steady queue in bytes when the bursts begin; None if the queue sits on its threshold.
    note : str
        A remark for the reader of the numbers.

    Examples
    --------
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


def read_alpha(
    document: Mapping[str, Any], alphas: Mapping[int, Quantity], queues: int
) -> Fraction | tuple[Fraction, ...]:
    """Read ``alpha`` of a policy's document (default: 1) and the alphas of single queues: one for all, or one for each.

    Examples
    --------
    >>> read_alpha({"alpha": "1/2"}, {1: 3}, 2)
    (Fraction(1, 2), Fraction(3, 1))
    """
    common = units.number(document.get("alpha", 1), "policy.alpha", positive=True)
    if not alphas:
        return common
    own = {i: units.number(alpha, f"queues[{i}].alpha", positive=True) for i, alpha in alphas.items()}
    return tuple(own.get(index, common) for index in range(queues))


def refuse_alphas(alphas: Mapping[int, Quantity]) -> None:
    """Refuse the alphas of single queues where the policy has none.

    Examples
    --------
    >>> refuse_alphas({})
    """
    for index, alpha in alphas.items():
        raise InputError(f"queues[{index}].alpha", alpha, "no alpha: this policy has none")


def _bounded(limit: Threshold | None, queue: int) -> Threshold:
    if limit is None:
        raise InputError(f"queues[{queue}].initial", "steady", "a length: the queue has no threshold")
    return limit
