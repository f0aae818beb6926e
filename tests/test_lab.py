"""The lab: what a panel shows is what the exact run and the theorems say; widget, picture and page show the same."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import replace
from fractions import Fraction
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from dtmodel import DT, Arrivals, InputError, Switch, lab, sheet, simulate, trace, units
from dtmodel.cli import run as run_command
from dtmodel.lab import panel
from dtmodel.lab.designer import guarantees
from dtmodel.lab.predictions import counterexample, predicted_drop, predictions, worked
from dtmodel.lab.setting import BurstSetting, policy_names, sliders_for
from dtmodel.ledger.claim import Claim
from dtmodel.ledger.verdict import Judgement
from dtmodel.mathtext import text_of
from dtmodel.packet.losspass.picture import columns
from dtmodel.plot import length_points
from dtmodel.scenario import Scenario
from dtmodel.theory.edt.inverse import worst_ports

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
F1 = Fraction(1)
UNEQUAL = {"steady": "1", "bursts": "3", "ratio": "5/2", "others": "1/2"}


@pytest.mark.parametrize("policy", policy_names())
def test_what_is_drawn_is_the_run(policy: str) -> None:
    setting = BurstSetting(policy=policy, bursts=2, others=Fraction(3, 4))
    shown = lab.ThresholdExplorer(setting).answer({})
    run = setting.run(Fraction(shown["span"]) * setting.buffer / setting.rate)
    for line, index in zip(shown["lines"], (0, 1, 2), strict=True):
        queue = run.queue(index)
        bends = [[float(time), float(queue.at(time))] for time in queue.breakpoints]
        assert [point for point in bends if point not in line["points"]] == []
        assert line["points"] == [[float(time), float(length)] for time, length in length_points(queue)]
    assert shown["free"][-1][1] == float(run.free.values[-1])
    drop = [mark for mark in shown["marks"] if mark["kind"] == "drop"]
    assert [mark["time"] for mark in drop] == [float(t) for t in [run.first_drop(0)] if t is not None]
    assert (shown["lost"][-1][2] if shown["lost"] else 0) == float(run.dropped(0))
    assert shown["arrivals"]["ends"] == [float(end) for end in setting.durations]


@pytest.mark.parametrize("policy", ["DT", "EDT", "ABM", "L2BM", "L2BM, harmonic"])
def test_a_proved_theorem_agrees_with_the_run_wherever_it_speaks(policy: str) -> None:
    spoken = []
    for alpha, steady, bursts, ratio, length in (
        (1, 2, 1, 2, "3/4"), ("1/4", 0, 3, 3, "1/2"), (8, 3, 2, 8, "1/16"), (2, 1, 1, 16, 1), (4, 4, 4, "5/4", "1/4"),
    ):  # fmt: skip
        values = {
            "policy": policy,
            "alpha": alpha,
            "steady": steady,
            "bursts": bursts,
            "ratio": ratio,
            "length": length,
        }
        shown = lab.ThresholdExplorer(BurstSetting.read(values)).answer({"held": 1})
        spoken.append(shown["theorems"][-1]["agrees"])
    assert spoken == [True] * 5
    assert lab.ThresholdExplorer(BurstSetting.read(UNEQUAL | {"policy": policy})).answer({"held": 1})["theorems"][-1][
        "agrees"
    ] in (None, True)


@pytest.mark.parametrize(("policy", "claim", "steps"), [("DT", "edt.thm1", 5), ("EDT", "edt.thm5", 3)])
def test_breaking_a_printed_theorem_moves_to_where_the_run_denies_it(policy: str, claim: str, steps: int) -> None:
    start = BurstSetting(policy=policy, steady=2 if policy == "EDT" else 0)
    shown = lab.ThresholdExplorer(start).answer({"do": "break"})
    assert f"{steps} steps" in shown["note"]
    printed, proved = shown["theorems"]
    assert (printed["claim"], printed["agrees"]) == (claim, False)
    assert proved["agrees"] in (None, True)
    there = BurstSetting.read(shown["values"])
    moved = {s.name: s.options for s in sliders_for(start)}
    away = sum(abs(moved[n].index(there.values()[n]) - moved[n].index(start.values()[n])) for n in moved)
    assert away == steps


def test_where_no_printed_theorem_is_shown_there_is_nothing_to_break() -> None:
    setting = BurstSetting(policy="ABM")
    assert counterexample(setting, sliders_for(setting)) is None
    assert "no counterexample" in lab.ThresholdExplorer(setting).answer({"do": "break"})["note"]
    assert predictions(BurstSetting(policy="complete sharing")) == ()
    assert predicted_drop(BurstSetting(ratio=Fraction(1))) is None
    assert worked(BurstSetting(policy="static partition")) == ""


@pytest.mark.parametrize("policy", ["DT", "EDT", "L2BM"])
def test_the_map_is_what_the_runs_say(policy: str) -> None:
    regions = lab.ThresholdExplorer(BurstSetting(policy=policy)).answer({})["map"]
    letters = set()
    for up, across in ((0, 4), (1, 1), (4, 4), (8, 7), (12, 2), (16, 8), (16, 0)):
        letter = regions["rows"][up][across]
        letters.add(letter)
        setting = BurstSetting.read(
            {"policy": policy, "alpha": regions["alpha"][across], "ratio": regions["ratio"][up]}
        )
        run = setting.run(setting.duration)
        assert (run.first_drop(0) is None) == (letter == "k")
        if letter != "k":
            time = run.first_drop(0)
            follows = run.queue(1).at(time) <= run.queue(1).threshold_at(time)
            assert policy == "EDT" or follows == (letter == "s")
    assert len(letters) > 1


def test_the_formula_is_the_theorems_with_the_numbers_put_in() -> None:
    assert text_of(f"${worked(BurstSetting())}$") == (
        "t = (α B)/((1 + α (M + N)) (R - C)) = (1 · 1 MB)/((1 + 1 · (1 + 2)) (2 Gbps - 1 Gbps)) = 2 ms (1/500 s)"
    )
    assert "(1 MB)/(1 · (2 Gbps - 1 Gbps))" in text_of(f"${worked(BurstSetting(policy='EDT'))}$")


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"policy": "RED"}, "policy"),
        ({"alpha": "0"}, "alpha"),
        ({"steady": "-1"}, "steady"),
        ({"ports": "9" * 20_000}, "ports"),
        ({"bursts": "0"}, "bursts"),
        ({"ratio": "fast"}, "ratio"),
        ({"length": "1/0"}, "length"),
        ({"colour": "red"}, "colour"),
        ({"ports": "2"}, "bursts + steady"),
    ],
)
def test_values_that_are_not_accepted_are_named(values: dict[str, str], field: str) -> None:
    explorer = lab.threshold_explorer()
    with pytest.raises(InputError) as caught:
        explorer.answer({"values": values})
    assert caught.value.field == field
    assert field in explorer.respond({"values": values, "serial": 3})["error"]


def test_arguments_and_requests_that_are_not_accepted_are_named() -> None:
    with pytest.raises(InputError, match="burst_rate"):
        lab.threshold_explorer(burst_rate="2 MB")
    with pytest.raises(InputError, match="duration"):
        lab.threshold_explorer(duration="0 ms")
    with pytest.raises(InputError, match="bursts \\+ steady"):
        lab.threshold_explorer(Switch(2, "1 MB", "1 Gbps"), steady=2)
    with pytest.raises(InputError, match="held"):
        lab.threshold_explorer().answer({"held": "0"})
    with pytest.raises(InputError, match="over"):
        lab.threshold_explorer().page(["speed"])
    with pytest.raises(InputError, match="4000"):
        lab.threshold_explorer().page(["length", "ratio", "alpha"])
    with pytest.raises(InputError, match="path"):
        lab.threshold_explorer().save("/nowhere/x.html", [])


def test_sliders_stand_where_the_arguments_say() -> None:
    explorer = lab.threshold_explorer(
        Switch(32, "64 MB", "100 Gbps"), alpha="3/8", burst_rate="300 Gbps", duration="5 ms", policy="EDT"
    )
    options = {slider.name: slider.options for slider in explorer.sliders}
    values = explorer.values()
    assert all(values[name] in options[name] for name in values)
    assert (values["ratio"], values["length"], values["alpha"]) == ("3", "125/128", "3/8")
    assert all(sorted(texts, key=Fraction) == list(texts) for name, texts in options.items() if name != "policy")


def test_the_widget_answers_what_the_panel_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[Any] = []
    explorer = lab.threshold_explorer()
    widget = explorer.widget()
    monkeypatch.setattr(widget, "send", sent.append)
    assert widget.answer == explorer.respond({})
    widget._handle_custom_msg({"values": {"steady": "5"}, "view": "v", "serial": 7}, [])
    assert sent[0] == explorer.answer({"values": {"steady": "5"}}) | {"view": "v", "serial": 7}
    widget._handle_custom_msg({"values": {"steady": "x"}, "view": "v", "serial": 8}, [])
    assert sent[1] == {
        "error": "steady: got 'x'; expected a whole number of at least 0",
        "view": "v",
        "serial": 8,
    }


def test_without_anywidget_it_is_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = lab.threshold_explorer()._repr_mimebundle_()
    assert set(bundle) == {"application/vnd.jupyter.widget-view+json", "image/png", "text/plain"}
    monkeypatch.setattr(panel, "find_spec", lambda _: None)
    assert set(lab.threshold_explorer()._repr_mimebundle_()) == {"image/png", "text/plain"}


@pytest.mark.parametrize("algorithm", ["losspass", "dynaq", "l2bm", "edt"])
def test_the_player_shows_after_each_event_what_the_algorithm_says_of_it(algorithm: str) -> None:
    player = lab.packet_player(algorithm)
    steps = trace(player.request)["steps"]
    frames = [player.answer({"values": {"step": str(count)}}) for count in range(len(steps) + 1)]
    assert [frame["reason"] for frame in frames] == ["", *(step["reason"] for step in steps)]
    assert all(step["decision"] in frame["decision"] for step, frame in zip(steps, frames[1:], strict=True))
    held = [[sum(box["size"] for box in bar["boxes"]) for bar in frame["bars"]] for frame in frames]
    limits = [[limit for bar in frame["bars"] for _, limit in bar["limits"]] for frame in frames]
    if algorithm == "losspass":
        assert held == [
            [0.0],
            *([sum(float(p.size) for p, _, _ in column.stack)] for column in columns(player.request)),
        ]
    if algorithm == "dynaq":
        assert held[1:] == [[float(q) for q in step["queues"]] for step in steps]
        assert limits[1:] == [[float(T) for T in step["thresholds"]] for step in steps]
    if algorithm == "l2bm":
        assert held[1:] == [[float(Fraction(step["total"])), float(Fraction(step["mean"] or 0))] for step in steps]
    if algorithm == "edt":
        assert held[1:] == [[float(port["queue"]) for port in step["ports"]] for step in steps]
        assert limits[1:] == [[float(Fraction(port["threshold"])) for port in step["ports"]] for step in steps]
    assert {(frame["top"], frame["bottom"]) for frame in frames} == {(frames[0]["top"], 0.0)}
    assert "image/png" in player._repr_mimebundle_()


def test_the_player_plays_witnesses_and_refuses_what_is_none() -> None:
    witness = lab.packet_player("losspass.alg1.line4")
    assert witness.answer({})["says"]
    marked = lab.packet_player({"algorithm": "losspass", "buffer": 2, "mark": {"large": 0},
                                "events": [["arrive", 0, "large", 1]]})  # fmt: skip
    assert marked.frames[1]["bars"][0]["boxes"] == [{"text": "0", "size": 1.0, "kind": "large", "marked": True}]
    for source, field in (
        ("edt.fn9", "source"), ("edt.nothing", "selector"), (7, "source"), ({"algorithm": "red"}, "algorithm"),
        ({"algorithm": "dynaq", "buffer": 9, "weights": [1], "events": [["depart", None, 1]] * 401}, "events"),
    ):  # fmt: skip
        with pytest.raises(InputError) as caught:
            lab.packet_player(source)
        assert caught.value.field == field
    for step in ("3", "-1", "x"):
        with pytest.raises(InputError, match="step"):
            witness.answer({"values": {"step": step}})


def test_lab_opens_the_notebook_to_start_with(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    called: list[list[str]] = []
    monkeypatch.setattr("dtmodel.cli.lab.need", lambda *_: None)
    monkeypatch.setattr("dtmodel.cli.lab.subprocess.call", lambda command: called.append(command) or 0)
    assert run_command(["lab", "--to", str(tmp_path)]) == 0
    (command,) = called
    assert command[1:] == ["-m", "jupyterlab", str(tmp_path / "00_start_here.ipynb")]
    assert (tmp_path / "00_start_here.ipynb").is_file()


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
        with pytest.raises(InputError) as caught:
            course.check(wrong)
        assert caught.value.field == field
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
    for call, field in ((lambda: lab.errata("pie"), "paper"), (lambda: edt.draw("edt.thm1"), "claim")):
        with pytest.raises(InputError) as caught:
            call()
        assert caught.value.field == field


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
    assert "<tr><td>port 0</td><td>4 ms</td><td>500 KB</td><td>250 KB</td><td>1.125 MB</td></tr>" in run._repr_html_()
    many = simulate(Switch(64, "1 MB", "1 Gbps"), DT(1), dict.fromkeys(range(64), burst[0]), until=1)
    assert repr(many).count("| port ") == 40
    assert "the first 40 of 64" in repr(many)


def test_a_sheet_is_shown_with_its_formulas_and_the_numbers_put_in() -> None:
    made = sheet("edt", Switch(4, "1 MB", "1 Gbps"))
    page = re.sub(r"<math.*?</math>", "MATH", made._repr_html_())
    assert page.startswith("<table><caption>EDT: 4 ports of 1 Gbps sharing 1 MB, alpha = 1</caption>")
    assert (
        "<tr><td><code>cn2</code></td><td>111.111 KB (1000000/9 B)</td>"
        "<td>Set C2 to it: a port whose queue has grown by "
        "so much without a loss is overloaded.</td><td>MATH</td><td>DT/EDT paper, equation (73)</td></tr>"
    ) in page
    assert page.count("<tr>") == len(made.parameters) + 1
    assert all(f"<li>warning: {warning}</li>" in made._repr_html_() for warning in made.warnings if "$" not in warning)
    assert "Fraction" not in page


def test_the_designer_gives_the_settings_and_guarantees_of_the_sheet() -> None:
    switch = Switch(5, "1 MB", "1 Gbps")
    shown = lab.edt_designer(switch, burst_rate="2 Gbps", duration="6 ms").answer({})
    made = sheet("edt", switch, packet=1)  # the sheet counts whole packets
    values = {name: value for name, value, _ in shown["rows"]}
    assert values["TM1"] == units.show_seconds(made["tm1"])
    assert values["TM2"] == units.show_seconds(made["tm2"])
    for name in ("DT", "EDT"):
        time, M, N = worst_ports(
            alpha=F1, B=F1 * 10**6, C=F1 * 125 * 10**6, P=5, R=F1 * 250 * 10**6, policy=name.lower()
        )
        assert values[f"guarantee, {name}"] == units.show_seconds(time)
        assert shown["guarantee"]["worst"][name].endswith(f"M = {M}, N = {N}")
        assert shown["guarantee"][name][N] == float(time)
    assert values["these M and N"] == "8 ms (1/125 s)"


@pytest.mark.parametrize("steady", [0, 2, 3])
def test_what_the_designer_guarantees_is_what_runs_lose_just_after(steady: int) -> None:
    design = BurstSetting(policy="EDT", ports=4, ratio=Fraction(3), steady=steady, bursts=4 - steady)
    for policy, times in zip(("DT", "EDT"), guarantees(design), strict=True):
        run = replace(design, policy=policy).run(2 * times[steady])
        lasting = replace(design, policy=policy, length=Fraction(4)).run(2 * times[steady])
        assert lasting.first_drop(0) == times[steady]
        assert (run.first_drop(0) is None) == (design.duration <= times[steady])


def test_the_designer_says_when_a_burst_is_too_slow_for_tm1_and_refuses_what_is_none() -> None:
    slow = lab.edt_designer(burst_rate="1.05 Gbps")
    cn2, tm1 = Fraction(1_000_000, 81), Fraction(17, 10_125)
    told = slow.answer({})["rows"][1][2]
    assert f"less than {units.brief(units.show_rate(125_000_000 + cn2 / tm1))}; this one is not seen" in told
    assert "1" not in {s.name: s.options for s in slow.sliders}["ratio"]
    for values, field in (
        ({"ratio": "1"}, "ratio"), ({"ports": "512"}, "ports"),
        ({"bursts": "16"}, "bursts + steady"), ({"policy": "DT"}, "policy"),
    ):  # fmt: skip
        with pytest.raises(InputError) as caught:
            slow.answer({"values": values})
        assert caught.value.field == field
    with pytest.raises(InputError, match="ratio"):
        lab.edt_designer(burst_rate="1 Gbps")
    drawn = slow.figure().axes
    assert [axes.get_xlabel() for axes in drawn] == ["time (ms)", "overloaded ports N"]
    assert len(drawn[1].lines) == 2


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
    assert made._repr_html_() == (
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
    many = Scenario.read(document | {"switch": document["switch"] | {"ports": 64}, "queues": [{}] * 50})
    assert "the first 40 of 50 rows" in many._repr_html_()
    assert many._repr_html_().count("<tr><td>port") == 40


def test_a_claim_and_its_judgement_are_shown_in_words_with_their_verdict() -> None:
    said = Claim("edt.eq1_x", "equation <1>", "equation", "at 50 % of $B$", "misprint", repair="$B$ & more")
    badge = '<span style="border: 1px solid; border-radius: 8px; padding: 0 6px; font-size: 85%">misprint</span>'
    page = re.sub(r"<math.*?</math>", "MATH", said._repr_html_())
    assert page == (
        f"<div><p><strong><code>edt.eq1_x</code></strong> {badge}<br/><em>equation &lt;1&gt;</em></p>"
        "<p>at 50 % of MATH</p><dl><dt>repair</dt><dd>MATH &amp; more</dd></dl></div>"
    )
    assert said._repr_latex_() == (
        "$$\\begin{array}{l}\n\\textbf{edt.eq1\\_x: misprint} \\\\\n\\text{at 50 \\% of }B \\\\\n"
        "\\quad \\text{repair: }B\\text{ \\& more}\n\\end{array}$$"
    )
    judged = Judgement("misprint", "smt", ("one", "two"), fallback="kernel")
    assert judged._repr_html_() == (
        f"<div><p>{badge} smt</p><dl><dt>rests on</dt><dd>one; two</dd>"
        "<dt>stronger, but not run</dt><dd>kernel</dd></dl></div>"
    )
    assert judged._repr_latex_() == (
        "$$\\begin{array}{l}\n\\textbf{misprint (smt)} \\\\\n\\quad \\text{rests on: one; two} \\\\\n"
        "\\quad \\text{stronger, but not run: kernel}\n\\end{array}$$"
    )
    assert Judgement("not run")._repr_html_() == f"<div><p>{badge.replace('misprint', 'not run')}</p></div>"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lab") / "page.html"
    lab.threshold_explorer().save(path, ["steady"])
    return path


def test_a_page_asks_nobody_for_anything(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert set(re.findall(r"https?://[\w./]*", text)) == {
        "http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML",
    }  # fmt: skip
    assert "default-src 'none'" in text


DRIVER = """
<script type="module">
const seen = [];
const slider = document.querySelector("input[type=range]");
const facts = () => ({
  summary: [...document.querySelectorAll("dd")].map((node) => node.textContent),
  burst: document.querySelector(".dtm-line:last-child").getAttribute("d"),
  ghosts: document.querySelectorAll(".dtm-ghost").length, updates: document.getElementById("panel").dataset.updates,
  axes: document.querySelector(".dtm-axes").textContent,
});
seen.push(facts());
for (const place of [5, 9]) {
  slider.value = place;
  slider.dispatchEvent(new Event("input"));
  seen.push(facts());
}
slider.dispatchEvent(new Event("change"));
seen.push(facts());
document.body.replaceChildren(Object.assign(document.createElement("pre"), { textContent: JSON.stringify(seen) }));
</script>
"""


STEPPER = """
<script type="module">
const seen = [];
const text = (selector) => document.querySelector(selector)?.textContent ?? "";
const boxes = () => document.querySelectorAll(".dtm-box").length;
const facts = () => seen.push([boxes(), text("[role=status]"), text("[aria-current]")]);
const press = (label) => document.querySelector(`[aria-label="${label}"]`).click();
facts();
for (const label of ["one event on", "one event on", "one event on", "one event back", "to the end", "one event on"]) {
  press(label);
  facts();
}
document.body.replaceChildren(Object.assign(document.createElement("pre"), { textContent: JSON.stringify(seen) }));
</script>
"""


def driven(page: str, script: str, folder: Path) -> Any:
    """What a script at the end of a page writes when Chromium shows the page."""
    path = folder / "driven.html"
    path.write_text(page.replace("</body>", script + "</body>"), encoding="utf-8")
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}", "--dump-dom"]
    done = subprocess.run([str(CHROMIUM), *options, path.as_uri()], capture_output=True, text=True, check=True)
    (log,) = re.findall(r"<pre>(.*)</pre>", done.stdout)
    return json.loads(unescape(log))


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium to draw the page with")
def test_the_player_on_a_page_goes_forwards_and_backwards(tmp_path: Path) -> None:
    player = lab.packet_player("losspass")
    seen = driven(player.page(["step"]), STEPPER, tmp_path)
    for (boxes, status, event), step in zip(seen, (0, 1, 2, 3, 2, 4, 4), strict=True):
        said = player.answer({"values": {"step": str(step)}})
        assert boxes == sum(len(bar["boxes"]) for bar in said["bars"])
        assert status == f"{said['decision'] or 'before the first event'} {said['reason']}"
        assert event == (said["events"][step - 1] if step else "")


DESIGN = """
<script type="module">
const seen = [];
const slider = document.querySelector("input[type=range]");
for (const place of [0, 3]) {
  slider.value = place;
  slider.dispatchEvent(new Event("input"));
  seen.push([[...document.querySelectorAll("tbody tr")].map((row) => [...row.children].map((cell) => cell.textContent)),
    document.querySelectorAll(".dtm-map .dtm-line").length, document.querySelector(".dtm-theorems").textContent]);
}
document.body.replaceChildren(Object.assign(document.createElement("pre"), { textContent: JSON.stringify(seen) }));
</script>
"""


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium to draw the page with")
def test_the_designer_on_a_page_tells_what_python_answers(tmp_path: Path) -> None:
    designer = lab.edt_designer(Switch(4, "1 MB", "1 Gbps"), steady=0)
    seen = driven(designer.page(["bursts"]), DESIGN, tmp_path)
    for (rows, lines, said), bursts in zip(seen, ("1", "4"), strict=True):
        answer = designer.answer({"values": {"bursts": bursts}})
        assert rows == answer["rows"]
        assert lines == 2
        assert all(theorem["says"] in said for theorem in answer["theorems"])


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium to draw the page with")
def test_a_slider_on_the_page_draws_what_python_answers(page: Path, tmp_path: Path) -> None:
    first, fifth, ninth, let_go = driven(page.read_text(encoding="utf-8"), DRIVER, tmp_path)
    explorer: Any = lab.threshold_explorer()
    for seen, steady in ((first, "2"), (fifth, "5"), (ninth, "9")):
        said = explorer.answer({"values": {"steady": steady}})
        assert seen["summary"] == [text for _, text in said["summary"]]
        peak = max(size for _, size in said["lines"][0]["points"])
        drawn = min(float(y) for y in re.findall(r",([\d.]+)", seen["burst"]))
        assert drawn == pytest.approx(14 + 300 * (1 - peak / said["buffer"]), abs=0.01)
    assert [seen["ghosts"] for seen in (first, fifth, ninth)] == [0, 2, 2]
    assert first["axes"] == fifth["axes"] == ninth["axes"]
    assert [int(seen["updates"]) for seen in (first, fifth, ninth, let_go)] == [1, 2, 3, 4]
