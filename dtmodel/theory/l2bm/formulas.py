r"""L2BM's thresholds: alpha weighted by C / tau, for every normalisation C, and the exact comparison with plain DT.

Ingress queue i has the average sojourn time tau_i > 0, and may hold

.. math:: T_i = w_i (B - Q), \qquad w_i = \alpha C / \tau_i \qquad\text{(equations (3) and (4))}.

Write n for the number of active queues, S for the sum of their tau_i and H for the sum of 1 / tau_i. The paper takes
C = S. Then, for every n and all sojourn times (claims ``l2bm.ours.*``):

- w_i = alpha (1 + sum over the other queues of tau_j / tau_i) >= alpha: no queue is ever held below DT's threshold at
  the same alpha and occupancy;
- W = alpha S H >= alpha n^2, with equality iff all tau are equal: in steady state L2BM fills more of the buffer than DT
  with the same alpha as soon as n >= 2;
- in steady state queue i lies below DT's threshold iff C (1 + alpha n) < tau_i (1 + alpha C H);
- W = alpha n, DT's total, iff C = n / H, the harmonic mean; the arithmetic mean gives at least that, the least tau at
  most.

Sojourn times only compare queues with each other: multiplied by one factor, they give the same thresholds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from dtmodel.base.errors import InputError
from dtmodel.base.units import Quantity, bytes_, each, number, plain, seconds
from dtmodel.policies import formulas as weights_of
from dtmodel.theory import threshold_family
from dtmodel.theory.threshold_family import SteadyState

if TYPE_CHECKING:
    import sympy

NORMALISATIONS = weights_of.NORMALISATIONS
Normalisation = str | Fraction
"""One of `NORMALISATIONS`, or C itself in seconds."""


@dataclass(frozen=True)
class AgainstDt:
    """L2BM beside DT, in steady state.

    - `l2bm`, `dt`, `dt_same_weight` (SteadyState): L2BM; DT with the same alpha; DT with the alpha that gives it L2BM's
      total weight, W / n.
    - `weights`: w_i of L2BM.
    - `ratios`: L2BM's threshold over that of DT with the same alpha, queue by queue.
    - `below`: the queues whose steady threshold lies below that of DT with the same alpha.
    - `reduction`: 1 - L2BM's occupancy over DT's at the same alpha; negative where L2BM holds more.

    >>> found = compare_with_dt(100, [1, 3], 1)
    >>> [str(weight) for weight in found.weights], found.below
    (['4', '4/3'], (1,))
    """

    l2bm: SteadyState
    dt: SteadyState
    dt_same_weight: SteadyState
    weights: tuple[Fraction, ...]
    ratios: tuple[Fraction, ...]
    below: tuple[int, ...]
    reduction: Fraction


def normaliser(sojourns: Sequence[Fraction], normalisation: Normalisation = "sum") -> Fraction:
    """Return C, the constant above the sojourn times, in seconds."""
    if not isinstance(normalisation, str):
        return seconds(normalisation, "normalisation", positive=True)
    if normalisation in NORMALISATIONS:
        return Fraction(weights_of.sojourn_constant(sojourns, normalisation))
    raise InputError("normalisation", normalisation, f"one of {', '.join(NORMALISATIONS)}, or C in seconds")


def weights(
    sojourns: Sequence[Quantity], alpha: Quantity, normalisation: Normalisation = "sum"
) -> tuple[Fraction, ...]:
    """Return w_i = alpha C / tau_i (equation (4)) of the active queues.

    `normalisation` is one of `NORMALISATIONS`, or C itself. Raises `InputError` for no queue, or a value not above 0.
    """
    factor = number(alpha, "alpha", positive=True)
    times = list(each(seconds, sojourns, "sojourns", least=1, positive=True))
    constant = normaliser(times, normalisation)
    return tuple(weights_of.l2bm_weight(factor, constant, tau) for tau in times)


def thresholds(
    buffer: Quantity, occupied: Quantity, sojourns: Sequence[Quantity], alpha: Quantity
) -> tuple[Fraction, ...]:
    """Return T_i = w_i (B - Q) in bytes at the occupancy Q (equation (3))."""
    size, held = bytes_(buffer, "buffer", positive=True), bytes_(occupied, "occupied")
    if held > size:
        raise InputError("occupied", occupied, f"at most the buffer, {plain(size)} bytes")
    return tuple(w * (size - held) for w in weights(sojourns, alpha))


def sojourn_steady_state(
    buffer: Quantity, sojourns: Sequence[Quantity], alpha: Quantity, normalisation: Normalisation = "sum"
) -> SteadyState:
    """Solve equations (5) to (7): every active queue on its threshold (equations (8) and (9)).

    >>> sojourn_steady_state(6, [3, 3], 1).thresholds, sojourn_steady_state(6, [3, 3], 1, "harmonic").thresholds
    ((Fraction(12, 5), Fraction(12, 5)), (Fraction(2, 1), Fraction(2, 1)))
    """
    return threshold_family.steady_state(buffer, weights(sojourns, alpha, normalisation))


def self_consistent(buffer: Quantity, roots: Sequence[Quantity], alpha: Quantity) -> SteadyState:
    r"""Return the steady state in which each sojourn time is the one that the queues cause.

    Ingress queue i feeds an output queue of its own, drained at mu_i, so that tau_i = Q_i / (2 mu_i). With C the sum
    the queues share the buffer in proportion to the roots of their drain rates (claim ``l2bm.ours.square-root``):

    .. math:: w_i = \alpha \sqrt{\mu_i} \sum_j \frac{1}{\sqrt{\mu_j}} .

    `roots`: the square roots of the mu_i, up to a common factor, greater than 0; roots make the result exact.

    >>> [str(t) for t in self_consistent(22, [2, 1], 1).thresholds]
    ['12', '6']
    """
    factor = number(alpha, "alpha", positive=True)
    each = [number(root, f"roots[{i}]", positive=True) for i, root in enumerate(roots)]
    inverse = sum((1 / root for root in each), Fraction(0))
    return threshold_family.steady_state(buffer, [factor * root * inverse for root in each])


def least_sum(alpha: Any, n: Any) -> Any:
    """Return the infimum of the total weight of n queues when C is the sum of the sojourn times."""
    return alpha * n**2


def equal_total(alpha: Any, n: Any) -> Any:
    """Return the total weight of n queues of one weight, as DT has it.

    >>> equal_total(Fraction(1, 2), 4)
    Fraction(2, 1)
    """
    return alpha * n


def lies_below_dt(w: Any, W: Any, alpha: Any, n: Any) -> Any:
    """Tell whether a queue of weight w of W in all holds less than each of n queues under DT, in steady state.

    >>> lies_below_dt(1, 4, 2, 2), lies_below_dt(2, 4, 2, 2)
    (True, False)
    """
    return w * (1 + alpha * n) < alpha * (1 + W)


def sojourn_below_dt(alpha: Any, C: Any, tau: Any, n: Any, H: Any) -> Any:
    """Tell whether a queue of the weight alpha C / tau, of alpha C H in all, holds less than under DT, when steady.

    `C` is the constant above tau.

    >>> sojourn_below_dt(1, 2, 3, 1, 1), sojourn_below_dt(1, 2, 1, 1, 1)
    (True, False)
    """
    return C * (1 + alpha * n) < tau * (1 + alpha * C * H)


def compare_with_dt(
    buffer: Quantity, sojourns: Sequence[Quantity], alpha: Quantity, normalisation: Normalisation = "sum"
) -> AgainstDt:
    """Compute the steady states of L2BM and DT at one alpha, and compare them.

    >>> compare_with_dt(1, [1, 1, 1, 9], "1/8").below, compare_with_dt(1, [3, 3, 3, 3], "1/8").below
    ((3,), ())
    >>> str(compare_with_dt(1, [3, 3, 3, 3], "1/8").reduction)
    '-1'
    """
    return compare_weights(buffer, weights(sojourns, alpha, normalisation), alpha)


def compare_weights(buffer: Quantity, factors: Sequence[Quantity], alpha: Quantity) -> AgainstDt:
    """Compute the steady states of queues with any weights and of DT, and compare them."""
    mine = threshold_family.steady_state(buffer, factors)
    given = tuple(number(w, f"weights[{i}]") for i, w in enumerate(factors))
    n, total = len(given), sum(given, Fraction(0))
    plain_dt = threshold_family.steady_state(buffer, threshold_family.dt_weights(alpha, n))
    same = threshold_family.steady_state(buffer, threshold_family.dt_weights(total / n, n))
    pairs = list(zip(mine.thresholds, plain_dt.thresholds, strict=True))
    return AgainstDt(
        l2bm=mine,
        dt=plain_dt,
        dt_same_weight=same,
        weights=given,
        ratios=tuple(t / d for t, d in pairs),
        below=tuple(i for i, w in enumerate(given) if lies_below_dt(w, total, number(alpha, "alpha"), n)),
        reduction=1 - mine.occupancy / plain_dt.occupancy,
    )


@cache
def equations() -> dict[str, sympy.Eq]:
    """Return equations (1) to (9) in SymPy, with sums over ports and priorities written as sums over n queues."""
    import sympy

    B, C, alpha, t_total, N, Q, n = sympy.symbols("B C alpha t_total N Q n", positive=True)
    i = sympy.Symbol("i", integer=True)
    k = sympy.Symbol("k", integer=True)
    queue, tau, w, T, Bip = (sympy.IndexedBase(name) for name in ("Q_in", "tau", "w", "T", "B_p"))
    total = sympy.Sum(w[i], (i, 1, n))
    return {
        "eq1": sympy.Eq(Bip[k], alpha * (B - sympy.Sum(queue[i], (i, 1, n)))),
        "eq2": sympy.Eq(tau[k], t_total / N),
        "eq3": sympy.Eq(T[k], weights_of.l2bm_weight(alpha, C, tau[k]) * (B - Q)),
        "eq4": sympy.Eq(w[k], weights_of.l2bm_weight(alpha, C, tau[k])),
        "eq5": sympy.Eq(Q, sympy.Sum(queue[i], (i, 1, n))),
        "eq6": sympy.Eq(Q, sympy.Sum(T[i], (i, 1, n))),
        "eq7": sympy.Eq(Q, total * (B - Q)),
        "eq8": sympy.Eq(Q, B * total / (1 + total)),
        "eq9": sympy.Eq(T[k], B * w[k] / (1 + total)),
    }
