"""Counterexamples checked by Coq's kernel: the negation of a statement about all real numbers, from one instance.

The instance satisfies every hypothesis and violates the statement; the proof needs only the axioms of Coq's reals.
"""

import ast
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from math import ceil, floor
from typing import Any

from dtmodel.base.errors import LedgerError, ProverError
from dtmodel.ledger.provers.coq_build import run_text, unavailable
from dtmodel.ledger.provers.coq_export import BINARY, RESERVED
from dtmodel.ledger.provers.coq_scripts import refusals
from dtmodel.ledger.replay import Negation
from dtmodel.ledger.values import Exact, evaluate_text, read_values

_PREAMBLE = """Require Import Reals Lra.
Open Scope R_scope.
Notation real := R.
Lemma floor_is (z : Z) (x : R) : IZR z <= x < IZR z + 1 -> Int_part x = z.
Proof.
  intros [low high]. unfold Int_part. rewrite <- (up_tech x z low); [ring |]. rewrite plus_IZR. exact high.
Qed.
Ltac reduce := repeat match goal with
  | |- context [Rmin ?a ?b] => first [rewrite (Rmin_left a b) by lra | rewrite (Rmin_right a b) by lra]
  | |- context [Rmax ?a ?b] => first [rewrite (Rmax_left a b) by lra | rewrite (Rmax_right a b) by lra]
  | |- context [Rabs ?a] => first [rewrite (Rabs_right a) by lra | rewrite (Rabs_left a) by lra]
  end.
Ltac floors z := reduce; repeat match goal with |- context [Int_part ?x] => rewrite (floor_is z x) by lra end.
"""
_LOGIC: dict[type[ast.boolop], str] = {ast.And: " /\\ ", ast.Or: " \\/ "}
_APPLIED, _ALONE = 4, 5
"""Precedences: of a function with arguments, and of an argument or operand."""
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "=", ast.NotEq: "<>",
}  # fmt: skip
_TAKEN = RESERVED | {"IZR", "Int_part"}


def negations(witnesses: Sequence[Mapping[str, Any]]) -> list[Negation]:
    """Prove in Coq the negations of the statements that witnesses refute; proofs are cached by content.

    The fault is returned if Coq refuses the proof, ``//``, ``%`` or a computed exponent occurs, or a number has no
    hypothesis, so that the negation would be nearly empty. ``R`` may be a rate; Coq's real numbers are ``real``.
    """
    found = [_negation(data) for data in witnesses]
    reason = unavailable()
    if reason:
        return [replace(item, skipped=reason) for item, _ in found]
    refused = refusals([script for _, script in found if script], _PREAMBLE, run_text)
    said = {script: f"Coq does not prove the negation: {why}" for script, why in refused.items()}
    return [replace(item, fault=item.fault or said.get(script, "")) for item, script in found]


def _negation(data: Mapping[str, Any]) -> tuple[Negation, str]:
    try:
        written = _Theorem(data)
    except (ProverError, LedgerError) as error:
        return Negation("", str(error)), ""
    free = _unsupposed(data)
    if free:
        fault = f"nothing is supposed of {', '.join(free)}: say in the hypotheses which numbers are meant"
        return Negation(written.proposition, fault), ""
    return Negation(written.proposition), written.script


def _unsupposed(data: Mapping[str, Any]) -> list[str]:
    """Return the names without a hypothesis: over all real numbers, nearly every statement is false."""
    trees = [ast.parse(text.strip(), mode="eval") for text in data.get("hypotheses") or ()]
    said = {node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return [name for name in data["values"] if name not in said]


class _Theorem:
    """A witness as a Coq theorem; functions become their values at the instance, and `lra` decides the rest."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.values = read_values(data["values"])
        self.floors: list[int] = []
        texts = [*(data.get("hypotheses") or ()), data["statement"]]
        relations = [_Translation(text, self.values, self.floors).relation() for text in texts]
        names = " ".join(name for name, _ in _variables(self.values))
        body = " -> ".join(relations)
        self.proposition = f"~ (forall {names} : real, {body})" if names else f"~ ({body})"

    @property
    def script(self) -> str:
        """The theorem with its proof: the instance, then functions from the inside out, then arithmetic."""
        instance = " ".join(_numeral(value) for _, value in _variables(self.values))
        name = f"negation_{hashlib.sha256(f'{self.proposition} {instance}'.encode()).hexdigest()[:16]}"
        floors = "".join(f" floors ({number})%Z." for number in self.floors)
        return (
            f"Theorem {name} : {self.proposition}.\n"
            f"Proof. intro claim. specialize (claim {instance}). revert claim.{floors} reduce. lra. Qed.\n"
        )


class _Translation:
    """Translates one hypothesis or statement; `floors` collects the values of floor and ceil at the instance."""

    def __init__(self, text: str, values: Mapping[str, Exact], floors: list[int]) -> None:
        self.text, self.values, self.floors = text.strip(), values, floors

    def relation(self) -> str:
        """Return the whole text as a proposition, in parentheses unless it is a single relation."""
        tree = ast.parse(self.text, mode="eval").body
        found = self._proposition(tree)
        return found if isinstance(tree, ast.Compare) and len(tree.ops) == 1 else f"({found})"

    def _proposition(self, node: ast.expr) -> str:
        match node:
            case ast.Compare(ops=ops) if all(type(op) in _COMPARE for op in ops):
                sides = [self._number(side) for side in (node.left, *node.comparators)]
                steps = zip(sides[:-1], ops, sides[1:], strict=True)
                return " /\\ ".join(f"{left} {_COMPARE[type(op)]} {right}" for left, op, right in steps)
            case ast.BoolOp(op=op, values=parts):
                return _LOGIC[type(op)].join(f"({self._proposition(part)})" for part in parts)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return f"~ ({self._proposition(operand)})"
        raise self._unknown(node)

    def _number(self, node: ast.expr, least: int = 0) -> str:
        match node:
            case ast.Constant():
                return _numeral(self._fraction(node))
            case ast.Name() | ast.Subscript():
                self._fraction(node)
                return self._variable(node)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                text, binds = f"- {self._number(operand, _ALONE)}", 0
            case ast.BinOp(op=ast.Pow(), left=left, right=ast.Constant(value=int() as power)) if power >= 0:
                text, binds = f"{self._number(left, _ALONE)} ^ {power}", 3
            case ast.BinOp(op=op, left=left, right=right) if type(op) in BINARY:
                sign, binds = BINARY[type(op)]
                text = f"{self._number(left, binds)} {sign} {self._number(right, binds + 1)}"
            case ast.Call(func=ast.Name(id=name), args=arguments):
                text, binds = self._application(name, arguments, node)
            case _:
                raise self._unknown(node)
        return f"({text})" if binds < least else text

    def _application(self, name: str, arguments: Sequence[ast.expr], node: ast.expr) -> tuple[str, int]:
        parts = [part for argument in arguments for part in self._items(argument)]
        if name == "sum":
            return " + ".join(parts) or "0", 1
        if name in ("min", "max"):
            nested = reduce(lambda inner, part: f"R{name} {inner if inner in parts else f'({inner})'} {part}", parts)
            return nested, _APPLIED
        if name == "abs":
            return f"Rabs {parts[0]}", _APPLIED
        if name == "floor":
            self.floors.append(floor(self._fraction(arguments[0])))
            return f"IZR (Int_part {parts[0]})", _APPLIED
        if name == "ceil":
            self.floors.append(-ceil(self._fraction(arguments[0])))
            return f"- IZR (Int_part (- {parts[0]}))", 0
        raise self._unknown(node)

    def _items(self, node: ast.expr) -> list[str]:
        """Return the numbers of a list as arguments; of a number, the number."""
        if isinstance(node, ast.Tuple | ast.List):
            return [self._number(item, _ALONE) for item in node.elts]
        value = self._value(node)
        if isinstance(node, ast.Name) and isinstance(value, tuple):
            return [_variable(node.id, number) for number in range(1, len(value) + 1)]
        return [self._number(node, _ALONE)]

    def _variable(self, node: ast.expr) -> str:
        match node:
            case ast.Name(id=name):
                return _variable(name)
            case ast.Subscript(value=ast.Name(id=name), slice=index):
                items = self.values[name]
                size = len(items) if isinstance(items, tuple) else 0
                return _variable(name, int(self._fraction(index)) % size + 1)
        raise self._unknown(node)

    def _value(self, node: ast.expr) -> Exact:
        return evaluate_text(ast.get_source_segment(self.text, node) or "", self.values)

    def _fraction(self, node: ast.expr) -> Fraction:
        value = self._value(node)
        if not isinstance(value, Fraction):
            raise self._unknown(node)
        return value

    def _unknown(self, node: ast.expr) -> ProverError:
        kind = type(node.op).__name__ if isinstance(node, ast.BinOp | ast.UnaryOp) else type(node).__name__
        return ProverError(f"{self.text!r}: {kind} has no form in Coq")


def _variables(values: Mapping[str, Exact]) -> Iterator[tuple[str, Fraction]]:
    for name, value in values.items():
        if isinstance(value, tuple):
            yield from ((_variable(name, number), item) for number, item in enumerate(value, 1))
        else:
            yield _variable(name), Fraction(value)


def _variable(name: str, number: int = 0) -> str:
    return f"{name}_{number}" if number else f"{name}_" if name in _TAKEN else name


def _numeral(value: Fraction) -> str:
    return str(value) if value.denominator == 1 and value >= 0 else f"({value.numerator} / {value.denominator})"
