"""The mutation operators: those of cosmic-ray that make sense for formulas, and the few that it does not have.

An operator, in cosmic-ray's terms, is an object with ``mutation_positions(node)``, which yields one position for each
way in which it can alter a parso node, and ``mutate(node, index)``, which returns the altered node.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import parso
from parso.python import tree

__all__ = ["COSMIC_RAY", "OURS", "Operator", "catalogue", "variants"]

Node = Any
"""A node of parso's tree: its own annotations leave out what the nodes of Python have."""
Position = tuple[tuple[int, int], tuple[int, int]]
_parse: Callable[[str], Node] = parso.parse


class Operator(Protocol):
    """What cosmic-ray calls an operator."""

    def mutation_positions(self, node: Node) -> Iterator[Position]:
        """Yield a position for each way in which `node` can be altered."""

    def mutate(self, node: Node, index: int) -> Node:
        """Return `node` altered in the way number `index`."""


COSMIC_RAY = {
    "comparison_operator_replacement": tuple(
        f"ReplaceComparisonOperator_{pair}"
        for pair in (
            *("Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt"),  # strictness
            *("Lt_GtE", "LtE_Gt", "Gt_LtE", "GtE_Lt", "Eq_NotEq", "NotEq_Eq", "Is_IsNot", "IsNot_Is"),
        )
    ),
    "binary_operator_replacement": tuple(
        f"ReplaceBinaryOperator_{pair}"
        for pair in (
            *("Add_Sub", "Sub_Add", "Mul_Div", "Div_Mul", "FloorDiv_Mul", "Mod_Mul", "Pow_Mul"),
            *("BitOr_BitAnd", "BitAnd_BitOr"),  # of sets
        )
    ),
    "unary_operator_replacement": ("ReplaceUnaryOperator_Delete_USub", "ReplaceUnaryOperator_Delete_Not"),
    "number_replacer": ("NumberReplacer",),
    "boolean_replacer": (
        *("AddNot", "ReplaceTrueWithFalse", "ReplaceFalseWithTrue", "ReplaceAndWithOr", "ReplaceOrWithAnd"),
    ),
    "break_continue": ("ReplaceBreakWithContinue", "ReplaceContinueWithBreak"),
    "zero_iteration_for_loop": ("ZeroIterationForLoop",),
}
"""Which of cosmic-ray's operators are used, by module: the others replace an operator by an unrelated one."""


class DropOperand:
    """``a + b - c`` becomes ``b - c``, ``a - c`` and ``a + b``; likewise products, conjunctions and alternatives."""

    kinds = ("arith_expr", "term", "and_test", "or_test")

    def mutation_positions(self, node: Node) -> Iterator[Position]:
        """Yield one position for each operand."""
        if node.type in self.kinds:
            for operand in node.children[::2]:
                yield operand.start_pos, operand.end_pos

    def mutate(self, node: Node, index: int) -> Node:
        """Drop operand number `index` with the operator before it; of the first one, a minus or a division stays."""
        if index > 0:
            del node.children[2 * index - 1 : 2 * index + 1]
            return node
        stays = {"-": "-", "/": "1 /"}.get(node.children[1].get_code().strip(), "")
        rest = "".join(child.get_code() for child in node.children[2:])
        return _expression(f" {stays}{rest if stays else rest.lstrip()}")


class DropStatement:
    """A call, an assignment to what exists already, a ``raise`` or an early ``return`` becomes ``pass``."""

    def mutation_positions(self, node: Node) -> Iterator[Position]:
        """Yield the position of the statement."""
        if node.type == "simple_stmt" and self._counts(node.children[0]):
            yield node.children[0].start_pos, node.children[0].end_pos

    def mutate(self, node: Node, index: int) -> Node:
        """Replace it by ``pass``."""
        del index
        first = node.children[0]
        node.children[0] = _expression(f"{first.get_first_leaf().prefix}pass")
        return node

    def _counts(self, statement: Node) -> bool:
        if statement.type == "return_stmt":
            nested = statement.parent.parent
            return bool(nested.type == "suite" and nested.parent.type != "funcdef")
        if statement.type == "expr_stmt":
            target, sign = statement.children[:2]
            augmented = sign.type == "operator" and sign.get_code().strip() != "="
            return augmented or target.type in ("atom_expr", "power") or self._assigned_again(target)
        return bool(statement.type in ("raise_stmt", "atom_expr", "power"))

    @staticmethod
    def _assigned_again(target: Node) -> bool:
        scope = target.search_ancestor("funcdef")
        if scope is None or target.type != "name":
            return False
        same = (leaf for leaf in _nodes(scope) if leaf.type == "name" and leaf.value == target.value)
        return any(bool(leaf.is_definition()) for leaf in same if leaf.start_pos < target.start_pos)


class SwapName:
    """``min`` and ``max``, ``any`` and ``all``, floor and ceiling, left and right, strict and weak SymPy relations."""

    pairs = (("min", "max"), ("any", "all"), ("floor", "ceil"), ("floor", "ceiling"), ("bisect_left", "bisect_right"),
             ("Min", "Max"), ("Lt", "Le"), ("Gt", "Ge"), ("Eq", "Ne"), ("And", "Or"), ("popleft", "pop"),
             ("StrictLessThan", "LessThan"), ("StrictGreaterThan", "GreaterThan"))  # fmt: skip

    def mutation_positions(self, node: Node) -> Iterator[Position]:
        """Yield a position for each name that it can be swapped for."""
        for _ in self._others(node):
            yield node.start_pos, node.end_pos

    def mutate(self, node: Node, index: int) -> Node:
        """Swap the name."""
        node.value = self._others(node)[index]
        return node

    def _others(self, node: Node) -> list[str]:
        leaf: Node = node if isinstance(node, tree.Name) else None
        following = leaf and leaf.get_next_leaf()
        if following is None or following.get_code() != "(":
            return []
        return [pair[1 - pair.index(node.value)] for pair in self.pairs if node.value in pair]


class ShiftIndex:
    """``x[i]`` becomes ``x[i - 1]`` (a literal index is altered by cosmic-ray's NumberReplacer)."""

    def mutation_positions(self, node: Node) -> Iterator[Position]:
        """Yield the position of the index."""
        if node.type == "trailer" and node.children[0].get_code().strip() == "[":
            index = node.children[1]
            if index.type in ("name", "arith_expr") and not index.get_code().strip()[0].isupper():
                yield index.start_pos, index.end_pos

    def mutate(self, node: Node, index: int) -> Node:
        """Subtract 1 from it."""
        del index
        node.children[1] = _expression(f"{node.children[1].get_code()} - 1")
        return node


class ReplaceMembership:
    """``in`` and ``not in``."""

    def mutation_positions(self, node: Node) -> Iterator[Position]:
        """Yield the position of the operator."""
        if node.type == "comparison":
            for operator in node.children[1::2]:
                if operator.get_code().split() in (["in"], ["not", "in"]):
                    yield operator.start_pos, operator.end_pos

    def mutate(self, node: Node, index: int) -> Node:
        """Negate it."""
        places = [i for i in range(1, len(node.children), 2) if node.children[i].get_code().split()[-1] == "in"]
        place = places[index]
        negated = " in" if node.children[place].get_code().split()[0] == "not" else " not in"
        node.children[place] = _expression(negated)
        return node


class DropCondition:
    """``[x for x in y if z]`` becomes ``[x for x in y]``."""

    def mutation_positions(self, node: Node) -> Iterator[Position]:
        """Yield the position of the condition."""
        if node.type == "comp_if":
            yield node.start_pos, node.end_pos

    def mutate(self, node: Node, index: int) -> Node:
        """Drop it."""
        del index
        node.children = [_expression("")]
        return node


class ScaleName:
    """A product gets the factor 2, where no number is at hand to alter: ``a * b`` becomes ``2 * a * b``."""

    def mutation_positions(self, node: Node) -> Iterator[Position]:
        """Yield the position of a product or quotient without a literal."""
        product = node.type == "term" and node.children[1].get_code().strip() in ("*", "/")
        if product and not any(isinstance(child, tree.Number) for child in node.children):
            yield node.start_pos, node.end_pos

    def mutate(self, node: Node, index: int) -> Node:
        """Put 2 in front."""
        del index
        code = node.get_code()
        bare = code.lstrip()
        return _expression(f"{code[: len(code) - len(bare)]}2 * {bare}")


OURS: tuple[Operator, ...] = (
    *(DropOperand(), DropStatement(), SwapName(), ShiftIndex(), ReplaceMembership(), DropCondition(), ScaleName()),
)


def catalogue() -> dict[str, Operator]:
    """Return every operator by name; needs cosmic-ray (``requirements/mutation.txt``)."""
    found: dict[str, Operator] = {}
    for module, names in COSMIC_RAY.items():
        operators = importlib.import_module(f"cosmic_ray.operators.{module}")
        by_name = {kind.__name__: kind for kind in _classes(operators)}
        found |= {name: by_name[name]() for name in names}
    return found | {type(operator).__name__: operator for operator in OURS}


def variants(source: str, operator: Operator) -> Iterator[str]:
    """Yield the source once for each place where the operator can alter it, altered there."""
    count = sum(len(list(operator.mutation_positions(node))) for node in _nodes(_parse(source)))
    for occurrence in range(count):
        module = _parse(source)
        places = ((node, index) for node in _nodes(module) for index, _ in enumerate(operator.mutation_positions(node)))
        node, index = next(pair for number, pair in enumerate(places) if number == occurrence)
        parent = node.parent
        place = None if parent is None else next(i for i, child in enumerate(parent.children) if child is node)
        altered = operator.mutate(node, index)
        if parent is not None and place is not None:
            parent.children[place] = altered
        yield module.get_code()


def _classes(module: Any) -> list[type]:
    operators = getattr(module, "operators", None)
    return [*(operators() if operators else ()), *(kind for kind in vars(module).values() if isinstance(kind, type))]


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for child in getattr(node, "children", ()):
        yield from _nodes(child)


def _expression(code: str) -> Node:
    leaf: Node = tree.Name
    node: Node = tree.PythonNode
    return node("replacement", [leaf(code, (1, 0))])
