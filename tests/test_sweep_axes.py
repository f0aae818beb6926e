"""Axes of any number: points of a sweep in floats, computed together, are the runs of scenarios made for each point."""

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from test_vectors import encloses

from dtmodel import InputError, sweep
from dtmodel.base import units
from dtmodel.base.vectors import Texts, Vector
from dtmodel.fluid.scenario import Scenario
from dtmodel.studies.sweeps import columns, scenarios
from dtmodel.studies.sweeps.axes import exactly, read_axis, unit_of
from dtmodel.studies.sweeps.columns import Columns
from dtmodel.studies.sweeps.running import read_plan
from dtmodel.studies.sweeps.scenarios import ScenarioPlan

BUSY = {"arrivals": [[0, "2 Gbps"]], "initial": "steady"}
QUEUES = [{"arrivals": [[0, "2 Gbps"], ["6 ms", 0]]}, BUSY, BUSY]
FREE = [{"arrivals": [[0, "2 Gbps"], ["6 ms", 0]]}, {"arrivals": [[0, "2 Gbps"]]}, {"arrivals": [[0, "1.5 Gbps"]]}]
DT = {"name": "dt", "alpha": 1}
EDT = {"name": "edt", "alpha": 1, "cn2": "12 KB", "tm1": "2.1 ms", "tm2": "10 ms"}
LIMIT = {"alpha": 1, "reserved": "10 KB", "cap": "300 KB"}
POOLS = {"name": "pools", "limits": [LIMIT, LIMIT, {"alpha": "1/2", "reserved": "5 KB"}]}
ABM = {"name": "abm", "alphas": [1, "1/2"], "priorities": [0, 1, 1], "drains": [1, "1/2", 1]}
L2BM = {"name": "l2bm", "alpha": "1/8", "sojourns": [1, 3, 4]}
STATIC = {"name": "static", "sizes": ["100 KB", "200 KB", "300 KB"]}
BUSIES = [{"arrivals": [[0, "2 Gbps"]]}] * 2
COUNT, F = 40, Fraction


def axis(place: str | list[str], low: object, high: object, **more: Any) -> dict[str, Any]:
    return {"set": place, "from": low, "to": high, "count": COUNT, **more}


AXES: list[tuple[dict[str, Any], dict[str, Any], list[dict[str, Any]]]] = [
    (DT, axis("policy.alpha", "1/8", 8), QUEUES),
    (DT, axis("policy.alpha", "1/8", 8, spacing="log"), QUEUES),
    ({"name": "dt", "alpha": [1, 1, 1]}, axis("policy.alpha[1]", "1/8", 8), QUEUES),
    (DT, axis("queues[1].alpha", "1/8", 8), QUEUES),
    (DT, axis("switch.buffer", "100 KB", "2 MB"), QUEUES),
    (DT, axis("switch.rate", "0.5 Gbps", "2 Gbps"), QUEUES),
    (DT, axis("queues[0].rate", "0.5 Gbps", "3 Gbps"), QUEUES),
    (DT, axis("queues[0].initial", 0, "200 KB"), QUEUES),
    (DT, axis("until", "3 ms", "20 ms"), QUEUES),
    (DT, axis("until", "20 ms", "3 ms"), QUEUES),
    (DT, axis("queues[0].arrivals[1][0]", "2 ms", "20 ms"), QUEUES),
    (DT, axis(["queues[0].arrivals[0][1]", "queues[1].arrivals[0][1]"], "1 Gbps", "5 Gbps"), QUEUES),
    (DT, {"set": "queues[0].arrivals", "values": [[[0, f"{k} Gbps"], [f"{k}/7000", 0]] for k in range(1, 21)]}, QUEUES),
    ({"name": "weighted", "weights": [1, 1, 2]}, axis("policy.weights[0]", "1/8", 8), QUEUES),
    (ABM, axis("policy.alphas[1]", "1/8", 8), QUEUES), (ABM, axis("policy.drains[1]", "1/8", 1), QUEUES),
    *((L2BM | {"normalisation": how}, axis(f"policy.{of}", "1/8", 8), QUEUES)
      for how in ("sum", "mean", "harmonic", "least", "greatest") for of in ("alpha", "sojourns[1]")),
    (STATIC, axis("policy.sizes[0]", "10 KB", "400 KB"), QUEUES),
    (EDT, axis("policy.alpha", "1/8", 8), QUEUES), (EDT, axis("policy.cn2", "1 KB", "100 KB"), QUEUES),
    (EDT, axis("policy.tm1", "1 ms", "4 ms"), QUEUES), (EDT, axis("policy.tm2", "1 ms", "8 ms"), QUEUES),
    (POOLS, axis("policy.limits[0].alpha", "1/8", 8), QUEUES),
    (POOLS, axis(["policy.limits[0].alpha", "policy.limits[1].alpha"], "1/8", 8), QUEUES),
    (POOLS, axis("policy.limits[0].reserved", 0, "100 KB"), QUEUES),
    (POOLS, axis("policy.limits[1].cap", "20 KB", "500 KB"), QUEUES),
    (POOLS, axis("switch.buffer", "100 KB", "2 MB"), QUEUES),
    ({"name": "complete"}, axis("switch.buffer", "100 KB", "2 MB"), FREE),
    ({"name": "complete"}, axis("queues[0].arrivals[0][1]", "1 Gbps", "20 Gbps"), FREE),
]  # fmt: skip
"""A policy, an axis, and the queues."""


def plan_of(policy: Any, axes: dict[str, Any], queues: list[dict[str, Any]], **more: Any) -> ScenarioPlan:
    switch = {"ports": 16, "buffer": "1 MB", "rate": "1 Gbps"}
    scenario = {"switch": switch, "policy": policy, "queues": queues, "until": "12 ms", "sample": ["1 ms", "5/2000"]}
    plan = read_plan({"arithmetic": "float", "scenario": scenario | more, "axes": axes})
    assert isinstance(plan, ScenarioPlan)
    return plan


def compared(plan: ScenarioPlan, points: list[int]) -> Any:
    """Compare points with scenarios that are made one by one, and return an array of those computed together."""
    decided, found = Columns(plan).compute(0, plan.points)
    alone = plan._one_by_one(points)
    for name in plan.asked:
        expected = np.array(alone[name], float).reshape(len(points), -1)
        for row, point in zip(expected, points, strict=True):
            if decided[point]:
                np.testing.assert_array_equal(found[name][point], row)
    return decided


@pytest.mark.needs("native")
@pytest.mark.parametrize(("policy", "axis", "queues"), AXES)
def test_a_point_on_an_axis_of_numbers_is_the_run_of_its_scenario(
    policy: dict[str, Any], axis: dict[str, Any], queues: list[dict[str, Any]]
) -> None:
    plan = plan_of(policy, {"a": axis}, queues)
    points = sorted(random.Random(1).sample(range(plan.points), 12))
    assert compared(plan, points).mean() >= 0.9  # a group of one point is left to its scenario


@pytest.mark.needs("native")
def test_two_long_axes_are_few_scenarios(monkeypatch: pytest.MonkeyPatch) -> None:
    axes = {"a": axis("policy.alpha", "1/8", 8), "b": axis("switch.buffer", "100 KB", "2 MB")}
    plan, made, read = plan_of(DT, axes, QUEUES), list[object](), Scenario.read
    monkeypatch.setattr(Scenario, "read", lambda *given: (made.append(given), read(*given))[1])
    decided, _ = Columns(plan).compute(0, plan.points)
    assert (decided.mean(), len(made)) == (1, 1)
    monkeypatch.undo()
    compared(plan, random.Random(1).sample(range(plan.points), 20))


@pytest.mark.needs("native")
def test_axes_of_counts_names_and_seeds_divide_the_points() -> None:
    traffic = {"arrivals": {"on": "1 ms", "off": "1 ms", "rate": "3 Gbps"}}
    axes = {"n": {"set": "queues[1].count", "values": [1, 2, 3]}, "a": axis("policy.alpha", "1/8", 8)}
    assert compared(plan_of(DT, axes, QUEUES), [0, 50, 119]).all()
    axes = {"seed": {"values": [1, 2]}, "a": axis("policy.alpha", "1/8", 8)}
    assert compared(plan_of(DT, axes, [traffic, BUSY]), [0, 39, 79]).all()
    edt = [{"name": "edt", "alpha": f"{k}/7", "cn2": f"{k} KB"} for k in range(1, 21)]
    names = {
        "a": {"set": "policy", "values": [*edt, DT, {"name": "dt", "alpha": 2}]},
        "r": axis("switch.rate", 10**8, 2 * 10**8),
    }
    assert compared(plan_of(DT, names, QUEUES), [0, 400, 879]).mean() > 0.9


@pytest.mark.needs("native")
def test_ties_of_many_points_are_decided_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """With B = 12 a queue meets its threshold at the instant at which its traffic ends."""
    queues = [{"arrivals": [[0, 3], [2, 0]]}, {"arrivals": [[0, 2]], "initial": "steady"}]
    axes = {"b": {"set": "switch.buffer", "values": [9, 12]}, "u": {"set": "until", "values": [4, 5, 6]}}
    plan = plan_of(DT, axes, queues, switch={"ports": 3, "buffer": 6, "rate": 1}, until=4, sample=["5/2"])
    asked, read = list[bool](), columns.stacked
    monkeypatch.setattr(
        columns, "stacked", lambda scenario, rows, ties: (asked.append(ties), read(scenario, rows, ties=ties))[1]
    )
    assert compared(plan, [*range(6)]).all()
    assert asked == [False, True]


def test_many_numbers_of_an_axis_are_read_as_a_vector_and_errors_name_the_first_that_is_wrong(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    right, made, read = [f"{k}/1000" for k in range(1, 301)], list[object](), ScenarioPlan.made
    monkeypatch.setattr(ScenarioPlan, "made", lambda plan, values: (made.append(values), read(plan, values))[1])
    assert plan_of(DT, {"a": {"set": "policy.alpha", "values": right}}, QUEUES).points == 300
    assert len(made) == 2
    for wrong in ("0", "-1", "1 MB", "x1"):
        with pytest.raises(InputError, match=rf"^at a = .*: policy.alpha: got '{wrong}'; expected a number"):
            plan_of(DT, {"a": {"set": "policy.alpha", "values": [*right, wrong, *right]}}, QUEUES)
    counts = {"set": "queues[1].count", "values": [1 + k % 3 for k in range(120)]}
    assert plan_of(DT, {"n": counts}, QUEUES).points == 120
    with pytest.raises(InputError, match=r"^at a = 502500\.0: policy\.sizes"):
        plan_of(STATIC, {"a": {"set": "policy.sizes[0]", "values": [2500 * k for k in range(1, 300)]}}, QUEUES)


TIMES = [f"{k} us" for k in range(1, 301)]
MIXED = [value for k in range(1, 301) for value in (f"{k}/3 ms", k / 128, f"{k}us", f"{k}/7")]
"""Four forms of a time."""


def test_values_with_units_are_read_as_vectors_and_the_first_of_each_form_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made, read = list[Any](), ScenarioPlan.made
    monkeypatch.setattr(ScenarioPlan, "made", lambda plan, values: (made.append(values[0]), read(plan, values))[1])
    axis = {"set": "until", "values": MIXED}
    plan = plan_of(DT, {"a": axis}, BUSIES, sample=[])
    assert [each for each in made if not isinstance(each, Texts)] == MIXED[:1]
    assert [len(each.rows) for each in made if isinstance(each, Texts)] == [1199]
    values, numbers = plan.settings.axes[0].values, plan.settings.axes[0].numbers
    assert [type(each) for each in values[:4]] == [F, float, F, F]
    assert [*numbers] == [x for k in range(1, 301) for x in (F(k, 3000), F(k, 128), F(k, 10**6), F(k, 7))]
    made.clear()
    documents = [L2BM | {"alpha": f"{k} %", "normalisation": how} for k in range(1, 151) for how in ("sum", "mean")]
    plan_of(None, {"a": {"set": "policy", "values": documents}}, QUEUES)
    first, second, sums, means = made[0], made[3], made[1], made[2]
    assert [first, second] == documents[:2]
    assert [each["normalisation"] for each in (sums, means)] == ["sum", "mean"]
    assert [each["alpha"].rows.tolist() for each in (sums, means)] == [[*range(1, 150)]] * 2
    assert sums["alpha"].values == means["alpha"].values == tuple(f"{k} %" for k in range(1, 151))


@pytest.mark.parametrize("wrong", ["0 us", "-1", "1 KB", "1e3 KB", "3 %", None, "1 mss", True, "0", "1/0 us"])
def test_a_wrong_value_among_many_with_units_is_named(wrong: Any) -> None:
    given = {"set": "until", "values": [*TIMES, wrong, *TIMES, "0 us", "x"]}
    with pytest.raises(InputError, match=r"^at a = .*: until: ") as raised:
        plan_of(DT, {"a": given}, BUSIES, sample=[])
    assert raised.value.value == wrong
    assert raised.value.accepted.startswith("a time greater than 0 such as")


@pytest.mark.parametrize(("place", "right", "wrong", "field"), [
    ("queues[0].arrivals", [[0, "1 Gbps"], ["1 us", 0]], [[0, "1 Gbps"], ["1 KB", 0]], r"queues\[0\]\.arrivals"),
    ("policy", EDT, EDT | {"tm1": "1 KB"}, "policy.tm1"), ("policy", EDT, EDT | {"cn2": "0"}, "policy.cn2"),
])  # fmt: skip
def test_a_wrong_unit_in_one_of_many_documents_is_named(place: str, right: Any, wrong: Any, field: str) -> None:
    policy, queues = (None if place == "policy" else DT), [{"arrivals": [[0, 1]]}] * 2
    with pytest.raises(InputError, match=rf"^at a = .*: {field}.*: got '(1 KB|0)'; expected a (time|size)"):
        plan_of(policy, {"a": {"set": place, "values": [*[right] * 200, wrong, *[right] * 200]}}, queues)


def test_a_unit_that_the_place_does_not_take_is_refused_and_mixed_values_are_labels() -> None:
    with pytest.raises(InputError, match=r"^at a = 0\.02: queues\[1\].count: got '2 %'.*without a unit"):
        plan_of(DT, {"a": {"set": "queues[1].count", "values": [1, *[f"{k} %" for k in range(2, 300)]]}}, QUEUES)
    names = [each for k in range(300) for each in ("steady", f"{k} KB", f"{k}", f"{k}.0")]
    plan = plan_of(DT, {"a": {"set": "queues[1].initial", "values": names}}, [BUSY, BUSY])
    assert plan.settings.axes[0].coordinates[-4:] == ("steady", "299 KB", "299", "299")
    assert plan.settings.axes[0].numbers == ()


@pytest.mark.parametrize("number", ["1", "1.5 ", "1/3", " +2e-3 ", ".5E2"])
def test_a_quantity_in_any_spelling_is_read_by_its_unit(number: str) -> None:
    for base, read in units.READERS.items():
        known = [unit for unit, other in units.READER_OF.items() if other is read and unit != "bytes/s"]
        assert len(known) > 5
        texts = [f"{number}{unit} " for unit in known]
        assert exactly(texts) == [read(text, base) for text in texts]
    assert exactly([number, f"{number}%"]) == [(plain := units.number(number, "")), plain / 100]
    assert exactly([f"{number}mb", f"-{number}", "1/0 us"]) == [f"{number}mb", f"-{number}", "1/0 us"]


def test_a_label_may_have_thousands_of_digits() -> None:
    long = "1" * 5000
    read = read_axis("initial", {"set": "queues[1].initial", "values": ["steady", long, int("7" * 400)]}, unit_of)
    assert read.coordinates == ("steady", long, "7" * 400)
    with pytest.raises(InputError, match=r"^axes\.initial: .* within the range of floats"):
        read_axis("initial", {"set": "queues[1].initial", "values": ["1 KB", long]}, unit_of)


@pytest.mark.parametrize("spacing", ["linear", "log"])
def test_the_last_value_of_a_spaced_axis_is_named_if_it_is_wrong(spacing: str) -> None:
    axes = {
        "b": axis("switch.buffer", "1 MB", "1.1 MB"), "s": axis("policy.sizes[0]", "400 KB", "900 KB", spacing=spacing),
        "t": {"set": "until", "values": [3, 4]},
    }  # fmt: skip
    with pytest.raises(InputError, match=r"^at b = 1000000\.0, s = 900000\.0, t = 3\.0: policy\.sizes"):
        plan_of(STATIC, axes, QUEUES)


@pytest.mark.needs("native")
def test_an_error_in_the_middle_of_a_spaced_axis_names_its_point() -> None:
    axes = {"b": axis("switch.buffer", "1 MB", "1.1 MB"), "s": axis("policy.sizes[0]", "400 KB", "599 KB")}
    with pytest.raises(InputError, match=r"^at b = [\d.]+, s = [\d.]+: policy\.sizes.*the buffer"):
        sweep({"scenario": plan_of(STATIC, {}, QUEUES).settings.document["scenario"], "axes": axes})
    assert scenarios._CHUNK["float"] > COUNT**2


ENDS = (
    ("1/8", "8", 7), ("8", "1/3", 5), (0, 1, 4), ("2/7", "2/7", 3), ("1e-30", "3", 5), ("1e20", "1e20", 2),
    ("1.000000001", "1234567.00000001", 6), ("1/3", "5/4", 4), (1, 10**17, 9),
)  # fmt: skip


@pytest.mark.parametrize(("low", "high", "count"), ENDS)
def test_spaced_values_and_their_vectors_are_those_of_fractions(low: Any, high: Any, count: int) -> None:
    read = read_axis("alpha", {"from": low, "to": high, "count": count}, unit_of)
    begin, end = F(low), F(high)
    exact = [begin + (end - begin) * k / (count - 1) for k in range(count)]
    assert len(read.values) == count
    assert [*read.values] == exact
    assert read.values[np.int64(count - 1)] == read.values[-1] == end
    assert read.coordinates == tuple(map(float, exact))
    form, listed = columns.form_of(read.values), Vector.of(exact)
    assert form is not None
    vector = form.at(np.arange(count)).read("alpha", F, lambda _: None) if low != high else listed
    assert (vector.high == listed.high).all()
    assert (vector.low == listed.low).all()
    assert vector.exact([count - 1, 0]) == [end, begin]
    encloses(vector, exact)


@pytest.mark.parametrize(("low", "high"), [("1e-400", 1), (0, "1e-400"), (1, "1e400"), ("1e400", "1e400")])
def test_spaced_values_beyond_the_floats_are_refused(low: Any, high: Any) -> None:
    with pytest.raises(InputError, match=r"axes\.alpha.* a number within the range of floats"):
        read_axis("alpha", {"from": low, "to": high, "count": 3}, unit_of)
