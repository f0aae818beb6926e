"""The lab beside its panels: exercises, errata, and how runs, sheets, scenarios and claims are shown."""

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from refusals import refused

from dtmodel import DT, Arrivals, InputError, Switch, lab, sheet, simulate
from dtmodel.cli import run as run_command
from dtmodel.cli.lab import command
from dtmodel.fluid.scenario import Scenario
from dtmodel.ledger.claim import Claim
from dtmodel.ledger.verdict import Judgement
from dtmodel.theory.sheet import Check, Sheet, SheetRow

ROOT = Path(__file__).parents[1]


def bare(shown: Any) -> str:
    """What stands in the block of a display, without its style, formulas as one word."""
    block = re.fullmatch(r'<div class="dtmodel"><style>.*?</style>(.*)</div>', shown._repr_html_(), re.DOTALL)
    assert block
    return re.sub(r"<math.*?</math>", "MATH", block[1])


def test_lab_opens_the_notebook_to_start_with(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    called: list[list[str]] = []
    monkeypatch.setattr("dtmodel.cli.lab.need", lambda *_: None)
    monkeypatch.setattr("dtmodel.cli.lab.subprocess.call", lambda command: called.append(command) or 0)
    for user, root in ((0, ["--allow-root"]), (1000, [])):
        monkeypatch.setattr("dtmodel.cli.lab.os.geteuid", lambda user=user: user, raising=False)
        assert run_command(["lab", "--to", str(tmp_path), "--", "--no-browser"]) == 0
        assert called[-1][1:] == ["-m", "jupyterlab", str(tmp_path / "00_start_here.ipynb"), *root, "--no-browser"]
    assert (tmp_path / "00_start_here.ipynb").is_file()


def test_make_lab_passes_flags_on_and_its_copies_are_ignored_by_git() -> None:
    rule = (ROOT / "Makefile").read_text(encoding="utf-8").partition("\nlab: ")[2].partition("\n\n")[0]
    assert rule.endswith("$(BIN)/dtmodel lab -- $(FLAGS)")
    (folder,) = (option.default for option in command.params if option.name == "folder")
    assert f"{folder}/" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()


def test_an_answer_of_an_exercise_is_read_with_its_unit_and_what_is_none_is_refused() -> None:
    right = {1: Fraction(1, 500), 2: Fraction(250_000_000), 3: 3}
    assert lab.check_answers({1: "2 ms", 2: "2 Gbps", 3: "3"}, right) == "1: right\n2: right\n3: right"
    assert lab.check_answers({1: "2 us", 2: None}, right) == "1: not yet\n2: your turn"
    with pytest.raises(InputError, match="exercise"):
        lab.check_answers({4: 1}, right)
    with pytest.raises(InputError, match="answer"):
        lab.check_answers({1: "soon"}, right)


def test_exercises_are_asked_in_words_and_their_solutions_are_folded() -> None:
    course = lab.exercises("07")
    assert "$" not in str(course)
    assert course._repr_html_().count("<details><summary>Solution</summary>") == 3
    for wrong, field in (({4: 1}, "exercise"), ({1: "soon"}, "answer")):
        with refused(field):
            course.check(wrong)
    with pytest.raises(InputError, match="notebook"):
        lab.exercises("99")


def test_errata_say_what_is_true_and_draw_what_happens() -> None:
    edt = lab.errata("edt")
    assert {claim.verdict for claim in edt.claims.values()} == {"refuted", "misprint", "inconsistent"}
    assert "edt.thm1" not in edt.claims
    (figure,) = edt.draw("edt.fn9")
    assert figure.axes[0].get_xlabel() == "time (s)"
    assert edt.draw("edt.sec4.1.timeout-underloaded") == []
    assert all(edt.right(name) for name in edt.claims)
    assert str(edt).count("\n") == len(edt.claims) - 1
    page = edt._repr_html_()
    assert page.count("<strong>instead:</strong>") == page.count("<em>") == len(edt.claims)
    assert "<code>edt.fn9</code>" in page
    for call, field in ((lambda: lab.errata("pie"), "paper"), (lambda: edt.draw("edt.thm1"), "claim")):
        with refused(field):
            call()


def test_a_run_is_shown_as_a_table_and_not_as_fractions() -> None:
    burst = {0: Arrivals.burst("2 Gbps", "6 ms"), 1: Arrivals.burst("1 Gbps", "6 ms")}
    run = simulate(Switch(4, "1 MB", "1 Gbps"), DT(1), burst, until="9 ms")
    assert repr(run) == (
        "**4 ports of 1 Gbps sharing 1 MB; DT, until 9 ms**\n\n"
        "|  | first drop | free then | lost | sent |\n"
        "|---|---|---|---|---|\n"
        "| port 0 | 4 ms | 500 KB | 250 KB | 1.125 MB |\n"
        "| port 1 | none |  | 0 B | 750 KB |"
    )
    row = "<tr><td>port 0</td><td>4 ms</td><td>500 KB</td><td>250 KB</td><td>1.125 MB</td></tr>"
    assert re.sub(r"(?<=\d) ", "\N{NO-BREAK SPACE}", row) in run._repr_html_()
    assert run._repr_latex_() == (
        "$$\\begin{array}{lllll}\n\\textbf{4 ports of 1 Gbps sharing 1 MB; DT, until 9 ms} \\\\\n"
        "\\text{} & \\text{first drop} & \\text{free then} & \\text{lost} & \\text{sent} \\\\\n"
        "\\text{port 0} & \\text{4 ms} & \\text{500 KB} & \\text{250 KB} & \\text{1.125 MB} \\\\\n"
        "\\text{port 1} & \\text{none} & \\text{} & \\text{0 B} & \\text{750 KB}\n\\end{array}$$"
    )
    many = simulate(Switch(64, "1 MB", "1 Gbps"), DT(1), dict.fromkeys(range(64), burst[0]), until=1)
    assert repr(many).count("| port ") == 40
    assert "the first 40 of 64" in repr(many)


def test_a_sheet_is_shown_with_its_formulas_and_the_numbers_put_in() -> None:
    made = sheet("edt", Switch(4, "1 MB", "1 Gbps"))
    page = bare(made)
    assert page.startswith("<p><strong>EDT: 4 ports of 1 Gbps sharing 1 MB, alpha = 1; bursts of R = 2 Gbps (")
    assert (
        '<tr><th colspan="3">settings</th></tr><tr><td><code>cn2</code></td><td>111.111 KB (1000000/9 B)</td>'
        '<td><div class="dtmodel-meaning">Setting of C2: a port whose queue grew by '
        'this much without a loss is overloaded.</div><div class="dtmodel-formula">MATH<br/>MATH</div>'
        '<div class="dtmodel-source">DT/EDT paper, equation (73)</div></td></tr>'
    ) in page
    assert re.findall(r'colspan="3">([^<]*)', page) == ["settings", "guarantees", "inverse questions"]
    assert page.count("<tr>") == len(made.parameters) + 1 + 3
    assert all(f"<li>warning: {warning}</li>" in made._repr_html_() for warning in made.warnings if "$" not in warning)
    assert "Fraction" not in page


def test_a_sheet_is_written_as_text_as_latex_and_as_html() -> None:
    row = SheetRow("c_1", "c", Fraction(1, 3), "bytes", r"\frac{B}{3}", "equation $1$", "$B > 0$", meaning="A $third$.")
    made = Sheet(
        "T", (row, SheetRow("n", "", 2, "packets", "", "")), ("50 % of $B$",), (Check("sum", "PASS", "Fits."),)
    )
    assert repr(made) == (
        "**T**\n\n|  | value | meaning | formula | source |\n|---|---|---|---|---|\n"
        "| c_1 | 0.333333 B (1/3 B) | A third. | c = B/3 | equation 1 |\n| n | 2 packets |  |  |  |\n\n"
        "- if: B > 0\n- warning: 50 % of B\n- PASS sum: Fits."
    )
    assert made._repr_latex_() == (
        "$$\\begin{array}{l}\n\\textbf{T} \\\\\n\\begin{array}{lll}\n"
        "\\text{c\\_1} & \\text{0.333333 B (1/3 B)} & c = \\frac{B}{3} \\\\\n"
        "\\text{n} & \\text{2 packets} & \n\\end{array} \\\\\n"
        "\\text{if: }B > 0 \\\\\n\\text{warning: 50 \\% of }B \\\\\n\\text{PASS sum: Fits.}\n\\end{array}$$"
    )

    assert bare(made) == (
        "<p><strong>T</strong></p><table><thead><tr><td></td><th>value</th><th>meaning, formula and source</th></tr>"
        "</thead><tbody><tr><td><code>c_1</code></td><td>0.333333 B (1/3 B)</td>"
        '<td><div class="dtmodel-meaning">A MATH.</div><div class="dtmodel-formula">MATH</div>'
        '<div class="dtmodel-source">equation MATH</div></td></tr>'
        "<tr><td><code>n</code></td><td>2 packets</td><td></td></tr>"
        "</tbody></table><ul><li>if: MATH</li><li>warning: 50 % of MATH</li><li>PASS sum: Fits.</li></ul>"
    )


def test_a_scenario_is_shown_with_units_and_few_rates() -> None:
    document = {
        "switch": {"ports": 4, "buffer": "1 MB", "rate": "1 Gbps"}, "policy": {"name": "dt", "alpha": "1/3"},
        "until": "9 ms",
        "queues": [
            {"arrivals": [[f"{k} ms", f"{k + 1} Gbps"] for k in range(6)]},
            {"count": 2, "arrivals": [["0", "2 Gbps"]], "initial": "steady", "rate": "500 Mbps"}, {},
        ],
    }  # fmt: skip
    made = Scenario.read(document)
    rates = "1 Gbps from 0 s; 2 Gbps from 1 ms; 3 Gbps from 2 ms; 4 Gbps from 3 ms; 2 more"
    assert bare(made).replace("\N{NO-BREAK SPACE}", " ") == (
        "<table><caption>4 ports of 1 Gbps sharing 1 MB; DT, until 9 ms</caption><thead><tr><th></th><th>arrivals</th>"
        f"<th>length at 0</th><th>rate</th></tr></thead><tbody><tr><td>port 0</td><td>{rates}</td><td>0 B</td>"
        "<td>1 Gbps</td></tr><tr><td>ports 1 to 2</td><td>2 Gbps from 0 s</td><td>on its threshold</td>"
        "<td>500 Mbps</td></tr><tr><td>port 3</td><td>nothing</td><td>0 B</td><td>1 Gbps</td></tr></tbody></table>"
    )
    assert made._repr_latex_() == (
        "$$\\begin{array}{llll}\n\\textbf{4 ports of 1 Gbps sharing 1 MB; DT, until 9 ms} \\\\\n"
        "\\text{} & \\text{arrivals} & \\text{length at 0} & \\text{rate} \\\\\n"
        f"\\text{{port 0}} & \\text{{{rates}}} & \\text{{0 B}} & \\text{{1 Gbps}} \\\\\n"
        "\\text{ports 1 to 2} & \\text{2 Gbps from 0 s} & \\text{on its threshold} & \\text{500 Mbps} \\\\\n"
        "\\text{port 3} & \\text{nothing} & \\text{0 B} & \\text{1 Gbps}\n\\end{array}$$"
    )
    assert repr(made) == (
        "**4 ports of 1 Gbps sharing 1 MB; DT, until 9 ms**\n\n"
        "|  | arrivals | length at 0 | rate |\n|---|---|---|---|\n"
        f"| port 0 | {rates} | 0 B | 1 Gbps |\n| ports 1 to 2 | 2 Gbps from 0 s | on its threshold | 500 Mbps |\n"
        "| port 3 | nothing | 0 B | 1 Gbps |"
    )
    many = Scenario.read(document | {"switch": document["switch"] | {"ports": 64}, "queues": [{}] * 50})
    assert "the first 40 of 50 rows" in many._repr_html_()
    assert many._repr_html_().count("<tr><td>port") == 40


def test_a_claim_and_its_judgement_are_shown_in_words_with_their_verdict() -> None:
    said = Claim("edt.eq1_x", "equation <1>", "equation", "at 50 % of $B$", "misprint", repair="$B$ & more")
    badge = '<span style="border: 1px solid; border-radius: 8px; padding: 0 6px; font-size: 85%">misprint</span>'
    assert bare(said) == (
        f"<p><strong><code>edt.eq1_x</code></strong> {badge}<br/><em>equation &lt;1&gt;</em></p>"
        "<p>at 50 % of MATH</p><p><strong>repair:</strong> MATH &amp; more</p>"
    )
    assert said._repr_latex_() == (
        "$$\\begin{array}{l}\n\\textbf{edt.eq1\\_x: misprint} \\\\\n\\text{at 50 \\% of }B \\\\\n"
        "\\quad \\text{repair: }B\\text{ \\& more}\n\\end{array}$$"
    )
    assert str(said) == "edt.eq1_x: misprint\nequation <1>\nat 50 % of B\nrepair: B & more"
    judged = Judgement("misprint", "smt", ("one", "two"), fallback="kernel")
    assert str(judged) == "misprint (smt)\nrests on: one; two\nstronger, but not run: kernel"
    assert bare(judged) == (
        f"<p>{badge} smt</p><p><strong>rests on:</strong> one; two</p>"
        "<p><strong>stronger, but not run:</strong> kernel</p>"
    )
    assert judged._repr_latex_() == (
        "$$\\begin{array}{l}\n\\textbf{misprint (smt)} \\\\\n\\quad \\text{rests on: one; two} \\\\\n"
        "\\quad \\text{stronger, but not run: kernel}\n\\end{array}$$"
    )
    assert bare(Judgement("not run")) == f"<p>{badge.replace('misprint', 'not run')}</p>"


def test_words_are_chosen_from_a_menu_and_few_numbers_by_a_slider() -> None:
    ipywidgets = pytest.importorskip("ipywidgets", reason="ipywidgets is not installed")
    values = {"claim": ("edt.fn9", "edt.thm1"), "alpha": ("1/2", "1"), "N": tuple(range(21))}
    shown = lab.sliders(lambda **_: lab.curves({"": ([0, 1], [0, 1])}, "x", "y"), values)
    kinds = [type(each) for each in shown.children[0].children]
    assert kinds == [ipywidgets.Dropdown, ipywidgets.SelectionSlider, ipywidgets.Dropdown]
