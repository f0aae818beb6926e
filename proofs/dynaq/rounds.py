"""The schedulers with queues, weights and memories of any size: all paths of the packet engine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

import sympy as sp

from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.packet.schedulers import PriorityOver, StrictPriority, WeightedRoundRobin
from dtmodel.provers import smt
from dtmodel.provers.every_path import Truth, Unknowns, all_of, every_path, same

MOST_QUEUES = 32
"""As many as Section 3.2.2 considers."""
TURN = Unknowns()
credit: Any
(credit,) = TURN.at_least_0("credit")
weights = TURN.positive(*(f"w{queue}" for queue in range(MOST_QUEUES)))


@dataclass(frozen=True)
class Waiting:
    """A queue of which no more can be seen than whether it holds a packet."""

    packet: bool

    def __bool__(self) -> bool:
        return self.packet


class Picked(NamedTuple):
    """The queue in turn and the next one with its weight; which of them is served, and the memory afterwards."""

    turn: int
    after: int
    weight: Any
    queue: int | None
    memory: tuple[int, Any]


def pick(M: int, turn: int) -> Picked:
    """Let weighted round robin pick once from M backlogged queues, with unknown weights and credit left."""
    after = (turn + 1) % M
    made = SimpleNamespace(weights=tuple(weights[:M]))  # valid: each weight is positive
    queues: Any = [Waiting(True)] * M
    queue, memory = WeightedRoundRobin.pick(cast(WeightedRoundRobin, made), (turn, credit), queues)
    return Picked(turn, after, weights[after], queue, memory)


def in_turn(picked: Picked) -> Truth:
    """Say that the queue in turn is served while it has credit, and then the next one with its weight."""
    now, left = picked.memory
    if picked.queue == picked.turn:
        return all_of(credit > 0, now == picked.turn, same(left, credit - 1))
    return all_of(credit <= 0, picked.queue == now == picked.after, same(left, picked.weight - 1))


@evidence("dynaq.sec3.2.3.wrr-bytes", "dynaq.sec3.1.fair-any-time", form="assumed", strength="smt")
def every_round_serves_each_queue_by_its_weight() -> Outcome:
    """Up to 8 backlogged queues, and 32, any weights: queue t is served while it has credit, then t + 1 by its weight.

    By induction queue t is served w_t times in a row, and after the last queue the first one's turn begins: every round
    is w_1 + ... + w_M services, w_i of them of queue i, however often it is repeated. With one packet size that is in
    bytes as well.
    """
    turns = [(M, turn) for M in (*range(2, 9), MOST_QUEUES) for turn in range(M)]
    paths = [path for M, turn in turns for path in every_path(partial(pick, M, turn), TURN.signs)]
    check(all(path.result.queue is not None for path in paths), "a backlogged queue is served")
    outcome = TURN.prove_paths(paths, in_turn, "in turn while there is credit, then the next")
    served, w, left = sp.symbols("served w left", integer=True)
    turn = [w >= 1, served >= 0, left >= 0, sp.Eq(left, w - served)]
    smt.prove([*turn, left > 0], sp.Eq(left - 1, w - (served + 1)))
    smt.prove([*turn, left <= 0], sp.Eq(served, w))
    return outcome


class Unasked:
    """A scheduler that must not be asked."""

    def start(self) -> tuple[()]:
        """No memory."""
        return ()

    def pick(self, memory: Any, queues: Any) -> tuple[int | None, Any]:
        """Fail."""
        raise AssertionError(f"the scheduler below was asked, with {memory} and {len(queues)} queues")


@evidence("dynaq.sec5.1.2.spq-first", form="printed", strength="symbolic")
def the_scheduler_below_is_not_asked_while_the_priority_queue_holds_a_packet() -> Outcome:
    """Any scheduler below, any queues of which no more can be seen than that they hold a packet, 1 to 8 of them."""
    for below in range(1, 9):
        for code in range(2**below):
            queues: Any = [Waiting(True), *(Waiting(bool(code >> i & 1)) for i in range(below))]
            check(PriorityOver(1, Unasked()).pick((), queues)[0] == 0, f"{queues}")
    check(StrictPriority().pick((), [[], [1]])[0] == 1, "an empty priority queue lets the others go")
    return Proved("the priority queue is picked, and nothing else was asked", {"priority": "1", "below": "7"})
