"""Facts read off the text of files without importing them, cached by content: evidence, imports, claims."""

import ast
import contextlib
import hashlib
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from dtmodel.base import mathtext
from dtmodel.base.caches import Store
from dtmodel.base.mathtext import text_of
from dtmodel.ledger.claim import FORMS, odd_tables
from dtmodel.ledger.evidence import STRENGTHS, Aim, Evidence

_Reader = Callable[[bytes], Any]
_ABSENT = object()


class Index:
    """Cached facts about files, by kind and content; in a store with a folder they last from run to run.

    Parameters
    ----------
    store : Store, optional
        The store of the facts; those of another version of the readers count as absent.

    Examples
    --------
    >>> Index().tables(b'[claim."own.eq1"]')
    {'claim': {'own.eq1': {}}}
    """

    def __init__(self, store: Store | None = None) -> None:
        self.store = store or Store()
        self._facts: dict[tuple[str, str], Any] = {}
        self._new: list[tuple[str, str]] = []

    def of(self, kind: str, content: bytes, read: _Reader) -> Any:
        """Return the JSON value that `read` computes, once for each `kind` and `content`."""
        key = kind, hashlib.sha256(content).hexdigest()
        if key not in self._facts:
            found = self.store.get(f"{kind} {_reader()}", key[1], _ABSENT)
            if found is _ABSENT:
                found = read(content)
                self._new.append(key)
            self._facts[key] = found
        return self._facts[key]

    def imports(self, content: bytes) -> list[tuple[int, str, list[str]]]:
        """Return the imports anywhere in Python (`content`): dots, module, names; a computed part is ``*``."""
        return [(level, module, names) for level, module, names in self.of("imports", content, _imports)]

    def tables(self, content: bytes) -> dict[str, Any]:
        """Return the claims, preludes and (under ``""``) odd tables of TOML (`content`); else `ValueError`."""
        found: dict[str, Any] = self.of("tables", content, _tables)
        return found

    def evidence(self, content: bytes, module: str, file: str) -> tuple[Evidence, ...] | None:
        """Return the evidence in the `content` of a `file`, or None if the `module` must be imported to find it."""
        found = self.of("evidence", content, evidence_in)
        if found is None:
            return None
        return tuple(
            Evidence(module, name, tuple(Aim(tuple(claims), *how) for claims, *how in aims), summary, file, line)
            for name, line, summary, aims in found
        )

    def words(self, text: str) -> str:
        """Return a `text` of words and mathematics as plain text."""
        written: str = self.of("words", f"{_writer()}\n{text}".encode(), lambda _: text_of(text))
        return written

    def save(self) -> None:
        """Store new facts; if they cannot be stored, continue."""
        new, self._new = self._new, []
        for kind in {kind for kind, _ in new}:
            facts = {name: self._facts[kind, name] for of, name in new if of == kind}
            self.store.put(f"{kind} {_reader()}", facts)


@cache
def _reader() -> str:
    """Identify the readers: this file, the grammar of Python, the known forms and strengths."""
    read = repr((Path(__file__).read_bytes(), sys.version, FORMS, STRENGTHS))
    return hashlib.sha256(read.encode()).hexdigest()


@cache
def _writer() -> str:
    """Identify the version of `text_of`: its file, and the library that has the symbols."""
    from importlib.metadata import version

    return f"{hashlib.sha256(Path(mathtext.__file__).read_bytes()).hexdigest()} {version('latex2mathml')}"


def evidence_in(content: bytes) -> list[Any] | None:
    """Read name, line, summary and aims of the evidence off a Python text; None if only an import can find them."""
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not any(map(_may_register, ast.walk(tree))):
        return []
    functions = [
        node for node in tree.body if isinstance(node, ast.FunctionDef) and any(map(_called, node.decorator_list))
    ]
    found = [[*_described(node), [_aim(each) for each in reversed(node.decorator_list)]] for node in functions]
    aims = [_aim(each) for node in functions for each in node.decorator_list]
    once = len({node.name for node in functions}) == len(functions)
    # If the word occurs only in the import and once for each aim, there is no other call to search for.
    told = content.isascii() and len(re.findall(rb"\bevidence\b", content)) == len(aims) + 1
    nowhere_else = told or len(aims) == sum(_name(node) == "evidence" for node in ast.walk(tree))
    return found if once and nowhere_else and None not in aims and _imported(tree) else None


def _described(node: ast.FunctionDef) -> tuple[str, int, str]:
    """Return name, first line and summary of a function, as its code object and `inspect.getdoc` have them."""
    said = ast.get_docstring(node) or node.name.replace("_", " ")
    return node.name, node.decorator_list[0].lineno, " ".join(said.split("\n\n")[0].split())


def _aim(decorator: ast.expr) -> list[Any] | None:
    if not isinstance(decorator, ast.Call) or not _called(decorator):
        return None
    claims = [_text(argument) for argument in decorator.args]
    how = {keyword.arg: _text(keyword.value) for keyword in decorator.keywords}
    if not claims or None in claims or set(how) != {"form", "strength"}:
        return None
    right = how["form"] in FORMS and how["strength"] in STRENGTHS
    return [claims, how["form"], how["strength"]] if right else None


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _called(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and _name(node.func) == "evidence"


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _may_register(node: ast.AST) -> bool:
    """True if a node has the name `evidence`, or the argument `strength` that each call of it has."""
    called = isinstance(node, ast.keyword) and node.arg == "strength"
    return called or _name(node) == "evidence" or (isinstance(node, ast.alias) and node.name == "evidence")


def _imported(tree: ast.Module) -> bool:
    return any(
        (alias.name, alias.asname) == ("evidence", None)
        for node in tree.body if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("dtmodel.ledger")
        for alias in node.names
    )  # fmt: skip


def _imports(content: bytes) -> list[Any]:
    """Read the import statements off a Python text; empty if it is not Python."""
    named = b"import_module(" in content

    def found() -> Iterator[list[Any]]:
        tree = ast.parse(content)
        for node in ast.walk(tree) if named else _statements(tree):
            if isinstance(node, ast.Import):
                yield from ([0, alias.name, []] for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                yield [node.level, node.module or "", [alias.name for alias in node.names]]
            elif named and isinstance(node, ast.JoinedStr) and _own(node):
                yield [1, "", ["*"]]
            elif named and isinstance(node, ast.Constant) and (module := _module(node.value)):
                yield [0, module.rstrip("."), ["*"] if module.endswith(".") else []]

    with contextlib.suppress(SyntaxError, ValueError):
        return list(found())
    return []


def _statements(tree: ast.Module) -> Iterator[ast.AST]:
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        yield node
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            todo += getattr(node, name, ())


def _own(node: ast.JoinedStr) -> bool:
    """True if a text begins with ``{__name__}``."""
    first = node.values[0] if node.values else None
    return isinstance(first, ast.FormattedValue) and ast.unparse(first.value) == "__name__"


def _module(value: object) -> str:
    """Return the module of ours that a text names, with a dot at its end if only its beginning is there.

    >>> _module("dtmodel.packet."), _module("dtmodel.studies.parameter_sheets:parameters"), _module("dtmodel of old")
    ('dtmodel.packet.', 'dtmodel.studies.parameter_sheets', '')
    """
    found = re.fullmatch(r"(dtmodel\.[\w.]*)(:\w+)?", value) if isinstance(value, str) else None
    return found[1] if found else ""


def _tables(content: bytes) -> dict[str, Any]:
    import tomllib

    document = tomllib.loads(content.decode("utf-8-sig"))
    odd = odd_tables(document)
    return {name: document[name] for name in ("claim", "prelude") if name in document} | ({"": odd} if odd else {})
