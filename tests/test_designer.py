"""The EDT designer gives what the sheet gives and what runs do, and so does its page."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from pages import driven
from refusals import refused

from dtmodel import InputError, Switch, lab, sheet
from dtmodel.base import units
from dtmodel.lab.designer import guarantees
from dtmodel.lab.setting import BurstSetting
from dtmodel.theory.edt.inverse import worst_ports

F1 = Fraction(1)

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
    assert f"less than {units.brief(units.show_rate(125_000_000 + cn2 / tm1))}; this one is not recognised" in told
    assert "1" not in {s.name: s.options for s in slow.sliders}["ratio"]
    for values, field in (
        ({"ratio": "1"}, "ratio"), ({"ports": "512"}, "ports"),
        ({"bursts": "16"}, "bursts + steady"), ({"policy": "DT"}, "policy"),
    ):  # fmt: skip
        with refused(field):
            slow.answer({"values": values})
    with pytest.raises(InputError, match="ratio"):
        lab.edt_designer(burst_rate="1 Gbps")
    drawn = slow.figure().axes
    assert [axes.get_xlabel() for axes in drawn] == ["time (ms)", "steady ports N"]
    assert len(drawn[1].lines) == 2


@pytest.mark.needs("chromium")
def test_the_designer_on_a_page_tells_what_python_answers(tmp_path: Path) -> None:
    designer = lab.edt_designer(Switch(4, "1 MB", "1 Gbps"), steady=0)
    seen = driven(designer.page(["bursts"]), DESIGN, tmp_path)
    for (rows, lines, said), bursts in zip(seen, ("1", "4"), strict=True):
        answer = designer.answer({"values": {"bursts": bursts}})
        assert rows == answer["rows"]
        assert lines == 2
        assert all(theorem["says"] in said for theorem in answer["theorems"])
