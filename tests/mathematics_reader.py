"""Reads the mathematics that executable statements are shown as, and returns the expression that it says.

It is written from the conventions of mathematics, and shares nothing with the writer: a sign binds as in a textbook, a
sum goes as far as a product does, a quantifier and a condition as far as they can.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import takewhile

_TOKEN = re.compile(r"\\(?:text|mathrm)\{(?:\\.|[^{}\\])*\}|\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|[^\s]")
_RELATIONS = {
    "<": "<",
    r"\leq": "<=",
    ">": ">",
    r"\geq": ">=",
    "=": "==",
    r"\neq": "!=",
    r"\in": "in",
    r"\notin": "not in",
}
_LARGE = {r"\sum": "sum", r"\prod": "prod", r"\max": "max", r"\min": "min"}
_CLOSING = {")", "]", "}", r"\}", ",", ";", ":", r"\rfloor", r"\rceil"}
_SLOT = re.compile(r"⟨(\d)(a?)⟩")


class UnreadableError(Exception):
    """The text is not mathematics of the language."""


class _Slot:
    """A place in the LaTeX of a word; one before an exponent takes a symbol, a number or parentheses."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __format__(self, spec: str) -> str:
        return f"⟨{self.number}{spec[:1]}⟩"


def tokens_of(latex: str) -> list[str]:
    """Split LaTeX into tokens; those in words stay together."""
    return _TOKEN.findall(latex)


def patterns(phrases: Mapping[str, Callable[..., str]]) -> list[tuple[str, int, list[str]]]:
    """Return the LaTeX of words as tokens, with the places of their arguments; the longest first."""
    found = []
    for name, phrase in phrases.items():
        for places in range(1, 5):
            if phrase.takes(places):  # type: ignore[attr-defined]  # of the vocabulary's phrases
                marked = _SLOT.split(phrase(*map(_Slot, range(places))))
                tokens: list[str] = []
                for index, part in enumerate(marked):
                    tokens += tokens_of(part) if index % 3 == 0 else [f"⟨{part}{marked[index + 1]}⟩"] * (index % 3 == 1)
                found.append((name, places, tokens))
    return sorted(found, key=lambda item: -len(item[2]))


class Reader:
    """One formula; `names` maps each symbol to its name."""

    def __init__(self, latex: str, names: Mapping[str, str], words: Sequence[tuple[str, int, list[str]]] = ()) -> None:
        self.tokens = tokens_of(latex)
        self.symbols = sorted(((tokens_of(symbol), name) for symbol, name in names.items()), key=lambda it: -len(it[0]))
        self.words = words
        self.at = 0

    def whole(self) -> str:
        """Return what all of the formula says."""
        said = self.anything()
        if self.at < len(self.tokens):
            raise UnreadableError(f"{' '.join(self.tokens[: self.at])} >>> {' '.join(self.tokens[self.at :])}")
        return said

    def next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def takes(self, *tokens: str) -> bool:
        if self.tokens[self.at : self.at + len(tokens)] != list(tokens):
            return False
        self.at += len(tokens)
        return True

    def expect(self, token: str) -> None:
        if not self.takes(token):
            raise UnreadableError(
                f"expected {token}: {' '.join(self.tokens[: self.at])} >>> {' '.join(self.tokens[self.at :])}"
            )

    def anything(self) -> str:
        for sign, name in ((r"\forall", "each"), (r"\exists", "some")):
            if self.takes(sign):
                members = self.members()
                self.expect(":")
                return f"{name}({members}, {self.anything()})"
        first = self.in_words(self.chain(self.conjunction, r"\lor", " or "))
        if not self.takes(r"\text{ if }"):
            return first
        test = self.chain(self.conjunction, r"\lor", " or ")
        self.expect(r"\text{, else }")
        return f"(({first}) if ({test}) else ({self.anything()}))"

    def in_words(self, first: str) -> str:
        """Read on where words follow an argument, as in ``M bursts at R``."""
        for name, places, tokens in self.words:
            if tokens[0] == "⟨0⟩" and tokens[1].startswith(r"\text") and self.next() == tokens[1]:
                start = self.at
                try:
                    return f"{name}({', '.join([first, *self.slots(tokens[1:])][:places])})"
                except UnreadableError:
                    self.at = start
        return first

    def chain(self, part: Callable[[], str], sign: str, joint: str) -> str:
        parts = [part()]
        while self.takes(sign):
            parts.append(part())
        return parts[0] if len(parts) == 1 else f"({joint.join(parts)})"

    def conjunction(self) -> str:
        return self.chain(self.negation, r"\land", " and ")

    def negation(self) -> str:
        return f"(not {self.negation()})" if self.takes(r"\neg") else self.relation()

    def relation(self) -> str:
        said, count = self.range(), 1
        if self.takes(r"\approx"):
            return f"approx({said}, {self.range()})"
        while self.next() in _RELATIONS:
            sign = _RELATIONS[self.next()]
            self.at += 1
            said, count = f"{said} {sign} {self.range()}", count + 1
        return said if count == 1 else f"({said})"

    def range(self) -> str:
        first = self.modulo()
        return f"({first} .. {self.modulo()})" if self.takes(r"\ldots") else first

    def modulo(self) -> str:
        """A remainder is taken of a product, and no sum stands beside it without parentheses."""
        start, first = self.at, self.sum()
        if not self.takes(r"\bmod"):
            return first
        stop, self.at = self.at, start
        left = self.product()
        self.expect(r"\bmod")
        if self.at != stop:
            raise UnreadableError("a sum beside a remainder")
        return f"({left} % {self.product()})"

    def sum(self) -> str:
        if self.next() in "+-" and self.next():
            sign = self.next()
            self.at += 1
            said = f"({sign}{self.product()})"
        else:
            said = self.large() or self.product()
        while self.next() in ("+", "-"):
            sign = self.next()
            self.at += 1
            said = f"({said} {sign} {self.product()})"
        return said

    def large(self) -> str:
        """Read a sum, product, largest or least of many; without an index they are functions."""
        name = _LARGE.get(self.next())
        if not name or self.tokens[self.at + 1] != "_":
            return ""
        self.at += 1
        self.expect("_")
        self.expect("{")
        start, index = self.at, self.name()
        if self.takes("}"):
            return f"{name}({self.product().removesuffix(f'[{index}]')})"
        if self.takes("="):
            low = self.anything()
            self.expect("}")
            self.expect("^")
            return f"{name}({index}, {low} .. {self.group()}, {self.product()})"
        self.at = start
        members = self.members()
        self.expect("}")
        return f"{name}({members}, {self.product()})"

    def members(self) -> str:
        start = self.at
        index = self.name()
        if index and self.takes(r"\in"):
            return f"{index}, {self.range()}"
        self.at = start
        low = self.modulo()
        self.expect(r"\leq")
        index = self.name()
        self.expect(r"\leq")
        return f"{index}, {low} .. {self.modulo()}"

    def product(self) -> str:
        said = self.factor()
        while True:
            dot = self.takes(r"\cdot")
            if not dot and not self.begins_a_factor():
                return said
            said = f"({said} * {self.factor()})"

    def begins_a_factor(self) -> bool:
        ends = {*_CLOSING, *_RELATIONS, r"\bmod", r"\ldots", r"\approx", r"\land", r"\lor", "+", "-", "^", "_", "", "."}
        if self.next() in ends:
            return False
        return not self.next().startswith(r"\text{") or self.next().startswith(r'\text{"')

    def factor(self) -> str:
        said = self.item()
        return f"({said} ** {self.group()})" if self.takes("^") else said  # LaTeX takes one exponent

    def group(self) -> str:
        self.expect("{")
        said = self.anything()
        self.expect("}")
        return said

    def item(self) -> str:
        """Read one factor with its indices and members."""
        said = self.atom()
        while True:
            if self.takes("_"):
                self.expect("{")
                said += "".join(f"[{index}]" for index in self.listed("}"))
            elif self.takes("["):
                said += f"[{self.anything()}]"
                self.expect("]")
            elif self.takes("."):
                said = f"({said}).{self.word()}"
            else:
                return said

    def atom(self) -> str:
        token = self.next()
        if found := self.word_of_vocabulary():
            return found
        if name := self.name():
            return name
        if re.fullmatch(r"\d.*", token):
            self.at += 1
            return token
        if self.takes("("):
            return self.parentheses()
        if self.takes("["):
            return f"[{', '.join(self.listed(']'))}]"
        if self.takes(r"\frac"):
            return f"({self.group()} / {self.group()})"
        for name in ("floor", "ceil"):
            if self.takes(rf"\l{name}"):
                said = f"{name}({self.anything()})"
                self.expect(rf"\r{name}")
                return said
        if self.takes(r"\#", r"\{"):
            members = self.members()
            self.expect(":")
            said = f"count({members}, {self.anything()})"
            self.expect(r"\}")
            return said
        return self.word_or_call(token)

    def parentheses(self) -> str:
        body = self.anything()
        self.expect(")")
        start = self.at
        if self.takes("_", "{"):
            try:
                members = self.members()
                self.expect("}")
            except UnreadableError:
                self.at = start
            else:
                return f"list({members}, {body})"
        return f"({body})"

    def word_or_call(self, token: str) -> str:
        constants = {r"\text{never}": "never", r"\text{none}": "None", r"\text{true}": "True", r"\text{false}": "False"}
        if token in constants and self.tokens[self.at + 1 : self.at + 2] != ["("]:
            self.at += 1
            return constants[token]
        if token.startswith(r'\text{"'):
            self.at += 1
            return token.removeprefix(r"\text{").removesuffix("}").replace("\\", "")
        name = self.word() if token.startswith((r"\text", r"\mathrm")) else _LARGE.get(token, "")
        self.at += token in _LARGE
        if not name or not self.takes("("):
            raise UnreadableError(f"{' '.join(self.tokens[: self.at])} >>> {' '.join(self.tokens[self.at :])}")
        return f"{name}({', '.join(self.arguments())})"

    def arguments(self) -> list[str]:
        said = self.listed(")", ";") if self.next() != ";" else []
        if self.takes(")"):
            return said
        self.expect(";")
        while True:
            key = "".join(takewhile(lambda each: each != "=", self.tokens[self.at :]))
            self.at = self.tokens.index("=", self.at) + 1
            said.append(f"{_typed(key)} = {self.range()}")
            if self.takes(")"):
                return said
            self.expect(",")

    def listed(self, *ends: str) -> list[str]:
        """Read what stands between commas, and the closing token unless it is one of several."""
        said = []
        while self.next() not in ends:
            said.append(self.anything())
            if self.next() not in ends:
                self.expect(",")
        self.at += len(ends) == 1
        return said

    def word(self) -> str:
        token = self.next()
        self.at += 1
        return token.partition("{")[2][:-1].replace("\\", "").replace(" ", "_")

    def name(self) -> str:
        """Read the symbol of a name: no index follows that would belong to it, and no call."""
        for tokens, name in self.symbols:
            start = self.at
            if self.takes(*tokens):
                if self.next() == "(" and tokens[0].startswith((r"\mathrm", r"\text")) and len(tokens) == 1:
                    self.at = start
                    continue
                return name
            if tokens[-1] == "}" and len(tokens) > 3 and self.takes(*tokens[:-1], ","):
                self.tokens[self.at - 1 : self.at] = ["}", "_", "{"]  # further indices stand in the same braces
                return name
        return ""

    def word_of_vocabulary(self) -> str:
        for name, places, tokens in self.words:
            if tokens[0] != self.next():
                continue
            start, before = self.at, self.tokens[:]
            try:
                arguments = self.slots(tokens)[:places]
            except UnreadableError:
                self.at, self.tokens = start, before
                continue
            if tokens[-1] == "}" and self.next() in ("^", "_"):
                raise UnreadableError("a second exponent or index of a word")
            return f"{name}({', '.join(arguments)})"
        return ""

    def slots(self, tokens: Iterable[str]) -> list[str]:
        """Read tokens in order; arguments stand in the places, in the order of their numbers."""
        found: dict[int, str] = {}
        for token in tokens:
            if slot := _SLOT.fullmatch(token):
                found[int(slot[1])] = self.item() if slot[2] else self.range()
            else:
                self.expect(token)
        return [found[number] for number in sorted(found)]


def _typed(symbol: str) -> str:
    """Return the keyword that a symbol stands for."""
    plain = re.sub(r"\\(?:mathrm|text)\{((?:\\.|[^{}])*)\}", r"\1", symbol).replace("\\", "")
    special = {"c_{n1}": "cn1", "c_{n2}": "cn2", "TM_{1}": "tm1", "TM_{2}": "tm2"}
    return special.get(plain) or re.sub(r"_\{(.*)\}", r"_\1", plain)
