"""A derived theorem as a claim states it: in executable form, with a caption."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from dtmodel.base.errors import InputError
from dtmodel.companion.deriving import Said, renamed
from dtmodel.companion.words import VOCABULARY
from dtmodel.derive.algebra.language import Term
from dtmodel.derive.algebra.writing import Writer

if TYPE_CHECKING:
    from dtmodel.derive import DerivedCase, DerivedTheorem
    from dtmodel.derive.search.family import QueueClass
    from dtmodel.policies import PolicyParameter

_OBSERVED = {"first_drop": "drop", "dropped": "lost", "length": "Q", "threshold": "T"}
"""The words of executable statements for the questions of a family."""

_TITLES = {"first_drop": "First loss", "dropped": "Bytes lost", "length": "Length", "threshold": "Threshold"}


class DerivedForm:
    """The executable statement of a theorem; `cases` are its cases in the names of the statement."""

    def __init__(self, theorem: DerivedTheorem) -> None:
        self.theorem, self.family = theorem, theorem.family
        self.names = renamed([*self.family.symbols])
        self.taken = {*self.names.values()}
        each = {
            ask.kind: ask.kind in _OBSERVED and not (ask.others or ask.suffix or ask.steady) for ask in self.family.asks
        }
        if unsaid := [kind for kind, said in each.items() if not said]:
            raise InputError("ask", unsaid[0], f"questions that statements have words for: {', '.join(_OBSERVED)}")
        self.values = list[str]()
        self.cases: Said = [self._case(index, case) for index, case in enumerate(theorem.cases, 1)]

    def named(self, text: str) -> str:
        """Return an expression of the family with the names of the statement."""
        return re.sub(r"[A-Za-z_]\w*", lambda found: self.names.get(found[0], found[0]), text)

    def fresh(self, name: str) -> str:
        """Return a name that nothing else has."""
        while name in self.taken or renamed([name])[name] != name:
            name += "_v"
        self.taken.add(name)
        return name

    def _value(self, name: str, text: str) -> str:
        self.values.append(f"{(found := self.fresh(name))} = {self.named(text)}")
        return found

    def _case(self, index: int, case: DerivedCase) -> tuple[list[str], dict[str, str | None]]:
        writer, when, answers = Writer(self.theorem.domain), list[str](), dict[str, str | None]()
        for number, each in enumerate(case.when, 1):
            when.append(f"{self._value(f'c{index}_{number}', writer.polynomial(each.poly))} {each.relation} 0")
        for key, answer in case.answers.items():
            written = None if answer is None else writer.ratio(answer, case.example)
            answers[key] = None if written is None else self._value(f"{key}_{index}", written)
        return when, answers

    def caption(self) -> str:
        """Return a title of the theorem: the questions and the policy."""
        asked = ", ".join(dict.fromkeys(_TITLES[ask.kind] for ask in self.family.asks))
        return f"{asked} under the policy {self.family.policy.name}"

    def text(self) -> str:
        """Return the executable statement of the theorem."""
        declared, supposed, defined = self._declarations()
        self.keys = {key: self.fresh(key) for key in self.theorem.keys}
        self.values += [f"{name} = {self._either(key)}" for key, name in self.keys.items()]
        run, queue, end = (self.fresh(name) for name in ("x", "i", "end"))
        lines = [f"for {'; '.join(declared)}", *(f"where {each}" for each in supposed)]
        lines += [f"let {each}" for each in (*defined, *self.values)]
        lines += [f"let {end} = {self._end()}", f"run {run} = {self._run(queue, end)}"]
        return "\n".join([*lines, f"then {'; '.join(self._conclusions(run, queue))}"])

    def _declarations(self) -> tuple[list[str], list[str], list[str]]:
        """Return the variables with their domains, other hypotheses, and definitions."""
        counts = {name for queue in self.family.queues for name in queue.count.names}
        left, declared, supposed = dict(self.family.symbols), list[str](), list[str]()
        known = set[str]()
        for name in self.family.defined:
            del left[name]
        while left:
            name, relation = next(
                ((n, r) for n, each in left.items() for r in each if r.sign in {">", ">="} and r.right.names <= known),
                (next(iter(left)), None),
            )
            bound = ">= 0" if relation is None else f"{relation.sign} {self.named(relation.right.text)}"
            declared.append(f"{self.names[name]} {': int ' if name in counts else ''}{bound}")
            others = [each for each in left.pop(name) if each is not relation]
            supposed += [self.named(f"{r.left.text} {r.sign} {r.right.text}") for r in others]
            known.add(name)
        return declared, supposed, [self.named(f"{n} = {t.text}") for n, t in self.family.defined.items()]

    def _either(self, key: str) -> str:
        """Return an answer: that of the first case whose conditions hold."""
        *first, (_, last) = self.cases
        parts = [f"{answers[key] or 'never'} if {' and '.join(when) or '1 > 0'} else " for when, answers in first]
        return "".join([*parts, last[key] or "never"])

    def _end(self) -> str:
        """Return the end of the family, or a time after all of its times."""
        family = self.family
        if family.until is not None:
            return self.named(family.until.text)
        times = [time.text for queue in family.queues for time, _ in queue.arrivals]
        times += [ask.time.text for ask in family.asks if ask.time is not None]
        parts = [f"{_atom(family.buffer.text)}/{_atom(family.rate.text)}"]
        parts += [f"2*{_atom(time)}" for time in dict.fromkeys(times) if time != "0"]
        late = self.named(" + ".join(parts))
        drop = self.keys.get("first_drop")
        return f"max({late}, 2*{drop}) if {drop} < never else {late}" if drop else late

    def _run(self, queue: str, end: str) -> str:
        """Return the call of the policy's word."""
        policy, family = self.family.policy, self.family
        groups = ", ".join(self._group(each, queue) for each in family.queues)
        given = {p.word: self._parameter(p, policy.values[p.name], queue) for p in policy.kind.parameters}
        given |= {"B": self.named(family.buffer.text), "C": self.named(family.rate.text)}
        said = ", ".join(f"{word} = {text}" for word, text in given.items() if word not in "BC" or word != text)
        word = f"{policy.name}_fluid" if f"{policy.name}_fluid" in VOCABULARY else policy.name
        return f"{word}([{groups}], until = {end}{', ' if said else ''}{said})"

    def _group(self, group: QueueClass, queue: str) -> str:
        """Return a class of queues."""
        pairs = ", ".join(f"[{self.named(time.text)}, {self.named(rate.text)}]" for time, rate in group.arrivals)
        count, initial = self.named(group.count.text), group.initial
        if initial is not None and initial.text == "0" and group.rate is None and pairs:
            return f"flow({count}, [{pairs}])"
        start = '"steady"' if initial is None else self.named(initial.text)
        rate = "" if group.rate is None else f", rate = {self.named(group.rate.text)}"
        return f"list({queue}, 1..{count}, queue({start}{', ' if pairs else ''}{pairs}{rate}))"

    def _parameter(self, parameter: PolicyParameter, value: Any, queue: str) -> str:
        """Return a parameter of the policy: one value, or one for each queue."""
        if not isinstance(value, tuple):
            return self._one(parameter, value)
        texts = [self._one(parameter, each) for each in value]
        if parameter.many not in ("each", "either"):
            return f"[{', '.join(texts)}]"
        if len({*texts}) == 1 and texts[0] != "never":
            return texts[0]
        ends = [self._before(number + 1) for number in range(len(texts))]
        either = [f"{text} if {queue} <= {end} else " for text, end in zip(texts[:-1], ends, strict=False)]
        return f"list({queue}, 1..{ends[-1]}, {''.join(either)}{texts[-1]})"

    def _one(self, parameter: PolicyParameter, value: Any) -> str:
        if value is None:
            return "never"
        if isinstance(value, Term):
            return self.named(value.text)
        if parameter.unit == "index":
            return str(value + 1)
        return f'"{value}"' if isinstance(value, str) else str(value)

    def _before(self, number: int) -> str:
        """Return how many queues the first classes have."""
        return self.named(" + ".join(_atom(queue.count.text) for queue in self.family.queues[:number]))

    def _conclusions(self, run: str, queue: str) -> Iterator[str]:
        for ask in self.family.asks:
            first = " + ".join(filter(None, ("1", self._before(ask.queue))))
            time = "" if ask.time is None else f", {self.named(ask.time.text)}"
            observed = f"{_OBSERVED[ask.kind]}({run}, {queue}{time}) == {self.keys[ask.kind]}"
            yield f"each({queue}, {first}..{self._before(ask.queue + 1)}, {observed})"
            if ask.kind == "first_drop":
                drop, left = self.keys["first_drop"], self.keys["free_at_first_drop"]
                yield f"{drop} == never or free({run}, {drop}) == {left}"


def _atom(text: str) -> str:
    return text if re.fullmatch(r"\w+", text) else f"({text})"
