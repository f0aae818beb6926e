"""The threshold explorer: it shows what the exact run and the theorems say; widget, picture and page show the same."""

import json
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from pages import driven
from refusals import refused

from dtmodel import InputError, Switch, lab
from dtmodel.base.mathtext import text_of
from dtmodel.lab import panel
from dtmodel.lab.explorer import ThresholdExplorer
from dtmodel.lab.predictions import counterexample, predicted_drop, predictions, worked
from dtmodel.lab.setting import BurstSetting, policy_names, sliders_for
from dtmodel.plot.runs import length_points

UNEQUAL = {"steady": "1", "bursts": "3", "ratio": "5/2", "others": "1/2"}


@pytest.mark.parametrize("policy", policy_names())
def test_what_is_drawn_is_the_run(policy: str) -> None:
    setting = BurstSetting(policy=policy, bursts=2, others=Fraction(3, 4))
    shown = ThresholdExplorer(setting).answer({})
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
        shown = ThresholdExplorer(BurstSetting.read(values)).answer({"held": 1})
        spoken.append(shown["theorems"][-1]["agrees"])
    assert spoken == [True] * 5
    assert ThresholdExplorer(BurstSetting.read(UNEQUAL | {"policy": policy})).answer({"held": 1})["theorems"][-1][
        "agrees"
    ] in (None, True)


@pytest.mark.parametrize(("policy", "claim", "steps"), [("DT", "edt.thm1", 5), ("EDT", "edt.thm5", 3)])
def test_breaking_a_printed_theorem_moves_to_where_the_run_denies_it(policy: str, claim: str, steps: int) -> None:
    start = BurstSetting(policy=policy, steady=2 if policy == "EDT" else 0)
    shown = ThresholdExplorer(start).answer({"do": "break"})
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
    assert "no counterexample" in ThresholdExplorer(setting).answer({"do": "break"})["note"]
    assert predictions(BurstSetting(policy="complete sharing")) == ()
    assert predicted_drop(BurstSetting(ratio=Fraction(1))) is None
    assert worked(BurstSetting(policy="static partition")) == ""


@pytest.mark.parametrize("policy", ["DT", "EDT", "L2BM"])
def test_the_map_is_what_the_runs_say(policy: str) -> None:
    regions = ThresholdExplorer(BurstSetting(policy=policy)).answer({})["map"]
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
    with refused(field):
        explorer.answer({"values": values})
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
    with pytest.raises(FileNotFoundError, match=r"/nowhere/x\.html"):
        lab.threshold_explorer().save("/nowhere/x.html", [])


ODD_REQUESTS: list[Any] = [
    {"ahead": 5}, {"ahead": {}}, {"ahead": [5, None, []]}, [], None, 5, "values", {"values": []}, {"values": 5},
    {5: 6}, {"colour": 1},
]  # fmt: skip
ODD_VALUES: list[Any] = [
    "1e400",
    1e400,
    float("nan"),
    None,
    [],
    {},
    "9" * 5000,
    10**400,
    "1/0",
    "1/" + "9" * 5000,
    True,
]


@pytest.mark.parametrize(
    "make", [lab.threshold_explorer, lab.edt_designer, lambda: lab.packet_player("losspass")],
    ids=["explorer", "designer", "player"],
)  # fmt: skip
def test_every_panel_responds_to_odd_requests_with_an_error_or_an_answer(make: Callable[[], Any]) -> None:
    made = make()
    for request in ODD_REQUESTS:
        responded = made.respond(request)
        json.dumps(responded)
        assert "error" in responded or all("error" in one for one in responded["ahead"])
    for name in made.values():
        for value in ODD_VALUES:
            json.dumps(responded := made.respond({"values": {name: value}, "serial": 3}))
            assert responded["serial"] == 3
    for request in ({"held": []}, {"held": "1e400"}, {"do": 5}, {"view": []}):
        json.dumps(made.respond(request))
    assert "error" not in made.respond({})


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
    assert sent[1] == {"error": "steady: got 'x'; expected a whole number of at least 0", "view": "v", "serial": 8}
    soon = [{"values": {"length": "1"}, "held": "1"}, {"values": {"steady": "x"}}]
    widget._handle_custom_msg({"ahead": soon, "view": "v"}, [])
    answers = [explorer.answer(soon[0]), {"error": sent[1]["error"]}]
    assert sent[2] == {"ahead": answers, "view": "v", "serial": None}


def test_without_anywidget_it_is_a_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = lab.threshold_explorer()._repr_mimebundle_()
    assert set(bundle) == {"application/vnd.jupyter.widget-view+json", "image/png", "text/plain"}
    monkeypatch.setattr(panel, "find_spec", lambda name: None if name == "anywidget" else name)
    assert set(lab.threshold_explorer()._repr_mimebundle_()) == {"image/png", "text/plain"}


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lab") / "page.html"
    lab.threshold_explorer().save(path, ["steady"])
    return path


def test_a_page_asks_nobody_for_anything(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert set(re.findall(r"https?://[\w./]*", text)) == {"http://www.w3.org/2000/svg"}
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


@pytest.mark.needs("chromium")
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
    assert [seen.get("updates") for seen in (first, fifth, ninth, let_go)] == [None, "1", "2", "3"]
