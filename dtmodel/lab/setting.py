"""The settings of the threshold explorer, all exact: rates are multiples of C, durations of B / C, for every switch."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cache, lru_cache, partial
from typing import Any, Self

from dtmodel import policies
from dtmodel.base import units
from dtmodel.base.documents import choice, only_keys
from dtmodel.base.errors import InputError
from dtmodel.fluid import Run, simulate
from dtmodel.fluid.switch import Arrivals, Switch, checked_switch
from dtmodel.policies import Configured, Policy, PolicySetting

_LARGEST = 10**60


@dataclass(frozen=True)
class Slider:
    """A slider: its `name` in requests, its `label`, and its values, the `options`, in order.

    >>> Slider("steady", "N, steady ports", ("0", "1")).options
    ('0', '1')
    """

    name: str
    label: str
    options: tuple[str, ...]


@dataclass(frozen=True)
class BurstSetting:
    """A switch and a policy (by its name in comparisons), M bursts that reach empty ports, and N steady ports.

    `ratio`: R / C. `length`: the duration of the first burst, in units of B / C; `others`: those of the others, as a
    fraction of the first.
    """

    policy: str = "DT"
    ports: int = 16
    buffer: Fraction = Fraction(10**6)
    rate: Fraction = Fraction(125_000_000)
    alpha: Fraction = Fraction(1)
    steady: int = 2
    bursts: int = 1
    ratio: Fraction = Fraction(2)
    length: Fraction = Fraction(3, 4)
    others: Fraction = Fraction(1)

    @property
    def burst_rate(self) -> Fraction:
        """The rate R of each burst, in bytes per second."""
        return self.ratio * self.rate

    @property
    def duration(self) -> Fraction:
        """The duration of the first burst, in seconds."""
        return self.length * self.buffer / self.rate

    @property
    def durations(self) -> tuple[Fraction, ...]:
        """The duration of each burst, in seconds."""
        return (self.duration, *[self.others * self.duration] * (self.bursts - 1))

    @property
    def switch(self) -> Switch:
        """The switch of the setting."""
        return Switch(self.ports, self.buffer, self.rate)

    def configured(self) -> Configured:
        """Configure the policy for the switch; `InputError` if M + N > P or the fluid model cannot run the policy."""
        return _configured(self)

    def run(self, until: units.Quantity) -> Run[Fraction]:
        """Run the exact engine to `until`; queues 0 to M - 1 get the bursts, the next N are steady."""
        way = self.configured()
        assert way.policy is not None
        first, M = self.duration, self.bursts
        arrivals = {port: Arrivals.burst(self.burst_rate, first if not port else self.others * first) for port in
                    range(M)}  # fmt: skip
        busy = range(M, M + self.steady)
        arrivals |= {port: Arrivals.constant(2 * self.rate) for port in busy}
        held = "steady" if way.held is None else way.held
        return simulate(self.switch, way.policy, arrivals, initial=dict.fromkeys(busy, held), until=until)

    def values(self) -> dict[str, str]:
        """Return each value as the text of its slider."""
        each = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value if isinstance(value, str) else units.plain(value) for name, value in each.items()}

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> Self:
        """Read the `values` of sliders, with defaults for missing ones; `InputError` if one is not accepted."""
        only_keys(values, tuple(field.name for field in fields(cls)), "")
        return cls(**{name: _drawable(_READ[name](value, name), name) for name, value in values.items()})

    @classmethod
    def on(
        cls,
        switch: Switch | None,
        sliders: Mapping[str, Any],
        burst_rate: units.Quantity | None = None,
        duration: units.Quantity | None = None,
    ) -> Self:
        """Return the setting for a `switch`, `sliders` as in `read`, and `burst_rate` and `duration` in any units."""
        s = cls()
        if switch is not None:
            size = checked_switch(switch)
            s = replace(s, ports=size.ports, buffer=size.buffer, rate=size.rate)
        values = dict(sliders)
        if burst_rate is not None:
            values["ratio"] = units.rate(burst_rate, "burst_rate", positive=True) / s.rate
        if duration is not None:
            values["length"] = units.seconds(duration, "duration", positive=True) * s.rate / s.buffer
        return cls.read(s.values() | values)

    def shown(self) -> dict[str, str]:
        """Return each value as a text with its unit."""
        return self.values() | {
            "buffer": units.show_bytes(self.buffer),
            "rate": units.show_rate(self.rate),
            "ratio": units.show_rate(self.burst_rate),
            "length": units.brief(units.show_seconds(self.duration)),
            "others": units.brief(units.show_seconds(self.others * self.duration)),
        }


@lru_cache(maxsize=256)
def _configured(s: BurstSetting) -> Configured:
    if s.bursts + s.steady > s.ports:
        raise InputError("bursts + steady", s.bursts + s.steady, f"at most {s.ports}, the number of ports")
    setting = PolicySetting(s.ports, s.buffer, s.rate, s.bursts, s.steady, s.burst_rate, s.duration, s.alpha)
    owner = _owners()[choice(s.policy, "policy", policy_names())]
    return next(way for way in owner.for_switch(setting) if way.name == s.policy)


def _drawable(value: Any, name: str) -> Any:
    """Return the value if floats (in which the browser draws) can hold the numbers computed from it."""
    if not isinstance(value, str) and max(abs(value.numerator), value.denominator) > _LARGEST:
        raise InputError(name, value, "a number of at most 60 digits")
    return value


def _positive(value: object, name: str) -> Fraction:
    return units.number(value, name, positive=True)


_READ: Mapping[str, Any] = {
    "policy": lambda value, name: choice(value, name, policy_names()),
    "ports": partial(units.count, least=1),
    "buffer": lambda value, name: units.bytes_(value, name, positive=True),
    "rate": lambda value, name: units.rate(value, name, positive=True),
    "alpha": _positive,
    "steady": units.count,
    "bursts": partial(units.count, least=1),
    "ratio": _positive,
    "length": _positive,
    "others": _positive,
}


@cache
def _owners() -> dict[str, type[Policy]]:
    """Map the name of each policy that the fluid model runs to its class."""
    setting = PolicySetting(8, Fraction(8), Fraction(1), 2, 2, Fraction(2), Fraction(8))
    found = {}
    for policy in (kind for kind in policies.classes().values() if not kind.by_name):
        found.update({way.name: policy for way in policy.for_switch(setting) if way.policy is not None})
    return found


def policy_names() -> tuple[str, ...]:
    """Return the names of the policies that can be explored."""
    return tuple(_owners())


def _texts(values: Sequence[Fraction | int]) -> tuple[str, ...]:
    return tuple(units.plain(value) for value in values)


SLIDERS = (
    Slider("policy", "policy", ()),
    Slider("alpha", "α", _texts([*(Fraction(n, 32) * 2**power for power in range(8) for n in (2, 3)), Fraction(16)])),
    Slider("steady", "N, steady ports", _texts(range(13))),
    Slider("bursts", "M, bursts", _texts(range(1, 5))),
    Slider("ratio", "R, rate of a burst", _texts([Fraction(n, 4) for n in (4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28,
                                                                         32, 40, 48, 64, 80)])),
    Slider("length", "d, burst 1 lasts", _texts([Fraction(n, 32) for n in (*range(1, 33), *range(34, 65, 2))])),
    Slider("others", "the other bursts last", _texts([Fraction(n, 16) for n in range(1, 17)])),
    Slider("ports", "P, ports", _texts([2**power for power in range(2, 8)])),
    Slider("buffer", "B, buffer", _texts([2**power * 125_000 for power in range(10)])),
    Slider("rate", "C, rate of a port", _texts([n * 125_000_000 for n in (1, 10, 25, 40, 100, 200, 400)])),
)  # fmt: skip
"""The sliders: B in bytes, C in bytes per second, R in units of C, durations of bursts in units of B / C."""


def sliders_for(setting: BurstSetting) -> tuple[Slider, ...]:
    """Return the sliders, with the values of the `setting` added to their options."""
    values = setting.values()
    made = [Slider("policy", "policy", policy_names())]
    for slider in SLIDERS[1:]:
        options = {Fraction(option) for option in (*slider.options, values[slider.name])}
        made.append(Slider(slider.name, slider.label, _texts(sorted(options))))
    return tuple(made)
