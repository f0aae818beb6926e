"""What the data structures of Sections 3.2.1, 4.1 and 6 cost: one list, two queues, linked lists, a tree; tags."""

from __future__ import annotations

from dataclasses import dataclass, field

import sympy as sp

from dtmodel.ledger import Outcome, check, evidence
from dtmodel.provers import smt

n, k = sp.symbols("n k", integer=True)


def look_ups(queue: tuple[str, ...]) -> int:
    """Search one queue from the tail for a large packet, one packet a look-up."""
    count = 0
    for kind in reversed(queue):
        count += 1
        if kind == "large":
            break
    return count


@evidence("losspass.sec3.2.1.search", "losspass.slides.victim", form="printed", strength="smt")
def the_worst_search_looks_at_every_packet() -> Outcome:
    """Induction over n: 1 if the tail is large, else 1 more than the worst of n - 1; max(1, 1 + (n - 1)) = n."""
    for size in range(1, 7):
        rest = ("large", *("small",) * (size - 1))
        check(look_ups(rest) == size and look_ups((*rest, "small")) == 1 + look_ups(rest), f"{size} packets")
        check(look_ups((*rest, "large")) == 1, "a large tail")
    worst = sp.Symbol("worst", integer=True)
    smt.prove([n >= 2, sp.Eq(worst, n - 1)], sp.Eq(sp.Max(1, 1 + worst), n))
    return smt.prove([sp.Eq(n, 1)], sp.Eq(sp.Max(1, 0), n)).proved(
        "max(1, 1 + (n - 1)) = n for n >= 2, and 1 for n = 1"
    )


@evidence("losspass.sec3.2.1.tagging", form="printed", strength="smt")
def a_byte_once_large_stays_large() -> Outcome:
    """Byte k is small iff k < T: of two bytes the later one is large if the earlier is, and min(T, S) are small."""
    T, S, later = sp.symbols("T S later", integer=True)
    small = sp.Symbol("small", integer=True)  # the number of k from 0 to S - 1 with k < T
    given = [T >= 0, S >= 0]
    smt.prove([*given, k >= 0, k >= T, later > k], later >= T)
    counted = sp.Eq(small, sp.Min(T, k))  # of the first k bytes
    smt.prove([*given, k >= 0, counted, k < T], sp.Eq(small + 1, sp.Min(T, k + 1)))
    return smt.prove([*given, k >= 0, counted, k >= T], sp.Eq(small, sp.Min(T, k + 1))).proved(
        "the tag of byte k is a function of k and T alone, and min(T, S) bytes are small"
    )


@dataclass
class Memory:
    """A linked list of packets 0, 1, ... in memory, that counts the pointers which are read or written."""

    links: dict[tuple[int, str], int] = field(default_factory=dict)
    touched: int = 0

    @classmethod
    def of(cls, packets: int) -> Memory:
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


def remove_doubly(packets: int) -> Memory:
    """Remove the tail with the help of its link to the packet before it; `tail` is at hand."""
    memory = Memory.of(packets)
    memory.write(-1, "tail", memory.read(packets - 1, "previous"))
    return memory


def remove_singly(packets: int) -> Memory:
    """Walk from the head to the last but one packet and make it the tail; how many packets there are is known."""
    memory = Memory.of(packets)
    node = memory.read(-1, "head")
    for _ in range(packets - 2):
        node = memory.read(node, "next")
    memory.write(-1, "tail", node)
    return memory


@evidence("losspass.sec4.1.doubly", "losspass.sec4.1.singly", form="printed", strength="smt")
def the_walk_to_the_last_but_one_packet_reads_n_minus_1_pointers() -> Outcome:
    """Doubly linked: one read, one write. Singly: the walk is at packet k after k + 1 reads, and stops at n - 2."""
    for packets in (2, 3, 4, 9):
        two, walked = remove_doubly(packets), remove_singly(packets)
        check(two.touched == 2 and two.links[-1, "tail"] == packets - 2, f"{packets} packets, doubly linked")
        check(walked.touched == packets and walked.links[-1, "tail"] == packets - 2, f"{packets} packets, singly")
    touched = sp.Symbol("touched", integer=True)
    at = [n >= 2, k >= 0, sp.Eq(touched, k + 1)]  # the head pointer was read: at packet 0 after one
    smt.prove([*at, k < n - 2], sp.Eq(touched + 1, (k + 1) + 1))  # one link further
    return smt.prove([*at, sp.Eq(k, n - 2)], sp.Eq(touched + 1, n)).proved("n - 1 reads and one write for n >= 2")


@evidence("losspass.sec6.pfabric", form="printed", strength="smt")
def a_tree_of_depth_d_takes_d_comparisons() -> Outcome:
    """Induction over d: the changed half took d comparisons and knows its largest key, the other half's is kept.

    The root compares the two once more. A tree of depth d has room for n keys iff n <= 2^d, so the least d is
    ceil(log2 n).
    """
    left, right, key, old = sp.symbols("left right key old", real=True)
    compared, d = sp.symbols("compared d", integer=True)
    halves = [key <= left, old <= right]  # any key of the changed half, any of the other one
    smt.prove([d >= 0, sp.Eq(compared, d)], sp.Eq(compared + 1, d + 1))
    smt.prove(halves, [key <= sp.Max(left, right), old <= sp.Max(left, right)])
    return smt.prove(
        [left <= right], sp.Or(sp.Eq(sp.Max(left, right), left), sp.Eq(sp.Max(left, right), right))
    ).proved("one comparison a level, and the root holds the largest key")
