"""Settings that several statements of a page share stand there once, with a title to which the statements refer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from dtmodel.base.mathtext import text_of
from dtmodel.ledger.joins import listed

_BETWEEN = re.compile(
    r"((?:^|(?<=\.)|(?<=\. ~\])|(?<=\. -> ~\]))(?:\+\]\s+|\[\+ |\s+)(?:(?=[A-Z$])(?!Each )|(?=\[~ )))"
)
"""The space between two sentences, with the begin or the end of an insertion; the law of thresholds ends a sentence."""
_BESIDE = re.compile("\0[^\0]*\0(?: +\0[^\0]*\0)*")
"""References beside each other, each between two signs that no text has."""
_EQUATIONS = re.compile(r"Let \$[^$]*? = [^$]*\$(?:(?:, | and )\$[^$]*? = [^$]*\$)+\.")
_FORMULA = re.compile(r"\$([^$]*)\$")
_DEFINED = re.compile(r"(?:Let|,| and|; otherwise) \$([^$=]*?) = |Let \$([^$]*)\$ (?:mean |be (?!whole))")
_DECLARED = re.compile(r"(?:[Ll]et|,| and) \$([^$]*)\$")
_BOUND = re.compile(r" (?:\\leq|\\geq|<|>) ")
_MEANT = re.compile(r"Here (\$[^$]*\$|corrected LossPass)(?: and (\$[^$]*\$))? (?:is |stand for )?[a-z]")
_NOTATION = re.compile(r"Here (?:\$[^$]*\)\$|corrected|.*\bevents?\b)")
_SCENARIO = re.compile(r"A |An |In |From |For |Run |EDT's |L2BM's |\$[^$]*\$ (?:ports|steady|queues)")
_TITLES = {
    r"runs (complete sharing|a static partition|\w+ dynamic thresholds|dynamic thresholds in \w+)": r"\1",
    r"runs (?:corrected )?([A-Z]\w+)": r"\1",
    "switch with (PFC)": r"\1", r"^(EDT's|L2BM's) (counters|recorder)": r"\1 \2", "these events": "given events",
    "and lasts": "bursts that end", "never ends": "lasting bursts",
    "steady queue": "steady queues", "(?<!steady) queue .*is offered": "queues",
    "port is offered|ports, empty": "rates", "the same comes": "another policy", "is as run": "other events",
}  # fmt: skip
"""Words of a scenario, and those of its title."""
_OWN, _GAIN = 4, 4
"""The least number of statements for which a variant of a scenario stands on the page, too, and of words spared."""


@dataclass(frozen=True)
class Reference:
    """A setting that is printed elsewhere on the page, and the formulas that replace its own here."""

    title: str
    text: str
    changes: tuple[tuple[str, str], ...] = ()

    @property
    def silent(self) -> bool:
        """True for the notation of an observable, which has one meaning on all pages."""
        return _NOTATION.match(self.text) is not None and not self.title.endswith(")")

    @property
    def words(self) -> str:
        """The changes in words: ``with $M = 1$ for $M > 1$``."""
        return " with " + listed([f"${new}$ for ${old}$" for old, new in self.changes]) if self.changes else ""

    @property
    def whole(self) -> str:
        """The sentence for which it stands."""
        return _FORMULA.sub(lambda found: f"${dict(self.changes).get(found[1], found[1])}$", self.text)


class Settings:
    r"""The settings that statements share, on one page or on the pages of a document."""

    def __init__(self, statements: Iterable[str]) -> None:
        self.statements = list(statements)

    @cached_property
    def _shared(self) -> Mapping[str, list[Reference]]:
        """The sentences to refer to, by their words without formulas; those of scenarios may have other formulas."""
        sentences = (sentence for each in self.statements for sentence in _BETWEEN.split(each))
        counts = Counter(part for sentence in sentences for part in _items(sentence) if title_of(part))
        groups: dict[str, list[str]] = {}
        for part, _ in counts.most_common():
            groups.setdefault(_frame(part), []).append(part)
        found: dict[str, list[Reference]] = {}
        titles = Counter[str]()
        for frame, parts in groups.items():
            if sum(counts[part] for part in parts) > 1:
                for part in [parts[0], *(each for each in parts[1:] if counts[each] >= _OWN)]:
                    titles[title := title_of(part)] += 1
                    many = f"{title} ({titles[title]})" if titles[title] > 1 else title
                    found.setdefault(frame, []).append(Reference(many, part))
        return found

    def printed(self, statements: Iterable[str] | None = None) -> dict[str, str]:
        """Return the sentences to print once, by title, for some of the statements, or for all."""
        pieces = [piece for each in statements or self.statements for piece in self.pieces(each)]
        return {piece.title: piece.text for piece in pieces if isinstance(piece, Reference)}

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each title."""
        return {title: number for number, title in enumerate(self.printed(), 1)}

    def pieces(self, statement: str) -> Iterator[str | Reference]:
        """Yield the text of a statement, with references in place of the settings that the page has."""
        for part in _BETWEEN.split(statement):
            items = [self._piece(item) for item in _items(part)]
            shared, own = ([each for each in items if isinstance(each, kind)] for kind in (Reference, str))
            for place, each in enumerate(shared):
                yield from (" ", each) if place else (each,)
            yield (" " if shared and own else "") + _together([str(each) for each in own])

    def _piece(self, part: str) -> str | Reference:
        length = _length(part)
        options = [each for known in self._shared.get(_frame(part), ()) if (each := _changed(known, part))]
        best = min(options, key=_cost, default=None)
        return best if best and _cost(best) + _GAIN <= length else part

    def text(self, statement: str, refer: Callable[[Reference], str] = lambda each: each.title + each.words) -> str:
        """Write a statement with its references in words, those beside each other together."""
        said = "".join(
            piece if isinstance(piece, str) else "" if piece.silent else f"\0{refer(piece)}\0"
            for piece in self.pieces(statement)
        )
        return _BESIDE.sub(lambda found: f"Given {'; '.join(found[0].strip(chr(0)).split(chr(0))[::2])}.", said)


def title_of(part: str) -> str:
    """Return the title of a scenario, definition or meaning; empty for another sentence, which stays in its place.

    >>> title_of("A switch runs DT."), title_of("Let $a = 1$ and $b = 2$."), title_of("Here $w_i$ is a weight.")
    ('DT', '$a$ and $b$', '$w_i$')
    """
    if re.search(r"\[[+~]|[+~]\]| -> ", part):
        return ""
    if part.startswith("Let "):
        defined = [first or second for first, second in _DEFINED.findall(part)]
        names = defined or map(_symbol, _DECLARED.findall(part))
        return listed(list(dict.fromkeys(f"${name}$" for name in names)))
    if meant := _MEANT.match(part):
        return listed([each for each in meant.groups() if each])
    if not _SCENARIO.match(part):
        return ""
    return ", ".join(match.expand(title) for words, title in _TITLES.items() if (match := re.search(words, part)))


def _symbol(domain: str) -> str:
    """Return what a domain bounds: the middle of two bounds, else what stands first."""
    parts = _BOUND.split(domain)
    return parts[len(parts) == 3]


def _items(part: str) -> list[str]:
    """Split the sentences with the meanings of symbols and with definitions that have no condition."""
    if part.startswith("Here ") and "; $" in part:
        first, *others = part.removesuffix(".").split("; ")
        return [f"{first}.", *(f"Here {other.replace('$ ', '$ is ', 1)}." for other in others)]
    if _EQUATIONS.fullmatch(part):
        return [f"Let ${equation}$." for equation in _FORMULA.findall(part)]
    return [part]


def _together(items: Sequence[str]) -> str:
    """Write sentences with meanings, or definitions, as one."""
    if items[1:] and items[0].startswith("Let "):
        return f"Let {listed([each[4:-1] for each in items])}."
    return "; ".join([*items[:1], *(each[5:].replace("$ is ", "$ ", 1) for each in items[1:])]).replace(".; ", "; ")


def _frame(part: str) -> str:
    return _FORMULA.sub("$", part) if _SCENARIO.match(part) else part


def _changed(known: Reference, part: str) -> Reference | None:
    """Return the reference with the formulas of a sentence; None if they cannot be put in place of its own."""
    pairs = [(old, new) for old, new in zip(_FORMULA.findall(known.text), _FORMULA.findall(part), strict=True)]
    found = Reference(known.title, known.text, tuple(dict.fromkeys(pair for pair in pairs if pair[0] != pair[1])))
    return found if found.whole == part else None


def _cost(reference: Reference) -> int:
    return 0 if reference.silent else 1 + _length(f"{reference.title}{reference.words}")


def _length(part: str) -> int:
    return len(text_of(part).split())
