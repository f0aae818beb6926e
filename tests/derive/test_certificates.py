"""Certificates of derived theorems are verified without the package, and not when they are altered."""

import json

import families
import pytest

from dtmodel import InputError
from dtmodel.cli import run
from dtmodel.derive import Limits, derive
from dtmodel.derive import certificate as derivation_of
from dtmodel.derive.signs import Arena
from proofs.check_certificates import check
from proofs.checker.derived import obeyed, queue_class, ratio
from proofs.derived.derivation import alone

CERTIFIED = [
    "THEOREM1",
    "TWO_ALPHAS",
    "WEIGHTED",
    "ABM",
    "L2BM",
    "DURATION",
    "LOST",
    "LENGTH",
    "THRESHOLD",
    "STATIC",
    "COMPLETE",
    "RESERVES",
    "CAP",
    "CAPPED_STEADY",
    "DRAINING",
    "FULL",
    "BUFFER",
    "EDT_RECOVERED",
    "EDT_LOST",
    "EDT_FREED",
    "UNTIL",
    "UNTIL_DROP",
    "UNTIL_RECOVERED",
    "UNTIL_EDT",
    "L2BM_LEAST",
    "L2BM_GREATEST",
]

SYMBOLS = {"B": "> 0", "C": "> 0", "M": ">= 1", "R": "> C", "d": "> 0"}
DRAINING = families.family([families.ENDING], {"recovered": True}, symbols={**SYMBOLS, "alpha": "> 0"})
FULL = families.family(
    [{"count": "M", "arrivals": [["0", "R"]]}, {"arrivals": [["0", "R_b"]], "initial": "B/2"}],
    {"dropped": 0, "by": "d"},
    symbols={**SYMBOLS, "R_b": "> C", "d": "> B/C"},
    policy={"name": "complete"},
)
COUNTING = {
    "symbols": {"alpha": "> 0", "B": "> 0", "R": "> 1", "d": "> 0", "c_2": "> 0"},
    "policy": {"name": "edt", "alpha": "alpha", "cn2": "c_2"},
    "switch": {"buffer": "B", "rate": 1},
    "queues": [{"count": 2, "arrivals": [["0", "R"], ["d", 0]]}],
}
BESIDE_ENDING = families.family(
    [families.BURSTS, {**families.ENDING, "count": "L"}],
    {"first_drop": 0},
    symbols={"alpha": "> 0", "B": "> 0", "C": "> 0", "M": ">= 1", "R": "> C", "L": ">= 1", "d": "> 0"},
)
EDT_RECOVERED = {**COUNTING, "ask": [{"recovered": True}]}
EDT_LOST = {**COUNTING, "ask": [{"dropped": 0, "by": "d"}]}
EDT_FREED = {**COUNTING, "ask": [{"threshold": 0, "at": "d"}]}
EXPIRING = {
    "symbols": {"B": "> 20"},
    "policy": {"name": "edt", "alpha": 1, "cn2": 3, "tm1": 1},
    "switch": {"buffer": "B", "rate": 1},
    "queues": [{"arrivals": [["0", 2], ["5/2", 3]]}],
    "ask": [{"first_drop": 0}],
}
"""TM1 expires twice before the rate steps, and then until the loss, however often."""
UNTIL = families.UNTIL
UNTIL_DROP = {**DRAINING, "ask": [{"first_drop": 0}], "until": "3*d"}
UNTIL_RECOVERED = {**DRAINING, "until": "3*d"}
UNTIL_EDT = {**COUNTING, "ask": [{"threshold": 0}], "until": "d"}
ONE_OF = {
    **families.L2BM, "symbols": {**families.L2BM["symbols"], "M": ">= 1", "N": ">= 1"},
}  # fmt: skip
L2BM_LEAST = {**ONE_OF, "policy": {**families.L2BM["policy"], "normalisation": "least"}}
L2BM_GREATEST = {**ONE_OF, "policy": {**families.L2BM["policy"], "normalisation": "greatest"}}
BUFFER = {**FULL, "ask": [{"threshold": 0, "at": "B/(3*C)"}]}


def document_of(name):
    """Return the certificate of a family, of this file or of the tests', as it is read from a file."""
    return json.loads(json.dumps(derive(globals().get(name) or getattr(families, name)).certificate()))


@pytest.fixture(scope="module")
def certificate():
    return json.dumps(derive(families.THEOREM1).certificate())


@pytest.mark.parametrize("name", CERTIFIED)
def test_every_trajectory_is_verified(name):
    document = document_of(name)
    assert document["left_out"] == []
    assert "smt" not in [each["how"] for each in document["coverage"]]
    assert check(document) == ""


ALTERED = {
    "the conditions": lambda d: d["cells"][0]["conditions"].clear(),
    "a condition turned": lambda d: d["cells"][0]["conditions"].__setitem__(
        0, [[str(-int(c)), p] for c, p in d["cells"][0]["conditions"][0]]
    ),
    "a breakpoint": lambda d: d["cells"][0]["phases"][-1]["begin"][0].append(["1", {}]),
    "a length": lambda d: d["cells"][0]["phases"][-1]["lengths"][0][0].append(["1", {}]),
    "a slope": lambda d: d["cells"][0]["phases"][0]["slopes"][0][0].append(["1", {}]),
    "what is free": lambda d: d["cells"][0]["phases"][0]["free"][0].append(["1", {}]),
    "a place": lambda d: d["cells"][0]["phases"][0]["where"].__setitem__(0, "above"),
    "the arrivals": lambda d: d["cells"][0]["phases"][0]["pieces"].__setitem__(0, -1),
    "the buffer": lambda d: d["buffer"][0].append(["1", {}]),
    "a count": lambda d: d["classes"][0]["count"][0].append(["1", {}]),
    "an alpha": lambda d: d["classes"][0]["alpha"][0].append(["1", {}]),
    "a rate": lambda d: d["classes"][0]["rate"][0].append(["1", {}]),
    "the class that is asked": lambda d: d.__setitem__("asked", 1),
    "a proof less": lambda d: d["cells"][0]["proofs"].pop(),
    "a proof of the solver": lambda d: d["cells"][0]["proofs"].__setitem__(0, "smt"),
    "the last phase": lambda d: d["cells"][0]["phases"].pop(),
    "a cell less": lambda d: d["cells"].pop(),
    "no exclusions": lambda d: d["coverage"].clear(),
    "an exclusion of other signs": lambda d: d["coverage"][0]["conditions"].__setitem__(
        0, [[str(-int(c)), p] for c, p in d["coverage"][0]["conditions"][0]]),
    "an exclusion without its sum": lambda d: d["coverage"][0]["how"]["from"].clear(),
    "an answer": lambda d: d["cells"][0]["answers"]["first_drop"][0].append(["1", {}]),
    "an answer to another question": lambda d: d["cells"][0]["answers"].__setitem__(
        "recovered", d["cells"][0]["answers"]["first_drop"]),
    "never": lambda d: d["cells"][0].__setitem__("ends", "never"),
    "a time that nobody asked about": lambda d: d["cells"][0].__setitem__("ends", "time"),
    "no cells": lambda d: d["cells"].clear(),
    "a sign of a factor": lambda d: [f[2].__setitem__("sign", -f[2]["sign"]) for p in d["cells"][0]["proofs"]
                                     for part in p for f in part["factors"]],
}  # fmt: skip


@pytest.mark.parametrize("what", ALTERED)
def test_what_is_altered_is_refused(what, certificate):
    document = json.loads(certificate)
    ALTERED[what](document)
    assert check(document) != ""


ALTERED_ENDS = {
    "a time": ("LOST", lambda d: d["at"][0].append(["1", {}])),
    "bytes lost": ("LOST", lambda d: d["cells"][0]["answers"]["dropped"][0].append(["1", {}])),
    "an answer never": ("LOST", lambda d: d["cells"][0]["answers"].__setitem__("dropped", None)),
    "a loss for ever": ("DURATION", lambda d: never(d)["phases"][-1]["where"].__setitem__(0, "above")),
    "growth for ever": ("DURATION", lambda d: never(d)["phases"].pop()),
    "arrivals to come": ("DURATION", lambda d: never(d)["phases"][-1]["pieces"].__setitem__(0, 0)),
    "a drop for never": ("DURATION", lambda d: never(d).__setitem__("ends", "loss")),
}


def never(document):
    return next(cell for cell in document["cells"] if cell["ends"] == "never")


@pytest.mark.parametrize("what", ALTERED_ENDS)
def test_what_is_altered_at_the_end_is_refused(what):
    name, alter = ALTERED_ENDS[what]
    document = document_of(name)
    alter(document)
    assert check(document) != ""


def phase(document, number, cell=0):
    return document["cells"][cell]["phases"][number]


ONE = [["1", {}]]
ALTERED_POLICIES = {
    "a reserve": ("RESERVES", lambda d: d["classes"][0]["reserve"][0].append(["1", {}])),
    "beyond its reserve": ("RESERVES", lambda d: phase(d, 0)["where"].__setitem__(0, "below")),
    "a cap": ("CAP", lambda d: d["classes"][0]["cap"][0].append(["1", {}])),
    "a cap that binds": ("CAP", lambda d: phase(d, 0).__setitem__("capped", [not c for c in phase(d, 0)["capped"]])),
    "no cap": ("CAP", lambda d: d["classes"][0].__setitem__("cap", None)),
    "a size": ("STATIC", lambda d: d["classes"][0]["cap"][0].append(["1", {}])),
    "a static limit that does not bind": ("STATIC", lambda d: phase(d, 0)["capped"].__setitem__(0, False)),
    "a fraction": ("FULL", lambda d: phase(d, 1)["fraction"][0].append(["1", {}])),
    "all admitted by a full buffer": ("FULL", lambda d: phase(d, 1).__setitem__("fraction", None)),
    "a fraction before it is full": ("FULL", lambda d: phase(d, 0).__setitem__("fraction", [ONE, ONE])),
    "above no threshold": ("FULL", lambda d: phase(d, 0)["where"].__setitem__(0, "above")),
    "on no threshold": ("FULL", lambda d: phase(d, 0)["where"].__setitem__(0, "on")),
    "when all is as it was": ("DRAINING", lambda d: d["cells"][0]["answers"]["recovered"][0].append(["1", {}])),
    "never as it was": ("DRAINING", lambda d: d["cells"][0]["answers"].__setitem__("recovered", None)),
    "when it was not so last": ("DRAINING", lambda d: d["cells"][0]["away"].__setitem__(0, 0)),
    "never otherwise": ("DRAINING", lambda d: d["cells"][0].__setitem__("away", None)),
    "the end left out": ("DRAINING", lambda d: d["cells"][0]["phases"].pop()),
    "another question": ("DRAINING", lambda d: d.__setitem__("question", "first_drop")),
}


@pytest.fixture(scope="module")
def documents():
    return {
        name: json.dumps(document_of(name))
        for name in ("THEOREM1", "RESERVES", "CAP", "STATIC", "FULL", "DRAINING", "COMPLETE", "EDT", "BESIDE_ENDING")
    }


@pytest.mark.parametrize("what", ALTERED_POLICIES)
def test_what_is_altered_of_another_policy_is_refused(what, documents):
    name, alter = ALTERED_POLICIES[what]
    document = json.loads(documents[name])
    alter(document)
    assert check(document) != ""


def leaves(tree, kind):
    """Return the leaves of a kind."""
    return (
        [leaf for _, below in tree[2] for leaf in leaves(below, kind)]
        if tree[0] == "split"
        else [tree][: tree[0] == kind]
    )


def first_of(document, kind):
    return leaves(document["closure"]["tree"], kind)[0]


ALTERED_BOUNDARIES = {
    "a sign less": ("RESERVES", lambda d: d["closure"]["tree"][2].pop()),
    "a cell that does not hold": ("STATIC", lambda d: first_of(d, "cell").__setitem__(1, 1 - first_of(d, "cell")[1])),
    "a case that does not hold": ("CAP", lambda d: first_of(d, "cell").__setitem__(2, 1 - first_of(d, "cell")[2])),
    "a case that says more": ("CAP", lambda d: d["closure"]["cases"][0]["when"].clear()),
    "another answer": ("CAP", lambda d: d["closure"]["cases"][0]["answers"]["first_drop"][0].append(["1", {}])),
    "cases that are not equal": ("CAP", lambda d: [leaf[3].clear() for leaf in leaves(d["closure"]["tree"], "cell")]),
    "a difference that is another": ("CAP", lambda d: [
        each[2].append(["1", {}]) for leaf in leaves(d["closure"]["tree"], "cell") for _, a in leaf[3] for each in a]),
    "signs that are apart": ("CAP", lambda d: d["closure"]["apart"][0]["signs"].pop()),
    "a sum that is less": ("CAP", lambda d: d["closure"]["apart"][0]["how"]["from"].clear()),
    "a multiple below 0": ("CAP", lambda d: d["closure"]["apart"][0]["how"]["from"][0].__setitem__(1, "-1")),
    "a place of a sum": ("CAP", lambda d: d["closure"]["apart"][0]["how"]["from"][0][0].__setitem__(0, 99)),
    "a place before the first": ("CAP", lambda d: d["closure"]["apart"][0]["how"]["from"][0][0].__setitem__(0, -1)),
    "a product of nothing": ("CAP", lambda d: d["closure"]["apart"][0]["how"]["from"][0][0].clear()),
    "a monomial": ("CAP", lambda d: d["closure"]["apart"][0]["how"]["from"][0][2].update(alpha=7)),
    "no denominators": ("CAP", lambda d: d["closure"]["denominators"].clear()),
    "a factor of a denominator": ("CAP", lambda d: [x["factors"].clear() for x in d["closure"]["denominators"]]),
    "what is left out": ("CAP", lambda d: first_of(d, "cell").__setitem__(slice(None), ["left out", 0])),
    "what is apart": ("CAP", lambda d: first_of(d, "cell").__setitem__(slice(None), ["apart", 0])),
    "what else may be 0": ("THEOREM1", lambda d: d["closure"].__setitem__("weak", [*d["closure"]["weak"], "R_"])),
    "a value on a face": ("COMPLETE", lambda d: d["faces"][0]["value"][0].append(["1", {}])),
    "another symbol on a face": ("COMPLETE", lambda d: d["faces"][0].__setitem__("symbol", "R_")),
    "a value in terms of itself": ("COMPLETE", lambda d: d["faces"][0]["value"][0].append(["1", {"R_b_": 1}])),
    "a class left out of a face": ("COMPLETE", lambda d: d["faces"][0]["kept"].pop()),
    "the asked class left out": ("EDT", lambda d: d["faces"][0].__setitem__("kept", [1])),
    "a class kept on a face": ("EDT", lambda d: d["faces"][0].__setitem__("kept", [0, 1])),
    "no face": ("COMPLETE", lambda d: d["faces"].clear()),
    "a cell that lies on no face": ("EDT", lambda d: [cell.pop("face", None) for cell in d["cells"]]),
    "a cell of a face beside it": ("COMPLETE", lambda d: [
        leaf.__setitem__(1, len(d["cells"]) - 1) for leaf in leaves(d["closure"]["tree"], "cell")]),
    "an equality that is another": ("BESIDE_ENDING", lambda d: [
        a[0][1].append(["1", {}]) for leaf in leaves(d["closure"]["tree"], "cell") for _, a in leaf[3]]),
    "a case that holds and is another": ("BESIDE_ENDING", lambda d: d["closure"]["cases"][-1]["answers"][
        "first_drop"][0].append(["1", {}])),
    "a leaf of another kind": ("CAP", lambda d: first_of(d, "cell").__setitem__(0, "right")),
}  # fmt: skip


@pytest.mark.parametrize("what", ALTERED_BOUNDARIES)
def test_what_is_altered_of_boundaries_is_refused(what, documents):
    name, alter = ALTERED_BOUNDARIES[what]
    document = json.loads(documents[name])
    alter(document)
    assert check(document) != ""


@pytest.mark.parametrize(
    "name", ["THEOREM1", "RESERVES", "CAP", "DRAINING", "STATIC", "COMPLETE", "EDT", "BESIDE_ENDING"]
)
def test_every_point_of_the_domain_lies_in_a_case_that_is_right(name, documents):
    closure = json.loads(documents[name])["closure"]
    assert closure["cases"]
    assert not leaves(closure["tree"], "open")
    assert not leaves(closure["tree"], "left out")
    assert "smt" not in [each["how"] for each in closure["apart"]]
    assert any(0 in [sign for sign, _ in tree[2]] for tree in [closure["tree"]])


def test_answers_of_faces_are_those_of_runs_there(documents):
    faces, cells = (json.loads(documents["EDT"])[name] for name in ("faces", "cells"))
    assert [(face["symbol"], face["value"][0], face["kept"]) for face in faces] == [("N", [], [0])]
    on_face = [cell for cell in cells if "face" in cell]
    assert {cell["ends"] for cell in on_face} == {"loss"}
    assert all(len(phase["lengths"]) == 1 for cell in on_face for phase in cell["phases"])


def test_where_nothing_is_shown_is_said(monkeypatch):
    monkeypatch.setattr(derivation_of, "face_of", lambda *_: None)
    document = document_of("COMPLETE")
    assert leaves(document["closure"]["tree"], "open") == [["open"]]
    assert document["faces"] == []
    assert check(document) == ""
    assert not alone(document)


@pytest.mark.parametrize("name", ["EDT", "BESIDE_ENDING"])
def test_no_proof_is_looked_for_where_there_are_points(name, monkeypatch):
    """Without points more sets of signs are tried; what they come to is the same."""
    whole = document_of(name)
    monkeypatch.setattr(Arena, "moved", lambda _, points, *__: points[:0])
    assert document_of(name)["closure"]["tree"] == whole["closure"]["tree"]


def lasting_loss(slopes, where):
    """Return the document of two queues that begin on their threshold 1, of which the first loses something at once."""
    classes = [
        {"count": [ONE, ONE], "rate": [ONE, ONE], "alpha": [ONE, ONE], "reserve": [[], ONE], "cap": None,
         "initial": None, "arrivals": [[[[], ONE], [[[rate, {}]], ONE]]]}
        for rate in ("3", "2")
    ]  # fmt: skip
    cell = {
        "conditions": [], "ends": "loss", "away": None,
        "rising": [False] + [True] * (len(where) - where.count("on")) * 2,
        "answers": {"first_drop": [[], ONE], "free_at_first_drop": [ONE, ONE]},
        "phases": [{"begin": [[], ONE], "free": [ONE, ONE], "lengths": [[ONE, ONE]] * 2, "pieces": [0, 0],
                    "slopes": [[[[slope, {}]], ONE] for slope in slopes], "where": where, "capped": [False] * 2,
                    "fraction": None}],
    }  # fmt: skip
    goals = obeyed(
        cell, [queue_class(queue) for queue in classes], ratio([[["3", {}]], ONE]), ("first_drop", 0, None, None)
    )
    cell["proofs"] = [[{"number": str(top.get((), 0) / bottom[()]), "factors": []}, {"number": "1", "factors": []}]
                      for (top, bottom), _ in goals]  # fmt: skip
    whole = {"kind": "derived", "symbols": [], "domain": [], "buffer": [[["3", {}]], ONE], "classes": classes}
    asked = {"question": "first_drop", "asked": 0, "at": None, "until": None}
    return {**whole, **asked, "cells": [cell], "faces": [], "left_out": [], "coverage": None, "closure": None}


def test_the_phase_of_the_loss_must_last():
    assert check(lasting_loss(["0", "0"], ["on", "on"])) == ""
    assert "does not hold" in check(lasting_loss(["1/2", "-1"], ["on", "above"]))


def test_a_theorem_that_says_nothing_has_no_certificate():
    with pytest.raises(InputError, match=r"^theorem"):
        derive(families.THEOREM1, Limits(seconds=0)).certificate()


SEVERAL = {**families.THEOREM1, "ask": [{"first_drop": 0}, {"dropped": 0}, {"length": 1}], "until": "9*B/C"}


def test_each_of_several_questions_has_its_certificate():
    theorem = derive(SEVERAL)
    document = json.loads(json.dumps(theorem.certificate()))
    assert [each["question"] for each in document["questions"]] == ["first_drop", "dropped", "length"]
    for each in document["questions"]:
        assert len(each["left_out"]) <= 1
        inside = [cell for cell in each["cells"] if "face" not in cell]
        assert len(inside) + len(each["left_out"]) == theorem.statistics["cells"]
    assert check(document) == ""
    other = json.loads(json.dumps(document))
    other["questions"][1]["cells"][0]["answers"]["dropped"] = [[["1", {}]], [["1", {}]]]
    assert check(other) != ""
    document["questions"][2]["buffer"] = [[["2", {}]], [["1", {}]]]
    assert "different families" in check(document)


def test_a_certificate_says_what_was_not_shown_in_time():
    found = derive(families.UNTIL)
    late, whole = found.certificate(seconds=0), found.certificate()
    assert whole["undecided"] == whole["left_out"] == []
    assert late["undecided"] == [
        *(f"cell {k}" for k in range(len(whole["cells"])) if k in _summed(whole)),
        "coverage",
        "closure",
    ]
    assert len(late["left_out"]) == len(_summed(whole)) > 0
    assert late["coverage"] is None


def _summed(document):
    """Return which cells have an inequality that a sum of conditions shows."""
    how = (
        [how for proof in cell["proofs"] for part in proof for _, _, how in part["factors"]]
        for cell in document["cells"]
    )
    return [k for k, each in enumerate(how) if any("from" in one for one in each)]


def sums(document):
    """Return the reasons that are sums, each with the place of its factor."""
    return [
        (how, len(cell["conditions"]) + len(document["domain"]))
        for cell in document["cells"] for proof in cell["proofs"] for part in proof for _, _, how in part["factors"]
        if "from" in how
    ]  # fmt: skip


def without_the_factor(document):
    how, factor = sums(document)[0]
    how["from"] = [part for part in how["from"] if factor not in part[0]]


def times_a_symbol(document):
    """Multiply a sum by a symbol, which may be 0 from then on: inside it shows the same."""
    name = document["symbols"][0]
    document["closure"]["weak"].append(name)
    for _, _, monomial in sums(document)[0][0]["from"]:
        monomial[name] = monomial.get(name, 0) + 1


@pytest.mark.parametrize(
    ("alter", "said"),
    [
        (without_the_factor, "not a sum"),
        (lambda d: sums(d)[0][0]["from"].clear(), "all of it may be 0"),
        (lambda d: sums(d)[0][0].update(sign=-sums(d)[0][0]["sign"]), "not a sum"),
        (lambda d: sums(d)[0][0]["from"][0].__setitem__(1, "0"), "a multiple"),
        (times_a_symbol, "may be 0"),
    ],
)
def test_a_factor_is_shown_by_a_sum_with_it(alter, said, until):
    document = json.loads(until)
    alter(document)
    assert said in check(document)


@pytest.fixture(scope="module")
def until():
    return json.dumps(document_of("UNTIL"))


@pytest.fixture(scope="module")
def counted():
    timers = derive(families.TIMERS, Limits(expiries=1)).certificate()
    names = ("EDT_FREED", "EDT_RECOVERED", "UNTIL_DROP", "UNTIL_EDT", "EXPIRING")
    return {name: json.dumps(document_of(name)) for name in names} | {"TIMERS": json.dumps(timers)}


def test_timers_are_verified_as_often_as_they_expire(counted):
    document = json.loads(counted["TIMERS"])
    assert check(document) == ""
    assert document["left_out"] == []
    assert document["coverage"] is None  # with more expiries the exploration stops, which it says
    phases = [phase for cell in document["cells"] for phase in cell["phases"]]
    assert any(phase["overflow"] for phase in phases)
    assert any(any(phase["uncontrolled"]) for phase in phases)
    assert any(each["then"] == "vain" for phase in phases for each in phase["counts"])
    expired = json.loads(counted["EXPIRING"])
    assert check(expired) == ""
    (cell,) = expired["cells"]
    assert [phase["counts"][0]["then"] for phase in cell["phases"]] == [2, "vain", None]


def at_phase(wanted, alter):
    """Return what alters the first phase that is wanted."""

    def altered(document):
        alter(next(phase for cell in document["cells"] for phase in cell["phases"] if wanted(phase)))

    return altered


def test_an_overflow_at_the_time_that_is_asked_about_is_not_left_out():
    theorem = derive({
        "symbols": {"B": "> 0"}, "policy": {"name": "edt", "alpha": 1, "cn2": "B/8"},
        "switch": {"buffer": "B", "rate": 1}, "queues": [{"arrivals": [[0, 3]]}],
        "ask": [{"threshold": 0, "at": "B/2"}],
    })  # fmt: skip
    document = json.loads(json.dumps(theorem.certificate()))
    assert check(document) == ""
    (cell,), document["closure"] = document["cells"], None
    cell["phases"][-1] |= {"overflow": None, "uncontrolled": [True]}
    cell["answers"]["threshold"] = document["buffer"]
    assert "a full buffer overflows" in check(document)


ALTERED_CONSTANTS = {
    "another constant": lambda d: d["cells"][0].__setitem__("chosen", 1 - d["cells"][0]["chosen"]),
    "no constant": lambda d: d.__setitem__("sojourns", None),
    "the greatest": lambda d: d["sojourns"].__setitem__("which", "greatest"),
    "the middle": lambda d: d["sojourns"].__setitem__("which", "middle"),
    "a sojourn time": lambda d: d["sojourns"]["times"][0][0].append(["1", {}]),
    "a sojourn time less": lambda d: d["sojourns"]["times"].pop(),
    "alpha": lambda d: d["sojourns"]["alpha"][0].append(["1", {}]),
}


@pytest.fixture(scope="module")
def least():
    return json.dumps(document_of("L2BM_LEAST"))


@pytest.mark.parametrize("what", ALTERED_CONSTANTS)
def test_what_is_altered_of_the_constant_of_l2bm_is_refused(what, least):
    document = json.loads(least)
    assert {cell["chosen"] for cell in document["cells"]} == {0, 1}
    ALTERED_CONSTANTS[what](document)
    assert check(document) != ""


def ending(document):
    return next(cell for cell in document["cells"] if cell["ends"] == "until")


def freed(phase):
    return phase["uncontrolled"] == [True]


def growing(phase):
    return phase["counts"][0] == {"grows": True, "then": "counted"}


def overflowing(phase):
    return phase["overflow"]


def expiring(phase):
    return isinstance(phase["counts"][0]["then"], int)


def in_vain(phase):
    return phase["counts"][0]["then"] == "vain"


ALTERED_COUNTERS = {
    "the counting number": ("EDT_FREED", lambda d: d["counters"]["cn2"][0].append(["1", {}])),
    "no counters": ("EDT_FREED", lambda d: d.__setitem__("counters", None)),
    "a queue that is not freed": ("EDT_FREED", at_phase(freed, lambda p: p.__setitem__("uncontrolled", [False]))),
    "a queue that is freed": ("EDT_FREED", at_phase(growing, lambda p: p.__setitem__("uncontrolled", [True]))),
    "a queue less": ("EDT_FREED", at_phase(growing, lambda p: p["uncontrolled"].clear())),
    "a counter that is not counted": ("EDT_FREED", at_phase(growing, lambda p: p["counts"][0].update(then="empty"))),
    "a counter that is reset": ("EDT_FREED", at_phase(growing, lambda p: p["counts"][0].update(then=1))),
    "a queue that does not grow": ("EDT_FREED", at_phase(growing, lambda p: p["counts"][0].update(grows=False))),
    "no overflow": ("EDT_RECOVERED", at_phase(overflowing, lambda p: p.__setitem__("overflow", None))),
    "another overflow": ("EDT_RECOVERED", at_phase(overflowing, lambda p: p["overflow"].update(full=None))),
    "an overflow of nobody": ("EDT_RECOVERED", at_phase(overflowing, lambda p: p["overflow"].update(before=[]))),
    "an overflow too early": ("EDT_RECOVERED", at_phase(growing, lambda p: p.__setitem__(
        "overflow", {"before": [0], "full": 0}))),
    "TM1": ("TIMERS", lambda d: d["counters"]["tm1"][0].append(["1", {}])),
    "TM2": ("TIMERS", lambda d: d["counters"]["tm2"][0].append(["1", {}])),
    "no TM1": ("TIMERS", lambda d: d["counters"].__setitem__("tm1", None)),
    "no TM2": ("TIMERS", lambda d: d["counters"].__setitem__("tm2", None)),
    "an expiry more": ("EXPIRING", at_phase(expiring, lambda p: p["counts"][0].update(then=3))),
    "an expiry less": ("EXPIRING", at_phase(expiring, lambda p: p["counts"][0].update(then="counted"))),
    "nothing counted before a step": ("EXPIRING", at_phase(expiring, lambda p: p["counts"][0].update(then="vain"))),
    "no growth in vain": ("TIMERS", at_phase(in_vain, lambda p: p["counts"][0].update(grows=False))),
    "no vain": ("TIMERS", at_phase(in_vain, lambda p: p["counts"][0].update(then="counted"))),
    "freed at the end": ("UNTIL_EDT", lambda d: d["cells"][0]["phases"][-1].__setitem__(
        "uncontrolled", [not d["cells"][0]["phases"][-1]["uncontrolled"][0]])),
    "the end": ("UNTIL_DROP", lambda d: d["until"][0].append(["1", {}])),
    "no end": ("UNTIL_DROP", lambda d: d.__setitem__("until", None)),
    "a loss at the end": ("UNTIL_DROP", lambda d: ending(d).__setitem__("ends", "loss")),
    "for ever": ("UNTIL_DROP", lambda d: ending(d).__setitem__("ends", "never")),
}  # fmt: skip


@pytest.mark.parametrize("what", ALTERED_COUNTERS)
def test_what_is_altered_of_counters_and_ends_is_refused(what, counted):
    name, alter = ALTERED_COUNTERS[what]
    document = json.loads(counted[name])
    alter(document)
    assert check(document) != ""


def test_the_command_writes_one(tmp_path, capsys):
    path, out = tmp_path / "family.json", tmp_path / "certificate.json"
    path.write_text(json.dumps(families.THEOREM1))
    assert run(["derive", str(path), "--certificate", str(out)]) == 0
    assert "If " in capsys.readouterr().out
    assert check(json.loads(out.read_text())) == ""
