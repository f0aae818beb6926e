"""Buffer management policies: the threshold of each queue, and what a policy remembers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dtmodel import units
from dtmodel.documents import choice, only_keys, sequence, table
from dtmodel.errors import InputError
from dtmodel.pools import Pool, QueueLimits, SharedPools
from dtmodel.thresholds import Threshold
from dtmodel.units import Quantity
from dtmodel.weighted import Weighted

__all__ = [
    "DT",
    "EDT",
    "CompleteSharing",
    "Policy",
    "SharedPools",
    "StaticPartition",
    "Threshold",
    "Weighted",
    "read",
]


@dataclass(frozen=True, init=False)
class DT:
    """Dynamic Threshold: T_i = alpha_i (B - sum Q) (DT/EDT paper, equation (1)).

    Parameters
    ----------
    alpha : quantity or sequence of quantities
        One alpha for all queues, or one for each queue; greater than 0.

    Raises
    ------
    InputError
        If an alpha is not a number greater than 0.

    Examples
    --------
    >>> DT(alpha="1/2").thresholds(2)[0].at(Fraction(10))
    Fraction(5, 1)
    """

    alpha: Fraction | tuple[Fraction, ...]

    def __init__(self, alpha: Quantity | Sequence[Quantity] = 1) -> None:
        if isinstance(alpha, Sequence) and not isinstance(alpha, str):
            each = tuple(units.number(a, f"policy.alpha[{i}]", positive=True) for i, a in enumerate(alpha))
            object.__setattr__(self, "alpha", each)
        else:
            object.__setattr__(self, "alpha", units.number(alpha, "policy.alpha", positive=True))

    def thresholds(self, queues: int) -> tuple[Threshold, ...]:
        """The thresholds of `queues` queues, in order."""
        if isinstance(self.alpha, Fraction):
            return (Threshold(self.alpha),) * queues
        if len(self.alpha) != queues:
            raise InputError("policy.alpha", list(map(str, self.alpha)), f"one alpha for each of the {queues} queues")
        return tuple(Threshold(alpha) for alpha in self.alpha)


@dataclass(frozen=True, init=False)
class EDT:
    """Enhanced Dynamic Threshold: DT while controlled, T = B / n for n uncontrolled queues (DT/EDT paper, Section 4).

    Parameters
    ----------
    alpha : quantity or sequence of quantities
        As for `DT`.
    cn2 : quantity
        The counting number of C2 in bytes, greater than 0: a queue that has grown by it without a loss is overloaded.
    tm1, tm2 : quantity or None
        What the timers TM1 and TM2 count down from, in seconds, greater than 0; None: the timer never expires.

    Raises
    ------
    InputError
        If a value is not accepted.

    Examples
    --------
    >>> EDT(alpha=1, cn2="12 KB", tm1="2.1 ms", tm2="10 ms").tm2
    Fraction(1, 100)
    """

    alpha: Fraction | tuple[Fraction, ...]
    cn2: Fraction
    tm1: Fraction | None
    tm2: Fraction | None

    def __init__(
        self,
        alpha: Quantity | Sequence[Quantity],
        cn2: Quantity,
        tm1: Quantity | None = None,
        tm2: Quantity | None = None,
    ) -> None:
        object.__setattr__(self, "alpha", DT(alpha).alpha)
        object.__setattr__(self, "cn2", units.bytes_(cn2, "policy.cn2", positive=True))
        for name, value in (("tm1", tm1), ("tm2", tm2)):
            timer = None if value is None else units.seconds(value, f"policy.{name}", positive=True)
            object.__setattr__(self, name, timer)

    def thresholds(self, queues: int) -> tuple[Threshold, ...]:
        """The thresholds of `queues` queues in the controlled state, in order."""
        return DT(self.alpha).thresholds(queues)


@dataclass(frozen=True)
class CompleteSharing:
    """No threshold: all is admitted until the buffer is full, then from every queue the same fraction."""


@dataclass(frozen=True, init=False)
class StaticPartition:
    """Each queue owns a part of the buffer: T_i is constant.

    Parameters
    ----------
    sizes : sequence of quantities
        The parts in bytes, one for each queue; together at most B.

    Examples
    --------
    >>> StaticPartition(["1 KB", "2 KB"]).thresholds(2)[1].offset
    Fraction(2000, 1)
    """

    sizes: tuple[Fraction, ...]

    def __init__(self, sizes: Sequence[Quantity]) -> None:
        each = tuple(units.bytes_(size, f"policy.sizes[{i}]") for i, size in enumerate(sizes))
        object.__setattr__(self, "sizes", each)

    def thresholds(self, queues: int) -> tuple[Threshold, ...]:
        """The thresholds of `queues` queues, in order."""
        if len(self.sizes) < queues:
            raise InputError("policy.sizes", list(map(str, self.sizes)), f"one size for each of the {queues} queues")
        return tuple(Threshold(Fraction(0), size) for size in self.sizes[:queues])


Policy = DT | EDT | CompleteSharing | StaticPartition | Weighted | SharedPools
"""Every policy that the fluid engine runs."""


def read(document: Mapping[str, Any], alphas: Mapping[int, Quantity], queues: int) -> Policy:
    """Make a policy from its document, for example ``{"name": "dt", "alpha": "1/2"}``.

    Parameters
    ----------
    document : mapping
        ``name`` and the policy's own keys.
    alphas : mapping
        The alphas that single queues have of their own.
    queues : int
        How many queues there are.

    Raises
    ------
    InputError
        If the name or a key is unknown, or a value is not accepted.
    """
    name = choice(document.get("name"), "policy.name", tuple(_READERS))
    return _READERS[name](document, alphas, queues)


def _read_dt(document: Mapping[str, Any], alphas: Mapping[int, Quantity], queues: int) -> Policy:
    only_keys(document, ("name", "alpha"), "policy.")
    return DT(_read_alpha(document, alphas, queues))


def _read_edt(document: Mapping[str, Any], alphas: Mapping[int, Quantity], queues: int) -> Policy:
    only_keys(document, ("name", "alpha", "cn2", "tm1", "tm2"), "policy.")
    if "cn2" not in document:
        raise InputError("policy.cn2", "nothing", "a size greater than 0: the counting number of C2")
    alpha = _read_alpha(document, alphas, queues)
    return EDT(alpha, document["cn2"], document.get("tm1"), document.get("tm2"))


def _read_alpha(
    document: Mapping[str, Any], alphas: Mapping[int, Quantity], queues: int
) -> Fraction | tuple[Fraction, ...]:
    if "alpha" not in document and len(alphas) < max(queues, 1):
        raise InputError(
            "policy.alpha", "nothing", "a number greater than 0, unless every queue has an alpha of its own"
        )
    if not alphas:
        return units.number(document["alpha"], "policy.alpha", positive=True)
    own = {i: units.number(alpha, f"queues[{i}].alpha", positive=True) for i, alpha in alphas.items()}
    common = units.number(document["alpha"], "policy.alpha", positive=True) if "alpha" in document else Fraction(1)
    return tuple(own.get(index, common) for index in range(queues))


def _read_complete(document: Mapping[str, Any], alphas: Mapping[int, Quantity], queues: int) -> Policy:
    del queues
    only_keys(document, ("name",), "policy.")
    _refuse_alphas(alphas)
    return CompleteSharing()


def _read_static(document: Mapping[str, Any], alphas: Mapping[int, Quantity], queues: int) -> Policy:
    only_keys(document, ("name", "sizes"), "policy.")
    _refuse_alphas(alphas)
    policy = StaticPartition(sequence(document.get("sizes"), "policy.sizes"))
    policy.thresholds(queues)
    return policy


def _read_weighted(document: Mapping[str, Any], alphas: Mapping[int, Quantity], queues: int) -> Policy:
    _refuse_alphas(alphas)
    name = document["name"]
    own = {"abm": ("alphas", "priorities", "drains"), "l2bm": ("alpha", "sojourns")}.get(name, ("weights",))
    only_keys(document, ("name", *own, "normalisation") if name == "l2bm" else ("name", *own), "policy.")
    for key in own:
        if key not in document:
            raise InputError(f"policy.{key}", "nothing", "a value: it is required")
    lists = [sequence(document[key], f"policy.{key}") for key in own if key != "alpha"]
    if name == "abm":
        policy = Weighted.abm(*lists)
    elif name == "l2bm":
        policy = Weighted.l2bm(document["alpha"], lists[0], document.get("normalisation", "sum"))
    else:
        policy = Weighted(lists[0])
    policy.thresholds(queues)
    return policy


def _read_pools(document: Mapping[str, Any], alphas: Mapping[int, Quantity], queues: int) -> Policy:
    _refuse_alphas(alphas)
    only_keys(document, ("name", "limits", "pools"), "policy.")
    limits = []
    for index, item in enumerate(sequence(document.get("limits"), "policy.limits")):
        field = f"policy.limits[{index}]"
        only_keys(table(item, field), ("alpha", "reserved", "cap"), f"{field}.")
        limits.append(QueueLimits(item.get("alpha"), item.get("reserved", 0), item.get("cap"), field))
    if len(limits) != queues:
        raise InputError("policy.limits", len(limits), f"one entry for each of the {queues} queues")
    if document.get("pools") is None:
        return SharedPools(limits)
    pools = []
    for index, item in enumerate(sequence(document["pools"], "policy.pools")):
        field = f"policy.pools[{index}]"
        only_keys(table(item, field), ("size", "queues"), f"{field}.")
        members = enumerate(sequence(item.get("queues"), f"{field}.queues"))
        numbers = tuple(units.count(queue, f"{field}.queues[{place}]") for place, queue in members)
        pools.append(Pool(units.bytes_(item.get("size"), f"{field}.size", positive=True), numbers))
    return SharedPools(limits, pools)


def _refuse_alphas(alphas: Mapping[int, Quantity]) -> None:
    for index, alpha in alphas.items():
        raise InputError(f"queues[{index}].alpha", alpha, "no alpha: this policy has none")


_READERS: Mapping[str, Callable[[Mapping[str, Any], Mapping[int, Quantity], int], Policy]] = {
    "dt": _read_dt,
    "edt": _read_edt,
    "complete": _read_complete,
    "static": _read_static,
    "weighted": _read_weighted,
    "abm": _read_weighted,
    "l2bm": _read_weighted,
    "pools": _read_pools,
}
