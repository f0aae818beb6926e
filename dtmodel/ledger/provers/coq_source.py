"""The declarations of a Coq development, read off its sources: the text behind each name of a statement.

The text is words and signs, without comments. If a name is ambiguous, all its declarations count; a sentence that is
not known to be harmless counts as a change of how later ones are read.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from itertools import pairwise
from math import inf
from pathlib import Path

from dtmodel.base.errors import ProverError
from dtmodel.ledger.provers.coq_project import Project

_TOKEN = re.compile(
    r"(?P<string>\"(?:[^\"]|\"\")*\")|(?P<comment>\(\*)|(?P<end>(?:\.\.)?\.(?=\s|\Z))"
    r"|[^\W\d][\w']*(?:\.[^\W\d][\w']*)*|\d+(?:\.\d+)?|[(){}\[\],;']|[^\w\s\"(){}\[\],;'.]+|\.+"
)
_NAME = re.compile(r"[^\W\d][\w']*(?:\.[^\W\d][\w']*)*")
_MODIFIERS = {"Local", "Global", "Polymorphic", "Monomorphic", "Program", "Time"}
_STATED = {"Theorem", "Lemma", "Fact", "Remark", "Corollary", "Proposition", "Property"}
_DEFINED = {"Definition", "Example", "Fixpoint", "CoFixpoint", "Let", "Instance", "Ltac"}
_MADE = {"Record", "Structure", "Class", "Inductive", "CoInductive", "Variant"}
_SUPPOSED = {"Variable", "Variables", "Hypothesis", "Hypotheses", "Context"}
_ASSUMED = {"Axiom", "Axioms", "Parameter", "Parameters", "Conjecture"}
_DECLARED = _STATED | _DEFINED | _MADE | _SUPPOSED | _ASSUMED
_WITHIN_SECTION = {"Notation", "Infix", "Open", "Close", "Arguments", "Implicit", "Set", "Unset", "Import"}
_ENDED = {"Qed", "Defined", "Admitted", "Abort", "Save"}
_MUTE = {"Proof", "Search", "SearchPattern", "Check", "Print", "About", "Compute", "Eval", "Show"}
"""The sentences without an effect on later ones."""


@dataclass(frozen=True, eq=False)
class _Item:
    """A sentence that declares names, or (without names) one that changes how later ones are read, up to `until`.

    `text` has its words and signs, with the proof of a transparent definition; `exported` is true if importing files
    see it.
    """

    names: tuple[str, ...]
    text: str
    file: int
    place: int
    until: float
    kind: str
    exported: bool


class Sources:
    """The declarations of a development; `directory` has ``_CoqProject`` and the sources."""

    def __init__(self, directory: Path) -> None:
        project = Project.read(directory)
        texts = {name: (directory / name).read_text(encoding="utf-8") for name in project.files}
        needs = project.needs(texts)
        self._modules = [Path(name).stem for name in project.files]
        self._needs: list[set[int]] = [set() for _ in texts]
        self._items: list[_Item] = []
        numbers = {name: number for number, name in enumerate(project.files)}
        for name in TopologicalSorter(needs).static_order():
            for need in needs[name]:
                self._needs[numbers[name]] |= {numbers[need], *self._needs[numbers[need]]}
        for number, text in enumerate(texts.values()):
            self._items += _items(text, number)
        own = {number for number, text in enumerate(texts.values()) if "Reals" in text}
        self._real = {number for number, found in enumerate(self._needs) if own & {number, *found}}
        self._named: dict[str, list[_Item]] = {}
        self._reading: list[list[_Item]] = [[] for _ in texts]
        for item in self._items:
            for name in item.names:
                self._named.setdefault(name, []).append(item)
            if not item.names:
                self._reading[item.file].append(item)
        self._behind: dict[_Item, set[_Item]] = {}

    @property
    def reals(self) -> str:
        """The words that import the real numbers, if a file does; loading them once saves time."""
        return "Require Import Reals. Open Scope R_scope." if self._real else ""

    def theorems(self) -> dict[str, str]:
        """Return the module of each ``Theorem``; raise `ProverError` if two have the same name."""
        home: dict[str, str] = {}
        for item in self._items:
            if item.kind == "Theorem":
                name, module = item.names[0], self._modules[item.file]
                if name in home:
                    raise ProverError(f"two theorems are called {name}, in {home[name]}.v and {module}.v: rename one")
                home[name] = module
        return home

    def apart_from_reals(self) -> set[str]:
        """Return the modules without the real numbers; their theorems rest on no axiom."""
        return {module for number, module in enumerate(self._modules) if number not in self._real}

    def importing(self, modules: Sequence[str]) -> str:
        """Return the line with which Coq reads and prints the statements of files; later files come first."""
        return f"Import {' '.join(modules)}." + (" Open Scope R_scope." if self._real else "")

    def context(self, module: str, statements: Iterable[str]) -> str:
        """Return the line with which Coq reads statements of a file, with abbreviations of other files in them."""
        own = self._modules.index(module)
        needed = [self._modules[number] for number in sorted({own, *self._needs[own]})]
        foreign = {item for text in statements for word in words(text) for item in self._abbreviation(word, own)}
        lent = "".join(f" {item.text}." for item in sorted(foreign, key=lambda item: item.names))
        return self.importing(needed) + lent

    def behind(self, statement: str, module: str) -> tuple[str, tuple[str, ...]]:
        """Return a digest of all definitions behind a statement of a module, and their names."""
        own = self._modules.index(module)
        visible = [item for number in (own, *self._needs[own]) for item in self._reading[number] if item.exported]
        roots = {found for word in words(statement) for found in self._meant(word, own, inf)}
        roots.update(visible, (item for word in words(statement) for item in self._abbreviation(word, own)))
        seen, todo = set(roots), list(roots)
        while todo:
            more = self._direct(todo.pop()) - seen
            seen |= more
            todo += more
        ordered = sorted(seen, key=lambda item: (item.file, item.place))
        digest = hashlib.sha256()
        for text in dict.fromkeys(self._marked(item) for item in ordered):
            digest.update(text.encode())
        shown = (item for item in ordered if item.kind in _DEFINED | _MADE and item.names)
        named = {f"{self._modules[item.file]}.{item.names[0]}" for item in shown if item.until == inf}
        return digest.hexdigest(), tuple(sorted(named))

    def _marked(self, item: _Item) -> str:
        """Return the text of an item, with its file if the meaning depends on the file."""
        placed = item.names and item.kind != "Notation"
        return f"{self._modules[item.file] if placed else ''}\0{item.text}\0"

    def _abbreviation(self, word: str, file: int) -> list[_Item]:
        """Return the first abbreviation of another file for a word without a meaning in this one."""
        named = [item for item in self._named.get(word, ()) if item.kind == "Notation" and item.exported]
        return [] if any(self._meant(word, file, inf)) else named[:1]

    def _direct(self, item: _Item) -> set[_Item]:
        """Return the items that the words of an item can mean, and the sentences that affect how it is read."""
        if item not in self._behind:
            found = {other for word in words(item.text) for other in self._meant(word, item.file, item.place)}
            above = {other for other in self._reading[item.file] if other.place < item.place < other.until}
            outside = {o for number in self._needs[item.file] for o in self._reading[number] if o.exported}
            self._behind[item] = (found | above | outside) - {item}
        return self._behind[item]

    def _meant(self, word: str, file: int, place: float) -> Iterator[_Item]:
        for name in word.split("."):
            for item in self._named.get(name, ()):
                foreign = item.file in self._needs[file] and item.exported
                within = item.place < place and (item.until == inf or place < item.until)
                if within if item.file == file else foreign:
                    yield item


def words(text: str) -> list[str]:
    """Return the names in a text of Coq, qualified ones whole.

    >>> words('forall x : nat, 0 < Base.room x (* as x - 1 *)')
    ['forall', 'x', 'nat', 'Base.room', 'x']
    """
    return [token for sentence in _sentences(text) for token in sentence if _NAME.fullmatch(token)]


def one_sentence(text: str) -> bool:
    """Return true if a text of Coq is one sentence without its final dot, and has no comment.

    >>> one_sentence("forall x : nat, x = x"), one_sentence("True. Abort. Goal True"), one_sentence("True (* ... *)")
    (True, False, False)
    """
    read = list(_sentences(f"{text} ."))
    return "(*" not in text and len(read) == 1 and bool(read[0])


def _sentences(source: str) -> Iterator[list[str]]:
    tokens: list[str] = []
    place = 0
    while found := _TOKEN.search(source, place):
        place = found.end()
        if found["comment"]:
            place = _after_comment(source, place)
        elif found["end"]:
            yield tokens
            tokens = []
        else:
            tokens.append(found[0])
    if tokens:
        yield tokens


def _after_comment(source: str, place: int) -> int:
    depth = 1
    while depth and (found := re.compile(r'"(?:[^"]|"")*"|\(\*|\*\)').search(source, place)):
        place = found.end()
        depth += {"(*": 1, "*)": -1}.get(found[0], 0)
    return len(source) if depth else place


def _items(source: str, file: int) -> Iterator[_Item]:
    sentences = [_stripped(tokens) for tokens in _sentences(source)]
    closed = _closes([tokens for tokens, _ in sentences])
    proof_until = -1
    for place, (tokens, modifiers) in enumerate(sentences):
        head = tokens[0] if tokens else ""
        until: float = closed[place]
        if place <= proof_until and (not head[:1].isupper() or head in _ENDED | _MUTE):
            continue
        if head in _DECLARED and (place > proof_until or head == "Ltac"):
            ended = _end_of_proof(sentences, place) if head in _STATED | _DEFINED - {"Ltac"} else 0
            kept = [" ".join(tokens)]
            if ended:
                proof_until = ended
                if head not in _STATED or sentences[ended][0][0] == "Defined":
                    kept += [" ".join(tokens) for tokens, _ in sentences[place + 1 : ended + 1]]
            names = tuple(dict.fromkeys(_names(head, tokens)))
            stays = head not in _SUPPOSED | {"Let"}
            yield _Item(names, " . ".join(kept), file, place, inf if stays else until, head, stays)
            if names and not (head == "Instance" or ":>" in tokens):
                continue
        if head in ("", "Section", "End") or head in _MUTE:
            continue
        if head == "Notation" and len(tokens) > 1 and not tokens[1].startswith('"'):
            outside = until == inf and "Local" not in modifiers
            yield _Item((tokens[1],), " ".join(tokens), file, place, until, head, outside)
            continue
        text = " ".join([*sorted(modifiers), *tokens])
        passes = "Global" in modifiers or not (until < inf and head in _WITHIN_SECTION)
        imports = bool({"Require", "Import"} & set(tokens)) and "Export" not in tokens
        exported = passes and "Local" not in modifiers and not imports
        yield _Item((), text, file, place, inf if passes else until, head, exported)


def _stripped(tokens: Sequence[str]) -> tuple[list[str], set[str]]:
    left, modifiers = list(tokens), set()
    while left:
        if re.fullmatch(r"[-+*]+|[{}]", left[0]):
            del left[0]
        elif left[:2] == ["#", "["] and "]" in left:
            end = left.index("]") + 1
            modifiers |= {word.capitalize() for word in left[2 : end - 1]}
            del left[:end]
        elif left[0] in _MODIFIERS:
            modifiers.add(left.pop(0))
        else:
            break
    return left, modifiers


def _closes(sentences: Sequence[Sequence[str]]) -> list[float]:
    """Return for each sentence the number of the one that ends its section; infinity outside sections."""
    found: list[float] = [inf] * len(sentences)
    open_: list[tuple[str, int]] = []
    for place, tokens in enumerate(sentences):
        if tokens[:1] == ["Section"] and len(tokens) == 2:
            open_.append((tokens[1], place))
        elif tokens[:1] == ["End"] and open_ and tokens[1:] == [open_[-1][0]]:
            for inside in range(open_.pop()[1], place):
                found[inside] = min(found[inside], place)
    return found


def _end_of_proof(sentences: Sequence[tuple[list[str], set[str]]], place: int) -> int:
    for number in range(place + 1, len(sentences)):
        head = (sentences[number][0] or [""])[0]
        if head in _ENDED:
            return number
        if head in _DECLARED - {"Ltac"}:
            return 0
    return 0


def _names(head: str, tokens: Sequence[str]) -> Iterator[str]:
    """Yield the declared names, with the fields and constructors of a type."""
    if head in _SUPPOSED | _ASSUMED:
        yield from _supposed(tokens[1:])
        return
    yield from tokens[1:2]
    cases = 0
    for before, word in pairwise(tokens):
        if before == "match":
            cases += 1
        elif before == "with" and cases:
            cases -= 1
        elif _NAME.fullmatch(word) and (before == "with" or (head in _MADE and re.fullmatch(r":=|\|+|\{|;", before))):
            yield word


def _supposed(tokens: Sequence[str]) -> Iterator[str]:
    """Yield the names before the colon, or before the colon of every group in brackets."""
    depth, naming = 0, True
    for word in tokens:
        opened = word in ("(", "{", "[")
        depth += opened - (word in (")", "}", "]"))
        if (opened and depth == 1) or (word == "`"):
            naming = True
        elif word == ":":
            naming = False
        elif naming and _NAME.fullmatch(word):
            yield word
