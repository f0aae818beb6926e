"""Buffer management policies, one file each, and the registry of their names.

A policy is a frozen class derived from `Policy`: its thresholds, a table of its parameters, and its memory if it has
one. Every engine takes the object. A document, a family of `dtmodel.derive` and an executable claim name it: by a name
of this package, or by an entry point of the group ``dtmodel.policies`` in any installed distribution, whose value is
the class.

- ``queues`` and ``ports`` are numbers of queues and ports; ``queue`` and ``port`` are indices from 0, in a memory those
  of its part of the buffer.
- ``buffer``, ``free``, ``length``, ``held`` and ``size`` (of a packet) are in bytes, ``now`` is in seconds.
- ``counts`` gives the number of identical queues that each queue stands for; 1 each if it is empty.
- ``part`` is the `Part` of the buffer that the memory is for, ``number`` the number type of the run.
- ``state`` is the `State` of the run that the memory reads.
- ``account`` returns the amount that a packet of a given size occupies, which the packet engine counts.
- ``document`` is the policy in JSON or TOML (``name`` and its own keys), ``alphas`` the alphas of single queues, by
  index.
- ``setting`` is the switch for which `dtmodel.compare` sets the policy: a `PolicySetting`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dtmodel.base.documents import required
from dtmodel.base.errors import InputError, did_you_mean, one_of
from dtmodel.base.units import Quantity
from dtmodel.policies.abm import ABM
from dtmodel.policies.admission import Admission, PacketForm, ThresholdAdmission
from dtmodel.policies.complete import CompleteSharing
from dtmodel.policies.credence import Credence
from dtmodel.policies.dt import DT
from dtmodel.policies.edt import EDT
from dtmodel.policies.expulsion import Expulsion
from dtmodel.policies.followlqd import FollowLQD
from dtmodel.policies.formulas import QueueLimits
from dtmodel.policies.harmonic import Harmonic
from dtmodel.policies.hierarchy import Hierarchy, Share
from dtmodel.policies.l2bm import L2BM
from dtmodel.policies.losspriorities import LossPriorities
from dtmodel.policies.lqd import LQD
from dtmodel.policies.memory import Changes, Form, Memory, State
from dtmodel.policies.occamy import Occamy
from dtmodel.policies.parameters import PolicyParameter, of_ones, unchecked
from dtmodel.policies.policy import Configured, Part, Policy
from dtmodel.policies.pools import Pool, SharedPools
from dtmodel.policies.reverie import Reverie
from dtmodel.policies.setting import PolicySetting
from dtmodel.policies.static import StaticPartition
from dtmodel.policies.steps import Steps
from dtmodel.policies.threshold import Threshold
from dtmodel.policies.weighted import Weighted

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = [
    "ABM", "DT", "EDT", "L2BM", "LQD", "Admission", "Changes", "CompleteSharing", "Configured", "Credence", "Expulsion",
    "FollowLQD", "Form", "Harmonic", "Hierarchy", "LossPriorities", "Memory", "Occamy", "PacketForm", "Part", "Policy",
    "PolicyParameter", "PolicySetting", "Pool", "QueueLimits", "Reverie", "Share", "SharedPools", "State",
    "StaticPartition", "Steps", "Threshold", "ThresholdAdmission", "Weighted", "classes", "names", "read",
]  # fmt: skip

GROUP = "dtmodel.policies"

_POLICIES: Mapping[str, type[Policy]] = {
    "dt": DT,
    "edt": EDT,
    "static": StaticPartition,
    "complete": CompleteSharing,
    "weighted": Weighted,
    "abm": ABM,
    "l2bm": L2BM,
    "pools": SharedPools,
    "hierarchy": Hierarchy,
    "lqd": LQD,
    "harmonic": Harmonic,
    "followlqd": FollowLQD,
    "credence": Credence,
    "losspriorities": LossPriorities,
    "reverie": Reverie,
    "steps": Steps,
    "occamy": Occamy,
}
"""The policies of this package by the names that documents use."""


def entry_points(*, group: str) -> Iterable[EntryPoint]:
    """Return the entry points of a group; the library that reads them is slow to import."""
    from importlib.metadata import entry_points as installed

    return installed(group=group)


def classes() -> dict[str, type[Policy]]:
    """Return the policies by the names of their classes: those of this package, then those of entry points.

    >>> list(classes())[:2]
    ['DT', 'EDT']
    """
    found = {policy.__name__: policy for policy in _POLICIES.values()}
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        policy = point.load()
        found.setdefault(policy.__name__, policy)
    return found


def spelt(name: object) -> str:
    """Return the letters and digits of a `name` in lower case; two names with equal results are one name."""
    return "".join(filter(str.isalnum, str(name).casefold()))


def find(name: object, field: str = "policy.name") -> tuple[str, type[Policy]]:
    """Return the name that documents use for a policy, and its class, from any of its names, however spelt."""
    if isinstance(name, str) and name in _POLICIES:
        return name, _POLICIES[name]
    own = [(word, name, kind) for name, kind in _POLICIES.items() for word in (kind.__name__, name, *kind.also)]
    found = {spelt(word): (name, kind) for word, name, kind in own}
    if not isinstance(name, str) or spelt(name) not in found:
        for point in entry_points(group=GROUP):
            for word in (point.name, point.load().__name__):
                found.setdefault(spelt(word), (point.name, point.load()))
    if not isinstance(name, str) or spelt(name) not in found:
        accepted = f"one of {', '.join(names())}{did_you_mean(name, [*(word for word, *_ in own), *names()])}"
        raise InputError(field, name, f"{accepted}; an entry point of {GROUP} names another")
    return found[spelt(name)]


def configured(name: object, setting: PolicySetting, field: str) -> Sequence[Configured]:
    """Return a policy set for a switch: the variant of this name, or all variants of the policy."""
    kind = name if isinstance(name, type) and issubclass(name, Policy) else find(name, field)[1]
    note = "the policy does not define Policy.for_switch, which sets it for a switch"
    ways = kind.for_switch(setting) or [Configured(kind.__name__, "", None, note=note)]
    return [way for way in ways if spelt(way.name) == spelt(name)] or ways


def own_names() -> tuple[str, ...]:
    """Return the names that documents may use for the policies of this package; entry points cannot replace them."""
    return tuple(_POLICIES)


def names() -> tuple[str, ...]:
    """Return the names that documents may use: those of this package, then those of entry points.

    >>> names()[:3]
    ('dt', 'edt', 'static')
    """
    return (*own_names(), *sorted({point.name for point in entry_points(group=GROUP)} - set(own_names())))


def read(document: Mapping[str, Any], alphas: Mapping[int, Quantity], queues: int) -> Policy:
    """Make a policy from its document, for example ``{"name": "dt", "alpha": "1/2"}``; `find` resolves the name.

    Raises `InputError` if the name or a key is unknown, or a value is not accepted.

    >>> read({"name": "dt", "alpha": "1/2"}, {}, 2)
    DT(alpha=Fraction(1, 2))
    """
    if "name" not in document:  # names() looks for entry points in every installed package
        required(document, ("name",), "policy.", one_of(names()))
    name, kind = find(document["name"])
    meant = next((keys for word, keys in kind.also.items() if spelt(word) == spelt(document["name"])), {})
    return checked(kind.read({**meant, **document, "name": name}, alphas, queues))


def written(policy: Policy) -> dict[str, Any]:
    """Return the document of a policy, from which `read` makes an equal one."""
    own = {kind: name for name, kind in _POLICIES.items()}
    return {"name": own.get(type(policy), type(policy).__name__), **policy.document()}


def typed(policy: Policy) -> str:
    """Return a policy as the option ``--policy`` reads it."""
    name, *given = written(policy).items()
    if any(isinstance(value, list) for _, value in given):
        return json.dumps(dict([name, *given]))
    return ":".join(filter(None, (name[1], ",".join(f"{key}={value}" for key, value in given if value is not None))))


def packets_only(kind: type[Policy]) -> str:
    """Return an empty text if the fluid model runs policies of the class `kind`; else the policies that it accepts."""
    try:
        return kind.of(of_ones(kind.parameters, 1), unchecked).unbounded(Fraction(10**9), 1)
    except AttributeError:  # a field that the table does not have
        return "a policy whose class declares its parameters"


def checked(policy: object) -> Policy:
    """Return `policy` if it is a `Policy`; `InputError` if it is anything else, such as the name of a policy."""
    if not isinstance(policy, Policy):
        accepted = (
            "a policy: DT(1), EDT(1, cn2), CompleteSharing(), or another one derived from dtmodel.policies.Policy"
        )
        raise InputError("policy", policy, accepted)
    return policy
