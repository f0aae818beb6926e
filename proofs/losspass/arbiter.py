"""Sections 4.1 to 4.3: the hardware arbiter, its cycles and its memory; proofs."""

from dataclasses import dataclass, field
from typing import Self

import sympy as sp

from dtmodel.ledger import Outcome, Proved, check, evidence
from dtmodel.ledger.provers import smt
from dtmodel.ledger.provers.symbolic_execution import PathCondition, all_of, same

from .arrivals import Arrived, B, P, b, both, evicts, holds, l, s, tail

k, n = sp.symbols("k n", integer=True)


@dataclass
class Memory:
    """A linked list of packets 0, 1, ... in memory, that counts the pointers which are read or written."""

    links: dict[tuple[int, str], int] = field(default_factory=dict)
    touched: int = 0

    @classmethod
    def of(cls, packets: int) -> Self:
        """Return a list of this many packets; -1 holds the pointers to its head and tail."""
        links = {(-1, "head"): 0, (-1, "tail"): packets - 1}
        for i in range(packets - 1):
            links |= {(i, "next"): i + 1, (i + 1, "previous"): i}
        return cls(links)

    def read(self, packet: int, pointer: str) -> int:
        """Read one pointer."""
        self.touched += 1
        return self.links[packet, pointer]

    def write(self, packet: int, pointer: str, value: int) -> None:
        """Write one pointer."""
        self.touched += 1
        self.links[packet, pointer] = value


def remove_doubly(memory: Memory) -> Memory:
    """Remove the tail with the help of its link to the packet before it; `tail` is at hand."""
    memory.write(-1, "tail", memory.read(memory.links[-1, "tail"], "previous"))
    return memory


def remove_singly(packets: int) -> Memory:
    """Walk from the head to the last but one packet and make it the tail; how many packets there are is known."""
    memory = Memory.of(packets)
    node = memory.read(-1, "head")
    for _ in range(packets - 2):
        node = memory.read(node, "next")
    memory.write(-1, "tail", node)
    return memory


@evidence("losspass.alg1.reads", form="printed", strength="smt")
def lines_2_to_4_write_nothing() -> Outcome:
    """A path that stops in lines 2 to 4 leaves everything as it was; one that passes does what lines 5 and 6 do."""

    def fine(a: Arrived) -> PathCondition:
        if a.step.decision == "drop":
            return all_of(a.changes(), same(a.after.s, s), same(a.after.l, l))
        return all_of(a.changes(enters=True, leaves=-1), same(a.after.s, s + P), same(a.after.l, l - tail))

    return holds("intended", fine, "lines 2 to 4 only read", where=lambda a: "line 1:" in a.step.reason)


@evidence("losspass.sec4.1.no-loops", form="printed", strength="smt")
def an_arrival_is_at_most_one_removal_and_one_insertion() -> Outcome:
    """Every path leaves the queues, of whatever length, as they were but for a packet taken out and one put in."""
    return both(
        lambda a: a.changes(enters=a.left, leaves=-1 if a.evicts else None), "one packet out and one in at most"
    )


@evidence("losspass.sec4.1.doubly", "losspass.sec4.1.singly", form="printed", strength="smt")
def the_walk_to_the_tail_reads_n_minus_1_pointers() -> Outcome:
    """Doubly linked: one read, one write. Singly: the walk is at packet k after k + 1 reads, and stops at n - 2.

    Of the doubly linked list no more need be seen than the last link: a read of any other pointer would fail.
    """
    check(remove_doubly(Memory({(-1, "tail"): 1, (1, "previous"): 0})).touched == 2, "the last link alone")
    for packets in (2, 3, 4, 9):
        two, walked = remove_doubly(Memory.of(packets)), remove_singly(packets)
        check(two.touched == 2 and two.links[-1, "tail"] == packets - 2, f"{packets} packets, doubly linked")
        check(walked.touched == packets and walked.links[-1, "tail"] == packets - 2, f"{packets} packets, singly")
    touched = sp.Symbol("touched", integer=True)
    at = [n >= 2, k >= 0, sp.Eq(touched, k + 1)]  # the head pointer was read: at packet 0 after one
    smt.prove([*at, k < n - 2], sp.Eq(touched + 1, (k + 1) + 1))  # one link further
    return smt.prove([*at, sp.Eq(k, n - 2)], sp.Eq(touched + 1, n)).proved("n - 1 reads and one write for n >= 2")


@evidence("losspass.sec4.1.head", form="printed", strength="symbolic")
def the_head_is_removed_without_the_tail() -> Outcome:
    """Of a list of which no more can be seen than the first link: the head moves on with one read and one write."""
    memory = Memory({(-1, "head"): 0, (0, "next"): 1})  # a read of any other pointer fails
    memory.write(-1, "head", memory.read(memory.links[-1, "head"], "next"))  # the head is at hand
    check(memory.touched == 2 and memory.links == {(-1, "head"): 1, (0, "next"): 1}, f"{memory}")
    return Proved("one read, one write, and nothing else was there", {"read": "1", "written": "1"})


@evidence("losspass.sec4.1.head.line3", form="printed", strength="smt")
def the_one_victim_is_the_head_in_the_reading_head() -> Outcome:
    """The reading "head": one packet leaves, the head, and the arriving one is in the port, which holds at most B."""

    def fine(a: Arrived) -> PathCondition:
        one = a.changes(enters=True, leaves=0) and a.step.victim == a.before.large[0].number
        return all_of(one, a.after.s + a.after.l <= B, a.after.s <= B - b)

    return holds("head", fine, "the head makes room", where=evicts)
