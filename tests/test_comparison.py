"""`dtmodel compare`: every policy on one switch, as the engine runs it and as the theory says."""

import csv
import io
import json
import re
from fractions import Fraction
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from dtmodel import DT, EDT, InputError, Switch, compare, policies, simulate
from dtmodel.cli import run
from dtmodel.fluid.switch import Arrivals
from dtmodel.policies import ABM, L2BM, Configured, Policy, QueueLimits, SharedPools, Threshold
from dtmodel.studies.compare import _recovery
from dtmodel.studies.spread import ALPHAS
from dtmodel.switches.formulas import burst_first_drop
from dtmodel.theory import dt, edt, threshold_family
from dtmodel.theory.edt import drops

F = Fraction
SWITCH = Switch(ports=16, buffer="1 MB", rate="1 Gbps")
COMMAND = ["compare", "--ports", "16", "--buffer", "1MB", "--rate", "1Gbps", "--steady", "2", "--burst-rate", "4Gbps"]
CASES = st.builds(
    lambda P, split, B, C, over, d, alpha: {
        "switch": Switch(P, B, C),
        "bursts": 1 + split % P,
        "steady": (split // P) % (P - split % P),
        "burst_rate": C * (1 + over),
        "duration": d,
        "alpha": alpha,
    },
    st.integers(1, 6), st.integers(0, 35), st.fractions(1, 50, max_denominator=3),
    st.fractions(1, 4, max_denominator=2), st.fractions(F(1, 4), 9, max_denominator=4),
    st.fractions(F(1, 3), 20, max_denominator=3),
    st.sampled_from([F(1, 4), F(1), F(3)]),
)  # fmt: skip


def under_dt(case: dict, policy: DT) -> F:
    asked = {"alpha": policy.alpha, "steady": case["steady"], "bursts": case["bursts"]}
    return dt.theorem1_corrected.evaluate(case["switch"], **asked, burst_rate=case["burst_rate"]).first_drop


def under_edt(case: dict, policy: EDT) -> F:
    switch = case["switch"]
    bursts = edt.Bursts(case["alpha"], switch.buffer, switch.rate, case["bursts"], case["steady"], case["burst_rate"])
    return drops.edt_drop_time(bursts, edt.EdtSettings(policy.cn2, policy.tm1, policy.tm2))


def under_weights(case: dict, policy: ABM | L2BM) -> F:
    C, M = case["switch"].rate, case["bursts"]
    held = [threshold_family.Held(w, C) for w in policy.weights[M:]]
    bursts = [threshold_family.Burst(w, C, case["burst_rate"]) for w in policy.weights[:M]]
    return threshold_family.weighted_first_drop(case["switch"].buffer, held, bursts).time


def in_pools(case: dict, policy: SharedPools) -> F:
    C, M, N, R = case["switch"].rate, case["bursts"], case["steady"], case["burst_rate"]
    limit = QueueLimits(policy.limits[0].alpha, policy.limits[0].reserved)
    (pool,) = policy.partition(case["switch"].buffer)
    if M == 1:
        return burst_first_drop(pool.size, [(limit, C)] * N, limit, C, R)
    weight = threshold_family.Burst(limit.alpha, C, R)
    alone = threshold_family.weighted_first_drop(pool.size, [threshold_family.Held(limit.alpha, C)] * N, [weight] * M)
    return limit.reserved / (R - C) + alone.time


THEORY = {DT: under_dt, EDT: under_edt, ABM: under_weights, L2BM: under_weights, SharedPools: in_pools}
"""When endless bursts lose their first byte, by the theory alone."""


@settings(deadline=None, max_examples=40)
@given(CASES)
def test_the_longest_lossless_burst_is_what_the_claims_formula_gives(case: dict) -> None:
    compared = compare(**case)
    checked = 0
    for outcome in compared.outcomes:
        if outcome.claim:
            policy = outcome.run.scenario.policy
            assert outcome.longest_burst == THEORY[type(policy)](case, policy), outcome.name
            checked += 1
    assert checked == 6


@settings(deadline=None, max_examples=25)
@given(CASES)
def test_what_is_offered_is_absorbed_or_lost_and_lost_iff_the_burst_is_longer_than_the_longest(case: dict) -> None:
    compared = compare(**case)
    for outcome in compared.outcomes:
        if outcome.run is not None:
            assert outcome.absorbed + outcome.lost == case["bursts"] * case["burst_rate"] * case["duration"]
            assert (outcome.lost > 0) == (case["duration"] > outcome.longest_burst) == (outcome.first_drop is not None)
            assert outcome.first_drop in {None, outcome.longest_burst}
            assert F(1, case["bursts"] + case["steady"]) <= outcome.fairness <= 1


def test_every_registered_policy_has_a_row_and_every_claim_holds() -> None:
    from dtmodel import claims

    compared = compare(SWITCH, steady=2, burst_rate="4 Gbps")
    assert [outcome.name for outcome in compared.outcomes] == [
        "DT", "EDT", "static partition", "complete sharing", "ABM", "L2BM", "L2BM, harmonic", "reserves and pool",
        "longest queue drop", "Harmonic", "FollowLQD", "Occamy",
    ]  # fmt: skip
    verdicts = {claim["id"]: claim["verdict"] for claim in claims("edt.ours", "l2bm.ours")}
    assert {verdicts[o.claim] for o in compared.outcomes if o.claim} == {"holds"}


def test_the_numbers_of_a_known_burst() -> None:
    compared = compare(SWITCH, steady=2, burst_rate="2 Gbps", duration="6 ms")
    found = compared["DT"]
    assert (found.first_drop, found.free_before, found.free_at_first_drop) == (F(1, 500), F(10**6, 3), 250_000)
    assert (found.absorbed, found.lost, found.fairness, found.recovery) == (10**6, 500_000, 1, F(1, 500))
    free = compared["EDT"]
    assert (free.first_drop, free.lost, free.longest_burst) == (None, 0, F(1, 125))
    assert free.recovery == F(6, 1000)  # R d / C - d
    assert compared["static partition"].longest_burst == F(1, 2000)


def test_policies_are_set_for_the_switch() -> None:
    compared = compare(SWITCH, steady=2, duration="10 ms", alpha="1/2")

    def policy(name: str) -> Policy:
        return compared[name].run.scenario.policy

    assert policy("DT") == DT("1/2")
    assert policy("EDT") == EDT("1/2", F(4 * 10**6, 2 * 10**2), F(4 * 9, 10**2) / 100, F(1, 100))
    assert policy("static partition").sizes == (62_500,) * 3
    assert policy("ABM").weights == (F(1, 6),) * 3
    assert policy("L2BM").weights == (F(7, 8), F(7, 24), F(7, 24))
    assert policy("L2BM, harmonic").weights == (F(9, 40), F(3, 40), F(3, 40))
    pools = policy("reserves and pool")
    assert [(limit.alpha, limit.reserved) for limit in pools.limits] == [(F(1, 2), 15_625)] * 3
    assert [pool.size for pool in pools.pools] == [750_000]


def test_where_steady_has_no_meaning_the_comparison_says_so() -> None:
    shared = compare(SWITCH, steady=2)["complete sharing"]
    assert "no queue is steady" in shared.note
    assert (shared.free_before, shared.run.queue(2).at(0), shared.longest_burst) == (0, 500_000, 0)
    alone = compare(SWITCH)["complete sharing"]
    assert (alone.note, alone.longest_burst) == ("", F(1, 125))
    assert "packets only" in compare(SWITCH)["Harmonic"].note


def test_bursts_no_faster_than_their_ports_lose_nothing_and_no_claim_is_named() -> None:
    slow = compare(SWITCH, steady=1, burst_rate="1 Gbps")
    assert {(o.first_drop, o.longest_burst, o.claim) for o in slow.outcomes if o.name != "complete sharing"} == {
        (None, None, "")
    }
    assert slow.setting.duration == F(1, 125)


def test_the_queues_are_back_only_once_they_stay_back() -> None:
    burst = Arrivals.burst(3, 1)
    done = simulate(Switch(2, 8, 1), DT(1), {0: burst}, until=9)
    assert _recovery(done, F(1)) == 2
    assert _recovery(simulate(Switch(2, 8, 1), DT(1), {0: burst}, until=2), F(1)) is None
    slow = compare(SWITCH, steady=1, steady_rate="1 Gbps", burst_rate="4 Gbps")["DT"]
    assert slow.recovery is None  # a port offered C never grows again
    assert "not seen" in slow.cells()


class Halves(Policy):
    """T = F / 2 for every queue; it says how it is set."""

    def thresholds(self, queues):
        return [Threshold(F(1, 2))] * queues

    @classmethod
    def for_switch(cls, setting):
        assert setting.share == setting.buffer / setting.ports
        return [Configured("halves", "one half", cls())]


class Silent(Policy):
    """A policy that does not say how it is set."""

    def thresholds(self, queues):
        return [None] * queues


class Unbounded(Silent):
    """A policy that the fluid model cannot bound."""

    @classmethod
    def for_switch(cls, setting):
        return [Configured("unbounded", f"{setting.queues} queues", cls())]


def test_a_policy_from_outside_comes_in_by_the_same_door(monkeypatch: pytest.MonkeyPatch) -> None:
    halves, same, silent = compare(SWITCH, steady=2, alpha="1/2", among=[Halves, "DT", Silent]).outcomes
    assert (halves.name, halves.longest_burst, halves.recovery) == ("halves", same.longest_burst, same.recovery)
    assert silent.run is None
    assert "for_switch" in silent.note
    (unbounded,) = compare(SWITCH, among=[Unbounded]).outcomes
    assert unbounded.run is None
    assert "packets only" in unbounded.note

    class Point:
        name = "halves"

        def load(self):
            return Halves

    monkeypatch.setattr(policies, "entry_points", lambda **_: [Point()])
    assert list(policies.classes())[-1] == "Halves"
    assert compare(SWITCH).outcomes[-1].name == "halves"


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"steady": 16}, "bursts + steady"),
        ({"bursts": 0}, "bursts"),
        ({"burst_rate": 0}, "burst_rate"),
        ({"duration": 0}, "duration"),
        ({"steady_rate": "0.9 Gbps"}, "steady_rate"),
        ({"alpha": 0}, "alpha"),
        ({"among": ["nonsense"]}, "among"),
        ({"among": []}, "among"),
        ({"among": [int]}, "among"),
    ],
)
def test_bad_input_is_named(wrong: dict, field: str) -> None:
    with pytest.raises(InputError) as error:
        compare(SWITCH, **wrong)
    assert error.value.field.startswith(field)
    with pytest.raises(InputError):
        compare(SWITCH, among=["DT"])["EDT"]


def printed(capsys: pytest.CaptureFixture[str], *more: str) -> str:
    assert run([*COMMAND, *more]) == 0
    return capsys.readouterr().out


def test_the_command_prints_what_the_function_finds_in_every_form(capsys: pytest.CaptureFixture[str]) -> None:
    compared = compare(SWITCH, steady=2, burst_rate="4 Gbps")
    document = json.loads(printed(capsys, "--json"))
    assert document == compared.document()
    schema = json.loads(files("dtmodel").joinpath("schemas", "comparison.json").read_text())
    Draft202012Validator(schema).validate(document)
    rows = list(csv.DictReader(io.StringIO(printed(capsys, "--csv"))))
    for row, outcome in zip(rows, compared.outcomes, strict=True):
        assert row["policy"] == outcome.name
        if outcome.run is not None:
            assert abs(F(row["absorbed (bytes)"]) - outcome.absorbed) <= outcome.absorbed / 10**14
            assert abs(F(row["longest_burst (s)"]) - outcome.longest_burst) <= outcome.longest_burst / 10**14
    lines = printed(capsys, "--markdown").splitlines()
    assert lines[2].startswith("| policy | settings | free before | first drop |")
    assert len(lines) == 4 + len(compared.outcomes) + 1 + 4 + len(compared.spread.rows) + 2
    assert lines[-1] == compared.spread.advice
    shown = " ".join(printed(capsys).split())
    assert "16 ports of 1 Gbps sharing 1 MB; a burst of 4 Gbps for 2.667 ms beside 2 steady ports" in shown
    assert "DT: alpha = 1; first drop: edt.ours.theorem1" in shown
    assert "no queue is steady" in shown
    assert compared.spread.advice in shown
    page = compared._repr_html_()
    assert "<td>EDT</td>" in page
    assert "<th>settings</th>" not in page
    assert "<li>DT: alpha = 1; first drop: edt.ours.theorem1</li>" in page
    assert "<li>Harmonic: packets only: it bounds sums of queues" in page
    assert "\\text{EDT} & " in compared._repr_latex_()


@pytest.mark.parametrize("columns", [80, 90, 100])
def test_a_narrow_table_breaks_no_word_and_in_90_columns_no_quantity(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert run(["compare", "--ports", "32", "--buffer", "64MB", "--rate", "100Gbps", "--steady", "6"]) == 0
    shown = capsys.readouterr().out
    assert {"partition", "sharing", "harmonic", "absorbed", "lossless", "recovery"} <= set(shown.split())
    assert max(map(len, shown.splitlines())) <= columns
    assert (re.search(r"ABM +34.46 MB +365.7 us +32 MB +365.7 us +68.57 MB", shown) is not None) == (columns >= 90)


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        (["--policy", "nonsense"], "--policy: got 'nonsense'"),
        (["--policy", "l2mb"], "did you mean 'l2bm'"),
        (["--burst-rate", "0"], "--burst-rate: got"),
        (["--steady", "16"], "--bursts + --steady: got 17"),
        (["--buffer", "1 XB"], "--buffer: got"),
    ],
)
def test_errors_name_the_options_as_they_stand_on_the_command_line(
    capsys: pytest.CaptureFixture[str], wrong: list[str], named: str
) -> None:
    assert run([*COMMAND, *wrong]) == 2
    shown = capsys.readouterr().err
    assert named in shown
    assert "among" not in shown


@pytest.mark.parametrize("name", ["dt", "L2bm", "complete sharing", "StaticPartition", "Reserves and pool", "LQD"])
def test_the_command_takes_a_policy_in_every_spelling(capsys: pytest.CaptureFixture[str], name: str) -> None:
    (row,) = json.loads(printed(capsys, "--json", "--policy", name))["policies"]
    assert row == json.loads(printed(capsys, "--json", "--policy", row["name"].upper()))["policies"][0]
    assert compare(SWITCH, steady=2, burst_rate="4 Gbps", among=[name])[row["name"].lower()].name == row["name"]


@settings(deadline=None, max_examples=10)
@given(CASES)
def test_the_spread_is_what_comparisons_of_its_own_cases_find(case: dict) -> None:
    """No duration is a parameter of these policies, so that each case is a comparison of its own."""
    among = ["DT", "ABM", "L2BM", "static", "pools"]
    spread = compare(**case, among=among).spread
    assert (case["bursts"], case["steady"]) in spread.cases
    runs = [
        [compare(**case | {"bursts": M, "steady": N, "duration": time}, among=among) for time in spread.durations]
        for M, N in spread.cases
    ]
    for row in spread.rows:
        assert row.longest == tuple(each[0][row.name].longest_burst for each in runs)
        for k, lost in enumerate(row.lost):
            found = [each[k][row.name] for each in runs]
            assert lost == sum(one.lost / (one.lost + one.absorbed) for one in found) / len(found)


def test_the_best_alpha_is_the_one_whose_worst_case_is_best() -> None:
    spread = compare(SWITCH, steady=2, burst_rate="4 Gbps").spread
    assert {row.name for row in spread.rows if row.alpha is not None} == {"DT", "EDT", "ABM", "reserves and pool"}
    (row,) = [row for row in spread.rows if row.name == "DT"]
    for alpha in ALPHAS:
        (other,) = compare(SWITCH, steady=2, burst_rate="4 Gbps", alpha=alpha, among=["DT"]).spread.rows
        assert other.worst <= row.worst_at_alpha
        assert (other.worst == row.worst_at_alpha) == (alpha == row.alpha)
        cases = [{"switch": SWITCH, "bursts": M, "steady": N, "burst_rate": 4 * SWITCH.rate} for M, N in spread.cases]
        assert other.worst == min(under_dt(case, DT(alpha)) for case in cases)
    best = max(spread.rows, key=lambda row: row.best)
    assert best.name in spread.advice
    assert best.claim in spread.advice


def test_no_policy_wins_by_the_one_scenario_that_it_is_set_for() -> None:
    """EDT is told how long bursts last: in twice that time it loses, too."""
    (row,) = compare(SWITCH, steady=2, among=["EDT"]).spread.rows
    assert row.lost[0] == 0 < row.lost[-1]
    assert compare(SWITCH, steady=2, among=["harmonic", "lqd"]).spread.advice == ""


def test_the_command_refuses_unknown_policies_and_files(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*COMMAND, "--policy", "nonsense"]) == 2
    assert run([*COMMAND, "--policy", "DT", "--plot", "/nowhere/x.png"]) == 2
    assert "--plot" in capsys.readouterr().err


def test_the_picture_has_a_panel_for_every_policy_that_runs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    target = tmp_path / "c.svg"
    printed(capsys, "--plot", str(target))
    assert target.read_text().startswith("<?xml")
    compared = compare(SWITCH, steady=2, burst_rate="4 Gbps")
    panels = [axes for axes in compared.plot().axes if axes.get_visible()]
    assert [axes.get_title() for axes in panels] == [o.name for o in compared.outcomes if o.run]
    for axes, outcome in zip(panels, compared.outcomes, strict=False):
        marks = [line.get_xdata()[0] for line in axes.lines if line.get_gid() == "first drop"]
        assert marks == [] if outcome.first_drop is None else [pytest.approx(float(outcome.first_drop) * 1e3)]
        assert len(axes.lines) == 3 + len(marks)
        assert axes.get_ylim() == panels[0].get_ylim()
    assert len(compare(SWITCH, burst_rate="1 Gbps", among=["DT"]).plot().axes[0].lines) == 2
