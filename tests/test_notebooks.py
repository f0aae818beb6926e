"""Every notebook runs from a fresh kernel, shows and prints what it should, and is stored without outputs."""

import re
from fractions import Fraction
from functools import cache
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from dtmodel import lab

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
EACH = [pytest.param(path.stem, marks=pytest.mark.xdist_group(path.stem)) for path in NOTEBOOKS]
"""One process runs all tests of a notebook, so that it is executed once."""


NUMBER = r"(?<![\w.])(\d[\d,_]*(?:\.\d+)?)"
UNITS = {
    "KB": ("bytes", Fraction(1000)), "MB": ("bytes", Fraction(10**6)), "bytes": ("bytes", Fraction(1)),
    "ms": ("s", Fraction(1, 1000)), "us": ("s", Fraction(1, 10**6)), "µs": ("s", Fraction(1, 10**6)),
    "Gbps": ("bps", Fraction(10**9)), "packets": ("packets", Fraction(1)), "%": ("%", Fraction(1)),
}  # fmt: skip
PREDICT = re.compile(r"[Pp]redict|[Bb]efore you run|[Gg]uess")
QUANTITY = re.compile(rf"{NUMBER} ?({'|'.join(UNITS)})(?!\w)")
PERHAPS_QUANTITY = re.compile(rf"{NUMBER}(?: ?({'|'.join(UNITS)})(?!\w))?")


def read(number: str) -> Fraction:
    return Fraction(number.replace(",", "").replace("_", ""))


def shown_somewhere(number: str, unit: str, text: str) -> bool:
    """Tell whether a quantity of the prose is, as rounded there, in the text: with a unit of its kind or with none."""
    kind, size = UNITS[unit]
    places = len(number.partition(".")[2])
    for other, its_unit in PERHAPS_QUANTITY.findall(text):
        its_kind, its_size = UNITS.get(its_unit, (kind, size))
        scales = {its_size} if its_unit else {Fraction(1), size}
        if its_kind == kind and read(number) in {round(read(other) * scale / size, places) for scale in scales}:
            return True
    return False


@cache
def executed(name: str) -> "Executed":
    try:
        return Executed(name)
    except RuntimeError as error:  # two kernels that start at one moment may have chosen the same port
        if "Kernel died before replying" not in str(error):
            raise
        return Executed(name)


class Executed:
    """What the cells of a notebook showed and printed."""

    def __init__(self, name: str) -> None:
        notebook = nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", as_version=4)
        NotebookClient(
            notebook, timeout=60, kernel_name="python3", resources={"metadata": {"path": str(ROOT)}}
        ).execute()
        self.prose = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
        self.code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
        self.outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
        self.printed = "".join(output.get("text", "") for output in self.outputs)
        self.pictures = len(self.shown("image/png"))
        self.html = self.shown("text/html")
        self.mathematics = [html for html in self.html if "<math" in html]

    def shown(self, kind: str) -> list[str]:
        return ["".join(out["data"][kind]) for out in self.outputs if kind in out.get("data", {})]


@pytest.mark.parametrize("name", EACH)
def test_no_notebook_prints_latex_nor_a_solution(name: str) -> None:
    notebook = executed(name)
    said = [notebook.printed, *notebook.shown("text/plain")]
    quoted = re.compile(r"^statement = '.*'$", re.MULTILINE)  # of a file of claims, shown as it is written
    assert [text for text in said if re.search(r"\$|\\[a-z]{2}", quoted.sub("", text))] == []
    assert not any("solution=" in text for text in said)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_stored_without_outputs(path: Path) -> None:
    for cell in nbformat.read(path, as_version=4).cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_asks_for_a_prediction_before_an_experiment(path: Path) -> None:
    cells = nbformat.read(path, as_version=4).cells
    asked = [i for i, cell in enumerate(cells) if cell.cell_type == "markdown" and PREDICT.search(cell.source)]
    assert any(cell.cell_type == "code" for cell in cells[asked[0] :])


COMPUTES = {
    "substitutes": r"\.subs\(|\.evaluate\(",
    "plots by lambdify": r"\.lambdify\(",
    "differentiates": r"\.sensitivity\(|\.diff\(",
    "solves for a parameter": r"\.solve_for\(|\.inverse\(",
    "compares with a run": r"(?<!def )simulate\(",
}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_computes_with_a_theorem_in_cells_that_do_one_or_two_things(path: Path) -> None:
    cells = [cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    done = [{kind for kind, call in COMPUTES.items() if re.search(call, cell)} for cell in cells]
    assert set().union(*done) == set(COMPUTES)
    assert max(map(len, done)) <= 2


@pytest.mark.xdist_group("00_start_here")
def test_the_notebook_to_start_with_runs_shows_and_compares() -> None:
    notebook = executed("00_start_here")
    assert notebook.pictures == 3  # the run, the first drop by alpha, and the explorer where there is no widget
    assert "alpha for a first drop at 1 ms: 1/5\na run with it drops at 1/1000 s\n" in notebook.printed
    assert "(True, True)" in notebook.shown("text/plain")
    assert "first_drop = 2 ms (1/500 s), free_at_first_drop = 250 KB, case a" in notebook.printed
    assert "holds-under-assumption" in notebook.printed
    assert "it loses nothing | a fault in the witness: none" in notebook.printed
    assert any("edt.ours.drop-time" in html for html in notebook.html)


@pytest.mark.xdist_group("01_dynamic_threshold")
def test_the_first_notebook_shows_theorem_1_and_agrees_with_the_engine() -> None:
    notebook = executed("01_dynamic_threshold")
    assert notebook.pictures >= 4
    assert sum("<math" in html and "Theorem 1" in html for html in notebook.mathematics[:-1]) == 1  # beside exercises
    assert any("every mixture of regimes" in html for html in notebook.html)
    assert "(True, True)" in notebook.shown("text/plain")
    assert "first_drop = 2 ms (1/500 s), free_at_first_drop = 250 KB, case a" in notebook.printed
    assert "first drop of port 0, whose burst lasts 7 ms: None" in notebook.printed


@pytest.mark.xdist_group("02_enhanced_dynamic_threshold")
def test_the_edt_notebook_shows_theorem_5_and_the_state_machine() -> None:
    notebook = executed("02_enhanced_dynamic_threshold")
    assert notebook.pictures >= 3
    assert any("Theorem 5" in html for html in notebook.mathematics)
    assert any("for every M and N" in html for html in notebook.mathematics)
    assert "bytes of the burst lost: DT 500000 - EDT 0" in notebook.printed
    assert "first drops: 12/7 4/3" in notebook.printed
    assert "first drop at 1 with 6 of 16 bytes free" in notebook.printed
    assert "port 1 is controlled" in notebook.printed
    assert "port 1 is uncontrolled" in notebook.printed


@pytest.mark.xdist_group("03_losspass")
def test_the_losspass_notebook_computes_what_it_says() -> None:
    notebook = executed("03_losspass")
    assert notebook.pictures >= 7
    assert sum("losspass.ours." in html for html in notebook.html) == 5
    assert "N = 2: least K = 59.5 KB, utilisation there 1" in notebook.printed
    assert "Tomahawk, 512 KB, K = 10     ECN   494,000  LossPass   486,400  larger: ecn" in notebook.printed
    ecn = [line.split()[0] for line in notebook.printed.splitlines() if "Ecn(" in line]
    assert ecn == ["115,000", "57,500"]  # without and with background
    assert "without a short tail: 80" in notebook.printed
    assert "with a tail of 64 bytes: 0" in notebook.printed
    assert "729 of 729 traces agree" in notebook.printed
    assert "5" in notebook.shown("text/plain")


@pytest.mark.xdist_group("04_dynaq")
def test_the_dynaq_notebook_finds_the_shortest_traces() -> None:
    notebook = executed("04_dynaq")
    assert notebook.pictures
    assert sum("<math" in html for html in notebook.html) >= 5
    assert "every reachable state was visited" in notebook.printed
    assert "stem [['arrive', None, 2, 1], ['depart', None, 2], ['arrive', None, 2, 1]]" in notebook.printed
    assert "weights (4, 3, 2, 1), active 3: 42,000 bytes as printed" in notebook.printed
    assert "weights (1, 1, 1, 1), active 1, 2: 42,000 bytes as printed" in notebook.printed


@pytest.mark.xdist_group("05_l2bm")
def test_the_l2bm_notebook_agrees_with_the_engine_and_the_recorder() -> None:
    notebook = executed("05_l2bm")
    assert notebook.pictures >= 2
    assert sum("<math" in html for html in notebook.html) >= 4
    assert "True" in notebook.shown("text/plain")
    assert "the printed lines: ['2', '5/2', '3']" in notebook.printed
    assert "['-2', '-4', '-6', '-8']" in notebook.printed
    assert "pause-aware  total after a pause of 2 s:   0" in notebook.printed
    assert "square root law: 21.2 and 10.6" in notebook.printed


@pytest.mark.xdist_group("06_which_policy")
def test_the_last_notebook_compares_every_policy_and_names_the_theorems() -> None:
    notebook = executed("06_which_policy")
    (table,) = [html.replace("\N{NO-BREAK SPACE}", " ") for html in notebook.html if html.startswith("<table>")]
    for name, drop in {
        "static partition": "166.7 us",
        "complete sharing": "0 s",
        "DT": "666.7 us",
        "EDT": "2.667 ms",
        "ABM": "444.4 us",
        "L2BM": "949.2 us",
    }.items():
        assert re.search(rf"<tr><td>{name}</td><td>[^<]*</td><td>{drop}</td>", table), name
    for theorem in ("edt.ours.theorem1", "edt.ours.drop-time", "l2bm.ours.first-drop", "l2bm.ours.reserve-first-drop"):
        assert theorem in table
    assert notebook.pictures == 2
    assert "15 steady ports: DT 6.2 %, ABM 51.6 %, L2BM " in notebook.printed
    for line in (
        "128 KB  LossPass(reserve=Fraction(0, 1))",
        "DynaQ, admit = port: 28 packets",
        "28 KB  TailDrop()",
        "57.5 KB beside 70.5 KB of large flows",
        "L2BM's burst drops at 0.9492 ms",
    ):
        assert line in notebook.printed


@pytest.mark.xdist_group("07_errata")
def test_the_notebook_of_errata_draws_and_plays_witnesses() -> None:
    notebook = executed("07_errata")
    assert notebook.pictures >= 2
    assert "claimed: ['3', '3', '0']  happens: ['2', '2', '0']" in notebook.printed
    assert "a first loss at 3 takes 9 bytes\na run with them: 3 True" in notebook.printed
    assert any("losspass.alg1.line4" in html for html in notebook.html)


@pytest.mark.xdist_group("08_your_own_claim")
def test_the_notebook_of_own_claims_decides_them_and_notices_a_wrong_verdict() -> None:
    notebook = executed("08_your_own_claim")
    assert "mine.first holds smt" in notebook.printed
    assert "mine.second refuted exact" in notebook.printed
    assert "as recorded: True\nas recorded: False\nthe computed verdict is refuted" in notebook.printed
    assert "the first byte is lost with 3 of 6 bytes free" in notebook.printed
    assert "four ports: 500000/3 and in a run: 500000/3" in notebook.printed


@pytest.mark.xdist_group("09_derive_a_theorem")
def test_the_notebook_that_derives_finds_theorem_1_and_one_for_two_alphas() -> None:
    notebook = executed("09_derive_a_theorem")
    assert "derived: 1/500 Theorem 1: 1/500\ncases: 2 complete: True" in notebook.printed
    _, two_alphas, *_ = notebook.shown("text/plain")
    assert "\n  first_drop = alpha*B/(r*(1 + alpha*M + beta*N))\n" in two_alphas
    assert [text.count(r"\beta") > 0 for text in notebook.shown("text/latex")] == [False, True, False]
    assert "beta = 1/4  first drop 2/5" in notebook.printed
    assert notebook.pictures == 4
    assert "the registry: 2/(2*beta + 3)\nderived: 2/(2*beta + 3)\n" in notebook.printed
    assert "its derivative by beta, at 1: -4/25\n" in notebook.printed
    assert "alpha for a first drop at 1/3 or later: [3/2, oo)\n" in notebook.printed
    assert "alpha = 2: 2/5 by the registry: 2/5 and in a run: 2/5\n" in notebook.printed


@pytest.mark.xdist_group("10_how_bad_can_it_be")
def test_the_notebook_of_the_game_finds_ratios_and_the_burst_of_theorem_1() -> None:
    notebook = executed("10_how_bad_can_it_be")
    assert notebook.pictures == 3  # two games, and the ratios by the buffer
    assert "the policy sends       3 of 6\nthe optimum sends      6\n" in notebook.printed
    assert "3/2    DT(alpha=Fraction(2, 1))" in notebook.printed
    assert "after 40 times the cycle: 67/54 of 5/4" in notebook.printed
    assert "certificate for a ratio of 5/4" in notebook.printed
    assert "held at the first drop: 6\n" in notebook.printed
    assert "alpha: 2\nratio of DT with it: 11/7\n" in notebook.printed
    assert "alpha = 0.5: fluid gain 3.0\nalpha = 1.0: fluid gain 2.0\nalpha = 2.0: fluid gain 1.5\n" in notebook.printed


@pytest.mark.xdist_group("11_does_the_gain_survive_tcp")
def test_the_notebook_of_tcp_finds_the_gain_between_the_limits_of_the_theory() -> None:
    notebook = executed("11_does_the_gain_survive_tcp")
    assert notebook.pictures == 2
    assert "DT  20 KB each, in 160 us\nEDT 40 KB each, in 320 us\n" in notebook.printed
    assert "alpha for 300 us: 15\nus for each unit: 80\n" in notebook.printed
    assert "    0 us later: 240 KB\n  480 us later: 180 KB\n  960 us later: 120 KB\n" in notebook.printed
    for reading, at_30_kb in (("NewReno", 4), ("SACK", 4), ("window of 3", 0)):
        counts = f"15 KB: 0   30 KB: {at_30_kb}   45 KB: 0   60 KB: 0   90 KB: 0"
        assert f"{reading:12}   {counts}\n" in notebook.printed


@pytest.mark.parametrize("name", EACH)
def test_every_notebook_ends_with_three_exercises_that_nothing_above_answers(name: str) -> None:
    notebook = executed(name)
    number = name[:2]
    assert f'lab.exercises("{number}")' in notebook.code
    assert notebook.printed.endswith("1: your turn\n2: your turn\n3: your turn\n")
    (shown,) = [html for html in notebook.html if "<summary>Solution</summary>" in html]
    assert shown.count("<summary>Hint</summary>") == 3
    course = lab.exercises(number)
    solutions = {n: one.solution for n, one in enumerate(course.each, 1)}
    assert course.check(solutions) == "1: right\n2: right\n3: right"
    assert course.check(dict.fromkeys(solutions, "1234567 KB")) == "1: not yet\n2: not yet\n3: not yet"


@pytest.mark.parametrize("name", EACH)
def test_every_quantity_in_the_prose_of_a_notebook_is_in_its_code_or_its_outputs(name: str) -> None:
    notebook = executed(name)
    text = "\n".join([notebook.code, notebook.printed, *notebook.shown("text/plain")])
    quantities = [quantity for prose in notebook.prose for quantity in QUANTITY.findall(prose)]
    assert [quantity for quantity in quantities if not shown_somewhere(*quantity, text)] == []


def test_a_quantity_that_nothing_shows_is_noticed() -> None:
    assert not shown_somewhere("60", "packets", "queue 2 holds 100 packets, 60.0%")
    assert not shown_somewhere("12", "KB", "12.6 KB, 12 packets")
    assert shown_somewhere("12.6", "KB", "12_600")
    assert shown_somewhere("5.33", "ms", "5.33333 ms")
