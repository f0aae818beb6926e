"""Algorithm 1 and the other schemes at every arrival: all paths of the packet engines, with unknown sizes.

Where a function looks at two queues only, the rest of the port is an object that cannot be looked at: what holds then
holds for every number of queues.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

import sympy as sp

from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.packet.dynaq import DynaQ, Ruling, admission, algorithm1, find_victim, rule, settle
from dtmodel.packet.dynaq_hardware import tournament
from dtmodel.packet.service_queues import PMSB, PQL, BestEffort, Scheme
from dtmodel.provers import smt
from dtmodel.provers.every_path import Path, Truth, Unknowns, all_of, every_path, largest, same

PORT = Unknowns()
B: Any
K: Any
K_i: Any
size: Any
T_p, T_v, q_p, q_v, total, others = PORT.at_least_0("T_p", "T_v", "q_p", "q_v", "total", "others")
quota: Any
S_v, size, B, K, K_i, quota = PORT.positive("S_v", "s", "B", "K", "K_i", "quota")
within, beyond = PORT.at_least_0("within", "beyond")  # K_i: what the other queues hold, for PMSB


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
    return cast(DynaQ, SimpleNamespace(satisfaction=S, victims="printed", tie_break="low", **changes))


def ended(run: Callable[[], Ruling]) -> Ruling | None:
    """Return a ruling, or nothing if it depends on the other queues."""
    try:
        return run()
    except BeyondError:
        return None


@evidence("dynaq.alg1.line1", "dynaq.sec3.2.2.nothing-done", form="printed", strength="smt")
def line_1_alone_ends_the_algorithm_within_the_threshold() -> Outcome:
    """Any number of queues: iff q_p + s <= T_p the engine returns the thresholds that it was given, and looked at T_p.

    The other queues cannot be looked at; a run that would is one that line 1 did not end.
    """

    def run() -> tuple[Ruling | None, Any]:
        T, q = Few({0: T_p}), Few({0: q_p})
        return ended(lambda: algorithm1(rules(Few({})), cast(Any, T), cast(Any, q), 0, size)), T

    def fine(result: tuple[Ruling | None, Any]) -> Truth:
        ruling, T = result
        if ruling is None:
            return all_of(q_p + size > T_p)
        return all_of(ruling.decision == "enqueue" and ruling.thresholds is T, q_p + size <= T_p)

    return PORT.prove_paths(every_path(run), fine, "nothing changes iff the packet is within the threshold")


Rows = tuple[Any, Any, Any]
"""Numbers of each queue: T, S and q."""


class Settled(NamedTuple):
    """What lines 3 to 7 did to sender 0 and victim 1; `kept` says that the thresholds are the very same object."""

    ruling: Ruling | None
    kept: bool


def settled() -> list[Path[Settled]]:
    """Return all paths of lines 3 to 7 with two queues of any number in sight; an adjustment is no ruling."""

    def run() -> Settled:
        T, S, q = Few({1: T_v}), Few({1: S_v}), Few({1: q_v})
        ruling = ended(lambda: settle(rules(S), cast(Any, T), cast(Any, q), (0, 1), size))
        return Settled(ruling, ruling is not None and cast(Any, ruling.thresholds) is T)

    return list(every_path(run))


@evidence("dynaq.alg1.line4", form="printed", strength="smt")
def line_4_returns_the_thresholds_that_it_was_given() -> Outcome:
    """Any number of queues: a path of line 3 that drops keeps the thresholds; it is taken iff line 3 holds."""
    refused: Truth = (T_v < size) | ((q_v > 0) & (T_v - size < S_v))

    def fine(result: Settled) -> Truth:
        dropped = result.ruling is not None
        return all_of(result.kept, refused) if dropped else ~refused

    return PORT.prove_paths(settled(), fine, "dropped iff line 3 holds, with every threshold as it was")


def queues(M: int) -> tuple[Unknowns, Rows]:
    """Return the unknowns of M queues, and their thresholds, satisfaction thresholds and lengths."""
    given = Unknowns()
    T, S, q = ([f"{name}{i}" for i in range(M)] for name in "TSq")
    return given, (given.at_least_0(*T), given.positive(*S), given.at_least_0(*q))


def largest_of(M: int, tie_break: str) -> Proved:
    """Prove that line 2 returns the queue with the largest extra, of equal ones the lowest or the highest index."""
    given, (T, S, _) = queues(M)
    extras = [a - b for a, b in zip(T, S, strict=True)]

    def fine(v: int | None) -> Truth | bool:
        if v is None:
            return False
        first = range(v) if tie_break == "low" else range(v + 1, M)  # equal extras there would have been chosen
        rest = [i for i in range(M) if i != v and i not in first]
        return all_of(*(extras[v] > extras[i] for i in first), *(extras[v] >= extras[i] for i in rest))

    paths = every_path(lambda: find_victim(S, T, range(M), tie_break))
    return given.prove_paths(paths, fine, f"the largest extra, ties to the {tie_break} index")


@evidence("dynaq.alg1.line2", "dynaq.sec3.2.1.victim-definition", form="repaired", strength="smt")
@evidence("dynaq.alg1.line2.victim", form="printed", strength="smt")
@evidence("dynaq.alg1.line2.ties", "dynaq.alg1.line2.exists", form="assumed", strength="smt")
def line_2_finds_the_largest_extra_among_any_number_of_queues() -> Outcome:
    """Induction over the candidates: one is the largest of one; of the largest so far and the next one, the larger.

    What the loop keeps is the best candidate so far and its extra, as after that candidate alone: so the engine's
    answer for it and the next one is the step. With one candidate or more there is an answer, and one only.
    """
    for tie_break in ("low", "high"):
        check(find_victim([1], [1], [0], tie_break) == 0, "a single candidate")
        for M in (2, 3, 4):
            largest_of(M, tie_break)
    best, new, earlier, chosen = sp.symbols("best new earlier chosen", real=True)  # extras; earlier: of any before
    step = [earlier <= best, sp.Eq(chosen, sp.Max(best, new))]
    smt.prove(step, [earlier <= chosen, best <= chosen, new <= chosen])
    smt.prove([earlier < best, sp.Eq(chosen, sp.Max(best, new))], earlier < chosen)  # strict stays strict: ties
    M = sp.Symbol("M", integer=True)
    return smt.prove([M >= 2], M - 1 >= 1).proved("M - 1 >= 1 candidates, of which the largest is found and one only")


class Ruled(NamedTuple):
    """What Algorithm 1 did on one path: thresholds before and after."""

    decision: str
    victim: int | None
    before: Any
    after: Any


def ruled(
    M: int, p: int, goal: Callable[[Ruled], Truth | bool], detail: str, where: Callable[[Ruled], bool] = lambda _: True
) -> Proved:
    """Prove a statement about all paths of Algorithm 1 for a packet of queue p."""
    given, (T, S, q) = queues(M)
    packet: Any = given.positive("s")[0]

    def run() -> Ruled:
        one = algorithm1(rules(S), tuple(T), q, p, packet)
        return Ruled(one.decision, one.victim, T, one.thresholds)

    return given.prove_paths(every_path(run), goal, detail, where=where)


@evidence("dynaq.sec4.1.lines67-independent", form="printed", strength="smt")
def the_victim_is_not_the_sender() -> Outcome:
    """Every path of Algorithm 1 for 2 and 3 queues and each sender: lines 6 and 7 write T_v and T_p, which are two.

    For any number of queues: what line 2 returns is one of its candidates, and p is none.
    """
    outcomes = [
        ruled(
            M, p, partial(writes_two, p), "lines 6 and 7 write two thresholds",
            lambda r: r.decision == "enqueue" and r.victim is not None,
        )
        for M in (2, 3)
        for p in range(M)
    ]  # fmt: skip
    return outcomes[-1]


def writes_two(p: int, result: Ruled) -> Truth:
    """Whether the thresholds of queue p and of the victim changed, and no other."""
    pairs = enumerate(zip(result.before, result.after, strict=True))
    changed = [~same(old, new) if i in (p, result.victim) else same(old, new) for i, (old, new) in pairs]
    return all_of(result.victim != p, *changed)


@evidence("dynaq.sec3.2.2.max-idx", form="repaired", strength="smt")
def the_masked_tournament_of_four_finds_line_2s_victim() -> Outcome:
    """Four queues, each sender: MaxIdx(MaxIdx(1, 2), MaxIdx(3, 4)) with p below all others is line 2."""
    given, (T, S, _) = queues(4)

    def run(p: int) -> tuple[int | None, int]:
        extras = [a - b for a, b in zip(T, S, strict=True)]
        keys = [(i != p, extra) for i, extra in enumerate(extras)]
        winner, _, _ = tournament(range(4), lambda a, b: b if keys[b] > keys[a] else a)
        others = [i for i in range(4) if i != p]
        return find_victim(S, T, others), winner

    outcomes = [
        given.prove_paths(every_path(partial(run, p)), lambda found: found[0] == found[1], "the same victim")
        for p in range(4)
    ]
    return outcomes[-1]


@evidence("dynaq.fn1", form="printed", strength="smt")
def a_queue_is_satisfied_or_not() -> Outcome:
    """T < S and T >= S exclude each other and leave nothing out, for any T and S."""
    T, S = sp.Symbol("T", nonnegative=True), sp.Symbol("S", positive=True)
    smt.prove([T < S], sp.Not(T >= S))
    return smt.prove([S > 0], sp.Or(T < S, T >= S)).proved("exactly one of both")


@evidence("dynaq.table1", form="printed", strength="smt")
def each_quantity_of_table_1_has_one_value() -> Outcome:
    """Equations (1) to (4) each have one solution; the engine's step is a function of thresholds, lengths and packet.

    S_i W = B w_i (and T_i, WBDP_i alike) has one solution since W > 0, and the extra is a difference. The thresholds
    after an arrival are the engine's on every path, with the tie-break named.
    """
    w, W, x, y, amount = sp.symbols("w W x y amount", positive=True)
    one = smt.prove([sp.Eq(x * W, amount * w), sp.Eq(y * W, amount * w)], sp.Eq(x, y))
    for p in range(3):
        ruled(3, p, lambda r: same(sum(r.after), sum(r.before)), "thresholds after an arrival")
    return one.proved("each equation has one solution, and each path one ruling")


def admits(scheme: Callable[[], Scheme], lengths: Any, wanted: Truth, says: str, given: Sequence[Truth] = ()) -> Proved:
    """Prove that a scheme admits a packet of queue 0 exactly if `wanted`."""
    paths = every_path(lambda: bool(scheme().admit((), lengths, 0, size)[0]), PORT.signs)
    return PORT.prove_paths(paths, lambda yes: wanted if yes else ~wanted, f"admitted iff {says}", given=given)


@evidence("dynaq.sec2.3.pql-quota", form="printed", strength="smt")
def pql_looks_at_one_queue_only() -> Outcome:
    """Any number of queues, none of which can be looked at but the packet's own: admitted iff q + s <= quota."""
    return admits(lambda: PQL((quota,)), Few({0: q_p}), q_p + size <= quota, "q + s <= quota")


@evidence("dynaq.sec2.3.pmsb.both", form="printed", strength="smt")
def pmsb_acts_on_both_conditions_only() -> Outcome:
    """Any number of queues: where the port has room, a packet is dropped iff the port and its queue are beyond."""
    both = (q_p + others + size > K) & (q_p + size > K_i)
    lengths, room = Few({0: q_p}, q_p + others), q_p + others + size <= B
    return admits(lambda: PMSB(B, K, (K_i,)), lengths, ~both, "not beyond K and beyond K_i", [room])


@evidence(
    "dynaq.sec1.monopolise", "dynaq.sec2.1.best-effort", "dynaq.sec3.2.3.best-effort", "dynaq.sec6.large-port-buffer",
    form="printed", strength="smt",
)  # fmt: skip
def a_best_effort_buffer_of_any_size_belongs_to_whoever_fills_it() -> Outcome:
    """Any B and any number of queues: admitted iff the port has room, whatever the packet's queue holds.

    So a queue that is alone is refused only beyond B - s, and a port that is full of it stays so: a service makes room
    for one packet, which the next one of the same queue takes, and a packet of another queue finds none.
    """
    admitted = admits(lambda: BestEffort(B), Few({}, total), total + size <= B, "sum q + s <= B")
    after = (total - size) + size
    PORT.prove([same(total, B)], all_of(total + size > B, after <= B, same(after, B)))
    PORT.prove([total + size > B], total > B - size)
    return admitted


@evidence("dynaq.ours.thresholds-unbounded", form="printed", strength="smt")
def the_cycle_that_adds_a_byte_can_be_repeated_at_any_length() -> Outcome:
    """With S = 1 each, T = (2, 0) and q = (n, 0), any n >= 2, a round ends with the same T and q_1 = n + 1.

    Queue 2 takes a byte of threshold and leaves; queue 1 takes it back with a packet.
    """
    n: Any = total

    def run() -> tuple[list[str], tuple[Any, ...]]:
        port = rules((1, 1), admit="thresholds")
        one = rule(port, (2, 0), (n, 0), 1, 1)
        two = rule(port, one.thresholds, (n, 0), 0, 1)
        return [one.decision, two.decision], two.thresholds

    return PORT.prove_paths(
        every_path(run), lambda r: r == (["enqueue", "enqueue"], (2, 0)), "a byte more, and the same thresholds",
        given=[n >= 2],
    )  # fmt: skip


@evidence("dynaq.ours.port-bound", form="printed", strength="smt")
def no_admission_check_lets_the_port_hold_more_than_its_buffer() -> Outcome:
    """Any number of queues, any ruling of Algorithm 1: on every path of either check, enqueued only if it fits."""

    def run(admit: str) -> str:
        passed = Ruling("enqueue", "Algorithm 1 lets it pass", 1, cast(Any, Few({0: T_p})))
        port = rules(Few({}), admit=admit, buffer=B)
        return admission(port, passed, cast(Any, Few({0: q_p}, q_p + others)), 0, size).decision

    enqueued = q_p + others + size <= B
    outcomes = [
        PORT.prove_paths(
            every_path(partial(run, admit)), lambda _: enqueued, "enqueued, so it fits", where=lambda d: d == "enqueue"
        )
        for admit in ("port", "recheck")
    ]
    dropped = Ruling("drop", "line 4", 1, ())
    check(all(admission(rules((), admit=a), dropped, (), 0, 1) is dropped for a in ("port", "recheck")), "line 4 drops")
    return outcomes[-1]


@evidence("dynaq.ours.pmsb", form="printed", strength="smt")
def dropping_pmsb_protects_k_i_and_stays_below_2k() -> Outcome:
    """Induction for any queues and sizes: what queues hold beyond their K_i, E in all, stays below K.

    E grows only when the port is within K, and then the queue that grows holds K_i that do not count. The rest, at most
    K_i of each queue, is at most K: so sum q < 2K <= B, and a packet within K_i, for which not both conditions hold,
    finds room. The others hold m within theirs (at most K - K_i) and e beyond.
    """
    m, e = within, beyond
    both = (q_p + m + e + size > K) & (q_p + size > K_i)
    fits = q_p + m + e + size <= B
    admits(lambda: PMSB(B, K, (K_i,)), Few({0: q_p}, q_p + m + e), ~both & fits, "it fits, not beyond K and beyond K_i")
    state = [K_i + m <= K, largest(0, q_p - K_i) + e < K, 2 * K <= B]
    PORT.prove([*state, ~both, fits], largest(0, q_p + size - K_i) + e < K)  # an arrival
    PORT.prove([*state, size <= q_p], largest(0, q_p - size - K_i) + e < K)  # a departure
    PORT.prove(state, q_p + m + e < 2 * K)
    return PORT.prove([*state, q_p + size <= K_i], ~both & fits).proved("never refused within K_i, never 2K held")
