"""The stochastic scenario in short: seeded, reproducible, and on the committed results' side."""

from __future__ import annotations

import pytest
from scipy import stats

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


@pytest.mark.parametrize("n", range(2, 31))
def test_the_quantiles_of_intervals_are_those_of_scipy_or_more(n: int) -> None:
    values = [float(k) for k in range(n)]
    deviation = (sum((value - (n - 1) / 2) ** 2 for value in values) / (n - 1)) ** 0.5
    quantile = confidence(values)[1] * n**0.5 / deviation
    exact = stats.t.ppf(0.995, n - 1)
    assert abs(quantile - exact) < 0.006 if n <= 10 else exact - 0.001 < quantile


def test_the_quantiles_of_dynaqs_intervals_are_those_of_scipy() -> None:
    for n, quantile in experiments.T_99.items():
        assert abs(quantile - stats.t.ppf(0.995, n - 1)) < 0.0006


def test_the_committed_results_say_how_they_were_made() -> None:
    stored = load_results()
    assert stored["command"].startswith("python -m validation.edt.")
    assert set(stored["results"]) == {case.name for case in SETTINGS}


def test_figures_17_and_18_show_the_committed_results() -> None:
    assert len(fig17.published(fig17.data())) == 4
    means = {label: value for label, _, value in fig18.published(fig18.data())}
    assert len(means) == 5
    fig17.draw(fig17.data())
    fig18.draw(fig18.data())
