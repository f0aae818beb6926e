"""A derived theorem becomes a claim whose evidence the ledger runs, and which any change of its parts refutes."""

import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from refusals import refused

import dtmodel
from dtmodel import InputError
from dtmodel.cli import run
from dtmodel.companion.deriving import renamed
from dtmodel.companion.words import VOCABULARY
from dtmodel.derive import Limits, derive
from dtmodel.derive.theorem.certificate import stands_alone
from dtmodel.ledger import Outcome, Proved
from dtmodel.ledger.formal import check_words, read_formal
from dtmodel.theorems import Theorem
from dtmodel.theory import statements

RATES = {"B": "> 0", "C": "> 0", "R": "> C"}
STEP = [["0", "R"]]
SWITCH = {"buffer": "B", "rate": "C"}
FAMILIES: dict[str, dict[str, Any]] = {
    "words": {
        "symbols": {"alpha": "> 0", "drop": "> 0", "C": "> 0", "R": "> C", "free": "> 0", "count": ">= 1"},
        "policy": {"name": "dt", "alpha": ["alpha", "2*alpha"]},
        "switch": {"buffer": "drop", "rate": "C"},
        "queues": [{"count": "count", "arrivals": STEP}, {"arrivals": [["free", "R"]]}],
    },
    "pools": {
        "symbols": {**RATES, "r": "> 0, <= B/4", "c": "> 0", "M": ">= 1, <= 2"},
        "policy": {"name": "pools", "limits": [{"alpha": "2", "reserved": "r", "cap": "c"}, {"alpha": "1"}]},
        "queues": [{"count": "M", "arrivals": STEP}, {"initial": "steady", "arrivals": STEP}],
    },
    "static": {
        "symbols": {**RATES, "S": "> 0, <= B", "d": "> 0", "e": "== 2*d"},
        "policy": {"name": "static", "sizes": "S"},
        "queues": [{"arrivals": [["d", "R"], ["e", "0"]], "rate": "C"}],
    },
    "complete": {
        "symbols": {**RATES, "d": "> 0"},
        "policy": {"name": "complete"},
        "queues": [{"arrivals": STEP, "initial": "B/2"}],
        "ask": [{"dropped": 0, "at": "d"}, {"length": 0, "at": "d"}],
    },
    "abm": {
        "symbols": {**RATES, "a": "> 0", "b": "> 0"},
        "policy": {"name": "abm", "alphas": ["a", "b"], "priorities": [0, 1], "drains": 1},
        "queues": [{"arrivals": STEP}, {"initial": "steady", "arrivals": STEP}],
    },
    "l2bm": {
        "symbols": {**RATES, "s": "> 0"},
        "policy": {"name": "l2bm", "sojourns": ["s", "2*s"], "normalisation": "sum"},
        "queues": [{"arrivals": STEP}, {"arrivals": STEP}],
    },
    "edt": {
        "symbols": {**RATES, "c": "> 0"},
        "policy": {"name": "edt", "cn2": "c", "tm1": None, "tm2": None},
        "queues": [{"arrivals": STEP}],
    },
    "weighted": {
        "symbols": {**RATES, "d": "> 0"},
        "policy": {"name": "weighted", "weights": [1, 2]},
        "until": "d",
        "queues": [{"arrivals": STEP}, {"arrivals": STEP}],
        "ask": [{"first_drop": 1}, {"threshold": 0, "at": "d"}],
    },
}


def family(name: str) -> dict[str, Any]:
    return {"switch": SWITCH, "ask": [{"first_drop": 0}], **FAMILIES[name]}


def evidence(folder: Path, claim: str) -> Outcome:
    """Run the body of the evidence in this process."""
    return dtmodel.companion.derived_claim(claim, str(folder / "evidence.py"))


def claims(folder: Path) -> dict[str, Any]:
    return dict(tomllib.loads((folder / "claims.toml").read_text(encoding="utf-8"))["claim"])


@pytest.mark.parametrize("name", FAMILIES)
def test_a_theorem_under_each_policy_becomes_a_claim_that_its_evidence_proves(name: str, tmp_path: Path) -> None:
    derive(family(name)).to_claim(f"mine.{name}", tmp_path)
    outcome = evidence(tmp_path, f"mine.{name}")
    assert isinstance(outcome, Proved)
    assert stands_alone(outcome.certificate or {})
    check_words(read_formal(claims(tmp_path)[f"mine.{name}"]["formal"]), VOCABULARY, "formal")


def test_a_claim_yields_its_theorem(tmp_path: Path) -> None:
    assert [dtmodel.theorem(statement.id) for statement in statements()] == [*statements()]
    made = derive(family("static"))
    made.to_claim("mine.static", tmp_path)
    again = dtmodel.theorem("mine.static", [tmp_path])
    assert isinstance(again, Theorem)
    assert again.text() == made.text()
    for claim, accepted in (("edt.fig2", "a statement in dtmodel.theory"), ("edt.nothing", "the id of a claim")):
        with pytest.raises(InputError, match=accepted):
            dtmodel.theorem(claim)


def test_a_symbol_that_is_a_word_of_statements_gets_another_name_in_the_statement(tmp_path: Path) -> None:
    derive(family("words")).to_claim("mine.words", tmp_path)
    formal = read_formal(claims(tmp_path)["mine.words"]["formal"])
    assert [variable.name for variable in formal.variables] == ["alpha", "drop_s", "C", "R", "free_s", "count_s"]
    assert renamed(["free", "free_s", "alpha"]) == {"free": "free_s_s", "free_s": "free_s", "alpha": "alpha"}


@pytest.mark.parametrize("name", ["free", "time", "length", "drop"])
def test_the_name_of_a_symbol_changes_nothing_in_a_theorem(name: str) -> None:
    document = json.dumps(family("words")).replace('"free"', '"d"')
    assert str(derive(json.loads(document.replace('"d"', f'"{name}"' if name != "drop" else '"e"')))) == str(
        derive(json.loads(document))).replace("d*", f"{name if name != 'drop' else 'e'}*")  # fmt: skip


def test_claims_are_added_to_those_of_a_folder(tmp_path: Path) -> None:
    dtmodel.companion.new_claims(tmp_path)
    for name in ("complete", "static"):
        derive(family(name)).to_claim(f"mine.{name}", tmp_path)
    assert list(claims(tmp_path)) == ["mine.first", "mine.second", "mine.complete", "mine.static"]
    report = dtmodel.verify("mine", folders=[tmp_path])
    assert report["as_recorded"]
    assert [claim["executable"] for claim in report["claims"] if claim["kind"] == "theorem"] == ["yes", "yes"]


def altered(text: str) -> str:
    """Return a certificate whose first cell lacks a condition."""
    document = json.loads(text)
    document["cells"][0]["conditions"] = document["cells"][0]["conditions"][1:]
    return json.dumps(document)


CLAIM, KEPT = "claims.toml", "mine.static.family.json"
CHANGES: dict[str, tuple[str, Callable[[str], str], str]] = {
    "certificate": ("mine.static.certificate.json", altered, "is not the one of its family and formulas"),
    "formula": (CLAIM, lambda text: text.replace("first_drop_1 = ", "first_drop_1 = 2*"), "fails in the exact engine"),
    "conclusion": (CLAIM, lambda text: text.replace("== first_drop)", "== 2*first_drop)"), "fails in the exact engine"),
    "family": (KEPT, lambda text: text.replace("> 0, <= B", "> 0, <= B/2"), "does not suppose S <= B/2"),
    "cases": (KEPT, lambda text: text.replace("c1_1 > 0", "c1_1 >= 0"), "is not the one"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_claim_fails_when_a_part_of_it_is_changed(change: str, tmp_path: Path) -> None:
    derive(family("static")).to_claim("mine.static", tmp_path)
    name, alter, fault = CHANGES[change]
    before = (tmp_path / name).read_text(encoding="utf-8")
    (tmp_path / name).write_text(alter(before), encoding="utf-8")
    assert alter(before) != before
    with pytest.raises(AssertionError, match=fault):
        evidence(tmp_path, "mine.static")


def test_the_checker_that_stands_alone_refuses_a_certificate_though_the_package_would_not_compare_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    derive(family("static")).to_claim("mine.static", tmp_path)
    path = tmp_path / "mine.static.certificate.json"
    wrong = altered(path.read_text(encoding="utf-8"))
    path.write_text(wrong, encoding="utf-8")
    monkeypatch.setattr(dtmodel.derive.DerivedTheorem, "certificate", lambda *_, **__: json.loads(wrong))
    with pytest.raises(AssertionError, match="the certificate is refused"):
        evidence(tmp_path, "mine.static")


def test_what_cannot_be_a_claim_is_refused_by_name_and_leaves_no_file(tmp_path: Path) -> None:
    theorem = derive(family("static"))
    for claim in ("Mine.static", "mine", "mine..x", "../mine.x", 3, 'mine.x"'):
        with refused("id"):
            theorem.to_claim(claim, tmp_path)  # type: ignore[arg-type]  # what somebody may try
    with refused("theorem"):
        derive(family("pools"), Limits(paths=1)).to_claim("mine.x", tmp_path)
    with refused("ask"):
        derive(family("static") | {"ask": [{"recovered": True}]}).to_claim("mine.x", tmp_path)
    assert list(tmp_path.iterdir()) == []
    theorem.to_claim("mine.static", tmp_path)
    with refused("id"):
        theorem.to_claim("mine.static", tmp_path)


def test_the_command_writes_the_claim_and_verify_accepts_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, folder = tmp_path / "family.json", tmp_path / "claims"
    file.write_text(json.dumps(family("static")), encoding="utf-8")
    assert run(["derive", str(file), "--json", "--claim", str(folder), "--id", "mine.static"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["complete"]
    assert re.findall(r"[\w.]+\.(?:toml|py|json)", said.err) == [
        "claims.toml", "evidence.py", "mine.static.family.json", "mine.static.certificate.json"]  # fmt: skip
    more = ["--collection", str(folder), "--only-collection", "--output", str(tmp_path / "r")]
    assert run(["verify", *more, "--certificates", str(tmp_path / "c")]) == 0
    assert [path.suffix for path in (tmp_path / "c").iterdir()] == [".json"]
    capsys.readouterr()
    for arguments in (
        ["--claim", str(folder)],
        ["--id", "mine.static"],
        ["--claim", str(folder), "--id", "mine.static"],
    ):
        assert run(["derive", str(file), *arguments]) == 2
    said = capsys.readouterr()
    assert [line.partition(":")[0] for line in said.err.splitlines()] == ["error"] * 3


def test_a_theorem_that_the_solvers_do_not_decide_is_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def undecided(*_: object) -> None:
        raise AssertionError("that the cases of the claim cover the domain is unknown")

    monkeypatch.setattr("dtmodel.companion.claiming.proved", undecided)
    with pytest.raises(InputError, match=r"an unproved one \(that the cases .* is unknown\).*that z3 and cvc5 decide"):
        derive(family("static")).to_claim("mine.unknown", tmp_path)
    assert list(tmp_path.iterdir()) == []
