"""The settings of EDT on a real switch: limits of ports above the queues, and a buffer in slices."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from dtmodel.base import units
from dtmodel.base.units import Quantity
from dtmodel.switches.chips import Chip
from dtmodel.switches.chips import chip as preset
from dtmodel.theorems.operations import least
from dtmodel.theorems.writing import tex_of
from dtmodel.theory.edt import formulas
from dtmodel.theory.edt import sheet as flat
from dtmodel.theory.sheet import Check, Explanation, Sheet, SheetRow, explained


def nested_weight(p: Any, a: Any) -> Any:
    """Return the weight of a port with one busy queue whose limit is p times the room of the port."""
    return a * p / (1 + p) if not isinstance(p, int) else Fraction(a * p, 1 + p)


def pool_weight(p: Any, a: Any) -> Any:
    """Return the weight of a port with one busy queue if both limits follow the free buffer."""
    return least(a, p)


def slice_size(B: Any, s: Any) -> Any:
    """Return the size of one of s equal slices of a buffer of B bytes."""
    return B / s


_WEIGHTS = {"nested": (nested_weight, "derived.ours.levels"), "pool": (pool_weight, "derived.ours.levels-pool")}
_EXPLANATIONS: dict[str, Explanation] = {
    "port_weight": ("settings", "The weight of a port with one busy queue: alpha of all formulas below.", ""),
    "slice": ("settings", "The part of the buffer that one queue reaches: B of all formulas below.",
              "derived.ours.levels-slices"),
}  # fmt: skip


def parameters(*, port_alpha: Quantity | None = None, chip: str | None = None, **flat_given: Any) -> Sheet:
    """Compute the settings of EDT (`flat_given`: those of `dtmodel.theory.edt.sheet`) for one level or two.

    `port_alpha` is the factor a of the limit of each port, above that of its queues, ``alpha``; by default ports have
    no limit. `chip` says whether queues follow the room of their port or the free buffer, and the slices of the egress
    memory. The checks compare with the paper's formulas, without ports and slices. Raises `InputError`.
    """
    if chip is None and port_alpha is None:
        return flat.parameters(**flat_given)
    given = {"alpha": 1, **flat_given}
    buffer, alpha, ports = (given[name] for name in ("buffer", "alpha", "ports"))
    reading = preset(chip)
    p, size = units.number(alpha, "alpha", positive=True), units.bytes_(buffer, "buffer", positive=True)
    a = None if port_alpha is None else units.number(port_alpha, "port_alpha", positive=True)
    weight = p if a is None else Fraction(_WEIGHTS[reading.ports][0](p, a))
    made = flat.parameters(**given | {"buffer": slice_size(size, reading.egress_slices), "alpha": weight})
    numbers = {
        "p": units.plain(p),
        "a": "" if a is None else units.plain(a),
        "B": units.show_bytes(size),
        "s": str(reading.egress_slices),
    }
    own = explained(_rows(reading, a, weight, size), _EXPLANATIONS, numbers)
    kept = (row for row in made.parameters if a is None or not row.name.startswith("best_alpha"))  # it is of a queue
    return replace(
        made,
        title=f"{made.title}; {reading.name}: queues of alpha = {numbers['p']}"
        + (f" in ports of {numbers['a']}" if a else ""),
        parameters=(*own, *kept),
        warnings=made.warnings if a is None else (_ONE_QUEUE, *made.warnings),
        checks=tuple(_checks(made, units.count(ports, "ports"), p, size)),
    )


_ONE_QUEUE = (
    "These settings hold with one busy queue on each port; n busy queues of a port take more of the buffer than one "
    "(derived.ours.levels-fairness)."
)


def _rows(reading: Chip, a: Fraction | None, weight: Fraction, size: Fraction) -> Iterator[SheetRow]:
    if a is not None:
        of_port, claim = _WEIGHTS[reading.ports]
        source, assumption = f"own theorem {claim}", "one queue of the port is busy"
        yield SheetRow("port_weight", "A_1", weight, "", tex_of(of_port, "p", "a"), source, assumption)
    if reading.egress_slices > 1:
        source, assumption = "own theorem derived.ours.levels-slices", "all busy ports may lie in one slice"
        formula = tex_of(slice_size, "B", "s")
        yield SheetRow("slice", "B_s", slice_size(size, reading.egress_slices), "bytes", formula, source, assumption)


def _checks(made: Sheet, P: int, p: Fraction, size: Fraction) -> Iterator[Check]:
    """Compare the settings with those of equations (73) and (78) for the alpha of a queue and the whole buffer."""
    cn2, tm1, d = (units.number(made[name], name) for name in ("cn2", "tm1", "d"))
    large = Fraction(formulas.cn2_paper(p, size, P))
    short = Fraction(formulas.tm1_paper(p, P, d))
    yield _check("cn2 of (73)", large > cn2, "larger", units.show_bytes(large), units.show_bytes(cn2))
    yield _check("TM1 of (78)", short < tm1, "smaller", units.show_seconds(short), units.show_seconds(tm1))


def _check(name: str, wrong: bool, how: str, paper: str, safe: str) -> Check:
    said = f"unsafe: {how} than the setting here" if wrong else f"safe: not {how} than the setting here"
    numbers = f"{units.brief(paper)} against {units.brief(safe)}"
    said = f"with the alpha of a queue and the whole buffer it is {said}"
    return Check(name, "WARN" if wrong else "PASS", said, numbers, "derived.ours.levels-settings")
