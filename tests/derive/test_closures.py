"""Boundaries that need no derivation of their own: losses that last through ties, and closures of cells."""

from dataclasses import replace
from fractions import Fraction
from math import inf
from random import Random

import families
import pytest

from dtmodel.derive import Limits, derive
from dtmodel.derive.algebra.consequences import Facts, Sign
from dtmodel.derive.search.family import read_family
from dtmodel.derive.search.paths import example_of, explore_cells, read_problem
from dtmodel.derive.search.regions import Regions, closed_cell, closures_covered
from dtmodel.derive.search.run import run_family
from dtmodel.derive.theorem.check import check_case, engine_at

ALIKE = families.family(
    [{"arrivals": [["0", f"R_{k}"]]} for k in (1, 2, 3)], {"first_drop": 0},
    symbols={"alpha": "> 0", "B": "> 0", "C": "> 0", **{f"R_{k}": "> C" for k in (1, 2, 3)}},
)  # fmt: skip


def observed(alphas, rates, below):
    """Run classes that start at a distance below their thresholds; F is 8."""
    lengths = [8 * alpha - distance for alpha, distance in zip(alphas, below, strict=True)]
    queues = [{"initial": str(q), "arrivals": [["0", str(r)]]} for q, r in zip(lengths, rates, strict=True)]
    each = [str(alpha) for alpha in alphas]
    family = read_family(families.family(queues, {"first_drop": 0}, symbols={}, policy={"name": "dt", "alpha": each},
        switch={"buffer": str(8 + sum(lengths)), "rate": "1"}))  # fmt: skip
    return run_family(family, {}, Fraction, Fraction(10**9), Fraction(1), 60)


def waits(seen):
    """Return the terms of a first drop that have a rate."""
    return [(term, rate) for term, rate in seen.first if rate is not None]


def test_a_loss_lasts_if_no_class_that_joins_it_grows_faster_than_its_threshold_would():
    source, lasting, ended = Random(1), 0, 0
    for _ in range(80):
        alphas = [Fraction(source.randint(1, 8), 4) for _ in range(3)]
        rates = [Fraction(source.randint(0, 12), 2) for _ in range(3)]
        alone = observed(alphas, rates, [Fraction(0), *(Fraction(1, 1000) for _ in "12")])
        if not alone.phases[0].losses[0]:
            continue
        assert sorted(waits(alone)) == sorted(may_join(alone.phases[0], alphas, rates[0] - 1))
        loss = observed(alphas, rates, [Fraction(0)] * 3).phases[0].losses[0]
        if all(rate >= 0 for _, rate in waits(alone)):
            assert loss > 0
            lasting += 1
        ended += loss == 0
    assert (lasting > 10, ended > 2) == (True, True)


def may_join(phase, alphas, growth):
    """Yield the waits until classes that move are empty or on their thresholds, each with the rate of its class."""
    for k in range(3):
        if phase.where[k] in ("below", "above"):
            rate = growth * alphas[k] - phase.slopes[k] * alphas[0]
            each = [phase.lengths[k] if phase.slopes[k] < 0 else 0, phase.threshold(k) - phase.lengths[k]]
            yield from ((wait, rate) for wait in each if wait)


LATER = [{"arrivals": [["0", "R"]]}, {"arrivals": [["d", "2*R"]]}]


def test_a_class_that_grows_faster_than_its_threshold_would_must_not_join_a_loss():
    found = explore_cells(
        read_problem(read_family(families.family(LATER, {"first_drop": 0}, {"d": "> 0"}))), Limits(), inf
    )
    kept = 0
    for cell in found.cells:
        point = list(example_of(found, cell).values())
        for wait, rate in waits(cell.observed):
            atoms = {atom for atom, _ in found.arena.factored(wait.top)[1]}
            assert rate.at(point) >= 0 or atoms <= cell.fewest[0]
            kept += rate.at(point) < 0
    assert kept


@pytest.mark.parametrize("document", [families.RESERVES, families.CAPPED_STEADY])
def test_waits_are_kept_beside_a_memory_or_reserves(document):
    found = explore_cells(read_problem(read_family(document)), Limits(), inf)
    rates = [rate for cell in found.cells for _, rate in waits(cell.observed)]
    assert rates
    assert all(rate == -1 for rate in rates)


@pytest.mark.exhaustive
def test_three_classes_that_are_alike_need_no_derivation_on_a_boundary():
    theorem = derive(ALIKE)
    assert (theorem.complete, theorem.statistics["paths"], theorem.statistics["cells"]) == (True, 10, 10)
    source = Random(2)
    for case in theorem.cases:
        inside, boundary = check_case(theorem, case, 5, source)
        assert (inside, boundary > 0) == (5, True)
    for _ in range(60):
        rates = {f"R_{k}": Fraction(source.randint(2, 4)) for k in (1, 2, 3)}  # most of them are ties
        at = theorem.point({"alpha": Fraction(source.randint(1, 9), 3), "B": 12, "C": 1, **rates})
        said = {case.answers["first_drop"].at(at) for case in theorem.cases if all(c.holds(at) for c in case.when)}
        assert said == {engine_at(theorem, theorem.values(at))["first_drop"]}


def test_the_closures_of_cells_cover_a_domain_if_no_sign_of_their_regions_is_strict():
    found = explore_cells(read_problem(read_family(families.ANY_RATE)), Limits(), inf)
    regions = [(closed_cell(replace(cell, needed=set()), found.facts), cell, True) for cell in found.cells]
    assert closures_covered(Regions(regions), found)
    (sign, *rest), cell, _ = regions[0]
    strict = [each._replace(strict=True) for each in (sign, *rest)]
    assert not closures_covered(Regions(regions[1:]), found)
    assert not closures_covered(Regions([*regions[1:], ([sign, *rest], cell, False)]), found)
    assert not closures_covered(Regions([*regions[1:], (strict, cell, True)]), found)
    assert not closures_covered(Regions([*regions[1:], ([sign._replace(sign=-sign.sign), *rest], cell, True)]), found)
    assert not closures_covered(Regions([*regions[1:], ([sign, *rest], regions[1][1], True)]), found)
    assert not closures_covered(Regions(regions), replace(found, open=["a path"]))
    guarded = Facts(found.arena, found.facts.weak, [Sign(sign.atom, 0, False)])
    assert not closures_covered(Regions(regions), replace(found, facts=guarded))
