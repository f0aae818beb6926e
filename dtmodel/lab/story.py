"""The steps of the page "Where does the burst go?": one control, one question, and the answer of every value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

from dtmodel.base import units
from dtmodel.base.documents import choice, only_keys, table
from dtmodel.fluid import Run
from dtmodel.lab.explorer import drawn
from dtmodel.lab.panel import Panel
from dtmodel.lab.predictions import predicted_drop
from dtmodel.lab.setting import BurstSetting, Slider, sliders_for

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@final
@dataclass(frozen=True)
class Outcome:
    """The run of a setting up to the end of its picture."""

    setting: BurstSetting
    span: Fraction

    @cached_property
    def run(self) -> Run[Fraction]:
        """The exact run up to the end."""
        return self.setting.run(self.span * self.setting.buffer / self.setting.rate)

    @property
    def drop(self) -> Fraction | None:
        """The first drop of burst 1 in seconds, or None."""
        return self.run.first_drop(0)

    @property
    def free(self) -> Fraction:
        """The free part of the buffer at the first drop, or at the end."""
        return self.run.free.at(self.run.until if self.drop is None else self.drop) / self.setting.buffer

    def told(self) -> dict[str, str]:
        """The parts of a sentence: the first drop of burst 1, the free part of the buffer, and the lost bytes."""
        lost, free = units.brief(units.show_bytes(self.run.dropped(0))), units.show_percent(self.free)
        if self.drop is None:
            return {
                "drop": "loses nothing",
                "free": f"{free} of the buffer is free in the end",
                "lost": lost,
                "all": "",
            }
        time = units.brief(units.show_seconds(self.drop))
        return {"drop": f"first loses a byte at {time}", "free": f"{free} of the buffer is free then", "lost": lost,
                "all": f", and {lost} in all"}  # fmt: skip


@final
@dataclass(frozen=True, eq=False)
class StoryStep(Panel):
    """A picture with one control, and a sentence that is true of every value of it.

    - `setting`: the values that do not move, and the first of the one that moves, `control`, with its `options`.
    - `says`: a sentence with the numbers of `Outcome.told` in braces, those of the policy `beside` with ``beside_``.
    - `found`: tells whether an outcome answers the question of the step; its second argument is the outcome under
      `beside`, which is the step's own policy if `beside` is empty.
    """

    setting: BurstSetting
    control: str
    options: tuple[str, ...]
    says: str
    found: Callable[[Outcome, Outcome], bool]
    beside: str = ""
    span: Fraction = Fraction(1)

    kind = "story"
    title = "Where does the burst go?"

    @property
    def sliders(self) -> tuple[Slider, ...]:
        """The one control of the step."""
        (known,) = (slider for slider in sliders_for(self.setting) if slider.name == self.control)
        return (replace(known, options=self.options),)

    def values(self) -> dict[str, str]:
        """The first value of the control."""
        return {self.control: self.setting.values()[self.control]}

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Compute the picture, the sentence, and ``found``: true if the value answers the question of the step."""
        only_keys(request, ("values", "view", "serial"), "")
        values = self.values() | dict(table(request.get("values", {}), "values"))
        only_keys(values, (self.control,), "values.")
        choice(values[self.control], f"values.{self.control}", self.options)
        here = Outcome(BurstSetting.read(self.setting.values() | values), self.span)
        other = Outcome(replace(here.setting, policy=self.beside or here.setting.policy), self.span)
        numbers = here.told() | {f"beside_{name}": text for name, text in other.told().items()}
        return {
            **drawn(here.setting, here.run),
            "beside": drawn(other.setting, other.run)["lines"] if self.beside else [],
            "values": values,
            "shown": {self.control: here.setting.shown()[self.control]},
            "says": self.says.format(**numbers),
            "found": self.found(here, other),
        }

    def figure(self) -> Figure:
        """Draw the run of the first value."""
        from dtmodel import plot

        return plot.run(Outcome(self.setting, self.span).run)


def _step(control: str, options: str, says: str, found: Callable[[Outcome, Outcome], bool], **more: Any) -> StoryStep:
    own = {name: more.pop(name) for name in ("beside", "span") if name in more}
    return StoryStep(replace(BurstSetting(), **more), control, tuple(options.split(", ")), says, found, **own)


def _falls_behind(here: Outcome, _: Outcome) -> bool:
    said = predicted_drop(here.setting)
    return said is not None and not said.follows


F = Fraction
_FREE, _LOST = "The burst {drop}; {free}.", "The burst {drop}{all}."
_LENGTHS = "1/8, 1/4, 3/8, 1/2, 5/8, 3/4, 7/8, 1, 9/8, 5/4, 11/8, 3/2, 13/8, 7/4, 15/8, 2"
STEPS: Mapping[str, StoryStep] = {
    "rate": _step("ratio", "1, 5/4, 3/2, 7/4, 2, 9/4, 5/2, 11/4, 3, 13/4, 7/2, 15/4, 4", _LOST,
                  lambda here, _: here.drop is None and here.setting.ratio == 3,
                  policy="complete sharing", steady=0, length=F(1, 2), ratio=F(4)),
    "policy": _step("policy", "complete sharing, static partition, DT", _FREE,
                    lambda here, _: here.setting.policy == "DT", policy="complete sharing"),
    "alpha": _step("alpha", "1/8, 1/4, 1/2, 1, 2, 3, 4, 6, 8, 9, 12, 16", _FREE,
                   lambda here, _: here.free < F(1, 10), steady=0, length=F(2)),
    "steady": _step("steady", "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12", _FREE,
                    lambda here, _: here.drop == F(1, 1000), steady=0),
    "fast": _step("ratio", "3/2, 2, 5/2, 3, 7/2, 4, 9/2, 5, 6, 7, 8", _FREE,
                  _falls_behind, span=F(1, 2)),
    "others": _step("others", "1/8, 1/4, 3/8, 1/2, 5/8, 3/4, 13/16, 7/8, 15/16, 1", _LOST,
                    lambda here, _: here.drop is None, steady=0, bursts=2, ratio=F(3, 2), length=F(7, 8)),
    "edt": _step("length", _LENGTHS, _LOST, lambda here, _: here.drop is not None,
                 policy="EDT", length=F(3, 4), span=F(2)),
    "crowd": _step("bursts", "1, 2, 3, 4, 5, 6, 7, 8", "Each burst {drop}; under DT it {beside_drop}.",
                   lambda here, dt: (here.drop or 0) < F(3, 2) * (dt.drop or 0),
                   policy="EDT", length=F(2), beside="DT", span=F(5, 4)),
    "price": _step("length", _LENGTHS, "The burst loses {lost}; under DT {beside_lost}.",
                   lambda here, dt: here.drop is not None and here.run.dropped(0) == dt.run.dropped(0),
                   policy="EDT", length=F(3, 4), beside="DT", span=F(2)),
}  # fmt: skip
"""The steps by name, in the order of the page; the test of the page has the answer to each question."""
