"""What the threshold explorer can be set to: a switch, a policy and bursts, each value on the grid of a slider.

Every value is exact. The burst's rate is a multiple of the port's, its duration a part of B / C, the time in which a
port sends a full buffer: so they keep their meaning when another switch is chosen.
"""

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
    """One value of a setting: its name, what people read, and the values that it can take, in order.

    Parameters
    ----------
    name, label : str
        In a request, and for people.
    options : tuple of str
        Its values, in order.

    Examples
    --------
    >>> Slider("steady", "N, overloaded ports", ("0", "1")).options
    ('0', '1')
    """

    name: str
    label: str
    options: tuple[str, ...]


@dataclass(frozen=True)
class BurstSetting:
    """A switch and a policy, M bursts at empty ports, N overloaded ports.

    Attributes
    ----------
    policy : str
        As in a comparison: ``"DT"``, ``"EDT"``, ``"ABM"`` and so on.
    ports : int
        P.
    buffer, rate : Fraction
        B in bytes and C in bytes per second.
    alpha : Fraction
        The control parameter.
    steady, bursts : int
        N and M.
    ratio : Fraction
        R / C.
    length : Fraction
        How long the first burst lasts, in units of B / C.
    others : Fraction
        How long each other burst lasts, as a part of the first one's duration.

    Examples
    --------
    >>> setting = BurstSetting()
    >>> str(setting.duration), setting.run("10 ms").first_drop(0)
    ('3/500', Fraction(1, 500))
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
        """R in bytes per second."""
        return self.ratio * self.rate

    @property
    def duration(self) -> Fraction:
        """How long the first burst lasts, in seconds."""
        return self.length * self.buffer / self.rate

    @property
    def durations(self) -> tuple[Fraction, ...]:
        """How long each burst lasts, in seconds."""
        return (self.duration, *[self.others * self.duration] * (self.bursts - 1))

    @property
    def switch(self) -> Switch:
        """The switch with the setting's ports, buffer and rate."""
        return Switch(self.ports, self.buffer, self.rate)

    def configured(self) -> Configured:
        """Set the policy for the switch.

        Raises
        ------
        InputError
            If there are more bursts and overloaded ports than ports, or the fluid model does not run the policy.
        """
        return _configured(self)

    def run(self, until: units.Quantity) -> Run[Fraction]:
        """Run the exact engine to `until`; queues 0 to M - 1 have the bursts, the next are overloaded."""
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
        """Write each value as its slider does."""
        each = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value if isinstance(value, str) else units.plain(value) for name, value in each.items()}

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> Self:
        """Read the `values` of sliders; what is missing is as by default.

        Raises
        ------
        InputError
            If a name is unknown, or a value is not accepted.
        """
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
        """Set sliders for a switch, where the rate and the duration of the first burst can have their own units.

        Parameters
        ----------
        switch : Switch, optional
            By default the one of `BurstSetting`.
        sliders : mapping
            As `read` takes them.
        burst_rate, duration : quantity, optional
            Of the first burst; by default the sliders say them as parts of C and of B / C.

        Raises
        ------
        InputError
            If a value is not accepted.

        Examples
        --------
        >>> BurstSetting.on(Switch(4, "1 MB", "1 Gbps"), {"alpha": 2}, "3 Gbps").values()["ratio"]
        '3'
        """
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
        """Write each value for a person, with its unit."""
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
    """Return the value of a slider if what is computed from it fits into floats, in which the browser draws."""
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
    """The policies that the fluid model runs, by the names that they give themselves for a switch."""
    setting = PolicySetting(8, Fraction(8), Fraction(1), 2, 2, Fraction(2), Fraction(8))
    found = {}
    for policy in policies.classes().values():
        found.update({way.name: policy for way in policy.for_switch(setting) if way.policy is not None})
    return found


def policy_names() -> tuple[str, ...]:
    """The policies that can be explored.

    Examples
    --------
    >>> policy_names()[:2]
    ('DT', 'EDT')
    """
    return tuple(_owners())


def _texts(values: Sequence[Fraction | int]) -> tuple[str, ...]:
    return tuple(units.plain(value) for value in values)


SLIDERS = (
    Slider("policy", "policy", ()),
    Slider("alpha", "α", _texts([*(Fraction(n, 32) * 2**power for power in range(8) for n in (2, 3)), Fraction(16)])),
    Slider("steady", "N, overloaded ports", _texts(range(13))),
    Slider("bursts", "M, bursts", _texts(range(1, 5))),
    Slider("ratio", "R, rate of a burst", _texts([Fraction(n, 4) for n in (4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 28,
                                                                         32, 40, 48, 64, 80)])),
    Slider("length", "d, burst 1 lasts", _texts([Fraction(n, 32) for n in (*range(1, 33), *range(34, 65, 2))])),
    Slider("others", "the other bursts last", _texts([Fraction(n, 16) for n in range(1, 17)])),
    Slider("ports", "P, ports", _texts([2**power for power in range(2, 8)])),
    Slider("buffer", "B, buffer", _texts([2**power * 125_000 for power in range(10)])),
    Slider("rate", "C, rate of a port", _texts([n * 125_000_000 for n in (1, 10, 25, 40, 100, 200, 400)])),
)  # fmt: skip
"""What one can move, in bytes, seconds and bytes per second; R is in C, the times of bursts are in B / C."""


def sliders_for(setting: BurstSetting) -> tuple[Slider, ...]:
    """The sliders, with the values of a setting among their options.

    Parameters
    ----------
    setting : BurstSetting
        Whose values are added.

    Examples
    --------
    >>> sliders_for(BurstSetting(alpha=Fraction(5)))[1].options[8:]
    ('1', '3/2', '2', '3', '4', '5', '6', '8', '12', '16')
    """
    values = setting.values()
    made = [Slider("policy", "policy", policy_names())]
    for slider in SLIDERS[1:]:
        options = {Fraction(option) for option in (*slider.options, values[slider.name])}
        made.append(Slider(slider.name, slider.label, _texts(sorted(options))))
    return tuple(made)
