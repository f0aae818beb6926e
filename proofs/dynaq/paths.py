"""DynaQ's code along every path: what its arguments may be."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

from dtmodel.ledger import Proved, check
from dtmodel.ledger.provers.symbolic_execution import PathCondition, Unknowns, every_path
from dtmodel.packet.dynaq.algorithm import DynaQ, algorithm1
from dtmodel.packet.dynaq.schemes import Scheme

PORT = Unknowns()
T_p, T_v, q_p, q_v, total, others = PORT.at_least_0("T_p", "T_v", "q_p", "q_v", "total", "others")
size: Any
buffer: Any
K: Any
K_i: Any
quota: Any
S_v, size, buffer, K, K_i, quota = PORT.positive("S_v", "s", "B", "K", "K_i", "quota")


class BeyondError(Exception):
    """The program went on to the other queues."""


@dataclass(frozen=True)
class Few:
    """One number for each queue of a port of any number of queues, of which some can be looked at, or their sum."""

    known: dict[int, Any]
    sum: Any = None

    def __getitem__(self, queue: int) -> Any:
        check(queue in self.known, f"queue {queue} was looked at")
        return self.known[queue]

    def __len__(self) -> int:
        raise BeyondError

    def __iter__(self) -> Iterator[Any]:
        if self.sum is None:
            raise BeyondError
        return iter([self.sum])


def rules(S: Any, **changes: Any) -> DynaQ:
    """Return a configuration with satisfaction thresholds that are symbols."""
    return cast(DynaQ, SimpleNamespace(**{"satisfaction": S, "victims": "printed", "tie_break": "low"} | changes))


Rows = tuple[Any, Any, Any]
"""Numbers of each queue: T, S and q."""


def queues(M: int) -> tuple[Unknowns, Rows]:
    """Return the unknowns of M queues, and their thresholds, satisfaction thresholds and lengths."""
    given = Unknowns()
    T, S, q = ([f"{name}{i}" for i in range(M)] for name in "TSq")
    return given, (given.at_least_0(*T), given.positive(*S), given.at_least_0(*q))


class Ruled(NamedTuple):
    """What Algorithm 1 did on one path: thresholds before and after."""

    decision: str
    victim: int | None
    before: Any
    after: Any


def ruled(
    M: int,
    p: int,
    goal: Callable[[Ruled], PathCondition | bool],
    detail: str,
    where: Callable[[Ruled], bool] = lambda _: True,
) -> Proved:
    """Prove a statement about all paths of Algorithm 1 for a packet of queue p."""
    given, (T, S, q) = queues(M)
    packet: Any = given.positive("s")[0]

    def run() -> Ruled:
        one = algorithm1(rules(S), tuple(T), q, p, packet)
        return Ruled(one.decision, one.victim, T, one.thresholds)

    return given.prove_paths(every_path(run), goal, detail, where=where)


def admits(
    scheme: Callable[[], Scheme], lengths: Any, wanted: PathCondition, says: str, given: Sequence[PathCondition] = ()
) -> Proved:
    """Prove that a scheme admits a packet of queue 0 exactly if `wanted`."""
    paths = every_path(lambda: bool(scheme().admit((), lengths, 0, size)[0]), PORT.signs)
    return PORT.prove_paths(paths, lambda yes: wanted if yes else ~wanted, f"admitted iff {says}", given=given)


@dataclass(frozen=True)
class Waiting:
    """A queue of which no more can be seen than whether it holds a packet."""

    packet: bool

    def __bool__(self) -> bool:
        return self.packet
