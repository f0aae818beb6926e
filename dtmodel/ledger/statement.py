"""Executable statements as English sentences with LaTeX: the scenario, variables, definitions, hypotheses, conclusions.

The first paragraph is the setting (runs, variables, definitions, symbols); the second says "Suppose that" and "Then".
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from dtmodel.base.expressions import Expression, binds
from dtmodel.base.mathtext import symbol_of
from dtmodel.ledger.claim import DECIDED_BY_SAMPLES, Claim
from dtmodel.ledger.formal import Formal, Variable, Vocabulary, Words
from dtmodel.ledger.hunting import targets
from dtmodel.ledger.notation import notation
from dtmodel.ledger.teller import Glossary, Teller
from dtmodel.ledger.ties import has_a_run

_SENTENCE = re.compile(r"(?<=\.)(?: (?=[A-Z$])|(?=\n))")


def statement(
    printed: Formal,
    vocabulary: Vocabulary | None = None,
    other: Formal | None = None,
    *,
    repaired: bool = False,
    glossary: Glossary | None = None,
) -> str:
    r"""Write a statement in English, with LaTeX between dollar signs.

    `other` is the form under an assumption, whose additional parts are marked as ``[+ ... +]``, or (if `repaired`) the
    form whose misprint is mended: where they differ, it says ``[~ printed -> repaired ~]``. `glossary`: the meaning of
    symbols, for a form without a run.
    """
    if other is None:
        return Teller(printed, vocabulary or {}, glossary=glossary).text()
    if repaired:
        pairs = (printed, other), (other, printed)
        old, new = (Teller(form, vocabulary or {}, glossary=glossary, beside=beside).text() for form, beside in pairs)
        return _differences(old, new)
    return Teller(other, vocabulary or {}, printed, glossary).text()


def unsaid(formal: Formal, vocabulary: Vocabulary | None = None) -> list[str]:
    """Return the parts of a form that its statement does not depend on: bounds, definitions, hypotheses and the like.

    Each part gets a mark of its own, as in ``mark1 + M`` and ``mark2 and R > C``, which must be in the text. The end of
    a run is left out where it plays no part, with its definitions.
    """
    marks = _Marks()
    marked = replace(
        formal,
        variables=tuple(marks.variable(each) for each in formal.variables),
        values={name: (marks.run if name in formal.runs else marks.value)(name, body)
                for name, body in formal.values.items()},
        sequences={name: (index, marks.value(name, body)) for name, (index, body) in formal.sequences.items()},
        hypotheses=tuple(replace(each, relation=marks.relation(each.relation)) for each in formal.hypotheses
                         if not each.of),
        conclusions=tuple(map(marks.relation, formal.conclusions)),
        occasion=formal.occasion and (*formal.occasion[:2], marks.relation(formal.occasion[2])),
    )  # fmt: skip
    teller = Teller(marked, vocabulary or {})
    text = teller.text()
    return [part for name, part in marks.parts.items() if name in teller.used and symbol_of(name) not in text]


def statement_of(claim: Claim, preludes: Mapping[str, str], words: Words | None = None) -> str:
    r"""Write the statement of a claim from its forms; without one its sentence, with the meaning of its symbols.

    An assumption is inserted as ``[+ ... +]``, a misprint and its repair as ``[~ printed -> repaired ~]``. `words`:
    returns the vocabulary of a form, with the phrases; a word that it does not have raises `InputError`.
    """
    tie = f"; {claim.tied_to} ties it to runs" if claim.tied_to else " alone"
    relation = "" if has_a_run(claim, preludes) else f"This relates numbers{tie}."
    glossary = Glossary.of(preludes.get(f"{claim.paper}.symbols", ""), claim.symbols, relation)
    if not claim.formal:
        place = claim.source if claim.kind in DECIDED_BY_SAMPLES and "own" not in claim.source else ""
        return f"{claim.statement} {notation(claim.statement, glossary.meanings, place)}".strip()
    undecided = claim.verdict in ("inconsistent", "not-checkable")  # the hunt has no target then, and the form is shown
    shown = replace(claim, verdict="refuted") if undecided else claim
    forms = {target.form: target.formal for target in targets([shown], preludes, words)}
    other = forms.get("assumed") or forms.get("repaired")
    vocabulary = words(other or forms["printed"]) if words else {}
    return statement(forms["printed"], vocabulary, other, repaired="repaired" in forms, glossary=glossary)


def unsaid_of(claim: Claim, preludes: Mapping[str, str], words: Words) -> list[str]:
    """Return the parts of the executable forms of a claim that its statement does not depend on."""
    found = [(each.form, unsaid(each.formal, words(each.formal))) for each in targets([claim], preludes, words)]
    return [f"{part} of the {form} form" for form, parts in found for part in parts]


def _differences(old: str, new: str) -> str:
    """Mark the words that a repair replaces, in the sentences that it does not leave as they are."""
    before, after = map(_SENTENCE.split, (old, new))
    said = _compared(before, after, lambda one, two: _compared(_words(one), _words(two), _marked))
    return said.replace(" \n", "\n")


def _compared(before: Sequence[str], after: Sequence[str], other: Callable[[str, str], str]) -> str:
    """Join the parts that two texts have in common, and the others by a function."""
    parts = []
    for kind, i, j, k, n in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        one, two = " ".join(before[i:j]), " ".join(after[k:n])
        parts.append(one if kind == "equal" else other(one, two))
    return " ".join(parts)


def _marked(old: str, new: str) -> str:
    return " ".join(filter(None, ("[~", old, "->", new, "~]")))


def _words(text: str) -> list[str]:
    """Split a text at spaces outside of its formulas."""
    words: list[str] = [""]
    for number, part in enumerate(text.split("$")):
        if number % 2:
            words[-1] += f"${part}$"
            continue
        first, *rest = part.split(" ")
        words[-1] += first
        words += rest
    return words


class _Marks:
    """Puts names into the parts of a form."""

    def __init__(self) -> None:
        self.parts: dict[str, str] = {}

    def _mark(self, part: str) -> ast.expr:
        name = f"mark_{len(self.parts)}"
        self.parts[name] = part
        return ast.Name(name, ast.Load())

    def relation(self, relation: Expression) -> Expression:
        return Expression(relation.text, ast.BoolOp(ast.And(), [self._mark(relation.text), relation.tree]))

    def value(self, name: str, body: Expression) -> Expression:
        if isinstance(body.tree, ast.Compare | ast.BoolOp):
            return self.relation(body)
        return self._value(f"{name} = {body.text}", body)

    def _value(self, part: str, body: Expression) -> Expression:
        tree = body.tree
        if isinstance(tree, ast.IfExp):
            branches = (self._sum(part, each) for each in (tree.body, tree.orelse))
            return Expression(body.text, ast.IfExp(tree.test, *branches))
        return Expression(body.text, self._sum(part, tree))

    def _sum(self, part: str, tree: ast.expr) -> ast.expr:
        return ast.BinOp(self._mark(part), ast.Add(), tree)

    def variable(self, variable: Variable) -> Variable:
        bounds = [replace(each, value=self._value(variable.supposed(each), each.value)) for each in variable.bounds]
        length = variable.length and self._value(f"the length of {variable.name}", variable.length)
        return replace(variable, bounds=tuple(bounds), length=length)

    def run(self, name: str, body: Expression) -> Expression:
        tree = body.tree
        if not isinstance(tree, ast.Call):
            return self.value(name, body)
        keywords = [ast.keyword(each.arg, self._sum(f"{each.arg} of {name}", each.value)) for each in tree.keywords]
        return Expression(body.text, ast.Call(tree.func, [self._groups(name, each) for each in tree.args], keywords))

    def _groups(self, run: str, node: ast.expr) -> ast.expr:
        """Mark the arguments of the calls in a list, such as the groups of queues of a run."""
        if isinstance(node, ast.List):
            return ast.List([self._groups(run, each) for each in node.elts])
        if not isinstance(node, ast.Call) or binds(node):
            return node
        plain = ast.Constant | ast.List
        args = [
            each if isinstance(each, plain) else self._sum(f"{ast.unparse(each)} in a group of {run}", each)
            for each in node.args
        ]
        return ast.Call(node.func, args, node.keywords)
