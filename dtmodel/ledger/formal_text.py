"""Expressions of executable statements as LaTeX, written from the code that runs.

A word of a vocabulary may have a `phrase`: the LaTeX of a call, given the LaTeX of its arguments. Different expressions
look different: names with one symbol are told apart by primes (``t1`` and ``t_1``), and an element that would look like
a name is written with brackets (``t[1]`` beside ``t1``). A bound variable with the symbol of a name is renamed, and a
name with the letter of an observable in the same statement has a prime (``F`` beside ``free(x, t)``).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from itertools import accumulate, chain, count, repeat
from typing import Protocol

from dtmodel.base.expressions import Expression, binds, free_names
from dtmodel.base.mathtext import latex_words, symbol_of
from dtmodel.ledger.formal import Formal, Vocabulary
from dtmodel.ledger.signs import DENIED, SHOWN, SIGNS
from dtmodel.ledger.trees import parts, rewritten

_LARGE = {"sum": r"\sum", "prod": r"\prod", "max": r"\max", "min": r"\min"}


class Level(IntEnum):
    """The precedence of an expression: it is put in parentheses where a higher level is needed."""

    ANY = 0  # quantifiers and conditions extend to the end
    WORDS = 1
    OR = 2
    AND = 3
    NOT = 4
    RELATION = 5
    RANGE = 6
    MODULO = 7
    SUM = 8
    PRODUCT = 9
    POWER = 10
    ATOM = 11


@dataclass(frozen=True)
class Slot:
    """An argument of a phrase; ``{0:atom}`` writes it as the base of an exponent."""

    text: str
    atom: str

    def __format__(self, spec: str) -> str:
        return self.atom if spec == "atom" else self.text


class Phrase(Protocol):
    """The LaTeX of a call of a word."""

    @property
    def words(self) -> bool:
        """True if the phrase reads as words, so that it stands in parentheses within a formula."""

    def takes(self, count: int, /) -> bool:
        """Return true if the phrase has a place for each of `count` arguments."""

    def __call__(self, *slots: Slot) -> str:
        """Write the call with its arguments."""


def latex(expression: Expression, vocabulary: Vocabulary | None = None) -> str:
    r"""Write an expression as LaTeX, in the order in which it was typed."""
    return Writer(vocabulary or {}, free_names(expression), [expression]).write(expression.tree)


def used_names(formal: Formal) -> frozenset[str]:
    """Return the names that hypotheses, runs, bounds and conclusions use, directly or through definitions.

    >>> from dtmodel.ledger.formal import read_formal
    >>> sorted(used_names(read_formal("for a > 0; let x = 2*y; y = a; w = 5; then x > 0")))
    ['a', 'x', 'y']
    """
    said = [*formal.conclusions, *(hypothesis.relation for hypothesis in formal.hypotheses)]
    said += [formal.values[name] for name in formal.runs] + ([formal.occasion[2]] if formal.occasion else [])
    said += [bound.value for variable in formal.variables for bound in variable.bounds]
    said += [variable.length for variable in formal.variables if variable.length]
    names = {name for expression in said for name in free_names(expression)}
    return formal.reached(*names, *(formal.occasion[1:2] if formal.occasion else ()))


def _indexed(text: str, index: str) -> str:
    r"""Append an index to those that a symbol may have, since LaTeX allows one subscript.

    >>> _indexed("T", "k"), _indexed("T_{k - 1}", "p_{k}"), _indexed(r"\frac{a}{b}", "i")
    ('T_{k}', 'T_{k - 1, p_{k}}', '\\frac{a}{b}_{i}')
    """
    depth = 0
    for place in reversed(range(len(text) if text.endswith("}") else 0)):
        depth += {"}": 1, "{": -1}.get(text[place], 0)
        if depth == 0:
            return f"{text[:-1]}, {index}}}" if text[:place].endswith("_") else f"{text}_{{{index}}}"
    return f"{text}_{{{index}}}"


def quoted(word: str) -> str:
    """Write a word in quotes as LaTeX."""
    shown = latex_words(f'"{word}"')
    return rf"\text{{{shown}}}"


class Writer:
    """Writes trees; `names` are those that `expressions` take from outside, and that have one symbol everywhere."""

    def __init__(self, vocabulary: Vocabulary, names: Iterable[str], expressions: Iterable[Expression]) -> None:
        self.phrases: Mapping[str, Phrase] = {
            name: word.phrase for name, word in vocabulary.items() if hasattr(word, "phrase")
        }
        called = {name for expression in expressions for name in parts(expression.tree).functions}
        self.letters = {letter for name in called & self.phrases.keys() for letter in _letters(self.phrases[name])}
        self.placed: Mapping[str, ast.expr] = {}  # definitions that are written in their place
        self.elements: Mapping[str, tuple[str, ast.expr]] = {}  # sequences whose elements are, with their index
        self.symbols: dict[str, str] = {}
        for name in sorted({*names}):
            self.symbols[name] = self._fresh(symbol_of(name))

    def _fresh(self, symbol: str) -> str:
        """Add primes to a symbol until it differs from the symbols of other names and from letters of observables."""
        taken = {*self.symbols.values(), *self.letters}
        primed = (f"{{{symbol}^{{{prime}}}}}" for prime in accumulate(repeat(r"\prime")))
        return next(one for one in chain([symbol], primed) if one not in taken)

    def symbol(self, name: str) -> str:
        """Return the symbol of a name."""
        return self.symbols.get(name) or symbol_of(name)

    def unused(self) -> str:
        """Return a letter for an index that is not a symbol of the statement."""
        letters = chain("ijklmnpqrsuvw", (f"i_{{{number}}}" for number in count(1)))
        return next(letter for letter in letters if letter not in {*self.symbols.values(), *self.letters})

    @contextmanager
    def inner(self, name: str) -> Iterator[str]:
        """Yield the symbol of a bound variable: another letter if its own is taken; empty if `name` is."""
        before = self.symbols
        own = symbol_of(name) if name else ""
        taken = {*before.values(), *self.letters}
        self.symbols = {**before, name: self.unused() if own in taken else own} if name else before
        yield self.symbols.get(name, "")
        self.symbols = before

    def element(self, name: str, index: str) -> str:
        """Write an element of a list or sequence, with brackets if a name has the same look."""
        return self._indexed(self.symbol(name), index)

    def _indexed(self, text: str, index: str) -> str:
        indexed = _indexed(text, index)
        return f"{text}[{index}]" if indexed in self.symbols.values() else indexed

    def write(self, node: ast.AST, level: Level = Level.ANY) -> str:
        """Write a tree, in parentheses if its level is below the given one."""
        text, own = self._written(node)
        return f"({text})" if own < level else text

    def _written(self, node: ast.AST) -> tuple[str, Level]:
        match node:
            case ast.Constant(value=str() as text):
                return quoted(text), Level.ATOM
            case ast.Constant(value=int() | Fraction() as value) if not isinstance(value, bool):
                return _numeral(Fraction(value)), Level.ATOM
            case ast.Constant(value=value):
                return rf"\text{{{str(value).lower()}}}", Level.ATOM
            case ast.Name(id="never"):
                return r"\text{never}", Level.ATOM
            case ast.Name(id=name) if name in self.placed:
                return self._written(self.placed[name])
            case ast.Name(id=name):
                return self.symbol(name), Level.ATOM
            case ast.BinOp(left=left, op=op, right=right):
                return self._operation(left, op, right)
            case ast.UnaryOp(op=ast.Not(), operand=ast.Compare(left=left, ops=[op], comparators=[right])):
                return self._written(ast.Compare(left, [DENIED[type(op)]()], [right]))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return rf"\neg {self.write(operand, Level.RANGE)}", Level.NOT
            case ast.UnaryOp(op=sign, operand=operand):
                return ("-" if isinstance(sign, ast.USub) else "+") + self.write(operand, Level.PRODUCT), Level.SUM
            case ast.BoolOp(op=both, values=values):
                joint, own = (r" \land ", Level.AND) if isinstance(both, ast.And) else (r" \lor ", Level.OR)
                return joint.join(self.write(value, Level(own + 1)) for value in values), own
            case ast.Compare():
                return self._relation(node), Level.RELATION
            case ast.IfExp(test=test, body=body, orelse=orelse):
                parts = self.write(body, Level.OR), self.write(test, Level.OR), self.write(orelse)
                return r"{} \text{{ if }} {}\text{{, else }} {}".format(*parts), Level.ANY
            case ast.List(elts=items) | ast.Tuple(elts=items):
                return f"[{self._listed(items)}]", Level.ATOM
            case ast.Subscript(value=ast.Name(id=name), slice=index) if element := self._placed_at(name, index):
                return self._written(element)
            case ast.Subscript(value=value, slice=index):
                return self._subscript(value, self.write(index, Level.RANGE)), Level.ATOM
            case ast.Attribute(value=value, attr=member):
                return rf"{self.write(value, Level.ATOM)}.\mathrm{{{latex_words(member)}}}", Level.ATOM
            case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
                if own_name := binds(node):
                    members = self._members(args[1])
                    with self.inner(own_name) as symbol:
                        return self._bound(name, symbol, members, args[2])
                return self._application(name, args, keywords)
        raise ValueError(ast.dump(node))

    def _placed_at(self, name: str, index: ast.expr) -> ast.expr | None:
        """Return the element of a list that is written in its place: its formula at the index."""
        if name in self.elements:
            return self.element_of(name, index)
        match self.placed.get(name):
            case ast.Call(func=ast.Name(id="list"), args=[_, ast.BinOp(left=ast.Constant(value=1)), body]) as call:
                if parts(body).bound.isdisjoint(parts(index).names):
                    return _at(binds(call), index, body)
        return None

    def element_of(self, name: str, index: ast.expr) -> ast.expr:
        """Return the element of a sequence that is written in its place."""
        own, body = self.elements[name]
        return _at(own, index, body)

    def _listed(self, nodes: Iterable[ast.AST]) -> str:
        return ", ".join(self.write(node, Level.WORDS) for node in nodes)

    def _operation(self, left: ast.expr, op: ast.operator, right: ast.expr) -> tuple[str, Level]:
        match op:
            case ast.Add() | ast.Sub():
                sign = "+" if isinstance(op, ast.Add) else "-"
                return f"{self.write(left, Level.SUM)} {sign} {self.write(right, Level.PRODUCT)}", Level.SUM
            case ast.Mult():
                return _product(self.write(left, Level.PRODUCT), self.write(right, Level.POWER)), Level.PRODUCT
            case ast.Div():
                return rf"\frac{{{self.write(left)}}}{{{self.write(right)}}}", Level.POWER
            case ast.FloorDiv():
                return rf"\lfloor \frac{{{self.write(left)}}}{{{self.write(right)}}} \rfloor", Level.ATOM
            case ast.Mod():
                sides = self.write(left, Level.PRODUCT), self.write(right, Level.PRODUCT)
                return r"{} \bmod {}".format(*sides), Level.MODULO
            case ast.Pow():
                return f"{self.write(left, Level.ATOM)}^{{{self.write(right)}}}", Level.POWER
            case _:
                return rf"{self.write(left, Level.SUM)} \ldots {self.write(right, Level.SUM)}", Level.RANGE

    def _relation(self, node: ast.Compare) -> str:
        parts = [self.write(node.left, Level.RANGE)]
        for op, side in zip(node.ops, node.comparators, strict=True):
            parts += [SHOWN[SIGNS[type(op)]], self.write(side, Level.RANGE)]
        return " ".join(parts)

    def _subscript(self, value: ast.expr, index: str) -> str:
        return self._indexed(self.write(value, Level.ATOM), index)

    def _application(self, name: str, args: Sequence[ast.expr], keywords: Sequence[ast.keyword]) -> tuple[str, Level]:
        if name == "approx" and len(args) == 2 and not keywords:
            sides = [self.write(side, Level.RANGE) for side in args]
            return r" \approx ".join(sides), Level.RELATION
        if name in ("floor", "ceil") and len(args) == 1 and not keywords:
            return rf"\l{name} {self.write(args[0])} \r{name}", Level.ATOM
        if name in ("sum", "max", "min") and len(args) == 1 and not keywords and self._has_elements(args[0]):
            index = self.unused()
            return f"{_LARGE[name]}_{{{index}}} {self._subscript(args[0], index)}", Level.SUM
        phrase = self.phrases.get(name)
        if phrase and phrase.takes(len(args)) and not keywords:
            return self._phrase(phrase, args)
        settings = [f"{symbol_of(str(each.arg))} = {self.write(each.value, Level.RANGE)}" for each in keywords]
        written = "; ".join([self._listed(args), *filter(None, [", ".join(settings)])])
        return f"{head_of(name)}({written})", Level.ATOM

    def _has_elements(self, node: ast.expr) -> bool:
        """True for a name or a member whose elements are written with an index."""
        return isinstance(node, ast.Attribute) or (
            isinstance(node, ast.Name) and node.id not in {"never", *self.placed} and node.id in self.symbols
        )

    def _phrase(self, phrase: Phrase, args: Sequence[ast.expr]) -> tuple[str, Level]:
        text = phrase(*(Slot(self.write(arg, Level.RANGE), self.write(arg, Level.ATOM)) for arg in args))
        if phrase.words:
            return text, Level.WORDS
        return text, Level.ATOM if text.endswith(")") else Level.POWER

    def _members(self, domain: ast.expr) -> tuple[str, str]:
        """Write the ends of a range, or a list and an empty text."""
        match domain:
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return self.write(left, Level.SUM), self.write(right, Level.SUM)
        return self.write(domain, Level.RANGE), ""

    def _bound(self, name: str, i: str, domain: tuple[str, str], body: ast.expr) -> tuple[str, Level]:
        low, high = domain
        members = rf"{low} \leq {i} \leq {high}" if high else rf"{i} \in {low}"
        below = (rf"{i} = {low}", f"^{{{high}}}") if high and name in ("sum", "prod") else (members, "")
        match name:
            case "list":
                return rf"({self.write(body)})_{{{members}}}", Level.POWER
            case "count":
                return rf"\#\{{{members} : {self.write(body)}\}}", Level.ATOM
            case "each" | "some":
                quantifier = r"\forall" if name == "each" else r"\exists"
                return rf"{quantifier} {members} : {self.write(body, Level.NOT)}", Level.ANY
        return rf"{_LARGE[name]}_{{{below[0]}}}{below[1]} {self.write(body, Level.PRODUCT)}", Level.SUM


def _at(name: str, value: ast.expr, tree: ast.expr) -> ast.expr:
    """Put an expression into the places of a name."""
    placed: ast.expr = rewritten(tree, lambda node: value if isinstance(node, ast.Name) and node.id == name else None)
    return placed


def _letters(phrase: Phrase) -> list[str]:
    """Return the letters of an observable that carry its arguments as indices."""
    places = next((count for count in range(1, 9) if phrase.takes(count)), 0)
    return re.findall(r"([A-Z]|\\mathrm\{\w+\})(?:[_^]\{|\()\0", phrase(*[Slot("\0", "\0")] * places))


_WORD = r"\\(?:mathrm|text)\{[^{}]*\}"
_TOUCHING = re.compile(rf".*{_WORD}\x00.*|.*\x00(?:\d|{_WORD}).*|.*[\]}}]\x00[(\[].*|.*\x00\[.*", re.DOTALL)
"""Factors that need a dot between them: words, digits behind a factor, and parentheses that would look like a call."""


def _product(first: str, second: str) -> str:
    r"""Write a product, with a dot where its factors would run together or look like a call.

    >>> _product("2", "x"), _product("x", "2"), _product("R_{b}", "(a + b)"), _product(r"\mathrm{lost}", "x")
    ('2 x', 'x \\cdot 2', 'R_{b} \\cdot (a + b)', '\\mathrm{lost} \\cdot x')
    """
    return rf"{first} \cdot {second}" if _TOUCHING.fullmatch(f"{first}\x00{second}") else f"{first} {second}"


def head_of(name: str) -> str:
    """Write the name of a function."""
    if name in ("min", "max"):
        return f"\\{name}"
    return rf"\text{{{name.replace('_', ' ')}}}" if "_" in name else rf"\mathrm{{{name}}}"


def _numeral(value: Fraction) -> str:
    """Write a number as a decimal.

    >>> [_numeral(Fraction(text)) for text in ("3", "0.05", "12.5", "1e6")]
    ['3', '0.05', '12.5', '1000000']
    """
    places = next(number for number in count() if 10**number % value.denominator == 0)
    digits = f"{Decimal(value.numerator * 10**places // value.denominator):f}".rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}" if places else digits
