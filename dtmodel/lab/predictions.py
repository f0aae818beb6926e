"""Predictions of the claim that a policy names for a setting, and counterexamples to printed theorems."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple, cast

from dtmodel.base import units
from dtmodel.base.mathtext import with_numbers
from dtmodel.lab.assets import made
from dtmodel.lab.setting import BurstSetting, Slider
from dtmodel.policies import Configured
from dtmodel.theorems.data import at
from dtmodel.theorems.writing import tex_of
from dtmodel.theory import dt, edt, threshold_family
from dtmodel.theory.dt import formulas as dt_formulas
from dtmodel.theory.edt import drops
from dtmodel.theory.edt import formulas as edt_formulas

if TYPE_CHECKING:
    from dtmodel.policies import EDT, Policy


class PredictedDrop(NamedTuple):
    """The first drop of unending bursts, in seconds; `follows`: the steady ports stay on their falling thresholds."""

    time: Fraction
    follows: bool


@dataclass(frozen=True)
class Prediction:
    """The prediction of one theorem for a setting; `claim` is its id in the ledger and `title` its name.

    `time` is the first drop of the bursts in seconds, and `drops` is True if burst 1 loses bytes. Both are None if the
    theorem does not apply; `silent` is the reason.
    """

    claim: str
    title: str
    time: Fraction | None
    drops: bool | None
    silent: str = ""


def _bursts(s: BurstSetting) -> edt.Bursts:
    return edt.Bursts(s.alpha, s.buffer, s.rate, s.bursts, s.steady, s.burst_rate)


def _dt_drop(s: BurstSetting, way: Configured) -> PredictedDrop:
    del way
    bursts = _bursts(s)
    return PredictedDrop(bursts.dt_drop, bursts.slow)


def _edt_drop(s: BurstSetting, way: Configured) -> PredictedDrop:
    policy = cast("EDT", way.policy)
    settings = edt.EdtSettings(policy.cn2, policy.tm1, policy.tm2)
    bursts = _bursts(s)
    return PredictedDrop(drops.edt_drop_time(bursts, settings), bursts.slow)


def _weighted(s: BurstSetting, weights: tuple[Fraction, ...]) -> threshold_family.WeightedDrop:
    held = [threshold_family.Held(weight, s.rate) for weight in weights[s.bursts :]]
    bursts = [threshold_family.Burst(weight, s.rate, s.burst_rate) for weight in weights[: s.bursts]]
    return threshold_family.weighted_first_drop(s.buffer, held, bursts)


def _weights(s: BurstSetting, way: Configured) -> tuple[Fraction, ...]:
    return cast("Policy", way.policy).weights_of(s.buffer, s.bursts + s.steady) or ()


def _weighted_drop(s: BurstSetting, way: Configured) -> PredictedDrop:
    weights = _weights(s, way)
    drop = _weighted(s, weights)
    return PredictedDrop(drop.time, all(weight * drop.fall <= s.rate for weight in weights[s.bursts :]))


_WEIGHTED = "l2bm.ours.first-drop"
_DROPS: Mapping[str, Callable[[BurstSetting, Configured], PredictedDrop]] = {
    "edt.ours.theorem1": _dt_drop,
    "edt.ours.drop-time": _edt_drop,
    _WEIGHTED: _weighted_drop,
}


@lru_cache(maxsize=256)
def predicted_drop(s: BurstSetting) -> PredictedDrop | None:
    """Return the first drop of unending bursts by the theorem of the policy; None if no theorem applies."""
    way = s.configured()
    if way.claim not in _DROPS or s.ratio <= 1:
        return None
    return _DROPS[way.claim](s, way)


@lru_cache(maxsize=16)
def predictions(s: BurstSetting) -> tuple[Prediction, ...]:
    """Return the prediction of the printed theorem, if one applies, and then of the proved theorem."""
    claim, drop = s.configured().claim, predicted_drop(s)
    if drop is None:
        return ()
    return (*_printed(s, claim), Prediction(claim, _TITLES[claim], drop.time, *_drops(s, drop.time)))


_PRINTED = ("edt.ours.theorem1", "edt.ours.drop-time")
"""The proved claims that correct or extend a printed theorem."""
_TITLES = {
    "edt.ours.theorem1": "Theorem 1, corrected",
    "edt.ours.drop-time": "First loss under EDT",
    _WEIGHTED: "First drop for any weights",
}


def _printed(s: BurstSetting, claim: str) -> Iterator[Prediction]:
    if claim == "edt.ours.theorem1":
        time = dt.theorem1.evaluate(s.switch, alpha=s.alpha, N=s.steady, M=s.bursts, R=s.burst_rate).first_drop
        yield Prediction("edt.thm1", "Theorem 1, as printed", time, s.duration > time or None, "the burst is short")
    if claim == "edt.ours.drop-time":
        title, values = "Theorem 5, as printed", {"N": s.steady, "M": s.bursts, "R": s.burst_rate}
        at_values = values | {"C": s.rate, "P": s.ports}
        known = zip(edt.theorem5.conditions, made("conditions") or conditions(), strict=True)
        false = next((text for condition, text in known if not at(condition, at_values)), "")
        if false:
            yield Prediction("edt.thm5", title, None, None, false)
        else:
            time = edt.theorem5.evaluate(s.switch, **values).first_drop
            yield Prediction("edt.thm5", title, time, s.duration > time or None, "the burst is short")


@cache
def conditions() -> list[str]:
    """Return the hypotheses of Theorem 5 as texts, which SymPy writes."""
    return list(map(edt.theorem5.shown_condition, edt.theorem5.conditions))


def _drops(s: BurstSetting, time: Fraction) -> tuple[bool | None, str]:
    """Return True if burst 1 loses bytes; None, with the reason, if another burst ends before the theorem applies."""
    if min(s.durations) >= min(s.duration, time):
        return s.duration > time, ""
    return None, "another burst ends before"


def worked(s: BurstSetting) -> str:
    """Return the formula of the first drop with its numbers, as LaTeX; empty if no theorem applies."""
    way, drop = s.configured(), predicted_drop(s)
    if drop is None:
        return ""
    formula = _formula(*_form(s, way, drop))
    if not formula:
        return ""
    numbers = {
        r"\alpha": units.plain(s.alpha), "B": units.show_bytes(s.buffer), "C": units.show_rate(s.rate),
        "M": str(s.bursts), "N": str(s.steady), "R": units.show_rate(s.burst_rate),
    }  # fmt: skip
    if way.claim == _WEIGHTED:
        weights = _weights(s, way)
        free = threshold_family.left_free(s.buffer, sum(weights[s.bursts :]))
        fall = _weighted(s, weights).fall
        numbers |= {"w": units.plain(weights[0]), "F_{0}": units.brief(units.show_bytes(free))}
        numbers |= {r"\varphi": units.brief(units.show_rate(fall))}
    put = with_numbers(formula, numbers)
    return rf"t = {formula} = {put} = \text{{{units.show_seconds(drop.time)}}}"


def _form(s: BurstSetting, way: Configured, drop: PredictedDrop) -> tuple[str, bool]:
    """Return the name of the formula of the first drop (empty if none applies), and the case for it."""
    if way.claim == _WEIGHTED:
        return "weighted", True
    if way.claim == "edt.ours.theorem1" or drop.time == _bursts(s).dt_drop:
        return "dt", drop.follows
    return ("overflow" if drop.time == _bursts(s).overflow else ""), drop.follows


@cache
def _formula(form: str, follows: bool) -> str:
    """Return the LaTeX of the first drop, which needs SymPy unless it was computed before; empty for no form."""
    name = f"{form} on the threshold" if follows else form
    if name not in _FORMULAS:
        return ""
    return str((made("formulas") or formulas(name))[name])


def formulas(*names: str) -> dict[str, str]:
    """Return the LaTeX of the formulas of the first drop, of all if no `names` are given."""
    chosen = {name: _FORMULAS[name] for name in names} if names else _FORMULAS
    return {name: tex_of(formula, *symbols) for name, (formula, symbols) in chosen.items()}


_NAMES = ("alpha", "B", "M", "N", "R", "C")
_FORMULAS: Mapping[str, tuple[Callable[..., object], tuple[str, ...]]] = {
    "weighted on the threshold": (
        lambda w, F_0, R, C, varphi: threshold_family.meets(w, w * F_0, R - C, varphi),
        ("w", "F_0", "R", "C", "varphi"),
    ),
    "dt on the threshold": (lambda alpha, B, M, N, R, C: dt_formulas.slow_drop_time(alpha, B, M, N, R - C), _NAMES),
    "dt": (lambda alpha, B, M, N, R, C: dt_formulas.fast_drop_time(alpha, B, C, M, N, R - C), _NAMES),
    "overflow on the threshold": (lambda B, M, R, C: edt_formulas.slow_overflow(B, M, R - C), ("B", "M", "R", "C")),
    "overflow": (lambda alpha, B, M, N, R, C: edt_formulas.fast_overflow(alpha, B, C, M, N, R - C), _NAMES),
}
"""The formulas by their form; in some the steady ports stay on their falling thresholds."""
_MOVED = ("alpha", "steady", "bursts", "ratio", "length", "others")
_TRIED = 6000
"""The largest number of settings in a search for a counterexample."""


def counterexample(s: BurstSetting, sliders: tuple[Slider, ...]) -> tuple[BurstSetting, int] | None:
    """Return the setting nearest in steps of the sliders that refutes the policy's printed theorem, with its distance.

    The engine runs only settings for which the printed and the proved theorem differ; None if none refutes it.
    """
    options = {slider.name: slider.options for slider in sliders if slider.name in _MOVED}
    values = s.values()
    start = tuple(options[name].index(values[name]) for name in _MOVED)
    queue, seen = [(0, start)], {start}
    if s.configured().claim not in _PRINTED:
        return None
    for _ in range(_TRIED):
        if not queue:
            break
        steps, place = heappop(queue)
        here = BurstSetting.read(values | {name: options[name][at] for name, at in zip(_MOVED, place, strict=True)})
        if _fails(here):
            return here, steps
        for neighbour in _neighbours(place, [len(options[name]) for name in _MOVED]):
            if neighbour not in seen:
                seen.add(neighbour)
                heappush(queue, (steps + 1, neighbour))
    return None


def _neighbours(place: tuple[int, ...], sizes: list[int]) -> Iterator[tuple[int, ...]]:
    for axis, size in enumerate(sizes):
        for step in (1, -1):
            if 0 <= place[axis] + step < size:
                yield (*place[:axis], place[axis] + step, *place[axis + 1 :])


def _fails(s: BurstSetting) -> bool:
    """Return True if a run refutes the first drop of burst 1 in the printed theorem."""
    if s.bursts + s.steady > s.ports or s.ratio <= 1:
        return False
    said = predictions(s)
    if len(said) < 2 or not said[0].drops or (said[1].drops and said[1].time == said[0].time):
        return False
    return s.run(s.duration).first_drop(0) != said[0].time
