"""The files of a Coq development, compiled as one text for each folder, so that the real numbers load once.

Each file is a module of its own name, after the common imports; statements and names keep their meaning.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import takewhile
from pathlib import Path
from typing import Self

from dtmodel.base.errors import ProverError

_LIBRARIES = re.compile(r"^Require Import ([\w. ]+)\.$", re.MULTILINE)


@dataclass(frozen=True)
class FolderText:
    """The text ``NAME.v`` of one folder: its files as modules, the texts that it `needs`, first lines of files."""

    name: str
    needs: tuple[str, ...]
    text: str
    starts: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class Project:
    """The ``_CoqProject`` file: the library's name and the files in order; no two have the same last name."""

    library: str
    files: tuple[str, ...]

    @classmethod
    def read(cls, directory: Path) -> Self:
        """Read the project file; raise `ProverError` if it, its library or files, or a listed file is missing."""
        try:
            text = (directory / "_CoqProject").read_text(encoding="utf-8")
        except (FileNotFoundError, NotADirectoryError) as error:
            raise ProverError(f"{directory}: no Coq development here (_CoqProject is missing)") from error
        library = re.search(r"-[QR]\s+\.\s+(\w+)", text)
        files = tuple(line.strip() for line in text.splitlines() if line.strip().endswith(".v"))
        if library is None or not files:
            raise ProverError("_CoqProject: write -Q . NAME, and one file a line")
        missing = [name for name in files if not (directory / name).is_file()]
        if missing:
            raise ProverError(f"_CoqProject names {missing[0]}, which is not there")
        return cls(library[1], files)

    @property
    def modules(self) -> list[str]:
        """The names of the files without folder and suffix."""
        return [Path(name).stem for name in self.files]

    @property
    def loaded(self) -> str:
        """The line that loads a development in a text of Coq, without importing its modules."""
        names = dict.fromkeys(map(_folder, self.files))
        return f"From {self.library} Require Import {' '.join(names)}.\n"

    def texts(self, directory: Path) -> list[FolderText]:
        """Return the text for each folder in the order of compilation; raise `ProverError` if there is a circle."""
        sources = {name: (directory / name).read_text(encoding="utf-8") for name in self.files}
        needs = self.needs(sources)
        order = _sorted(needs)
        folders: dict[str, set[str]] = {}
        for name in order:
            folders.setdefault(_folder(name), set()).update(map(_folder, needs[name]))
        return [self._text(folder, sorted(folders[folder] - {folder}), order, sources)
                for folder in _sorted({name: found - {name} for name, found in folders.items()})]  # fmt: skip

    def _text(self, folder: str, needs: list[str], order: list[str], sources: dict[str, str]) -> FolderText:
        files = [name for name in order if _folder(name) == folder]
        said = zip(*(_libraries(sources[name]) for name in files), strict=False)
        shared = [words[0] for words in takewhile(lambda words: len(set(words)) == 1, said)]
        parts = [f"Require Import {' '.join(shared)}.\n"] if shared else []
        parts += [f"From {self.library} Require Import {need}.\n" for need in needs]
        starts, line = [], len(parts)
        for name in files:
            own = " ".join(_libraries(sources[name])[len(shared) :])
            source = _LIBRARIES.sub(f"Require Import {own}." if own else "", sources[name], count=1)
            source = self._required().sub(self._imported, source).rstrip("\n") + "\n"
            starts.append((line + 1, name))
            parts += [f"Module {Path(name).stem}.\n", source, f"End {Path(name).stem}.\n"]
            line += source.count("\n") + 2
        return FolderText(folder, tuple(needs), "".join(parts), tuple(starts))

    def _required(self) -> re.Pattern[str]:
        return re.compile(rf"From\s+{self.library}\s+Require(?:\s+(Import|Export))?\s+([^.]*)\.")

    def _imported(self, said: re.Match[str]) -> str:
        """Replace ``From L Require Import X`` by ``Import X``, since X is loaded already, on as many lines."""
        return (f"{said[1]} {' '.join(said[2].split())}." if said[1] else "") + "\n" * said[0].count("\n")

    def needs(self, sources: Mapping[str, str]) -> dict[str, set[str]]:
        """Return for each file, given the texts of all, the files that it requires directly."""
        named = {Path(name).stem: name for name in self.files}
        required = {name: self._required().findall(text) for name, text in sources.items()}
        return {
            name: {named[word] for _, words in found for word in words.split() if word in named}
            for name, found in required.items()
        }


def located(message: str, text: FolderText) -> str:
    r"""Replace lines of a folder's text in Coq's message by the files and their lines.

    >>> text = FolderText("Files", (), "", ((1, "One.v"), (9, "Two.v")))
    >>> located('File "./Files.v", line 12, characters 0-5: Error', text)
    'File "Two.v", line 3, characters 0-5: Error'
    """

    def place(found: re.Match[str]) -> str:
        line = int(found[1])
        start, name = max((item for item in text.starts if item[0] < line), default=(0, f"{text.name}.v"))
        return f'File "{name}", line {line - start}'

    return re.sub(rf'File "[^"]*\b{text.name}\.v", line (\d+)', place, message)


def _libraries(source: str) -> list[str]:
    """Return the imports from the standard library with which a file begins."""
    found = _LIBRARIES.search(source)
    return found[1].split() if found else []


@cache
def _folder(name: str) -> str:
    return "_".join(["Files", *Path(name).parts[:-1]])


def _sorted(needs: dict[str, set[str]]) -> list[str]:
    try:
        return list(TopologicalSorter(needs).static_order())
    except CycleError as error:
        raise ProverError(
            f"{' and '.join(error.args[1][1:])} need each other: move the shared part to one of them"
        ) from error
