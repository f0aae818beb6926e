"""Parts of parsed expressions of executable statements: names, functions, and dependence on the end of a run."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from operator import is_not
from typing import Any

from dtmodel.base.expressions import binds


@dataclass(frozen=True)
class Found:
    """The names in a tree with counts (`indices`: those with an index), functions called, names bound, and nodes."""

    names: Counter[str]
    functions: Mapping[str, None]
    bound: frozenset[str]
    size: int
    indices: Mapping[str, tuple[int, frozenset[str]]]


def nodes_of(tree: ast.AST) -> list[ast.AST]:
    """Return the nodes of a tree, level by level."""
    found = [tree]
    for node in found:
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, ast.AST):
                found.append(value)
            elif isinstance(value, list):
                found += value
    return found


def rewritten(node: Any, change: Callable[[Any], Any]) -> Any:
    """Return a tree with those parts replaced for which `change` returns a tree; parts without one are shared."""
    if (other := change(node)) is not None:
        return other
    altered: dict[str, Any] = {}
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, ast.AST) and value._fields:
            made = rewritten(value, change)
            altered |= {name: made} if made is not value else {}
        elif isinstance(value, list):
            parts = [rewritten(each, change) for each in value]
            altered |= {name: parts} if any(map(is_not, parts, value)) else {}
    return type(node)(**{**vars(node), **altered}) if altered else node


@lru_cache(maxsize=50_000)
def parts(tree: ast.AST) -> Found:
    """Return the parts of a parsed tree, which nothing alters."""
    nodes = nodes_of(tree)
    called = [node for node in nodes if type(node) is ast.Call]
    names = Counter(node.id for node in nodes if type(node) is ast.Name)
    functions = {node.func.id: None for node in called if isinstance(node.func, ast.Name)}
    return Found(names, functions, frozenset(map(binds, called)) - {""}, len(nodes), _indices(nodes))


def _indices(nodes: Iterable[ast.AST]) -> Mapping[str, tuple[int, frozenset[str]]]:
    found: dict[str, tuple[int, frozenset[str]]] = {}
    for node in nodes:
        if type(node) is ast.Subscript and isinstance(node.value, ast.Name):
            times, names = found.get(node.value.id, (0, frozenset[str]()))
            inside = [each.id for each in nodes_of(node.slice) if type(each) is ast.Name]
            found[node.value.id] = (times + 1, names.union(inside))
    return found


def alike(trees: Iterable[ast.expr]) -> Iterator[ast.AST]:
    """Yield trees, and the parts of conditional values, each condition once."""
    tests: set[str] = set()
    for tree in trees:
        if not isinstance(tree, ast.IfExp):
            yield tree
            continue
        yield from (tree.body, tree.orelse)
        if ast.dump(tree.test) not in tests:
            tests.add(ast.dump(tree.test))
            yield tree.test


def but_one(body: ast.expr, name: str, *, denied: bool) -> tuple[ast.expr, ast.expr] | None:
    """Read ``j == k or P`` as the value that is excepted and the rest."""
    match body:
        case ast.BoolOp(op=ast.Or(), values=[ast.Compare(ops=[ast.Eq()], left=left, comparators=[right]), rest]):
            if not denied and isinstance(left, ast.Name) and left.id == name:
                return right, rest
    return None


def looks_at_the_end(tree: ast.expr, *, top: bool) -> bool:
    """True if a relation may depend on the end of a run: a time that is later or never, or the instants of a run."""
    if top and isinstance(tree, ast.BoolOp | ast.IfExp):
        inside = (part for part in ast.iter_child_nodes(tree) if isinstance(part, ast.expr))
        return any(looks_at_the_end(part, top=True) for part in inside)
    if top and isinstance(tree, ast.Call) and binds(tree):
        return looks_at_the_end(tree.args[1], top=False) or looks_at_the_end(tree.args[2], top=True)
    if top and isinstance(tree, ast.Compare) and len(tree.ops) == 1:
        never = isinstance(tree.comparators[0], ast.Name) and tree.comparators[0].id == "never"
        if isinstance(tree.ops[0], ast.Lt) and never:
            return False
        if isinstance(tree.ops[0], ast.Eq) and not never:
            return any(looks_at_the_end(side, top=False) for side in (tree.left, *tree.comparators))
    for node in nodes_of(tree):
        if isinstance(node, ast.Name) and node.id in ("never", "instants", "least_losing"):
            return True
        if isinstance(node, ast.Compare) and {"drop", "full"} & parts(node).functions.keys():
            return True
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("lost", "sent") and len(node.args) == 2:
            return True
    return False


def is_list(tree: ast.expr) -> bool:
    """Return true for a list, also one with a rule for its elements."""
    return isinstance(tree, ast.List) or (isinstance(tree, ast.Call) and ast.unparse(tree.func) == "list")


def same(one: ast.expr, other: ast.expr | None) -> bool:
    """Return true if two trees are equal."""
    return other is not None and ast.dump(one) == ast.dump(other)


def indices_of(name: str, trees: Iterable[ast.AST]) -> tuple[frozenset[str], bool]:
    """Return the names in the indices of a sequence, and true if it also stands without an index."""
    found = [parts(tree) for tree in trees]
    own = [each.indices.get(name, (0, frozenset[str]())) for each in found]
    whole = sum(each.names[name] for each in found) > sum(times for times, _ in own)
    return frozenset[str]().union(*(names for _, names in own)), whole
