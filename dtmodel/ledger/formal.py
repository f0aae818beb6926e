"""Executable statements: claims in a language that is read, run and printed.

A statement declares variables with domains, names values, supposes hypotheses and concludes a relation. One line each,
continued by indentation, items set apart by semicolons::

    for   a > 0; B > 0; C > 0; M : int >= 1; N : int >= 0; R > C; Rb >= C
    let   t1 = a*B/((1+a*(M+N))*(R-C))
    where R <= C*(1+(1+a*N)/(a*M))
    run   x = dt([bursts(M, R, t1), steady(N, Rb)], until = 2*t1, alpha = a)
    then  each(i, 1..M, drop(x, i) == never)

====== =======================================================================================================
for    a variable and its domain: ``R > C``, ``C < R <= rho``, ``M : int 1..4``, ``N : int >= 0``,
       ``mode : oneof "mean", "sum"``, ``R : list(M) > C`` (of whole numbers ``list(M) int >= 1``),
       ``E : word(8) of [["arrive", "small", 1], ["depart", "any"]]``: up to 8 of these events in any order
try    variables whose largest values and lengths bound the search alone, because a theorem is proved for all
let    a name for a value; values are computed when they are used, so their order is free
seq    ``t[k] = ...``: a name for a value for each k; it may use ``t[k-1]``
where  a hypothesis
run    a name for a run of an engine; a vocabulary has the words for engines and for observables of a run
on     ``k of x: relation``: the conclusion is evaluated at each step k of the run x at which the relation holds
then   the conclusion; several are joined by "and"
====== =======================================================================================================
"""

from __future__ import annotations

import ast
import re
from collections import ChainMap
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, cached_property
from inspect import signature
from typing import Any

from dtmodel.base.errors import BudgetError, InputError, one_of
from dtmodel.base.expressions import Expression, Undefined, bound, calls, evaluate, free_names, parse
from dtmodel.ledger.signs import TURNED

Vocabulary = Mapping[str, Callable[..., Any]]
"""The words for engines and observables; a word with a parameter ``scope`` receives the names of the statement."""

Words = Callable[["Formal"], Vocabulary]
"""A function that returns the vocabulary of a statement."""


@dataclass(frozen=True)
class Bound:
    """One bound of a variable: ``>``, ``>=``, ``<`` or ``<=``, and an expression in the names declared before.

    `tried`: it bounds the search alone.
    """

    sign: str
    value: Expression
    tried: bool = False


@dataclass(frozen=True)
class Variable:
    """A variable of `kind` ``"rat"``, ``"int"``, ``"oneof"`` (of `words`) or ``"word"`` (of `letters`).

    `bounds` are those of the variable, or of each element of a list; `length` is that of a list, or the greatest of a
    word; `tried`: the length of a word bounds the search alone.
    """

    name: str
    kind: str
    bounds: tuple[Bound, ...] = ()
    words: tuple[str, ...] = ()
    length: Expression | None = None
    letters: Expression | None = None
    tried: bool = False

    def supposed(self, bound: Bound) -> str:
        """Write a bound as a hypothesis."""
        if self.length is None:
            return f"{self.name} {bound.sign} {bound.value.text}"
        return f"each(element, {self.name}, element {bound.sign} {bound.value.text})"


@dataclass(frozen=True)
class Hypothesis:
    """A relation that is supposed; `of` is the variable that it bounds, or empty; `kind`: it states the kind."""

    text: str
    relation: Expression
    of: str = ""
    kind: bool = False


@dataclass(frozen=True)
class Truth:
    """The truth of a statement in one instance; `holds` is None if it does not apply, and `why` says why.

    `undefined` is true if the hypotheses hold and a conclusion has no value.
    """

    holds: bool | None
    why: str = ""
    undefined: bool = False
    occasions: int = 1


@dataclass(frozen=True)
class Formal:
    """An executable statement of a claim."""

    text: str
    variables: tuple[Variable, ...]
    values: Mapping[str, Expression]
    sequences: Mapping[str, tuple[str, Expression]]
    hypotheses: tuple[Hypothesis, ...]
    conclusions: tuple[Expression, ...]
    occasion: tuple[str, str, Expression] | None = None
    runs: tuple[str, ...] = field(default=())

    def without(self, hypothesis: Hypothesis) -> Formal:
        """Return the statement without one hypothesis."""
        return replace(self, hypotheses=tuple(item for item in self.hypotheses if item != hypothesis))

    def uses(self, expression: Expression) -> frozenset[str]:
        """Return the variables that an expression uses, also through values, runs and sequences."""
        return self.reached(*free_names(expression)) & {variable.name for variable in self.variables}

    def reached(self, *names: str) -> frozenset[str]:
        """Return the names and all names in their definitions."""
        seen: set[str] = set()
        left = set(names)
        while left:
            seen.add(item := left.pop())
            if item in self.definitions:
                left |= free_names(self.definitions[item]) - seen
        return frozenset(seen)

    @cached_property
    def definitions(self) -> Mapping[str, Expression]:
        """The values, and the formulas of sequences."""
        return {**self.values, **{name: body for name, (_, body) in self.sequences.items()}}

    @cached_property
    def narrowings(self) -> Mapping[str, tuple[tuple[str, Expression, frozenset[str]], ...]]:
        """The bounds that hypotheses set to each variable, with the variables that each bound depends on."""
        found: dict[str, tuple[tuple[str, Expression, frozenset[str]], ...]] = {}
        for variable in self.variables:
            if variable.length is None:
                read = [bound(item.relation, variable.name) for item in self.hypotheses if not item.of]
                needs = [(*one, self.uses(one[1])) for one in read if one]
                found[variable.name] = tuple(one for one in needs if variable.name not in one[2])
        return found


class Instance(Mapping[str, Any]):
    """The names of a statement for one choice of its variables; definitions and runs are computed on first use."""

    def __init__(self, formal: Formal, assignment: Mapping[str, Any], vocabulary: Vocabulary) -> None:
        self.formal = formal
        self.assignment = assignment
        self._vocabulary = vocabulary
        self._known: dict[str, Any] = dict(assignment)
        self._words = {name: self._bound(word) for name, word in vocabulary.items()}
        self._open: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        if name not in self._known:
            if name in self.formal.values:
                if name in self._open:
                    raise InputError("let", name, "a value that does not need itself")
                self._open.add(name)
                self._known[name] = self.value(self.formal.values[name])
            elif name in self.formal.sequences:
                self._known[name] = self._sequence(*self.formal.sequences[name])
            else:
                raise KeyError(name)
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**self.assignment, **self.formal.definitions})

    def __len__(self) -> int:
        return len(set(self))

    def value(
        self, expression: Expression, scope: Mapping[str, Any] | None = None, slacks: list[Fraction] | None = None
    ) -> Any:
        """Evaluate an expression in the names of the instance."""
        return evaluate(expression, self if scope is None else scope, self._words, slacks)

    def altered(self, formal: Formal) -> Instance:
        """Return the same choice for another statement; values with the same definition are not computed again."""
        other = Instance(formal, self.assignment, self._vocabulary)
        before = self.formal.definitions
        changed = {name for name, body in formal.definitions.items() if before.get(name) is not body}
        other._known |= {name: value for name, value in self._known.items() if not changed & formal.reached(name)}
        return other

    def supposed(self) -> str:
        """Return the first hypothesis that fails here or has no value; empty if all hold."""
        return next((item.text for item in self.formal.hypotheses if not self.fulfils(item)), "")

    def fulfils(self, hypothesis: Hypothesis) -> bool:
        """Return true if a hypothesis has a value here and is true."""
        try:
            return self.value(hypothesis.relation) is True
        except (Undefined, InputError):
            return False

    def truth(self) -> Truth:
        """Return the truth of the statement in this instance."""
        failed = self.supposed()
        return Truth(None, failed) if failed else self.concluded()

    def concluded(self, slacks: list[Fraction] | None = None) -> Truth:
        """Return the truth of the conclusion here, without checking the hypotheses; `slacks` is as for `evaluate`."""
        try:
            if self.formal.occasion:
                return self._at_each_step(*self.formal.occasion, slacks)
            for conclusion in self.formal.conclusions:
                if self.value(conclusion, None, slacks) is not True:
                    return Truth(False, conclusion.text)
        except BudgetError as error:
            return Truth(None, str(error))  # the run is too long
        except (Undefined, InputError) as error:
            return Truth(False, str(error), undefined=True)
        return Truth(True)

    def _at_each_step(self, step: str, run: str, when: Expression, slacks: list[Fraction] | None) -> Truth:
        occasions = 0
        for number in range(1, len(self[run]) + 1):
            scope = self._inner(step, Fraction(number))
            if self.value(when, scope) is not True:
                continue
            occasions += 1
            for conclusion in self.formal.conclusions:
                if self.value(conclusion, scope, slacks) is not True:
                    return Truth(False, f"{conclusion.text} at step {number}", occasions=occasions)
        return Truth(True if occasions else None, "" if occasions else when.text, occasions=occasions)

    def _sequence(self, index: str, body: Expression) -> Callable[[Fraction], Any]:
        known: dict[Fraction, Any] = {}

        def element(number: Fraction) -> Any:
            if number not in known:
                known[number] = self.value(body, self._inner(index, number))
            return known[number]

        return element

    def _inner(self, name: str, value: Any) -> Mapping[str, Any]:
        return ChainMap({name: value}, self)  # type: ignore[arg-type]  # its first mapping alone is altered

    def _bound(self, word: Callable[..., Any]) -> Callable[..., Any]:
        if not getattr(word, "needs_scope", False):
            return word
        return lambda *arguments, **named: word(*arguments, scope=self, **named)


_KEYWORDS = ("for", "try", "let", "seq", "where", "run", "on", "then")
_KEYWORD = re.compile(rf"(?:^|;)\s*({'|'.join(_KEYWORDS)})\s+", re.MULTILINE)
_NAME = r"[A-Za-z][A-Za-z0-9_]*"
_DEFINED = "a name, =, and an expression"
_OCCASION = "'k of x: relation', the steps k of the run x at which the conclusion is asked"
_TYPED = re.compile(
    rf"({_NAME})\s*:\s*(?:list\((?P<length>.*?)\)\s*)?(?P<kind>int|rat|oneof|)\s*(?P<rest>.*)", re.DOTALL
)


@cache
def read_formal(text: str, field: str = "formal") -> Formal:
    """Read an executable statement.

    Raises `InputError` if a line cannot be read, a name is declared twice or not at all, or the conclusion is missing.
    """
    variables: dict[str, Variable] = {}
    values: dict[str, Expression] = {}
    sequences: dict[str, tuple[str, Expression]] = {}
    hypotheses: list[Hypothesis] = []
    conclusions: list[Expression] = []
    runs: list[str] = []
    tried: list[str] = []
    occasion: tuple[str, str, Expression] | None = None
    known = ChainMap[str, Any](variables, values, sequences)
    for keyword, items in _sections(text, field):
        for item in items:
            match keyword:
                case "for":
                    variable, supposed = _variable(item, known, field)
                    variables[_fresh(variable.name, known, field)] = variable
                    hypotheses += supposed
                case "try":
                    tried += item.replace(",", " ").split()
                case "let" | "run":
                    found = _matched(rf"({_NAME})\s*=(?!=)\s*(.+)", item, field, _DEFINED)
                    values[_fresh(found[1], known, field)] = parse(found[2], field)
                    runs += [found[1]] if keyword == "run" else []
                case "seq":
                    found = _matched(rf"({_NAME})\[({_NAME})\]\s*=(?!=)\s*(.+)", item, field, _DEFINED)
                    sequences[_fresh(found[1], known, field)] = (found[2], parse(found[3], field))
                case "where":
                    hypotheses.append(Hypothesis(item, parse(item, field)))
                case "on":
                    found = _matched(rf"({_NAME})\s+of\s+({_NAME})\s*:\s*(.+)", item, field, _OCCASION)
                    occasion = found[1], found[2], parse(found[3], field)
                case _:
                    conclusions.append(parse(item, field))
    if not conclusions or not variables:
        raise InputError(field, text, "at least one variable ('for') and one conclusion ('then')")
    variables |= {name: _tried(name, variables.get(name), field) for name in tried}
    formal = Formal(
        text, tuple(variables.values()), values, sequences, tuple(hypotheses), tuple(conclusions), occasion, tuple(runs)
    )
    _declared(formal, field)
    return formal


def called(formal: Formal) -> Iterator[str]:
    """Yield the functions that a statement takes from a vocabulary."""
    yield from (ast.unparse(call.func) for expression, _ in expressions_of(formal) for call in calls(expression))


def check_words(formal: Formal, vocabulary: Vocabulary, field: str) -> None:
    """Raise `InputError` for a function that a vocabulary does not have, and for arguments that it does not take."""
    for expression, _ in expressions_of(formal):
        for call in calls(expression):
            name = ast.unparse(call.func)
            if name not in vocabulary:
                raise InputError(field, name, one_of(vocabulary, name))
            try:
                named = [keyword.arg for keyword in call.keywords if keyword.arg]
                signature(vocabulary[name]).bind(*call.args, **dict.fromkeys(named))
            except TypeError as error:
                raise InputError(field, ast.unparse(call), f"the arguments of {name} ({error})") from error


def _sections(text: str, field: str) -> Iterator[tuple[str, list[str]]]:
    marks = list(_KEYWORD.finditer(text))
    if not marks or text[: marks[0].start()].strip():
        raise InputError(field, text.strip()[:60], f"lines that begin with {', '.join(_KEYWORDS)}")
    ends = [mark.start() for mark in marks[1:]] + [len(text)]
    for mark, end in zip(marks, ends, strict=True):
        items = [" ".join(item.split()) for item in text[mark.end() : end].split(";")]
        yield mark[1], [item for item in items if item]


def _matched(pattern: str, item: str, field: str, accepted: str) -> re.Match[str]:
    if found := re.fullmatch(pattern, item):
        return found
    raise InputError(field, item, accepted)


def _variable(item: str, known: Collection[str], field: str) -> tuple[Variable, list[Hypothesis]]:
    if re.match(rf"{_NAME}\s*:\s*word\b", item):
        return _word(item, field)
    typed = _TYPED.fullmatch(item)
    if typed is None:
        return _plain_variable(item, known, field)
    name, kind, rest = typed[1], typed["kind"] or "rat", typed["rest"].strip()
    length = parse(typed["length"], field) if typed["length"] else None
    if kind == "oneof":
        words = tuple(re.findall(r'"([^"]*)"', rest))
        if not words:
            raise InputError(field, item, 'words in quotes after oneof, such as oneof "sum", "mean"')
        variable = Variable(name, kind, words=words, length=length)
        listed = "[" + ", ".join(f'"{word}"' for word in words) + "]"
        texts = [f"{name} in {listed}"]
        if length is not None:
            texts = [f"len({name}) == {length.text}", f"each(element, {name}, element in {listed})"]
        return variable, [Hypothesis(text, parse(text, field), name, kind=True) for text in texts]
    bounds = tuple(_bounds(rest, field))
    variable = Variable(name, kind, bounds, length=length)
    supposed = [Hypothesis(text, parse(text, field), name) for text in map(variable.supposed, bounds)]
    kinds = [f"len({name}) == {length.text}"] if length is not None else []
    if kind == "int":
        whole = "{0} == floor({0})"
        kinds += [whole.format(name)] if length is None else [f"each(element, {name}, {whole.format('element')})"]
    return variable, supposed + [Hypothesis(text, parse(text, field), name, kind=True) for text in kinds]


def _word(item: str, field: str) -> tuple[Variable, list[Hypothesis]]:
    accepted = "a word such as E : word(8) of [[...], [...]]"
    found = _matched(rf"({_NAME})\s*:\s*word\((.+?)\)\s*of\s*(.+)", item, field, accepted)
    name, length, letters = found[1], parse(found[2], field), parse(found[3], field)
    texts = [f"len({name}) <= {length.text}", f"each(item, {name}, some(letter, {letters.text}, letter == item))"]
    supposed = [Hypothesis(text, parse(text, field), name, kind=True) for text in texts]
    return Variable(name, "word", length=length, letters=letters), supposed


def _tried(name: str, variable: Variable | None, field: str) -> Variable:
    """Return a variable with its largest value, a number, or its length as a bound of the search alone."""
    bounds = tuple(
        replace(each, tried=each.sign[0] == "<" and not free_names(each.value))
        for each in (variable.bounds if variable and variable.kind == "int" else ())
    )
    if variable is None or not (variable.letters or any(each.tried for each in bounds)):
        raise InputError(field, f"try {name}", "a variable that is a word, or a whole number with a largest value")
    return replace(variable, bounds=bounds, tried=variable.letters is not None)


def _plain_variable(item: str, known: Collection[str], field: str) -> tuple[Variable, list[Hypothesis]]:
    """Read ``R > C`` or ``C < R <= rho``: the variable is the first name alone on its side that is new."""
    sides = re.split(r"(<=|>=|<|>)", item)
    names = [(i, sides[i].strip()) for i in {3: (0, 2), 5: (2,)}.get(len(sides), ())]
    place = next((i for i, name in names if re.fullmatch(_NAME, name) and name not in known), None)
    if place is None:
        raise InputError(field, item, "a variable with its domain, such as R > C, C < R <= S, M : int 1..4")
    name = sides[place].strip()
    bounds = [Bound(TURNED[sides[place - 1]], parse(sides[place - 2], field))] if place > 0 else []
    bounds += [Bound(sides[place + 1], parse(sides[place + 2], field))] if place + 1 < len(sides) else []
    variable = Variable(name, "rat", tuple(bounds))
    texts = [variable.supposed(bound) for bound in bounds]
    return variable, [Hypothesis(text, parse(text, field), name) for text in texts]


def _bounds(rest: str, field: str) -> Iterator[Bound]:
    if not rest:
        return
    if ".." in rest:
        low, high = rest.split("..", 1)
        yield Bound(">=", parse(low, field))
        yield Bound("<=", parse(high, field))
        return
    found = _matched(r"(<=|>=|<|>)\s*(.+)", rest, field, "a domain such as 1..4 or >= 0")
    yield Bound(found[1], parse(found[2], field))


def _fresh(name: str, known: Collection[str], field: str) -> str:
    """Return a name; raise `InputError` if it is taken."""
    if name in known or name == "never":
        raise InputError(field, name, "a name that is not taken")
    return name


def _declared(formal: Formal, field: str) -> None:
    """Raise `InputError` for a name without a declaration, so that a typo is found before anything runs."""
    here = {variable.name for variable in formal.variables} | formal.definitions.keys()
    for expression, own in expressions_of(formal):
        unknown = sorted(free_names(expression) - here - own)
        if unknown:
            raise InputError(field, unknown[0], f"a declared name ({', '.join(sorted(here))})")


def expressions_of(formal: Formal) -> Iterator[tuple[Expression, set[str]]]:
    """Yield every expression of a statement with the names that it binds."""
    yield from ((value, set()) for value in formal.values.values())
    yield from ((body, {index}) for index, body in formal.sequences.values())
    yield from ((bound.value, set()) for variable in formal.variables for bound in variable.bounds)
    yield from ((variable.letters, set()) for variable in formal.variables if variable.letters)
    yield from ((hypothesis.relation, set()) for hypothesis in formal.hypotheses)
    steps = {formal.occasion[0]} if formal.occasion else set()
    yield from ((conclusion, steps) for conclusion in formal.conclusions)
    yield from ((formal.occasion[2], steps),) if formal.occasion else ()
