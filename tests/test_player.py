"""The packet player shows after each event what the algorithm says of it, and so does its page."""

from fractions import Fraction
from pathlib import Path

import pytest
from pages import driven
from refusals import refused

from dtmodel import InputError, lab, trace
from dtmodel.packet.losspass.picture import columns

STEPPER = """
<script type="module">
const seen = [];
const text = (selector) => document.querySelector(selector)?.textContent ?? "";
const boxes = () => document.querySelectorAll(".dtm-box").length;
const facts = () => seen.push([boxes(), text("[role=status]"), text("[aria-current=step]")]);
const press = (label) => document.querySelector(`[aria-label="${label}"]`).click();
facts();
for (const label of ["one event on", "one event on", "one event on", "one event back", "to the end", "one event on"]) {
  press(label);
  facts();
}
document.body.replaceChildren(Object.assign(document.createElement("pre"), { textContent: JSON.stringify(seen) }));
</script>
"""


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
        with refused(field):
            lab.packet_player(source)
    for step in ("3", "-1", "x"):
        with pytest.raises(InputError, match="step"):
            witness.answer({"values": {"step": step}})


@pytest.mark.needs("chromium")
def test_the_player_on_a_page_goes_forwards_and_backwards(tmp_path: Path) -> None:
    player = lab.packet_player("losspass")
    seen = driven(player.page(["step"]), STEPPER, tmp_path)
    for (boxes, status, event), step in zip(seen, (0, 1, 2, 3, 2, 4, 4), strict=True):
        said = player.answer({"values": {"step": str(step)}})
        assert boxes == sum(len(bar["boxes"]) for bar in said["bars"])
        assert status == f"{said['decision'] or 'before the first event'} {said['reason']}"
        assert event == (said["events"][step - 1] if step else "")
