"""The exact competitive ratio of a policy with unit packets, the worst arrivals, and a certificate.

In a slot any number of unit packets arrive, one after another at any ports, and the policy admits each of them or not;
then every port with a packet sends one. The optimum shares a buffer of the same size, has read all arrivals in advance,
and accepts or rejects each packet. The competitive ratio is the least rho for which the packets that the optimum sends
are at most rho times those of the policy, plus a constant, once all queues have drained. It is the largest ratio of a
cycle in the product of the states of both, which is finite if those of the policy are.

The policy is asked as the packet engine asks it (`dtmodel.policies.Admission`): a packet that arrives in a slot finds
those before it in the buffer; a policy that pushes out cannot push out the packet at the head of a queue, which is in
transmission. For LQD with unit packets that does not matter: it pushes out only from a queue that is longer than the
packet's own by two or more; of several longest queues the first loses a packet, and a packet whose own queue would be
among the longest is dropped.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb
from typing import Any

from dtmodel.base import budgets, units
from dtmodel.base.errors import InputError
from dtmodel.policies import Policy, Threshold, ThresholdAdmission, checked, typed, written
from dtmodel.studies.competitive.search import Product, native_search
from dtmodel.studies.competitive.synthesis import Box, box_of, candidate, policy_of
from dtmodel.studies.competitive.tables import optimum_table, policy_table
from dtmodel.studies.competitive.walks import Slot, UnitArrival, slots, worst_walk

__all__ = ["CompetitiveRatio", "Slot", "Synthesis", "UnitArrival", "ratio", "synthesize"]

FORMS = ("lqd", "harmonic", "occamy", "steps")
"""The names of the policies without thresholds that the checker has."""
_IN_PYTHON = 100
"""How many pairs one pair counts for if Python searches, and at least a state of a policy, which Python lists."""


@dataclass(frozen=True)
class CompetitiveRatio:
    """The competitive ratio of a policy, and arrivals that attain it.

    - `policy`, `ports`, `buffer`: the policy, the number of ports N and the size of the buffer B in packets.
    - `ratio` (Fraction or None): the ratio; None if it is infinite.
    - `additive` (Fraction or None): the least constant c for which the optimum sends at most ratio times as many
      packets as the policy plus c, from empty buffers to empty buffers; 0 wherever the ratio is strict.
    - `prefix`, `cycle` (tuple of Slot): arrivals from empty buffers, and arrivals that can be repeated for ever, in
      which the optimum sends `ratio` times as many packets as the policy.
    - `states` (int): the states of the policy that arrivals reach.
    - `engine` (str): the engine of the search: ``"native core"`` or ``"Python"``.
    - `proof`: the table, the worst walk and the potentials from which `certificate` is written.

    >>> from dtmodel import DT, ratio
    >>> found = ratio(DT(1), ports=2, buffer=5)
    >>> str(found.ratio), str(found.additive), found.states
    ('5/3', '0', 13)
    """

    policy: Policy
    ports: int
    buffer: int
    ratio: Fraction | None
    additive: Fraction | None
    prefix: tuple[Slot, ...]
    cycle: tuple[Slot, ...]
    states: int
    engine: str
    proof: Any = field(repr=False, compare=False)

    def trace(self, rounds: int = 1) -> Iterator[tuple[int, int, int]]:
        """Yield the arrivals as (slot, port, 1 byte) for a switch of rate 1, with the cycle repeated in `rounds`."""
        for time, slot in enumerate(self._slots(rounds)):
            yield from ((time, arrival.port, 1) for arrival in slot.arrivals)

    def moves(self, rounds: int = 1) -> str:
        """Return the arrivals as `dtmodel.lab.adversary` reads them; `rounds` is the number of cycles."""
        every = [[*(str(arrival.port + 1) for arrival in slot.arrivals), "|"] for slot in self._slots(rounds)]
        return " ".join(" ".join(moves) for moves in every)

    def _slots(self, rounds: int) -> tuple[Slot, ...]:
        return (*self.prefix, *self.cycle * units.count(rounds, "rounds"))

    def certificate(self) -> dict[str, Any]:
        """Return the certificate for ``proofs/check_certificates.py``: the policy's table, potentials, worst arrivals.

        Raises `InputError` if the ratio is infinite.
        """
        if self.ratio is None or self.additive is None:
            accepted = "a policy with a finite ratio: an infinite one has no potential"
            raise InputError("policy", self.policy, accepted)
        table, walk, potential = self.proof
        wide = len(potential) // len(table.states)
        prefix, cycle = ([event and [event[0], int(event[1])] for event in events] for events in walk)
        return {
            "kind": "ratio",
            "policy": _form(self.policy, self.ports, self.buffer),
            "ports": self.ports,
            "buffer": self.buffer,
            "ratio": units.plain(self.ratio),
            "additive": units.plain(self.additive),
            "states": [list(lengths) for lengths, _ in table.states],
            "start": table.start,
            "arrive": [list(row) for row in table.arrive],
            "depart": list(table.depart),
            "potential": [potential[row : row + wide].tolist() for row in range(0, len(potential), wide)],
            "prefix": prefix,
            "cycle": cycle,
        }

    def document(self) -> dict[str, Any]:
        """Return the answer as ``dtmodel ratio --json`` prints it."""
        ratio, additive = (None if x is None else units.plain(x) for x in (self.ratio, self.additive))
        slots = {part: [slot.document() for slot in getattr(self, part)] for part in ("prefix", "cycle")}
        return {
            "policy": typed(self.policy), "ports": self.ports, "buffer": self.buffer, "ratio": ratio,
            "additive": additive, **slots, "states": self.states, "engine": self.engine,
        }  # fmt: skip


@dataclass(frozen=True)
class Synthesis:
    """The threshold policy with the least competitive ratio for a number of ports and a buffer.

    - `least` (CompetitiveRatio): the ratio of the policy, and its worst arrivals.
    - `limits` (tuple of int): the length at which a queue takes no packet, for 0, 1, ... B - 1 packets in the buffer.
    - `tried` (int): the candidates that the search refuted, the best among them.

    >>> synthesize(ports=2, buffer=3).limits
    (3, 3, 2)
    """

    least: CompetitiveRatio
    limits: tuple[int, ...]
    tried: int

    def document(self) -> dict[str, Any]:
        """Return the answer as ``dtmodel ratio --synthesize --json`` prints it."""
        return {**self.least.document(), "limits": [*self.limits], "tried": self.tried}


def ratio(policy: Policy, *, ports: int, buffer: int) -> CompetitiveRatio:
    """Compute the exact competitive ratio of a policy with unit packets, and the worst arrivals.

    Parameters
    ----------
    policy : Policy
        A policy for packets whose states are finite.
    ports : int
        N, the number of ports.
    buffer : int
        B, the size of the shared buffer, in packets.

    Raises
    ------
    InputError
        If an argument is not accepted.
    BudgetError
        If the policy and the optimum have more states together than the budget ``product`` allows; without the native
        core each of them counts 100 times.

    Examples
    --------
    >>> from dtmodel import DT, LQD
    >>> [str(ratio(policy, ports=2, buffer=12).ratio) for policy in (DT(1), LQD())]
    ['2', '22/17']
    """
    return _searched(checked(policy), *_sizes(ports, buffer))


def synthesize(*, ports: int, buffer: int) -> Synthesis:
    """Find the threshold policy with the least competitive ratio, by a search that counterexamples guide.

    The search is among all policies that admit a packet if there is room and its queue is shorter than t(s), a limit
    that does not rise with the number s of packets in the buffer. The worst arrivals of a candidate refute all that
    decide alike on them; the last candidate is the best.

    Parameters
    ----------
    ports : int
        N, the number of ports.
    buffer : int
        B, the size of the shared buffer, in packets.

    Raises
    ------
    InputError
        If an argument is not accepted.
    BudgetError
        As for `ratio`.

    Examples
    --------
    >>> best = synthesize(ports=3, buffer=5)
    >>> str(best.least.ratio), best.limits
    ('5/3', (5, 5, 5, 3, 3))
    """
    many, size = _sizes(ports, buffer)
    _cost(many, size)
    best: tuple[Fraction, tuple[int, ...]] = (Fraction(many + 1), ())  # more than complete sharing has
    boxes = list[Box]()
    while (limits := candidate(boxes, size)) is not None:
        found = _searched(policy_of(limits), many, size, enough=best[0] if boxes else None)
        if found.ratio is not None and found.ratio < best[0]:
            best = found.ratio, limits
        boxes.append(box_of((*found.prefix, *found.cycle), many, size))
    return Synthesis(_searched(policy_of(best[1]), many, size), best[1], len(boxes))


def _sizes(ports: int, buffer: int) -> tuple[int, int]:
    return units.count(ports, "ports", least=1), units.count(buffer, "buffer", least=1)


def _cost(ports: int, buffer: int) -> int:
    """Return the pairs that a state of a policy counts for; `BudgetError` if the budget does not allow a single one."""
    pairs = (1 if native_search(ports) else _IN_PYTHON) * comb(ports + buffer, ports)
    budgets.keep_within("product", pairs, "buffer")
    return max(pairs, _IN_PYTHON)


def _searched(policy: Policy, ports: int, buffer: int, enough: Fraction | None = None) -> CompetitiveRatio:
    """Search for the worst arrivals, or for some with a ratio of at least `enough`."""
    table, optimum = policy_table(policy, ports, buffer, _cost(ports, buffer)), optimum_table(ports, buffer)
    product = Product(table, optimum)
    found = product.worst(enough)
    walk = worst_walk(table, optimum, found.state, found.cycle)
    every, first = [*slots(table, optimum, (*walk[0], *walk[1]))], walk[0].count(None)
    additive = None
    if found.ratio is not None and found.potential is not None:
        empty = table.start * product.columns + product.columns - 1
        additive = Fraction(found.potential[empty], found.ratio.denominator)
    engine = "native core" if product.native else "Python"
    return CompetitiveRatio(policy, ports, buffer, found.ratio, additive, tuple(every[:first]), tuple(every[first:]),
                            len(table.states), engine, (table, walk, found.potential))  # fmt: skip


def _form(policy: Policy, ports: int, buffer: int) -> dict[str, Any]:
    """Return a policy as the checker reads it: its thresholds, its name, or its table alone."""
    admission = policy.admission(ports, buffer, lambda size: size)
    if isinstance(admission, ThresholdAdmission) and admission.memory is None:
        return {"form": "thresholds", "thresholds": [*map(_threshold, admission.thresholds)]}
    document = written(policy)
    name = document.pop("name")
    return {"form": name, **document} if name in FORMS else {"form": "table"}


def _threshold(limit: Threshold | None) -> dict[str, str | None] | None:
    if limit is None:
        return None
    cap = None if limit.cap is None else units.plain(limit.cap)
    return {"slope": units.plain(limit.slope), "offset": units.plain(limit.offset), "cap": cap}
