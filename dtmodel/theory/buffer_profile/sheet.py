"""The parameter sheet of a switch's buffer configuration: each pool with some queues overloaded, each profile in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dtmodel.theory.buffer_profile.formulas import Limit, PoolSteadyState, pool_steady_state
from dtmodel.theory.sheet import Parameter, Sheet
from dtmodel.units import show_bytes

__all__ = ["Group", "SharedPool", "parameters"]

_SOURCE = "l2bm.ours.pool-steady"
_READING = "dynamic_th n is alpha = 2^n, size is the queue's reserve, xoff its headroom (SONiC schema)"


@dataclass(frozen=True)
class Group:
    """Queues of one profile: its name, how many of them are overloaded, their limit, headroom, resume threshold."""

    name: str
    count: int
    limit: Limit
    headroom: Fraction = Fraction(0)
    resume: Fraction | None = None


@dataclass(frozen=True)
class SharedPool:
    """A pool: name, size in bytes, and the groups of overloaded queues."""

    name: str
    size: Fraction
    groups: tuple[Group, ...]


def parameters(pools: Sequence[SharedPool]) -> Sheet:
    """Work out the sheet: for each pool its steady state, for each profile alpha, reserve and threshold.

    Examples
    --------
    >>> group = Group("lossy", 4, Limit(Fraction(1, 8), Fraction(10)))
    >>> sheet = parameters([SharedPool("shared", Fraction(3000), (group,))])
    >>> str(sheet["shared.free"]), str(sheet["shared.lossy.threshold"])
    ('2000', '260')
    """
    rows: list[Parameter] = []
    warnings: list[str] = []
    for pool in pools:
        state = pool_steady_state(pool.size, [group.limit for group in pool.groups for _ in range(group.count)])
        rows += _rows(pool, state)
        if state.free * 20 < pool.size:
            warnings.append(f"{pool.name}: with all these queues overloaded only {show_bytes(state.free)} stay free")
        warnings += [
            f"{pool.name}: {group.name} pauses without headroom for what is in flight"
            for group in pool.groups
            if group.resume is not None and not group.headroom
        ]
    return Sheet("Buffer configuration, with the queues named overloaded", tuple(rows), tuple(warnings))


def _rows(pool: SharedPool, state: PoolSteadyState) -> Iterator[Parameter]:
    number = sum(group.count for group in pool.groups)
    yield Parameter(f"{pool.name}.size", "S", pool.size, "bytes", "", "BUFFER_POOL", _READING)
    yield Parameter(f"{pool.name}.queues", "n", number, "", "", "BUFFER_PG or BUFFER_QUEUE")
    yield Parameter(f"{pool.name}.free", "F", state.free, "bytes", r"S - \sum_i \min(\alpha_i F, c_i)", _SOURCE)
    for group in pool.groups:
        name, limit = f"{pool.name}.{group.name}", group.limit
        if limit.alpha is not None:
            yield Parameter(f"{name}.alpha", r"\alpha", limit.alpha, "", r"2^{dynamic\_th}", "BUFFER_PROFILE")
        yield Parameter(f"{name}.reserved", "r", limit.reserved, "bytes", "", "BUFFER_PROFILE")
        top = limit.reserved + limit.shared(state.free)
        yield Parameter(f"{name}.threshold", "T", top, "bytes", r"r + \min(\alpha F, c)", _SOURCE)
        alone = limit.reserved + limit.shared(pool_steady_state(pool.size, [limit]).free)
        yield Parameter(f"{name}.alone", "T_1", alone, "bytes", r"r + \min(\alpha F, c)", _SOURCE, "one queue alone")
        if group.headroom:
            yield Parameter(f"{name}.headroom", "H", group.headroom, "bytes", "xoff", "BUFFER_PROFILE")
        if group.resume is not None:
            yield Parameter(
                f"{name}.resume", "X", group.resume, "bytes", r"\max(xon, T - xon\_offset)", "SONiC schema",
                "at this threshold",
            )  # fmt: skip
