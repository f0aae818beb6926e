"""The stochastic scenario in short: seeded, reproducible, and on the committed results' side."""

from statistics import stdev

import pytest

from dtmodel.plot.published import difference
from validation.dynaq import experiments
from validation.edt.figures import fig17, fig18
from validation.edt.random_traffic import BINS, SETTINGS, confidence, load_results, simulate_seed, summarise

DT, EDT = SETTINGS[0], SETTINGS[1]


def test_a_seed_determines_the_run() -> None:
    once = simulate_seed(EDT, 3, 0.05)
    assert once == simulate_seed(EDT, 3, 0.05)
    assert once["bursts"] != simulate_seed(EDT, 4, 0.05)["bursts"]


def test_policies_see_the_same_traffic_and_edt_saves_more_bursts() -> None:
    dt, edt = (simulate_seed(case, 1, 0.3) for case in (DT, EDT))
    assert dt["bursts"] == edt["bursts"]
    assert sum(edt["lossless"]) >= sum(dt["lossless"])


def test_a_summary_has_every_bin_and_intervals() -> None:
    summary = summarise([simulate_seed(DT, seed, 0.1) for seed in (1, 2)])
    assert len(summary["bins"]) == len(BINS) - 1
    assert summary["fairness"][1] > 0


def test_intervals_are_students() -> None:
    mean, half = confidence([1.0, 2.0, 3.0])
    assert mean == 2.0
    assert round(half, 3) == round(9.925 / 3**0.5, 3)


@pytest.mark.parametrize(("n", "table"), [(2, 63.657), (4, 5.841), (10, 3.250), (20, 2.861), (31, 2.750)])
def test_intervals_have_the_quantiles_of_the_printed_tables(n: int, table: float) -> None:
    """Two-sided, 99 %, n - 1 degrees of freedom."""
    values = [float(k) for k in range(n)]
    spread = stdev(values) / n**0.5
    assert abs(confidence(values)[1] - table * spread) < 0.0006 * spread
    assert abs(experiments.estimate(values).half - table * spread) < 0.0006 * spread


def test_the_committed_results_say_how_they_were_made() -> None:
    stored = load_results()
    assert stored["command"].startswith("python -m validation.edt.")
    assert set(stored["results"]) == {case.name for case in SETTINGS}


def test_figures_17_and_18_show_the_committed_results() -> None:
    rows = [tuple(map(str, row)) for row in fig17.published(fig17.data())]
    apart = [difference(published, computed) for _, published, computed in rows]
    assert apart == ["+1 %", "-39 %", "+0.004", "+0.010"]  # nothing is blank, least of all where it is worst
    means = {label: value for label, _, value in fig18.published(fig18.data())}
    assert len(means) == 5
    fig17.draw(fig17.data())
    fig18.draw(fig18.data())
