"""The EDT designer: cn2, TM1 and TM2 for a switch and bursts, with the bursts that they protect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, cast, final

from dtmodel.base import units
from dtmodel.base.documents import only_keys, table
from dtmodel.base.errors import InputError
from dtmodel.fluid.switch import Switch
from dtmodel.lab.explorer import shown
from dtmodel.lab.panel import Panel
from dtmodel.lab.setting import BurstSetting, Slider, sliders_for
from dtmodel.plot.style import TIMES, policy_style, unit
from dtmodel.theory.edt import Bursts, EdtSettings, formulas
from dtmodel.theory.edt.drops import edt_drop_time

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from dtmodel.policies import EDT

_SLIDERS = ("ports", "rate", "buffer", "alpha", "ratio", "length", "steady", "bursts")
_MOST_PORTS = 256
"""The largest number of ports that a panel draws (two drop times for each)."""


class Guarantee(NamedTuple):
    """The longest lossless bursts of one rate under `dt` and `edt`, in seconds, indexed by N, with M = P - N."""

    dt: tuple[Fraction, ...]
    edt: tuple[Fraction, ...]

    def worst(self, policy: str) -> tuple[Fraction, int, int]:
        """Return the shortest time of a policy, with its M and N (the least N, if several have it)."""
        times = self.dt if policy == "DT" else self.edt
        least = min(times)
        N = times.index(least)
        return least, len(times) - N, N


def _bursts(s: BurstSetting, M: int, N: int) -> Bursts:
    return Bursts(s.alpha, s.buffer, s.rate, M, N, s.burst_rate)


def _settings(s: BurstSetting) -> EdtSettings:
    policy = cast("EDT", s.configured().policy)
    return EdtSettings(policy.cn2, policy.tm1, policy.tm2)


@lru_cache(maxsize=64)
def guarantees(s: BurstSetting) -> Guarantee:
    """Return the guarantees of DT and EDT for the switch, alpha and burst rate of `s`; its M and N have no effect."""
    settings = _settings(s)
    pairs = [_bursts(s, s.ports - N, N) for N in range(s.ports)]
    return Guarantee(tuple(each.dt_drop for each in pairs), tuple(edt_drop_time(each, settings) for each in pairs))


@final
@dataclass(frozen=True, eq=False)
class EdtDesigner(Panel):
    """Sliders over a switch and bursts, under EDT with the paper's settings for them; `edt_designer` makes one."""

    setting: BurstSetting

    kind = "designer"
    title = "EDT designer"

    @property
    def sliders(self) -> tuple[Slider, ...]:
        """The sliders with their values, in order."""
        known = {slider.name: slider for slider in sliders_for(self.setting)}
        rates = replace(known["ratio"], options=tuple(R for R in known["ratio"].options if Fraction(R) > 1))
        return tuple((known | {"ratio": rates})[name] for name in _SLIDERS)

    def values(self) -> dict[str, str]:
        """The initial values of the sliders, by name."""
        every = self.setting.values()
        return {name: every[name] for name in _SLIDERS}

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Compute the document that the browser draws for ``values`` of sliders (``held``: the span while one moves).

        It has the run as in the explorer, ``rows`` (setting, value, protected bursts), and ``guarantee``: the longest
        lossless bursts by N, in seconds.
        """
        only_keys(request, ("values", "held", "view", "serial"), "")
        asked = self.values() | dict(table(request.get("values", {}), "values"))
        only_keys(asked, _SLIDERS, "")
        s = _checked(BurstSetting.read(asked | {"policy": "EDT"}))
        drawn = shown(s, request.get("held", units.plain(max(Fraction(1), s.length * Fraction(4, 3)))))
        kept = {name: drawn["values"][name] for name in _SLIDERS}
        return drawn | {"values": kept, "map": None, "note": "", "rows": list(_rows(s)), "guarantee": _drawn(s)}

    def figure(self) -> Figure:
        """Draw the run at the initial values, and the guarantee for each N."""
        from dtmodel.plot.picture import Picture

        s, made = self.setting, self.answer({})
        figure = Picture(figsize=(10, 4), layout="constrained")
        left, right = figure.subplots(1, 2)
        (time, per_second), (size, per_byte) = made["units"]["time"], made["units"]["bytes"]
        for line in made["lines"]:
            points = [(t * per_second, q * per_byte) for t, q in line["points"]]
            dashes = "--" if line["role"] == "steady ports" else "-"
            left.plot(*zip(*points, strict=True), color=policy_style("EDT").colour, ls=dashes, label=line["role"])
        left.set(
            title=made["scene"], xlabel=f"time ({time})", ylabel=f"length ({size})", ylim=(0, None), xlim=(0, None)
        )
        left.title.set_fontsize("small")
        found = made["guarantee"]
        for name in ("DT", "EDT"):
            times = [t * found["unit"][1] for t in found[name]]
            right.plot(range(s.ports), times, label=f"{name}: {found['worst'][name]}", **policy_style(name).drawn)
        right.set(title="longest bursts without a loss, M = P - N", xlabel="steady ports N")
        right.set(ylabel=f"time ({found['unit'][0]})", ylim=(0, None))
        for axes in (left, right):
            axes.legend(frameon=False, fontsize="small")
        return figure


def edt_designer(
    switch: Switch | None = None,
    *,
    alpha: units.Quantity = 1,
    steady: int = 2,
    bursts: int = 1,
    burst_rate: units.Quantity | None = None,
    duration: units.Quantity | None = None,
) -> EdtDesigner:
    """Design EDT for a switch: cn2, TM1, TM2, their protection, the worst M and N, and the theorem with its numbers.

    `dtmodel.lab` explains the arguments. All bursts are equal; the timers are set for `duration`, at least B / C.
    Raises `InputError` if a value is not accepted.

    >>> edt_designer(Switch(ports=32, buffer="64 MB", rate="100 Gbps")).answer({})["rows"][0][1]
    '221.453 KB (64000000/289 B)'
    """
    sliders = {"policy": "EDT", "alpha": alpha, "steady": steady, "bursts": bursts}
    return EdtDesigner(_checked(BurstSetting.on(switch, sliders, burst_rate, duration)))


def _checked(s: BurstSetting) -> BurstSetting:
    if s.ports > _MOST_PORTS:
        raise InputError("ports", s.ports, f"at most {_MOST_PORTS}")
    if s.ratio <= 1:
        raise InputError("ratio", units.plain(s.ratio), "a burst that is faster than its port: more than 1")
    s.configured()
    return s


def _rows(s: BurstSetting) -> Iterator[list[str]]:
    settings, r = _settings(s), s.burst_rate - s.rate
    tm1, tm2 = cast("Fraction", settings.tm1), cast("Fraction", settings.tm2)
    here = _bursts(s, s.bursts, s.steady)
    largest = Fraction(formulas.cn2_integer(s.alpha, s.buffer, s.ports))
    said = {"largest": units.brief(units.show_bytes(largest)), "full": _brief(settings.cn2 / r)}
    yield ["cn2", units.show_bytes(settings.cn2), _PROTECTS["cn2"].format(**said, dt=_brief(here.dt_drop))]
    missed = units.brief(units.show_rate(s.rate + settings.cn2 / tm1))
    seen = "is recognised" if settings.cn2 / r <= tm1 else "is not recognised, and DT decides"
    yield ["TM1", units.show_seconds(tm1), _PROTECTS["TM1"].format(missed=missed, seen=seen)]
    yield ["TM2", units.show_seconds(tm2), _PROTECTS["TM2"]]
    found = guarantees(replace(s, steady=0, bursts=1))
    for policy in ("EDT", "DT"):
        time, M, N = found.worst(policy)
        yield [f"guarantee, {policy}", units.show_seconds(time), _PROTECTS["guarantee"].format(M=M, N=N)]
    ours = edt_drop_time(here, settings)
    more = f"without a loss under EDT; {float(ours / here.dt_drop):.3g} times as long as under DT"
    yield ["these M and N", units.show_seconds(ours), more]


_PROTECTS = {
    "cn2": "at most the length of a burst at DT's first drop, for all M + N up to P (the largest possible cn2 is "
    "{largest}); here C2 is full after {full}, and DT would drop at {dt}",
    "TM1": "EDT ignores a queue that needs longer for cn2, which is a rate of less than {missed}; this one {seen}",
    "TM2": "a recognised burst may exceed DT's threshold for this time, unless it ends or the buffer is full before",
    "guarantee": "no burst of this rate loses a byte in this time, for all M and N; the worst are M = {M}, N = {N}",
}


def _brief(time: Fraction) -> str:
    return units.brief(units.show_seconds(time))


def _drawn(s: BurstSetting) -> dict[str, Any]:
    found = guarantees(replace(s, steady=0, bursts=1))
    times = {"DT": [float(time) for time in found.dt], "EDT": [float(time) for time in found.edt]}
    worst = {name: found.worst(name) for name in times}
    here = float(edt_drop_time(_bursts(s, s.bursts, s.steady), _settings(s)))
    top = max(*times["DT"], *times["EDT"], here)
    styles = {name: policy_style(name) for name in times}
    return times | {
        "worst": {name: f"at worst {_brief(time)}, M = {M}, N = {N}" for name, (time, M, N) in worst.items()},
        "marks": {name: [N, float(time)] for name, (time, _, N) in worst.items()},
        "styles": {name: {"colour": style.colour, "dashes": list(style.dashes)} for name, style in styles.items()},
        "here": [s.steady, here],
        "unit": unit(top, TIMES),
        "top": top,
    }
