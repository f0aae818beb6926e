"""The page "Where does the burst go?": recorded answers are the package's, and every question has an answer in it."""

import json
import re
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from pages import driven
from refusals import refused

from docs import story
from docs.build import ROOT
from dtmodel import DT, EDT, Arrivals, Switch, simulate
from dtmodel.lab.story import STEPS, Outcome
from dtmodel.theory import dt, edt
from dtmodel.theory.edt import Bursts

TEXT = ROOT / "docs" / "source" / "story.md"
FOUND = {"rate": "3", "policy": "DT", "alpha": "12", "steady": "6", "fast": "9/2", "others": "1/8", "edt": "9/8",
         "crowd": "5", "price": "7/4"}  # fmt: skip
"""The first value of each control that answers the question of its step."""
EACH = pytest.mark.parametrize("name", STEPS)


@cache
def page() -> str:
    return story.page(TEXT)


def recorded(name: str) -> dict[str, Any]:
    (data,) = re.findall(rf'data-step="{name}"><script type="application/json">(.*?)</script>', page())
    found: dict[str, Any] = json.loads(data)
    return found


@EACH
def test_the_recorded_answers_of_the_page_are_those_of_the_package(name: str) -> None:
    data, step = recorded(name), STEPS[name]
    assert list(data["answers"]) == list(step.options) == data["start"]["sliders"][0]["options"]
    for value, answer in data["answers"].items():
        assert answer == json.loads(json.dumps(step.answer({"values": {step.control: value}})))
        run = Outcome(step.setting.read(step.setting.values() | {step.control: value}), step.span).run
        drops = [mark["time"] for mark in answer["marks"] if mark["kind"] == "drop"]
        assert drops == [float(time) for time in [run.first_drop(0)] if time is not None]


@EACH
def test_each_question_is_answered_by_a_value_that_is_not_the_first(name: str) -> None:
    data = recorded(name)
    values = [value for value, answer in data["answers"].items() if answer["found"]]
    assert values[0] == FOUND[name]
    assert data["start"]["values"][STEPS[name].control] not in values


def test_the_replies_are_what_the_theorems_say() -> None:
    given = {"C": "1 Gbps", "B": "1 MB", "R": "2 Gbps", "alpha": 1, "M": 1, "N": 0}
    first = dt.theorem1.evaluate(**given).first_drop
    assert dt.theorem1.evaluate(**given | {"N": 6}).first_drop == first / 4
    assert dt.theorem1.evaluate(**given | {"alpha": 9}).free_at_first_drop == 100_000
    assert [dt.theorem1.evaluate(**given | {"N": 2, "R": rate}).case for rate in ("4 Gbps", "4.5 Gbps")] == ["a", "b"]
    overflow = [Bursts.of(alpha=1, buffer="1 MB", rate="1 Gbps", bursts=M, steady=2, burst_rate="2 Gbps") for M in
                range(1, 6)]  # fmt: skip
    assert [each.overflow / each.dt_drop for each in overflow] == [4, Fraction(5, 2), 2, Fraction(3, 2), Fraction(4, 3)]
    lost = [[of(overflow[0], Fraction(ms, 1000)) for of in (edt.dt_lost, edt.edt_lost)] for ms in (13, 14)]
    assert [dt_bytes == edt_bytes for dt_bytes, edt_bytes in lost] == [False, True]


def test_the_burst_of_the_page_is_absorbed_for_four_times_as_long_by_edt() -> None:
    arrivals = dict.fromkeys(range(3), Arrivals.constant("2 Gbps"))
    runs = [simulate(Switch(16, "1 MB", "1 Gbps"), policy, arrivals, initial={1: "steady", 2: "steady"}, until="9 ms")
            for policy in (DT(1), EDT(1, 10_000))]  # fmt: skip
    assert [run.first_drop(0) for run in runs] == [Fraction(2, 1000), Fraction(8, 1000)]


def test_the_text_has_every_step_once_with_a_question_and_a_reply() -> None:
    text = TEXT.read_text(encoding="utf-8")
    assert re.findall(r"<!-- story: (\w+) -->", text) == list(STEPS)
    for section in text.split("\n## ")[1:-1]:
        question, mark, reply = section.partition("<!-- story: ")
        assert mark
        assert re.search(r"\*\*[^*]+\?\*\*\s*$", question)
        assert ":::{container} story-reply" in reply
    assert set(re.findall(r'data-part="(\w+)"', text)) <= {"line", "other", "free", "threshold", "lost"}


def test_a_value_that_is_not_on_the_control_is_named() -> None:
    with refused("values.alpha"):
        STEPS["alpha"].answer({"values": {"alpha": "5"}})
    with refused("values.steady"):
        STEPS["alpha"].answer({"values": {"steady": "5"}})


DRIVER = """<script type="module">
const steps = [...document.querySelectorAll(".story-step")];
const wait = () => new Promise((done) => setTimeout(done, 20));
const hidden = steps.map((step) => step.closest("section").querySelector(".story-reply").hidden);
const seen = [];
for (const step of steps) {
  const control = step.querySelector("input, select");
  const values = JSON.parse(step.querySelector("script").textContent).start.sliders[0].options;
  step.querySelector("button").click();
  await wait();
  seen.push([values[control.value] ?? control.value, step.querySelector(".story-says").textContent,
    step.closest("section").querySelector(".story-reply").hidden]);
}
document.querySelector("[data-part=free]").focus();
const lit = document.querySelector(".dtm-drawing").dataset.part;
document.getElementById("story-live").click();
await wait();
const source = document.getElementById("story-source").textContent;
const textContent = JSON.stringify({ hidden, seen, lit, source });
document.body.replaceChildren(Object.assign(document.createElement("pre"), { textContent }));
</script>"""


@pytest.mark.needs("chromium")
def test_a_reader_who_asks_for_the_answers_sees_them_and_the_replies(tmp_path: Any) -> None:
    parts = re.sub(r"````(\{raw\} html)?", "", page()).split("\n## ")
    sections = "".join(f'<section>{part}<div class="story-reply">reply</div></section>' for part in parts[1:-1])
    shell = f"<html><body>{parts[0]}<main>{sections}</main>{parts[-1]}</body></html>"
    found = driven(shell, DRIVER, tmp_path, wait=20_000)
    assert found["hidden"] == [True] * len(STEPS)
    says = {name: recorded(name)["answers"][value]["says"] for name, value in FOUND.items()}
    assert found["seen"] == [[FOUND[name], f"✓ {says[name]}", False] for name in STEPS]
    assert found["lit"] == "free"
    assert "serve the site" in found["source"]
