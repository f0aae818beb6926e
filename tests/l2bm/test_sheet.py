"""The parameter sheet of L2BM, and the commands of its sheet and of DT's."""

import json
from fractions import Fraction

import pytest
import sympy
from click.testing import CliRunner

from dtmodel.base.errors import InputError
from dtmodel.cli.params_dt import command as dt_command
from dtmodel.cli.params_l2bm import command as l2bm_command
from dtmodel.theory.l2bm import sheet as l2bm_sheet
from dtmodel.theory.l2bm.sheet import parameters

F = Fraction


def test_the_l2bm_sheet_for_one_slow_queue() -> None:
    sheet = l2bm_sheet.parameters(buffer=34, sojourns=[1, 1, 1, 9], alpha="1/8")
    assert [sheet[f"threshold_{i}"] for i in (1, 4)] == [9, 1]
    assert sheet["threshold_dt"] == Fraction(34, 12)
    assert sheet["threshold_dt_same_weight"] == 7
    assert (sheet["occupancy_l2bm"], sheet["reserve_l2bm"]) == (28, 6)
    assert sheet["occupancy_dt_same_weight"] == 28
    assert sheet["queues_below_dt"] == "4"
    assert any("holds" in warning for warning in sheet.warnings)


@pytest.mark.parametrize(
    ("how", "total"), [("harmonic", Fraction(1, 2)), ("least", Fraction(7, 18)), ("3", Fraction(7, 6))]
)
def test_other_normalisations(how: str, total: Fraction) -> None:
    assert l2bm_sheet.parameters(buffer=34, sojourns=[1, 1, 1, 9], normalisation=how)["total_weight"] == total


def test_weights_can_be_given_instead_of_sojourn_times() -> None:
    direct = l2bm_sheet.parameters(buffer=34, weights=["3/2", "3/2", "3/2", "1/6"])
    derived = l2bm_sheet.parameters(buffer=34, sojourns=[1, 1, 1, 9])
    assert all(direct[row.name] == row.value for row in derived.parameters if row.name != "normaliser")
    formulas = {row.name: row.formula for row in direct.parameters}
    assert (formulas["weight_1"], formulas["queues_below_dt"]) == (
        "",
        r"w_i \left(1 + \alpha n\right) < \alpha \left(1 + W\right)",
    )
    with pytest.raises(InputError, match="normalisation: got 'least'"):
        l2bm_sheet.parameters(buffer=34, weights=[1], normalisation="least")
    answer = CliRunner().invoke(l2bm_command, ["--buffer", "34", "--weight", "1,2", "--json"])
    assert json.loads(answer.output)["parameters"]["total_weight"]["value"] == "3"


def test_warnings_name_what_the_weights_cannot_sense() -> None:
    one = l2bm_sheet.parameters(buffer=34, sojourns=[5]).warnings
    equal = l2bm_sheet.parameters(buffer=34, sojourns=[5, 5]).warnings
    assert any("one active queue" in warning for warning in one)
    assert any("equal sojourn times" in warning for warning in equal)
    below = l2bm_sheet.parameters(buffer=34, sojourns=[1, 9], normalisation="least").warnings
    assert any("below DT's at the same occupancy" in warning for warning in below)


def test_the_commands_print_json_and_tables() -> None:
    runner = CliRunner()
    answer = runner.invoke(l2bm_command, ["--buffer", "34", "--sojourn", "1,1,1", "--sojourn", "9", "--json"])
    assert json.loads(answer.output)["parameters"]["threshold_4"]["value"] == "1"
    answer = runner.invoke(dt_command, ["--ports", "4", "--buffer", "6", "--rate", "1", "--burst-rate", "3", "--json"])
    assert json.loads(answer.output)["parameters"]["first_drop"]["value"] == "3/2"
    assert (
        "first_drop"
        in runner.invoke(dt_command, ["--ports", "4", "--buffer", "6", "--rate", "1", "--burst-rate", "3"]).output
    )


def steady(part: str, total: str) -> str:
    """Write B part / (1 + total), as every length in steady state is: equations (8) and (9)."""
    B, one, share, W = sympy.Symbol("B"), sympy.Integer(1), sympy.Symbol("w"), sympy.Symbol("W")
    share = one if part == "1" else W if part == total else share
    return sympy.latex(B * share / (1 + W), symbol_names={W: total, sympy.Symbol("w"): part})


def test_the_sheet_shows_the_formula_of_each_row():
    sheet = parameters(buffer="4 MB", sojourns=["1 us", "3 us"])
    formulas = {row.name: row.formula for row in sheet.parameters}
    assert formulas["occupancy_l2bm"] == steady("W", "W")
    assert formulas["reserve_l2bm"] == steady("1", "W")
    assert formulas["occupancy_dt"] == steady(r"\alpha n", r"\alpha n")
    assert formulas["threshold_2"] == steady("w_2", "W")


def warned(words, **keywords):
    return any(words in warning for warning in parameters(buffer="4 MB", **keywords).warnings)


def test_each_warning_has_its_border():
    equal = "equal sojourn times"
    assert warned(equal, sojourns=["2 us", "2 us"])
    assert not warned(equal, sojourns=["2 us", "3 us"])
    assert not warned(equal, sojourns=["2 us", "2 us"], normalisation="harmonic")
    above = "exceeds the buffer of an empty switch"
    assert not warned(above, weights=["1/2", 1], alpha="1/2")
    assert warned(above, weights=["1/2", "9/8"], alpha="1/2")
    below = "below DT's at the same occupancy"
    assert not warned(below, weights=["1/2", 1], alpha="1/2")
    assert warned(below, weights=["1/4", 1], alpha="1/2")


EQ4, EQ8, EQ9 = (f"L2BM paper, equation ({number})" for number in (4, 8, 9))

SAME, EVERY = "DT with the same alpha", "every active queue lies on its threshold, with constant sojourn times"

FILLED, LEFT = steady("W", "W"), steady("1", "W")


def rows(sheet):
    return [(p.name, p.symbol, p.value, p.unit, p.formula, p.source, p.assumption) for p in sheet.parameters]


def test_the_whole_sheet_of_l2bm_for_a_fast_and_a_slow_queue():
    """B = 114, alpha = 1/8, tau = 1 and 4: C = 5, w = 5/8 and 5/32, W = 25/32; DT: 2/8; DT with W / 2: 25/64 each."""
    sheet = l2bm_sheet.parameters(buffer=114, sojourns=[1, 4], alpha="1/8")
    assert sheet.title == "L2BM beside DT, in steady state"
    assert rows(sheet) == [
        ("normaliser", "C", 5, "seconds", r"\sum_j \tau_j", "L2BM paper, Section III-C", ""),
        ("total_weight", "W", F(25, 32), "", r"\sum_i w_i, \ w_i = \frac{\alpha C}{\tau_i}", EQ4, ""),
        ("occupancy_l2bm", "Q", 50, "bytes", FILLED, EQ8, EVERY),
        ("reserve_l2bm", "B - Q", 64, "bytes", LEFT, EQ8, ""),
        ("occupancy_dt", "Q", F(114, 5), "bytes", steady(r"\alpha n", r"\alpha n"), SAME, EVERY),
        ("reserve_dt", "B - Q", F(456, 5), "bytes", steady("1", r"\alpha n"), SAME, ""),
        ("occupancy_dt_same_weight", "Q", 50, "bytes", FILLED, "DT with alpha = W/2, the same total weight", EVERY),
        ("reserve_dt_same_weight", "B - Q", 64, "bytes", LEFT, "DT with alpha = W/2, the same total weight", ""),
        (
            "reduction",
            "1 - Q / Q_{DT}",
            1 - F(250, 114),
            "",
            "",
            "l2bm.ours.more-than-dt",
            "negative: L2BM holds more than DT with the same alpha",
        ),
        (
            "queues_below_dt",
            r"\{i : T_i < T_{DT}\}",
            "2",
            "",
            r"C \left(1 + \alpha n\right) < \tau_i \left(1 + \alpha C H\right)",
            "l2bm.ours.below-dt-steady",
            "",
        ),
        (
            "threshold_dt",
            "T_{DT}",
            F(57, 5),
            "bytes",
            steady(r"\alpha", r"\alpha n"),
            "DT with the same alpha, every queue",
            "",
        ),
        ("threshold_dt_same_weight", "T_{DT}", 25, "bytes", steady("W/n", "W"), "DT with alpha = W/n, every queue", ""),
        ("weight_1", "w_1", F(5, 8), "", r"\frac{\alpha C}{\tau_1}", EQ4, ""),
        ("threshold_1", "T_1", 40, "bytes", steady("w_1", "W"), EQ9, ""),
        ("weight_2", "w_2", F(5, 32), "", r"\frac{\alpha C}{\tau_2}", EQ4, ""),
        ("threshold_2", "T_2", 10, "bytes", steady("w_2", "W"), EQ9, ""),
    ]


@pytest.mark.parametrize(
    ("how", "constant", "formula"),
    [
        ("sum", 6, r"\sum_j \tau_j"),
        ("mean", 3, r"\frac{\sum_j \tau_j}{n}"),
        ("harmonic", F(8, 3), r"\frac{n}{\sum_j 1/\tau_j}"),
        ("least", 2, r"\min_j \tau_j"),
        ("greatest", 4, r"\max_j \tau_j"),
        ("5 ms", F(1, 200), ""),
    ],
)
def test_the_normaliser_is_shown_with_its_formula(how, constant, formula):
    first = l2bm_sheet.parameters(buffer=10, sojourns=[2, 4], normalisation=how).parameters[0]
    assert (first.name, first.value, first.formula) == ("normaliser", constant, formula)


def test_no_queue_below_dt_is_said_in_a_word():
    assert l2bm_sheet.parameters(buffer=10, sojourns=[2, 2])["queues_below_dt"] == "none"
    assert l2bm_sheet.parameters(buffer=10, weights=["1/9", 3, "1/9"])["queues_below_dt"] == "1, 3"


def more(holds, leaves):
    return (
        f"L2BM holds {holds} more than DT with the same alpha and leaves {leaves} to a newcomer; "
        "the normalisation 'harmonic' keeps DT's total (l2bm.ours.harmonic)"
    )


ONE_QUEUE = "with one active queue the weight is alpha, at any sojourn time (l2bm.ours.one-queue)"

EQUAL = "equal sojourn times: every weight is alpha n, however congested the queues are (l2bm.ours.equal)"

NO_LIMIT = "a threshold exceeds the buffer of an empty switch: no limit then (l2bm.sec3c.upper-limit@within-buffer)"

BELOW = "some queue's threshold is below DT's at the same occupancy; the paper's C, the sum, excludes this"


@pytest.mark.parametrize(
    ("given", "warnings"),
    [
        ({"sojourns": [1, 1], "alpha": 1}, (more("8 B", "12 B"), EQUAL, NO_LIMIT)),  # 48 of 60 against 40
        ({"sojourns": [1, 1], "alpha": "1/2"}, (more("10 B", "20 B"), EQUAL)),  # w = 1 is not above the buffer
        ({"sojourns": [1, 1], "alpha": "1/2", "normalisation": "harmonic"}, ()),
        ({"sojourns": [1, 2], "alpha": "1/2", "normalisation": "least"}, (BELOW,)),
        ({"sojourns": [3], "alpha": "1/2"}, (ONE_QUEUE,)),
        ({"sojourns": [3], "alpha": "1/2", "normalisation": "mean"}, ()),
        ({"sojourns": [4], "alpha": "1/2", "normalisation": "8"}, (more("10 B", "30 B"),)),
        ({"weights": ["1/2", "1/2"], "alpha": "1/2"}, ()),
        ({"weights": [1], "alpha": 1}, ()),
    ],
)
def test_the_warnings_of_l2bm_say_what_is_so_and_nothing_else(given, warnings):
    assert l2bm_sheet.parameters(buffer=60, **given).warnings == warnings


@pytest.mark.parametrize(
    ("given", "field", "accepted"),
    [
        ({"buffer": "0"}, "buffer", "a size greater than 0"),
        ({"buffer": "x"}, "buffer", "a size greater than 0"),
        ({"sojourns": []}, "sojourns", ""),
        ({"sojourns": [1, 0]}, "sojourns[1]", "a time greater than 0"),
        ({"sojourns": ["-1"]}, "sojourns[0]", "a time greater than 0"),
        ({"alpha": 0}, "alpha", "a number greater than 0"),
        ({"weights": [1, 0], "sojourns": []}, "weights[1]", "a number greater than 0"),
        ({"normalisation": "best"}, "normalisation", "one of sum, mean, harmonic, least, greatest"),
        ({"normalisation": "0"}, "normalisation", "a time greater than 0"),
        ({"weights": ["x"], "sojourns": []}, "weights[0]", "a number greater than 0"),
        ({"alpha": "x"}, "alpha", "a number greater than 0"),
        ({"weights": [1]}, "weights", "either sojourn times or weights"),
    ],
)
def test_the_sheet_says_what_it_would_have_accepted(given, field, accepted):
    with pytest.raises(InputError) as caught:
        l2bm_sheet.parameters(**{"buffer": 60, "sojourns": [1], **given})
    assert caught.value.field == field
    assert caught.value.accepted.startswith(accepted)
