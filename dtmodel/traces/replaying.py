"""What policies would have dropped of a trace: when, where, and how much was free then."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from dtmodel.errors import InputError
from dtmodel.packet.engine import FedSwitch, Lost
from dtmodel.policies import Policy, checked
from dtmodel.switch import Switch, checked_switch

__all__ = ["PolicyLosses", "replay_trace"]


@dataclass
class PolicyLosses:
    """What a policy drops of a trace.

    Attributes
    ----------
    packets, bytes : list of int
        What each port was offered.
    lost_packets, lost_bytes : list of int
        What of it was dropped or pushed out.
    first : list of Lost or None
        The first packet that each port lost; `Lost.free` is what was free then.
    longest : list of number
        The greatest length of each queue after an arrival, in bytes.
    least_free : number
        The least free buffer after an arrival, in bytes.
    """

    packets: list[int]
    bytes: list[int]
    lost_packets: list[int]
    lost_bytes: list[int]
    first: list[Lost | None]
    longest: list[Any]
    least_free: Any
    heard: Callable[[Lost], object] | None = field(default=None, repr=False)

    @classmethod
    def of(cls, ports: int, buffer: Any, heard: Callable[[Lost], object] | None) -> PolicyLosses:
        """Return the account of a trace that has not begun."""
        none = [0] * ports
        return cls([*none], [*none], [*none], [*none], [None] * ports, [*none], buffer, heard)

    def lose(self, lost: Lost) -> None:
        """Hear of a packet that is lost."""
        self.lost_packets[lost.port] += 1
        self.lost_bytes[lost.port] += int(lost.size)
        if self.first[lost.port] is None:
            self.first[lost.port] = lost
        if self.heard:
            self.heard(lost)


def replay_trace(
    batches: Iterable[tuple[Any, Any, Any]],
    switch: Switch,
    policies: Mapping[str, Policy],
    *,
    exact: bool = False,
    heard: Mapping[str, Callable[[Lost], object]] | None = None,
) -> dict[str, PolicyLosses]:
    """Replay a trace once under several policies, in memory that does not grow with it.

    Parameters
    ----------
    batches : iterable of three arrays
        Times in seconds that do not fall, ports from 0, and bytes; `read_batches` reads them from a file.
    switch : Switch
        The switch: every port sends at its rate, first in, first out. A packet holds its bytes until its last bit is
        sent.
    policies : mapping from str to Policy
        By the names that the answer has.
    exact : bool
        Compute in fractions, from the times as they are given; else times and thresholds are floats, and bytes exact.
    heard : mapping from str to callable, optional
        For some policies what hears of every lost packet.

    Returns
    -------
    dict of PolicyLosses
        One for each policy.

    Raises
    ------
    InputError
        If a packet is larger than the buffer, or an argument is not accepted.

    Examples
    --------
    >>> from dtmodel import DT, CompleteSharing
    >>> trace = [([0, 0, 0, 1], [0, 0, 0, 1], [1000, 1000, 1000, 500])]
    >>> both = {"DT": DT(1), "all": CompleteSharing()}
    >>> done = replay_trace(trace, Switch(ports=2, buffer=4000, rate=1000), both)
    >>> done["DT"].lost_bytes, done["DT"].first[0].free, done["all"].lost_bytes
    ([1000, 0], 2000.0, [0, 0])
    """
    checked_switch(switch)
    number: Any = Fraction if exact else float
    told = heard or {}
    buffer, rates = number(switch.buffer), [number(switch.rate)] * switch.ports
    accounts = {name: PolicyLosses.of(switch.ports, buffer, told.get(name)) for name in policies}
    fed = [
        (FedSwitch(buffer=buffer, rates=rates, policy=checked(policy), heard=accounts[name].lose), accounts[name])
        for name, policy in policies.items()
    ]
    for times, ports, sizes in batches:
        lists = ([*map(number, _listed(column))] for column in (times, sizes))
        packets = list(zip(next(lists), _listed(ports), next(lists), strict=True))
        for one, account in fed:
            _feed(one, account, packets)
    return accounts


def _feed(switch: FedSwitch, account: PolicyLosses, packets: list[tuple[Any, int, Any]]) -> None:
    lengths, longest, least = switch.lengths, account.longest, account.least_free
    for time, port, size in packets:
        if not 0 <= port < len(longest):
            raise InputError("port", port, f"a port from 0 to {len(longest) - 1}")
        account.packets[port] += 1
        account.bytes[port] += int(size)
        switch.arrive(time, port, size)
        longest[port] = max(longest[port], lengths[port])
        least = min(least, switch.free)
    account.least_free = least


def _listed(column: Any) -> list[Any]:
    return list(column.tolist()) if hasattr(column, "tolist") else list(column)
