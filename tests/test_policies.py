"""Policies: every document as it is read, and every border at which it is refused."""

from fractions import Fraction

import pytest
from refusals import refused

from dtmodel import DT, EDT, CompleteSharing, InputError, StaticPartition, Switch
from dtmodel.cli.replay_trace import policy_named
from dtmodel.policies import (
    ABM,
    L2BM,
    PolicySetting,
    Pool,
    QueueLimits,
    SharedPools,
    Threshold,
    Weighted,
    classes,
    configured,
    find,
    own_names,
    read,
    typed,
)

F = Fraction
LIMITS = [{"alpha": 1, "reserved": 2, "cap": 3}, {"alpha": "1/2"}]
POOLS = [{"size": 4, "queues": [0]}, {"size": 5, "queues": [1]}]


@pytest.mark.parametrize(
    ("document", "alphas", "policy"),
    [
        ({"name": "dt", "alpha": "1/2"}, {}, DT("1/2")),
        ({"name": "dt", "alpha": 3}, {1: 2}, DT([3, 2])),
        ({"name": "dt"}, {0: 5, 1: 2}, DT([5, 2])),
        ({"name": "edt", "alpha": 1, "cn2": 7, "tm1": 2, "tm2": 3}, {}, EDT(1, 7, 2, 3)),
        ({"name": "edt", "cn2": 7}, {0: 5, 1: 2}, EDT([5, 2], 7)),
        ({"name": "complete"}, {}, CompleteSharing()),
        ({"name": "static", "sizes": [1, 2]}, {}, StaticPartition([1, 2])),
        ({"name": "weighted", "weights": [1, 2]}, {}, Weighted([1, 2])),
        ({"name": "abm", "alphas": [1], "priorities": [0, 0], "drains": [1, "1/2"]}, {}, ABM([1], [0, 0], [1, "1/2"])),
        ({"name": "l2bm", "alpha": 1, "sojourns": [1, 3]}, {}, L2BM(1, [1, 3])),
        ({"name": "l2bm", "alpha": 1, "sojourns": [1, 3], "normalisation": "least"}, {}, L2BM(1, [1, 3], "least")),
        ({"name": "pools", "limits": LIMITS}, {}, SharedPools([QueueLimits(1, 2, 3), QueueLimits("1/2")])),
        ({"name": "pools", "limits": LIMITS, "pools": POOLS}, {},
         SharedPools([QueueLimits(1, 2, 3), QueueLimits("1/2")], [Pool(F(4), (0,)), Pool(F(5), (1,))])),
    ],
)  # fmt: skip
def test_a_policy_is_read_as_it_is_written(document, alphas, policy):
    assert read(document, alphas, 2) == policy


@pytest.mark.parametrize(
    ("document", "alphas", "field"),
    [
        ({"name": "dt", "alpha": 0}, {}, "policy.alpha"),
        ({"name": "dt", "alpha": 0}, {0: 1}, "policy.alpha"),
        ({"name": "dt", "alpha": 1}, {0: 0}, "queues[0].alpha"),
        ({"name": "dt", "alpha": 1, "beta": 1}, {}, "policy.beta"),
        ({"name": "edt", "alpha": 1}, {}, "policy.cn2"),
        ({"name": "edt", "alpha": 1, "cn2": 0}, {}, "policy.cn2"),
        ({"name": "edt", "alpha": 1, "cn2": 1, "tm1": 0}, {}, "policy.tm1"),
        ({"name": "edt", "alpha": 1, "cn2": 1, "tm2": 0}, {}, "policy.tm2"),
        ({"name": "edt", "alpha": 1, "cn2": 1, "cn1": 3}, {}, "policy.cn1"),
        ({"name": "complete", "alpha": 1}, {}, "policy.alpha"),
        ({"name": "complete"}, {1: 1}, "queues[1].alpha"),
        ({"name": "static", "sizes": [1, 2], "alpha": 1}, {}, "policy.alpha"),
        ({"name": "static", "sizes": [1, 2]}, {1: 1}, "queues[1].alpha"),
        ({"name": "static", "sizes": [1]}, {}, "policy.sizes"),
        ({"name": "weighted", "weights": [1, 2]}, {0: 1}, "queues[0].alpha"),
        ({"name": "weighted", "weights": [1, 2], "alpha": 1}, {}, "policy.alpha"),
        ({"name": "weighted"}, {}, "policy.weights"),
        ({"name": "weighted", "weights": []}, {}, "policy.weights"),
        ({"name": "weighted", "weights": [1]}, {}, "policy.weights"),
        ({"name": "weighted", "weights": [1, 0]}, {}, "policy.weights[1]"),
        ({"name": "weighted", "weights": [1, 2], "normalisation": "sum"}, {}, "policy.normalisation"),
        ({"name": "abm", "alphas": [0], "priorities": [0, 0], "drains": [1, 1]}, {}, "policy.alphas[0]"),
        ({"name": "abm", "alphas": [1], "priorities": [0, 0], "drains": [1, 0]}, {}, "policy.drains[1]"),
        ({"name": "abm", "alphas": [1], "priorities": [0, 0]}, {}, "policy.drains"),
        ({"name": "l2bm", "alpha": 0, "sojourns": [1, 3]}, {}, "policy.alpha"),
        ({"name": "l2bm", "alpha": 1, "sojourns": []}, {}, "policy.sojourns"),
        ({"name": "pools", "limits": LIMITS}, {0: 1}, "queues[0].alpha"),
        ({"name": "pools", "limits": LIMITS, "alpha": 1}, {}, "policy.alpha"),
        ({"name": "pools", "limits": LIMITS[:1]}, {}, "policy.limits"),
        ({"name": "pools", "limits": [{"alpha": "-1"}, {"alpha": 1}]}, {}, "policy.limits[0].alpha"),
        ({"name": "pools", "limits": [{"alpha": 1, "size": 1}, {"alpha": 1}]}, {}, "policy.limits[0].size"),
        ({"name": "pools", "limits": LIMITS, "pools": [{**POOLS[0], "alpha": 1}]}, {}, "policy.pools[0].alpha"),
        ({"name": "pools", "limits": LIMITS, "pools": [{"size": 0, "queues": [0, 1]}]}, {}, "policy.pools[0].size"),
    ],
)
def test_a_policy_that_is_not_accepted_is_refused_by_the_name_of_the_field(document, alphas, field):
    with refused(field):
        read(document, alphas, 2)


def test_alpha_is_1_where_nothing_is_said():
    assert read({"name": "dt"}, {}, 2) == read({"name": "dt"}, {}, 0) == DT(1)
    assert read({"name": "dt"}, {0: 7}, 2) == DT([7, 1])
    assert read({"name": "dt", "alpha": ["1/2", 3]}, {1: 7}, 2) == DT(["1/2", 7])
    assert read({"name": "edt", "alpha": [1, 3], "cn2": 7}, {}, 2) == EDT([1, 3], 7)
    with refused("policy.alpha", [1]):
        read({"name": "dt", "alpha": [1]}, {}, 2)
    with refused("policy.alpha[1]", 0):
        read({"name": "dt", "alpha": [1, 0]}, {}, 2)
    assert read({"name": "edt", "cn2": 7}, {}, 2) == EDT(1, 7)
    assert read({"name": "l2bm", "sojourns": [1, 3]}, {}, 2) == L2BM(1, [1, 3])


PARAMETERS = {
    "edt": {"cn2": 7}, "static": {"sizes": [1, 2]}, "weighted": {"weights": [1, 2]}, "l2bm": {"sojourns": [1, 3]},
    "abm": {"alphas": [1], "priorities": [0, 0], "drains": [1, 1]}, "pools": {"limits": LIMITS},
    "hierarchy": {"limits": [{"alpha": 1}, {"alpha": 2}]}, "steps": {"levels": [6], "limits": [3]},
    "losspriorities": {"alphas": [1, 2]},
}  # fmt: skip
SETTING = PolicySetting(4, F(8), F(1), 1, 1, F(2), F(8))
PRINTED = {
    "DT": "dt", "EDT": "edt", "static partition": "static", "complete sharing": "complete", "ABM": "abm",
    "L2BM": "l2bm", "L2BM, harmonic": "l2bm", "reserves and pool": "pools", "hierarchy": "hierarchy",
    "longest queue drop": "lqd",
    "Harmonic": "harmonic", "FollowLQD": "followlqd", "Credence": "credence",
    "Loss priorities": "losspriorities", "Reverie": "reverie", "Steps": "steps", "Occamy": "occamy",
}  # fmt: skip


@pytest.mark.parametrize("change", [str, str.upper, str.title, lambda name: name.replace(" ", "_")])
def test_documents_and_compare_take_every_spelling_of_a_policy(change):
    assert list(PRINTED) == [way.name for kind in classes().values() for way in kind.for_switch(SETTING)]
    for printed, name in PRINTED.items():
        meant = {"name": name} | PARAMETERS.get(name, {})
        if printed == "L2BM, harmonic":
            meant["normalisation"] = "harmonic"
        assert read({**meant, "name": change(printed)}, {}, 2) == read(meant, {}, 2)
        assert [way.name for way in configured(change(printed), SETTING, "policy")] == [printed]
    for kind in classes().values():
        name = next(name for name in own_names() if find(name)[1] is kind)
        meant = {"name": name} | PARAMETERS.get(name, {})
        assert read({**meant, "name": change(kind.__name__)}, {}, 2) == read(meant, {}, 2)


@pytest.mark.parametrize(
    ("wrong", "near"), [("dtt", "dt"), ("Complet", "complete"), ("l2mb", "l2bm"), ("Static part", "StaticPartition")]
)
def test_a_misspelt_policy_is_answered_with_the_nearest_one(wrong, near):
    with refused("policy.name", wrong, match=f"did you mean '{near}'"):
        read({"name": wrong}, {}, 2)
    with refused("--policy", match="did you mean"):
        configured(wrong, SETTING, "--policy")
    with pytest.raises(InputError, match=r"names another$"):
        read({"name": "zzzzzz"}, {}, 2)


def test_alphas_made_in_python_are_checked_too():
    for alpha in (0, [1, 0]):
        with pytest.raises(InputError, match="greater than 0"):
            DT(alpha)
    with pytest.raises(InputError, match="each of the 3 queues"):
        DT([1, 2]).thresholds(3)
    assert DT() == DT(1)


def test_a_threshold_is_affine_in_the_free_buffer():
    assert Threshold(F(2), F(3)).at(F(5)) == 13


@pytest.mark.parametrize(
    ("policy", "text"),
    [
        (DT(1), "dt:alpha=1"),
        (DT(["1/2", 3]), '{"name": "dt", "alpha": ["1/2", "3"]}'),
        (EDT(1, 3, 2), "edt:alpha=1,cn2=3,tm1=2"),
        (CompleteSharing(), "complete"),
        (StaticPartition([3, 5]), '{"name": "static", "sizes": ["3", "5"]}'),
        (SharedPools([QueueLimits(1, cap=3), QueueLimits(2)]),
         ('{"name": "pools", "limits": [{"alpha": "1", "reserved": "0", "cap": "3"}, '
          '{"alpha": "2", "reserved": "0", "cap": null}], "pools": null}')),
    ],
)  # fmt: skip
def test_a_policy_is_written_as_it_is_typed(policy, text):
    assert typed(policy) == text
    assert policy_named(text + ("" if "{" in text or ":" in text else ":"), Switch(2, 8, 1)) == policy
