"""Sentences of statements in English: runs, "Let", "Suppose that", "Then".

A variable is written with its domain where it is mentioned first. A definition that is used once stands in its place. A
vocabulary may attach a function `scene` to a word, which tells what runs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import groupby
from typing import Self

from dtmodel.ledger.clauses import Clauses
from dtmodel.ledger.formal import Bound, Formal, Variable, Vocabulary, called
from dtmodel.ledger.formal_text import Level, Slot, head_of, quoted
from dtmodel.ledger.joins import joined, listed, outside
from dtmodel.ledger.signs import SHOWN, TURNED
from dtmodel.ledger.trees import is_list, same

PARAGRAPH = "\n\n"
"""The end of the setting: runs, variables, definitions and the meaning of symbols."""
_ORDER = {"value": 0, "sequence": 1}
"""The kinds of definitions in the order of the text; those with a condition come last."""


@dataclass(frozen=True)
class Glossary:
    """The meaning of symbols by name, ``[]`` after that of a list; `relation`: a sentence for forms without a run.

    `own`: the meanings that a claim has for itself, which are told beside runs, too.
    """

    meanings: Mapping[str, str]
    relation: str
    own: Mapping[str, str]

    @classmethod
    def of(cls, shared: str, own: str, relation: str) -> Self:
        """Read lines ``NAME: MEANING``, in which ``#`` is the index of a list; `own` has semicolons between them."""
        known, special = (
            {name.strip(): meaning for name, _, meaning in (line.partition(": ") for line in lines) if meaning}
            for lines in (shared.splitlines(), own.split("; "))
        )
        return cls(known | special, relation, special)


class Teller(Clauses):
    """Tells one statement; words of the vocabulary use its methods to write their arguments."""

    def __init__(
        self,
        formal: Formal,
        vocabulary: Vocabulary,
        base: Formal | None = None,
        glossary: Glossary | None = None,
        beside: Formal | None = None,
    ) -> None:
        super().__init__(formal, vocabulary)
        self.beside = beside
        runs = self.runs or any(getattr(vocabulary.get(name), "runs", False) for name in called(formal))
        known = glossary or Glossary({}, "", {})
        self.glossary = Glossary(known.own, "", known.own) if runs else known
        self.given, self.base = formal, base or formal
        self.searched = self._searched()
        self.domains = {
            name: replace(each, bounds=tuple(bound for bound in each.bounds if not bound.tried))
            for name, each in self.domains.items()
        }
        self.told: set[str] = set()
        self.scenes: list[str] = []
        self.many: ast.expr | None = None  # the number of queues of the group that is told
        self.index = self.writer.unused()

    def text(self) -> str:
        """Return the whole statement."""
        events = [f"Let {self._chosen(each)}." for each in self.domains.values() if each.letters and each.length]
        scenes = [*events, *self._scenes()]
        suppose, added = self._hypotheses()
        conclusions = self._conclusions()
        needed = [text for names in self._by_meaning(self._base_definitions) for text in self._definitions(names)]
        extra = self._definitions(set(self.kept) - self._base_definitions)
        lets = [text for names in self._by_meaning({*self.domains}) for text in self._lets(names)]
        inserted = " ".join([*extra, *([added] if added and not suppose else [])])
        setting = " ".join([*self._with_its_name(scenes), *lets, *needed, *self._glosses(), *self._meanings()]) + (
            f"[+ {inserted}+]" if inserted else ""
        )
        said = f"{suppose}{added}. {conclusions}" if suppose else conclusions
        return f"{setting}{PARAGRAPH if scenes or needed else ' '}{said}{self.searched}".strip()

    def _searched(self) -> str:
        """Write the bounds of the search, to which the statement is not limited."""
        found: dict[str, list[str]] = {}
        for each in self.domains.values():
            for bound in (bound for bound in each.bounds if bound.tried):
                most = rf"{SHOWN[bound.sign]} {self.raw(bound.value.tree)}"
                found.setdefault(most, []).append(self._symbol(each))
        said = [f"${', '.join(symbols)} {most}$" for most, symbols in found.items()]
        said += [
            f"${self.writer.symbol(each.name)}$ of at most {self.math(each.length.tree)} events"
            for each in self.domains.values() if each.tried and each.length
        ]  # fmt: skip
        return f" (Searched: {listed(said)}.)" if said else ""

    @cached_property
    def _base_definitions(self) -> set[str]:
        if self.base is self.given:
            return set(self.kept)
        return set(self.kept) & Teller(self.base, self.vocabulary).used

    def first(self, node: ast.expr, name: str = "", *, counts: bool = False) -> str:
        """Write a value, with its domain where it is mentioned first, if told here; `name` is the symbol it sets."""
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
        return known if known.length and same(known.length.tree, self.many) else None

    def _glosses(self) -> list[str]:
        """Write the meaning of each observable that stands in a formula, one for before and after an event together."""
        meanings: dict[str, str] = {}
        for name in self.observed:
            if gloss := getattr(self.vocabulary.get(name), "gloss", None):
                text, *places = gloss
                phrase = self.writer.phrases.get(name)
                slots = [Slot(place, place) for place in places]
                shown = phrase(*slots) if phrase else rf"{head_of(name)}({', '.join(places)})"
                meanings[text] = f"${shown}$"
        parts = []
        for text, shown in meanings.items():
            before = text.replace(" just after ", " just before ")
            after = text.replace(" just before ", " just after ")
            if before == after or not meanings.keys() >= {before, after}:
                parts.append(f"{shown} is {text}")
            elif text == before:
                both = text.replace(" just before ", " just before and after ")
                parts.append(f"{shown} and {meanings[after]} stand for {both}")
        return [f"Here {part}." for part in parts]

    def _meanings(self) -> list[str]:
        """Write the meaning of names in the glossary, and that a form without a run relates numbers."""
        lists = {name: bool(each.length) for name, each in self.domains.items() if each.letters is None}
        lists |= {name: name in self.formal.sequences or is_list(body.tree) for name, body in self.kept.items()}
        known = {name: self.glossary.meanings.get(f"{name}[]" if long else name, "") for name, long in lists.items()}
        said = [
            f"${self.writer.element(name, self.index) if lists[name] else self.writer.symbol(name)}$ {meaning}"
            for name, meaning in known.items() if meaning
        ]  # fmt: skip
        said = [text.replace("#", f"${self.index}$") for text in said]
        here = f"Here {'; '.join(said).replace('$ ', '$ is ', 1)}." if said else ""
        return [*filter(None, (here, self.glossary.relation))]

    def _with_its_name(self, scenes: Sequence[str]) -> list[str]:
        """Name the only run where it is told, if a formula has its name."""
        shown = {place for name in self.observed for place in getattr(self.vocabulary.get(name), "gloss", None) or ()}
        own = [f"In run ${self.writer.symbol(name)}$" for name in self.runs if "x" in shown]
        changes = {"In the": f"{own[0]} of the", "A port": f"{own[0]} a port"} if len(own) == 1 else {}
        return [reduce(lambda told, old: told.replace(old, changes[old], 1), changes, scene) for scene in scenes]

    def bounds_of(self, name: str) -> str:
        """Write the bounds of an element of a list with as many elements as queues of a group; later its symbol."""
        return self.first(ast.Subscript(ast.Name(name), ast.Name(self.index)))

    def _bounded(self, symbol: str, bounds: Sequence[Bound]) -> str:
        values = [(each.sign, self.raw(each.value.tree)) for each in bounds]
        if [sign[0] for sign, _ in values] == [">", "<"]:
            (low, least), (high, most) = values
            return rf"{least} {SHOWN[TURNED[low]]} {symbol} {SHOWN[high]} {most}"
        said = [f"{symbol} {SHOWN[sign]} {value}" for sign, value in values] or [rf"{symbol}\text{{ any number}}"]
        return r" \land ".join(said)

    def _scenes(self) -> list[str]:
        ends: dict[str, list[str]] = {}
        scenes = self.scenes
        for name in self.runs:
            call = self.formal.values[name].tree
            word = self.vocabulary.get(ast.unparse(call.func)) if isinstance(call, ast.Call) else None
            tell = getattr(word, "scene", None)
            scenes.append(tell(self, name, call) if tell else f"Let ${self.writer.symbol(name)}$ be {self.math(call)}.")
            if self.ends and isinstance(call, ast.Call):
                for each in call.keywords:
                    if each.arg == "until":
                        ends.setdefault(self.math(each.value), []).append(f"${self.writer.symbol(name)}$")
        for end, names in ends.items():
            which = "" if len(names) == len(self.runs) else f" {listed(names)}"
            scenes.append(f"The runs{which} end at {end}." if names[1:] else f"The run{which} ends at {end}.")
        return scenes

    def _by_meaning(self, names: set[str]) -> list[set[str]]:
        """Return the names that mean the same in the form beside, and the others: no repair breaks their sentences."""
        if not self.beside:
            return [names]
        other = Teller(self.beside, self.vocabulary)
        alike = {name for name in names if self._meaning(name) == other._meaning(name)}
        alike = {name for name in alike if {*self.uses.get(name, ()), *other.uses.get(name, ())} <= alike}
        return [alike, names - alike]

    def _meaning(self, name: str) -> str:
        if name in self.kept:
            return f"{self.formal.sequences.get(name, ' ')[0]} {ast.dump(self.kept[name].tree)}"
        return repr(self.domains.get(name))

    def _lets(self, names: set[str]) -> list[str]:
        untold = [variable for name, variable in self.domains.items() if name in names - self.told]
        words = [variable for variable in untold if variable.words or (variable.letters and not variable.length)]
        wholes, others = (self._domains([each for each in untold if each.kind == kind]) for kind in ("int", "rat"))
        told = [f"let {listed(wholes)} be whole"] if wholes else []
        told += [f"let {listed(others)}"] if others else []
        sentences = [f"L{', and '.join(told)[1:]}"] if told else []
        return [f"{text}." for text in (*sentences, *(f"Let {self._chosen(each)}" for each in words))]

    def _domains(self, variables: Iterable[Variable]) -> list[str]:
        """Write the domains of variables, those with the same one together: ``$a, b > 0$``; lists by their range."""
        ranges: dict[str, dict[tuple[str, str], list[str]]] = {}
        for each in variables:
            symbol = self._symbol(each)
            left, _, right = self._bounded(symbol, each.bounds).partition(symbol)
            ranges.setdefault(self._range(each), {}).setdefault((left, right), []).append(symbol)
        told = {
            many: [f"${left}{', '.join(symbols)}{right}$" for (left, right), symbols in domains.items()]
            for many, domains in ranges.items()
        }
        return [*told.pop("", []), *(f"{listed(domains)}{many}" for many, domains in told.items())]

    def _symbol(self, variable: Variable) -> str:
        """Write a variable, or an element of a list."""
        name = variable.name
        return self.writer.element(name, self.writer.unused()) if variable.length else self.writer.symbol(name)

    def _range(self, variable: Variable) -> str:
        if variable.length is None:
            return ""
        return rf" for $1 \leq {self.writer.unused()} \leq {self.raw(variable.length.tree, Level.SUM)}$"

    def _chosen(self, variable: Variable) -> str:
        """Write the choices of a word, or the events of a sequence."""
        if variable.letters and variable.length:
            most = "" if variable.tried else f" at most {self.math(variable.length.tree)}"
            name, letters = self.writer.symbol(variable.name), self._letters(variable.letters.tree)
            return f"${name}$ be any sequence of{most} events, {letters}"
        words = " or ".join(f"${quoted(word)}$" for word in variable.words)
        return f"${self._symbol(variable)}$ be {words}{self._range(variable)}"

    def _letters(self, letters: ast.expr) -> str:
        tell = getattr(self.vocabulary.get("event"), "letters", None)
        return str(tell(self, letters)) if tell else f"each of them in {self.math(letters)}"

    def _definitions(self, names: Iterable[str]) -> list[str]:
        """Write definitions, each after those that it uses, and those of one kind or with one condition together."""
        left = [name for name in self.kept if name in set(names)]
        sentences = []
        while left:
            groups: dict[str, list[str]] = {}
            for name in left:
                own = groups.setdefault(self._kind(name), [])
                if self.uses[name].isdisjoint({*left} - {*own}):
                    own.append(name)
            kind = min((kind for kind in groups if groups[kind]), key=lambda kind: _ORDER.get(kind, len(_ORDER)))
            left = [name for name in left if name not in groups[kind]]
            sentences += self._alike(kind, groups[kind])
        return sentences

    def _kind(self, name: str) -> str:
        """Return the kind of a definition: a value, a sequence, or the condition of a value that has one."""
        if name in self.formal.sequences:
            return "sequence"
        tree = self.kept[name].tree
        return ast.dump(tree.test) if isinstance(tree, ast.IfExp) else "value"

    def _alike(self, kind: str, names: Sequence[str]) -> list[str]:
        if kind == "value":
            return [f"Let {listed([self._equal(name, self.kept[name].tree) for name in names])}."]
        return self._sequences(names) if kind == "sequence" else [self._cases(names)]

    def _sequences(self, names: Iterable[str]) -> list[str]:
        """Write sequences, those without words together."""
        rows = groupby(map(self._sequence, names), lambda text: " mean " in text or r"\text{ if }" in text)
        return [f"Let {text}." for alone, row in rows for text in (row if alone else [listed([*row])])]

    def _sequence(self, name: str) -> str:
        index, body = self.formal.sequences[name]
        with self.writer.inner(index) as symbol:
            if self.true_or_false(body.tree):
                return f"${self.writer.element(name, symbol)}$ mean that {self.said(body.tree)}"
            return f"${self.writer.element(name, symbol)} = {self.raw(body.tree, Level.ANY)}$"

    def _cases(self, names: Sequence[str]) -> str:
        trees = [tree for name in names if isinstance(tree := self.kept[name].tree, ast.IfExp)]
        first = listed([self._equal(name, tree.body) for name, tree in zip(names, trees, strict=True)])
        second = listed([self._equal(name, tree.orelse) for name, tree in zip(names, trees, strict=True)])
        if len(names) == 1 and not self.true_or_false(trees[0].orelse):
            second = f"${self.raw(trees[0].orelse)}$"
        return f"Let {first} if {self.said(trees[0].test)}; otherwise {second}."

    def _equal(self, name: str, value: ast.expr) -> str:
        if self.true_or_false(value):
            return f"${self.writer.symbol(name)}$ mean that {self.said(value)}"
        return f"${self.writer.symbol(name)} = {self.raw(value)}$"

    def _hypotheses(self) -> tuple[str, str]:
        """Write the hypotheses of the base form, and those that an assumption adds."""
        known = {each.text for each in self.base.hypotheses}
        free = [each for each in self.formal.hypotheses if not each.of]
        said = [self._supposed(each.relation.tree) for each in free if each.text in known]
        more = [self._supposed(each.relation.tree) for each in free if each.text not in known]
        added = joined(more)
        if not said:
            return "", f"Suppose that {added}." if added else ""
        complex_ = any("," in outside(text) or " if " in text for text in (*said, *more))
        return f"Suppose that {joined(said)}", f"[+{'; and that' if complex_ else ', and'} {added}+]" if added else ""

    def _supposed(self, tree: ast.expr) -> str:
        tree = self.placed(tree)
        if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And):
            return joined([self.said(value) for value in tree.values])
        return self.said(tree)

    def _conclusions(self) -> str:
        formal = self.formal
        opening = ""
        if formal.occasion:
            step, run, when = formal.occasion
            with self.writer.inner(step) as k:
                which = "" if ast.unparse(when.tree) == f"{step} > 0" else f" such that {self._supposed(when.tree)}"
                inside = f" of ${self.writer.symbol(run)}$" if len(self.runs) > 1 else ""
                opening = f"at each event ${k}${inside}{which}: "
                said = self._concluded()
        else:
            said = self._concluded()
        return f"Then {opening}{'; and '.join(said)}."

    def _concluded(self) -> list[str]:
        alone = len(self.formal.conclusions) == 1
        return [self.said(each.tree, top=alone) for each in self.formal.conclusions]
