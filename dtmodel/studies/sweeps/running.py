"""Running a sweep: forks of this process compute the missing chunks, and write each at once."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dtmodel.base import budgets
from dtmodel.base.documents import table
from dtmodel.base.errors import InputError, did_you_mean
from dtmodel.base.extras import need

if TYPE_CHECKING:
    from dtmodel.studies.sweeps.folder import Folder
    from dtmodel.studies.sweeps.plan import Plan

Heard = Callable[[int, int, str], None]
"""A function of the number of points done, of all points, and the name of the last chunk."""


def sweep(
    document: Mapping[str, Any], out: str | Path | None = None, *, jobs: int = 1, progress: Heard | None = None
) -> Any:
    """Run a scenario, or evaluate a statement, at every point of a grid of named axes.

    Parameters
    ----------
    document : mapping
        A document of the schema ``dtmodel/schemas/sweep.json``: ``axes``, and ``scenario`` (with ``policies`` to
        compare) or ``statement``.
    out : path, optional
        A folder for a Parquet file and its SHA-256 digest per chunk. An interrupted sweep continues there, with the
        same bytes at its end, and an altered chunk is computed again; a finished sweep is read.
    jobs : int
        The largest number of worker processes; -1 for one per core. Fewer start if there are few points: about 20,000
        per process in floats in the native core (fewer if their traffic is long), 100 exact ones, 100,000 of a
        statement in floats. The files do not depend on it. Within joblib's ``parallel_config(backend="dask")`` the
        workers of a Dask cluster compute, and this process writes.
    progress : callable, optional
        Is called after every chunk with the number of points done, of all points, and the chunk's name.

    Returns
    -------
    xarray.Dataset
        A variable for each measure, with units; a dimension for each axis, then ``queue``, or ``time`` and ``queue``.
        In an exact sweep values are fractions or None; in a sweep in floats a missing value is NaN, and the attribute
        ``error_bound`` or the variable ``<name>_error`` bounds the error. A chunk in floats is one call of the native
        core (`dtmodel.native`) if it is installed and has the policy; the variable ``rounded`` marks the points that
        were run exactly because rounding errors could change their events.

    Raises
    ------
    InputError
        Naming the field, and the point of a value that is not accepted.
    ExtraError
        Without the extra ``sweep``.

    Examples
    --------
    >>> switch = {"ports": 4, "buffer": "1 MB", "rate": "1 Gbps"}
    >>> done = sweep({
    ...     "scenario": {"switch": switch, "until": "20 ms", "queues": [{"arrivals": [[0, "2 Gbps"]]}]},
    ...     "policies": {"DT": {"name": "dt", "alpha": 1}, "EDT": {"name": "edt", "alpha": 1, "cn2": "1 KB"}},
    ...     "axes": {"alpha": {"set": ["policies.DT.alpha", "policies.EDT.alpha"], "values": [1, 2]}},
    ...     "arithmetic": "exact",
    ... })
    >>> [str(time) for time in done.first_drop.sel(policy="DT", queue=0).values], done.first_drop.units
    (['1/250', '2/375'], 's')
    """
    from tempfile import TemporaryDirectory

    need("pyarrow", "xarray", "joblib")
    plan = read_plan(document)
    if out is None:
        with TemporaryDirectory() as folder:
            return run_plan(plan, Path(folder) / "sweep", jobs, progress).dataset()
    return run_plan(plan, Path(out), jobs, progress).dataset()


def load_sweep(out: str | Path) -> Any:
    """Return a finished sweep as an `xarray.Dataset`.

    `out`: the folder that `sweep` wrote. Raises `InputError` if the folder is not that of a sweep, or chunks are
    missing or altered.

    >>> from tempfile import TemporaryDirectory
    >>> given, axes = {"alpha": 1, "B": 6, "C": 1, "M": 1, "N": 0}, {"R": {"values": [2, 3]}}
    >>> with TemporaryDirectory() as folder:
    ...     _ = sweep({"statement": "edt.thm1", "given": given, "axes": axes}, folder)
    ...     load_sweep(folder).first_drop.values.tolist()
    [3.0, 1.5]
    """
    from dtmodel.studies.sweeps.folder import Folder, described

    need("pyarrow", "xarray")
    folder = Folder(Path(out), read_plan(described(Path(out))))
    if missing := folder.missing():
        names = ", ".join(folder.file(number).name for number in missing[:3]) + ", ..." * (len(missing) > 3)
        accepted = f"a finished sweep; {len(missing)} of its chunks are missing or altered: {names}"
        raise InputError("out", str(out), accepted)
    return folder.dataset()


def read_plan(document: Mapping[str, Any]) -> Plan:
    """Read a sweep of scenarios or of a statement, or an experiment, which has a ``workload``.

    Raises `InputError` naming the field.

    >>> plan = read_plan({
    ...     "statement": "edt.thm1", "given": {"B": 6, "C": 1, "M": 1, "N": 2, "R": 2},
    ...     "axes": {"alpha": {"values": [1, 2]}},
    ... })
    >>> type(plan).__name__
    'StatementPlan'
    """
    content = table(document, "sweep")
    if "workload" in content:
        from dtmodel.studies.sweeps.experiments import read_experiment_plan

        return read_experiment_plan(content)
    if ("scenario" in content) == ("statement" in content):
        kinds = ("scenario", "statement")
        near = "".join(did_you_mean(key, kinds) for key in content if key not in kinds)
        raise InputError("sweep", ", ".join(map(str, content)), f"one of the keys scenario and statement{near}")
    if "scenario" in content:
        from dtmodel.studies.sweeps.scenarios import read_scenario_plan

        return read_scenario_plan(content)
    from dtmodel.studies.sweeps.statements import read_statement_plan

    return read_statement_plan(content)


def run_plan(plan: Plan, out: Path, jobs: int, progress: Heard | None = None) -> Folder:
    """Compute the chunks that are missing in a folder, and return the folder."""
    from dtmodel.studies.sweeps.folder import Folder

    if type(jobs) is not int or not (jobs == -1 or jobs >= 1):
        raise InputError("jobs", jobs, "a whole number of at least 1, or -1: one for each core")
    folder = Folder(out, plan)
    missing = folder.missing()
    sizes = {number: len(points) for number, points in enumerate(plan.chunks)}
    done = plan.points - sum(sizes[number] for number in missing)
    with closing(_written(folder, missing, jobs)) as written:
        for number in written:
            folder.computed += 1
            done += sizes[number]
            if progress:
                progress(done, plan.points, f"chunk {number}")
    return folder


def _written(folder: Folder, chunks: list[int], jobs: int) -> Generator[int, None, None]:
    """Yield chunks once they are computed, here or in other processes, and written."""
    from dtmodel.base.workers import can_copy, cores, in_copies
    from dtmodel.studies.sweeps.folder import encoded

    plan, points = folder.plan, folder.plan.chunks

    def write(number: int) -> None:
        folder.write(number, encoded(plan, points[number]))

    if not (cluster := _cluster()) and (jobs := min(cores() if jobs == -1 else jobs, len(chunks))) > 1:
        jobs = min(jobs, sum(len(points[number]) for number in chunks) // plan.worth)
    if cluster or (jobs > 1 and not can_copy()):
        for number, content in _from_workers(plan, chunks, jobs):
            folder.write(number, content)
            yield number
        return
    if jobs > 1:
        importlib.import_module("pyarrow.parquet")  # loaded once, for all copies
        yield from in_copies(jobs, write, chunks)
        return
    for number in chunks:
        write(number)
        yield number


def _cluster() -> bool:
    """Return True if joblib's active backend is not one of this machine's processes."""
    if "joblib" not in sys.modules:
        return False
    from joblib.parallel import BACKENDS, DEFAULT_BACKEND, get_active_backend

    return not isinstance(get_active_backend()[0], BACKENDS[DEFAULT_BACKEND])


def _from_workers(plan: Plan, chunks: list[int], jobs: int) -> Generator[tuple[int, bytes], None, None]:
    """Yield chunks as encoded files; workers encode them, because one process would be too slow."""
    from joblib import delayed, effective_n_jobs

    from dtmodel.base.workers import in_workers

    limits = {name: budgets.limit(name) for name in budgets.DEFAULTS}
    text = json.dumps(plan.settings.document)
    _plan_of.cache_clear()
    tasks = (delayed(_chunk)(text, number, limits) for number in chunks)
    return in_workers(min(effective_n_jobs(jobs), max(len(chunks), 1)), tasks, return_as="generator_unordered")


def _chunk(text: str, number: int, limits: Mapping[str, int]) -> tuple[int, bytes]:
    from dtmodel.studies.sweeps.folder import encoded

    with budgets.raised(**limits):
        plan = _plan_of(text)
        return number, encoded(plan, plan.chunks[number])


@lru_cache(maxsize=1)
def _plan_of(text: str) -> Plan:
    """Read a sweep once per process, because its axes may be too long to send with every chunk."""
    return read_plan(json.loads(text))
