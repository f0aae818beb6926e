"""Trees of limits: the queues of a switch below groups, ports and pools, each with a reserve and a limit.

The bytes e beyond a reserve count in the parent and may grow to L = min(cap, a R), with R = max(0, L - e) of the parent
in a nested tree, else the free buffer F of the pool.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Rational
from typing import Any, final

from dtmodel.base.curves import Curve, line, total
from dtmodel.base.errors import InputError


@final
@dataclass(frozen=True)
class Node:
    """A pool, group or queue below `parent`: its limit a R (`factor` a), its `cap` beyond the reserve, or None."""

    parent: int | None
    factor: Any
    reserve: Any
    cap: Any

    def law(self) -> Curve:
        """Return the limit as a function of the room R that it follows."""
        if self.factor is None:
            return line(self.cap - self.cap, self.cap)
        steep = line(self.factor)
        return steep if self.cap is None else steep.lower(line(self.cap - self.cap, self.cap))


@final
@dataclass(frozen=True)
class Forest:
    """The trees of a switch.

    - `nodes` (sequence of Node): pools, groups and queues, a parent before its children, the queues at the end.
    - `counts` (sequence of int): for each node the number of identical ones that it stands for.
    - `queues` (int): the number of queues.
    - `nested` (bool): True if a limit follows the room of the parent; False if it follows the free buffer of the pool.
    - `names` (sequence of str): the names of the pools and groups.
    """

    nodes: Sequence[Node]
    counts: Sequence[int]
    queues: int
    nested: bool
    names: Sequence[str] = ()

    @cached_property
    def children(self) -> list[list[int]]:
        """The children of each node."""
        found: list[list[int]] = [[] for _ in self.nodes]
        for index, node in enumerate(self.nodes):
            if node.parent is not None:
                found[node.parent].append(index)
        return found

    @property
    def zero(self) -> Any:
        """0 in the numbers of the forest."""
        return self.nodes[0].cap - self.nodes[0].cap

    @cached_property
    def roots(self) -> list[int]:
        """The indices of the pools."""
        return [index for index, node in enumerate(self.nodes) if node.parent is None]

    @cached_property
    def pool_of(self) -> list[int]:
        """The pool of each node."""
        found: list[int] = []
        for index, node in enumerate(self.nodes):
            found.append(index if node.parent is None else found[node.parent])
        return found

    @property
    def first_queue(self) -> int:
        """The index of the first queue among the nodes."""
        return len(self.nodes) - self.queues

    def given_in(self, number: Callable[[Any], Any]) -> Forest:
        """Return this forest in other numbers; `number` makes such a number of a fraction."""
        nodes = [
            Node(
                node.parent, *(part if part is None else number(part) for part in (node.factor, node.reserve, node.cap))
            )
            for node in self.nodes
        ]
        return replace(self, nodes=nodes)

    def followed(self, node: int) -> int:
        """Return the node whose room sets the limit of another `node`."""
        parent = self.nodes[node].parent
        return self.pool_of[node] if parent is None or not self.nested else parent

    def levels(self, lengths: Sequence[Any]) -> list[Level]:
        """Return use, limit and room of each node for queues of the given `lengths`."""
        used = [self.zero] * self.first_queue + list(lengths)
        beyond = list(used)
        for index in reversed(range(len(self.nodes))):
            node = self.nodes[index]
            beyond[index] = max(used[index] - node.reserve, self.zero)
            if node.parent is not None:
                used[node.parent] += self.counts[index] * beyond[index]
        found: list[Level] = []
        for index, node in enumerate(self.nodes):
            pull = None if node.factor is None else node.factor * found[self.followed(index)].room
            limit = min(bound for bound in (pull, node.cap) if bound is not None)
            found.append(Level(used[index], beyond[index], limit, pull))
        return found

    def steady(self, held: Sequence[Any]) -> list[Any]:
        """Return the lengths of queues, None in `held` being on its limit; rooms below 0 show that they do not fit."""
        inside = self._inside(held)
        rooms: list[Any] = []
        for index, node in enumerate(self.nodes[: self.first_queue]):
            outer = node.cap if node.parent is None else node.law()(rooms[self.followed(index)])
            follows = node.parent is None or self.nested
            rooms.append(remaining(inside[index])(outer) if follows else rooms[self.pool_of[index]])
        own = list(enumerate(self.nodes))[self.first_queue :]
        limits = [node.reserve + node.law()(rooms[self.followed(index)]) for index, node in own]
        return [limit if length is None else length for limit, length in zip(limits, held, strict=True)]

    def _inside(self, held: Sequence[Any]) -> list[Curve]:
        """Return the bytes beyond each reserve as a function of the node's own room, for a queue of the room above."""
        inside = [line(self.zero)] * len(self.nodes)
        for index in reversed(range(len(self.nodes))):
            node, children = self.nodes[index], self.children[index]
            if index >= self.first_queue:
                length = held[index - self.first_queue]
                inside[index] = node.law() if length is None else line(self.zero, max(length - node.reserve, self.zero))
            else:
                parts = [(self.counts[child], self._passed(child, inside[child])) for child in children]
                inside[index] = total([*parts, (1, line(self.zero, -node.reserve))]).upper(line(self.zero))
        return inside

    def _passed(self, index: int, inside: Curve) -> Curve:
        """Return the bytes beyond a node's reserve as a function of the room that its limit follows."""
        if index >= self.first_queue or not self.nested:
            return inside
        return inside.after(remaining(inside)).after(self.nodes[index].law())

    def path(self, queue: int) -> Iterator[int]:
        """Yield a queue's node and the nodes above it up to its pool."""
        index: int | None = self.first_queue + queue
        while index is not None:
            yield index
            index = self.nodes[index].parent

    def refusing(self, queue: int, levels: Sequence[Level]) -> int | None:
        """Return the first node that has reached its limit, up to one with reserve left; None if none has."""
        for index in self.path(queue):
            if levels[index].used < self.nodes[index].reserve:
                return None
            if levels[index].beyond >= levels[index].limit:
                return index
        return None


@final
@dataclass(frozen=True)
class Level:
    """A node at one instant, in bytes: its use, the part beyond its reserve, its limit, and `pull`, the product a R."""

    used: Any
    beyond: Any
    limit: Any
    pull: Any

    @property
    def room(self) -> Any:
        """The bytes below the limit, at least 0."""
        return max(self.limit - self.beyond, self.limit - self.limit)


def remaining(inside: Curve) -> Curve:
    """Return the room that a limit leaves, from the bytes inside as a function of this room."""
    return total([(1, inside), (1, line(inside.left * 0 + 1))]).inverse()


def with_limits(sizes: Sequence[Any], own: Sequence[Node], *, nested: bool) -> list[Node]:
    """Return the nodes of pools of these sizes and of groups and queues, whose factor and cap may both be None.

    Factor 0 is a limit of 0. A node without a limit has one that it never reaches, since the pool is full before.
    """
    nodes = [Node(None, None, size - size, size) for size in sizes]
    held, endless = list(sizes), set[int]()  # the bytes that the children of each node can hold
    for node in own:
        assert node.parent is not None
        factor, most = None if node.parent in endless and node.factor else node.factor, held[node.parent]
        if factor is None and node.cap is None and nested:
            endless.add(len(nodes))
        held.append(most + node.reserve)
        if factor == 0:
            nodes.append(replace(node, factor=None, cap=most - most))
        else:
            nodes.append(
                replace(node, factor=factor, cap=most + 1 if factor is None and node.cap is None else node.cap)
            )
    return nodes


def steady_start(forest: Forest, held: Sequence[Any]) -> list[Any]:
    """Return the lengths at time 0; a queue whose `held` is None sits on its limit.

    Raises `InputError` if a pool cannot hold the lengths, or a group above a steady queue is full before it.
    """
    lengths = forest.steady(held) if None in held else list(held)
    levels = forest.levels(lengths)

    def over(index: int | None) -> bool:
        return index is not None and bool(levels[index].beyond > levels[index].limit)

    for root in filter(over, forest.roots):
        beyond, known = levels[root].beyond, isinstance(levels[root].beyond, Rational)
        raise InputError("queues.initial", str(beyond) if known else "more", "lengths that the pool can hold")
    for queue, length in enumerate(held):
        if length is None and any(map(over, forest.path(queue))):
            accepted = "a length: the group above the queue is full before the queue meets its own limit"
            raise InputError(f"queues[{queue}].initial", "steady", accepted)
    return lengths
