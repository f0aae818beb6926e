"""Formulas of weights, limits and EDT's parameters, shared by policies and theory, for numbers and symbols."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, final

from dtmodel.base import units
from dtmodel.base.errors import MISSING, InputError
from dtmodel.base.units import Quantity

NORMALISATIONS = ("sum", "mean", "harmonic", "least", "greatest")
"""The definitions of L2BM's C from the sojourn times; the paper uses the sum."""


SOJOURN_CONSTANTS: Mapping[str, tuple[tuple[str, ...], Callable[..., Any]]] = {
    "sum": (("S",), lambda S: S),
    "mean": (("S", "n"), lambda S, n: S / n),
    "harmonic": (("n", "H"), lambda n, H: n / H),
    "least": (("least",), lambda least: least),
    "greatest": (("greatest",), lambda greatest: greatest),
}
"""L2BM's C for each normalisation: n queues, S the sum of their sojourn times, H that of the inverses."""


def abm_weight(alpha: Any, share: Any, congested: Any) -> Any:
    """Return ABM's w = alpha_p / n_p times the queue's share of its port's rate (SIGCOMM 2022)."""
    return alpha / congested * share


def l2bm_weight(alpha: Any, C: Any, tau: Any) -> Any:
    """Return L2BM's w = alpha C / tau, its paper's equation (4)."""
    return alpha * C / tau


def sojourn_constant(sojourns: Sequence[Any], how: str, counts: Sequence[Any] = ()) -> Any:
    """Return L2BM's C of sojourn times by one of `NORMALISATIONS`; `counts`: the queues that have each of these times.

    >>> [str(sojourn_constant([Fraction(1), Fraction(3)], how)) for how in NORMALISATIONS]
    ['4', '2', '3/2', '1', '3']
    """
    each = list(zip(counts or (1,) * len(sojourns), sojourns, strict=True))
    n, total = sum(count for count, _ in each), sum((count * tau for count, tau in each), Fraction(0))
    parts: dict[str, Callable[[], Any]] = {
        "n": lambda: n,
        "S": lambda: total,
        "H": lambda: sum((count / tau for count, tau in each), Fraction(0)),
        "least": lambda: min(sojourns),
        "greatest": lambda: max(sojourns),
    }
    names, formula = SOJOURN_CONSTANTS[how]
    return formula(*(parts[name]() for name in names))


def shared_limits(alpha: Any, cap: Any, free: Any) -> tuple[Any, ...]:
    """Return the limits of a queue's share of a pool: alpha F and its static limit, if it has them."""
    dynamic = None if alpha is None else alpha * free
    return tuple(limit for limit in (dynamic, cap) if limit is not None)


def power_of_two(k: Any) -> Any:
    """Return alpha = 2^k, a shift in hardware; SONiC's `dynamic_th` is such an exponent `k`.

    >>> power_of_two(Fraction(-3))
    Fraction(1, 8)
    """
    return 2**k


def resume_threshold(xon: Any, pause: Any, xon_offset: Any, greatest: Callable[..., Any] = max) -> Any:
    """Return the length at which a queue that pauses at `pause` resumes, by SONiC's schema.

    >>> resume_threshold(2, 10, 3)
    7
    """
    return greatest(xon, pause - xon_offset)


def uncontrolled_share(B: Any, n: Any) -> Any:
    """Return EDT's threshold T_2 = B / n of each of n uncontrolled queues."""
    return B / n


def edt_counting_number(alpha: Any, B: Any, P: Any) -> Any:
    """Return EDT's counting number of C2 in bytes, its paper's equation (73)."""
    return 4 * alpha * B / (2 + alpha * P) ** 2


def edt_growth_timer(alpha: Any, P: Any, d: Any) -> Any:
    """Return EDT's default of TM1 for bursts of duration d, its paper's equation (78)."""
    return 4 * (1 + alpha * P) / (2 + alpha * P) ** 2 * d


NO_LIMIT = 'a static limit for a queue without alpha; alpha = "oo" if only the pool bounds it'
"""The accepted values for a queue without alpha and without a cap."""


def endless(alpha: object) -> bool:
    """Return True for an infinite weight: ``"oo"`` or ``"inf"``, the text of infinite numbers of SymPy and Python."""
    return str(alpha) in ("oo", "inf")


@final
@dataclass(frozen=True, init=False)
class QueueLimits:
    """The limits of one queue in a pool.

    Parameters
    ----------
    alpha : quantity or None
        The queue's weight in the pool: 0 if only its reserve holds bytes, ``"oo"`` or None if alpha F does not limit
        it.
    reserved : quantity
        The queue's own bytes.
    cap : quantity or None
        The largest number of bytes that the queue may take from the pool.
    field : str
        The field that an error names.

    Raises
    ------
    InputError
        If a value is not accepted, or `alpha` and `cap` are both None: a queue that only its pool bounds has ``"oo"``.

    Examples
    --------
    >>> QueueLimits("1/8", reserved="1 KB").reserved
    Fraction(1000, 1)
    """

    alpha: Fraction | None
    reserved: Fraction
    cap: Fraction | None

    def __init__(
        self, alpha: Quantity | None, reserved: Quantity = 0, cap: Quantity | None = None, field: str = "policy"
    ) -> None:
        if alpha is None and cap is None:
            raise InputError(f"{field}.cap", MISSING, NO_LIMIT)
        weight = None if alpha is None or endless(alpha) else units.number(alpha, f"{field}.alpha")
        limit = None if cap is None else units.bytes_(cap, f"{field}.cap")
        object.__setattr__(self, "alpha", weight)
        object.__setattr__(self, "reserved", units.bytes_(reserved, f"{field}.reserved"))
        object.__setattr__(self, "cap", limit)

    def shared(self, free: Fraction) -> Fraction:
        """Return min(alpha F, cap): the bytes that the queue may hold of its pool, of which `free` bytes are free.

        Raises `InputError` if only the pool bounds them.

        Examples
        --------
        >>> QueueLimits("1/2").shared(Fraction(6)), QueueLimits("1/2", cap=2).shared(Fraction(6))
        (Fraction(3, 1), Fraction(2, 1))
        """
        if self.alpha is None and self.cap is None:
            raise InputError("alpha", "oo", "a weight or a static limit")
        return Fraction(min(shared_limits(self.alpha, self.cap, free)))


def pause_headroom(C: Any, p: Any, r: Any, M_s: Any, M_r: Any, F: Any) -> Any:
    """Return the bytes that can still arrive on a link after a pause was requested.

    `C`, `p`, `r`: the link's rate, its propagation delay and the sender's reaction time. `M_s`, `M_r`, `F`: the largest
    frames at the sender and at the receiver, and the pause frame.

    >>> pause_headroom(1, 1, 1, 2, 2, 1)
    8
    """
    return C * (2 * p + r) + M_s + M_r + F
