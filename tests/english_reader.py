"""Reads statements in English, but for runs, and returns the parts of the form that they say, in its language.

It is written from the rules of the controlled language, and takes from the vocabulary only the notation in formulas and
the words of parts of events and states: clauses, observables, lists and sentences are read by its own grammar.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from mathematics_reader import Reader, UnreadableError

_SIGNS = {"less than ": "<", "at most ": "<=", "more than ": ">", "at least ": ">=", "": "=="}
_RELATION = re.compile(r" (?:\\[lg]eq|<|>|=|\\neq) ")
_PORT, _QUEUE = "port {k}{x}", "queue {k}{x}"
_IN_TWO, _MACHINE = "after event {v} in run {y} as in run {z}", "port {k} (state, counters, timers)"
_PHRASES = {
    f"{_PORT} has lost nothing when the run ends": "drop({x}, {k}) == never",
    f"{_PORT} loses bytes": "drop({x}, {k}) < never",
    f"{_PORT} first loses bytes at {{v}}": "drop({x}, {k}) == {v}",
    f"{_PORT} loses nothing until after {{v}}": "drop({x}, {k}) > {v}",
    f"{_PORT} loses nothing before {{v}}": "drop({x}, {k}) >= {v}",
    f"{_PORT} loses bytes before {{v}}": "drop({x}, {k}) < {v}",
    f"{_PORT} has begun to lose bytes by {{v}}": "drop({x}, {k}) <= {v}",
    "the buffer{x} has not been full when the run ends": "full({x}) == never",
    "the buffer{x} becomes full": "full({x}) < never",
    "the buffer{x} is full for the first time at {v}": "full({x}) == {v}",
    "the buffer{x} is full {when}": "free({x}, {t}) == 0",
    "the buffer{x} is not full {when}": "free({x}, {t}) > 0",
    "{more}{v} bytes are free{x} {when}": "free({x}, {t}) {sign} {v}",
    f"{_QUEUE} is empty {{when}}": "Q({x}, {k}, {t}) == 0",
    f"{_QUEUE} is not empty {{when}}": "Q({x}, {k}, {t}) > 0",
    f"{_QUEUE} is on its threshold {{when}}": "Q({x}, {k}, {t}) == T({x}, {k}, {t})",
    f"{_QUEUE} is above its threshold {{when}}": "Q({x}, {k}, {t}) > T({x}, {k}, {t})",
    f"{_QUEUE} is below its threshold {{when}}": "Q({x}, {k}, {t}) < T({x}, {k}, {t})",
    f"{_QUEUE} holds {{more}}{{v}} {{when}}": "Q({x}, {k}, {t}) {sign} {v}",
    f"the threshold of {_QUEUE} is {{more}}{{v}} {{when}}": "T({x}, {k}, {t}) {sign} {v}",
    f"{_QUEUE} keeps its length just after {{moment}}": "growth({x}, {k}, {t}) == 0",
    f"{_QUEUE} grows just after {{moment}}": "growth({x}, {k}, {t}) > 0",
    f"{_QUEUE} shrinks just after {{moment}}": "growth({x}, {k}, {t}) < 0",
    f"{_QUEUE} grows at the rate {{v}} just after {{moment}}": "growth({x}, {k}, {t}) == {v}",
    f"{_QUEUE} shrinks at the rate {{v}} just after {{moment}}": "growth({x}, {k}, {t}) == -({v})",
    f"{_PORT} has lost nothing {{by}}": "lost({x}, {k}, {t}) == 0",
    f"{_PORT} has lost bytes when the run ends": "lost({x}, {k}) > 0",
    f"{_PORT} has lost {{more}}{{v}} when the run ends": "lost({x}, {k}) {sign} {v}",
    f"{_PORT} has lost bytes {{by}}": "lost({x}, {k}, {t}) > 0",
    f"{_PORT} has lost {{more}}{{v}} {{by}}": "lost({x}, {k}, {t}) {sign} {v}",
    f"{_PORT} loses bytes just after {{moment}}": "losing({x}, {k}, {t})",
    f"{_PORT} loses nothing just after {{moment}}": "not losing({x}, {k}, {t})",
    f"{_PORT} is uncontrolled just after {{moment}}": "uncontrolled({x}, {k}, {t})",
    f"{_PORT} is controlled just after {{moment}}": "not uncontrolled({x}, {k}, {t})",
    f"{_PORT} is uncontrolled just before {{moment}}": "uncontrolled_before({x}, {k}, {t})",
    f"{_PORT} is controlled just before {{moment}}": "not uncontrolled_before({x}, {k}, {t})",
    "run {y} decides event {k} as run {z} does": "decision({y}, {k}) == decision({z}, {k})",
    "run {y} decides event {k} otherwise than run {z} does": "decision({y}, {k}) != decision({z}, {k})",
    f"{_MACHINE} is the same {_IN_TWO}": "machine({y}, {v}, {k}) == machine({z}, {v}, {k})",
    f"{_MACHINE} is not the same {_IN_TWO}": "machine({y}, {v}, {k}) != machine({z}, {v}, {k})",
    "the time {v} never comes": "({v}) == never",
    "the time {v} comes": "({v}) < never",
}
"""What is said of a run, and the relation that it is."""
_IN_RUN = r"(?: in run \$(?P<{}>[^$]*)\$)?"
_WHEN = (
    r"when port \$(?P<{0}port>[^$]*)\$" + _IN_RUN.format("{0}run") + r" first loses bytes"
    r"|when the buffer" + _IN_RUN.format("{0}full") + r" is (?P<{0}first>first) full"
)
_SLOTS = {
    "{k}": r"\$(?P<k>[^$]*)\$", "{v}": r"\$(?P<v>[^$]*)\$", "{y}": r"\$(?P<y>[^$]*)\$", "{z}": r"\$(?P<z>[^$]*)\$",
    "{x}": _IN_RUN.format("x"),
    "{more}": r"(?P<more>less than |at most |more than |at least |)",
    "{when}": r"(?:at \$(?P<t>[^$]*)\$|" + _WHEN.format("w") + ")",
    "{moment}": r"(?:\$(?P<t>[^$]*)\$|the time " + f"(?:{_WHEN.format('w')}))",
    "{by}": r"(?:by \$(?P<t>[^$]*)\$|" + _WHEN.format("w") + ")",
}  # fmt: skip


def _pattern(phrase: str) -> re.Pattern[str]:
    parts = re.split(r"(\{\w+\})", phrase)
    return re.compile("".join(_SLOTS.get(part, re.escape(part)) for part in parts))


_PATTERNS = [(_pattern(phrase), said) for phrase, said in _PHRASES.items()]


def split(text: str, *marks: str) -> list[str]:
    """Split a text at marks that stand in no formula and no parentheses."""
    found, depth, maths, start, at = [], 0, False, 0, 0
    while at < len(text):
        sign = text[at]
        maths ^= sign == "$"
        depth += 0 if maths else {"(": 1, ")": -1}.get(sign, 0)
        mark = next((each for each in marks if text.startswith(each, at)), "") if not (maths or depth) else ""
        if mark:
            found.append(text[start:at])
            at = start = at + len(mark)
        else:
            at += 1
    return [*found, text[start:]]


def _closed(text: str) -> bool:
    """True if the first parenthesis is closed by the last sign."""
    depth = 0
    for at, sign in enumerate(
        "".join(each if number % 2 == 0 else "0" * len(each) for number, each in enumerate(text.split("$")))
    ):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if depth == 0:
            return at == len(text) - 1 - text.count("$")
    return False


class English:
    """Reads the sentences of one statement.

    `names`: the name of each symbol. `notation`: the LaTeX of words, for formulas. `facts`: patterns of what is said
    of events and states, with the relation. `runs`: the names of runs.
    """

    def __init__(
        self,
        names: Mapping[str, str],
        notation: Sequence[tuple[str, int, list[str]]],
        facts: Sequence[tuple[re.Pattern[str], Callable[[re.Match[str]], str]]],
        runs: Sequence[str],
    ) -> None:
        self.names, self.notation, self.facts, self.runs = names, notation, facts, runs
        self.everything = ""

    # Formulas.

    def maths(self, latex: str) -> str:
        """Read a formula."""
        latex = re.sub(r"(?<!sup_t )\|([^|]*)\|", r"\\mathrm{len}(\1)", latex)
        said = Reader(latex, self.names, self.notation).whole()
        self.everything += f" {said}"
        return f"({said})"

    def relations(self, latex: str) -> list[str]:
        """Read a relation, or several with one right side: ``a, b > 0``."""
        parts = _commas(latex)
        if len(parts) == 1 or not _RELATION.search(parts[-1]) or any(map(_RELATION.search, parts[:-1])):
            return [self.maths(latex)]
        tail = parts[-1][next(_RELATION.finditer(parts[-1])).start() :]
        return [self.maths(part) for part in [*(f"{part}{tail}" for part in parts[:-1]), parts[-1]]]

    # Clauses.

    def clause(self, text: str) -> str:
        """Read a clause as a relation."""
        text = text.strip().replace(" if and only if ", " \1 ").replace("lines 6 and 7", "lines 6\2")
        if text.startswith("(") and _closed(text):
            inner = text[1:-1]
            parts = split(inner, " and ")
            conditional = len(split(inner, ", and otherwise ")) > 1
            whole = inner.startswith(("either ", "both ", "for ")) or len(parts) == 1 or conditional
            return self.clause(inner) if whole else self._joint(" and ", parts)
        for read in (self._bound_before, self._in_two_runs, self._either, self._both, self._conditional,
                     self._equivalence, self._bound_behind, self._several, self._denied):  # fmt: skip
            if found := read(text):
                return found
        return self.atom(text)

    def _joint(self, word: str, parts: Sequence[str]) -> str:
        return f"({word.join(f'({self.clause(part)})' for part in parts)})"

    def _either(self, text: str) -> str:
        if not text.startswith("either ") or len(split(text, "; otherwise ", ", and otherwise ")) > 1:
            return ""
        return self._joint(" or ", split(text[7:], " or "))

    def _both(self, text: str) -> str:
        if not text.startswith("both ") or len(split(text, "; otherwise ", ", and otherwise ")) > 1:
            return ""
        first, second = split(text[5:], " and ")
        return self._joint(" and ", [first, second])

    def _several(self, text: str) -> str:
        """Read ``A, and B``."""
        *first, last = split(text, ", and ")
        return self._joint(" and ", [*split(first[0], ", "), last]) if len(first) == 1 else ""

    def _conditional(self, text: str) -> str:
        parts = split(text, "; otherwise ")
        parts = parts if len(parts) > 1 else split(text, ", and otherwise ")
        if len(parts) < 2:
            return ""
        mark = "; otherwise " if "; otherwise " in text and len(split(text, "; otherwise ")) > 1 else ", and otherwise "
        first, *test = split(parts[0], " if ")
        said = [self.clause(each.removesuffix(",")) for each in (first, " if ".join(test), mark.join(parts[1:]))]
        return "(({}) if ({}) else ({}))".format(*said)

    def _equivalence(self, text: str) -> str:
        for mark, sign in ((" \1 ", "=="), (" or else ", "!=")):
            parts = split(text, mark)
            if len(parts) == 2:
                return f"(({self.clause(parts[0])}) {sign} ({self.clause(parts[1])}))"
        return ""

    def _in_two_runs(self, text: str) -> str:
        """Read ``A in run $x$ exactly when in run $y$`` without other parts."""
        found = re.fullmatch(r"(.*) in run (\$[^$]*\$) exactly when (not )?in run (\$[^$]*\$)", text)
        if not found or any(word in found[1] for word in (" and ", " or ", " for ", " if ")):
            return ""
        clause, one, no, other = found.groups()
        sides = (self.clause(f"{clause} in run {run}") for run in (one, other))
        return f"(({next(sides)}) {'!=' if no else '=='} ({next(sides)}))"

    def _bound_before(self, text: str) -> str:
        found = re.match(r"for (each|some|all) (?:event )?\$", text)
        if not found:
            return ""
        which, rest = self._range(text)
        return which(self.clause(rest.removeprefix(",").strip()))

    def _bound_behind(self, text: str) -> str:
        parts = re.split(r" (?=for (?:each|some|all) (?:event )?\$)", text)
        for place in range(len(parts) - 1, 0, -1):
            before, behind = " ".join(parts[:place]), " ".join(parts[place:])
            if len(split(f"{before}\0{behind}", "\0")) == 2:
                which, rest = self._range(behind)
                if not rest:
                    return which(self.clause(before))
        return ""

    def _range(self, text: str) -> tuple[Callable[[str], str], str]:
        if member := re.match(r"for (each|some) event \$([^$]*)\$ of \$([^$]*)\$", text):
            kind, index, whole = member.groups()
            name = self._index(index)
            rest = text[member.end() :].strip()
            return lambda clause: f"{kind}({name}, 1 .. len({self.maths(whole)}), ({clause}))", rest
        found = re.match(
            r"for (each|some|all) \$([^$]*?)(?: \\neq ([^$]*))?\$(?: from \$([^$]*)\$ to \$([^$]*)\$| in \$([^$]*)\$)",
            text,
        )
        if not found:
            raise UnreadableError(text)
        kind, index, but, low, high, members = found.groups()
        domain = self.maths(members) if members else f"{self.maths(low)} .. {self.maths(high)}"
        name = self._index(index)
        other = f"{name} == {self.maths(but)} or " if but else ""
        word = "some" if kind == "some" else "each"
        return lambda clause: f"{word}({name}, {domain}, {other}({clause}))", text[found.end() :].strip()

    def _index(self, symbol: str) -> str:
        return self.maths(symbol).strip("()")

    def _denied(self, text: str) -> str:
        return f"(not ({self.clause(text[4:])}))" if text.startswith("not ") else ""

    def atom(self, text: str) -> str:
        """Read a formula, or what is said of a run, an event or a state."""
        if re.fullmatch(r"\$[^$]*\$", text):
            return self.maths(text[1:-1])
        for pattern, said in _PATTERNS:
            if found := pattern.fullmatch(text):
                return said.format(**self._slots(found))
        for fact, relation in self.facts:
            if found := fact.fullmatch(text.replace("lines 6\2", "lines 6 and 7")):
                return relation(found)
        raise UnreadableError(text)

    def _slots(self, found: re.Match[str]) -> dict[str, str]:
        given = found.groupdict()
        read = {key: self.maths(given[key]) for key in ("k", "v", "t", "y", "z") if given.get(key)}
        read["x"] = self._run(given["x"]) if "x" in given else ""
        if given.get("wport"):
            read["t"] = f"drop({self._run(given.get('wrun'))}, {self.maths(given['wport'])})"
        if given.get("wfirst"):
            read["t"] = f"full({self._run(given.get('wfull'))})"
        return {**read, "sign": _SIGNS[given.get("more") or ""]}

    def _run(self, symbol: str | None) -> str:
        if symbol is None:
            (only,) = self.runs
            return only
        return self.maths(symbol)

    # Sentences.

    def hypotheses(self, text: str) -> list[str]:
        """Read what stands behind "Suppose that" or "such that"."""
        parts = split(text, "; and that ", ", and that ", ", that ", " and that ")
        return [said for part in parts for said in self._listed(part)]

    def _listed(self, text: str) -> Iterator[str]:
        if re.fullmatch(r"\$[^$]*\$(?:(?:, | and )\$[^$]*\$)*", text):
            for formula in re.findall(r"\$([^$]*)\$", text):
                yield from self.relations(formula)
        else:
            yield self.clause(text)

    def conclusions(self, text: str) -> list[str]:
        """Read the conclusions."""
        return [self.clause(part) for part in split(text, "; and ")]


def _commas(latex: str) -> list[str]:
    """Split a formula at commas outside of its parentheses and braces."""
    found, depth, start = [], 0, 0
    for at, sign in enumerate(latex):
        depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(sign, 0)
        if depth == 0 and latex.startswith(", ", at):
            found.append(latex[start:at])
            start = at + 2
    return [*found, latex[start:]]


def _sides(formula: str) -> tuple[list[str], list[str]]:
    """Return the signs of a relation outside of parentheses and braces, and what stands between them."""
    signs: list[str] = []
    sides, depth, start = [], 0, 0
    for at, sign in enumerate(formula):
        depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(sign, 0)
        if depth == 0 and at >= start and (found := _RELATION.match(formula, at)):
            sides.append(formula[start:at])
            signs.append({"\\leq": "<=", "\\geq": ">="}.get(found[0].strip(), found[0].strip()))
            start = found.end()
    return signs, [*sides, formula[start:]]


class Setting(English):
    """Reads the sentences before the hypotheses: definitions and domains; `defined`: the names without a domain."""

    def __init__(self, *parts: Any, defined: Collection[str] = ()) -> None:
        super().__init__(*parts)
        self.defined = frozenset(defined)
        self.values: dict[str, str] = {}
        self.sequences: dict[str, tuple[str, str]] = {}
        self.bounds: set[tuple[str, str, str]] = set()
        self.whole: set[str] = set()
        self.tried: set[str] = set()
        self.lengths: dict[str, str] = {}
        self.letters: dict[str, str] = {}
        self.choices: dict[str, list[str]] = {}
        self.meant: dict[str, list[tuple[str, str]]] = {}
        self.others: list[str] = []
        self.counted: set[str] = set()
        self.listed_names: set[str] = set()
        self.waiting: list[str] = []

    def read(self, text: str) -> None:
        """Read the sentences; those about runs are kept in `others`, and meanings left out."""
        for sentence in re.split(r"(?<=\.)\s+(?=[A-Z$])", text.strip()):
            if sentence.startswith("Let "):
                self._let(sentence[4:].rstrip("."))
            elif sentence and not sentence.startswith("Here "):
                self._scene(sentence)

    def _scene(self, sentence: str) -> None:
        """Read the domains of variables that a run mentions first, such as ``$\\alpha = a > 0$``."""
        self.others.append(sentence)
        for at in re.finditer(r"\$([^$]*)\$", sentence):
            formula = at[1].rpartition(" = ")[2]
            if (
                _sides(formula)[0]
                and r"\text{" not in formula
                and not sentence[: at.start()].endswith((" if ", "either ", " or ", " and otherwise "))
            ):
                self.counted |= {*self.domain(formula)}

    def _let(self, text: str) -> None:
        if found := re.fullmatch(
            r"\$([^$]*)\$ be ((?:\$\\text\{\"[^$]*\$(?: or )?)+)(?: for \$1 \\leq (\w+) \\leq ([^$]*)\$)?", text
        ):
            name = self._name(found[1])
            self.choices[name] = [self.maths(each)[2:-2] for each in re.findall(r"\$([^$]*)\$", found[2])]
            self.lengths |= {name: self.maths(found[4])} if found[4] else {}
        elif found := re.fullmatch(r"\$([^$]*)\$ be (\$\\text\{\"[^$]*\$ \(.*\))", text):
            parts = [re.fullmatch(r"\$([^$]*)\$ \((.*)\)", part) for part in split(found[2], " or ")]
            self.meant[self._name(found[1])] = [(self.maths(part[1])[2:-2], part[2]) for part in parts if part]
        elif found := re.match(r"\$([^$]*)\$ be any sequence of (?:at most \$([^$]*)\$ )?events, ", text):
            self.lengths |= {self._name(found[1]): self.maths(found[2])} if found[2] else {}
            self.letters[self._name(found[1])] = text[found.end() :]
        elif found := re.fullmatch(r"\$([^$]*)\$ be \$([^$]*)\$", text):
            self.values[self._name(found[1])] = self.maths(found[2])
        elif self._defines(text):
            self._definitions(text)
        else:
            whole, _, others = text.rpartition(" be whole") if " be whole" in text else ("", "", text)
            self._domains(whole.removeprefix("let "), whole=True)
            self._domains(others.removeprefix(", and let "), whole=False)

    def _name(self, symbol: str) -> str:
        return self.maths(symbol).strip("()").partition("[")[0]

    def _defines(self, text: str) -> str:
        """Return the name that a text begins to define; empty if it begins with something else."""
        found = re.match(r"\$([^$=]*?)(?: = [^$]*)?\$(?= mean )|\$([^$]*?) = ", text)
        symbol = found and (found[1] or found[2])
        if not symbol or _RELATION.search(symbol):
            return ""
        try:
            return name if (name := self._name(symbol)) in self.defined else ""
        except (UnreadableError, IndexError):
            return ""

    def _definitions(self, text: str) -> None:
        first, *second = split(text, "; otherwise ")
        if not second:
            for name, index, said in self._equations(text):
                self._define(name, index, said)
            return
        before, *test = split(first, " if ")
        condition = self.clause(" if ".join(test))
        cases = self._equations(before.removesuffix(","))
        others = self._equations(second[0]) if self._defines(second[0]) else [("", "", self._said(second[0]))]
        for (name, index, said), (_, _, other) in zip(cases, others, strict=True):
            self._define(name, index, f"(({said}) if ({condition}) else ({other}))")

    def _said(self, text: str) -> str:
        return self.clause(text)

    def _define(self, name: str, index: str, said: str) -> None:
        if index:
            self.sequences[name] = (index, said)
        else:
            self.values[name] = said

    def _equations(self, text: str) -> list[tuple[str, str, str]]:
        """Read definitions that are listed: name, index and what it is."""
        parts = [text]
        for mark in (", ", " and "):
            joined: list[str] = []
            for part in parts:
                pieces = split(part, mark)
                joined.append(pieces[0])
                for piece in pieces[1:]:
                    if self._defines(piece):
                        joined.append(piece)
                    else:
                        joined[-1] += mark + piece
            parts = joined
        return [self._equation(part) for part in parts]

    def _equation(self, text: str) -> tuple[str, str, str]:
        if found := re.match(r"\$([^$]*)\$ mean that ", text):
            return *self._left(found[1]), self.clause(text[found.end() :])
        left, _, right = text[1:-1].partition(" = ")
        if "$" in right:
            raise UnreadableError(text)
        return *self._left(left), self.maths(right)

    def _left(self, symbol: str) -> tuple[str, str]:
        name, _, index = self.maths(symbol)[1:-1].partition("[")
        return name, index.rstrip("]")

    def search(self, text: str) -> None:
        """Read the bounds of a search, such as ``$M, N \\leq 3$ and $E$ of at most $9$ events``."""
        for symbol, most in re.findall(r"\$([^$]*)\$ of at most \$([^$]*)\$ events", text):
            self.lengths[self._name(symbol)] = self.maths(most)
            self.tried.add(self._name(symbol))
        for formula in re.findall(r"\$([^$]*\\leq [^$]*)\$", text):
            self.tried |= {*self.domain(formula)}

    def _domains(self, text: str, *, whole: bool) -> None:
        """Read the domains of variables, and the numbers of elements of lists."""
        for part in re.split(r"(?<=\$)(?:, | and |, and )(?=\$)", text) if text else []:
            formula, *many = re.fullmatch(r"\$([^$]*)\$(?: for \$1 \\leq (\w+) \\leq ([^$]*)\$)?", part).groups()
            names = self.domain(formula)
            self.whole |= {*names} if whole else set()
            self.waiting += names
            if many[0]:
                self.lengths |= {name: self.maths(many[1]) for name in self.listed_names & {*self.waiting}}
                self.waiting = []

    def domain(self, formula: str) -> list[str]:
        """Read a domain such as ``0 < a, b \\leq C`` and return the names."""
        names: list[str] = []
        for piece in formula.removesuffix(r"\text{ any number}").split(r" \land "):
            signs, sides = _sides(piece)
            place = 1 if len(sides) == 3 else 0
            own = []
            for symbol in _commas(sides[place]):
                said = self.maths(symbol)[1:-1]
                name = said.partition("[")[0]
                own.append(name)
                if "[" in said:
                    self.listed_names.add(name)
            for name in own:
                if len(sides) == 3:
                    turned = {"<": ">", "<=": ">="}[signs[0]]
                    self.bounds |= {(name, turned, self.maths(sides[0])), (name, signs[1], self.maths(sides[2]))}
                elif len(sides) == 2:
                    self.bounds.add((name, signs[0], self.maths(sides[1])))
            names += own
        return names
