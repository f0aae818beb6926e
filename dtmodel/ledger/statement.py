"""Executable statements as English sentences with LaTeX: the scenario, variables, definitions, hypotheses, conclusions.

The text is written from the form that runs, in the order of a theorem: runs, "Let", "Suppose that", "Then". A variable
is written with its domain where it is mentioned first. A definition that is used once stands in its place. A relation
is told in words where a word of the vocabulary has them, and as a formula otherwise.

A vocabulary may attach three functions to a word: `scene` tells what runs, `relation` tells a comparison of an
observable with a value, and `fact` tells an observable that is true or false.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cached_property, lru_cache

from dtmodel.base.expressions import Expression, binds, free_names
from dtmodel.base.mathtext import latex_words, symbol_of
from dtmodel.ledger.claim import Claim
from dtmodel.ledger.formal import Bound, Formal, Variable, Vocabulary, Words, expressions_of
from dtmodel.ledger.formal_text import Level, Slot, Writer, head_of, used_names
from dtmodel.ledger.hunting import targets

_LARGEST = 60
"""The most nodes of a definition that is written in its place."""
_SIGNS: Mapping[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.In: "in",
    ast.NotIn: "not in",
}  # fmt: skip
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}
_DENIED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "==", "in": "not in", "not in": "in"}
_SHOWN = {
    "<": "<", "<=": r"\leq", ">": ">", ">=": r"\geq", "==": "=", "!=": r"\neq", "in": r"\in", "not in": r"\notin",
}  # fmt: skip


def statement(
    printed: Formal, vocabulary: Vocabulary | None = None, other: Formal | None = None, *, repaired: bool = False
) -> str:
    r"""Write a statement in English, with LaTeX between dollar signs.

    `other` is the form under an assumption, whose additional parts are marked as ``[+ ... +]``, or (if `repaired`) the
    form whose misprint is mended: where they differ, it says ``[~ printed -> repaired ~]``.

    >>> from dtmodel.ledger.formal import read_formal
    >>> print(statement(read_formal("for M : int 1..4; R > 0; let s = M*R; where s < 6; then R < 6/M")))
    Let $1 \leq M \leq 4$ be whole, and let $R > 0$. Suppose that $M R < 6$. Then $R < \frac{6}{M}$.
    """
    if other is None:
        return Teller(printed, vocabulary or {}).text()
    if repaired:
        old, new = (Teller(formal, vocabulary or {}).text() for formal in (printed, other))
        return _differences(old, new)
    return Teller(other, vocabulary or {}, printed).text()


def unsaid(formal: Formal, vocabulary: Vocabulary | None = None) -> list[str]:
    """Return the parts of a form that its statement does not depend on: bounds, definitions, hypotheses and the like.

    Each part gets a mark of its own, as in ``mark1 + M`` and ``mark2 and R > C``, which must be in the text. The end of
    a run is left out where it plays no part.

    >>> from dtmodel.ledger.formal import read_formal
    >>> unsaid(read_formal("for M : int 1..4; R > 0; let s = M*R; where s < 6; then R < 6/M"))
    []
    """
    marks = _Marks()
    teller = Teller(formal, vocabulary or {})
    runs = {name: marks.run(name, formal.values[name], ends=teller.ends) for name in teller.runs}
    used = used_names(formal) - set(formal.runs)
    marked = replace(
        formal,
        variables=tuple(marks.variable(each) for each in formal.variables),
        values={name: marks.value(name, body) if name in used else runs.get(name, body)
                for name, body in formal.values.items()},
        sequences={name: (index, marks.value(name, body) if name in used else body)
                   for name, (index, body) in formal.sequences.items()},
        hypotheses=tuple(replace(each, relation=marks.relation(each.relation)) for each in formal.hypotheses
                         if not each.of),
        conclusions=tuple(map(marks.relation, formal.conclusions)),
        occasion=formal.occasion and (*formal.occasion[:2], marks.relation(formal.occasion[2])),
    )  # fmt: skip
    text = Teller(marked, vocabulary or {}).text()
    return [part for name, part in marks.parts.items() if symbol_of(name) not in text]


def statement_of(claim: Claim, preludes: Mapping[str, str], words: Words | None = None) -> str:
    r"""Write the statement of a claim from its executable forms; its sentence if it has none.

    An assumption is inserted as ``[+ ... +]``, a misprint and its repair as ``[~ printed -> repaired ~]``. `words`:
    returns the vocabulary of a form, with the phrases; a word that it does not have raises `InputError`.

    >>> said = "for x >= 0; then x > 0"
    >>> claim = Claim("x.y", "here", "ours", "", "holds-under-assumption", formal=said,
    ...               formal_assumption="where x != 0")
    >>> print(statement_of(claim, {}))
    Let $x \geq 0$.[+ Suppose that $x \neq 0$.+] Then $x > 0$.
    """
    if not claim.formal:
        return claim.statement
    undecided = claim.verdict in ("inconsistent", "not-checkable")  # the hunt has no target then, and the form is shown
    shown = replace(claim, verdict="refuted") if undecided else claim
    forms = {target.form: target.formal for target in targets([shown], preludes, words)}
    other = forms.get("assumed") or forms.get("repaired")
    vocabulary = words(other or forms["printed"]) if words else {}
    return statement(forms["printed"], vocabulary, other, repaired="repaired" in forms)


def unsaid_of(claim: Claim, preludes: Mapping[str, str], words: Words) -> list[str]:
    """Return the parts of the executable forms of a claim that its statement does not depend on."""
    found = [(each.form, unsaid(each.formal, words(each.formal))) for each in targets([claim], preludes, words)]
    return [f"{part} of the {form} form" for form, parts in found for part in parts]


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
        return self._sum(f"{name} = {body.text}", body)

    def _sum(self, part: str, body: Expression) -> Expression:
        tree = body.tree
        if isinstance(tree, ast.IfExp):
            first, second = (ast.BinOp(self._mark(part), ast.Add(), each) for each in (tree.body, tree.orelse))
            return Expression(body.text, ast.IfExp(tree.test, first, second))
        return Expression(body.text, ast.BinOp(self._mark(part), ast.Add(), tree))

    def variable(self, variable: Variable) -> Variable:
        bounds = [Bound(each.sign, self._sum(variable.supposed(each), each.value)) for each in variable.bounds]
        length = variable.length and self._sum(f"the length of {variable.name}", variable.length)
        return replace(variable, bounds=tuple(bounds), length=length)

    def run(self, name: str, body: Expression, *, ends: bool) -> Expression:
        tree = body.tree
        if not isinstance(tree, ast.Call):
            return self.value(name, body)
        keywords = [
            ast.keyword(each.arg, ast.BinOp(self._mark(f"{each.arg} of {name}"), ast.Add(), each.value))
            if ends or each.arg != "until" else each for each in tree.keywords
        ]  # fmt: skip
        return Expression(body.text, ast.Call(tree.func, [self._groups(name, each) for each in tree.args], keywords))

    def _groups(self, run: str, node: ast.expr) -> ast.expr:
        """Mark the arguments of the calls in a list, such as the groups of queues of a run."""
        if isinstance(node, ast.List):
            return ast.List([self._groups(run, each) for each in node.elts])
        if not isinstance(node, ast.Call) or binds(node):
            return node
        numbers = [not isinstance(each, ast.Constant | ast.List) for each in node.args]
        args = [
            ast.BinOp(self._mark(f"{ast.unparse(each)} in a group of {run}"), ast.Add(), each) if number else each
            for each, number in zip(node.args, numbers, strict=True)
        ]
        return ast.Call(node.func, args, node.keywords)


def listed(parts: Sequence[str]) -> str:
    """Join parts by commas and "and".

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


class Teller:
    """Tells one statement; words of the vocabulary use its methods to write their arguments."""

    def __init__(self, formal: Formal, vocabulary: Vocabulary, base: Formal | None = None) -> None:
        self.formal, self.vocabulary, self.base = formal, vocabulary, base or formal
        self.domains = {variable.name: variable for variable in formal.variables}
        self.told: set[str] = set()
        self.observed: dict[str, None] = {}
        self.many: ast.expr | None = None  # the number of queues of the group that is told
        said = [expression for expression, _ in expressions_of(formal)]
        names = [*self.domains, *formal.values, *formal.sequences]
        self.writer = Writer(vocabulary, names, said)
        self.index = self.writer.unused()
        self._used = used_names(formal)
        self.runs = [name for name in formal.runs if name in self._used]

    def text(self) -> str:
        """Return the whole statement."""
        scenes = self._scenes()
        suppose, added = self._hypotheses()
        conclusions = self._conclusions()
        needed = self._definitions(self._base_definitions)
        extra = self._definitions(set(self._kept) - self._base_definitions)
        lets = self._lets()
        inserted = " ".join([*extra, *([added] if added and not suppose else [])])
        text = " ".join([*scenes, *lets, *needed]) + (f"[+ {inserted}+]" if inserted else "")
        text += f" {suppose}{added}." if suppose else ""
        return f"{text} {conclusions}{self._glosses()}".strip()

    # The names.

    @cached_property
    def ends(self) -> bool:
        """True if the end of the runs plays a part in the statement."""
        free = [each.relation for each in self.formal.hypotheses if not each.of]
        return any(_looks_at_the_end(expression.tree, top=False) for expression in free) or any(
            _looks_at_the_end(expression.tree, top=True)
            for expression in (*self.formal.conclusions, *self._defined.values())
        )

    @cached_property
    def _defined(self) -> dict[str, Expression]:
        values = {name: value for name, value in self.formal.values.items() if name not in self.formal.runs}
        bodies = {name: body for name, (_, body) in self.formal.sequences.items()}
        return {name: body for name, body in {**values, **bodies}.items() if name in self._used}

    @cached_property
    def _said(self) -> list[ast.AST]:
        """The trees that are written, without definitions: bounds, hypotheses, runs and conclusions."""
        formal = self.formal
        said: list[ast.AST] = [expression.tree for expression in formal.conclusions]
        said += [each.relation.tree for each in formal.hypotheses if not each.of]
        said += [bound.value.tree for variable in formal.variables for bound in variable.bounds]
        said += [each.tree for variable in formal.variables for each in (variable.length, variable.letters) if each]
        said += [formal.occasion[2].tree] if formal.occasion else []
        for name in self.runs:
            said += self._of_run(formal.values[name].tree)
        return said

    def _of_run(self, tree: ast.expr) -> list[ast.AST]:
        if not isinstance(tree, ast.Call) or self.ends:
            return [tree]
        return [*tree.args, *(each.value for each in tree.keywords if each.arg != "until")]

    @cached_property
    def _inlined(self) -> dict[str, ast.expr]:
        """The definitions that are written in their place: used once, short, and with no name that is bound there."""
        trees = [*self._said, *_alike([body.tree for body in self._defined.values()])]
        counts = Counter[str]()
        bound = {index for index, _ in self.formal.sequences.values()}
        for tree in trees:
            found = _parts(tree)
            counts.update(found.names)
            bound |= found.bound
        return {
            name: value.tree
            for name, value in self.formal.values.items()
            if name in self._defined
            and counts[name] == 1
            and _parts(value.tree).size <= _LARGEST
            and name not in bound
            and not free_names(value) & bound
            and not isinstance(value.tree, ast.IfExp)
        }

    @cached_property
    def _kept(self) -> dict[str, Expression]:
        return {name: body for name, body in self._defined.items() if name not in self._inlined}

    @cached_property
    def _base_definitions(self) -> set[str]:
        return set(self._kept) & (self._used if self.base is self.formal else used_names(self.base))

    # What words of the vocabulary need.

    def placed(self, node: ast.expr) -> ast.expr:
        """Return an expression with the definitions that are written in their place."""
        if isinstance(node, ast.Name) and node.id in self._inlined:
            return self.placed(self._inlined[node.id])
        return node

    def resolved(self, node: ast.expr) -> ast.expr:
        """Return the definition of a name, and any other expression unchanged."""
        if isinstance(node, ast.Name) and node.id in self.formal.values:
            return self.resolved(self.formal.values[node.id].tree)
        return node

    def raw(self, node: ast.AST, level: Level = Level.RANGE) -> str:
        """Write an expression as LaTeX without dollar signs."""
        self.writer.placed = self._inlined
        self._observe(node)
        return self.writer.write(node, level)

    def _observe(self, node: ast.AST) -> None:
        found = _parts(node)
        self.observed |= found.functions
        for name in self._inlined.keys() & found.names.keys():
            self._observe(self._inlined[name])

    def math(self, node: ast.AST, level: Level = Level.ANY) -> str:
        """Write an expression as LaTeX between dollar signs."""
        return f"${self.raw(node, level)}$"

    def first(self, node: ast.expr, name: str = "", *, counts: bool = False) -> str:
        """Write a value, with its domain if it is a variable that was not mentioned; `name` is the symbol it sets.

        The domain of a whole number is told here only if it has one bound and `counts` something.
        """
        shown = symbol = self.raw(node)
        known = self._untold(node)
        if known and (len(known.bounds) < 2 if counts else known.kind == "rat"):
            self.told.add(known.name)
            shown = self._bounded(symbol, known.bounds)
            if name and name != symbol and len(known.bounds) > 1:
                return f"${name} = {symbol}$, ${shown}$"
        return f"${name} = {shown}$" if name and name != symbol else f"${shown}$"

    def _untold(self, node: ast.expr) -> Variable | None:
        """Return the variable, or the list of which an element is mentioned, if its domain was not told."""
        part = isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name)
        name = node.value if isinstance(node, ast.Subscript) and part else node
        known = self.domains.get(name.id) if isinstance(name, ast.Name) else None
        if known is None or known.name in self.told or known.words or known.letters:
            return None
        if not part:
            return None if known.length else known
        return known if known.length and _same(known.length.tree, self.many) else None

    def _glosses(self) -> str:
        """Write the meaning of each observable that stands in a formula."""
        parts = []
        for name in self.observed:
            if gloss := getattr(self.vocabulary.get(name), "gloss", None):
                text, *places = gloss
                phrase = self.writer.phrases.get(name)
                slots = [Slot(place, place) for place in places]
                shown = phrase(*slots) if phrase else rf"{head_of(name)}({', '.join(places)})"
                parts.append(f"${shown}$ is {text}")
        return f" (Here {'; '.join(parts)}.)" if parts else ""

    def bounds_of(self, name: str) -> str:
        """Write the bounds of an element of a list with as many elements as queues of a group; later its symbol."""
        known, many = self.domains[name], self.many
        element = self.writer.element(name, self.index)
        if name in self.told or known.kind != "rat" or not known.length or not _same(known.length.tree, many):
            return f"${element}$"
        self.told.add(name)
        return f"${self._bounded(element, known.bounds)}$"

    def _bounded(self, symbol: str, bounds: Sequence[Bound]) -> str:
        values = [(each.sign, self.raw(each.value.tree)) for each in bounds]
        if [sign[0] for sign, _ in values] == [">", "<"]:
            (low, least), (high, most) = values
            return rf"{least} {_SHOWN[_TURNED[low]]} {symbol} {_SHOWN[high]} {most}"
        return r" \land ".join(f"{symbol} {_SHOWN[sign]} {value}" for sign, value in values) or symbol

    # The sentences.

    def _scenes(self) -> list[str]:
        scenes: list[str] = []
        ends: dict[str, list[str]] = {}
        for name in self.runs:
            call = self.formal.values[name].tree
            word = self.vocabulary.get(ast.unparse(call.func)) if isinstance(call, ast.Call) else None
            tell = getattr(word, "scene", None)
            scenes.append(tell(self, name, call) if tell else f"Let ${self.writer.symbol(name)}$ be {self.math(call)}.")
            if self.ends and isinstance(call, ast.Call):
                for each in call.keywords:
                    if each.arg == "until":
                        ends.setdefault(self.math(each.value), []).append(f"${self.writer.symbol(name)}$")
        if len(ends) == 1 and len(self.runs) > 1:
            return [*scenes, f"The runs end at {next(iter(ends))}."]
        alone = len(self.runs) == 1
        return scenes + [f"The run{'' if alone else f' {listed(names)}'} ends at {end}." for end, names in ends.items()]

    def _lets(self) -> list[str]:
        untold = [variable for name, variable in self.domains.items() if name not in self.told]
        words = [variable for variable in untold if variable.words or variable.letters]
        wholes, others = (self._domains([each for each in untold if each.kind == kind]) for kind in ("int", "rat"))
        told = [f"let {listed(wholes)} be whole"] if wholes else []
        told += [f"let {listed(others)}"] if others else []
        sentences = [f"L{', and '.join(told)[1:]}"] if told else []
        return [f"{text}." for text in (*sentences, *(f"Let {self._domain(each)}" for each in words))]

    def _domains(self, variables: Iterable[Variable]) -> list[str]:
        """Write the domains of variables, those with the same one together: ``$a, b > 0$``."""
        alike: dict[tuple[str, str], list[str]] = {}
        for each in variables:
            symbol = self.writer.symbol(each.name)
            if each.length is not None:
                symbol = self.writer.element(each.name, self.writer.unused())
            left, _, right = self._domain(each).partition(symbol)
            alike.setdefault((left, right), []).append(symbol)
        return [f"{left}{', '.join(symbols)}{right}" for (left, right), symbols in alike.items()]

    def _domain(self, variable: Variable) -> str:
        name = self.writer.symbol(variable.name)
        if variable.letters is not None and variable.length is not None:
            most = self.math(variable.length.tree)
            return f"${name}$ be a sequence of at most {most} events, each of them {self._letters(variable)}"
        many = ""
        if variable.length is not None:
            index = self.writer.unused()
            many = rf" for $1 \leq {index} \leq {self.raw(variable.length.tree, Level.SUM)}$"
            name = self.writer.element(variable.name, index)
        if variable.kind == "oneof":
            words = [rf"$\text{{{latex_words(chr(34) + word + chr(34))}}}$" for word in variable.words]
            return f"${name}$ be {' or '.join(words)}{many}"
        return f"${self._bounded(name, variable.bounds)}${many}"

    def _letters(self, variable: Variable) -> str:
        tell = getattr(self.vocabulary.get("event"), "letter", None)
        letters = variable.letters.tree if variable.letters else ast.List([])
        return str(tell(self, letters)) if tell else f"of {self.math(letters)}"

    def _definitions(self, names: Iterable[str]) -> list[str]:
        """Write definitions, those with one condition together."""
        order = [name for name in self._kept if name in set(names)]
        plain = [name for name in order if not isinstance(self._kept[name].tree, ast.IfExp)]
        plain = [name for name in plain if name not in self.formal.sequences]
        sentences = [f"Let {listed([self._equal(name, self._kept[name].tree) for name in plain])}."] if plain else []
        sentences += [self._sequence(name) for name in order if name in self.formal.sequences]
        cases: dict[str, list[str]] = {}
        for name in order:
            tree = self._kept[name].tree
            if isinstance(tree, ast.IfExp) and name not in self.formal.sequences:
                cases.setdefault(ast.dump(tree.test), []).append(name)
        return sentences + [self._cases(alike) for alike in cases.values()]

    def _sequence(self, name: str) -> str:
        index, body = self.formal.sequences[name]
        if not self._true_or_false(body.tree):
            with self.writer.inner(index) as symbol:
                return f"Let ${self.writer.element(name, symbol)} = {self.raw(body.tree, Level.ANY)}$."
        with self.writer.inner(index) as symbol:
            return f"Let ${self.writer.element(name, symbol)}$ mean that {self.said(body.tree)}."

    def _cases(self, names: Sequence[str]) -> str:
        trees = [tree for name in names if isinstance(tree := self._kept[name].tree, ast.IfExp)]
        first = listed([self._equal(name, tree.body) for name, tree in zip(names, trees, strict=True)])
        second = listed([self._equal(name, tree.orelse) for name, tree in zip(names, trees, strict=True)])
        return f"Let {first} if {self.said(trees[0].test)}; otherwise {second}."

    def _equal(self, name: str, value: ast.expr) -> str:
        if self._true_or_false(value):
            return f"${self.writer.symbol(name)}$ mean that {self.said(value)}"
        return f"${self.writer.symbol(name)} = {self.raw(value)}$"

    def _hypotheses(self) -> tuple[str, str]:
        """Write the hypotheses of the base form, and those that an assumption adds."""
        known = {each.text for each in self.base.hypotheses}
        own = [each.relation.tree for each in self.formal.hypotheses if not each.of and each.text in known]
        new = [each.relation.tree for each in self.formal.hypotheses if not each.of and each.text not in known]
        said, more = [self._supposed(tree) for tree in own], [self._supposed(tree) for tree in new]
        added = _joined(more)
        if not said:
            return "", f"Suppose that {added}." if added else ""
        complex_ = any("," in _outside(text) or " if " in text for text in (*said, *more))
        return f"Suppose that {_joined(said)}", f"[+{'; and that' if complex_ else ', and'} {added}+]" if added else ""

    def _supposed(self, tree: ast.expr) -> str:
        tree = self.placed(tree)
        if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And):
            return _joined([self.said(value) for value in tree.values])
        return self.said(tree)

    def _conclusions(self) -> str:
        formal = self.formal
        opening = ""
        if formal.occasion:
            step, run, when = formal.occasion
            with self.writer.inner(step) as k:
                which = "" if _is_any(when.tree, step) else f" such that {self._supposed(when.tree)}"
                opening = f"at each event ${k}$ of ${self.writer.symbol(run)}${which}: "
                said = self._concluded()
        else:
            said = self._concluded()
        return f"Then {opening}{'; and '.join(said)}."

    def _concluded(self) -> list[str]:
        alone = len(self.formal.conclusions) == 1
        return [self.said(each.tree, top=alone) for each in self.formal.conclusions]

    # Relations in words.

    def said(self, node: ast.expr, *, denied: bool = False, top: bool = False) -> str:
        """Tell a relation, or its denial, as a clause; `top`: it stands alone, so that a condition may follow."""
        node = self.placed(node)
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.said(operand, denied=not denied, top=top)
            case ast.BoolOp(op=op, values=values):
                both = isinstance(op, ast.And) != denied
                parts = [self.said(value, denied=denied) for value in values]
                if both and top:
                    return _both(parts)
                parts = [_enclosed(part) for part in parts]
                if both:
                    return f"both {parts[0]} and {parts[1]}" if len(parts) == 2 else f"({' and '.join(parts)})"
                return f"either {' or '.join(parts)}"
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _SIGNS:
                return self._compared(left, _SIGNS[type(op)], right, denied=denied)
            case ast.IfExp(test=test, body=body, orelse=orelse) if self._true_or_false(body):
                first, second = self.said(body, denied=denied, top=top), self.said(orelse, denied=denied, top=top)
                comma = "," if _is_compound(first) else ""
                return f"{first}{comma} if {self.said(test)}{';' if top else ', and'} otherwise {second}"
            case ast.Call(func=ast.Name(id="each" | "some" as name)) if binds(node):
                return self._quantified(name, node, denied=denied)
            case ast.Call(func=ast.Name(id=name), args=args) if not node.keywords:
                fact = getattr(self.vocabulary.get(name), "fact", None)
                if fact and (told := fact(self, denied, *map(self.placed, args))):
                    return str(told)
        return f"{'not ' if denied else ''}{self.math(node, Level.RELATION)}"

    def _compared(self, left: ast.expr, sign: str, right: ast.expr, *, denied: bool) -> str:
        left, right = self.placed(left), self.placed(right)
        if self._true_or_false(left) or self._true_or_false(right):
            first, second = (f"({told})" if _is_compound(told) else told for told in map(self.said, (left, right)))
            return f"{first} {'if and only if' if (sign == '==') != denied else 'or else'} {second}"
        sign = _DENIED[sign] if denied else sign
        if part := self._part_of_event(left, sign, right):
            return part
        never = isinstance(right, ast.Name) and right.id == "never" and not isinstance(left, ast.Call)
        if never and sign in ("==", "!=", "<"):
            return f"the time ${self.raw(left)}$ {'never ' if sign == '==' else ''}comes"
        for side, other, turned in ((left, right, sign), (right, left, _TURNED.get(sign, ""))):
            if isinstance(side, ast.Call) and not side.keywords:
                relation = getattr(self.vocabulary.get(ast.unparse(side.func)), "relation", None)
                if relation and (told := relation(self, turned, other, *map(self.placed, side.args))):
                    return str(told)
        return f"${self.raw(left)} {_SHOWN[sign]} {self.raw(right)}$"

    def _part_of_event(self, part: ast.expr, sign: str, value: ast.expr) -> str:
        """Tell a comparison of ``E[k][n]`` or ``event(x, k)[n]``."""
        tell = getattr(self.vocabulary.get("event"), "part", None)
        match part:
            case ast.Subscript(
                value=ast.Subscript(value=ast.Name(id=name), slice=k), slice=ast.Constant(value=int() as n)
            ):
                if tell and name in self.domains and self.domains[name].letters:
                    return str(tell(self, sign, value, k, n))
            case ast.Subscript(
                value=ast.Call(func=ast.Name(id="event"), args=[_, k]), slice=ast.Constant(value=int() as n)
            ):
                if tell:  # the time of the event stands second
                    return str(tell(self, sign, value, k, n if n == 1 else n - 1 if n > 2 else 0))
        return ""

    def _true_or_false(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            return name in ("each", "some") or hasattr(self.vocabulary.get(name), "fact")
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            _, body = self.formal.sequences.get(node.value.id, ("", None))
            return body is not None and isinstance(body.tree, ast.Compare | ast.BoolOp)
        if isinstance(node, ast.IfExp):
            return self._true_or_false(node.body)
        return isinstance(node, ast.Compare | ast.BoolOp) or (
            isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
        )

    def _quantified(self, name: str, node: ast.Call, *, denied: bool) -> str:
        domain, body = node.args[1], node.args[2]
        every = (name == "each") != denied
        with self.writer.inner(binds(node)) as symbol:
            if every and (others := _but_one(body, binds(node), denied=denied)):
                but, rest = others
                return rf"{self.said(rest)} for all ${symbol} \neq {self.raw(but)}${self._members(domain)}"
            clause = self.said(body, denied=denied)
            which = f"for {'each' if every else 'some'} ${symbol}${self._members(domain)}"
            return f"{which} {clause}" if _is_compound(clause) else f"{clause} {which}"

    def _members(self, domain: ast.expr) -> str:
        if isinstance(domain, ast.BinOp) and isinstance(domain.op, ast.BitOr):
            return f" from ${self.raw(domain.left, Level.SUM)}$ to ${self.raw(domain.right, Level.SUM)}$"
        return f" in {self.math(domain)}"


@dataclass(frozen=True)
class _Found:
    """The names in a tree with their numbers, the functions that it calls, the names that it binds, and its nodes."""

    names: Counter[str]
    functions: Mapping[str, None]
    bound: frozenset[str]
    size: int


@lru_cache(maxsize=50_000)
def _parts(tree: ast.AST) -> _Found:
    """Return the parts of a parsed tree, which nothing alters."""
    nodes = list(ast.walk(tree))
    called = [node for node in nodes if type(node) is ast.Call]
    names = Counter(node.id for node in nodes if type(node) is ast.Name)
    functions = {node.func.id: None for node in called if isinstance(node.func, ast.Name)}
    return _Found(names, functions, frozenset(map(binds, called)) - {""}, len(nodes))


def _alike(trees: Iterable[ast.expr]) -> Iterator[ast.AST]:
    """Yield trees, and the parts of conditional values, each condition once."""
    tests: set[str] = set()
    for tree in trees:
        if not isinstance(tree, ast.IfExp):
            yield tree
            continue
        yield from (tree.body, tree.orelse)
        if ast.dump(tree.test) not in tests:
            tests.add(ast.dump(tree.test))
            yield tree.test


def _but_one(body: ast.expr, name: str, *, denied: bool) -> tuple[ast.expr, ast.expr] | None:
    """Read ``j == k or P`` as the value that is excepted and the rest."""
    match body:
        case ast.BoolOp(op=ast.Or(), values=[ast.Compare(ops=[ast.Eq()], left=left, comparators=[right]), rest]):
            if not denied and isinstance(left, ast.Name) and left.id == name:
                return right, rest
    return None


def _looks_at_the_end(tree: ast.expr, *, top: bool) -> bool:
    """True if a relation may depend on the end of a run: a time that is later or never, or the instants of a run."""
    if top and isinstance(tree, ast.BoolOp | ast.IfExp):
        return any(
            _looks_at_the_end(part, top=True) for part in ast.iter_child_nodes(tree) if isinstance(part, ast.expr)
        )
    if top and isinstance(tree, ast.Call) and binds(tree):
        return _looks_at_the_end(tree.args[1], top=False) or _looks_at_the_end(tree.args[2], top=True)
    if top and isinstance(tree, ast.Compare) and len(tree.ops) == 1:
        never = isinstance(tree.comparators[0], ast.Name) and tree.comparators[0].id == "never"
        if isinstance(tree.ops[0], ast.Lt) and never:
            return False
        if isinstance(tree.ops[0], ast.Eq) and not never:
            return any(_looks_at_the_end(side, top=False) for side in (tree.left, *tree.comparators))
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in ("never", "instants"):
            return True
        if isinstance(node, ast.Compare) and any(_is_a_time(side) for side in (node.left, *node.comparators)):
            return True
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("lost", "sent") and len(node.args) == 2:
            return True
    return False


def _is_a_time(node: ast.expr) -> bool:
    return any(isinstance(each, ast.Call) and ast.unparse(each.func) in ("drop", "full") for each in ast.walk(node))


def _same(one: ast.expr, other: ast.expr | None) -> bool:
    return other is not None and ast.dump(one) == ast.dump(other)


def _outside(text: str) -> str:
    """Return the words of a text without its formulas."""
    return "".join(text.split("$")[::2])


def _joined(parts: Sequence[str]) -> str:
    complex_ = any("," in _outside(text) or " if " in text or "; " in text for text in parts)
    return (
        "; and that ".join(parts)
        if complex_
        else " and that ".join(filter(None, (", that ".join(parts[:-1]), *parts[-1:])))
    )


def _enclosed(text: str) -> str:
    """Put a clause with parts into parentheses, unless it begins and ends as one."""
    return f"({text})" if _is_compound(text) and not text.startswith(("both ", "(")) else text


def _is_compound(text: str) -> bool:
    """True if a clause has parts, so that words before or after it could be taken for one of them."""
    return any(word in f" {_outside(text)} " for word in (" and ", " or ", " if ", " for ", "; "))


def _is_any(tree: ast.expr, step: str) -> bool:
    """True for ``k > 0``, which every event satisfies."""
    return ast.unparse(tree) == f"{step} > 0"


def _both(parts: Sequence[str]) -> str:
    return ", and ".join(parts) if len(parts) < 3 else f"{', '.join(parts[:-1])}, and {parts[-1]}"


def _differences(old: str, new: str) -> str:
    """Mark the words that a repair replaces."""
    before, after = _words(old), _words(new)
    parts = []
    for kind, i, j, k, n in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        same, other = " ".join(before[i:j]), " ".join(after[k:n])
        parts.append(same if kind == "equal" else f"[~ {same} -> {other} ~]")
    return " ".join(parts)


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
