"""What a statement says in vain: parts that can be altered unnoticed are named, and only these."""

import json
from fractions import Fraction

import pytest

from dtmodel.cli import run
from dtmodel.companion.words import VOCABULARY
from dtmodel.ledger.adversary import draws
from dtmodel.ledger.formal import Instance, read_formal
from dtmodel.ledger.hunting import Alterations, Target
from dtmodel.ledger.hunting_table import Table
from dtmodel.ledger.parts import parts, unnoticed

TRUE_OF_ANYTHING = "for x >= 0; y >= 0; then x == 0 or (x + y > x) == (y > 0)"


def names(found):
    return [str(part) for part in found]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("for x > 0; then 2*x == x + x", []),
        ("for x > 0; then x > -1", ["then 1: 1"]),  # any number that is not positive would do
        (TRUE_OF_ANYTHING, ["then 1: x == 0 or (x + y > x) == (y > 0), without x == 0", "then 1: x == 0", "then 1: 0"]),
        ("for x > 0; let y = 3*x if x > 0 else 7; then y == 3*x", ["y: 3 * x if x > 0 else 7, the second"]),
        ("for x > 0; let y = 3*x; z = y + x; then z == 4*x", []),
        ("for x > 0; let y = 5*x; then y > 0", ["y: 5 * x"]),
        ("for x > 0; then x/1 > 0", ["then 1: x / 1", "then 1: 1"]),  # x/0 is no number that is noticed
        ("for k : int 1..4; seq t[i] = 0 if i == 0 else t[i - 1] + 2; then t[k] == 2*k", []),
        (
            "for x > 0; then x < 0 or 1/x > 0",
            ["then 1: x < 0 or 1 / x > 0, without x < 0", "then 1: x < 0", "then 1: 0", "then 1: 1 / x"],
        ),
    ],
)
def test_what_nothing_notices_is_named(text, left):
    assert names(unnoticed(read_formal(text), {}, cases=300)) == left


def test_an_alternative_that_keeps_a_value_from_being_asked_is_noticed():
    guarded = read_formal("for x >= 0; then x == 0 or x/x == 1")
    assert "then 1: x == 0 or x / x == 1, without x == 0" not in names(unnoticed(guarded, {}, cases=300))


def test_what_hypotheses_use_is_no_part_of_the_conclusion():
    formal = read_formal("for x > 0; y > 0; let s = x + y; d = x - y; where s > 2; then d < s")
    assert {part.place for part in parts(formal)} == {"then 1", "d"}


def test_what_only_bounds_the_run_is_left_alone():
    formal = read_formal("for x > 0; run r = go(x + 1, until = x + 2); then r > x")
    (run_part,) = [part for part in parts(formal) if part.place == "r"]
    assert {each.values["r"].text for each in run_part.altered} == {
        f"go({new}, until=x + 2)" for new in ("x - 1", "x", "1", "x + 2", "x + 0")
    }


def test_an_altered_statement_keeps_what_both_define_alike():
    asked = []

    def go(x):
        asked.append(x)
        return x

    formal = read_formal("for x > 0; run r = go(x); let y = r + x; then y > r")
    (assignment,) = [one for one, *_ in draws(formal, {"go": go}, None, 1, 0)]
    base = Instance(formal, assignment, {"go": go})
    assert base.concluded().holds
    asked.clear()
    concluded, defined = (next(part for part in parts(formal) if part.place == place) for place in ("then 1", "y"))
    assert base.altered(concluded.altered[0]).concluded().holds is False
    assert [base.altered(each)["y"] for each in defined.altered] == [0, base["x"], base["x"]]
    assert asked == []


def test_starts_are_where_draws_begin():
    formal = read_formal("for x : int 0..10**9; y : int 0..10**9; then x >= 0")
    start = {"x": 123456789, "y": 987654321}
    drawn = [one for one, *_ in draws(formal, {}, None, 200, 0, [start])]
    assert sum(start["x"] == one["x"] or start["y"] == one["y"] for one in drawn) > 20


@pytest.mark.exhaustive
def test_the_command_names_them_and_keeps_a_table(capsys, tmp_path):
    assert run(["hunt", "edt.eq2", "--parts", "--cases", "40", "--table", str(tmp_path), "--json"]) == 0
    document = json.loads(capsys.readouterr().out.splitlines()[0])
    assert (document["claim"], document["parts"] > len(document["unnoticed"])) == ("edt.eq2", True)
    kept = Table.read(tmp_path, "parts")
    assert kept.rows["edt.eq2", "printed"]["parts"] == document["parts"]
    assert run(["hunt", "edt.eq2", "--parts", "--changed", "--cases", "40", "--table", str(tmp_path)]) == 0
    assert "forms: 0" in capsys.readouterr().out
    assert (tmp_path / "parts.md").read_text().startswith("# What the statements say in vain")


def test_a_definition_that_another_form_notices_is_not_listed(tmp_path):
    shared = "for x > 0; let y = 5*x; then y {}"
    target = [Target(f"own.{number}", "printed", read_formal(shared.format(end)), recorded=True)
              for number, end in enumerate(("> 0", "== 5*x"))]  # fmt: skip
    found = [Alterations(one, 1, tuple(unnoticed(one.formal, {}, cases=100))) for one in target]
    assert "y: 5 * x" in names(found[0].unnoticed)
    assert "y: 5 * x" not in names(found[1].unnoticed)
    table = Table(tmp_path, "parts").add(found, {"seed": 0}).shared(target)
    assert table.rows["own.0", "printed"]["unnoticed"] == []


def test_a_rate_that_is_given_from_later_on_has_no_value_before():
    formal = read_formal("for d > 0; let t = exceeds([[d, 2]], 1, 1, 0, 0); then t >= 0")
    assert Instance(formal, {"d": Fraction(1)}, VOCABULARY).truth().undefined
    formal = read_formal("for d > 0; let t = exceeds([[0, 2]], 1, 1, 0, d); then t == d")
    assert Instance(formal, {"d": Fraction(1)}, VOCABULARY).truth().holds
