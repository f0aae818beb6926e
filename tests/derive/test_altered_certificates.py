"""Certificates of derived theorems are not verified when they are altered."""

import json

import pytest
from certified import certificate_text, leaves

from proofs.check_certificates import check

ONE = [["1", {}]]


def never(document):
    return next(cell for cell in document["cells"] if cell["ends"] == "never")


def phase(document, number):
    return document["cells"][0]["phases"][number]


def answers(document):
    return document["cells"][0]["answers"]


def closed(document):
    """Return the leaves of the closure that are cells."""
    return leaves(document["closure"]["tree"], "cell")


def at_phase(wanted, alter):
    """Return what alters the first phase that is wanted."""

    def altered(document):
        alter(next(phase for cell in document["cells"] for phase in cell["phases"] if wanted(phase)))

    return altered


def turn(condition):
    condition[:] = [[str(-int(number)), powers] for number, powers in condition]


def weak_split(document):
    """Return two signs of which one branch of the walk is."""
    waiting = [document["closure"]["tree"]]
    while waiting:
        kind, *rest = waiting.pop()
        for signs, below in rest[1] if kind == "split" else ():
            if 0 in signs and len(signs) == 2:
                return signs
            waiting.append(below)
    raise AssertionError("no branch has two signs")


def other_signs(document):
    for proof in document["cells"][0]["proofs"]:
        for _, _, how in (factor for part in proof for factor in part["factors"]):
            how["sign"] = -how["sign"]


def other_differences(document):
    for leaf in closed(document):
        for difference in (each for _, answers in leaf[3] for each in answers):
            difference[2].append(["1", {}])


def other_case(document):
    document["closure"]["cases"][-1]["answers"]["first_drop"][0].append(["1", {}])


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


ALTERED = {
    "THEOREM1": {
        "the conditions": lambda d: d["cells"][0]["conditions"].clear(),
        "a condition turned": lambda d: turn(d["cells"][0]["conditions"][0]),
        "a breakpoint": lambda d: phase(d, -1)["begin"][0].append(["1", {}]),
        "a length": lambda d: phase(d, -1)["lengths"][0][0].append(["1", {}]),
        "a slope": lambda d: phase(d, 0)["slopes"][0][0].append(["1", {}]),
        "what is free": lambda d: phase(d, 0)["free"][0].append(["1", {}]),
        "a place": lambda d: phase(d, 0)["where"].__setitem__(0, "above"),
        "the arrivals": lambda d: phase(d, 0)["pieces"].__setitem__(0, -1),
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
        "an exclusion of other signs": lambda d: turn(d["coverage"][0]["conditions"][0]),
        "an exclusion without its sum": lambda d: d["coverage"][0]["how"]["from"].clear(),
        "an answer": lambda d: answers(d)["first_drop"][0].append(["1", {}]),
        "an answer to another question": lambda d: answers(d).update(recovered=answers(d)["first_drop"]),
        "never": lambda d: d["cells"][0].__setitem__("ends", "never"),
        "a time that nobody asked about": lambda d: d["cells"][0].__setitem__("ends", "time"),
        "no cells": lambda d: d["cells"].clear(),
        "a sign of a factor": other_signs,
        "what else may be 0": lambda d: d["closure"].__setitem__("weak", [*d["closure"]["weak"], "R_"]),
    },
    "L2BM_LEAST": {
        "another constant": lambda d: d["cells"][0].__setitem__("chosen", 1 - d["cells"][0]["chosen"]),
        "no constant": lambda d: d.__setitem__("sojourns", None),
        "the greatest": lambda d: d["sojourns"].__setitem__("which", "greatest"),
        "the middle": lambda d: d["sojourns"].__setitem__("which", "middle"),
        "a sojourn time": lambda d: d["sojourns"]["times"][0][0].append(["1", {}]),
        "a sojourn time less": lambda d: d["sojourns"]["times"].pop(),
        "alpha": lambda d: d["sojourns"]["alpha"][0].append(["1", {}]),
    },
    "LOST": {
        "a time": lambda d: d["at"][0].append(["1", {}]),
        "bytes lost": lambda d: answers(d)["dropped"][0].append(["1", {}]),
        "an answer never": lambda d: answers(d).__setitem__("dropped", None),
    },
    "DURATION": {
        "a loss for ever": lambda d: never(d)["phases"][-1]["where"].__setitem__(0, "above"),
        "growth for ever": lambda d: never(d)["phases"].pop(),
        "arrivals to come": lambda d: never(d)["phases"][-1]["pieces"].__setitem__(0, 0),
        "a drop for never": lambda d: never(d).__setitem__("ends", "loss"),
    },
    "RESERVES": {
        "a reserve": lambda d: d["classes"][0]["reserve"][0].append(["1", {}]),
        "beyond its reserve": lambda d: phase(d, 0)["where"].__setitem__(0, "below"),
        "a sign less": lambda d: d["closure"]["tree"][2].pop(),
        "a sign less of two": lambda d: weak_split(d).remove(0),
        "an exclusion of more": lambda d: d["closure"]["apart"][0]["signs"][0].__setitem__(1, [-1, 0, 1]),
    },
    "CAP": {
        "a cap": lambda d: d["classes"][0]["cap"][0].append(["1", {}]),
        "a cap that binds": lambda d: phase(d, 0).__setitem__("capped", [not c for c in phase(d, 0)["capped"]]),
        "no cap": lambda d: d["classes"][0].__setitem__("cap", None),
        "a case that does not hold": lambda d: closed(d)[-1].__setitem__(2, 1 - closed(d)[-1][2]),
        "a case that says more": lambda d: d["closure"]["cases"][0]["when"].clear(),
        "another answer": lambda d: d["closure"]["cases"][0]["answers"]["first_drop"][0].append(["1", {}]),
        "cases that are not equal": lambda d: [leaf[3].clear() for leaf in closed(d)],
        "a difference that is another": other_differences,
        "signs that are apart": lambda d: d["closure"]["apart"][0]["signs"].pop(),
        "a sum that is less": lambda d: d["closure"]["apart"][0]["how"]["from"].clear(),
        "a multiple below 0": lambda d: d["closure"]["apart"][0]["how"]["from"][0].__setitem__(1, "-1"),
        "a place of a sum": lambda d: d["closure"]["apart"][0]["how"]["from"][0][0].__setitem__(0, 99),
        "a place before the first": lambda d: d["closure"]["apart"][0]["how"]["from"][0][0].__setitem__(0, -1),
        "a product of nothing": lambda d: d["closure"]["apart"][0]["how"]["from"][0][0].clear(),
        "a monomial": lambda d: d["closure"]["apart"][0]["how"]["from"][0][2].update(alpha=7),
        "no denominators": lambda d: d["closure"]["denominators"].clear(),
        "a factor of a denominator": lambda d: [x["factors"].clear() for x in d["closure"]["denominators"]],
        "what is left out": lambda d: closed(d)[0].__setitem__(slice(None), ["left out", 0]),
        "what is apart": lambda d: closed(d)[0].__setitem__(slice(None), ["apart", 0]),
        "a leaf of another kind": lambda d: closed(d)[0].__setitem__(0, "right"),
    },
    "STATIC": {
        "a size": lambda d: d["classes"][0]["cap"][0].append(["1", {}]),
        "a static limit that does not bind": lambda d: phase(d, 0)["capped"].__setitem__(0, False),
        "a cell that does not hold": lambda d: closed(d)[0].__setitem__(1, 1 - closed(d)[0][1]),
    },
    "FULL": {
        "a fraction": lambda d: phase(d, 1)["fraction"][0].append(["1", {}]),
        "all admitted by a full buffer": lambda d: phase(d, 1).__setitem__("fraction", None),
        "a fraction before it is full": lambda d: phase(d, 0).__setitem__("fraction", [ONE, ONE]),
        "above no threshold": lambda d: phase(d, 0)["where"].__setitem__(0, "above"),
        "on no threshold": lambda d: phase(d, 0)["where"].__setitem__(0, "on"),
    },
    "DRAINING": {
        "when all is as it was": lambda d: answers(d)["recovered"][0].append(["1", {}]),
        "never as it was": lambda d: answers(d).__setitem__("recovered", None),
        "when it was not so last": lambda d: d["cells"][0]["away"].__setitem__(0, 0),
        "never otherwise": lambda d: d["cells"][0].__setitem__("away", None),
        "the end left out": lambda d: d["cells"][0]["phases"].pop(),
        "another question": lambda d: d.__setitem__("question", "first_drop"),
    },
    "COMPLETE": {
        "a value on a face": lambda d: d["faces"][0]["value"][0].append(["1", {}]),
        "another symbol on a face": lambda d: d["faces"][0].__setitem__("symbol", "R_"),
        "a value in terms of itself": lambda d: d["faces"][0]["value"][0].append(["1", {"R_b_": 1}]),
        "a class left out of a face": lambda d: d["faces"][0]["kept"].pop(),
        "no face": lambda d: d["faces"].clear(),
        "a cell of a face beside it": lambda d: [leaf.__setitem__(1, len(d["cells"]) - 1) for leaf in closed(d)],
    },
    "EDT": {
        "the asked class left out": lambda d: d["faces"][0].__setitem__("kept", [1]),
        "a class kept on a face": lambda d: d["faces"][0].__setitem__("kept", [0, 1]),
        "a cell that lies on no face": lambda d: [cell.pop("face", None) for cell in d["cells"]],
    },
    "BESIDE_ENDING": {
        "an equality that is another": lambda d: [a[0][1].append(["1", {}]) for leaf in closed(d) for _, a in leaf[3]],
        "a case that holds and is another": other_case,
    },
    "EDT_FREED": {
        "the counting number": lambda d: d["counters"]["cn2"][0].append(["1", {}]),
        "no counters": lambda d: d.__setitem__("counters", None),
        "a queue that is not freed": at_phase(freed, lambda p: p.__setitem__("uncontrolled", [False])),
        "a queue that is freed": at_phase(growing, lambda p: p.__setitem__("uncontrolled", [True])),
        "a queue less": at_phase(growing, lambda p: p["uncontrolled"].clear()),
        "a counter that is not counted": at_phase(growing, lambda p: p["counts"][0].update(then="empty")),
        "a counter that is reset": at_phase(growing, lambda p: p["counts"][0].update(then=1)),
        "a queue that does not grow": at_phase(growing, lambda p: p["counts"][0].update(grows=False)),
    },
    "EDT_RECOVERED": {
        "no overflow": at_phase(overflowing, lambda p: p.__setitem__("overflow", None)),
        "another overflow": at_phase(overflowing, lambda p: p["overflow"].update(full=None)),
        "an overflow of nobody": at_phase(overflowing, lambda p: p["overflow"].update(before=[])),
        "an overflow too early": at_phase(growing, lambda p: p.__setitem__("overflow", {"before": [0], "full": 0})),
    },
    "TIMERS": {
        "TM1": lambda d: d["counters"]["tm1"][0].append(["1", {}]),
        "TM2": lambda d: d["counters"]["tm2"][0].append(["1", {}]),
        "no TM1": lambda d: d["counters"].__setitem__("tm1", None),
        "no TM2": lambda d: d["counters"].__setitem__("tm2", None),
        "no growth in vain": at_phase(in_vain, lambda p: p["counts"][0].update(grows=False)),
        "no vain": at_phase(in_vain, lambda p: p["counts"][0].update(then="counted")),
    },
    "EXPIRING": {
        "an expiry more": at_phase(expiring, lambda p: p["counts"][0].update(then=3)),
        "an expiry less": at_phase(expiring, lambda p: p["counts"][0].update(then="counted")),
        "nothing counted before a step": at_phase(expiring, lambda p: p["counts"][0].update(then="vain")),
    },
    "UNTIL_EDT": {
        "freed at the end": lambda d: phase(d, -1).update(uncontrolled=[not phase(d, -1)["uncontrolled"][0]]),
    },
    "UNTIL_DROP": {
        "the end": lambda d: d["until"][0].append(["1", {}]),
        "no end": lambda d: d.__setitem__("until", None),
        "a loss at the end": lambda d: ending(d).__setitem__("ends", "loss"),
        "for ever": lambda d: ending(d).__setitem__("ends", "never"),
    },
}  # fmt: skip


@pytest.mark.parametrize(("name", "what"), [(name, what) for name, altered in ALTERED.items() for what in altered])
def test_what_is_altered_is_refused(name, what):
    document = json.loads(certificate_text(name))
    ALTERED[name][what](document)
    assert check(document) != ""
