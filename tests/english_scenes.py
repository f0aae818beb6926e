"""Reads the runs of the fluid model in English, in the sentences that a reader of settings has left."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from english_reader import _RELATION, Setting, _commas, _sides, split
from mathematics_reader import UnreadableError, _typed

_PARAMETERS = r"(?P<title>[A-Za-z ]+?)(?: with (?P<parameters>.*))?\."
_FLUID = re.compile(
    r"In (?:run \$(?P<x>[^$]*)\$ of )?the fluid model a switch with \$(?P<B>[^$]*)\$ bytes and ports of rate "
    r"\$(?P<C>[^$]*)\$(?:, if no other rate is given,)? runs " + _PARAMETERS
)
_AGAIN = re.compile(
    r"In run \$(?P<x>[^$]*)\$ the same comes to the same queues as in run \$(?P<y>[^$]*)\$ under " + _PARAMETERS
)
_POLICIES = {
    "complete sharing": "complete", "a static partition": "static", "weighted dynamic thresholds": "weighted",
    "dynamic thresholds in pools": "pools", "dynamic thresholds in two levels": "hierarchy",
}  # fmt: skip
_M = r"\$([^$]*)\$"
_MANY = rf"(?:(an empty port)|each of {_M} empty ports(?: \$\w+\$)?)"
_STEPS = (
    rf"(?:(nothing)|the rate {_M}, given by pairs of a time and the rate from then on"
    rf"|((?:{_M} from {_M} on(?:, | and )?)+))"
)
_BURST = rf"on a burst of rate {_M} comes to {_MANY} and (?:(never ends)|lasts"
_GROUPS: Mapping[str, str] = {
    "burst": rf"from time \$0\$ {_BURST} {_M}(?: at port \$\w+\$)?)",
    "late": rf"from time {_M} {_BURST} until {_M})",
    "steady": rf"(?:one steady queue, on its threshold|{_M} steady queues, on their thresholds) at time \$0\$, "
    rf"(?:is|are) offered (?:{_M} for ever|{_STEPS})",
    "flow": rf"(?:an empty port is|{_M} ports, empty at time \$0\$, are each) offered {_STEPS}",
    "queue": rf"(?:(an empty queue)|a queue of {_M} bytes at time \$0\$|(a steady queue), on its threshold at time "
    rf"\$0\$,)(?: at a port of rate {_M})? is offered {_STEPS}",
}
"""What comes to queues in the fluid model, and the word for it."""


@dataclass(frozen=True)
class Run:
    """A run of the fluid model: its policy, the settings and the groups of queues, as texts."""

    policy: str
    settings: Mapping[str, str]
    groups: Sequence[str]


class Scenes:
    """Reads the runs of the fluid model in the sentences that a reader of settings has left."""

    def __init__(self, english: Setting) -> None:
        self.english = english
        self.runs: dict[str, Run] = {}
        self.ends: dict[str, str] = {}
        self.last = ""
        for sentence in english.others:
            self._read(sentence)

    def value(self, formula: str) -> str:
        """Read a value, without the domain of a variable that is mentioned first."""
        signs, sides = ([], []) if r"\text{ if }" in formula else _sides(formula)
        return self.english.maths(sides[len(sides) == 3] if signs else formula)

    def _read(self, sentence: str) -> None:
        known = self.english
        if found := re.fullmatch(rf"The runs? ?(.*?) ?ends? at {_M}\.", sentence):
            names = [known.maths(name)[1:-1] for name in re.findall(_M, found[1])] or list(self.runs)
            self.ends |= dict.fromkeys(names, known.maths(found[2]))
        elif found := _FLUID.fullmatch(sentence):
            self.last = known.maths(found["x"])[1:-1] if found["x"] else known.runs[0]
            settings = {"B": self.value(found["B"]), "C": self.value(found["C"])}
            self.runs[self.last] = Run(_policy(found["title"]), settings | self._settings(found["parameters"]), [])
        elif found := _AGAIN.fullmatch(sentence):
            name, other = (known.maths(found[key])[1:-1] for key in "xy")
            like = self.runs[other]
            settings = {key: like.settings[key] for key in ("B", "C")}
            self.runs[name] = Run(_policy(found["title"]), settings | self._settings(found["parameters"]), like.groups)
        elif (
            not sentence.startswith("Each ")
            and self.last
            and ("nothing else arrives" in sentence or "Nothing" in sentence)
        ):
            run = self.runs[self.last]
            self.runs[self.last] = Run(run.policy, run.settings, self._groups(sentence))

    def _settings(self, text: str | None) -> dict[str, str]:
        found: dict[str, str] = {}
        if unending := re.search(rf"({_M} and )?{_M} that (?:(do)|does) not expire$", text or ""):
            timers = [unending[2], unending[3]] if unending[4] else [unending[3]]
            found |= dict.fromkeys(map(_typed, timers), "never")
            text = (text or "")[: unending.start() if unending[4] else unending.start(3) - 1]
        before = ""
        for formula in re.findall(_M, text or ""):
            left, _, right = formula.partition(" = ")
            if right and not _RELATION.search(left):
                found[_typed(left)] = before = self.value(right)
                continue
            signs, sides = _sides(formula)
            for symbol in _commas(sides[len(sides) == 3] if signs else formula):
                if self.english.maths(symbol) != before:
                    found[_typed(symbol)] = self.english.maths(symbol)
        return found

    def _groups(self, sentence: str) -> list[str]:
        if sentence == "Nothing arrives.":
            return []
        text = sentence.removesuffix(", and nothing else arrives.")
        return [self._group(part[:1].lower() + part[1:] if part[:1] != "$" else part) for part in split(text, "; ")]

    def _group(self, text: str) -> str:
        if found := re.match(rf"for each \$(\w+)\$ from {_M} to {_M}, ", text):
            low, high = self.value(found[2]), self.value(found[3])
            return f"list({found[1]}, {low} .. {high}, {self._group(text[found.end() :])})"
        if found := re.fullmatch(rf"the queues are {_M}", text):
            return self.value(found[1])
        for word, pattern in _GROUPS.items():
            if match := re.fullmatch(pattern, text):
                return str(getattr(self, f"_{word}")(*match.groups()))
        raise UnreadableError(text)

    def _burst(self, rate: str, one: str, many: str, never: str, last: str) -> str:
        said, count = self.value(rate), "1" if one else self.value(many)
        duration = "" if never else f", {_whole(self.value(last))}"
        return (
            f"each_burst({_whole(said)}{duration})"
            if _whole(said) != said and not one
            else f"bursts({count}, {said}{duration})"
        )

    def _late(self, begin: str, rate: str, one: str, many: str, never: str, end: str) -> str:
        count, until = "1" if one else self.value(many), "" if never else f", {self.value(end)}"
        return f"late({count}, {self.value(rate)}, {self.value(begin)}{until})"

    def _steady(self, many: str, rate: str, *steps: str) -> str:
        return f"steady({self.value(many) if many else 1}, {self.value(rate) if rate else self._steps(*steps[:3])})"

    def _flow(self, many: str, *steps: str) -> str:
        return f"flow({self.value(many) if many else 1}, {self._steps(*steps[:3])})"

    def _queue(self, empty: str, length: str, steady: str, rate: str, *steps: str) -> str:
        initial = "0" if empty else '"steady"' if steady else self.value(length)
        pairs = "" if steps[0] else f", {self._steps(*steps[:3]).removeprefix('(').removesuffix(')')[1:-1]}"
        return f"queue({initial}{pairs}{f', rate = {self.value(rate)}' if rate else ''})"

    def _steps(self, _nothing: str, rates: str, pairs: str) -> str:
        if rates:
            return self.value(rates)
        found = re.findall(rf"{_M} from {_M} on", pairs)
        return f"[{', '.join(f'[{self.value(begin)}, {self.value(rate)}]' for rate, begin in found)}]"


def _policy(title: str) -> str:
    return _POLICIES.get(title, title.lower())


def _whole(said: str) -> str:
    """Return the name of a list of which an element with a free index is read, else the text."""
    found = re.fullmatch(r"\((\w+)\[(i|j|k|l|m|n|p|q|r|s|u|v|w)\]\)", said)
    return found[1] if found else said
