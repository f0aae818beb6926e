"""Clauses of statements in English: relations, quantifiers and conditions in words, and names with their definitions.

A vocabulary may give a word the functions `relation` (compares an observable with a value) and `fact` (true or false).
"""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property

from dtmodel.base.expressions import Expression, binds, free_names
from dtmodel.ledger.formal import Formal, Variable, Vocabulary, expressions_of
from dtmodel.ledger.formal_text import Level, Writer, used_names
from dtmodel.ledger.joins import enclosed, in_two_runs, is_compound, listed
from dtmodel.ledger.signs import DENIED, SHOWN, SIGNS, TURNED
from dtmodel.ledger.trees import alike, but_one, indices_of, looks_at_the_end, nodes_of, parts

_LARGEST = 60
"""The most nodes of a definition that is written in its place."""
_SHORT, _ALIAS = 30, 12
"""The most nodes of a relation, and of another value, whose elements are written in their place."""
_GROUPS = ("queue", "bursts", "each_burst", "late", "steady", "flow")


class Clauses(ABC):
    """Writes the clauses of one statement; words of the vocabulary use its methods to write their arguments."""

    def __init__(self, formal: Formal, vocabulary: Vocabulary) -> None:
        named = getattr(vocabulary.get("event"), "named", None)
        self.formal, fields = named(formal) if named else (formal, {})
        self.vocabulary: Vocabulary = {**vocabulary, **fields}
        self.domains = {variable.name: variable for variable in formal.variables}
        self.observed: dict[str, None] = {}
        said = [expression for expression, _ in expressions_of(self.formal)]
        names = [*self.domains, *formal.values, *formal.sequences]
        self.writer = Writer(self.vocabulary, names, said)
        self.runs = [name for name in formal.runs if name in used_names(formal)]
        self.domains = {name: variable for name, variable in self.domains.items() if name in self.used}
        self.formal = replace(self.formal, variables=tuple(self.domains.values()))

    @abstractmethod
    def text(self) -> str:
        """Return the whole statement."""

    # The names.

    @cached_property
    def ends(self) -> bool:
        """True if the end of the runs plays a part in the statement."""
        free = [each.relation for each in self.formal.hypotheses if not each.of]
        defined = [self._bodies[name] for name in self._reached(self._stated) & self._bodies.keys()]
        return any(looks_at_the_end(expression.tree, top=False) for expression in free) or any(
            looks_at_the_end(expression.tree, top=True) for expression in (*self.formal.conclusions, *defined)
        )

    @cached_property
    def _bodies(self) -> dict[str, Expression]:
        return {name: body for name, body in self.formal.definitions.items() if name not in self.formal.runs}

    def _reached(self, trees: Iterable[ast.AST]) -> frozenset[str]:
        """Return the names in trees and, but for the ends of runs, in their definitions and domains."""
        found: set[str] = set()
        todo = {name for tree in trees for name in parts(tree).names}
        while todo:
            found.add(name := todo.pop())
            bodies = [self._bodies[name].tree] if name in self._bodies else []
            bodies += _of_domain(self.domains[name]) if name in self.domains else []
            todo |= {other for tree in bodies for other in parts(tree).names} - found
        return frozenset(found)

    @cached_property
    def used(self) -> frozenset[str]:
        """The names that the statement mentions, directly or in definitions."""
        ranges = [ast.Name(name) for name, variable in self.domains.items() if self._may_be_empty(variable)]
        return self._reached([*self._stated, *self._in_runs, *ranges])

    def _may_be_empty(self, variable: Variable) -> bool:
        low, high = [*variable.bounds, None, None][:2]
        return high is not None and not (low and low.value.text == "0" and self._is_positive(high.value.text))

    def _is_positive(self, name: str) -> bool:
        bounds = self.domains[name].bounds if name in self.domains else ()
        low = [bound.value.text for bound in bounds if bound.sign[0] == ">"]
        return any(text.isdigit() or self._is_positive(text) for text in low)

    @cached_property
    def _defined(self) -> dict[str, Expression]:
        return {name: body for name, body in self._bodies.items() if name in self.used}

    @cached_property
    def _stated(self) -> list[ast.AST]:
        """The trees of hypotheses and conclusions."""
        formal = self.formal
        said: list[ast.AST] = [expression.tree for expression in formal.conclusions]
        said += [each.relation.tree for each in formal.hypotheses if not each.of]
        return said + ([formal.occasion[2].tree] if formal.occasion else [])

    @cached_property
    def _outside_runs(self) -> list[ast.AST]:
        """The trees that are written beside runs and definitions: domains, hypotheses and conclusions."""
        return [*self._stated, *(tree for variable in self.domains.values() for tree in _of_domain(variable))]

    @cached_property
    def _in_runs(self) -> list[ast.AST]:
        """The trees that are written in the scenes of runs."""
        return [part for name in self.runs for part in self._of_run(self.formal.values[name].tree)]

    def _of_run(self, tree: ast.expr) -> list[ast.AST]:
        if not isinstance(tree, ast.Call):
            return [tree]
        implied = getattr(self.vocabulary.get(ast.unparse(tree.func)), "implied", ())
        names = [ast.Name(name) for name in implied if name not in {each.arg for each in tree.keywords}]
        settings = [each.value for each in tree.keywords if self.ends or each.arg != "until"]
        return [*tree.args, *settings, *names]

    @cached_property
    def _inlined(self) -> dict[str, ast.expr]:
        """The definitions that are written in their place: used once, short, and with no name that is bound there."""
        outside = [*self._outside_runs, *alike([body.tree for body in self._defined.values()])]
        found = [parts(tree) for tree in (*outside, *self._in_runs)]
        others = sum((each.names for each in found[: len(outside)]), Counter[str]())
        counts = sum((each.names for each in found[len(outside) :]), others)
        bound = {index for index, _ in self.formal.sequences.values()}.union(*(each.bound for each in found))
        return {
            name: value.tree
            for name, value in self.formal.values.items()
            if name in self._defined
            and (counts[name] == 1 or (not others[name] and self._told(value)))
            and (parts(value.tree).size <= _LARGEST or self._told(value))
            and name not in bound
            and not free_names(value) & bound
            and not isinstance(value.tree, ast.IfExp)
        }

    def _told(self, value: Expression) -> bool:
        """True for a list of events or of queues, which the run tells."""
        names = self.formal.reached(*free_names(value))
        return any(map(_is_told, [value.tree, *(self._bodies[name].tree for name in names & self._bodies.keys())]))

    @cached_property
    def _elements(self) -> dict[str, tuple[str, ast.expr]]:
        """The sequences whose elements are written in their place: relations and observables without a recursion."""
        trees = [*self._outside_runs, *self._in_runs, *(body.tree for body in self._defined.values())]
        found = {}
        for name, (index, body) in self.formal.sequences.items():
            if parts(body.tree).size > (_SHORT if self.true_or_false(body.tree) else _ALIAS):
                continue
            indices, whole = indices_of(name, trees)
            recursive = name in self.formal.reached(*free_names(body))
            if not (whole or recursive or indices & parts(body.tree).bound):
                found[name] = (index, body.tree)
        return found

    @cached_property
    def kept(self) -> dict[str, Expression]:
        """The definitions that are written as sentences, each after those that it uses."""
        ordered: dict[str, Expression] = {}

        def put(name: str) -> None:
            for other in self.uses:
                if other not in ordered and other in self.uses[name]:
                    put(other)
            ordered[name] = self._defined[name]

        for name in self.uses:
            put(name)
        return ordered

    @cached_property
    def uses(self) -> Mapping[str, frozenset[str]]:
        """The definitions that a definition uses, but for those that use it in turn, for those written as sentences."""
        names = [name for name in self._defined if name not in {*self._inlined, *self._elements}]
        reached = {name: self.formal.reached(name) for name in names}
        return {
            name: frozenset(other for other in names if other in reached[name] and name not in reached[other])
            for name in names
        }

    # What words of the vocabulary need.

    def placed(self, node: ast.expr) -> ast.expr:
        """Return an expression with the definitions that are written in their place."""
        if isinstance(node, ast.Name) and node.id in self._inlined:
            return self.placed(self._inlined[node.id])
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in self._elements:
            self.writer.elements = self._elements
            return self.placed(self.writer.element_of(node.value.id, node.slice))
        return node

    def resolved(self, node: ast.expr) -> ast.expr:
        """Return the definition of a name, and any other expression unchanged."""
        if isinstance(node, ast.Name) and node.id in self.formal.values:
            return self.resolved(self.formal.values[node.id].tree)
        return node

    def raw(self, node: ast.AST, level: Level = Level.RANGE) -> str:
        """Write an expression as LaTeX without dollar signs."""
        self.writer.placed, self.writer.elements = self._inlined, self._elements
        self._observe(node)
        return self.writer.write(node, level)

    def _observe(self, node: ast.AST) -> None:
        self.observed |= parts(node).functions
        for name in parts(node).names:  # in the order of the text, which no set would keep
            if name in self._inlined:
                self._observe(self._inlined[name])
            if name in self._elements:
                self._observe(self._elements[name][1])

    def math(self, node: ast.AST, level: Level = Level.ANY) -> str:
        """Write an expression as LaTeX between dollar signs."""
        return f"${self.raw(node, level)}$"

    # Relations in words.

    def said(self, node: ast.expr, *, denied: bool = False, top: bool = False) -> str:
        """Tell a relation, or its denial, as a clause; `top`: it stands alone, so that a condition may follow."""
        node = self.placed(node)
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.said(operand, denied=not denied, top=top)
            case ast.BoolOp(op=op, values=values):
                joint = isinstance(op, ast.And) != denied
                values = [part for value in values for part in self._flat(value, op)]
                said = [self.said(value, denied=denied) for value in values]
                if joint and top:
                    return listed(said, ", and ")
                said = [enclosed(part) for part in said]
                if joint:
                    return f"both {said[0]} and {said[1]}" if len(said) == 2 else f"({' and '.join(said)})"
                return f"either {' or '.join(said)}"
            case ast.Compare(left=left, ops=[op], comparators=[ast.IfExp() as value]) if self._is_observed(left):
                sides = [ast.Compare(left, [op], [each]) for each in (value.body, value.orelse)]
                return self.said(ast.IfExp(value.test, *sides), denied=denied, top=top)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._compared(left, SIGNS[DENIED[type(op)] if denied else type(op)], right)
            case ast.IfExp(test=test, body=body, orelse=orelse) if self.true_or_false(body):
                first, second = self.said(body, denied=denied, top=top), self.said(orelse, denied=denied, top=top)
                if not top:
                    return f"{enclosed(first)} if {self.said(test)}, and otherwise {enclosed(second)}"
                return f"{first}{',' * is_compound(first)} if {self.said(test)}; otherwise {second}"
            case ast.Call(func=ast.Name(id="each" | "some" as name)) if binds(node):
                return self._quantified(name, node, denied=denied)
            case ast.Call(func=ast.Name(id=name), args=args) if not node.keywords:
                fact = getattr(self.vocabulary.get(name), "fact", None)
                if fact and (told := fact(self, denied, *map(self.placed, args))):
                    return str(told)
        return f"{'not ' if denied else ''}{self.math(node, Level.RELATION)}"

    def _is_observed(self, node: ast.expr) -> bool:
        node = self.placed(node)
        word = self.vocabulary.get(ast.unparse(node.func)) if isinstance(node, ast.Call) else None
        return getattr(word, "relation", None) is not None

    def _compared(self, left: ast.expr, sign: str, right: ast.expr) -> str:
        left, right = self.placed(left), self.placed(right)
        if self.true_or_false(left) or self.true_or_false(right):
            said = [*map(self.said, (left, right))]
            if told := in_two_runs(*said, same=sign == "=="):
                return told
            first, second = (f"({told})" if is_compound(told) else told for told in said)
            return f"{first} {'if and only if' if sign == '==' else 'or else'} {second}"
        never = isinstance(right, ast.Name) and right.id == "never" and not isinstance(left, ast.Call)
        if never and sign in ("==", "!=", "<"):
            return f"the time ${self.raw(left)}$ {'never ' if sign == '==' else ''}comes"
        for side, other, turned in ((left, right, sign), (right, left, TURNED.get(sign, ""))):
            if isinstance(side, ast.Call) and not side.keywords:
                relation = getattr(self.vocabulary.get(ast.unparse(side.func)), "relation", None)
                if relation and (told := relation(self, turned, other, *map(self.placed, side.args))):
                    return str(told)
        return f"${self.raw(left)} {SHOWN[sign]} {self.raw(right)}$"

    def _flat(self, node: ast.expr, op: ast.boolop) -> list[ast.expr]:
        """Return the parts of a relation that is joined as the one around it is."""
        node = self.placed(node)
        if isinstance(node, ast.BoolOp) and type(node.op) is type(op):
            return [part for value in node.values for part in self._flat(value, op)]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = self.placed(node.operand)
            if isinstance(inner, ast.BoolOp) and type(inner.op) is not type(op):
                return [ast.UnaryOp(ast.Not(), part) for part in self._flat(inner, inner.op)]
        return [node]

    def true_or_false(self, node: ast.expr) -> bool:
        """Return true if an expression is a relation."""
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            return name in ("each", "some") or getattr(self.vocabulary.get(name), "fact", None) is not None
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            _, body = self.formal.sequences.get(node.value.id, ("", None))
            return body is not None and isinstance(body.tree, ast.Compare | ast.BoolOp)
        if isinstance(node, ast.IfExp):
            return self.true_or_false(node.body)
        return isinstance(node, ast.Compare | ast.BoolOp) or (
            isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
        )

    def _quantified(self, name: str, node: ast.Call, *, denied: bool) -> str:
        domain, body = node.args[1], node.args[2]
        every = (name == "each") != denied
        with self.writer.inner(binds(node)) as symbol:
            if every and (others := but_one(body, binds(node), denied=denied)):
                but, rest = others
                which = rf"for all ${symbol} \neq {self.raw(but)}${self._members(domain)}"
                clause = self.said(rest)
            else:
                which = f"for {'each' if every else 'some'} {self._one_of(symbol, domain)}"
                clause = self.said(body, denied=denied)
            if not is_compound(clause):
                return f"{clause} {which}"
            return f"{which}{',' if clause.startswith('$') else ''} {clause}"

    def _one_of(self, symbol: str, domain: ast.expr) -> str:
        match domain:
            case ast.BinOp(left=ast.Constant(value=1), right=ast.Call(func=ast.Name(id=count), args=[whole])):
                if member := getattr(self.vocabulary.get(count), "member", ""):
                    return f"{member} ${symbol}$ of {self.math(whole)}"
        return f"${symbol}${self._members(domain)}"

    def _members(self, domain: ast.expr) -> str:
        if isinstance(domain, ast.BinOp) and isinstance(domain.op, ast.BitOr):
            return f" from ${self.raw(domain.left, Level.SUM)}$ to ${self.raw(domain.right, Level.SUM)}$"
        return f" in {self.math(domain)}"


def _of_domain(variable: Variable) -> list[ast.expr]:
    bounds = [bound.value.tree for bound in variable.bounds]
    return bounds + [each.tree for each in (variable.length, variable.letters) if each]


def _is_told(tree: ast.expr) -> bool:
    said = {node.value for node in nodes_of(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return not said.isdisjoint(("arrive", "depart", "tick")) or not parts(tree).functions.keys().isdisjoint(_GROUPS)
