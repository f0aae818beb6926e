"""The threshold explorer: bursts beside steady ports under any policy, with the theorem that applies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, final

from dtmodel.base import units
from dtmodel.base.documents import only_keys, table
from dtmodel.base.errors import InputError
from dtmodel.base.mathtext import html_of
from dtmodel.fluid import Run
from dtmodel.fluid.switch import Switch
from dtmodel.lab.panel import Panel
from dtmodel.lab.predictions import PredictedDrop, counterexample, predicted_drop, predictions, worked
from dtmodel.lab.setting import BurstSetting, Slider, sliders_for
from dtmodel.plot.runs import length_points, lost_points, threshold_pieces
from dtmodel.plot.style import BYTES, TIMES, policy_style, unit
from dtmodel.theorems.ledger_door import verdict

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SPANS = tuple(Fraction(2) ** power for power in range(-4, 4))
"""The spans of time that a picture can show, in units of B / C."""


@final
@dataclass(frozen=True, eq=False)
class ThresholdExplorer(Panel):
    """Sliders over a switch, a policy and bursts, with `setting` as initial values; `threshold_explorer` makes one."""

    setting: BurstSetting

    kind = "explorer"
    title = "Threshold explorer"

    @property
    def sliders(self) -> tuple[Slider, ...]:
        """The sliders with their values, in order."""
        return sliders_for(self.setting)

    def values(self) -> dict[str, str]:
        """The initial values of the sliders, by name."""
        return self.setting.values()

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Compute the document that the browser draws for ``values`` of sliders: lines as points, and texts.

        ``held``: the fixed span of time in units of B / C while a slider moves (the map is omitted then). ``do``:
        ``"break"`` moves to the nearest counterexample of the printed theorem.
        """
        only_keys(request, ("values", "held", "do", "view", "serial"), "")
        setting = BurstSetting.read(self.values() | dict(table(request.get("values", {}), "values")))
        note = ""
        if request.get("do") == "break":
            setting, note = self._broken(setting)
        return shown(setting, request.get("held")) | {"note": note}

    def _broken(self, setting: BurstSetting) -> tuple[BurstSetting, str]:
        found = counterexample(setting, sliders_for(setting))
        if found is None:
            return setting, "no counterexample nearby: for this policy only the proved theorem is shown"
        there, steps = found
        away = (
            "here" if not steps else "1 step of a slider away" if steps == 1 else f"{steps} steps of the sliders away"
        )
        return there, f"a counterexample, {away}: the first drop of the run differs from the printed one"

    def figure(self) -> Figure:
        """Draw the run at the initial values."""
        from dtmodel import plot

        s = self.setting
        title = f"{s.policy}: N = {s.steady}, M = {s.bursts}, R = {units.show_rate(s.burst_rate)}"
        proved = [said.time for said in predictions(s) if said.drops][-1:]
        return plot.run(s.run(_span(s, None) * s.buffer / s.rate), title, dict(enumerate(proved)))


def threshold_explorer(
    switch: Switch | None = None,
    *,
    policy: str = "DT",
    alpha: units.Quantity = 1,
    steady: int = 2,
    bursts: int = 1,
    burst_rate: units.Quantity | None = None,
    duration: units.Quantity | None = None,
    others: units.Quantity = 1,
) -> ThresholdExplorer:
    """Explore the first drop of a burst under a policy: sliders, draggable arrivals, the theorem with its numbers.

    `policy`: ``"DT"``, ``"EDT"``, ``"ABM"`` or another policy of a comparison, configured for the switch. `others`: the
    duration of each other burst, as a fraction of the first. `dtmodel.lab` explains the other arguments. Raises
    `InputError` if a value is not accepted.

    >>> explorer = threshold_explorer(Switch(ports=16, buffer="1 MB", rate="1 Gbps"), steady=2, duration="6 ms")
    >>> explorer.answer({})["summary"][0]
    ['first drop', '2 ms (1/500 s)']
    """
    sliders = {"policy": policy, "alpha": alpha, "steady": steady, "bursts": bursts, "others": others}
    made = BurstSetting.on(switch, sliders, burst_rate, duration)
    made.configured()
    return ThresholdExplorer(made)


def shown(s: BurstSetting, held: object = None) -> dict[str, Any]:
    """Return the document that the browser draws for a setting; `held` is the fixed span of time, in units of B / C."""
    wide = _span(s, held)
    run = s.run(wide * s.buffer / s.rate)
    return {
        "values": s.values(),
        "shown": s.shown(),
        "scene": _scene(s),
        "settings": s.configured().settings,
        "span": units.plain(wide),
        **drawn(s, run),
        "arrivals": {"ratio": float(s.ratio), "ends": [float(d) for d in s.durations[:2]]},
        "theorems": [_theorem(s, run, said) for said in predictions(s)],
        "formula": html_of(f"${formula}$") if (formula := worked(s)) else "",
        "summary": _summary(s, run),
        "map": _map(replace(s, alpha=Fraction(1), ratio=Fraction(1))) if held is None else None,
    }


def drawn(s: BurstSetting, run: Run[Fraction]) -> dict[str, Any]:
    """Return the lines, areas and marks of a run of a setting, in seconds and bytes."""
    style = policy_style(s.policy)
    return {
        "until": float(run.until),
        "buffer": float(s.buffer),
        "units": {"time": unit(float(run.until), TIMES), "bytes": unit(float(s.buffer), BYTES)},
        "style": {"colour": style.colour, "dashes": list(style.dashes)},
        "lines": list(_lines(s, run)),
        "thresholds": [_floats(piece) for piece in threshold_pieces(run.queue(0))],
        "free": _floats(zip(run.free.times, run.free.values, strict=True)),
        "lost": [[float(part) for part in row] for row in lost_points(run.queue(0))],
        "marks": list(_marks(s, run)),
    }


def _scene(s: BurstSetting) -> str:
    bursts = "a burst" if s.bursts == 1 else f"{s.bursts} bursts"
    ports = "port" if s.steady == 1 else "ports"
    return f"{s.switch}; {bursts} of {units.show_rate(s.burst_rate)} beside {s.steady or 'no'} steady {ports}"


def _span(s: BurstSetting, asked: object) -> Fraction:
    if asked is None:
        return next((span for span in _SPANS if span >= s.length * Fraction(4, 3)), s.length * 2)
    span = units.number(asked, "held", positive=True)
    if not _SPANS[0] <= span <= 1000:
        raise InputError("held", asked, f"a number from {_SPANS[0]} to 1000")
    return span


def _floats(points: Any) -> list[list[float]]:
    return [[float(time), float(size)] for time, size in points]


def _lines(s: BurstSetting, run: Run[Fraction]) -> Iterator[dict[str, Any]]:
    drawn = [("burst 1" if s.bursts > 1 else "burst", 0)]
    drawn += [("other bursts", 1)] if s.bursts > 1 else []
    drawn += [("steady ports", s.bursts)] if s.steady else []
    for role, index in drawn:
        yield {"role": role, "points": _floats(length_points(run.queue(index)))}


def _marks(s: BurstSetting, run: Run[Fraction]) -> Iterator[dict[str, Any]]:
    """Yield the first drop of burst 1 in the run, and the predicted ones, as points on its curve."""
    queue, time = run.queue(0), run.first_drop(0)
    if time is not None:
        yield {"kind": "drop", "text": "first drop", "time": float(time), "size": float(queue.at(time))}
    for said in predictions(s):
        if said.time is not None and said.time <= run.until and said.drops:
            size = float(queue.at(said.time))
            yield {"kind": "theorem", "text": said.title, "time": float(said.time), "size": size}


def _theorem(s: BurstSetting, run: Run[Fraction], said: Any) -> dict[str, Any]:
    seen = run.first_drop(0)
    if said.drops is None:
        words, agrees = f"is silent: {said.silent}", None
    elif said.drops:
        words = f"first drop at {units.show_seconds(said.time)}"
        agrees = s.run(s.duration).first_drop(0) == said.time if seen is None else seen == said.time
    else:
        words, agrees = f"loses nothing: it would at {units.show_seconds(said.time)}", seen is None
    return {"claim": said.claim, "title": said.title, "verdict": verdict(said.claim), "says": words, "agrees": agrees}


def _summary(s: BurstSetting, run: Run[Fraction]) -> list[list[str]]:
    first, lost = run.first_drop(0), run.dropped(0)
    rows = [["first drop", "none" if first is None else units.show_seconds(first)]]
    if first is not None:
        free = run.free.at(first)
        rows.append(["free buffer then", f"{units.show_bytes(free)}, {units.show_percent(free / s.buffer)}"])
    offered = s.burst_rate * min(s.duration, run.until)
    rows.append(["lost bytes of burst 1", f"{units.show_bytes(lost)}, {units.show_percent(lost / offered)}"])
    return rows


@lru_cache(maxsize=64)
def _map(s: BurstSetting) -> dict[str, Any]:
    """Return the prediction for every alpha and R of the sliders, one letter each (see `_column`)."""
    sliders = {slider.name: slider.options for slider in sliders_for(s)}
    cells = [_column(replace(s, alpha=Fraction(alpha), ratio=Fraction(2)), sliders["ratio"]) for alpha in
             sliders["alpha"]]  # fmt: skip
    rows = ["".join(letters) for letters in zip(*cells, strict=True)]
    empty = all(set(row) <= {"k", "?"} for row in rows) and any("?" in row for row in rows)
    return {} if empty else {"alpha": list(sliders["alpha"]), "ratio": list(sliders["ratio"]), "rows": rows}


def _column(s: BurstSetting, ratios: tuple[str, ...]) -> list[str]:
    """Return a letter for each R: k no loss, s loss beside steady queues, f loss beside longer queues, ? unknown."""
    return [
        _cell(s, predicted_drop(replace(s, ratio=Fraction(ratio)))) if Fraction(ratio) > 1 else "k" for ratio in ratios
    ]


def _cell(s: BurstSetting, drop: PredictedDrop | None) -> str:
    if drop is None or min(s.durations) < min(s.duration, drop.time):
        return "?"
    if s.duration <= drop.time:
        return "k"
    return "s" if drop.follows else "f"
