"""Mutants: every altered version of a source file, each with an identity that survives edits elsewhere in the file."""

from __future__ import annotations

import ast
import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mutation.operators import Operator, variants

__all__ = ["Mutant", "enumerate_mutants"]

_PAIRS = ((ast.Lt, ast.GtE), (ast.Gt, ast.LtE), (ast.Eq, ast.NotEq), (ast.Is, ast.IsNot), (ast.In, ast.NotIn))
_NEGATED: dict[type[ast.cmpop], type[ast.cmpop]] = {a: b for pair in _PAIRS for a, b in (pair, pair[::-1])}
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Mutant:
    """One alteration of one file.

    Attributes
    ----------
    id : str
        A hash of the file, the function, the statement before and after, and a counter among equal ones.
    file, function, outer, line, operator : str, str, str, int, str
        Where it is, and which operator made it. `function` is ``""`` at module level; `outer` is the function or method
        that contains all functions around it.
    before, after : str
        The statement (of a compound statement, its head), with white space normalised.
    start, end, replacement : int, int, str
        The characters of the file that it replaces.
    body : bool
        Whether it lies in the body of a function, so that a running interpreter can adopt it.
    """

    id: str
    file: str
    function: str
    outer: str
    line: int
    operator: str
    before: str
    after: str
    start: int
    end: int
    replacement: str
    body: bool

    def apply(self, source: str) -> str:
        """Return the altered source."""
        return source[: self.start] + self.replacement + source[self.end :]

    @property
    def change(self) -> str:
        """The alteration with a little of what stands around it."""
        left = next((i for i, (a, b) in enumerate(zip(self.before, self.after, strict=False)) if a != b), 0)
        begin = self.before.rfind(" ", 0, max(left - 24, 0)) + 1
        tail = 0
        while tail < min(len(self.before), len(self.after)) - left and self.before[-1 - tail] == self.after[-1 - tail]:
            tail += 1
        keep = max(tail - 24, 0)
        ends = [text[begin : len(text) - keep] for text in (self.before, self.after)]
        return f"{ends[0]} -> {ends[1]}"


def enumerate_mutants(file: str, source: str, operators: Mapping[str, Operator]) -> list[Mutant]:
    """Return the mutants of a file that differ from it, and from each other, as programs.

    Annotations, docstrings, messages of exceptions, decorators, ``__all__``, type aliases and the safety net
    ``zip(..., strict=True)`` are left alone: they hold no formula.
    """
    tree = ast.parse(source)
    lines = _Lines(source)
    untouched = list(_untouched(tree, lines))
    counts: Counter[tuple[str, str, str]] = Counter()
    found = []
    for statement in tree.body:
        start, end = lines.span(statement)
        unit = f"{source[start:end]}\n"
        seen = {_meaning(unit)}
        for name, operator in operators.items():
            for altered in variants(unit, operator):
                first, last, text = _difference(unit, altered)
                place = (start + first, start + last)
                if any(a <= place[0] and place[1] <= b for a, b in untouched):
                    continue
                try:
                    meaning = _meaning(unit[:first] + text + unit[last:])
                except SyntaxError:
                    continue
                if meaning not in seen:
                    seen.add(meaning)
                    found.append(_mutant(file, source, tree, lines, name, (*place, text), counts))
    return sorted(found, key=lambda mutant: (mutant.start, mutant.end))


def _mutant(
    file: str,
    source: str,
    tree: ast.Module,
    lines: _Lines,
    operator: str,
    change: tuple[int, int, str],
    counts: Counter[tuple[str, str, str]],
) -> Mutant:
    start, end, text = change
    path = list(_path(tree, lines, start, end))
    function = ".".join(node.name for node in path if isinstance(node, _Definition))
    begin, stop = _head(path[-1], lines)
    stop = max(stop, end)
    before = " ".join(source[begin:stop].split())
    after = " ".join((source[begin:start] + text + source[end:stop]).split())
    key = (function, before, after)
    counts[key] += 1
    identity = hashlib.sha256("\0".join([file, *key, str(counts[key])]).encode()).hexdigest()[:10]
    outer = next((node for node in path if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)), None)
    body = outer is not None and lines.span(outer.body[0])[0] <= start
    names = path[: path.index(outer) + 1] if outer else []
    outermost = ".".join(node.name for node in names if isinstance(node, _Definition))
    line = source.count("\n", 0, start) + 1
    return Mutant(identity, file, function, outermost, line, operator, before, after, *change, body)


class _Lines:
    """From ast's lines and bytes to characters of the source."""

    def __init__(self, source: str) -> None:
        self._lines = source.splitlines(keepends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def span(self, node: ast.stmt | ast.expr | ast.keyword) -> tuple[int, int]:
        """Return the first character of a node and the one after its last; decorators belong to a definition."""
        end = self._offset(node.end_lineno or node.lineno, node.end_col_offset or 0)
        for decorator in getattr(node, "decorator_list", [])[:1]:
            return self._offset(decorator.lineno, decorator.col_offset) - 1, end  # the @ before it
        return self._offset(node.lineno, node.col_offset), end

    def _offset(self, line: int, column: int) -> int:
        text = self._lines[line - 1] if line <= len(self._lines) else ""
        return self._starts[line - 1] + len(text.encode()[:column].decode())


def _path(node: ast.AST, lines: _Lines, start: int, end: int) -> Iterator[ast.stmt]:
    """Yield the statements that contain a span of characters, from the outermost."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            first, last = lines.span(child)
            if first <= start and end <= last:
                yield child
                yield from _path(child, lines, start, end)
                return
        elif isinstance(child, ast.ExceptHandler | ast.match_case):
            yield from _path(child, lines, start, end)


def _head(statement: ast.stmt, lines: _Lines) -> tuple[int, int]:
    start, end = lines.span(statement)
    inner = [node for node in getattr(statement, "body", []) if isinstance(node, ast.stmt)]
    return start, (lines.span(inner[0])[0] if inner else end)


def _untouched(tree: ast.Module, lines: _Lines) -> Iterator[tuple[int, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and node.exc is not None:
            yield lines.span(node.exc)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield from (lines.span(decorator) for decorator in node.decorator_list)
            if isinstance(node, ast.FunctionDef):
                yield from _signature(node, lines)
        elif isinstance(node, ast.keyword) and node.arg == "strict":
            yield lines.span(node.value)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.BinOp) and _is_type(node.value):
            yield lines.span(node)
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("isinstance", "TypeVar"):
            yield from (lines.span(argument) for argument in node.args[1:])
        elif isinstance(node, ast.FormattedValue | ast.JoinedStr):
            yield lines.span(node)


def _signature(node: ast.FunctionDef, lines: _Lines) -> Iterator[tuple[int, int]]:
    """Yield what lies between a function's name and its body, save for the defaults."""
    start, end = lines.span(node)[0], lines.span(node.body[0])[0]
    defaults = [default for default in (*node.args.defaults, *node.args.kw_defaults) if default is not None]
    for first, last in sorted(map(lines.span, defaults)):
        yield start, first
        start = last
    yield start, end


def _is_type(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.BitOr) and _is_type(node.left) and _is_type(node.right)
    name = node.value if isinstance(node, ast.Subscript) else node
    return isinstance(name, ast.Name) and (name.id[0].isupper() or name.id in ("int", "str", "bool", "tuple", "list"))


def _meaning(program: str) -> str:
    """Return a program without its annotations and docstrings."""
    return ast.dump(_Bare().visit(ast.parse(program)))


class _Bare(ast.NodeTransformer):
    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        node.annotation = ast.Constant(None)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.returns = None
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        inner = node.operand
        if isinstance(node.op, ast.Not) and isinstance(inner, ast.Compare) and len(inner.ops) == 1:
            inner.ops = [_NEGATED[type(inner.ops[0])]()]
            return inner
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        return ast.Pass() if isinstance(node.value, ast.Constant) else self.generic_visit(node)


def _difference(before: str, after: str) -> tuple[int, int, str]:
    """Return what to replace in `before`, and by what, to get `after`."""
    short = min(len(before), len(after))
    left = next((i for i in range(short) if before[i] != after[i]), short)
    right = 0
    while right < short - left and before[-1 - right] == after[-1 - right]:
        right += 1
    return left, len(before) - right, after[left : len(after) - right]
