"""Mutants: every deliberate error in a module, as an altered syntax tree, named in clear text.

Cosmic-ray and mutmut were tried first. Of their operators a formula needs the few swaps below, and neither drops a
summand, a factor or a statement, nor alters what mutmut leaves out (module level, decorated functions), which is where
most of the theory stands; each of cosmic-ray's mutants starts Python anew, seconds each, where `server` takes a tenth.
"""

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

_Put = Callable[[ast.AST], None]
_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE), ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
}  # fmt: skip
_NEGATED: dict[type[ast.cmpop], type[ast.cmpop]] = {kind: others[-1] for kind, others in _COMPARISONS.items()}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip
_SUMS, _PRODUCTS = (ast.Add, ast.Sub), (ast.Mult, ast.Div, ast.FloorDiv, ast.Mod)
_PAIRS = (("min", "max"), ("any", "all"), ("floor", "ceil"), ("floor", "ceiling"), ("bisect_left", "bisect_right"),
          ("Min", "Max"), ("Lt", "Le"), ("Gt", "Ge"), ("Eq", "Ne"), ("And", "Or"), ("popleft", "pop"),
          ("StrictLessThan", "LessThan"), ("StrictGreaterThan", "GreaterThan"))  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One alteration of one module.

    Parameters
    ----------
    id : str
        Function, change and, among equal ones, a number: no path and no line, so that it survives a move.
    function : str
        The outermost function or method around it; the empty string at module level.
    place : int
        Which statement of the module it alters.
    line : int
        Where that is in the file today.
    body : bool
        Whether it lies in the body of a function, so that a running interpreter can adopt it.
    """

    id: str
    function: str
    place: int
    line: int
    body: bool


def units(module: ast.Module) -> Iterator[tuple[str, int, ast.stmt]]:
    """Yield what changes by itself: outermost functions and methods, and other statements without a name.

    Each comes with its name and its place, the number of the module's statement that it is or lies in.
    """
    for place, statement in enumerate(module.body):
        parts = statement.body if isinstance(statement, ast.ClassDef) else [statement]
        prefix = f"{statement.name}." if isinstance(statement, ast.ClassDef) else ""
        for part in parts:
            yield f"{prefix}{part.name}" if isinstance(part, ast.FunctionDef) else "", place, part


def mutants(module: ast.Module) -> Iterator[Mutant]:
    r"""Yield the mutants of a module that differ from it and from each other; at each, `module` is altered so.

    Annotations, docstrings, messages, decorators, type aliases, `isinstance` and ``zip(strict=...)`` hold no formula
    and are left alone.

    Examples
    --------
    >>> module = ast.parse("def f(a, b): return a - b")
    >>> [mutant.id for mutant in mutants(module)]
    ['f: return a - b -> return a + b', 'f: return a - b -> return -b', 'f: return a - b -> return a']
    >>> ast.unparse(module)  # mended
    'def f(a, b):\n    return a - b'
    """
    counts: Counter[str] = Counter()
    for place in range(len(module.body)):
        for mutant in _Walk(place).statement(module.body, place):
            counts[mutant.id] += 1
            yield mutant if counts[mutant.id] == 1 else replace(mutant, id=f"{mutant.id} ({counts[mutant.id]})")


class _Walk:
    """A walk through statements that alters each in every way and mends it again."""

    def __init__(self, place: int) -> None:
        self._place = place
        self._classes: list[str] = []
        self._function = ""
        self._depth = 0
        self._body = False
        self._statement: ast.stmt | None = None
        self._seen: set[str] = set()
        self._names: set[str] = set()

    def statement(self, body: list[ast.stmt], index: int) -> Iterator[Mutant]:
        """Alter a statement, yield the mutant, and mend it, again and again."""
        yield from self._visit_statement(body[index], partial(body.__setitem__, index))

    def _statements(self, body: list[ast.stmt]) -> Iterator[Mutant]:
        for index in range(len(body)):
            yield from self.statement(body, index)

    def _visit_statement(self, node: ast.stmt, put: _Put) -> Iterator[Mutant]:
        if isinstance(node, ast.ClassDef) and not self._function:
            self._classes.append(node.name)
            yield from self._statements(node.body)
            self._classes.pop()
        elif isinstance(node, ast.FunctionDef):
            yield from self._visit_function(node)
        elif not _is_alias(node):
            outer, self._statement, seen, self._seen = self._statement, node, self._seen, {_key(node)}
            yield from self._try(node, put, _of_statement(node, self._names, nested=self._depth > 0))
            blocks = [name for name in ("body", "orelse", "finalbody", "handlers", "cases") if _is_block(node, name)]
            yield from self._children(node, skip=blocks)
            for name in blocks:
                self._depth += 1
                for part in getattr(node, name):
                    yield from self._visit_part(part, getattr(node, name))
                self._depth -= 1
                self._statement = node
            self._statement, self._seen = outer, seen
            self._names |= {name.id for name in _targets(node)}

    def _visit_part(self, part: ast.AST, block: list[ast.AST]) -> Iterator[Mutant]:
        if isinstance(part, ast.stmt):
            yield from self._visit_statement(part, partial(block.__setitem__, block.index(part)))
        elif isinstance(part, ast.ExceptHandler | ast.match_case):
            if isinstance(part, ast.match_case) and part.guard:
                yield from self._visit(part.guard, partial(setattr, part, "guard"))
            yield from self._statements(part.body)

    def _visit_function(self, node: ast.FunctionDef) -> Iterator[Mutant]:
        outer = self._function, self._names, self._depth, self._body
        self._statement, seen, self._seen = node, self._seen, {_key(node)}
        self._function = self._function or ".".join([*self._classes, node.name])
        yield from self._children(node.args, skip=("posonlyargs", "args", "vararg", "kwonlyargs", "kwarg"))
        self._seen = seen
        self._names, self._depth, self._body = {argument.arg for argument in node.args.args}, 0, True
        yield from self._statements(node.body)
        self._function, self._names, self._depth, self._body = outer

    def _visit(self, node: ast.expr, put: _Put) -> Iterator[Mutant]:
        if isinstance(node, ast.JoinedStr):
            return
        yield from self._try(node, put, _of_expression(node))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("isinstance", "TypeVar"):
            yield from self._visit(node.args[0], partial(node.args.__setitem__, 0))
        else:
            yield from self._children(node)

    def _children(self, node: ast.AST, skip: tuple[str, ...] | list[str] = ()) -> Iterator[Mutant]:
        for name, value in ast.iter_fields(node):
            if name in skip or name in ("annotation", "returns", "decorator_list", "exc"):
                continue
            items = value if isinstance(value, list) else [value]
            for index, item in enumerate(items):
                put = partial(value.__setitem__, index) if isinstance(value, list) else partial(setattr, node, name)
                if isinstance(item, ast.expr):
                    yield from self._visit(item, put)
                elif isinstance(item, ast.keyword | ast.comprehension | ast.withitem) and not _is_strict(item):
                    yield from self._try(item, put, _of_condition(item))
                    yield from self._children(item)

    def _try(self, node: ast.AST, put: _Put, altered: Iterator[ast.AST]) -> Iterator[Mutant]:
        assert self._statement is not None
        before = _head(self._statement)
        for new in altered:
            ast.copy_location(new, node)
            ast.fix_missing_locations(new)
            put(new)
            # A statement that is altered as a whole is no longer the one that is looked at.
            whole = new if node is self._statement else self._statement
            key = _key(whole)
            if key not in self._seen:
                self._seen.add(key)
                change = f"{self._function or '.'.join(self._classes) or 'module'}: {_change(before, _head(whole))}"
                yield Mutant(change, self._function, self._place, self._statement.lineno, self._body)
            put(node)


def _of_statement(node: ast.stmt, names: set[str], *, nested: bool) -> Iterator[ast.AST]:
    if isinstance(node, ast.Break):
        yield ast.Continue()
    elif isinstance(node, ast.Continue):
        yield ast.Break()
    elif isinstance(node, ast.For):
        yield _with(node, iter=ast.List([], ast.Load()))
    elif isinstance(node, ast.If | ast.While | ast.Assert):
        yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))
    if _can_go(node, names, nested=nested):
        yield ast.Pass()


def _can_go(node: ast.stmt, names: set[str], *, nested: bool) -> bool:
    """Tell whether a program without the statement may still run: a call, an early return, another assignment."""
    if isinstance(node, ast.Return):
        return nested
    if isinstance(node, ast.Expr):
        return not isinstance(node.value, ast.Constant)
    targets = [node.target] if isinstance(node, ast.AnnAssign) and node.value else getattr(node, "targets", ())
    stored = any(not isinstance(target, ast.Name) for target in targets)
    again = isinstance(node, ast.Assign) and {name.id for name in _targets(node)} & names
    return isinstance(node, ast.Raise | ast.AugAssign) or stored or bool(again)


def _of_expression(node: ast.expr) -> Iterator[ast.AST]:
    match node:
        case ast.Compare():
            for index, operator in enumerate(node.ops):
                for kind in _COMPARISONS[type(operator)]:
                    yield _with(node, ops=[*node.ops[:index], kind(), *node.ops[index + 1 :]])
        case ast.BinOp():
            yield from _of_operation(node)
        case ast.UnaryOp(op=ast.USub() | ast.Not()):
            yield node.operand
        case ast.BoolOp():
            yield from _of_condition_list(node)
        case ast.IfExp():
            yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))
        case ast.Constant(value=bool()):
            yield ast.Constant(not node.value)
        case ast.Constant(value=int() | float() as number):
            yield ast.Constant(number + 1)
            less = number - 1
            yield ast.Constant(less) if less >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-less))
        case ast.Call(func=ast.Name() | ast.Attribute()):
            yield from _of_call(node)
        case ast.Subscript(slice=ast.Name() | ast.BinOp(op=ast.Add() | ast.Sub())):
            if not ast.unparse(node.slice)[0].isupper():
                yield _with(node, slice=ast.BinOp(node.slice, ast.Sub(), ast.Constant(1)))


def _of_operation(node: ast.BinOp) -> Iterator[ast.AST]:
    if type(node.op) in _ARITHMETIC:
        yield _with(node, op=_ARITHMETIC[type(node.op)]())
    for level in (_SUMS, _PRODUCTS):
        if not isinstance(node.op, level):
            continue
        if not (isinstance(node.left, ast.BinOp) and isinstance(node.left.op, level)):  # the first of a chain
            if isinstance(node.op, ast.Sub):
                yield ast.UnaryOp(ast.USub(), node.right)
            else:
                yield ast.BinOp(ast.Constant(1), ast.Div(), node.right) if isinstance(node.op, ast.Div) else node.right
        yield node.left
    if isinstance(node.op, ast.Mult | ast.Div) and not _has_number(node):
        yield _doubled(node)


def _doubled(node: ast.BinOp) -> ast.AST:
    """Put the factor 2 before a product: ``2 * a * b``."""
    if isinstance(node.left, ast.BinOp) and isinstance(node.left.op, _PRODUCTS):
        return _with(node, left=_doubled(node.left))
    return _with(node, left=ast.BinOp(ast.Constant(2), ast.Mult(), node.left))


def _has_number(node: ast.expr) -> bool:
    """Tell whether a product has a literal among its factors, or is itself a part of a longer one."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, _PRODUCTS):
        return _has_number(node.left) or isinstance(node.right, ast.Constant)
    return isinstance(node, ast.Constant)


def _of_condition_list(node: ast.BoolOp) -> Iterator[ast.AST]:
    """Join two neighbours by the other word; ``and`` binds more strongly. Then leave out one after another."""
    values, last = node.values, len(node.values)
    for cut in range(1, last):
        if isinstance(node.op, ast.And):
            yield ast.BoolOp(ast.Or(), [_join(ast.And(), values[:cut]), _join(ast.And(), values[cut:])])
        else:
            pair = _join(ast.And(), values[cut - 1 : cut + 1])
            yield _join(ast.Or(), [*values[: cut - 1], pair, *values[cut + 1 :]])
    for index in range(last):
        yield _join(node.op, [*values[:index], *values[index + 1 :]])


def _of_call(node: ast.Call) -> Iterator[ast.AST]:
    function = node.func
    name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
    for pair in _PAIRS:
        if name in pair:
            other = pair[1 - pair.index(name)]
            changed = {"id": other} if isinstance(function, ast.Name) else {"attr": other}
            yield _with(node, func=_with(function, **changed))


def _of_condition(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.comprehension):
        for index in range(len(node.ifs)):
            yield _with(node, ifs=[*node.ifs[:index], *node.ifs[index + 1 :]])


def _with(node: ast.AST, **fields: object) -> ast.AST:
    """Return a shallow copy with other fields."""
    new = copy.copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new


def _join(operator: ast.boolop, values: list[ast.expr]) -> ast.expr:
    return values[0] if len(values) == 1 else ast.BoolOp(operator, values)


def _targets(node: ast.stmt) -> list[ast.Name]:
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    return [name for target in targets if target is not None for name in ast.walk(target) if isinstance(name, ast.Name)]


def _is_block(node: ast.stmt, name: str) -> bool:
    return isinstance(getattr(node, name, None), list)


def _is_strict(node: ast.AST) -> bool:
    return isinstance(node, ast.keyword) and node.arg == "strict"


def _is_alias(node: ast.stmt) -> bool:
    """Tell whether a statement names a type: ``Rate = Number | Callable[[Time], Number]``."""
    return isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp) and _is_type(node.value)


def _is_type(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.BitOr) and _is_type(node.left) and _is_type(node.right)
    name = node.value if isinstance(node, ast.Subscript) else node
    return isinstance(name, ast.Name) and (name.id[0].isupper() or name.id in ("int", "str", "bool", "tuple", "list"))


def _head(node: ast.AST) -> str:
    """Write a statement, of a compound one what stands before its first block."""
    if isinstance(node, ast.stmt) and isinstance(getattr(node, "body", None), list):
        bare: dict[str, object] = {
            name: [] for name in ("orelse", "finalbody", "decorator_list") if hasattr(node, name)
        }
        return ast.unparse(_with(node, body=[ast.Pass()], **bare)).removesuffix("\n    pass")
    return ast.unparse(node)


class _Positive(ast.NodeTransformer):
    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """Write ``not a < b`` as ``a >= b``: it is the same program."""
        self.generic_visit(node)
        inner = node.operand
        if isinstance(node.op, ast.Not) and isinstance(inner, ast.Compare) and len(inner.ops) == 1:
            return _with(inner, ops=[_NEGATED[type(inner.ops[0])]()])
        return node


def _key(node: ast.AST) -> str:
    """Write a statement so that equal programs are written alike."""
    text = _head(node)
    if "not " not in text:
        return text
    try:
        positive = ast.unparse(_Positive().visit(ast.parse(f"{text} pass" if text.endswith(":") else text)))
    except SyntaxError:  # `return` outside a function is one to the compiler only; an `else` has no head
        return text
    return positive.removesuffix("\n    pass")


def _change(before: str, after: str) -> str:
    """Write a change with a little of what stands around it."""
    before, after = " ".join(before.split()), " ".join(after.split())
    left = 0
    while left < min(len(before), len(after)) and before[left] == after[left]:
        left += 1
    begin = before.rfind(" ", 0, max(left - 24, 0)) + 1
    tail = 0
    while tail < min(len(before), len(after)) - left and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    keep = max(tail - 24, 0)
    return " -> ".join(text[begin : len(text) - keep] for text in (before, after))
