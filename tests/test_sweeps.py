"""Sweeps: every point is the run that `simulate` makes, chunks outlive a kill, and work is shared."""

import json
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from joblib import parallel_config, register_parallel_backend
from joblib._parallel_backends import ThreadingBackend
from pyarrow import parquet
from sweep_cases import ALPHA, RATE, SCENARIO, F, exact

from dtmodel import DT, Arrivals, InputError, Switch, simulate, sweep
from dtmodel.base import budgets
from dtmodel.base import workers as children
from dtmodel.base.workers import can_copy
from dtmodel.cli import run
from dtmodel.studies.sweeps import load_sweep
from dtmodel.studies.sweeps.columns import Columns
from dtmodel.studies.sweeps.folder import _column
from dtmodel.studies.sweeps.running import read_plan, run_plan
from dtmodel.studies.sweeps.scenarios import ScenarioPlan
from dtmodel.theory import dt


def test_every_point_is_the_run_that_simulate_makes() -> None:
    done = sweep(exact(chunk=4), jobs=1)
    assert done.sizes == {"alpha": 2, "rate": 3, "time": 2, "queue": 2}
    for alpha, rate in ((a, r) for a in (F(1, 2), F(2)) for r in (2, 3, 4)):
        traffic = {0: Arrivals([(0, rate), (2, 0)]), 1: Arrivals.constant(2)}
        one = simulate(Switch(3, 6, 1), DT(alpha), traffic, initial={1: "steady"}, until=4)
        here = done.sel(alpha=float(alpha), rate=float(rate))
        assert here.first_drop.values.tolist() == [one.first_drop(0), one.first_drop(1)]
        assert here.free_at_first_drop.values.tolist() == [one.free_at_first_drop(0), one.free_at_first_drop(1)]
        assert here.dropped.values.tolist() == [one.dropped(0), one.dropped(1)]
        assert here.drained.values.tolist() == [one.drained(0), one.drained(1)]
        assert here.length.values.tolist() == [[one.queue(q).at(t) for q in (0, 1)] for t in (F(1), F(5, 2))]
    units = {name: done[name].attrs.get("units") for name in ("rate", "alpha", "time", "first_drop", "length")}
    assert units == {"rate": "bytes/s", "alpha": None, "time": "s", "first_drop": "s", "length": "bytes"}


def test_floats_are_within_their_bound_and_say_so() -> None:
    whole, rounded = sweep(exact()), sweep(exact(arithmetic="float"))
    for name in whole.data_vars:
        bound = rounded[name].attrs["error_bound"]
        assert 0 < bound <= 1e-9
        offered = 12 if whole[name].attrs["units"] == "bytes" else 4
        exactly = np.array([np.nan if x is None else float(x) for x in whole[name].values.flat])
        np.testing.assert_allclose(rounded[name].values.ravel(), exactly, rtol=0, atol=bound * offered)
    assert rounded.rounded.dtype == bool
    scenario = {key: value for key, value in exact()["scenario"].items() if key != "sample"}
    short = sweep(exact(arithmetic="float", scenario=scenario, axes={"until": {"values": ["1/100", 4]}}))
    assert np.isnan(short.first_drop).values.tolist() == [[True, False], [False, False]]


COLUMNS: list[tuple[dict[str, Any], str]] = [
    ({"a": ALPHA, "r": RATE}, "111111"),
    ({"a": ALPHA, "r": {"set": "queues[0].arrivals[0][1]", "values": [1, "1.000001", 3]}}, "101101"),
    ({"u": {"set": "until", "values": [3, 4]}, "e": {"set": "queues[0].arrivals[1][0]", "values": [2, "5/2"]}}, "1111"),
    (
        {"e": {"set": "queues[0].arrivals[1][0]", "values": [2, 5]}, "b": {"set": "switch.buffer", "values": [6, 9]}},
        "1111",
    ),
    ({"e": {"set": "queues[0].arrivals[1][0]", "values": [2, "2.000000000000000000001"]}, "a": ALPHA}, "1111"),
    (
        {
            "q": {"set": "queues[0].initial", "values": [0, "1/2"]},
            "both": RATE | {"set": [RATE["set"], "policy.alpha"]},
        },
        "111111",
    ),
    ({"seed": {"from": 0, "to": 2, "count": 3}, "C": {"set": "switch.rate", "values": ["1/2", 1]}}, "111111"),
    (
        {
            "p": {
                "set": "policy",
                "values": [
                    {"name": "edt", "alpha": "1/2", "cn2": "1/3", "tm2": "5/7"},
                    {"name": "static", "sizes": [2, "7/2"]},
                ],
            },
            "r": RATE | {"from": "7/3", "to": "22/7"},
        },
        "111111",
    ),
]


@pytest.mark.needs("native")
@pytest.mark.parametrize(("axes", "together"), COLUMNS)
def test_points_that_are_put_together_are_those_that_are_made_one_by_one(axes: dict[str, Any], together: str) -> None:
    scenario = {**exact()["scenario"], "sample": ["5/2", 3, 1]}
    if "p" in axes:  # no policy beside those on the axis; and on no threshold that does not follow F
        del scenario["policy"]
        scenario["queues"] = [{"arrivals": each["arrivals"]} for each in scenario["queues"]]
    plan = read_plan(exact(arithmetic="float", axes=axes, scenario=scenario, of=[1, 0]))
    assert isinstance(plan, ScenarioPlan)
    decided, _ = Columns(plan).compute(0, plan.points)
    assert "".join(map(str, decided.astype(int))) == together
    here, one_by_one = plan.compute(0, plan.points), plan._one_by_one(range(plan.points))
    for measure in plan.measures:
        expected = np.array(one_by_one[measure.name], float)
        np.testing.assert_array_equal(np.array(here[measure.name], float), expected)
    last = plan.compute(1, plan.points)
    np.testing.assert_array_equal(last["dropped"], here["dropped"][2:])


@pytest.mark.needs("native")
def test_points_whose_numbers_have_an_axis_each_are_read_as_few_scenarios(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two axes of 20 values make 400 different bursts; those with a rate beside 1 are left out."""
    rates = {"set": "queues[0].arrivals[0][1]", "values": ["1.000001", *(f"{n}.3719" for n in range(2, 21))]}
    ends = {
        "set": "queues[0].arrivals[1][0]",
        "values": [*(f"{n}/11" for n in range(1, 20)), "1.00000000000000000001/11"],
    }
    document = exact(arithmetic="float", axes={"r": rates, "e": ends})
    plan = read_plan(document)
    assert isinstance(plan, ScenarioPlan)
    one_by_one = plan._one_by_one(range(plan.points))
    made, read = list[object](), ScenarioPlan.made
    monkeypatch.setattr(ScenarioPlan, "made", lambda plan, values: (made.append(values), read(plan, values))[1])
    decided, found = Columns(plan).compute(0, plan.points)
    assert len(made) < 8
    assert decided.reshape(20, 20).tolist() == [[row > 0] * 20 for row in range(20)]
    expected = np.array(one_by_one["dropped"]).reshape(400, -1)
    np.testing.assert_array_equal(found["dropped"][decided], expected[decided])


def test_policies_stand_side_by_side_and_an_axis_reaches_some_of_them() -> None:
    policies = {"DT": {"name": "dt", "alpha": 1}, "all": {"name": "complete"}}
    queues = [{"arrivals": [[0, 3], [2, 0]]}, {"arrivals": [[0, 2]]}]
    axes = {"alpha": ALPHA | {"set": "policies.DT.alpha"}}
    done = sweep(
        exact(policies=policies, scenario={**SCENARIO, "queues": queues}, axes=axes, measure=["dropped"], of=[1])
    )
    assert done.dropped.dims == ("policy", "alpha", "queue")
    assert done.policy.values.tolist() == ["DT", "all"]
    assert done.queue.values.tolist() == [1]
    assert done.dropped.sel(policy="all", alpha=0.5).values == done.dropped.sel(policy="all", alpha=2.0).values
    assert done.dropped.sel(policy="DT", alpha=0.5).values > done.dropped.sel(policy="DT", alpha=2.0).values


def test_random_traffic_is_that_of_its_seed_and_queue() -> None:
    random = {"arrivals": {"on": "1/2", "off": "1/2", "rate": 4}}
    scenario = {**SCENARIO, "queues": [random, random], "policy": {"name": "dt", "alpha": 1}}
    document = exact(scenario=scenario, axes={"seed": {"from": 0, "to": 3, "count": 4}}, measure=["drained"])
    done, again = sweep(document), sweep(document)
    assert done.equals(again)
    assert len(set(done.drained.values.ravel().tolist())) == 8


@pytest.mark.parametrize("arithmetic", ["exact", "float"])
def test_a_statement_is_asked_at_every_point(arithmetic: str) -> None:
    given = {"B": "1 MB", "C": "1 Gbps", "M": 1, "N": 2}
    axes = {"alpha": {"values": ["1/3", 1]}, "R": {"from": "0.5 Gbps", "to": "2 Gbps", "count": 4}}
    done = sweep({"statement": "edt.thm1", "arithmetic": arithmetic, "given": given, "axes": axes, "chunk": 3})
    for alpha in ("1/3", 1):
        for rate in range(1, 5):
            here = done.sel(alpha=float(F(alpha)), R=rate * 62_500_000.0)
            assert here.valid.item() == (rate > 2)
            if rate > 2:
                said = dt.theorem1.evaluate(alpha=alpha, R=F(rate * 62_500_000), **given)
                error = here.first_drop_error.item() if arithmetic == "float" else 0
                assert abs(F(here.first_drop.item()) - said.first_drop) <= F(error) < F(1, 10**15)
    assert done.first_drop.attrs["units"] == "s"


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


KILLED = """
import json, os, signal, sys
from dtmodel import sweep

def heard(done, total, name):
    if done == 5:
        os.kill(os.getpid(), signal.SIGKILL)

sweep(json.loads(sys.argv[1]), sys.argv[2], jobs=int(sys.argv[3]), progress=heard)
"""


THREADS = """
import os, sys
import numpy, pyarrow.parquet
from dtmodel.studies.sweeps import load_sweep

before = len(os.listdir("/proc/self/task"))
load_sweep(sys.argv[1])
print(len(os.listdir("/proc/self/task")) - before)
"""


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are counted in /proc")
def test_reading_a_sweep_starts_no_thread_that_the_end_of_the_process_could_abort(tmp_path: Path) -> None:
    run_plan(read_plan(exact(chunk=1)), tmp_path / "out", 1)
    command = [sys.executable, "-c", THREADS, str(tmp_path / "out")]
    assert subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip() == "0"


def test_a_killed_sweep_goes_on_and_ends_with_the_same_bytes(tmp_path: Path) -> None:
    document = exact(chunk=1, axes={"alpha": ALPHA, "rate": RATE | {"count": 10}})
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    killed = subprocess.run([sys.executable, "-c", KILLED, json.dumps(document), str(cut), "1"], check=False)
    assert killed.returncode == -signal.SIGKILL
    there = sorted(file.name for file in cut.glob("*.parquet"))
    assert len(there) == 5
    (cut / ".chunk-000019.parquet.99999999.dtmodel-part").write_bytes(b"half of it")
    (cut / there[0]).write_bytes(b"damaged")
    twice = parquet.read_table([cut / there[1], cut / there[1]])
    parquet.write_table(twice, cut / there[1])
    with pytest.raises(InputError, match="17 of its chunks are missing"):
        load_sweep(cut)
    resumed, fresh = run_plan(read_plan(document), cut, 1), run_plan(read_plan(document), whole, 1)
    assert (resumed.computed, fresh.computed) == (17, 20)
    assert contents(cut) == contents(whole)
    assert load_sweep(cut).equals(fresh.dataset())
    assert run_plan(read_plan(document), cut, 1).computed == 0


def test_an_altered_chunk_that_is_still_a_table_is_refused_by_name_and_computed_again(tmp_path: Path) -> None:
    document, folder = exact(chunk=2, measure=["dropped"]), tmp_path / "a"
    before = sweep(document, folder)
    whole, chunk = contents(folder), folder / "chunk-000001.parquet"
    table = parquet.read_table(chunk)
    altered = pa.FixedSizeListArray.from_arrays(pa.array(["9"] * 4), 2)
    parquet.write_table(table.set_column(3, table.schema.field(3), altered), chunk)
    with pytest.raises(InputError, match=r"1 of its chunks are missing or altered: chunk-000001\.parquet"):
        load_sweep(folder)
    assert sweep(document, folder).equals(before)
    assert contents(folder) == whole
    (folder / "chunk-000000.parquet.sha256").unlink()
    with pytest.raises(InputError, match=r"chunk-000000\.parquet"):
        load_sweep(folder)


def test_a_chunk_of_another_sweep_is_refused_with_its_digest_and_computed_again(tmp_path: Path) -> None:
    document, chunk = exact(chunk=2, measure=["dropped"]), "chunk-000001.parquet"
    before = sweep(document, tmp_path / "a")
    sweep(document | {"axes": {"alpha": ALPHA, "rate": RATE | {"to": 5}}}, tmp_path / "b")
    for name in (chunk, f"{chunk}.sha256"):
        (tmp_path / "a" / name).write_bytes((tmp_path / "b" / name).read_bytes())
    with pytest.raises(InputError, match=rf"1 of its chunks are missing or altered: {chunk}"):
        load_sweep(tmp_path / "a")
    assert sweep(document, tmp_path / "a").equals(before)


def test_a_chunk_that_is_altered_while_a_sweep_is_read_is_refused_by_name(tmp_path: Path) -> None:
    folder = run_plan(read_plan(exact(chunk=2)), tmp_path / "a", 1)
    chunk = tmp_path / "a" / "chunk-000001.parquet"
    parquet.write_table(parquet.read_table(chunk), chunk, compression="gzip")
    with pytest.raises(InputError, match=r"chunk-000001\.parquet as this sweep wrote it"):
        folder.dataset()


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """A single point is worth a process."""
    monkeypatch.setattr(ScenarioPlan, "worth", 1)


OF_ONE = "import multiprocessing\nfrom dtmodel.studies.sweeps.scenarios import ScenarioPlan\nScenarioPlan.worth = 1\n"


WATCHED = KILLED.replace("os.kill(", "[print(p.pid, flush=True) for p in multiprocessing.active_children()]; os.kill(")


@pytest.mark.skipif(sys.platform != "linux", reason="processes are copied on Linux only")
@pytest.mark.usefixtures("always")
def test_a_sweep_killed_with_its_copies_goes_on_and_ends_with_the_same_bytes(tmp_path: Path) -> None:
    document = exact(chunk=1, axes={"alpha": ALPHA, "rate": RATE | {"count": 40}})
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    command = [sys.executable, "-c", OF_ONE + WATCHED, json.dumps(document), str(cut), "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as killed:
        assert killed.stdout is not None
        copies = killed.stdout.read().split()  # up to its end: then the copies are gone, too
    assert killed.returncode == -signal.SIGKILL
    assert len(copies) == 2
    there = len(list(cut.glob("*.parquet")))
    assert there >= 5
    fresh, resumed = run_plan(read_plan(document), whole, 2), run_plan(read_plan(document), cut, 2)
    assert (fresh.computed, resumed.computed) == (80, 80 - there)
    assert contents(cut) == contents(whole)


def test_few_points_are_no_work_for_others(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    asked = list[int]()

    def here(jobs: int, work: Any, tasks: list[int]) -> Any:
        asked.append(jobs)
        for task in tasks:
            work(task)
            yield task

    monkeypatch.setattr(children, "in_copies", here)
    monkeypatch.setattr(children, "can_copy", lambda: True)
    monkeypatch.setattr("dtmodel.studies.sweeps.scenarios._WORTH", 10)
    many = exact(chunk=1, axes={"alpha": ALPHA, "rate": RATE | {"count": 15}}, measure=["dropped"])
    for count, made in ((9, []), (10, [2]), (15, [3])):
        asked.clear()
        axes = {"alpha": ALPHA, "rate": RATE | {"count": count}}
        run_plan(read_plan(many | {"axes": axes}), tmp_path / str(count), 3)
        assert asked == made
    asked.clear()
    for number in range(11):  # what is left of a sweep counts
        (tmp_path / "15" / f"chunk-{number:06}.parquet").unlink()
    assert run_plan(read_plan(many), tmp_path / "15", 3).computed == 11
    assert asked == []


def test_how_many_points_are_worth_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"B": 6, "C": 1, "M": 1, "N": 0, "R": 3}
    theorem = {"statement": "edt.thm1", "given": given, "axes": {"alpha": {"values": [1]}}}
    floats = exact(arithmetic="float")
    long = {**SCENARIO, "queues": [{"arrivals": {"on": "1 ms", "off": "1 ms", "rate": 3}}], "until": 40}
    side = {"a": {"name": "dt", "alpha": 1}, "b": {"name": "edt", "alpha": 1, "cn2": 1}}
    short = {key: SCENARIO[key] for key in ("switch", "queues", "until")}

    def worth(document: dict[str, Any]) -> int:
        return read_plan(document).worth

    assert [worth(theorem | {"arithmetic": kind}) for kind in ("exact", "float")] == [100, 100_000]
    monkeypatch.setattr("dtmodel.studies.sweeps.scenarios.can_run", lambda _: True)
    assert [worth(exact()), worth(floats)] == [100, 28_000]
    assert worth(floats | {"axes": {"seed": {"values": [1, 2]}}, "scenario": {**exact()["scenario"], **long}}) == 100
    both = floats | {"policies": side, "scenario": short, "axes": {"until": {"values": [1, 2, 3]}}}
    monkeypatch.setattr("dtmodel.studies.sweeps.scenarios.can_run", lambda scenario: "EDT" not in repr(scenario.policy))
    assert [worth(floats), worth(both)] == [28_000, 100]


@pytest.mark.usefixtures("always")
def test_beside_another_thread_workers_are_started_and_not_copied(tmp_path: Path) -> None:
    document, rest = exact(chunk=3), threading.Event()
    thread = threading.Thread(target=rest.wait)
    thread.start()
    try:
        assert not can_copy()
        beside = run_plan(read_plan(document), tmp_path / "beside", 2)
    finally:
        rest.set()
        thread.join()
    alone = run_plan(read_plan(document), tmp_path / "alone", -1)
    assert contents(beside.path) == contents(alone.path)


def test_one_worker_needs_no_joblib(tmp_path: Path) -> None:
    code = (
        "import sys, json; from dtmodel.studies.sweeps.running import read_plan, run_plan; from pathlib import Path\n"
        "run_plan(read_plan(json.loads(sys.argv[1])), Path(sys.argv[2]), 1); print('joblib' in sys.modules)"
    )
    command = [sys.executable, "-c", code, json.dumps(exact(arithmetic="float")), str(tmp_path / "out")]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "False\n"


def test_what_joblib_was_told_to_use_is_used(tmp_path: Path) -> None:
    heard = list[int]()

    class Threads(ThreadingBackend):  # type: ignore[misc]  # stands for a cluster: others than processes of this machine
        def submit(self, func: Any, callback: Any = None) -> Any:
            heard.append(1)
            return super().submit(func, callback)

    register_parallel_backend("a-cluster", Threads)
    document = exact(chunk=2)
    with parallel_config(backend="a-cluster"):
        far = run_plan(read_plan(document), tmp_path / "far", 2)
    here = run_plan(read_plan(document), tmp_path / "here", 1)
    assert len(heard) == len(read_plan(document).chunks) == far.computed
    assert contents(far.path) == contents(here.path)


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(InputError, match="an empty folder, or that of a sweep"):
        sweep(exact(), tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]
    sweep(exact(), tmp_path / "a")
    with pytest.raises(InputError, match="it holds another one"):
        sweep(exact(chunk=2), tmp_path / "a")
    with pytest.raises(InputError, match="the folder of a sweep"):
        load_sweep(tmp_path)


@pytest.mark.usefixtures("always")
def test_budgets_bound_points_and_each_run(tmp_path: Path) -> None:
    huge = {"alpha": ALPHA, "rate": RATE | {"count": 10**12}}
    with pytest.raises(InputError, match="points of one sweep"):
        sweep(exact(axes=huge))
    with budgets.raised(phases=1), pytest.raises(InputError, match=r"^at alpha = [\d.]+, rate = [\d.]+: .*phases"):
        sweep(exact(chunk=2), tmp_path / "out", jobs=2)
    with pytest.raises(InputError, match="jobs"):
        sweep(exact(), jobs=0)


@pytest.mark.needs("native")
def test_a_sweep_in_floats_counts_exact_runs_and_warns_if_they_are_many(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A burst that ends 10^-40 s after its queue meets the threshold is run exactly."""
    switch, queue = {"ports": 1, "buffer": 6, "rate": 2}, {"arrivals": [[0, 6], ["3/4", 0]]}
    scenario = {"switch": switch, "queues": [queue], "until": 1, "policy": {"name": "dt", "alpha": 1}}
    for ends, rounded in ((f"{3 * 10**40 + 4}/{4 * 10**40}", "7/8"), 1), (("3/4", "7/8"), 0):
        axes = {"end": {"set": "queues[0].arrivals[1][0]", "values": ends}}
        file, out = tmp_path / f"{rounded}.json", tmp_path / f"out-{rounded}"
        file.write_text(json.dumps({"scenario": scenario, "axes": axes, "arithmetic": "float"}), encoding="utf-8")
        assert run(["sweep", str(file), "-o", str(out), "-j", "1"]) == 0
        said = capsys.readouterr()
        assert (
            said.out
            == f"{out}: 2 points in 1 chunks, 1 of them computed now; {rounded} points run exactly and rounded\n"
        )
        assert ("warning: 1 of 2 points" in said.err) == bool(rounded)


@pytest.mark.parametrize(("values", "kind"), [
    (np.array([1.5, np.nan, -0.0, np.inf] * 5), pa.float64()), (np.arange(11), pa.int64()),
    (np.array([True, False, True] * 4), pa.bool_()), (np.array(["1/2", "3"]), pa.string()),
    (["1/2", None], pa.string()), (np.arange(18.0)[::2], pa.float64()), ([], pa.float64()), (np.zeros(0), pa.float64()),
])  # fmt: skip
def test_columns_are_those_that_pyarrow_makes(values: Any, kind: pa.DataType) -> None:
    made, expected = _column(values, kind), pa.array(values, kind, from_pandas=True)
    made.validate(full=True)
    assert made.equals(expected)
    assert (made.type, made.null_count) == (kind, expected.null_count)


def test_a_sweep_in_floats_loads_no_pandas() -> None:
    document = json.dumps(exact(arithmetic="float"))
    code = (
        "import sys, json; from dtmodel.studies.sweeps.folder import encoded\n"
        "from dtmodel.studies.sweeps.running import read_plan\n"
        f"plan = read_plan(json.loads({document!r}))\n"
        "encoded(plan, plan.chunks[0]); print('pandas' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
