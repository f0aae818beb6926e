"""Parts of a conclusion that no test instance depends on, such as an alternative that never decides.

Each relation, alternative, branch and number of the conclusion is altered in a few ways, and so are the values that
only the conclusion uses. An instance notices a part if all hypotheses hold there and an altered conclusion does not.
"""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from dtmodel.base import budgets
from dtmodel.base.expressions import Expression, free_names
from dtmodel.ledger.adversary import EVENTS, draws
from dtmodel.ledger.formal import Formal, Instance, Vocabulary
from dtmodel.ledger.signs import DENIED
from dtmodel.ledger.trees import rewritten

_INSTEAD: Mapping[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Div,
    ast.Mod: ast.Mult, ast.Pow: ast.Mult,
}  # fmt: skip
_BOUNDS_THE_RUN = "until"


@dataclass(frozen=True)
class Alterable:
    """A part of a statement: its `place` (``then 2``, or the name that it defines), and the `altered` statements.

    `guards` is true if the part chooses a case: then an altered conclusion without a value is noticed, too.
    """

    place: str
    text: str
    altered: tuple[Formal, ...]
    guards: bool

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"

    @property
    def defines(self) -> bool:
        """True if the part belongs to a definition."""
        return not self.place.startswith("then ")


def parts(formal: Formal) -> Iterator[Alterable]:
    """Yield the parts of a conclusion and of the values that only it uses (all numbers of a value are one part)."""
    for number, conclusion in enumerate(formal.conclusions):
        place = f"then {number + 1}"
        for text, guards, new in _altered(conclusion.tree):
            yield Alterable(place, text, tuple(_concluding(formal, number, tree) for tree in new), guards)
    for name in _own(formal):
        tree = formal.definitions[name].tree
        numbers: list[ast.expr] = []
        for text, guards, new in _altered(tree):
            if guards:
                yield Alterable(name, text, tuple(_defining(formal, name, tree) for tree in new), guards)
            else:
                numbers += new
        if numbers:
            yield Alterable(name, ast.unparse(tree), tuple(_defining(formal, name, each) for each in numbers), False)


def unnoticed(
    formal: Formal, vocabulary: Vocabulary, *, seconds: float | None = None, cases: int | None = None, seed: int = 0
) -> list[Alterable]:
    """Return the parts of which no alteration is noticed in the given seconds or cases."""
    left = list(parts(formal))
    telling: list[dict[str, Any]] = []
    for assignment, truth, _ in draws(formal, vocabulary, seconds, cases, seed, telling):
        if not left:
            break
        if truth is None or not truth.holds:
            continue
        base = Instance(formal, assignment, vocabulary)
        before = len(left)
        with budgets.raised(events=EVENTS):
            base.concluded()
            left = [part for part in left if not any(_notices(base, each, part.guards) for each in part.altered)]
        if len(left) < before:  # start later draws near it
            telling.append(assignment)
    return left


def _notices(base: Instance, altered: Formal, guards: bool) -> bool:
    truth = base.altered(altered).concluded()
    return truth.holds is False and (guards or not truth.undefined)


def _concluding(formal: Formal, number: int, tree: ast.expr) -> Formal:
    conclusions = list(formal.conclusions)
    conclusions[number] = _written(tree)
    return replace(formal, conclusions=tuple(conclusions))


def _defining(formal: Formal, name: str, tree: ast.expr) -> Formal:
    if name in formal.values:
        return replace(formal, values={**formal.values, name: _written(tree)})
    return replace(formal, sequences={**formal.sequences, name: (formal.sequences[name][0], _written(tree))})


def _written(tree: ast.expr) -> Expression:
    return Expression(ast.unparse(tree), tree)


def _own(formal: Formal) -> list[str]:
    """Return the definitions that the conclusion uses and no domain, hypothesis or occasion does."""
    variables = formal.variables
    supposed = [item.relation for item in formal.hypotheses]
    supposed += [item.value for variable in variables for item in variable.bounds]
    supposed += [item for variable in variables for item in (variable.length, variable.letters) if item]
    begin = set().union(*map(free_names, supposed))
    if formal.occasion:
        begin |= {formal.occasion[1], *free_names(formal.occasion[2])}
    concluded = formal.reached(*set().union(*map(free_names, formal.conclusions)))
    return sorted((concluded - formal.reached(*begin)) & formal.definitions.keys())


def _altered(tree: ast.expr) -> Iterator[tuple[str, bool, list[ast.expr]]]:
    for node in _nodes(tree):
        for text, new in _alterations(node):
            yield text, not isinstance(node, ast.BinOp | ast.Constant), [_put(tree, node, each) for each in new]


def _put(tree: ast.expr, node: ast.expr, new: ast.expr) -> ast.expr:
    altered: ast.expr = rewritten(tree, lambda each: new if each is node else None)
    return altered


def _nodes(node: ast.expr) -> Iterator[ast.expr]:
    """Yield an expression and all below it, but for the end of a run."""
    yield node
    for part in ast.iter_child_nodes(node):
        inner = part.value if isinstance(part, ast.keyword) and part.arg != _BOUNDS_THE_RUN else part
        if isinstance(inner, ast.expr):
            yield from _nodes(inner)


def _alterations(node: ast.expr) -> Iterator[tuple[str, list[ast.expr]]]:
    """Yield the text of each part of a node, and the nodes that replace it."""
    text = ast.unparse(node)
    match node:
        case ast.BoolOp(op=ast.Or(), values=values):
            for place, value in enumerate(values):
                rest = [*values[:place], *values[place + 1 :]]
                less = rest[0] if len(rest) == 1 else ast.BoolOp(ast.Or(), rest)
                yield f"{text}, without {ast.unparse(value)}", [less]
        case ast.Compare(left=left, ops=ops, comparators=others):
            for place, op in enumerate(ops):
                turned = [*ops[:place], DENIED[type(op)](), *ops[place + 1 :]]
                yield text, [ast.Compare(left, turned, others)]
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield text, [operand]
        case ast.IfExp(body=body, orelse=orelse):
            yield f"{text}, the first", [orelse]
            yield f"{text}, the second", [body]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _INSTEAD:
            yield text, [ast.BinOp(left, _INSTEAD[type(op)](), right), left, right]
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            yield text, [ast.Constant(value + 1), ast.Constant(value - 1 if value else 2)]
