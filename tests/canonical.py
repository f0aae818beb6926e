"""Forms up to the ways of writing them: equal numbers stand for expressions that say the same in other words.

Definitions are put in their places, "not" is carried into relations, parts of "and" and "or" have no order, bound
variables no letter.
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

from dtmodel.base.expressions import binds

_DENIED = {"<": "<=", "<=": "<", "==": "!=", "!=": "==", "in": "not in", "not in": "in"}
_DUAL = {"and": "or", "or": "and", "each": "some", "some": "each", "iff": "xor", "xor": "iff"}
_SIGNS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.In: "in",
          ast.NotIn: "not in"}  # fmt: skip
_TRUE = ("and", "or", "each", "some", "iff", "xor", "not", "ite", "fact", *_DENIED)


@dataclass
class Canon:
    """Numbers for expressions; `facts`: the functions that are true or false."""

    facts: frozenset[str]
    known: dict[tuple[object, ...], int] = field(default_factory=dict)
    nodes: list[tuple[object, ...]] = field(default_factory=list)

    def make(self, *node: object) -> int:
        """Return the number of a node."""
        if node not in self.known:
            self.known[node] = len(self.nodes)
            self.nodes.append(node)
        return self.known[node]

    # Relations.

    def joint(self, word: str, parts: list[int]) -> int:
        """Join relations by "and" or "or"."""
        flat: set[int] = set()
        for part in parts:
            flat |= set(self.nodes[part][1]) if self.nodes[part][0] == word else {part}  # type: ignore[call-overload]
        return min(flat) if len(flat) == 1 else self.make(word, frozenset(flat))

    def denied(self, number: int) -> int:
        """Deny a relation."""
        word, *rest = self.nodes[number]
        if word in ("<", "<="):
            return self.compared(_DENIED[str(word)], rest[1], rest[0])
        if word in ("==", "!="):
            first, *others = sorted(rest[0])  # type: ignore[call-overload]
            return self.compared(_DENIED[str(word)], first, others[0] if others else first)
        if word in ("in", "not in"):
            return self.make(_DENIED[str(word)], *rest)
        if word in ("and", "or"):
            return self.joint(_DUAL[str(word)], [self.denied(part) for part in rest[0]])  # type: ignore[attr-defined]
        if word in ("each", "some"):
            return self.make(_DUAL[str(word)], rest[0], self.denied(rest[1]))  # type: ignore[arg-type]
        if word in ("iff", "xor"):
            return self.make(_DUAL[str(word)], *rest)
        if word == "ite":
            return self.make("ite", rest[0], *(self.denied(part) for part in rest[1:]))  # type: ignore[arg-type]
        return rest[0] if word == "not" else self.make("not", number)  # type: ignore[return-value]

    def compared(self, sign: str, left: int, right: int) -> int:
        """Compare two values; one with a condition is compared in each of its cases."""
        for place, side in enumerate((left, right)):
            if self.nodes[side][0] == "if":
                _, test, first, second = self.nodes[side]
                sides = [(first, right), (second, right)] if place == 0 else [(left, first), (left, second)]
                return self.make("ite", test, *(self.compared(sign, *each) for each in sides))  # type: ignore[arg-type]
        if sign in (">", ">="):
            return self.compared("<" if sign == ">" else "<=", right, left)
        if self.true_or_false(left) or self.true_or_false(right):
            return self._equivalent(sign, left, right)
        never, zero = self.make("name", "never"), self.make("number", "0")
        if sign in ("==", "!=") and left != right:
            if never in (left, right) and sign == "!=":
                return self.make("<", min({left, right} - {never}), never)
            if zero in (left, right) and sign == "!=" and self._is_a_length(min({left, right} - {zero})):
                return self.make("<", zero, min({left, right} - {zero}))
        word, *inside = self.nodes[min({left, right} - {zero}, default=zero)]
        if sign == "==" and zero in (left, right) and word == "call" and inside[0] == "lost" and len(inside) == 3:
            return self.compared("==", self.make("call", "drop", *inside[1:]), never)  # in the whole run
        if sign in ("==", "!="):
            return self.make(sign, frozenset((left, right)))
        if sign == "<=" and left == never:
            return self.make("==", frozenset((left, right)))
        if sign == "<=" and right == zero and self._is_a_length(left):
            return self.make("==", frozenset((left, right)))
        return self.make(sign, left, right)

    def _equivalent(self, sign: str, left: int, right: int) -> int:
        """Two relations that hold together: the one that is denied may be either."""
        pair = frozenset((left, right)), frozenset((self.denied(left), self.denied(right)))
        mixed = frozenset((left, self.denied(right))), frozenset((self.denied(left), right))
        same = min(map(sorted, pair)), min(map(sorted, mixed))
        return self.make("iff", *(tuple(each) for each in (same if sign == "==" else same[::-1])))

    def _is_a_length(self, number: int) -> bool:
        return self.nodes[number][0] == "call" and str(self.nodes[number][1]).startswith(
            ("Q", "lost", "held_", "len_", "queue")
        )

    def true_or_false(self, number: int) -> bool:
        """True for a relation."""
        return self.nodes[number][0] in _TRUE


@dataclass
class Form:
    """The names of one form, which are put in their places."""

    canon: Canon
    values: Mapping[str, ast.expr]
    sequences: Mapping[str, tuple[str, ast.expr]]
    inside: frozenset[str] = frozenset()
    cache: dict[tuple[str, int], int] = field(default_factory=dict)

    def of(self, node: ast.AST, bound: Mapping[str, int] | None = None, depth: int = 0) -> int:
        """Return the number of an expression."""
        canon, bound = self.canon, bound or {}

        def inner(each: ast.AST) -> int:
            return self.of(each, bound, depth)

        match node:
            case ast.Name(id=name) if name in bound:
                return bound[name]
            case ast.Name(id=name) if name in self.values:
                if (name, depth) not in self.cache:
                    self.cache[name, depth] = self.of(self.values[name], {}, depth)
                return self.cache[name, depth]
            case ast.Name(id=name):
                return canon.make("name", name)
            case ast.Constant(value=value):
                return canon.make("word" if isinstance(value, str) else "number", str(value))
            case ast.BoolOp(op=op, values=values):
                return canon.joint("and" if isinstance(op, ast.And) else "or", [inner(each) for each in values])
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return canon.denied(inner(operand))
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return inner(operand)
            case ast.UnaryOp(operand=operand):
                return canon.make("-", inner(operand))
            case ast.BinOp(left=left, op=ast.FloorDiv(), right=right):
                return canon.make("call", "floor", canon.make("Div", inner(left), inner(right)))
            case ast.BinOp(left=left, op=op, right=right):
                return canon.make(type(op).__name__, inner(left), inner(right))
            case ast.Compare(left=left, ops=ops, comparators=others):
                sides = [inner(each) for each in (left, *others)]
                signs = [_SIGNS[type(op)] for op in ops]
                return canon.joint("and", [self._related(*each) for each in zip(signs, sides, sides[1:], strict=False)])
            case ast.IfExp(test=test, body=body, orelse=orelse):
                first, second = inner(body), inner(orelse)
                word = "ite" if canon.true_or_false(first) else "if"
                return canon.make(word, inner(test), first, second)
            case ast.Call(args=[_, domain, body]) if name := binds(node):
                own = canon.make("bound", depth)
                inside = self.of(body, {**bound, name: own}, depth + 1)
                word = ast.unparse(node.func)
                return canon.make(word, inner(domain), inside)
            case ast.Call(func=func, args=args, keywords=keywords):
                name = ast.unparse(func)
                named = tuple(sorted((str(each.arg), inner(each.value)) for each in keywords))
                call = (
                    canon.make("call", name, *map(inner, args), named)
                    if named
                    else canon.make("call", name, *map(inner, args))
                )
                return canon.make("fact", call) if name in canon.facts else call
            case ast.Subscript(value=ast.Name(id=name), slice=index) if name in self.sequences and name not in bound:
                return self._element(name, inner(index), depth)
            case ast.Subscript(value=value, slice=index) if (listed := self._listed(value, bound)) is not None:
                own, body, outside = listed
                return self.of(body, {**outside, own: inner(index)}, depth)
            case ast.Subscript(value=value, slice=index):
                return canon.make("[]", inner(value), inner(index))
            case ast.Attribute(value=value, attr=attr):
                return canon.make(".", inner(value), attr)
            case ast.List(elts=items) | ast.Tuple(elts=items):
                return canon.make("list", *map(inner, items))
        raise TypeError(ast.dump(node))

    def _listed(self, node: ast.AST, bound: Mapping[str, int]) -> tuple[str, ast.expr, Mapping[str, int]] | None:
        """Return the rule of a list whose elements are numbered from 1: its index, its body and the names outside."""
        if isinstance(node, ast.Name) and node.id in self.values and node.id not in bound:
            return self._listed(self.values[node.id], {})
        match node:
            case ast.Call(
                func=ast.Name(id="list"), args=[ast.Name(id=own), ast.BinOp(left=ast.Constant(value=1)), body]
            ):
                return own, body, bound
        return None

    def _related(self, sign: str, left: int, right: int) -> int:
        return (
            self.canon.make(sign, left, right) if sign in ("in", "not in") else self.canon.compared(sign, left, right)
        )

    def _element(self, name: str, index: int, depth: int) -> int:
        """Return an element of a sequence: its rule, unless it uses itself."""
        if name in self.inside:
            number = self.canon.make("element", name, index)
        else:
            own, body = self.sequences[name]
            within = Form(self.canon, self.values, self.sequences, self.inside | {name})
            number = within.of(body, {own: index}, depth)
        return number
