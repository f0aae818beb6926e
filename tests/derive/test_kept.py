"""Certificates that are kept in files are read as they were written, and not believed when they are altered."""

import json

import families
import pytest

from dtmodel.derive import derive
from proofs.check_certificates import check
from proofs.derived import kept, steps


@pytest.mark.parametrize("name", ["THEOREM1", "LOST", "CAP"])
def test_a_certificate_is_read_as_it_was_written(name, tmp_path):
    document = json.loads(json.dumps(derive(getattr(families, name)).certificate()))
    kept.write(document, tmp_path / "kept.json")
    assert kept.read(tmp_path / "kept.json") == document
    assert (tmp_path / "kept.json").stat().st_size < len(json.dumps(document)) / 3


def test_numbers_and_powers_are_read_as_they_were_written(tmp_path):
    terms = [
        ["-1", {}],
        ["2/3", {"M": 1, "R_1_": 12}],
        ["-7", {"M": 2}],
        ["-1", {"M": 1}],
        ["1", {}],
        ["1", {"d_1": 1}],
    ]
    document = {
        "polynomial": terms,
        "sum": [[[0, 12], "5", {}], [[3], "1", {"M": 2}]],
        "signs": [{"sign": -1}, 1, [], None],
    }
    kept.write(document, tmp_path / "kept.json")
    assert kept.read(tmp_path / "kept.json") == document


def first_sum(document):
    proofs = (proof for cell in document["cells"] for proof in cell["proofs"])
    hows = (how for proof in proofs for part in proof for _, _, how in part["factors"])
    return next(how["from"] for how in hows if "from" in how)


ALTERED = {
    "not a sum that shows it": lambda d: first_sum(d)[0].__setitem__(1, "2"),
    "exclusion 7: not a sum": lambda d: d["coverage"][7]["how"]["from"][0].__setitem__(1, "5"),
    "the cells do not cover the domain": lambda d: d["cells"].pop(5),
    "the answer first_drop is another": lambda d: d["cells"][3]["answers"]["first_drop"][0].append(["1", {}]),
    "rests on a solver": lambda d: d["cells"][0]["proofs"].__setitem__(0, "smt"),
}


def test_the_certificate_of_two_steps_shows_every_cell_without_a_solver():
    document = kept.read(steps.KEPT)
    assert check(document) == ""
    assert document["left_out"] == document["undecided"] == []
    assert len(document["cells"]) == 34
    assert {type(each["how"]) for each in document["coverage"]} == {dict}
    answers = {json.dumps(cell["answers"]["first_drop"]) for cell in document["cells"]}
    assert len(answers) == len(steps.NAMES)


@pytest.mark.parametrize("what", ALTERED)
def test_the_certificate_of_two_steps_is_refused_when_it_is_altered(what):
    document = json.loads(json.dumps(kept.read(steps.KEPT)))  # nothing in it is one object any more
    ALTERED[what](document)
    assert what in check(document)
