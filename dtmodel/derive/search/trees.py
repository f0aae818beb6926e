r"""Trees of limits in a derive file: the thresholds of queues that are alike, as functions of the free buffer.

All t queues below a group are alike. If each may take min(A R, K) of the room R of the group, whose own limit is
L = min(a R', c), then R = L - t e for e bytes beyond each reserve, and

.. math:: e \le \min\left(\frac{A\, a}{1 + t A} R', \frac{A\, c}{1 + t A}, K\right).

With limits that follow the pool, or queues with an endless factor, e is at most L / t. Level by level each class of
queues gets a law of one level, reserve + min(alpha F, cap), where alpha or cap may be the least of several expressions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from dtmodel.base.documents import choice, only_keys, sequence, table
from dtmodel.base.errors import MISSING, InputError, one_of
from dtmodel.derive.algebra.dimensions import COUNT, LENGTH, SLOPE, Grade, read_term
from dtmodel.derive.algebra.language import Term
from dtmodel.policies import Hierarchy, Share
from dtmodel.policies.formulas import NO_LIMIT, endless

Names = Mapping[str, Term | None]
_STATIC = (
    'a factor, or limits that follow the pool (follows = "pool"): the room of a static group needs dtmodel simulate'
)
_ALIKE = "a parent whose queues are all of one class, so that they are alike; dtmodel simulate runs other trees"


@dataclass(frozen=True)
class Limit:
    """A queue or group: its factor (None if it is endless), reserve, cap, and the index of the group above it.

    `count`: the number of such queues or groups in the one above.
    """

    alpha: Term | None
    reserved: Term
    cap: Term | None
    parent: int | None
    count: Term


@dataclass(frozen=True)
class Tree:
    """The tree of a family: the limits of its classes and groups; `nested` if limits follow the parent's room."""

    classes: tuple[Limit, ...]
    groups: tuple[Limit, ...]
    nested: bool

    @property
    def same_thresholds(self) -> bool:
        """True if no group is full before its queues are on their own thresholds."""
        return (self.nested and all(limit.alpha is not None for limit in self.classes)) or not self.groups

    @property
    def counts(self) -> list[Term]:
        """The numbers of queues in a group, and of groups in the one above."""
        return [limit.count for limit in (*self.classes, *self.groups)]

    def above(self, index: int) -> list[Limit]:
        """Return the groups above a class, from the nearest to the pool."""
        found, limit = list[Limit](), self.classes[index]
        while limit.parent is not None:
            limit = self.groups[limit.parent]
            found.append(limit)
        return found

    def all_of(self, index: int) -> str:
        """Return the number of queues of a class in all groups together, as an expression."""
        return _product(*(limit.count.text for limit in (self.classes[index], *self.above(index))))

    def law(self, index: int) -> tuple[list[str], list[str]]:
        """Return the factors of F and the caps of a class as expressions; the least of all binds."""
        leaf = self.classes[index]
        below, factors = leaf.count.text, [] if leaf.alpha is None else [leaf.alpha.text]
        caps = [] if leaf.cap is None else [leaf.cap.text]
        for group in self.above(index):
            share = f"1/{_atom(below)}"
            if self.nested and factors:
                share, factors = f"{_atom(factors[0])}/(1 + {_product(below, factors[0])})", []
            caps += [] if group.cap is None else [f"{_atom(group.cap.text)}*{share}"]
            factors += [] if group.alpha is None else [f"{_atom(group.alpha.text)}*{share}"]
            below = _product(below, group.count.text)
        return factors, caps

    def at(self, kept: Sequence[int], value: Callable[[Term], Fraction]) -> tuple[Hierarchy, list[int]]:
        """Return the policy for some classes at numbers, and the class of each of its queues, one in each group."""
        groups, limits, found = dict[str, Share](), list[Share](), list[int]()
        places: dict[int | None, list[str | None]] = {None: [None]}
        for number, group in enumerate(self.groups):
            places[number] = []
            for parent in places[group.parent]:
                for _ in range(int(value(group.count))):
                    places[number].append(name := f"group {len(groups)}")
                    groups[name] = _share(group, parent, value)
        for index in kept:
            for parent in places[self.classes[index].parent]:
                limits.append(_share(self.classes[index], parent, value))
                found.append(index)
        return Hierarchy(limits, groups, None, "parent" if self.nested else "pool"), found


def _atom(text: str) -> str:
    return text if re.fullmatch(r"\w+", text) else f"({text})"


def _product(*texts: str) -> str:
    return "*".join(_atom(text) for text in texts if text != "1") or "1"


def _share(limit: Limit, parent: str | None, value: Callable[[Term], Fraction]) -> Share:
    alpha, cap = (None if each is None else value(each) for each in (limit.alpha, limit.cap))
    return Share("inf" if alpha is None else alpha, value(limit.reserved), cap, parent)


def read_tree(document: Mapping[str, Any], queues: Sequence[Term], names: Names) -> Tree:
    """Read ``{"name": "hierarchy", "limits": [...], "groups": [...], "follows": ...}`` with symbols.

    A limit stands for a class of queues, of which each group above has as many as `queues` gives, and the count of a
    group for so many groups in each one above. Raises `InputError` for a tree whose queues need not be alike, for
    several pools, for reserves of groups, and for static groups whose room queues follow.
    """
    only_keys(document, ("name", "limits", "groups", "pools", "follows"), "policy.")
    if document.get("pools"):
        accepted = "one pool, which is the buffer without reserves; dtmodel simulate runs several"
        raise InputError("policy.pools", document["pools"], accepted)
    follows = choice(document.get("follows", "parent"), "policy.follows", ("parent", "pool"))
    rows, known, groups = sequence(document.get("groups", []), "policy.groups"), ["pool"], list[Limit]()
    for index, row in enumerate(rows):
        field = f"policy.groups[{index}]"
        name = table(row, field).get("name", MISSING)
        if not isinstance(name, str) or name in known:
            raise InputError(f"{field}.name", name, "a name that no other one has")
        groups.append(_limit({k: v for k, v in row.items() if k != "name"}, field, known, names, group=True))
        if follows == "parent" and groups[-1].alpha is None and groups[-1].cap is not None:
            raise InputError(f"{field}.alpha", row.get("alpha", MISSING), _STATIC)
        known.append(name)
    limits = sequence(document.get("limits", MISSING), "policy.limits")
    if len(limits) != len(queues):
        raise InputError("policy.limits", limits, f"one entry for each of the {len(queues)} classes of queues")
    each = [_limit(table(row, f"policy.limits[{i}]"), f"policy.limits[{i}]", known, names, group=False)
            for i, row in enumerate(limits)]  # fmt: skip
    each = [replace(limit, count=count) for limit, count in zip(each, queues, strict=True)]
    held = set[int]()
    for field, of in (("groups", groups), ("limits", each)):
        for index, limit in enumerate(of):
            if limit.parent in held:
                raise InputError(f"policy.{field}[{index}].parent", known[1 + (limit.parent or 0)], _ALIKE)
            held |= set() if limit.parent is None else {limit.parent}
    return Tree(tuple(each), tuple(groups), follows == "parent")


def _limit(row: Mapping[str, Any], field: str, known: Sequence[str], names: Names, *, group: bool) -> Limit:
    only_keys(row, ("alpha", "reserved", "cap", "parent", *(("count",) if group else ())), f"{field}.")

    def term(key: str, grade: Grade, default: Any) -> Term:
        return read_term(row.get(key, default), f"{field}.{key}", names, grade)

    alpha, cap, parent = row.get("alpha"), row.get("cap"), row.get("parent", "pool")
    if alpha is None and cap is None:
        raise InputError(f"{field}.cap", MISSING, NO_LIMIT)
    if parent not in known:
        raise InputError(f"{field}.parent", parent, one_of(known))
    if group and row.get("reserved", 0) not in (0, "0"):
        raise InputError(f"{field}.reserved", row["reserved"], "reserves of queues alone; dtmodel simulate runs others")
    factor = None if alpha is None or endless(alpha) else term("alpha", SLOPE, None)
    above = None if parent == "pool" else known.index(parent) - 1
    top = None if cap is None else term("cap", LENGTH, None)
    return Limit(factor, term("reserved", LENGTH, 0), top, above, term("count", COUNT, 1))
