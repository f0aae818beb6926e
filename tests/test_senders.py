"""The results that need senders: a rule for each, shares of a link in kept results, and the page of the site."""

import json
import math
from collections import Counter
from pathlib import Path
from statistics import fmean

import pytest

from docs import senders
from dtmodel.companion.experiments import experiments
from dtmodel.companion.roots import load
from validation.support.experiments import Kept, probe, result_of
from validation.support.ratios import Ratio
from validation.support.shares import Shares, falling

ROOT = Path(__file__).parents[1]
RULES = senders.decisions(ROOT)
CLAIMS = {claim.id: claim for claim in load().claims.values()}


def test_each_of_the_95_results_has_one_way_to_be_decided() -> None:
    assert Counter(name.partition(".")[0] for name in RULES) == {"edt": 15, "losspass": 40, "dynaq": 40}
    for name, rule in RULES.items():
        assert len({"by", "open"} & {*rule}) == 1, name
        assert "by" not in rule or rule["by"] in experiments()


def test_a_result_has_an_outcome_of_its_run_or_says_the_setting_that_is_missing() -> None:
    for name, rule in RULES.items():
        ran = "by" in rule and result_of(rule["by"]).exists()
        assert ran == (CLAIMS[name].verdict != "not-checkable"), name
        if text := rule.get("open"):
            assert (CLAIMS[name].verdict, CLAIMS[name].reason[: len(text) - 1]) == ("not-checkable", text[:-1])


def test_the_page_has_every_result_in_its_class() -> None:
    claims = [
        {"id": name, "verdict": CLAIMS[name].verdict, "reason": CLAIMS[name].reason, "evidence": []} for name in RULES
    ]
    claims[0]["verdict"] = "depends-on-reading"
    claims[0]["evidence"] = [{"outcome": {"detail": "0.1 to 0.3", "reproduced": ["base"], "missed": ["SACK"]}}]
    text = senders.page(claims, RULES)
    assert all(text.count(f"{{claim}}`{name}`") == 1 for name in RULES)
    assert "0.1 to 0.3; in base; not in SACK" in text.partition("## Depends on a reading")[2].partition("##")[0]
    assert f"{[claim['verdict'] for claim in claims].count('depends-on-reading')} depends" in text


def shares(*windows: tuple[float, float]) -> Shares:
    """A result of two equal queues with a window of a second for each pair of rates in Gbps."""
    rows = {("base", "new", 0.0): {"throughput": [[[rate / 8e-9 for rate in pair] for pair in windows]] * 3}}
    return Shares(Kept("edt.fig22", rows, 3), 1.0, 1.0, (1, 1))


def test_shares_are_fair_unfair_full_and_fall_by_phases() -> None:
    run, (both, one) = ("base", "new", 1), falling([(1, 1.0)], 2, 2.0)
    even, odd = shares((0.5, 0.5), (0.9, 0.0)), shares((0.8, 0.2), (1.0, 0.0))
    assert (even.fair(run, [both]), odd.fair(run, [both]), odd.unfair(run, both)) == (True, False, True)
    assert (even.full(run, [both]), even.full(run, [both, one]), odd.full(run, [both, one])) == (True, False, True)
    assert even.lost(run, (both, one), 1.0) == pytest.approx(0.1)
    weighted = Shares(odd.kept, 1.0, 1.0, (4, 1))
    assert weighted.index(run, both) == 1


def test_a_relation_counts_where_all_seeds_have_it_and_an_interval_where_it_excludes_one() -> None:
    rows = {(reading, "new", 0.0): {} for reading in ("a", "b")}
    kept = Kept("edt.fig22", rows, 3)
    assert kept.always(lambda reading, seed: reading == "a" or seed < 3, "").missed == ["b"]
    near = kept.sooner(lambda reading, seed: (0.9 if reading == "a" else 0.5 + 0.3 * seed) + seed / 1000, "")
    assert (near.reproduced, near.missed) == (["a"], ["b"])


def test_a_number_lies_between_medians_of_all_settings_and_a_result_needs_all_of_its_parts() -> None:
    kept = Kept("edt.fig22", {(reading, "new", 0.0): {} for reading in ("a", "b")}, 3)
    values = {"a": [1, 2, 9], "b": [4, 3, 0]}

    def value(reading: str, seed: int) -> float:
        return values[reading][seed - 1]

    near = kept.number(value, 2.5, 1)
    assert (near.reproduced, near.detail) == (["a", "b"], "medians from 2 to 3 in 2 readings, published 2.5")
    assert kept.number(value, 5, 1).reproduced == []
    assert kept.number(value, 5, 1, lambda reading, seed: 3 * value(reading, seed)).missed == []
    both = kept.all_of(near, kept.always(lambda reading, seed: value(reading, seed) < 5, "some"))
    assert (both.reproduced, both.missed, both.detail) == (["b"], ["a"], f"{near.detail}; some")


def test_a_ratio_is_of_means_over_all_seeds_that_have_a_flow_of_the_class() -> None:
    rows = {
        ("a", "old", 0.5): {"flow_mean": [[2.0, None], [4.0, 6.0]], "all_mean": [3.0, 5.0]},
        ("a", "new", 0.5): {"flow_mean": [[1.0, 4.0], [3.0, 8.0]], "all_mean": [1.0, 1.0]},
        ("a", "old", 0.8): {"flow_mean": [[9.0, 1.0], [9.0, 1.0]], "all_mean": [1.0, 1.0]},
        ("a", "new", 0.8): {"flow_mean": [[1.0, 0.0], [1.0, 0.0]], "all_mean": [1.0, 1.0]},
    }
    kept = Kept("dynaq.fig8", rows, 2)
    small, large = (Ratio(kept, "old", "new", "flow_mean", part) for part in (0, 1))
    both = Ratio(kept, "old", "new", "all_mean")
    assert [small.of_means("a", load) for load in (0.5, 0.8)] == [1.5, 9]
    assert (large.of_means("a", 0.5), large.of_means("a", 0.8), both.of_means("a", 0.5)) == (1, math.inf, 4)
    assert (small.of_seed("a", 1, 0.5), small.of_seed("a", 2, 0.5)) == (2, 4 / 3)
    assert [small.over(pick, (0.5, 0.8))("a", 1) for pick in (min, max, fmean)] == [1.5, 9, 5.25]


def test_a_ratio_is_similar_near_one_and_sooner_if_the_interval_of_its_logarithm_excludes_zero() -> None:
    def measures(*times: float) -> dict[str, list[float]]:
        return {"all_mean": [*times]}

    rows = {("a", "old", 0.5): measures(1.02, 2.04, 4.08), ("a", "new", 0.5): measures(1.0, 2.0, 4.0),
            ("b", "old", 0.5): measures(1.2, 2.4, 4.7), ("b", "new", 0.5): measures(1.0, 2.0, 4.0),
            ("c", "old", 0.5): measures(1.5, 1.5, 4.5), ("c", "new", 0.5): measures(1.0, 2.0, 4.0)}  # fmt: skip
    found = Ratio(Kept("edt.fig22", rows, 3), "old", "new", "all_mean")
    assert found.alike([0.5]).reproduced == ["a"]
    assert found.sooner([0.5]).reproduced == ["a", "b"]
    assert found.logarithmic([0.5])("b", 1) == pytest.approx(1 / 1.2)
    rows |= {(reading, policy, 0.8): rows[reading, "new", 0.5] for reading, policy, _ in tuple(rows)}
    assert found.logarithmic([0.5, 0.8])("b", 1) == pytest.approx(1.2**-0.5)
    assert found.alike([0.5, 0.8]).missed == ["b"]


def test_a_direction_of_losses_holds_in_nineteen_of_twenty_seeds() -> None:
    kept = Kept("edt.fig22", {(reading, "new", 0.0): {} for reading in ("a", "b")}, 20)
    assert kept.often(lambda reading, seed: seed > (1 if reading == "a" else 2), "").reproduced == ["a"]
    with pytest.raises(AssertionError, match="as many"):
        Kept("edt.fig22", kept.rows, 5).often(lambda *_: True, "")


def test_readings_with_a_sample_of_the_handshake_count_as_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(name: str) -> Kept:
        value = 1.0 if name == "edt.fig23" else 5.0
        return Kept(name, {("base", "EDT", 0.0): {"flow_mean": [value] * 5}}, 5)

    monkeypatch.setattr(Kept, "read", read)
    both = Kept.with_handshake("edt.fig23")
    assert both.readings == ("base", "base, handshake sample")
    assert both.size("flow_mean", "EDT", 0, 3.0, 1).missed == []


@pytest.mark.parametrize("name", [name for name in experiments() if result_of(name).exists()])
def test_a_kept_result_repeats_its_short_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = json.loads(result_of(name).read_text(encoding="utf-8"))
    if "probe" not in answer:
        pytest.skip("its points are run again")
    measure, *_ = answer["probe"]
    answer["probe"][measure][0] = 1.0
    (tmp_path / result_of(name).name).write_text(json.dumps(answer), encoding="utf-8")
    monkeypatch.setattr("validation.support.experiments.RESULTS", tmp_path)
    with pytest.raises(AssertionError, match="short run"):
        Kept.read(name)
    assert probe(name)[measure][0] != 1
