"""A cell of a notebook for every rich display of the package, and the faults of what JupyterLab shows of each."""

import ast
import re
from pathlib import Path
from typing import Any

SETUP = """
import sympy
from dtmodel import DT, Arrivals, Switch, compare, derive, lab, sheet, simulate
from dtmodel.ledger.verdict import Judgement
from dtmodel.companion.roots import load
from dtmodel.lab.browser import Checked
from dtmodel.plot.svg import SvgPicture, run_svg
from dtmodel.ledger.provers.slack import certificate
from dtmodel.theory import dt
from dtmodel.theory.edt import theorem5_corrected
switch = Switch(ports=16, buffer="1 MB", rate="1 Gbps")
given = {"B": switch.buffer, "C": switch.rate, "M": 1, "N": 2, "R": "2 Gbps"}
family = {
    "symbols": {"alpha": "> 0", "B": "> 0", "C": "> 0", "M": ">= 1", "N": ">= 0", "R": "> C", "R_b": ">= C"},
    "policy": {"name": "dt", "alpha": "alpha"},
    "switch": {"buffer": "B", "rate": "C"},
    "queues": [
        {"count": "M", "arrivals": [["0", "R"]]},
        {"count": "N", "initial": "steady", "arrivals": [["0", "R_b"]]},
    ],
    "ask": [{"first_drop": 0}],
}
at = {"B": 1, "C": 1, "M": 1, "N": 2, "R_b": 2}
burst = {0: Arrivals.burst("2 Gbps", "6 ms"), 1: Arrivals.constant("2 Gbps")}
run = simulate(switch, DT(1), burst, until="9 ms", initial={1: "steady"})
c, C, R, r = sympy.symbols("c C R r", nonnegative=True)
"""
CELLS = {
    "statement": "dt.theorem1",
    "statement that is corrected": "theorem5_corrected",
    "conclusion": "dt.theorem1.conclusions[0]",
    "answer": "dt.theorem1.evaluate(switch, alpha=1, steady=2, bursts=1, burst_rate='2 Gbps')",
    "sensitivity": "dt.theorem1.sensitivity('first_drop', 'alpha', alpha=1, **given)",
    "solutions": "dt.theorem1.solve_for('alpha', first_drop='1 ms', **given)",
    "solutions that are none": "dt.theorem1.solve_for('alpha', first_drop='9 s', **given)",
    "derived theorem": "theorem = derive(family)\ntheorem",
    "comparison of theorems": "theorem.compare(derive(family | {'policy': {'name': 'static', 'sizes': 'B/(M + N)'}}))",
    "optimum": "theorem.maximize('first_drop', over='alpha', R=2, **at)",
    "solutions that are intervals": "theorem.inverse('alpha', '1/10', at | {'R': 2})",
    "optimum that is irrational": "theorem.maximize('first_drop', over='alpha', R=4, **at)",
    "turns": "theorem.maximize('first_drop', over='alpha', M=1, N=2)",
    "comparison of policies": "compare(switch, steady=2, burst_rate='2 Gbps')",
    "run": "run",
    "scenario": "run.scenario",
    "picture of a run": "run.plot()",
    "picture of a run without matplotlib": "SvgPicture(run_svg(run))",
    "claim that is checked in a browser": "Checked('edt.fn9')",
    "picture of regions": "theorem.regions(('alpha', 0.1, 3), ('R', 1.1, 6), at)",
    "sheet of DT": "sheet('dt', switch, steady=2, burst_rate='2 Gbps')",
    "sheet of EDT": "sheet('edt', switch)",
    "sheet of LossPass": "sheet('losspass', switch, rtt='100 us', flows=2, threshold='45 packets', tau='1/2')",
    "sheet of DynaQ": "sheet('dynaq', buffer='85 KB', rate='1 Gbps', rtt='500 us', weights=[4, 3, 2, 1])",
    "sheet of L2BM": "sheet('l2bm', switch, sojourns=['1 us', '9 us'])",
    "sheet of ABM": "sheet('abm', switch, alphas=[1, '1/2'], priorities=[0, 1], burst_rate='2 Gbps')",
    "sheet of a pool": "sheet('pools', buffer='4 MB', queues=[{'alpha': 1, 'reserved': '10 KB', 'count': 3}])",
    "claim": "load().claims['edt.fn9']",
    "entry of a claim": "dt.theorem1.claim",
    "judgement": "Judgement('misprint', 'smt', ('one', 'two'), fallback='kernel')",
    "certificate": "certificate(R**2/(1 + C) - C**2/(1 + C), {R: C + r}, strict=False)",
    "errata": "lab.errata('edt')",
    "exercises": "lab.exercises('02')",
    "explorer": "lab.threshold_explorer(switch)",
    "designer": "lab.edt_designer(switch, steady=2, burst_rate='2 Gbps', duration='6 ms')",
    "player": "lab.packet_player('losspass')",
    "game": "lab.adversary(DT(1), buffer=4, moves='1 1 1 1 | 2')",
    "sliders": "lab.sliders(lambda alpha: simulate(switch, DT(alpha), burst, until='9 ms').plot(), {'alpha': (1, 2)})",
}
WIDE, NARROW = 1400, 700
LOOKS = (("JupyterLab Light", WIDE), ("JupyterLab Dark", WIDE), ("JupyterLab Light", NARROW))

FAULTS = """([cell, wide]) => {
  const area = cell.querySelector(".jp-Cell-outputArea"), found = new Set(), NEAR = 1.5, INDENT = 12;
  const said = (part) => part.textContent.trim().replace(/\\s+/g, " ").slice(0, 40);
  if (!area.querySelector(".jp-OutputArea-output, img")) return ["shows nothing"];
  if (area.querySelector("[data-mime-type='application/vnd.jupyter.error'], [data-mime-type$=stderr]"))
    return [`fails: ${said(area)}`];
  if (/^<Figure/.test(said(area.querySelector(".jp-OutputArea-output")))) return ["shows no picture"];
  const parts = [...area.querySelectorAll(".jp-OutputArea-output *")].filter((part) =>
    part.checkVisibility() && !part.closest("svg svg, mjx-assistive-mml, .jp-OutputPrompt, [role=tooltip]"));
  const clippers = (part) => {
    const around = [];
    for (let up = part.parentElement; up && cell.contains(up); up = up.parentElement)
      if (getComputedStyle(up).overflowY !== "visible" && !up.matches(".dtm-events")) around.push(up);
    return around;
  };
  for (const part of parts.filter((one) => one.closest(".jp-RenderedHTMLCommon, .dtm, .jp-RenderedText"))) {
    const style = getComputedStyle(part), box = part.getBoundingClientRect();
    if (part.closest("mjx-container, svg")) continue;
    if (style.float !== "none") found.add(`floats: ${said(part)}`);
    for (const around of clippers(part)) {
      const frame = around.getBoundingClientRect();
      const room = part.matches("mfrac") && around.matches(".dtm-formula, .dtmodel-formula") ? 3 : 0;
      if (room && box.top < frame.top + room) found.add(`has a top without room: ${said(part)}`);
      if (box.height && (box.top < frame.top - NEAR || box.bottom > frame.bottom + NEAR))
        found.add(`is cut at ${box.top < frame.top - NEAR ? "the top" : "the bottom"}: ${said(part)}`);
      if (wide && box.right > frame.right + NEAR) found.add(`is cut at the right: ${said(part)}`);
    }
    if (part.matches("ul > li, ol > li") && style.display === "list-item" && style.listStyleType !== "none"
      && box.left < area.getBoundingClientRect().left + INDENT)
      found.add(`has no room for its bullet: ${said(part)}`);
    if (part.matches("td, th") && box.width < 90 && said(part).length > 30) found.add(`is squeezed: ${said(part)}`);
    if (part.matches("td") && said(part).length > 30 && !["start", "left"].includes(style.textAlign))
      found.add(`is a text that does not begin at the left: ${said(part)}`);
    if (part.matches("mfrac") && part.parentElement.closest("[displaystyle=true]")) {
      const [over, under] = [...part.children].map((one) => one.getBoundingClientRect());
      if (under.top - over.bottom < 1) found.add(`touches its bar: ${said(part)}`);
    }
  }
  const texts = [];
  const walk = document.createTreeWalker(area, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const part = node.parentElement, block = part.closest("li, td, th, p, dt, dd, label, summary, .dtm-formula");
    if (!node.data.trim() || !block || !parts.includes(part) || part.closest("svg, mjx-container")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) texts.push({ block, box, text: node.data.trim().slice(0, 20) });
    const size = parseFloat(getComputedStyle(part).fontSize);
    if (size < (part.closest("math") ? 6 : 11)) found.add(`is tiny: ${said(part)}`);
  }
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
  for (const [place, one] of texts.entries())
    for (const other of texts.slice(place + 1))
      if (!one.block.contains(other.block) && !other.block.contains(one.block) && over(one.box, other.box))
        found.add(`lies on ${other.text}: ${one.text}`);
  return [...found].slice(0, 12);
}"""
"""Returns the faults of the output of a cell: an error, floats, what is cut, squeezed, tiny, or lies on other text."""


def value_of(name: str, known: dict[str, Any]) -> Any:
    """Run a cell in this process; return what a notebook would show."""
    if not known:
        exec(SETUP, known)  # noqa: S102 - the cells are those above
    tree = ast.parse(CELLS[name])
    last = tree.body.pop()
    assert isinstance(last, ast.Expr)
    exec(compile(tree, name, "exec"), known)  # noqa: S102
    return eval(compile(ast.Expression(last.value), name, "eval"), known)  # noqa: S307


SHOWN = Path(__file__).with_name("shown")
"""The text, the LaTeX and the HTML of some displays, a file for each; `python tests/displays.py` writes them again."""
TABLES = ("run", "scenario", "claim", "judgement", "comparison of policies", "sheet of DT", "sheet of a pool")


def shown_of(name: str, known: dict[str, Any]) -> str:
    """Return the text, the LaTeX and the HTML without its style sheet that a notebook would show of a cell."""
    value = value_of(name, known)
    html = re.sub("<style>.*?</style>", "", value._repr_html_())
    html = re.sub(r"(?<=[^\n])(<(?:div|table|thead|tbody|tr|p|ul|li)\b)", r"\n\1", html)
    return f"{value}\n\n{value._repr_latex_()}\n\n{html}\n"


def file_of(name: str) -> Path:
    """Return the file of a display."""
    return SHOWN / f"{name.replace(' ', '-')}.txt"


if __name__ == "__main__":
    for each in TABLES:
        file_of(each).write_text(shown_of(each, {}), encoding="utf-8")
