"""Executable statements as Coq propositions, so that a theorem can be compared with its claim.

These are arithmetic: real and whole variables, lists, values, relations, sums, ranges. Coq counts from 0 (``w 0``). A
numeral above a whole number bounds only tested instances and is left out. The least of a list is any number that is in
it and below none; a recursion is any function that satisfies its equations.
"""

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import TypeVar

from dtmodel.base.errors import InputError, ProverError
from dtmodel.base.expressions import Expression, parse
from dtmodel.ledger.formal import Formal, Variable, read_formal

_REAL: dict[type[ast.cmpop], tuple[str, bool]] = {
    ast.Lt: ("<", False), ast.LtE: ("<=", False), ast.Gt: ("<", True), ast.GtE: ("<=", True),
    ast.Eq: ("=", False), ast.NotEq: ("<>", False),
}  # fmt: skip
"""The sign of a relation in Coq, and true if its sides are exchanged: Coq has one normal form for "less"."""
BINARY: dict[type[ast.operator], tuple[str, int]] = {
    ast.Add: ("+", 1), ast.Sub: ("-", 1), ast.Mult: ("*", 2), ast.Div: ("/", 2),
}  # fmt: skip
"""The signs of operations in Coq with their precedence."""
_DECIDED = {"<": ("Rlt_dec", "lt_dec"), "<=": ("Rle_dec", "le_dec"), "=": ("Req_EM_T", "Nat.eq_dec")}
_T = TypeVar("_T", str, tuple[str, int])
RESERVED = frozenset({
    "as", "at", "by", "cofix", "do", "else", "end", "exists", "exists2", "fix", "for", "forall", "fun", "if", "in",
    "let", "match", "mod", "of", "return", "then", "using", "where", "with", "Prop", "Set", "Type", "real", "Rmin",
    "Rmax", "Rabs",
})  # fmt: skip
"""Names that no variable of a proposition may have."""
_TAKEN = RESERVED | {"nat", "R", "sum", "product", "INR"}


@cache
def is_arithmetic(text: str) -> bool:
    """Return true if a statement has only numbers and no run."""
    if re.search(r"(?:^|;)\s*run\s", text, re.MULTILINE):  # most do, and reading them is slow
        return False
    try:
        formal = read_formal(text)
    except InputError:  # the hunt reports it
        return False
    return not formal.runs and formal.occasion is None and all(item.letters is None for item in formal.variables)


@cache
def proposition(text: str) -> str:
    r"""Write an executable statement as a Coq proposition (``real`` is the type of reals), or raise `ProverError`."""
    return _Writer(read_formal(text)).statement()


class _Writer:
    """Writes one statement; indices are kept by the text of their number from 0."""

    def __init__(self, formal: Formal) -> None:
        self.formal = formal
        self.variables = {variable.name: variable for variable in formal.variables}
        supposed = [item.relation for item in formal.hypotheses if not item.kind]
        trees = [said.tree for said in (*formal.definitions.values(), *supposed, *formal.conclusions)]
        subscripts = [node.slice for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Subscript)]
        used = {node.id for tree in subscripts for node in ast.walk(tree) if isinstance(node, ast.Name)}
        self.top = {v.name: _name(v.name) for v in formal.variables if v.name in used and _whole(v) and _least(v) == 1}
        self.index = dict(self.top)
        self.open: list[str] = []
        self.naming: list[str] = []
        self.extremes: dict[str, str] = {}
        self.recursions: list[str] = []

    def statement(self) -> str:
        supposed = [text for variable in self.formal.variables for text in self._domain(variable)]
        supposed += [self.holds(item.relation.tree) for item in self.formal.hypotheses if not item.of]
        said = [self.holds(conclusion.tree) for conclusion in self.formal.conclusions]
        concluded = said[0] if len(said) == 1 else " /\\ ".join(f"({text})" for text in said)
        for name in self.recursions:  # its equations may add further recursions
            supposed += self._equations(name)
        binders = [f"({_name(v.name)} : {_type(v)})" for v in self.formal.variables]
        binders += [f"({_name(name)} : nat -> real)" for name in self.recursions]
        binders += [f"({name} : real)" for name in self.extremes]
        lines = [f"forall {' '.join(binders)},", *(f"{text} ->" for text in [*supposed, *self.extremes.values()])]
        return "\n  ".join([*lines, concluded])

    def _equations(self, name: str) -> Iterator[str]:
        """Yield the value of a recursion at 0, and its equation for each later number."""
        index, body = self.formal.sequences[name]
        match body.tree:
            case ast.IfExp(
                test=ast.Compare(left=ast.Name(id=tested), ops=[ast.Eq()], comparators=[ast.Constant(value=0)]),
                body=first,
                orelse=later,
            ) if tested == index:
                self.index = self.top
                yield f"{_name(name)} 0%nat = {self.number(first)}"
                with self._bound(index) as k:
                    yield f"(forall {k}, {_name(name)} (S {k}) = {self.number(later)})"
            case _:
                raise ProverError(f"{name} is a recursion that does not begin at 0")

    def _recurs(self, name: str) -> bool:
        """True if a sequence is computed from itself, directly or not; then it becomes a function."""
        if name not in self.formal.sequences:
            return False
        seen, todo = set[str](), [name]
        while todo:
            used = {
                node.id for node in ast.walk(self.formal.sequences[todo.pop()][1].tree) if isinstance(node, ast.Name)
            }
            todo += sorted((used & self.formal.sequences.keys()) - seen)
            seen |= used
        if name in seen and name not in self.recursions:
            self.recursions.append(name)
        return name in seen

    def _domain(self, variable: Variable) -> Iterator[str]:
        if variable.kind not in ("rat", "int") or variable.letters is not None:
            raise ProverError(f"{variable.name} is not a number")
        for bound in variable.bounds:
            numeral = _numeral_of(bound.value.tree)
            if variable.kind == "int" and numeral is not None and bound.sign in ("<", "<="):
                continue
            least = variable.name in self.index and (bound.sign, numeral) == (">=", 1)
            if least or (variable.kind == "int" and (bound.sign, numeral) == (">=", 0)):
                continue
            if variable.length is None:
                if variable.name in self.index and bound.sign == "<=" and not self._is_extreme(bound.value.tree):
                    _, beyond = self._ends(ast.BinOp(ast.Constant(1), ast.BitOr(), bound.value.tree))
                    yield f"({self.index[variable.name]} < {beyond})%nat"
                else:
                    yield self.holds(parse(f"{variable.name} {bound.sign} {bound.value.text}").tree)
                continue
            with self._bound("i") as i:
                relation = parse(f"{variable.name}[i] {bound.sign} {bound.value.text}").tree
                yield f"(forall {i}, ({i} < {self.natural(variable.length.tree)})%nat -> {self.holds(relation)})"

    # Propositions

    def holds(self, node: ast.expr) -> str:
        """Write a relation or a combination of relations, in parentheses unless it is a single one."""
        match node:
            case ast.Compare():
                return self._compare(node)
            case ast.BoolOp(op=op, values=parts):
                sign = " /\\ " if isinstance(op, ast.And) else " \\/ "
                return f"({sign.join(map(self.holds, parts))})"
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return f"(~ {self.holds(operand)})"
            case ast.Name(id=name) if name in self.formal.values:
                return self._named(name, self.formal.values[name].tree, self.holds)
            case ast.Call(
                func=ast.Name(id="each" | "some" as word), args=[ast.Name(id=name), ast.BinOp() as over, body]
            ):
                low, high = self._range(over)
                with self._bound(name) as i:
                    inside = f"({low}{i} < {high})%nat"
                    if word == "each":
                        return f"(forall {i}, {inside} -> {self.holds(body)})"
                    return f"(exists {i}, {inside} /\\ {self.holds(body)})"
        raise _unknown(node)

    def _compare(self, node: ast.Compare) -> str:
        sides = pairwise([node.left, *node.comparators])
        said = [self._relation(left, op, right) for (left, right), op in zip(sides, node.ops, strict=True)]
        return said[0] if len(said) == 1 else "(" + " /\\ ".join(said) + ")"

    def _relation(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> str:
        if self._is_proposition(left):
            same = f"({self.holds(left)} <-> {self.holds(right)})"
            if not isinstance(op, ast.Eq | ast.NotEq):
                raise _unknown(left)
            return same if isinstance(op, ast.Eq) else f"(~ {same})"
        if type(op) not in _REAL:
            raise _unknown(ast.Compare(left, [op], [right]))
        sign, turned = _REAL[type(op)]
        sides = (right, left) if turned else (left, right)
        if all(map(self._is_natural, sides)):
            return f"({f' {sign} '.join(map(self.natural, sides))})%nat"
        return f" {sign} ".join(map(self.number, sides))

    def _is_proposition(self, node: ast.expr) -> bool:
        match node:
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                return True
            case ast.Call(func=ast.Name(id="each" | "some")):
                return True
            case ast.Name(id=name) if name in self.formal.values:
                return self._is_proposition(self.formal.values[name].tree)
        return False

    # Numbers

    def number(self, node: ast.expr, least: int = 0) -> str:
        """Write a real number, in parentheses if it binds less tightly than `least`."""
        text, binds = self._number(node)
        return f"({text})" if binds < least else text

    def _number(self, node: ast.expr) -> tuple[str, int]:
        match node:
            case ast.Constant(value=int() | Fraction() as value):
                return _numeral(Fraction(value)), 5 if Fraction(value).denominator == 1 else 2
            case ast.Name(id=name) if name in self.index:
                return f"1 + INR {self.index[name]}", 1
            case ast.Name(id=name) if name in self.variables:
                return (f"INR {_name(name)}", 4) if self._is_natural(node) else (_name(name), 5)
            case ast.Name(id=name) if name in self.formal.values:
                return self._named(name, self.formal.values[name].tree, self._number)
            case ast.Subscript(value=ast.Name(id=name), slice=index) if self._recurs(name):
                return f"{_name(name)} {self._argument(index)}", 4
            case ast.Subscript(value=ast.Name(id=name), slice=index):
                return self._element(name, self.position(index))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return f"- {self.number(operand, 5)}", 0
            case ast.BinOp(op=ast.Pow(), left=left, right=ast.Constant(value=int() as power)):
                return f"{self.number(left, 5)} ^ {power}", 3
            case ast.BinOp(op=op, left=left, right=right) if type(op) in BINARY:
                sign, binds = BINARY[type(op)]
                return f"{self.number(left, binds)} {sign} {self.number(right, binds + 1)}", binds
            case ast.IfExp(test=test, body=body, orelse=other):
                return self._chosen(test, self.number(body), self.number(other)), 0
            case ast.Call(func=ast.Name(id=name), args=args):
                return self._application(name, args, node)
        raise _unknown(node)

    def _application(self, name: str, args: list[ast.expr], node: ast.expr) -> tuple[str, int]:
        match name, args:
            case (("sum" | "prod" | "count"), [ast.Name(id=bound), ast.BinOp() as over, body]):
                first, high = self._ends(over)
                with self._bound(bound) as i:
                    self.index[bound] = i if first == "0%nat" else f"({first} + {i})%nat"
                    count = high if first == "0%nat" else f"({high} - {first})"
                    each = self._chosen(body, "1", "0") if name == "count" else self.number(body)
                    return f"{'product' if name == 'prod' else 'sum'} {count} (fun {i} => {each})", 4
            case "sum", [ast.Name(id=listed)] if listed in self.variables and self.variables[listed].kind == "rat":
                return f"sum {self._length(listed)} {_name(listed)}", 4
            case "sum", [ast.Name(id=listed)]:
                with self._bound("i") as i:
                    return f"sum {self._length(listed)} (fun {i} => {self._element(listed, i)[0]})", 4
            case (("min" | "max"), [ast.Name(id=listed)]):
                with self._bound("i", "i_in") as i:
                    return self._extreme(name, i, f"({i} < {self._length(listed)})%nat", self._element(listed, i)[0])
            case (("min" | "max"), [ast.Name(id=bound), ast.BinOp(op=ast.BitOr()) as over, body]):
                low, high = self._range(over)
                with self._bound(bound, f"{bound}_in") as i:
                    return self._extreme(name, i, f"({low}{i} < {high})%nat", self.number(body))
            case (("min" | "max"), [left, right]):
                return f"R{name} {self.number(left, 5)} {self.number(right, 5)}", 4
            case "abs", [value]:
                return f"Rabs {self.number(value, 5)}", 4
        raise _unknown(node)

    def _extreme(self, name: str, i: str, inside: str, value: str) -> tuple[str, int]:
        """Introduce a name for the least or greatest of some numbers, with the hypothesis that defines it."""
        if any(bound in value.replace("(", " ").replace(")", " ").split() for bound in self.open if bound != i):
            raise ProverError(f"{name} stands under a binder")
        below = f"{{0}} <= {value}" if name == "min" else f"{value} <= {{0}}"
        said = f"((exists {i}, {inside} /\\ {value} = {{0}}) /\\ (forall {i}, {inside} -> {below}))"
        new = f"{name}_{len(self.extremes) + 1}"
        named = next((known for known, text in self.extremes.items() if text == said.format(known)), new)
        self.extremes[named] = said.format(named)
        return named, 5

    def _chosen(self, test: ast.expr, then: str, other: str) -> str:
        match test:
            case ast.BoolOp(op=ast.Or(), values=[first, second]):
                return self._chosen(first, then, self._chosen(second, then, other))
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _REAL:
                sign, turned = _REAL[type(op)]
                sides = (right, left) if turned else (left, right)
                whole = all(map(self._is_natural, sides))
                if sign in _DECIDED:
                    written = [self.natural(side) if whole else self.number(side, 5) for side in sides]
                    return f"(if {_DECIDED[sign][whole]} {' '.join(written)} then {then} else {other})"
        raise _unknown(test)

    def _is_extreme(self, node: ast.expr) -> bool:
        """True if an expression is the least or greatest of some numbers, which is a real number here."""
        match node:
            case ast.Name(id=name) if name in self.formal.values:
                return self._is_extreme(self.formal.values[name].tree)
            case ast.Call(func=ast.Name(id="min" | "max")):
                return True
        return False

    # Whole numbers, lists and names

    def _is_natural(self, node: ast.expr) -> bool:
        match node:
            case ast.Constant(value=value):
                return isinstance(value, int) and value >= 0
            case ast.Name(id=name):
                return name in self.index or (name in self.variables and _whole(self.variables[name]))
            case ast.Subscript(value=ast.Name(id=name)):
                return name in self.variables and self.variables[name].kind == "int"
            case ast.BinOp(op=ast.Add() | ast.Mult(), left=left, right=right):
                return self._is_natural(left) and self._is_natural(right)
            case ast.BinOp(op=ast.Mod(), left=left, right=ast.Constant(value=int() as divisor)):
                return divisor > 0 and self._is_natural(left)
        return False

    def natural(self, node: ast.expr) -> str:
        """Write a whole number that is not negative."""
        match node:
            case ast.Constant(value=int() as value) if value >= 0:
                return str(value)
            case ast.Name(id=name) if name in self.index:
                return f"(1 + {self.index[name]})"
            case ast.Name(id=name) if self._is_natural(node):
                return _name(name)
            case ast.Subscript(value=ast.Name(id=name), slice=index) if self._is_natural(node):
                return f"({_name(name)} {self.position(index)})"
            case ast.BinOp(op=op, left=left, right=right) if self._is_natural(node):
                sign = {ast.Add: "+", ast.Mult: "*", ast.Mod: "mod"}[type(op)]
                return f"({self.natural(left)} {sign} {self.natural(right)})"
        raise _unknown(node)

    def position(self, node: ast.expr) -> str:
        """Write an index as a number from 0."""
        match node:
            case ast.Constant(value=int() as value) if value >= 1:
                return f"{value - 1}%nat"
            case ast.Name(id=name) if name in self.index:
                return self.index[name]
            case ast.BinOp(op=ast.Add(), left=ast.Name(id=name), right=ast.Constant(value=int() as more)):
                from_zero = f"{more} + {self.index[name]}" if name in self.index else f"{_name(name)} + {more - 1}"
                return f"({from_zero})%nat"
        raise _unknown(node)

    def _argument(self, node: ast.expr) -> str:
        """Write an index of a recursion, which counts from 0 in Coq, too."""
        match node:
            case ast.Constant(value=int() as value):
                return f"{value}%nat"
            case ast.BinOp(op=ast.Sub(), left=ast.Name(id=name), right=ast.Constant(value=1)) if name in self.index:
                return self.index[name]
        return f"(S {self.position(node)})"

    def _ends(self, over: ast.BinOp) -> tuple[str, str]:
        """Return the ends of a range that begins at 1 or later, counted from 0; the second is exclusive."""
        if not isinstance(over.op, ast.BitOr) or _numeral_of(over.left) == 0:
            raise _unknown(over)
        match over.right:
            case ast.BinOp(op=ast.Sub(), left=left, right=ast.Constant(value=int() as less)):
                return self.position(over.left), f"({self.natural(left)} - {less})"
        return self.position(over.left), self.natural(over.right)

    def _range(self, over: ast.BinOp) -> tuple[str, str]:
        first, high = self._ends(over)
        return ("" if first == "0%nat" else f"{first} <= "), high

    def _length(self, name: str) -> str:
        if name in self.variables and self.variables[name].length is not None:
            return self.natural(self.variables[name].length.tree)  # type: ignore[union-attr]  # checked above
        match self.formal.values.get(name):
            case Expression(tree=ast.Call(func=ast.Name(id="list"), args=[_, ast.BinOp() as over, _])):
                first, high = self._ends(over)
                if first == "0%nat":
                    return high
        raise ProverError(f"{name} is not a list that begins at 1")

    def _element(self, name: str, position: str) -> tuple[str, int]:
        if name in self.variables:
            text = f"{_name(name)} {position}"
            return (f"INR ({text})" if self.variables[name].kind == "int" else text), 4
        if name in self.formal.sequences:
            index, body = self.formal.sequences[name]
            return self._named(name, body.tree, self._number, {index: position})
        match self.formal.values.get(name):
            case Expression(tree=ast.Call(func=ast.Name(id="list"), args=[ast.Name(id=index), _, inside])):
                return self._named(name, inside, self._number, {index: position})
        raise ProverError(f"{name} is not a list of numbers")

    def _named(
        self, name: str, body: ast.expr, write: Callable[[ast.expr], _T], index: Mapping[str, str] | None = None
    ) -> _T:
        """Write the definition of a name in place of the name; its own names are those of the statement."""
        if name in self.naming:
            raise ProverError(f"{name} is a recursion")
        before, self.index = self.index, {**self.top, **(index or {})}
        self.naming.append(name)
        written = write(body)
        self.naming.pop()
        self.index = before
        return written

    @contextmanager
    def _bound(self, name: str, called: str = "") -> Iterator[str]:
        before, own = self.index, called or f"{name}{len(self.open)}"
        while own in self.variables:
            own += "_"
        self.index = {**before, name: own}
        self.open.append(own)
        yield own
        self.open.pop()
        self.index = before


def _whole(variable: Variable) -> bool:
    """True if a variable is a whole number with a lower bound."""
    return variable.kind == "int" and variable.length is None and _least(variable) is not None


def _least(variable: Variable) -> int | None:
    least = [_numeral_of(bound.value.tree) for bound in variable.bounds if bound.sign == ">="]
    return next((value for value in least if value is not None and value >= 0), None)


def _numeral_of(node: ast.expr) -> int | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, int) else None


def _type(variable: Variable) -> str:
    kind = "nat" if variable.kind == "int" else "real"
    if kind == "nat" and _least(variable) is None:
        raise ProverError(f"{variable.name} may be a negative whole number")
    return kind if variable.length is None else f"nat -> {kind}"


def _name(name: str) -> str:
    return f"{name}_" if name in _TAKEN else name


def _numeral(value: Fraction) -> str:
    return str(value) if value.denominator == 1 and value >= 0 else f"{value.numerator} / {value.denominator}"


def _unknown(node: ast.expr) -> ProverError:
    return ProverError(f"{ast.unparse(node)} has no counterpart in Coq here")
