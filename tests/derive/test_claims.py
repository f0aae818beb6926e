"""Claims about derived theorems are proved in their own words, and not when these are altered."""

from fractions import Fraction

import families
import pytest

import dtmodel
from dtmodel import Arrivals, InputError, Switch, simulate
from dtmodel.companion import deriving
from dtmodel.derive import derive
from dtmodel.derive.theorem.proving import holds_in
from dtmodel.fluid import answer
from dtmodel.ledger import Proved
from dtmodel.policies import DT, EDT, QueueLimits, SharedPools, StaticPartition, Weighted
from proofs.check_certificates import check
from proofs.derived import atlas, derivation, steps, theorems, two_classes
from validation.derived.figures import fig01

CLAIM = "derived.ours.abm"


def test_a_claim_carries_a_certificate_that_is_verified_alone():
    outcome = two_classes.abm_with_one_priority_is_derived()
    assert isinstance(outcome, Proved)
    assert outcome.certificate is not None
    assert check(dict(outcome.certificate)) == ""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("let follows = C*(n + a*N)", "let follows = C*(n - a*N)"),
        ("F_slow = B/(1 + a)", "F_slow = B/(2 + a)"),
        ("t_fast = a*n*B", "t_fast = a*n*n*B"),
    ],
)
def test_a_claim_in_which_something_is_altered_is_not_proved(old, new, monkeypatch):
    said = derivation.values_of("two_classes")
    assert old in said[CLAIM]
    monkeypatch.setattr(derivation, "values_of", lambda _: {**said, CLAIM: said[CLAIM].replace(old, new)})
    with pytest.raises(AssertionError, match=r"refuted|that of the theory"):
        two_classes.abm_with_one_priority_is_derived()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("let fast = alpha*M*(R - C)", "let fast = alpha*(R - C)"),
        ("q_slow = alpha*B/(1 + alpha*(M + N))", "q_slow = alpha*B/(1 + alpha*M)"),
        ("q_fast = alpha*B*(R - C)", "q_fast = alpha*B*R"),
        ("limit = alpha*B/((1 + alpha*N)", "limit = alpha*B/((1 + alpha*M)"),
        ("number = 4*alpha*B/(2 + alpha*P)**2", "number = 4*alpha*B/(2 + alpha*P)"),
        ("over_slow = alpha**2*M*N", "over_slow = alpha**2*M"),
        ("over_fast = alpha*N*C", "over_fast = alpha*C"),
    ],
)
def test_lengths_that_are_altered_are_not_those_of_70_to_72(old, new, monkeypatch):
    claim, said = "derived.ours.growth", derivation.values_of("theorems")
    assert old in said[claim]
    monkeypatch.setattr(derivation, "values_of", lambda _: {**said, claim: said[claim].replace(old, new)})
    with pytest.raises(AssertionError):
        theorems.lengths_at_the_first_drop_are_70_to_72()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("over_slow = B/(M*(R - C))", "over_slow = B/(M*R)"),
        ("slow_counted = q_slow - c_2", "slow_counted = q_fast - c_2"),
        pytest.param(
            "let follows = C*(1 + alpha*N)", "let follows = C*(1 + alpha*M)", marks=pytest.mark.exhaustive
        ),  # minutes of proofs in vain
        ("nothing = 0", "nothing = 1"),
        pytest.param("in_time = T_1*(R - C) - c_2", "in_time = T_1*R - c_2", marks=pytest.mark.exhaustive),
    ],
)
def test_theorem_5_in_which_something_is_altered_is_not_proved(old, new, monkeypatch):
    claim, said = "derived.ours.theorem5", derivation.values_of("theorems")
    assert old in said[claim]
    monkeypatch.setattr(derivation, "values_of", lambda _: {**said, claim: said[claim].replace(old, new)})
    with pytest.raises((AssertionError, InputError), match=r"refuted|that of the theory|the unit of the answer"):
        theorems.theorem_5_and_what_is_beyond_it_are_derived()


def test_cases_that_do_not_cover_the_domain_are_not_enough(monkeypatch):
    kept = derivation.kept(CLAIM)
    monkeypatch.setattr(derivation, "kept", lambda _: {**kept, "cases": kept["cases"][:1]})
    with pytest.raises(AssertionError, match="cover the domain is refuted"):
        two_classes.abm_with_one_priority_is_derived()


@pytest.mark.parametrize("said", [{"<": [[]]}, {">": [["gain > 0"]]}])
def test_a_comparison_that_is_not_so_everywhere_is_not_proved(said, monkeypatch):
    claim = "derived.ours.atlas.split"
    formal = "for alpha > 0; B > 0; C > 0; M >= 1; N >= 0; R > C; R_b >= C\nlet gain = alpha - M\nthen gain > 0"
    monkeypatch.setattr(derivation, "values_of", lambda _: {claim: formal})
    monkeypatch.setattr(atlas, "ALWAYS", said)
    with pytest.raises(AssertionError, match="compare so is"):
        atlas.an_even_split_outlasts_every_threshold()


def test_a_family_with_a_smaller_domain_than_its_claim_is_not_enough(monkeypatch):
    kept = derivation.kept(CLAIM)
    kept["family"]["symbols"]["R"] = "> 2*C"
    monkeypatch.setattr(derivation, "kept", lambda _: kept)
    with pytest.raises(AssertionError, match=r"^the claim does not suppose R > 2\*C$"):
        two_classes.abm_with_one_priority_is_derived()


FAMILIES = {path.name.removesuffix(".family.json"): path for path in sorted(derivation.FAMILIES.iterdir())}


@pytest.mark.parametrize("claim", FAMILIES)
def test_a_derived_claim_yields_its_theorem(claim):
    theorem = dtmodel.theorem(claim)
    assert theorem.complete
    assert theorem.claim["id"] == theorem.document()["id"] == claim
    assert theorem.check_points(1, seconds=20) > 0
    assert theorem.evaluate(**derivation.kept(claim)["example"])[theorem.keys[0]] is not None


def test_every_claim_whose_evidence_derives_a_theorem_has_its_family():
    topics = ("theorems", "sharing", "pools", "durations", "two_classes", "steps", "atlas")
    assert {claim for topic in topics for claim in derivation.values_of(topic)} == {*FAMILIES}


def _drop_in_a_run(name, alpha, M, N, R):
    """The first drop of a burst beside steady ports, B and C being 1, as `simulate` runs it."""
    n = M + N
    counting_number = alpha / (2 * (1 + alpha * M) * (1 + alpha * N))
    policies = {
        "DT": DT(alpha),
        "ABM": Weighted([alpha / n] * n),
        "L2BM": Weighted([alpha * n] * n),
        "EDT": EDT(alpha, counting_number),
        "static partition": StaticPartition([Fraction(1, n)] * n),
        "reserves and pool": SharedPools([QueueLimits(alpha, reserved=Fraction(1, 2 * n))] * n),
    }
    arrivals, steady = dict.fromkeys(range(n), Arrivals.constant(R)), dict.fromkeys(range(M, n), "steady")
    return simulate(Switch(n, 1, 1), policies[name], arrivals, initial=steady, until=2 / (R - 1)).first_drop(0)


@pytest.mark.parametrize(
    ("row", "shown"),
    [
        (fig01.THRESHOLDS, {"DT", "ABM", "L2BM"}),
        (fig01.WITHOUT_SPLIT, {"EDT", "reserves and pool", "ABM"}),
        (fig01.ALL, {"EDT", "static partition"}),
    ],
)
def test_the_atlas_shows_whose_bursts_lose_bytes_last_in_runs(row, shown):
    found, seen = fig01.data(5, rows=(row,)), set()
    for M, N in fig01.PANELS:
        for alpha, across in zip(found.alphas, found.best[row, M, N], strict=True):
            for R, best in zip(found.rates, across, strict=True):
                drops = {name: _drop_in_a_run(name, Fraction(alpha), M, N, Fraction(R)) for name in row}
                assert drops[best] == max(drops.values())
                seen.add(best)
    assert seen == shown
    assert [axes.get_title() for axes in fig01.draw(found).axes] == [f"M = {M}, N = {N}" for M, N in fig01.PANELS]


@pytest.fixture(scope="module")
def two_steps():
    return derive(families.TWO_STEPS)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("fast_23 = d_2 + (left_2 - alpha*N*(z_2 - z_1))/a_3", "fast_23 = d_2 + (left_2 - alpha*N*z_1)/a_3"),
        ("fast_12 = d_1 + (left_1 - alpha*N*z_1)/a_2", "fast_12 = d_1 + (left_1 - alpha*M*z_1)/a_2"),
        ("slow_3 = d_2 + left_2/(all*(R_3 - C))", "slow_3 = d_2 + left_1/(all*(R_3 - C))"),
    ],
)
def test_a_line_that_is_altered_is_met_in_no_case(old, new, two_steps, monkeypatch):
    claim, said = "derived.ours.two-steps", derivation.values_of("steps")
    assert old in said[claim]
    monkeypatch.setattr(deriving, "derived_again", lambda _: two_steps)
    monkeypatch.setattr(derivation, "values_of", lambda _: {**said, claim: said[claim].replace(old, new)})
    with pytest.raises(AssertionError, match="none of the lines"):
        steps.bursts_of_two_steps_are_those_of_the_functional()


def test_what_holds_in_a_case_is_told_from_what_does_not():
    theorem = derive(families.THEOREM1)
    slow, fast = theorem.cases
    s = theorem.domain.outside()
    follows = s["C"] * (1 + s["alpha"] * s["N"]) - s["alpha"] * s["M"] * (s["R"] - s["C"])
    said = [holds_in(theorem, case, follows, sign) for case in (slow, fast) for sign in (">=", ">", "<", "<=")]
    assert said == ["proved", "refuted", "refuted", "refuted", "refuted", "refuted", "proved", "proved"]


@pytest.mark.parametrize(
    ("weight", "rate", "rested", "drop"),
    [("1/3", "2", "steady", "10"), ("1/3", "2", "30", "15/2"), ("3", "5", "steady", "9/5"), ("3", "5", "30", "108/35")],
)
def test_bursts_that_count_only_once_they_begin_drop_at_another_time(weight, rate, rested, drop):
    """The notes of derived.ours.abm and derived.ours.l2bm: a steady port that rested alone at weight 1 holds B/2."""
    burst = {"alpha": weight, "arrivals": [["0", rate]]}
    steady = {"alpha": weight, "arrivals": [["0", "2"]], "initial": rested}
    switch = {"ports": 3, "buffer": "60", "rate": "1"}
    document = {"switch": switch, "policy": {"name": "dt", "alpha": "1"}, "queues": [burst, burst, steady]}
    assert answer({**document, "until": "20"}, 1)["first_drop"][0] == drop
