"""The game of competitive analysis: the reader sends packets, and the optimum, with hindsight, takes more of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

from dtmodel.base import units
from dtmodel.base.documents import only_keys, table
from dtmodel.base.errors import InputError
from dtmodel.lab.hindsight import best_plan
from dtmodel.lab.panel import Panel
from dtmodel.policies import Policy, checked
from dtmodel.studies.competitive import ratio
from dtmodel.studies.competitive.tables import Lengths, Slots

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from dtmodel.lab.setting import Slider

_MOST_MOVES, _MOST_PORTS, _MOST_PACKETS = 1000, 4, 24
_SEND = "|"
"""The move with which a slot ends: every port with a packet sends one."""


@final
@dataclass(frozen=True, eq=False)
class Adversary(Panel):
    """A policy with `buffer` packets and `ports`, and the reader's moves: ports from 1, ``|`` where a slot ends."""

    policy: Policy
    ports: int
    buffer: int
    moves: str = ""

    kind = "adversary"
    title = "Play against a policy"

    @property
    def sliders(self) -> tuple[Slider, ...]:
        """No sliders: the reader sends packets with buttons."""
        return ()

    def values(self) -> dict[str, str]:
        """The moves so far."""
        return {"moves": self.moves}

    @property
    def called(self) -> str:
        """The policy with its parameters."""
        parameters = (f"{name} = {value}" for name, value in self.policy.document().items())
        return ", ".join([type(self.policy).__name__, *parameters])

    @cached_property
    def worst(self) -> Fraction | None:
        """The competitive ratio of the policy; None if it is infinite."""
        return ratio(self.policy, ports=self.ports, buffer=self.buffer).ratio

    def start(self, movable: Sequence[str], *, live: bool) -> dict[str, Any]:
        """Describe the panel to the browser, with the moves that the reader has."""
        ports = [[f"packet to port {port}", str(port)] for port in range(1, self.ports + 1)]
        return super().start(movable, live=live) | {"moves": [*ports, ["end the slot", _SEND]]}

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return both buffers after some moves; the `request` ``{"values": {"moves": "1 1 |"}}`` names the moves."""
        only_keys(request, ("values", "held", "view", "serial"), "")
        values = table(request.get("values", self.values()), "values")
        only_keys(values, ("moves",), "")
        moves = values.get("moves", "")
        events = self._read(moves)
        states, admitted = self._run(events)
        kept = sum(states[-1]) + sum(_busy(states[i]) for i, event in enumerate(events) if event is None)
        plan = best_plan(self.ports, self.buffer, events)
        best = plan.lengths[-1] if events else (0,) * self.ports
        could = sum(plan.accepted)
        return {
            "values": {"moves": " ".join(moves.split())},
            "bars": [*_bars("policy", states[-1]), *_bars("optimum", best)],
            "unit": "packets",
            "top": float(self.buffer),
            "bottom": 0.0,
            "decision": _told(events, admitted, plan.accepted),
            "reason": "",
            "facts": [
                ["the policy sends", f"{kept} of {sum(event is not None for event in events)}"],
                ["the optimum sends", str(could)],
                ["ratio so far", units.plain(Fraction(could, kept)) if kept else "-"],
                ["worst of all arrivals", "infinite" if self.worst is None else units.plain(self.worst)],
            ],
            "name": f"{self.called} with {self.ports} ports and {self.buffer} packets",
            "says": "The optimum has read all of your packets in advance: what it did before may change with the next.",
        }

    def _read(self, moves: object) -> list[int | None]:
        words = moves.split() if isinstance(moves, str) else []
        known = {_SEND: None} | {str(port + 1): port for port in range(self.ports)}
        if not isinstance(moves, str) or len(words) > _MOST_MOVES or not known.keys() >= set(words):
            raise InputError("moves", moves, f"at most {_MOST_MOVES} of {', '.join(known)}, with spaces between")
        return [known[word] for word in words]

    def _run(self, events: Sequence[int | None]) -> tuple[list[Lengths], list[bool]]:
        """Return the policy's queue lengths before and after the events, and whether it admits each packet."""
        slots = Slots(self.policy, self.ports, self.buffer)
        key = slots.start()
        states, admitted = [key[0]], list[bool]()
        for event in events:
            key = slots.after(key, event)
            admitted.append(event is not None and key[0][event] > states[-1][event])
            states.append(key[0])
        return states, admitted

    def figure(self) -> Figure:
        """Draw the lengths of all queues after every move."""
        from dtmodel.plot.picture import Picture

        events = self._read(self.moves)
        runs = {"policy": self._run(events)[0],
                "optimum": [(0,) * self.ports, *best_plan(self.ports, self.buffer, events).lengths]}  # fmt: skip
        figure = Picture(figsize=(max(4.0, min(8.0, 0.5 * len(events) + 2)), 4), layout="constrained")
        for axes, (name, lengths) in zip(figure.subplots(2, 1, sharex=True), runs.items(), strict=True):
            for port, style in zip(range(self.ports), ("-", "--", "-.", ":"), strict=False):
                axes.step(
                    range(len(lengths)), [at[port] for at in lengths], style, where="post", label=f"port {port + 1}"
                )
            axes.set_ylabel(f"{name} (packets)")
            axes.set_ylim(0, self.buffer)
        names = ["start" if len(events) < 20 else "", *self.moves.split()]
        axes.set_xticks(range(len(events) + 1), names, fontsize=min(10, 500 / len(names)))
        axes.set_xlabel("port of each packet, and | at the end of a slot")
        axes.legend(frameon=False)
        figure.suptitle(f"{self.called}, {self.buffer} packets", fontsize="medium")
        return figure


def adversary(policy: Policy, *, ports: int = 2, buffer: int = 6, moves: str = "") -> Adversary:
    """Send packets to a policy, one by one, and see what an optimum with hindsight makes of them.

    `ports`: 1 to 4. `buffer`: 1 to 24 packets. `moves`: the first moves, such as ``"1 1 2 | 1"``: a packet to each of
    these ports, and ``|`` where every port with a packet sends one. Raises `InputError` for a value that is not
    accepted.

    >>> from dtmodel import DT
    >>> adversary(DT("1/2"), buffer=3).values()
    {'moves': ''}
    """
    for name, value, most in (("ports", ports, _MOST_PORTS), ("buffer", buffer, _MOST_PACKETS)):
        if units.count(value, name, least=1) > most:
            raise InputError(name, value, f"at most {most}, so that the optimum answers at once")
    game = Adversary(checked(policy), ports, buffer, moves)
    game.answer({})
    return game


def _busy(lengths: Lengths) -> int:
    return sum(length > 0 for length in lengths)


def _bars(name: str, lengths: Lengths) -> list[dict[str, Any]]:
    box = {"text": "", "size": 1.0, "kind": "large" if name == "policy" else "small", "marked": False}
    return [
        {"label": f"{name}, port {port}", "boxes": [box] * length, "limits": []}
        for port, length in enumerate(lengths, 1)
    ]


def _told(events: Sequence[int | None], admitted: Sequence[bool], accepted: Sequence[bool]) -> str:
    if not events or events[-1] is None:
        return "every port with a packet sends one" if events else "send a packet"
    told = ["accepts" if taken else "rejects" for taken in (admitted[-1], accepted[-1])]
    return f"the policy {told[0]} it, the optimum {told[1]} it"
