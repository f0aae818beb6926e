"""Executable statements as mathematics: sentences with LaTeX between dollar signs, written from what is run.

The words of a vocabulary may carry a `phrase`: the LaTeX of a call, given the LaTeX of its arguments.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence

from dtmodel.expressions import Expression, free_names
from dtmodel.ledger.formal import Formal, Variable, Vocabulary
from dtmodel.mathtext import symbol_of

_SUMS = {"sum": r"\sum", "prod": r"\prod", "max": r"\max", "min": r"\min"}
_SIGNS = {
    ast.Lt: "<", ast.LtE: r"\leq", ast.Gt: ">", ast.GtE: r"\geq", ast.Eq: "=", ast.NotEq: r"\neq",
    ast.In: r"\in", ast.NotIn: r"\notin",
}  # fmt: skip
_LEVEL = {
    ast.IfExp: 0, ast.Or: 1, ast.And: 2, ast.Not: 3, ast.Compare: 4, ast.BitOr: 5, ast.Add: 6, ast.Sub: 6,
    ast.Mult: 7, ast.Div: 9, ast.FloorDiv: 9, ast.Mod: 7, ast.USub: 6, ast.Pow: 8,
}  # fmt: skip
_ATOM = 10


def latex(expression: Expression, vocabulary: Vocabulary | None = None) -> str:
    r"""Write an expression as LaTeX, in the order in which it was typed.

    >>> from dtmodel.expressions import parse
    >>> latex(parse("alpha*B/((1 + alpha*(M + N))*(R - C))"))
    '\\frac{\\alpha B}{(1 + \\alpha (M + N)) (R - C)}'
    """
    return _Writer(vocabulary or {}).write(expression.tree, 0)


def sentences(formal: Formal, vocabulary: Vocabulary | None = None) -> list[tuple[str, str]]:
    r"""Write a statement: pairs of a label and a text with LaTeX between dollar signs. What nothing uses is left out.

    >>> from dtmodel.ledger.formal import read_formal
    >>> for label, text in sentences(read_formal("for M : int 1..4; R > 0; let s = M*R; where s < 6; then R < 6/M")):
    ...     print(label, text)
    for all whole $1 \leq M \leq 4$; $R > 0$
    with $s = M R$
    if $s < 6$
    then $R < \frac{6}{M}$
    """
    writer = _Writer(vocabulary or {})

    def shown(expression: Expression) -> str:
        return f"${writer.write(expression.tree, 0)}$"

    lines = [("for all", "; ".join(_domain(variable, writer) for variable in formal.variables))]
    used = _used(formal)
    named = [
        f"${symbol_of(name)} = {writer.write(value.tree, 0)}$"
        for name, value in formal.values.items()
        if name in used and name not in formal.runs
    ]
    named += [
        f"${_indexed(symbol_of(name), symbol_of(index))} = {writer.write(body.tree, 0)}$"
        for name, (index, body) in formal.sequences.items()
        if name in used
    ]
    lines += [("with", "; ".join(named))] if named else []
    supposed = [shown(hypothesis.relation) for hypothesis in formal.hypotheses if not hypothesis.of]
    lines += [("if", "; ".join(supposed))] if supposed else []
    lines += [("run", f"${symbol_of(name)}$: {_call(formal.values[name], writer)}") for name in formal.runs]
    if formal.occasion:
        step, run, when = formal.occasion
        lines.append(("at each step", f"${symbol_of(step)}$ of ${symbol_of(run)}$ with {shown(when)}"))
    lines.append(("then", "; ".join(shown(conclusion) for conclusion in formal.conclusions)))
    return lines


def _used(formal: Formal) -> set[str]:
    """Return the names that hypotheses, runs, bounds and conclusions use, in the end."""
    said = [*formal.conclusions, *(hypothesis.relation for hypothesis in formal.hypotheses)]
    said += [formal.values[name] for name in formal.runs] + ([formal.occasion[2]] if formal.occasion else [])
    said += [bound.value for variable in formal.variables for bound in variable.bounds]
    said += [variable.length for variable in formal.variables if variable.length]
    found: set[str] = set()
    todo = {name for expression in said for name in free_names(expression)}
    while todo:
        name = todo.pop()
        found.add(name)
        body = formal.values.get(name) or formal.sequences.get(name, ("", None))[1]
        todo |= free_names(body) - found if body else set()
    return found


def _indexed(text: str, index: str) -> str:
    r"""Add an index to those that a name may have: LaTeX takes one subscript.

    >>> _indexed("T", "k"), _indexed("T_{k - 1}", "p_{k}"), _indexed(r"\frac{a}{b}", "i")
    ('T_{k}', 'T_{k - 1, p_{k}}', '\\frac{a}{b}_{i}')
    """
    depth = 0
    for place in reversed(range(len(text) if text.endswith("}") else 0)):
        depth += {"}": 1, "{": -1}.get(text[place], 0)
        if depth == 0:
            return f"{text[:-1]}, {index}}}" if text[:place].endswith("_") else f"{text}_{{{index}}}"
    return f"{text}_{{{index}}}"


def _domain(variable: Variable, writer: _Writer) -> str:
    if variable.kind == "oneof":
        return f"${symbol_of(variable.name)}$ one of {', '.join(variable.words)}"
    if variable.letters is not None and variable.length is not None:
        most, letters = writer.write(variable.length.tree, 0), writer.write(variable.letters.tree, 0)
        return f"${symbol_of(variable.name)}$ up to ${most}$ of ${letters}$"
    middle = symbol_of(variable.name)
    many = ""
    if variable.length is not None:
        many, middle = f" for $1 \\leq i \\leq {writer.write(variable.length.tree, 5)}$", _indexed(middle, "i")
    low = next((bound for bound in variable.bounds if bound.sign[0] == ">"), None)
    high = next((bound for bound in variable.bounds if bound.sign[0] == "<"), None)
    if low and high:
        left = {">": "<", ">=": r"\leq"}[low.sign]
        right = {"<": "<", "<=": r"\leq"}[high.sign]
        text = f"{writer.write(low.value.tree, 5)} {left} {middle} {right} {writer.write(high.value.tree, 5)}"
    else:
        bound = low or high
        sign = {">": ">", ">=": r"\geq", "<": "<", "<=": r"\leq"}[bound.sign] if bound else ""
        text = f"{middle} {sign} {writer.write(bound.value.tree, 5)}" if bound else middle
    return f"{'whole ' if variable.kind == 'int' else ''}${text}${many}"


def _call(expression: Expression, writer: _Writer) -> str:
    """Write the call of an engine in words: its name, and its arguments as mathematics."""
    node = expression.tree
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
        return f"${writer.write(node, 0)}$"
    groups = [item for arg in node.args for item in (arg.elts if isinstance(arg, ast.List) else [arg])]
    parts = [f"${writer.write(group, 0)}$" for group in groups]
    settings = [f"${symbol_of(str(keyword.arg))} = {writer.write(keyword.value, 0)}$" for keyword in node.keywords]
    return f"{node.func.id.upper()} of {', '.join(parts)}; {', '.join(settings)}"


class _Writer:
    """Writes trees; a level says how tightly the surroundings bind."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.phrases: Mapping[str, Callable[..., str]] = {
            name: word.phrase for name, word in vocabulary.items() if hasattr(word, "phrase")
        }

    def write(self, node: ast.AST, level: int) -> str:
        text, own = self._written(node)
        return f"({text})" if own < level else text

    def _written(self, node: ast.AST) -> tuple[str, int]:
        match node:
            case ast.Constant(value=None):
                return r"\text{none}", _ATOM
            case ast.Constant(value=str() as text):
                return rf"\text{{{text}}}", _ATOM
            case ast.Constant(value=value):
                return str(value), _ATOM
            case ast.Name(id="never"):
                return r"\infty", _ATOM
            case ast.Name(id=name):
                return symbol_of(name), _ATOM
            case ast.BinOp():
                return self._operation(node)
            case ast.UnaryOp(op=op, operand=operand):
                own = _LEVEL[type(op)]
                return (r"\neg " if isinstance(op, ast.Not) else "-") + self.write(operand, own + 1), own
            case ast.BoolOp(op=op, values=values):
                sign = r" \land " if isinstance(op, ast.And) else r" \lor "
                own = _LEVEL[type(op)]
                return sign.join(self.write(value, own + 1) for value in values), own
            case ast.Compare():
                return self._relation(node), _LEVEL[ast.Compare]
            case ast.IfExp(test=test, body=body, orelse=orelse):
                parts = self.write(body, 1), self.write(test, 1), self.write(orelse, 0)
                return r"{} \text{{ if }} {}\text{{, else }} {}".format(*parts), 0
            case ast.List(elts=items) | ast.Tuple(elts=items):
                return f"[{', '.join(self.write(item, 0) for item in items)}]", _ATOM
            case ast.Subscript(value=value, slice=index):
                return _indexed(self.write(value, _ATOM), self.write(index, 0)), _ATOM
            case ast.Attribute(value=value, attr=name):
                return rf"\mathrm{{{name}}}({self.write(value, 0)})", _ATOM
            case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
                return self._application(name, args, keywords)
        raise ValueError(ast.dump(node))

    def _operation(self, node: ast.BinOp) -> tuple[str, int]:
        own = _LEVEL[type(node.op)]
        left, right = node.left, node.right
        match node.op:
            case ast.Add() | ast.Sub():
                sign = "+" if isinstance(node.op, ast.Add) else "-"
                return f"{self.write(left, own)} {sign} {self.write(right, own + 1)}", own
            case ast.Mult():
                return self._product(left, right), own
            case ast.Div():
                return rf"\frac{{{self.write(left, 0)}}}{{{self.write(right, 0)}}}", own
            case ast.FloorDiv():
                return rf"\lfloor \frac{{{self.write(left, 0)}}}{{{self.write(right, 0)}}} \rfloor", _ATOM
            case ast.Mod():
                return rf"{self.write(left, own)} \bmod {self.write(right, own + 1)}", own
            case ast.Pow():
                return f"{self.write(left, _ATOM)}^{{{self.write(right, 0)}}}", own
            case _:
                return rf"{self.write(left, own)} \ldots {self.write(right, own)}", own

    def _product(self, left: ast.expr, right: ast.expr) -> str:
        own = _LEVEL[ast.Mult]
        first, second = self.write(left, own), self.write(right, own + 1)
        return rf"{first} \cdot {second}" if second[0].isdigit() else f"{first} {second}"

    def _relation(self, node: ast.Compare) -> str:
        own = _LEVEL[ast.Compare] + 1
        parts = [self.write(node.left, own)]
        for op, side in zip(node.ops, node.comparators, strict=True):
            parts += [_SIGNS[type(op)], self.write(side, own)]
        return " ".join(parts)

    def _application(self, name: str, args: Sequence[ast.expr], keywords: Sequence[ast.keyword]) -> tuple[str, int]:
        if len(args) == 3 and isinstance(args[0], ast.Name) and name in (*_SUMS, "each", "some", "count", "list"):
            return self._bound(name, args[0].id, args[1], args[2])
        written = [self.write(argument, 0) for argument in args]
        if name in self.phrases:
            return self.phrases[name](*written), _ATOM
        if name == "approx":
            return rf"{written[0]} \approx {written[1]}", _LEVEL[ast.Compare]
        written += [f"{symbol_of(str(keyword.arg))} = {self.write(keyword.value, 0)}" for keyword in keywords]
        head = f"\\{name}" if name in ("min", "max") else rf"\mathrm{{{name.replace('_', ' ')}}}"
        return f"{head}({', '.join(written)})", _ATOM

    def _bound(self, name: str, index: str, domain: ast.expr, body: ast.expr) -> tuple[str, int]:
        i = symbol_of(index)
        low, high = "", ""
        if isinstance(domain, ast.BinOp) and isinstance(domain.op, ast.BitOr):
            low, high = self.write(domain.left, 5), self.write(domain.right, 5)
        members = rf"{low} \leq {i} \leq {high}" if high else rf"{i} \in {self.write(domain, 5)}"
        if name in ("sum", "prod") and high:
            return rf"{_SUMS[name]}_{{{i} = {low}}}^{{{high}}} {self.write(body, 7)}", 6
        if name in _SUMS:
            return rf"{_SUMS[name]}_{{{members}}} {self.write(body, 7)}", 6
        if name == "list":
            return rf"({self.write(body, 0)})_{{{members}}}", _ATOM
        if name == "count":
            return rf"\#\{{{members} : {self.write(body, 0)}\}}", _ATOM
        quantifier = r"\forall" if name == "each" else r"\exists"
        return rf"{quantifier} {members} : {self.write(body, 3)}", 2
