"""The stand-alone checker accepts what is right and refuses every spoilt certificate."""

import copy
import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import sympy as sp

from dtmodel.ledger.certificates import certificates
from dtmodel.ledger.provers import slack

R, C = sp.symbols("R C", real=True)
p, r = sp.Symbol("p", positive=True), sp.Symbol("r", nonnegative=True)
SLACK = slack.certificate(R / (1 + C) - 1 / (2 * C), {R: 1 + p + r, C: p + 1 / p}, strict=True).document()
VALUES: dict[str, Any] = {
    "kind": "values",
    "values": {"x": "3", "rates": ["1", "1/2"]},
    "hypotheses": ["x > 0", "sum(rates) == 1.5 and not rates[0] < rates[1]"],
    "statement": "x**2 < 3*x - -floor(1/2) + min(0, x) or x % 2 == 0",
}


@pytest.fixture(scope="module")
def checker() -> ModuleType:
    path = Path(__file__).parents[1] / "proofs" / "check_certificates.py"
    spec = importlib.util.spec_from_file_location("check_certificates", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def spoilt(document: dict[str, Any], path: list[Any], value: object) -> dict[str, Any]:
    """The certificate with one part replaced."""
    changed = copy.deepcopy(document)
    part = changed
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return changed


@pytest.mark.parametrize("document", [SLACK, VALUES])
def test_a_right_certificate_is_accepted(checker: ModuleType, document: dict[str, Any]) -> None:
    assert checker.check(json.loads(json.dumps(document))) == ""


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (["numerator", 0, 0], "7", "the expanded form is not the expression"),
        (["numerator", 0, 0], "-1", "the expanded form is not the expression"),
        (["denominator", 0, 0], "7", "the expanded form is not the expression"),
        (["substitutions", "R", "numerator", 0, 0], "5", "the expanded form is not the expression"),
        (["expression", "numerator", 0, 0], "5", "the expanded form is not the expression"),
        (["expression", "denominator"], [], "a denominator is zero"),
        (["slacks"], ["p"], "a symbol is not a slack"),
        (["positive"], [], "certainly positive"),
        (["numerator", 0, 1], {"p": -1}, "a negative exponent"),
        (["kind"], "sum", "kind 'sum' is unknown"),
        (["strict"], None, ""),
    ],
)
def test_a_spoilt_slack_certificate_is_refused(checker: ModuleType, path: list[Any], value: object, said: str) -> None:
    found = checker.check(spoilt(SLACK, path, value))
    assert said in found
    assert bool(found) == bool(said)


def test_a_negative_coefficient_is_refused(checker: ModuleType) -> None:
    x = [["1", {"p": 1}], ["-1", {"r": 1}]]
    one = [["1", {}]]
    document = {
        "kind": "slack", "expression": {"numerator": x, "denominator": one}, "substitutions": {},
        "slacks": ["p", "r"], "positive": ["p"], "numerator": x, "denominator": one, "strict": False,
    }  # fmt: skip
    assert "the numerator has a negative coefficient" in checker.check(document)


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (["values", "x"], "-3", "the hypothesis 'x > 0' is not true"),
        (["statement"], "x < 4", "the statement is not false"),
        (["statement"], "x", "the statement is not false"),
        (["statement"], "__import__('os')", "is not exact arithmetic"),
        (["statement"], "y < 1", "is not exact arithmetic"),
        (["statement"], "x ** (1/2) < 1", "an exponent is not whole"),
        (["statement"], "x / 0 < 1", "malformed: ZeroDivisionError"),
        (["statement"], "x <", "malformed: SyntaxError"),
        (["values"], None, "malformed: AttributeError"),
    ],
)
def test_a_spoilt_witness_is_refused(checker: ModuleType, path: list[Any], value: object, said: str) -> None:
    assert said in checker.check(spoilt(VALUES, path, value))


def test_the_checker_counts_and_names_the_files(
    checker: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.json").write_text(json.dumps(SLACK), encoding="utf-8")
    assert checker.main([str(tmp_path)]) == 0
    (tmp_path / "b.json").write_text(json.dumps(spoilt(VALUES, ["statement"], "1 < 2")), encoding="utf-8")
    (tmp_path / "c.json").write_text("{", encoding="utf-8")
    assert checker.main([str(tmp_path)]) == 1
    said = capsys.readouterr().out
    assert "b.json: REFUSED: the statement is not false" in said
    assert "c.json: REFUSED: cannot be read" in said
    assert "1 of 3 certificates are right" in said
    assert checker.main([]) == 2


def test_each_certificate_has_a_name_of_its_own_and_all_its_claims() -> None:
    parts = [{"kind": "slack"}, {"kind": "other"}, {"kind": "derived"}]
    item = {"file": "proofs/edt/burst.py", "function": "two", "outcome": {"certificate": {"parts": parts}}}
    report = {"claims": [{"id": name, "evidence": [item]} for name in ("a.b", "a.c")]}
    assert list(certificates(report, {})) == [
        ("edt-burst-two", {"claims": ["a.b", "a.c"], "kind": "slack"}),
        ("edt-burst-two-2", {"claims": ["a.b", "a.c"], "kind": "derived"}),
    ]
