"""Experiments of published figures, and the answers of an experiment over its seeds and readings.

A figure has a file ``validation/<paper>/experiments/fig<N>.toml``. Its readings of the transport stand, with the
tolerances, in ``validation/readings.toml``, whose SHA-256 is a part of every answer; a file may have readings of its
own, and then the hash is that of both files.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from math import inf, isfinite
from pathlib import Path
from statistics import median
from typing import Any

from dtmodel.base.documents import read_documents
from dtmodel.base.errors import InputError, one_of
from dtmodel.base.tables import Cells
from dtmodel.base.version import __version__
from dtmodel.base.workers import git
from dtmodel.companion.roots import papers_root
from dtmodel.network.experiment import BASE


def experiments() -> dict[str, Path]:
    """Map the id of each figure with an experiment, such as ``"edt.fig22"``, to its file."""
    found = sorted(papers_root().glob("validation/*/experiments/fig*.toml"))
    return {f"{path.parent.parent.name}.{path.stem}": path for path in found}


def rules(name: str) -> str:
    """Return the SHA-256 of the tolerances and readings of a figure."""
    own = experiments()[name]
    added = own.read_bytes() if "readings" in _content(own) else b""
    return hashlib.sha256(_shared().read_bytes() + added).hexdigest()


def _shared() -> Path:
    return papers_root() / "validation" / "readings.toml"


def _content(path: str | Path) -> Mapping[str, Any]:
    (found, *others) = read_documents(str(path))
    if others:
        raise InputError(others[0].where, "a second experiment", "one experiment in each file")
    return found.content


def experiment_document(name: str) -> Mapping[str, Any]:
    """Return the document of a file, or of a published figure with the readings of its paper."""
    known = experiments()
    if name not in known:
        if name != "-" and "/" not in name and not Path(name).exists():
            raise InputError("FILE", name, f"a file, or {one_of(known, name)}")
        return _content(name)
    readings = _content(_shared())["reading"][name.partition(".")[0]]
    return {"id": name, "readings": readings, **_content(known[name]), "rules": rules(name)}


def narrowed(
    document: Mapping[str, Any], readings: Sequence[str] = (), policies: Sequence[str] = (), seeds: int | None = None
) -> dict[str, Any]:
    """Return an experiment with some of its readings and policies, and other seeds; refuse names that it has not."""
    changed = dict(document)
    for key, option, names in (("readings", "--reading", readings), ("policies", "--policy", policies)):
        table = document.get(key) or {BASE: {}}
        for name in names:
            if name not in table:
                raise InputError(option, name, one_of(table, name))
        if names:
            changed[key] = {name: table[name] for name in names}
    return changed if seeds is None else changed | {"seeds": seeds}


def experiment_answer(document: Mapping[str, Any], dataset: Any) -> dict[str, Any]:
    """Return the answer of an experiment: software, rules, and the values of the seeds of each run, by its names.

    A row has a reading, a policy and (for queries) a size, or one of several loads; a measure has a value for each
    seed, to six digits, or null where nothing of a class was completed.
    """
    rows = []
    along = "load" if "load" in dataset.dims else "size"
    for reading in dataset.reading.values:
        for policy in dataset.policy.values:
            for size in dataset[along].values:
                part = dataset.sel({"reading": reading, "policy": policy, along: size})
                sized = {} if size == "none" else {along: float(size)}
                measures = {name: _rounded(part[name].values.tolist()) for name in dataset.data_vars}
                rows.append({"reading": str(reading), "policy": str(policy), **sized, "measures": measures})
    software = {"dtmodel": __version__, "python": platform.python_version(), "numpy": version("numpy")}
    about = {key: document[key] for key in ("id", "title", "rules") if key in document}
    units = {name: dataset[name].attrs.get("units", "") for name in dataset.data_vars}
    return {
        **about,
        "seeds": len(dataset.seed),
        "commit": git(papers_root(), "rev-parse", "HEAD") or None,
        "software": software,
        "units": units,
        "rows": rows,
    }


def _rounded(value: Any) -> Any:
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    return float(f"{value:.6g}") if isfinite(value) else None


def table_of(answer: Mapping[str, Any]) -> Cells:
    """Return the table of an answer: for each row the median over the seeds of each measure."""
    names = list(answer["rows"][0]["measures"])
    units = {name: f" ({unit})" if unit else "" for name, unit in answer["units"].items()}
    heads = {"size": "size (bytes)", "load": "load"}
    sized = [head for name, head in heads.items() if name in answer["rows"][0]]
    headings = ("reading", "policy", *sized, *(f"{name}{units[name]}" for name in names))
    cells = []
    for row in answer["rows"]:
        sized = [f"{row[name]:g}" for name in heads if name in row]
        cells.append((row["reading"], row["policy"], *sized, *(_shown(row["measures"][name]) for name in names)))
    return Cells(str(answer.get("title", "")), headings, tuple(cells))


def _shown(seeds: Sequence[Any]) -> str:
    """Return the median over the seeds of a number, of each number of a list, or of the means of columns."""
    if not isinstance(seeds[0], list):
        middle = median(inf if value is None else value for value in seeds)
        return f"{middle:.4g}" if isfinite(middle) else "-"
    if isinstance(seeds[0][0], list):
        seeds = [[sum(column) / len(column) for column in zip(*rows, strict=True)] for rows in seeds]
    return " ".join(map(_shown, zip(*seeds, strict=True)))
