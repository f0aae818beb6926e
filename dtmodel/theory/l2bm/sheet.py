"""The parameter sheet of L2BM: weights, thresholds, occupancy and reserve, beside DT."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial

from dtmodel.base.documents import word_or
from dtmodel.base.errors import InputError
from dtmodel.base.units import Quantity, brief, each, number, plain, seconds, sequence, show_bytes, show_seconds
from dtmodel.policies.formulas import NORMALISATIONS, SOJOURN_CONSTANTS, l2bm_weight
from dtmodel.theorems.writing import searched, tex, tex_of
from dtmodel.theory import threshold_family
from dtmodel.theory.l2bm import formulas as l2bm
from dtmodel.theory.l2bm.formulas import AgainstDt
from dtmodel.theory.sheet import Explanation, Sheet, SheetRow, explained

_PAPER = "L2BM paper"
_TITLE = "L2BM beside DT, in steady state"
_STEADY = "every active queue lies on its threshold, with constant sojourn times"
_EACH = r"\tau_j"
_OF_ALL = {
    "n": "n", "S": searched(sum, _EACH, "j"), "H": searched(sum, f"1/{_EACH}", "j"),
    "least": searched(min, _EACH, "j"), "greatest": searched(max, _EACH, "j"),
}  # fmt: skip
"""The LaTeX of the parts of C."""


def parameters(
    *,
    buffer: Quantity,
    sojourns: Sequence[Quantity] = (),
    weights: Sequence[Quantity] = (),
    alpha: Quantity = "1/8",
    normalisation: Quantity = "sum",
) -> Sheet:
    """Compute the sheet for B bytes of `buffer` and the `sojourns` tau_i, or else `weights` w_i, of the active queues.

    `normalisation` is sum (the paper's), mean, harmonic, least, greatest, or C itself. Raises `InputError` for no
    active queue, both sojourn times and weights, or a value that is not positive.
    """
    weights, times = sequence(weights, "weights"), each(seconds, sojourns, "sojourns", positive=True)
    if weights:
        if times:
            raise InputError("weights", list(map(str, weights)), "either sojourn times or weights")
        if normalisation != "sum":
            raise InputError("normalisation", normalisation, "none where weights are given")
        compared = l2bm.compare_weights(buffer, weights, alpha)
        rows = explained(
            (*_totals(compared, given=True), *_thresholds(compared, given=True)),
            _EXPLANATIONS,
            _numbers(compared, alpha),
        )
        return Sheet(_TITLE, rows, tuple(_warnings(compared, number(alpha, "alpha"), "")))
    named = word_or(partial(seconds, positive=True), normalisation, "normalisation", NORMALISATIONS)
    how = named if isinstance(named, Fraction) else str(named)
    compared = l2bm.compare_with_dt(buffer, times, alpha, how)
    C = l2bm.normaliser(times, how)
    names, computed = SOJOURN_CONSTANTS.get("" if isinstance(how, Fraction) else how, ((), None))
    formula = tex_of(computed, *(_OF_ALL[name] for name in names)) if computed else ""
    first = SheetRow("normaliser", "C", C, "seconds", formula, f"{_PAPER}, Section III-C")
    shown = {f"\\tau_{i}": brief(show_seconds(tau)) for i, tau in enumerate(times, 1)}
    numbers = _numbers(compared, alpha) | shown | {"C": brief(show_seconds(C))}
    of_times = (*_totals(compared, given=False), *_thresholds(compared, given=False))
    rows = explained((first, *of_times), _EXPLANATIONS, numbers)
    return Sheet(_TITLE, rows, tuple(_warnings(compared, number(alpha, "alpha"), how)))


def _numbers(compared: AgainstDt, alpha: Quantity) -> dict[str, str]:
    """Return the values of the symbols in the formulas."""
    buffer = compared.dt.free + compared.dt.occupancy
    shown = {r"\alpha": plain(number(alpha, "alpha")), "B": brief(show_bytes(buffer)), "n": str(len(compared.weights))}
    shown |= {"W": plain(sum(compared.weights, Fraction(0))), "Q_{DT}": brief(show_bytes(compared.dt.occupancy))}
    shown |= {"Q": brief(show_bytes(compared.l2bm.occupancy))}
    return shown | {f"w_{i}": plain(weight) for i, weight in enumerate(compared.weights, 1)}


def _totals(compared: AgainstDt, *, given: bool) -> Iterator[SheetRow]:
    total, n = sum(compared.weights, Fraction(0)), len(compared.weights)
    each = "" if given else r", \ w_i = " + _weight("i")
    yield SheetRow("total_weight", "W", total, "", searched(sum, "w_i", "i") + each, f"{_PAPER}, equation (4)")
    for name, state, source in (
        ("l2bm", compared.l2bm, f"{_PAPER}, equation (8)"),
        ("dt", compared.dt, "DT with the same alpha"),
        ("dt_same_weight", compared.dt_same_weight, f"DT with alpha = W/{n}, the same total weight"),
    ):
        formulas = [_shown(part, W=_dt_total() if name == "dt" else "W") for part in ("occupancy", "free")]
        yield SheetRow(f"occupancy_{name}", "Q", state.occupancy, "bytes", formulas[0], source, _STEADY)
        yield SheetRow(f"reserve_{name}", "B - Q", state.free, "bytes", formulas[1], source)
    yield SheetRow(
        "reduction", r"1 - Q / Q_{DT}", compared.reduction, "", "", "l2bm.ours.more-than-dt",
        "negative: L2BM holds more than DT with the same alpha",
    )  # fmt: skip
    below = ", ".join(str(index + 1) for index in compared.below) or "none"
    lower = tex_of(l2bm.lies_below_dt, "w_i", "W", "alpha", "n")
    if not given:
        lower = tex_of(l2bm.sojourn_below_dt, "alpha", "C", r"\tau_i", "n", "H")
    yield SheetRow("queues_below_dt", r"\{i : T_i < T_{DT}\}", below, "", lower, "l2bm.ours.below-dt-steady")


def _dt_total() -> str:
    return tex_of(l2bm.equal_total, "alpha", "n")


def _weight(i: object) -> str:
    return tex_of(l2bm_weight, "alpha", "C", rf"\tau_{i}")


def _thresholds(compared: AgainstDt, *, given: bool) -> Iterator[SheetRow]:
    same, weighted = (state.thresholds[0] for state in (compared.dt, compared.dt_same_weight))
    formula, source = _shown("threshold", w=r"\alpha", W=_dt_total()), "DT with the same alpha, every queue"
    yield SheetRow("threshold_dt", "T_{DT}", same, "bytes", formula, source)
    formula, source = _shown("threshold", w="W/n"), "DT with alpha = W/n, every queue"
    yield SheetRow("threshold_dt_same_weight", "T_{DT}", weighted, "bytes", formula, source)
    for i, (weight, threshold) in enumerate(zip(compared.weights, compared.l2bm.thresholds, strict=True), 1):
        of, source = ("", "as given") if given else (_weight(i), f"{_PAPER}, equation (4)")
        yield SheetRow(f"weight_{i}", f"w_{i}", weight, "", of, source)
        formula = _shown("threshold", w=f"w_{i}")
        yield SheetRow(f"threshold_{i}", f"T_{i}", threshold, "bytes", formula, f"{_PAPER}, equation (9)")


def _shown(part: str, **names: str) -> str:
    """Print a part of the steady state, with other names for the weight w or the total weight W."""
    formula = threshold_family.steady_state_formulas()[part]
    return tex(formula, {symbol: names.get(str(symbol), str(symbol)) for symbol in formula.free_symbols})


def _warnings(compared: AgainstDt, alpha: Fraction, how: object) -> Iterator[str]:
    if compared.reduction < 0:
        more = compared.l2bm.occupancy - compared.dt.occupancy
        yield (
            f"L2BM holds {show_bytes(more)} more than DT with the same alpha and leaves "
            f"{show_bytes(compared.l2bm.free)} to a newcomer; "
            "the normalisation 'harmonic' keeps DT's total (l2bm.ours.harmonic)"
        )
    if len(compared.weights) == 1 and how == "sum":
        yield "with one active queue the weight is alpha, at any sojourn time (l2bm.ours.one-queue)"
    elif how == "sum" and len(set(compared.weights)) == 1:
        yield "equal sojourn times: every weight is alpha n, however congested the queues are (l2bm.ours.equal)"
    if max(compared.weights) > 1:
        yield "a threshold exceeds the buffer of an empty switch: no limit then (l2bm.sec3c.upper-limit@within-buffer)"
    if min(compared.weights) < alpha:
        yield "some queue's threshold is below DT's at the same occupancy; the paper's C, the sum, excludes this"


_EXPLANATIONS: dict[str, Explanation] = {
    "normaliser": ("settings", "The constant that turns sojourn times into weights.", ""),
    "total_weight": ("guarantees", "The sum of all weights, which alone determines the free buffer.", "l2bm.eq4"),
    "occupancy_l2bm": ("guarantees", "All queues together hold this much.", "l2bm.eq8"),
    "reserve_l2bm": ("guarantees", "This much stays free for a newcomer.", "l2bm.ours.steady-state"),
    "occupancy_dt": ("guarantees", "Under DT with the same alpha they would hold this much.", "l2bm.ours.steady-state"),
    "reserve_dt": ("guarantees", "Under DT with the same alpha this much would stay free.", "l2bm.ours.steady-state"),
    "occupancy_dt_same_weight": ("guarantees", "Under DT with the same total weight they would hold as much.",
                                 "l2bm.ours.harmonic"),
    "reserve_dt_same_weight": ("guarantees", "Under DT with the same total weight as much would stay free.",
                               "l2bm.ours.harmonic"),
    "reduction": ("guarantees", "The part of DT's occupancy that L2BM saves.", "l2bm.ours.more-than-dt"),
    "queues_below_dt": ("guarantees", "The queues that L2BM gives less than DT with the same alpha.",
                        "l2bm.ours.below-dt-steady"),
    "threshold_dt": ("guarantees", "Each queue would hold this much under DT with the same alpha.",
                     "l2bm.ours.steady-state"),
    "threshold_dt_same_weight": ("guarantees", "Each queue would hold this much under DT with the same total weight.",
                                 "l2bm.ours.steady-state"),
    "weight_i": ("settings", "The weight of the queue.", "l2bm.eq4"),
    "threshold_i": ("guarantees", "The queue holds this much.", "l2bm.eq9"),
}  # fmt: skip
"""The group of each row, its meaning, and its claim."""
