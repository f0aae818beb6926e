"""The parameter sheets of all systems through one call: ``sheet("edt", switch, duration="10 ms")``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from importlib import import_module
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any

from dtmodel.documents import choice, table
from dtmodel.errors import InputError
from dtmodel.switch import Switch

if TYPE_CHECKING:
    from dtmodel.buffer_profile import BufferProfile
    from dtmodel.theory.buffer_profile.sheet import SharedPool
    from dtmodel.theory.sheet import Sheet

__all__ = ["SYSTEMS", "sheet"]

SYSTEMS = {
    "dt": "dtmodel.theory.dt.sheet",
    "edt": "dtmodel.theory.edt.sheet",
    "losspass": "dtmodel.theory.losspass.sheet",
    "dynaq": "dtmodel.theory.dynaq.sheet",
    "l2bm": "dtmodel.theory.l2bm.sheet",
    "profile": "dtmodel.sheets",
}
"""The systems, and the module whose function ``parameters`` makes the sheet."""


def sheet(system: str, switch: Switch | Mapping[str, Any] | None = None, /, **settings: Any) -> Sheet:
    """Work out the parameters of a system for a switch, with formula, assumption, source and warnings.

    Parameters
    ----------
    system : {"dt", "edt", "losspass", "dynaq", "l2bm", "profile"}
        What manages the buffer; ``"profile"``: a switch's own buffer configuration.
    switch : Switch or mapping, optional
        Gives ports, buffer and rate as far as the system has them (LossPass and DynaQ guard one port: its buffer and
        rate); for ``"profile"`` the SONiC configuration. Without it these are settings, too.
    **settings
        The options of ``dtmodel params SYSTEM``, with underscores.

    Returns
    -------
    Sheet

    Raises
    ------
    InputError
        For an unknown system or setting, one that is missing, or a value that is not accepted.

    Examples
    --------
    >>> switch = Switch(ports=16, buffer="1 MB", rate="1 Gbps")
    >>> sheet("dt", switch, steady=2, burst_rate="2 Gbps")["first_drop"]
    Fraction(1, 500)
    >>> sheet("l2bm", switch, sojourns=["1 us", "9 us"])["weight_2"]
    Fraction(5, 36)
    """
    make = import_module(SYSTEMS[choice(system, "system", tuple(SYSTEMS))]).parameters
    known = {name.removesuffix("_"): parameter for name, parameter in signature(make).parameters.items()}
    given = _measures(switch, known) if isinstance(switch, Switch) else {} if switch is None else {"switch": switch}
    for name in (*settings, *given):
        if name not in known or (name in settings and name in given):
            value = settings.get(name, switch)
            raise InputError(name, value, f"a Switch and, each once, the settings of {system}: {', '.join(known)}")
    given |= settings
    for name, parameter in known.items():
        if parameter.default is Parameter.empty and name not in given:
            raise InputError(name, None, f"a value: {system} needs it")
    made: Sheet = make(**{known[name].name: value for name, value in given.items()})
    return made


def parameters(switch: Mapping[str, Any], *, side: str = "ingress", active: Sequence[str] = ()) -> Sheet:
    """Work out the sheet of a switch's buffer configuration.

    Parameters
    ----------
    switch : mapping
        The buffer tables of a SONiC configuration.
    side : {"ingress", "egress"}
        Whose queues.
    active : sequence of str
        The overloaded queues, such as ``"Ethernet0|3"``; all of the side by default.
    """
    from dtmodel.buffer_profile import read_buffer_profile
    from dtmodel.theory.buffer_profile.sheet import parameters as of_pools

    profile = read_buffer_profile(table(switch, "switch"))
    choice(side, "side", ("ingress", "egress"))
    return of_pools(_pools(profile, side, tuple(active) or tuple(profile.side(side))))


def _measures(switch: Switch, known: Mapping[str, object]) -> dict[str, Any]:
    return {name: getattr(switch, name) for name in ("ports", "buffer", "rate") if name in known}


def _pools(profile: BufferProfile, side: str, active: Sequence[str]) -> list[SharedPool]:
    from dtmodel.theory.buffer_profile.formulas import Limit, pool_steady_state
    from dtmodel.theory.buffer_profile.sheet import Group, SharedPool

    if not active:
        raise InputError("active", "none", f"at least one {side} queue")
    numbers = Counter(profile.profile_of(queue, side).name for queue in active)
    pools = []
    for pool in profile.pools.values():
        members = [
            (profile.profiles[name], number)
            for name, number in numbers.items()
            if profile.profiles[name].pool == pool.name
        ]
        if members:
            limits = [(Limit(p.alpha, p.reserved, p.cap), p, number) for p, number in members]
            free = pool_steady_state(pool.size, [limit for limit, _, number in limits for _ in range(number)]).free
            groups = [Group(p.name, number, limit, p.headroom, p.resumes(free)) for limit, p, number in limits]
            pools.append(SharedPool(pool.name, pool.size, tuple(groups)))
    return pools
