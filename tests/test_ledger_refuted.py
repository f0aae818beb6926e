"""Numbers at which a claim is false are data in it; the ledger evaluates them, and believes none of them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from ledger_cases import FALSE, claim, evidence, root, verify

from dtmodel.base.caches import Store
from dtmodel.base.errors import InputError
from dtmodel.ledger import collect
from dtmodel.ledger.cache import Cache
from dtmodel.ledger.refuted_at import read_refuted_at
from dtmodel.ledger.replay import Negation
from dtmodel.ledger.report import claim_document
from dtmodel.ledger.runner import Options, run_claims

RIGHT: dict[str, Any] = {
    "name": "three_is_too_much", "shows": "Three.", "values": {"x": 3}, "given": ["x > 0"], "statement": "x < 2",
    "says": "x may be 3",
}  # fmt: skip


def written(**changes: object) -> str:
    """Write the key `refuted` of a claim."""
    tables = {key: str(value).replace("': ", "' = ") for key, value in (RIGHT | changes).items()}
    texts = ", ".join(f"{key} = {value if value[0] in '{[' else repr(value)}" for key, value in tables.items())
    return f"refuted = [{{ {texts} }}]\n"


def test_numbers_in_a_claim_refute_it(tmp_path: Path) -> None:
    text = claim(verdict="refuted") + written(values={"x": "5/2", "y": [1, "0.4"]}, also=["edt.eq2"])
    collection = collect([root(tmp_path, [text, claim("edt.eq2", "refuted")], [])])
    cache = Cache(Store(tmp_path / "cache"), {})
    done = run_claims(collection, replayers={}, options=Options(cache=cache))
    assert [item.judgement.verdict for item in done.results] == ["refuted", "refuted"]
    assert done.as_recorded
    assert cache.store.names("evidence") == set()
    (shown,) = claim_document(done.results[1], collection)["evidence"]
    assert {key: shown[key] for key in ("function", "file", "summary", "form", "strength", "replayed")} == {
        "function": "three_is_too_much", "file": "validation/edt/claims.toml", "summary": "Three.", "form": "printed",
        "strength": "exact", "replayed": {"hypotheses": [True], "statement": False},
    }  # fmt: skip
    assert shown["outcome"]["witness"]["data"]["values"] == {"x": "5/2", "y": ["1", "0.4"]}


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"values": {"x": 1}}, "the witness refutes nothing: its values satisfy the statement 'x < 2'"),
        ({"given": ["x > 3"]}, "the witness does not replay: its values violate the hypothesis 'x > 3'"),
        ({"statement": "x < z"}, "the witness does not replay: 'x < z' cannot be evaluated"),
        ({"statement": "x - 2"}, "the witness does not replay: statement 'x - 2' is not a relation"),
        ({"statement": "print(x) < 2"}, "the witness does not replay: 'print(x) < 2' cannot be evaluated"),
    ],
)
def test_numbers_that_do_not_refute_are_a_fault(tmp_path: Path, changes: Mapping[str, object], fault: str) -> None:
    done = verify(tmp_path, [claim(verdict="refuted") + written(**changes)], [])
    assert done.results[0].faults[0].startswith(f"three_is_too_much (validation/edt/claims.toml:1): {fault}")
    assert not done.as_recorded


def test_a_kernel_is_asked_for_the_negation_where_the_claim_says_so(tmp_path: Path) -> None:
    asked: list[Mapping[str, Any]] = []

    def negate(witnesses: Sequence[Mapping[str, Any]]) -> list[Negation]:
        asked.extend(witnesses)
        return [Negation("~ (3 < 2)") for _ in witnesses]

    collection = collect([root(tmp_path, [claim(verdict="refuted") + written(strength="kernel")], [])])
    result = run_claims(collection, replayers={}, options=Options(negate=negate)).results[0]
    assert (result.judgement.verdict, result.judgement.strength) == ("refuted", "kernel")
    assert asked == [{"values": {"x": "3"}, "hypotheses": ["x > 0"], "statement": "x < 2"}]


def test_two_pieces_of_evidence_of_one_name_are_a_problem(tmp_path: Path) -> None:
    twice = [claim(name, "refuted") + written() for name in ("edt.eq1", "edt.eq2")]
    (problem,) = verify(tmp_path, twice, []).problems
    assert "two pieces of evidence are called" in str(problem)
    assert "validation.edt.claims:three_is_too_much: rename one" in str(problem)
    assert not verify(tmp_path, twice[:1], [evidence(FALSE, strength="exact", name="three_is_too_much")]).problems


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("one", "refuted: got 'one'; expected a list of tables"),
        (["one"], "refuted[0]: got 'one'; expected an object"),
        (
            [RIGHT, RIGHT | {"colour": "red"}],
            "refuted[1].colour: got 'red'; expected one of the keys name, shows, values",
        ),
        ([{"name": "x"}], "refuted[0].shows: got None; expected a text"),
        ([RIGHT | {"name": ""}], "refuted[0].name: got ''; expected a text"),
        ([RIGHT | {"statement": 1}], "refuted[0].statement: got 1; expected a text"),
        ([RIGHT | {"says": 1}], "refuted[0].says: got 1; expected a text"),
        ([RIGHT | {"given": "x > 0"}], "refuted[0].given: got 'x > 0'; expected a list of texts"),
        ([RIGHT | {"also": [1]}], "refuted[0].also[0]: got 1; expected a text"),
        ([RIGHT | {"strength": "smt"}], "refuted[0].strength: got 'smt'; expected one of exact, kernel"),
        ([RIGHT | {"values": [3]}], "refuted[0].values: got [3]; expected an object"),
        ([RIGHT | {"values": {"x": 0.5}}], "refuted[0].values.x: got 0.5; expected an exact number such as '1/3'"),
        ([RIGHT | {"values": {"x": True}}], "refuted[0].values.x: got True; expected an exact number"),
        ([RIGHT | {"values": {"x": "1 + 2"}}], "refuted[0].values.x: got '1 + 2'; expected an exact number"),
        ([RIGHT | {"values": {"x": [1, "1/0"]}}], "refuted[0].values.x: got [1, '1/0']; expected an exact number"),
    ],
)
def test_a_table_of_another_shape_is_refused_by_name(wrong: object, said: str) -> None:
    with pytest.raises(InputError) as refused:
        read_refuted_at(wrong)
    assert str(refused.value).startswith(said)


def test_a_malformed_table_is_a_fault_of_its_file(tmp_path: Path) -> None:
    done = verify(tmp_path, [claim(verdict="refuted") + written(values={"x": "much"})], [])
    said = "validation/edt/claims.toml:1, claim edt.eq1: refuted[0].values.x: got 'much'; expected an exact number"
    assert str(done.problems[0]).startswith(said)
