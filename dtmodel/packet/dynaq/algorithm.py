"""DynaQ's Algorithm 1, executed line by line, and the port whose queues it limits.

The paper leaves two decisions open; each has named variants here.

- `tie_break`: among the queues with the largest extra buffer, the victim has the lowest (``"low"``) or the highest
  (``"high"``) index.
- `admit`: the check after Algorithm 1 has let a packet pass. ``"port"``: the whole port has room for it.
  ``"recheck"``: its queue stays within its threshold after lines 6 and 7, and the port has room. ``"thresholds"``: no
  check; the thresholds, which sum to the buffer, are the only limit.

Two more are ours and repair the print.

- `victims`: ``"printed"`` (line 2 as it stands); ``"eligible"`` (line 2 considers only the queues that line 3 would
  accept), the repair of the claim `dynaq.ours.repair`; ``"unused"`` (in addition a queue gives only its unused
  threshold, T_v - size(P) >= q_v), with which `dynaq.ours.within` holds.
- `patience`: a queue whose packet was dropped although it lay within S has a claim until its next packet is enqueued.
  While one queue has a claim, no other queue grows beyond its own S (`dynaq.ours.recovery`). A claim expires `patience`
  departures after the last such drop. With 0 there are no claims, as printed.

Functions count queues from 0 and take any exact numbers (whole numbers during exploration); requests and answers of
`dtmodel trace` count queues from 1.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from math import lcm
from operator import sub
from typing import Literal, NamedTuple

from dtmodel.base import budgets
from dtmodel.base.documents import choice
from dtmodel.base.errors import InputError
from dtmodel.base.units import count, whole

Amount = Fraction | int
"""A number of bytes: exact, an int if it is whole."""


TIE_BREAKS = ("low", "high")
ADMISSIONS = ("port", "recheck", "thresholds")
VICTIMS = ("printed", "eligible", "unused")
Claims = tuple[int, ...]
"""The number of departures that each queue's claim still lasts, the current instant included; 0 without a claim."""


Decision = Literal["enqueue", "drop"]


class Ruling(NamedTuple):
    """The decision about one arriving packet.

    - `decision` (``"enqueue"`` or ``"drop"``): the decision.
    - `reason`: the line or the check that decided.
    - `victim`: the queue (from 0) whose threshold was lowered or, for a drop in line 4, the candidate of line 2.
    - `thresholds` (tuple of Fraction or int): the thresholds afterwards.

    >>> port = DynaQPort(DynaQ(6, (1, 2)))
    >>> port.arrive(0, 1).decision
    'enqueue'
    """

    decision: Decision
    reason: str
    victim: int | None
    thresholds: tuple[Amount, ...]


@dataclass(frozen=True)
class DynaQ:
    """A port's configuration: buffer, weights, and the reading of the paper.

    - `buffer` (Fraction or int): B, in bytes, positive.
    - `weights` (tuple of Fraction or int): one positive weight for each of the M queues.
    - `tie_break` (``"low"`` or ``"high"``): the victim among equal extra buffers: the lowest or the highest index.
    - `admit` (``"port"``, ``"recheck"`` or ``"thresholds"``): the check after Algorithm 1.
    - `victims` (``"printed"``, ``"eligible"`` or ``"unused"``): line 2 as printed, or repaired.
    - `patience`: the number of departures until a claim expires; 0 for no claims.
    - `bdp` (Fraction or int): the size of which the satisfaction thresholds are shares, positive; None for the buffer.

    Raises `InputError` for a buffer, a weight or a BDP that is not positive, no weight, an unknown variant, or a
    patience below 0.

    >>> port = DynaQ(4, (1, 1))
    >>> port.satisfaction
    (2, 2)
    >>> port.arrive(port.initial, (2, 0), 0, 1)
    Ruling(decision='enqueue', reason='lines 6-7: queue 2 gave its threshold', victim=1, thresholds=(3, 1))
    """

    buffer: Amount
    weights: tuple[Amount, ...]
    tie_break: str = "low"
    admit: str = "port"
    victims: str = "printed"
    patience: int = 0
    bdp: Amount | None = None

    def __post_init__(self) -> None:
        for name in ("buffer", "bdp"):
            if (size := getattr(self, name)) is not None and size <= 0:
                raise InputError(name, size, "a size greater than 0")
        if not self.weights:
            raise InputError("weights", list(self.weights), "one weight for each queue, and at least one queue")
        for i, weight in enumerate(self.weights):
            if weight <= 0:
                raise InputError(f"weights[{i}]", weight, "a number greater than 0")
        choice(self.tie_break, "tie_break", TIE_BREAKS)
        choice(self.admit, "admit", ADMISSIONS)
        choice(self.victims, "victims", VICTIMS)
        count(self.patience, "patience")
        object.__setattr__(self, "buffer", whole(self.buffer))

    @cached_property
    def initial(self) -> tuple[Amount, ...]:
        r"""The initial thresholds :math:`T_i^{init} = B w_i / \sum w`, equation (2)."""
        return self._shares(self.buffer)

    @cached_property
    def satisfaction(self) -> tuple[Amount, ...]:
        r"""The satisfaction thresholds :math:`S_i = B w_i / \sum w`, equation (4), or the shares of `bdp` instead."""
        return self.initial if self.bdp is None else self._shares(self.bdp)

    def _shares(self, size: Amount) -> tuple[Amount, ...]:
        total = Fraction(0)
        for weight in self.weights:
            total += weight
            budgets.digits(total, "weights, added up")
        return tuple(whole(Fraction(size) * weight / total) for weight in self.weights)

    @property
    def no_claims(self) -> Claims:
        """The claims at the start: zeros, or an empty tuple if the patience is 0."""
        return (0,) * len(self.weights) if self.patience else ()

    def arrive(self, T: Sequence[Amount], q: Sequence[Amount], p: int, size: Amount) -> Ruling:
        """Rule on `size` bytes for queue `p`, given thresholds `T` and queue lengths `q`, without claims."""
        return rule(self, tuple(T), q, p, size)


def rule(port: DynaQ, T: tuple[Amount, ...], q: Sequence[Amount], p: int, size: Amount, claims: Claims = ()) -> Ruling:
    """Run Algorithm 1 and the admission check."""
    return admission(port, algorithm1(port, T, q, p, size, claims), q, p, size)


def admission(port: DynaQ, passed: Ruling, q: Sequence[Amount], p: int, size: Amount) -> Ruling:
    """Apply the admission check to the ruling of Algorithm 1."""
    if passed.decision == "drop":
        return passed
    if port.admit == "recheck" and q[p] + size > passed.thresholds[p]:
        return Ruling("drop", "recheck: above the adjusted threshold", passed.victim, passed.thresholds)
    if port.admit != "thresholds" and sum(q) + size > port.buffer:
        return Ruling("drop", "the port is full", passed.victim, passed.thresholds)
    return passed


def algorithm1(
    port: DynaQ, T: tuple[Amount, ...], q: Sequence[Amount], p: int, size: Amount, claims: Claims = ()
) -> Ruling:
    """Run the nine lines: ``"enqueue"`` means that the algorithm lets the packet pass."""
    S = port.satisfaction
    if claims and any(left for i, left in enumerate(claims) if i != p) and q[p] + size > S[p]:
        return Ruling("drop", "claims: beyond its satisfaction threshold while another queue has a claim", None, T)
    if q[p] + size <= T[p]:  # line 1
        return within(T)
    candidates: Sequence[int] = _others(len(T), p)
    if port.victims != "printed":
        candidates = [i for i in candidates if may_give(S[i], T[i], q[i], size)]
    if port.victims == "unused":
        candidates = [i for i in candidates if T[i] - size >= q[i]]
    v = find_victim(S, T, candidates, port.tie_break)  # line 2
    if v is None:
        return Ruling("drop", "line 2: no other queue can be the victim", None, T)
    return settle(port, T, q, (p, v), size)


def within(T: tuple[Amount, ...]) -> Ruling:
    """Return the ruling of line 1 on a packet that stays within its threshold."""
    return Ruling("enqueue", "line 1: within the threshold", None, T)


@cache
def _others(queues: int, p: int) -> tuple[int, ...]:
    return tuple(i for i in range(queues) if i != p)


def settle(port: DynaQ, T: tuple[Amount, ...], q: Sequence[Amount], queues: tuple[int, int], size: Amount) -> Ruling:
    """Run lines 3 to 7 for the sender and the victim in `queues`."""
    p, v = queues
    S = port.satisfaction
    if T[v] < size:  # line 3, first condition
        return Ruling("drop", f"line 3: the threshold of queue {v + 1} is smaller than the packet", v, T)
    if q[v] > 0 and T[v] - size < S[v]:  # line 3, second condition
        return Ruling("drop", f"line 3: active queue {v + 1} would fall below its satisfaction threshold", v, T)
    adjusted = list(T)
    adjusted[v] -= size  # line 6
    adjusted[p] += size  # line 7
    return Ruling("enqueue", f"lines 6-7: queue {v + 1} gave its threshold", v, tuple(adjusted))


def find_victim(
    S: Sequence[Amount], T: Sequence[Amount], candidates: Sequence[int], tie_break: str = "low"
) -> int | None:
    """Return the candidate with the largest extra buffer T - S (line 2, equation (3)), or None."""
    extras, v = [*map(sub, T, S)], None
    for i in candidates if tie_break == "low" else reversed(candidates):
        if v is None or extras[i] > extras[v]:
            v = i
    return v


def may_give(S_v: Amount, T_v: Amount, q_v: Amount, size: Amount) -> bool:
    """Return True if line 3 accepts a victim with these values."""
    return T_v >= size and (q_v == 0 or T_v - size >= S_v)


def claims_after(port: DynaQ, claims: Claims, q: Sequence[Amount], p: int, size: Amount, decision: Decision) -> Claims:
    """Return the claims after the decision on a packet of queue p, of length q[p] before the packet."""
    if not claims:
        return claims
    within = q[p] + size <= port.satisfaction[p]
    left = 0 if decision == "enqueue" else port.patience + 1 if within else claims[p]
    return (*claims[:p], left, *claims[p + 1 :])


def claims_later(claims: Claims) -> Claims:
    """Return the claims after a departure."""
    return tuple(max(0, left - 1) for left in claims)


class DynaQPort:
    """A port in operation: the thresholds and the packets of each queue, first in first out."""

    def __init__(self, rules: DynaQ) -> None:
        self.rules = rules
        self.thresholds: tuple[Amount, ...] = rules.initial
        self.packets: list[deque[tuple[int, Amount]]] = [deque() for _ in rules.weights]
        self.claims = rules.no_claims
        self.arrived = 0
        self._parts = lcm(*(share.denominator for share in rules.initial))  # of a byte; all shares are whole
        self._rules = replace(rules, buffer=rules.buffer * self._parts, bdp=rules.bdp and rules.bdp * self._parts)
        self._T = self._rules.initial
        self._held: Amount = 0
        self._q: list[Amount] = [0] * len(rules.weights)
        self._within = within(self.thresholds)

    @property
    def lengths(self) -> list[Amount]:
        """The lengths of the queues in bytes."""
        return self._q[:] if self._parts == 1 else [*map(self._in_bytes, self._q)]

    def arrive(self, p: int, size: Amount) -> Ruling:
        """Rule on a packet of `size` bytes at queue `p` (from 0); packets are numbered from 0 in order."""
        size = whole(size)
        parts = size * self._parts
        length, held = self._q[p] + parts, self._held + parts
        if length <= self._T[p] and held <= self._rules.buffer and not self.claims:
            ruling = self._within  # line 1, the most frequent case, is equal in all readings
        else:
            ruling = self._rule(p, parts)
        if ruling.decision == "enqueue":
            self.packets[p].append((self.arrived, size))
            self._q[p], self._held = length, held
        self.arrived += 1
        return ruling

    def _rule(self, p: int, parts: Amount) -> Ruling:
        """Run Algorithm 1 on whole numbers, and return thresholds in bytes."""
        ruling = rule(self._rules, self._T, self._q, p, parts, self.claims)
        if self.claims:
            self.claims = claims_after(self._rules, self.claims, self._q, p, parts, ruling.decision)
        if ruling.thresholds is not self._T:
            self._T = ruling.thresholds
            self.thresholds = self._T if self._parts == 1 else tuple(map(self._in_bytes, self._T))
            self._within = within(self.thresholds)
        return ruling if self._parts == 1 else ruling._replace(thresholds=self.thresholds)

    def _in_bytes(self, parts: Amount) -> Amount:
        return whole(Fraction(parts, self._parts))

    def depart(self, queue: int) -> int | None:
        """Send the packet at the head of `queue` and return its number; None if the queue is empty."""
        packets = self.packets[queue]
        if not packets:
            return None
        packet, size = packets.popleft()
        parts = size * self._parts
        self._q[queue] -= parts
        self._held -= parts
        if self.claims:
            self.claims = claims_later(self.claims)
        return packet
