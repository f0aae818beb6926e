"""The English of each form is read back: domains, definitions, hypotheses, occasion and conclusions are those that run.

So are the runs of the fluid model and of packet algorithms, and the events that a sequence is made of.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from string import ascii_letters
from typing import Any

import pytest
from canonical import Canon, Form
from english_compared import letters_of, of_packets, told_letters
from english_packets import PacketScenes
from english_reader import Setting
from english_scenes import Run
from ledger_cases import paper_forms
from mathematics_reader import patterns

from dtmodel.base.expressions import parse
from dtmodel.companion.words import VOCABULARY, telling
from dtmodel.ledger import clauses, teller
from dtmodel.ledger.formal import Formal, Variable, read_formal
from dtmodel.ledger.teller import Teller
from dtmodel.ledger.trees import rewritten

FACTS = frozenset({"losing", "uncontrolled", "uncontrolled_before"})
MARK = -1
"""The number of the bound variable of a sequence, or of an occasion."""


def identifier(word: str) -> str:
    if word.startswith("events of "):
        return "len"
    return word if word.isidentifier() else re.sub(r"\W", "_", word)


def plain(node: Any) -> Any:
    """An expression in which the names of parts of events and states are identifiers."""

    def change(part: Any) -> Any:
        return ast.Name(identifier(part.id)) if isinstance(part, ast.Name) and not part.id.isidentifier() else None

    return rewritten(node, change)


def tree(said: str) -> Any:
    return plain(parse(said).tree)


class Places:
    """Writes the places of the arguments of what is said."""

    def math(self, node: ast.expr) -> str:
        return f"$\0{ast.unparse(node)}\0$"


def phrases_of(field: Any, slots: list[ast.expr]) -> Iterator[tuple[str, str]]:
    """Yield what is said of a part of events or states, and the relation that it is."""
    if field.fact:
        yield from ((field.fact(Places(), denied, *slots), "not {}" if denied else "{}") for denied in (False, True))
    if field.relation:
        zero = ast.Constant(0)
        yield from ((field.relation(Places(), sign, zero, *slots), f"{{}} {sign} 0") for sign in ("==", ">"))


def facts_of(known: Mapping[str, Any]) -> Iterator[tuple[re.Pattern[str], str, int, str]]:
    """Yield a pattern of what is said of events and states, the name, the number of arguments and the relation."""
    for name, field in known.items():
        for count in filter(field.phrase.takes, range(4)):
            for text, template in phrases_of(field, [ast.Name(f"a{n}") for n in range(count)]):
                pattern = re.escape(text)
                for n in range(count):
                    pattern = pattern.replace(re.escape(f"\0a{n}\0"), f"(?P<a{n}>[^$]*)", 1)
                    pattern = pattern.replace(re.escape(f"\0a{n}\0"), f"(?P=a{n})")
                if text:
                    yield re.compile(pattern), identifier(name), count, template


@dataclass(frozen=True)
class Case:
    """A form, the one with names for parts of events and states, its text, symbols and these names."""

    formal: Formal
    text: str
    symbols: Mapping[str, str]
    fields: Mapping[str, Any]
    runs: list[str]

    @classmethod
    def of(cls, formal: Formal) -> "Case":
        told = Teller(formal, VOCABULARY)
        text = told.text()
        own = {name: word for name, word in told.vocabulary.items() if name not in VOCABULARY}
        return cls(told.formal, text, {symbol: name for name, symbol in told.writer.symbols.items()}, own, told.runs)

    @cached_property
    def reader(self) -> Setting:
        words = {**VOCABULARY, **self.fields}
        notation = patterns({identifier(name): word.phrase for name, word in words.items() if hasattr(word, "phrase")})
        names = {letter: letter for letter in ascii_letters} | self.symbols
        facts: list[Any] = []
        defined = {*self.formal.values, *self.formal.sequences} - {*self.formal.runs}
        english = Setting(names, notation, facts, self.runs, defined=defined)

        def relation(found: re.Match[str], name: str, count: int, template: str) -> str:
            args = ", ".join(english.maths(found[f"a{n}"]) for n in range(count))
            return f"({template.format(f'{name}({args})')})"

        for pattern, *rest in facts_of(self.fields):
            facts.append((pattern, lambda found, rest=rest: relation(found, *rest)))
        return english

    @cached_property
    def form(self) -> Form:
        facts = FACTS | {identifier(name) for name, field in self.fields.items() if field.fact}
        values = {name: plain(value.tree) for name, value in self.formal.values.items()}
        sequences = {name: (index, plain(body.tree)) for name, (index, body) in self.formal.sequences.items()}
        return Form(Canon(frozenset(facts)), {k: v for k, v in values.items() if k not in self.formal.runs}, sequences)

    def joint(self, trees: list[Any], letter: str = "") -> int:
        """The number of relations together."""
        mark = {letter: self.form.canon.make("bound", MARK)} if letter else {}
        return self.form.canon.joint("and", [self.form.of(plain(each), mark) for each in trees])


def misread(formal: Formal) -> list[str]:
    """The parts of a form that its text says otherwise."""
    case = Case.of(formal)
    formal, english = case.formal, case.reader
    head, _, then = case.text.rpartition("Then ")
    then, _, searched = then.partition(" (Searched: ")
    setting, *where = re.split(r"(?:^|(?<=[.\n]) ?)Suppose that ", head)
    supposed = english.hypotheses(where[0].rstrip(". \n")) if where else []
    own = [each.relation.tree for each in formal.hypotheses if not each.of]
    wrong = ["hypotheses"] if case.joint([tree(each) for each in supposed]) != case.joint(own) else []
    step = ""
    if found := re.match(r"at each event \$([^$]*)\$(?: of \$([^$]*)\$)?(?: such that )?", then):
        occasion, _, then = then[found.end() :].partition(": ")
        step = found[1]
        when = [tree(each) for each in english.hypotheses(occasion)] if occasion else [tree(f"{step} > 0")]
        index, run, own_when = formal.occasion or ("", "", parse("0"))
        wrong += ["occasion"] if case.joint(when, step) != case.joint([own_when.tree], index) else []
        wrong += ["run"] if found[2] and english.maths(found[2]) != f"({run})" else []
    said = [tree(each) for each in english.conclusions(then.strip().removesuffix("."))]
    concluded = case.joint([each.tree for each in formal.conclusions], formal.occasion[0] if formal.occasion else "")
    wrong += ["conclusions"] if case.joint(said, step) != concluded else []
    wrong += ["no occasion"] if formal.occasion and not step else []
    english.read(setting)
    english.search(searched)
    scenes = PacketScenes(english)
    return (
        wrong
        + [*_runs(case, scenes)]
        + [*_letters(case, scenes)]
        + [*_definitions(case)]
        + [each for one in formal.variables for each in _domain(case, one)]
    )


def _runs(case: Case, scenes: PacketScenes) -> Iterator[str]:
    """Yield the parts of runs that a text tells otherwise."""
    domains = {variable.name: variable for variable in case.formal.variables}
    for name in case.runs:
        call = plain(case.formal.values[name].tree)
        policy = ast.unparse(call.func) if isinstance(call, ast.Call) else ""
        kind = getattr(getattr(VOCABULARY.get(policy), "scene", None), "__name__", "")
        packets, run = scenes.packets.get(name), scenes.runs.get(name)
        if kind == "packets" and packets:
            yield from (f"{part} of {name}" for part in of_packets(case.form, call, packets, domains))
        elif kind == "_fluid" and run:
            yield from (f"{part} of {name}" for part in _of_fluid(case.form, call, run, scenes.ends.get(name)))
        elif kind:
            yield f"no run {name}"


def _letters(case: Case, scenes: PacketScenes) -> Iterator[str]:
    """Yield the sequences of which a text tells other events."""
    for variable in case.formal.variables:
        if variable.letters:
            said = told_letters(case.form, scenes.letters(case.reader.letters[variable.name]))
            if said != letters_of(case.form, variable):
                yield f"events of {variable.name}"


def _of_fluid(form: Form, call: ast.Call, run: Run, end: str | None) -> Iterator[str]:
    """Yield what is told otherwise of a run of the fluid model: policy, settings, groups of queues, end."""
    own = {"B": ast.Name("B"), "C": ast.Name("C")} | {str(each.arg): each.value for each in call.keywords}
    until = form.of(own.pop("until"))
    if ast.unparse(call.func).removesuffix("_fluid") != run.policy:
        yield "policy"
    if {key: form.of(value) for key, value in own.items()} != {k: form.of(tree(v)) for k, v in run.settings.items()}:
        yield "settings"
    said = [each for text in run.groups for each in _groups(form, tree(text))]
    if [*_groups(form, call.args[0])] != said:
        yield "groups"
    if end and form.of(tree(end)) != until:
        yield "end"


def _groups(form: Form, node: Any) -> Iterator[int]:
    """Yield the groups of queues; equal bursts are one group, however they are written."""
    match node:
        case ast.Name(id=name) if name in form.values:
            yield from _groups(form, form.values[name])
        case ast.List(elts=items):
            yield from (each for item in items for each in _groups(form, item))
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            yield from (each for item in (left, right) for each in _groups(form, item))
        case ast.Call(func=ast.Name(id="each_burst"), args=[rates, *durations]):
            listed = form.values.get(rates.id, rates) if isinstance(rates, ast.Name) else rates
            match listed:
                case ast.Call(func=ast.Name(id="list"), args=[ast.Name(id=index), ast.BinOp(right=high), body]) if (
                    index not in {each.id for each in ast.walk(body) if isinstance(each, ast.Name)}
                ):
                    yield from _groups(form, ast.Call(ast.Name("bursts"), [high, body, *durations], []))
                case _:
                    yield form.of(node)
        case ast.Call(func=ast.Name(id=word), args=[*args, ast.Name(id="never")]):
            yield from _groups(form, ast.Call(ast.Name(word), args, node.keywords))
        case _:
            yield form.of(node)


def _definitions(case: Case) -> Iterator[str]:
    formal, english, form = case.formal, case.reader, case.form
    for name, said in english.values.items():
        if form.of(tree(said)) != form.of(plain(formal.values[name].tree)):
            yield f"value {name}"
    mark = form.canon.make("bound", MARK)
    for name, (letter, said) in english.sequences.items():
        index, body = form.sequences[name]
        inside = Form(form.canon, form.values, form.sequences, frozenset({name}))
        if inside.of(tree(said), {letter: mark}) != inside.of(body, {index: mark}):
            yield f"sequence {name}"
    used = {*re.findall(r"\b[A-Za-z]\w*\b(?!\()", _mentioned(english))}
    yield from (f"no {name}" for name in used & english.defined - {*english.values, *english.sequences})


def _mentioned(english: Setting) -> str:
    """All formulas of a text, without words in quotes."""
    return re.sub(r'"[^"]*"', "", english.everything)


def _domain(case: Case, variable: Variable) -> Iterator[str]:
    """Yield what a text says otherwise of the domain of a variable that it mentions."""
    english, form, name = case.reader, case.form, variable.name
    if (name in english.tried) != (variable.tried or any(each.tried for each in variable.bounds)):
        yield f"search of {name}"
    if variable.letters and english.lengths[name] != f"({variable.length.text})":
        yield f"length of {name}"
    if variable.letters or not re.search(rf"\b{name}\b", _mentioned(english)):
        return
    own = {(each.sign, form.of(plain(each.value.tree))) for each in variable.bounds}
    if own != {(sign, form.of(tree(said))) for of, sign, said in english.bounds if of == name}:
        yield f"bounds of {name}"
    counted = variable.kind == "int" and name in english.counted
    if variable.kind != "oneof" and not counted and (variable.kind == "int") != (name in english.whole):
        yield f"kind of {name}"
    if english.choices.get(name, [*variable.words]) != [*variable.words]:
        yield f"words of {name}"
    if variable.length and variable.kind != "oneof" and name not in english.listed_names:
        yield f"index of {name}"
    long = english.lengths.get(name) if variable.length else None
    if long and variable.length and form.of(tree(long)) != form.of(plain(variable.length.tree)):
        yield f"length of {name}"


def test_the_english_of_recorded_forms_is_read_back() -> None:
    chosen = Random(38).sample(paper_forms(), 25)
    assert {(each.claim, each.form): found for each in chosen if (found := misread(each.formal))} == {}


def test_the_english_of_all_recorded_forms_is_read_back() -> None:
    found = {(each.claim, each.form): misread(each.formal) for each in paper_forms()}
    assert len(found) > 880
    assert {name: parts for name, parts in found.items() if parts} == {}


FORM = """for a > 0; B > 0; C > 0; R > C; M : int >= 2; n : int 1..3; q : list(n) >= a
let t = a if a > 1 else 2*a; u = a + 1; f = a > 1 or B > 2
seq s[k] = a if k == 0 else s[k - 1]*u
run x = dt(bursts(M, R), until = 9, alpha = a)
where R < 2*C; a == 1 or B > C; not f or s[2] > t; each(i, 1..n, q[i] > 1)
then {}"""
CONCLUSIONS = (
    "drop(x, 1) >= t", "drop(x, 1) > u", "drop(x, 1) <= t", "Q(x, 1, t) < T(x, 1, t)", "free(x, t) >= u",
    "growth(x, 1, t) == -C", "lost(x, 1, t) <= a", "uncontrolled_before(x, 1, t)", "losing(x, 1, t)",
    "each(i, 1..M, i == 2 or drop(x, i) == t)", "some(i, 1..M, drop(x, i) < never)", "full(x) == u",
    "(a > 1 or B > 2) != (C > 1 and a > 3)", "(drop(x, 1) < t) == (a > 1 or R > 2)", "a > 1 if B > 1 else a > 2",
    "not (a > 1 and (B > 2 or C > 3))", "each(i, 1..n, q[i] > a if i > 1 else q[i] > B)", "drop(x, 1) == never",
    "a > 1 and (B > 2 or (C > 3 and (a > 4 or R > 5)))",
)  # fmt: skip
ALTERED: tuple[tuple[Any, str, Any], ...] = (
    (telling, "_MORE", {**telling._MORE, ">=": "more than "}),
    (telling, "_at", lambda teller_, _: f"at {teller_.math(ast.Name('u'))}"),
    (telling, "_OBSERVABLES", {**telling._OBSERVABLES, "drop": ("k", {
        **telling._OBSERVABLES["drop"][1], ">= ": "port {k} loses nothing until after {value}"})}),
    (telling, "_FACTS", {**telling._FACTS, "losing": telling._FACTS["losing"][::-1]}),
    (clauses, "DENIED", {**clauses.DENIED, ast.Gt: ast.Lt}),
    (clauses, "SHOWN", {**clauses.SHOWN, ">": r"\geq"}),
    (clauses, "enclosed", lambda text: text),
    (teller, "SHOWN", {**clauses.SHOWN, ">": r"\geq"}),
    (Teller, "_symbol", lambda self, variable: self.writer.symbol(variable.name)),
    (teller, "listed", lambda parts: parts[-1]),
)  # fmt: skip
"""Parts of the writer, and what they would be if it told something else."""


def missed(formal: str) -> bool:
    try:
        return misread(read_formal(formal)) == []
    except Exception:  # noqa: BLE001 - a text that is not English of the language is not read in many ways
        return False


PORT = """for s : int 1..3
for E : word(4) of [["arrive", "small", s], ["depart", "any"]]
run x = losspass(E, buffer = s)
on k of x: E[k][1] == "arrive"
then decision(x, k) == "drop"; E[k][1] != "depart"; held(before(x, k).small) > 0"""


@pytest.mark.parametrize("then", CONCLUSIONS)
def test_each_construct_is_read_back(then: str) -> None:
    assert misread(read_formal(FORM.format(then))) == []
    assert misread(read_formal(PORT)) == []


@pytest.mark.parametrize(("module", "name", "wrong"), ALTERED)
def test_a_text_that_says_something_else_is_noticed(
    monkeypatch: pytest.MonkeyPatch, module: Any, name: str, wrong: Any
) -> None:
    monkeypatch.setattr(module, name, wrong)
    assert [then for then in CONCLUSIONS if not missed(FORM.format(then))]
