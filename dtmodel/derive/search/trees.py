r"""Trees of limits in a derive file, with the thresholds of queues that are alike as functions of the free buffer.

If the queues of some group are unlike, or groups have reserves, or pools have sizes, a family runs in the exact engine
of trees (`dtmodel.derive.search.tree_run`). Else all t queues below a group are alike. If each may take min(A R, K) of
the room R of the group, whose own limit is L = min(a R', c), then R = L - t e for e bytes beyond each reserve, and

.. math:: e \le \min\left(\frac{A\, a}{1 + t A} R', \frac{A\, c}{1 + t A}, K\right).

With limits that follow the pool, or queues with an endless factor, e is at most L / t. Level by level each class of
queues gets a law of one level, reserve + min(alpha F, cap), where alpha or cap may be the least of several expressions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from dtmodel.base.documents import choice, only_keys, sequence, table
from dtmodel.base.errors import MISSING, InputError, one_of
from dtmodel.derive.algebra.dimensions import COUNT, FREE, LENGTH, PURE, SLOPE, Grade, read_count, read_term
from dtmodel.derive.algebra.language import Term
from dtmodel.policies import Hierarchy, Share
from dtmodel.policies.forest import Forest, Node, with_limits
from dtmodel.policies.formulas import NO_LIMIT, endless

Names = Mapping[str, Term | None]
_STATIC = (
    'a factor, or limits that follow the pool (follows = "pool"): the room of a static group needs dtmodel simulate'
)


@dataclass(frozen=True)
class Limit:
    """A queue or group, `count` of them in the one above: factor (endless if None), reserve, cap, its index."""

    alpha: Term | None
    reserved: Term
    cap: Term | None
    parent: int
    count: Term


@dataclass(frozen=True)
class Slice:
    """A pool: its size, None if it holds all that is not reserved, and the number of such pools."""

    size: Term | None
    count: Term


@dataclass(frozen=True)
class Tree:
    """The trees of a family: its pools, groups and classes; `nested` if limits follow the parent's room."""

    pools: tuple[Slice, ...]
    groups: tuple[Limit, ...]
    classes: tuple[Limit, ...]
    nested: bool

    @property
    def alike(self) -> bool:
        """True if the queues of each group are alike, so that a law of one level is the limit of each."""
        parents = [limit.parent for limit in (*self.groups, *self.classes) if limit.parent]
        reserved = any(group.reserved.text != "0" for group in self.groups)
        return [pool.size for pool in self.pools] == [None] and len({*parents}) == len(parents) and not reserved

    @property
    def counts(self) -> list[Term]:
        """The numbers of pools, of groups in the one above, and of queues in a group."""
        return [*(pool.count for pool in self.pools), *(limit.count for limit in (*self.groups, *self.classes))]

    def of(self, kept: Sequence[int]) -> Tree:
        """Return the trees with these classes only."""
        return replace(self, classes=tuple(self.classes[index] for index in kept))

    def above(self, limit: Limit) -> list[Limit]:
        """Return the groups above a class or group, from the nearest to the pool."""
        group = limit.parent - len(self.pools)
        return [] if group < 0 else [self.groups[group], *self.above(self.groups[group])]

    def all_of(self, limit: Limit) -> str:
        """Return the number of such queues or groups in all pools together, as an expression."""
        above = [limit, *self.above(limit)]
        return _product(*(each.count.text for each in above), self.pools[above[-1].parent].count.text)

    def law(self, index: int) -> tuple[list[str], list[str]]:
        """Return the factors of F and the caps of a class as expressions; the least of all binds."""
        leaf = self.classes[index]
        below, factors = leaf.count.text, [] if leaf.alpha is None else [leaf.alpha.text]
        caps = [] if leaf.cap is None else [leaf.cap.text]
        for group in self.above(leaf):
            share = f"1/{_atom(below)}"
            if self.nested and factors:
                share, factors = f"{_atom(factors[0])}/(1 + {_product(below, factors[0])})", []
            caps += [] if group.cap is None else [f"{_atom(group.cap.text)}*{share}"]
            factors += [] if group.alpha is None else [f"{_atom(group.alpha.text)}*{share}"]
            below = _product(below, group.count.text)
        return factors, caps

    def graded(self) -> Iterator[tuple[Term, Grade]]:
        """Yield every expression with its grade: only the queues of a class are many and small."""
        for pool in self.pools:
            yield pool.count, PURE
            yield from () if pool.size is None else ((pool.size, FREE),)
        for limits, grades in ((self.groups, (PURE, FREE, PURE)), (self.classes, (SLOPE, LENGTH, COUNT))):
            for limit in limits:
                yield from () if limit.alpha is None else ((limit.alpha, grades[0]),)
                yield limit.reserved, grades[1]
                yield from () if limit.cap is None else ((limit.cap, grades[1]),)
                yield limit.count, grades[2]

    def spare(self, buffer: Any, counts: Sequence[Any], value: Callable[[Term], Any]) -> Any:
        """Return the bytes of the buffer that are neither reserved nor in a pool of a given size."""
        total, left = list(counts), buffer
        for pool, count in zip(self.pools, counts, strict=False):
            left -= buffer - buffer if pool.size is None else count * value(pool.size)
        for index, limit in enumerate((*self.groups, *self.classes), len(self.pools)):
            total[index] = counts[index] * total[limit.parent]
            left -= total[index] * value(limit.reserved)
        return left

    def forest(self, buffer: Any, value: Callable[[Term], Any], one: Any) -> Forest:
        """Return the trees at values; `one` multiplies a number of queues that is written as a number."""
        nodes, counts = list[Node](), [value(count) for count in self.counts]
        for limit in (*self.groups, *self.classes):
            alpha, cap = (None if each is None else value(each) for each in (limit.alpha, limit.cap))
            nodes.append(Node(limit.parent, alpha, value(limit.reserved), cap))
        for index, limit in enumerate(self.classes, len(counts) - len(self.classes)):
            counts[index] *= 1 if limit.count.names else one
        spare = self.spare(buffer, counts, value)
        sizes = [spare if pool.size is None else value(pool.size) for pool in self.pools]
        return Forest(with_limits(sizes, nodes, nested=self.nested), counts, len(self.classes), self.nested)

    def at(self, value: Callable[[Term], Fraction]) -> tuple[Hierarchy, list[int]]:
        """Return the policy at numbers, and the class of each of its queues, one in each group."""
        groups, limits, found = dict[str, Share](), list[Share](), list[int]()
        pools = dict[str, Fraction]()
        places = list[list[str | None]]()
        for pool in self.pools:
            names = [f"pool {len(pools) + number}" for number in range(int(value(pool.count)))]
            places.append(list(names) if pool.size else [None])
            pools |= {name: value(pool.size) for name in names} if pool.size else {}
        for group in self.groups:
            places.append([])
            for parent in places[group.parent]:
                for _ in range(int(value(group.count))):
                    places[-1].append(name := f"group {len(groups)}")
                    groups[name] = _share(group, parent, value)
        for index, limit in enumerate(self.classes):
            for parent in places[limit.parent]:
                limits.append(_share(limit, parent, value))
                found.append(index)
        return Hierarchy(limits, groups, pools or None, "parent" if self.nested else "pool"), found


def _atom(text: str) -> str:
    return text if re.fullmatch(r"\w+", text) else f"({text})"


def _product(*texts: str) -> str:
    return "*".join(_atom(text) for text in texts if text != "1") or "1"


def _share(limit: Limit, parent: str | None, value: Callable[[Term], Fraction]) -> Share:
    alpha, cap = (None if each is None else value(each) for each in (limit.alpha, limit.cap))
    return Share("inf" if alpha is None else alpha, value(limit.reserved), cap, parent)


def read_tree(document: Mapping[str, Any], queues: Sequence[Term], names: Names) -> Tree:
    """Read ``{"name": "hierarchy", "limits": [...], "groups": [...], "pools": [...], "follows": ...}`` with symbols.

    A limit stands for a class of queues, of which each group above has as many as `queues` gives, and the count of a
    group or pool for so many of them in each one above. Raises `InputError` for static groups whose room queues follow.
    """
    only_keys(document, ("name", "limits", "groups", "pools", "follows"), "policy.")
    follows = choice(document.get("follows", "parent"), "policy.follows", ("parent", "pool"))
    pools, known, groups = list[Slice](), list[str](), list[Limit]()
    for field, row in _named(document, "pools", known):
        only_keys(row, ("size", "count"), f"{field}.")
        size = read_term(row.get("size", MISSING), f"{field}.size", names, FREE)
        pools.append(Slice(size, read_count(row, field, names)))
    if not pools:
        known.append("pool")
        pools.append(Slice(None, read_count({}, "policy.pools", names)))
    for field, row in _named(document, "groups", known):
        groups.append(_limit(row, field, known[:-1], len(pools), names, group=True))
        if follows == "parent" and groups[-1].alpha is None and groups[-1].cap is not None:
            raise InputError(f"{field}.alpha", row.get("alpha", MISSING), _STATIC)
    limits = sequence(document.get("limits", MISSING), "policy.limits")
    if len(limits) != len(queues):
        raise InputError("policy.limits", limits, f"one entry for each of the {len(queues)} classes of queues")
    each = [_limit(table(row, f"policy.limits[{i}]"), f"policy.limits[{i}]", known, len(pools), names, group=False)
            for i, row in enumerate(limits)]  # fmt: skip
    each = [replace(limit, count=count) for limit, count in zip(each, queues, strict=True)]
    return Tree(tuple(pools), tuple(groups), tuple(each), follows == "parent")


def _named(document: Mapping[str, Any], key: str, known: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the field of each row of a list and the row without its name, which is added to `known`."""
    for index, row in enumerate(sequence(document.get(key, []), f"policy.{key}")):
        field = f"policy.{key}[{index}]"
        name = table(row, field).get("name", MISSING)
        if not isinstance(name, str) or name in known:
            raise InputError(f"{field}.name", name, "a name that no other one has")
        known.append(name)
        yield field, {k: v for k, v in row.items() if k != "name"}


def _limit(row: Mapping[str, Any], field: str, known: Sequence[str], pools: int, names: Names, *, group: bool) -> Limit:
    only_keys(row, ("alpha", "reserved", "cap", "parent", *(("count",) if group else ())), f"{field}.")

    def term(key: str, grade: Grade, default: Any) -> Term:
        return read_term(row.get(key, default), f"{field}.{key}", names, grade)

    alpha, cap = row.get("alpha"), row.get("cap")
    parent = row.get("parent", known[0] if pools == 1 else MISSING)
    if alpha is None and cap is None:
        raise InputError(f"{field}.cap", MISSING, NO_LIMIT)
    if parent not in known:
        raise InputError(f"{field}.parent", parent, one_of(known))
    factor = None if alpha is None or endless(alpha) else term("alpha", SLOPE, None)
    top = None if cap is None else term("cap", LENGTH, None)
    return Limit(factor, term("reserved", LENGTH, 0), top, known.index(parent), read_count(row, field, names))
