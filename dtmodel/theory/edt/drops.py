"""EDT and DT under equal bursts: first loss, lost bytes, and the time until the queues have recovered.

At time 0 bursts of rate R hit M empty ports while N ports are in steady state (Section 4.3 of the DT/EDT paper). The
paper gives the time of the first loss for slow bursts; everything else here is our own, and is checked against the
engine.

The closed forms after the first loss assume that the steady ports are offered more than their threshold can rise
(`Bursts.follows`): a slower port lags behind its threshold, loses nothing, and its own counter may make it
uncontrolled.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Self, cast

from dtmodel.base import units
from dtmodel.base.errors import InputError
from dtmodel.base.units import Quantity
from dtmodel.theory.dt import formulas as dt_formulas
from dtmodel.theory.edt import formulas as edt_formulas


@dataclass(frozen=True)
class Bursts:
    """M equal bursts of rate R at time 0, beside N ports in steady state, in a switch with DT or EDT.

    - `alpha`: the control parameter.
    - `B`, `C`, `R`: the buffer (bytes), the rate of every port, and the rate of every burst (bytes/s), R > C.
    - `M`, `N`: the ports with bursts (at least 1) and those in steady state.

    Raises `InputError` if a value is out of range.

    >>> bursts = Bursts.of(alpha=1, buffer="1 MB", rate="1 Gbps", bursts=1, steady=2, burst_rate="2 Gbps")
    >>> str(bursts.dt_drop), str(bursts.overflow), bursts.slow
    ('1/500', '1/125', True)
    """

    alpha: Fraction
    B: Fraction
    C: Fraction
    M: int
    N: int
    R: Fraction

    def __post_init__(self) -> None:
        object.__setattr__(self, "alpha", units.number(self.alpha, "alpha", positive=True))
        object.__setattr__(self, "B", units.bytes_(self.B, "buffer", positive=True))
        object.__setattr__(self, "C", units.rate(self.C, "rate", positive=True))
        object.__setattr__(self, "M", units.count(self.M, "bursts", least=1))
        object.__setattr__(self, "N", units.count(self.N, "steady"))
        object.__setattr__(self, "R", units.rate(self.R, "burst_rate", positive=True))
        if self.R <= self.C:
            accepted = f"more than the port's rate, {units.plain(self.C)} bytes/s"
            raise InputError("burst_rate", units.plain(self.R), accepted)

    @classmethod
    def of(
        cls, *, alpha: Quantity, buffer: Quantity, rate: Quantity, bursts: int, steady: int, burst_rate: Quantity
    ) -> Self:
        """Return bursts from quantities: `buffer`, `rate` of a port, `burst_rate`; `steady` ports are overloaded."""
        made: Self = cast("Any", cls)(alpha, buffer, rate, bursts, steady, burst_rate)
        return made

    @property
    def r(self) -> Fraction:
        """The rate at which the queue of a burst grows, R - C, in bytes/s."""
        return self.R - self.C

    @property
    def slow(self) -> bool:
        """True if the steady ports stay on the falling threshold: R <= C (1 + (1 + alpha N) / (alpha M))."""
        return bool(dt_formulas.rate_bound(self.alpha, self.C, self.M, self.N) >= self.R)

    @cached_property
    def dt_drop(self) -> Fraction:
        """The time at which DT loses the first byte (Theorem 1)."""
        if self.slow:
            return Fraction(dt_formulas.slow_drop_time(self.alpha, self.B, self.M, self.N, self.r))
        return Fraction(dt_formulas.fast_drop_time(self.alpha, self.B, self.C, self.M, self.N, self.r))

    @cached_property
    def overflow(self) -> Fraction:
        """The time at which the buffer overflows if the bursts last (ours; equation (80) if the bursts are slow)."""
        if self.slow:
            return Fraction(edt_formulas.slow_overflow(self.B, self.M, self.r))
        return Fraction(edt_formulas.fast_overflow(self.alpha, self.B, self.C, self.M, self.N, self.r))

    @cached_property
    def steady_length(self) -> Fraction:
        """The length of every queue once all M + N are in steady state."""
        return Fraction(dt_formulas.slow_threshold(self.alpha, self.B, self.M, self.N))

    @cached_property
    def left(self) -> Fraction:
        """The length of each steady queue when the buffer overflows: 0 if the bursts are slow."""
        left = edt_formulas.left_at_overflow(self.alpha, self.B, self.C, self.N, self.overflow)
        return max(Fraction(left), Fraction(0))

    def follows(self, background: Fraction) -> bool:
        """Tell whether steady ports offered `background` bytes/s keep up with the threshold as the bursts drain."""
        return self.N == 0 or background - self.C > edt_formulas.rising_threshold(self.alpha, self.C, self.M, self.N)


@dataclass(frozen=True)
class EdtSettings:
    """The settings of EDT.

    - `cn2`: the counting number, in bytes.
    - `tm1`, `tm2`: the durations of the timers, in seconds; None if a timer never expires.

    >>> str(EdtSettings(Fraction(12_000), tm2=Fraction(1, 100)).cn2)
    '12000'
    """

    cn2: Fraction
    tm1: Fraction | None = None
    tm2: Fraction | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "cn2", units.bytes_(self.cn2, "cn2", positive=True))
        for name, value in (("tm1", self.tm1), ("tm2", self.tm2)):
            if value is not None:
                object.__setattr__(self, name, units.seconds(value, name, positive=True))


def edt_drop_time(bursts: Bursts, settings: EdtSettings) -> Fraction:
    """Return the time at which EDT loses the first byte of bursts that last long enough, for any settings (ours).

    A burst is controlled until its counter reaches cn2, then uncontrolled for TM2, controlled again, and so on. It
    loses its first byte when it is, or becomes, controlled with its queue at or above the DT threshold, and at latest
    when the buffer overflows. If TM1 expires before the counter reaches cn2, EDT acts as DT.
    """
    counting = settings.cn2 / bursts.r
    if (settings.tm1 is not None and settings.tm1 < counting) or bursts.dt_drop < counting:
        return bursts.dt_drop
    if settings.tm2 is None:
        return bursts.overflow
    return min(first_return(bursts.dt_drop, counting, settings.tm2), bursts.overflow)


def first_return(time: Fraction, counting: Fraction, tm2: Fraction) -> Fraction:
    """Return the first instant from `time` on at which a port is controlled (ours).

    The port counts for `counting` seconds, is uncontrolled for `tm2` seconds, and counts again.

    >>> [str(first_return(Fraction(time), Fraction(1), Fraction(3))) for time in (4, 5, 8)]
    ['4', '8', '8']
    """
    passed, within = divmod(time, counting + tm2)
    return time if within < counting else (passed + 1) * (counting + tm2)


def dt_queue(bursts: Bursts, time: Fraction) -> Fraction:
    """Return the length of a burst's queue under DT at `time`, while the bursts last (ours)."""
    s, time = bursts, units.seconds(time, "time")
    if time <= s.dt_drop:
        return min(s.r * time, s.steady_length)
    rise = Fraction(edt_formulas.rising_threshold(s.alpha, s.C, s.N, s.M))
    rising = s.r * s.dt_drop + rise * (time - s.dt_drop)
    return min(rising, s.steady_length)


def dt_lost(bursts: Bursts, duration: Fraction) -> Fraction:
    """Return the bytes of each burst that DT loses if the bursts last for `duration` (ours).

    >>> bursts = Bursts.of(alpha=1, buffer="1 MB", rate="1 Gbps", bursts=1, steady=2, burst_rate="2 Gbps")
    >>> str(dt_lost(bursts, Fraction(6, 1000)))
    '500000'
    """
    duration = units.seconds(duration, "duration")
    return bursts.r * duration - dt_queue(bursts, duration)


def edt_queue(bursts: Bursts, time: Fraction) -> Fraction:
    """Return the length of a burst's queue under EDT at `time`, if only an overflow ends the uncontrolled state (ours).

    After the overflow every queue is controlled: the longer ones drain at C until all are in steady state, and the
    shorter ones do so until they meet the threshold, which rises as the others drain.

    >>> str(edt_queue(Bursts(Fraction(1), Fraction(6), Fraction(1), 1, 1, Fraction(3)), Fraction(1)))
    '2'
    """
    s, time = bursts, units.seconds(time, "time")
    if time <= s.overflow:
        return s.r * time
    since, own = time - s.overflow, s.r * s.overflow
    others = s.left
    if own >= others:
        return max(own - s.C * since, s.steady_length)
    meeting = Fraction(edt_formulas.drained_to_threshold(s.alpha, s.C, s.M + s.N, own))
    if since <= meeting:
        return own - s.C * since
    rise = Fraction(edt_formulas.rising_threshold(s.alpha, s.C, s.N, s.M))
    rising = own - s.C * meeting + rise * (since - meeting)
    return min(rising, s.steady_length)


def edt_lost(bursts: Bursts, duration: Fraction) -> Fraction:
    """Return the bytes of each burst that EDT loses, if only an overflow ends the uncontrolled state (ours).

    >>> bursts = Bursts.of(alpha=1, buffer="1 MB", rate="1 Gbps", bursts=1, steady=2, burst_rate="2 Gbps")
    >>> [str(edt_lost(bursts, Fraction(d, 1000))) for d in (6, 8, 10)]
    ['0', '0', '500000']
    """
    duration = units.seconds(duration, "duration")
    return bursts.r * duration - edt_queue(bursts, duration)


def recovery_time(bursts: Bursts, queue: Fraction, duration: Fraction) -> Fraction:
    """Return the time at which all queues are as before the bursts (ours).

    `queue`, `duration`: the length of each burst's queue when the bursts end (bytes), and the end of the bursts (s).

    >>> bursts = Bursts.of(alpha=1, buffer="1 MB", rate="1 Gbps", bursts=1, steady=2, burst_rate="2 Gbps")
    >>> str(recovery_time(bursts, edt_queue(bursts, Fraction(6, 1000)), Fraction(6, 1000)))
    '3/250'
    """
    duration = units.seconds(duration, "duration")
    return duration + units.bytes_(queue, "queue") / bursts.C
