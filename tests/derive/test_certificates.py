"""Certificates of derived theorems are verified without the package, and not when they are altered."""

import json

import families
import pytest

from dtmodel import InputError
from dtmodel.cli import run
from dtmodel.derive import derive
from proofs.check_certificates import check

CERTIFIED = [
    "THEOREM1",
    "TWO_ALPHAS",
    "WEIGHTED",
    "ABM",
    "L2BM",
    "TWO_RATES",
    "DURATION",
    "LOST",
    "LENGTH",
    "THRESHOLD",
]

SOLVED = {"TWO_RATES": 1, "DURATION": 1}  # exclusions for which no sum is found


@pytest.fixture(scope="module")
def certificate():
    return json.dumps(derive(families.THEOREM1).certificate())


@pytest.mark.parametrize("name", CERTIFIED)
def test_every_trajectory_is_verified(name):
    document = json.loads(json.dumps(derive(getattr(families, name)).certificate()))
    assert len(document["cells"]) > len(document["left_out"])
    assert sum(each["how"] == "smt" for each in document["coverage"]) <= SOLVED.get(name, 0)
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
    document = json.loads(json.dumps(derive(getattr(families, name)).certificate()))
    alter(document)
    assert check(document) != ""


def test_other_families_have_no_certificate():
    for name in ("COMPLETE", "RECOVERY"):
        with pytest.raises(InputError):
            derive(getattr(families, name)).certificate()


def test_the_command_writes_one(tmp_path, capsys):
    path, out = tmp_path / "family.json", tmp_path / "certificate.json"
    path.write_text(json.dumps(families.THEOREM1))
    assert run(["derive", str(path), "--certificate", str(out)]) == 0
    assert "If " in capsys.readouterr().out
    assert check(json.loads(out.read_text())) == ""
