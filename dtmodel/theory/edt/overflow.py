"""EDT after the overflow: steady ports that are offered too little to follow the threshold (ours).

At the overflow all ports are controlled, and the queues of the bursts drain at C. The threshold then rises by alpha M C
/ (1 + alpha N) bytes/s if the steady ports follow it. A port that is offered at most that much more than C loses
nothing while it grows, counts, and becomes uncontrolled, unless TM1 expires before; then it takes the buffer.

>>> bursts = Bursts.of(alpha=1, buffer="1 MB", rate="1 Gbps", bursts=2, steady=1, burst_rate="2 Gbps")
>>> settings = EdtSettings(cn2=Fraction(12_000), tm1=Fraction(21, 10_000), tm2=Fraction(1, 100))
>>> print(steady_uncontrolled(bursts, settings, bursts.R), *steady_peak(bursts, settings, bursts.R))
64/15625 3/250 1000000
"""

from fractions import Fraction
from typing import NamedTuple

from dtmodel.base import units
from dtmodel.base.errors import InputError
from dtmodel.theory.edt import formulas
from dtmodel.theory.edt.drops import Bursts, EdtSettings, first_return


class Peak(NamedTuple):
    """The greatest length of a queue, and its time.

    - `time`, `length`: in seconds, and in bytes.

    >>> Peak(Fraction(1), Fraction(2)).length
    Fraction(2, 1)
    """

    time: Fraction
    length: Fraction


def steady_uncontrolled(bursts: Bursts, settings: EdtSettings, background: Fraction) -> Fraction | None:
    """Return the time at which steady ports become uncontrolled after the overflow; None if they never do (ours).

    The ports are offered `background` bytes/s; the bursts are recognised, last, and only the overflow ends their
    uncontrolled state: otherwise `InputError` is raised. The ports become uncontrolled iff background - C is greater
    than 0, at most the rate of the rising threshold, and at least cn2 / TM1, and they grow by cn2 or more until all
    queues have one length.
    """
    excess = _excess(bursts, settings, background)
    grown = formulas.growth_to_common(bursts.alpha, bursts.B, bursts.M, bursts.N, bursts.left)
    if excess == 0 or bursts.follows(background) or settings.cn2 > grown:
        return None
    if settings.tm1 is not None and settings.cn2 > excess * settings.tm1:
        return None
    return _meeting(bursts).time + settings.cn2 / excess


def steady_peak(bursts: Bursts, settings: EdtSettings, background: Fraction) -> Peak | None:
    """Return the first loss of the ports of `steady_uncontrolled` after the overflow, and their length then (ours).

    At latest, each of them then holds B / N, while the bursts hold nothing.

    Returns
    -------
    Peak or None
        None if they do not become uncontrolled.

    Raises
    ------
    InputError
        As `steady_uncontrolled`.

    Examples
    --------
    >>> bursts = Bursts(Fraction(1), Fraction(1000), Fraction(1), 2, 1, Fraction(2))
    >>> str(steady_peak(bursts, EdtSettings(Fraction(10)), Fraction(2)).length)
    '1000'
    """
    if steady_uncontrolled(bursts, settings, background) is None:
        return None
    excess, start = background - bursts.C, _meeting(bursts)
    common = (bursts.steady_length - start.length) / excess
    grows = (bursts.B / bursts.N - start.length) / excess
    if settings.tm2 is not None:
        grows = min(grows, first_return(common, settings.cn2 / excess, settings.tm2))
    return Peak(start.time + grows, start.length + excess * grows)


def _excess(bursts: Bursts, settings: EdtSettings, background: Fraction) -> Fraction:
    if bursts.N == 0 or background < bursts.C:
        raise InputError("background", units.plain(background), f"at least {units.plain(bursts.C)}, and a steady port")
    counting = settings.cn2 / bursts.r
    if counting > bursts.dt_drop or (settings.tm1 is not None and counting > settings.tm1):
        raise InputError("cn2", units.plain(settings.cn2), "a growth that bursts reach before DT drops and TM1 expires")
    if settings.tm2 is not None and counting + settings.tm2 < bursts.overflow:
        raise InputError("tm2", units.plain(settings.tm2), "a time that lasts until the overflow")
    return background - bursts.C


def _meeting(bursts: Bursts) -> Peak:
    """Return the time at which the draining steady queues meet the threshold, and their length then."""
    drains = formulas.drained_to_threshold(bursts.alpha, bursts.C, bursts.M + bursts.N, bursts.left)
    return Peak(bursts.overflow + drains, bursts.left - bursts.C * drains)
